// SPDX-License-Identifier: Apache-2.0
//
// Lab 4, the SIMT stack: yours to write. Made from rtl/diverge/sm_simt_stack.sv by testbench/labs/skeletons.py.
//
// sm_simt_stack: how mode `stack` resolves a control instruction (rtl/README.md "SIMT stack"): the SIMT stacks of all warp
// slots. Part of sm_diverge, which keeps running pc, mask and the lanes that are gone.
// While en_i is set, the instruction of slot_i is resolved: one cycle, plus one for every empty entry that is popped; done_o in
// the last one. mask_o and gone_o are to be kept in every cycle. jump_i: BRA, CALL, or RET and BRX with one target.
// sync_i: WARPSYNC of the lanes value_i. Other opcodes than these, BSSY, BSYNC and EXIT do nothing.
// redirect_o: the warp goes on at next_pc_o instead of behind its instruction. bad_o: fault bad_code_o, nothing changes.
// Combinational from flops and inputs. Twin: model/twin/simt_stack.
module sm_simt_stack #(
    parameter int unsigned WarpSlots = 16,
    localparam int unsigned SlotBits = $clog2(WarpSlots)
) (
    input  logic clk_i,
    input  logic init_valid_i,
    input  logic [SlotBits-1:0] init_slot_i,

    input  logic en_i,
    input  logic [SlotBits-1:0] slot_i,
    input  logic [7:0]  op_i,
    input  logic        jump_i,
    input  logic        sync_i,
    input  logic [3:0]  breg_i,
    input  logic [27:0] pc_i,
    input  logic [27:0] target_i,
    input  logic [31:0] value_i,
    input  logic [31:0] exec_i,
    input  logic [31:0] mask_i,
    input  logic [31:0] gone_i,
    output logic        done_o,
    output logic        redirect_o,
    output logic        bad_o,
    output logic [3:0]  bad_code_o,
    output logic [27:0] next_pc_o,
    output logic [31:0] mask_o,
    output logic [31:0] gone_o,

    input  logic view_i,
    output logic [79:0] depth_o             // 5 bits a slot, saturated at 31; zero unless view_i
);
  assign done_o = '0;
  assign redirect_o = '0;
  assign bad_o = '0;
  assign bad_code_o = '0;
  assign next_pc_o = '0;
  assign mask_o = '0;
  assign gone_o = '0;
  assign depth_o = '0;
endmodule
