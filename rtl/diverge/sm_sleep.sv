// SPDX-License-Identifier: Apache-2.0
//
// sm_sleep: one timer a warp slot, for NANOSLEEP. set_valid_i: the slot sleeps for set_ns_i ns, at most 1 ms, from time_i on; a slot
// that sleeps already keeps the earlier end. due_o: the slot's time is over; set in one cycle, from then on it sleeps no more.
// clear_valid_i: all sleepers of the slot have been woken; not together with set_valid_i for the same slot.
// init_valid_i: the slot has a new warp. Outputs are functions of flops and time_i. Reset: nobody sleeps.
module sm_sleep #(
    parameter int unsigned WarpSlots = 16,
    localparam int unsigned SlotBits = $clog2(WarpSlots)
) (
    input  logic clk_i,
    input  logic rst_ni,
    input  logic [31:0] time_i,             // ns, wraps
    input  logic init_valid_i,
    input  logic [SlotBits-1:0] init_slot_i,
    input  logic set_valid_i,
    input  logic [SlotBits-1:0] set_slot_i,
    input  logic [31:0] set_ns_i,
    input  logic clear_valid_i,
    input  logic [SlotBits-1:0] clear_slot_i,
    output logic [WarpSlots-1:0] due_o
);
  localparam logic [31:0] Longest = 32'd1_000_000;
  logic [WarpSlots-1:0] asleep_q;
  logic [31:0]          until_q [WarpSlots];
  logic [31:0]          until_new, over;   // over: bit 31 = not yet
  always_comb begin
    due_o = '0;
    over = '0;
    if (asleep_q != '0) begin
      for (int unsigned s = 0; s < WarpSlots; s++) begin
        over = time_i - until_q[s];
        due_o[s] = asleep_q[s] && !over[31];
      end
    end
  end
  assign until_new = time_i + (set_ns_i > Longest ? Longest : set_ns_i);
  logic [31:0] after;      // bit 31 = the new end comes first
  assign after = until_new - until_q[set_slot_i];
  always_ff @(posedge clk_i) begin
    if (due_o != '0) asleep_q <= asleep_q & ~due_o;
    if (set_valid_i) begin
      asleep_q[set_slot_i] <= 1'b1;
      if (!asleep_q[set_slot_i] || due_o[set_slot_i] || after[31]) until_q[set_slot_i] <= until_new;
    end
    if (clear_valid_i) asleep_q[clear_slot_i] <= 1'b0;
    if (init_valid_i) asleep_q[init_slot_i] <= 1'b0;
    if (!rst_ni) asleep_q <= '0;
  end
  logic unused_low;
  assign unused_low = ^{over[30:0], after[30:0]};
endmodule
