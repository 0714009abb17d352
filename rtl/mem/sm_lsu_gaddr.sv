// SPDX-License-Identifier: Apache-2.0
//
// sm_lsu_gaddr: global, local, generic and constant addresses of one warp instruction and their checks. Combinational;
// zero while en_i is low, and for lanes outside mask_i: an inactive lane has no address.
// Global: address = {hi, lo} of the lane + sign-extended imm, 64 bits; the device address is its low 48 bits
// (AddrBits). Local: o = lo + imm, 32 bits, an offset in the lane's frame; word o / 4 of all lanes is line frame_i + o / 4.
// Generic (gen_i): upper word of the address 1: shared, offset = lower word (sh_o; its lines and offsets mean nothing);
// 2: local, if the access is one word at most (word_i), else a fault; others global. Constant: o = lo + imm[15:0] from
// const_base_i on.
// line = address / 128 (41 bits a lane), offs = byte in the line. mis_o: not aligned to the access; far_o: upper 16
// bits not zero (global) or beyond size_i (local), sh_size_i (shared), const_size_i (constant).
module sm_lsu_gaddr (
    input  logic          en_i,
    input  logic [31:0]   mask_i,
    input  logic [2047:0] a_i,    // row of low words, row of high words
    input  logic [31:0]   imm_i,
    input  logic [2:0]    lg_i,
    input  logic          local_i,
    input  logic [40:0]   frame_i, // first line of the warp's local frames
    input  logic [17:0]   size_i,  // bytes of a local frame
    input  logic          gen_i,
    input  logic          word_i,  // local lanes are allowed
    input  logic [18:0]   sh_size_i,
    input  logic          const_i,
    input  logic [47:0]   const_base_i,
    input  logic [16:0]   const_size_i,
    output logic [1311:0] lines_o,
    output logic [223:0]  offs_o,
    output logic [31:0]   mis_o,
    output logic [31:0]   far_o,
    output logic [31:0]   sh_o,    // lanes on shared memory
    output logic [31:0]   dev_o    // lanes of global addresses
);
  always_comb begin
    logic [63:0] addr;
    logic [63:0] imm;
    logic [31:0] o;
    logic [32:0] end_o;
    logic [3:0]  low;
    addr = '0;
    imm = '0;
    o = '0;
    low = '0;
    lines_o = '0;
    offs_o = '0;
    mis_o = '0;
    far_o = '0;
    sh_o = '0;
    dev_o = '0;
    end_o = '0;
    if (en_i) begin
      low = 4'((5'd1 << lg_i) - 5'd1);
      imm = const_i ? {48'd0, imm_i[15:0]} : {{32{imm_i[31]}}, imm_i};
      dev_o = local_i || const_i ? '0 : mask_i;
      for (int unsigned l = 0; l < 32; l++) if (mask_i[l]) begin
        addr = {a_i[1024+l*32 +: 32], a_i[l*32 +: 32]} + imm;
        lines_o[l*41 +: 41] = addr[47:7];
        offs_o[l*7 +: 7] = addr[6:0];
        mis_o[l] = (addr[3:0] & low) != '0;
        far_o[l] = addr[63:48] != '0;
        if (local_i) begin // the low two bits of the offset are those of the sum above
          o = addr[31:0];
          lines_o[l*41 +: 41] = frame_i + {11'd0, o[31:2]};
          offs_o[l*7 +: 7] = {5'(l), o[1:0]};
          far_o[l] = ({1'b0, o} + (33'd1 << lg_i)) > {15'd0, size_i};
        end
      end
      if (gen_i) begin
        for (int unsigned l = 0; l < 32; l++) if (mask_i[l]) begin
          addr = {a_i[1024+l*32 +: 32], a_i[l*32 +: 32]} + imm;
          end_o = {1'b0, addr[31:0]} + (33'd1 << lg_i);
          if (addr[63:32] == 32'd1) begin
            sh_o[l] = 1'b1;
            dev_o[l] = 1'b0;
            far_o[l] = end_o > {14'd0, sh_size_i};
          end else if (addr[63:32] == 32'd2) begin
            dev_o[l] = 1'b0;
            lines_o[l*41 +: 41] = frame_i + {11'd0, addr[31:2]};
            offs_o[l*7 +: 7] = {5'(l), addr[1:0]};
            far_o[l] = !word_i || end_o > {15'd0, size_i};
          end
        end
      end
      if (const_i) begin
        for (int unsigned l = 0; l < 32; l++) if (mask_i[l]) begin
          o = a_i[l*32 +: 32] + imm[31:0];
          addr = {16'd0, const_base_i} + {32'd0, o};
          lines_o[l*41 +: 41] = addr[47:7];
          offs_o[l*7 +: 7] = addr[6:0];
          mis_o[l] = (o[3:0] & low) != '0;
          far_o[l] = ({1'b0, o} + (33'd1 << lg_i)) > {16'd0, const_size_i};
        end
      end
    end
  end
endmodule
