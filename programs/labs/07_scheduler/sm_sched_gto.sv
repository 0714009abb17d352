// SPDX-License-Identifier: Apache-2.0
//
// Lab 7, the warp scheduler, greedy then oldest: yours to write. Made from rtl/sched/sm_sched_gto.sv by testbench/labs/skeletons.py.
//
// sm_sched_gto: greedy, then oldest. Picks the slot that issued last if it is eligible, else the oldest eligible
// one: age is the order in which the slots were bound, the earliest first. "Issued last" is a slot number: it stays when the slot is bound
// anew, and there is none after reset. Work conserving; bound: sm_sched_progress. No knobs.
// Latency 0. en_i = 0: picks nothing and keeps its state. issue_*: what issued in this cycle, whoever chose it.
// older_i: bit [i * WarpSlots + j]: slot j was bound before slot i and not since.
// Source: Rogers et al., MICRO 2012. Twin: model/twin/sched_gto. See also: sm_sched_old, sm_sched_gty.
module sm_sched_gto #(
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
  assign pick_valid_o = '0;
  assign pick_slot_o = '0;
  assign withheld_o = '0;
endmodule
