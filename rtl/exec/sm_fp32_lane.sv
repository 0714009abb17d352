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
// weight), the other is shifted right, and the bits it loses are jammed into bit 0 (sticky). That is exact enough
// because bits are only lost when the operands are so far apart that at least 25 bits above bit 0 remain, or when the
// result is denormal and rounds far above bit 0. Operands need no normalising: leading zeros of a denormal are removed
// in stage 4.
module sm_fp32_lane (
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
  // What travels beside the numbers.
  typedef struct packed {
    logic       psign, csign;   // of product and addend
    logic       nan, inf;       // the result is a NaN; an infinity of sign `isign`
    logic       isign;
    logic       pbig;           // the product has the larger exponent
    logic [8:0] exp;            // biased exponent of bit 62 of the window, 1..382
    logic [5:0] sh;             // right shift of the other operand
  } ctl_t;

  // The logic of a stage stands in functions: Verilator then keeps their variables in registers.

  // Significand with its hidden bit.
  function automatic logic [23:0] significand(input logic [30:0] v, input logic ftz);
    significand = {v[30:23] != 8'd0, v[22:0]};
    if (ftz && v[30:23] == 8'd0) significand = 24'd0;
  endfunction

  // Biased exponent; a denormal has that of the smallest normal number.
  function automatic logic [7:0] exponent(input logic [7:0] e);
    exponent = e | {7'd0, e == 8'd0};
  endfunction

  // Second factor and addend by instruction. FADD multiplies a by 1; FMUL adds zero.
  function automatic logic [30:0] factor(input logic [30:0] b, input logic add);
    factor = add ? 31'h3f800000 : b;
  endfunction
  function automatic logic [30:0] addend(input logic [30:0] b, input logic [30:0] c, input logic add, input logic mul);
    addend = add ? b : mul ? 31'd0 : c;
  endfunction

  // Stage 1: a ctl_t of the magnitudes a * b + c and of the signs of product and addend.
  function automatic logic [20:0] order(input logic [30:0] a, input logic [30:0] b, input logic [30:0] c,
                                        input logic ps, input logic cs, input logic ftz);
    logic za, zb, ia, ib, ic, nan, pinf, pbig;
    logic [7:0] ec;
    logic [9:0] ep, d, n;
    za = significand(a, ftz) == 24'd0;
    zb = significand(b, ftz) == 24'd0;
    ia = a[30:23] == 8'hff;
    ib = b[30:23] == 8'hff;
    ic = c[30:23] == 8'hff;
    pinf = ia | ib;
    nan = (ia & (a[22:0] != 23'd0 | zb)) | (ib & (b[22:0] != 23'd0 | za)) | (ic & c[22:0] != 23'd0)
        | (pinf & ic & (ps ^ cs));
    // `ep` belongs to the product's bit 47 (weight 2), `ec` to the addend's bit 23. A zero product must never push the
    // addend out of the window, so it counts as tiny.
    ec = exponent(c[30:23]);
    ep = za | zb ? 10'd0 : {2'd0, exponent(a[30:23])} + {2'd0, exponent(b[30:23])} - 10'd126;
    d = ep - {2'd0, ec};
    pbig = ~d[9];
    n = pbig ? d : -d;
    order = {ps, cs, nan, pinf | ic, pinf ? ps : cs, pbig, pbig ? ep[8:0] : {1'b0, ec},
             n > 10'd63 ? 6'd63 : n[5:0]};
  endfunction

  // Stage 3: the larger operand plus or minus the smaller one, shifted right; bits that it loses are jammed into bit 0.
  function automatic logic [63:0] align_add(input logic [47:0] prod, input logic [23:0] mc, input logic pbig,
                                            input logic [5:0] sh, input logic sub);
    logic [63:0] x, y, ys;
    x = {1'b0, prod, 15'd0};
    y = {1'b0, mc, 39'd0};
    if (!pbig) begin
      x = {1'b0, mc, 39'd0};
      y = {1'b0, prod, 15'd0};
    end
    ys = y >> sh;
    ys[0] = ys[0] | ((ys << sh) != y);
    align_add = sub ? x - ys : x + ys;
  endfunction

  // A difference may be negative: magnitude; sign of the result, `s` = sign of the larger operand. An exact zero of
  // unlike signs is +0, but -0 when rounding down.
  function automatic logic [63:0] magnitude(input logic [63:0] sum, input logic sub);
    magnitude = sub & sum[63] ? -sum : sum;
  endfunction
  function automatic logic sum_sign(input logic [63:0] sum, input logic sub, input logic s, input logic down);
    if (sub && sum == 64'd0) sum_sign = down;
    else sum_sign = s ^ (sub & sum[63]);
  endfunction

  // Stage 4: normalise (not below exponent 1), round, pack. `m`: magnitude, `ex`: exponent of its bit 62.
  function automatic logic [31:0] round_pack(input logic [63:0] sum, input logic [8:0] ex, input logic sign,
                                             input logic nan, input logic inf, input logic [3:0] mode);
    logic [63:0] m, k;
    logic [5:0] lz;
    logic [8:0] e;
    logic [31:0] r;
    logic rest, up;
    // Leading zeros, at most `ex` of them: a marker bit stops the count where the result becomes denormal.
    k = sum;
    if (ex[8:6] == 3'd0) k = k | (64'h8000_0000_0000_0000 >> ex[5:0]);
    lz = 6'd0;
    if (k[63:32] == 32'd0) begin k = k << 32; lz[5] = 1'b1; end
    if (k[63:48] == 16'd0) begin k = k << 16; lz[4] = 1'b1; end
    if (k[63:56] == 8'd0) begin k = k << 8; lz[3] = 1'b1; end
    if (k[63:60] == 4'd0) begin k = k << 4; lz[2] = 1'b1; end
    if (k[63:62] == 2'd0) begin k = k << 2; lz[1] = 1'b1; end
    lz[0] = ~k[63];
    m = sum << lz;
    // Exponent field less one: the hidden bit adds it in the sum below. Denormals and zero have neither.
    e = m[63] ? ex - {3'd0, lz} : 9'd0;
    rest = m[38:0] != 39'd0;
    case (mode[1:0])
      2'd0: up = m[39] & (rest | m[40]);
      2'd1: up = sign & (m[39] | rest);
      2'd2: up = ~sign & (m[39] | rest);
      default: up = 1'b0;
    endcase
    r = {e, 23'd0} + {8'd0, m[63:40]} + {31'd0, up};
    if (mode[2] & ~m[63]) r = 32'd0;
    // Overflow: infinity or the largest number, by the rounding direction.
    if (r[31] | (r[30:23] == 8'hff))
      r = mode[1:0] == 2'd3 || mode[1:0] == (sign ? 2'd2 : 2'd1) ? 32'h7f7fffff : 32'h7f800000;
    if (inf) r = 32'h7f800000;
    r[31] = sign;
    if (mode[3]) r = sign ? 32'd0 : r[30:23] >= 8'd127 ? 32'h3f800000 : r;
    if (nan) r = mode[3] ? 32'd0 : 32'h7fffffff;
    round_pack = r;
  endfunction

  // Stage 1: order by exponent. FMUL adds a zero of the product's sign.
  ctl_t        ctl1_q;
  logic [23:0] ma1_q, mb1_q, mc1_q;

  wire go0 = en0_i;   // a fault can be injected here
  always_ff @(posedge clk_i) begin
    if (any_i[0]) if (go0) begin : stage1
      logic sb, sp, sc;
      sb = (b_i[31] & ~abs_b_i) ^ neg_b_i;
      sp = (a_i[31] & ~abs_a_i) ^ neg_a_i ^ (sb & ~add_i);
      sc = add_i ? sb : mul_i ? sp : c_i[31] ^ neg_c_i;
      ctl1_q <= order(a_i[30:0], factor(b_i[30:0], add_i), addend(b_i[30:0], c_i[30:0], add_i, mul_i), sp, sc, ftz_i);
      ma1_q  <= significand(a_i[30:0], ftz_i);
      mb1_q  <= significand(factor(b_i[30:0], add_i), ftz_i);
      mc1_q  <= significand(addend(b_i[30:0], c_i[30:0], add_i, mul_i), ftz_i);
    end
  end

  // Stage 2: multiply.
  ctl_t        ctl2_q;
  logic [47:0] prod2_q;
  logic [23:0] mc2_q;

  always_ff @(posedge clk_i) begin
    if (any_i[1]) if (en1_i) begin
      ctl2_q  <= ctl1_q;
      prod2_q <= {24'd0, ma1_q} * {24'd0, mb1_q};
      mc2_q   <= mc1_q;
    end
  end

  // Stage 3: align, add.
  logic        sign3_q, nan3_q, inf3_q;
  logic [63:0] sum3_q;
  logic [8:0]  exp3_q;

  always_ff @(posedge clk_i) begin
    if (any_i[2]) if (en2_i) begin : stage3
      logic [63:0] sum;
      logic sub;
      sub = ctl2_q.psign ^ ctl2_q.csign;
      sum = align_add(prod2_q, mc2_q, ctl2_q.pbig, ctl2_q.sh, sub);
      sum3_q <= magnitude(sum, sub);
      sign3_q <= ctl2_q.inf ? ctl2_q.isign
                            : sum_sign(sum, sub, ctl2_q.pbig ? ctl2_q.psign : ctl2_q.csign, rnd2_i == 2'd1);
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
