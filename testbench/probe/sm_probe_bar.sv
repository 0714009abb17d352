// SPDX-License-Identifier: Apache-2.0
//
// Probe of the barrier unit: wg_ev_bar_t, in the order launch, arrival, release, exits; an arrival sees the participation of
// before the exits of its cycle.
module sm_probe_bar #(
    parameter int unsigned SubCores = 1
) (
    input logic clk_i,
    input logic rst_ni,
    input logic init_valid,
    input sm_pkg::init_t init,
    input logic take,
    input logic bad,
    input sm_pkg::bar_req_t req,
    input logic release_en,
    input logic [4:0] block,
    input logic [3:0] id,
    input logic [31:0] waiting,
    input logic [1:0] red,
    input logic [10:0] red_sum,
    input logic red_false,
    input logic [SubCores-1:0] exit_valid,
    input logic [SubCores*5-1:0] exit_block,
    input logic [SubCores*5-1:0] exit_warp
);
  int level;
  initial level = sm_probe_pkg::wg_probe_level();

  always_ff @(posedge clk_i) begin
    if (rst_ni && level >= 2) begin
      if (init_valid && init.warp == 0) begin
        sm_probe_pkg::wg_probe_bar(3, {27'b0, init.block}, 0, 0, 0, 0, 0, 0, 0, 0, 32'((33'd1 << init.warps) - 33'd1));
      end
      if (take && !bad) begin
        sm_probe_pkg::wg_probe_bar(0, {27'b0, req.block}, {27'b0, req.warp}, {28'b0, req.id}, {31'b0, req.arrive_only},
                                   {31'b0, req.has_count}, {20'b0, req.count}, {30'b0, req.red}, {26'b0, req.red_sum},
                                   {31'b0, req.red_false}, 0);
      end
      if (release_en) begin
        sm_probe_pkg::wg_probe_bar(1, {27'b0, block}, 0, {28'b0, id}, 0, 0, 0, {30'b0, red},
            red == 2'd0 ? 0 : red == 2'd1 ? {21'b0, red_sum} : red == 2'd2 ? {31'b0, !red_false} : {31'b0, red_sum != '0},
            0, waiting);
      end
      for (int unsigned s = 0; s < SubCores; s++) begin
        if (exit_valid[s]) begin
          sm_probe_pkg::wg_probe_bar(2, {27'b0, exit_block[s*5 +: 5]}, {27'b0, exit_warp[s*5 +: 5]}, 0, 0, 0, 0, 0, 0, 0, 0);
        end
      end
    end
  end
  logic unused_fields;
  assign unused_fields = ^{init, req};
endmodule

bind sm_barrier sm_probe_bar #(.SubCores(SubCores)) u_probe_bar (
    .clk_i, .rst_ni, .init_valid(init_valid_i), .init(init_i), .take, .bad, .req, .release_en, .block,
    .id(recheck ? scan_q : req.id), .waiting, .red, .red_sum, .red_false, .exit_valid(exit_valid_i), .exit_block(exit_block_i),
    .exit_warp(exit_warp_i));
