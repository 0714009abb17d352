// SPDX-License-Identifier: Apache-2.0
//
// sm_fault: keeps the SM's first fault. Of several in one cycle the order is sub-cores 0 upward, memory, barriers. Knows
// which block and warp of a block holds a warp slot. Outputs are flops, level until reset.
module sm_fault #(
    parameter int unsigned SubCores = 1
) (
    input  logic           clk_i,
    input  logic           rst_ni,
    input  logic           init_valid_i,
    input  sm_pkg::init_t  init_i,
    input  logic [SubCores-1:0] sub_valid_i,
    input  logic [SubCores*sm_pkg::FaultW-1:0] sub_i,
    input  logic           mem_valid_i,
    input  sm_pkg::fault_t mem_i,
    input  logic           bar_valid_i,
    input  sm_pkg::fault_t bar_i,
    output logic           valid_o,
    output logic [3:0]     code_o,
    output logic [5:0]     warp_o,           // sub-core + SubCores * slot
    output logic [4:0]     block_o,
    output logic [4:0]     warp_in_block_o,
    output logic [31:0]    lanes_o,
    output logic [27:0]    pc_o,
    output logic [47:0]    addr_o
);
  localparam int unsigned FaultW = sm_pkg::FaultW;
  logic [64*10-1:0] where_q;                 // {block, warp} by {sub, slot}
  logic [FaultW-1:0] bits;
  sm_pkg::fault_t fault;
  logic any;
  always_comb begin
    any = bar_valid_i || mem_valid_i || sub_valid_i != 0;
    bits = mem_valid_i ? mem_i : bar_i;
    for (int unsigned s = 0; s < SubCores; s++) begin
      if (sub_valid_i[SubCores-1-s]) bits = sub_i[(SubCores-1-s)*FaultW +: FaultW];
    end
  end
  assign fault = bits;

  always_ff @(posedge clk_i) begin
    if (init_valid_i) where_q[32'({init_i.sub, init_i.slot})*10 +: 10] <= {init_i.block, init_i.warp};
    if (any && !valid_o) begin
      valid_o <= 1'b1;
      code_o <= fault.code;
      warp_o <= 6'(32'(fault.sub) + SubCores * 32'(fault.slot));
      {block_o, warp_in_block_o} <= where_q[32'({fault.sub, fault.slot})*10 +: 10];
      lanes_o <= fault.lanes;
      pc_o <= fault.pc;
      addr_o <= fault.addr;
    end
    if (!rst_ni) valid_o <= 1'b0;
  end
  logic unused_init;
  assign unused_init = ^init_i;
endmodule
