// SPDX-License-Identifier: Apache-2.0
//
// sm_sched_lrr: loose round robin. Picks the first eligible slot after the slot that issued last, in slot order,
// wrapping (that slot itself comes last). After reset slot 0 comes first. Work conserving: an eligible slot waits
// for at most WarpSlots - 1 issues while it stays eligible. No knobs.
// Latency 0. en_i = 0: picks nothing and keeps its state. issue_*: what issued in this cycle, whoever chose it.
// Twin: model/twin/sched_lrr. See also: sm_sched_gto, sm_warp_sched.
module sm_sched_lrr #(
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
  logic [WarpSlots-1:0] cand, oh, last_oh;

  always_comb begin
    cand = '0;
    oh = '0;
    pick_slot_o = '0;
    pick_valid_o = en_i && eligible_i != '0;
    if (pick_valid_o) begin
      cand = eligible_i & above_q;
      if (cand == '0) cand = eligible_i;
      oh = cand & (~cand + WarpSlots'(1));
      for (int unsigned i = 0; i < WarpSlots; i++) if (oh[i]) pick_slot_o |= SlotBits'(i);
    end
  end
  assign withheld_o = '0;

  assign last_oh = WarpSlots'(1) << issue_slot_i;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) above_q <= '1;
    else if (en_i && issue_valid_i) above_q <= ~(last_oh | (last_oh - WarpSlots'(1)));
  end

  logic unused_door;
  assign unused_door = ^{knob_i, valid_i, older_i, ev_i};
endmodule
