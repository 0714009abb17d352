// SPDX-License-Identifier: Apache-2.0
//
// sm_sched_rr: strict round robin. Only the slot whose turn it is may issue: the first bound slot after the one that
// issued last, in slot order, wrapping. A warp at a block barrier or without lanes has no turn. If the warp in turn
// is not eligible the cycle is lost and the other eligible slots are withheld. Not work conserving; bound:
// sm_sched_progress. No knobs.
// Latency 0. en_i = 0: picks nothing and keeps its state. issue_*: what issued in this cycle, whoever chose it.
// Twin: model/twin/sched_rr. See also: sm_sched_lrr.
module sm_sched_rr #(
    parameter int unsigned WarpSlots = 16,
    localparam int unsigned SlotBits = $clog2(WarpSlots)
) (
    input  logic                           clk_i,
    input  logic                           rst_ni,
    input  logic                           en_i,
    input  logic [127:0]                   knob_i,
    input  logic [WarpSlots-1:0]           valid_i,
    input  logic [WarpSlots-1:0]           eligible_i,
    input  logic [WarpSlots*WarpSlots-1:0] older_i,
    input  sm_sub_pkg::sched_ev_t          ev_i,
    input  logic                           issue_valid_i,
    input  logic [SlotBits-1:0]            issue_slot_i,
    output logic                           pick_valid_o,
    output logic [SlotBits-1:0]            pick_slot_o,
    output logic [WarpSlots-1:0]           withheld_o
);
  logic [WarpSlots-1:0] above_q;   // slots after the last one issued
  logic [WarpSlots-1:0] ring, cand, turn, last_oh;

  always_comb begin
    ring = '0;
    cand = '0;
    turn = '0;
    pick_slot_o = '0;
    pick_valid_o = 1'b0;
    withheld_o = '0;
    if (en_i) begin
      ring = valid_i & ~ev_i.parked[WarpSlots-1:0];
      cand = ring & above_q;
      if (cand == '0) cand = ring;
      turn = cand & (~cand + WarpSlots'(1));
      pick_valid_o = (turn & eligible_i) != '0;
      withheld_o = eligible_i & ~turn;
      for (int unsigned i = 0; i < WarpSlots; i++) if (turn[i]) pick_slot_o |= SlotBits'(i);
    end
  end

  assign last_oh = WarpSlots'(1) << issue_slot_i;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) above_q <= '1;
    else if (en_i && issue_valid_i) above_q <= ~(last_oh | (last_oh - WarpSlots'(1)));
  end

  logic unused_door;
  assign unused_door = ^{knob_i, older_i, ev_i};
endmodule
