// SPDX-License-Identifier: Apache-2.0
//
// Probe of the block unit: warps as they are bound, blocks as they are released; bound to sm_cta.
module sm_probe_cta (
    input logic clk_i,
    input logic rst_ni,
    input logic init_valid,
    input sm_pkg::init_t init,
    input logic free_valid,
    input logic [4:0] free_block
);
  int level;
  initial level = sm_probe_pkg::wg_probe_level();
  always_ff @(posedge clk_i) begin
    if (rst_ni && level >= 1) begin
      if (init_valid) begin
        sm_probe_pkg::wg_probe_init({30'b0, init.sub}, {28'b0, init.slot}, {27'b0, init.block}, {27'b0, init.warp},
            init.mask, {21'b0, init.reg_base}, {23'b0, init.regs}, {13'b0, init.shared_base}, {13'b0, init.shared_size},
            init.cta.grid_id, init.cta.ctaid_x, init.cta.ctaid_y, init.cta.ctaid_z);
      end
      if (free_valid) sm_probe_pkg::wg_probe_free({27'b0, free_block});
    end
  end
  logic unused_init;
  assign unused_init = ^init;
endmodule

bind sm_cta sm_probe_cta u_probe (
    .clk_i, .rst_ni, .init_valid(init_valid_o), .init(init_o), .free_valid(free_valid_o), .free_block(free_block_o));
