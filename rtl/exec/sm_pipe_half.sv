// SPDX-License-Identifier: Apache-2.0
//
// sm_pipe_half: the half pipe of a sub-core (HADD2, HMUL2, HFMA2, HMNMX2, HSETP2 on fp16x2 and bf16x2). One beat of
// `Lanes` lanes a cycle, four stages, no stall: a beat with `en_i` in cycle n is on `res_o` in cycle n+4. Predicate
// results (HSETP2) are combinational in cycle n; they are zero for lanes outside the mask and without `en_i`. What all
// lanes of a beat share lives here once; the arithmetic is in sm_half_lane.
//
// A lane outside the mask keeps its old result: consumers must use the mask that travels with the beat. HSETP2 leaves
// `res_o` alone. `res_o` bits [64*l+32 +: 32] are always zero (same shape as the integer pipe).
module sm_pipe_half #(
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
    input  logic [Lanes-1:0]    p0_i,   // predicate source after its not
    output logic [Lanes-1:0]    pd0_o,  // combinational
    output logic [Lanes-1:0]    pd1_o,
    output logic [64*Lanes-1:0] res_o
);
  // Lane enables of stages 1 to 4, and what stage 4 needs of the modifiers: {bf, relu, sat, ftz}.
  logic [Lanes-1:0] en0, en1_q, en2_q, en3_q;
  logic [3:0] mode1_q, mode2_q, mode3_q;

  wire is_add = op_i == sm_isa_pkg::OpHADD2;
  wire is_mul = op_i == sm_isa_pkg::OpHMUL2;
  wire is_mnmx = op_i == sm_isa_pkg::OpHMNMX2;
  wire is_setp = op_i == sm_isa_pkg::OpHSETP2;
  // HSETP2 has its marks, FTZ and format elsewhere; |a| and |b| do not exist for HFMA2.
  wire has_abs = is_add | is_mul | is_mnmx;
  wire abs_a = is_setp ? mods_i[sm_isa_pkg::MarkSAA] : has_abs & mods_i[sm_isa_pkg::MarkAA];
  wire abs_b = is_setp ? mods_i[sm_isa_pkg::MarkSAB] : has_abs & mods_i[sm_isa_pkg::MarkAB];
  wire neg_a = is_setp ? mods_i[sm_isa_pkg::MarkSNA] : mods_i[sm_isa_pkg::MarkNA];
  wire neg_b = is_setp ? mods_i[sm_isa_pkg::MarkSNB] : mods_i[sm_isa_pkg::MarkNB];
  wire ftz = is_setp ? mods_i[sm_isa_pkg::ModLsbSFTZ] : mods_i[sm_isa_pkg::ModLsbFTZ];
  wire bf = is_setp ? mods_i[sm_isa_pkg::ModLsbHSBF] : mods_i[sm_isa_pkg::ModLsbHBF];
  // SAT's bit is .NAN for HMNMX2.
  wire sat = ~is_mnmx & mods_i[sm_isa_pkg::ModLsbSAT];
  wire relu = ~is_mnmx & mods_i[sm_isa_pkg::ModLsbRELU];

  assign en0 = en_i ? mask_i : '0;
  wire [3:0] any = {en3_q != '0, en2_q != '0, en1_q != '0, en0 != '0};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      en1_q <= '0;
      en2_q <= '0;
      en3_q <= '0;
    end else begin
      en1_q <= is_setp ? '0 : en0;
      en2_q <= en1_q;
      en3_q <= en2_q;
    end
    if (en_i) mode1_q <= {bf, relu, sat, ftz};
    mode2_q <= mode1_q;
    mode3_q <= mode2_q;
  end

  // t bool p, by the two-bit modifier of the set-predicate instructions.
  function automatic logic bool_op(input logic [1:0] k, input logic t, input logic p);
    case (k)
      2'd0: bool_op = t & p;
      2'd1: bool_op = t | p;
      default: bool_op = t ^ p;
    endcase
  endfunction

  // Comparisons of the halves. Without .PAIR the upper one is not needed.
  wire is_pair = mods_i[sm_isa_pkg::ModLsbHPAIR];
  logic [2*Lanes-1:0] t;

  always_comb begin
    pd0_o = '0;
    pd1_o = '0;
    if (en_i && is_setp) begin
      for (int unsigned l = 0; l < Lanes; l++) begin
        if (mask_i[l]) begin
          pd0_o[l] = bool_op(mods_i[sm_isa_pkg::ModLsbFBOOL+:2], t[2*l], p0_i[l]);
          pd1_o[l] = bool_op(mods_i[sm_isa_pkg::ModLsbFBOOL+:2], is_pair ? t[2*l+1] : ~t[2*l], p0_i[l]);
        end
      end
    end
  end

  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    for (genvar h = 0; h < 2; h++) begin : gen_half
      sm_half_lane u_lane (
          .clk_i,
          .en0_i  (en0[l]),
          .en1_i  (en1_q[l]),
          .en2_i  (en2_q[l]),
          .en3_i  (en3_q[l]),
          .any_i  (any),
          .add_i  (is_add),
          .mul_i  (is_mul),
          .mnmx_i (is_mnmx),
          .nan_i  (mods_i[sm_isa_pkg::ModLsbHNAN]),
          .setp_i (is_setp),
          .cond_i (mods_i[sm_isa_pkg::ModLsbFCMP+:4]),
          .abs_a_i(abs_a),
          .abs_b_i(abs_b),
          .neg_a_i(neg_a),
          .neg_b_i(neg_b),
          .neg_c_i(mods_i[sm_isa_pkg::MarkNC]),
          .ftz_i  (ftz),
          .bf_i   (bf),
          .mode3_i(mode3_q),
          .a_i    (a_i[32*l+16*h+:16]),
          .b_i    (b_i[32*l+16*h+:16]),
          .c_i    (c_i[64*l+16*h+:16]),
          .min_i  (p0_i[l]),
          .t_o    (t[2*l+h]),
          .res_o  (res_o[64*l+16*h+:16])
      );
    end
    assign res_o[64*l+32+:32] = '0;
    wire unused_hi = ^c_i[64*l+32+:32];
  end

  wire unused_mods = ^mods_i[15:13];
endmodule
