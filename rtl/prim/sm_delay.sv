// SPDX-License-Identifier: Apache-2.0
//
// sm_delay: a word pushed in cycle n comes out in cycle n + delay_i. delay_i (0..31) is constant while words are inside, so
// at most one comes out a cycle. With delay 0 the output is combinational. Reset: empty.
module sm_delay #(
    parameter int unsigned Width = 8
) (
    input  logic             clk_i,
    input  logic             rst_ni,
    input  logic [4:0]       delay_i,
    input  logic             valid_i,
    input  logic [Width-1:0] data_i,
    output logic             valid_o,
    output logic [Width-1:0] data_o
);
  logic [31:0]      valid_q;
  logic [4:0]       now_q;
  logic [Width-1:0] mem_q [32];

  always_comb begin
    valid_o = valid_q[now_q];
    data_o = mem_q[now_q];
    if (delay_i == 5'd0) begin
      valid_o = valid_i;
      data_o = data_i;
    end
  end

  always_ff @(posedge clk_i) begin
    now_q <= now_q + 5'd1;
    if (valid_q[now_q]) valid_q[now_q] <= 1'b0;
    if (valid_i && delay_i != 5'd0) begin
      valid_q[now_q + delay_i] <= 1'b1;
      mem_q[now_q + delay_i] <= data_i;
    end
    if (!rst_ni) begin
      valid_q <= '0;
      now_q <= '0;
    end
  end
endmodule
