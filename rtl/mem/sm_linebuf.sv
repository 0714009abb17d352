// SPDX-License-Identifier: Apache-2.0
//
// sm_linebuf: line buffers of the MSHRs: 64 lines of 4 sectors. Two sectors may arrive in one cycle, for any lines;
// one line is read (combinational, zero while re_i is low). Each response slot writes a memory of its own; one bit a
// sector says which of the two holds it. Contents are not reset.
module sm_linebuf (
    input  logic          clk_i,
    input  logic [1:0]    we_i,
    input  logic [11:0]   wid_i,     // 6 bits a slot
    input  logic [3:0]    wsector_i, // 2 bits a slot
    input  logic [511:0]  wdata_i,
    input  logic          re_i,
    input  logic [5:0]    rid_i,
    output logic [1023:0] rdata_o
);
  for (genvar s = 0; s < 4; s++) begin : gen_sector
    logic [63:0]  newer_q; // slot 1 wrote last
    logic [255:0] r0, r1;
    logic         we0, we1;
    assign we0 = we_i[0] && wsector_i[1:0] == 2'(s);
    assign we1 = we_i[1] && wsector_i[3:2] == 2'(s);
    sm_ram_1r1w #(.Width(256), .Depth(64)) u_ram0 (
        .clk_i, .we_i(we0), .waddr_i(wid_i[5:0]), .wdata_i(wdata_i[255:0]), .re_i, .raddr_i(rid_i), .rdata_o(r0)
    );
    sm_ram_1r1w #(.Width(256), .Depth(64)) u_ram1 (
        .clk_i, .we_i(we1), .waddr_i(wid_i[11:6]), .wdata_i(wdata_i[511:256]), .re_i, .raddr_i(rid_i), .rdata_o(r1)
    );
    always_ff @(posedge clk_i) begin
      if (we0) newer_q[wid_i[5:0]] <= 1'b0;
      if (we1) newer_q[wid_i[11:6]] <= 1'b1;
    end
    always_comb begin
      rdata_o[s*256 +: 256] = '0;
      if (re_i) rdata_o[s*256 +: 256] = newer_q[rid_i] ? r1 : r0;
    end
  end
endmodule
