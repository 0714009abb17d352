// SPDX-License-Identifier: Apache-2.0
//
// sm_smem: front of the shared pipe: holds one shared or shuffle instruction and cuts it into wavefronts, one a cycle
// when sel_i grants the pipe. Rules: rtl/README.md "Shared wavefronts" (measured on silicon); a shuffle is one
// wavefront. Latency: entry loaded in cycle n, first wavefront offered in n+1; the entry is free in the cycle of its
// last wavefront. Within a group each wavefront serves, for every bank, the word of the lowest unserved lane and all
// lanes of that word. Banks of wide accesses are pairs (64 bits) or fours (128 bits) of the 32 banks: `unit` below is
// the first bank of one. The common case, all lanes of the group in one 128-byte row, cannot conflict and is found
// first. An atomic's wavefront takes one lane of each unit, the lowest that is left. Reset: empty. wf_* outputs are valid with wf_valid_o && sel_i, else zero or stale.
module sm_smem (
    input  logic clk_i,
    input  logic rst_ni,

    // from sm_lsu
    input  logic          s_valid_i,
    output logic          s_ready_o,
    input  logic [6:0]    s_tag_i,
    input  logic          s_store_i,
    input  logic          s_shfl_i,
    input  logic          s_atom_i,
    input  logic [7:0]    s_aop_i,
    input  logic [2:0]    s_lg_i,
    input  logic [31:0]   s_mask_i,
    input  logic [223:0]  s_offs_i,
    input  logic [415:0]  s_rows_i,
    input  logic [2:0]    s_merge_i,
    input  logic [4095:0] s_data_i,

    // wavefront
    output logic          wf_valid_o,
    input  logic          sel_i,
    output logic [6:0]    wf_tag_o,
    output logic          wf_store_o,
    output logic          wf_shfl_o,
    output logic          wf_atom_o,
    output logic [7:0]    wf_aop_o,
    output logic [2:0]    wf_lg_o,
    output logic [31:0]   wf_lanes_o,
    output logic          wf_uniform_o, // one row for all banks
    output logic [12:0]   wf_row_o,     // if uniform
    output logic [415:0]  wf_rows_o,    // a bank, if not uniform
    output logic [223:0]  wf_offs_o,
    output logic [4095:0] wf_data_o
);
  logic          valid_q, store_q, shfl_q, atom_q;
  logic [7:0]    aop_q;
  logic [6:0]    tag_q;
  logic [2:0]    lg_q, merge_q;
  logic [31:0]   left_q;
  logic [223:0]  offs_q;
  logic [415:0]  rows_q;
  logic [4095:0] data_q;
  logic          last, load;

  // lowest set bit: {index}; 0 for an empty vector
  function automatic logic [4:0] first32(input logic [31:0] v);
    logic [31:0] oh;
    oh = v & (~v + 32'd1);
    first32 = {(oh & 32'hffff0000) != '0, (oh & 32'hff00ff00) != '0, (oh & 32'hf0f0f0f0) != '0,
               (oh & 32'hcccccccc) != '0, (oh & 32'haaaaaaaa) != '0};
  endfunction

  // lanes of the first group that has lanes left; groups that go together count as one
  function automatic logic [31:0] group(input logic [31:0] left, input logic [2:0] lg, input logic [2:0] merge);
    logic [3:0] any; // of each eight lanes
    any = {left[31:24] != '0, left[23:16] != '0, left[15:8] != '0, left[7:0] != '0};
    group = '1;
    if (lg == 3'd3) begin
      if (!merge[0]) group = any[1:0] != '0 ? 32'h0000ffff : 32'hffff0000;
    end else if (lg == 3'd4) begin
      if (any[1:0] != '0) group = merge[1] ? 32'h0000ffff : any[0] ? 32'h000000ff : 32'h0000ff00;
      else group = merge[2] || any[3:2] == '0 ? 32'hffff0000 : any[2] ? 32'h00ff0000 : 32'hff000000;
    end
  endfunction

  // first bank of the unit of banks that a word address (in its row) belongs to
  function automatic logic [4:0] unit(input logic [4:0] word, input logic [2:0] lg);
    unit = {word[4:2], word[1] && lg != 3'd4, word[0] && lg < 3'd3};
  endfunction

  // ---- candidates; one row for all of them? ----
  logic [31:0]  cand;
  logic [12:0]  row0, diff;
  logic         conflict;
  logic [159:0] units;

  always_comb begin
    cand = '0;
    row0 = '0;
    diff = '0;
    if (valid_q && sel_i) begin
      cand = left_q;
      if (!shfl_q) begin
        cand = left_q & group(left_q, lg_q, merge_q);
        row0 = rows_q[first32(cand)*13 +: 13];
        for (int unsigned l = 0; l < 32; l++) diff |= (rows_q[l*13 +: 13] ^ row0) & {13{cand[l]}};
      end
    end
  end
  assign conflict = diff != '0 || (atom_q && cand != '0);

  // ---- different rows: each bank takes that of its lowest lane ----
  logic [31:0]  bank_any;
  logic [159:0] bank_lane;

  always_comb begin
    units = '0;
    if (conflict) for (int unsigned l = 0; l < 32; l++) units[l*5 +: 5] = unit(offs_q[l*7+2 +: 5], lg_q);
  end
  sm_lane_pick u_pick (
      .en_i(conflict), .mask_i(cand), .units_i(units), .order_i(2'd0), .any_o(bank_any), .lane_o(bank_lane)
  );

  always_comb begin
    logic [415:0] brow;
    logic [4:0]   bank;
    brow = '0;
    bank = '0;
    wf_lanes_o = cand;
    wf_rows_o = '0;
    if (conflict) begin
      for (int unsigned b = 0; b < 32; b++) begin
        if (bank_any[b]) brow[b*13 +: 13] = rows_q[bank_lane[b*5 +: 5]*13 +: 13];
      end
      for (int unsigned l = 0; l < 32; l++) begin
        bank = units[l*5 +: 5];
        wf_lanes_o[l] = cand[l] && (atom_q ? bank_lane[bank*5 +: 5] == 5'(l) : rows_q[l*13 +: 13] == brow[bank*13 +: 13]);
      end
      for (int unsigned b = 0; b < 32; b++) begin
        bank = unit(5'(b), lg_q);
        wf_rows_o[b*13 +: 13] = brow[bank*13 +: 13];
      end
    end
  end
  assign wf_uniform_o = !conflict;
  assign wf_row_o = row0;

  assign wf_valid_o = valid_q;
  assign wf_tag_o = tag_q;
  assign wf_store_o = store_q;
  assign wf_shfl_o = shfl_q;
  assign wf_atom_o = atom_q;
  assign wf_aop_o = aop_q;
  assign wf_lg_o = lg_q;
  assign wf_offs_o = offs_q;
  assign wf_data_o = data_q;
  assign last = sel_i && (left_q & ~wf_lanes_o) == '0;
  assign s_ready_o = !valid_q || last;
  assign load = s_valid_i && s_ready_o;

  always_ff @(posedge clk_i) begin
    if (load) begin
      tag_q <= s_tag_i;
      store_q <= s_store_i;
      shfl_q <= s_shfl_i;
      atom_q <= s_atom_i;
      aop_q <= s_aop_i;
      lg_q <= s_lg_i;
      merge_q <= s_store_i ? '0 : s_merge_i;
      offs_q <= s_offs_i;
      rows_q <= s_rows_i;
      if (s_store_i || s_shfl_i || s_atom_i) data_q[1023:0] <= s_data_i[1023:0];
      if (s_atom_i || (s_store_i && s_lg_i >= 3'd3)) data_q[4095:1024] <= s_data_i[4095:1024];
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= 1'b0;
    else if (load) valid_q <= 1'b1;
    else if (last) valid_q <= 1'b0;
  end
  always_ff @(posedge clk_i) begin
    if (load) left_q <= s_mask_i;
    else if (valid_q && sel_i) left_q <= left_q & ~wf_lanes_o;
  end
endmodule
