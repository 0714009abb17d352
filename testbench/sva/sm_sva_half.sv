// SPDX-License-Identifier: Apache-2.0
//
// sm_sva_half: an inactive lane of sm_pipe_half does nothing: the registers of its four stages hold, its predicates
// are zero. Bound to sm_pipe_half;
// act_i: lanes of the beat that enters in this cycle.
module sm_sva_half #(
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
      $error("gating half: inactive lanes %0h give predicates", preds_i & ~act_i);
    end
  end
  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    sm_sva_hold #(.Width(66), .Lane(l), .Stage(1), .Class("half")) u_hold1 (
        .clk_i, .rst_ni, .on_i(act_i[l]), .q_i({sm_pipe_half.gen_lane[l].gen_half[0].u_lane.ma1_q,
            sm_pipe_half.gen_lane[l].gen_half[0].u_lane.mb1_q, sm_pipe_half.gen_lane[l].gen_half[0].u_lane.mc1_q,
            sm_pipe_half.gen_lane[l].gen_half[1].u_lane.ma1_q, sm_pipe_half.gen_lane[l].gen_half[1].u_lane.mb1_q,
            sm_pipe_half.gen_lane[l].gen_half[1].u_lane.mc1_q}));
    sm_sva_hold #(.Width(66), .Lane(l), .Stage(2), .Class("half")) u_hold2 (
        .clk_i, .rst_ni, .on_i(act1_q[l]), .q_i({sm_pipe_half.gen_lane[l].gen_half[0].u_lane.prod2_q,
            sm_pipe_half.gen_lane[l].gen_half[0].u_lane.mc2_q, sm_pipe_half.gen_lane[l].gen_half[1].u_lane.prod2_q,
            sm_pipe_half.gen_lane[l].gen_half[1].u_lane.mc2_q}));
    sm_sva_hold #(.Width(82), .Lane(l), .Stage(3), .Class("half")) u_hold3 (
        .clk_i, .rst_ni, .on_i(act2_q[l]), .q_i({sm_pipe_half.gen_lane[l].gen_half[0].u_lane.sum3_q,
            sm_pipe_half.gen_lane[l].gen_half[0].u_lane.exp3_q, sm_pipe_half.gen_lane[l].gen_half[1].u_lane.sum3_q,
            sm_pipe_half.gen_lane[l].gen_half[1].u_lane.exp3_q}));
    sm_sva_hold #(.Width(32), .Lane(l), .Stage(4), .Class("half")) u_hold4 (
        .clk_i, .rst_ni, .on_i(act3_q[l]), .q_i({sm_pipe_half.gen_lane[l].gen_half[0].u_lane.res_o,
            sm_pipe_half.gen_lane[l].gen_half[1].u_lane.res_o}));
  end
endmodule

bind sm_pipe_half sm_sva_half #(.Lanes(Lanes)) u_sva (.clk_i, .rst_ni, .act_i(en_i ? mask_i : '0),
    .preds_i(pd0_o | pd1_o));
