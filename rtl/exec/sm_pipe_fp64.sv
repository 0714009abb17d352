// SPDX-License-Identifier: Apache-2.0
//
// sm_pipe_fp64: the fp64 pipe of a sub-core. One beat of `Lanes` lanes a cycle (DADD, DMUL, DFMA, DSETP, DMNMX), four
// stages, no stall: a beat with `en_i` in cycle n is on `res_o` in cycle n+4. Predicate results (DSETP) are
// combinational in cycle n; they are zero for lanes outside the mask, for other instructions and without `en_i`. What
// all lanes of a beat share (modifiers, stage enables) lives here once; the arithmetic is in sm_fp64_lane.
//
// A lane outside the mask keeps its old result, DSETP keeps that of all lanes: consumers must use the mask that travels
// with the beat.
module sm_pipe_fp64 #(
    parameter int unsigned Lanes = 8    // 1..32
) (
    input  logic                clk_i,
    input  logic                rst_ni,
    input  logic                en_i,
    input  logic [Lanes-1:0]    mask_i,
    input  logic [7:0]          op_i,
    input  logic [15:0]         mods_i,
    input  logic [64*Lanes-1:0] a_i,    // {register + 1, register} a lane
    input  logic [64*Lanes-1:0] b_i,
    input  logic [64*Lanes-1:0] c_i,
    input  logic [Lanes-1:0]    p0_i,   // predicate source after its not
    output logic [Lanes-1:0]    pd0_o,  // combinational
    output logic [Lanes-1:0]    pd1_o,
    output logic [64*Lanes-1:0] res_o
);
  // Lane enables of stages 1 to 4 and of the compare; rounding of the beats in stages 2 to 4.
  logic [Lanes-1:0] cmp_en, en0, en1_q, en2_q, en3_q;
  logic [1:0] rnd1_q, rnd2_q, rnd3_q;

  wire is_add = op_i == sm_isa_pkg::OpDADD;
  wire is_mul = op_i == sm_isa_pkg::OpDMUL;
  wire is_cmp = op_i == sm_isa_pkg::OpDSETP;
  wire is_minmax = op_i == sm_isa_pkg::OpDMNMX;
  // DFMA has no absolute values; the marks of DSETP stand elsewhere.
  wire has_abs = is_add | is_mul | is_minmax;
  wire abs_a = is_cmp ? mods_i[sm_isa_pkg::MarkSAA] : mods_i[sm_isa_pkg::MarkAA] & has_abs;
  wire abs_b = is_cmp ? mods_i[sm_isa_pkg::MarkSAB] : mods_i[sm_isa_pkg::MarkAB] & has_abs;
  wire neg_a = is_cmp ? mods_i[sm_isa_pkg::MarkSNA] : mods_i[sm_isa_pkg::MarkNA];
  wire neg_b = is_cmp ? mods_i[sm_isa_pkg::MarkSNB] : mods_i[sm_isa_pkg::MarkNB];

  assign cmp_en = en_i & is_cmp ? mask_i : '0;
  assign en0 = en_i & ~is_cmp ? mask_i : '0;
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
    if (en_i) rnd1_q <= mods_i[sm_isa_pkg::ModLsbRND+:2];
    rnd2_q <= rnd1_q;
    rnd3_q <= rnd2_q;
  end

  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    sm_fp64_lane u_lane (
        .clk_i,
        .cmp_en_i(cmp_en[l]),
        .en0_i   (en0[l]),
        .en1_i   (en1_q[l]),
        .en2_i   (en2_q[l]),
        .en3_i   (en3_q[l]),
        .any_i  (any),
        .add_i   (is_add),
        .mul_i   (is_mul),
        .minmax_i(is_minmax),
        .abs_a_i (abs_a),
        .abs_b_i (abs_b),
        .neg_a_i (neg_a),
        .neg_b_i (neg_b),
        .neg_c_i (mods_i[sm_isa_pkg::MarkNC]),
        .cond_i  (mods_i[sm_isa_pkg::ModLsbFCMP+:4]),
        .bool_i  (mods_i[sm_isa_pkg::ModLsbFBOOL+:2]),
        .rnd2_i  (rnd2_q),
        .rnd3_i  (rnd3_q),
        .a_i     (a_i[64*l+:64]),
        .b_i     (b_i[64*l+:64]),
        .c_i     (c_i[64*l+:64]),
        .p_i     (p0_i[l]),
        .pd0_o   (pd0_o[l]),
        .pd1_o   (pd1_o[l]),
        .res_o   (res_o[64*l+:64])
    );
  end

  wire unused_mods = ^mods_i;
endmodule
