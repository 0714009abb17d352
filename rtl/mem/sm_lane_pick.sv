// SPDX-License-Identifier: Apache-2.0
//
// sm_lane_pick: for every bank (or unit of banks) the lane of highest priority that wants it. Combinational; zero
// while en_i is low. units_i: 5 bits a lane, the bank wanted. order_i: what a lane number is xored with to give its
// priority, lowest first, in units of 8: 0 = lanes ascending, 2 = upper half first, 3 = quarters descending, lanes
// ascending in each. lane_o: 5 bits a bank, valid where any_o. The lanes' one-hot bank vectors are transposed as a 32
// x 32 bit matrix in five steps of swaps, so that each bank sees one bit a lane.
module sm_lane_pick (
    input  logic         en_i,
    input  logic [31:0]  mask_i,
    input  logic [159:0] units_i,
    input  logic [1:0]   order_i,
    output logic [31:0]  any_o,
    output logic [159:0] lane_o
);
  function automatic logic [4:0] first32(input logic [31:0] v);
    logic [31:0] oh;
    oh = v & (~v + 32'd1);
    first32 = {(oh & 32'hffff0000) != '0, (oh & 32'hff00ff00) != '0, (oh & 32'hf0f0f0f0) != '0,
               (oh & 32'hcccccccc) != '0, (oh & 32'haaaaaaaa) != '0};
  endfunction

  function automatic logic [31:0] permute(input logic [31:0] v, input logic [1:0] order);
    permute = v;
    if (order[1]) permute = {permute[15:0], permute[31:16]};
    if (order[0]) permute = {permute[23:16], permute[31:24], permute[7:0], permute[15:8]};
  endfunction

  always_comb begin
    logic [1023:0] m;
    logic [31:0]   t, v;
    logic [31:0]   k; // bits of the columns that are swapped in a step
    m = '0;
    t = '0;
    v = '0;
    k = '0;
    any_o = '0;
    lane_o = '0;
    if (en_i) begin
      for (int unsigned l = 0; l < 32; l++) m[l*32 +: 32] = {31'd0, mask_i[l]} << units_i[l*5 +: 5];
      for (int unsigned j = 16; j >= 1; j = j / 2) begin
        case (j)
          16: k = 32'h0000ffff;
          8: k = 32'h00ff00ff;
          4: k = 32'h0f0f0f0f;
          2: k = 32'h33333333;
          default: k = 32'h55555555;
        endcase
        for (int unsigned r = 0; r < 32; r++) begin
          if ((r & j) == 0) begin
            t = ((m[r*32 +: 32] >> j) ^ m[(r+j)*32 +: 32]) & k;
            m[(r+j)*32 +: 32] = m[(r+j)*32 +: 32] ^ t;
            m[r*32 +: 32] = m[r*32 +: 32] ^ (t << j);
          end
        end
      end
      for (int unsigned b = 0; b < 32; b++) begin
        v = permute(m[b*32 +: 32], order_i);
        any_o[b] = v != '0;
        lane_o[b*5 +: 5] = first32(v) ^ {order_i, 3'd0};
      end
    end
  end
endmodule
