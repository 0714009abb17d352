// SPDX-License-Identifier: Apache-2.0
//
// sm_mma_idot: one integer dot product of the matrix unit: c + 32 products of bytes, in four stages, as sm_mma_dot.
//
//   1 multiply, sums of four | 2 sum | 3 add c, saturate | 4 (waits)
//
// The exact sum modulo 2^32, or clamped to [-2^31, 2^31 - 1].
module sm_mma_idot (
    input  logic         clk_i,
    // enables of stages 1 to 4
    input  logic         en0_i,
    input  logic         en1_i,
    input  logic         en2_i,
    input  logic         en3_i,
    input  logic         sa_i,     // of the beat in stage 1: bytes of a, of b are signed
    input  logic         sb_i,
    input  logic         sat_i,    // of the beat in stage 3
    input  logic [255:0] a_i,
    input  logic [255:0] b_i,
    input  logic [31:0]  c_i,
    output logic [31:0]  res_o
);
  // Four products, sign extended.
  function automatic logic [31:0] four(input logic [31:0] a, input logic [31:0] b, input logic sa, input logic sb);
    logic signed [8:0]  x, y;
    logic signed [17:0] p;
    logic [18:0] s;
    s = 19'd0;
    for (int unsigned k = 0; k < 4; k++) begin
      x = {sa & a[8*k+7], a[8*k+:8]};
      y = {sb & b[8*k+7], b[8*k+:8]};
      p = x * y;
      s = s + {p[17], p};
    end
    four = {{13{s[18]}}, s};
  endfunction

  function automatic logic [31:0] add(input logic [31:0] sum, input logic [31:0] c, input logic sat);
    logic [32:0] s;
    s = {sum[31], sum} + {c[31], c};
    add = sat && s[32] != s[31] ? {s[32], {31{~s[32]}}} : s[31:0];
  endfunction

  logic [255:0] part1_q;
  logic [31:0]  sum2_q, c1_q, c2_q, res3_q;

  always_ff @(posedge clk_i) begin
    if (en0_i) begin
      for (int unsigned g = 0; g < 8; g++) part1_q[32*g+:32] <= four(a_i[32*g+:32], b_i[32*g+:32], sa_i, sb_i);
      c1_q <= c_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (en1_i) begin : stage2
      logic [31:0] s;
      s = 32'd0;
      for (int unsigned g = 0; g < 8; g++) s = s + part1_q[32*g+:32];
      sum2_q <= s;
      c2_q <= c1_q;
    end
  end

  always_ff @(posedge clk_i) begin
    if (en2_i) res3_q <= add(sum2_q, c2_q, sat_i);
  end

  always_ff @(posedge clk_i) begin
    if (en3_i) res_o <= res3_q;
  end
endmodule
