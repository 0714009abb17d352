// SPDX-License-Identifier: Apache-2.0
//
// sm_sched_gto: greedy, then oldest. Picks the slot that issued last if it is eligible, else the oldest eligible
// one: age is the order in which the slots were bound, the earliest first. "Issued last" is a slot number: it stays when the slot is bound
// anew, and there is none after reset. Work conserving; bound: sm_sched_progress. No knobs.
// Latency 0. en_i = 0: picks nothing and keeps its state. issue_*: what issued in this cycle, whoever chose it.
// older_i: bit [i * WarpSlots + j]: slot j was bound before slot i and not since.
// Source: Rogers et al., MICRO 2012. Twin: model/twin/sched_gto. See also: sm_sched_old, sm_sched_gty.
module sm_sched_gto #(
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
  logic                last_valid_q;
  logic [SlotBits-1:0] last_q;

  logic                greedy;
  logic [SlotBits-1:0] oldest;
  assign greedy = last_valid_q && eligible_i[last_q];
  sm_sched_oldest #(.WarpSlots(WarpSlots)) u_oldest (
      .en_i(en_i && !greedy), .set_i(eligible_i), .older_i, .slot_o(oldest)
  );
  assign pick_valid_o = en_i && eligible_i != '0;
  assign pick_slot_o = !pick_valid_o ? '0 : greedy ? last_q : oldest;
  assign withheld_o = '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) last_valid_q <= 1'b0;
    else if (en_i && issue_valid_i) begin
      last_valid_q <= 1'b1;
      last_q <= issue_slot_i;
    end
  end

  logic unused_door;
  assign unused_door = ^{knob_i, valid_i, ev_i};
endmodule
