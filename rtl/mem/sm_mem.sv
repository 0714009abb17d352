// SPDX-License-Identifier: Apache-2.0
//
// sm_mem: the SM's memory pipe: LSU, coalescer, L1, MSHRs, shared memory, shuffle. Ports only so far.
//
// Ports of several sub-cores are packed flat, sub-core 0 lowest. UopBits = $bits(sm_pkg::uop_t).
module sm_mem #(
    parameter int unsigned SubCores = 4,
    parameter int unsigned WarpSlots = 16,     // per sub-core, <= 16
    parameter int unsigned SmemBytes = 262144, // L1 data and shared memory
    parameter int unsigned BlockSlots = 32,
    localparam int unsigned UopBits = 102
) (
    input  logic clk_i,
    input  logic rst_ni,
    input  sm_pkg::cfg_t cfg_i,
    input  logic kill_i,

    // from sm_cta: one warp a cycle
    input  logic init_valid_i,
    input  sm_pkg::init_t init_i,

    // from the sub-cores: memory and shuffle instructions
    input  logic [SubCores-1:0]         mem_valid_i,
    output logic [SubCores-1:0]         mem_ready_o,
    input  logic [SubCores*4-1:0]       mem_slot_i,
    input  logic [SubCores*UopBits-1:0] mem_uop_i,
    input  logic [SubCores*32-1:0]      mem_mask_i,
    input  logic [SubCores*2048-1:0]    mem_a_i,    // row of low words, row of high words
    input  logic [SubCores*4096-1:0]    mem_data_i, // rows rc..rc+3; SHFL: a, b, c, unused

    // to the sub-cores: write-back beats
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

    // status
    output logic [BlockSlots-1:0] mem_busy_o, // block has an instruction here or an unacknowledged store
    output logic idle_o,
    output logic fault_valid_o,               // first fault, level until reset
    output sm_pkg::fault_t fault_o,

    // to sm_memport: request flits
    output logic         req_valid_o,
    input  logic         req_ready_i,
    output logic [7:0]   req_id_o,
    output logic [2:0]   req_op_o,
    output logic [47:0]  req_line_o,
    output logic [3:0]   req_sector_mask_o,
    output logic [31:0]  req_byte_mask_o,
    output logic [255:0] req_data_o,
    output logic [5:0]   req_warp_o,          // sub-core + SubCores * slot
    output logic [27:0]  req_pc_o,

    // from sm_memport: response sectors, up to two a cycle, always taken
    input  logic [1:0]   rsp_valid_i,
    input  logic [15:0]  rsp_id_i,
    input  logic [3:0]   rsp_sector_i,
    input  logic [7:0]   rsp_status_i,
    input  logic [511:0] rsp_data_i
);
endmodule
