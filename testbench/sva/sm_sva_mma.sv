// SPDX-License-Identifier: Apache-2.0
//
// sm_sva_mma: an inactive lane contributes nothing to a matrix instruction: its words of A and B reach the dot products as zeros
// (significand and the marks of infinity and NaN; bytes: all bits), DMMA's two lanes get zeros for it. Bound to sm_mma with Dots 8.
// Which rows and columns a step takes is told by the numbers that went with it.
module sm_sva_mma #(
    parameter int unsigned Rows = 1          // of A a step
) (
    input logic clk_i,
    input logic rst_ni,
    input logic accept_i,                    // the second half of the request, with its mask: into work
    input logic next_i,                      // or behind what is in work
    input logic up_i,                        // which goes into work
    input logic [31:0] mask_i,
    input logic dot_i,                       // a step of dot products starts, row_i its first row; with new columns
    input logic new_column_i,
    input logic f64_i,                       // a step of DMMA starts
    input logic [2:0] row_i,
    input logic [6:0] step_i,
    input logic is_int_i,
    input logic tf32_i,
    input logic [512*Rows-1:0] arow_i,       // in the cycle after
    input logic [4095:0] cols_i,
    input logic [127:0] fa_i,
    input logic [127:0] fb_i
);
  // elements of lane n of the four that make a row or column; halves of K are 256 bits apart, bytes' 128
  function automatic logic stray(input logic [511:0] v, input logic [3:0] on, input logic is_int, input logic tf32);
    stray = 1'b0;
    for (int unsigned n = 0; n < 4; n++) begin
      if (!on[n]) begin
        if (is_int) stray |= v[32*n +: 32] != '0 || v[128+32*n +: 32] != '0;
        else begin
          for (int unsigned h = 0; h < 2; h++) begin
            if (tf32) stray |= v[256*h+32*n +: 11] != '0 || v[256*h+32*n+20 +: 2] != '0;
            else begin
              for (int unsigned e = 0; e < 2; e++) begin
                stray |= v[256*h+64*n+32*e +: 11] != '0 || v[256*h+64*n+32*e+20 +: 2] != '0;
              end
            end
          end
        end
      end
    end
  endfunction

  logic [31:0] lanes_q, next_q, was_q;
  logic dot_q, col_q, f64_q, int_q, tf32_q, said_q, bad;
  logic [2:0] row_q;
  logic [6:0] step_q;
  always_comb begin
    bad = 1'b0;
    if (dot_q) begin
      for (int unsigned r = 0; r < Rows; r++) bad |= stray(arow_i[512*r +: 512], was_q[{row_q | 3'(r), 2'd0} +: 4], int_q, tf32_q);
      if (col_q) begin
        for (int unsigned c = 0; c < 8; c++) bad |= stray(cols_i[512*c +: 512], was_q[{3'(c), 2'd0} +: 4], int_q,
            tf32_q);
      end
    end
    if (f64_q) begin
      for (int unsigned l = 0; l < 2; l++) begin
        if (!was_q[{1'(l), step_q[5:4], step_q[3:2]}]) bad |= fa_i[64*l +: 64] != '0;
        if (!was_q[{step_q[1:0], step_q[6], step_q[3:2]}]) bad |= fb_i[64*l +: 64] != '0;
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (next_i) next_q <= mask_i;
    if (up_i) lanes_q <= next_q;
    else if (accept_i) lanes_q <= mask_i;
    was_q <= lanes_q;
    dot_q <= rst_ni && dot_i;
    col_q <= new_column_i;
    f64_q <= rst_ni && f64_i;
    int_q <= is_int_i;
    tf32_q <= tf32_i;
    row_q <= row_i;
    step_q <= step_i;
    if (!rst_ni) said_q <= 1'b0;
    else if (bad && !said_q) begin
      said_q <= 1'b1;
      $error("gating mma: words of inactive lanes reach the products");
    end
  end
endmodule

bind sm_mma sm_sva_mma #(.Rows(Rows)) u_sva (
    .clk_i, .rst_ni, .accept_i(accept_c & c_direct), .next_i(accept_c & ~c_direct), .up_i(c_up), .mask_i(req_mask_i), .dot_i(go_dot), .new_column_i(new_column),
        .f64_i(go && cur_q.is_f64),
    .row_i(row[2:0]), .step_i(step_q), .is_int_i(cur_q.is_int), .tf32_i(cur_q.kind == sm_isa_pkg::ValMIN_TF32),
        .arow_i(arow_q),
    .cols_i(cols),
    .fa_i({gen_f64.gen_lane[1].fa_q, gen_f64.gen_lane[0].fa_q}), .fb_i({gen_f64.gen_lane[1].fb_q,
        gen_f64.gen_lane[0].fb_q}));
