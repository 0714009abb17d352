// SPDX-License-Identifier: Apache-2.0
//
// sm_int_lane: one lane of the integer pipe.
//
//   1 everything but IMAD and IDP; these: register the operands | 2 multiply | 3 add | 4 output register
//
// Predicates come combinationally out of stage 1. See isa/isa.def for what each instruction does.
module sm_int_lane (
    input  logic        clk_i,
    // enables of stages 1 to 4: stage valid and this lane in the mask
    input  logic        en0_i,
    input  logic        en1_i,
    input  logic        en2_i,
    input  logic        en3_i,
    input  logic [3:0]  any_i,    // a stage's enable in any lane of the pipe: one test skips an idle stage of all lanes
    // common to the lanes: the beat in stage 1; kind of the beats in stages 2 and 3
    input  logic [7:0]  op_i,
    input  logic [15:0] mods_i,
    input  logic        mul1_i,     // IMAD or IDP
    input  logic        idp1_i,
    input  logic [3:0]  idpm1_i,    // its modifiers: {b signed, a signed, kind}
    input  logic        mul2_i,
    input  logic        hi2_i,
    input  logic        wide2_i,
    input  logic        neg2_i,
    input  logic [31:0] a_i,
    input  logic [31:0] b_i,
    input  logic [63:0] c_i,
    input  logic        p0_i,
    input  logic        p1_i,
    output logic        pd0_o,
    output logic        pd1_o,
    output logic [63:0] res_o
);
  // Sum with carry: {carry, rd}. Without .X each negation adds its own one; with .X the predicate is the carry.
  function automatic logic [32:0] iadd3(input logic [31:0] a, input logic [31:0] b, input logic [31:0] c,
                                        input logic [2:0] neg, input logic x, input logic p);
    logic [33:0] sum;
    logic [1:0] plus;
    plus = x ? {1'b0, p} : {1'b0, neg[0]} + {1'b0, neg[1]} + {1'b0, neg[2]};
    sum = {2'd0, a ^ {32{neg[0]}}} + {2'd0, b ^ {32{neg[1]}}} + {2'd0, c ^ {32{neg[2]}}} + {32'd0, plus};
    iadd3 = {sum[33:32] != 2'd0, sum[31:0]};
  endfunction

  // Truth table as a tree of multiplexers: c, then b, then a selects.
  function automatic logic [31:0] lop3(input logic [31:0] a, input logic [31:0] b, input logic [31:0] c,
                                       input logic [7:0] t);
    logic [31:0] m0, m1, m2, m3;
    m0 = ({32{t[1]}} & c) | ({32{t[0]}} & ~c);
    m1 = ({32{t[3]}} & c) | ({32{t[2]}} & ~c);
    m2 = ({32{t[5]}} & c) | ({32{t[4]}} & ~c);
    m3 = ({32{t[7]}} & c) | ({32{t[6]}} & ~c);
    lop3 = (a & ((b & m3) | (~b & m2))) | (~a & ((b & m1) | (~b & m0)));
  endfunction

  // Funnel shift of v = {c, a}. `kind` = {64-bit count range, arithmetic}.
  function automatic logic [31:0] shf(input logic [63:0] v, input logic [31:0] b, input logic right,
                                      input logic wrap, input logic hi, input logic [1:0] kind);
    logic [63:0] w;
    logic [6:0] n;
    if (wrap) n = {1'b0, kind[1] & b[5], b[4:0]};
    else if (kind[1]) n = b > 32'd64 ? 7'd64 : b[6:0];
    else n = b > 32'd32 ? 7'd32 : b[6:0];
    if (!right) w = v << n;
    else w = kind[0] & v[63] ? ~(~v >> n) : v >> n;
    shf = hi ? w[63:32] : w[31:0];
  endfunction

  // One result byte of PRMT: nibble [2:0] picks a byte of {c, a}, bit 3 replicates its sign.
  function automatic logic [7:0] prmt_byte(input logic [63:0] v, input logic [3:0] n);
    logic [7:0] w;
    w = v[{n[2:0], 3'd0}+:8];
    prmt_byte = n[3] ? {8{w[7]}} : w;
  endfunction

  function automatic logic less(input logic [31:0] a, input logic [31:0] b, input logic is_unsigned);
    less = is_unsigned ? a < b : $signed(a) < $signed(b);
  endfunction

  // t bool p, by the two-bit modifier of the set-predicate instructions.
  function automatic logic bool_op(input logic [1:0] k, input logic t, input logic p);
    case (k)
      2'd0: bool_op = t & p;
      2'd1: bool_op = t | p;
      default: bool_op = t ^ p;
    endcase
  endfunction

  // Marks of a float operand, then its flush: a denormal keeps the sign.
  function automatic logic [31:0] float_in(input logic [31:0] v, input logic abs, input logic neg, input logic ftz);
    float_in = {(v[31] & ~abs) ^ neg, v[30:0]};
    if (ftz && v[30:23] == 8'd0) float_in[22:0] = 23'd0;
  endfunction

  // Order of two floats with their signs, NaN excluded; -0 counts as less than +0.
  function automatic logic float_less(input logic [31:0] a, input logic [31:0] b);
    if (a[31] != b[31]) float_less = a[31];
    else float_less = a[31] ? a[30:0] > b[30:0] : a[30:0] < b[30:0];
  endfunction

  // FSETP condition `t`: bit 0 less, 1 equal, 2 greater, 3 unordered. The zeros are equal.
  function automatic logic float_cmp(input logic [31:0] a, input logic [31:0] b, input logic [3:0] t);
    if (a[30:0] > 31'h7f800000 || b[30:0] > 31'h7f800000) float_cmp = t[3];
    else if (a == b || (a[30:0] | b[30:0]) == 31'd0) float_cmp = t[1];
    else float_cmp = float_less(a, b) ? t[0] : t[2];
  endfunction

  // The operand that is no NaN wins.
  function automatic logic [31:0] float_minmax(input logic [31:0] a, input logic [31:0] b, input logic min);
    logic nan_a, nan_b;
    nan_a = a[30:0] > 31'h7f800000;
    nan_b = b[30:0] > 31'h7f800000;
    if (nan_a & nan_b) float_minmax = 32'h7fffffff;
    else if (nan_a) float_minmax = b;
    else if (nan_b) float_minmax = a;
    else float_minmax = float_less(a, b) == min ? a : b;
  endfunction

  // FCHK: exponents for which the fast division sequence is not exact.
  function automatic logic slow_divide(input logic [7:0] ea, input logic [7:0] eb);
    logic [9:0] diff;
    diff = {2'd0, ea} - {2'd0, eb} + 10'd125;   // 0..251 for a difference of -125..126
    slow_divide = ea < 8'd25 || ea == 8'hff || eb < 8'd3 || eb > 8'd252 || diff > 10'd251;
  endfunction

  // IDP: four products of bytes, or two of the halves of a by the bytes 0 and 1 or 2 and 3 of b; modulo 2^32.
  function automatic logic [31:0] byte_of(input logic [7:0] v, input logic s);
    byte_of = {{24{s & v[7]}}, v};
  endfunction
  function automatic logic [31:0] dot(input logic [31:0] a, input logic [31:0] b, input logic [3:0] m);
    logic [15:0] bb;
    bb = m[1] ? b[31:16] : b[15:0];
    if (m[1:0] == 2'd0)
      dot = byte_of(a[7:0], m[2]) * byte_of(b[7:0], m[3]) + byte_of(a[15:8], m[2]) * byte_of(b[15:8], m[3])
          + byte_of(a[23:16], m[2]) * byte_of(b[23:16], m[3]) + byte_of(a[31:24], m[2]) * byte_of(b[31:24], m[3]);
    else
      dot = {{16{m[2] & a[15]}}, a[15:0]} * byte_of(bb[7:0], m[3])
          + {{16{m[2] & a[31]}}, a[31:16]} * byte_of(bb[15:8], m[3]);
  endfunction

  // Stage 1: predicates, and the value of everything but IMAD and IDP.
  logic [31:0] res;
  logic t;

  always_comb begin
    pd0_o = 1'b0;
    pd1_o = 1'b0;
    t = 1'b0;
    res = 32'd0;
    if (any_i[0]) if (en0_i) begin
      case (op_i)
        sm_isa_pkg::OpMOV: res = b_i;
        sm_isa_pkg::OpIADD3:
          {pd0_o, res} = iadd3(a_i, b_i, c_i[31:0], mods_i[sm_isa_pkg::MarkNA+:3], mods_i[sm_isa_pkg::ModLsbX], p0_i);
        sm_isa_pkg::OpISETP: begin
          if (a_i == b_i) t = mods_i[sm_isa_pkg::ModLsbIEX] ? p1_i : mods_i[1];
          else t = less(a_i, b_i, mods_i[sm_isa_pkg::ModLsbIU32]) ? mods_i[0] : mods_i[2];
          pd0_o = bool_op(mods_i[sm_isa_pkg::ModLsbIBOOL+:2], t, p0_i);
          pd1_o = bool_op(mods_i[sm_isa_pkg::ModLsbIBOOL+:2], ~t, p0_i);
        end
        sm_isa_pkg::OpLOP3: begin
          res = lop3(a_i, b_i, c_i[31:0], mods_i[sm_isa_pkg::ModLsbLUT+:8]);
          pd0_o = res != 32'd0;
        end
        sm_isa_pkg::OpSHF:
          res = shf({c_i[31:0], a_i}, b_i, mods_i[sm_isa_pkg::ModLsbSHDIR], mods_i[sm_isa_pkg::ModLsbSHWRAP],
                    mods_i[sm_isa_pkg::ModLsbSHHI], mods_i[sm_isa_pkg::ModLsbSHTYPE+:2]);
        sm_isa_pkg::OpPRMT:
          res = {prmt_byte({c_i[31:0], a_i}, b_i[15:12]), prmt_byte({c_i[31:0], a_i}, b_i[11:8]),
                 prmt_byte({c_i[31:0], a_i}, b_i[7:4]), prmt_byte({c_i[31:0], a_i}, b_i[3:0])};
        sm_isa_pkg::OpSEL: res = p0_i ? a_i : b_i;
        sm_isa_pkg::OpIMNMX: res = less(a_i, b_i, mods_i[sm_isa_pkg::ModLsbMU32]) == p0_i ? a_i : b_i;
        sm_isa_pkg::OpFSETP: begin
          t = float_cmp(float_in(a_i, mods_i[sm_isa_pkg::MarkSAA], mods_i[sm_isa_pkg::MarkSNA],
                                 mods_i[sm_isa_pkg::ModLsbSFTZ]),
                        float_in(b_i, mods_i[sm_isa_pkg::MarkSAB], mods_i[sm_isa_pkg::MarkSNB],
                                 mods_i[sm_isa_pkg::ModLsbSFTZ]), mods_i[sm_isa_pkg::ModLsbFCMP+:4]);
          pd0_o = bool_op(mods_i[sm_isa_pkg::ModLsbFBOOL+:2], t, p0_i);
          pd1_o = bool_op(mods_i[sm_isa_pkg::ModLsbFBOOL+:2], ~t, p0_i);
        end
        sm_isa_pkg::OpFMNMX:
          res = float_minmax(float_in(a_i, mods_i[sm_isa_pkg::MarkAA], mods_i[sm_isa_pkg::MarkNA],
                                      mods_i[sm_isa_pkg::ModLsbFTZ]),
                             float_in(b_i, mods_i[sm_isa_pkg::MarkAB], mods_i[sm_isa_pkg::MarkNB],
                                      mods_i[sm_isa_pkg::ModLsbFTZ]), p0_i);
        sm_isa_pkg::OpFCHK: pd0_o = slow_divide(a_i[30:23], b_i[30:23]);
        sm_isa_pkg::OpPLOP3: begin
          t = mods_i[{2'd0, p0_i, p1_i}];
          pd0_o = t;
          pd1_o = ~t;
        end
        default: ;
      endcase
    end
  end

  // Stages 1 to 4. One 64-bit value travels: the addend of IMAD and IDP, or the finished result.
  logic [32:0] ma1_q, mb1_q;
  logic [63:0] c1_q, c2_q, prod2_q, res3_q;

  wire go0 = en0_i;   // a fault can be injected here
  always_ff @(posedge clk_i) begin
    if (any_i[0]) if (go0) begin
      if (op_i == sm_isa_pkg::OpIMAD || op_i == sm_isa_pkg::OpIDP) begin
        ma1_q <= {a_i[31] & ~mods_i[sm_isa_pkg::ModLsbIMADU], a_i};
        mb1_q <= {b_i[31] & ~mods_i[sm_isa_pkg::ModLsbIMADU], b_i};
        c1_q <= c_i;
      end else begin
        c1_q[31:0] <= res;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (any_i[1]) if (en1_i) begin
      if (idp1_i) prod2_q <= {32'd0, dot(ma1_q[31:0], mb1_q[31:0], idpm1_i)};
      else if (mul1_i) prod2_q <= {{31{ma1_q[32]}}, ma1_q} * {{31{mb1_q[32]}}, mb1_q};
      c2_q <= c1_q;
    end
  end

  always_ff @(posedge clk_i) begin
    if (any_i[2]) if (en2_i) begin
      if (mul2_i) begin : add
        logic [63:0] c;
        c = wide2_i ? c2_q : {32'd0, c2_q[31:0]};
        if (neg2_i) c = -c;
        // .HI adds c to the high word alone.
        if (hi2_i) res3_q <= {32'd0, prod2_q[63:32] + c[31:0]};
        else res3_q <= prod2_q + c;
      end else begin
        res3_q <= c2_q;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (any_i[3]) if (en3_i) res_o <= res3_q;
  end
endmodule
