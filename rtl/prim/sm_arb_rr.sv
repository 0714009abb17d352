// SPDX-License-Identifier: Apache-2.0
//
// sm_arb_rr: round-robin arbiter over N requests (1..64). The grant is combinational, one-hot or zero; the first request
// after the last granted one (index order, wrapping) wins. The pointer moves on a grant with advance_i.
// Reset: request 0 has the highest priority. Not cut: req_i -> grant_oh_o, grant_idx_o.
// While advance_i is low and requests only rise behind the winner, the winner may change: hold requests yourself if
// the sink needs a stable payload.
module sm_arb_rr #(
    parameter int unsigned N = 4,
    localparam int unsigned IdxBits = N > 1 ? $clog2(N) : 1
) (
    input  logic               clk_i,
    input  logic               rst_ni,
    input  logic [N-1:0]       req_i,
    input  logic               advance_i,
    output logic               grant_valid_o,
    output logic [N-1:0]       grant_oh_o,
    output logic [IdxBits-1:0] grant_idx_o
);
  // requests at or above this index are served first
  logic [N-1:0] above_q;
  logic [N-1:0] pick, oh;

  always_comb begin
    pick = req_i & above_q;
    if (pick == '0) pick = req_i;
    oh = pick & (~pick + N'(1));
    grant_idx_o = '0;
    for (int unsigned i = 0; i < N; i++) if (oh[i]) grant_idx_o |= IdxBits'(i);
  end
  assign grant_oh_o = oh;
  assign grant_valid_o = req_i != '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) above_q <= '1;
    // strictly above the winner; zero (wrap) falls back to all requests
    else if (advance_i && grant_valid_o) above_q <= ~(oh | (oh - N'(1)));
  end
endmodule
