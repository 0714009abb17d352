// SPDX-License-Identifier: Apache-2.0
//
// Lab 6, the barrier unit: yours to write. Made from rtl/sched/sm_barrier.sv by testbench/labs/skeletons.py.
//
// sm_barrier: the 16 named barriers of every block slot. One arrival a cycle, taken round robin over the sub-cores.
// A barrier without a thread count is complete when every participating warp (exists, has not exited) has arrived; with
// a count when 32 x arrived warps equals it. A release pulses bar_release_o for the waiting (not the arrive-only) warps,
// one cycle (and extra_i; some later still, see README.md here, "Later releases") after the last arrival, on all sub-cores at once; they are eligible in the cycle after. Warps that exit leave the
// participation mask and may complete a barrier: the open barriers of the block are then looked at one a cycle, before
// further arrivals. Bad counts fault (Trap). BAR.RED: the row adds up what the warps bring; with a release of one, red_valid_o is
// set and red_o is the result. Twin: model/twin/barrier.c. Reset: all barriers idle.
module sm_barrier #(
    parameter int unsigned SubCores = 1,
    parameter int unsigned WarpSlots = 8,
    parameter int unsigned BlockSlots = 8
) (
    input  logic                             clk_i,
    input  logic                             rst_ni,
    input  logic [3:0]                       interval_i,  // cycles beyond one between arrivals
    input  logic [4:0]                       extra_i,     // cycles beyond one from completion to release
    input  logic [4:0]                       count_extra_i,  // more, if the last arrival has its count from a register
    input  logic [4:0]                       red_extra_i,    // more of a BAR.RED
    input  logic [1:0]                       red_interval_i, // and for each of its warps beyond eight
    // from sm_cta
    input  logic                             init_valid_i,
    input  sm_pkg::init_t                    init_i,
    // from/to the sub-cores
    input  logic [SubCores-1:0]              bar_valid_i,
    output logic [SubCores-1:0]              bar_ready_o,
    input  logic [SubCores*sm_pkg::BarReqW-1:0] bar_i,
    input  logic [SubCores-1:0]              exit_valid_i,
    input  logic [SubCores*5-1:0]            exit_block_i,
    input  logic [SubCores*5-1:0]            exit_warp_i,
    output logic [SubCores*WarpSlots-1:0]    bar_release_o,
    output logic                             red_valid_o,
    output logic [10:0]                      red_o,
    // bad count
    output logic                             fault_valid_o,
    output sm_pkg::fault_t                   fault_o
);
  assign bar_ready_o = '0;
  assign bar_release_o = '0;
  assign red_valid_o = '0;
  assign red_o = '0;
  assign fault_valid_o = '0;
  assign fault_o = '0;
endmodule
