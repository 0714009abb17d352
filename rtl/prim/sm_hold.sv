// SPDX-License-Identifier: Apache-2.0
//
// sm_hold: holds a result back for delay_i cycles, without stopping its producer: a word offered in cycle n is offered on in
// n + delay_i at the earliest. One word at a time; the next one is taken in the cycle in which this one goes on. With
// delay 0 the word passes through. delay_i is constant while a word is inside. Reset: empty.
module sm_hold #(
    parameter int unsigned Width = 8
) (
    input  logic             clk_i,
    input  logic             rst_ni,
    input  logic [3:0]       delay_i,
    input  logic             in_valid_i,
    output logic             in_ready_o,
    input  logic [Width-1:0] in_data_i,
    output logic             out_valid_o,
    input  logic             out_ready_i,
    output logic [Width-1:0] out_data_o
);
  logic             full_q, pass, take, gone;
  logic [3:0]       left_q;      // cycles to wait
  logic [Width-1:0] data_q;
  assign pass = delay_i == 4'd0;
  assign gone = full_q && left_q == 4'd0 && out_ready_i;
  assign in_ready_o = pass ? out_ready_i : !full_q || gone;
  assign out_valid_o = pass ? in_valid_i : full_q && left_q == 4'd0;
  assign out_data_o = pass ? in_data_i : data_q;
  assign take = !pass && in_valid_i && in_ready_o;
  always_ff @(posedge clk_i) begin
    if (take) begin
      full_q <= 1'b1;
      left_q <= delay_i - 4'd1;
      data_q <= in_data_i;
    end else begin
      if (gone) full_q <= 1'b0;
      if (full_q && left_q != 4'd0) left_q <= left_q - 4'd1;
    end
    if (!rst_ni) full_q <= 1'b0;
  end
endmodule
