// SPDX-License-Identifier: Apache-2.0
//
// sm_dispatch_out: the registers through which memory, barrier and control instructions leave their collectors. An instruction that
// leaves its collector in cycle n (var_en_i, class memory or barrier, only while *_free_o) is on the port from n + 1 until taken.
// Memory and, in mode `stack`, barriers leave the sub-core; control instructions with registers, and barriers in mode
// `its`, go to the divergence unit (ctl_*; of BAR and BAR.RED bar_o and ctl_preds_o hold what they bring).
// Warp-wide operands (barrier id, count, ctl_value_o) are those of the lowest executing lane.
// kill_i drops what waits. Reset: empty.
module sm_dispatch_out (
    input  logic clk_i,
    input  logic rst_ni,
    input  logic kill_i,
    input  logic its_i,
    input  logic var_en_i,
    input  sm_sub_pkg::alloc_t var_i,
    input  logic [1023:0] a0_i,
    input  logic [1023:0] a1_i,
    input  logic [1023:0] b_i,              // b, or store data rc+3
    input  logic [1023:0] c0_i,
    input  logic [1023:0] c1_i,
    input  logic [1023:0] c2_i,
    input  logic [4:0]    block_i,          // of the instruction's warp
    input  logic [4:0]    warp_i,
    input  logic [3:0]  cas_extra_i,        // cycles by which a shared CAS is on the port later
    output logic mem_free_o,
    output logic mem_held_o,                // the register is full; mem_slot_o: of the instruction that came last
    output logic mem_row_o,                 // that one gives a row: a load or shuffle
    output logic bar_free_o,

    // to sm_mem
    output logic mem_valid_o,
    input  logic mem_ready_i,
    output logic [3:0] mem_slot_o,
    output sm_pkg::uop_t mem_uop_o,
    output logic [31:0] mem_mask_o,
    output logic [2047:0] mem_a_o,
    output logic [4095:0] mem_data_o,
    // to sm_barrier
    output logic bar_valid_o,
    input  logic bar_ready_i,
    output sm_pkg::bar_req_t bar_o,
    // to the divergence unit
    output logic ctl_valid_o,
    input  logic ctl_ready_i,
    output logic [3:0]  ctl_slot_o,
    output logic [7:0]  ctl_op_o,
    output logic [27:0] ctl_pc_o,
    output logic [31:0] ctl_exec_o,
    output logic [31:0] ctl_value_o,
    output logic [31:0] ctl_preds_o,
    output logic [1023:0] ctl_row_o         // RET, BRX
);
  // ---- memory ----
  logic [3:0] mem_wait_q;    // cycles until it is on the port
  assign mem_valid_o = mem_held_o && mem_wait_q == 4'd0;
  assign mem_free_o = !mem_held_o || (mem_valid_o && mem_ready_i);
  always_ff @(posedge clk_i) begin
    if ((mem_valid_o && mem_ready_i) || kill_i) mem_held_o <= 1'b0;
    if (mem_wait_q != 4'd0) mem_wait_q <= kill_i ? 4'd0 : mem_wait_q - 4'd1;
    if (var_en_i && var_i.cls[sm_sub_pkg::ClsLsu]) begin
      mem_held_o <= 1'b1;
      mem_row_o <= var_i.wr || var_i.op == sm_isa_pkg::OpSHFL;
      if (var_i.op == sm_isa_pkg::OpATOMS && var_i.mods[sm_isa_pkg::ModLsbAOP +: 4] == sm_isa_pkg::ValAOP_CAS) mem_wait_q <= cas_extra_i;
      mem_slot_o <= var_i.slot;
      mem_uop_o.op <= var_i.op;
      mem_uop_o.mods <= var_i.mods;
      mem_uop_o.form <= var_i.form;
      mem_uop_o.rd <= var_i.rd;
      mem_uop_o.pd0 <= var_i.pd0;
      mem_uop_o.pd1 <= var_i.pd1;
      mem_uop_o.imm <= var_i.imm;
      mem_uop_o.pc <= var_i.pc;
      mem_mask_o <= var_i.mask;
      mem_a_o <= {a1_i, a0_i};
      mem_data_o <= {b_i, c2_i, c1_i, c0_i};
      if (var_i.op == sm_isa_pkg::OpSHFL) begin
        mem_data_o[1023:0] <= a0_i;
        mem_data_o[2047:1024] <= var_i.form == sm_isa_pkg::FormReg ? b_i : {32{24'd0, var_i.imm[7:0]}};
        mem_data_o[3071:2048] <= var_i.mods[sm_isa_pkg::ModLsbCIMM] ? {32{16'd0, var_i.imm[23:8]}} : c0_i;
      end
    end
    if (!rst_ni) {mem_held_o, mem_wait_q} <= '0;
  end

  // ---- barrier, control ----
  logic [4:0]  lane;
  logic [1:0]  cnt_kind;     // BARCNT: 0 none, 1 immediate, 2 register
  logic [31:0] reg_cnt;
  logic [15:0] id;           // 16 and above: no barrier
  logic        bad_id;
  logic [31:0] value;
  logic [5:0]  holds;
  logic        is_ctl, is_red, is_indirect;
  assign is_ctl = var_i.cls[sm_sub_pkg::ClsCtl];
  assign is_red = var_i.op == sm_isa_pkg::OpBARRED;
  assign is_indirect = var_i.op == sm_isa_pkg::OpRET || var_i.op == sm_isa_pkg::OpBRX || var_i.op == sm_isa_pkg::OpBMOVB;
  assign bar_free_o = (!bar_valid_o || bar_ready_i) && (!ctl_valid_o || ctl_ready_i);
  always_comb begin
    lane = '0;
    reg_cnt = '0;
    id = var_i.imm[15:0];
    value = '0;
    holds = '0;
    cnt_kind = var_i.mods[sm_isa_pkg::ModLsbBARCNT +: 2];
    if (var_en_i && var_i.cls[sm_sub_pkg::ClsBar]) begin
      for (int unsigned l = 0; l < 32; l++) if (var_i.mask[31-l]) lane = 5'(31 - l);
      reg_cnt = c0_i[32*lane +: 32];
      if (var_i.form == sm_isa_pkg::FormReg) id = {b_i[32*lane+15 +: 17] != '0, b_i[32*lane +: 15]};
      value = var_i.form == sm_isa_pkg::FormReg ? b_i[32*lane +: 32] : var_i.imm;
      if (is_red && !its_i) for (int unsigned l = 0; l < 32; l++) holds = holds + 6'(var_i.p0[l] && var_i.mask[l]);
    end
  end
  assign bad_id = id[15:4] != '0;
  always_ff @(posedge clk_i) begin
    if (bar_ready_i || kill_i) bar_valid_o <= 1'b0;
    if (ctl_ready_i || kill_i) ctl_valid_o <= 1'b0;
    if (var_en_i && var_i.cls[sm_sub_pkg::ClsBar] && (is_ctl || its_i)) begin
      ctl_valid_o <= 1'b1;
      ctl_slot_o <= var_i.slot;
      ctl_op_o <= var_i.op;
      ctl_pc_o <= var_i.pc;
      ctl_exec_o <= var_i.mask;
      ctl_value_o <= value;
      ctl_preds_o <= var_i.p0;
      if (is_indirect) ctl_row_o <= a0_i;
    end
    if (var_en_i && var_i.cls[sm_sub_pkg::ClsBar] && !is_ctl) begin
      bar_valid_o <= !its_i;
      bar_o.block <= block_i;
      bar_o.warp <= warp_i;
      bar_o.id <= id[3:0];
      bar_o.lanes <= var_i.mask;
      bar_o.arrive_only <= !is_red && var_i.mods[sm_isa_pkg::ModLsbBARM];
      bar_o.has_count <= cnt_kind != 2'd0 || bad_id;
      // a count beyond 12 bits stays one that is no multiple of 32, and faults; a number that is no barrier's becomes one, too
      bar_o.count <= bad_id ? 12'hfff : cnt_kind == 2'd1 ? var_i.imm[27:16] : reg_cnt[31:12] != '0 ? 12'hfff : reg_cnt[11:0];
      bar_o.red <= is_red ? var_i.mods[sm_isa_pkg::ModLsbBAROP +: 2] + 2'd1 : 2'd0;
      bar_o.red_sum <= holds;
      bar_o.count_reg <= cnt_kind == 2'd2;
      bar_o.red_false <= is_red && (var_i.mask & ~var_i.p0) != '0;
      bar_o.pc <= var_i.pc;
    end
    if (!rst_ni) {bar_valid_o, ctl_valid_o} <= '0;
  end

  logic unused_bits;
  assign unused_bits = ^var_i;
endmodule
