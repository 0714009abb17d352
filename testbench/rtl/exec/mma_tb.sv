// SPDX-License-Identifier: Apache-2.0
//
// mma_tb: sm_mma with flat ports for its bench.
module mma_tb #(
    parameter int unsigned Dots = 8
) (
    input  logic          clk_i,
    input  logic          rst_ni,
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
      .Dots(Dots)
  ) u_dut (
      .req_uop_i(uop),
      .*
  );
endmodule
