// SPDX-License-Identifier: Apache-2.0
//
// sm_lsu_gaddr: global and local addresses of one warp instruction and their checks. Combinational; zero while en_i is
// low.
// Global: address = {hi, lo} of the lane + sign-extended imm, 64 bits; the device address is its low 48 bits
// (AddrBits). Local: o = lo + imm, 32 bits, an offset in the lane's frame; word o / 4 of all lanes is line frame_i + o / 4.
// line = address / 128 (41 bits a lane), offs = byte in the line. mis_o: not aligned to the access; far_o: upper 16
// bits not zero (global) or beyond size_i (local).
module sm_lsu_gaddr (
    input  logic          en_i,
    input  logic [31:0]   mask_i,
    input  logic [2047:0] a_i,    // row of low words, row of high words
    input  logic [31:0]   imm_i,
    input  logic [2:0]    lg_i,
    input  logic          local_i,
    input  logic [40:0]   frame_i, // first line of the warp's local frames
    input  logic [17:0]   size_i,  // bytes of a local frame
    output logic [1311:0] lines_o,
    output logic [223:0]  offs_o,
    output logic [31:0]   mis_o,
    output logic [31:0]   far_o
);
  always_comb begin
    logic [63:0] addr;
    logic [63:0] imm;
    logic [31:0] o;
    logic [3:0]  low;
    addr = '0;
    imm = '0;
    o = '0;
    low = '0;
    lines_o = '0;
    offs_o = '0;
    mis_o = '0;
    far_o = '0;
    if (en_i) begin
      low = 4'((5'd1 << lg_i) - 5'd1);
      imm = {{32{imm_i[31]}}, imm_i};
      for (int unsigned l = 0; l < 32; l++) begin
        addr = {a_i[1024+l*32 +: 32], a_i[l*32 +: 32]} + imm;
        lines_o[l*41 +: 41] = addr[47:7];
        offs_o[l*7 +: 7] = addr[6:0];
        mis_o[l] = mask_i[l] && ((addr[3:0] & low) != '0);
        far_o[l] = mask_i[l] && (addr[63:48] != '0);
        if (local_i) begin // the low two bits of the offset are those of the sum above
          o = addr[31:0];
          lines_o[l*41 +: 41] = frame_i + {11'd0, o[31:2]};
          offs_o[l*7 +: 7] = {5'(l), o[1:0]};
          far_o[l] = mask_i[l] && (({1'b0, o} + (33'd1 << lg_i)) > {15'd0, size_i});
        end
      end
    end
  end
endmodule
