// SPDX-License-Identifier: Apache-2.0
//
// sm_atom_lane: one lane's integer atomic operation, as model/ref/ref_atom.c. Combinational; zero while en_i is low.
// op_i: AOP; type_i: ATYPE, integers only (U32, S32, U64, S64, U16). old_i: the element in its low bits; a_i: operand,
// with CAS the expected value; b_i: CAS's new value. new_o: the element's new contents in its low bits.
module sm_atom_lane (
    input  logic        en_i,
    input  logic [3:0]  op_i,
    input  logic [3:0]  type_i,
    input  logic [63:0] old_i,
    input  logic [63:0] a_i,
    input  logic [63:0] b_i,
    output logic [63:0] new_o
);
  logic        wide, half, neg, below; // below: a < old
  logic [63:0] m, a;
  always_comb begin
    wide = type_i == sm_isa_pkg::ValATYPE_U64 || type_i == sm_isa_pkg::ValATYPE_S64;
    half = type_i == sm_isa_pkg::ValATYPE_U16;
    neg = 1'b0;
    below = 1'b0;
    m = '0;
    a = '0;
    new_o = '0;
    if (en_i) begin
      m = {wide ? old_i[63:32] : 32'd0, half ? 16'd0 : old_i[31:16], old_i[15:0]};
      a = {wide ? a_i[63:32] : 32'd0, half ? 16'd0 : a_i[31:16], a_i[15:0]};
      // signed order: flip both signs
      neg = type_i == sm_isa_pkg::ValATYPE_S32 || type_i == sm_isa_pkg::ValATYPE_S64;
      below = {wide ? a[63] ^ neg : 1'b0, a[62:32], wide ? a[31] : a[31] ^ neg, a[30:0]} <
              {wide ? m[63] ^ neg : 1'b0, m[62:32], wide ? m[31] : m[31] ^ neg, m[30:0]};
      case (op_i)
        sm_isa_pkg::ValAOP_ADD: new_o = m + a;
        sm_isa_pkg::ValAOP_MIN: new_o = below ? a : m;
        sm_isa_pkg::ValAOP_MAX: new_o = below ? m : a;
        sm_isa_pkg::ValAOP_INC: new_o = !below && m != a ? m + 64'd1 : '0;
        sm_isa_pkg::ValAOP_DEC: new_o = m == '0 || below ? a : m - 64'd1;
        sm_isa_pkg::ValAOP_AND: new_o = m & a;
        sm_isa_pkg::ValAOP_OR: new_o = m | a;
        sm_isa_pkg::ValAOP_XOR: new_o = m ^ a;
        sm_isa_pkg::ValAOP_CAS: new_o = m == a ? b_i : m;
        default: new_o = a; // EXCH
      endcase
    end
  end
endmodule
