// SPDX-License-Identifier: Apache-2.0
//
// sm_sva_its: an inactive lane does not arrive at a block barrier: in mode `its` a warp arrives when all of its lanes that are not
// gone have executed the barrier. Bound to sm_diverge; who has executed it, and who is gone, is kept here.
module sm_sva_its #(
    parameter int unsigned WarpSlots = 8,
    localparam int unsigned SlotBits = $clog2(WarpSlots)
) (
    input logic clk_i,
    input logic rst_ni,
    input logic init_valid_i,
    input logic [SlotBits-1:0] init_slot_i,
    input logic [31:0] init_mask_i,
    input logic bar_i,                       // lanes of the slot execute the barrier that it gathers for
    input logic exit_i,
    input logic release_i,
    input logic [SlotBits-1:0] slot_i,
    input logic [31:0] exec_i,
    input logic arrive_i
);
  logic [31:0] came_q [WarpSlots], gone_q [WarpSlots];
  logic [31:0] came, gone;
  logic said_q;
  assign came = came_q[slot_i] | (bar_i ? exec_i : '0);
  assign gone = gone_q[slot_i] | (exit_i ? exec_i : '0);
  always_ff @(posedge clk_i) begin
    if (bar_i) came_q[slot_i] <= came;
    if (exit_i) gone_q[slot_i] <= gone;
    if (release_i || arrive_i) came_q[slot_i] <= '0;
    if (init_valid_i) begin
      came_q[init_slot_i] <= '0;
      gone_q[init_slot_i] <= ~init_mask_i;
    end
    if (!rst_ni) said_q <= 1'b0;
    else if (arrive_i && !said_q && (came | gone) != '1) begin
      said_q <= 1'b1;
      $error("gating barrier: the warp arrives although lanes %0h have not", ~(came | gone));
    end
  end
endmodule

bind sm_diverge sm_sva_its #(.WarpSlots(WarpSlots)) u_sva_its (
    .clk_i, .rst_ni, .init_valid_i, .init_slot_i, .init_mask_i,
    .bar_i(its_en && u_its.phase_q == 2'd0 && u_its.is_bar && !u_its.other),
    .exit_i(its_en && u_its.phase_q == 2'd0 && op_q == sm_isa_pkg::OpEXIT && !pseudo_q),
    .release_i(its_en && u_its.phase_q == 2'd0 && op_q == OpRelease), .slot_i(op_slot_q), .exec_i(u_sva.lanes_q), .arrive_i(u_its.arrive));
