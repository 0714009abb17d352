// SPDX-License-Identifier: Apache-2.0
//
// sm_subcore: one sub-core (processing block): fetch with L0 instruction cache, L0 constant cache, warp slots with
// instruction buffers and scoreboards, warp scheduler, SIMT stack, operand collectors and register banks, int, fp32, sfu and
// special-register pipes, writeback. Timing: rtl/README.md "Timing".
// Every output is a function of flops only. Reset: all warp slots free.
// sub_i: this sub-core's number, constant. WarpSlots: power of two, 2..16. LanesInt == LanesFp32, 8, 16 or 32.
module sm_subcore #(
    parameter int unsigned SubCores = 1,
    parameter int unsigned WarpSlots = 8,
    parameter int unsigned LanesInt = 8,
    parameter int unsigned LanesFp32 = 8,
    parameter int unsigned LanesSfu = 2,
    parameter int unsigned RegsPerSubcore = 32768
) (
    input  logic clk_i,
    input  logic rst_ni,
    input  logic [1:0] sub_i,
    input  logic kill_i,                    // stop issue, drop what waits for memory, drain
    input  sm_pkg::cfg_t cfg_i,
    input  logic [63:0] time_i,             // ns, for SR_GLOBALTIMER

    // from sm_cta: one warp bound a cycle; a block's slots freed
    input  logic init_valid_i,
    input  sm_pkg::init_t init_i,
    input  logic free_valid_i,
    input  logic [4:0] free_block_i,

    // L0 instruction miss: line address = ifreq_base_o + ifreq_pc_o (pc is 128-byte aligned)
    output logic ifreq_valid_o,
    input  logic ifreq_ready_i,
    output logic [27:0] ifreq_pc_o,
    output logic [47:0] ifreq_base_o,
    input  logic iffill_valid_i,
    input  logic [47:0] iffill_addr_i,
    input  logic [1023:0] iffill_data_i,

    // L0 constant miss
    output logic cfreq_valid_o,
    input  logic cfreq_ready_i,
    output logic [47:0] cfreq_addr_o,
    input  logic cffill_valid_i,
    input  logic [47:0] cffill_addr_i,
    input  logic [1023:0] cffill_data_i,

    // to/from sm_barrier
    output logic bar_valid_o,
    input  logic bar_ready_i,
    output sm_pkg::bar_req_t bar_o,
    input  logic [WarpSlots-1:0] bar_release_i,

    // to sm_cta and sm_barrier: a warp's last lane exited; always taken
    output logic exit_valid_o,
    output logic [4:0] exit_block_o,
    output logic [4:0] exit_warp_o,

    // to sm_mem
    output logic mem_valid_o,
    input  logic mem_ready_i,
    output logic [3:0] mem_slot_o,
    output sm_pkg::uop_t mem_uop_o,
    output logic [31:0] mem_mask_o,
    output logic [2047:0] mem_a_o,          // two rows: ra, then ra+1
    output logic [4095:0] mem_data_o,       // rows rc..rc+3; SHFL: a, b (source lane), c (clamp)

    // from sm_mem
    input  logic wb_valid_i,
    output logic wb_ready_o,
    input  logic [3:0] wb_slot_i,
    input  logic [7:0] wb_rd_i,
    input  logic wb_wide_i,
    input  logic [31:0] wb_mask_i,
    input  logic [2047:0] wb_data_i,        // row rd, then rd+1
    input  logic wb_last_i,
    input  logic wb_pvalid_i,
    input  logic [2:0] wb_pd_i,
    input  logic [31:0] wb_pbits_i,

    // first fault, level until reset
    output logic fault_valid_o,
    output sm_pkg::fault_t fault_o,

    // scheduler door; view_* are zero unless cfg_i.policy is the external policy
    input  logic pick_valid_i,
    input  logic [3:0] pick_warp_i,
    input  logic [15:0] pick_withheld_i,
    output logic [15:0] view_valid_o,
    output logic [15:0] view_eligible_o,
    output logic [15:0] view_at_barrier_o,
    output logic [63:0] view_reason_o,
    output logic [63:0] view_age_rank_o,
    output logic [79:0] view_block_o,
    output logic [63:0] view_pending_loads_o,
    output logic [79:0] view_depth_o,
    output logic [127:0] view_since_issue_o,
    output logic [3:0] slot_reason_o,       // owner of the issue slot in the last cycle
    output logic [3:0] slot_warp_o,

    output logic busy_o                     // an instruction is between issue and its last write
);
endmodule
