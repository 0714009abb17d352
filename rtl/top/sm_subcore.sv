// SPDX-License-Identifier: Apache-2.0
//
// sm_subcore: one sub-core (processing block): fetch with L0 instruction cache, L0 constant cache, warp slots with
// instruction buffers and scoreboards, warp scheduler, divergence unit, operand collectors and register banks, int, fp32, half, fp64,
// sfu, cross-lane, matrix and special-register pipes, writeback. Timing: rtl/README.md "Timing".
// Every output is a function of flops only. Reset: all warp slots free.
// sub_i: this sub-core's number, constant. WarpSlots: power of two, 2..16. LanesInt == LanesFp32, 8, 16 or 32;
// LanesFp64: at most these.
module sm_subcore #(
    parameter int unsigned SubCores = 1,
    parameter int unsigned WarpSlots = 8,
    parameter int unsigned LanesInt = 8,
    parameter int unsigned LanesFp32 = 8,
    parameter int unsigned LanesFp64 = 2,
    parameter int unsigned LanesSfu = 2,
    parameter int unsigned RegsPerSubcore = 32768,
    parameter int unsigned L0iBytes = 2048,
    parameter int unsigned MmaRows = 1
) (
    input  logic clk_i,
    input  logic rst_ni,
    input  logic [1:0] sub_i,
    input  logic kill_i,                    // stop issue, drop what waits for memory, drain
    input  sm_pkg::cfg_t cfg_i,
    input  logic [63:0] time_i,             // ns, for SR_GLOBALTIMER

    // from sm_cta: one warp bound a cycle; a block's slots freed
    input  logic init_valid_i,
    input  sm_pkg::init_t init_i,
    input  logic free_valid_i,
    input  logic [4:0] free_block_i,

    // L0 instruction miss: line address = ifreq_base_o + ifreq_pc_o (pc is 128-byte aligned)
    output logic ifreq_valid_o,
    input  logic ifreq_ready_i,
    output logic [27:0] ifreq_pc_o,
    output logic [47:0] ifreq_base_o,
    input  logic iffill_valid_i,
    input  logic iffill_error_i,            // memory refused the line
    input  logic [47:0] iffill_addr_i,
    input  logic [1023:0] iffill_data_i,

    // L0 constant miss
    output logic cfreq_valid_o,
    input  logic cfreq_ready_i,
    output logic [47:0] cfreq_addr_o,
    input  logic cffill_valid_i,
    input  logic [47:0] cffill_addr_i,
    input  logic [1023:0] cffill_data_i,

    // to/from sm_barrier
    output logic bar_valid_o,
    input  logic bar_ready_i,
    output sm_pkg::bar_req_t bar_o,
    input  logic [WarpSlots-1:0] bar_release_i,
    input  logic red_valid_i,               // with a release: result of BAR.RED
    input  logic [10:0] red_i,

    // to sm_cta and sm_barrier: a warp's last lane exited; always taken
    output logic exit_valid_o,
    output logic [4:0] exit_block_o,
    output logic [4:0] exit_warp_o,

    // to sm_mem
    output logic mem_valid_o,
    input  logic mem_ready_i,
    output logic [3:0] mem_slot_o,
    output sm_pkg::uop_t mem_uop_o,
    output logic [31:0] mem_mask_o,
    output logic [2047:0] mem_a_o,          // two rows: ra, then ra+1
    output logic [4095:0] mem_data_o,       // rows rc..rc+3; SHFL: a, b (source lane), c (clamp)

    // from sm_mem
    input  logic wb_valid_i,
    output logic wb_ready_o,
    input  logic [3:0] wb_slot_i,
    input  logic [7:0] wb_rd_i,
    input  logic wb_wide_i,
    input  logic [31:0] wb_mask_i,
    input  logic [2047:0] wb_data_i,        // row rd, then rd+1
    input  logic wb_last_i,
    input  logic wb_pvalid_i,
    input  logic [2:0] wb_pd_i,
    input  logic [31:0] wb_pbits_i,
    input  logic [WarpSlots-1:0] fence_release_i, // the warp's MEMBAR or CCTL is done

    // first fault, level until reset
    output logic fault_valid_o,
    output sm_pkg::fault_t fault_o,

    // scheduler door; view_* are zero unless cfg_i.policy is the external policy
    input  logic pick_valid_i,
    input  logic [3:0] pick_warp_i,
    input  logic [15:0] pick_withheld_i,
    input  logic ev_full_i,                 // no MSHR is free
    input  logic ev_miss_i,                 // L1 miss, victim-tag hit of a warp of this sub-core
    input  logic [3:0] ev_miss_slot_i,
    input  logic ev_vta_i,
    input  logic [3:0] ev_vta_slot_i,
    output logic [15:0] view_valid_o,
    output logic [15:0] view_eligible_o,
    output logic [15:0] view_at_barrier_o,
    output logic [63:0] view_reason_o,
    output logic [63:0] view_age_rank_o,
    output logic [79:0] view_block_o,
    output logic [63:0] view_pending_loads_o,
    output logic [79:0] view_depth_o,
    output logic [127:0] view_since_issue_o,
    output logic [127:0] view_event_o,      // sm_sub_pkg::sched_ev_t
    output logic [3:0] slot_reason_o,       // owner of the issue slot in the last cycle
    output logic [3:0] slot_warp_o,

    output logic busy_o                     // an instruction is between issue and its last write
);
  /*verilator no_inline_module*/   // the sub-cores of an SM share one copy of the generated code

  localparam int unsigned SlotBits = $clog2(WarpSlots);
  localparam int unsigned Lanes = LanesInt;
  localparam int unsigned BeatBits = 32 * Lanes;
  // instruction buffers that keep pipes of one instruction a cycle busy: rtl/README.md, "Timing"
  localparam int unsigned IbufDepth = LanesFp32 == 32 ? 8 : 4;
  if (LanesInt != LanesFp32) begin : gen_bad_lanes
    $error("LanesInt must equal LanesFp32: a result must not be slower than the pipe that reads it");
  end

  // ---- warp slots ----
  logic [2:0]           state_q [WarpSlots];    // sm_cfg_pkg::State*
  logic [3*WarpSlots-1:0] state_d;
  logic [4:0]           block_q [WarpSlots];
  logic [4:0]           warp_q [WarpSlots];     // warp in block
  logic [10:0]          base_q [WarpSlots];     // first register row
  logic [WarpSlots-1:0] valid, run, at_barrier, at_membar, done, free;
  logic                 init, starting_q;
  logic [SlotBits-1:0]  init_slot, starting_slot_q;
  assign init = init_valid_i && init_i.sub == sub_i;
  assign init_slot = init_i.slot[SlotBits-1:0];
  always_comb begin
    for (int unsigned s = 0; s < WarpSlots; s++) begin
      valid[s] = state_q[s] != sm_cfg_pkg::StateFree;
      run[s] = state_q[s] == sm_cfg_pkg::StateRun;
      at_barrier[s] = state_q[s] == sm_cfg_pkg::StateAtBar;
      at_membar[s] = state_q[s] == sm_cfg_pkg::StateMembar;
      done[s] = state_q[s] == sm_cfg_pkg::StateDone;
    end
    free = '0;
    if (free_valid_i) begin
      for (int unsigned s = 0; s < WarpSlots; s++) free[s] = valid[s] && block_q[s] == free_block_i;
    end
  end

  // ---- signals between the units ----
  logic                  view, halt;
  logic                  push_valid, push_two, push_badpc;
  logic [SlotBits-1:0]   push_slot;
  sm_sub_pkg::insn_t     push_insn0, push_insn1;
  logic [31:0]           push_imm0, push_imm1;
  logic [WarpSlots-1:0]  const_need;
  logic [SlotBits-1:0]   const_slot;
  logic [31:0]           const_imm, const_value;
  logic                  const_done, const_bad;
  logic [WarpSlots-1:0]  eligible, branching, held;
  logic                  iss, live, issue_fault;
  logic [SlotBits-1:0]   iss_slot;
  sm_sub_pkg::insn_t     insn;
  logic [31:0]           insn_imm;
  logic                  insn_badpc, insn_badconst;
  logic [27:0]           iss_pc;
  logic [31:0]           iss_mask, exec, p0, p1;
  logic [255:0]          preds;
  logic                  redirect;
  logic [SlotBits-1:0]   redirect_slot, ended_slot, stack_fault_slot;
  logic [27:0]           redirect_pc, stack_fault_pc;
  logic                  ended, stack_busy, stack_fault;
  logic [3:0]            stack_fault_code;
  logic [31:0]           stack_fault_lanes;
  logic [WarpSlots*WarpSlots-1:0] older;
  logic                  int_busy, fp_busy, f64_busy, sfu_busy, sreg_busy, xl_busy, mma_busy, lsu_full, coll_full, coll_one;
  logic                  rel_int_valid, rel_int_wide, rel_fp_valid, rel_half_valid, rel_f64_valid;
  logic                  relp_int_valid, relp_half_valid, relp_f64_valid;
  logic [3:0]            rel_int_slot, rel_fp_slot, rel_half_slot, rel_f64_slot, relp_int_slot, relp_half_slot, relp_f64_slot;
  logic [7:0]            rel_int_rd, rel_fp_rd, rel_half_rd, rel_f64_rd, relp_int_mask, relp_half_mask, relp_f64_mask;
  logic                  v_we, v_wide, vp_we, load_done, wb_busy;
  logic [3:0]            v_slot;
  logic [7:0]            v_rd;
  logic [2:0]            vp_pd, rel_f64_ctr, relp_f64_ctr;
  logic                  coll_left, disp_late, dep_freeze, v_done;
  logic [WarpSlots-1:0]  ctl_look, ctl_short, ctl_long, ctl_stalled, ctl_touch;
  logic [28*WarpSlots-1:0] ctl_head;
  logic [10:0]           v_row;
  logic [31:0]           v_mask, vp_bits;
  logic [1023:0]         v_lo, v_hi;
  logic [WarpSlots-1:0]  withheld, sched_withheld, long_wait, mem_next, idle;
  sm_sub_pkg::sched_ev_t sched_ev;
  logic [3:0]            owner;
  // constant during a launch; the flop keeps what hangs on it out of the paths from the SM's inputs
  sm_pkg::cfg_t cfg_q;
  always_ff @(posedge clk_i) cfg_q <= cfg_i;
  assign view = cfg_q.policy == sm_cfg_pkg::PolicyExt;
  assign halt = kill_i || fault_valid_o;
  assign withheld = view ? pick_withheld_i[WarpSlots-1:0] : sched_withheld;

  // ---- front ----
  sm_fetch #(.WarpSlots(WarpSlots), .Lines(L0iBytes / 128), .Depth(IbufDepth)) u_fetch (
      .clk_i, .rst_ni, .inval_i(init_valid_i && init_i.warp == '0 && init_i.cta.inval_insn),
      .init_valid_i(init), .init_slot_i(init_slot), .init_pc_i(init_i.cta.entry_pc[27:0]),
      .init_base_i(init_i.cta.code_base), .init_regs_i(init_i.regs), .stop_i(done),
      .redirect_valid_i(redirect), .redirect_slot_i(redirect_slot), .redirect_pc_i(redirect_pc),
      .pop_valid_i(iss), .pop_slot_i(iss_slot), .push_valid_o(push_valid), .push_two_o(push_two),
      .push_badpc_o(push_badpc), .push_slot_o(push_slot), .push_insn0_o(push_insn0), .push_insn1_o(push_insn1),
      .push_imm0_o(push_imm0), .push_imm1_o(push_imm1),
      .ifreq_valid_o, .ifreq_ready_i, .ifreq_pc_o, .ifreq_base_o, .iffill_valid_i, .iffill_error_i, .iffill_addr_i,
      .iffill_data_i
  );
  sm_cfetch #(.WarpSlots(WarpSlots)) u_cfetch (
      .clk_i, .rst_ni, .inval_i(init_valid_i && init_i.warp == '0 && init_i.cta.inval_const),
      .init_valid_i(init), .init_slot_i(init_slot),
      .init_base0_i(init_i.cta.const_base0), .init_base2_i(init_i.cta.const_base2), .init_base3_i(init_i.cta.const_base3),
      .init_size0_i(init_i.cta.const_size0), .init_size2_i(init_i.cta.const_size2), .init_size3_i(init_i.cta.const_size3),
      .need_i(const_need), .slot_o(const_slot), .imm_i(const_imm), .done_o(const_done), .done_bad_o(const_bad),
      .value_o(const_value),
      .cfreq_valid_o, .cfreq_ready_i, .cfreq_addr_o, .cffill_valid_i, .cffill_addr_i, .cffill_data_i
  );

  // ---- issue ----
  sm_issue #(.WarpSlots(WarpSlots), .Depth(IbufDepth)) u_issue (
      .clk_i, .rst_ni, .halt_i(halt), .dep_ctl_i(cfg_q.dep_control_bits), .valid_i(valid), .run_i(run), .at_barrier_i(at_barrier), .at_membar_i(at_membar),
      .done_i(done), .branching_i(branching), .idle_i(idle), .init_valid_i(init), .init_slot_i(init_slot),
      .flush_valid_i(redirect), .flush_slot_i(redirect_slot), .push_valid_i(push_valid), .push_two_i(push_two),
      .push_badpc_i(push_badpc), .push_slot_i(push_slot), .push_insn0_i(push_insn0), .push_insn1_i(push_insn1),
      .push_imm0_i(push_imm0), .push_imm1_i(push_imm1),
      .const_need_o(const_need), .const_slot_i(const_slot), .const_imm_o(const_imm), .const_done_i(const_done),
      .const_bad_i(const_bad), .const_value_i(const_value),
      .int_busy_i(int_busy), .fp_busy_i(fp_busy), .f64_busy_i(f64_busy), .sfu_busy_i(sfu_busy), .sreg_busy_i(sreg_busy),
      .xl_busy_i(xl_busy), .mma_busy_i(mma_busy), .ctl_busy_i(stack_busy), .lsu_full_i(lsu_full), .coll_full_i(coll_full),
      .coll_one_i(coll_one), .hold_i(second_q), .coll_stall_i(cfg_q.dep_control_bits ? dep_freeze : cfg_q.operand_in_order && coll_unread != '0),
      .held_i(held),
      .rel_int_valid_i(rel_int_valid), .rel_int_slot_i(rel_int_slot[SlotBits-1:0]), .rel_int_rd_i(rel_int_rd),
      .rel_int_wide_i(rel_int_wide), .rel_fp_valid_i(rel_fp_valid), .rel_fp_slot_i(rel_fp_slot[SlotBits-1:0]), .rel_fp_rd_i(rel_fp_rd),
      .rel_half_valid_i(rel_half_valid), .rel_half_slot_i(rel_half_slot[SlotBits-1:0]), .rel_half_rd_i(rel_half_rd),
      .rel_f64_valid_i(rel_f64_valid), .rel_f64_slot_i(rel_f64_slot[SlotBits-1:0]), .rel_f64_pair_i(rel_f64_rd[7:1]),
      .relp_half_valid_i(relp_half_valid), .relp_half_slot_i(relp_half_slot[SlotBits-1:0]), .relp_half_mask_i(relp_half_mask),
      .relp_f64_valid_i(relp_f64_valid), .relp_f64_slot_i(relp_f64_slot[SlotBits-1:0]), .relp_f64_mask_i(relp_f64_mask),
      .rel_var_valid_i(v_we), .rel_var_slot_i(v_slot[SlotBits-1:0]), .rel_var_rd_i(v_rd), .rel_var_wide_i(v_wide),
      .relp_int_valid_i(relp_int_valid), .relp_int_slot_i(relp_int_slot[SlotBits-1:0]), .relp_int_mask_i(relp_int_mask),
      .relp_var_valid_i(vp_we), .relp_var_slot_i(v_slot[SlotBits-1:0]), .relp_var_pd_i(vp_pd),
      .ctl_look_o(ctl_look), .ctl_head_o(ctl_head), .ctl_short_i(ctl_short), .ctl_long_i(ctl_long), .ctl_stalled_i(ctl_stalled),
      .ctl_touch_i(ctl_touch),
      .eligible_o(eligible), .long_o(long_wait), .mem_o(mem_next), .sel_slot_i(iss_slot), .insn_o(insn), .insn_imm_o(insn_imm), .insn_badpc_o(insn_badpc),
      .insn_badconst_o(insn_badconst), .iss_valid_i(iss), .iss_live_i(live),
      .view_i(view), .withheld_i(withheld), .owner_o(owner), .reason_o(view_reason_o)
  );
  assign dep_freeze = coll_left || disp_late;
  sm_dep_ctl #(.WarpSlots(WarpSlots)) u_dep_ctl (
      .clk_i, .rst_ni, .en_i(cfg_q.dep_control_bits), .freeze_i(dep_freeze), .init_valid_i(init), .init_slot_i(init_slot),
      .iss_valid_i(iss), .iss_live_i(live), .iss_slot_i(iss_slot), .insn_i(insn),
      .v_we_i(v_we), .v_wide_i(v_wide), .v_done_i(v_done), .v_slot_i(v_slot[SlotBits-1:0]), .v_rd_i(v_rd), .vp_we_i(vp_we),
      .vp_pd_i(vp_pd), .dn_f64_valid_i(rel_f64_valid), .dn_f64_slot_i(rel_f64_slot[SlotBits-1:0]), .dn_f64_ctr_i(rel_f64_ctr),
      .dn_f64p_valid_i(relp_f64_valid), .dn_f64p_slot_i(relp_f64_slot[SlotBits-1:0]), .dn_f64p_ctr_i(relp_f64_ctr),
      .rd_valid_i(var_en), .rd_slot_i(var_uop.slot[SlotBits-1:0]), .rd_ctr_i(var_uop.rd_ctr),
      .look_i(ctl_look), .head_i(ctl_head), .short_o(ctl_short), .long_o(ctl_long), .stalled_o(ctl_stalled), .touch_o(ctl_touch)
  );
  sm_warp_sched #(.WarpSlots(WarpSlots)) u_sched (
      .clk_i, .rst_ni, .policy_i(cfg_q.policy), .knob_i(cfg_q.knob), .progress_i(cfg_q.progress), .init_valid_i(init), .init_slot_i(init_slot),
      .valid_i(valid), .eligible_i(eligible), .ev_i(sched_ev), .ext_valid_i(pick_valid_i), .ext_slot_i(pick_warp_i),
      .pick_valid_o(iss), .pick_slot_o(iss_slot), .withheld_o(sched_withheld), .older_o(older)
  );
  logic                ctl_valid, ctl_ready, bar_wait, its_bar_valid, out_bar_valid, breg_read;
  logic [3:0]          ctl_slot;
  logic [SlotBits-1:0] bar_wait_slot;
  logic [7:0]          ctl_op;
  logic [27:0]         ctl_pc;
  logic [31:0]         ctl_exec, ctl_value, ctl_preds, breg_mask;
  logic [1023:0]       ctl_row;
  sm_pkg::bar_req_t    its_bar, out_bar;
  assign breg_read = iss && insn.op == sm_isa_pkg::OpBMOVR;
  sm_diverge #(.WarpSlots(WarpSlots)) u_diverge (
      .clk_i, .rst_ni, .kill_i, .its_i(cfg_q.diverge_its), .order_i(cfg_q.split_order),
      .seed_i(cfg_q.knob[111:96] + 16'd1021 * (16'(sub_i) + (16'(init_slot) << 2))), .time_i(time_i[31:0]),
      .init_valid_i(init), .init_slot_i(init_slot), .init_pc_i(init_i.cta.entry_pc[27:0]),
      .init_mask_i(init_i.mask), .sel_slot_i(iss_slot), .pc_o(iss_pc), .mask_o(iss_mask), .step_i(iss),
      .op_valid_i(live && insn.cls[sm_sub_pkg::ClsCtl] && !insn.cls[sm_sub_pkg::ClsBar]),
      .late_issue_i(live && insn.cls[sm_sub_pkg::ClsBar] && (insn.cls[sm_sub_pkg::ClsCtl] || cfg_q.diverge_its)),
      .op_i(insn.op), .op_breg_i({insn.ps1_not, insn.ps1}), .op_imm_i(insn_imm), .op_exec_i(exec),
      .breg_re_i(breg_read), .breg_mask_o(breg_mask),
      .late_valid_i(ctl_valid), .late_ready_o(ctl_ready), .late_slot_i(ctl_slot[SlotBits-1:0]), .late_op_i(ctl_op),
      .late_pc_i(ctl_pc), .late_exec_i(ctl_exec), .late_value_i(ctl_value), .late_row_i(ctl_row), .late_bar_i(out_bar),
      .late_preds_i(ctl_preds), .busy_o(stack_busy), .branching_o(branching), .idle_o(idle),
      .redirect_valid_o(redirect), .redirect_slot_o(redirect_slot), .redirect_pc_o(redirect_pc),
      .ended_valid_o(ended), .ended_slot_o(ended_slot), .fault_valid_o(stack_fault), .fault_code_o(stack_fault_code),
      .fault_slot_o(stack_fault_slot), .fault_lanes_o(stack_fault_lanes), .fault_pc_o(stack_fault_pc),
      .release_i(bar_release_i), .bar_valid_o(its_bar_valid), .bar_ready_i, .bar_o(its_bar),
      .bar_wait_valid_o(bar_wait), .bar_wait_slot_o(bar_wait_slot), .view_i(view), .depth_o(view_depth_o)
  );
  assign bar_valid_o = cfg_q.diverge_its ? its_bar_valid : out_bar_valid;
  always_comb bar_o = cfg_q.diverge_its ? its_bar : out_bar;

  // guard, predicate sources, faults of the instruction itself
  logic [3:0]         issue_code;
  sm_sub_pkg::alloc_t alloc, alloc_c;   // alloc_c: the c rows of a matrix instruction, a cycle later
  logic               alloc_valid;
  always_comb begin
    exec = '0;
    p0 = '0;
    p1 = '0;
    issue_fault = 1'b0;
    issue_code = sm_cfg_pkg::FaultIllegalInsn;
    alloc = '0;
    if (iss) begin
      exec = iss_mask & (preds[32*insn.guard +: 32] ^ {32{insn.guard_not}});
      p0 = preds[32*insn.ps0 +: 32] ^ {32{insn.ps0_not}};
      p1 = preds[32*insn.ps1 +: 32] ^ {32{insn.ps1_not}};
      if (insn_badpc) begin
        issue_fault = 1'b1;
        issue_code = sm_cfg_pkg::FaultBadPc;
      end else if (insn.bad) begin
        issue_fault = 1'b1;
      end else if (exec != '0 && insn_badconst) begin
        issue_fault = 1'b1;
        issue_code = sm_cfg_pkg::FaultAddrSpace;
      end else if (exec != '0 && insn.op == sm_isa_pkg::OpTRAP) begin
        issue_fault = 1'b1;
        issue_code = insn_imm == 32'd1 ? sm_cfg_pkg::FaultAssert : sm_cfg_pkg::FaultTrap;
      end
      alloc.cls = insn.cls;
      if (insn.cls[sm_sub_pkg::ClsInt]) alloc.cls[sm_sub_pkg::ClsCtl] = 1'b0;
      alloc.slot = 4'(iss_slot);
      alloc.op = insn.op;
      alloc.mods = insn.mods;
      alloc.form = insn.form;
      alloc.rd = insn.rd;
      alloc.pd0 = insn.pd0;
      alloc.pd1 = insn.pd1;
      alloc.imm = insn_imm;
      if (insn.cls[sm_sub_pkg::ClsCtl] && insn.cls[sm_sub_pkg::ClsInt]) begin   // CALL, BMOV.RD, BSSY.RD: the register
        alloc.op = sm_isa_pkg::OpMOV;
        alloc.form = sm_isa_pkg::FormImm;
        alloc.imm = breg_read ? breg_mask : insn.op == sm_isa_pkg::OpBSSYR ? iss_mask : {4'd0, iss_pc + 28'd16};
      end
      alloc.pc = iss_pc;
      alloc.mask = exec;
      alloc.p0 = p0;
      alloc.p1 = p1;
      alloc.wr = insn.md != '0;
      alloc.wide = insn.wide;
      alloc.half = insn.cls[sm_sub_pkg::ClsFp] && insn.op >= sm_isa_pkg::OpHADD2;
      alloc.b64 = insn.b64;
      alloc.wp0 = insn.wp0;
      alloc.wp1 = insn.wp1;
      alloc.need[sm_sub_pkg::RowA0] = insn.ma != '0;
      alloc.need[sm_sub_pkg::RowA1] = insn.ma != '0 && insn.a64;
      alloc.need[sm_sub_pkg::RowB] = insn.nc[2] ? insn.mc != '0 : insn.mb != '0;
      alloc.need[sm_sub_pkg::RowC0] = insn.mc != '0;
      alloc.need[sm_sub_pkg::RowC1] = insn.mc != '0 && insn.nc[2:1] != '0;
      alloc.need[sm_sub_pkg::RowC2] = (insn.mc != '0 && insn.nc[2]) || (insn.mb != '0 && insn.b64);
      alloc.base = base_q[iss_slot];
      alloc.ra = insn.ra;
      alloc.rb = insn.nc[2] ? {insn.rc[7:2], 2'b11} : insn.rb;
      alloc.rc = insn.rc;
      alloc.wr_ctr = insn.wr_ctr;
      alloc.rd_ctr = insn.cls[sm_sub_pkg::ClsCtl] ? 3'd7 : insn.rd_ctr;
    end
    alloc_c = alloc;
    if (insn.cls[sm_sub_pkg::ClsMma]) begin
      // first the rows a .. a+3, b, b+1; then c .. c+3
      alloc.rd_ctr = 3'd7;   // its operands are read when the c rows are
      alloc.rb = insn.rb;
      alloc.rc = {insn.ra[7:2], 2'b10};
      alloc.need[sm_sub_pkg::RowB] = insn.mb != '0;
      alloc.need[sm_sub_pkg::RowC0] = insn.ma != '0 && insn.a128;
      alloc.need[sm_sub_pkg::RowC1] = insn.ma != '0 && insn.a128;
      alloc.need[sm_sub_pkg::RowC2] = insn.mb != '0 && insn.b64;
      alloc_c.cls = '0;
      alloc_c.cls[sm_sub_pkg::ClsMmaC] = 1'b1;
      alloc_c.b64 = 1'b0;
      alloc_c.need[sm_sub_pkg::RowA0] = 1'b0;
      alloc_c.need[sm_sub_pkg::RowA1] = 1'b0;
      alloc_c.need[sm_sub_pkg::RowB] = insn.mc != '0 && insn.nc[2];
      alloc_c.need[sm_sub_pkg::RowC2] = insn.mc != '0 && insn.nc[2];
    end
    live = exec != '0 && !issue_fault;
    alloc_valid = live && (insn.cls & ~(sm_sub_pkg::ClsW'(1) << sm_sub_pkg::ClsCtl)) != '0;
    if (second_q) begin
      alloc = second_alloc_q;
      alloc_valid = 1'b1;
    end
  end
  logic                          second_q;         // nothing issues in this cycle
  logic [sm_sub_pkg::AllocW-1:0] second_alloc_q;
  always_ff @(posedge clk_i) begin
    second_q <= rst_ni && live && insn.cls[sm_sub_pkg::ClsMma];
    if (live && insn.cls[sm_sub_pkg::ClsMma]) second_alloc_q <= alloc_c;
  end

  // ---- operands ----
  logic [3:0]  coll_valid, coll_unread, coll_fresh, coll_settled, coll_free;
  logic [4*sm_sub_pkg::ClsW-1:0] coll_cls;
  logic [15:0] coll_slot, coll_older;
  logic        int_en, int_last, fp_en, fp_last, f64_en, f64_last, var_en;
  logic [1:0]  int_idx, int_beat, fp_idx, fp_beat, f64_idx, var_idx;
  logic [3:0]  f64_beat;
  sm_sub_pkg::alloc_t int_uop, fp_uop, f64_uop, var_uop;
  logic [32*LanesFp64-1:0] f64_a, f64_a1, f64_b, f64_b1, f64_c, f64_c1;
  logic [BeatBits-1:0] int_a, int_b, int_c, int_c1, fp_a, fp_b, fp_c;
  logic [1023:0] var_a0, var_a1, var_b, var_c0, var_c1, var_c2;
  logic        ires_valid, fres_valid, dres_valid, ires_busy, fres_busy, dres_busy;
  sm_sub_pkg::ftag_t itag, ftag, dtag;
  logic [31:0] ires_mask, fres_mask, dres_mask;
  logic [1023:0] dres_lo, dres_hi, dres_bits;
  logic [1023:0] ires_lo, ires_hi, ires_bits, fres_lo, fres_bits, unused_fres_hi;
  logic [3:0]  f_bank;
  sm_operands #(.Lanes(Lanes), .LanesF64(LanesFp64), .RegsPerSubcore(RegsPerSubcore)) u_operands (
      .clk_i, .rst_ni, .in_order_i(cfg_q.operand_in_order || cfg_q.dep_control_bits), .left_o(coll_left), .alloc_valid_i(alloc_valid), .alloc_i(alloc),
      .full_o(coll_full), .valid_o(coll_valid), .unread_o(coll_unread), .fresh_o(coll_fresh), .settled_o(coll_settled),
      .cls_o(coll_cls), .slot_o(coll_slot), .older_o(coll_older), .free_i(coll_free),
      .to_int_en_i(int_en), .to_int_idx_i(int_idx), .to_int_beat_i(int_beat), .to_int_o(int_uop), .int_a_o(int_a),
      .int_b_o(int_b), .int_c_o(int_c), .int_c1_o(int_c1),
      .to_fp_en_i(fp_en), .to_fp_idx_i(fp_idx), .to_fp_beat_i(fp_beat), .to_fp_o(fp_uop), .fp_a_o(fp_a), .fp_b_o(fp_b),
      .fp_c_o(fp_c),
      .to_f64_en_i(f64_en), .to_f64_idx_i(f64_idx), .to_f64_beat_i(f64_beat), .to_f64_o(f64_uop), .f64_a_o(f64_a),
      .f64_a1_o(f64_a1), .f64_b_o(f64_b), .f64_b1_o(f64_b1), .f64_c_o(f64_c), .f64_c1_o(f64_c1),
      .to_var_en_i(var_en), .to_var_idx_i(var_idx), .to_var_o(var_uop), .var_a0_o(var_a0), .var_a1_o(var_a1),
      .var_b_o(var_b), .var_c0_o(var_c0), .var_c1_o(var_c1), .var_c2_o(var_c2),
      .int_valid_i(ires_valid), .int_last_i(itag.last), .int_wide_i(itag.wide), .int_row_i(itag.row), .int_mask_i(ires_mask),
      .int_bits_i(ires_bits), .int_lo_i(ires_lo), .int_hi_i(ires_hi),
      .fp_valid_i(fres_valid), .fp_last_i(ftag.last), .fp_row_i(ftag.row), .fp_mask_i(fres_mask), .fp_bits_i(fres_bits),
      .fp_lo_i(fres_lo),
      .f64_valid_i(dres_valid), .f64_last_i(dtag.last), .f64_row_i(dtag.row), .f64_mask_i(dres_mask), .f64_bits_i(dres_bits),
      .f64_lo_i(dres_lo), .f64_hi_i(dres_hi),
      .f_bank_o(f_bank),
      .v_we_i(v_we), .v_wide_i(v_wide), .v_row_i(v_row), .v_mask_i(v_mask), .v_lo_i(v_lo), .v_hi_i(v_hi)
  );
  logic sfu_ready, sreg_ready, xl_ready, mma_ab_ready, mma_c_ready, mem_free, mem_held, mem_row, bar_free;
  logic [3:0] coll_idle;
  assign coll_idle = ~coll_valid;
  assign coll_one = (coll_idle & (coll_idle - 4'd1)) == '0;
  sm_dispatch #(.Lanes(Lanes), .LanesF64(LanesFp64)) u_dispatch (
      .clk_i, .rst_ni, .kill_i, .interval_i(cfg_q.issue_interval), .latency_i(cfg_q.extra_latency),
      .half_extra_i(cfg_q.half_extra), .mem_interval_i(cfg_q.mem_interval), .mem_switch_i(cfg_q.mem_switch),
      .issue_int_i(live && insn.cls[sm_sub_pkg::ClsInt]), .issue_fp_i(live && insn.cls[sm_sub_pkg::ClsFp]),
      .issue_f64_i(live && insn.cls[sm_sub_pkg::ClsF64]), .f64_busy_o(f64_busy), .xl_busy_o(xl_busy), .mma_busy_o(mma_busy),
      .int_busy_o(int_busy), .fp_busy_o(fp_busy), .sfu_busy_o(sfu_busy), .sreg_busy_o(sreg_busy), .lsu_full_o(lsu_full),
      .valid_i(coll_valid), .unread_i(coll_unread), .fresh_i(coll_fresh), .settled_i(coll_settled), .cls_i(coll_cls),
      .slot_i(coll_slot), .older_i(coll_older), .free_o(coll_free), .late_o(disp_late),
      .int_en_o(int_en), .int_idx_o(int_idx), .int_beat_o(int_beat), .int_last_o(int_last),
      .fp_en_o(fp_en), .fp_idx_o(fp_idx), .fp_beat_o(fp_beat), .fp_last_o(fp_last), .int_i(int_uop), .fp_i(fp_uop),
      .f64_en_o(f64_en), .f64_idx_o(f64_idx), .f64_beat_o(f64_beat), .f64_last_o(f64_last), .f64_i(f64_uop),
      .var_en_o(var_en), .var_idx_o(var_idx), .mem_ready_i(mem_free), .mem_held_i(mem_held),
      .mem_held_slot_i(mem_slot_o), .mem_held_row_i(mem_row), .sfu_ready_i(sfu_ready), .sreg_ready_i(sreg_ready), .xl_ready_i(xl_ready), .mma_ab_ready_i(mma_ab_ready),
      .mma_c_ready_i(mma_c_ready), .bar_ready_i(bar_free),
      .rel_int_valid_o(rel_int_valid), .rel_int_slot_o(rel_int_slot), .rel_int_rd_o(rel_int_rd),
      .rel_int_wide_o(rel_int_wide), .rel_fp_valid_o(rel_fp_valid), .rel_fp_slot_o(rel_fp_slot), .rel_fp_rd_o(rel_fp_rd),
      .rel_half_valid_o(rel_half_valid), .rel_half_slot_o(rel_half_slot), .rel_half_rd_o(rel_half_rd),
      .rel_f64_valid_o(rel_f64_valid), .rel_f64_slot_o(rel_f64_slot), .rel_f64_rd_o(rel_f64_rd), .rel_f64_ctr_o(rel_f64_ctr),
      .relp_half_valid_o(relp_half_valid), .relp_half_slot_o(relp_half_slot), .relp_half_mask_o(relp_half_mask),
      .relp_f64_valid_o(relp_f64_valid), .relp_f64_slot_o(relp_f64_slot), .relp_f64_mask_o(relp_f64_mask), .relp_f64_ctr_o(relp_f64_ctr),
      .relp_int_valid_o(relp_int_valid), .relp_int_slot_o(relp_int_slot), .relp_int_mask_o(relp_int_mask)
  );
  always_comb begin
    held = '0;
    for (int unsigned c = 0; c < 4; c++) if (coll_valid[c]) held[coll_slot[4*c +: SlotBits]] = 1'b1;
    if (mem_held) held[mem_slot_o[SlotBits-1:0]] = 1'b1;
  end

  // ---- fixed-latency pipes ----
  logic [2*BeatBits-1:0] int_c64, fp_c64, int_res, fp_res, half_res;
  logic [BeatBits-1:0]   int_b_in, fp_b_in;
  logic [Lanes-1:0]      int_mask, fp_mask, int_p0, int_p1, int_pd0, int_pd1, fp_p0, half_pd0, half_pd1;
  logic [64*LanesFp64-1:0] f64_a64, f64_b64, f64_c64, f64_res;
  logic [LanesFp64-1:0]  f64_mask, f64_p0, f64_pd0, f64_pd1;
  always_comb begin
    int_b_in = '0;
    int_c64 = '0;
    int_mask = '0;
    int_p0 = '0;
    int_p1 = '0;
    if (int_en) begin
      int_mask = int_uop.mask[int_beat*Lanes +: Lanes];
      int_p0 = int_uop.p0[int_beat*Lanes +: Lanes];
      int_p1 = int_uop.p1[int_beat*Lanes +: Lanes];
      int_b_in = int_uop.form == sm_isa_pkg::FormReg ? int_b : {Lanes{int_uop.imm}};
      for (int unsigned l = 0; l < Lanes; l++) int_c64[64*l +: 64] = {int_c1[32*l +: 32], int_c[32*l +: 32]};
    end
  end
  always_comb begin
    fp_b_in = '0;
    fp_c64 = '0;
    fp_mask = '0;
    fp_p0 = '0;
    if (fp_en) begin
      fp_p0 = fp_uop.p0[fp_beat*Lanes +: Lanes];
      fp_mask = fp_uop.mask[fp_beat*Lanes +: Lanes];
      fp_b_in = fp_uop.form == sm_isa_pkg::FormReg ? fp_b : {Lanes{fp_uop.imm}};
      for (int unsigned l = 0; l < Lanes; l++) fp_c64[64*l +: 64] = {32'd0, fp_c[32*l +: 32]};
    end
  end
  always_comb begin
    f64_a64 = '0;
    f64_b64 = '0;
    f64_c64 = '0;
    f64_mask = '0;
    f64_p0 = '0;
    if (f64_en) begin
      f64_mask = f64_uop.mask[f64_beat*LanesFp64 +: LanesFp64];
      f64_p0 = f64_uop.p0[f64_beat*LanesFp64 +: LanesFp64];
      for (int unsigned l = 0; l < LanesFp64; l++) begin
        f64_a64[64*l +: 64] = {f64_a1[32*l +: 32], f64_a[32*l +: 32]};
        f64_b64[64*l +: 64] = f64_uop.form == sm_isa_pkg::FormReg ? {f64_b1[32*l +: 32], f64_b[32*l +: 32]} : {f64_uop.imm, 32'd0};
        f64_c64[64*l +: 64] = {f64_c1[32*l +: 32], f64_c[32*l +: 32]};
      end
    end
  end
  sm_pipe_int #(.Lanes(LanesInt)) u_int (
      .clk_i, .rst_ni, .en_i(int_en && int_mask != '0), .mask_i(int_mask), .op_i(int_uop.op), .mods_i(int_uop.mods),
      .a_i(int_a), .b_i(int_b_in), .c_i(int_c64), .p0_i(int_p0), .p1_i(int_p1), .pd0_o(int_pd0), .pd1_o(int_pd1),
      .res_o(int_res)
  );
  sm_pipe_fp32 #(.Lanes(LanesFp32)) u_fp32 (
      .clk_i, .rst_ni, .en_i(fp_en && !fp_uop.half && fp_mask != '0), .mask_i(fp_mask), .op_i(fp_uop.op),
      .mods_i(fp_uop.mods), .a_i(fp_a), .b_i(fp_b_in), .c_i(fp_c64), .res_o(fp_res)
  );
  sm_pipe_half #(.Lanes(LanesFp32)) u_half (
      .clk_i, .rst_ni, .en_i(fp_en && fp_uop.half && fp_mask != '0), .mask_i(fp_mask), .op_i(fp_uop.op),
      .mods_i(fp_uop.mods), .a_i(fp_a), .b_i(fp_b_in), .c_i(fp_c64), .p0_i(fp_p0), .pd0_o(half_pd0), .pd1_o(half_pd1),
      .res_o(half_res)
  );
  sm_pipe_fp64 #(.Lanes(LanesFp64)) u_fp64 (
      .clk_i, .rst_ni, .en_i(f64_en && f64_mask != '0), .mask_i(f64_mask), .op_i(f64_uop.op), .mods_i(f64_uop.mods),
      .a_i(f64_a64), .b_i(f64_b64), .c_i(f64_c64), .p0_i(f64_p0), .pd0_o(f64_pd0), .pd1_o(f64_pd1), .res_o(f64_res)
  );
  sm_sub_pkg::ftag_t itag_in, ftag_in, dtag_in;
  always_comb begin
    itag_in.wr = int_uop.wr;
    itag_in.wide = int_uop.wide;
    itag_in.last = int_last;
    itag_in.half = 1'b0;
    itag_in.beat = {2'b0, int_beat};
    itag_in.slot = int_uop.slot;
    itag_in.rd = int_uop.rd;
    itag_in.row = int_uop.base + 11'(int_uop.rd);
    itag_in.mask = int_uop.mask;
    ftag_in.wr = fp_uop.wr;
    ftag_in.wide = 1'b0;
    ftag_in.last = fp_last;
    ftag_in.half = fp_uop.half;
    ftag_in.beat = {2'b0, fp_beat};
    ftag_in.slot = fp_uop.slot;
    ftag_in.rd = fp_uop.rd;
    ftag_in.row = fp_uop.base + 11'(fp_uop.rd);
    ftag_in.mask = fp_uop.mask;
    dtag_in.wr = f64_uop.wr;
    dtag_in.wide = 1'b1;
    dtag_in.half = 1'b0;
    dtag_in.last = f64_last;
    dtag_in.beat = f64_beat;
    dtag_in.slot = f64_uop.slot;
    dtag_in.rd = f64_uop.rd;
    dtag_in.row = f64_uop.base + 11'(f64_uop.rd);
    dtag_in.mask = f64_uop.mask;
  end
  sm_dispatch_result #(.Lanes(LanesInt), .HasHi(1'b1)) u_int_result (
      .clk_i, .rst_ni, .en_i(int_en), .tag_i(itag_in), .res_i(int_res), .valid_o(ires_valid), .tag_o(itag),
      .mask_o(ires_mask), .bits_o(ires_bits), .lo_o(ires_lo), .hi_o(ires_hi), .busy_o(ires_busy)
  );
  sm_dispatch_result #(.Lanes(LanesFp32), .HasHi(1'b0)) u_fp_result (
      .clk_i, .rst_ni, .en_i(fp_en), .tag_i(ftag_in), .res_i(ftag.half ? half_res : fp_res), .valid_o(fres_valid), .tag_o(ftag),
      .mask_o(fres_mask), .bits_o(fres_bits), .lo_o(fres_lo), .hi_o(unused_fres_hi), .busy_o(fres_busy)
  );
  sm_dispatch_result #(.Lanes(LanesFp64), .HasHi(1'b1)) u_f64_result (
      .clk_i, .rst_ni, .en_i(f64_en), .tag_i(dtag_in), .res_i(f64_res), .valid_o(dres_valid), .tag_o(dtag),
      .mask_o(dres_mask), .bits_o(dres_bits), .lo_o(dres_lo), .hi_o(dres_hi), .busy_o(dres_busy)
  );
  logic pred_we, hpred_we, dpred_we;
  assign hpred_we = fp_en && (fp_uop.wp0 || fp_uop.wp1) && fp_mask != '0;
  assign dpred_we = f64_en && (f64_uop.wp0 || f64_uop.wp1) && f64_mask != '0;
  assign pred_we = int_en && (int_uop.wp0 || int_uop.wp1) && int_mask != '0;
  sm_predfile #(.WarpSlots(WarpSlots), .Lanes(Lanes), .LanesF64(LanesFp64)) u_preds (
      .clk_i, .slot_i(iss_slot), .row_o(preds),
      .int_we_i(pred_we), .int_slot_i(int_uop.slot[SlotBits-1:0]), .int_beat_i(int_beat), .int_mask_i(int_mask),
      .int_wp0_i(int_uop.wp0), .int_pd0_i(int_uop.pd0), .int_bits0_i(int_pd0),
      .int_wp1_i(int_uop.wp1), .int_pd1_i(int_uop.pd1), .int_bits1_i(int_pd1),
      .fp_we_i(hpred_we), .fp_slot_i(fp_uop.slot[SlotBits-1:0]), .fp_beat_i(fp_beat), .fp_mask_i(fp_mask),
      .fp_wp0_i(fp_uop.wp0), .fp_pd0_i(fp_uop.pd0), .fp_bits0_i(half_pd0),
      .fp_wp1_i(fp_uop.wp1), .fp_pd1_i(fp_uop.pd1), .fp_bits1_i(half_pd1),
      .f64_we_i(dpred_we), .f64_slot_i(f64_uop.slot[SlotBits-1:0]), .f64_beat_i(f64_beat), .f64_mask_i(f64_mask),
      .f64_wp0_i(f64_uop.wp0), .f64_pd0_i(f64_uop.pd0), .f64_bits0_i(f64_pd0),
      .f64_wp1_i(f64_uop.wp1), .f64_pd1_i(f64_uop.pd1), .f64_bits1_i(f64_pd1),
      .v_we_i(vp_we), .v_slot_i(v_slot[SlotBits-1:0]), .v_pd_i(vp_pd), .v_mask_i(v_mask), .v_bits_i(vp_bits)
  );

  // ---- variable-latency units ----
  sm_pkg::uop_t  vuop;
  logic          sfu_rsp_valid, sfu_rsp_ready, sfu_rsp_wide, sreg_rsp_valid, sreg_rsp_ready, sfu_illegal;
  logic [3:0]    sfu_rsp_slot, sreg_rsp_slot;
  logic [7:0]    sfu_rsp_rd, sreg_rsp_rd;
  logic [31:0]   sfu_rsp_mask, sreg_rsp_mask;
  logic [1023:0] sfu_rsp_data, sfu_rsp_data_hi, sreg_rsp_data;
  logic [27:0]   sfu_illegal_pc;
  always_comb begin
    vuop.op = var_uop.op;
    vuop.mods = var_uop.mods;
    vuop.form = var_uop.form;
    vuop.rd = var_uop.rd;
    vuop.pd0 = var_uop.pd0;
    vuop.pd1 = var_uop.pd1;
    vuop.imm = var_uop.imm;
    vuop.pc = var_uop.pc;
  end
  sm_sfu #(.Lanes(LanesSfu)) u_sfu (
      .clk_i, .rst_ni, .req_valid_i(var_en && var_uop.cls[sm_sub_pkg::ClsSfu]), .req_ready_o(sfu_ready), .req_uop_i(vuop),
      .req_slot_i(var_uop.slot), .req_mask_i(var_uop.mask), .req_a_i(var_a0), .req_a1_i(var_a1),
      .rsp_valid_o(sfu_rsp_valid), .rsp_ready_i(sfu_rsp_ready), .rsp_slot_o(sfu_rsp_slot), .rsp_rd_o(sfu_rsp_rd),
      .rsp_mask_o(sfu_rsp_mask), .rsp_wide_o(sfu_rsp_wide), .rsp_data_o(sfu_rsp_data), .rsp_data_hi_o(sfu_rsp_data_hi),
      .illegal_o(sfu_illegal), .illegal_pc_o(sfu_illegal_pc)
  );
  // extra latency: the response waits outside, so that the next warp's beats follow without a gap
  logic          sfu_held_valid, sfu_held_ready, sfu_held_wide;
  logic [3:0]    sfu_held_slot;
  logic [7:0]    sfu_held_rd;
  logic [31:0]   sfu_held_mask;
  logic [1023:0] sfu_held_data, sfu_held_data_hi;
  sm_hold #(.Width(2093)) u_sfu_hold (
      .clk_i, .rst_ni, .delay_i(cfg_q.extra_latency[15:12]), .in_valid_i(sfu_rsp_valid), .in_ready_o(sfu_rsp_ready),
      .in_data_i({sfu_rsp_data_hi, sfu_rsp_data, sfu_rsp_mask, sfu_rsp_rd, sfu_rsp_slot, sfu_rsp_wide}),
      .out_valid_o(sfu_held_valid), .out_ready_i(sfu_held_ready),
      .out_data_o({sfu_held_data_hi, sfu_held_data, sfu_held_mask, sfu_held_rd, sfu_held_slot, sfu_held_wide})
  );
  logic          xl_rsp_valid, xl_rsp_ready, xl_rsp_pvalid;
  logic [3:0]    xl_rsp_slot;
  logic [7:0]    xl_rsp_rd;
  logic [2:0]    xl_rsp_pd;
  logic [31:0]   xl_rsp_mask, xl_rsp_pbits;
  logic [1023:0] xl_rsp_data, var_b_value;
  always_comb begin
    var_b_value = '0;
    if (var_en) var_b_value = var_uop.form == sm_isa_pkg::FormReg ? var_b : {32{var_uop.imm}};
  end
  sm_xlane u_xlane (
      .clk_i, .rst_ni, .req_valid_i(var_en && var_uop.cls[sm_sub_pkg::ClsXl]), .req_ready_o(xl_ready), .req_uop_i(vuop),
      .req_slot_i(var_uop.slot), .req_mask_i(var_uop.mask), .req_a_i(var_a0), .req_a1_i(var_a1), .req_b_i(var_b_value),
      .req_p0_i(var_uop.p0), .rsp_valid_o(xl_rsp_valid), .rsp_ready_i(xl_rsp_ready), .rsp_slot_o(xl_rsp_slot),
      .rsp_rd_o(xl_rsp_rd), .rsp_mask_o(xl_rsp_mask), .rsp_data_o(xl_rsp_data), .rsp_pvalid_o(xl_rsp_pvalid),
      .rsp_pd_o(xl_rsp_pd), .rsp_pbits_o(xl_rsp_pbits)
  );
  sm_sreg #(.SubCores(SubCores), .WarpSlots(WarpSlots)) u_sreg (
      .clk_i, .rst_ni, .sub_i, .warp_slots_i(cfg_q.warp_slots), .time_i, .smid_i(cfg_q.smid), .nsmid_i(cfg_q.nsmid),
      .init_valid_i, .init_i, .red_valid_i, .red_slots_i(bar_release_i), .red_i, .req_valid_i(var_en && var_uop.cls[sm_sub_pkg::ClsSreg]), .req_ready_o(sreg_ready),
      .req_uop_i(vuop), .req_slot_i(var_uop.slot), .req_mask_i(var_uop.mask), .req_a_i(var_a0),
      .rsp_valid_o(sreg_rsp_valid), .rsp_ready_i(sreg_rsp_ready), .rsp_slot_o(sreg_rsp_slot), .rsp_rd_o(sreg_rsp_rd),
      .rsp_mask_o(sreg_rsp_mask), .rsp_data_o(sreg_rsp_data)
  );
  logic          mma_rsp_valid, mma_rsp_ready, unused_mma_wide, mma_rsp_last;
  logic [3:0]    mma_rsp_slot;
  logic [7:0]    mma_rsp_rd;
  logic [31:0]   mma_rsp_mask;
  logic [2047:0] mma_rsp_data;
  sm_mma #(.Rows(MmaRows)) u_mma (
      .clk_i, .rst_ni, .extra_i(cfg_q.mma_extra), .deep_extra_i(cfg_q.mma_deep_extra),
      .req_ab_valid_i(var_en && var_uop.cls[sm_sub_pkg::ClsMma]), .req_ab_ready_o(mma_ab_ready),
      .req_a0_i(var_a0), .req_a1_i(var_a1), .req_a2_i(var_c0), .req_a3_i(var_c1), .req_b0_i(var_b), .req_b1_i(var_c2),
      .req_c_valid_i(var_en && var_uop.cls[sm_sub_pkg::ClsMmaC]), .req_c_ready_o(mma_c_ready), .req_uop_i(vuop),
      .req_slot_i(var_uop.slot), .req_mask_i(var_uop.mask),
      .req_c0_i(var_c0), .req_c1_i(var_c1), .req_c2_i(var_c2), .req_c3_i(var_b),
      .rsp_valid_o(mma_rsp_valid), .rsp_ready_i(mma_rsp_ready), .rsp_slot_o(mma_rsp_slot), .rsp_rd_o(mma_rsp_rd),
      .rsp_wide_o(unused_mma_wide), .rsp_last_o(mma_rsp_last), .rsp_mask_o(mma_rsp_mask), .rsp_data_o(mma_rsp_data)
  );
  sm_writeback #(.WarpSlots(WarpSlots)) u_writeback (
      .clk_i, .rst_ni, .init_valid_i(init), .init_slot_i(init_slot), .init_base_i(init_i.reg_base), .f_bank_i(f_bank),
      .f_pred_i(pred_we),
      .wb_valid_i, .wb_ready_o, .wb_slot_i, .wb_rd_i, .wb_wide_i, .wb_mask_i, .wb_data_i, .wb_last_i, .wb_pvalid_i,
      .wb_pd_i, .wb_pbits_i,
      .sfu_valid_i(sfu_held_valid), .sfu_ready_o(sfu_held_ready), .sfu_slot_i(sfu_held_slot), .sfu_rd_i(sfu_held_rd),
      .sfu_wide_i(sfu_held_wide), .sfu_mask_i(sfu_held_mask), .sfu_data_i(sfu_held_data), .sfu_data_hi_i(sfu_held_data_hi),
      .sreg_valid_i(sreg_rsp_valid), .sreg_ready_o(sreg_rsp_ready), .sreg_slot_i(sreg_rsp_slot), .sreg_rd_i(sreg_rsp_rd),
      .sreg_mask_i(sreg_rsp_mask), .sreg_data_i(sreg_rsp_data),
      .mma_last_i(mma_rsp_last), .mma_valid_i(mma_rsp_valid), .mma_ready_o(mma_rsp_ready), .mma_slot_i(mma_rsp_slot), .mma_rd_i(mma_rsp_rd),
      .mma_mask_i(mma_rsp_mask), .mma_data_i(mma_rsp_data),
      .xl_valid_i(xl_rsp_valid), .xl_ready_o(xl_rsp_ready), .xl_slot_i(xl_rsp_slot), .xl_rd_i(xl_rsp_rd),
      .xl_mask_i(xl_rsp_mask), .xl_data_i(xl_rsp_data), .xl_pvalid_i(xl_rsp_pvalid), .xl_pd_i(xl_rsp_pd),
      .xl_pbits_i(xl_rsp_pbits),
      .v_we_o(v_we), .v_wide_o(v_wide), .v_slot_o(v_slot), .v_rd_o(v_rd), .v_row_o(v_row), .v_mask_o(v_mask), .v_lo_o(v_lo),
      .v_hi_o(v_hi), .vp_we_o(vp_we), .vp_pd_o(vp_pd), .vp_bits_o(vp_bits), .v_done_o(v_done), .load_done_o(load_done), .busy_o(wb_busy)
  );

  sm_dispatch_out u_out (
      .clk_i, .rst_ni, .kill_i, .its_i(cfg_q.diverge_its), .var_en_i(var_en), .var_i(var_uop), .a0_i(var_a0), .a1_i(var_a1), .b_i(var_b),
      .c0_i(var_c0), .c1_i(var_c1), .c2_i(var_c2), .block_i(block_q[var_uop.slot[SlotBits-1:0]]),
      .warp_i(warp_q[var_uop.slot[SlotBits-1:0]]), .cas_extra_i(cfg_q.cas_extra), .mem_free_o(mem_free), .mem_held_o(mem_held), .mem_row_o(mem_row),
      .bar_free_o(bar_free),
      .mem_valid_o, .mem_ready_i, .mem_slot_o, .mem_uop_o, .mem_mask_o, .mem_a_o, .mem_data_o,
      .bar_valid_o(out_bar_valid), .bar_ready_i, .bar_o(out_bar),
      .ctl_valid_o(ctl_valid), .ctl_ready_i(ctl_ready), .ctl_slot_o(ctl_slot), .ctl_op_o(ctl_op), .ctl_pc_o(ctl_pc),
      .ctl_exec_o(ctl_exec), .ctl_value_o(ctl_value), .ctl_preds_o(ctl_preds), .ctl_row_o(ctl_row)
  );

  // ---- warp states ----
  assign exit_valid_o = ended;
  assign exit_block_o = block_q[ended_slot];
  assign exit_warp_o = warp_q[ended_slot];
  always_comb begin
    for (int unsigned s = 0; s < WarpSlots; s++) state_d[3*s +: 3] = state_q[s];
    if (starting_q) state_d[32'(starting_slot_q)*32'd3 +: 3] = sm_cfg_pkg::StateRun;
    if (live && insn.cls[sm_sub_pkg::ClsBar] && !insn.cls[sm_sub_pkg::ClsCtl] && !cfg_q.diverge_its &&
        (insn.op == sm_isa_pkg::OpBARRED || !insn.mods[sm_isa_pkg::ModLsbBARM])) begin
      state_d[32'(iss_slot)*32'd3 +: 3] = sm_cfg_pkg::StateAtBar;
    end
    if (live && insn.cls[sm_sub_pkg::ClsLsu] && (insn.op == sm_isa_pkg::OpMEMBAR || insn.op == sm_isa_pkg::OpCCTL)) begin
      state_d[32'(iss_slot)*32'd3 +: 3] = sm_cfg_pkg::StateMembar;
    end
    if (fence_release_i != '0) begin
      for (int unsigned s = 0; s < WarpSlots; s++) if (fence_release_i[s]) state_d[3*s +: 3] = sm_cfg_pkg::StateRun;
    end
    if (bar_wait) state_d[32'(bar_wait_slot)*32'd3 +: 3] = sm_cfg_pkg::StateAtBar;
    if (bar_release_i != '0) begin
      for (int unsigned s = 0; s < WarpSlots; s++) if (bar_release_i[s]) state_d[3*s +: 3] = sm_cfg_pkg::StateRun;
    end
    if (ended) state_d[32'(ended_slot)*32'd3 +: 3] = sm_cfg_pkg::StateDone;
    if (issue_fault) state_d[32'(iss_slot)*32'd3 +: 3] = sm_cfg_pkg::StateFault;
    if (stack_fault) state_d[32'(stack_fault_slot)*32'd3 +: 3] = sm_cfg_pkg::StateFault;
    if (free != '0) begin
      for (int unsigned s = 0; s < WarpSlots; s++) if (free[s]) state_d[3*s +: 3] = sm_cfg_pkg::StateFree;
    end
    if (init) state_d[32'(init_slot)*32'd3 +: 3] = sm_cfg_pkg::StateInit;
    if (!rst_ni) state_d = {WarpSlots{sm_cfg_pkg::StateFree}};
  end
  for (genvar s = 0; s < WarpSlots; s++) begin : gen_state
    always_ff @(posedge clk_i) if (state_d[3*s +: 3] != state_q[s]) state_q[s] <= state_d[3*s +: 3];
  end
  always_ff @(posedge clk_i) begin
    starting_q <= init;
    starting_slot_q <= init_slot;
    if (init) begin
      block_q[init_slot] <= init_i.block;
      warp_q[init_slot] <= init_i.warp;
      base_q[init_slot] <= init_i.reg_base;
    end
    if (!rst_ni) begin
      starting_q <= 1'b0;
    end
  end

  sm_sub_fault u_fault (
      .clk_i, .rst_ni, .sub_i, .stack_valid_i(stack_fault), .stack_code_i(stack_fault_code), .stack_slot_i(4'(stack_fault_slot)),
      .stack_lanes_i(stack_fault_lanes), .stack_pc_i(stack_fault_pc), .sfu_valid_i(sfu_rsp_valid && sfu_illegal),
      .sfu_slot_i(sfu_rsp_slot), .sfu_lanes_i(sfu_rsp_mask), .sfu_pc_i(sfu_illegal_pc), .issue_valid_i(issue_fault),
      .issue_code_i(issue_code), .issue_slot_i(4'(iss_slot)),
      .issue_lanes_i(insn_badpc || insn.bad ? iss_mask : exec),   // what is no instruction has no guard
      .issue_pc_i(iss_pc), .valid_o(fault_valid_o), .fault_o
  );

  // ---- what the policies see beyond valid and eligible ----
  sm_sched_events #(.WarpSlots(WarpSlots)) u_events (
      .clk_i, .rst_ni, .valid_i(valid), .parked_i(at_barrier | done | idle), .long_wait_i(long_wait | at_membar),
      .mem_i(mem_next), .released_i(bar_release_i), .bra_i(iss && !issue_fault && insn.op == sm_isa_pkg::OpBRA),
      .bra_slot_i(iss_slot), .bra_mask_i(iss_mask), .bra_exec_i(exec), .bra_imm_i(insn_imm), .miss_i(ev_miss_i),
      .miss_slot_i(ev_miss_slot_i), .vta_i(ev_vta_i), .vta_slot_i(ev_vta_slot_i), .mshr_full_i(ev_full_i),
      .lsu_full_i(lsu_full), .ev_o(sched_ev)
  );
  assign view_event_o = view ? sched_ev : '0;

  // ---- scheduler door ----
  sm_sched_view #(.WarpSlots(WarpSlots)) u_view (
      .clk_i, .en_i(view), .init_valid_i(init), .init_slot_i(init_slot), .valid_i(valid), .older_i(older),
      .issue_valid_i(iss), .issue_load_i(live && insn.has_wb), .issue_slot_i(iss_slot), .load_done_i(load_done),
      .load_slot_i(v_slot[SlotBits-1:0]), .age_rank_o(view_age_rank_o), .pending_loads_o(view_pending_loads_o),
      .since_issue_o(view_since_issue_o)
  );
  always_comb begin
    view_valid_o = '0;
    view_eligible_o = '0;
    view_at_barrier_o = '0;
    view_block_o = '0;
    if (view) begin
      view_valid_o = 16'(valid);
      view_eligible_o = 16'(eligible);
      view_at_barrier_o = 16'(at_barrier);
      for (int unsigned s = 0; s < WarpSlots; s++) view_block_o[5*s +: 5] = block_q[s];
    end
  end
  always_ff @(posedge clk_i) begin
    slot_reason_o <= owner;
    slot_warp_o <= 4'(iss_slot);
    busy_o <= coll_valid != '0 || mem_held || bar_valid_o || ires_busy || fres_busy || dres_busy || wb_busy || sfu_rsp_valid || sfu_held_valid ||
              sreg_rsp_valid || xl_rsp_valid || mma_rsp_valid;
    if (!rst_ni) begin
      slot_reason_o <= sm_cfg_pkg::ReasonNoWarp;
      slot_warp_o <= '0;
      busy_o <= 1'b0;
    end
  end

  logic unused_bits;
  assign unused_bits = ^{f64_uop, dtag, rel_f64_rd, rel_half_slot, rel_f64_slot, relp_half_slot, relp_f64_slot, init_i, insn, ctl_slot, itag, ftag, pick_withheld_i, cfg_q, var_uop, unused_fres_hi, int_uop, fp_uop,
                         rel_int_slot, rel_fp_slot, relp_int_slot, v_slot};
endmodule
