// SPDX-License-Identifier: Apache-2.0
//
// sm_ram_1r1w: storage with one write port and one asynchronous read port.
// Latency: read 0 (combinational), a write is readable in the next cycle (no write-through). Contents are not reset.
// Width: >= 1 bits. Depth: >= 2 words. re_i = 0 gives zeros on rdata_o, so that wide idle reads cost nothing downstream.
// See also: sm_ram_row (masked rows), sm_fifo.
module sm_ram_1r1w #(
    parameter int unsigned Width = 32,
    parameter int unsigned Depth = 16,
    localparam int unsigned AddrBits = $clog2(Depth)
) (
    input  logic                clk_i,
    input  logic                we_i,
    input  logic [AddrBits-1:0] waddr_i,
    input  logic [Width-1:0]    wdata_i,
    input  logic                re_i,
    input  logic [AddrBits-1:0] raddr_i,
    output logic [Width-1:0]    rdata_o
);
  logic [Width-1:0] mem [Depth];

  always_ff @(posedge clk_i) begin
    if (we_i) mem[waddr_i] <= wdata_i;
  end

  always_comb begin
    rdata_o = '0;
    if (re_i) rdata_o = mem[raddr_i];
  end
endmodule
