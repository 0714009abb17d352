// SPDX-License-Identifier: Apache-2.0
//
// sm_sva_fp64: an inactive lane of sm_pipe_fp64 does nothing: the registers of its four stages hold, its predicates
// are zero. Bound to sm_pipe_fp64;
// act_i: lanes of the beat that enters in this cycle.
module sm_sva_fp64 #(
    parameter int unsigned Lanes = 8
) (
    input logic clk_i,
    input logic rst_ni,
    input logic [Lanes-1:0] act_i,
    input logic [Lanes-1:0] preds_i
);
  logic [Lanes-1:0] act1_q, act2_q, act3_q;
  logic said_q;
  always_ff @(posedge clk_i) begin
    act1_q <= rst_ni ? act_i : '0;
    act2_q <= act1_q;
    act3_q <= act2_q;
    if (!rst_ni) said_q <= 1'b0;
    else if (!said_q && (preds_i & ~act_i) != '0) begin
      said_q <= 1'b1;
      $error("gating fp64: inactive lanes %0h give predicates", preds_i & ~act_i);
    end
  end
  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    sm_sva_hold #(.Width(159), .Lane(l), .Stage(1), .Class("fp64")) u_hold1 (
        .clk_i, .rst_ni, .on_i(act_i[l]), .q_i({sm_pipe_fp64.gen_lane[l].u_lane.ma1_q,
            sm_pipe_fp64.gen_lane[l].u_lane.mb1_q, sm_pipe_fp64.gen_lane[l].u_lane.mc1_q}));
    sm_sva_hold #(.Width(159), .Lane(l), .Stage(2), .Class("fp64")) u_hold2 (
        .clk_i, .rst_ni, .on_i(act1_q[l]), .q_i({sm_pipe_fp64.gen_lane[l].u_lane.prodh2_q,
            sm_pipe_fp64.gen_lane[l].u_lane.prodm2_q, sm_pipe_fp64.gen_lane[l].u_lane.mc2_q}));
    sm_sva_hold #(.Width(140), .Lane(l), .Stage(3), .Class("fp64")) u_hold3 (
        .clk_i, .rst_ni, .on_i(act2_q[l]), .q_i({sm_pipe_fp64.gen_lane[l].u_lane.sumh3_q,
            sm_pipe_fp64.gen_lane[l].u_lane.suml3_q, sm_pipe_fp64.gen_lane[l].u_lane.exp3_q}));
    sm_sva_hold #(.Width(64), .Lane(l), .Stage(4), .Class("fp64")) u_hold4 (
        .clk_i, .rst_ni, .on_i(act3_q[l]), .q_i({sm_pipe_fp64.gen_lane[l].u_lane.res_o}));
  end
endmodule

bind sm_pipe_fp64 sm_sva_fp64 #(.Lanes(Lanes)) u_sva (.clk_i, .rst_ni, .act_i(en_i ? mask_i : '0),
    .preds_i(pd0_o | pd1_o));
