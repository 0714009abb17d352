// SPDX-License-Identifier: Apache-2.0
//
// Probe of the memory pipe, bound to sm_mem. Accesses are reported in stage P1, where they take their place in the
// SM's order (one operation a cycle). One `l1` event a line: a store's names the id of its lowest sector's request;
// the following sectors have the next ids (64..127 as a ring). `fill` events of a line come together, when it is
// installed and served.
module sm_probe_mem (
    input logic        clk_i,
    input logic        rst_ni,
    input logic        acc_valid,
    input logic [6:0]  acc_tag,
    input logic [1:0]  acc_sub,
    input logic [3:0]  acc_slot,
    input logic [27:0] acc_pc,
    input logic        shm,
    input logic        glob,
    input logic        store,
    input logic [6:0]  tag,
    input logic [31:0] lanes,
    input logic [40:0] line,
    input logic [3:0]  secs,
    input logic [3:0]  hit,
    input logic [5:0]  ld_id,
    input logic [5:0]  st_id,
    input logic        fill,
    input logic [5:0]  fill_id,
    input logic [3:0]  fill_secs,
    input logic [3:0]  fill_installed,
    input logic        inval,
    input logic        full,
    input logic [3:0]  end_valid,
    input logic [27:0] end_tag
);
  int level;
  initial level = sm_probe_pkg::wg_probe_level();

  always_ff @(posedge clk_i) begin
    if (rst_ni && level >= 1) begin
      if (acc_valid) sm_probe_pkg::wg_probe_lsu({30'b0, acc_sub}, {28'b0, acc_slot}, {25'b0, acc_tag}, {4'b0, acc_pc});
      if (shm) sm_probe_pkg::wg_probe_shm({25'b0, tag}, lanes);
      if (glob)
        sm_probe_pkg::wg_probe_l1({25'b0, tag}, {31'b0, store}, {16'b0, line, 7'b0}, lanes, {28'b0, secs}, {28'b0, hit},
                                  store ? {26'b1, st_id} : {26'b0, ld_id});
      if (fill) begin
        for (int s = 0; s < 4; s++)
          if (fill_secs[s]) sm_probe_pkg::wg_probe_fill({26'b0, fill_id}, s, {31'b0, fill_installed[s]});
      end
      if (inval) sm_probe_pkg::wg_probe_inval();
      if (full) sm_probe_pkg::wg_probe_full();
      for (int i = 0; i < 4; i++) if (end_valid[i]) sm_probe_pkg::wg_probe_lsu_done({25'b0, end_tag[i*7 +: 7]});
    end
  end
endmodule

bind sm_mem sm_probe_mem u_probe (
    .clk_i, .rst_ni, .acc_valid, .acc_tag, .acc_sub, .acc_slot, .acc_pc, .shm(p1_shm_q || p1_shfl_q), .glob(p1_glob_q),
    .store(p1_store_q), .tag(p1_tag_q), .lanes(p1_lanes_q), .line(p1_line_q), .secs(p1_secs), .hit(p1_hit), .ld_id,
    .st_id, .fill(p1_fill), .fill_id(p1_id_q), .fill_secs(sv_secs), .fill_installed(p1_install),
    .inval(fence_inval), .full(ev_full_o),
    .end_valid({g_drop, s_drop, ld_done, st_done}), .end_tag({g_tag, s_tag, ld_done_tag, p3_tag_q}));
