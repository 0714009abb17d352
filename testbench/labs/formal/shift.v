// SPDX-License-Identifier: Apache-2.0
//
// Shifts by an amount that may be negative, with as many stages as the width needs: Yosys' own has one for each bit of
// the amount, which is 32 where a part of a vector is selected or assigned.
(* techmap_celltype = "$shift" *)
module formal_shift (A, B, Y);
  parameter A_SIGNED = 0, B_SIGNED = 0, A_WIDTH = 1, B_WIDTH = 1, Y_WIDTH = 1;
  input [A_WIDTH-1:0] A;
  input [B_WIDTH-1:0] B;
  output [Y_WIDTH-1:0] Y;
  localparam W = A_WIDTH > Y_WIDTH ? A_WIDTH : Y_WIDTH;
  localparam L = $clog2(W + 1) < B_WIDTH ? $clog2(W + 1) : B_WIDTH;
  wire back = B_SIGNED && B[B_WIDTH-1];
  wire [B_WIDTH:0] minus = {1'b1, ~B} + 1'b1;
  wire [B_WIDTH-1:0] n = back ? minus[B_WIDTH-1:0] : B;
  wire far;
  generate if (L < B_WIDTH) assign far = |n[B_WIDTH-1:L]; else assign far = 1'b0; endgenerate
  wire [W-1:0] a = A_SIGNED ? {{W{A[A_WIDTH-1]}}, A} : A;
  wire [W-1:0] right = a >> n[L-1:0], left = a << n[L-1:0];
  assign Y = far ? {Y_WIDTH{1'b0}} : back ? left : right;
endmodule

// Parts of a vector: the largest steps first, so that each stage has only the bits that can still be wanted. What lies
// beyond the vector has no value, and none is computed.
(* techmap_celltype = "$shiftx" *)
module formal_shiftx (A, B, Y);
  parameter A_SIGNED = 0, B_SIGNED = 0, A_WIDTH = 1, B_WIDTH = 1, Y_WIDTH = 1;
  input [A_WIDTH-1:0] A;
  input [B_WIDTH-1:0] B;
  output [Y_WIDTH-1:0] Y;
  localparam L = $clog2(A_WIDTH + 1) < B_WIDTH ? $clog2(A_WIDTH + 1) : B_WIDTH;
  genvar i;
  generate
    for (i = L; i >= 0; i = i - 1) begin : stage
      wire [Y_WIDTH+(1<<i)-2:0] v;
      if (i == L) assign v = A;
      else assign v = B[i] ? stage[i+1].v >> (1 << i) : stage[i+1].v;
    end
  endgenerate
  assign Y = stage[0].v;
endmodule
