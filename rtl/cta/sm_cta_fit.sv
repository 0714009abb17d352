// SPDX-License-Identifier: Apache-2.0
//
// sm_cta_fit: one step of first fit. Says whether [start_i, start_i + len_i) overlaps a resident range, and where to try
// next: the lowest end among the overlapping ranges. Combinational. Ranges: packed, entry 0 lowest; entries of length 0
// never overlap. Twin: model/twin/cta_alloc.c.
module sm_cta_fit #(
    parameter int unsigned Entries = 8,
    parameter int unsigned Width = 11
) (
    input  logic                     en_i,
    input  logic [Entries-1:0]       valid_i,
    input  logic [Entries*Width-1:0] base_i,
    input  logic [Entries*Width-1:0] len_i,
    input  logic [Width-1:0]         start_i,
    input  logic [Width-1:0]         want_i,
    output logic                     clash_o,
    output logic [Width-1:0]         next_o
);
  always_comb begin
    logic [Width-1:0] lo;
    logic [Width:0] hi, want_hi;
    lo = '0;
    hi = '0;
    clash_o = 1'b0;
    next_o = '1;
    want_hi = {1'b0, start_i} + {1'b0, want_i};
    if (en_i) begin
      for (int unsigned e = 0; e < Entries; e++) begin
        lo = base_i[e*Width +: Width];
        hi = {1'b0, lo} + {1'b0, len_i[e*Width +: Width]};
        if (valid_i[e] && len_i[e*Width +: Width] != 0 && {1'b0, start_i} < hi && {1'b0, lo} < want_hi) begin
          clash_o = 1'b1;
          if (hi[Width-1:0] < next_o) next_o = hi[Width-1:0];
        end
      end
    end
  end
endmodule
