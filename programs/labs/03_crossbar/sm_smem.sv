// SPDX-License-Identifier: Apache-2.0
//
// Lab 3, shared memory and bank conflicts: yours to write. Made from rtl/mem/sm_smem.sv by testbench/labs/skeletons.py.
//
// sm_smem: front of the shared pipe: holds one shared or shuffle instruction and cuts it into wavefronts, one a cycle
// when sel_i grants the pipe. Rules: rtl/README.md "Shared wavefronts" (measured on silicon); a shuffle is one
// wavefront. Latency: entry loaded in cycle n, first wavefront offered in n+1; the entry is free in the cycle of its
// last wavefront. Within a group each wavefront serves, for every bank, the word of the lowest unserved lane and all
// lanes of that word. Banks of wide accesses are pairs (64 bits) or fours (128 bits) of the 32 banks.
// An atomic's wavefront takes one lane of each unit, the lowest that is left. Reset: empty. wf_* outputs are valid with wf_valid_o && sel_i, else zero or stale.
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
  assign s_ready_o = '0;
  assign wf_valid_o = '0;
  assign wf_tag_o = '0;
  assign wf_store_o = '0;
  assign wf_shfl_o = '0;
  assign wf_atom_o = '0;
  assign wf_aop_o = '0;
  assign wf_lg_o = '0;
  assign wf_lanes_o = '0;
  assign wf_uniform_o = '0;
  assign wf_row_o = '0;
  assign wf_rows_o = '0;
  assign wf_offs_o = '0;
  assign wf_data_o = '0;
endmodule
