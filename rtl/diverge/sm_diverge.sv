// SPDX-License-Identifier: Apache-2.0
//
// sm_diverge: the divergence unit of a sub-core: running pc and mask, and the lanes that are gone, of every warp slot. How a control
// instruction changes them is up to sm_simt_stack (its_i low) or sm_its (its_i high); only the one in use is evaluated.
//
// Control instructions come here one cycle after issue (op_valid_i in the issue cycle), or, if they need registers, over late_*
// from their collector (late_issue_i in the issue cycle; payload stable until late_ready_o). In mode `its` BAR does too.
// One is resolved at a time: one cycle and what its module adds. Meanwhile busy_o is set, and its warp's bit in branching_o
// keeps it from issuing; so it does for a warp of which no lane can run, or that sleeps. An instruction without executing
// lanes does not come here.
// pc_o/mask_o of sel_slot_i: pc of the head instruction. step_i: it issues, pc + 16.
// redirect_*: the warp goes on elsewhere than behind its last instruction. ended_*: no lane is left.
// fault_*: StackError, BadPc (rtl/README.md).
// release_i: block barrier complete, by slot. bar_*: its: a warp arrives; bar_wait_*: and waits.
// breg_re_i: BMOV.RD of sel_slot_i issues; breg_mask_o then holds its lowest running lane's mask of op_breg_i.
// its_i, order_i are constant while warps run. Reset: idle. Twin: model/twin/diverge.
module sm_diverge #(
    parameter int unsigned WarpSlots = 16,
    localparam int unsigned SlotBits = $clog2(WarpSlots)
) (
    input  logic clk_i,
    input  logic rst_ni,
    input  logic kill_i,
    input  logic its_i,
    input  logic [1:0]  order_i,
    input  logic [15:0] seed_i,             // its, order random: of the warp that is initialised
    input  logic [31:0] time_i,             // ns
    input  logic init_valid_i,
    input  logic [SlotBits-1:0] init_slot_i,
    input  logic [27:0] init_pc_i,
    input  logic [31:0] init_mask_i,

    // issue
    input  logic [SlotBits-1:0] sel_slot_i,
    output logic [27:0] pc_o,
    output logic [31:0] mask_o,
    input  logic step_i,
    input  logic op_valid_i,                // sel_slot_i issues a control instruction without registers, with executing lanes
    input  logic late_issue_i,              // or one that comes over late_*
    input  logic [7:0]  op_i,
    input  logic [3:0]  op_breg_i,
    input  logic [31:0] op_imm_i,
    input  logic [31:0] op_exec_i,
    input  logic breg_re_i,
    output logic [31:0] breg_mask_o,

    // with registers
    input  logic late_valid_i,
    output logic late_ready_o,
    input  logic [SlotBits-1:0] late_slot_i,
    input  logic [7:0]  late_op_i,
    input  logic [27:0] late_pc_i,
    input  logic [31:0] late_exec_i,
    input  logic [31:0] late_value_i,       // of the lowest executing lane
    input  logic [1023:0] late_row_i,       // RET, BRX
    input  sm_pkg::bar_req_t late_bar_i,    // BAR, BAR.RED
    input  logic [31:0] late_preds_i,

    output logic busy_o,
    output logic [WarpSlots-1:0] branching_o,
    output logic [WarpSlots-1:0] idle_o,    // no lane can run, or the warp sleeps; subset of branching_o
    output logic redirect_valid_o,
    output logic [SlotBits-1:0] redirect_slot_o,
    output logic [27:0] redirect_pc_o,
    output logic ended_valid_o,
    output logic [SlotBits-1:0] ended_slot_o,
    output logic fault_valid_o,
    output logic [3:0]  fault_code_o,
    output logic [SlotBits-1:0] fault_slot_o,
    output logic [31:0] fault_lanes_o,
    output logic [27:0] fault_pc_o,

    // block barriers, mode its
    input  logic [WarpSlots-1:0] release_i,
    output logic bar_valid_o,
    input  logic bar_ready_i,
    output sm_pkg::bar_req_t bar_o,
    output logic bar_wait_valid_o,
    output logic [SlotBits-1:0] bar_wait_slot_o,

    input  logic view_i,
    output logic [79:0] depth_o             // 5 bits a slot, saturated at 31; its: lanes that do not run; zero unless view_i
);
  localparam logic [7:0] OpSwitch = 8'hf0;
  localparam logic [7:0] OpRelease = 8'hf1;
  localparam logic [7:0] OpWake = 8'hf2;

  logic [27:0] pc_q [WarpSlots];
  logic [31:0] mask_q [WarpSlots], gone_q [WarpSlots];
  logic [3:0]  late_breg_q [WarpSlots];
  assign pc_o = pc_q[sel_slot_i];
  assign mask_o = mask_q[sel_slot_i];

  // ---- what waits besides instructions: its: switches, releases, wake-ups ----
  logic [WarpSlots-1:0] switch_q, release_q, wake_q, pending, due, split_idle;
  logic                 want_switch, any_pending;
  logic [SlotBits-1:0]  pend_slot;
  logic [7:0]           pend_op;
  assign pending = switch_q | release_q | wake_q;
  assign any_pending = pending != '0;
  always_comb begin
    pend_slot = '0;
    if (any_pending) begin
      for (int unsigned s = 0; s < WarpSlots; s++) if (pending[WarpSlots-1-s]) pend_slot = SlotBits'(WarpSlots - 1 - s);
    end
    pend_op = switch_q[pend_slot] ? OpSwitch : release_q[pend_slot] ? OpRelease : OpWake;
    split_idle = '0;   // releases of warps that kept their running split need nothing
    if (its_i && release_i != '0) begin
      for (int unsigned s = 0; s < WarpSlots; s++) split_idle[s] = mask_q[s] == '0;
    end
  end

  // ---- the operation being resolved ----
  logic                op_valid_q, late_q, pseudo_q;
  logic [SlotBits-1:0] op_slot_q;
  logic [7:0]          op_q;
  logic [3:0]          breg_q;
  logic [27:0]         op_pc_q, target_q;
  logic [31:0]         exec_q;
  logic                bar_busy;
  assign bar_busy = its_i && bar_valid_o;
  assign busy_o = op_valid_q || late_valid_i || any_pending || bar_busy;

  // RET, BRX: one target?
  logic        indirect, one_target, odd_target, jump;
  logic [4:0]  lead;
  logic [27:0] target;
  assign indirect = op_valid_q && (op_q == sm_isa_pkg::OpRET || op_q == sm_isa_pkg::OpBRX);
  always_comb begin
    lead = '0;
    one_target = 1'b1;
    odd_target = 1'b0;
    target = target_q;
    if (indirect) begin
      for (int unsigned l = 0; l < 32; l++) if (exec_q[31-l]) lead = 5'(31 - l);
      target = late_row_i[32*lead +: 28];
      for (int unsigned l = 0; l < 32; l++) begin
        if (exec_q[l] && late_row_i[32*l +: 32] != late_row_i[32*lead +: 32]) one_target = 1'b0;
        if (exec_q[l] && (late_row_i[32*l +: 4] != '0 || late_row_i[32*l+28 +: 4] != '0)) odd_target = 1'b1;
      end
    end
    if (op_q == sm_isa_pkg::OpBRA || op_q == sm_isa_pkg::OpCALL) odd_target = target_q[3:0] != '0;
  end

  logic stack_en, stack_done, stack_redirect, stack_bad, its_en, its_done, its_redirect, its_idle, its_wait, early_bad,
        bar_bad;
  logic [3:0]  stack_code;
  logic [27:0] stack_pc, its_pc;
  logic [31:0] stack_mask, stack_gone, its_mask, its_gone, breg_mask, mask, gone;
  assign mask = mask_q[op_slot_q];
  assign gone = gone_q[op_slot_q];
  // its: a barrier's count is judged when it is executed, not when the warp has gathered
  assign bar_bad = its_i && (op_q == sm_isa_pkg::OpBAR || op_q == sm_isa_pkg::OpBARRED) && late_bar_i.has_count &&
                   (late_bar_i.count[4:0] != '0 || late_bar_i.count == '0);
  assign early_bad = op_valid_q && (odd_target || (indirect && !one_target && !its_i) || bar_bad);   // BadPc, Trap
  assign jump = op_q == sm_isa_pkg::OpBRA || op_q == sm_isa_pkg::OpCALL ||
                (indirect && one_target && (!its_i || exec_q == mask));
  assign stack_en = op_valid_q && !its_i && !early_bad;
  assign its_en = op_valid_q && its_i && !early_bad;
  sm_simt_stack #(.WarpSlots(WarpSlots)) u_stack (
      .clk_i, .init_valid_i, .init_slot_i, .en_i(stack_en), .slot_i(op_slot_q), .op_i(op_q), .jump_i(jump),
      .sync_i(op_q == sm_isa_pkg::OpWARPSYNC), .breg_i(breg_q), .pc_i(op_pc_q), .target_i(target), .value_i(late_value_i),
      .exec_i(exec_q), .mask_i(mask), .gone_i(gone), .done_o(stack_done), .redirect_o(stack_redirect), .bad_o(stack_bad),
      .bad_code_o(stack_code), .next_pc_o(stack_pc), .mask_o(stack_mask), .gone_o(stack_gone),
      .view_i(view_i && !its_i), .depth_o(stack_depth)
  );
  sm_its #(.WarpSlots(WarpSlots)) u_its (
      .clk_i, .rst_ni, .kill_i, .order_i, .seed_i, .init_valid_i(init_valid_i && its_i), .init_slot_i,
      .step_i(step_i && its_i), .plain_i(!op_valid_i && !late_issue_i), .step_slot_i(sel_slot_i), .switch_o(want_switch),
      .en_i(its_en), .slot_i(op_slot_q), .op_i(op_q), .jump_i(jump), .breg_i(breg_q), .pc_i(op_pc_q), .target_i(target),
      .value_i(late_value_i), .row_i(late_row_i), .bar_i(late_bar_i), .preds_i(late_preds_i), .exec_i(exec_q), .mask_i(mask),
      .gone_i(gone), .done_o(its_done), .redirect_o(its_redirect), .idle_o(its_idle), .next_pc_o(its_pc), .mask_o(its_mask),
      .gone_o(its_gone), .breg_re_i(breg_re_i && its_i), .breg_slot_i(sel_slot_i), .breg_idx_i(op_breg_i), .breg_run_i(mask_o),
      .breg_mask_o(breg_mask), .bar_valid_o, .bar_ready_i, .bar_o, .bar_wait_o(its_wait)
  );
  assign breg_mask_o = its_i ? breg_mask : 32'd0;

  // ---- outcome ----
  logic        done, redirect, bad, idle;
  logic [27:0] next_pc;
  logic [31:0] mask_d, gone_d;
  always_comb begin
    done = early_bad || (its_i ? its_done : stack_done);
    bad = early_bad || (!its_i && stack_bad);
    redirect = !bad && (its_i ? its_redirect : stack_redirect);
    next_pc = its_i ? its_pc : stack_pc;
    mask_d = early_bad ? mask : its_i ? its_mask : stack_mask;
    gone_d = early_bad ? gone : its_i ? its_gone : stack_gone;
    idle = its_i ? its_idle : op_q == sm_isa_pkg::OpNANOSLEEP;
  end
  assign late_ready_o = op_valid_q && late_q && done;
  assign redirect_valid_o = redirect;
  assign redirect_slot_o = op_slot_q;
  assign redirect_pc_o = next_pc;
  assign ended_valid_o = op_valid_q && done && !bad && mask_d == '0 && (!its_i || gone_d == '1);
  assign ended_slot_o = op_slot_q;
  assign fault_valid_o = bad;
  assign fault_code_o = early_bad ? (bar_bad ? sm_cfg_pkg::FaultTrap : sm_cfg_pkg::FaultBadPc) : stack_code;
  assign fault_slot_o = op_slot_q;
  assign fault_lanes_o = exec_q;
  assign fault_pc_o = op_pc_q;
  assign bar_wait_valid_o = its_wait;
  assign bar_wait_slot_o = op_slot_q;

  // A wake-up wakes all sleepers of a warp, so whatever the timer would still announce is over.
  logic woken;
  assign woken = op_valid_q && done && pseudo_q && op_q == OpWake;
  sm_sleep #(.WarpSlots(WarpSlots)) u_sleep (
      .clk_i, .rst_ni, .time_i, .init_valid_i, .init_slot_i,
      .set_valid_i(late_ready_o && op_q == sm_isa_pkg::OpNANOSLEEP), .set_slot_i(op_slot_q), .set_ns_i(late_value_i),
      .clear_valid_i(woken), .clear_slot_i(op_slot_q), .due_o(due)
  );

  always_ff @(posedge clk_i) begin
    if (step_i) pc_q[sel_slot_i] <= pc_o + 28'd16;
    if (due != '0 && !its_i) begin
      branching_o <= branching_o & ~due;
      idle_o <= idle_o & ~due;
    end
    if (op_valid_q) begin
      mask_q[op_slot_q] <= mask_d;
      gone_q[op_slot_q] <= gone_d;
      op_valid_q <= !done;
      // a release or wake-up beside a running split leaves that one alone
      if (done && !(pseudo_q && mask != '0)) begin
        branching_o[op_slot_q] <= bad || idle;
        idle_o[op_slot_q] <= !bad && idle;
      end
      if (redirect) begin
        pc_q[op_slot_q] <= next_pc;
        branching_o[op_slot_q] <= 1'b0;
        idle_o[op_slot_q] <= 1'b0;
      end
    end else if (late_valid_i || any_pending) begin
      if (!bar_busy) begin
        op_valid_q <= 1'b1;
        late_q <= late_valid_i;
        pseudo_q <= !late_valid_i;
        op_slot_q <= late_valid_i ? late_slot_i : pend_slot;
        op_q <= late_valid_i ? late_op_i : pend_op;
        breg_q <= late_breg_q[late_slot_i];
        op_pc_q <= late_valid_i ? late_pc_i : pc_q[pend_slot];
        exec_q <= late_exec_i;
        if (!late_valid_i) begin
          if (pend_op == OpSwitch) switch_q[pend_slot] <= 1'b0;
          else if (pend_op == OpRelease) release_q[pend_slot] <= 1'b0;
          else wake_q[pend_slot] <= 1'b0;
        end
      end
    end
    if (op_valid_i) begin
      op_valid_q <= 1'b1;
      late_q <= 1'b0;
      pseudo_q <= 1'b0;
      op_slot_q <= sel_slot_i;
      op_q <= op_i == sm_isa_pkg::OpBSSYR ? sm_isa_pkg::OpBSSY : op_i;
      breg_q <= op_breg_i;
      op_pc_q <= pc_o;
      target_q <= pc_o + 28'd16 + op_imm_i[27:0];
      exec_q <= op_exec_i;
      branching_o[sel_slot_i] <= 1'b1;
    end
    if (late_issue_i) begin
      late_breg_q[sel_slot_i] <= op_breg_i;
      branching_o[sel_slot_i] <= 1'b1;
    end
    if (its_i) begin
      if (want_switch) begin
        switch_q[sel_slot_i] <= 1'b1;
        branching_o[sel_slot_i] <= 1'b1;
      end
      if (release_i != '0) begin
        for (int unsigned s = 0; s < WarpSlots; s++) if (release_i[s] && split_idle[s]) release_q[s] <= 1'b1;
      end
      if (due != '0) begin
        for (int unsigned s = 0; s < WarpSlots; s++) if (due[s]) wake_q[s] <= 1'b1;
      end
      if (woken) wake_q[op_slot_q] <= 1'b0;
    end
    if (init_valid_i) begin
      pc_q[init_slot_i] <= init_pc_i;
      mask_q[init_slot_i] <= init_mask_i;
      gone_q[init_slot_i] <= ~init_mask_i;
      branching_o[init_slot_i] <= 1'b0;
      idle_o[init_slot_i] <= 1'b0;
      switch_q[init_slot_i] <= 1'b0;
      release_q[init_slot_i] <= 1'b0;
      wake_q[init_slot_i] <= 1'b0;
    end
    if (!rst_ni) begin
      op_valid_q <= 1'b0;
      branching_o <= '0;
      idle_o <= '0;
      {switch_q, release_q, wake_q} <= '0;
    end
  end

  // ---- scheduler door ----
  logic [79:0] stack_depth;
  logic [5:0]  away;
  always_comb begin
    depth_o = stack_depth;
    away = '0;
    if (view_i && its_i) begin
      for (int unsigned s = 0; s < WarpSlots; s++) begin
        away = '0;
        for (int unsigned l = 0; l < 32; l++) away = away + 6'(!gone_q[s][l] && !mask_q[s][l]);
        depth_o[5*s +: 5] = away[5] ? 5'd31 : away[4:0];
      end
    end
  end

  logic unused_imm;
  assign unused_imm = ^op_imm_i[31:28];
endmodule
