// SPDX-License-Identifier: Apache-2.0
//
// sm_pipe_int: the integer pipe of a sub-core (all instructions of pipe INT in isa/isa.def, and fp32 compare and
// min/max). One beat of `Lanes` lanes a cycle, four stages, no stall: a beat with `en_i` in cycle n is on `res_o` in
// cycle n+4. Predicate results are combinational in cycle n; they are zero for lanes outside the mask and without
// `en_i`.
//
// A lane outside the mask keeps its old result: consumers must use the mask that travels with the beat.
// `res_o` bits [64*l+32 +: 32] hold rd+1 of IMAD.WIDE and are undefined otherwise.
module sm_pipe_int #(
    parameter int unsigned Lanes = 16
) (
    input  logic                clk_i,
    input  logic                rst_ni,
    input  logic                en_i,
    input  logic [Lanes-1:0]    mask_i,
    input  logic [7:0]          op_i,
    input  logic [15:0]         mods_i,
    input  logic [32*Lanes-1:0] a_i,
    input  logic [32*Lanes-1:0] b_i,
    input  logic [64*Lanes-1:0] c_i,    // {c+1, c} a lane
    input  logic [Lanes-1:0]    p0_i,   // predicate sources after their not
    input  logic [Lanes-1:0]    p1_i,
    output logic [Lanes-1:0]    pd0_o,  // combinational
    output logic [Lanes-1:0]    pd1_o,
    output logic [64*Lanes-1:0] res_o
);
  // Lane enables of stages 1 to 4; kind of multiplication of the beat in stages 2 and 3 (0: the value passes).
  logic [Lanes-1:0] en0, en1_q, en2_q, en3_q;
  logic idp1_q;
  logic [3:0] idpm1_q;
  logic mul1_q, mul2_q, hi2_q, wide2_q, hi1_q, wide1_q, neg1_q, neg2_q;

  wire is_imad = op_i == sm_isa_pkg::OpIMAD;
  wire is_idp = op_i == sm_isa_pkg::OpIDP;

  assign en0 = en_i ? mask_i : '0;
  wire [3:0] any = {en3_q != '0, en2_q != '0, en1_q != '0, en0 != '0};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      en1_q <= '0;
      en2_q <= '0;
      en3_q <= '0;
    end else begin
      en1_q <= en0;
      en2_q <= en1_q;
      en3_q <= en2_q;
    end
    if (en_i) begin
      mul1_q  <= is_imad | is_idp;
      idp1_q  <= is_idp;
      idpm1_q <= mods_i[3:0];
      hi1_q   <= is_imad && mods_i[1:0] == 2'd1;
      wide1_q <= is_imad && mods_i[1:0] == 2'd2;
      neg1_q  <= is_imad && mods_i[sm_isa_pkg::MarkNC];
    end
    mul2_q  <= mul1_q;
    hi2_q   <= hi1_q;
    wide2_q <= wide1_q;
    neg2_q  <= neg1_q;
  end

  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    sm_int_lane u_lane (
        .clk_i,
        .en0_i  (en0[l]),
        .en1_i  (en1_q[l]),
        .en2_i  (en2_q[l]),
        .en3_i  (en3_q[l]),
        .any_i  (any),
        .op_i,
        .mods_i,
        .mul1_i (mul1_q),
        .idp1_i (idp1_q),
        .idpm1_i(idpm1_q),
        .mul2_i (mul2_q),
        .hi2_i  (hi2_q),
        .wide2_i(wide2_q),
        .neg2_i (neg2_q),
        .a_i    (a_i[32*l+:32]),
        .b_i    (b_i[32*l+:32]),
        .c_i    (c_i[64*l+:64]),
        .p0_i   (p0_i[l]),
        .p1_i   (p1_i[l]),
        .pd0_o  (pd0_o[l]),
        .pd1_o  (pd1_o[l]),
        .res_o  (res_o[64*l+:64])
    );
  end
endmodule
