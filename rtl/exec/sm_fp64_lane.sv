// SPDX-License-Identifier: Apache-2.0
//
// sm_fp64_lane: one lane of the fp64 pipe: a * b + c with one rounding, in four stages.
//
//   1 unpack, compare, order by exponent | 2 multiply | 3 align, add | 4 normalise, round, pack
//
// DADD is a * 1 + b, DMUL is a * b + (zero with the product's sign), DMNMX is (zero) + (the chosen operand). DSETP ends
// in stage 1. IEEE 754 with all four roundings, denormals in and out. A NaN result is a NaN operand with its quiet bit
// set, c's before b's before a's, untouched by the operand's marks; an invalid operation gives fff8000000000000.
//
// The sum lives in a 128-bit window, kept as two 64-bit halves (`..h`, `..l`): no vector is wider than a machine word;
// 128-bit vectors made simulation 1.8 times slower. The operand with the larger exponent is put at the top (bit 126 =
// the exponent's weight), the other is shifted right, and the bits it loses are jammed into bit 0 (sticky). That is
// exact enough because bits are only lost when the operands are so far apart that the result's last place stays above
// bit 1, or when the result is denormal and rounds far above bit 0. Operands need no normalising: leading zeros of a
// denormal are removed in stage 4.
module sm_fp64_lane (
    input  logic        clk_i,
    // enables of stages 1 to 4: stage valid and this lane in the mask; `cmp_en_i` that of DSETP, which has stage 1 only
    input  logic        cmp_en_i,
    input  logic        en0_i,
    input  logic        en1_i,
    input  logic        en2_i,
    input  logic        en3_i,
    input  logic [3:0]  any_i,    // a stage's enable in any lane of the pipe: one test skips an idle stage of all lanes
    // decoded instruction, common to the lanes; none of add, mul, minmax: DFMA
    input  logic        add_i,
    input  logic        mul_i,
    input  logic        minmax_i,
    input  logic        abs_a_i,
    input  logic        abs_b_i,
    input  logic        neg_a_i,
    input  logic        neg_b_i,
    input  logic        neg_c_i,
    input  logic [3:0]  cond_i,   // FCMP
    input  logic [1:0]  bool_i,   // FBOOL
    input  logic [1:0]  rnd2_i,   // of the beat in stage 3: 0 nearest even, 1 down, 2 up, 3 toward zero
    input  logic [1:0]  rnd3_i,   // of the beat in stage 4
    input  logic [63:0] a_i,
    input  logic [63:0] b_i,
    input  logic [63:0] c_i,
    input  logic        p_i,
    output logic        pd0_o,    // combinational, zero without cmp_en_i
    output logic        pd1_o,
    output logic [63:0] res_o
);
  localparam logic [62:0] Inf = 63'h7ff0_0000_0000_0000;
  localparam logic [62:0] One = 63'h3ff0_0000_0000_0000;

  // What travels beside the numbers.
  typedef struct packed {
    logic        psign, csign;   // of product and addend; of the result if `special`
    logic        special;        // infinity or NaN: the addend's significand holds the result's
    logic        pbig;           // the product has the larger exponent
    logic [11:0] exp;            // biased exponent of bit 126 of the window, 1..3070
    logic [6:0]  sh;             // right shift of the other operand
  } ctl_t;

  // The logic of a stage stands in functions: Verilator then keeps their variables in registers.

  // An operand with its marks.
  function automatic logic [63:0] marked(input logic [63:0] v, input logic abs, input logic neg);
    marked = {(v[63] & ~abs) ^ neg, v[62:0]};
  endfunction

  function automatic logic is_nan(input logic [62:0] v);
    is_nan = v > Inf;
  endfunction

  // Significand with its hidden bit.
  function automatic logic [52:0] significand(input logic [62:0] v);
    significand = {v[62:52] != 11'd0, v[51:0]};
  endfunction

  // Biased exponent; a denormal has that of the smallest normal number.
  function automatic logic [10:0] exponent(input logic [10:0] e);
    exponent = e | {10'd0, e == 11'd0};
  endfunction

  // Order of two numbers, NaN excluded; -0 counts as less than +0.
  function automatic logic less(input logic [63:0] a, input logic [63:0] b);
    if (a[63] != b[63]) less = a[63];
    else less = a[63] ? a[62:0] > b[62:0] : a[62:0] < b[62:0];
  endfunction

  // DSETP condition `t`: bit 0 less, 1 equal, 2 greater, 3 unordered. The zeros are equal.
  function automatic logic compare(input logic [63:0] a, input logic [63:0] b, input logic [3:0] t);
    if (is_nan(a[62:0]) || is_nan(b[62:0])) compare = t[3];
    else if (a == b || (a[62:0] | b[62:0]) == 63'd0) compare = t[1];
    else compare = less(a, b) ? t[0] : t[2];
  endfunction

  // t bool p, by the two-bit modifier of the set-predicate instructions.
  function automatic logic bool_op(input logic [1:0] k, input logic t, input logic p);
    case (k)
      2'd0: bool_op = t & p;
      2'd1: bool_op = t | p;
      default: bool_op = t ^ p;
    endcase
  endfunction

  // Second factor and addend by instruction, marks applied.
  function automatic logic [62:0] factor(input logic [62:0] b, input logic add, input logic minmax);
    factor = add ? One : minmax ? 63'd0 : b;
  endfunction
  function automatic logic [63:0] choose(input logic [63:0] a, input logic [63:0] b, input logic min);
    if (is_nan(a[62:0])) choose = b;
    else if (is_nan(b[62:0])) choose = a;
    else choose = less(a, b) == min ? a : b;
  endfunction

  // The NaN operand whose payload the result takes: {there is one, sign, payload}. Operands without their marks.
  function automatic logic [52:0] nan_of(input logic [63:0] a, input logic [63:0] b, input logic [63:0] c,
                                         input logic fma, input logic both);
    logic nan_a, nan_b, nan_c;
    nan_a = is_nan(a[62:0]);
    nan_b = is_nan(b[62:0]);
    nan_c = fma & is_nan(c[62:0]);
    nan_of[52] = both ? nan_a & nan_b : nan_a | nan_b | nan_c;
    nan_of[51:0] = nan_c ? {c[63], c[50:0]} : nan_b ? {b[63], b[50:0]} : {a[63], a[50:0]};
  endfunction

  // Results that are no sum: {it is one, sign, fraction}. A zero times an infinity and unlike infinities are invalid.
  function automatic logic [53:0] special(input logic [62:0] a, input logic [62:0] b, input logic [62:0] c,
                                          input logic ps, input logic cs, input logic minmax, input logic [52:0] nan);
    logic pinf, cinf;
    pinf = ~minmax & (a == Inf || b == Inf);
    cinf = c == Inf;
    if (nan[52]) special = {1'b1, nan[51], 1'b1, nan[50:0]};
    else if (pinf & (a == 63'd0 || b == 63'd0 || (cinf & (ps ^ cs)))) special = {3'b111, 51'd0};
    else special = {pinf | cinf, pinf ? ps : cs, 52'd0};
  endfunction

  // Exponents of the magnitudes a * b + c: {pbig, exp, sh} of a ctl_t.
  function automatic logic [19:0] order(input logic [62:0] a, input logic [62:0] b, input logic [10:0] c);
    logic pbig;
    logic [10:0] ec;
    logic [12:0] ep, d, n;
    // `ep` belongs to the product's bit 105 (weight 2), `ec` to the addend's bit 52. A zero product must never push the
    // addend out of the window, so it counts as tiny.
    ec = exponent(c);
    ep = {2'd0, exponent(a[62:52])} + {2'd0, exponent(b[62:52])} - 13'd1022;
    if (a == 63'd0 || b == 63'd0) ep = 13'd0;
    d = ep - {2'd0, ec};
    pbig = ~d[12];
    n = pbig ? d : -d;
    order = {pbig, pbig ? ep[11:0] : {1'b0, ec}, n > 13'd127 ? 7'd127 : n[6:0]};
  endfunction

  // Stage 3: shift {h, l} right by sh; bits that it loses are jammed into bit 0.
  function automatic logic [63:0] shift_high(input logic [63:0] h, input logic [6:0] sh);
    shift_high = sh[6] ? 64'd0 : h >> sh[5:0];
  endfunction
  function automatic logic [63:0] shift_low(input logic [63:0] h, input logic [63:0] l, input logic [6:0] sh);
    logic [63:0] u, v;
    u = sh[6] ? 64'd0 : h;
    v = sh[6] ? h : l;
    shift_low = (v >> sh[5:0]) | ((u << 1) << ~sh[5:0]);
    if (((v << 1) << ~sh[5:0]) != 64'd0 || (sh[6] && l != 64'd0)) shift_low[0] = 1'b1;
  endfunction

  // Stage 4: normalise (not below exponent 1), round, pack. `ex`: exponent of bit 126 of the magnitude {h, l}.
  function automatic logic [63:0] round_pack(input logic [63:0] h, input logic [63:0] l, input logic [11:0] ex,
                                             input logic sign, input logic [1:0] rnd);
    logic [63:0] m, s, k, r;
    logic [5:0] lz;
    logic [11:0] e;
    logic rest, up;
    m = h;
    s = l;
    e = ex;
    if (h == 64'd0 && ex[11:6] != 6'd0) begin
      m = l;
      s = 64'd0;
      e = ex - 12'd64;
    end
    // Leading zeros, at most `e` of them: a marker bit stops the count where the result becomes denormal.
    k = m;
    if (e[11:6] == 6'd0) k = k | (64'h8000_0000_0000_0000 >> e[5:0]);
    lz = 6'd0;
    if (k[63:32] == 32'd0) begin k = k << 32; lz[5] = 1'b1; end
    if (k[63:48] == 16'd0) begin k = k << 16; lz[4] = 1'b1; end
    if (k[63:56] == 8'd0) begin k = k << 8; lz[3] = 1'b1; end
    if (k[63:60] == 4'd0) begin k = k << 4; lz[2] = 1'b1; end
    if (k[63:62] == 2'd0) begin k = k << 2; lz[1] = 1'b1; end
    lz[0] = ~k[63];
    m = (m << lz) | ((s >> 1) >> ~lz);
    s = s << lz;
    // Exponent field less one: the hidden bit adds it in the sum below. Denormals and zero have neither.
    e = m[63] ? e - {6'd0, lz} : 12'd0;
    rest = m[9:0] != 10'd0 || s != 64'd0;
    case (rnd)
      2'd0: up = m[10] & (rest | m[11]);
      2'd1: up = sign & (m[10] | rest);
      2'd2: up = ~sign & (m[10] | rest);
      default: up = 1'b0;
    endcase
    r = {e, 52'd0} + {11'd0, m[63:11]} + {63'd0, up};
    // Overflow: infinity or the largest number, by the rounding direction.
    if (r[63] | (r[62:52] == 11'h7ff))
      r = rnd == 2'd3 || rnd == (sign ? 2'd2 : 2'd1) ? 64'h7fef_ffff_ffff_ffff : {1'b0, Inf};
    round_pack = {sign, r[62:0]};
  endfunction

  // Stage 1: predicates.
  logic t;

  always_comb begin
    pd0_o = 1'b0;
    pd1_o = 1'b0;
    t = 1'b0;
    if (cmp_en_i) begin
      t = compare(marked(a_i, abs_a_i, neg_a_i), marked(b_i, abs_b_i, neg_b_i), cond_i);
      pd0_o = bool_op(bool_i, t, p_i);
      pd1_o = bool_op(bool_i, ~t, p_i);
    end
  end

  // Stage 1: order by exponent.
  ctl_t        ctl1_q;
  logic [52:0] ma1_q, mb1_q, mc1_q;

  wire go0 = en0_i;   // a fault can be injected here
  always_ff @(posedge clk_i) begin
    if (any_i[0]) if (go0) begin : stage1
      logic [63:0] a, b, c;
      logic [62:0] f;
      logic [53:0] spec;
      logic ps;
      a = marked(a_i, abs_a_i, neg_a_i);
      b = marked(b_i, abs_b_i, neg_b_i);
      f = factor(b[62:0], add_i, minmax_i);
      ps = a[63] ^ (b[63] & ~add_i);
      if (minmax_i) begin
        c = choose(a, b, p_i);
        ps = c[63];
      end else begin
        c = add_i ? b : mul_i ? {ps, 63'd0} : {c_i[63] ^ neg_c_i, c_i[62:0]};
      end
      spec = special(a_i[62:0], f, c[62:0], ps, c[63], minmax_i,
                     nan_of(a_i, b_i, c_i, ~(add_i | mul_i | minmax_i), minmax_i));
      ctl1_q <= {spec[53] ? spec[52] : ps, c[63], spec[53], order(a_i[62:0], f, c[62:52])};
      ma1_q  <= significand(a_i[62:0]);
      mb1_q  <= significand(f);
      mc1_q  <= spec[53] ? {1'b1, spec[51:0]} : significand(c[62:0]);
    end
  end

  // Stage 2: multiply.
  ctl_t        ctl2_q;
  logic [52:0] mc2_q;
  logic [52:0] prodh2_q, prodm2_q;   // of the 106-bit product: bits 105:53, 52:0

  always_ff @(posedge clk_i) begin
    if (any_i[1]) if (en1_i) begin : stage2
      logic [53:0] ll, mid;
      logic [51:0] hh;
      // Limbs of 26 and 27 bits: no product is wider than 54 bits.
      ll = {27'd0, ma1_q[26:0]} * {27'd0, mb1_q[26:0]};
      mid = {28'd0, ma1_q[52:27]} * {27'd0, mb1_q[26:0]} + {27'd0, ma1_q[26:0]} * {28'd0, mb1_q[52:27]}
          + {27'd0, ll[53:27]};
      hh = {26'd0, ma1_q[52:27]} * {26'd0, mb1_q[52:27]} + {25'd0, mid[53:27]};
      prodh2_q <= {hh, mid[26]};
      prodm2_q <= {mid[25:0], ll[26:0]};
      ctl2_q  <= ctl1_q;
      mc2_q   <= mc1_q;
    end
  end

  // Stage 3: align, add. The larger operand plus or minus the smaller one; a difference may be negative. An exact zero
  // of unlike signs is +0, but -0 when rounding down.
  logic        sign3_q, special3_q;
  logic [63:0] sumh3_q, suml3_q;
  logic [11:0] exp3_q;

  always_ff @(posedge clk_i) begin
    if (any_i[2]) if (en2_i) begin : stage3
      logic [63:0] ph, pl, ch, xh, xl, yh, yl, h, l;
      logic sub;
      ph = {1'b0, prodh2_q, prodm2_q[52:43]};
      pl = {prodm2_q[42:0], 21'd0};
      ch = {1'b0, mc2_q, 10'd0};
      xh = ctl2_q.pbig ? ph : ch;
      xl = ctl2_q.pbig ? pl : 64'd0;
      yh = ctl2_q.pbig ? ch : ph;
      yl = ctl2_q.pbig ? 64'd0 : pl;
      yl = shift_low(yh, yl, ctl2_q.sh);
      yh = shift_high(yh, ctl2_q.sh);
      sub = ctl2_q.psign ^ ctl2_q.csign;
      if (sub) begin
        l = xl - yl;
        h = xh - yh - {63'd0, xl < yl};
      end else begin
        l = xl + yl;
        h = xh + yh + {63'd0, l < xl};
      end
      sign3_q <= (ctl2_q.pbig ? ctl2_q.psign : ctl2_q.csign) ^ (sub & h[63]);
      if (sub && h == 64'd0 && l == 64'd0) sign3_q <= rnd2_i == 2'd1;
      if (sub & h[63]) begin
        h = ~h + {63'd0, l == 64'd0};
        l = -l;
      end
      sumh3_q <= h;
      suml3_q <= l;
      exp3_q <= ctl2_q.exp;
      special3_q <= ctl2_q.special;
      if (ctl2_q.special) begin
        sumh3_q <= ch;
        sign3_q <= ctl2_q.psign;
      end
    end
  end

  // Stage 4: normalise, round, pack.
  always_ff @(posedge clk_i) begin
    if (any_i[3]) if (en3_i) begin
      if (special3_q) res_o <= {sign3_q, 11'h7ff, sumh3_q[61:10]};
      else res_o <= round_pack(sumh3_q, suml3_q, exp3_q, sign3_q, rnd3_i);
    end
  end
endmodule
