// SPDX-License-Identifier: Apache-2.0
//
// Lab 2, the coalescer: yours to write. Made from rtl/mem/sm_coalescer.sv by testbench/labs/skeletons.py.
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
  assign g_ready_o = '0;
  assign ln_valid_o = '0;
  assign ln_tag_o = '0;
  assign ln_store_o = '0;
  assign ln_bypass_o = '0;
  assign ln_atom_o = '0;
  assign ln_aop_o = '0;
  assign ln_lg_o = '0;
  assign ln_line_o = '0;
  assign ln_sec_lanes_o = '0;
  assign ln_offs_o = '0;
  assign ln_data_o = '0;
  assign ln_warp_o = '0;
  assign ln_pc_o = '0;
  assign ln_block_o = '0;
endmodule
