// SPDX-License-Identifier: Apache-2.0
//
// sm_load_xbar: one 128-byte row -> the lanes' loaded words, with byte extraction and extension. Combinational; zero
// while en_i is low. size_i: MSIZE (isa.def). w0_o..w3_o: rows of words 0..3 of each lane; only the words of the size
// are valid. Lanes that are not served get some word of the row.
module sm_load_xbar (
    input  logic          en_i,
    input  logic [2:0]    size_i,
    input  logic [223:0]  offs_i,
    input  logic [1023:0] row_i,
    output logic [1023:0] w0_o,
    output logic [1023:0] w1_o,
    output logic [1023:0] w2_o,
    output logic [1023:0] w3_o
);
  function automatic logic [31:0] narrow(input logic [31:0] word, input logic [1:0] off, input logic [2:0] msize);
    logic [15:0] h;
    logic [7:0]  b;
    h = off[1] ? word[31:16] : word[15:0];
    b = off[0] ? h[15:8] : h[7:0];
    case (msize)
      sm_isa_pkg::ValMSIZE_U8: narrow = {24'd0, b};
      sm_isa_pkg::ValMSIZE_S8: narrow = {{24{b[7]}}, b};
      sm_isa_pkg::ValMSIZE_U16: narrow = {16'd0, h};
      default: narrow = {{16{h[15]}}, h};
    endcase
  endfunction

  always_comb begin
    w0_o = '0;
    w1_o = '0;
    w2_o = '0;
    w3_o = '0;
    if (en_i) begin
      case (size_i)
        sm_isa_pkg::ValMSIZE_U8, sm_isa_pkg::ValMSIZE_S8, sm_isa_pkg::ValMSIZE_U16, sm_isa_pkg::ValMSIZE_S16:
          for (int unsigned l = 0; l < 32; l++)
            w0_o[l*32 +: 32] = narrow(row_i[{offs_i[l*7+2 +: 5], 5'd0} +: 32], offs_i[l*7 +: 2], size_i);
        sm_isa_pkg::ValMSIZE_64:
          for (int unsigned l = 0; l < 32; l++) begin
            w0_o[l*32 +: 32] = row_i[{offs_i[l*7+3 +: 4], 6'd0} +: 32];
            w1_o[l*32 +: 32] = row_i[{offs_i[l*7+3 +: 4], 6'd32} +: 32];
          end
        sm_isa_pkg::ValMSIZE_128:
          for (int unsigned l = 0; l < 32; l++) begin
            w0_o[l*32 +: 32] = row_i[{offs_i[l*7+4 +: 3], 7'd0} +: 32];
            w1_o[l*32 +: 32] = row_i[{offs_i[l*7+4 +: 3], 7'd32} +: 32];
            w2_o[l*32 +: 32] = row_i[{offs_i[l*7+4 +: 3], 7'd64} +: 32];
            w3_o[l*32 +: 32] = row_i[{offs_i[l*7+4 +: 3], 7'd96} +: 32];
          end
        default:
          for (int unsigned l = 0; l < 32; l++) w0_o[l*32 +: 32] = row_i[{offs_i[l*7+2 +: 5], 5'd0} +: 32];
      endcase
    end
  end
endmodule
