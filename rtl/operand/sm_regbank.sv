// SPDX-License-Identifier: Apache-2.0
//
// sm_regbank: one of the four register banks of a sub-core: rows of 32 lanes x 32 bits, one read and one masked write a cycle.
// Writes: a fixed-latency result (f_*, always taken) before a variable-latency one (v_we_i, which the arbiter raises only
// if there is no f_we_i here). Latency: read 0, a write is readable in the next cycle. Contents are not reset.
module sm_regbank #(
    parameter int unsigned Depth = 128,
    localparam int unsigned AddrBits = $clog2(Depth)
) (
    input  logic                clk_i,
    input  logic                re_i,
    input  logic [AddrBits-1:0] raddr_i,
    output logic [1023:0]       rdata_o,
    input  logic                f_we_i,
    input  logic [AddrBits-1:0] f_addr_i,
    input  logic [31:0]         f_mask_i,
    input  logic [1:0]          f_sel_i,     // 0 int, 1 int upper word, 2 fp, 3 fp64
    input  logic [1023:0]       int_lo_i,
    input  logic [1023:0]       int_hi_i,
    input  logic [1023:0]       fp_lo_i,
    input  logic [1023:0]       f64_row_i,   // the word of the pair that this bank holds
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
  sm_ram_row #(.Lanes(32), .LaneBits(32), .Depth(Depth)) u_ram (
      .clk_i, .we_i(f_we_i || v_we_i), .waddr_i(f_we_i ? f_addr_i : v_addr_i), .wmask_i(f_we_i ? f_mask_i : v_mask_i),
      .wdata_i(wdata), .re_i, .raddr_i, .rdata_o
  );
endmodule
