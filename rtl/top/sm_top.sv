// SPDX-License-Identifier: Apache-2.0
//
// sm_top: one streaming multiprocessor. Flat scalar ports, so that C sees plain integers; every output is a function of
// flops only. Elaboration parameters are a shape of isa/cfg.def; everything else is launch-time configuration.
// Reset: synchronous, active low, four cycles. See rtl/README.md and cosim/sm_dut.h.
module sm_top #(
    parameter int unsigned SubCores = 1,
    parameter int unsigned WarpSlots = 8,       // per sub-core, power of two, <= 16
    parameter int unsigned LanesInt = 8,
    parameter int unsigned LanesFp32 = 8,
    parameter int unsigned LanesFp64 = 2,
    parameter int unsigned LanesSfu = 2,
    parameter int unsigned RegsPerSubcore = 32768,
    parameter int unsigned SmemBytes = 32768,   // L1 data and shared memory
    parameter int unsigned BlockSlots = 8,
    parameter int unsigned L1iBytes = 8192,
    parameter int unsigned L0iBytes = 2048,     // of a sub-core
    parameter int unsigned MmaRows = 1          // rows of D a step of a matrix unit
) (
    input  logic clk_i,
    input  logic rst_ni,
    input  logic kill_i,
    input  logic [63:0] time_ns_i,

    // configuration
    input  logic [4:0]  cfg_warp_slots_i,
    input  logic [5:0]  cfg_block_slots_i,
    input  logic [10:0] cfg_reg_rows_i,
    input  logic [18:0] cfg_shared_bytes_i,
    input  logic [11:0] cfg_shared_unit_i,
    input  logic [11:0] cfg_shared_reserve_i,
    input  logic        cfg_first_rotate_i,
    input  logic [3:0]  cfg_policy_i,
    input  logic [31:0] cfg_knob0_i,
    input  logic [31:0] cfg_knob1_i,
    input  logic [31:0] cfg_knob2_i,
    input  logic [31:0] cfg_knob3_i,
    input  logic [6:0]  cfg_progress_i,
    input  logic        cfg_diverge_its_i,
    input  logic [1:0]  cfg_split_order_i,
    input  logic        cfg_dep_control_bits_i,
    input  logic        cfg_operand_in_order_i,
    input  logic [15:0] cfg_issue_interval_i,
    input  logic [15:0] cfg_extra_latency_i,
    input  logic [3:0]  cfg_half_extra_i,
    input  logic [3:0]  cfg_mem_interval_i,
    input  logic [3:0]  cfg_mem_switch_i,
    input  logic [3:0]  cfg_cas_extra_i,
    input  logic [3:0]  cfg_wf_interval_i,
    input  logic [3:0]  cfg_line_interval_i,
    input  logic [4:0]  cfg_shared_pad_i,
    input  logic [4:0]  cfg_global_pad_i,
    input  logic [3:0]  cfg_bar_interval_i,
    input  logic [4:0]  cfg_bar_extra_i,
    input  logic [4:0]  cfg_bar_count_extra_i,
    input  logic [4:0]  cfg_bar_red_extra_i,
    input  logic [1:0]  cfg_bar_red_interval_i,
    input  logic [3:0]  cfg_mma_extra_i,
    input  logic [3:0]  cfg_mma_deep_extra_i,
    input  logic [3:0]  cfg_fence_extra_i,
    input  logic [3:0]  cfg_fence_interval_i,
    input  logic [11:0] cfg_l1_sets_i,
    input  logic [3:0]  cfg_l1_ways_i,
    input  logic [6:0]  cfg_mshrs_i,
    input  logic [15:0] cfg_smid_i,
    input  logic [15:0] cfg_nsmid_i,

    // launch
    input  logic        launch_valid_i,
    output logic        launch_ready_o,
    input  logic [31:0] launch_grid_id_i,
    input  logic [31:0] launch_ctaid_x_i,
    input  logic [31:0] launch_ctaid_y_i,
    input  logic [31:0] launch_ctaid_z_i,
    input  logic [10:0] launch_ntid_x_i,
    input  logic [10:0] launch_ntid_y_i,
    input  logic [6:0]  launch_ntid_z_i,
    input  logic [31:0] launch_entry_pc_i,
    input  logic [8:0]  launch_regs_i,
    input  logic [18:0] launch_shared_bytes_i,
    input  logic [4:0]  launch_barriers_i,
    input  logic [47:0] launch_code_base_i,
    input  logic [47:0] launch_const_base0_i,
    input  logic [47:0] launch_const_base2_i,
    input  logic [47:0] launch_const_base3_i,
    input  logic [16:0] launch_const_size0_i,
    input  logic [16:0] launch_const_size2_i,
    input  logic [16:0] launch_const_size3_i,
    input  logic [47:0] launch_local_arena_i,
    input  logic [17:0] launch_local_bytes_i,
    input  logic        launch_inval_l1_i,
    input  logic        launch_inval_const_i,
    input  logic        launch_inval_insn_i,

    // block ended
    output logic        done_valid_o,
    output logic [4:0]  done_block_o,
    output logic [31:0] done_grid_id_o,
    output logic [31:0] done_ctaid_x_o,
    output logic [31:0] done_ctaid_y_o,
    output logic [31:0] done_ctaid_z_o,

    // memory port: one request flit a cycle against credits, up to two response flits a cycle
    output logic         req_valid_o,
    output logic [7:0]   req_id_o,
    output logic [2:0]   req_op_o,
    output logic [47:0]  req_line_o,
    output logic [3:0]   req_sector_mask_o,
    output logic [31:0]  req_byte_mask_o,
    output logic [255:0] req_data_o,
    output logic [5:0]   req_warp_o,       // sub-core + SubCores * slot
    output logic [27:0]  req_pc_o,
    output logic [7:0]   req_atom_o,       // atomics: {AOP, ATYPE}
    output logic [255:0] req_cmp_o,        // CAS: expected values
    input  logic [1:0]   req_credit_i,     // flits taken since the last cycle
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

    // first fault, level until reset
    output logic        fault_valid_o,
    output logic [3:0]  fault_code_o,
    output logic [5:0]  fault_warp_o,      // sub-core + SubCores * slot
    output logic [4:0]  fault_block_o,
    output logic [4:0]  fault_warp_in_block_o,
    output logic [31:0] fault_lanes_o,
    output logic [27:0] fault_pc_o,
    output logic [47:0] fault_addr_o,

    // scheduler door, packed by sub-core; view outputs are zero unless cfg_policy_i is the external policy
    input  logic [SubCores-1:0]    pick_valid_i,
    input  logic [SubCores*4-1:0]  pick_warp_i,
    input  logic [SubCores*16-1:0] pick_withheld_i,
    output logic [SubCores*16-1:0] sched_valid_o,
    output logic [SubCores*16-1:0] sched_eligible_o,
    output logic [SubCores*16-1:0] sched_at_barrier_o,
    output logic [SubCores*64-1:0] sched_reason_o,        // 4 bits a slot
    output logic [SubCores*64-1:0] sched_age_rank_o,      // 4 bits a slot
    output logic [SubCores*80-1:0] sched_block_o,         // 5 bits a slot
    output logic [SubCores*64-1:0] sched_pending_loads_o, // 4 bits a slot
    output logic [SubCores*80-1:0] sched_depth_o,         // 5 bits a slot
    output logic [SubCores*128-1:0] sched_since_issue_o,  // 8 bits a slot
    output logic [SubCores*128-1:0] sched_event_o,        // sm_sub_pkg::sched_ev_t
    output logic [SubCores*4-1:0]  slot_reason_o,
    output logic [SubCores*4-1:0]  slot_warp_o,
    output logic                   idle_o
);

  // ---- configuration and launch as structures ----
  // The configuration is taken in reset and held: behind the door it is flops, so nothing that it steers is an
  // input path (a simulator evaluates those twice a cycle).
  sm_pkg::cfg_t cfg, cfg_d;
  always_ff @(posedge clk_i) if (!rst_ni) cfg <= cfg_d;
  assign cfg_d.warp_slots = cfg_warp_slots_i;
  assign cfg_d.block_slots = cfg_block_slots_i;
  assign cfg_d.reg_rows = cfg_reg_rows_i;
  assign cfg_d.shared_bytes = cfg_shared_bytes_i;
  assign cfg_d.shared_unit = cfg_shared_unit_i;
  assign cfg_d.shared_reserve = cfg_shared_reserve_i;
  assign cfg_d.first_rotate = cfg_first_rotate_i;
  assign cfg_d.policy = cfg_policy_i;
  assign cfg_d.knob = {cfg_knob3_i, cfg_knob2_i, cfg_knob1_i, cfg_knob0_i};
  assign cfg_d.progress = cfg_progress_i;
  assign cfg_d.diverge_its = cfg_diverge_its_i;
  assign cfg_d.split_order = cfg_split_order_i;
  assign cfg_d.dep_control_bits = cfg_dep_control_bits_i;
  assign cfg_d.operand_in_order = cfg_operand_in_order_i;
  assign cfg_d.issue_interval = cfg_issue_interval_i;
  assign cfg_d.extra_latency = cfg_extra_latency_i;
  assign cfg_d.half_extra = cfg_half_extra_i;
  assign cfg_d.mem_interval = cfg_mem_interval_i;
  assign cfg_d.mem_switch = cfg_mem_switch_i;
  assign cfg_d.cas_extra = cfg_cas_extra_i;
  assign cfg_d.wf_interval = cfg_wf_interval_i;
  assign cfg_d.line_interval = cfg_line_interval_i;
  assign cfg_d.shared_pad = cfg_shared_pad_i;
  assign cfg_d.global_pad = cfg_global_pad_i;
  assign cfg_d.bar_interval = cfg_bar_interval_i;
  assign cfg_d.bar_extra = cfg_bar_extra_i;
  assign cfg_d.bar_count_extra = cfg_bar_count_extra_i;
  assign cfg_d.bar_red_extra = cfg_bar_red_extra_i;
  assign cfg_d.bar_red_interval = cfg_bar_red_interval_i;
  assign cfg_d.mma_extra = cfg_mma_extra_i;
  assign cfg_d.mma_deep_extra = cfg_mma_deep_extra_i;
  assign cfg_d.fence_extra = cfg_fence_extra_i;
  assign cfg_d.fence_interval = cfg_fence_interval_i;
  assign cfg_d.l1_sets = cfg_l1_sets_i;
  assign cfg_d.l1_ways = cfg_l1_ways_i;
  assign cfg_d.mshrs = cfg_mshrs_i;
  assign cfg_d.smid = cfg_smid_i;
  assign cfg_d.nsmid = cfg_nsmid_i;

  // The time changes in every cycle: a flop keeps it from being an input path.
  logic [63:0] time_q;
  always_ff @(posedge clk_i) time_q <= time_ns_i;

  sm_pkg::launch_t launch;
  assign launch.grid_id = launch_grid_id_i;
  assign launch.ctaid_x = launch_ctaid_x_i;
  assign launch.ctaid_y = launch_ctaid_y_i;
  assign launch.ctaid_z = launch_ctaid_z_i;
  assign launch.ntid_x = launch_ntid_x_i;
  assign launch.ntid_y = launch_ntid_y_i;
  assign launch.ntid_z = launch_ntid_z_i;
  assign launch.entry_pc = launch_entry_pc_i;
  assign launch.regs = launch_regs_i;
  assign launch.shared_bytes = launch_shared_bytes_i;
  assign launch.barriers = launch_barriers_i;
  assign launch.code_base = launch_code_base_i;
  assign launch.const_base0 = launch_const_base0_i;
  assign launch.const_base2 = launch_const_base2_i;
  assign launch.const_base3 = launch_const_base3_i;
  assign launch.const_size0 = launch_const_size0_i;
  assign launch.const_size2 = launch_const_size2_i;
  assign launch.const_size3 = launch_const_size3_i;
  assign launch.local_arena = launch_local_arena_i;
  assign launch.local_bytes = launch_local_bytes_i;
  assign launch.inval_l1 = launch_inval_l1_i;
  assign launch.inval_const = launch_inval_const_i;
  assign launch.inval_insn = launch_inval_insn_i;

  // ---- blocks ----
  logic                  init_valid, free_valid;
  sm_pkg::init_t         init;
  logic [4:0]            free_block;
  logic [SubCores-1:0]   exit_valid;
  logic [SubCores*5-1:0] exit_block, exit_warp;
  logic [BlockSlots-1:0] mem_busy, block_valid;
  sm_cta #(.SubCores(SubCores), .BlockSlots(BlockSlots)) u_cta (
      .clk_i, .rst_ni, .cfg_i(cfg), .launch_valid_i, .launch_ready_o, .launch_i(launch),
      .done_valid_o, .done_block_o, .done_grid_id_o, .done_ctaid_x_o, .done_ctaid_y_o, .done_ctaid_z_o,
      .init_valid_o(init_valid), .init_o(init), .free_valid_o(free_valid), .free_block_o(free_block),
      .exit_valid_i(exit_valid), .exit_block_i(exit_block), .exit_warp_i(exit_warp),
      .mem_busy_i(mem_busy), .block_valid_o(block_valid));

  logic                               bar_fault_valid;
  sm_pkg::fault_t                     bar_fault;
  logic [SubCores-1:0]                bar_valid, bar_ready;
  logic [SubCores*sm_pkg::BarReqW-1:0] bar;
  logic [SubCores*WarpSlots-1:0]      bar_release;
  logic                               red_valid;
  logic [10:0]                        red;
  sm_barrier #(.SubCores(SubCores), .WarpSlots(WarpSlots), .BlockSlots(BlockSlots)) u_barrier (
      .clk_i, .rst_ni, .interval_i(cfg.bar_interval), .extra_i(cfg.bar_extra), .count_extra_i(cfg.bar_count_extra),
      .red_extra_i(cfg.bar_red_extra), .red_interval_i(cfg.bar_red_interval), .init_valid_i(init_valid), .init_i(init),
      .bar_valid_i(bar_valid), .bar_ready_o(bar_ready), .bar_i(bar),
      .exit_valid_i(exit_valid), .exit_block_i(exit_block), .exit_warp_i(exit_warp),
      .bar_release_o(bar_release), .red_valid_o(red_valid), .red_o(red), .fault_valid_o(bar_fault_valid), .fault_o(bar_fault));

  // ---- SM-level instruction and constant caches ----
  logic [1:0]   mem_rsp_valid, l1i_rsp_valid, cc_rsp_valid;
  logic [15:0]  rsp_id;
  logic [3:0]   rsp_sector;
  logic [7:0]   rsp_status;
  logic [511:0] rsp_data;

  logic [SubCores-1:0]    ifreq_valid, ifreq_ready, cfreq_valid, cfreq_ready;
  logic [SubCores*41-1:0] ifreq_line, cfreq_line;
  logic                   iffill_valid, iffill_error, cffill_valid, cffill_error;
  logic [40:0]            iffill_line, cffill_line;
  logic [1023:0]          iffill_data, cffill_data;
  logic                   l1i_valid, l1i_ready, l1i_idle, cc_valid, cc_ready, cc_idle;
  logic [3:0]             l1i_id, cc_id;
  logic [40:0]            l1i_line, cc_line;
  sm_ro_cache #(.SubCores(SubCores), .Bytes(L1iBytes)) u_l1i (
      .clk_i, .rst_ni, .inval_i(init_valid && init.warp == 0 && init.cta.inval_insn),
      .req_valid_i(ifreq_valid), .req_ready_o(ifreq_ready), .req_line_i(ifreq_line),
      .fill_valid_o(iffill_valid), .fill_error_o(iffill_error), .fill_line_o(iffill_line), .fill_data_o(iffill_data),
      .mem_valid_o(l1i_valid), .mem_ready_i(l1i_ready), .mem_id_o(l1i_id), .mem_line_o(l1i_line),
      .rsp_valid_i(l1i_rsp_valid), .rsp_id_i(rsp_id), .rsp_sector_i(rsp_sector), .rsp_status_i(rsp_status),
      .rsp_data_i(rsp_data), .idle_o(l1i_idle));
  sm_ro_cache #(.SubCores(SubCores), .Bytes(2048)) u_cc (
      .clk_i, .rst_ni, .inval_i(init_valid && init.warp == 0 && init.cta.inval_const),
      .req_valid_i(cfreq_valid), .req_ready_o(cfreq_ready), .req_line_i(cfreq_line),
      .fill_valid_o(cffill_valid), .fill_error_o(cffill_error), .fill_line_o(cffill_line), .fill_data_o(cffill_data),
      .mem_valid_o(cc_valid), .mem_ready_i(cc_ready), .mem_id_o(cc_id), .mem_line_o(cc_line),
      .rsp_valid_i(cc_rsp_valid), .rsp_id_i(rsp_id), .rsp_sector_i(rsp_sector), .rsp_status_i(rsp_status),
      .rsp_data_i(rsp_data), .idle_o(cc_idle));

  // ---- from the memory pipe to the warp schedulers ----
  logic        ev_miss, ev_fill, ev_evict, ev_full, vta_hit;
  logic [5:0]  ev_warp, vta_warp;
  logic [40:0] ev_line, ev_victim;
  logic [12:0] ev_row;
  logic [1:0]  miss_sub, vta_sub;
  logic [3:0]  miss_slot, vta_slot;
  assign miss_sub = 2'(ev_warp % 6'(SubCores));
  assign miss_slot = 4'(ev_warp / 6'(SubCores));
  assign vta_sub = 2'(vta_warp % 6'(SubCores));
  assign vta_slot = 4'(vta_warp / 6'(SubCores));
  sm_ccws_vta #(.Rows(SmemBytes / 128)) u_vta (
      .clk_i, .rst_ni, .en_i(cfg.policy == sm_cfg_pkg::PolicyCcws || cfg.policy == sm_cfg_pkg::PolicyExt),
      .init_valid_i(init_valid), .init_warp_i(6'(6'(init.slot) * 6'(SubCores) + 6'(init.sub))),
      .miss_i(ev_miss), .fill_i(ev_fill), .evict_i(ev_evict), .warp_i(ev_warp), .line_i(ev_line), .victim_i(ev_victim),
      .row_i(ev_row), .hit_valid_o(vta_hit), .hit_warp_o(vta_warp));

  // ---- sub-cores ----
  logic [SubCores-1:0]      mem_valid, mem_ready, wb_valid, wb_ready, wb_wide, wb_last, wb_pvalid;
  logic [SubCores*4-1:0]    mem_slot, wb_slot;
  logic [SubCores*sm_pkg::UopW-1:0] mem_uop;
  logic [SubCores*32-1:0]   mem_mask, wb_mask, wb_pbits;
  logic [SubCores*2048-1:0] mem_a, wb_data;
  logic [SubCores*4096-1:0] mem_data;
  logic [SubCores*8-1:0]    wb_rd;
  logic [SubCores*3-1:0]    wb_pd;
  logic [SubCores-1:0]      sub_fault_valid, sub_busy;
  logic [SubCores*16-1:0]   fence_release;
  logic [SubCores*sm_pkg::FaultW-1:0] sub_fault;
  logic                     kill_q;
  for (genvar s = 0; s < SubCores; s++) begin : gen_sub
    logic [27:0]      ifreq_pc;
    logic [47:0]      ifreq_base, ifreq_addr, cfreq_addr;
    sm_pkg::uop_t     uop;
    sm_pkg::bar_req_t bar_req;
    sm_pkg::fault_t   fault;
    assign ifreq_addr = ifreq_base + 48'(ifreq_pc);
    assign ifreq_line[s*41 +: 41] = ifreq_addr[47:7];
    assign cfreq_line[s*41 +: 41] = cfreq_addr[47:7];
    logic unused_offset;
    assign unused_offset = ^{ifreq_addr[6:0], cfreq_addr[6:0]};
    assign mem_uop[s*sm_pkg::UopW +: sm_pkg::UopW] = uop;
    assign bar[s*sm_pkg::BarReqW +: sm_pkg::BarReqW] = bar_req;
    assign sub_fault[s*sm_pkg::FaultW +: sm_pkg::FaultW] = fault;
    sm_subcore #(
        .SubCores(SubCores), .WarpSlots(WarpSlots), .LanesInt(LanesInt), .LanesFp32(LanesFp32),
        .LanesFp64(LanesFp64), .LanesSfu(LanesSfu),
        .RegsPerSubcore(RegsPerSubcore), .L0iBytes(L0iBytes), .MmaRows(MmaRows)
    ) u_sub (
        .clk_i, .rst_ni, .sub_i(2'(s)), .kill_i(kill_q), .cfg_i(cfg), .time_i(time_q),
        .init_valid_i(init_valid), .init_i(init), .free_valid_i(free_valid), .free_block_i(free_block),
        .ifreq_valid_o(ifreq_valid[s]), .ifreq_ready_i(ifreq_ready[s]), .ifreq_pc_o(ifreq_pc), .ifreq_base_o(ifreq_base),
        .iffill_valid_i(iffill_valid), .iffill_error_i(iffill_error), .iffill_addr_i({iffill_line, 7'b0}),
        .iffill_data_i(iffill_data),
        .cfreq_valid_o(cfreq_valid[s]), .cfreq_ready_i(cfreq_ready[s]), .cfreq_addr_o(cfreq_addr),
        .cffill_valid_i(cffill_valid), .cffill_addr_i({cffill_line, 7'b0}), .cffill_data_i(cffill_data),
        .bar_valid_o(bar_valid[s]), .bar_ready_i(bar_ready[s]), .bar_o(bar_req),
        .bar_release_i(bar_release[s*WarpSlots +: WarpSlots]), .red_valid_i(red_valid), .red_i(red),
        .exit_valid_o(exit_valid[s]), .exit_block_o(exit_block[s*5 +: 5]), .exit_warp_o(exit_warp[s*5 +: 5]),
        .mem_valid_o(mem_valid[s]), .mem_ready_i(mem_ready[s]), .mem_slot_o(mem_slot[s*4 +: 4]), .mem_uop_o(uop),
        .mem_mask_o(mem_mask[s*32 +: 32]), .mem_a_o(mem_a[s*2048 +: 2048]), .mem_data_o(mem_data[s*4096 +: 4096]),
        .wb_valid_i(wb_valid[s]), .wb_ready_o(wb_ready[s]), .wb_slot_i(wb_slot[s*4 +: 4]), .wb_rd_i(wb_rd[s*8 +: 8]),
        .wb_wide_i(wb_wide[s]), .wb_mask_i(wb_mask[s*32 +: 32]), .wb_data_i(wb_data[s*2048 +: 2048]),
        .wb_last_i(wb_last[s]), .wb_pvalid_i(wb_pvalid[s]), .wb_pd_i(wb_pd[s*3 +: 3]), .wb_pbits_i(wb_pbits[s*32 +: 32]),
        .fence_release_i(fence_release[s*16 +: WarpSlots]),
        .fault_valid_o(sub_fault_valid[s]), .fault_o(fault),
        .pick_valid_i(pick_valid_i[s]), .pick_warp_i(pick_warp_i[s*4 +: 4]), .pick_withheld_i(pick_withheld_i[s*16 +: 16]),
        .ev_full_i(ev_full), .ev_miss_i(ev_miss && miss_sub == 2'(s)), .ev_miss_slot_i(miss_slot),
        .ev_vta_i(vta_hit && vta_sub == 2'(s)), .ev_vta_slot_i(vta_slot),
        .view_valid_o(sched_valid_o[s*16 +: 16]), .view_eligible_o(sched_eligible_o[s*16 +: 16]),
        .view_at_barrier_o(sched_at_barrier_o[s*16 +: 16]), .view_reason_o(sched_reason_o[s*64 +: 64]),
        .view_age_rank_o(sched_age_rank_o[s*64 +: 64]), .view_block_o(sched_block_o[s*80 +: 80]),
        .view_pending_loads_o(sched_pending_loads_o[s*64 +: 64]), .view_depth_o(sched_depth_o[s*80 +: 80]),
        .view_since_issue_o(sched_since_issue_o[s*128 +: 128]),
        .view_event_o(sched_event_o[s*128 +: 128]), .slot_reason_o(slot_reason_o[s*4 +: 4]),
        .slot_warp_o(slot_warp_o[s*4 +: 4]), .busy_o(sub_busy[s]));
  end

  // ---- memory ----
  logic           mem_idle, port_idle, mem_fault_valid;
  sm_pkg::fault_t mem_fault;
  logic           mreq_valid, mreq_ready;
  logic [7:0]     mreq_id;
  logic [2:0]     mreq_op;
  logic [47:0]    mreq_line;
  logic [3:0]     mreq_sector_mask;
  logic [31:0]    mreq_byte_mask;
  logic [255:0]   mreq_data;
  logic [5:0]     mreq_warp;
  logic [27:0]    mreq_pc;
  logic [7:0]     mreq_atom;
  logic [255:0]   mreq_cmp;
  sm_mem #(.SubCores(SubCores), .WarpSlots(WarpSlots), .SmemBytes(SmemBytes), .BlockSlots(BlockSlots)) u_mem (
      .clk_i, .rst_ni, .cfg_i(cfg), .kill_i(kill_q), .init_valid_i(init_valid), .init_i(init),
      .mem_valid_i(mem_valid), .mem_ready_o(mem_ready), .mem_slot_i(mem_slot), .mem_uop_i(mem_uop),
      .mem_mask_i(mem_mask), .mem_a_i(mem_a), .mem_data_i(mem_data),
      .wb_valid_o(wb_valid), .wb_ready_i(wb_ready), .wb_slot_o(wb_slot), .wb_rd_o(wb_rd), .wb_wide_o(wb_wide),
      .wb_mask_o(wb_mask), .wb_data_o(wb_data), .wb_last_o(wb_last), .wb_pvalid_o(wb_pvalid), .wb_pd_o(wb_pd),
      .wb_pbits_o(wb_pbits), .fence_release_o(fence_release), .mem_busy_o(mem_busy), .idle_o(mem_idle), .fault_valid_o(mem_fault_valid),
      .fault_o(mem_fault),
      .ev_miss_o(ev_miss), .ev_fill_o(ev_fill), .ev_evict_o(ev_evict), .ev_warp_o(ev_warp), .ev_line_o(ev_line),
      .ev_victim_o(ev_victim), .ev_row_o(ev_row), .ev_full_o(ev_full),
      .req_valid_o(mreq_valid), .req_ready_i(mreq_ready), .req_id_o(mreq_id), .req_op_o(mreq_op), .req_line_o(mreq_line),
      .req_sector_mask_o(mreq_sector_mask), .req_byte_mask_o(mreq_byte_mask), .req_data_o(mreq_data),
      .req_warp_o(mreq_warp), .req_pc_o(mreq_pc), .req_atom_o(mreq_atom), .req_cmp_o(mreq_cmp),
      .rsp_valid_i(mem_rsp_valid), .rsp_id_i(rsp_id), .rsp_sector_i(rsp_sector), .rsp_status_i(rsp_status),
      .rsp_data_i(rsp_data));
  sm_memport u_memport (
      .clk_i, .rst_ni,
      .mem_valid_i(mreq_valid), .mem_ready_o(mreq_ready), .mem_id_i(mreq_id), .mem_op_i(mreq_op), .mem_line_i(mreq_line),
      .mem_sector_mask_i(mreq_sector_mask), .mem_byte_mask_i(mreq_byte_mask), .mem_data_i(mreq_data),
      .mem_warp_i(mreq_warp), .mem_pc_i(mreq_pc), .mem_atom_i(mreq_atom), .mem_cmp_i(mreq_cmp),
      .l1i_valid_i(l1i_valid), .l1i_ready_o(l1i_ready), .l1i_id_i(l1i_id), .l1i_line_i({l1i_line, 7'b0}),
      .cc_valid_i(cc_valid), .cc_ready_o(cc_ready), .cc_id_i(cc_id), .cc_line_i({cc_line, 7'b0}),
      .mem_rsp_valid_o(mem_rsp_valid), .l1i_rsp_valid_o(l1i_rsp_valid), .cc_rsp_valid_o(cc_rsp_valid),
      .rsp_id_o(rsp_id), .rsp_sector_o(rsp_sector), .rsp_status_o(rsp_status), .rsp_data_o(rsp_data),
      .req_valid_o, .req_id_o, .req_op_o, .req_line_o, .req_sector_mask_o, .req_byte_mask_o, .req_data_o, .req_warp_o,
      .req_pc_o, .req_atom_o, .req_cmp_o, .req_credit_i,
      .rsp0_valid_i, .rsp0_id_i, .rsp0_sector_i, .rsp0_status_i, .rsp0_data_i,
      .rsp1_valid_i, .rsp1_id_i, .rsp1_sector_i, .rsp1_status_i, .rsp1_data_i, .idle_o(port_idle));

  // ---- faults, state ----
  sm_fault #(.SubCores(SubCores)) u_fault (
      .clk_i, .rst_ni, .init_valid_i(init_valid), .init_i(init), .sub_valid_i(sub_fault_valid), .sub_i(sub_fault),
      .mem_valid_i(mem_fault_valid), .mem_i(mem_fault), .bar_valid_i(bar_fault_valid), .bar_i(bar_fault),
      .valid_o(fault_valid_o), .code_o(fault_code_o), .warp_o(fault_warp_o), .block_o(fault_block_o),
      .warp_in_block_o(fault_warp_in_block_o), .lanes_o(fault_lanes_o), .pc_o(fault_pc_o), .addr_o(fault_addr_o));

  always_ff @(posedge clk_i) begin
    kill_q <= kill_i;
    idle_o <= launch_ready_o && !launch_valid_i && block_valid == 0 && mem_idle && port_idle && l1i_idle && cc_idle &&
              sub_busy == 0;
    if (!rst_ni) begin
      kill_q <= 1'b0;
      idle_o <= 1'b0;
    end
  end

  logic unused_error;
  assign unused_error = ^{cffill_error, fence_release};  // constant banks are checked against their size
endmodule
