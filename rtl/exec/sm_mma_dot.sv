// SPDX-License-Identifier: Apache-2.0
//
// sm_mma_dot: one dot product of the matrix unit: c + 16 products in one sum, in four stages.
//
//   1 multiply, exponents | 2 largest exponent, align, partial sums | 3 sum | 4 normalise, round, pack
//
// Every term is cut towards zero to a multiple of 2^(E-25), E the largest exponent of the terms that are not zero
// (that of a product: the sum of its operands' exponents); the cut terms are added exactly; the sum is cut to fp32
// or rounded to nearest even to fp16. Too large: infinity. A zero is +0, every NaN 0x7fffffff or 0x7fff. See
// model/ref/wg_ref_mma.h.
//
// Operands come unpacked, one word each (sm_mma does it once for all dot products of a row or column):
//   [9:0] fraction, [10] hidden bit, [18:11] exponent biased by 127 (a denormal has that of the smallest normal),
//   [19] sign, [20] infinity, [21] NaN. An unused one is zero.
module sm_mma_dot (
    input  logic         clk_i,
    // enables of stages 1 to 4
    input  logic         en0_i,
    input  logic         en1_i,
    input  logic         en2_i,
    input  logic         en3_i,
    input  logic         c16_i,    // of the beat in stage 1: c is fp16 (low half), else fp32
    input  logic         acc16_i,  // of the beat in stage 4: the result is fp16 (upper half zero)
    input  logic [511:0] a_i,
    input  logic [511:0] b_i,
    input  logic [31:0]  c_i,
    output logic [31:0]  res_o
);
  // What travels beside the numbers.
  typedef struct packed {
    logic nan, pinf, ninf;   // some term is one
  } special_t;

  // The logic of a stage stands in functions: Verilator then keeps their variables in registers.

  // {sign, exponent biased by 254 (0: the product is zero), significand with 20 fraction bits}
  function automatic logic [31:0] multiply(input logic [19:0] a, input logic [19:0] b);
    logic [21:0] p;
    logic [8:0] e;
    p = {11'd0, a[10:0]} * {11'd0, b[10:0]};
    e = p == 22'd0 ? 9'd0 : {1'b0, a[18:11]} + {1'b0, b[18:11]};
    multiply = {a[19] ^ b[19], e, p};
  endfunction

  // {NaN, +infinity, -infinity} of a product, from its operands' {NaN, infinity, sign} and whether they are zero.
  function automatic logic [2:0] product_special(input logic [2:0] a, input logic za, input logic [2:0] b,
                                                 input logic zb);
    logic nan, inf;
    nan = a[2] | b[2] | (a[1] & zb) | (b[1] & za);
    inf = a[1] | b[1];
    product_special = {nan, inf & ~(a[0] ^ b[0]), inf & (a[0] ^ b[0])};
  endfunction

  function automatic logic [8:0] larger(input logic [8:0] x, input logic [8:0] y);
    larger = x > y ? x : y;
  endfunction

  // The addend as {sign, exponent biased by 254 (0: zero), significand with 25 fraction bits}; {NaN, +inf, -inf}.
  function automatic logic [35:0] addend(input logic [31:0] c, input logic half);
    logic [25:0] m;
    logic [8:0] e;
    if (half) begin
      m = {c[14:10] != 5'd0, c[9:0], 15'd0};
      e = {4'd0, c[14:10]} + {8'd0, c[14:10] == 5'd0} + 9'd239;
    end else begin
      m = {c[30:23] != 8'd0, c[22:0], 2'd0};
      e = {1'b0, c[30:23]} + {8'd0, c[30:23] == 8'd0} + 9'd127;
    end
    if (m == 26'd0) e = 9'd0;
    addend = {half ? c[15] : c[31], e, m};
  endfunction
  function automatic logic [2:0] addend_special(input logic [31:0] c, input logic half);
    logic top, frac, sign;
    top = half ? c[14:10] == 5'h1f : c[30:23] == 8'hff;
    frac = half ? c[9:0] != 10'd0 : c[22:0] != 23'd0;
    sign = half ? c[15] : c[31];
    addend_special = {top & frac, top & ~frac & ~sign, top & ~frac & sign};
  endfunction

  // A product cut to the grid of the largest exponent, signed.
  function automatic logic [31:0] aligned(input logic [31:0] term, input logic [8:0] top);
    logic [26:0] m;
    logic [31:0] t;
    m = {term[21:0], 5'd0} >> (top - term[30:22]);
    t = {5'd0, m};
    aligned = term[31] ? -t : t;
  endfunction

  // Stage 4. `ex`: exponent field of the result if the magnitude's bit 31 is set; a denormal keeps exponent 1.
  // The result's leading zeros are counted up to there.
  function automatic logic [31:0] round_pack(input logic [31:0] mag, input logic neg, input logic [8:0] top,
                                             input logic half);
    logic [31:0] m, k;
    logic [9:0] ex, right;
    logic [4:0] lz;
    logic [9:0] e;
    logic lost, up;
    logic [30:0] r;
    ex = {1'b0, top} - (half ? 10'd233 : 10'd121);
    right = 10'd1 - ex;
    lz = 5'd0;
    lost = 1'b0;
    if (ex[9] || ex == 10'd0) begin
      m = mag >> right;
      lost = (m << right) != mag;
      e = 10'd0;
    end else begin
      k = mag;
      if (ex < 10'd32) k = k | (32'h8000_0000 >> (ex[4:0] - 5'd1));
      if (k[31:16] == 16'd0) begin k = k << 16; lz[4] = 1'b1; end
      if (k[31:24] == 8'd0) begin k = k << 8; lz[3] = 1'b1; end
      if (k[31:28] == 4'd0) begin k = k << 4; lz[2] = 1'b1; end
      if (k[31:30] == 2'd0) begin k = k << 2; lz[1] = 1'b1; end
      lz[0] = ~k[31];
      m = mag << lz;
      e = m[31] ? ex - {5'd0, lz} : 10'd0;
    end
    if (half) begin
      up = m[20] & (m[21] | lost | m[19:0] != 20'd0);
      r = {16'd0, e[4:0], m[30:21]} + {30'd0, up};
      if (e >= 10'd31) r = 31'h7c00;
      round_pack = {16'd0, neg & r != 31'd0, r[14:0]};
    end else begin
      r = {e[7:0], m[30:8]};
      if (e >= 10'd255) r = 31'h7f800000;
      round_pack = {neg & r != 31'd0, r};
    end
  endfunction

  wire unused = ^{a_i, b_i};   // bits [31:22] of the words

  // Stage 1: multiply.
  logic [511:0] prod1_q;
  logic [35:0]  top1_q;    // largest exponents of the products 0..3, 4..7, 8..11, 12..15
  logic [35:0]  add1_q;
  special_t     spec1_q;

  always_ff @(posedge clk_i) begin
    if (en0_i) begin : stage1
      logic [31:0] p;
      logic [8:0]  top;
      logic [2:0]  spec;
      spec = addend_special(c_i, c16_i);
      for (int unsigned g = 0; g < 4; g++) begin
        top = 9'd0;
        for (int unsigned k = 0; k < 4; k++) begin
          p = multiply(a_i[128*g+32*k+:20], b_i[128*g+32*k+:20]);
          spec = spec | product_special(a_i[128*g+32*k+19+:3], a_i[128*g+32*k+:11] == 11'd0,
                                        b_i[128*g+32*k+19+:3], b_i[128*g+32*k+:11] == 11'd0);
          top = larger(top, p[30:22]);
          prod1_q[128*g+32*k+:32] <= p;
        end
        top1_q[9*g+:9] <= top;
      end
      add1_q <= addend(c_i, c16_i);
      spec1_q <= spec;
    end
  end

  // Stage 2: align; four sums of four products, the first with the addend.
  logic [127:0] sum2_q;
  logic [8:0]   top2_q;
  special_t     spec2_q;

  always_ff @(posedge clk_i) begin
    if (en1_i) begin : stage2
      logic [8:0]  top;
      logic [31:0] s, t;
      top = larger(larger(top1_q[8:0], top1_q[17:9]), larger(top1_q[26:18], top1_q[35:27]));
      top = larger(top, add1_q[34:26]);
      t = {6'd0, add1_q[25:0] >> (top - add1_q[34:26])};
      s = add1_q[35] ? -t : t;
      for (int unsigned g = 0; g < 4; g++) begin
        for (int unsigned k = 0; k < 4; k++) s = s + aligned(prod1_q[128*g+32*k+:32], top);
        sum2_q[32*g+:32] <= s;
        s = 32'd0;
      end
      top2_q <= top;
      spec2_q <= spec1_q;
    end
  end

  // Stage 3: sum, magnitude.
  logic [31:0] mag3_q;
  logic        neg3_q;
  logic [8:0]  top3_q;
  special_t    spec3_q;

  always_ff @(posedge clk_i) begin
    if (en2_i) begin : stage3
      logic [32:0] s;
      s = {sum2_q[31], sum2_q[31:0]} + {sum2_q[63], sum2_q[63:32]} + {sum2_q[95], sum2_q[95:64]}
          + {sum2_q[127], sum2_q[127:96]};
      mag3_q <= s[32] ? -s[31:0] : s[31:0];
      neg3_q <= s[32];
      top3_q <= top2_q;
      spec3_q <= spec2_q;
    end
  end

  // Stage 4: normalise, round, pack.
  always_ff @(posedge clk_i) begin
    if (en3_i) begin
      if (spec3_q.nan | (spec3_q.pinf & spec3_q.ninf)) res_o <= acc16_i ? 32'h7fff : 32'h7fffffff;
      else if (spec3_q.pinf | spec3_q.ninf)
        res_o <= acc16_i ? {16'd0, spec3_q.ninf, 15'h7c00} : {spec3_q.ninf, 31'h7f800000};
      else res_o <= round_pack(mag3_q, neg3_q, top3_q, acc16_i);
    end
  end
endmodule
