// SPDX-License-Identifier: Apache-2.0
//
// sm_sched_old: the oldest eligible slot: age is the order in which the slots were bound. Work conserving; bound:
// sm_sched_progress. No knobs, no state.
// Latency 0. en_i = 0: picks nothing. Source: the baseline of Rogers et al., MICRO 2012. Twin: model/twin/sched_old.
// See also: sm_sched_gto.
module sm_sched_old #(
    parameter int unsigned WarpSlots = 16,
    localparam int unsigned SlotBits = $clog2(WarpSlots)
) (
    input  logic                           clk_i,
    input  logic                           rst_ni,
    input  logic                           en_i,
    input  logic [127:0]                   knob_i,
    input  logic [WarpSlots-1:0]           valid_i,
    input  logic [WarpSlots-1:0]           eligible_i,
    input  logic [WarpSlots*WarpSlots-1:0] older_i,
    input  sm_sub_pkg::sched_ev_t          ev_i,
    input  logic                           issue_valid_i,
    input  logic [SlotBits-1:0]            issue_slot_i,
    output logic                           pick_valid_o,
    output logic [SlotBits-1:0]            pick_slot_o,
    output logic [WarpSlots-1:0]           withheld_o
);
  sm_sched_oldest #(.WarpSlots(WarpSlots)) u_oldest (.en_i, .set_i(eligible_i), .older_i, .slot_o(pick_slot_o));
  assign pick_valid_o = en_i && eligible_i != '0;
  assign withheld_o = '0;

  logic unused_door;
  assign unused_door = ^{clk_i, rst_ni, knob_i, valid_i, ev_i, issue_valid_i, issue_slot_i};
endmodule
