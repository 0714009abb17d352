// SPDX-License-Identifier: Apache-2.0
//
// Bench top: sm_mem behind sm_memport, configuration and init as scalars, and the places where operations take effect
// (what testbench/probe/sm_probe_mem.sv reports) as outputs.
module mem_bench #(
    parameter int unsigned SubCores = 4,
    parameter int unsigned SmemBytes = 32768
) (
    input  logic clk_i,
    input  logic rst_ni,
    input  logic kill_i,
    input  logic [18:0] shared_bytes_i,
    input  logic [11:0] shared_unit_i,
    input  logic [11:0] l1_sets_i,
    input  logic [3:0]  l1_ways_i,
    input  logic [6:0]  mshrs_i,
    input  logic [3:0]  line_interval_i,
    input  logic [3:0]  wf_interval_i,
    input  logic        init_valid_i,
    input  logic [1:0]  init_sub_i,
    input  logic [3:0]  init_slot_i,
    input  logic [4:0]  init_block_i,
    input  logic [18:0] init_base_i,
    input  logic [18:0] init_size_i,
    input  logic        init_inval_i,
    input  logic [47:0] init_arena_i,
    input  logic [17:0] init_local_i,

    input  logic [SubCores-1:0]      mem_valid_i,
    output logic [SubCores-1:0]      mem_ready_o,
    input  logic [SubCores*4-1:0]    mem_slot_i,
    input  logic [SubCores*102-1:0]  mem_uop_i,
    input  logic [SubCores*32-1:0]   mem_mask_i,
    input  logic [SubCores*2048-1:0] mem_a_i,
    input  logic [SubCores*4096-1:0] mem_data_i,
    output logic [SubCores-1:0]      wb_valid_o,
    input  logic [SubCores-1:0]      wb_ready_i,
    output logic [SubCores*4-1:0]    wb_slot_o,
    output logic [SubCores*8-1:0]    wb_rd_o,
    output logic [SubCores-1:0]      wb_wide_o,
    output logic [SubCores*32-1:0]   wb_mask_o,
    output logic [SubCores*2048-1:0] wb_data_o,
    output logic [SubCores-1:0]      wb_last_o,
    output logic [SubCores-1:0]      wb_pvalid_o,
    output logic [SubCores*3-1:0]    wb_pd_o,
    output logic [SubCores*32-1:0]   wb_pbits_o,
    output logic [SubCores*16-1:0]   fence_release_o,
    output logic                     inval_o,
    input  logic [143:0]             init_const_base_i,
    input  logic [50:0]              init_const_size_i,
    output logic [31:0] mem_busy_o,
    output logic        idle_o,
    output logic        port_idle_o,
    output logic        fault_valid_o,
    output logic [3:0]  fault_code_o,
    output logic [1:0]  fault_sub_o,
    output logic [3:0]  fault_slot_o,
    output logic [31:0] fault_lanes_o,
    output logic [27:0] fault_pc_o,
    output logic [47:0] fault_addr_o,

    input  logic        l1i_valid_i,
    output logic        l1i_ready_o,
    input  logic [3:0]  l1i_id_i,
    input  logic [47:0] l1i_line_i,
    input  logic        cc_valid_i,
    output logic        cc_ready_o,
    input  logic [3:0]  cc_id_i,
    input  logic [47:0] cc_line_i,
    output logic [1:0]  l1i_rsp_valid_o,
    output logic [1:0]  cc_rsp_valid_o,
    output logic [15:0] rsp_id_o,
    output logic [3:0]  rsp_sector_o,

    output logic         req_valid_o,
    output logic [7:0]   req_id_o,
    output logic [2:0]   req_op_o,
    output logic [47:0]  req_line_o,
    output logic [3:0]   req_sector_mask_o,
    output logic [31:0]  req_byte_mask_o,
    output logic [255:0] req_data_o,
    output logic [5:0]   req_warp_o,
    output logic [27:0]  req_pc_o,
    output logic [7:0]   req_atom_o,
    output logic [255:0] req_cmp_o,
    input  logic [1:0]   req_credit_i,
    input  logic         rsp0_valid_i,
    input  logic [7:0]   rsp0_id_i,
    input  logic [1:0]   rsp0_sector_i,
    input  logic [3:0]   rsp0_status_i,
    input  logic [255:0] rsp0_data_i,
    input  logic         rsp1_valid_i,
    input  logic [7:0]   rsp1_id_i,
    input  logic [1:0]   rsp1_sector_i,
    input  logic [3:0]   rsp1_status_i,
    input  logic [255:0] rsp1_data_i,

    // events
    // events for the schedulers, one cycle after the tag stage
    output logic        sev_miss_o,
    output logic        sev_fill_o,
    output logic        sev_evict_o,
    output logic [5:0]  sev_warp_o,
    output logic [40:0] sev_line_o,
    output logic [40:0] sev_victim_o,
    output logic [12:0] sev_row_o,
    output logic        sev_full_o,
    output logic        ev_lsu_o,      // accepted: tag
    output logic [6:0]  ev_lsu_tag_o,
    output logic [1:0]  ev_lsu_sub_o,
    output logic        ev_shm_o,
    output logic [6:0]  ev_tag_o,      // of shm and l1
    output logic [31:0] ev_lanes_o,
    output logic        ev_l1_o,
    output logic        ev_l1_store_o,
    output logic [47:0] ev_line_o,
    output logic [3:0]  ev_secs_o,
    output logic [3:0]  ev_hit_o,
    output logic [7:0]  ev_id_o,
    output logic        ev_fill_o,
    output logic [5:0]  ev_fill_id_o,
    output logic [3:0]  ev_fill_secs_o,
    output logic [3:0]  ev_fill_inst_o,
    output logic [3:0]  ev_done_o,
    output logic [27:0] ev_done_tag_o
);
  sm_pkg::cfg_t   cfg;
  sm_pkg::init_t  init;
  sm_pkg::fault_t fault;
  always_comb begin
    cfg = '0;
    cfg.line_interval = line_interval_i;
    cfg.wf_interval = wf_interval_i;
    cfg.shared_pad = 5'd7;
    cfg.global_pad = 5'd16;
    cfg.shared_bytes = shared_bytes_i;
    cfg.shared_unit = shared_unit_i;
    cfg.l1_sets = l1_sets_i;
    cfg.l1_ways = l1_ways_i;
    cfg.mshrs = mshrs_i;
    init = '0;
    init.sub = init_sub_i;
    init.slot = init_slot_i;
    init.block = init_block_i;
    init.shared_base = init_base_i;
    init.shared_size = init_size_i;
    init.cta.inval_l1 = init_inval_i;
    {init.cta.const_base3, init.cta.const_base2, init.cta.const_base0} = init_const_base_i;
    {init.cta.const_size3, init.cta.const_size2, init.cta.const_size0} = init_const_size_i;
    init.cta.local_arena = init_arena_i;
    init.cta.local_bytes = init_local_i;
  end
  assign fault_code_o = fault.code;
  assign fault_sub_o = fault.sub;
  assign fault_slot_o = fault.slot;
  assign fault_lanes_o = fault.lanes;
  assign fault_pc_o = fault.pc;
  assign fault_addr_o = fault.addr;

  logic         m_valid, m_ready;
  logic [7:0]   m_id;
  logic [2:0]   m_op;
  logic [47:0]  m_line;
  logic [3:0]   m_secs;
  logic [31:0]  m_bytes;
  logic [255:0] m_data;
  logic [5:0]   m_warp;
  logic [27:0]  m_pc;
  logic [7:0]   m_atom;
  logic [255:0] m_cmp;
  logic [1:0]   r_valid;
  logic [7:0]   r_status;
  logic [511:0] r_data;

  sm_mem #(.SubCores(SubCores), .WarpSlots(16), .SmemBytes(SmemBytes), .BlockSlots(32)) u_mem (
      .clk_i, .rst_ni, .cfg_i(cfg), .kill_i, .init_valid_i, .init_i(init),
      .mem_valid_i, .mem_ready_o, .mem_slot_i, .mem_uop_i, .mem_mask_i, .mem_a_i, .mem_data_i,
      .wb_valid_o, .wb_ready_i, .wb_slot_o, .wb_rd_o, .wb_wide_o, .wb_mask_o, .wb_data_o, .wb_last_o, .wb_pvalid_o,
      .wb_pd_o, .wb_pbits_o, .fence_release_o, .mem_busy_o, .idle_o, .fault_valid_o, .fault_o(fault),
      .ev_miss_o(sev_miss_o), .ev_fill_o(sev_fill_o), .ev_evict_o(sev_evict_o), .ev_warp_o(sev_warp_o),
      .ev_line_o(sev_line_o), .ev_victim_o(sev_victim_o), .ev_row_o(sev_row_o), .ev_full_o(sev_full_o),
      .req_valid_o(m_valid), .req_ready_i(m_ready), .req_id_o(m_id), .req_op_o(m_op), .req_line_o(m_line),
      .req_sector_mask_o(m_secs), .req_byte_mask_o(m_bytes), .req_data_o(m_data), .req_warp_o(m_warp), .req_pc_o(m_pc),
      .req_atom_o(m_atom), .req_cmp_o(m_cmp),
      .rsp_valid_i(r_valid), .rsp_id_i(rsp_id_o), .rsp_sector_i(rsp_sector_o), .rsp_status_i(r_status),
      .rsp_data_i(r_data)
  );
  sm_memport u_port (
      .clk_i, .rst_ni,
      .mem_valid_i(m_valid), .mem_ready_o(m_ready), .mem_id_i(m_id), .mem_op_i(m_op), .mem_line_i(m_line),
      .mem_sector_mask_i(m_secs), .mem_byte_mask_i(m_bytes), .mem_data_i(m_data), .mem_warp_i(m_warp), .mem_pc_i(m_pc),
      .mem_atom_i(m_atom), .mem_cmp_i(m_cmp),
      .l1i_valid_i, .l1i_ready_o, .l1i_id_i, .l1i_line_i, .cc_valid_i, .cc_ready_o, .cc_id_i, .cc_line_i,
      .mem_rsp_valid_o(r_valid), .l1i_rsp_valid_o, .cc_rsp_valid_o, .rsp_id_o, .rsp_sector_o, .rsp_status_o(r_status),
      .rsp_data_o(r_data), .req_valid_o, .req_id_o, .req_op_o, .req_line_o, .req_sector_mask_o, .req_byte_mask_o,
      .req_data_o, .req_warp_o, .req_pc_o, .req_atom_o, .req_cmp_o, .req_credit_i, .rsp0_valid_i, .rsp0_id_i, .rsp0_sector_i, .rsp0_status_i,
      .rsp0_data_i, .rsp1_valid_i, .rsp1_id_i, .rsp1_sector_i, .rsp1_status_i, .rsp1_data_i, .idle_o(port_idle_o)
  );

  assign inval_o = u_mem.fence_inval;
  assign ev_lsu_o = u_mem.acc_valid;
  assign ev_lsu_tag_o = u_mem.acc_tag;
  assign ev_lsu_sub_o = u_mem.acc_sub;
  assign ev_shm_o = u_mem.p1_shm_q || u_mem.p1_shfl_q;
  assign ev_tag_o = u_mem.p1_tag_q;
  assign ev_lanes_o = u_mem.p1_lanes_q;
  assign ev_l1_o = u_mem.p1_glob_q;
  assign ev_l1_store_o = u_mem.p1_store_q;
  assign ev_line_o = {u_mem.p1_line_q, 7'd0};
  assign ev_secs_o = u_mem.p1_secs;
  assign ev_hit_o = u_mem.p1_hit;
  assign ev_id_o = u_mem.p1_store_q ? {2'b01, u_mem.st_id} : {2'b00, u_mem.ld_id};
  assign ev_fill_o = u_mem.p1_fill;
  assign ev_fill_id_o = u_mem.p1_id_q;
  assign ev_fill_secs_o = u_mem.sv_secs;
  assign ev_fill_inst_o = u_mem.p1_install;
  assign ev_done_o = u_mem.u_track.end_valid_i;
  assign ev_done_tag_o = u_mem.u_track.end_tag_i;
endmodule
