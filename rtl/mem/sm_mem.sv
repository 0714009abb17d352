// SPDX-License-Identifier: Apache-2.0
//
// sm_mem: the SM's memory pipe: global, local, constant and shared loads and stores, atomics, shuffles, memory barriers.
//
// Two fronts (sm_smem: wavefronts; sm_coalescer: 128-byte lines) and the MSHRs' serving share one pipe, one operation
// a cycle:
//   P0 choose (served MSHRs first, then the fronts in turn) and cut
//   P1 tags, MSHR lookup, store crossbar, request queue: the SM's order of global accesses (lockstep)
//   P2 data array or line buffer
//   P3 load crossbar, collecting buffer
// Nothing in P1..P3 waits: a global operation starts only when an MSHR, queue places and store ids are free for it.
// A wavefront of a shared atomic reads in P2, computes in P3 and comes back through P0 as a write in the same cycle; the
// next one may follow two cycles behind it (its P3 takes the words of the write that is then in P2), others after the write.
// Ports of several sub-cores are packed flat, sub-core 0 lowest. UopBits = $bits(sm_pkg::uop_t).
// Reset: nothing in flight, L1 empty. init_i with cta.inval_l1 and warp 0 empties the L1. See rtl/mem/README.md.
module sm_mem #(
    parameter int unsigned SubCores = 4,
    parameter int unsigned WarpSlots = 16,     // per sub-core, <= 16; tables are sized for 16
    parameter int unsigned SmemBytes = 262144, // L1 data and shared memory
    parameter int unsigned BlockSlots = 32,
    localparam int unsigned UopBits = 102
) (
    input  logic clk_i,
    input  logic rst_ni,
    input  sm_pkg::cfg_t cfg_i,
    input  logic kill_i,

    // from sm_cta: one warp a cycle
    input  logic init_valid_i,
    input  sm_pkg::init_t init_i,

    // from the sub-cores: memory and shuffle instructions
    input  logic [SubCores-1:0]         mem_valid_i,
    output logic [SubCores-1:0]         mem_ready_o,
    input  logic [SubCores*4-1:0]       mem_slot_i,
    input  logic [SubCores*UopBits-1:0] mem_uop_i,
    input  logic [SubCores*32-1:0]      mem_mask_i,
    input  logic [SubCores*2048-1:0]    mem_a_i,    // row of low words, row of high words
    input  logic [SubCores*4096-1:0]    mem_data_i, // rows rc..rc+3; SHFL: a, b, c, unused

    // to the sub-cores: write-back beats
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
    output logic [SubCores*32-1:0]   wb_pbits_o,
    output logic [SubCores*16-1:0]   fence_release_o, // warp slots whose MEMBAR or CCTL is done, pulse

    // status
    output logic [BlockSlots-1:0] mem_busy_o, // block has an instruction here or an unacknowledged store
    output logic idle_o,
    output logic fault_valid_o,               // first fault, level until reset
    output sm_pkg::fault_t fault_o,

    // to the warp schedulers and victim tags: what the tag stage did in the last cycle
    output logic         ev_miss_o,           // a load of ev_warp sent a request for ev_line
    output logic         ev_fill_o,           // ev_line, asked for by ev_warp, was put into L1 row ev_row
    output logic         ev_evict_o,          // and displaced ev_victim
    output logic [5:0]   ev_warp_o,           // sub-core + SubCores * slot
    output logic [40:0]  ev_line_o,
    output logic [40:0]  ev_victim_o,
    output logic [12:0]  ev_row_o,
    output logic         ev_full_o,           // no MSHR is free

    // to sm_memport: request flits
    output logic         req_valid_o,
    input  logic         req_ready_i,
    output logic [7:0]   req_id_o,
    output logic [2:0]   req_op_o,
    output logic [47:0]  req_line_o,
    output logic [3:0]   req_sector_mask_o,
    output logic [31:0]  req_byte_mask_o,
    output logic [255:0] req_data_o,
    output logic [5:0]   req_warp_o,          // sub-core + SubCores * slot
    output logic [27:0]  req_pc_o,
    output logic [7:0]   req_atom_o,
    output logic [255:0] req_cmp_o,

    // from sm_memport: response sectors, up to two a cycle, always taken
    input  logic [1:0]   rsp_valid_i,
    input  logic [15:0]  rsp_id_i,
    input  logic [3:0]   rsp_sector_i,
    input  logic [7:0]   rsp_status_i,
    input  logic [511:0] rsp_data_i
);
  // ---- configuration ----
  logic        small_unit, inval, fence_inval;
  logic [12:0] l1_row;
  assign small_unit = cfg_i.shared_unit < 12'd16; // see sm_lsu
  assign l1_row = 13'(((small_unit ? {cfg_i.shared_bytes, 1'b0} : {1'b0, cfg_i.shared_bytes}) + 20'd127) >> 7);
  assign inval = (init_valid_i && init_i.cta.inval_l1 && init_i.warp == '0) || fence_inval;

  // ---- LSU ----
  logic        tag_valid, acc_valid, acc_load, acc_shfl, acc_global;
  logic [6:0]  tag, acc_tag;
  logic [1:0]  acc_sub;
  logic [3:0]  acc_slot;
  logic [4:0]  acc_block;
  logic [7:0]  acc_rd;
  logic [2:0]  acc_pd, acc_size, acc_beats;
  logic [31:0] acc_mask, acc_left;
  logic        acc_ldsm, acc_trans, fence_valid, fence_is_inval, fence_gpu;
  logic [1:0]  fence_sub;
  logic [3:0]  fence_slot;
  logic [27:0] acc_pc;
  logic          s_valid, s_ready, s_store, s_shfl, s_atom, s_drop;
  logic [7:0]    s_aop, g_aop;
  logic [6:0]    s_tag;
  logic [2:0]    s_lg, s_merge;
  logic [31:0]   s_mask, s_pred;
  logic [223:0]  s_offs;
  logic [415:0]  s_rows;
  logic [4095:0] s_data;
  logic          g_valid, g_ready, g_store, g_bypass, g_atom, g_const, g_drop;
  logic [6:0]    g_tag;
  logic [2:0]    g_lg;
  logic [31:0]   g_mask;
  logic [1311:0] g_lines;
  logic [223:0]  g_offs;
  logic [4095:0] g_data;
  logic [5:0]    g_warp;
  logic [27:0]   g_pc;
  logic [4:0]    g_block;
  logic           lsu_fault_valid;
  sm_pkg::fault_t lsu_fault;

  sm_lsu #(.SubCores(SubCores)) u_lsu (
      .clk_i, .rst_ni, .kill_i, .small_unit_i(small_unit),
      .init_valid_i, .init_sub_i(init_i.sub), .init_slot_i(init_i.slot), .init_block_i(init_i.block),
      .init_shared_base_i(init_i.shared_base), .init_shared_size_i(init_i.shared_size),
      .init_local_arena_i(init_i.cta.local_arena), .init_local_bytes_i(init_i.cta.local_bytes),
      .init_const_base_i({init_i.cta.const_base3, init_i.cta.const_base2, init_i.cta.const_base0}),
      .init_const_size_i({init_i.cta.const_size3, init_i.cta.const_size2, init_i.cta.const_size0}),
      .mem_valid_i, .mem_ready_o, .mem_slot_i, .mem_uop_i, .mem_mask_i, .mem_a_i, .mem_data_i,
      .tag_valid_i(tag_valid), .tag_i(tag),
      .acc_valid_o(acc_valid), .acc_tag_o(acc_tag), .acc_sub_o(acc_sub), .acc_slot_o(acc_slot), .acc_block_o(acc_block),
      .acc_rd_o(acc_rd), .acc_pd_o(acc_pd), .acc_size_o(acc_size), .acc_load_o(acc_load), .acc_shfl_o(acc_shfl),
      .acc_global_o(acc_global), .acc_mask_o(acc_mask), .acc_left_o(acc_left), .acc_beats_o(acc_beats),
      .acc_ldsm_o(acc_ldsm), .acc_trans_o(acc_trans), .acc_pc_o(acc_pc),
      .fence_valid_o(fence_valid), .fence_inval_o(fence_is_inval), .fence_gpu_o(fence_gpu), .fence_sub_o(fence_sub),
      .fence_slot_o(fence_slot),
      .s_valid_o(s_valid), .s_ready_i(s_ready), .s_tag_o(s_tag), .s_store_o(s_store), .s_shfl_o(s_shfl),
      .s_atom_o(s_atom), .s_aop_o(s_aop), .s_lg_o(s_lg),
      .s_mask_o(s_mask), .s_offs_o(s_offs), .s_rows_o(s_rows), .s_merge_o(s_merge), .s_data_o(s_data),
      .s_pred_o(s_pred),
      .g_valid_o(g_valid), .g_ready_i(g_ready), .g_tag_o(g_tag), .g_store_o(g_store), .g_bypass_o(g_bypass),
      .g_atom_o(g_atom), .g_const_o(g_const), .g_aop_o(g_aop), .g_lg_o(g_lg),
      .g_mask_o(g_mask), .g_lines_o(g_lines), .g_offs_o(g_offs), .g_data_o(g_data), .g_warp_o(g_warp), .g_pc_o(g_pc),
      .g_block_o(g_block),
      .s_drop_valid_o(s_drop), .g_drop_valid_o(g_drop), .fault_valid_o(lsu_fault_valid), .fault_o(lsu_fault)
  );

  // ---- P0: fronts and choice ----
  logic          wf_valid, wf_store, wf_shfl, wf_atom, wf_uniform, wf_ok, sel_s, sel_g, sel_sv, sel_aw, turn_q;
  logic [7:0]    wf_aop;
  logic [6:0]    wf_tag;
  logic [2:0]    wf_lg;
  logic [31:0]   wf_lanes;
  logic [12:0]   wf_row;
  logic [415:0]  wf_rows;
  logic [223:0]  wf_offs;
  logic [4095:0] wf_data;
  sm_smem u_smem (
      .clk_i, .rst_ni, .s_valid_i(s_valid), .s_ready_o(s_ready), .s_tag_i(s_tag), .s_store_i(s_store),
      .s_shfl_i(s_shfl), .s_atom_i(s_atom), .s_aop_i(s_aop),
      .s_lg_i(s_lg), .s_mask_i(s_mask), .s_offs_i(s_offs), .s_rows_i(s_rows), .s_merge_i(s_merge), .s_data_i(s_data),
      .wf_valid_o(wf_valid), .sel_i(sel_s), .wf_tag_o(wf_tag), .wf_store_o(wf_store), .wf_shfl_o(wf_shfl),
      .wf_atom_o(wf_atom), .wf_aop_o(wf_aop), .wf_lg_o(wf_lg),
      .wf_lanes_o(wf_lanes), .wf_uniform_o(wf_uniform), .wf_row_o(wf_row), .wf_rows_o(wf_rows), .wf_offs_o(wf_offs),
      .wf_data_o(wf_data)
  );
  logic          ln_valid, ln_store, ln_bypass, ln_atom, ln_ok;
  logic [7:0]    ln_aop;
  logic [6:0]    ln_tag;
  logic [2:0]    ln_lg;
  logic [40:0]   ln_line;
  logic [127:0]  ln_sec_lanes;
  logic [223:0]  ln_offs;
  logic [4095:0] ln_data;
  logic [5:0]    ln_warp;
  logic [27:0]   ln_pc;
  logic [4:0]    ln_block;
  sm_coalescer u_coalescer (
      .clk_i, .rst_ni, .g_valid_i(g_valid), .g_ready_o(g_ready), .g_tag_i(g_tag), .g_store_i(g_store),
      .g_bypass_i(g_bypass), .g_atom_i(g_atom), .g_const_i(g_const), .g_aop_i(g_aop),
      .g_lg_i(g_lg), .g_mask_i(g_mask), .g_lines_i(g_lines), .g_offs_i(g_offs), .g_data_i(g_data), .g_warp_i(g_warp),
      .g_pc_i(g_pc), .g_block_i(g_block),
      .ln_valid_o(ln_valid), .sel_i(sel_g), .ln_tag_o(ln_tag), .ln_store_o(ln_store), .ln_bypass_o(ln_bypass), .ln_atom_o(ln_atom), .ln_aop_o(ln_aop),
      .ln_lg_o(ln_lg), .ln_line_o(ln_line), .ln_sec_lanes_o(ln_sec_lanes), .ln_offs_o(ln_offs), .ln_data_o(ln_data),
      .ln_warp_o(ln_warp), .ln_pc_o(ln_pc), .ln_block_o(ln_block)
  );
  logic       sv_valid, sv_first, sv_last, alloc_ok, room_ld, room_st;
  logic [5:0] sv_id;
  logic [2:0] sv_k;
  logic       p1_atom_q, p2_atom_q, p3_atom_q; // wavefronts of shared atomics
  assign ln_ok = ln_valid && line_gap_q == 4'd0 && (ln_store ? room_st : alloc_ok && room_ld && (!ln_atom || room_st));
  assign wf_ok = wf_valid && wf_gap_q == 4'd0 && !p1_atom_q && (wf_atom || !p2_atom_q);
  assign sel_aw = p3_atom_q;
  assign sel_sv = sv_valid && !sel_aw;
  assign sel_s = !sel_aw && !sv_valid && wf_ok && !(ln_ok && turn_q);
  assign sel_g = !sel_aw && !sv_valid && ln_ok && !sel_s;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) turn_q <= 1'b0;
    else if (sel_s || sel_g) turn_q <= sel_s; // the other front's turn
  end
  // A wavefront follows another one of the same instruction after the interval, but at once if another sub-core waits: alone
  // a conflict costs its warp more than the pipe, which stays full with several (silicon/latency/conflict.csv, issue.csv).
  logic [255:0] tag_sub_q;           // sub-core of each tag, two bits
  logic [3:0]   wf_gap_q, shared_subs, others;
  logic [1:0]   wf_sub, next_sub;
  assign wf_sub = tag_sub_q[{wf_tag, 1'b0} +: 2];
  assign next_sub = tag_sub_q[{s_tag, 1'b0} +: 2];
  always_comb begin
    shared_subs = '0;
    for (int unsigned s = 0; s < SubCores; s++) shared_subs[s] = mem_valid_i[s];
    if (s_valid) shared_subs[next_sub] = 1'b1;
    others = shared_subs;
    others[wf_sub] = 1'b0;
  end
  always_ff @(posedge clk_i) begin
    if (acc_valid && cfg_i.wf_interval != '0) tag_sub_q[{acc_tag, 1'b0} +: 2] <= acc_sub;
    if (sel_s && !s_ready && !wf_atom && others == '0) wf_gap_q <= cfg_i.wf_interval;
    else if (wf_gap_q != '0) wf_gap_q <= wf_gap_q - 4'd1;
    if (!rst_ni) wf_gap_q <= '0;
  end
  logic [3:0] line_gap_q; // cycles until the next line of the same access
  always_ff @(posedge clk_i) begin
    if (sel_g) line_gap_q <= g_ready ? '0 : cfg_i.line_interval; // g_ready: that was its last one
    else if (line_gap_q != '0) line_gap_q <= line_gap_q - 4'd1;
    if (!rst_ni) line_gap_q <= '0;
  end

  // ---- P1: tags, MSHRs, store crossbar ----
  logic          p1_sv_q, p1_shm_q, p1_shfl_q, p1_glob_q; // what it is; at most one is set
  logic          p1_store_q, p1_bypass_q, p1_uniform_q, p1_first_q, p1_last_q;
  logic          p1_aw_q, p2_aw_q;    // an atomic's write
  logic          p1_gatom_q;          // the global operation is an atomic
  logic [7:0]    p1_aop_q;
  logic [6:0]    p1_tag_q;
  logic [2:0]    p1_lg_q, p1_k_q;
  logic [31:0]   p1_lanes_q;
  logic [12:0]   p1_row_q;
  logic [415:0]  p1_rows_q;
  logic [223:0]  p1_offs_q;
  logic [4095:0] p1_data_q;
  logic [40:0]   p1_line_q;
  logic [127:0]  p1_sec_lanes_q;
  logic [5:0]    p1_warp_q, p1_id_q;
  logic [27:0]   p1_pc_q;
  logic [4:0]    p1_block_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) {p1_sv_q, p1_shm_q, p1_shfl_q, p1_glob_q, p1_atom_q, p1_aw_q} <= '0;
    else {p1_sv_q, p1_shm_q, p1_shfl_q, p1_glob_q, p1_atom_q, p1_aw_q} <=
        {sel_sv, sel_s && !wf_shfl, sel_s && wf_shfl, sel_g, sel_s && wf_atom, sel_aw};
  end
  always_ff @(posedge clk_i) begin
    if (sel_sv) begin
      p1_first_q <= sv_first;
      p1_last_q <= sv_last;
      p1_id_q <= sv_id;
      p1_k_q <= sv_k;
    end
    if (sel_s) begin
      p1_store_q <= wf_store;
      p1_tag_q <= wf_tag;
      p1_lg_q <= wf_lg;
      p1_lanes_q <= wf_lanes;
      p1_uniform_q <= wf_uniform;
      p1_row_q <= wf_row;
      if (!wf_uniform) p1_rows_q <= wf_rows;
      p1_offs_q <= wf_offs;
      p1_aop_q <= wf_aop;
      if (wf_store || wf_shfl || wf_atom) p1_data_q[1023:0] <= wf_data[1023:0];
      if (wf_atom || (wf_store && wf_lg >= 3'd3)) p1_data_q[4095:1024] <= wf_data[4095:1024];
    end
    if (sel_aw) begin
      p1_store_q <= 1'b1;
      p1_lg_q <= p3_lg_q;
      p1_lanes_q <= p3_lanes_q;
      p1_uniform_q <= 1'b0;
      p1_rows_q <= p3_rows_q;
      p1_offs_q <= p3_offs_q;
      p1_data_q[2047:0] <= atom_new;
    end
    if (sel_g) begin
      p1_store_q <= ln_store;
      p1_bypass_q <= ln_bypass;
      p1_gatom_q <= ln_atom;
      p1_aop_q <= ln_aop;
      p1_tag_q <= ln_tag;
      p1_lg_q <= ln_lg;
      p1_lanes_q <= ln_sec_lanes[31:0] | ln_sec_lanes[63:32] | ln_sec_lanes[95:64] | ln_sec_lanes[127:96];
      p1_sec_lanes_q <= ln_sec_lanes;
      p1_line_q <= ln_line;
      p1_offs_q <= ln_offs;
      p1_warp_q <= ln_warp;
      p1_pc_q <= ln_pc;
      p1_block_q <= ln_block;
      if (ln_store || ln_atom) p1_data_q[1023:0] <= ln_data[1023:0];
      if (ln_atom || (ln_store && ln_lg >= 3'd3)) p1_data_q[4095:1024] <= ln_data[4095:1024];
    end
  end

  logic [3:0]    p1_secs, p1_hit, p1_miss, sv_secs, sv_stale, p1_install;
  logic [31:0]   p1_hit_lanes, p1_miss_lanes, sv_lanes;
  logic [40:0]   sv_line;
  logic [6:0]    sv_tag;
  logic [12:0]   p1_l1_row;
  logic          p1_evict;
  logic [40:0]   p1_victim;
  logic [5:0]    sv_warp;
  logic          p1_load_miss, p1_fill, ld_new, mshr_idle, reqq_idle;
  logic [5:0]    ld_id, st_id;
  logic [1023:0] p1_wrow;
  logic [127:0]  p1_bmask;

  for (genvar s = 0; s < 4; s++) begin : gen_secs
    assign p1_secs[s] = p1_sec_lanes_q[s*32 +: 32] != '0;
  end
  assign p1_fill = p1_sv_q && p1_first_q;
  assign p1_install = cfg_i.l1_ways == '0 ? '0 : sv_secs & ~sv_stale;
  sm_l1d #(.SmemBytes(SmemBytes)) u_l1d (
      .clk_i, .rst_ni, .sets_i(cfg_i.l1_sets), .ways_i(cfg_i.l1_ways), .base_row_i(l1_row), .inval_i(inval),
      .op_valid_i(p1_glob_q || p1_fill), .fill_i(p1_fill), .bypass_i(p1_glob_q && p1_bypass_q),
      .line_i(p1_fill ? sv_line : p1_line_q), .secs_i(p1_fill ? p1_install : p1_secs), .hit_o(p1_hit), .row_o(p1_l1_row),
      .evict_o(p1_evict), .evict_line_o(p1_victim)
  );
  assign p1_miss = p1_glob_q && !p1_store_q ? p1_secs & ~p1_hit : '0;
  assign p1_load_miss = p1_miss != '0;
  always_comb begin
    p1_hit_lanes = '0;
    p1_miss_lanes = '0;
    for (int unsigned s = 0; s < 4; s++) begin
      if (p1_hit[s]) p1_hit_lanes |= p1_sec_lanes_q[s*32 +: 32];
      if (p1_miss[s]) p1_miss_lanes |= p1_sec_lanes_q[s*32 +: 32];
    end
  end

  logic [1:0] ld_rsp, ack, rsp_bad;
  logic [9:0] ack_block;
  logic       p2_free;
  logic [5:0] p2_id_q;
  logic        ld_err, st_err;
  logic [5:0]  ld_err_warp, st_err_warp;
  logic [27:0] ld_err_pc, st_err_pc;
  logic [31:0] ld_err_lanes;
  logic [40:0] ld_err_line, st_err_line;
  assign ld_rsp = {rsp_valid_i[1] && !rsp_id_i[14], rsp_valid_i[0] && !rsp_id_i[6]};
  assign ack = {rsp_valid_i[1] && rsp_id_i[14], rsp_valid_i[0] && rsp_id_i[6]};
  assign rsp_bad = {rsp_status_i[7:4] != sm_cfg_pkg::FaultNone, rsp_status_i[3:0] != sm_cfg_pkg::FaultNone};

  sm_mshr u_mshr (
      .clk_i, .rst_ni, .mshrs_i(cfg_i.mshrs), .inval_i(inval), .alloc_ok_o(alloc_ok), .idle_o(mshr_idle),
      .ld_valid_i(p1_load_miss), .ld_bypass_i(p1_bypass_q), .mark_valid_i(p1_glob_q && (p1_store_q || p1_bypass_q)),
      .line_i(p1_line_q), .secs_i(p1_miss), .mark_secs_i(p1_secs), .ld_tag_i(p1_tag_q), .ld_lanes_i(p1_miss_lanes),
      .ld_warp_i(p1_warp_q), .ld_pc_i(p1_pc_q), .ld_id_o(ld_id), .ld_new_o(ld_new),
      .rsp_valid_i(ld_rsp), .rsp_id_i({rsp_id_i[13:8], rsp_id_i[5:0]}), .rsp_sector_i, .rsp_error_i(rsp_bad),
      .sv_valid_o(sv_valid), .sv_take_i(sel_sv), .sv_id_o(sv_id), .sv_k_o(sv_k), .sv_first_o(sv_first),
      .sv_last_o(sv_last),
      .p1_valid_i(p1_sv_q), .p1_id_i(p1_id_q), .p1_k_i(p1_k_q), .p1_line_o(sv_line), .p1_warp_o(sv_warp), .p1_secs_o(sv_secs),
      .p1_stale_o(sv_stale), .p1_tag_o(sv_tag), .p1_lanes_o(sv_lanes), .free_valid_i(p2_free), .free_id_i(p2_id_q),
      .err_valid_o(ld_err), .err_warp_o(ld_err_warp), .err_pc_o(ld_err_pc), .err_lanes_o(ld_err_lanes),
      .err_line_o(ld_err_line)
  );
  always_ff @(posedge clk_i) begin
    ev_miss_o <= rst_ni && p1_load_miss && ld_new && !p1_bypass_q;
    ev_fill_o <= rst_ni && p1_fill && p1_install != '0;
    ev_full_o <= rst_ni && !alloc_ok;
    if (p1_load_miss) begin
      ev_warp_o <= p1_warp_q;
      ev_line_o <= p1_line_q;
    end
    if (p1_fill) begin
      ev_evict_o <= p1_evict;
      ev_warp_o <= sv_warp;
      ev_line_o <= sv_line;
      ev_victim_o <= p1_victim;
      ev_row_o <= p1_l1_row;
    end
  end
  // a global CAS: the new values lie behind the expected ones
  logic          p1_carry, p1_cas;
  logic [1023:0] p1_cmp;
  logic [127:0]  unused_cmp_mask;
  assign p1_carry = p1_glob_q && p1_gatom_q;
  assign p1_cas = p1_carry && p1_aop_q[7:4] == sm_isa_pkg::ValAOP_CAS;
  sm_store_xbar u_store_xbar (
      .en_i((p1_store_q && (p1_shm_q || p1_glob_q)) || p1_carry || p1_aw_q), .lanes_i(p1_lanes_q), .lg_i(p1_lg_q),
      .offs_i(p1_offs_q), .data_i(p1_data_q),
      .shift_i(!p1_cas ? 2'd0 : p1_lg_q == 3'd3 ? 2'd2 : 2'd1), .row_o(p1_wrow), .bmask_o(p1_bmask)
  );
  sm_store_xbar u_cmp_xbar (
      .en_i(p1_cas), .lanes_i(p1_lanes_q), .lg_i(p1_lg_q), .offs_i(p1_offs_q), .data_i(p1_data_q),
      .shift_i(2'd0), .row_o(p1_cmp),
      .bmask_o(unused_cmp_mask)
  );
  logic        push_st;
  logic [63:0] st_open;
  assign push_st = p1_glob_q && p1_store_q;
  sm_reqq u_reqq (
      .clk_i, .rst_ni, .room_ld_o(room_ld), .room_st_o(room_st), .idle_o(reqq_idle),
      .push_ld_i(p1_load_miss && ld_new), .push_st_i(push_st), .bypass_i(p1_bypass_q), .atom_i(p1_carry), .aop_i(p1_aop_q),
      .cmp_i(p1_cmp), .ld_id_i(ld_id), .open_o(st_open),
      .line_i(p1_line_q), .secs_i(p1_store_q ? p1_secs : p1_miss), .warp_i(p1_warp_q), .pc_i(p1_pc_q),
      .block_i(p1_block_q), .row_i(p1_wrow), .bmask_i(p1_bmask), .st_id_o(st_id),
      .ack_valid_i(ack), .ack_id_i({rsp_id_i[13:8], rsp_id_i[5:0]}), .ack_error_i(rsp_bad), .ack_block_o(ack_block),
      .err_valid_o(st_err), .err_warp_o(st_err_warp), .err_pc_o(st_err_pc), .err_line_o(st_err_line),
      .req_valid_o, .req_ready_i, .req_id_o, .req_op_o, .req_line_o, .req_sector_mask_o, .req_byte_mask_o, .req_data_o,
      .req_warp_o, .req_pc_o, .req_atom_o, .req_cmp_o
  );

  // ---- P2: data array, line buffer ----
  logic          p2_valid_q, p2_sv_q, p2_last_q, p2_load_q, p2_shfl_q, p2_re_q, p2_we_q, p2_fill_q, p2_uniform_q;
  logic [6:0]    p2_tag_q;
  logic [31:0]   p2_lanes_q;
  logic [12:0]   p2_row_q;
  logic [415:0]  p2_rows_q;
  logic [223:0]  p2_offs_q, sv_offs;
  logic [1023:0] p2_wrow_q, lb_row, arr_row;
  logic [127:0]  p2_bmask_q;
  // of an atomic's wavefront: its operands
  logic [2:0]    p2_lg_q, p3_lg_q;
  logic [7:0]    p2_aop_q, p3_aop_q;
  logic [4095:0] p2_data_q, p3_data_q;
  logic [415:0]  p3_rows_q;
  logic [2047:0] atom_new;

  function automatic logic [127:0] sec_bytes(input logic [3:0] secs);
    sec_bytes = {{32{secs[3]}}, {32{secs[2]}}, {32{secs[1]}}, {32{secs[0]}}};
  endfunction
  // words of lanes that do not take part read as zero in a shuffle
  function automatic logic [1023:0] lane_words(input logic [31:0] lanes, input logic [1023:0] row);
    for (int unsigned l = 0; l < 32; l++) lane_words[l*32 +: 32] = row[l*32 +: 32] & {32{lanes[l]}};
  endfunction

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      p2_valid_q <= 1'b0;
      p2_sv_q <= 1'b0;
      p2_re_q <= 1'b0;
      p2_we_q <= 1'b0;
      p2_atom_q <= 1'b0;
      p2_aw_q <= 1'b0;
    end else begin
      p2_atom_q <= p1_atom_q;
      p2_aw_q <= p1_aw_q;
      p2_valid_q <= p1_sv_q || p1_shm_q || p1_shfl_q || (p1_glob_q && (p1_store_q || p1_hit != '0));
      p2_sv_q <= p1_sv_q;
      p2_re_q <= !p1_store_q && (p1_shm_q || (p1_glob_q && p1_hit != '0));
      p2_we_q <= p1_aw_q ? 1'b1 : p1_fill ? p1_install != '0 : p1_store_q && (p1_shm_q || (p1_glob_q && p1_hit != '0));
    end
  end
  always_ff @(posedge clk_i) begin
    if (p1_sv_q) begin
      p2_id_q <= p1_id_q;
      p2_last_q <= p1_last_q;
    end
    if (p1_sv_q || p1_shm_q || p1_shfl_q || p1_glob_q) begin
      p2_tag_q <= p1_sv_q ? sv_tag : p1_tag_q;
      p2_lanes_q <= p1_sv_q ? sv_lanes : p1_glob_q && !p1_store_q ? p1_hit_lanes : p1_lanes_q;
      p2_load_q <= p1_sv_q || !p1_store_q;
      p2_shfl_q <= p1_shfl_q;
      p2_fill_q <= p1_fill;
      p2_uniform_q <= !p1_shm_q || p1_uniform_q;
      p2_row_q <= p1_shm_q ? p1_row_q : p1_l1_row;
    end
    if (p1_atom_q) begin
      p2_lg_q <= p1_lg_q;
      p2_aop_q <= p1_aop_q;
      p2_data_q <= p1_data_q;
    end
    if (p1_aw_q) begin
      p2_uniform_q <= 1'b0;
      p2_fill_q <= 1'b0;
      p2_bmask_q <= p1_bmask;
      p2_wrow_q <= p1_wrow;
    end
    if ((p1_shm_q && !p1_uniform_q) || p1_aw_q) p2_rows_q <= p1_rows_q;
    if (!p1_sv_q && !p1_store_q && (p1_shm_q || p1_shfl_q || p1_glob_q)) p2_offs_q <= p1_offs_q;
    if (p1_fill) p2_bmask_q <= sec_bytes(p1_install);
    else if (p1_store_q && p1_shm_q) p2_bmask_q <= p1_bmask;
    else if (p1_store_q && p1_glob_q) p2_bmask_q <= p1_bmask & sec_bytes(p1_hit);
    if (p1_store_q && (p1_shm_q || (p1_glob_q && p1_hit != '0))) p2_wrow_q <= p1_wrow;
    if (p1_shfl_q) p2_wrow_q <= lane_words(p1_lanes_q, p1_data_q[1023:0]);
  end
  assign p2_free = p2_sv_q && p2_last_q;

  // a load's byte offsets, kept for the lanes that wait in an MSHR
  sm_ram_1r1w #(.Width(224), .Depth(128)) u_offs (
      .clk_i, .we_i(p1_load_miss), .waddr_i(p1_tag_q), .wdata_i(p1_offs_q), .re_i(p2_sv_q), .raddr_i(p2_tag_q),
      .rdata_o(sv_offs)
  );
  sm_linebuf u_linebuf (
      .clk_i, .we_i(ld_rsp), .wid_i({rsp_id_i[13:8], rsp_id_i[5:0]}), .wsector_i(rsp_sector_i), .wdata_i(rsp_data_i),
      .re_i(p2_sv_q), .rid_i(p2_id_q), .rdata_o(lb_row)
  );
  sm_data_array #(.Rows(SmemBytes / 128)) u_array (
      .clk_i, .re_i(p2_re_q), .we_i(p2_we_q), .uniform_i(p2_uniform_q), .row_i(p2_row_q), .rows_i(p2_rows_q),
      .bmask_i(p2_bmask_q), .wdata_i(p2_fill_q ? lb_row : p2_wrow_q), .rdata_o(arr_row)
  );

  // ---- P3: load crossbar, delivery ----
  logic          p3_valid_q, p3_load_q, p3_array_q;
  logic [6:0]    p3_tag_q;
  logic [31:0]   p3_lanes_q;
  logic [223:0]  p3_offs_q;
  logic [1023:0] p3_row_q, w0, w1, w2, w3;
  logic [2:0]    p3_size;
  logic          st_done, ld_done;
  logic [6:0]    ld_done_tag;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) {p3_valid_q, p3_atom_q} <= '0;
    else {p3_valid_q, p3_atom_q} <= {p2_valid_q, p2_atom_q};
  end
  always_ff @(posedge clk_i) begin
    if (p2_atom_q) begin
      p3_lg_q <= p2_lg_q;
      p3_aop_q <= p2_aop_q;
      p3_data_q <= p2_data_q;
      p3_rows_q <= p2_rows_q;
    end
  end

  // an atomic's wavefront sees what the one before it is writing
  logic [1023:0] seen_row;
  always_comb begin
    seen_row = p3_array_q ? arr_row : p3_row_q;
    if (p3_atom_q && p2_aw_q) begin
      for (int unsigned b = 0; b < 32; b++) begin
        for (int unsigned c = 0; c < 4; c++) begin
          if (p2_bmask_q[b*4+c] && p2_rows_q[b*13 +: 13] == p3_rows_q[b*13 +: 13])
            seen_row[b*32+c*8 +: 8] = p2_wrow_q[b*32+c*8 +: 8];
        end
      end
    end
  end
  sm_atom_alu u_atom (
      .en_i(p3_atom_q), .lanes_i(p3_lanes_q), .op_i(p3_aop_q[7:4]), .type_i(p3_aop_q[3:0]), .old_i({w1, w0}),
      .data_i(p3_data_q), .new_o(atom_new)
  );
  always_ff @(posedge clk_i) begin
    if (p2_valid_q) begin
      p3_tag_q <= p2_tag_q;
      p3_lanes_q <= p2_lanes_q;
      p3_load_q <= p2_load_q;
      p3_array_q <= p2_re_q;
      if (p2_load_q) p3_offs_q <= p2_sv_q ? sv_offs : p2_offs_q;
      if (p2_sv_q) p3_row_q <= lb_row;
      else if (p2_shfl_q) p3_row_q <= p2_wrow_q;
    end
  end
  sm_load_xbar u_load_xbar (
      .en_i(p3_valid_q && p3_load_q), .size_i(p3_size), .offs_i(p3_offs_q), .row_i(seen_row),
      .w0_o(w0), .w1_o(w1), .w2_o(w2), .w3_o(w3)
  );
  sm_collect #(.SubCores(SubCores)) u_collect (
      .clk_i, .rst_ni, .pad_shared_i(cfg_i.shared_pad), .pad_global_i(cfg_i.global_pad), .acc_valid_i(acc_valid), .acc_tag_i(acc_tag), .acc_sub_i(acc_sub), .acc_slot_i(acc_slot),
      .acc_rd_i(acc_rd), .acc_pd_i(acc_pd), .acc_size_i(acc_size), .acc_load_i(acc_load), .acc_shfl_i(acc_shfl),
      .acc_global_i(acc_global), .acc_mask_i(acc_mask), .acc_left_i(acc_left), .acc_beats_i(acc_beats),
      .acc_ldsm_i(acc_ldsm), .acc_trans_i(acc_trans),
      .pred_valid_i(s_valid && s_ready && s_shfl), .pred_tag_i(s_tag), .pred_i(s_pred),
      .size_tag_i(p3_tag_q), .size_o(p3_size),
      .del_valid_i(p3_valid_q), .del_tag_i(p3_tag_q), .del_lanes_i(p3_lanes_q), .del_data_i(p3_load_q),
      .del_w0_i(w0), .del_w1_i(w1), .del_w2_i(w2), .del_w3_i(w3),
      .st_done_o(st_done), .ld_done_o(ld_done), .ld_done_tag_o(ld_done_tag),
      .wb_valid_o, .wb_ready_i, .wb_slot_o, .wb_rd_o, .wb_wide_o, .wb_mask_o, .wb_data_o, .wb_last_o, .wb_pvalid_o,
      .wb_pd_o, .wb_pbits_o
  );

  // ---- tags, blocks ----
  logic [2:0] st_num;
  logic       track_idle;
  logic [127:0] tags_used;
  logic [63:0]  fence_release;
  assign st_num = push_st ? {2'd0, p1_secs[0]} + {2'd0, p1_secs[1]} + {2'd0, p1_secs[2]} + {2'd0, p1_secs[3]} : '0;
  sm_mem_track #(.BlockSlots(BlockSlots)) u_track (
      .clk_i, .rst_ni, .tag_valid_o(tag_valid), .tag_o(tag), .acc_valid_i(acc_valid), .acc_block_i(acc_block),
      .end_valid_i({g_drop, s_drop, ld_done, st_done}), .end_tag_i({g_tag, s_tag, ld_done_tag, p3_tag_q}),
      .st_num_i(st_num), .st_block_i(p1_block_q), .ack_valid_i(ack), .ack_block_i(ack_block),
      .used_o(tags_used), .busy_o(mem_busy_o), .idle_o(track_idle)
  );
  assign idle_o = track_idle && mshr_idle && reqq_idle;
  sm_fence u_fence (
      .clk_i, .rst_ni, .extra_i(cfg_i.fence_extra), .interval_i(cfg_i.fence_interval), .req_valid_i(fence_valid), .req_gpu_i(fence_gpu), .req_inval_i(fence_is_inval),
      .req_sub_i(fence_sub), .req_slot_i(fence_slot),
      .acc_valid_i(acc_valid), .acc_tag_i(acc_tag), .acc_sub_i(acc_sub), .acc_slot_i(acc_slot),
      .acc_store_i(!acc_load && acc_global), .used_i(tags_used), .open_i(st_open), .inval_o(fence_inval),
      .release_o(fence_release)
  );
  assign fence_release_o = fence_release[SubCores*16-1:0];

  // ---- first fault ----
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      fault_valid_o <= 1'b0;
      fault_o <= '0;
    end else if (!fault_valid_o && lsu_fault_valid) begin
      fault_valid_o <= 1'b1;
      fault_o <= lsu_fault;
    end else if (!fault_valid_o && (ld_err || st_err)) begin
      fault_valid_o <= 1'b1;
      fault_o.code <= sm_cfg_pkg::FaultIllegalAddr;
      fault_o.sub <= 2'((ld_err ? ld_err_warp : st_err_warp) % 6'(SubCores));
      fault_o.slot <= 4'((ld_err ? ld_err_warp : st_err_warp) / 6'(SubCores));
      fault_o.lanes <= ld_err ? ld_err_lanes : '0; // a store's lanes are not kept
      fault_o.pc <= ld_err ? ld_err_pc : st_err_pc;
      fault_o.addr <= {ld_err ? ld_err_line : st_err_line, 7'd0};
    end
  end

  if (SubCores > 4 || WarpSlots > 16 || BlockSlots > 32) begin : gen_bad_shape
    $error("sm_mem: at most 4 sub-cores, 16 warp slots, 32 block slots");
  end

  // acc_pc, st_id are for the bound probe; ids 128 and up never come here
  logic unused;
  assign unused = ^{unused_cmp_mask, fence_release, acc_pc, st_id, cfg_i, init_i, rsp_id_i[15], rsp_id_i[7]};
endmodule
