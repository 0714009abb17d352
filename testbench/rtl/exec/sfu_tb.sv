// SPDX-License-Identifier: Apache-2.0
//
// sfu_tb: sm_sfu with flat ports for its bench.
module sfu_tb #(
    parameter int unsigned Lanes = 4
) (
    input  logic          clk_i,
    input  logic          rst_ni,
    input  logic          req_valid_i,
    output logic          req_ready_o,
    input  logic [7:0]    op_i,
    input  logic [15:0]   mods_i,
    input  logic [7:0]    rd_i,
    input  logic [27:0]   pc_i,
    input  logic [3:0]    req_slot_i,
    input  logic [31:0]   req_mask_i,
    input  logic [1023:0] req_a_i,
    input  logic [1023:0] req_a1_i,
    output logic          rsp_valid_o,
    input  logic          rsp_ready_i,
    output logic [3:0]    rsp_slot_o,
    output logic [7:0]    rsp_rd_o,
    output logic [31:0]   rsp_mask_o,
    output logic          rsp_wide_o,
    output logic [1023:0] rsp_data_o,
    output logic [1023:0] rsp_data_hi_o,
    output logic          illegal_o,
    output logic [27:0]   illegal_pc_o
);
  sm_pkg::uop_t uop;
  always_comb begin
    uop = '0;
    uop.op = op_i;
    uop.mods = mods_i;
    uop.rd = rd_i;
    uop.pc = pc_i;
  end
  sm_sfu #(
      .Lanes(Lanes)
  ) u_dut (
      .req_uop_i(uop),
      .*
  );
endmodule
