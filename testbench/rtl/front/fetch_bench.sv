// SPDX-License-Identifier: Apache-2.0
//
// Bench top around sm_fetch: of the pushed entries only what tells one word from another.
module fetch_bench #(
    parameter int unsigned Depth = 4
) (
    input  logic          clk_i,
    input  logic          rst_ni,
    input  logic          inval_i,
    input  logic          init_valid_i,
    input  logic [3:0]    init_slot_i,
    input  logic [27:0]   init_pc_i,
    input  logic [47:0]   init_base_i,
    input  logic [8:0]    init_regs_i,
    input  logic [15:0]   stop_i,
    input  logic          redirect_valid_i,
    input  logic [3:0]    redirect_slot_i,
    input  logic [27:0]   redirect_pc_i,
    input  logic          pop_valid_i,
    input  logic [3:0]    pop_slot_i,
    output logic          push_valid_o,
    output logic          push_two_o,
    output logic          push_badpc_o,
    output logic [3:0]    push_slot_o,
    output logic [1:0]    push_bad_o,
    output logic [15:0]   push_rd_o,
    output logic [63:0]   push_imm_o,
    output logic          ifreq_valid_o,
    input  logic          ifreq_ready_i,
    output logic [27:0]   ifreq_pc_o,
    output logic [47:0]   ifreq_base_o,
    input  logic          iffill_valid_i,
    input  logic          iffill_error_i,
    input  logic [47:0]   iffill_addr_i,
    input  logic [1023:0] iffill_data_i
);
  sm_sub_pkg::insn_t in0, in1;
  assign push_bad_o = {in1.bad, in0.bad};
  assign push_rd_o = {in1.rd, in0.rd};
  sm_fetch #(.WarpSlots(16), .Depth(Depth)) u_dut (
      .clk_i, .rst_ni, .inval_i, .init_valid_i, .init_slot_i, .init_pc_i, .init_base_i, .init_regs_i, .stop_i,
      .redirect_valid_i, .redirect_slot_i, .redirect_pc_i, .pop_valid_i, .pop_slot_i, .push_valid_o, .push_two_o,
      .push_badpc_o, .push_slot_o, .push_insn0_o(in0), .push_insn1_o(in1), .push_imm0_o(push_imm_o[31:0]),
      .push_imm1_o(push_imm_o[63:32]), .ifreq_valid_o, .ifreq_ready_i, .ifreq_pc_o, .ifreq_base_o, .iffill_valid_i,
      .iffill_error_i, .iffill_addr_i, .iffill_data_i
  );
endmodule
