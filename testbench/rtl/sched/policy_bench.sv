// SPDX-License-Identifier: Apache-2.0
//
// Bench top: sm_warp_sched with its event structure as a flat vector.
module policy_bench #(
    parameter int unsigned WarpSlots = 8,
    localparam int unsigned SlotBits = $clog2(WarpSlots)
) (
    input  logic                 clk_i,
    input  logic                 rst_ni,
    input  logic [3:0]           policy_i,
    input  logic [127:0]         knob_i,
    input  logic [6:0]           progress_i,
    input  logic                 init_valid_i,
    input  logic [SlotBits-1:0]  init_slot_i,
    input  logic [WarpSlots-1:0] valid_i,
    input  logic [WarpSlots-1:0] eligible_i,
    input  logic [127:0]         ev_i,
    input  logic                 ext_valid_i,
    input  logic [3:0]           ext_slot_i,
    output logic                 pick_valid_o,
    output logic [SlotBits-1:0]  pick_slot_o,
    output logic [WarpSlots-1:0] withheld_o,
    output logic [WarpSlots*WarpSlots-1:0] older_o
);
  sm_sub_pkg::sched_ev_t ev;
  assign ev = ev_i;
  sm_warp_sched #(.WarpSlots(WarpSlots)) u_sched (
      .clk_i, .rst_ni, .policy_i, .knob_i, .progress_i, .init_valid_i, .init_slot_i, .valid_i, .eligible_i, .ev_i(ev), .ext_valid_i,
      .ext_slot_i, .pick_valid_o, .pick_slot_o, .withheld_o, .older_o
  );
endmodule
