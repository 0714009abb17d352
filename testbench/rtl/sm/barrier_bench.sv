// SPDX-License-Identifier: Apache-2.0
//
// Bench top around sm_barrier: scalar ports for one launch, arrivals and exits of two sub-cores.
module barrier_bench (
    input  logic        clk_i,
    input  logic        rst_ni,
    input  logic [3:0]  interval_i,
    input  logic [4:0]  extra_i,
    input  logic [4:0]  count_extra_i,
    input  logic [4:0]  red_extra_i,
    input  logic [1:0]  red_interval_i,
    input  logic        init_valid_i,
    input  logic [1:0]  init_sub_i,
    input  logic [3:0]  init_slot_i,
    input  logic [4:0]  init_block_i,
    input  logic [4:0]  init_warp_i,
    input  logic [5:0]  init_warps_i,
    input  logic [1:0]  bar_valid_i,
    output logic [1:0]  bar_ready_o,
    input  logic [9:0]  bar_block_i,
    input  logic [9:0]  bar_warp_i,
    input  logic [7:0]  bar_id_i,
    input  logic [1:0]  bar_arrive_only_i,
    input  logic [1:0]  bar_has_count_i,
    input  logic [23:0] bar_count_i,
    input  logic [3:0]  bar_red_i,
    input  logic [11:0] bar_red_sum_i,
    input  logic [1:0]  bar_red_false_i,
    input  logic [1:0]  bar_count_reg_i,
    input  logic [1:0]  exit_valid_i,
    input  logic [9:0]  exit_block_i,
    input  logic [9:0]  exit_warp_i,
    output logic [31:0] release_o,   // 16 slots a sub-core
    output logic        red_valid_o,
    output logic [10:0] red_o,
    output logic        fault_o,
    output logic [3:0]  fault_code_o,
    output logic [31:0] fault_lanes_o
);
  sm_pkg::init_t init;
  sm_pkg::fault_t fault;
  logic [2*sm_pkg::BarReqW-1:0] bar;
  always_comb begin
    init = '0;
    init.sub = init_sub_i;
    init.slot = init_slot_i;
    init.block = init_block_i;
    init.warp = init_warp_i;
    init.warps = init_warps_i;
  end
  for (genvar s = 0; s < 2; s++) begin : gen_sub
    sm_pkg::bar_req_t req;
    assign req = {32'h0000ffff << s, bar_block_i[s*5 +: 5], bar_warp_i[s*5 +: 5], bar_id_i[s*4 +: 4], bar_arrive_only_i[s],
                  bar_has_count_i[s], bar_count_i[s*12 +: 12], bar_red_i[s*2 +: 2], bar_red_sum_i[s*6 +: 6], bar_red_false_i[s],
                  bar_count_reg_i[s], 28'h40};
    assign bar[s*sm_pkg::BarReqW +: sm_pkg::BarReqW] = req;
  end
  sm_barrier #(.SubCores(2), .WarpSlots(16), .BlockSlots(4)) u_barrier (
      .clk_i, .rst_ni, .interval_i, .extra_i, .count_extra_i, .red_extra_i, .red_interval_i, .init_valid_i, .init_i(init), .bar_valid_i, .bar_ready_o, .bar_i(bar),
      .exit_valid_i, .exit_block_i, .exit_warp_i, .bar_release_o(release_o), .red_valid_o, .red_o, .fault_valid_o(fault_o), .fault_o(fault));
  assign fault_code_o = fault.code;
  assign fault_lanes_o = fault.lanes;
endmodule
