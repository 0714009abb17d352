// SPDX-License-Identifier: Apache-2.0
//
// Bench top: sm_lsu_saddr in front of sm_smem, as sm_lsu joins them.
module smem_bench (
    input  logic          clk_i,
    input  logic          rst_ni,
    input  logic          s_valid_i,
    output logic          s_ready_o,
    input  logic [6:0]    s_tag_i,
    input  logic          s_store_i,
    input  logic          s_shfl_i,
    input  logic          s_atom_i,
    input  logic [7:0]    s_aop_i,
    input  logic [2:0]    s_lg_i,
    input  logic [31:0]   s_mask_i,
    input  logic [1023:0] a_i,
    input  logic [31:0]   imm_i,
    input  logic [19:0]   base_i,
    input  logic [18:0]   size_i,
    input  logic [4095:0] s_data_i,
    output logic [31:0]   mis_o,
    output logic [31:0]   oob_o,
    output logic          wf_valid_o,
    input  logic          sel_i,
    output logic [6:0]    wf_tag_o,
    output logic          wf_store_o,
    output logic          wf_shfl_o,
    output logic          wf_atom_o,
    output logic [7:0]    wf_aop_o,
    output logic [2:0]    wf_lg_o,
    output logic [31:0]   wf_lanes_o,
    output logic          wf_uniform_o,
    output logic [12:0]   wf_row_o,
    output logic [415:0]  wf_rows_o,
    output logic [223:0]  wf_offs_o,
    output logic [4095:0] wf_data_o
);
  logic [223:0] offs;
  logic [415:0] rows;
  logic [2:0]   merge;
  sm_lsu_saddr u_saddr (
      .en_i(s_valid_i), .mask_i(s_mask_i), .a_i, .imm_i, .lg_i(s_lg_i), .base_i, .size_i, .offs_o(offs), .rows_o(rows),
      .mis_o, .oob_o, .merge_o(merge)
  );
  sm_smem u_dut (
      .clk_i, .rst_ni, .s_valid_i, .s_ready_o, .s_tag_i, .s_store_i, .s_shfl_i, .s_atom_i, .s_aop_i, .s_lg_i, .s_mask_i, .s_offs_i(offs),
      .s_rows_i(rows), .s_merge_i(s_atom_i ? 3'd0 : merge), .s_data_i, .wf_valid_o, .sel_i, .wf_tag_o, .wf_store_o, .wf_shfl_o, .wf_atom_o, .wf_aop_o, .wf_lg_o,
      .wf_lanes_o, .wf_uniform_o, .wf_row_o, .wf_rows_o, .wf_offs_o, .wf_data_o
  );
endmodule
