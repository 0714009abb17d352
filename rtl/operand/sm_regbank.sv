// SPDX-License-Identifier: Apache-2.0
//
// sm_regbank: a half of one of the two register banks of a sub-core (row mod 4): rows of 32 lanes x 32 bits, two reads and one masked
// write a cycle.
// Writes: a fixed-latency result (f_*, always taken) before a variable-latency one (v_we_i, which the arbiter raises only
// if there is no f_we_i here). Latency: read 0, a write is readable in the next cycle. Contents are not reset.
module sm_regbank #(
    parameter int unsigned Depth = 128,
    localparam int unsigned AddrBits = $clog2(Depth)
) (
    input  logic                clk_i,
    input  logic                re0_i,
    input  logic [AddrBits-1:0] raddr0_i,
    output logic [1023:0]       rdata0_o,
    input  logic                re1_i,
    input  logic [AddrBits-1:0] raddr1_i,
    output logic [1023:0]       rdata1_o,
    input  logic                f_we_i,
    input  logic [AddrBits-1:0] f_addr_i,
    input  logic [31:0]         f_mask_i,
    input  logic [1:0]          f_sel_i,     // 0 int, 1 int upper word, 2 fp, 3 fp64
    input  logic [1023:0]       int_lo_i,
    input  logic [1023:0]       int_hi_i,
    input  logic [1023:0]       fp_lo_i,
    input  logic [1023:0]       f64_row_i,   // the word of the pair that this half holds
    input  logic                v_we_i,
    input  logic [AddrBits-1:0] v_addr_i,
    input  logic [31:0]         v_mask_i,
    input  logic                v_hi_i,
    input  logic [1023:0]       v_lo_i,
    input  logic [1023:0]       v_hi_row_i
);
  logic [1023:0] wdata;
  always_comb begin
    wdata = '0;
    if (f_we_i) begin
      case (f_sel_i)
        2'd0:    wdata = int_lo_i;
        2'd1:    wdata = int_hi_i;
        2'd2:    wdata = fp_lo_i;
        default: wdata = f64_row_i;
      endcase
    end else if (v_we_i) begin
      if (v_hi_i) wdata = v_hi_row_i;
      else wdata = v_lo_i;
    end
  end
  // as sm_ram_row, with a second read port
  logic [1023:0] mem [Depth];
  logic [1023:0] wrow;
  logic [31:0]   wmask;
  logic [AddrBits-1:0] waddr;
  assign wmask = f_we_i ? f_mask_i : v_mask_i;
  assign waddr = f_we_i ? f_addr_i : v_addr_i;
  always_comb begin
    wrow = wdata;
    if ((f_we_i || v_we_i) && !(&wmask)) begin
      for (int unsigned l = 0; l < 32; l++) wrow[l*32 +: 32] = {32{wmask[l]}};
      wrow = (mem[waddr] & ~wrow) | (wdata & wrow);
    end
  end
  always_ff @(posedge clk_i) begin
    if (f_we_i || v_we_i) mem[waddr] <= wrow;
  end
  always_comb begin
    rdata0_o = '0;
    if (re0_i) rdata0_o = mem[raddr0_i];
  end
  always_comb begin
    rdata1_o = '0;
    if (re1_i) rdata1_o = mem[raddr1_i];
  end
endmodule
