// SPDX-License-Identifier: Apache-2.0
//
// sm_sreg: special registers (S2R), one request at a time. It keeps, per warp slot, the first thread id, the block's shape,
// its index and the grid id from the warp's init message.
//
// Thread ids come eight lanes a cycle: a chain of increments with wrap x -> y -> z (4 cycles); everything else takes one.
// A special register that isa/cfg.def does not list reads as zero.
module sm_sreg #(
    parameter int unsigned SubCores = 4,
    parameter int unsigned WarpSlots = 16  // power of two, 2..16
) (
    input  logic           clk_i,
    input  logic           rst_ni,
    // configuration, time and place
    input  logic [1:0]     sub_i,         // this sub-core
    input  logic [4:0]     warp_slots_i,  // cfg.warp_slots: NWARPID = SubCores * warp_slots
    input  logic [63:0]    time_i,        // ns
    input  logic [15:0]    smid_i,
    input  logic [15:0]    nsmid_i,
    // a warp starts in a slot of some sub-core
    input  logic           init_valid_i,
    input  sm_pkg::init_t  init_i,
    // S2R
    input  logic           req_valid_i,
    output logic           req_ready_o,
    input  sm_pkg::uop_t   req_uop_i,     // imm[7:0] = special register
    input  logic [3:0]     req_slot_i,
    input  logic [31:0]    req_mask_i,
    input  logic [1023:0]  req_a_i,       // not used: same ports as sm_sfu
    output logic           rsp_valid_o,
    input  logic           rsp_ready_i,
    output logic [3:0]     rsp_slot_o,
    output logic [7:0]     rsp_rd_o,
    output logic [31:0]    rsp_mask_o,
    output logic [1023:0]  rsp_data_o
);
endmodule
