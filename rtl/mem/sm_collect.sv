// SPDX-License-Identifier: Apache-2.0
//
// sm_collect: the loads in flight: what each tag is, which lanes are still missing, its collecting buffer of four
// rows, and the write-back. A load is complete when all its lanes were delivered; after a fixed delay (padding to
// silicon's latency) it queues for write-back: one beat (8..64 bits) or two (128 bits), one beat a cycle for the SM.
// del_*: lanes delivered this cycle (loads, with data) or performed (stores). A store's tag is freed when no lane is
// left; a load's with its last beat taken. LDSM: rows of 16 bytes are collected as a 128-bit load of the lanes that
// give one (acc_left_i); its beats (acc_beats_i) are the matrices made of them, lanes that gave none count as zeros. Latency: delivered in cycle n, beat offered in n+2+pad at the earliest.
// pad_shared_i (shared loads, shuffles), pad_global_i: the preset's, see rtl/mem/README.md. Reset: nothing in flight.
module sm_collect #(
    parameter int unsigned SubCores = 4
) (
    input  logic clk_i,
    input  logic rst_ni,
    input  logic [4:0]  pad_shared_i,  // constant while loads are in flight
    input  logic [4:0]  pad_global_i,

    // accepted instruction
    input  logic        acc_valid_i,
    input  logic [6:0]  acc_tag_i,
    input  logic [1:0]  acc_sub_i,
    input  logic [3:0]  acc_slot_i,
    input  logic [7:0]  acc_rd_i,
    input  logic [2:0]  acc_pd_i,
    input  logic [2:0]  acc_size_i,
    input  logic        acc_load_i,
    input  logic        acc_shfl_i,
    input  logic        acc_global_i,
    input  logic [31:0] acc_mask_i,
    input  logic [31:0] acc_left_i,
    input  logic [2:0]  acc_beats_i,
    input  logic        acc_ldsm_i,
    input  logic        acc_trans_i,
    input  logic        pred_valid_i, // a shuffle's predicates
    input  logic [6:0]  pred_tag_i,
    input  logic [31:0] pred_i,

    // the size of a tag, for the crossbar
    input  logic [6:0]  size_tag_i,
    output logic [2:0]  size_o,

    // delivery
    input  logic          del_valid_i,
    input  logic [6:0]    del_tag_i,
    input  logic [31:0]   del_lanes_i,
    input  logic          del_data_i,  // loads
    input  logic [1023:0] del_w0_i,
    input  logic [1023:0] del_w1_i,
    input  logic [1023:0] del_w2_i,
    input  logic [1023:0] del_w3_i,

    // tags that end
    output logic        st_done_o,     // del_tag_i: a store has performed
    output logic        ld_done_o,     // ld_done_tag_o: last beat taken
    output logic [6:0]  ld_done_tag_o,

    // write-back
    output logic [SubCores-1:0]      wb_valid_o,
    input  logic [SubCores-1:0]      wb_ready_i,
    output logic [SubCores*4-1:0]    wb_slot_o,
    output logic [SubCores*8-1:0]    wb_rd_o,
    output logic [SubCores-1:0]      wb_wide_o,
    output logic [SubCores*32-1:0]   wb_mask_o,
    output logic [SubCores*2048-1:0] wb_data_o,
    output logic [SubCores-1:0]      wb_last_o,
    output logic [SubCores-1:0]      wb_pvalid_o,
    output logic [SubCores*3-1:0]    wb_pd_o,
    output logic [SubCores*32-1:0]   wb_pbits_o
);
  // ---- table of tags ----
  // [59] LDSM.T, [58] LDSM, [57:55] MSIZE of the beats, [54:53] sub, [52:49] slot, [48:41] rd, [40:38] pd, [37:35] size, [34] load, [33] shuffle, [32] global, [31:0] mask
  logic [59:0] tab_q [128];
  logic [31:0] left_q [128];
  logic        del_load, del_global;
  logic [31:0] left;
  logic [2:0]  del_size;

  always_ff @(posedge clk_i) begin
    if (acc_valid_i) begin
      tab_q[acc_tag_i] <= {acc_trans_i, acc_ldsm_i, acc_beats_i, acc_sub_i, acc_slot_i, acc_rd_i, acc_pd_i, acc_size_i, acc_load_i, acc_shfl_i, acc_global_i,
                           acc_mask_i};
      left_q[acc_tag_i] <= acc_left_i;
    end
    if (del_valid_i) left_q[del_tag_i] <= left;
  end
  assign del_size = tab_q[del_tag_i][37:35];
  assign del_load = tab_q[del_tag_i][34];
  assign del_global = tab_q[del_tag_i][32];
  assign size_o = tab_q[size_tag_i][37:35];
  assign left = left_q[del_tag_i] & ~del_lanes_i;

  // ---- collecting buffers ----
  logic          rd_en;
  logic [6:0]    rd_tag;
  logic [4095:0] rd_data;
  logic [3:0]    we;
  assign we = {{2{del_size == sm_isa_pkg::ValMSIZE_128}}, del_size == sm_isa_pkg::ValMSIZE_128 ||
               del_size == sm_isa_pkg::ValMSIZE_64, 1'b1} & {4{del_valid_i && del_data_i}};
  logic [3:0] re;
  sm_ram_row #(.Depth(128)) u_row0 (
      .clk_i, .we_i(we[0]), .waddr_i(del_tag_i), .wmask_i(del_lanes_i), .wdata_i(del_w0_i),
      .re_i(re[0]), .raddr_i(rd_tag), .rdata_o(rd_data[1023:0])
  );
  sm_ram_row #(.Depth(128)) u_row1 (
      .clk_i, .we_i(we[1]), .waddr_i(del_tag_i), .wmask_i(del_lanes_i), .wdata_i(del_w1_i),
      .re_i(re[1]), .raddr_i(rd_tag), .rdata_o(rd_data[2047:1024])
  );
  sm_ram_row #(.Depth(128)) u_row2 (
      .clk_i, .we_i(we[2]), .waddr_i(del_tag_i), .wmask_i(del_lanes_i), .wdata_i(del_w2_i),
      .re_i(re[2]), .raddr_i(rd_tag), .rdata_o(rd_data[3071:2048])
  );
  sm_ram_row #(.Depth(128)) u_row3 (
      .clk_i, .we_i(we[3]), .waddr_i(del_tag_i), .wmask_i(del_lanes_i), .wdata_i(del_w3_i),
      .re_i(re[3]), .raddr_i(rd_tag), .rdata_o(rd_data[4095:3072])
  );
  logic [31:0] pred_q [128];
  always_ff @(posedge clk_i) if (pred_valid_i) pred_q[pred_tag_i] <= pred_i;

  // ---- completion, padded; then in order of completion ----
  logic complete, sh_in, gl_in;
  logic [7:0] sh_out, gl_out; // valid, tag
  assign complete = del_valid_i && left == '0;
  assign st_done_o = complete && !del_load;
  assign sh_in = complete && del_load && !del_global;
  assign gl_in = complete && del_load && del_global;
  sm_delay #(.Width(7)) u_pad_shared (
      .clk_i, .rst_ni, .delay_i(pad_shared_i), .valid_i(sh_in), .data_i(del_tag_i), .valid_o(sh_out[7]),
      .data_o(sh_out[6:0])
  );
  sm_delay #(.Width(7)) u_pad_global (
      .clk_i, .rst_ni, .delay_i(pad_global_i), .valid_i(gl_in), .data_i(del_tag_i), .valid_o(gl_out[7]),
      .data_o(gl_out[6:0])
  );

  // at most 128 tags: the queues never refuse
  logic sh_pend, gl_pend, sh_pop, gl_pop;
  logic [1:0] unused_ready;
  logic [6:0] sh_tag, gl_tag;
  sm_fifo #(.Width(7), .Depth(128)) u_q_shared (
      .clk_i, .rst_ni, .push_valid_i(sh_out[7]), .push_ready_o(unused_ready[0]), .wdata_i(sh_out[6:0]),
      .pop_valid_o(sh_pend), .pop_ready_i(sh_pop), .rdata_o(sh_tag)
  );
  sm_fifo #(.Width(7), .Depth(128)) u_q_global (
      .clk_i, .rst_ni, .push_valid_i(gl_out[7]), .push_ready_o(unused_ready[1]), .wdata_i(gl_out[6:0]),
      .pop_valid_o(gl_pend), .pop_ready_i(gl_pop), .rdata_o(gl_tag)
  );

  // ---- beats ----
  // The beat in the output register; two_q: words 2 and 3 of the tag follow. turn_q: the global queue goes first.
  logic          out_valid_q, out_last_q, out_wide_q, out_pvalid_q, two_q, turn_q, free_now, start, from_gl;
  logic [6:0]    out_tag_q;
  logic [1:0]    out_sub_q;
  logic [3:0]    out_slot_q;
  logic [7:0]    out_rd_q;
  logic [2:0]    out_pd_q;
  logic [31:0]   out_mask_q, out_pbits_q;
  logic [2047:0] out_data_q;
  logic [59:0]   rd_tab;
  logic          rd_ldsm, rd_pair, rd_quad;
  logic          taken;
  localparam int unsigned SubBits = SubCores > 1 ? $clog2(SubCores) : 1;

  assign taken = out_valid_q && wb_ready_i[out_sub_q[SubBits-1:0]];
  assign free_now = !out_valid_q || taken;
  assign from_gl = gl_pend && (!sh_pend || turn_q);
  assign start = free_now && !two_q && (gl_pend || sh_pend);
  assign sh_pop = start && !from_gl;
  assign gl_pop = start && from_gl;
  assign rd_en = free_now && (two_q || start);
  assign rd_tag = two_q ? out_tag_q : from_gl ? gl_tag : sh_tag;
  assign rd_tab = tab_q[rd_tag];
  assign rd_ldsm = rd_tab[58];
  assign rd_quad = rd_tab[57:55] == sm_isa_pkg::ValMSIZE_128;
  assign rd_pair = rd_tab[57:55] == sm_isa_pkg::ValMSIZE_64 || rd_quad;
  assign re[0] = rd_en && (!two_q || rd_ldsm);
  assign re[1] = rd_en && ((!two_q && rd_pair) || rd_ldsm);
  assign re[2] = rd_en && (two_q || rd_ldsm);
  assign re[3] = rd_en && (two_q || rd_ldsm);

  // matrix k of an LDSM: rows of lanes 8k..8k+7. Lane l gets elements 2(l%4), +1 of row l/4, or with .T element l/4 of
  // rows 2(l%4), +1.
  function automatic logic [1023:0] matrix(input logic [4095:0] rows, input logic [31:0] lanes, input logic trans,
                                           input logic [1:0] k);
    logic [1023:0] m;       // 128 bits a row
    logic [31:0]   low, high;
    logic [2:0]    r;       // row, element pair of the lower half
    logic [1:0]    w;
    for (int unsigned i = 0; i < 8; i++) begin
      for (int unsigned j = 0; j < 4; j++)
        m[i*128+j*32 +: 32] = rows[{2'(j), k, 3'(i), 5'd0} +: 32] & {32{lanes[{k, 3'(i)}]}};
    end
    for (int unsigned l = 0; l < 32; l++) begin
      r = trans ? {2'(l % 4), 1'b0} : 3'(l / 4);
      w = trans ? 2'(l / 8) : 2'(l % 4);
      low = m[{r, w, 5'd0} +: 32];
      high = m[{r | 3'd1, w, 5'd0} +: 32];
      matrix[l*32 +: 32] = !trans ? low : (l / 4) % 2 == 0 ? {high[15:0], low[15:0]} : {high[31:16], low[31:16]};
    end
  endfunction
  assign ld_done_o = taken && out_last_q;
  assign ld_done_tag_o = out_tag_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      out_valid_q <= 1'b0;
      two_q <= 1'b0;
      turn_q <= 1'b0;
    end else if (free_now) begin
      out_valid_q <= rd_en;
      two_q <= start && rd_quad;
      if (start) turn_q <= !from_gl;
    end
  end
  always_ff @(posedge clk_i) begin
    if (rd_en) begin
      out_tag_q <= rd_tag;
      out_sub_q <= rd_tab[54:53];
      out_slot_q <= rd_tab[52:49];
      out_rd_q <= rd_tab[48:41] + (two_q && rd_tab[48:41] != sm_isa_pkg::RegZ ? 8'd2 : 8'd0);
      out_pd_q <= rd_tab[40:38];
      out_pvalid_q <= rd_tab[33] && rd_tab[40:38] != sm_isa_pkg::PredT;
      out_wide_q <= rd_pair;
      out_last_q <= two_q || !rd_quad;
      out_mask_q <= rd_tab[31:0];
      if (re[0]) out_data_q[1023:0] <= rd_data[1023:0];
      if (re[1]) out_data_q[2047:1024] <= rd_data[2047:1024];
      if (two_q) out_data_q <= rd_data[4095:2048];
      if (rd_ldsm) begin
        out_data_q[1023:0] <= matrix(rd_data, rd_tab[31:0], rd_tab[59], {two_q, 1'b0});
        if (rd_pair) out_data_q[2047:1024] <= matrix(rd_data, rd_tab[31:0], rd_tab[59], {two_q, 1'b1});
      end
      if (rd_tab[33]) out_pbits_q <= pred_q[rd_tag];
    end
  end

  always_comb begin
    for (int unsigned s = 0; s < SubCores; s++) wb_valid_o[s] = out_valid_q && out_sub_q == 2'(s);
  end
  assign wb_slot_o = {SubCores{out_slot_q}};
  assign wb_rd_o = {SubCores{out_rd_q}};
  assign wb_wide_o = {SubCores{out_wide_q}};
  assign wb_mask_o = {SubCores{out_mask_q}};
  assign wb_data_o = {SubCores{out_data_q}};
  assign wb_last_o = {SubCores{out_last_q}};
  assign wb_pvalid_o = {SubCores{out_pvalid_q}};
  assign wb_pd_o = {SubCores{out_pd_q}};
  assign wb_pbits_o = {SubCores{out_pbits_q}};
  logic unused;
  assign unused = ^{unused_ready, rd_tab[37:34], rd_tab[32]};
endmodule
