// SPDX-License-Identifier: Apache-2.0
//
// sm_sched_gty: greedy, then youngest. Picks the slot that issued last if it is eligible, else the eligible one that
// was bound last. Meant for the control-bits dependence mode, where the compiler decides what is ready. Work
// conserving; bound: sm_sched_progress. No knobs.
// Latency 0. en_i = 0: picks nothing and keeps its state. issue_*: what issued in this cycle, whoever chose it.
// Source: Huerta et al., arXiv 2503.20481 (MICRO 2025). Twin: model/twin/sched_gty. See also: sm_sched_gto.
module sm_sched_gty #(
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

  logic                 greedy;
  logic [WarpSlots-1:0] others;
  assign greedy = last_valid_q && eligible_i[last_q];
  always_comb begin
    others = '0;
    pick_slot_o = '0;
    pick_valid_o = en_i && eligible_i != '0;
    if (pick_valid_o) begin
      if (greedy) pick_slot_o = last_q;
      else begin
        for (int unsigned i = 0; i < WarpSlots; i++) begin
          others = eligible_i & ~(WarpSlots'(1) << i);
          if (eligible_i[i] && (others & ~older_i[i*WarpSlots +: WarpSlots]) == '0) pick_slot_o |= SlotBits'(i);
        end
      end
    end
  end
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
