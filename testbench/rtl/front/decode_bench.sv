// SPDX-License-Identifier: Apache-2.0
//
// Bench top: the fields of sm_decode's entry as scalars.
module decode_bench (
    input  logic [127:0] word_i,
    input  logic [8:0]   regs_i,
    output logic [7:0]   op_o,
    output logic [15:0]  mods_o,
    output logic [3:0]   form_o,
    output logic [31:0]  regs_o,       // rd, rc, rb, ra
    output logic [15:0]  masks_o,      // md, mc, mb, ma
    output logic [5:0]   pd_o,         // pd1, pd0
    output logic [7:0]   ps_o,         // not1, ps1, not0, ps0
    output logic [3:0]   guard_o,
    output logic         bad_o,
    output logic [10:0]  cls_o,
    output logic         a64_o,
    output logic [2:0]   nc_o,
    output logic         wide_o,
    output logic [1:0]   wp_o,
    output logic [7:0]   pm_o,
    output logic [4:0]   facts_o,      // is_const, is_exit, is_smem, is_global, has_wb
    output logic [31:0]  imm_o
);
  sm_sub_pkg::insn_t i;
  sm_decode u_dut (.word_i, .regs_i, .insn_o(i), .imm_o);
  assign {op_o, mods_o, form_o} = {i.op, i.mods, i.form};
  assign regs_o = {i.rd, i.rc, i.rb, i.ra};
  assign masks_o = {i.md, i.mc, i.mb, i.ma};
  assign pd_o = {i.pd1, i.pd0};
  assign ps_o = {i.ps1_not, i.ps1, i.ps0_not, i.ps0};
  assign guard_o = {i.guard_not, i.guard};
  assign {bad_o, cls_o, a64_o, nc_o, wide_o} = {i.bad, i.cls, i.a64, i.nc, i.wide};
  assign {wp_o, pm_o} = {i.wp1, i.wp0, i.pm};
  assign facts_o = {i.is_const, i.is_exit, i.is_smem, i.is_global, i.has_wb};
endmodule
