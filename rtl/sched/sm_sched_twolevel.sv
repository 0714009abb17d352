// SPDX-License-Identifier: Apache-2.0
//
// sm_sched_twolevel: two-level scheduling. Only the slots of the active set issue, loose round robin. A warp leaves
// the set when its next instruction waits for a global load, at a block barrier and at its end; while there is room,
// one pending warp that waits for none of these joins a cycle, round robin. Other eligible slots are withheld. Not
// work conserving; bound: sm_sched_progress.
// knob 0: places of the active set, 1 to 16 (larger counts as 16); 0 = TwoLevelActive.
// Latency 0. en_i = 0: picks nothing and keeps its state. issue_*: what issued in this cycle, whoever chose it.
// Sources: Gebhart et al., ISCA 2011; Narasiman et al., MICRO 2011. Twin: model/twin/sched_twolevel.
module sm_sched_twolevel #(
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
  logic [WarpSlots-1:0] active_q, above_q;   // the set; slots after the last one issued
  logic [WarpSlots-1:0] entered_q;            // slots after the last one that entered
  logic [WarpSlots-1:0] set, cand, oh, last_oh, ready, stay, pending, enter;
  logic [4:0]           places, used;

  always_comb begin
    set = '0;
    cand = '0;
    oh = '0;
    pick_slot_o = '0;
    withheld_o = '0;
    if (en_i) begin
      set = eligible_i & active_q;
      withheld_o = eligible_i & ~active_q;
      cand = set & above_q;
      if (cand == '0) cand = set;
      oh = cand & (~cand + WarpSlots'(1));
      for (int unsigned i = 0; i < WarpSlots; i++) if (oh[i]) pick_slot_o |= SlotBits'(i);
    end
  end
  assign pick_valid_o = set != '0;

  always_comb begin
    places = knob_i[31:0] == '0 ? 5'(sm_cfg_pkg::TwoLevelActive) : knob_i[31:0] > 32'd16 ? 5'd16 : knob_i[4:0];
    ready = '0;
    stay = '0;
    pending = '0;
    enter = '0;
    used = '0;
    if (en_i) begin
      ready = valid_i & ~ev_i.parked[WarpSlots-1:0] & ~ev_i.long_wait[WarpSlots-1:0];
      stay = active_q & ready;
      for (int unsigned i = 0; i < WarpSlots; i++) used = used + 5'(stay[i]);
      if (used < places) begin
        pending = ready & ~active_q;
        if ((pending & entered_q) != '0) pending = pending & entered_q;
        enter = pending & (~pending + WarpSlots'(1));
      end
    end
  end

  assign last_oh = WarpSlots'(1) << issue_slot_i;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      active_q <= '0;
      above_q <= '1;
      entered_q <= '1;
    end else if (en_i) begin
      active_q <= stay | enter;
      if (enter != '0) entered_q <= ~(enter | (enter - WarpSlots'(1)));
      if (issue_valid_i) above_q <= ~(last_oh | (last_oh - WarpSlots'(1)));
    end
  end

  logic unused_door;
  assign unused_door = ^{knob_i, older_i, ev_i};
endmodule
