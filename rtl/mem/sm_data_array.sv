// SPDX-License-Identifier: Apache-2.0
//
// sm_data_array: the one data array of shared memory and L1: 32 banks of 4 bytes, Rows rows; one read or one masked
// write a cycle. Read: address in cycle n, rdata_o registered, valid in n+1 and kept until the next read. uniform_i:
// all banks use row_i; else bank b uses rows_i[13*b +: 13]. Rows: power of two, 16..8192. Contents are not reset.
module sm_data_array #(
    parameter int unsigned Rows = 2048,
    localparam int unsigned RowBits = $clog2(Rows)
) (
    input  logic          clk_i,
    input  logic          re_i,
    input  logic          we_i,
    input  logic          uniform_i,
    input  logic [12:0]   row_i,
    input  logic [415:0]  rows_i,
    input  logic [127:0]  bmask_i,
    input  logic [1023:0] wdata_i,
    output logic [1023:0] rdata_o
);
  for (genvar b = 0; b < 32; b++) begin : gen_bank
    logic [12:0] row;
    logic [31:0] rdata, rdata_q;
    assign row = uniform_i ? row_i : rows_i[b*13 +: 13];
    sm_ram_row #(.Lanes(4), .LaneBits(8), .Depth(Rows)) u_ram (
        .clk_i, .we_i(we_i && bmask_i[b*4 +: 4] != '0), .waddr_i(row[RowBits-1:0]), .wmask_i(bmask_i[b*4 +: 4]),
        .wdata_i(wdata_i[b*32 +: 32]), .re_i, .raddr_i(row[RowBits-1:0]), .rdata_o(rdata)
    );
    always_ff @(posedge clk_i) if (re_i) rdata_q <= rdata;
    assign rdata_o[b*32 +: 32] = rdata_q;
    if (RowBits < 13) begin : gen_unused
      logic unused; // rows beyond the array are never addressed: the block's range was checked
      assign unused = ^row[12:RowBits];
    end
  end
endmodule
