// SPDX-License-Identifier: Apache-2.0
//
// sm_fp32_lane: one lane of the fp32 pipe: a * b + c with one rounding, in four stages.
//
//   1 unpack, order by exponent | 2 multiply | 3 align, add | 4 normalise, round, pack
//
// FADD is a * 1 + b, FMUL is a * b + (zero with the product's sign). IEEE 754 with all four roundings, denormals in and
// out. FTZ: denormal inputs are zeros of their sign, results below 2^-126 before rounding become zeros of their sign.
// SAT: clamp to [0, 1], NaN gives 0. Every other NaN result is 0x7fffffff.
//
// The sum lives in a 64-bit window. The operand with the larger exponent is put at the top (bit 62 = the exponent's
// weight), the other is shifted right, and the bits it loses are jammed into bit 0 (sticky). That is exact enough because
// bits are only lost when the operands are so far apart that at least 25 bits above bit 0 remain, or when the result is
// denormal and rounds far above bit 0. Operands need no normalising: leading zeros of a denormal are removed in stage 4.
module sm_fp32_lane (
    input  logic        clk_i,
    // enables of stages 1 to 4: stage valid and this lane in the mask
    input  logic        en0_i,
    input  logic        en1_i,
    input  logic        en2_i,
    input  logic        en3_i,
    // decoded instruction, common to the lanes
    input  logic        add_i,
    input  logic        mul_i,
    input  logic        abs_a_i,
    input  logic        abs_b_i,
    input  logic        neg_a_i,
    input  logic        neg_b_i,
    input  logic        neg_c_i,
    input  logic        ftz_i,
    input  logic [1:0]  rnd2_i,   // of the beat in stage 3: 0 nearest even, 1 down, 2 up, 3 toward zero
    input  logic [3:0]  mode3_i,  // of the beat in stage 4: {sat, ftz, rnd}
    input  logic [31:0] a_i,
    input  logic [31:0] b_i,
    input  logic [31:0] c_i,
    output logic [31:0] res_o
);
  // Stage 1: unpack. `ep` is the biased exponent of the product's bit 47 (weight 2), `ec` that of the addend's bit 23.
  logic        psign1_q, csign1_q, nan1_q, inf1_q, isign1_q, pbig1_q;
  logic [23:0] ma1_q, mb1_q, mc1_q;
  logic [8:0]  exp1_q;   // biased exponent of bit 62 of the window, 1..382
  logic [5:0]  sh1_q;    // right shift of the smaller operand

  always_ff @(posedge clk_i) begin
    if (en0_i) begin : stage1
      logic [30:0] a, b, c;   // magnitudes
      logic sa, sb, sc, ps;
      logic [7:0] ea, eb, ec;
      logic za, zb, ia, ib, ic, pnan, pinf;
      logic [23:0] ma, mb, mc;
      logic [9:0] ep, d, nd;
      a = a_i[30:0];
      b = add_i ? 31'h3f800000 : b_i[30:0];
      sa = (a_i[31] & ~abs_a_i) ^ neg_a_i;
      sb = add_i ? 1'b0 : (b_i[31] & ~abs_b_i) ^ neg_b_i;
      ps = sa ^ sb;
      c = add_i ? b_i[30:0] : c_i[30:0];
      sc = add_i ? (b_i[31] & ~abs_b_i) ^ neg_b_i : c_i[31] ^ neg_c_i;
      if (mul_i) begin
        c = 31'd0;
        sc = ps;
      end
      ea = a[30:23];
      eb = b[30:23];
      ec = c[30:23];
      // Hidden bit; a denormal has the exponent of the smallest normal number.
      ma = {ea != 8'd0, a[22:0]};
      mb = {eb != 8'd0, b[22:0]};
      mc = {ec != 8'd0, c[22:0]};
      if (ftz_i) begin
        if (!ma[23]) ma = 24'd0;
        if (!mb[23]) mb = 24'd0;
        if (!mc[23]) mc = 24'd0;
      end
      ea = ea | {7'd0, ~ma[23]};
      eb = eb | {7'd0, ~mb[23]};
      ec = ec | {7'd0, ~mc[23]};
      za = ma == 24'd0;
      zb = mb == 24'd0;
      ia = ea == 8'hff;
      ib = eb == 8'hff;
      ic = ec == 8'hff;
      pinf = ia | ib;
      pnan = (ia & (a[22:0] != 23'd0 | zb)) | (ib & (b[22:0] != 23'd0 | za)) | (ic & c[22:0] != 23'd0);
      // ep - ec; a zero product must never push the addend out of the window, so it counts as tiny.
      ep = {2'd0, ea} + {2'd0, eb} - 10'd126;
      if (za | zb) ep = 10'd0;
      d = ep - {2'd0, ec};
      nd = {2'd0, ec} - ep;
      psign1_q <= ps;
      csign1_q <= sc;
      ma1_q <= ma;
      mb1_q <= mb;
      mc1_q <= mc;
      pbig1_q <= ~d[9];
      exp1_q <= d[9] ? {1'b0, ec} : ep[8:0];
      if (d[9]) sh1_q <= nd > 10'd63 ? 6'd63 : nd[5:0];
      else sh1_q <= d > 10'd63 ? 6'd63 : d[5:0];
      nan1_q <= pnan | (pinf & ic & (ps ^ sc));
      inf1_q <= pinf | ic;
      isign1_q <= pinf ? ps : sc;
    end
  end

  // Stage 2: multiply.
  logic        psign2_q, csign2_q, nan2_q, inf2_q, isign2_q, pbig2_q;
  logic [47:0] prod2_q;
  logic [23:0] mc2_q;
  logic [8:0]  exp2_q;
  logic [5:0]  sh2_q;

  always_ff @(posedge clk_i) begin
    if (en1_i) begin
      prod2_q  <= {24'd0, ma1_q} * {24'd0, mb1_q};
      mc2_q    <= mc1_q;
      psign2_q <= psign1_q;
      csign2_q <= csign1_q;
      nan2_q   <= nan1_q;
      inf2_q   <= inf1_q;
      isign2_q <= isign1_q;
      pbig2_q  <= pbig1_q;
      exp2_q   <= exp1_q;
      sh2_q    <= sh1_q;
    end
  end

  // Stage 3: align and add.
  logic        sign3_q, nan3_q, inf3_q;
  logic [63:0] sum3_q;
  logic [8:0]  exp3_q;

  always_ff @(posedge clk_i) begin
    if (en2_i) begin : stage3
      logic [63:0] p, c, x, y, ys;
      logic sub, neg, s;
      p = {1'b0, prod2_q, 15'd0};
      c = {1'b0, mc2_q, 39'd0};
      x = pbig2_q ? p : c;
      y = pbig2_q ? c : p;
      ys = y >> sh2_q;
      ys[0] = ys[0] | ((ys << sh2_q) != y);
      sub = psign2_q ^ csign2_q;
      ys = sub ? x - ys : x + ys;
      neg = sub & ys[63];
      if (neg) ys = -ys;
      s = (pbig2_q ? psign2_q : csign2_q) ^ neg;
      // An exact zero of unlike signs is +0, but -0 when rounding down.
      if (ys == 64'd0 && sub) s = rnd2_i == 2'd1;
      sign3_q <= inf2_q ? isign2_q : s;
      sum3_q  <= ys;
      nan3_q  <= nan2_q;
      inf3_q  <= inf2_q;
      exp3_q  <= exp2_q;
    end
  end

  // Stage 4: normalise (not below exponent 1), round, pack.
  always_ff @(posedge clk_i) begin
    if (en3_i) begin : stage4
      logic [63:0] m, k;
      logic [5:0] lz;
      logic [8:0] e;
      logic [31:0] r;
      logic rest, inc, over;
      // Leading zeros, at most exp3_q of them: a marker bit stops the count where the result becomes denormal.
      m = sum3_q;
      k = m;
      if (exp3_q[8:6] == 3'd0) k = k | (64'h8000_0000_0000_0000 >> exp3_q[5:0]);
      lz = 6'd0;
      if (k[63:32] == 32'd0) begin k = k << 32; lz[5] = 1'b1; end
      if (k[63:48] == 16'd0) begin k = k << 16; lz[4] = 1'b1; end
      if (k[63:56] == 8'd0) begin k = k << 8; lz[3] = 1'b1; end
      if (k[63:60] == 4'd0) begin k = k << 4; lz[2] = 1'b1; end
      if (k[63:62] == 2'd0) begin k = k << 2; lz[1] = 1'b1; end
      lz[0] = ~k[63];
      m = m << lz;
      // Exponent field less one: the hidden bit adds it in the sum below. Denormals and zero have neither.
      e = m[63] ? exp3_q - {3'd0, lz} : 9'd0;
      rest = m[38:0] != 39'd0;
      case (mode3_i[1:0])
        2'd0: inc = m[39] & (rest | m[40]);
        2'd1: inc = sign3_q & (m[39] | rest);
        2'd2: inc = ~sign3_q & (m[39] | rest);
        default: inc = 1'b0;
      endcase
      r = {e, 23'd0} + {8'd0, m[63:40]} + {31'd0, inc};
      over = r[31] | (r[30:23] == 8'hff);
      if (mode3_i[2] & ~m[63]) r = 32'd0;
      r[31] = sign3_q;
      if (over) begin
        // Overflow: infinity or the largest number, by the rounding direction.
        r = {sign3_q, 31'h7f800000};
        if (mode3_i[1:0] == 2'd3 || mode3_i[1:0] == (sign3_q ? 2'd2 : 2'd1)) r = {sign3_q, 31'h7f7fffff};
      end
      if (inf3_q) r = {sign3_q, 31'h7f800000};
      if (mode3_i[3]) begin
        if (r[31]) r = 32'd0;
        else if (r[30:23] >= 8'd127) r = 32'h3f800000;
      end
      if (nan3_q) r = mode3_i[3] ? 32'd0 : 32'h7fffffff;
      res_o <= r;
    end
  end
endmodule
