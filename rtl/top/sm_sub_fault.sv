// SPDX-License-Identifier: Apache-2.0
//
// sm_sub_fault: keeps a sub-core's first fault. Of several in one cycle the order is divergence unit, special function unit, issue:
// the instruction that issued first goes first. Outputs are flops, level until reset.
module sm_sub_fault (
    input  logic           clk_i,
    input  logic           rst_ni,
    input  logic [1:0]     sub_i,            // this sub-core's number, constant
    input  logic           stack_valid_i,    // divergence unit: stack, targets, barriers of lanes
    input  logic [3:0]     stack_code_i,
    input  logic [3:0]     stack_slot_i,
    input  logic [31:0]    stack_lanes_i,
    input  logic [27:0]    stack_pc_i,
    input  logic           sfu_valid_i,      // a response of the special function unit that is no instruction
    input  logic [3:0]     sfu_slot_i,
    input  logic [31:0]    sfu_lanes_i,
    input  logic [27:0]    sfu_pc_i,
    input  logic           issue_valid_i,    // the instruction that issues
    input  logic [3:0]     issue_code_i,
    input  logic [3:0]     issue_slot_i,
    input  logic [31:0]    issue_lanes_i,
    input  logic [27:0]    issue_pc_i,
    output logic           valid_o,
    output sm_pkg::fault_t fault_o
);
  always_ff @(posedge clk_i) begin
    if (!valid_o && (stack_valid_i || sfu_valid_i || issue_valid_i)) begin
      valid_o <= 1'b1;
      fault_o.sub <= sub_i;
      fault_o.addr <= '0;
      if (stack_valid_i) begin
        fault_o.code <= stack_code_i;
        fault_o.slot <= stack_slot_i;
        fault_o.lanes <= stack_lanes_i;
        fault_o.pc <= stack_pc_i;
      end else if (sfu_valid_i) begin
        fault_o.code <= sm_cfg_pkg::FaultIllegalInsn;
        fault_o.slot <= sfu_slot_i;
        fault_o.lanes <= sfu_lanes_i;
        fault_o.pc <= sfu_pc_i;
      end else begin
        fault_o.code <= issue_code_i;
        fault_o.slot <= issue_slot_i;
        fault_o.lanes <= issue_lanes_i;
        fault_o.pc <= issue_pc_i;
      end
    end
    if (!rst_ni) begin
      valid_o <= 1'b0;
      fault_o <= '0;
    end
  end
endmodule
