// SPDX-License-Identifier: Apache-2.0
//
// sm_sva_reqq: no flit of a store or an atomic writes a byte that the tag stage did not hand over. Bound to sm_reqq; a queue of the
// byte masks runs beside the one of the data.
module sm_sva_reqq (
    input logic clk_i,
    input logic rst_ni,
    input logic push_i,
    input logic [127:0] bmask_i,
    input logic pop_i,
    input logic flit_i,                      // the flit on the port carries data
    input logic [1:0] sector_i,
    input logic [31:0] flit_mask_i
);
  logic [127:0] mask_q [8];
  logic [2:0]   rd_q, wr_q;
  logic         said_q;
  always_ff @(posedge clk_i) begin
    if (push_i) mask_q[wr_q] <= bmask_i;
    if (!rst_ni) begin
      {rd_q, wr_q} <= '0;
      said_q <= 1'b0;
    end else begin
      if (push_i) wr_q <= wr_q + 3'd1;
      if (pop_i) rd_q <= rd_q + 3'd1;
      if (flit_i && !said_q && (flit_mask_i & ~mask_q[rd_q][{sector_i, 5'd0} +: 32]) != '0) begin
        said_q <= 1'b1;
        $error("gating store: a flit writes bytes %0h that no lane stores", flit_mask_i & ~mask_q[rd_q][{sector_i,
            5'd0} +: 32]);
      end
    end
  end
endmodule

bind sm_reqq sm_sva_reqq u_sva (
    .clk_i, .rst_ni, .push_i(push_data), .bmask_i, .pop_i(pop && head_data), .flit_i(head_valid && head_data),
        .sector_i(sec),
    .flit_mask_i(flit_mask));
