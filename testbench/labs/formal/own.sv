// SPDX-License-Identifier: Apache-2.0
//
// What every policy owes, asked of a student's own: four slots, any eligible ones, any issues, any ages and events.
// With en_i an eligible slot is picked whenever there is one, without it none; nobody is throttled. u_twin is the
// submission again, with another past before the reset and other inputs in cycles without en_i, which change nothing;
// in one cycle (other_i), the last that counts, something else issues. It picks the same.
module formal_top (
    input logic         clk_i,
    input logic         en_i,
    input logic [3:0]   eligible_i,
    input logic [7:0]   rank_i,    // age of each slot, two bits
    input logic [127:0] ev_i,
    input logic         issue_i,
    input logic [1:0]   slot_i,
    input logic         other_i,   // what follows is for u_twin, where it may get something else
    input logic [3:0]   eligible2_i,
    input logic [127:0] ev2_i,
    input logic         issue2_i,
    input logic [1:0]   slot2_i
);
  logic [3:0]  n;   // cycle
  logic        apart_q;
  logic [15:0] older;
  logic        valid, valid2, expected;
  logic [1:0]  slot, slot2, expected_slot;
  logic [3:0]  withheld, withheld2, none;
  logic        rst_ni, distinct;
  // wrong_OUTPUT: it differs where it counts; a failed proof is told by them (proof_wave.py)
  logic        wrong_pick_valid_o, wrong_pick_slot_o, wrong_withheld_o;
  assign rst_ni = n >= 4'd1;
  always_comb begin
    older = '0;
    distinct = 1'b1;
    for (int unsigned i = 0; i < 4; i++) begin
      for (int unsigned j = 0; j < 4; j++) begin
        older[i*4+j] = rank_i[j*2 +: 2] < rank_i[i*2 +: 2];
        if (i != j && rank_i[j*2 +: 2] == rank_i[i*2 +: 2]) distinct = 1'b0;
      end
    end
    assume (distinct);
  end
  `LAB_MODULE #(.WarpSlots(4)) u_dut (
      .clk_i, .rst_ni, .en_i, .knob_i('0), .valid_i('1), .eligible_i, .older_i(older), .ev_i, .issue_valid_i(issue_i),
      .issue_slot_i(slot_i), .pick_valid_o(valid), .pick_slot_o(slot), .withheld_o(withheld));
  `LAB_MODULE #(.WarpSlots(4)) u_twin (
      .clk_i, .rst_ni, .en_i, .knob_i('0), .valid_i('1), .eligible_i(en_i ? eligible_i : eligible2_i),
      .older_i(older), .ev_i(en_i ? ev_i : ev2_i), .issue_valid_i(en_i && !other_i ? issue_i : issue2_i),
      .issue_slot_i(en_i && !other_i ? slot_i : slot2_i), .pick_valid_o(valid2), .pick_slot_o(slot2),
      .withheld_o(withheld2));
  formal_owed u_ref (
      .en_i, .eligible_i, .slot_i(apart_q ? slot : slot2), .pick_valid_o(expected), .pick_slot_o(expected_slot),
      .withheld_o(none));
  always_ff @(posedge clk_i) begin
    n <= n == 4'd15 ? n : n + 4'd1;
    apart_q <= n != 4'd0 && (apart_q || (en_i && other_i));
  end
  always_comb begin
    wrong_pick_valid_o = n >= 4'd1 && valid != expected;
    wrong_pick_slot_o = n >= 4'd1 && valid && expected && slot != expected_slot;
    wrong_withheld_o = n >= 4'd1 && withheld != none;
    pick_as_owed: assert (!wrong_pick_valid_o && !wrong_pick_slot_o && !wrong_withheld_o);
  end
endmodule

// The pick that is owed: slot_i if that is eligible, else the lowest that is.
module formal_owed (
    input  logic       en_i,
    input  logic [3:0] eligible_i,
    input  logic [1:0] slot_i,
    output logic       pick_valid_o,
    output logic [1:0] pick_slot_o,
    output logic [3:0] withheld_o
);
  assign pick_valid_o = en_i && eligible_i != '0;
  assign pick_slot_o = eligible_i[slot_i] ? slot_i : eligible_i[0] ? 2'd0 : eligible_i[1] ? 2'd1 :
                       eligible_i[2] ? 2'd2 : 2'd3;
  assign withheld_o = '0;
endmodule
