// SPDX-License-Identifier: Apache-2.0
//
// Bench top: sm_warp_sched (policy_i) and its two policies alone, with their own en and issued inputs.
module policy_bench #(
    parameter int unsigned WarpSlots = 8,
    localparam int unsigned SlotBits = $clog2(WarpSlots)
) (
    input  logic                 clk_i,
    input  logic                 rst_ni,
    input  logic [3:0]           policy_i,
    input  logic                 init_valid_i,
    input  logic [SlotBits-1:0]  init_slot_i,
    input  logic [WarpSlots-1:0] valid_i,
    input  logic [WarpSlots-1:0] eligible_i,
    input  logic                 ext_valid_i,
    input  logic [3:0]           ext_slot_i,
    input  logic                 en_i,
    input  logic                 issued_i,
    output logic                 pick_valid_o,
    output logic [SlotBits-1:0]  pick_slot_o,
    output logic [WarpSlots*WarpSlots-1:0] older_o,
    output logic                 lrr_valid_o,
    output logic [SlotBits-1:0]  lrr_slot_o,
    output logic                 gto_valid_o,
    output logic [SlotBits-1:0]  gto_slot_o
);
  sm_warp_sched #(.WarpSlots(WarpSlots)) u_sched (
      .clk_i, .rst_ni, .policy_i, .init_valid_i, .init_slot_i, .valid_i, .eligible_i, .ext_valid_i, .ext_slot_i,
      .pick_valid_o, .pick_slot_o, .older_o
  );
  sm_sched_lrr #(.WarpSlots(WarpSlots)) u_lrr (
      .clk_i, .rst_ni, .en_i, .eligible_i, .issued_i, .pick_valid_o(lrr_valid_o), .pick_slot_o(lrr_slot_o)
  );
  sm_sched_gto #(.WarpSlots(WarpSlots)) u_gto (
      .clk_i, .rst_ni, .en_i, .older_i(older_o), .eligible_i, .issued_i, .pick_valid_o(gto_valid_o),
      .pick_slot_o(gto_slot_o)
  );
endmodule
