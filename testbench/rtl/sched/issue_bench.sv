// SPDX-License-Identifier: Apache-2.0
//
// Bench top around sm_issue: the fields of the pushed instructions that it looks at as scalars, and the shown head's.
module issue_bench #(
    parameter int unsigned Depth = 4
) (
    input  logic clk_i,
    input  logic rst_ni,
    input  logic halt_i,
    input  logic dep_i,                   // control bits, with a sm_dep_ctl
    input  logic freeze_i,
    input  logic [33:0] push_ctl_i,       // entry 0: {wait mask, read counter, write counter, yields, stall}; entry 1 above
    input  logic v_done_i,
    input  logic [2:0] f64_ctr_i,
    input  logic [2:0] f64p_ctr_i,
    input  logic rd_valid_i,
    input  logic [3:0] rd_slot_i,
    input  logic [2:0] rd_ctr_i,
    input  logic [15:0] valid_i,
    input  logic [15:0] run_i,
    input  logic [15:0] at_barrier_i,
    input  logic [15:0] at_membar_i,
    input  logic [15:0] done_i,
    input  logic [15:0] branching_i,
    input  logic [15:0] idle_i,
    input  logic init_valid_i,
    input  logic [3:0] init_slot_i,
    input  logic flush_valid_i,
    input  logic [3:0] flush_slot_i,
    input  logic push_valid_i,
    input  logic push_two_i,
    input  logic push_badpc_i,
    input  logic [3:0] push_slot_i,
    input  logic [63:0] push_regs_i,      // entry 0: rd, rc, rb, ra; entry 1 above
    input  logic [31:0] push_masks_i,     // md, mc, mb, ma
    input  logic [21:0] push_cls_i,
    input  logic [15:0] push_pm_i,
    input  logic [15:0] push_pd_i,        // {wp1, pd1, wp0, pd0}
    input  logic [5:0]  push_flags_i,     // {is_const, is_global, is_exit}
    input  logic [15:0] push_op_i,
    input  logic [63:0] push_imm_i,
    output logic [15:0] const_need_o,
    input  logic [3:0] const_slot_i,
    output logic [31:0] const_imm_o,
    input  logic const_done_i,
    input  logic const_bad_i,
    input  logic [31:0] const_value_i,
    input  logic [12:0] busy_i,           // {hold, one collector, mma, xl, f64, stall, collectors, lsu, ctl, sreg, sfu, fp, int}
    input  logic [15:0] held_i,
    input  logic rel_int_valid_i,
    input  logic [3:0] rel_int_slot_i,
    input  logic [7:0] rel_int_rd_i,
    input  logic rel_int_wide_i,
    input  logic rel_fp_valid_i,
    input  logic [3:0] rel_fp_slot_i,
    input  logic [7:0] rel_fp_rd_i,
    input  logic rel_half_valid_i,
    input  logic [3:0] rel_half_slot_i,
    input  logic [7:0] rel_half_rd_i,
    input  logic rel_f64_valid_i,
    input  logic [3:0] rel_f64_slot_i,
    input  logic [6:0] rel_f64_pair_i,
    input  logic relp_half_valid_i,
    input  logic [3:0] relp_half_slot_i,
    input  logic [7:0] relp_half_mask_i,
    input  logic relp_f64_valid_i,
    input  logic [3:0] relp_f64_slot_i,
    input  logic [7:0] relp_f64_mask_i,
    input  logic rel_var_valid_i,
    input  logic [3:0] rel_var_slot_i,
    input  logic [7:0] rel_var_rd_i,
    input  logic rel_var_wide_i,
    input  logic relp_int_valid_i,
    input  logic [3:0] relp_int_slot_i,
    input  logic [7:0] relp_int_mask_i,
    input  logic relp_var_valid_i,
    input  logic [3:0] relp_var_slot_i,
    input  logic [2:0] relp_var_pd_i,
    output logic [15:0] eligible_o,
    output logic [15:0] long_o,
    output logic [15:0] mem_o,
    input  logic [3:0] sel_slot_i,
    output logic [7:0] op_o,
    output logic [31:0] imm_o,
    output logic badpc_o,
    output logic badconst_o,
    input  logic iss_valid_i,
    input  logic iss_live_i,
    input  logic view_i,
    input  logic [15:0] withheld_i,
    output logic [3:0] owner_o,
    output logic [63:0] reason_o
);
  sm_sub_pkg::insn_t in0, in1, head;
  always_comb begin
    in0 = '0;
    in1 = '0;
    {in0.rd, in0.rc, in0.rb, in0.ra} = push_regs_i[31:0];
    {in1.rd, in1.rc, in1.rb, in1.ra} = push_regs_i[63:32];
    {in0.md, in0.mc, in0.mb, in0.ma} = push_masks_i[15:0];
    {in1.md, in1.mc, in1.mb, in1.ma} = push_masks_i[31:16];
    {in1.cls, in0.cls} = push_cls_i;
    {in1.pm, in0.pm} = push_pm_i;
    {in1.wp1, in1.pd1, in1.wp0, in1.pd0, in0.wp1, in0.pd1, in0.wp0, in0.pd0} = push_pd_i;
    {in1.is_const, in1.is_global, in1.is_exit, in0.is_const, in0.is_global, in0.is_exit} = push_flags_i;
    {in1.op, in0.op} = push_op_i;
    {in0.wait_mask, in0.rd_ctr, in0.wr_ctr, in0.yields, in0.stall} = push_ctl_i[16:0];
    {in1.wait_mask, in1.rd_ctr, in1.wr_ctr, in1.yields, in1.stall} = push_ctl_i[33:17];
  end
  assign op_o = head.op;
  logic [15:0]  look, ctl_short, ctl_long, stalled, touch;
  logic [447:0] heads;
  sm_dep_ctl #(.WarpSlots(16)) u_ctl (
      .clk_i, .rst_ni, .en_i(dep_i), .freeze_i, .init_valid_i, .init_slot_i, .iss_valid_i, .iss_live_i, .iss_slot_i(sel_slot_i),
      .insn_i(head), .v_we_i(rel_var_valid_i), .v_wide_i(rel_var_wide_i), .v_done_i, .v_slot_i(rel_var_slot_i), .v_rd_i(rel_var_rd_i),
      .vp_we_i(relp_var_valid_i), .vp_pd_i(relp_var_pd_i), .dn_f64_valid_i(rel_f64_valid_i), .dn_f64_slot_i(rel_f64_slot_i),
      .dn_f64_ctr_i(f64_ctr_i), .dn_f64p_valid_i(relp_f64_valid_i), .dn_f64p_slot_i(relp_f64_slot_i), .dn_f64p_ctr_i(f64p_ctr_i),
      .rd_valid_i, .rd_slot_i, .rd_ctr_i, .look_i(look), .head_i(heads), .short_o(ctl_short), .long_o(ctl_long),
      .stalled_o(stalled), .touch_o(touch)
  );
  sm_issue #(.WarpSlots(16), .Depth(Depth)) u_dut (
      .clk_i, .rst_ni, .halt_i, .dep_ctl_i(dep_i), .ctl_look_o(look), .ctl_head_o(heads), .ctl_short_i(ctl_short), .ctl_long_i(ctl_long),
      .ctl_stalled_i(stalled), .ctl_touch_i(touch), .valid_i, .run_i, .at_barrier_i, .at_membar_i, .done_i, .branching_i, .idle_i, .init_valid_i, .init_slot_i,
      .flush_valid_i, .flush_slot_i, .push_valid_i, .push_two_i, .push_badpc_i, .push_slot_i, .push_insn0_i(in0),
      .push_insn1_i(in1), .push_imm0_i(push_imm_i[31:0]), .push_imm1_i(push_imm_i[63:32]), .const_need_o,
      .const_slot_i, .const_imm_o, .const_done_i, .const_bad_i, .const_value_i,
      .int_busy_i(busy_i[0]), .fp_busy_i(busy_i[1]), .sfu_busy_i(busy_i[2]), .sreg_busy_i(busy_i[3]),
      .ctl_busy_i(busy_i[4]), .lsu_full_i(busy_i[5]), .coll_full_i(busy_i[6]), .coll_stall_i(busy_i[7]),
      .f64_busy_i(busy_i[8]), .xl_busy_i(busy_i[9]), .mma_busy_i(busy_i[10]), .coll_one_i(busy_i[11]), .hold_i(busy_i[12]),
      .rel_half_valid_i, .rel_half_slot_i, .rel_half_rd_i, .rel_f64_valid_i, .rel_f64_slot_i, .rel_f64_pair_i,
      .relp_half_valid_i, .relp_half_slot_i, .relp_half_mask_i, .relp_f64_valid_i, .relp_f64_slot_i, .relp_f64_mask_i,
      .held_i,
      .rel_int_valid_i, .rel_int_slot_i, .rel_int_rd_i, .rel_int_wide_i, .rel_fp_valid_i, .rel_fp_slot_i, .rel_fp_rd_i,
      .rel_var_valid_i, .rel_var_slot_i, .rel_var_rd_i, .rel_var_wide_i, .relp_int_valid_i, .relp_int_slot_i,
      .relp_int_mask_i, .relp_var_valid_i, .relp_var_slot_i, .relp_var_pd_i, .eligible_o, .long_o, .mem_o, .sel_slot_i, .insn_o(head),
      .insn_imm_o(imm_o), .insn_badpc_o(badpc_o), .insn_badconst_o(badconst_o), .iss_valid_i, .iss_live_i, .view_i,
      .withheld_i, .owner_o, .reason_o
  );
endmodule
