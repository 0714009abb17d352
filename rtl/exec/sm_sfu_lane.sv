// SPDX-License-Identifier: Apache-2.0
//
// sm_sfu_lane: one lane of the special function unit, by table and quadratic interpolation.
//
//   1 unpack, reduce, table, square | 2 multiply | 3 add | 4 (combinational) normalise, round, pack
//
// Same algorithm as model/ref/ref_mufu.c: sign * 2^scale * (whole + table(row, x)). Denormal inputs count as zero,
// results below 2^-126 become zero. SIN and COS take their argument in turns, with 25 fraction bits. RCP64H and RSQ64H
// take and give the upper word of an fp64 number.
module sm_sfu_lane (
    input  logic        clk_i,
    // enables: beat valid, lane in the mask, nothing stalls
    input  logic        en0_i,
    input  logic        en1_i,
    input  logic        en2_i,
    input  logic        en3_i,     // gates the output, which is zero without it
    input  logic [3:0]  any_i,    // a stage's enable in any lane of the pipe: one test skips an idle stage of all lanes
    input  logic [3:0]  fn_i,      // modifier MUFUF of the beat in stage 1
    input  logic        abs_i,
    input  logic        neg_i,
    input  logic [31:0] a_i,
    output logic [31:0] res_o
);
  // Values of modifier MUFUF. isa/isa.def names those that instructions may use.
  localparam logic [3:0] FnCos = 4'd0;
  localparam logic [3:0] FnSin = 4'd1;
  localparam logic [3:0] FnEx2 = 4'd2;
  localparam logic [3:0] FnLg2 = 4'd3;
  localparam logic [3:0] FnRcp = 4'd4;
  localparam logic [3:0] FnRsq = 4'd5;
  localparam logic [3:0] FnSqrt = 4'd6;
  localparam logic [3:0] FnTanh = 4'd7;   // those above, RCP64H first, have bit 3 set and are of fp64
  localparam logic [3:0] FnRsq64h = 4'd9;

  localparam logic [30:0] NaN = 31'h7fffffff;
  localparam logic [30:0] Inf = 31'h7f800000;
  localparam logic [30:0] Inf64h = 31'h7ff00000;
  localparam logic [30:0] One = 31'h3f800000;

  // What an operand becomes: argument of the interpolation, and how its value is used.
  typedef struct packed {
    logic        upper;   // the result is the upper word of an fp64 number
    logic        sign;
    logic        exact;   // the value is `whole` alone
    logic [11:0] scale;   // two's complement, power of two
    logic [8:0]  whole;   // two's complement, added to the table's value
    logic [10:0] row;     // {function, interval}
    logic [15:0] x;       // offset in the interval
  } arg_t;

  // Results that need no table: {it is one, value}.
  function automatic logic [32:0] special(input logic [3:0] fn, input logic s, input logic [30:0] v);
    logic [7:0] e;
    logic zero_f;
    e = v[30:23];
    zero_f = v[22:0] == 23'd0;
    special = 33'd0;
    if (fn[3]) special = special_64h(fn == FnRsq64h, s, v);
    else if (e == 8'd255 && (!zero_f || fn == FnSin || fn == FnCos)) special = {2'b10, NaN};
    else if (fn == FnTanh) special = {e < 8'd119 || e >= 8'd130, s, e < 8'd119 ? v : One};
    else if (e == 8'd0) begin
      case (fn)
        FnCos, FnEx2: special = {2'b10, One};
        FnSin, FnSqrt: special = {1'b1, s, 31'd0};
        FnLg2: special = {2'b11, Inf};
        default: special = {1'b1, s, Inf};
      endcase
    end else if (fn == FnEx2 && e >= 8'd134) special = {2'b10, s ? 31'd0 : Inf};
    else if (s && (fn == FnLg2 || fn == FnRsq || fn == FnSqrt)) special = {2'b10, NaN};
    else if (e == 8'd255) special = fn == FnRcp || fn == FnRsq ? {1'b1, s, 31'd0} : {2'b10, Inf};
  endfunction
  function automatic logic [32:0] special_64h(input logic rsq, input logic s, input logic [30:0] v);
    special_64h = 33'd0;
    if (v > Inf64h) special_64h = {2'b10, NaN};
    else if (v[30:20] == 11'd0) special_64h = {1'b1, s, Inf64h};
    else if (s & rsq) special_64h = {2'b10, NaN};
    else if (v == Inf64h) special_64h = {1'b1, s, 31'd0};
  endfunction

  // |a| as fixed point with 25 fraction bits, modulo 2^32, truncated.
  function automatic logic [31:0] fixed25(input logic [7:0] e, input logic [22:0] f);
    logic [31:0] m;
    m = {8'd0, 1'b1, f};
    if (e >= 8'd125) fixed25 = e >= 8'd157 ? 32'd0 : m << (e - 8'd125);
    else fixed25 = e <= 8'd93 ? 32'd0 : m >> (8'd125 - e);
  endfunction

  // RCP, RSQ, SQRT, LG2: an arg_t. The exponent is 2 half, or 2 half + 1.
  function automatic logic [50:0] algebraic(input logic [3:0] fn, input logic s, input logic [7:0] e,
                                            input logic [22:0] f);
    logic [11:0] power, half;
    logic odd;
    power = {4'd0, e} - 12'd127;
    half = (({4'd0, e} + 12'd1) >> 1) - 12'd64;
    odd = ~e[0];
    case (fn)
      FnRcp: algebraic = {1'b0, s, 1'b0, -power, 9'd0, sm_mufu_pkg::TabRcp, f};
      FnRsq: algebraic = {3'b0, -half, 9'd0, odd ? sm_mufu_pkg::TabRsqOdd : sm_mufu_pkg::TabRsqEven, f};
      FnSqrt: algebraic = {3'b0, half, 9'd0, odd ? sm_mufu_pkg::TabSqrtOdd : sm_mufu_pkg::TabSqrtEven, f};
      default: algebraic = {2'b0, f == 23'd0, 12'd0, power[8:0], sm_mufu_pkg::TabLg2, f};
    endcase
  endfunction

  // RCP64H, RSQ64H: the same with the exponent and fraction of fp64.
  function automatic logic [50:0] upper_64h(input logic rsq, input logic s, input logic [10:0] e,
                                            input logic [19:0] f);
    logic [11:0] power, half;
    power = {1'b0, e} - 12'd1023;
    half = (({1'b0, e} + 12'd1) >> 1) - 12'd512;
    if (rsq) upper_64h = {3'b100, -half, 9'd0, e[0] ? sm_mufu_pkg::TabRsqEven : sm_mufu_pkg::TabRsqOdd, f, 3'd0};
    else upper_64h = {1'b1, s, 1'b0, -power, 9'd0, sm_mufu_pkg::TabRcp, f, 3'd0};
  endfunction

  // TANH on [2^-8, 8): the table is cut by exponent, 16 intervals from 1/4, 8 below; its values are 2^-4 too small.
  function automatic logic [50:0] tangent(input logic s, input logic [7:0] e, input logic [19:0] f);
    logic [3:0] k;
    k = 4'(e - (e >= 8'd125 ? 8'd125 : 8'd109));
    tangent = {1'b0, s, 1'b0, {4'd0, e} - 12'd123, 9'd0, sm_mufu_pkg::TabTanh,
               e >= 8'd125 ? {k[2:0], f} : {k, f[19:1]}};
  endfunction

  // EX2: whole part to the scale, fraction (23 bits of 25) to the table.
  function automatic logic [50:0] exponential(input logic s, input logic [7:0] e, input logic [22:0] f);
    logic [33:0] v;
    v = {2'd0, fixed25(e, f)};
    if (s) v = -v;
    exponential = {3'b0, {3{v[33]}}, v[33:25], 9'd0, sm_mufu_pkg::TabEx2, v[24:2]};
  endfunction

  // SIN, COS: one quarter of a turn is in the table; cos is a quarter ahead of |a|.
  function automatic logic [50:0] wave(input logic cosine, input logic s, input logic [7:0] e, input logic [22:0] f);
    logic [24:0] y;
    logic [22:0] u;
    logic exact;
    y = 25'(fixed25(e, f)) + {1'b0, cosine, 23'd0};
    u = y[23] ? -y[22:0] : y[22:0];
    exact = y[22:0] == 23'd0;
    wave = {1'b0, (s & ~cosine) ^ y[24], exact, 12'd0, 8'd0, exact & y[23], sm_mufu_pkg::TabSin, u};
  endfunction

  // Independent conditions, not a chain: Verilator then computes the one that holds, and not all of them.
  function automatic logic [50:0] reduce(input logic [3:0] fn, input logic s, input logic [30:0] v);
    logic turns;
    turns = fn == FnSin || fn == FnCos;
    reduce = 51'd0;
    if (fn[3]) reduce = upper_64h(fn == FnRsq64h, s, v[30:20], v[19:0]);
    if (fn == FnTanh) reduce = tangent(s, v[30:23], v[22:3]);
    if (turns) reduce = wave(fn == FnCos, s, v[30:23], v[22:0]);
    if (fn == FnEx2) reduce = exponential(s, v[30:23], v[22:0]);
    if (!fn[3] && !turns && fn != FnEx2 && fn != FnTanh) reduce = algebraic(fn, s, v[30:23], v[22:0]);
  endfunction

  // Upper half of x * x, x in units of 2^-16.
  function automatic logic [15:0] square(input logic [15:0] x);
    logic [31:0] p;
    p = {16'd0, x} * {16'd0, x};
    square = 16'(p >> 16);
  endfunction

  // c * x, c two's complement, x in units of 2^-16; rounded down.
  function automatic logic [22:0] scaled(input logic [22:0] c, input logic [15:0] x);
    logic [38:0] p;
    p = {{16{c[22]}}, c} * {23'd0, x};
    scaled = 23'(p >> 16);
  endfunction

  // 2^(scale - 28) * mag as fp32, or as upper word of fp64: rounded half up to 24 bits, no denormals. The upper word
  // cuts off three of them; its functions never overflow.
  function automatic logic [31:0] pack(input logic sign, input logic [36:0] mag, input logic [11:0] scale,
                                       input logic upper);
    logic [36:0] m;
    logic [5:0] lz;
    logic [12:0] field;
    logic [36:0] r;
    m = mag;
    lz = 6'd0;
    if (m[36:5] == 32'd0) begin m = m << 32; lz[5] = 1'b1; end
    if (m[36:21] == 16'd0) begin m = m << 16; lz[4] = 1'b1; end
    if (m[36:29] == 8'd0) begin m = m << 8; lz[3] = 1'b1; end
    if (m[36:33] == 4'd0) begin m = m << 4; lz[2] = 1'b1; end
    if (m[36:35] == 2'd0) begin m = m << 2; lz[1] = 1'b1; end
    if (!m[36]) begin m = m << 1; lz[0] = 1'b1; end
    // Exponent field less one: the hidden bit adds it. Two's complement.
    field = {scale[11], scale} + (upper ? 13'd1030 : 13'd134) - {7'd0, lz};
    r = {field[12], field, 23'd0} + {13'd0, m[36:13]} + {36'd0, m[12]};
    if (mag == 37'd0 || r[36] || r[35:23] == 13'd0) pack = {sign, 31'd0};
    else if (upper) pack = {sign, r[33:3]};
    else if (r[35:23] >= 13'd255) pack = {sign, Inf};
    else pack = {sign, r[30:0]};
  endfunction

  // Stage 1.
  logic        plain1_q, plain2_q, plain3_q;
  logic [31:0] value1_q, value2_q, value3_q;
  arg_t        arg, arg1_q;
  logic [sm_mufu_pkg::Bits0-1:0] c01_q, c02_q;
  logic [sm_mufu_pkg::Bits1-1:0] c11_q;
  logic [sm_mufu_pkg::Bits2-1:0] c21_q;
  logic [15:0] sq1_q;

  always_comb begin
    arg = '0;
    if (any_i[0]) if (en0_i) arg = reduce(fn_i, (a_i[31] & ~abs_i) ^ neg_i, a_i[30:0]);
  end

  wire go0 = en0_i;   // a fault can be injected here
  always_ff @(posedge clk_i) begin
    if (any_i[0]) if (go0) begin
      {plain1_q, value1_q} <= special(fn_i, (a_i[31] & ~abs_i) ^ neg_i, a_i[30:0]);
      arg1_q <= arg;
      c01_q <= sm_mufu_pkg::C0[{arg.row, 5'd0}+:sm_mufu_pkg::Bits0];
      c11_q <= sm_mufu_pkg::C1[{arg.row, 5'd0}+:sm_mufu_pkg::Bits1];
      c21_q <= sm_mufu_pkg::C2[{arg.row, 5'd0}+:sm_mufu_pkg::Bits2];
      sq1_q <= square(arg.x);
    end
  end

  // Stage 2.
  arg_t        arg2_q;
  logic [22:0] linear2_q, square2_q;

  always_ff @(posedge clk_i) begin
    if (any_i[1]) if (en1_i) begin
      plain2_q  <= plain1_q;
      value2_q  <= value1_q;
      arg2_q    <= arg1_q;
      c02_q     <= c01_q;
      linear2_q <= scaled(c11_q, arg1_q.x);
      square2_q <= scaled({{7{c21_q[15]}}, c21_q}, sq1_q);
    end
  end

  // Stage 3.
  logic        sign3_q, upper3_q;
  logic [11:0] scale3_q;
  logic [36:0] mag3_q;

  always_ff @(posedge clk_i) begin
    if (any_i[2]) if (en2_i) begin : stage3
      logic [36:0] v;
      v = {arg2_q.whole, 28'd0};
      if (!arg2_q.exact) v = v + {7'd0, c02_q} + {{14{linear2_q[22]}}, linear2_q} + {{14{square2_q[22]}}, square2_q};
      plain3_q <= plain2_q;
      value3_q <= value2_q;
      sign3_q  <= arg2_q.sign ^ v[36];
      upper3_q <= arg2_q.upper;
      scale3_q <= arg2_q.scale;
      mag3_q   <= v[36] ? -v : v;
    end
  end

  // Stage 4.
  always_comb begin
    res_o = 32'd0;
    if (any_i[3]) if (en3_i) res_o = plain3_q ? value3_q : pack(sign3_q, mag3_q, scale3_q, upper3_q);
  end

  wire unused_arg = ^{arg2_q.row, arg2_q.x, arg1_q.row};
endmodule
