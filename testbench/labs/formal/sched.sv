// SPDX-License-Identifier: Apache-2.0
//
// A scheduling policy (`LAB_MODULE) beside the project's module (`LAB_REFERENCE): four slots, any eligible ones, any
// issues, any ages and
// events. Equal picks in every cycle; an eligible slot is picked whenever there is one; none is withheld.
module formal_top (
    input logic         clk_i,
    input logic         en_i,
    input logic [3:0]   eligible_i,
    input logic [7:0]   rank_i,    // age of each slot, two bits
    input logic [127:0] ev_i,
    input logic         issue_i,
    input logic [1:0]   slot_i
);
  logic [3:0]  n;   // cycle
  logic [15:0] older;
  logic [1:0]  valid;
  logic [3:0]  slot;
  logic [7:0]  withheld;
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
      .issue_slot_i(slot_i), .pick_valid_o(valid[0]), .pick_slot_o(slot[1:0]), .withheld_o(withheld[3:0]));
  `LAB_REFERENCE #(.WarpSlots(4)) u_ref (
      .clk_i, .rst_ni, .en_i, .knob_i('0), .valid_i('1), .eligible_i, .older_i(older), .ev_i, .issue_valid_i(issue_i),
      .issue_slot_i(slot_i), .pick_valid_o(valid[1]), .pick_slot_o(slot[3:2]), .withheld_o(withheld[7:4]));
  always_ff @(posedge clk_i) n <= n == 4'd15 ? n : n + 4'd1;
  always_comb begin
    wrong_pick_valid_o = n >= 4'd1 && valid[0] != valid[1];
    wrong_pick_slot_o = n >= 4'd1 && valid == '1 && slot[1:0] != slot[3:2];
    wrong_withheld_o = n >= 4'd1 && withheld[3:0] != withheld[7:4];
    pick_as_expected: assert (!wrong_pick_valid_o && !wrong_pick_slot_o && !wrong_withheld_o);
    if (n >= 4'd1) begin
      no_cycle_lost: assert (valid[0] == (en_i && eligible_i != '0));
      one_that_is_eligible: assert (!valid[0] || eligible_i[slot[1:0]]);
      nothing_withheld: assert (withheld == '0);
    end
  end
endmodule
