// SPDX-License-Identifier: Apache-2.0
//
// sm_ram_line: lines of Words x WordBits; a write stores a whole line, a read takes the word at rword_i and the one after it
// (word 0 of the same line after the last). Latency: read 0 (combinational), a write is readable in the next cycle.
// Contents are not reset. Lines, Words: powers of two, >= 2. re_i = 0 gives zeros.
module sm_ram_line #(
    parameter int unsigned Lines = 16,
    parameter int unsigned Words = 8,
    parameter int unsigned WordBits = 128,
    localparam int unsigned LineIdxBits = $clog2(Lines),
    localparam int unsigned WordIdxBits = $clog2(Words)
) (
    input  logic                      clk_i,
    input  logic                      we_i,
    input  logic [LineIdxBits-1:0]    wline_i,
    input  logic [Words*WordBits-1:0] wdata_i,
    input  logic                      re_i,
    input  logic [LineIdxBits-1:0]    rline_i,
    input  logic [WordIdxBits-1:0]    rword_i,
    output logic [WordBits-1:0]       rdata0_o,
    output logic [WordBits-1:0]       rdata1_o
);
  logic [Words*WordBits-1:0] mem [Lines];
  logic [WordIdxBits-1:0] rword1;
  assign rword1 = rword_i + WordIdxBits'(1);

  always_ff @(posedge clk_i) begin
    if (we_i) mem[wline_i] <= wdata_i;
  end

  always_comb begin
    rdata0_o = '0;
    rdata1_o = '0;
    if (re_i) begin
      rdata0_o = mem[rline_i][rword_i*WordBits +: WordBits];
      rdata1_o = mem[rline_i][rword1*WordBits +: WordBits];
    end
  end
endmodule
