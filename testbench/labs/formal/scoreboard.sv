// SPDX-License-Identifier: Apache-2.0
//
// The submission beside the project's module: two slots, all predicates, the registers of groups 22 and 23, anything
// set, released, bound anew and asked about, all of it in one cycle too. Equal answers of a slot from its first init
// on, equal touch_o in every cycle. The two groups' numbers differ in one bit: else Yosys' shifters take a minute.
// solver: abc
module formal_top (
    input logic        clk_i,
    input logic        init_valid_i,
    input logic        init_slot_i,
    input logic        set_valid_i,
    input logic        set_slot_i,
    input logic        set_group_i,
    input logic [3:0]  set_mask_i,
    input logic [7:0]  set_preds_i,
    input logic [1:0]  set_kind_i,
    input logic [4:0]  rel_valid_i,     // int, fp, half, f64, var, from bit 0 on
    input logic [4:0]  rel_slot_i,
    input logic [2:0]  rel_int_rd_i,
    input logic [2:0]  rel_fp_rd_i,
    input logic [2:0]  rel_half_rd_i,
    input logic [1:0]  rel_f64_pair_i,
    input logic [2:0]  rel_var_rd_i,
    input logic [1:0]  rel_wide_i,      // int, var
    input logic [3:0]  relp_valid_i,    // int, half, f64, var
    input logic [3:0]  relp_slot_i,
    input logic [23:0] relp_mask_i,
    input logic [2:0]  relp_var_pd_i,
    input logic        check_i,
    input logic [1:0]  look_i,
    input logic [57:0] head_i      // of each slot EXIT, four group bits, masks, predicates
);
  (* keep *) logic [3:0] n;   // cycle
  logic [1:0] known;  // slots that had their init
  logic [3:0] touch, fixed, short, long;
  logic       short_i, long_i;
  // wrong_OUTPUT: it differs where it counts; a failed proof is told by them (proof_wave.py)
  logic [1:0] wrong_touch_o, wrong_fixed_o, wrong_short_o, wrong_long_o;
  logic [97:0] head;
  function automatic logic [5:0] group(input logic one);
    group = {5'b01011, one};
  endfunction
  always_comb begin
    for (int unsigned s = 0; s < 2; s++) begin
      head[49*s +: 24] = head_i[29*s +: 24];
      for (int unsigned i = 0; i < 4; i++) head[49*s+24+6*i +: 6] = group(head_i[29*s+24+i]);
      head[49*s+48] = head_i[29*s+28];
    end
  end
  assign short_i = set_kind_i == 2'd1;
  assign long_i = set_kind_i == 2'd2;
  sm_scoreboard #(.WarpSlots(2)) u_dut (
      .clk_i, .init_valid_i, .init_slot_i, .set_valid_i, .set_slot_i, .set_group_i(group(set_group_i)), .set_mask_i,
      .set_preds_i,
      .set_short_i(short_i), .set_long_i(long_i),
      .rel_int_valid_i(rel_valid_i[0]), .rel_int_slot_i(rel_slot_i[0]),
      .rel_int_rd_i({group(rel_int_rd_i[2]), rel_int_rd_i[1:0]}),
      .rel_int_wide_i(rel_wide_i[0]),
      .rel_fp_valid_i(rel_valid_i[1]), .rel_fp_slot_i(rel_slot_i[1]),
      .rel_fp_rd_i({group(rel_fp_rd_i[2]), rel_fp_rd_i[1:0]}),
      .rel_half_valid_i(rel_valid_i[2]), .rel_half_slot_i(rel_slot_i[2]),
      .rel_half_rd_i({group(rel_half_rd_i[2]), rel_half_rd_i[1:0]}),
      .rel_f64_valid_i(rel_valid_i[3]), .rel_f64_slot_i(rel_slot_i[3]),
      .rel_f64_pair_i({group(rel_f64_pair_i[1]), rel_f64_pair_i[0]}),
      .rel_var_valid_i(rel_valid_i[4]), .rel_var_slot_i(rel_slot_i[4]),
      .rel_var_rd_i({group(rel_var_rd_i[2]), rel_var_rd_i[1:0]}),
      .rel_var_wide_i(rel_wide_i[1]),
      .relp_int_valid_i(relp_valid_i[0]), .relp_int_slot_i(relp_slot_i[0]), .relp_int_mask_i(relp_mask_i[7:0]),
      .relp_half_valid_i(relp_valid_i[1]), .relp_half_slot_i(relp_slot_i[1]), .relp_half_mask_i(relp_mask_i[15:8]),
      .relp_f64_valid_i(relp_valid_i[2]), .relp_f64_slot_i(relp_slot_i[2]), .relp_f64_mask_i(relp_mask_i[23:16]),
      .relp_var_valid_i(relp_valid_i[3]), .relp_var_slot_i(relp_slot_i[3]), .relp_var_pd_i,
      .touch_o(touch[1:0]), .check_i, .look_i, .head_i(head),
      .fixed_o(fixed[1:0]), .short_o(short[1:0]), .long_o(long[1:0]));
  ref_sm_scoreboard #(.WarpSlots(2)) u_ref (
      .clk_i, .init_valid_i, .init_slot_i, .set_valid_i, .set_slot_i, .set_group_i(group(set_group_i)), .set_mask_i,
      .set_preds_i,
      .set_short_i(short_i), .set_long_i(long_i),
      .rel_int_valid_i(rel_valid_i[0]), .rel_int_slot_i(rel_slot_i[0]),
      .rel_int_rd_i({group(rel_int_rd_i[2]), rel_int_rd_i[1:0]}),
      .rel_int_wide_i(rel_wide_i[0]),
      .rel_fp_valid_i(rel_valid_i[1]), .rel_fp_slot_i(rel_slot_i[1]),
      .rel_fp_rd_i({group(rel_fp_rd_i[2]), rel_fp_rd_i[1:0]}),
      .rel_half_valid_i(rel_valid_i[2]), .rel_half_slot_i(rel_slot_i[2]),
      .rel_half_rd_i({group(rel_half_rd_i[2]), rel_half_rd_i[1:0]}),
      .rel_f64_valid_i(rel_valid_i[3]), .rel_f64_slot_i(rel_slot_i[3]),
      .rel_f64_pair_i({group(rel_f64_pair_i[1]), rel_f64_pair_i[0]}),
      .rel_var_valid_i(rel_valid_i[4]), .rel_var_slot_i(rel_slot_i[4]),
      .rel_var_rd_i({group(rel_var_rd_i[2]), rel_var_rd_i[1:0]}),
      .rel_var_wide_i(rel_wide_i[1]),
      .relp_int_valid_i(relp_valid_i[0]), .relp_int_slot_i(relp_slot_i[0]), .relp_int_mask_i(relp_mask_i[7:0]),
      .relp_half_valid_i(relp_valid_i[1]), .relp_half_slot_i(relp_slot_i[1]), .relp_half_mask_i(relp_mask_i[15:8]),
      .relp_f64_valid_i(relp_valid_i[2]), .relp_f64_slot_i(relp_slot_i[2]), .relp_f64_mask_i(relp_mask_i[23:16]),
      .relp_var_valid_i(relp_valid_i[3]), .relp_var_slot_i(relp_slot_i[3]), .relp_var_pd_i,
      .touch_o(touch[3:2]), .check_i, .look_i, .head_i(head),
      .fixed_o(fixed[3:2]), .short_o(short[3:2]), .long_o(long[3:2]));
  always_ff @(posedge clk_i) begin
    n <= n + 4'd1;
    if (init_valid_i) known[init_slot_i] <= 1'b1;
  end
  always_comb begin
    wrong_touch_o = touch[1:0] ^ touch[3:2];
    wrong_fixed_o = known & (fixed[1:0] ^ fixed[3:2]);
    wrong_short_o = known & (short[1:0] ^ short[3:2]);
    wrong_long_o = known & (long[1:0] ^ long[3:2]);
    touch_as_expected: assert (wrong_touch_o == '0);
    fixed_as_expected: assert (wrong_fixed_o == '0);
    short_as_expected: assert (wrong_short_o == '0);
    long_as_expected: assert (wrong_long_o == '0);
  end
endmodule
