// SPDX-License-Identifier: Apache-2.0
//
// sm_ccws_vta: victim tags of an SM (lost locality detector of CCWS): for each warp the last lines that it had
// brought into the L1 and that were displaced there, Entries lines in sets of Ways; the line address picks the set,
// the oldest displacement makes room. A load that misses the L1 and finds its line under its own warp is a hit,
// reported one cycle after miss_i. Who brought a line is kept by data row of the L1. init_*: the warp id gets a new
// warp, its tags are dropped. miss_i, fill_i: at most one a cycle; evict_i only with fill_i. Warp id: sub-core +
// SubCores * slot. en_i = 0: does nothing and keeps its state. Outputs are flops. Reset: no tags.
// Source: Rogers et al., MICRO 2012 (8 ways, 16 entries a warp). Twin: model/twin/vta. See also: sm_sched_ccws.
module sm_ccws_vta #(
    parameter int unsigned Rows = 2048,      // rows of the L1 data array
    parameter int unsigned Entries = 16,
    parameter int unsigned Ways = 8          // Entries / Ways: power of two
) (
    input  logic        clk_i,
    input  logic        rst_ni,
    input  logic        en_i,
    input  logic        init_valid_i,
    input  logic [5:0]  init_warp_i,
    input  logic        miss_i,
    input  logic        fill_i,
    input  logic        evict_i,
    input  logic [5:0]  warp_i,              // whose load missed, or asked for the line that is filled
    input  logic [40:0] line_i,
    input  logic [40:0] victim_i,
    input  logic [12:0] row_i,
    output logic        hit_valid_o,
    output logic [5:0]  hit_warp_o
);
  localparam int unsigned Sets = Entries / Ways;
  localparam int unsigned RowBits = $clog2(Rows);
  localparam int unsigned TagBits = 42;      // valid, line

  // ---- who brought the line of a row ----
  logic       owned, probe, insert, look;
  logic [5:0] owner;
  assign owned = en_i && fill_i;
  assign insert = owned && evict_i;
  assign probe = en_i && miss_i;
  assign look = probe || insert;
  sm_ram_1r1w #(.Width(6), .Depth(Rows)) u_owner (
      .clk_i, .we_i(owned), .waddr_i(row_i[RowBits-1:0]), .wdata_i(warp_i), .re_i(insert), .raddr_i(row_i[RowBits-1:0]),
      .rdata_o(owner)
  );

  // ---- tags by {warp, set}, the youngest lowest ----
  logic [64*Sets-1:0]      known_q;          // the row was written since its warp was bound
  logic [Ways*TagBits-1:0] ram_row, row, row_new;
  logic [Ways-1:0]         match;
  logic [40:0]             line;
  logic [31:0]             index;
  assign line = insert ? victim_i : line_i;
  assign index = (insert ? {26'd0, owner} : {26'd0, warp_i}) * Sets + 32'(line) % Sets;
  sm_ram_1r1w #(.Width(Ways*TagBits), .Depth(64*Sets)) u_tags (
      .clk_i, .we_i(insert), .waddr_i(index[$clog2(64*Sets)-1:0]), .wdata_i(row_new), .re_i(look),
      .raddr_i(index[$clog2(64*Sets)-1:0]), .rdata_o(ram_row)
  );
  always_comb begin
    row = '0;
    match = '0;
    if (look) begin
      if (known_q[index[$clog2(64*Sets)-1:0]]) row = ram_row;
      for (int unsigned w = 0; w < Ways; w++) match[w] = row[w*TagBits +: TagBits] == {1'b1, line};
    end
  end
  // a new tag goes to place 0; the places before the one it had, or all, move up
  always_comb begin
    logic moved;
    moved = 1'b1;
    row_new = row;
    if (insert) begin
      row_new[TagBits-1:0] = {1'b1, line};
      for (int unsigned w = 0; w + 1 < Ways; w++) begin
        if (match[w]) moved = 1'b0;
        if (moved) row_new[(w+1)*TagBits +: TagBits] = row[w*TagBits +: TagBits];
      end
    end
  end

  always_ff @(posedge clk_i) begin
    hit_valid_o <= probe && match != '0;
    if (probe) hit_warp_o <= warp_i;
    if (insert) known_q[index[$clog2(64*Sets)-1:0]] <= 1'b1;
    if (init_valid_i) known_q[32'(init_warp_i)*Sets +: Sets] <= '0;
    if (!rst_ni) begin
      known_q <= '0;
      hit_valid_o <= 1'b0;
    end
  end

  logic unused_row;
  assign unused_row = ^{row_i, index};
endmodule
