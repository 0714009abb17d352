// SPDX-License-Identifier: Apache-2.0
//
// sm_sva_diverge: an inactive lane casts no vote in a branch and ends nothing: the executing lanes of a control instruction are those
// that it issued with, and run. Bound to sm_diverge. What a branch leaves running is a part of what ran.
module sm_sva_diverge (
    input logic clk_i,
    input logic rst_ni,
    input logic early_i,                     // an instruction without registers issues, with these lanes
    input logic [31:0] early_exec_i,
    input logic late_i,                      // one with registers is taken
    input logic [31:0] late_exec_i,
    input logic valid_i,                     // an operation is being resolved
    input logic pseudo_i,                    // that is no instruction
    input logic its_i,
    input logic [7:0] op_i,
    input logic [31:0] exec_i,
    input logic [31:0] mask_i,
    input logic [31:0] mask_d_i,
    input logic [31:0] away_i                // its: executing lanes that are suspended
);
  logic [31:0] lanes_q;
  logic first_q, said_q, branch;
  assign branch = op_i == sm_isa_pkg::OpBRA || op_i == sm_isa_pkg::OpBRX || op_i == sm_isa_pkg::OpCALL || op_i == sm_isa_pkg::OpRET;
  always_ff @(posedge clk_i) begin
    first_q <= early_i || late_i;
    if (early_i) lanes_q <= early_exec_i;
    else if (late_i) lanes_q <= late_exec_i;
    if (!rst_ni) said_q <= 1'b0;
    else if (valid_i && !pseudo_i && first_q && !said_q) begin
      if ((exec_i & ~(lanes_q & mask_i)) != '0) begin
        said_q <= 1'b1;
        $error("gating branch: inactive lanes %0h take part", exec_i & ~(lanes_q & mask_i));
      end else if (branch && ((mask_d_i & ~mask_i) != '0 || (its_i && (away_i & ~lanes_q) != '0))) begin
        said_q <= 1'b1;
        $error("gating branch: it moves inactive lanes");
      end
    end
  end
endmodule

bind sm_diverge sm_sva_diverge u_sva (
    .clk_i, .rst_ni, .early_i(op_valid_i), .early_exec_i(op_exec_i),
    .late_i(!op_valid_q && late_valid_i && !bar_busy && !op_valid_i), .late_exec_i, .valid_i(op_valid_q),
        .pseudo_i(pseudo_q), .its_i,
    .op_i(op_q), .exec_i(exec_q), .mask_i(mask), .mask_d_i(mask_d), .away_i(u_its.out_x));
