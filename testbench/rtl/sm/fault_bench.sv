// SPDX-License-Identifier: Apache-2.0
//
// Bench top around sm_fault: faults of two sub-cores, memory and barriers as flat ports.
module fault_bench (
    input  logic         clk_i,
    input  logic         rst_ni,
    input  logic         init_valid_i,
    input  logic [1:0]   init_sub_i,
    input  logic [3:0]   init_slot_i,
    input  logic [4:0]   init_block_i,
    input  logic [4:0]   init_warp_i,
    input  logic [3:0]   valid_i,            // {barriers, memory, sub-core 1, sub-core 0}
    input  logic [15:0]  code_i,
    input  logic [7:0]   sub_i,
    input  logic [15:0]  slot_i,
    input  logic [127:0] lanes_i,
    input  logic [111:0] pc_i,
    input  logic [191:0] addr_i,
    output logic         valid_o,
    output logic [3:0]   code_o,
    output logic [5:0]   warp_o,
    output logic [4:0]   block_o,
    output logic [4:0]   warp_in_block_o,
    output logic [31:0]  lanes_o,
    output logic [27:0]  pc_o,
    output logic [47:0]  addr_o
);
  sm_pkg::init_t init;
  always_comb begin
    init = '0;
    init.sub = init_sub_i;
    init.slot = init_slot_i;
    init.block = init_block_i;
    init.warp = init_warp_i;
  end
  logic [4*sm_pkg::FaultW-1:0] all;
  for (genvar k = 0; k < 4; k++) begin : gen_fault
    sm_pkg::fault_t f;
    assign f = {code_i[4*k +: 4], sub_i[2*k +: 2], slot_i[4*k +: 4], lanes_i[32*k +: 32], pc_i[28*k +: 28], addr_i[48*k +: 48]};
    assign all[k*sm_pkg::FaultW +: sm_pkg::FaultW] = f;
  end
  sm_fault #(.SubCores(2)) u_fault (
      .clk_i, .rst_ni, .init_valid_i, .init_i(init), .sub_valid_i(valid_i[1:0]), .sub_i(all[2*sm_pkg::FaultW-1:0]),
      .mem_valid_i(valid_i[2]), .mem_i(all[2*sm_pkg::FaultW +: sm_pkg::FaultW]), .bar_valid_i(valid_i[3]),
      .bar_i(all[3*sm_pkg::FaultW +: sm_pkg::FaultW]), .valid_o, .code_o, .warp_o, .block_o, .warp_in_block_o, .lanes_o, .pc_o, .addr_o);
endmodule
