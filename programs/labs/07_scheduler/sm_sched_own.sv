// SPDX-License-Identifier: Apache-2.0
//
// Lab 7, the warp scheduler, your own: yours to write. Made from rtl/sched/sm_sched_lrr.sv by testbench/labs/skeletons.py.
// sm_sched_own: a scheduling policy of your own; what it owes: README.md here.
module sm_sched_own #(
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
