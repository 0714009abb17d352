// SPDX-License-Identifier: Apache-2.0
//
// sm_memport: the SM's memory port: merges requests of sm_mem, sm_l1i and sm_cc under credits, hands responses to the
// owner of the id. Ports only so far. sm_l1i and sm_cc send a 4-bit id; the port adds 128 or 144. In responses the owner
// sees the id's low bits (l1i, cc: [3:0] of each slot's 8-bit id).
module sm_memport (
    input  logic clk_i,
    input  logic rst_ni,

    // from sm_mem
    input  logic         mem_valid_i,
    output logic         mem_ready_o,
    input  logic [7:0]   mem_id_i,
    input  logic [2:0]   mem_op_i,
    input  logic [47:0]  mem_line_i,
    input  logic [3:0]   mem_sector_mask_i,
    input  logic [31:0]  mem_byte_mask_i,
    input  logic [255:0] mem_data_i,
    input  logic [5:0]   mem_warp_i,
    input  logic [27:0]  mem_pc_i,

    // from sm_l1i: one instruction line (all four sectors)
    input  logic         l1i_valid_i,
    output logic         l1i_ready_o,
    input  logic [3:0]   l1i_id_i,
    input  logic [47:0]  l1i_line_i,

    // from sm_cc: one constant line (all four sectors)
    input  logic         cc_valid_i,
    output logic         cc_ready_o,
    input  logic [3:0]   cc_id_i,
    input  logic [47:0]  cc_line_i,

    // responses, slot 0 lowest; the payload is shared, the valids name the owner
    output logic [1:0]   mem_rsp_valid_o,
    output logic [1:0]   l1i_rsp_valid_o,
    output logic [1:0]   cc_rsp_valid_o,
    output logic [15:0]  rsp_id_o,
    output logic [3:0]   rsp_sector_o,
    output logic [7:0]   rsp_status_o,
    output logic [511:0] rsp_data_o,

    // the SM's port (sm_top's req_* and rsp*)
    output logic         req_valid_o,
    output logic [7:0]   req_id_o,
    output logic [2:0]   req_op_o,
    output logic [47:0]  req_line_o,
    output logic [3:0]   req_sector_mask_o,
    output logic [31:0]  req_byte_mask_o,
    output logic [255:0] req_data_o,
    output logic [5:0]   req_warp_o,
    output logic [27:0]  req_pc_o,
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

    output logic idle_o // no request held, all credits back
);
endmodule
