// SPDX-License-Identifier: Apache-2.0
//
// sm_issue: instruction buffers, scoreboard and eligibility of a sub-core's warp slots.
//
// Instruction buffer: Depth decoded entries a slot. A constant operand is replaced by its value (sm_cfetch) while the entry waits.
// Scoreboard (sm_scoreboard): an instruction waits while anything that it reads or writes is pending. EXIT also waits
// until the warp has nothing in the collectors and no pending register other than by global loads, so that nothing of
// a warp outlives its slot.
// Eligible = running, head instruction there with its constant, nothing pending, and what its class needs is free.
//
// The dependence check of a slot is done again only in the cycle after something of the slot changed (touched_q) and
// held otherwise: same value, less switching.
// Outputs are functions of flops, except insn_* (of sel_slot_i) and owner_o (of iss_valid_i).
// Reset: buffers empty. A slot's scoreboard is cleared when it is bound.
module sm_issue #(
    parameter int unsigned WarpSlots = 16,
    parameter int unsigned Depth = 4,           // entries of an instruction buffer, a power of two
    localparam int unsigned SlotBits = $clog2(WarpSlots)
) (
    input  logic clk_i,
    input  logic rst_ni,
    input  logic halt_i,                        // nothing is eligible
    input  logic dep_ctl_i,                     // dependence mode control-bits: sm_dep_ctl says what waits

    // warp states
    input  logic [WarpSlots-1:0] valid_i,
    input  logic [WarpSlots-1:0] run_i,
    input  logic [WarpSlots-1:0] at_barrier_i,
    input  logic [WarpSlots-1:0] at_membar_i,   // waits in a MEMBAR or CCTL
    input  logic [WarpSlots-1:0] done_i,
    input  logic [WarpSlots-1:0] branching_i,   // its branch is being resolved
    input  logic [WarpSlots-1:0] idle_i,        // subset of branching: asleep, or no lane of it can run
    input  logic init_valid_i,
    input  logic [SlotBits-1:0] init_slot_i,

    // from sm_fetch
    input  logic flush_valid_i,                 // redirect: the slot's entries are dropped
    input  logic [SlotBits-1:0] flush_slot_i,
    input  logic push_valid_i,
    input  logic push_two_i,
    input  logic push_badpc_i,
    input  logic [SlotBits-1:0] push_slot_i,
    input  sm_sub_pkg::insn_t push_insn0_i,
    input  sm_sub_pkg::insn_t push_insn1_i,
    input  logic [31:0] push_imm0_i,
    input  logic [31:0] push_imm1_i,

    // to/from sm_cfetch
    output logic [WarpSlots-1:0] const_need_o,
    input  logic [SlotBits-1:0] const_slot_i,
    output logic [31:0] const_imm_o,
    input  logic const_done_i,
    input  logic const_bad_i,
    input  logic [31:0] const_value_i,

    // what is free
    input  logic int_busy_i,
    input  logic fp_busy_i,
    input  logic f64_busy_i,
    input  logic sfu_busy_i,
    input  logic sreg_busy_i,
    input  logic xl_busy_i,
    input  logic mma_busy_i,
    input  logic ctl_busy_i,
    input  logic lsu_full_i,
    input  logic coll_full_i,                   // no free collector
    input  logic coll_one_i,                    // at most one free collector; a matrix instruction takes two
    input  logic hold_i,                        // the second half of a matrix instruction goes to its collector
    input  logic coll_stall_i,                  // in-order operand mode: operands are still being read (control-bits: are late)
    input  logic [WarpSlots-1:0] held_i,        // the slot has an instruction in a collector or the memory register

    // releases; masks name registers inside the aligned group of four
    input  logic rel_int_valid_i,
    input  logic [SlotBits-1:0] rel_int_slot_i,
    input  logic [7:0] rel_int_rd_i,
    input  logic rel_int_wide_i,
    input  logic rel_fp_valid_i,
    input  logic [SlotBits-1:0] rel_fp_slot_i,
    input  logic [7:0] rel_fp_rd_i,
    input  logic rel_half_valid_i,
    input  logic [SlotBits-1:0] rel_half_slot_i,
    input  logic [7:0] rel_half_rd_i,
    input  logic rel_f64_valid_i,
    input  logic [SlotBits-1:0] rel_f64_slot_i,
    input  logic [6:0] rel_f64_pair_i,          // register / 2; both of the pair
    input  logic rel_var_valid_i,
    input  logic [SlotBits-1:0] rel_var_slot_i,
    input  logic [7:0] rel_var_rd_i,
    input  logic rel_var_wide_i,
    input  logic relp_int_valid_i,
    input  logic [SlotBits-1:0] relp_int_slot_i,
    input  logic [7:0] relp_int_mask_i,
    input  logic relp_half_valid_i,
    input  logic [SlotBits-1:0] relp_half_slot_i,
    input  logic [7:0] relp_half_mask_i,
    input  logic relp_f64_valid_i,
    input  logic [SlotBits-1:0] relp_f64_slot_i,
    input  logic [7:0] relp_f64_mask_i,
    input  logic relp_var_valid_i,
    input  logic [SlotBits-1:0] relp_var_slot_i,
    input  logic [2:0] relp_var_pd_i,

    // to/from sm_dep_ctl; asked about the heads of touched slots
    output logic [WarpSlots-1:0] ctl_look_o,
    output logic [28*WarpSlots-1:0] ctl_head_o,
    input  logic [WarpSlots-1:0] ctl_short_i,
    input  logic [WarpSlots-1:0] ctl_long_i,
    input  logic [WarpSlots-1:0] ctl_stalled_i,
    input  logic [WarpSlots-1:0] ctl_touch_i,

    // to/from the scheduler
    output logic [WarpSlots-1:0] eligible_o,
    output logic [WarpSlots-1:0] long_o,        // the head waits for a global load
    output logic [WarpSlots-1:0] mem_o,         // the head is an instruction of the memory pipe
    input  logic [SlotBits-1:0] sel_slot_i,     // slot whose head is shown
    output sm_sub_pkg::insn_t insn_o,
    output logic [31:0] insn_imm_o,
    output logic insn_badpc_o,
    output logic insn_badconst_o,
    input  logic iss_valid_i,                   // the head of sel_slot_i issues
    input  logic iss_live_i,                    // and has executing lanes: its destinations become pending

    // slot accounting
    input  logic view_i,                        // scheduler door open: compute reason_o
    input  logic [WarpSlots-1:0] withheld_i,    // slots that the external policy throttles
    output logic [3:0] owner_o,                 // sm_cfg_pkg::Reason*
    output logic [63:0] reason_o                // 4 bits a slot, per-warp
);
  localparam int unsigned PtrBits = $clog2(Depth);
  localparam int unsigned EntBits = SlotBits + PtrBits;

  // ---- instruction buffers ----
  logic [sm_sub_pkg::InsnW-1:0] insn_q [WarpSlots*Depth];
  localparam int unsigned ClsW = sm_sub_pkg::ClsW;
  localparam int unsigned SbW = 49;            // of sm_scoreboard's question: {exit, registers, masks, predicates}
  localparam int unsigned DepW = SbW + ClsW;   // behind exit: class
  logic [DepW-1:0]            dep_q [WarpSlots*Depth];   // what the dependence check needs of the entry
  logic [31:0]                imm_q [WarpSlots*Depth];
  logic [WarpSlots*Depth-1:0] const_need_q, const_bad_q, badpc_q;
  logic [PtrBits-1:0]         rp_q [WarpSlots], wp_q [WarpSlots];
  logic [PtrBits:0]           num_q [WarpSlots];

  logic [EntBits-1:0] ent_sel, ent_push0, ent_push1, ent_const;
  assign ent_sel = {sel_slot_i, rp_q[sel_slot_i]};
  assign ent_push0 = {push_slot_i, wp_q[push_slot_i]};
  assign ent_push1 = {push_slot_i, wp_q[push_slot_i] + PtrBits'(1)};
  assign insn_o = insn_q[ent_sel];
  assign insn_imm_o = imm_q[ent_sel];
  assign insn_badpc_o = badpc_q[ent_sel];
  assign insn_badconst_o = const_bad_q[ent_sel];
  assign const_imm_o = imm_q[ent_const];

  always_comb begin
    const_need_o = '0;
    ent_const = {const_slot_i, rp_q[const_slot_i]};
    if (const_need_q != '0) begin
      for (int unsigned s = 0; s < WarpSlots; s++) const_need_o[s] = const_need_q[s*Depth +: Depth] != '0;
      // the oldest entry that needs one
      for (int unsigned k = 0; k < Depth; k++) begin
        if (const_need_q[{const_slot_i, rp_q[const_slot_i] + PtrBits'(Depth-1-k)}]) begin
          ent_const = {const_slot_i, rp_q[const_slot_i] + PtrBits'(Depth-1-k)};
        end
      end
    end
  end

  logic pop_push;   // one slot pops and gets new words
  assign pop_push = iss_valid_i && push_valid_i && sel_slot_i == push_slot_i;
  always_ff @(posedge clk_i) begin
    if (iss_valid_i) begin
      rp_q[sel_slot_i] <= rp_q[sel_slot_i] + PtrBits'(1);
      if (!pop_push) num_q[sel_slot_i] <= num_q[sel_slot_i] - (PtrBits+1)'(1);
    end
    if (const_done_i) begin
      imm_q[ent_const] <= const_value_i;
      const_need_q[ent_const] <= 1'b0;
      const_bad_q[ent_const] <= const_bad_i;
    end
    if (push_valid_i) begin
      insn_q[ent_push0] <= push_insn0_i;
      dep_q[ent_push0] <= {push_insn0_i.is_exit, push_insn0_i.cls, push_insn0_i.ra[7:2], push_insn0_i.rb[7:2], push_insn0_i.rc[7:2],
                           push_insn0_i.rd[7:2], push_insn0_i.ma, push_insn0_i.mb, push_insn0_i.mc, push_insn0_i.md,
                           push_insn0_i.pm};
      imm_q[ent_push0] <= push_imm0_i;
      const_need_q[ent_push0] <= push_insn0_i.is_const && !push_badpc_i;
      const_bad_q[ent_push0] <= 1'b0;
      badpc_q[ent_push0] <= push_badpc_i;
      if (push_two_i) begin
        insn_q[ent_push1] <= push_insn1_i;
        dep_q[ent_push1] <= {push_insn1_i.is_exit, push_insn1_i.cls, push_insn1_i.ra[7:2], push_insn1_i.rb[7:2], push_insn1_i.rc[7:2],
                             push_insn1_i.rd[7:2], push_insn1_i.ma, push_insn1_i.mb, push_insn1_i.mc, push_insn1_i.md,
                             push_insn1_i.pm};
        imm_q[ent_push1] <= push_imm1_i;
        const_need_q[ent_push1] <= push_insn1_i.is_const;
        const_bad_q[ent_push1] <= 1'b0;
        badpc_q[ent_push1] <= 1'b0;
      end
      wp_q[push_slot_i] <= wp_q[push_slot_i] + (push_two_i ? PtrBits'(2) : PtrBits'(1));
      num_q[push_slot_i] <= num_q[push_slot_i] + (push_two_i ? (PtrBits+1)'(2) : (PtrBits+1)'(1)) - (PtrBits+1)'(pop_push);
    end
    if (flush_valid_i) begin
      rp_q[flush_slot_i] <= '0;
      wp_q[flush_slot_i] <= '0;
      num_q[flush_slot_i] <= '0;
      const_need_q[flush_slot_i*Depth +: Depth] <= '0;
    end
    if (init_valid_i) begin
      rp_q[init_slot_i] <= '0;
      wp_q[init_slot_i] <= '0;
      num_q[init_slot_i] <= '0;
      const_need_q[init_slot_i*Depth +: Depth] <= '0;
    end
    if (!rst_ni) const_need_q <= '0;
  end

  // ---- scoreboard ----
  logic [WarpSlots-1:0]     sb_touch, sb_fixed, sb_short, sb_long, touched_d, touched_q;
  logic [SbW*WarpSlots-1:0] sb_head;
  logic                     set, set_short;
  logic [7:0]               set_preds;
  assign set = iss_valid_i && iss_live_i;
  assign set_short = !insn_o.is_global && !insn_o.cls[sm_sub_pkg::ClsInt] && !insn_o.cls[sm_sub_pkg::ClsFp] &&
                     !insn_o.cls[sm_sub_pkg::ClsF64];
  always_comb begin
    set_preds = '0;
    if (set) begin
      if (insn_o.wp0) set_preds[insn_o.pd0] = 1'b1;
      if (insn_o.wp1) set_preds[insn_o.pd1] = 1'b1;
    end
  end
  sm_scoreboard #(.WarpSlots(WarpSlots)) u_sb (
      .clk_i, .init_valid_i, .init_slot_i, .set_valid_i(set), .set_slot_i(sel_slot_i), .set_group_i(insn_o.rd[7:2]),
      .set_mask_i(insn_o.md), .set_preds_i(set_preds), .set_short_i(set_short), .set_long_i(insn_o.is_global),
      .rel_int_valid_i, .rel_int_slot_i, .rel_int_rd_i, .rel_int_wide_i, .rel_fp_valid_i, .rel_fp_slot_i, .rel_fp_rd_i,
      .rel_half_valid_i, .rel_half_slot_i, .rel_half_rd_i, .rel_f64_valid_i, .rel_f64_slot_i, .rel_f64_pair_i,
      .rel_var_valid_i, .rel_var_slot_i, .rel_var_rd_i, .rel_var_wide_i,
      .relp_int_valid_i, .relp_int_slot_i, .relp_int_mask_i, .relp_half_valid_i, .relp_half_slot_i, .relp_half_mask_i, .relp_f64_valid_i, .relp_f64_slot_i, .relp_f64_mask_i,
      .relp_var_valid_i, .relp_var_slot_i, .relp_var_pd_i, .touch_o(sb_touch),
      .check_i(!dep_ctl_i), .look_i(touched_q), .head_i(sb_head),
      .fixed_o(sb_fixed), .short_o(sb_short), .long_o(sb_long)
  );

  always_comb begin
    touched_d = sb_touch | ctl_touch_i;
    if (iss_valid_i) touched_d[sel_slot_i] = 1'b1;
    if (push_valid_i) touched_d[push_slot_i] = 1'b1;
    if (const_done_i) touched_d[const_slot_i] = 1'b1;
    if (flush_valid_i) touched_d[flush_slot_i] = 1'b1;
  end

  // ---- dependence check of the head instructions ----
  logic [WarpSlots-1:0] have, fix, shrt, lng, exits, c_int, c_fp, c_sfu, c_lsu, c_sreg, c_bar, c_ctl, c_f64, c_xl, c_mma;
  logic [WarpSlots-1:0] have_q, fix_q, shrt_q, lng_q, exits_q, c_int_q, c_fp_q, c_sfu_q, c_lsu_q, c_sreg_q, c_bar_q, c_ctl_q;
  logic [WarpSlots-1:0] c_f64_q, c_xl_q, c_mma_q;
  logic [DepW-1:0] d, e;          // entry of one slot
  always_comb begin
    sb_head = '0;
    e = '0;
    if (touched_q != '0) begin
      for (int unsigned s = 0; s < WarpSlots; s++) begin
        if (touched_q[s]) begin
          e = dep_q[{SlotBits'(s), rp_q[s]}];
          sb_head[SbW*s +: SbW] = {e[DepW-1], e[SbW-2:0]};
        end
      end
    end
  end
  always_comb begin
    d = '0;
    have = have_q;
    {fix, shrt, lng, exits} = {fix_q, shrt_q, lng_q, exits_q};
    {c_ctl, c_bar, c_sreg, c_lsu, c_sfu, c_fp, c_int} = {c_ctl_q, c_bar_q, c_sreg_q, c_lsu_q, c_sfu_q, c_fp_q, c_int_q};
    {c_f64, c_xl, c_mma} = {c_f64_q, c_xl_q, c_mma_q};
    for (int unsigned s = 0; s < WarpSlots; s++) begin
      if (touched_q[s]) begin
        have[s] = num_q[s] != '0 && !const_need_q[{SlotBits'(s), rp_q[s]}];
        d = dep_q[{SlotBits'(s), rp_q[s]}];
        exits[s] = d[DepW-1];
        {c_mma[s], c_xl[s], c_f64[s], c_ctl[s], c_bar[s], c_sreg[s], c_lsu[s], c_sfu[s], c_fp[s], c_int[s]} = d[57:48];
        {fix[s], shrt[s], lng[s]} = {sb_fixed[s], sb_short[s] | ctl_short_i[s], sb_long[s] | ctl_long_i[s]};
      end
    end
  end
  logic unused_head;
  assign unused_head = ^{h, e};
  assign ctl_look_o = dep_ctl_i ? touched_q : '0;
  sm_sub_pkg::insn_t h;
  always_comb begin
    ctl_head_o = '0;
    h = '0;
    if (dep_ctl_i) begin
      for (int unsigned s = 0; s < WarpSlots; s++) begin
        if (touched_q[s]) begin
          h = insn_q[{SlotBits'(s), rp_q[s]}];
          ctl_head_o[28*s +: 28] = {h.wait_mask, h.wr_ctr, h.rd_ctr, h.rd[7:2], h.md, h.wp1 ? h.pd1 : 3'd7, h.wp0 ? h.pd0 : 3'd7};
        end
      end
    end
  end
  always_ff @(posedge clk_i) begin
    touched_q <= touched_d;
    if (touched_q != '0) begin
      have_q <= have;
      fix_q <= fix;
      shrt_q <= shrt;
      lng_q <= lng;
      exits_q <= exits;
      c_int_q <= c_int;
      c_fp_q <= c_fp;
      c_sfu_q <= c_sfu;
      c_lsu_q <= c_lsu;
      c_sreg_q <= c_sreg;
      c_bar_q <= c_bar;
      c_ctl_q <= c_ctl;
      c_f64_q <= c_f64;
      c_xl_q <= c_xl;
      c_mma_q <= c_mma;
    end
    if (!rst_ni) touched_q <= '1;
  end

  // ---- eligibility ----
  logic [WarpSlots-1:0] going, wait_held, ready, w_pipe, w_lsu, w_bank, elig;
  always_comb begin
    going = run_i & ~branching_i & have;
    wait_held = (exits & held_i) | ctl_stalled_i;
    ready = going & ~(fix | shrt | lng | wait_held);
    w_pipe = '0;
    if (int_busy_i) w_pipe |= c_int;
    if (fp_busy_i) w_pipe |= c_fp;
    if (sfu_busy_i) w_pipe |= c_sfu;
    if (sreg_busy_i) w_pipe |= c_sreg;
    if (ctl_busy_i) w_pipe |= c_ctl;
    if (f64_busy_i) w_pipe |= c_f64;
    if (xl_busy_i) w_pipe |= c_xl;
    if (mma_busy_i) w_pipe |= c_mma;
    w_lsu = lsu_full_i ? c_lsu : '0;
    w_bank = coll_full_i ? c_int | c_fp | c_sfu | c_lsu | c_sreg | c_bar | c_f64 | c_xl : '0;
    if (coll_one_i) w_bank |= c_mma;
    if (coll_stall_i || hold_i) w_bank = '1;
    elig = halt_i ? '0 : ready & ~(w_pipe | w_lsu | w_bank);
  end
  assign eligible_o = elig;
  assign long_o = going & lng;
  assign mem_o = have & c_lsu;

  // ---- who owns the slot: the first reason, in the order of Reason*, that a valid warp has ----
  logic [WarpSlots-1:0] r_pipe, r_lsu, r_bank, r_fix, r_branch, r_short, r_long, r_noinsn, r_membar, r_bar, r_sleep,
                        r_fin;
  always_comb begin
    r_pipe = '0;
    r_lsu = '0;
    r_bank = '0;
    r_fix = '0;
    r_branch = '0;
    r_short = '0;
    r_long = '0;
    r_noinsn = '0;
    r_membar = '0;
    r_bar = '0;
    r_sleep = '0;
    r_fin = '0;
    if (!iss_valid_i || view_i) begin
      r_pipe = ready & w_pipe;
      r_lsu = ready & ~w_pipe & w_lsu;
      r_bank = ready & ~w_pipe & ~w_lsu & w_bank;
      r_fix = going & (fix | wait_held);
      r_branch = run_i & branching_i & ~idle_i;
      r_sleep = run_i & idle_i;
      r_short = going & ~fix & ~wait_held & shrt;
      r_long = going & ~fix & ~wait_held & ~shrt & lng;
      r_membar = at_membar_i;
      r_noinsn = valid_i & ~at_barrier_i & ~at_membar_i & ~done_i & ~branching_i & ~going;
      r_bar = at_barrier_i;
      r_fin = done_i;
    end
  end
  always_comb begin
    owner_o = sm_cfg_pkg::ReasonIssued;
    if (!iss_valid_i) begin
      if (r_pipe != '0) owner_o = sm_cfg_pkg::ReasonPipeBusy;
      else if (r_lsu != '0) owner_o = sm_cfg_pkg::ReasonLsuFull;
      else if (r_bank != '0) owner_o = sm_cfg_pkg::ReasonRegBank;
      else if (r_fix != '0) owner_o = sm_cfg_pkg::ReasonDepFixed;
      else if (r_branch != '0) owner_o = sm_cfg_pkg::ReasonBranchSwitch;
      else if (r_short != '0) owner_o = sm_cfg_pkg::ReasonDepShort;
      else if (r_long != '0) owner_o = sm_cfg_pkg::ReasonDepLong;
      else if (r_noinsn != '0) owner_o = sm_cfg_pkg::ReasonNoInsn;
      else if (r_membar != '0) owner_o = sm_cfg_pkg::ReasonMembar;
      else if (r_bar != '0) owner_o = sm_cfg_pkg::ReasonBarrier;
      else if ((elig & withheld_i) != '0) owner_o = sm_cfg_pkg::ReasonThrottled;
      else if (elig != '0) owner_o = sm_cfg_pkg::ReasonNotSelected;   // the policy let the cycle pass
      else if (r_sleep != '0) owner_o = sm_cfg_pkg::ReasonSleep;
      else if (r_fin != '0) owner_o = sm_cfg_pkg::ReasonFinished;
      else owner_o = sm_cfg_pkg::ReasonNoWarp;
    end
  end
  always_comb begin
    reason_o = '0;
    if (view_i) begin
      for (int unsigned s = 0; s < WarpSlots; s++) begin
        reason_o[4*s +: 4] = !valid_i[s] ? sm_cfg_pkg::ReasonNoWarp
            : r_pipe[s] ? sm_cfg_pkg::ReasonPipeBusy
            : r_lsu[s] ? sm_cfg_pkg::ReasonLsuFull
            : r_bank[s] ? sm_cfg_pkg::ReasonRegBank
            : r_fix[s] ? sm_cfg_pkg::ReasonDepFixed
            : r_branch[s] ? sm_cfg_pkg::ReasonBranchSwitch
            : r_short[s] ? sm_cfg_pkg::ReasonDepShort
            : r_long[s] ? sm_cfg_pkg::ReasonDepLong
            : r_noinsn[s] ? sm_cfg_pkg::ReasonNoInsn
            : r_membar[s] ? sm_cfg_pkg::ReasonMembar
            : r_bar[s] ? sm_cfg_pkg::ReasonBarrier
            : r_sleep[s] ? sm_cfg_pkg::ReasonSleep
            : r_fin[s] ? sm_cfg_pkg::ReasonFinished : sm_cfg_pkg::ReasonNotSelected;
      end
    end
  end
endmodule
