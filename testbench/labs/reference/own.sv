// SPDX-License-Identifier: Apache-2.0
//
// A solution of lab 7, "your own scheduler": the longest way first. A warp's way is the number of instructions that
// its branches put before it
// (a loop that goes on adds its body) and that it has not issued yet; of equal ways the oldest warp goes first. So the
// warp that would be last begins first, and where all have the same way the old ones run ahead.
module sm_sched_own #(
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
  localparam int unsigned WayBits = 10;
  logic [WarpSlots*WayBits-1:0] way_q;   // instructions, saturating
  logic [WarpSlots-1:0]         longest;
  logic [WayBits-1:0]           most;
  logic [SlotBits-1:0]          oldest;

  always_comb begin
    most = '0;
    longest = '0;
    for (int unsigned i = 0; i < WarpSlots; i++) begin
      if (eligible_i[i] && way_q[i*WayBits +: WayBits] > most) most = way_q[i*WayBits +: WayBits];
    end
    for (int unsigned i = 0; i < WarpSlots; i++) longest[i] = eligible_i[i] && way_q[i*WayBits +: WayBits] == most;
  end
  sm_sched_oldest #(.WarpSlots(WarpSlots)) u_oldest (
      .en_i(pick_valid_o), .set_i(longest), .older_i, .slot_o(oldest)
  );
  assign pick_valid_o = en_i && eligible_i != '0;
  assign pick_slot_o = oldest;
  assign withheld_o = '0;

  always_ff @(posedge clk_i) begin : count
    logic [WayBits:0] way;
    if (!rst_ni) way_q <= '0;
    else if (en_i) begin
      for (int unsigned i = 0; i < WarpSlots; i++) begin
        way = {1'b0, way_q[i*WayBits +: WayBits]};
        if (issue_valid_i && issue_slot_i == SlotBits'(i) && way != '0) way = way - (WayBits + 1)'(1);
        if (ev_i.br_valid && ev_i.br_slot == 4'(i)) way = way + (WayBits + 1)'(ev_i.br_insts);
        if (ev_i.launched[i]) way = '0;
        way_q[i*WayBits +: WayBits] <= way[WayBits] ? '1 : way[WayBits-1:0];
      end
    end
  end

  logic unused_door;
  assign unused_door = ^{knob_i, valid_i, ev_i};
endmodule
