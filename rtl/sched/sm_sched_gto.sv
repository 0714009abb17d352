// SPDX-License-Identifier: Apache-2.0
//
// sm_sched_gto: greedy, then oldest. Picks the slot that issued last if it is eligible, else the oldest eligible one: age is
// the order in which the slots were bound, the earliest first. "Issued last" is a slot number: it stays when the slot is bound
// anew, and there is none after reset.
// Latency 0. en_i = 0: picks nothing and keeps its state. issued_i: the pick of this cycle is issued.
// older_i: bit [i * WarpSlots + j]: slot j was bound before slot i and not since.
// Source: Rogers et al., MICRO 2012. Twin: model/twin/sched_gto. See also: sm_sched_lrr, sm_warp_sched.
module sm_sched_gto #(
    parameter int unsigned WarpSlots = 16,
    localparam int unsigned SlotBits = $clog2(WarpSlots)
) (
    input  logic                           clk_i,
    input  logic                           rst_ni,
    input  logic                           en_i,
    input  logic [WarpSlots*WarpSlots-1:0] older_i,
    input  logic [WarpSlots-1:0]           eligible_i,
    input  logic                           issued_i,
    output logic                           pick_valid_o,
    output logic [SlotBits-1:0]            pick_slot_o
);
  logic                last_valid_q;
  logic [SlotBits-1:0] last_q;

  always_comb begin
    pick_slot_o = '0;
    pick_valid_o = en_i && eligible_i != '0;
    if (pick_valid_o) begin
      if (last_valid_q && eligible_i[last_q]) pick_slot_o = last_q;
      else begin
        for (int unsigned i = 0; i < WarpSlots; i++) begin
          if (eligible_i[i] && (eligible_i & older_i[i*WarpSlots +: WarpSlots]) == '0) pick_slot_o |= SlotBits'(i);
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) last_valid_q <= 1'b0;
    else if (issued_i && pick_valid_o) begin
      last_valid_q <= 1'b1;
      last_q <= pick_slot_o;
    end
  end
endmodule
