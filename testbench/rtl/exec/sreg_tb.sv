// SPDX-License-Identifier: Apache-2.0
//
// sreg_tb: sm_sreg with flat ports for its bench.
module sreg_tb #(
    parameter int unsigned SubCores = 4,
    parameter int unsigned WarpSlots = 16
) (
    input  logic          clk_i,
    input  logic          rst_ni,
    input  logic [1:0]    sub_i,
    input  logic [4:0]    warp_slots_i,
    input  logic [63:0]   time_i,
    input  logic [15:0]   smid_i,
    input  logic [15:0]   nsmid_i,
    input  logic          init_valid_i,
    input  logic [1:0]    init_sub_i,
    input  logic [3:0]    init_slot_i,
    input  logic [9:0]    tid_x_i,
    input  logic [9:0]    tid_y_i,
    input  logic [5:0]    tid_z_i,
    input  logic [10:0]   ntid_x_i,
    input  logic [10:0]   ntid_y_i,
    input  logic [6:0]    ntid_z_i,
    input  logic [31:0]   ctaid_x_i,
    input  logic [31:0]   ctaid_y_i,
    input  logic [31:0]   ctaid_z_i,
    input  logic [31:0]   grid_id_i,
    input  logic          red_valid_i,
    input  logic [WarpSlots-1:0] red_slots_i,
    input  logic [10:0]   red_i,
    input  logic          req_valid_i,
    output logic          req_ready_o,
    input  logic [7:0]    sr_i,
    input  logic [7:0]    rd_i,
    input  logic [3:0]    req_slot_i,
    input  logic [31:0]   req_mask_i,
    output logic          rsp_valid_o,
    input  logic          rsp_ready_i,
    output logic [3:0]    rsp_slot_o,
    output logic [7:0]    rsp_rd_o,
    output logic [31:0]   rsp_mask_o,
    output logic [1023:0] rsp_data_o
);
  sm_pkg::init_t init;
  sm_pkg::uop_t uop;
  always_comb begin
    init = '0;
    init.sub = init_sub_i;
    init.slot = init_slot_i;
    init.tid_x = tid_x_i;
    init.tid_y = tid_y_i;
    init.tid_z = tid_z_i;
    init.cta.ntid_x = ntid_x_i;
    init.cta.ntid_y = ntid_y_i;
    init.cta.ntid_z = ntid_z_i;
    init.cta.ctaid_x = ctaid_x_i;
    init.cta.ctaid_y = ctaid_y_i;
    init.cta.ctaid_z = ctaid_z_i;
    init.cta.grid_id = grid_id_i;
    uop = '0;
    uop.op = sm_isa_pkg::OpS2R;
    uop.rd = rd_i;
    uop.imm = {24'd0, sr_i};
  end
  sm_sreg #(
      .SubCores (SubCores),
      .WarpSlots(WarpSlots)
  ) u_dut (
      .init_i   (init),
      .req_uop_i(uop),
      .req_a_i  ('0),
      .*
  );
endmodule
