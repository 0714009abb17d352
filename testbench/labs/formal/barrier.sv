// SPDX-License-Identifier: Apache-2.0
//
// The submission beside the project's module: one sub-core, two warps of one block, barriers 0 and 1, every order of arrivals with and
// without count, arrive-only, reductions. Warps that wait do not arrive again; nobody exits (when a release by an exit
// comes is left open). Equal outputs in every cycle. files: rtl/prim/sm_ram_1r1w.sv rtl/prim/sm_fifo.sv rtl/prim/sm_delay.sv
module formal_top (
    input logic       clk_i,
    input logic       valid_i,
    input logic       warp_i,
    input logic       id_i,
    input logic       arrive_only_i,
    input logic       has_count_i,
    input logic [1:0] count_i,      // warps
    input logic [1:0] red_i,
    input logic [5:0] sum_i,
    input logic       false_i
);
  logic [3:0] n;              // cycle
  logic [1:0] waits;
  logic [1:0] ready, fault_valid, red_valid;
  logic [3:0] rel;
  logic [21:0] red;
  sm_pkg::init_t init;
  sm_pkg::bar_req_t req;
  sm_pkg::fault_t fault0, fault1;
  logic rst_ni, init_valid, valid;
  // wrong_OUTPUT: it differs where it counts; a failed proof is told by them (proof_wave.py)
  logic wrong_bar_ready_o, wrong_bar_release_o, wrong_fault_valid_o, wrong_red_valid_o, wrong_red_o;
  assign rst_ni = n >= 4'd1;
  assign init_valid = n == 4'd2 || n == 4'd3;
  assign valid = valid_i && n >= 4'd4 && !waits[warp_i];
  always_comb begin
    init = '0;
    init.warp = {4'd0, n[0]};
    init.slot = {3'd0, n[0]};
    init.warps = 6'd2;
    req = '0;
    req.warp = {4'd0, warp_i};
    req.id = {3'd0, id_i};
    req.arrive_only = arrive_only_i;
    req.has_count = has_count_i;
    req.count = has_count_i ? {5'd0, count_i, 5'd0} : 12'd0;
    req.red = arrive_only_i ? 2'd0 : red_i;
    req.red_sum = sum_i;
    req.red_false = false_i;
  end
  sm_barrier #(.SubCores(1), .WarpSlots(2), .BlockSlots(1)) u_dut (
      .clk_i, .rst_ni, .interval_i(4'd0), .extra_i(5'd0), .count_extra_i(5'd0), .red_extra_i(5'd0), .red_interval_i(2'd0),
      .init_valid_i(init_valid), .init_i(init), .bar_valid_i(valid), .bar_ready_o(ready[0]), .bar_i(req), .exit_valid_i(1'b0),
      .exit_block_i(5'd0), .exit_warp_i(5'd0), .bar_release_o(rel[1:0]), .red_valid_o(red_valid[0]), .red_o(red[10:0]),
      .fault_valid_o(fault_valid[0]), .fault_o(fault0));
  ref_sm_barrier #(.SubCores(1), .WarpSlots(2), .BlockSlots(1)) u_ref (
      .clk_i, .rst_ni, .interval_i(4'd0), .extra_i(5'd0), .count_extra_i(5'd0), .red_extra_i(5'd0), .red_interval_i(2'd0),
      .init_valid_i(init_valid), .init_i(init), .bar_valid_i(valid), .bar_ready_o(ready[1]), .bar_i(req), .exit_valid_i(1'b0),
      .exit_block_i(5'd0), .exit_warp_i(5'd0), .bar_release_o(rel[3:2]), .red_valid_o(red_valid[1]), .red_o(red[21:11]),
      .fault_valid_o(fault_valid[1]), .fault_o(fault1));
  always_ff @(posedge clk_i) begin
    n <= n == 4'd15 ? n : n + 4'd1;
    if (n < 4'd4) waits <= '0;
    else waits <= (waits | (valid && ready[1] && !arrive_only_i ? 2'd1 << warp_i : 2'd0)) & ~rel[3:2];
  end
  always_comb begin
    wrong_bar_ready_o = n >= 4'd4 && valid && ready[0] != ready[1];
    wrong_bar_release_o = n >= 4'd4 && rel[1:0] != rel[3:2];
    wrong_fault_valid_o = n >= 4'd4 && fault_valid[0] != fault_valid[1];
    wrong_red_valid_o = n >= 4'd4 && red_valid[0] != red_valid[1];
    wrong_red_o = n >= 4'd4 && red_valid == '1 && red[10:0] != red[21:11];
    ready_as_expected: assert (!wrong_bar_ready_o);
    release_as_expected: assert (!wrong_bar_release_o);
    fault_as_expected: assert (!wrong_fault_valid_o);
    result_as_expected: assert (!wrong_red_valid_o && !wrong_red_o);
  end
endmodule
