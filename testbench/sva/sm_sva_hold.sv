// SPDX-License-Identifier: Apache-2.0
//
// sm_sva_hold: registers of one lane of an arithmetic unit keep their value while the lane has nothing to do. on_i: the lane takes
// part in what the registers' stage does in this cycle. Reported once. Class: name of the instruction class in the message.
module sm_sva_hold #(
    parameter int unsigned Width = 32,
    parameter int unsigned Lane = 0,
    parameter int unsigned Stage = 1,
    parameter string Class = "int"
) (
    input logic clk_i,
    input logic rst_ni,
    input logic on_i,
    input logic [Width-1:0] q_i
);
  logic [Width-1:0] old_q;
  logic off_q, said_q;
  always_ff @(posedge clk_i) begin
    old_q <= q_i;
    off_q <= rst_ni && !on_i;
    if (!rst_ni) said_q <= 1'b0;
    else if (off_q && !said_q && q_i != old_q) begin
      said_q <= 1'b1;
      $error("gating %s: registers of stage %0d of lane %0d moved although the lane is inactive", Class, Stage, Lane);
    end
  end
endmodule
