// SPDX-License-Identifier: Apache-2.0
//
// sm_half_lane: half a lane of the half pipe: one fp16 or bf16 number, a * b + c with one rounding, in four stages.
//
//   1 unpack, order by exponent | 2 multiply | 3 align, add | 4 normalise, round, pack
//
// HADD2 is a * 1 + b, HMUL2 is a * b + (zero with the product's sign), HMNMX2 is 0 * 0 + the winner. HSETP2's
// comparison is combinational in stage 1. Both formats share one datapath: significands of 11 bits (bf16: three
// zeros below), 8 exponent bits with the format's own bias; only unpacking and rounding tell them apart.
//
// Nearest even, denormals in and out. FTZ: denormal inputs are zeros of their sign, results that are tiny before
// rounding become zeros of their sign. SAT: clamp to [0, 1], NaN gives 0. RELU: a sign gives +0. Every other NaN
// result is 0x7fff.
//
// The sum lives in a 32-bit window, as in sm_fp32_lane: the operand with the larger exponent is at the top (bit 30 =
// the exponent's weight), the other is shifted right and the bits it loses are jammed into bit 0. A larger product
// has its leading one at bit 19 or above (one factor is normal, or its exponent would be the smaller), so at least 8
// bits lie between the last place of the result and bit 0.
module sm_half_lane (
    input  logic        clk_i,
    // enables of stages 1 to 4: stage valid and this lane in the mask
    input  logic        en0_i,
    input  logic        en1_i,
    input  logic        en2_i,
    input  logic        en3_i,
    input  logic [3:0]  any_i,    // a stage's enable in any lane of the pipe: one test skips an idle stage of all lanes
    // decoded instruction, common to the lanes
    input  logic        add_i,
    input  logic        mul_i,
    input  logic        mnmx_i,
    input  logic        nan_i,      // HMNMX2: a NaN wins
    input  logic        setp_i,
    input  logic [3:0]  cond_i,     // HSETP2: less, equal, greater, unordered
    input  logic        abs_a_i,
    input  logic        abs_b_i,
    input  logic        neg_a_i,
    input  logic        neg_b_i,
    input  logic        neg_c_i,
    input  logic        ftz_i,
    input  logic        bf_i,
    input  logic [3:0]  mode3_i,    // of the beat in stage 4: {bf, relu, sat, ftz}
    input  logic [15:0] a_i,
    input  logic [15:0] b_i,
    input  logic [15:0] c_i,
    input  logic        min_i,      // HMNMX2: the predicate
    output logic        t_o,        // HSETP2's comparison, combinational
    output logic [15:0] res_o
);
  // What travels beside the numbers.
  typedef struct packed {
    logic       psign, csign;   // of product and addend
    logic       nan, inf;       // the result is a NaN; an infinity of sign `isign`
    logic       isign;
    logic       pbig;           // the product has the larger exponent
    logic [8:0] exp;            // biased exponent of bit 30 of the window, 1..382
    logic [4:0] sh;             // right shift of the other operand
  } ctl_t;

  // Exponent field, at least 1; significand with its hidden bit.
  function automatic logic [7:0] field(input logic [7:0] v, input logic bf);
    field = bf ? v : {3'd0, v[7:3]};
  endfunction
  function automatic logic [7:0] exponent(input logic [7:0] v, input logic bf);
    exponent = field(v, bf);
    if (exponent == 8'd0) exponent = 8'd1;
  endfunction
  function automatic logic [10:0] significand(input logic [14:0] v, input logic ftz, input logic bf);
    significand = {1'b1, bf ? {v[6:0], 3'd0} : v[9:0]};
    if (field(v[14:7], bf) == 8'd0) significand = ftz ? 11'd0 : {1'b0, significand[9:0]};
  endfunction
  function automatic logic [14:0] infinity(input logic bf);
    infinity = bf ? 15'h7f80 : 15'h7c00;
  endfunction

  // Marks of an operand; its flush.
  function automatic logic [15:0] marked(input logic [15:0] v, input logic abs, input logic neg);
    marked = {(v[15] & ~abs) ^ neg, v[14:0]};
  endfunction
  function automatic logic [15:0] flushed(input logic [15:0] v, input logic ftz, input logic bf);
    flushed = v;
    if (ftz && field(v[14:7], bf) == 8'd0) flushed[14:0] = 15'd0;
  endfunction

  // Order of two flushed numbers; -0 counts as less than +0.
  function automatic logic less(input logic [15:0] a, input logic [15:0] b);
    if (a[15] != b[15]) less = a[15];
    else less = a[15] ? a[14:0] > b[14:0] : a[14:0] < b[14:0];
  endfunction
  function automatic logic [15:0] winner(input logic [15:0] a, input logic [15:0] b, input logic min, input logic nan,
                                         input logic bf);
    logic nan_a, nan_b;
    nan_a = a[14:0] > infinity(bf);
    nan_b = b[14:0] > infinity(bf);
    if ((nan_a & nan_b) | (nan & (nan_a | nan_b))) winner = 16'h7fff;
    else if (nan_a) winner = b;
    else if (nan_b) winner = a;
    else winner = less(a, b) == min ? a : b;
  endfunction
  function automatic logic compare(input logic [15:0] a, input logic [15:0] b, input logic [3:0] t, input logic bf);
    if (a[14:0] > infinity(bf) || b[14:0] > infinity(bf)) compare = t[3];
    else if (a == b || (a[14:0] | b[14:0]) == 15'd0) compare = t[1];
    else compare = less(a, b) ? t[0] : t[2];
  endfunction
  // Stage 1: a ctl_t of a * b + c; ps, cs: signs of product and addend.
  function automatic logic [19:0] order(input logic [14:0] a, input logic [14:0] b, input logic [14:0] c,
                                        input logic ps, input logic cs, input logic ftz, input logic bf);
    logic za, zb, ia, ib, ic, nan, pinf, pbig;
    logic [14:0] inf;
    logic [7:0] ec;
    logic [9:0] ep, d, n;
    inf = infinity(bf);
    za = significand(a, ftz, bf) == 11'd0;
    zb = significand(b, ftz, bf) == 11'd0;
    ia = a == inf;
    ib = b == inf;
    ic = c == inf;
    pinf = ia | ib;
    nan = a > inf | b > inf | c > inf | (ia & zb) | (ib & za) | (pinf & ic & (ps ^ cs));
    // `ep` belongs to the product's bit 21 (weight 2), `ec` to the addend's bit 10. A zero product must never push the
    // addend out of the window, so it counts as tiny.
    ec = exponent(c[14:7], bf);
    ep = za | zb ? 10'd0 : {2'd0, exponent(a[14:7], bf)} + {2'd0, exponent(b[14:7], bf)} - (bf ? 10'd126 : 10'd14);
    d = ep - {2'd0, ec};
    pbig = ~d[9];
    n = pbig ? d : -d;
    order = {ps, cs, nan, pinf | ic, pinf ? ps : cs, pbig, pbig ? ep[8:0] : {1'b0, ec}, n > 10'd31 ? 5'd31 : n[4:0]};
  endfunction

  // Stage 3: the larger operand plus or minus the smaller one, shifted right; bits that it loses are jammed into bit 0.
  function automatic logic [31:0] align_add(input logic [21:0] prod, input logic [10:0] mc, input logic pbig,
                                            input logic [4:0] sh, input logic sub);
    logic [31:0] x, y, ys;
    x = {1'b0, prod, 9'd0};
    y = {1'b0, mc, 20'd0};
    if (!pbig) begin
      x = {1'b0, mc, 20'd0};
      y = {1'b0, prod, 9'd0};
    end
    ys = y >> sh;
    ys[0] = ys[0] | ((ys << sh) != y);
    align_add = sub ? x - ys : x + ys;
  endfunction

  // Stage 4: normalise (not below exponent 1), round to nearest even, pack. `ex`: exponent of bit 30.
  function automatic logic [15:0] round_pack(input logic [31:0] sum, input logic [8:0] ex, input logic sign,
                                             input logic nan, input logic inf, input logic [3:0] mode);
    logic [31:0] m, k;
    logic [4:0] lz;
    logic [8:0] e;
    logic [19:0] r;
    logic bf;
    bf = mode[3];
    // Leading zeros, at most `ex` of them: a marker bit stops the count where the result becomes denormal.
    k = sum;
    if (ex[8:5] == 4'd0) k = k | (32'h8000_0000 >> ex[4:0]);
    lz = 5'd0;
    if (k[31:16] == 16'd0) begin k = k << 16; lz[4] = 1'b1; end
    if (k[31:24] == 8'd0) begin k = k << 8; lz[3] = 1'b1; end
    if (k[31:28] == 4'd0) begin k = k << 4; lz[2] = 1'b1; end
    if (k[31:30] == 2'd0) begin k = k << 2; lz[1] = 1'b1; end
    lz[0] = ~k[31];
    m = sum << lz;
    // Exponent field less one: the hidden bit adds it in the sum below. Denormals and zero have neither.
    e = m[31] ? ex - {4'd0, lz} : 9'd0;
    if (bf) begin
      r = {4'd0, e, 7'd0} + {12'd0, m[31:24]} + {19'd0, m[23] & (m[22:0] != 23'd0 | m[24])};
      if (r[19:7] >= 13'd255) r = 20'h7f80;
    end else begin
      r = {1'b0, e, 10'd0} + {9'd0, m[31:21]} + {19'd0, m[20] & (m[19:0] != 20'd0 | m[21])};
      if (r[19:10] >= 10'd31) r = 20'h7c00;
    end
    if (mode[0] & ~m[31]) r = 20'd0;
    if (inf) r = {5'd0, infinity(bf)};
    round_pack = {sign, r[14:0]};
    if (sign & (mode[1] | mode[2])) round_pack = 16'd0;
    if (mode[1] && round_pack > (bf ? 16'h3f80 : 16'h3c00)) round_pack = bf ? 16'h3f80 : 16'h3c00;
    if (nan) round_pack = mode[1] ? 16'd0 : 16'h7fff;
  endfunction

  // Stage 1: comparison.
  always_comb begin
    t_o = 1'b0;
    if (any_i[0]) if (en0_i && setp_i)
      t_o = compare(flushed(marked(a_i, abs_a_i, neg_a_i), ftz_i, bf_i),
                    flushed(marked(b_i, abs_b_i, neg_b_i), ftz_i, bf_i), cond_i, bf_i);
  end

  // Stage 1: operands by instruction, ordered by exponent.
  ctl_t        ctl1_q;
  logic [10:0] ma1_q, mb1_q, mc1_q;

  wire go0 = en0_i;   // a fault can be injected here
  always_ff @(posedge clk_i) begin
    if (any_i[0]) if (go0 && !setp_i) begin : stage1
      logic [15:0] a, b, c;
      logic ps;
      a = marked(a_i, abs_a_i, neg_a_i);
      b = marked(b_i, abs_b_i, neg_b_i);
      c = marked(c_i, 1'b0, neg_c_i);
      ps = a[15] ^ b[15];
      if (mnmx_i) begin
        c = winner(flushed(a, ftz_i, bf_i), flushed(b, ftz_i, bf_i), min_i, nan_i, bf_i);
        ps = c[15];
        a = 16'd0;
        b = 16'd0;
      end else if (add_i) begin
        c = b;
        ps = a[15];
        b = bf_i ? 16'h3f80 : 16'h3c00;
      end else if (mul_i) begin
        c = {ps, 15'd0};
      end
      ctl1_q <= order(a[14:0], b[14:0], c[14:0], ps, c[15], ftz_i, bf_i);
      ma1_q <= significand(a[14:0], ftz_i, bf_i);
      mb1_q <= significand(b[14:0], ftz_i, bf_i);
      mc1_q <= significand(c[14:0], ftz_i, bf_i);
    end
  end

  // Stage 2: multiply.
  ctl_t        ctl2_q;
  logic [21:0] prod2_q;
  logic [10:0] mc2_q;

  always_ff @(posedge clk_i) begin
    if (any_i[1]) if (en1_i) begin
      ctl2_q <= ctl1_q;
      prod2_q <= {11'd0, ma1_q} * {11'd0, mb1_q};
      mc2_q <= mc1_q;
    end
  end

  // Stage 3: align, add. A difference may be negative; an exact zero of unlike signs is +0.
  logic        sign3_q, nan3_q, inf3_q;
  logic [31:0] sum3_q;
  logic [8:0]  exp3_q;

  always_ff @(posedge clk_i) begin
    if (any_i[2]) if (en2_i) begin : stage3
      logic [31:0] sum;
      logic sub;
      sub = ctl2_q.psign ^ ctl2_q.csign;
      sum = align_add(prod2_q, mc2_q, ctl2_q.pbig, ctl2_q.sh, sub);
      sum3_q <= sub & sum[31] ? -sum : sum;
      if (ctl2_q.inf) sign3_q <= ctl2_q.isign;
      else if (sub && sum == 32'd0) sign3_q <= 1'b0;
      else sign3_q <= (ctl2_q.pbig ? ctl2_q.psign : ctl2_q.csign) ^ (sub & sum[31]);
      exp3_q <= ctl2_q.exp;
      nan3_q <= ctl2_q.nan;
      inf3_q <= ctl2_q.inf;
    end
  end

  // Stage 4: normalise, round, pack.
  always_ff @(posedge clk_i) begin
    if (any_i[3]) if (en3_i) res_o <= round_pack(sum3_q, exp3_q, sign3_q, nan3_q, inf3_q, mode3_i);
  end
endmodule
