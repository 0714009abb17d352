// SPDX-License-Identifier: Apache-2.0
//
// sm_sva_issue: only lanes that run and whose guard holds execute; without an instruction, or executing lanes, nothing starts. Bound to
// sm_subcore.
module sm_sva_issue (
    input logic clk_i,
    input logic rst_ni,
    input logic issue_i,
    input logic [31:0] mask_i,
    input logic [31:0] exec_i,
    input logic starts_i
);
  logic said_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) said_q <= 1'b0;
    else if (!said_q && (issue_i ? (exec_i & ~mask_i) != '0 || (starts_i && exec_i == '0) : starts_i)) begin
      said_q <= 1'b1;
      if (issue_i) $error("gating issue: inactive lanes %0h execute", exec_i & ~mask_i);
      else $error("gating issue: lanes execute without an instruction");
    end
  end
endmodule

bind sm_subcore sm_sva_issue u_sva (.clk_i, .rst_ni, .issue_i(iss),
    .mask_i(iss_mask & (preds[32*insn.guard +: 32] ^ {32{insn.guard_not}})), .exec_i(exec), .starts_i(live));
