// SPDX-License-Identifier: Apache-2.0
//
// sm_dispatch: which collector goes to which unit in a cycle, and what that does to the scoreboard.
//
// int, fp (fp32 and half) and fp64 pipes: an instruction whose operands are read starts with beat 0 and sends one beat a cycle;
// at most one starts a cycle, the oldest. All pipes have four stages, but fp64 may take more beats: its start reserves
// the cycle in which its row is complete, and no other pipe starts what would complete then. So one row is written a cycle.
// The interval knob spaces starts: a pipe with an interval stands for a narrower one, whose last predicates come so much later.
// Matrix instructions hold two collectors, a and b rows, then c rows; they leave in order of issue.
// Memory, sfu, sreg, xlane, matrix, barrier: at most one instruction leaves a cycle, the oldest that its unit can take, and only when no older
// fixed-latency result can still be on its way to it (settled). Memory and barrier instructions of a warp leave in program order.
// Nothing starts while an older instruction of its warp has unread operands: so no result can overtake a read. (With four
// collectors, two reads a bank and four stages the worst queue is just short of that; the rule does not lean on it.)
// Releases: registers of int and fp in the cycle after the start (plus the latency knob; half instructions have one of their
// own), so that a dependent instruction may issue two cycles after the start; of fp64 as much later as it takes more beats;
// predicates with the last beat (plus interval and knob).
// Lanes: of the int and fp pipes. LanesF64 <= Lanes. Outputs are functions of flops and *_ready_i. Reset: nothing in progress.
module sm_dispatch #(
    parameter int unsigned Lanes = 16,
    parameter int unsigned LanesF64 = 8
) (
    input  logic clk_i,
    input  logic rst_ni,
    input  logic kill_i,                  // what waits for a variable-latency unit is dropped
    input  logic [15:0] interval_i,       // cfg: 4 bits each, int, fp32, fp64, sfu
    input  logic [15:0] latency_i,
    input  logic [3:0]  half_extra_i,
    input  logic [3:0]  mem_interval_i,   // cycles beyond one between memory instructions that leave
    input  logic [3:0]  mem_switch_i,     // so many fewer behind a load or shuffle of another warp

    // issue: pace of the units
    input  logic issue_int_i,             // an instruction with executing lanes issues for ...
    input  logic issue_fp_i,
    input  logic issue_f64_i,
    output logic int_busy_o,
    output logic fp_busy_o,
    output logic f64_busy_o,
    output logic sfu_busy_o,
    output logic sreg_busy_o,
    output logic xl_busy_o,
    output logic mma_busy_o,
    output logic lsu_full_o,

    // collectors
    input  logic [3:0]  valid_i,
    input  logic [3:0]  unread_i,
    input  logic [3:0]  fresh_i,
    input  logic [3:0]  settled_i,
    input  logic [4*sm_sub_pkg::ClsW-1:0] cls_i,
    input  logic [15:0] slot_i,
    input  logic [15:0] older_i,
    output logic [3:0]  free_o,
    output logic        late_o,           // a fixed-latency instruction could start, and does not

    // to the pipes
    output logic       int_en_o,
    output logic [1:0] int_idx_o,
    output logic [1:0] int_beat_o,
    output logic       int_last_o,
    output logic       fp_en_o,
    output logic [1:0] fp_idx_o,
    output logic [1:0] fp_beat_o,
    output logic       fp_last_o,
    output logic       f64_en_o,
    output logic [1:0] f64_idx_o,
    output logic [3:0] f64_beat_o,
    output logic       f64_last_o,
    input  sm_sub_pkg::alloc_t int_i,     // the chosen instructions
    input  sm_sub_pkg::alloc_t fp_i,
    input  sm_sub_pkg::alloc_t f64_i,

    // to the variable-latency units; one of them a cycle
    output logic       var_en_o,
    output logic [1:0] var_idx_o,
    input  logic       mem_ready_i,
    input  logic       mem_held_i,        // the memory register holds an instruction of ...
    input  logic [3:0] mem_held_slot_i,
    input  logic       mem_held_row_i,    // the one that left last gives a row: a load or shuffle
    input  logic       sfu_ready_i,
    input  logic       sreg_ready_i,
    input  logic       xl_ready_i,
    input  logic       mma_ab_ready_i,
    input  logic       mma_c_ready_i,
    input  logic       bar_ready_i,

    // scoreboard releases
    output logic       rel_int_valid_o,
    output logic [3:0] rel_int_slot_o,
    output logic [7:0] rel_int_rd_o,
    output logic       rel_int_wide_o,
    output logic       rel_fp_valid_o,
    output logic [3:0] rel_fp_slot_o,
    output logic [7:0] rel_fp_rd_o,
    output logic       rel_half_valid_o,
    output logic [3:0] rel_half_slot_o,
    output logic [7:0] rel_half_rd_o,
    output logic       rel_f64_valid_o,    // a pair
    output logic [3:0] rel_f64_slot_o,
    output logic [7:0] rel_f64_rd_o,
    output logic [2:0] rel_f64_ctr_o,      // its write counter
    output logic       relp_half_valid_o,
    output logic [3:0] relp_half_slot_o,
    output logic [7:0] relp_half_mask_o,
    output logic       relp_f64_valid_o,
    output logic [3:0] relp_f64_slot_o,
    output logic [7:0] relp_f64_mask_o,
    output logic [2:0] relp_f64_ctr_o,
    output logic       relp_int_valid_o,
    output logic [3:0] relp_int_slot_o,
    output logic [7:0] relp_int_mask_o
);
  localparam int unsigned Beats = 32 / Lanes;
  localparam int unsigned BeatsF64 = 32 / LanesF64;
  localparam int unsigned Later = BeatsF64 - Beats;   // cycles by which fp64 completes its row later
  localparam int unsigned W = sm_sub_pkg::ClsW;

  // ---- classes, order ----
  logic [3:0] is_int, is_fp, is_f64, is_sfu, is_lsu, is_sreg, is_bar, is_xl, is_mma, is_mmac, blocked, behind, behind_mma;
  always_comb begin
    blocked = '0;
    behind = '0;
    behind_mma = '0;
    for (int unsigned c = 0; c < 4; c++) begin
      is_int[c] = valid_i[c] && cls_i[W*c + sm_sub_pkg::ClsInt];
      is_fp[c] = valid_i[c] && cls_i[W*c + sm_sub_pkg::ClsFp];
      is_sfu[c] = valid_i[c] && cls_i[W*c + sm_sub_pkg::ClsSfu];
      is_lsu[c] = valid_i[c] && cls_i[W*c + sm_sub_pkg::ClsLsu];
      is_sreg[c] = valid_i[c] && cls_i[W*c + sm_sub_pkg::ClsSreg];
      is_bar[c] = valid_i[c] && cls_i[W*c + sm_sub_pkg::ClsBar];
      is_f64[c] = valid_i[c] && cls_i[W*c + sm_sub_pkg::ClsF64];
      is_xl[c] = valid_i[c] && cls_i[W*c + sm_sub_pkg::ClsXl];
      is_mma[c] = valid_i[c] && cls_i[W*c + sm_sub_pkg::ClsMma];
      is_mmac[c] = valid_i[c] && cls_i[W*c + sm_sub_pkg::ClsMmaC];
    end
    // older instructions of the same warp: unread operands, memory order
    for (int unsigned c = 0; c < 4; c++) begin
      for (int unsigned j = 0; j < 4; j++) begin
        if (valid_i[c] && older_i[4*c + j] && slot_i[4*c +: 4] == slot_i[4*j +: 4]) begin
          if (unread_i[j]) blocked[c] = 1'b1;
          if (is_lsu[j] || is_bar[j]) behind[c] = 1'b1;
        end
      end
      for (int unsigned j = 0; j < 4; j++) if (older_i[4*c + j] && (is_mma[j] || is_mmac[j])) behind_mma[c] = 1'b1;
      if (is_bar[c] && mem_held_i && mem_held_slot_i == slot_i[4*c +: 4]) behind[c] = 1'b1;
    end
  end

  // ---- fixed latency: continue a warp's beats, or start one ----
  logic       int_act_q, fp_act_q, f64_act_q;   // more beats follow
  logic [1:0] f64_idx_q;
  logic [3:0] f64_beat_q;
  logic [4:0] f64_gap_q;
  logic [15:0] taken_q;                     // bit i: in i cycles nothing of int and fp may start
  logic [1:0] int_idx_q, fp_idx_q, int_beat_q, fp_beat_q;
  logic [4:0] int_gap_q, fp_gap_q;          // cycles until the pipe can start again
  logic [3:0] start, start_oh, waits;
  logic [1:0] start_idx;
  logic       start_int, start_fp, start_f64;
  always_comb begin
    start = ~unread_i & ~fresh_i & ~blocked;
    start &= (int_gap_q == 5'd0 && !taken_q[0] ? is_int : 4'd0) | (fp_gap_q == 5'd0 && !taken_q[0] ? is_fp : 4'd0) |
             (f64_gap_q == 5'd0 ? is_f64 : 4'd0);
    if (int_act_q) start[int_idx_q] = 1'b0;
    if (fp_act_q) start[fp_idx_q] = 1'b0;
    if (f64_act_q) start[f64_idx_q] = 1'b0;
    start_oh = '0;
    for (int unsigned c = 0; c < 4; c++) start_oh[c] = start[c] && (start & older_i[4*c +: 4]) == '0;
    start_idx = {start_oh[3] | start_oh[2], start_oh[3] | start_oh[1]};
    start_int = (start_oh & is_int) != '0;
    start_fp = (start_oh & is_fp) != '0;
    start_f64 = (start_oh & is_f64) != '0;
    waits = (is_int | is_fp | is_f64) & ~unread_i & ~fresh_i & ~start_oh;
    if (int_act_q) waits[int_idx_q] = 1'b0;
    if (fp_act_q) waits[fp_idx_q] = 1'b0;
    if (f64_act_q) waits[f64_idx_q] = 1'b0;
  end
  assign late_o = waits != '0;
  assign int_en_o = int_act_q || start_int;
  assign int_idx_o = int_act_q ? int_idx_q : start_idx;
  assign int_beat_o = int_act_q ? int_beat_q : 2'd0;
  assign int_last_o = int_beat_o == 2'(Beats - 1);
  assign fp_en_o = fp_act_q || start_fp;
  assign fp_idx_o = fp_act_q ? fp_idx_q : start_idx;
  assign fp_beat_o = fp_act_q ? fp_beat_q : 2'd0;
  assign fp_last_o = fp_beat_o == 2'(Beats - 1);
  assign f64_en_o = f64_act_q || start_f64;
  assign f64_idx_o = f64_act_q ? f64_idx_q : start_idx;
  assign f64_beat_o = f64_act_q ? f64_beat_q : 4'd0;
  assign f64_last_o = f64_beat_o == 4'(BeatsF64 - 1);

  always_ff @(posedge clk_i) begin
    if (int_en_o) begin
      int_act_q <= !int_last_o;
      int_idx_q <= int_idx_o;
      int_beat_q <= int_beat_o + 2'd1;
    end
    if (fp_en_o) begin
      fp_act_q <= !fp_last_o;
      fp_idx_q <= fp_idx_o;
      fp_beat_q <= fp_beat_o + 2'd1;
    end
    if (f64_en_o) begin
      f64_act_q <= !f64_last_o;
      f64_idx_q <= f64_idx_o;
      f64_beat_q <= f64_beat_o + 4'd1;
    end
    if (Later != 0 && (taken_q != '0 || start_f64)) begin
      taken_q <= {1'b0, taken_q[15:1]};
      if (start_f64) taken_q[Later == 0 ? 0 : Later - 1] <= 1'b1;
    end
    if (start_f64) f64_gap_q <= 5'(BeatsF64 - 1) + {1'b0, interval_i[11:8]};
    else if (f64_gap_q != 5'd0) f64_gap_q <= f64_gap_q - 5'd1;
    if (start_int) int_gap_q <= 5'(Beats - 1) + {1'b0, interval_i[3:0]};
    else if (int_gap_q != 5'd0) int_gap_q <= int_gap_q - 5'd1;
    if (start_fp) fp_gap_q <= 5'(Beats - 1) + {1'b0, interval_i[7:4]};
    else if (fp_gap_q != 5'd0) fp_gap_q <= fp_gap_q - 5'd1;
    if (!rst_ni) begin
      int_act_q <= 1'b0;
      fp_act_q <= 1'b0;
      f64_act_q <= 1'b0;
      f64_gap_q <= '0;
      taken_q <= '0;
      int_gap_q <= '0;
      fp_gap_q <= '0;
    end
  end

  // ---- variable latency ----
  logic [4:0] sfu_gap_q;
  logic [3:0] mem_gap_q;
  logic [3:0] leave, leave_oh, other;   // other: of another warp than the memory instruction that left last
  always_comb begin
    leave = '0;
    for (int unsigned c = 0; c < 4; c++) other[c] = slot_i[4*c +: 4] != mem_held_slot_i;
    if ((is_lsu | is_sfu | is_sreg | is_bar | is_xl | is_mma | is_mmac) != '0) begin
      if (mem_ready_i && mem_gap_q == 4'd0) leave |= is_lsu & ~behind;
      else if (mem_ready_i && mem_held_row_i && mem_gap_q <= mem_switch_i) leave |= is_lsu & ~behind & other;
      if (sfu_ready_i && sfu_gap_q == 5'd0) leave |= is_sfu;
      if (sreg_ready_i) leave |= is_sreg;
      if (xl_ready_i) leave |= is_xl;
      if (mma_ab_ready_i) leave |= is_mma & ~behind_mma;
      if (mma_c_ready_i) leave |= is_mmac & ~behind_mma;
      if (bar_ready_i) leave |= is_bar & ~behind;
      leave &= ~unread_i & settled_i & ~blocked;
      if (kill_i) leave = '0;
    end
    leave_oh = '0;
    for (int unsigned c = 0; c < 4; c++) leave_oh[c] = leave[c] && (leave & older_i[4*c +: 4]) == '0;
    var_en_o = leave != '0;
    var_idx_o = {leave_oh[3] | leave_oh[2], leave_oh[3] | leave_oh[1]};
  end
  always_ff @(posedge clk_i) begin
    if ((leave_oh & is_sfu) != '0) sfu_gap_q <= {1'b0, interval_i[15:12]};
    else if (sfu_gap_q != 5'd0) sfu_gap_q <= sfu_gap_q - 5'd1;
    if ((leave_oh & is_lsu) != '0) mem_gap_q <= mem_interval_i;
    else if (mem_gap_q != 4'd0) mem_gap_q <= mem_gap_q - 4'd1;
    if (!rst_ni) {sfu_gap_q, mem_gap_q} <= '0;
  end

  always_comb begin
    free_o = leave_oh;
    if (int_en_o && int_last_o) free_o[int_idx_o] = 1'b1;
    if (fp_en_o && fp_last_o) free_o[fp_idx_o] = 1'b1;
    if (f64_en_o && f64_last_o) free_o[f64_idx_o] = 1'b1;
    if (kill_i) free_o |= is_lsu | is_sfu | is_sreg | is_bar | is_xl | is_mma | is_mmac;
  end

  // ---- pace at issue ----
  logic [4:0] int_pace_q, fp_pace_q, f64_pace_q;
  assign int_busy_o = int_pace_q != 5'd0;
  assign fp_busy_o = fp_pace_q != 5'd0;
  assign f64_busy_o = f64_pace_q != 5'd0;
  assign xl_busy_o = is_xl != '0;
  assign mma_busy_o = is_mma != '0;
  assign sfu_busy_o = is_sfu != '0;
  assign sreg_busy_o = is_sreg != '0;
  // two or more wait; where one may leave early, a third is let in with it, so that two are there for the next one
  logic [3:0] lsu_but_one;
  assign lsu_but_one = is_lsu & (is_lsu - 4'd1);
  assign lsu_full_o = lsu_but_one != '0 &&
                      !((lsu_but_one & (lsu_but_one - 4'd1)) == '0 && mem_gap_q != 4'd0 && mem_gap_q <= mem_switch_i);
  always_ff @(posedge clk_i) begin
    if (issue_int_i) int_pace_q <= 5'(Beats - 1) + {1'b0, interval_i[3:0]};
    else if (int_pace_q != 5'd0) int_pace_q <= int_pace_q - 5'd1;
    if (issue_fp_i) fp_pace_q <= 5'(Beats - 1) + {1'b0, interval_i[7:4]};
    else if (fp_pace_q != 5'd0) fp_pace_q <= fp_pace_q - 5'd1;
    if (issue_f64_i) f64_pace_q <= 5'(BeatsF64 - 1) + {1'b0, interval_i[11:8]};
    else if (f64_pace_q != 5'd0) f64_pace_q <= f64_pace_q - 5'd1;
    if (!rst_ni) begin
      f64_pace_q <= '0;
      int_pace_q <= '0;
      fp_pace_q <= '0;
    end
  end

  // ---- releases ----
  sm_delay #(.Width(13)) u_rel_int (
      .clk_i, .rst_ni, .delay_i(5'd1 + {1'b0, latency_i[3:0]}), .valid_i(start_int && int_i.wr),
      .data_i({int_i.slot, int_i.rd, int_i.wide}),
      .valid_o(rel_int_valid_o), .data_o({rel_int_slot_o, rel_int_rd_o, rel_int_wide_o})
  );
  sm_delay #(.Width(12)) u_rel_fp (
      .clk_i, .rst_ni, .delay_i(5'd1 + {1'b0, latency_i[7:4]}), .valid_i(start_fp && fp_i.wr && !fp_i.half),
      .data_i({fp_i.slot, fp_i.rd}), .valid_o(rel_fp_valid_o), .data_o({rel_fp_slot_o, rel_fp_rd_o})
  );
  sm_delay #(.Width(12)) u_rel_half (
      .clk_i, .rst_ni, .delay_i(5'd1 + {1'b0, half_extra_i}), .valid_i(start_fp && fp_i.wr && fp_i.half),
      .data_i({fp_i.slot, fp_i.rd}), .valid_o(rel_half_valid_o), .data_o({rel_half_slot_o, rel_half_rd_o})
  );
  sm_delay #(.Width(15)) u_rel_f64 (
      .clk_i, .rst_ni, .delay_i(5'(1 + Later) + {1'b0, latency_i[11:8]}), .valid_i(start_f64 && f64_i.wr),
      .data_i({f64_i.slot, f64_i.rd, f64_i.wr_ctr}), .valid_o(rel_f64_valid_o),
      .data_o({rel_f64_slot_o, rel_f64_rd_o, rel_f64_ctr_o})
  );
  logic [7:0] pmask, hmask, dmask;
  always_comb begin
    pmask = '0;
    hmask = '0;
    dmask = '0;
    if (fp_i.wp0) hmask[fp_i.pd0] = 1'b1;
    if (fp_i.wp1) hmask[fp_i.pd1] = 1'b1;
    if (f64_i.wp0) dmask[f64_i.pd0] = 1'b1;
    if (f64_i.wp1) dmask[f64_i.pd1] = 1'b1;
    if (int_i.wp0) pmask[int_i.pd0] = 1'b1;
    if (int_i.wp1) pmask[int_i.pd1] = 1'b1;
  end
  sm_delay #(.Width(12)) u_relp_int (
      .clk_i, .rst_ni, .delay_i(5'(Beats - 1) + {1'b0, interval_i[3:0]} + {1'b0, latency_i[3:0]}), .valid_i(start_int && pmask != '0),
      .data_i({int_i.slot, pmask}), .valid_o(relp_int_valid_o), .data_o({relp_int_slot_o, relp_int_mask_o})
  );
  sm_delay #(.Width(12)) u_relp_half (
      .clk_i, .rst_ni, .delay_i(5'(Beats - 1) + {1'b0, interval_i[7:4]} + {1'b0, half_extra_i}), .valid_i(start_fp && hmask != '0),
      .data_i({fp_i.slot, hmask}), .valid_o(relp_half_valid_o), .data_o({relp_half_slot_o, relp_half_mask_o})
  );
  sm_delay #(.Width(15)) u_relp_f64 (
      .clk_i, .rst_ni, .delay_i(5'(BeatsF64 - 1) + {1'b0, latency_i[11:8]}), .valid_i(start_f64 && dmask != '0),
      .data_i({f64_i.slot, dmask, f64_i.wr_ctr}), .valid_o(relp_f64_valid_o),
      .data_o({relp_f64_slot_o, relp_f64_mask_o, relp_f64_ctr_o})
  );

  logic unused_bits;
  assign unused_bits = ^{int_i, fp_i, f64_i, latency_i[15:12], cls_i};
endmodule
