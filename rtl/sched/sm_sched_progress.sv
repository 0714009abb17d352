// SPDX-License-Identifier: Apache-2.0
//
// sm_sched_progress: the rule that no policy breaks: a slot that was eligible and has not issued for
// progress_i steps of 64 cycles since is then chosen whenever it is eligible until it has issued SchedGrant times. Several
// such slots take turns, first those that have not issued yet. So an eligible slot waits for at most that + WarpSlots
// cycles, whatever the policy does. Time is counted in steps of 64 cycles with en_i, so the wait before a grant is up to
// 63 cycles shorter. force_*: the slot that issues instead of the policy's pick. launched_i clears a slot.
// Outputs are functions of flops and eligible_i. en_i = 0: forces nothing and keeps its state; so does progress_i = 0.
// Twin: model/twin/sched.c. See also: sm_warp_sched.
module sm_sched_progress #(
    parameter int unsigned WarpSlots = 16,
    localparam int unsigned SlotBits = $clog2(WarpSlots)
) (
    input  logic                 clk_i,
    input  logic                 rst_ni,
    input  logic                 en_i,
    input  logic [6:0]           progress_i,   // constant while slots are bound; 1..64, 0: no rule
    input  logic [WarpSlots-1:0] eligible_i,
    input  logic [WarpSlots-1:0] launched_i,
    input  logic                 issue_valid_i,
    input  logic [SlotBits-1:0]  issue_slot_i,
    output logic                 force_valid_o,
    output logic [SlotBits-1:0]  force_slot_o
);
  localparam int unsigned CountBits = 6;
  logic [5:0]                     tick_q;
  logic [WarpSlots-1:0]           waiting_q, granted_q, above_q;   // was eligible since its last issue; issues first
  logic [WarpSlots*CountBits-1:0] count_q;   // steps waited; of a granted slot: issues left, less 1
  logic                           on;
  logic [CountBits-1:0]           last_step;
  logic [WarpSlots-1:0]           cand, fresh, oh, issued, waiting;   // fresh: granted, not yet issued

  assign on = en_i && progress_i != 7'd0;
  assign last_step = CountBits'(progress_i - 7'd1);

  always_comb begin
    cand = '0;
    fresh = '0;
    oh = '0;
    force_slot_o = '0;
    if (on && granted_q != '0) begin
      cand = granted_q & eligible_i;
      for (int unsigned i = 0; i < WarpSlots; i++) begin
        fresh[i] = cand[i] && count_q[CountBits*i +: CountBits] == CountBits'(sm_cfg_pkg::SchedGrant - 1);
      end
      if (fresh != '0) cand = fresh;
      else if ((cand & above_q) != '0) cand = cand & above_q;
      oh = cand & (~cand + WarpSlots'(1));
      for (int unsigned i = 0; i < WarpSlots; i++) if (oh[i]) force_slot_o |= SlotBits'(i);
    end
  end
  assign force_valid_o = cand != '0;

  assign issued = issue_valid_i ? WarpSlots'(1) << issue_slot_i : '0;
  assign waiting = (waiting_q | eligible_i) & ~issued & ~launched_i;
  always_ff @(posedge clk_i) begin
    if (on) begin
      tick_q <= tick_q + 6'd1;
      waiting_q <= waiting;
      if (tick_q == '1) begin
        for (int unsigned i = 0; i < WarpSlots; i++) begin
          if (waiting[i] && !granted_q[i]) begin
            count_q[CountBits*i +: CountBits] <= count_q[CountBits*i +: CountBits] + CountBits'(1);
            if (count_q[CountBits*i +: CountBits] == last_step) begin
              granted_q[i] <= 1'b1;
              count_q[CountBits*i +: CountBits] <= CountBits'(sm_cfg_pkg::SchedGrant - 1);
            end
          end
        end
      end
      if (issue_valid_i) begin
        above_q <= ~(issued | (issued - WarpSlots'(1)));
        if (granted_q[issue_slot_i] && count_q[CountBits*32'(issue_slot_i) +: CountBits] != '0) begin
          count_q[CountBits*32'(issue_slot_i) +: CountBits] <=
              count_q[CountBits*32'(issue_slot_i) +: CountBits] - CountBits'(1);
        end else begin
          granted_q[issue_slot_i] <= 1'b0;
          count_q[CountBits*32'(issue_slot_i) +: CountBits] <= '0;
        end
      end
      if (launched_i != '0) begin
        for (int unsigned i = 0; i < WarpSlots; i++) begin
          if (launched_i[i]) begin
            granted_q[i] <= 1'b0;
            count_q[CountBits*i +: CountBits] <= '0;
          end
        end
      end
    end
    if (!rst_ni) begin
      tick_q <= '0;
      waiting_q <= '0;
      granted_q <= '0;
      count_q <= '0;
      above_q <= '1;
    end
  end
endmodule
