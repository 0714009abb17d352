// SPDX-License-Identifier: Apache-2.0
//
// Probe of the way of instructions through a sub-core, for event traces (level 3): fetched words, emptied instruction
// buffers, instructions that leave their operand collector, why each warp does not issue. Bound to sm_subcore.
module sm_probe_pipe #(
    parameter int unsigned WarpSlots = 16
) (
    input logic clk_i,
    input logic rst_ni,
    input logic [1:0] sub,
    // F1: words read for a warp in this cycle
    input logic f1_read,
    input logic f1_two,
    input logic [3:0] f1_slot,
    input logic [27:0] f1_pc,
    input logic flush,
    input logic [3:0] flush_slot,
    // first beat out of a collector
    input logic int_en,
    input logic [3:0] int_slot,
    input logic [27:0] int_pc,
    input logic fp_en,
    input logic [3:0] fp_slot,
    input logic [27:0] fp_pc,
    input logic f64_en,
    input logic [3:0] f64_slot,
    input logic [27:0] f64_pc,
    input logic var_en,
    input logic [3:0] var_slot,
    input logic [27:0] var_pc,
    // warps: one bit a slot
    input logic iss,
    input logic [3:0] iss_slot,
    input logic [WarpSlots-1:0] valid,
    input logic [WarpSlots-1:0] ready,
    input logic [WarpSlots-1:0] w_pipe,
    input logic [WarpSlots-1:0] w_lsu,
    input logic [WarpSlots-1:0] w_bank,
    input logic [WarpSlots-1:0] going,
    input logic [WarpSlots-1:0] fix,
    input logic [WarpSlots-1:0] shrt,
    input logic [WarpSlots-1:0] lng,
    input logic [WarpSlots-1:0] branch,
    input logic [WarpSlots-1:0] membar,
    input logic [WarpSlots-1:0] barrier,
    input logic [WarpSlots-1:0] sleep,
    input logic [WarpSlots-1:0] withheld,
    input logic [WarpSlots-1:0] done
);
  int level;
  initial level = sm_probe_pkg::wg_probe_level();

  logic [63:0] why_q, why;
  always_comb begin
    why = why_q;
    if (level >= 3) begin
      for (int unsigned s = 0; s < WarpSlots; s++) begin
        // the warp that issues keeps what was said of it before
        if (!(iss && iss_slot == 4'(s))) begin
          why[4*s +: 4] = !valid[s] ? sm_cfg_pkg::ReasonNoWarp
              : ready[s] && w_pipe[s] ? sm_cfg_pkg::ReasonPipeBusy
              : ready[s] && w_lsu[s] ? sm_cfg_pkg::ReasonLsuFull
              : ready[s] && w_bank[s] ? sm_cfg_pkg::ReasonRegBank
              : going[s] && fix[s] ? sm_cfg_pkg::ReasonDepFixed
              : branch[s] ? sm_cfg_pkg::ReasonBranchSwitch
              : going[s] && shrt[s] ? sm_cfg_pkg::ReasonDepShort
              : going[s] && lng[s] ? sm_cfg_pkg::ReasonDepLong
              : membar[s] ? sm_cfg_pkg::ReasonMembar
              : barrier[s] ? sm_cfg_pkg::ReasonBarrier
              : done[s] ? sm_cfg_pkg::ReasonFinished
              : sleep[s] ? sm_cfg_pkg::ReasonSleep
              : !going[s] ? sm_cfg_pkg::ReasonNoInsn
              : withheld[s] ? sm_cfg_pkg::ReasonThrottled : sm_cfg_pkg::ReasonNotSelected;
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) why_q <= {16{sm_cfg_pkg::ReasonNoWarp}};
    if (rst_ni && level >= 3) begin
      if (f1_read) sm_probe_pkg::wg_probe_fetch({30'b0, sub}, {28'b0, f1_slot}, {4'b0, f1_pc}, {31'b0, f1_two});
      if (flush) sm_probe_pkg::wg_probe_flush({30'b0, sub}, {28'b0, flush_slot});
      if (int_en) sm_probe_pkg::wg_probe_exec({30'b0, sub}, {28'b0, int_slot}, {4'b0, int_pc});
      if (fp_en) sm_probe_pkg::wg_probe_exec({30'b0, sub}, {28'b0, fp_slot}, {4'b0, fp_pc});
      if (f64_en) sm_probe_pkg::wg_probe_exec({30'b0, sub}, {28'b0, f64_slot}, {4'b0, f64_pc});
      if (var_en) sm_probe_pkg::wg_probe_exec({30'b0, sub}, {28'b0, var_slot}, {4'b0, var_pc});
      if (why != why_q) begin
        sm_probe_pkg::wg_probe_why({30'b0, sub}, why);
        why_q <= why;
      end
    end
  end
endmodule

bind sm_subcore sm_probe_pipe #(.WarpSlots(WarpSlots)) u_probe_pipe (
    .clk_i, .rst_ni, .sub(sub_i), .f1_read((u_fetch.hit || u_fetch.bad) && !u_fetch.f1_dead), .f1_two(u_fetch.two),
    .f1_slot(4'(u_fetch.f1_slot)), .f1_pc(u_fetch.f1_pc), .flush(redirect), .flush_slot(4'(redirect_slot)),
    .int_en(int_en && int_beat == '0), .int_slot(int_uop.slot), .int_pc(int_uop.pc),
    .fp_en(fp_en && fp_beat == '0), .fp_slot(fp_uop.slot), .fp_pc(fp_uop.pc),
    .f64_en(f64_en && f64_beat == '0), .f64_slot(f64_uop.slot), .f64_pc(f64_uop.pc),
    .var_en, .var_slot(var_uop.slot), .var_pc(var_uop.pc),
    .iss, .iss_slot(4'(iss_slot)), .valid, .ready(u_issue.ready), .w_pipe(u_issue.w_pipe), .w_lsu(u_issue.w_lsu),
    .w_bank(u_issue.w_bank), .going(u_issue.going), .fix(u_issue.fix | u_issue.wait_held), .shrt(u_issue.shrt),
    .lng(u_issue.lng), .branch(run & branching & ~idle), .membar(at_membar), .barrier(at_barrier), .sleep(run & idle),
    .withheld, .done);
