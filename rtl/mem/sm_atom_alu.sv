// SPDX-License-Identifier: Apache-2.0
//
// sm_atom_alu: integer atomic operations of a warp's lanes, as model/ref/ref_atom.c. Combinational; zero while en_i is
// low. op_i: AOP; type_i: ATYPE, integers only (U32, S32, U64, S64, U16). Rows: lane l's word at bit 32*l. old_i: rows
// of lower and upper words of the elements; data_i: rows rc..: the operand (CAS: the expected value), behind it CAS's
// new value. new_o: rows of lower and upper words; a 16-bit element in the low half; only the bytes of the type count.
module sm_atom_alu (
    input  logic          en_i,
    input  logic [31:0]   lanes_i,
    input  logic [3:0]    op_i,
    input  logic [3:0]    type_i,
    input  logic [2047:0] old_i,
    input  logic [4095:0] data_i,
    output logic [2047:0] new_o
);
  logic wide, half, neg; // signed order: both signs flipped
  assign wide = type_i == sm_isa_pkg::ValATYPE_U64 || type_i == sm_isa_pkg::ValATYPE_S64;
  assign half = type_i == sm_isa_pkg::ValATYPE_U16;
  assign neg = type_i == sm_isa_pkg::ValATYPE_S32 || type_i == sm_isa_pkg::ValATYPE_S64;

  // m, a: contents and operand, zero beyond their size; b: CAS's new value
  function automatic logic [63:0] operate(input logic [3:0] op, input logic is_wide, input logic is_signed,
                                          input logic [63:0] m, input logic [63:0] a, input logic [63:0] b);
    logic below; // a < m
    below = {is_wide ? a[63] ^ is_signed : 1'b0, a[62:32], is_wide ? a[31] : a[31] ^ is_signed, a[30:0]} <
            {is_wide ? m[63] ^ is_signed : 1'b0, m[62:32], is_wide ? m[31] : m[31] ^ is_signed, m[30:0]};
    case (op)
      sm_isa_pkg::ValAOP_ADD: operate = m + a;
      sm_isa_pkg::ValAOP_MIN: operate = below ? a : m;
      sm_isa_pkg::ValAOP_MAX: operate = below ? m : a;
      sm_isa_pkg::ValAOP_INC: operate = !below && m != a ? m + 64'd1 : '0;
      sm_isa_pkg::ValAOP_DEC: operate = m == '0 || below ? a : m - 64'd1;
      sm_isa_pkg::ValAOP_AND: operate = m & a;
      sm_isa_pkg::ValAOP_OR: operate = m | a;
      sm_isa_pkg::ValAOP_XOR: operate = m ^ a;
      sm_isa_pkg::ValAOP_CAS: operate = m == a ? b : m;
      default: operate = a; // EXCH
    endcase
  endfunction

  always_comb begin
    logic [63:0] m, a, b, keep;
    m = '0;
    a = '0;
    b = '0;
    keep = '0;
    new_o = '0;
    if (en_i) begin
      keep = {{32{wide}}, {16{!half}}, 16'hffff};
      for (int unsigned l = 0; l < 32; l++) begin
        if (lanes_i[l]) begin
          m = {old_i[1024+l*32 +: 32], old_i[l*32 +: 32]} & keep;
          a = {data_i[1024+l*32 +: 32], data_i[l*32 +: 32]} & keep;
          b = wide ? {data_i[3072+l*32 +: 32], data_i[2048+l*32 +: 32]} : {32'd0, data_i[1024+l*32 +: 32]};
          {new_o[1024+l*32 +: 32], new_o[l*32 +: 32]} = operate(op_i, wide, neg, m, a, b);
        end
      end
    end
  end
endmodule
