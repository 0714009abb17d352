// SPDX-License-Identifier: Apache-2.0
//
// sm_dispatch_result: beside a fixed-latency pipe: where its beats go, and the result row they assemble to.
// A beat given in cycle n (en_i, tag_i) meets the pipe's result in n + 4: in that cycle valid_o is set, lo_o/hi_o hold the row with
// the lanes of this and earlier beats of the instruction, mask_o names them (executing lanes only), and with tag_o.last the
// row is complete. Beats of an instruction follow each other without a gap.
// Beats of instructions that write no register are not tracked. Reset: empty.
module sm_dispatch_result #(
    parameter int unsigned Lanes = 16,
    parameter bit HasHi = 1'b1               // the pipe writes register pairs
) (
    input  logic                clk_i,
    input  logic                rst_ni,
    input  logic                en_i,
    input  sm_sub_pkg::ftag_t   tag_i,
    input  logic [64*Lanes-1:0] res_i,       // {rd+1, rd} a lane, of the beat given four cycles ago
    output logic                valid_o,
    output sm_sub_pkg::ftag_t   tag_o,
    output logic [31:0]         mask_o,
    output logic [1023:0]       bits_o,      // mask_o with 32 bits a lane
    output logic [1023:0]       lo_o,
    output logic [1023:0]       hi_o,
    output logic                busy_o
);
  localparam int unsigned Beats = 32 / Lanes;

  logic [3:0]        valid_q;
  sm_sub_pkg::ftag_t tag1_q, tag2_q, tag3_q, tag4_q;
  always_ff @(posedge clk_i) begin
    valid_q <= {valid_q[2:0], en_i && tag_i.wr};
    if (en_i) tag1_q <= tag_i;
    if (valid_q[0]) tag2_q <= tag1_q;
    if (valid_q[1]) tag3_q <= tag2_q;
    if (valid_q[2]) tag4_q <= tag3_q;
    if (!rst_ni) valid_q <= '0;
  end
  assign valid_o = valid_q[3];
  assign tag_o = tag4_q;
  assign busy_o = valid_q != '0;

  logic [1023:0] lo_q, hi_q;
  logic [31:0]   seen;
  always_comb begin
    lo_o = '0;
    hi_o = '0;
    seen = '0;
    if (valid_q[3]) begin
      if (Beats > 1) lo_o = lo_q;
      for (int unsigned l = 0; l < Lanes; l++) lo_o[32*(32'(tag4_q.beat)*Lanes + l) +: 32] = res_i[64*l +: 32];
      if (HasHi && tag4_q.wide) begin
        if (Beats > 1) hi_o = hi_q;
        for (int unsigned l = 0; l < Lanes; l++) hi_o[32*(32'(tag4_q.beat)*Lanes + l) +: 32] = res_i[64*l + 32 +: 32];
      end
      for (int unsigned b = 0; b < Beats; b++) if (4'(b) <= tag4_q.beat) seen[b*Lanes +: Lanes] = '1;
    end
  end
  assign mask_o = tag4_q.mask & seen;
  always_comb begin
    bits_o = '0;
    if (valid_q[3]) begin
      for (int unsigned l = 0; l < 32; l++) bits_o[32*l +: 32] = {32{mask_o[l]}};
    end
  end

  if (Beats > 1) begin : gen_assemble
    always_ff @(posedge clk_i) begin
      if (valid_q[3] && !tag4_q.last) begin
        lo_q <= lo_o;
        if (HasHi && tag4_q.wide) hi_q <= hi_o;
      end
    end
  end else begin : gen_whole
    assign lo_q = '0;
    assign hi_q = '0;
  end
endmodule
