// SPDX-License-Identifier: Apache-2.0
//
// sm_l1d: tags of the sectored L1: one lookup and update a cycle, both in the cycle of op_valid_i (outputs
// combinational, state at the clock edge), so operations take effect in the order they come: this is the SM's order
// of global accesses. sets_i x ways_i lines of 128 bytes (sets: power of two <= SmemBytes/512; ways: 0..8, larger
// values count as 8; 0 = no L1); line (set s, way w) lies in data row base_row_i + s * ways + w. Replacement: an
// invalid way, else the lowest not recently used one (one bit a way, cleared when all are set). A way is valid if one
// of its sectors is. load: hit_o = sectors present. store: the same, they are to be updated. bypass_i (.CG, .CV):
// hit_o = 0, the sectors are dropped. fill_i: sectors secs_i become valid in row_o. inval_i: all lines are dropped at
// the edge, after this cycle's operation. Rules: rtl/README.md, Memory.
module sm_l1d #(
    parameter int unsigned SmemBytes = 262144,
    localparam int unsigned MaxSets = SmemBytes / 512,
    localparam int unsigned SetBits = $clog2(MaxSets),
    localparam int unsigned MaxWays = 8,
    localparam int unsigned WayBits = 46 // line 41, sectors 4, recently used 1
) (
    input  logic        clk_i,
    input  logic        rst_ni,
    input  logic [11:0] sets_i,
    input  logic [3:0]  ways_i,
    input  logic [12:0] base_row_i,
    input  logic        inval_i,
    input  logic        op_valid_i,
    input  logic        fill_i,
    input  logic        bypass_i,
    input  logic [40:0] line_i,
    input  logic [3:0]  secs_i,
    output logic [3:0]  hit_o,
    output logic [12:0] row_o,
    output logic        evict_o,      // the fill displaces a line with valid sectors
    output logic [40:0] evict_line_o
);
  logic [MaxSets-1:0]         known_q; // set was written since the last invalidate
  logic [SetBits-1:0]         set;
  logic [MaxWays*WayBits-1:0] ram_row, row, row_new;
  logic [MaxWays-1:0]         ways_on, match, empty, old, way;
  logic [3:0]                 ways;
  logic                       we;

  assign ways = ways_i > 4'd8 ? 4'd8 : ways_i;
  assign ways_on = MaxWays'((9'd1 << ways) - 9'd1);
  assign set = SetBits'(line_i[11:0] & (sets_i - 12'd1));

  sm_ram_1r1w #(.Width(MaxWays*WayBits), .Depth(MaxSets)) u_tags (
      .clk_i, .we_i(we), .waddr_i(set), .wdata_i(row_new), .re_i(op_valid_i), .raddr_i(set), .rdata_o(ram_row)
  );

  // ways that hold the line, are free, were not used recently
  always_comb begin
    row = '0;
    match = '0;
    empty = '0;
    old = '0;
    if (op_valid_i) begin
      if (known_q[set]) row = ram_row;
      for (int unsigned w = 0; w < MaxWays; w++) begin
        empty[w] = ways_on[w] && row[w*WayBits+41 +: 4] == '0;
        match[w] = ways_on[w] && !empty[w] && row[w*WayBits +: 41] == line_i;
        old[w] = ways_on[w] && !row[w*WayBits+45];
      end
    end
  end

  // the way that is touched, one-hot: the line's, or the victim of a fill
  always_comb begin
    way = match;
    if (fill_i && match == '0) begin
      if (empty != '0) way = empty & (~empty + 8'd1);
      else if (old != '0) way = old & (~old + 8'd1);
      else way = ways_on & 8'd1; // a single way is always recently used
    end
  end

  always_comb begin
    logic [3:0] secv;
    logic       all_used;
    secv = '0;
    row_new = row;
    row_o = base_row_i + 13'(set) * 13'(ways);
    hit_o = '0;
    all_used = (old & ~way) == '0;
    if (way != '0) begin
      for (int unsigned w = 0; w < MaxWays; w++) begin
        secv = row[w*WayBits+41 +: 4];
        if (way[w]) begin
          row_o = base_row_i + 13'(set) * 13'(ways) + 13'(w);
          row_new[w*WayBits+45] = 1'b1;
          if (fill_i) begin
            row_new[w*WayBits +: 41] = line_i;
            row_new[w*WayBits+41 +: 4] = match[w] ? secv | secs_i : secs_i;
          end else if (bypass_i) begin
            row_new[w*WayBits+41 +: 4] = secv & ~secs_i;
          end else begin
            hit_o = secv & secs_i;
          end
        end else if (all_used) begin
          row_new[w*WayBits+45] = 1'b0;
        end
      end
    end
  end
  always_comb begin
    evict_o = 1'b0;
    evict_line_o = '0;
    if (fill_i && secs_i != '0 && match == '0 && empty == '0 && way != '0) begin
      evict_o = 1'b1;
      for (int unsigned w = 0; w < MaxWays; w++) if (way[w]) evict_line_o |= row[w*WayBits +: 41];
    end
  end
  assign we = way != '0 && row_new != row && !(fill_i && secs_i == '0);

  always_ff @(posedge clk_i) begin
    if (!rst_ni || inval_i) known_q <= '0;
    else if (we) known_q[set] <= 1'b1;
  end
endmodule
