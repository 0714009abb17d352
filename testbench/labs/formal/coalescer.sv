// SPDX-License-Identifier: Apache-2.0
//
// The submission beside the project's module: the first four lanes, four neighbouring lines, eight words of each, any
// grants, accesses back to
// back: loads, atomics, constants. Equal readiness in every cycle; equal lines, lanes and tags in every granted one.
// All
// flip-flops begin at 0 (the other 28 lanes are empty then, without which the solver takes minutes): the reset is the
// bench's to check.
// options: -set-init-zero
module formal_top (
    input logic        clk_i,
    input logic        valid_i,
    input logic        sel_i,
    input logic        atom_i,
    input logic        const_i,
    input logic [6:0]  tag_i,
    input logic [3:0]  mask_i,
    input logic [7:0]  line_i,   // two bits a lane
    input logic [11:0] word_i    // three bits a lane
);
  logic [2:0]    n;   // cycle
  logic [1:0]    ready, valid;
  logic [13:0]   tag;
  logic [81:0]   line;
  logic [255:0]  lanes;
  logic [1311:0] lines;
  logic [223:0]  offs;
  logic          rst_ni, granted;
  // wrong_OUTPUT: it differs where it counts; a failed proof is told by them (proof_wave.py)
  logic          wrong_g_ready_o, wrong_ln_valid_o, wrong_ln_line_o, wrong_ln_tag_o, wrong_ln_sec_lanes_o;
  assign rst_ni = n >= 3'd1;
  always_comb begin
    lines = '0;
    offs = '0;
    for (int unsigned l = 0; l < 4; l++) begin
      lines[l*41 +: 2] = line_i[l*2 +: 2];
      offs[l*7 +: 7] = {1'b0, word_i[l*3 +: 3], 3'd0};
    end
  end
  sm_coalescer u_dut (
      .clk_i, .rst_ni, .g_valid_i(valid_i && mask_i != '0), .g_ready_o(ready[0]), .g_tag_i(tag_i),
      .g_store_i(1'b0), .g_bypass_i(1'b0), .g_atom_i(atom_i),
      .g_const_i(const_i && !atom_i), .g_aop_i('0), .g_lg_i(3'd2), .g_mask_i({28'd0, mask_i}), .g_lines_i(lines), .g_offs_i(offs), .g_data_i('0),
      .g_warp_i('0), .g_pc_i('0), .g_block_i('0), .ln_valid_o(valid[0]), .sel_i, .ln_tag_o(tag[6:0]), .ln_line_o(line[40:0]),
      .ln_sec_lanes_o(lanes[127:0]));
  ref_sm_coalescer u_ref (
      .clk_i, .rst_ni, .g_valid_i(valid_i && mask_i != '0), .g_ready_o(ready[1]), .g_tag_i(tag_i),
      .g_store_i(1'b0), .g_bypass_i(1'b0), .g_atom_i(atom_i),
      .g_const_i(const_i && !atom_i), .g_aop_i('0), .g_lg_i(3'd2), .g_mask_i({28'd0, mask_i}), .g_lines_i(lines), .g_offs_i(offs), .g_data_i('0),
      .g_warp_i('0), .g_pc_i('0), .g_block_i('0), .ln_valid_o(valid[1]), .sel_i, .ln_tag_o(tag[13:7]), .ln_line_o(line[81:41]),
      .ln_sec_lanes_o(lanes[255:128]));
  always_ff @(posedge clk_i) n <= n == 3'd7 ? n : n + 3'd1;
  always_comb begin
    granted = n >= 3'd2 && valid[1] && sel_i;
    wrong_g_ready_o = n >= 3'd2 && ready[0] != ready[1];
    wrong_ln_valid_o = n >= 3'd2 && valid[0] != valid[1];
    wrong_ln_line_o = granted && line[40:0] != line[81:41];
    wrong_ln_tag_o = granted && tag[6:0] != tag[13:7];
    wrong_ln_sec_lanes_o = granted && lanes[127:0] != lanes[255:128];
    ready_as_expected: assert (!wrong_g_ready_o);
    valid_as_expected: assert (!wrong_ln_valid_o);
    line_as_expected: assert (!wrong_ln_line_o && !wrong_ln_tag_o);
    lanes_as_expected: assert (!wrong_ln_sec_lanes_o);
  end
endmodule
