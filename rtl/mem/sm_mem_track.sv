// SPDX-License-Identifier: Apache-2.0
//
// sm_mem_track: which of the 128 tags are in use, and how much each block still has open (instructions with a tag and
// unacknowledged store flits). Up to four tags end in a cycle. tag_o: lowest free tag, valid with tag_valid_o; taken
// by acc_valid_i. busy_o and idle_o are registered counts' states. Reset: all free.
module sm_mem_track #(
    parameter int unsigned BlockSlots = 32
) (
    input  logic        clk_i,
    input  logic        rst_ni,
    output logic        tag_valid_o,
    output logic [6:0]  tag_o,
    input  logic        acc_valid_i,
    input  logic [4:0]  acc_block_i,
    input  logic [3:0]  end_valid_i,
    input  logic [27:0] end_tag_i,    // 7 bits each
    input  logic [2:0]  st_num_i,     // store flits that were given ids in this cycle
    input  logic [4:0]  st_block_i,
    input  logic [1:0]  ack_valid_i,
    input  logic [9:0]  ack_block_i,
    output logic [127:0] used_o,       // tags in use
    output logic [BlockSlots-1:0] busy_o,
    output logic        idle_o
);
  logic [127:0] used_q;
  logic [4:0]   block_q [128];
  logic [255:0] cnt_q; // 8 bits a block: at most 128 tags + 64 stores
  logic [31:0]  busy_q;
  logic [3:0]   word_any;
  logic [1:0]   word;
  logic [31:0]  free_word, free_oh;

  assign word_any = {~used_q[127:96] != '0, ~used_q[95:64] != '0, ~used_q[63:32] != '0, ~used_q[31:0] != '0};
  assign word = word_any[0] ? 2'd0 : word_any[1] ? 2'd1 : word_any[2] ? 2'd2 : 2'd3;
  assign free_word = ~used_q[{word, 5'd0} +: 32];
  assign free_oh = free_word & (~free_word + 32'd1);
  assign tag_valid_o = word_any != '0;
  assign tag_o = {word, (free_oh & 32'hffff0000) != '0, (free_oh & 32'hff00ff00) != '0, (free_oh & 32'hf0f0f0f0) != '0,
                  (free_oh & 32'hcccccccc) != '0, (free_oh & 32'haaaaaaaa) != '0};

  logic any_event;
  assign any_event = acc_valid_i || end_valid_i != '0 || st_num_i != '0 || ack_valid_i != '0;

  always_ff @(posedge clk_i) begin
    if (acc_valid_i) block_q[tag_o] <= acc_block_i;
  end

  always_ff @(posedge clk_i) begin
    logic [127:0] used;
    logic [255:0] cnt;
    logic [4:0]   b;
    used = used_q;
    cnt = cnt_q;
    b = '0;
    if (!rst_ni) begin
      used_q <= '0;
      cnt_q <= '0;
      busy_q <= '0;
    end else if (any_event) begin
      if (acc_valid_i) begin
        used[tag_o] = 1'b1;
        cnt[{acc_block_i, 3'd0} +: 8] = cnt[{acc_block_i, 3'd0} +: 8] + 8'd1;
      end
      for (int unsigned i = 0; i < 4; i++) begin
        if (end_valid_i[i]) begin
          b = block_q[end_tag_i[i*7 +: 7]];
          used[end_tag_i[i*7 +: 7]] = 1'b0;
          cnt[{b, 3'd0} +: 8] = cnt[{b, 3'd0} +: 8] - 8'd1;
        end
      end
      if (st_num_i != '0) cnt[{st_block_i, 3'd0} +: 8] = cnt[{st_block_i, 3'd0} +: 8] + {5'd0, st_num_i};
      for (int unsigned i = 0; i < 2; i++) begin
        if (ack_valid_i[i]) begin
          b = ack_block_i[i*5 +: 5];
          cnt[{b, 3'd0} +: 8] = cnt[{b, 3'd0} +: 8] - 8'd1;
        end
      end
      used_q <= used;
      cnt_q <= cnt;
      for (int unsigned i = 0; i < 32; i++) busy_q[i] <= cnt[i*8 +: 8] != '0;
    end
  end
  assign used_o = used_q;
  assign busy_o = busy_q[BlockSlots-1:0];
  assign idle_o = busy_q == '0;
endmodule
