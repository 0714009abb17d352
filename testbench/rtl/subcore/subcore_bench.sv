// SPDX-License-Identifier: Apache-2.0
//
// Bench top around sm_subcore: the structures' fields that the bench drives as scalars, and what the sub-core did in the cycle
// (issue, register and predicate writes) as outputs.
module subcore_bench #(
    parameter int unsigned Lanes = 16
) (
    input  logic clk_i,
    input  logic rst_ni,
    input  logic kill_i,
    input  logic [3:0]  policy_i,
    input  logic [15:0] interval_i,
    input  logic [15:0] latency_i,
    input  logic [3:0]  mem_interval_i,
    input  logic [3:0]  mem_switch_i,
    input  logic [3:0]  cas_extra_i,
    input  logic        in_order_i,
    input  logic        init_valid_i,
    input  logic [3:0]  init_slot_i,
    input  logic [4:0]  init_block_i,
    input  logic [4:0]  init_warp_i,
    input  logic [31:0] init_mask_i,
    input  logic [10:0] init_base_i,
    input  logic [8:0]  init_regs_i,
    input  logic [31:0] init_pc_i,
    input  logic [47:0] init_code_i,
    input  logic [47:0] init_const_i,
    input  logic [16:0] init_size_i,
    input  logic        init_inval_i,
    input  logic        free_valid_i,
    input  logic [4:0]  free_block_i,
    output logic        ifreq_valid_o,
    input  logic        ifreq_ready_i,
    output logic [47:0] ifreq_addr_o,
    input  logic        iffill_valid_i,
    input  logic        iffill_error_i,
    input  logic [47:0] iffill_addr_i,
    input  logic [1023:0] iffill_data_i,
    output logic        cfreq_valid_o,
    input  logic        cfreq_ready_i,
    output logic [47:0] cfreq_addr_o,
    input  logic        cffill_valid_i,
    input  logic [47:0] cffill_addr_i,
    input  logic [1023:0] cffill_data_i,
    output logic        bar_valid_o,
    input  logic        bar_ready_i,
    output logic [3:0]  bar_id_o,
    output logic [4:0]  bar_warp_o,
    output logic        bar_arrive_only_o,
    output logic        bar_has_count_o,
    output logic [11:0] bar_count_o,
    input  logic [15:0] bar_release_i,
    input  logic [15:0] fence_release_i,
    output logic        exit_valid_o,
    output logic [4:0]  exit_block_o,
    output logic [4:0]  exit_warp_o,
    output logic        mem_valid_o,
    input  logic        mem_ready_i,
    output logic [3:0]  mem_slot_o,
    output logic [7:0]  mem_op_o,
    output logic [15:0] mem_mods_o,
    output logic [7:0]  mem_rd_o,
    output logic [2:0]  mem_pd_o,
    output logic [31:0] mem_imm_o,
    output logic [27:0] mem_pc_o,
    output logic [31:0] mem_mask_o,
    output logic [2047:0] mem_a_o,
    output logic [4095:0] mem_data_o,
    input  logic        wb_valid_i,
    output logic        wb_ready_o,
    input  logic [3:0]  wb_slot_i,
    input  logic [7:0]  wb_rd_i,
    input  logic        wb_wide_i,
    input  logic [31:0] wb_mask_i,
    input  logic [2047:0] wb_data_i,
    input  logic        wb_last_i,
    input  logic        wb_pvalid_i,
    input  logic [2:0]  wb_pd_i,
    input  logic [31:0] wb_pbits_i,
    output logic        fault_valid_o,
    output logic [3:0]  fault_code_o,
    output logic [3:0]  fault_slot_o,
    output logic [31:0] fault_lanes_o,
    output logic [27:0] fault_pc_o,
    input  logic        pick_valid_i,
    input  logic [3:0]  pick_warp_i,
    input  logic [15:0] pick_withheld_i,
    output logic [15:0] view_valid_o,
    output logic [15:0] view_eligible_o,
    output logic [63:0] view_reason_o,
    output logic [63:0] view_age_rank_o,
    output logic [63:0] view_pending_loads_o,
    output logic [79:0] view_depth_o,
    output logic [127:0] view_since_issue_o,
    input  logic        ev_full_i,
    input  logic        ev_miss_i,
    input  logic [3:0]  ev_miss_slot_i,
    input  logic        ev_vta_i,
    input  logic [3:0]  ev_vta_slot_i,
    output logic [127:0] view_event_o,
    output logic [3:0]  slot_reason_o,
    output logic [3:0]  slot_warp_o,
    output logic        busy_o,
    // events of this cycle
    output logic        ev_issue_o,
    output logic        ev_issue_fault_o,
    output logic [3:0]  ev_slot_o,
    output logic [27:0] ev_pc_o,
    output logic [31:0] ev_mask_o,
    output logic [31:0] ev_exec_o,
    output logic [15:0] ev_eligible_o,
    output logic [2:0]  ev_reads_o,         // rows that the register banks give
    output logic [4:0]  ev_takes_o,         // rows that collectors take from them
    output logic [3:0]  ev_writes_o,        // halves of the banks whose write enable is on, a row each
    output logic        ev_f_o,
    output logic        ev_f_wide_o,
    output logic [3:0]  ev_f_slot_o,
    output logic [7:0]  ev_f_rd_o,
    output logic [31:0] ev_f_mask_o,
    output logic [1023:0] ev_f_lo_o,
    output logic [1023:0] ev_f_hi_o,
    output logic        ev_v_o,
    output logic        ev_v_wide_o,
    output logic [3:0]  ev_v_slot_o,
    output logic [7:0]  ev_v_rd_o,
    output logic [31:0] ev_v_mask_o,
    output logic [1023:0] ev_v_lo_o,
    output logic [1023:0] ev_v_hi_o,
    output logic        ev_p_o,             // predicate write of the int pipe: up to two predicates
    output logic [3:0]  ev_p_slot_o,
    output logic [31:0] ev_p_mask_o,
    output logic        ev_p0_o,
    output logic [2:0]  ev_pd0_o,
    output logic [31:0] ev_bits0_o,
    output logic        ev_p1_o,
    output logic [2:0]  ev_pd1_o,
    output logic [31:0] ev_bits1_o
);
  sm_pkg::cfg_t cfg;
  sm_pkg::init_t init;
  sm_pkg::bar_req_t bar;
  sm_pkg::uop_t mem_uop;
  sm_pkg::fault_t fault;
  logic [27:0] ifreq_pc;
  logic [47:0] ifreq_base;
  always_comb begin
    cfg = '0;
    cfg.warp_slots = 5'd16;
    cfg.policy = policy_i;
    cfg.progress = 7'(sm_cfg_pkg::SchedWithhold / sm_cfg_pkg::SchedStep);
    cfg.issue_interval = interval_i;
    cfg.extra_latency = latency_i;
    cfg.mem_interval = mem_interval_i;
    cfg.mem_switch = mem_switch_i;
    cfg.cas_extra = cas_extra_i;
    cfg.operand_in_order = in_order_i;
    init = '0;
    init.sub = 2'd0;
    init.slot = init_slot_i;
    init.block = init_block_i;
    init.warp = init_warp_i;
    init.mask = init_mask_i;
    init.reg_base = init_base_i;
    init.regs = init_regs_i;
    init.cta.entry_pc = init_pc_i;
    init.cta.code_base = init_code_i;
    init.cta.const_base0 = init_const_i;
    init.cta.const_size0 = init_size_i;
    init.cta.const_base3 = init_const_i + 48'h10000;
    init.cta.const_size3 = init_size_i;
    init.cta.inval_insn = init_inval_i;
    init.cta.inval_const = init_inval_i;
    init.cta.ntid_x = 11'd32;
    init.cta.ntid_y = 11'd1;
    init.cta.ntid_z = 7'd1;
  end
  assign ifreq_addr_o = ifreq_base + 48'(ifreq_pc);
  assign {bar_id_o, bar_warp_o, bar_arrive_only_o, bar_has_count_o, bar_count_o} =
         {bar.id, bar.warp, bar.arrive_only, bar.has_count, bar.count};
  assign {mem_op_o, mem_mods_o, mem_rd_o, mem_pd_o, mem_imm_o, mem_pc_o} =
         {mem_uop.op, mem_uop.mods, mem_uop.rd, mem_uop.pd0, mem_uop.imm, mem_uop.pc};
  assign {fault_code_o, fault_slot_o, fault_lanes_o, fault_pc_o} = {fault.code, fault.slot, fault.lanes, fault.pc};

  sm_subcore #(
      .SubCores(1), .WarpSlots(16), .LanesInt(Lanes), .LanesFp32(Lanes), .LanesFp64(Lanes / 2), .LanesSfu(4), .RegsPerSubcore(16384)
  ) u_dut (
      .clk_i, .rst_ni, .sub_i(2'd0), .kill_i, .cfg_i(cfg), .time_i(64'd0), .init_valid_i, .init_i(init), .free_valid_i,
      .free_block_i, .ifreq_valid_o, .ifreq_ready_i, .ifreq_pc_o(ifreq_pc), .ifreq_base_o(ifreq_base), .iffill_valid_i,
      .iffill_error_i, .iffill_addr_i, .iffill_data_i, .cfreq_valid_o, .cfreq_ready_i, .cfreq_addr_o, .cffill_valid_i,
      .cffill_addr_i, .cffill_data_i, .bar_valid_o, .bar_ready_i, .bar_o(bar), .bar_release_i, .fence_release_i, .red_valid_i(1'b0), .red_i(11'd0), .exit_valid_o, .exit_block_o,
      .exit_warp_o, .mem_valid_o, .mem_ready_i, .mem_slot_o, .mem_uop_o(mem_uop), .mem_mask_o, .mem_a_o, .mem_data_o,
      .wb_valid_i, .wb_ready_o, .wb_slot_i, .wb_rd_i, .wb_wide_i, .wb_mask_i, .wb_data_i, .wb_last_i, .wb_pvalid_i, .wb_pd_i,
      .wb_pbits_i, .fault_valid_o, .fault_o(fault), .pick_valid_i, .pick_warp_i, .pick_withheld_i,
      .ev_full_i, .ev_miss_i, .ev_miss_slot_i, .ev_vta_i, .ev_vta_slot_i, .view_event_o,
      .view_valid_o, .view_eligible_o, .view_at_barrier_o(unused_bar), .view_reason_o, .view_age_rank_o, .view_block_o(unused_block),
      .view_pending_loads_o, .view_depth_o, .view_since_issue_o, .slot_reason_o, .slot_warp_o, .busy_o
  );

  logic [15:0] unused_bar;
  logic [79:0] unused_block;
  logic f_int;
  assign ev_issue_o = u_dut.iss;
  assign ev_issue_fault_o = u_dut.issue_fault;
  assign ev_slot_o = u_dut.iss_slot;
  assign ev_pc_o = u_dut.iss_pc;
  assign ev_mask_o = u_dut.iss_mask;
  assign ev_exec_o = u_dut.exec;
  assign ev_eligible_o = u_dut.eligible;
  assign ev_reads_o = 3'($countones(u_dut.u_operands.port_re));
  assign ev_takes_o = 5'($countones(u_dut.u_operands.take));
  for (genvar b = 0; b < 4; b++) begin : gen_writes
    assign ev_writes_o[b] = u_dut.u_operands.gen_bank[b].u_bank.f_we_i || u_dut.u_operands.gen_bank[b].u_bank.v_we_i;
  end
  assign f_int = u_dut.ires_valid && u_dut.itag.last;
  assign ev_f_o = f_int || (u_dut.fres_valid && u_dut.ftag.last);
  assign ev_f_wide_o = f_int && u_dut.itag.wide;
  assign ev_f_slot_o = f_int ? u_dut.itag.slot : u_dut.ftag.slot;
  assign ev_f_rd_o = f_int ? u_dut.itag.rd : u_dut.ftag.rd;
  assign ev_f_mask_o = f_int ? u_dut.ires_mask : u_dut.fres_mask;
  assign ev_f_lo_o = f_int ? u_dut.ires_lo : u_dut.fres_lo;
  assign ev_f_hi_o = u_dut.ires_hi;
  assign ev_v_o = u_dut.v_we;
  assign ev_v_wide_o = u_dut.v_wide;
  assign ev_v_slot_o = u_dut.v_slot;
  assign ev_v_rd_o = u_dut.v_rd;
  assign ev_v_mask_o = u_dut.v_mask;
  assign ev_v_lo_o = u_dut.v_lo;
  assign ev_v_hi_o = u_dut.v_hi;
  assign ev_p_o = u_dut.pred_we;
  assign ev_p_slot_o = u_dut.int_uop.slot;
  assign ev_p_mask_o = 32'(u_dut.int_mask) << (32'(u_dut.int_beat) * Lanes);
  assign ev_p0_o = u_dut.int_uop.wp0;
  assign ev_pd0_o = u_dut.int_uop.pd0;
  assign ev_bits0_o = 32'(u_dut.int_pd0) << (32'(u_dut.int_beat) * Lanes);
  assign ev_p1_o = u_dut.int_uop.wp1;
  assign ev_pd1_o = u_dut.int_uop.pd1;
  assign ev_bits1_o = 32'(u_dut.int_pd1) << (32'(u_dut.int_beat) * Lanes);
endmodule
