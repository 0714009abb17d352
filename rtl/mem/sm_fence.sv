// SPDX-License-Identifier: Apache-2.0
//
// sm_fence: warps that wait in a MEMBAR or CCTL. Every one waits until no earlier instruction of its warp has a tag;
// MEMBAR.GPU and .SYS (req_gpu_i) also until every store that the SM had taken is acknowledged: those with a tag, then
// those with an open id. Such waits are served in rounds: a round takes over all that ask, and looks at the stores of the
// moment it begins. CCTL (req_inval_i) then drops the L1 (inval_o), in the cycle of its release. One warp a cycle (knob: fewer) is
// looked at and released; all is idle without a waiting warp. A warp is {slot, sub-core}. Reset: none waits.
module sm_fence (
    input  logic clk_i,
    input  logic rst_ni,
    input  logic [3:0] extra_i,       // cycles by which a request is seen later
    input  logic [3:0] interval_i,    // cycles beyond one between releases
    input  logic       req_valid_i,
    input  logic       req_gpu_i,
    input  logic       req_inval_i,
    input  logic [1:0] req_sub_i,
    input  logic [3:0] req_slot_i,

    // instructions that take a tag; tags in use; stores by id
    input  logic       acc_valid_i,
    input  logic [6:0] acc_tag_i,
    input  logic [1:0] acc_sub_i,
    input  logic [3:0] acc_slot_i,
    input  logic       acc_store_i,  // goes to memory and is acknowledged
    input  logic [127:0] used_i,
    input  logic [63:0]  open_i,

    output logic        inval_o,
    output logic [63:0] release_o    // 16 bits a sub-core, pulse
);
  logic [63:0]  wait_q, gpu_q, inval_q, round_q; // by {sub, slot}
  logic [127:0] store_q, tags_q;                 // tags of stores; a round's
  logic [63:0]  ids_q;
  logic         ids_phase_q;
  logic [5:0]   warp_q [128];                    // of a tag
  logic [5:0]   at_q;                            // the warp that was looked at last
  logic [3:0]   gap_q;                           // cycles until the next one is looked at
  logic         any, look;
  assign any = wait_q != '0;
  assign look = any && gap_q == 4'd0;

  logic         req, req_gpu, req_inval;
  logic [5:0]   req_at;
  sm_delay #(.Width(8)) u_extra (
      .clk_i, .rst_ni, .delay_i({1'b0, extra_i}), .valid_i(req_valid_i), .data_i({req_gpu_i, req_inval_i, req_sub_i, req_slot_i}),
      .valid_o(req), .data_o({req_gpu, req_inval, req_at})
  );

  always_ff @(posedge clk_i) begin
    if (acc_valid_i) begin
      warp_q[acc_tag_i] <= {acc_sub_i, acc_slot_i};
      store_q[acc_tag_i] <= acc_store_i;
    end
  end

  // ---- the next waiting warp behind the last one ----
  logic [63:0]  turned, turned_oh;
  logic [5:0]   step, at;
  logic         own, free_now;
  always_comb begin
    turned = '0;
    turned_oh = '0;
    step = '0;
    own = 1'b0;
    if (look) begin
      turned = 64'({wait_q, wait_q} >> (7'd1 + {1'b0, at_q}));
      turned_oh = turned & (~turned + 64'd1);
      step = {(turned_oh & 64'hffffffff00000000) != '0, (turned_oh & 64'hffff0000ffff0000) != '0,
              (turned_oh & 64'hff00ff00ff00ff00) != '0, (turned_oh & 64'hf0f0f0f0f0f0f0f0) != '0,
              (turned_oh & 64'hcccccccccccccccc) != '0, (turned_oh & 64'haaaaaaaaaaaaaaaa) != '0};
      for (int unsigned t = 0; t < 128; t++) if (used_i[t] && warp_q[t] == at_q + 6'd1 + step) own = 1'b1;
    end
    at = at_q + 6'd1 + step;
  end
  assign free_now = look && !own && !gpu_q[at];
  assign inval_o = free_now && inval_q[at];
  assign release_o = free_now ? 64'd1 << at : '0;

  // ---- waiting warps; rounds over the SM's stores ----
  logic [63:0] req_oh;
  assign req_oh = 64'd1 << req_at;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      wait_q <= '0;
      gpu_q <= '0;
      round_q <= '0;
      ids_phase_q <= 1'b0;
      at_q <= '0;
      gap_q <= '0;
    end else if (any || req) begin
      if (look) at_q <= at;
      if (free_now) gap_q <= interval_i;
      else if (gap_q != 4'd0) gap_q <= gap_q - 4'd1;
      wait_q <= (wait_q & ~release_o) | (req ? req_oh : '0);
      if (req) inval_q <= req_inval ? inval_q | req_oh : inval_q & ~req_oh;
      if (round_q == '0) begin
        round_q <= gpu_q;
        tags_q <= used_i & store_q;
        ids_phase_q <= 1'b0;
        if (req && req_gpu) gpu_q <= gpu_q | req_oh;
      end else begin
        if (!ids_phase_q) begin
          tags_q <= tags_q & used_i;
          ids_q <= open_i;
          ids_phase_q <= (tags_q & used_i) == '0;
        end else begin
          ids_q <= ids_q & open_i;
        end
        gpu_q <= gpu_q | (req && req_gpu ? req_oh : '0);
        if (ids_phase_q && (ids_q & open_i) == '0) begin
          gpu_q <= (gpu_q & ~round_q) | (req && req_gpu ? req_oh : '0);
          round_q <= '0;
        end
      end
    end
  end
endmodule
