// SPDX-License-Identifier: Apache-2.0
//
// mma_tb: sm_mma with flat ports for its bench.
module mma_tb #(
    parameter int unsigned Dots = 8,
    parameter int unsigned Rows = 1
) (
    input  logic          clk_i,
    input  logic          rst_ni,
    input  logic [3:0]    extra_i,
    input  logic [3:0]    deep_extra_i,
    input  logic          req_ab_valid_i,
    output logic          req_ab_ready_o,
    input  logic [4095:0] req_a_i,
    input  logic [2047:0] req_b_i,
    input  logic          req_c_valid_i,
    output logic          req_c_ready_o,
    input  logic [7:0]    op_i,
    input  logic [15:0]   mods_i,
    input  logic [7:0]    rd_i,
    input  logic [3:0]    req_slot_i,
    input  logic [31:0]   req_mask_i,
    input  logic [4095:0] req_c_i,
    output logic          rsp_valid_o,
    input  logic          rsp_ready_i,
    output logic [3:0]    rsp_slot_o,
    output logic [7:0]    rsp_rd_o,
    output logic          rsp_wide_o,
    output logic          rsp_last_o,
    output logic [31:0]   rsp_mask_o,
    output logic [2047:0] rsp_data_o
);
  sm_pkg::uop_t uop;
  always_comb begin
    uop = '0;
    uop.op = op_i;
    uop.mods = mods_i;
    uop.rd = rd_i;
    uop.pd0 = 3'd7;
    uop.pd1 = 3'd7;
  end
  sm_mma #(
      .Dots(Dots),
      .Rows(Rows)
  ) u_dut (
      .req_uop_i(uop),
      .req_a0_i(req_a_i[1023:0]),
      .req_a1_i(req_a_i[2047:1024]),
      .req_a2_i(req_a_i[3071:2048]),
      .req_a3_i(req_a_i[4095:3072]),
      .req_b0_i(req_b_i[1023:0]),
      .req_b1_i(req_b_i[2047:1024]),
      .req_c0_i(req_c_i[1023:0]),
      .req_c1_i(req_c_i[2047:1024]),
      .req_c2_i(req_c_i[3071:2048]),
      .req_c3_i(req_c_i[4095:3072]),
      .*
  );
endmodule
