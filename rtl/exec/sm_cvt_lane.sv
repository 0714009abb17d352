// SPDX-License-Identifier: Apache-2.0
//
// sm_cvt_lane: one lane of the conversions (I2F, F2I, F2F) and bit counts (POPC, FLO, BREV) of the special function
// unit.
//
//   1 unpack, count, reverse | 2 normalise | 3 shift to the last place | 4 (combinational) round, pack, saturate
//
// Same results as model/ref/ref_cvt.c. A number is m * 2^(ex - 63), m normalised to bit 63 by stage 2. Stage 3
// shifts it right so that the last place of the result is bit 0 and keeps what is lost as a half and the rest. With
// .INT the last place is at least 1, and stage 4 shifts the integer back under its exponent. NaN fractions, and the
// results of POPC, FLO and BREV, pass in m.
module sm_cvt_lane (
    input  logic        clk_i,
    // enables: beat valid, lane in the mask, nothing stalls
    input  logic        en0_i,
    input  logic        en1_i,
    input  logic        en2_i,
    input  logic        en3_i,     // gates the output, which is zero without it
    input  logic [3:0]  any_i,    // a stage's enable in any lane of the pipe: one test skips an idle stage of all lanes
    input  logic [23:0] insn0_i,   // {opcode, modifiers} of the beat in stages 1 to 4
    input  logic [23:0] insn1_i,
    input  logic [23:0] insn2_i,
    input  logic [23:0] insn3_i,
    input  logic [63:0] a_i,       // bits above 31 are zero unless the source is a pair
    output logic [63:0] res_o
);
  localparam logic [2:0] F16 = sm_isa_pkg::ValFDST_F16;
  localparam logic [2:0] F32 = sm_isa_pkg::ValFDST_F32;
  localparam logic [2:0] F64 = sm_isa_pkg::ValFDST_F64;
  localparam logic [2:0] BF16 = sm_isa_pkg::ValFDST_BF16;
  localparam logic [2:0] TF32 = sm_isa_pkg::ValFDST_TF32;

  typedef struct packed {
    logic        sign;
    logic        nan, inf;
    logic [11:0] ex;       // two's complement, exponent of bit 63
  } num_t;

  // ---- formats ----
  function automatic logic [11:0] lowest(input logic [2:0] f);         // exponent of the smallest normal number
    lowest = f == F16 ? -12'd14 : f == F64 ? -12'd1022 : -12'd126;
  endfunction
  function automatic logic [5:0] places(input logic [2:0] f);          // fraction bits
    case (f)
      F32: places = 6'd23;
      F64: places = 6'd52;
      BF16: places = 6'd7;
      default: places = 6'd10;
    endcase
  endfunction
  function automatic logic [63:0] infinity(input logic [2:0] f);       // without the zeros below TF32
    case (f)
      F16: infinity = 64'h7c00;
      F32: infinity = 64'h7f80_0000;
      F64: infinity = 64'h7ff0_0000_0000_0000;
      BF16: infinity = 64'h7f80;
      default: infinity = 64'h3_fc00;
    endcase
  endfunction
  function automatic logic [63:0] unity(input logic [2:0] f);
    case (f)
      F16: unity = 64'h3c00;
      F32: unity = 64'h3f80_0000;
      F64: unity = 64'h3ff0_0000_0000_0000;
      BF16: unity = 64'h3f80;
      default: unity = 64'h1_fc00;
    endcase
  endfunction

  // ---- stage 1 ----
  // Integer by ISZ: {sign, magnitude}.
  function automatic logic [64:0] integer_of(input logic [63:0] a, input logic [2:0] isz);
    logic [63:0] x;
    case (isz[2:1])
      2'd0: x = {{56{isz[0] & a[7]}}, a[7:0]};
      2'd1: x = {{48{isz[0] & a[15]}}, a[15:0]};
      2'd2: x = {{32{isz[0] & a[31]}}, a[31:0]};
      default: x = a;
    endcase
    integer_of = {isz[0] & x[63], isz[0] & x[63] ? -x : x};
  endfunction
  // Float by FSRC: {num_t, significand with the hidden bit in bit 63}.
  function automatic logic [78:0] float_of(input logic [63:0] a, input logic [1:0] f, input logic ftz);
    logic [63:0] m;
    logic [11:0] e;
    logic sign, top;
    case (f)
      2'd0: begin sign = a[15]; e = {7'd0, a[14:10]}; top = &a[14:10]; m = {1'b0, a[9:0], 53'd0}; end
      2'd1: begin sign = a[31]; e = {4'd0, a[30:23]}; top = &a[30:23]; m = {1'b0, a[22:0], 40'd0}; end
      2'd2: begin sign = a[63]; e = {1'b0, a[62:52]}; top = &a[62:52]; m = {1'b0, a[51:0], 11'd0}; end
      default: begin sign = a[15]; e = {4'd0, a[14:7]}; top = &a[14:7]; m = {1'b0, a[6:0], 56'd0}; end
    endcase
    float_of[78] = sign;
    float_of[77] = top & m != 64'd0;
    float_of[76] = top & m == 64'd0;
    if (e == 12'd0) begin
      e = 12'd1;
      if (ftz && f == 2'd1) m = 64'd0;
    end else m[63] = 1'b1;
    float_of[75:64] = e - 12'd1 + lowest({1'b0, f});
    float_of[63:0] = m;
  endfunction
  function automatic logic [63:0] count(input logic [63:0] a);
    logic [63:0] p;
    p = a - ((a >> 1) & 64'h5555_5555_5555_5555);
    p = (p & 64'h3333_3333_3333_3333) + ((p >> 2) & 64'h3333_3333_3333_3333);
    p = (p + (p >> 4)) & 64'h0f0f_0f0f_0f0f_0f0f;
    p = p + (p >> 8);
    p = p + (p >> 16);
    p = p + (p >> 32);
    count = p & 64'h7f;
  endfunction
  function automatic logic [63:0] reversed(input logic [63:0] a, input logic b64);
    logic [63:0] p;
    p = {a[31:0], a[63:32]};
    p = ((p >> 16) & 64'h0000_ffff_0000_ffff) | ((p & 64'h0000_ffff_0000_ffff) << 16);
    p = ((p >> 8) & 64'h00ff_00ff_00ff_00ff) | ((p & 64'h00ff_00ff_00ff_00ff) << 8);
    p = ((p >> 4) & 64'h0f0f_0f0f_0f0f_0f0f) | ((p & 64'h0f0f_0f0f_0f0f_0f0f) << 4);
    p = ((p >> 2) & 64'h3333_3333_3333_3333) | ((p & 64'h3333_3333_3333_3333) << 2);
    p = ((p >> 1) & 64'h5555_5555_5555_5555) | ((p & 64'h5555_5555_5555_5555) << 1);
    reversed = b64 ? p : {32'd0, p[63:32]};
  endfunction
  // FLO: the operand at the top, inverted if signed and negative.
  function automatic logic [63:0] find(input logic [63:0] a, input logic b64, input logic is_signed);
    find = b64 ? a : {a[31:0], 32'd0};
    if (is_signed && find[63]) find = b64 ? ~find : {~find[63:32], 32'd0};
  endfunction

  function automatic logic [78:0] unpack(input logic [63:0] a, input logic [23:0] word);
    case (word[23:16])
      sm_isa_pkg::OpI2F: begin
        unpack = {3'd0, 12'd63, 64'd0};
        {unpack[78], unpack[63:0]} = integer_of(a, word[sm_isa_pkg::ModLsbISZ+:3]);
      end
      sm_isa_pkg::OpF2I, sm_isa_pkg::OpF2F:
        unpack = float_of(a, word[sm_isa_pkg::ModLsbFSRC+:2], word[sm_isa_pkg::ModLsbFTZ]);
      sm_isa_pkg::OpPOPC: unpack = {15'd0, count(a)};
      sm_isa_pkg::OpFLO:
        unpack = {15'd0, find(a, word[sm_isa_pkg::ModLsbB64], word[sm_isa_pkg::ModLsbFLOS])};
      default: unpack = {15'd0, reversed(a, word[sm_isa_pkg::ModLsbB64])};
    endcase
  endfunction

  num_t        num1_q;
  logic [63:0] m1_q;

  wire go0 = en0_i;   // a fault can be injected here
  always_ff @(posedge clk_i) begin
    if (any_i[0]) if (go0) {num1_q, m1_q} <= unpack(a_i, insn0_i);
  end

  // ---- stage 2: {leading zeros, m without them} ----
  function automatic logic [69:0] normalise(input logic [63:0] v);
    logic [63:0] m;
    logic [5:0] lz;
    m = v;
    lz = 6'd0;
    if (m[63:32] == 32'd0) begin m = m << 32; lz[5] = 1'b1; end
    if (m[63:48] == 16'd0) begin m = m << 16; lz[4] = 1'b1; end
    if (m[63:56] == 8'd0) begin m = m << 8; lz[3] = 1'b1; end
    if (m[63:60] == 4'd0) begin m = m << 4; lz[2] = 1'b1; end
    if (m[63:62] == 2'd0) begin m = m << 2; lz[1] = 1'b1; end
    if (!m[63]) begin m = m << 1; lz[0] = 1'b1; end
    normalise = {lz, m};
  endfunction
  function automatic logic [31:0] position(input logic [5:0] lz, input logic none, input logic b64, input logic sh);
    if (none) position = 32'hffff_ffff;
    else if (sh) position = {26'd0, lz};
    else position = {26'd0, b64 ? ~lz : {1'b0, ~lz[4:0]}};
  endfunction

  num_t        num2_q;
  logic [63:0] m2_q;

  always_ff @(posedge clk_i) begin
    if (any_i[1]) if (en1_i) begin : stage2
      logic [5:0] lz;
      logic [63:0] m;
      {lz, m} = normalise(m1_q);
      num2_q <= num1_q;
      num2_q.ex <= num1_q.ex - {6'd0, lz};
      case (insn1_i[23:16])
        sm_isa_pkg::OpFLO:
          m2_q <= {32'd0, position(lz, m1_q == 64'd0, insn1_i[sm_isa_pkg::ModLsbB64],
                                   insn1_i[sm_isa_pkg::ModLsbFLOSH])};
        sm_isa_pkg::OpPOPC, sm_isa_pkg::OpBREV: m2_q <= m1_q;
        default: m2_q <= m;
      endcase
    end
  end

  // ---- stage 3 ----
  // Where the result's last place is: {right shift 0..65, left shift for .INT, exponent field less one, tiny, too big}.
  function automatic logic [26:0] place(input logic [11:0] ex, input logic to_int, input logic [2:0] f,
                                        input logic integral);
    logic [11:0] e, drop;
    logic [5:0] back;
    logic tiny;
    tiny = 1'b0;
    back = 6'd0;
    e = ex;
    if (to_int) begin
      drop = 12'd63 - ex;
    end else begin
      tiny = $signed(ex) < $signed(lowest(f));
      if (tiny) e = lowest(f);
      drop = e - ex + 12'd63 - {6'd0, places(f)};
      if (integral && $signed(e) < $signed({6'd0, places(f)})) begin
        if (e[11]) e = 12'd0;                        // below 1: 0 or 1
        back = places(f) - e[5:0];
        drop = 12'd63 - ex;
      end
    end
    place[26:20] = drop[11] ? 7'd0 : drop > 12'd65 ? 7'd65 : drop[6:0];
    place[19:14] = back;
    place[13:2] = e - lowest(f);
    place[1] = tiny;
    place[0] = drop[11];
  endfunction

  logic        sign3_q, nan3_q, inf3_q, tiny3_q, big3_q, half3_q, rest3_q;
  logic [63:0] m3_q;
  logic [5:0]  back3_q;
  logic [11:0] field3_q;

  always_ff @(posedge clk_i) begin
    if (any_i[2]) if (en2_i) begin : stage3
      logic [6:0] drop;
      logic [5:0] back;
      logic [11:0] field;
      logic tiny, big;
      logic [63:0] lost;
      {drop, back, field, tiny, big} = place(num2_q.ex, insn2_i[23:16] == sm_isa_pkg::OpF2I,
                                             insn2_i[sm_isa_pkg::ModLsbFDST+:3], insn2_i[sm_isa_pkg::ModLsbINTR]);
      case (insn2_i[23:16])
        sm_isa_pkg::OpI2F, sm_isa_pkg::OpF2I, sm_isa_pkg::OpF2F: if (num2_q.nan) drop = 7'd0;
        default: drop = 7'd0;
      endcase
      lost = drop == 7'd65 ? {63'd0, m2_q != 64'd0} : m2_q << (7'd64 - drop);
      m3_q <= m2_q >> drop;
      half3_q <= lost[63];
      rest3_q <= lost[62:0] != 63'd0;
      back3_q <= back;
      field3_q <= field;
      tiny3_q <= tiny;
      big3_q <= big | num2_q.inf;
      sign3_q <= num2_q.sign;
      nan3_q <= num2_q.nan;
      inf3_q <= num2_q.inf;
    end
  end

  // ---- stage 4 ----
  function automatic logic round_up(input logic [1:0] rnd, input logic away, input logic sign, input logic odd,
                                    input logic half, input logic rest);
    if (away) round_up = half;
    else begin
      case (rnd)
        2'd0: round_up = half & (rest | odd);
        2'd1: round_up = sign & (half | rest);
        2'd2: round_up = ~sign & (half | rest);
        default: round_up = 1'b0;
      endcase
    end
  endfunction

  // F2I: saturate by ISZ.
  function automatic logic [63:0] to_integer(input logic [63:0] m, input logic sign, input logic nan, input logic big,
                                             input logic [2:0] isz, input logic from64);
    logic [63:0] top, most;       // the type's sign bit; its largest magnitude for this sign
    case (isz[2:1])
      2'd0: top = 64'h80;
      2'd1: top = 64'h8000;
      2'd2: top = 64'h8000_0000;
      default: top = 64'h8000_0000_0000_0000;
    endcase
    most = isz[0] ? top - {63'd0, ~sign} : (top - 64'd1) | top;
    if (nan) to_integer = from64 || isz[2:1] == 2'd3 ? (isz[0] ? -top : top) : 64'd0;
    else if (sign & ~isz[0]) to_integer = 64'd0;
    else begin
      to_integer = big || m > most ? most : m;
      if (sign) to_integer = -to_integer;
    end
    if (isz[2:1] != 2'd3) to_integer[63:32] = 32'd0;
  endfunction

  // NaN of a destination format, without the sign, from the fraction of an f64 NaN.
  function automatic logic [63:0] nan_of(input logic [51:0] frac, input logic [2:0] f);
    case (f)
      F32: nan_of = {41'd0, frac[51:29]};
      F64: nan_of = {12'd0, frac};
      BF16: nan_of = {57'd0, frac[51:45]};
      default: nan_of = {54'd0, frac[51:42]};
    endcase
    nan_of = nan_of | infinity(f);
  endfunction
  function automatic logic [63:0] with_sign(input logic [63:0] v, input logic sign, input logic [2:0] f);
    with_sign = f == TF32 ? v << 13 : v;
    case (f)
      F16, BF16: with_sign[15] = sign;
      F64: with_sign[63] = sign;
      default: with_sign[31] = sign;
    endcase
  endfunction

  function automatic logic [63:0] to_float(input logic [63:0] m, input logic sign, input logic nan, input logic inf,
                                           input logic flush, input logic [5:0] back, input logic [11:0] field,
                                           input logic [15:0] mods);
    logic [2:0] f;
    logic [63:0] r;
    logic [51:0] frac;
    logic away, wide, widen, sat;
    f = mods[sm_isa_pkg::ModLsbFDST+:3];
    sat = mods[sm_isa_pkg::ModLsbSAT];
    away = mods[sm_isa_pkg::ModLsbAWAY];
    wide = f == F64 | mods[sm_isa_pkg::ModLsbFSRC+:2] == sm_isa_pkg::ValFSRC_F64;
    widen = f == F64 & mods[sm_isa_pkg::ModLsbFSRC+:2] == sm_isa_pkg::ValFSRC_F32 & mods[sm_isa_pkg::ModLsbFTZ];
    if (nan) begin
      // With f64 at one end, and for the TF32 that is rounded away, sign and fraction stay.
      frac = widen ? 52'hf_ffff_e000_0000 : wide | (away & f == TF32) ? m[62:11] : 52'hf_ffff_ffff_ffff;
      frac[51] = frac[51] | ~(away & f == TF32);
      to_float = sat ? 64'd0 : with_sign(nan_of(frac, f), sign & ~widen & (wide | (away & f == TF32)), f);
    end else begin
      r = m == 64'd0 || flush ? 64'd0 : ({52'd0, field} << places(f)) + (m << back);
      if (inf) r = infinity(f);
      else if (r >= infinity(f)) begin
        r = infinity(f);
        if (!away && (mods[1:0] == 2'd3 || mods[1:0] == (sign ? 2'd2 : 2'd1))) r = r - 64'd1;
      end
      if (sat && r > unity(f)) r = unity(f);
      to_float = with_sign(r, sign, f);
      if (sign & (sat | mods[sm_isa_pkg::ModLsbCRELU])) to_float = 64'd0;
    end
  endfunction

  always_comb begin : stage4
    logic [63:0] m;
    logic [15:0] mods;
    res_o = 64'd0;
    m = m3_q;
    mods = insn3_i[15:0];
    if (any_i[3]) if (en3_i) begin
      case (insn3_i[23:16])
        sm_isa_pkg::OpF2I: begin
          if (round_up(mods[1:0], 1'b0, sign3_q, m[0], half3_q, rest3_q)) m = m + 64'd1;
          res_o = to_integer(m, sign3_q, nan3_q, big3_q, mods[sm_isa_pkg::ModLsbISZ+:3],
                             mods[sm_isa_pkg::ModLsbFSRC+:2] == sm_isa_pkg::ValFSRC_F64);
        end
        sm_isa_pkg::OpI2F, sm_isa_pkg::OpF2F: begin
          if (round_up(mods[1:0], mods[sm_isa_pkg::ModLsbAWAY], sign3_q, m[0], half3_q, rest3_q)) m = m + 64'd1;
          res_o = to_float(m, sign3_q, nan3_q, inf3_q,
                           tiny3_q & mods[sm_isa_pkg::ModLsbFTZ] & mods[sm_isa_pkg::ModLsbFDST+:3] == F32,
                           back3_q, field3_q, mods);
        end
        default: res_o = m;
      endcase
    end
  end
endmodule
