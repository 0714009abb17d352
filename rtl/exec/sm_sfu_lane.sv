// SPDX-License-Identifier: Apache-2.0
//
// sm_sfu_lane: one lane of the special function unit: reciprocal by table and quadratic interpolation.
//
//   1 unpack, table, square | 2 multiply | 3 (combinational) add, round, pack
//
// Same algorithm as model/ref/ref_mufu.c. Denormal inputs count as zero; results below 2^-126 become zero.
module sm_sfu_lane (
    input  logic        clk_i,
    input  logic        en0_i,     // stage 1 loads: beat valid, lane in the mask, nothing stalls
    input  logic        en1_i,
    input  logic        en2_i,     // gates the output, which is zero without it
    input  logic        abs_i,
    input  logic        neg_i,
    input  logic [31:0] a_i,
    output logic [31:0] res_o
);
  // Fixed results travel as `plain` with the interpolation switched off.
  logic        interp1_q, interp2_q;
  logic [31:0] plain1_q, plain2_q;    // interpolated results: sign and exponent field less one
  logic [sm_mufu_pkg::RcpBits0-1:0] c01_q, c02_q;
  logic [sm_mufu_pkg::RcpBits1-1:0] c11_q;
  logic [sm_mufu_pkg::RcpBits2-1:0] c21_q;
  logic [15:0] x1_q, sq1_q;
  logic [21:0] linear2_q;
  logic [14:0] square2_q;

  wire        sign = (a_i[31] & ~abs_i) ^ neg_i;
  wire [7:0]  e = a_i[30:23];
  wire [22:0] f = a_i[22:0];

  // {interpolate, plain}
  function automatic logic [32:0] classify(input logic s, input logic [7:0] ex, input logic zero_f);
    if (ex == 8'd255) classify = zero_f ? {1'b0, s, 31'd0} : {1'b0, 32'h7fffffff};
    else if (ex == 8'd0) classify = {1'b0, s, 31'h7f800000};
    else if (zero_f) classify = {1'b0, s, ex == 8'd254 ? 8'd0 : 8'd254 - ex, 23'd0};
    else if (ex >= 8'd253) classify = {1'b0, s, 31'd0};   // below 2^-126
    else classify = {1'b1, s, 8'd252 - ex, 23'd0};
  endfunction

  // Upper half of x * x, x in units of 2^-16.
  function automatic logic [15:0] square(input logic [15:0] x);
    logic [31:0] p;
    p = {16'd0, x} * {16'd0, x};
    square = 16'(p >> 16);
  endfunction

  // c * x in units of 2^-16.
  function automatic logic [21:0] scale(input logic [21:0] c, input logic [15:0] x);
    logic [37:0] p;
    p = {16'd0, c} * {22'd0, x};
    scale = 22'(p >> 16);
  endfunction

  always_ff @(posedge clk_i) begin
    if (en0_i) begin
      {interp1_q, plain1_q} <= classify(sign, e, f == 23'd0);
      c01_q <= sm_mufu_pkg::RcpC0[{f[22:16], 5'd0}+:sm_mufu_pkg::RcpBits0];
      c11_q <= sm_mufu_pkg::RcpC1[{f[22:16], 5'd0}+:sm_mufu_pkg::RcpBits1];
      c21_q <= sm_mufu_pkg::RcpC2[{f[22:16], 5'd0}+:sm_mufu_pkg::RcpBits2];
      x1_q  <= f[15:0];
      sq1_q <= square(f[15:0]);
    end
  end

  always_ff @(posedge clk_i) begin
    if (en1_i) begin
      interp2_q <= interp1_q;
      plain2_q  <= plain1_q;
      c02_q     <= c01_q;
      linear2_q <= scale(c11_q, x1_q);
      square2_q <= 15'(scale({7'd0, c21_q}, sq1_q));
    end
  end

  logic [28:0] sum;
  always_comb begin
    sum = 29'd0;
    res_o = 32'd0;
    if (en2_i) begin
      // Rounded half up to 24 bits; the hidden bit adds one to the exponent field.
      sum = c02_q - {7'd0, linear2_q} + {14'd0, square2_q} + 29'd8;
      res_o = interp2_q ? plain2_q + {7'd0, sum[28:4]} : plain2_q;
    end
  end
  wire unused_low = ^sum[3:0];
endmodule
