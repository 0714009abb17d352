// SPDX-License-Identifier: Apache-2.0
//
// sm_store_xbar: store data of the lanes -> one 128-byte row with byte mask. Combinational; zero while en_i is low.
// Several lanes with one byte: the lowest lane of the last group stays (groups: 32 lanes up to 32 bits, 16 at 64
// bits, 8 at 128 bits). Source: silicon/warp/samestore.csv. data_i: rows rc..rc+3, lane l's word at bit 32*l of each
// row. The full-warp unit-stride store of words is found first; else each bank looks for its lane, sub-word stores
// for each byte of the bank. shift_i: the lanes' data begin that many rows further up (operands behind the first).
module sm_store_xbar (
    input  logic          en_i,
    input  logic [31:0]   lanes_i,
    input  logic [2:0]    lg_i,
    input  logic [223:0]  offs_i,
    input  logic [4095:0] data_i,
    input  logic [1:0]    shift_i,
    output logic [1023:0] row_o,
    output logic [127:0]  bmask_o
);
  // offsets of a unit-stride warp of words: lane * 4
  function automatic logic [223:0] unit_offs();
    for (int unsigned l = 0; l < 32; l++) unit_offs[l*7 +: 7] = 7'(l * 4);
  endfunction

  logic         fast;
  logic [1:0]   order;
  logic [159:0] units;
  logic [127:0] any;  // 32 banks for each byte of a word; words use byte 0's
  logic [639:0] lane;

  always_comb begin
    units = '0;
    fast = 1'b0;
    if (en_i) begin
      fast = shift_i == 2'd0 && lg_i == 3'd2 && lanes_i == '1 && offs_i == unit_offs();
      // first bank of the unit of one, two or four banks that the lane writes
      for (int unsigned l = 0; l < 32; l++)
        units[l*5 +: 5] = {offs_i[l*7+4 +: 3], offs_i[l*7+3] && lg_i != 3'd4, offs_i[l*7+2] && lg_i < 3'd3};
    end
  end
  assign order = {lg_i >= 3'd3, lg_i == 3'd4};

  // lanes that write byte c of their word
  function automatic logic [31:0] covers(input logic [31:0] lanes, input logic [223:0] offs, input logic [2:0] lg,
                                         input logic [1:0] c);
    covers = lanes;
    if (lg == 3'd0) for (int unsigned l = 0; l < 32; l++) covers[l] = lanes[l] && offs[l*7 +: 2] == c;
    if (lg == 3'd1) for (int unsigned l = 0; l < 32; l++) covers[l] = lanes[l] && offs[l*7+1] == c[1];
  endfunction

  for (genvar c = 0; c < 4; c++) begin : gen_byte
    logic        en;
    logic [31:0] mask;
    assign en = en_i && !fast && (c == 0 || lg_i < 3'd2);
    always_comb begin
      mask = '0;
      if (en) mask = covers(lanes_i, offs_i, lg_i, 2'(c));
    end
    sm_lane_pick u_pick (
        .en_i(en), .mask_i(mask), .units_i(units), .order_i(order),
        .any_o(any[c*32 +: 32]), .lane_o(lane[c*160 +: 160])
    );
  end

  always_comb begin
    logic [4:0] first;
    logic [1:0] word;
    first = '0;
    word = '0;
    row_o = '0;
    bmask_o = '0;
    if (fast) begin
      row_o = data_i[1023:0];
      bmask_o = '1;
    end else if (en_i && lg_i >= 3'd2) begin
      for (int unsigned b = 0; b < 32; b++) begin
        word = lg_i == 3'd4 ? 2'(b) : lg_i == 3'd3 ? {1'b0, 1'(b)} : 2'd0;
        first = 5'(b) & ~{3'd0, word};
        row_o[b*32 +: 32] = data_i[{word + shift_i, lane[first*5 +: 5], 5'd0} +: 32];
        bmask_o[b*4 +: 4] = {4{any[{2'd0, first}]}};
      end
    end else if (en_i) begin
      for (int unsigned b = 0; b < 32; b++) begin
        for (int unsigned c = 0; c < 4; c++) begin
          row_o[b*32+c*8 +: 8] = data_i[{shift_i, lane[c*160+b*5 +: 5], 1'b0, lg_i[0] && 1'(c), 3'd0} +: 8];
          bmask_o[b*4+c] = any[c*32+b];
        end
      end
    end
  end
endmodule
