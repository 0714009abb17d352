// SPDX-License-Identifier: Apache-2.0
//
// Bench top: fifos of three depths, arbiters of three widths and a delay line side by side.
module prim_bench (
    input  logic        clk_i,
    input  logic        rst_ni,
    input  logic [2:0]  push_valid_i,
    output logic [2:0]  push_ready_o,
    input  logic [23:0] wdata_i,
    output logic [2:0]  pop_valid_o,
    input  logic [2:0]  pop_ready_i,
    output logic [23:0] rdata_o,
    input  logic [15:0] req_i,
    input  logic [2:0]  advance_i,
    output logic [2:0]  grant_valid_o,
    output logic [15:0] grant_oh_o,
    output logic [3:0]  grant1_o,
    output logic [3:0]  grant5_o,
    output logic [3:0]  grant10_o,
    input  logic [4:0]  delay_i,
    input  logic        late_valid_i,
    input  logic [7:0]  late_data_i,
    output logic        late_valid_o,
    output logic [7:0]  late_data_o
);
  for (genvar f = 0; f < 3; f++) begin : gen_fifo
    sm_fifo #(.Width(8), .Depth(f == 0 ? 2 : f == 1 ? 4 : 5)) u_fifo (
        .clk_i, .rst_ni, .push_valid_i(push_valid_i[f]), .push_ready_o(push_ready_o[f]), .wdata_i(wdata_i[8*f +: 8]),
        .pop_valid_o(pop_valid_o[f]), .pop_ready_i(pop_ready_i[f]), .rdata_o(rdata_o[8*f +: 8])
    );
  end
  sm_delay #(.Width(8)) u_delay (
      .clk_i, .rst_ni, .delay_i, .valid_i(late_valid_i), .data_i(late_data_i), .valid_o(late_valid_o),
      .data_o(late_data_o)
  );
  logic       idx1;
  logic [2:0] idx5;
  sm_arb_rr #(.N(1)) u_arb1 (
      .clk_i, .rst_ni, .req_i(req_i[0]), .advance_i(advance_i[0]), .grant_valid_o(grant_valid_o[0]),
      .grant_oh_o(grant_oh_o[0]), .grant_idx_o(idx1)
  );
  sm_arb_rr #(.N(5)) u_arb5 (
      .clk_i, .rst_ni, .req_i(req_i[5:1]), .advance_i(advance_i[1]), .grant_valid_o(grant_valid_o[1]),
      .grant_oh_o(grant_oh_o[5:1]), .grant_idx_o(idx5)
  );
  sm_arb_rr #(.N(10)) u_arb10 (
      .clk_i, .rst_ni, .req_i(req_i[15:6]), .advance_i(advance_i[2]), .grant_valid_o(grant_valid_o[2]),
      .grant_oh_o(grant_oh_o[15:6]), .grant_idx_o(grant10_o)
  );
  assign grant1_o = {3'd0, idx1};
  assign grant5_o = {1'b0, idx5};
endmodule
