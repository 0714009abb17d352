// SPDX-License-Identifier: Apache-2.0
//
// sm_ram_row: rows of Lanes x LaneBits with a lane-masked write port and one asynchronous read port.
// A masked write is one full-row read-modify-write (a second, internal read port); with a full mask it is a plain write.
// Latency: read 0 (combinational), a write is readable in the next cycle (no write-through). Contents are not reset.
// Depth: >= 2 rows. re_i = 0 gives zeros on rdata_o. wmask_i: one bit a lane.
module sm_ram_row #(
    parameter int unsigned Lanes = 32,
    parameter int unsigned LaneBits = 32,
    parameter int unsigned Depth = 16,
    localparam int unsigned AddrBits = $clog2(Depth),
    localparam int unsigned Width = Lanes * LaneBits
) (
    input  logic                clk_i,
    input  logic                we_i,
    input  logic [AddrBits-1:0] waddr_i,
    input  logic [Lanes-1:0]    wmask_i,
    input  logic [Width-1:0]    wdata_i,
    input  logic                re_i,
    input  logic [AddrBits-1:0] raddr_i,
    output logic [Width-1:0]    rdata_o
);
  logic [Width-1:0] mem [Depth];
  logic [Width-1:0] wrow;

  always_comb begin
    wrow = wdata_i;
    if (we_i && !(&wmask_i)) begin
      for (int unsigned l = 0; l < Lanes; l++) wrow[l*LaneBits +: LaneBits] = {LaneBits{wmask_i[l]}};
      wrow = (mem[waddr_i] & ~wrow) | (wdata_i & wrow);
    end
  end

  always_ff @(posedge clk_i) begin
    if (we_i) mem[waddr_i] <= wrow;
  end

  always_comb begin
    rdata_o = '0;
    if (re_i) rdata_o = mem[raddr_i];
  end
endmodule
