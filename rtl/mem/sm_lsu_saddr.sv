// SPDX-License-Identifier: Apache-2.0
//
// sm_lsu_saddr: shared-memory addresses of one warp instruction, their checks, and the pairing that lets two groups
// of a wide load go together. Combinational; outputs are zero while en_i is low, addresses also for lanes
// outside mask_i: an inactive lane has none. Row = 128-byte row of the shared
// array, offs = byte in the row; lane 0 lowest. base_i is the block's byte base in the array, size_i what the block
// may touch. merge_o: [0] 64-bit groups 0+1, [1] 128-bit groups 0+1, [2] 128-bit groups 2+3. Faults: mis_o = lanes
// not aligned to the access, oob_o = lanes beyond size_i. Source: rtl/README.md "Shared wavefronts".
module sm_lsu_saddr (
    input  logic          en_i,
    input  logic [31:0]   mask_i,
    input  logic [1023:0] a_i,
    input  logic [31:0]   imm_i,
    input  logic [2:0]    lg_i,   // log2 of the bytes a lane moves, 0..4
    input  logic [19:0]   base_i,
    input  logic [18:0]   size_i,
    output logic [223:0]  offs_o,
    output logic [415:0]  rows_o, // 13 bits a lane
    output logic [31:0]   mis_o,
    output logic [31:0]   oob_o,
    output logic [2:0]    merge_o
);
  logic [639:0] low_a; // address in the block's range, 20 bits a lane
  logic [31:0] ne1, ne2; // lane differs from its neighbour l^1, l^2

  always_comb begin
    logic [31:0] addr;
    logic [19:0] p;
    logic [3:0]  low;
    addr = '0;
    p = '0;
    low = '0;
    low_a = '0;
    offs_o = '0;
    rows_o = '0;
    mis_o = '0;
    oob_o = '0;
    if (en_i) begin
      low = 4'((5'd1 << lg_i) - 5'd1);
      for (int unsigned l = 0; l < 32; l++) if (mask_i[l]) begin
        addr = a_i[l*32 +: 32] + imm_i;
        low_a[l*20 +: 20] = addr[19:0];
        p = base_i + addr[19:0];
        offs_o[l*7 +: 7] = p[6:0];
        rows_o[l*13 +: 13] = p[19:7];
        mis_o[l] = (addr[3:0] & low) != '0;
        oob_o[l] = ({1'b0, addr} + (33'd1 << lg_i)) > {14'd0, size_i};
      end
    end
  end

  always_comb begin
    ne1 = '0;
    ne2 = '0;
    if (en_i && lg_i >= 3'd3) begin
      for (int unsigned l = 0; l < 32; l++) begin
        ne1[l] = mask_i[l] && mask_i[l^1] && low_a[l*20 +: 20] != low_a[(l^1)*20 +: 20];
        ne2[l] = mask_i[l] && mask_i[l^2] && low_a[l*20 +: 20] != low_a[(l^2)*20 +: 20];
      end
    end
    merge_o[0] = ne1 == '0 || ne2 == '0;
    merge_o[1] = ne1[15:0] == '0 || ne2[15:0] == '0;
    merge_o[2] = ne1[31:16] == '0 || ne2[31:16] == '0;
  end
endmodule
