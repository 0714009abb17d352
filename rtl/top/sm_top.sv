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
    parameter int unsigned LanesSfu = 2,
    parameter int unsigned RegsPerSubcore = 32768,
    parameter int unsigned SmemBytes = 32768,   // L1 data and shared memory
    parameter int unsigned BlockSlots = 8,
    parameter int unsigned L1iBytes = 8192
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
    input  logic        cfg_diverge_its_i,
    input  logic [1:0]  cfg_split_order_i,
    input  logic        cfg_dep_control_bits_i,
    input  logic        cfg_operand_in_order_i,
    input  logic [15:0] cfg_issue_interval_i,
    input  logic [15:0] cfg_extra_latency_i,
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
    output logic [SubCores*4-1:0]  slot_reason_o,
    output logic [SubCores*4-1:0]  slot_warp_o,
    output logic                   idle_o
);
endmodule
