// SPDX-License-Identifier: Apache-2.0
//
// sm_sfu: special functions (MUFU), one whole warp a request, 32 / Lanes beats.
//
//   req -> row register -> beat b: lanes b*Lanes.. -> [1 unpack, table] -> [2 multiply] -> [3 add, pack] -> result row -> rsp
//
// A request is accepted in the cycle of the last beat of the one before, so that full warps follow each other without a
// gap. Latency: 32 / Lanes + 3 cycles from acceptance to rsp_valid_o. While a response is not taken everything stops.
// Lanes outside the mask cost nothing and keep what the row register held.
//
// A function that the tables do not hold gives `illegal_o` with its response: the sub-core raises IllegalInsn and
// ignores the data. The algorithm is that of model/ref/ref_mufu.c, bit for bit.
module sm_sfu #(
    parameter int unsigned Lanes = 4   // 1, 2, 4, 8, 16
) (
    input  logic           clk_i,
    input  logic           rst_ni,
    input  logic           req_valid_i,
    output logic           req_ready_o,
    input  sm_pkg::uop_t   req_uop_i,
    input  logic [3:0]     req_slot_i,
    input  logic [31:0]    req_mask_i,
    input  logic [1023:0]  req_a_i,
    output logic           rsp_valid_o,
    input  logic           rsp_ready_i,
    output logic [3:0]     rsp_slot_o,
    output logic [7:0]     rsp_rd_o,
    output logic [31:0]    rsp_mask_o,
    output logic [1023:0]  rsp_data_o,
    output logic           illegal_o,    // qualifies rsp_valid_o
    output logic [27:0]    illegal_pc_o
);
endmodule
