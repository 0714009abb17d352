// SPDX-License-Identifier: Apache-2.0
//
// Probe of a sub-core: issue, register and predicate write-back, divergence unit, scheduler pick; bound to sm_subcore.
module sm_probe_subcore #(
    parameter int unsigned WarpSlots = 16,
    parameter int unsigned Lanes = 16,
    parameter int unsigned LanesF64 = 8
) (
    input logic clk_i,
    input logic rst_ni,
    input logic [1:0] sub,
    input logic [3:0] policy,
    // issue
    input logic [WarpSlots-1:0] valid,
    input logic [WarpSlots-1:0] eligible,
    input logic [WarpSlots-1:0] withheld,
    input sm_sub_pkg::sched_ev_t sched_ev,
    input logic iss,
    input logic iss_fault,
    input logic [3:0] iss_slot,
    input logic [27:0] iss_pc,
    input logic [31:0] iss_mask,
    input logic [31:0] iss_exec,
    // register writes: fixed-latency pipes, V bus
    input logic int_valid,
    input sm_sub_pkg::ftag_t int_tag,
    input logic [31:0] int_mask,
    input logic [1023:0] int_lo,
    input logic [1023:0] int_hi,
    input logic fp_valid,
    input sm_sub_pkg::ftag_t fp_tag,
    input logic [31:0] fp_mask,
    input logic [1023:0] fp_lo,
    input logic f64_valid,
    input sm_sub_pkg::ftag_t f64_tag,
    input logic [31:0] f64_mask,
    input logic [1023:0] f64_lo,
    input logic [1023:0] f64_hi,
    input logic v_we,
    input logic v_wide,
    input logic [3:0] v_slot,
    input logic [7:0] v_rd,
    input logic [31:0] v_mask,
    input logic [1023:0] v_lo,
    input logic [1023:0] v_hi,
    // predicate writes
    input logic p_we,
    input logic [3:0] p_slot,
    input logic [1:0] p_beat,
    input logic [Lanes-1:0] p_mask,
    input logic p_wp0,
    input logic [2:0] p_pd0,
    input logic [Lanes-1:0] p_bits0,
    input logic p_wp1,
    input logic [2:0] p_pd1,
    input logic [Lanes-1:0] p_bits1,
    input logic h_we,
    input logic [3:0] h_slot,
    input logic [1:0] h_beat,
    input logic [Lanes-1:0] h_mask,
    input logic h_wp0,
    input logic [2:0] h_pd0,
    input logic [Lanes-1:0] h_bits0,
    input logic h_wp1,
    input logic [2:0] h_pd1,
    input logic [Lanes-1:0] h_bits1,
    input logic d_we,
    input logic [3:0] d_slot,
    input logic [3:0] d_beat,
    input logic [LanesF64-1:0] d_mask,
    input logic d_wp0,
    input logic [2:0] d_pd0,
    input logic [LanesF64-1:0] d_bits0,
    input logic d_wp1,
    input logic [2:0] d_pd1,
    input logic [LanesF64-1:0] d_bits1,
    input logic vp_we,
    input logic [2:0] vp_pd,
    input logic [31:0] vp_bits,
    // divergence unit
    input logic st_valid,
    input logic st_done,
    input logic [3:0] st_slot,
    input logic [7:0] st_op,
    input logic [3:0] st_breg,
    input logic [27:0] st_pc,
    input logic [27:0] st_target,
    input logic [31:0] st_mask,
    input logic [31:0] st_exec,
    input logic [27:0] st_next_pc,
    input logic [31:0] st_next_mask,
    input logic [5:0] st_depth,
    input logic st_bad,
    input logic [3:0] st_code
);
  int level;
  initial level = sm_probe_pkg::wg_probe_level();

  logic [31:0] first_mask_q;   // mask before an operation of several cycles
  logic        going_q, st_first;
  assign st_first = !going_q;
  always_ff @(posedge clk_i) going_q <= st_valid && !st_done;
  always_ff @(posedge clk_i) if (st_valid && st_first) first_mask_q <= st_mask;

  function automatic int u4(input logic [3:0] v);
    return {28'b0, v};
  endfunction
  function automatic int beat_lanes(input logic [Lanes-1:0] v, input logic [1:0] beat);
    return 32'(v) << (32'(beat) * Lanes);
  endfunction
  function automatic int beat_lanes64(input logic [LanesF64-1:0] v, input logic [3:0] beat);
    return 32'(v) << (32'(beat) * LanesF64);
  endfunction

  always_ff @(posedge clk_i) begin
    if (rst_ni && level >= 1) begin
      if (iss && !iss_fault) begin
        sm_probe_pkg::wg_probe_issue({30'b0, sub}, u4(iss_slot), {4'b0, iss_pc}, iss_mask, iss_exec);
      end
      if (int_valid && int_tag.last) begin
        sm_probe_pkg::wg_probe_wb({30'b0, sub}, u4(int_tag.slot), {24'b0, int_tag.rd}, {31'b0, int_tag.wide}, 0, int_mask,
                                  int_lo, int_hi);
      end
      if (fp_valid && fp_tag.last) begin
        sm_probe_pkg::wg_probe_wb({30'b0, sub}, u4(fp_tag.slot), {24'b0, fp_tag.rd}, 0, 0, fp_mask, fp_lo, '0);
      end
      if (f64_valid && f64_tag.last) begin
        sm_probe_pkg::wg_probe_wb({30'b0, sub}, u4(f64_tag.slot), {24'b0, f64_tag.rd}, 1, 0, f64_mask, f64_lo, f64_hi);
      end
      if (v_we) begin
        sm_probe_pkg::wg_probe_wb({30'b0, sub}, u4(v_slot), {24'b0, v_rd}, {31'b0, v_wide}, 1, v_mask, v_lo, v_hi);
      end
      if (p_we && p_wp0) begin
        sm_probe_pkg::wg_probe_pred({30'b0, sub}, u4(p_slot), {29'b0, p_pd0}, beat_lanes(p_mask, p_beat),
                                    beat_lanes(p_bits0 & p_mask, p_beat));
      end
      if (p_we && p_wp1) begin
        sm_probe_pkg::wg_probe_pred({30'b0, sub}, u4(p_slot), {29'b0, p_pd1}, beat_lanes(p_mask, p_beat),
                                    beat_lanes(p_bits1 & p_mask, p_beat));
      end
      if (h_we && h_wp0) begin
        sm_probe_pkg::wg_probe_pred({30'b0, sub}, u4(h_slot), {29'b0, h_pd0}, beat_lanes(h_mask, h_beat),
                                    beat_lanes(h_bits0 & h_mask, h_beat));
      end
      if (h_we && h_wp1) begin
        sm_probe_pkg::wg_probe_pred({30'b0, sub}, u4(h_slot), {29'b0, h_pd1}, beat_lanes(h_mask, h_beat),
                                    beat_lanes(h_bits1 & h_mask, h_beat));
      end
      if (d_we && d_wp0) begin
        sm_probe_pkg::wg_probe_pred({30'b0, sub}, u4(d_slot), {29'b0, d_pd0}, beat_lanes64(d_mask, d_beat),
                                    beat_lanes64(d_bits0 & d_mask, d_beat));
      end
      if (d_we && d_wp1) begin
        sm_probe_pkg::wg_probe_pred({30'b0, sub}, u4(d_slot), {29'b0, d_pd1}, beat_lanes64(d_mask, d_beat),
                                    beat_lanes64(d_bits1 & d_mask, d_beat));
      end
      if (vp_we) sm_probe_pkg::wg_probe_pred({30'b0, sub}, u4(v_slot), {29'b0, vp_pd}, v_mask, vp_bits & v_mask);
    end
    if (rst_ni && level >= 2) begin
      if (st_valid && (st_done || st_bad)) begin
        sm_probe_pkg::wg_probe_stack({30'b0, sub}, u4(st_slot), {24'b0, st_op}, u4(st_breg), {4'b0, st_pc},
            {4'b0, st_target}, st_first ? st_mask : first_mask_q, st_exec, {4'b0, st_next_pc}, st_next_mask,
            {26'b0, st_depth}, st_bad ? u4(st_code) : 0);
      end
      if (valid != '0) begin
        sm_probe_pkg::wg_probe_pick({30'b0, sub}, u4(policy), {31'b0, iss}, u4(iss_slot), 32'(valid), 32'(eligible),
                                    32'(withheld), sched_ev);
      end
    end
  end

  logic unused_tags;
  assign unused_tags = ^{int_tag, fp_tag, f64_tag};
endmodule

bind sm_subcore sm_probe_subcore #(.WarpSlots(WarpSlots), .Lanes(LanesInt), .LanesF64(LanesFp64)) u_probe (
    .clk_i, .rst_ni, .sub(sub_i), .policy(cfg_q.policy), .valid, .eligible, .withheld, .sched_ev, .iss, .iss_fault(issue_fault),
    .iss_slot(4'(iss_slot)), .iss_pc, .iss_mask, .iss_exec(exec),
    .int_valid(ires_valid), .int_tag(itag), .int_mask(ires_mask), .int_lo(ires_lo), .int_hi(ires_hi),
    .fp_valid(fres_valid), .fp_tag(ftag), .fp_mask(fres_mask), .fp_lo(fres_lo),
    .f64_valid(dres_valid), .f64_tag(dtag), .f64_mask(dres_mask), .f64_lo(dres_lo), .f64_hi(dres_hi),
    .h_we(hpred_we), .h_slot(fp_uop.slot), .h_beat(fp_beat), .h_mask(fp_mask), .h_wp0(fp_uop.wp0), .h_pd0(fp_uop.pd0),
    .h_bits0(half_pd0), .h_wp1(fp_uop.wp1), .h_pd1(fp_uop.pd1), .h_bits1(half_pd1),
    .d_we(dpred_we), .d_slot(f64_uop.slot), .d_beat(f64_beat), .d_mask(f64_mask), .d_wp0(f64_uop.wp0), .d_pd0(f64_uop.pd0),
    .d_bits0(f64_pd0), .d_wp1(f64_uop.wp1), .d_pd1(f64_uop.pd1), .d_bits1(f64_pd1),
    .v_we, .v_wide, .v_slot, .v_rd, .v_mask, .v_lo, .v_hi,
    .p_we(pred_we), .p_slot(int_uop.slot), .p_beat(int_beat), .p_mask(int_mask), .p_wp0(int_uop.wp0),
    .p_pd0(int_uop.pd0), .p_bits0(int_pd0), .p_wp1(int_uop.wp1), .p_pd1(int_uop.pd1), .p_bits1(int_pd1),
    .vp_we, .vp_pd, .vp_bits,
    .st_valid(u_diverge.op_valid_q), .st_done(u_diverge.done), .st_slot(4'(u_diverge.op_slot_q)),
    .st_op(u_diverge.op_q), .st_breg(u_diverge.breg_q), .st_pc(u_diverge.op_pc_q), .st_target(u_diverge.target_q),
    .st_mask(u_diverge.mask), .st_exec(u_diverge.exec_q), .st_next_pc(u_diverge.next_pc),
    .st_next_mask(u_diverge.mask_d), .st_depth(cfg_q.diverge_its ? 6'd0 : u_diverge.u_stack.depth_d),
    .st_bad(u_diverge.bad), .st_code(u_diverge.fault_code_o));
