// SPDX-License-Identifier: Apache-2.0
//
// Bench top around sm_cta: scalar ports for configuration, launch, exits; the fields of init_t as scalars.
module cta_bench (
    input  logic         clk_i,
    input  logic         rst_ni,
    input  logic [4:0]   warp_slots_i,
    input  logic [5:0]   block_slots_i,
    input  logic [10:0]  reg_rows_i,
    input  logic [18:0]  shared_bytes_i,
    input  logic [11:0]  shared_unit_i,
    input  logic [11:0]  shared_reserve_i,
    input  logic         first_rotate_i,
    input  logic         launch_valid_i,
    output logic         launch_ready_o,
    input  logic [31:0]  ctaid_i,
    input  logic [10:0]  ntid_x_i,
    input  logic [10:0]  ntid_y_i,
    input  logic [6:0]   ntid_z_i,
    input  logic [8:0]   regs_i,
    input  logic [18:0]  shared_i,
    output logic         init_valid_o,
    output logic [1:0]   init_sub_o,
    output logic [3:0]   init_slot_o,
    output logic [4:0]   init_block_o,
    output logic [4:0]   init_warp_o,
    output logic [5:0]   init_warps_o,
    output logic [31:0]  init_mask_o,
    output logic [10:0]  init_reg_base_o,
    output logic [18:0]  init_shared_base_o,
    output logic [9:0]   init_tid_x_o,
    output logic [9:0]   init_tid_y_o,
    output logic [5:0]   init_tid_z_o,
    input  logic [3:0]   exit_valid_i,
    input  logic [19:0]  exit_block_i,
    input  logic [19:0]  exit_warp_i,
    input  logic [7:0]   mem_busy_i,
    output logic         free_valid_o,
    output logic [4:0]   free_block_o,
    output logic         done_valid_o,
    output logic [4:0]   done_block_o,
    output logic [31:0]  done_ctaid_o
);
  sm_pkg::cfg_t cfg;
  sm_pkg::launch_t launch;
  sm_pkg::init_t init;
  logic [31:0] unused_grid, unused_y, unused_z;
  logic [7:0] unused_valid;
  always_comb begin
    cfg = '0;
    cfg.warp_slots = warp_slots_i;
    cfg.block_slots = block_slots_i;
    cfg.reg_rows = reg_rows_i;
    cfg.shared_bytes = shared_bytes_i;
    cfg.shared_unit = shared_unit_i;
    cfg.shared_reserve = shared_reserve_i;
    cfg.first_rotate = first_rotate_i;
    launch = '0;
    launch.ctaid_x = ctaid_i;
    launch.ntid_x = ntid_x_i;
    launch.ntid_y = ntid_y_i;
    launch.ntid_z = ntid_z_i;
    launch.regs = regs_i;
    launch.shared_bytes = shared_i;
  end
  sm_cta #(.SubCores(4), .BlockSlots(8)) u_cta (
      .clk_i, .rst_ni, .cfg_i(cfg), .launch_valid_i, .launch_ready_o, .launch_i(launch),
      .done_valid_o, .done_block_o, .done_grid_id_o(unused_grid), .done_ctaid_x_o(done_ctaid_o),
      .done_ctaid_y_o(unused_y), .done_ctaid_z_o(unused_z),
      .init_valid_o, .init_o(init), .free_valid_o, .free_block_o, .exit_valid_i, .exit_block_i, .exit_warp_i,
      .mem_busy_i, .block_valid_o(unused_valid));
  assign init_sub_o = init.sub;
  assign init_slot_o = init.slot;
  assign init_block_o = init.block;
  assign init_warp_o = init.warp;
  assign init_warps_o = init.warps;
  assign init_mask_o = init.mask;
  assign init_reg_base_o = init.reg_base;
  assign init_shared_base_o = init.shared_base;
  assign init_tid_x_o = init.tid_x;
  assign init_tid_y_o = init.tid_y;
  assign init_tid_z_o = init.tid_z;
endmodule
