// SPDX-License-Identifier: Apache-2.0
//
// sm_pipe_fp32: the fp32 pipe of a sub-core. One beat of `Lanes` lanes a cycle (FADD, FMUL, FFMA), four stages, no
// stall: a beat with `en_i` in cycle n is on `res_o` in cycle n+4. What all lanes of a beat share (modifiers, stage
// enables) lives here once; the arithmetic is in sm_fp32_lane.
//
// A lane outside the mask keeps its old result: consumers must use the mask that travels with the beat.
// `res_o` bits [64*l+32 +: 32] are always zero (same shape as the integer pipe).
module sm_pipe_fp32 #(
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
    input  logic [64*Lanes-1:0] c_i,    // {c+1, c} a lane; the upper word is not used
    output logic [64*Lanes-1:0] res_o
);
  // Lane enables of stages 1 to 4, and what the later stages need of the modifiers: {sat, ftz, rnd}.
  logic [Lanes-1:0] en0, en1_q, en2_q, en3_q;
  logic [3:0] mode1_q, mode2_q, mode3_q;

  wire is_add = op_i == sm_isa_pkg::OpFADD;
  wire is_mul = op_i == sm_isa_pkg::OpFMUL;
  // |a| and |b| exist for FADD and FMUL only.
  wire abs_a = mods_i[sm_isa_pkg::MarkAA] & (is_add | is_mul);
  wire abs_b = mods_i[sm_isa_pkg::MarkAB] & (is_add | is_mul);

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
    if (en_i) mode1_q <= mods_i[3:0];
    mode2_q <= mode1_q;
    mode3_q <= mode2_q;
  end

  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    sm_fp32_lane u_lane (
        .clk_i,
        .en0_i  (en0[l]),
        .en1_i  (en1_q[l]),
        .en2_i  (en2_q[l]),
        .en3_i  (en3_q[l]),
        .any_i  (any),
        .add_i  (is_add),
        .mul_i  (is_mul),
        .abs_a_i(abs_a),
        .abs_b_i(abs_b),
        .neg_a_i(mods_i[sm_isa_pkg::MarkNA]),
        .neg_b_i(mods_i[sm_isa_pkg::MarkNB]),
        .neg_c_i(mods_i[sm_isa_pkg::MarkNC]),
        .ftz_i  (mods_i[sm_isa_pkg::ModLsbFTZ]),
        .rnd2_i (mode2_q[1:0]),
        .mode3_i(mode3_q),
        .a_i    (a_i[32*l+:32]),
        .b_i    (b_i[32*l+:32]),
        .c_i    (c_i[64*l+:32]),
        .res_o  (res_o[64*l+:32])
    );
    assign res_o[64*l+32+:32] = '0;
    wire unused_hi = ^c_i[64*l+32+:32];
  end

  wire unused_mods = ^mods_i[15:9];
endmodule
