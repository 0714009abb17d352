// SPDX-License-Identifier: Apache-2.0
//
// Lab 5, independent threads: yours to write. Made from rtl/diverge/sm_its.sv by testbench/labs/skeletons.py.
//
// sm_its: how mode `its` resolves a control instruction (rtl/README.md "Independent thread scheduling"): the pcs of the lanes that
// do not run, convergence barriers, WARPSYNC, gathering for block barriers, choice of the next split. Part of sm_diverge,
// which keeps running pc, mask and the lanes that are gone.
//
// While en_i is set, op_i of slot_i is resolved; done_o in the last cycle. One cycle (`Op`; BSYNC: one for every mask that its
// lanes bring), after an EXIT or BREAK one for every group, and mask there, for which lanes wait (`Scan`), one if a split is
// chosen (`Choose`). mask_o and gone_o are to be kept in every cycle.
// op_i may also be OpSwitch, OpRelease (block barrier), OpWake (sleep over). jump_i: BRA, CALL, or RET and BRX with one target
// for all of the running split; else RET and BRX take each lane's target from row_i. BMOV.WR takes each lane's mask from it. bar_i, preds_i: of BAR, BAR.RED.
// redirect_o: the warp goes on at next_pc_o instead of behind its instruction. idle_o: lanes are left, but none can run.
// breg_*: mask of a convergence barrier for BMOV.RD, of the lowest lane of breg_run_i, while en_i is low.
// step_i: an instruction of step_slot_i issues; plain_i: it is not resolved here; then switch_o says that OpSwitch must follow.
// bar_valid_o, bar_o: the warp arrives; while it is set, en_i must be low before the next operation starts. bar_wait_o: it waits.
// Combinational from flops and inputs but for bar_*. Reset: no arrival. A slot is cleared by init. Twin: model/twin/diverge.
module sm_its #(
    parameter int unsigned WarpSlots = 16,
    localparam int unsigned SlotBits = $clog2(WarpSlots)
) (
    input  logic clk_i,
    input  logic rst_ni,
    input  logic kill_i,
    input  logic [1:0]  order_i,            // 0 h200, 1 alternate, 2 random
    input  logic [15:0] seed_i,
    input  logic init_valid_i,
    input  logic [SlotBits-1:0] init_slot_i,

    input  logic step_i,
    input  logic plain_i,
    input  logic [SlotBits-1:0] step_slot_i,
    output logic switch_o,

    input  logic en_i,
    input  logic [SlotBits-1:0] slot_i,
    input  logic [7:0]  op_i,
    input  logic        jump_i,
    input  logic [3:0]  breg_i,
    input  logic [27:0] pc_i,
    input  logic [27:0] target_i,
    input  logic [31:0] value_i,
    input  logic [1023:0] row_i,
    input  sm_pkg::bar_req_t bar_i,
    input  logic [31:0] preds_i,
    input  logic [31:0] exec_i,
    input  logic [31:0] mask_i,
    input  logic [31:0] gone_i,
    output logic        done_o,
    output logic        redirect_o,
    output logic        idle_o,
    output logic [27:0] next_pc_o,
    output logic [31:0] mask_o,
    output logic [31:0] gone_o,

    input  logic breg_re_i,
    input  logic [SlotBits-1:0] breg_slot_i,
    input  logic [3:0]  breg_idx_i,
    input  logic [31:0] breg_run_i,
    output logic [31:0] breg_mask_o,

    output logic bar_valid_o,
    input  logic bar_ready_i,
    output sm_pkg::bar_req_t bar_o,
    output logic bar_wait_o                 // slot_i waits for a release
);
  assign switch_o = '0;
  assign done_o = '0;
  assign redirect_o = '0;
  assign idle_o = '0;
  assign next_pc_o = '0;
  assign mask_o = '0;
  assign gone_o = '0;
  assign breg_mask_o = '0;
  assign bar_valid_o = '0;
  assign bar_o = '0;
  assign bar_wait_o = '0;
endmodule
