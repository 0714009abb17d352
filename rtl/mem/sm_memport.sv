// SPDX-License-Identifier: Apache-2.0
//
// sm_memport: the SM's memory port: merges requests of sm_mem, sm_l1i and sm_cc under credits, hands responses to the
// owner of the id. sm_l1i and sm_cc send a 4-bit id; the port adds 128 or 144. In responses the owner sees the whole
// id (l1i, cc: its own number is [3:0] of each slot's id). Credits: sm_cfg_pkg::MemCredits flits may be on their way;
// each one taken is returned by req_credit_i. Priority: round robin over the three. Latency: request taken in cycle
// n, on the port in n+1; response on the port in n, at its owner in n+1. No response is ever refused. Reset: no
// request, all credits. Rules: rtl/README.md, Memory.
module sm_memport (
    input  logic clk_i,
    input  logic rst_ni,

    // from sm_mem
    input  logic         mem_valid_i,
    output logic         mem_ready_o,
    input  logic [7:0]   mem_id_i,
    input  logic [2:0]   mem_op_i,
    input  logic [47:0]  mem_line_i,
    input  logic [3:0]   mem_sector_mask_i,
    input  logic [31:0]  mem_byte_mask_i,
    input  logic [255:0] mem_data_i,
    input  logic [5:0]   mem_warp_i,
    input  logic [27:0]  mem_pc_i,
    input  logic [7:0]   mem_atom_i,
    input  logic [255:0] mem_cmp_i,

    // from sm_l1i: one instruction line (all four sectors)
    input  logic         l1i_valid_i,
    output logic         l1i_ready_o,
    input  logic [3:0]   l1i_id_i,
    input  logic [47:0]  l1i_line_i,

    // from sm_cc: one constant line (all four sectors)
    input  logic         cc_valid_i,
    output logic         cc_ready_o,
    input  logic [3:0]   cc_id_i,
    input  logic [47:0]  cc_line_i,

    // responses, slot 0 lowest; the payload is shared, the valids name the owner
    output logic [1:0]   mem_rsp_valid_o,
    output logic [1:0]   l1i_rsp_valid_o,
    output logic [1:0]   cc_rsp_valid_o,
    output logic [15:0]  rsp_id_o,
    output logic [3:0]   rsp_sector_o,
    output logic [7:0]   rsp_status_o,
    output logic [511:0] rsp_data_o,

    // the SM's port (sm_top's req_* and rsp*)
    output logic         req_valid_o,
    output logic [7:0]   req_id_o,
    output logic [2:0]   req_op_o,
    output logic [47:0]  req_line_o,
    output logic [3:0]   req_sector_mask_o,
    output logic [31:0]  req_byte_mask_o,
    output logic [255:0] req_data_o,
    output logic [5:0]   req_warp_o,
    output logic [27:0]  req_pc_o,
    output logic [7:0]   req_atom_o,
    output logic [255:0] req_cmp_o,
    input  logic [1:0]   req_credit_i,
    input  logic         rsp0_valid_i,
    input  logic [7:0]   rsp0_id_i,
    input  logic [1:0]   rsp0_sector_i,
    input  logic [3:0]   rsp0_status_i,
    input  logic [255:0] rsp0_data_i,
    input  logic         rsp1_valid_i,
    input  logic [7:0]   rsp1_id_i,
    input  logic [1:0]   rsp1_sector_i,
    input  logic [3:0]   rsp1_status_i,
    input  logic [255:0] rsp1_data_i,

    output logic idle_o // no request held, all credits back
);
  localparam logic [4:0] AllCredits = 5'(sm_cfg_pkg::MemCredits);

  // ---- requests ----
  logic [4:0] credit_q;
  logic [2:0] want, grant_oh;
  logic       grant;
  logic [1:0] unused_idx;
  assign want = {cc_valid_i, l1i_valid_i, mem_valid_i} & {3{credit_q != '0}};
  sm_arb_rr #(.N(3)) u_arb (
      .clk_i, .rst_ni, .req_i(want), .advance_i(1'b1),
      .grant_valid_o(grant), .grant_oh_o(grant_oh), .grant_idx_o(unused_idx)
  );
  assign {cc_ready_o, l1i_ready_o, mem_ready_o} = grant_oh;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      req_valid_o <= 1'b0;
      credit_q <= AllCredits;
    end else begin
      req_valid_o <= grant;
      credit_q <= credit_q - 5'(grant) + 5'(req_credit_i);
    end
  end
  always_ff @(posedge clk_i) begin
    if (grant_oh[0]) begin
      req_id_o <= mem_id_i;
      req_op_o <= mem_op_i;
      req_line_o <= mem_line_i;
      req_sector_mask_o <= mem_sector_mask_i;
      req_byte_mask_o <= mem_byte_mask_i;
      req_data_o <= mem_data_i;
      req_warp_o <= mem_warp_i;
      req_pc_o <= mem_pc_i;
      req_atom_o <= mem_atom_i;
      if (mem_atom_i != '0) req_cmp_o <= mem_cmp_i;
    end else if (grant) begin
      req_atom_o <= '0;
      req_id_o <= grant_oh[1] ? {4'd8, l1i_id_i} : {4'd9, cc_id_i};
      req_op_o <= grant_oh[1] ? sm_cfg_pkg::MemIfetch : sm_cfg_pkg::MemCfetch;
      req_line_o <= grant_oh[1] ? l1i_line_i : cc_line_i;
      req_sector_mask_o <= 4'hf;
      req_byte_mask_o <= '0;
      req_data_o <= '0;
      req_warp_o <= '0;
      req_pc_o <= '0;
    end
  end
  assign idle_o = !req_valid_o && credit_q == AllCredits;

  // ---- responses: registered, routed by id ----
  function automatic logic [2:0] owner(input logic ro, input logic cc); // {cc, l1i, mem}
    owner = !ro ? 3'b001 : cc ? 3'b100 : 3'b010;
  endfunction
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {cc_rsp_valid_o, l1i_rsp_valid_o, mem_rsp_valid_o} <= '0;
    end else begin
      {cc_rsp_valid_o[0], l1i_rsp_valid_o[0], mem_rsp_valid_o[0]} <=
          owner(rsp0_id_i[7], rsp0_id_i[4]) & {3{rsp0_valid_i}};
      {cc_rsp_valid_o[1], l1i_rsp_valid_o[1], mem_rsp_valid_o[1]} <=
          owner(rsp1_id_i[7], rsp1_id_i[4]) & {3{rsp1_valid_i}};
    end
  end
  always_ff @(posedge clk_i) begin
    if (rsp0_valid_i) begin
      rsp_id_o[7:0] <= rsp0_id_i;
      rsp_sector_o[1:0] <= rsp0_sector_i;
      rsp_status_o[3:0] <= rsp0_status_i;
      rsp_data_o[255:0] <= rsp0_data_i;
    end
    if (rsp1_valid_i) begin
      rsp_id_o[15:8] <= rsp1_id_i;
      rsp_sector_o[3:2] <= rsp1_sector_i;
      rsp_status_o[7:4] <= rsp1_status_i;
      rsp_data_o[511:256] <= rsp1_data_i;
    end
  end
  logic unused;
  assign unused = ^unused_idx;
endmodule
