// SPDX-License-Identifier: Apache-2.0
//
// sm_sva_sfu: an inactive lane of sm_sfu does nothing, neither in MUFU (class sfu) nor in conversions and bit counts (class cvt):
// the registers of its stages hold, and it gives zero. The request's mask is kept here and walks with the beats.
module sm_sva_sfu #(
    parameter int unsigned Lanes = 2
) (
    input logic clk_i,
    input logic rst_ni,
    input logic step_i,
    input logic accept_i,
    input logic busy_i,
    input logic cvt_i,                       // the request in the operand row is a conversion
    input logic [31:0] mask_i,               // of the accepted request
    input logic valid3_i,
    input logic [32*Lanes-1:0] res_i
);
  logic [31:0] left_q;
  logic [Lanes-1:0] act, act1_q, act2_q, act3_q;
  logic cvt1_q, cvt2_q, said_q;
  assign act = step_i && busy_i ? left_q[Lanes-1:0] : '0;
  always_ff @(posedge clk_i) begin
    if (step_i) begin
      if (accept_i) left_q <= mask_i;
      else if (busy_i) left_q <= left_q >> Lanes;
      act1_q <= rst_ni ? act : '0;
      act2_q <= act1_q;
      act3_q <= act2_q;
      cvt1_q <= cvt_i;
      cvt2_q <= cvt1_q;
    end
    if (!rst_ni) said_q <= 1'b0;
    else if (step_i && valid3_i && !said_q) begin
      for (int unsigned l = 0; l < Lanes; l++) begin
        if (!act3_q[l] && res_i[32*l +: 32] != '0) begin
          said_q <= 1'b1;
          $error("gating sfu: inactive lane %0d gives a result", l);
        end
      end
    end
  end
  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    logic [47:0] sfu1;
    logic [31:0] sfu2;
    logic [36:0] sfu3;
    logic [63:0] cvt1, cvt2, cvt3;
    assign sfu1 = {sm_sfu.gen_lane[l].u_lane.value1_q, sm_sfu.gen_lane[l].u_lane.sq1_q};
    assign sfu2 = sm_sfu.gen_lane[l].u_lane.value2_q;
    assign sfu3 = sm_sfu.gen_lane[l].u_lane.mag3_q;
    assign cvt1 = sm_sfu.gen_lane[l].u_cvt.m1_q;
    assign cvt2 = sm_sfu.gen_lane[l].u_cvt.m2_q;
    assign cvt3 = sm_sfu.gen_lane[l].u_cvt.m3_q;
    sm_sva_hold #(.Width(48), .Lane(l), .Stage(1), .Class("sfu")) u_sfu1 (.clk_i, .rst_ni, .on_i(act[l] && !cvt_i),
        .q_i(sfu1));
    sm_sva_hold #(.Width(32), .Lane(l), .Stage(2), .Class("sfu")) u_sfu2 (
        .clk_i, .rst_ni, .on_i(step_i && act1_q[l] && !cvt1_q), .q_i(sfu2));
    sm_sva_hold #(.Width(37), .Lane(l), .Stage(3), .Class("sfu")) u_sfu3 (
        .clk_i, .rst_ni, .on_i(step_i && act2_q[l] && !cvt2_q), .q_i(sfu3));
    sm_sva_hold #(.Width(64), .Lane(l), .Stage(1), .Class("cvt")) u_cvt1 (.clk_i, .rst_ni, .on_i(act[l] && cvt_i),
        .q_i(cvt1));
    sm_sva_hold #(.Width(64), .Lane(l), .Stage(2), .Class("cvt")) u_cvt2 (
        .clk_i, .rst_ni, .on_i(step_i && act1_q[l] && cvt1_q), .q_i(cvt2));
    sm_sva_hold #(.Width(64), .Lane(l), .Stage(3), .Class("cvt")) u_cvt3 (
        .clk_i, .rst_ni, .on_i(step_i && act2_q[l] && cvt2_q), .q_i(cvt3));
  end
endmodule

bind sm_sfu sm_sva_sfu #(.Lanes(Lanes)) u_sva (
    .clk_i, .rst_ni, .step_i(step), .accept_i(accept), .busy_i(busy_q), .cvt_i(cvt_q), .mask_i(req_mask_i),
        .valid3_i(valid3_q),
    .res_i(res));
