// SPDX-License-Identifier: Apache-2.0
//
// sm_coalescer: front of the global path: holds one global load or store and cuts it into 128-byte line transactions in
// ascending line address, one a cycle when sel_i grants the pipe.
// Latency: entry loaded in cycle n, first line offered in n+1; the entry is free in the cycle of its last line. A lane
// never crosses a sector: addresses are aligned to the access. Source: silicon/README.md, global loads and stores (tag
// requests = distinct 128-byte lines, sectors = distinct 32-byte sectors). Reset: empty.
// An atomic's transaction takes each word (64-bit types: each pair) of its line once, the lowest lane that is left; a
// line comes as often as it must. A transaction of LDC (g_const_i) answers one address, that of the lowest lane left in the line:
// the constant cache reads a word for the warp at a time (silicon/README.md, constmem). ln_sec_lanes_o: lanes of sector 0, 1, 2, 3. Outputs are valid with ln_valid_o && sel_i.
module sm_coalescer (
    input  logic clk_i,
    input  logic rst_ni,

    // from sm_lsu
    input  logic          g_valid_i,
    output logic          g_ready_o,
    input  logic [6:0]    g_tag_i,
    input  logic          g_store_i,
    input  logic          g_bypass_i,
    input  logic          g_atom_i,
    input  logic          g_const_i,
    input  logic [7:0]    g_aop_i,
    input  logic [2:0]    g_lg_i,
    input  logic [31:0]   g_mask_i,
    input  logic [1311:0] g_lines_i,
    input  logic [223:0]  g_offs_i,
    input  logic [4095:0] g_data_i,
    input  logic [5:0]    g_warp_i,
    input  logic [27:0]   g_pc_i,
    input  logic [4:0]    g_block_i,

    // line transaction
    output logic          ln_valid_o,
    input  logic          sel_i,
    output logic [6:0]    ln_tag_o,
    output logic          ln_store_o,
    output logic          ln_bypass_o,
    output logic          ln_atom_o,
    output logic [7:0]    ln_aop_o,
    output logic [2:0]    ln_lg_o,
    output logic [40:0]   ln_line_o,
    output logic [127:0]  ln_sec_lanes_o,
    output logic [223:0]  ln_offs_o,
    output logic [4095:0] ln_data_o,
    output logic [5:0]    ln_warp_o,
    output logic [27:0]   ln_pc_o,
    output logic [4:0]    ln_block_o
);
  logic          valid_q, store_q, bypass_q, atom_q, const_q;
  logic [7:0]    aop_q;
  logic [6:0]    tag_q;
  logic [2:0]    lg_q;
  logic [31:0]   left_q, of_line, once, lanes;
  logic [1311:0] lines_q;
  logic [223:0]  offs_q;
  logic [4095:0] data_q;
  logic [5:0]    warp_q;
  logic [27:0]   pc_q;
  logic [4:0]    block_q;
  logic          last, load;

  // smallest line of the lanes left, by a tree of pairs
  function automatic logic [40:0] least(input logic [31:0] left, input logic [1311:0] lines);
    logic [1343:0] t; // 42 bits a lane; a lane that is off is larger than every line
    for (int unsigned l = 0; l < 32; l++) t[l*42 +: 42] = {!left[l], lines[l*41 +: 41]};
    for (int unsigned n = 16; n >= 1; n = n / 2) begin
      for (int unsigned l = 0; l < n; l++) begin
        if (t[(l+n)*42 +: 42] < t[l*42 +: 42]) t[l*42 +: 42] = t[(l+n)*42 +: 42];
      end
    end
    least = t[40:0];
  endfunction

  function automatic logic [4:0] first32(input logic [31:0] v);
    logic [31:0] oh;
    oh = v & (~v + 32'd1);
    first32 = {(oh & 32'hffff0000) != '0, (oh & 32'hff00ff00) != '0, (oh & 32'hf0f0f0f0) != '0,
               (oh & 32'hcccccccc) != '0, (oh & 32'haaaaaaaa) != '0};
  endfunction

  always_comb begin
    logic [40:0] line, diff;
    line = '0;
    diff = '0;
    of_line = '0;
    if (valid_q && sel_i) begin
      line = lines_q[first32(left_q)*41 +: 41];
      for (int unsigned l = 0; l < 32; l++) diff |= (lines_q[l*41 +: 41] ^ line) & {41{left_q[l]}};
      of_line = left_q;
      if (diff != '0) begin
        line = least(left_q, lines_q);
        for (int unsigned l = 0; l < 32; l++) of_line[l] = left_q[l] && lines_q[l*41 +: 41] == line;
      end
    end
    ln_line_o = line;
  end

  // atomics: the first lane of each word; constants: the lanes of the first one's address
  logic         pick;
  logic [159:0] units, first;
  logic [31:0]  unused_any;
  assign pick = valid_q && sel_i && atom_q;
  always_comb begin
    units = '0;
    if (pick) for (int unsigned l = 0; l < 32; l++) units[l*5 +: 5] = {offs_q[l*7+3 +: 4], offs_q[l*7+2] && lg_q < 3'd3};
  end
  sm_lane_pick u_pick (
      .en_i(pick), .mask_i(of_line), .units_i(units), .order_i(2'd0), .any_o(unused_any), .lane_o(first)
  );
  always_comb begin
    logic [6:0] at;
    once = '1;
    at = '0;
    if (valid_q && sel_i && const_q) begin
      at = offs_q[first32(of_line)*7 +: 7];
      for (int unsigned l = 0; l < 32; l++) once[l] = offs_q[l*7 +: 7] == at;
    end
    if (pick) for (int unsigned l = 0; l < 32; l++) once[l] = first[units[l*5 +: 5]*5 +: 5] == 5'(l);
  end
  assign lanes = of_line & once;

  always_comb begin
    ln_sec_lanes_o = '0;
    if (valid_q && sel_i) begin
      for (int unsigned l = 0; l < 32; l++) begin
        for (int unsigned s = 0; s < 4; s++) ln_sec_lanes_o[s*32+l] = lanes[l] && offs_q[l*7+5 +: 2] == 2'(s);
      end
    end
  end

  assign ln_valid_o = valid_q;
  assign ln_tag_o = tag_q;
  assign ln_store_o = store_q;
  assign ln_bypass_o = bypass_q;
  assign ln_atom_o = atom_q;
  assign ln_aop_o = aop_q;
  assign ln_lg_o = lg_q;
  assign ln_offs_o = offs_q;
  assign ln_data_o = data_q;
  assign ln_warp_o = warp_q;
  assign ln_pc_o = pc_q;
  assign ln_block_o = block_q;
  assign last = sel_i && (left_q & ~lanes) == '0;
  assign g_ready_o = !valid_q || last;
  assign load = g_valid_i && g_ready_o;

  always_ff @(posedge clk_i) begin
    if (load) begin
      tag_q <= g_tag_i;
      store_q <= g_store_i;
      bypass_q <= g_bypass_i;
      atom_q <= g_atom_i;
      const_q <= g_const_i;
      aop_q <= g_aop_i;
      lg_q <= g_lg_i;
      lines_q <= g_lines_i;
      offs_q <= g_offs_i;
      if (g_store_i || g_atom_i) data_q[1023:0] <= g_data_i[1023:0];
      if (g_atom_i || (g_store_i && g_lg_i >= 3'd3)) data_q[4095:1024] <= g_data_i[4095:1024];
      warp_q <= g_warp_i;
      pc_q <= g_pc_i;
      block_q <= g_block_i;
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= 1'b0;
    else if (load) valid_q <= 1'b1;
    else if (last) valid_q <= 1'b0;
  end
  always_ff @(posedge clk_i) begin
    if (load) left_q <= g_mask_i;
    else if (valid_q && sel_i) left_q <= left_q & ~lanes;
  end
  logic unused;
  assign unused = ^unused_any;
endmodule
