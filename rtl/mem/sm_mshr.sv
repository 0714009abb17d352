// SPDX-License-Identifier: Apache-2.0
//
// sm_mshr: up to 64 open line requests of the L1, each with up to 4 sectors and 8 merged load transactions. Lookup
// (ld_*): in the cycle of the tag stage. A load transaction's missing sectors are brought by exactly one MSHR: it
// merges into one of its line that has requested all of them, is not yet being served, has room, and whose sectors
// were not written or invalidated since (`stale`: the later load must see the store); else it takes a new one. So a
// line may have several MSHRs. Marking (mark_*): a store or a bypassing load makes the sectors of all open requests
// of its line stale: they will not be installed. A bypassing load's request is stale from the start: nobody merges,
// nothing is installed. Serving: when all sectors are there, the merged transactions are offered one a cycle (sv_*);
// the first also installs. Complete lines have their turn by id, upwards from the last one: low ids are given again
// first, so always the lowest one would let the others wait for ever. The MSHR accepts no merges from the cycle after
// it was picked, and is free after the last one read the line buffer (free_*). alloc_ok_o: an allocation is possible
// in the next cycle even if this cycle's lookup takes one. Reset: empty. Ids are 0..mshrs_i-1.
module sm_mshr (
    input  logic         clk_i,
    input  logic         rst_ni,
    input  logic [6:0]   mshrs_i,
    input  logic         inval_i,
    output logic         alloc_ok_o,
    output logic         idle_o,

    // tag stage
    input  logic         ld_valid_i,
    input  logic         ld_bypass_i,
    input  logic         mark_valid_i,
    input  logic [40:0]  line_i,
    input  logic [3:0]   secs_i,      // loads: missing; marks: touched
    input  logic [3:0]   mark_secs_i,
    input  logic [6:0]   ld_tag_i,
    input  logic [31:0]  ld_lanes_i,
    input  logic [5:0]   ld_warp_i,
    input  logic [27:0]  ld_pc_i,
    output logic [5:0]   ld_id_o,
    output logic         ld_new_o,    // a request must be sent

    // responses: bookkeeping (the data goes to sm_linebuf)
    input  logic [1:0]   rsp_valid_i,
    input  logic [11:0]  rsp_id_i,
    input  logic [3:0]   rsp_sector_i,
    input  logic [1:0]   rsp_error_i,

    // serving
    output logic         sv_valid_o,
    input  logic         sv_take_i,
    output logic [5:0]   sv_id_o,
    output logic [2:0]   sv_k_o,
    output logic         sv_first_o,
    output logic         sv_last_o,
    input  logic         p1_valid_i,  // one cycle after sv_take_i
    input  logic [5:0]   p1_id_i,
    input  logic [2:0]   p1_k_i,
    output logic [40:0]  p1_line_o,
    output logic [5:0]   p1_warp_o,   // of the first load
    output logic [3:0]   p1_secs_o,
    output logic [3:0]   p1_stale_o,
    output logic [6:0]   p1_tag_o,
    output logic [31:0]  p1_lanes_o,
    input  logic         free_valid_i,
    input  logic [5:0]   free_id_i,

    // error response: of the first load of the line
    output logic         err_valid_o,
    output logic [5:0]   err_warp_o,
    output logic [27:0]  err_pc_o,
    output logic [31:0]  err_lanes_o,
    output logic [40:0]  err_line_o
);
  logic [63:0]  valid_q, closed_q, full_q, ready_q;
  logic [255:0] want_q, got_q, stale_q; // sector-major: bit 64 * sector + id
  logic [255:0] num_q;                  // 4 bits an id: merged transactions
  logic [40:0]  line_q [64];
  logic [65:0]  info_q [64];            // warp, pc, lanes of the first load
  logic         act_q;
  logic [5:0]   cur_q;
  logic [2:0]   k_q;

  function automatic logic [5:0] first64(input logic [63:0] v);
    logic [63:0] oh;
    oh = v & (~v + 64'd1);
    first64 = {(oh & 64'hffffffff00000000) != '0, (oh & 64'hffff0000ffff0000) != '0, (oh & 64'hff00ff00ff00ff00) != '0,
               (oh & 64'hf0f0f0f0f0f0f0f0) != '0, (oh & 64'hcccccccccccccccc) != '0, (oh & 64'haaaaaaaaaaaaaaaa) != '0};
  endfunction

  // ---- free ----
  logic [63:0] open, rest;
  assign open = ~valid_q & ((64'd1 << mshrs_i) - 64'd1);
  assign rest = open & (open - 64'd1);
  assign alloc_ok_o = ld_valid_i ? rest != '0 : open != '0;
  assign idle_o = valid_q == '0;

  // ---- lookup ----
  logic [63:0] match, merge, id_oh;
  always_comb begin
    match = '0;
    if (ld_valid_i || mark_valid_i) begin
      for (int unsigned m = 0; m < 64; m++) match[m] = line_q[m] == line_i;
      match &= valid_q;
    end
  end
  always_comb begin
    merge = '0;
    if (ld_valid_i && !ld_bypass_i) begin
      merge = match & ~closed_q & ~full_q;
      for (int unsigned s = 0; s < 4; s++) if (secs_i[s]) merge &= want_q[s*64 +: 64] & ~stale_q[s*64 +: 64];
    end
  end
  assign ld_new_o = merge == '0;
  assign ld_id_o = first64(ld_new_o ? open : merge);
  assign id_oh = 64'd1 << ld_id_o;

  // ---- serving ----
  logic [63:0] pick_oh, above, next;
  logic        pick;
  assign pick = !act_q && ready_q != '0;
  always_comb begin
    above = '0;
    if (pick) above = ready_q & ~((64'd2 << cur_q) - 64'd1);
  end
  assign next = above != '0 ? above : ready_q;
  assign pick_oh = next & (~next + 64'd1);
  assign sv_valid_o = act_q;
  assign sv_id_o = cur_q;
  assign sv_k_o = k_q;
  assign sv_first_o = k_q == 3'd0;
  assign sv_last_o = {1'b0, k_q} + 4'd1 == num_q[{cur_q, 2'd0} +: 4];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      act_q <= 1'b0;
      cur_q <= '0;
      k_q <= '0;
    end else if (pick) begin
      act_q <= 1'b1;
      cur_q <= first64(next);
      k_q <= '0;
    end else if (sv_take_i) begin
      act_q <= !sv_last_o;
      k_q <= k_q + 3'd1;
    end
  end

  // transactions by {id, place}
  logic [3:0] place;
  assign place = ld_new_o ? 4'd0 : num_q[{ld_id_o, 2'd0} +: 4];
  sm_ram_1r1w #(.Width(39), .Depth(512)) u_merged (
      .clk_i, .we_i(ld_valid_i), .waddr_i({ld_id_o, place[2:0]}), .wdata_i({ld_tag_i, ld_lanes_i}),
      .re_i(p1_valid_i), .raddr_i({p1_id_i, p1_k_i}), .rdata_o({p1_tag_o, p1_lanes_o})
  );
  assign p1_line_o = line_q[p1_id_i];
  assign p1_warp_o = info_q[p1_id_i][65:60];
  always_comb begin
    for (int unsigned s = 0; s < 4; s++) begin
      p1_secs_o[s] = want_q[{2'(s), p1_id_i}];
      p1_stale_o[s] = stale_q[{2'(s), p1_id_i}];
    end
  end

  // ---- state ----
  always_ff @(posedge clk_i) begin
    if (ld_valid_i && ld_new_o) begin
      line_q[ld_id_o] <= line_i;
      info_q[ld_id_o] <= {ld_warp_i, ld_pc_i, ld_lanes_i};
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q <= '0;
      closed_q <= '0;
      full_q <= '0;
    end else begin
      if (free_valid_i) valid_q[free_id_i] <= 1'b0;
      if (pick) closed_q <= closed_q | pick_oh;
      if (ld_valid_i) begin
        num_q[{ld_id_o, 2'd0} +: 4] <= place + 4'd1;
        if (ld_new_o) begin
          valid_q[ld_id_o] <= 1'b1;
          closed_q[ld_id_o] <= 1'b0;
          full_q[ld_id_o] <= 1'b0;
        end else if (place == 4'd7) full_q[ld_id_o] <= 1'b1;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (ld_valid_i && ld_new_o) begin
      for (int unsigned s = 0; s < 4; s++)
        want_q[s*64 +: 64] <= secs_i[s] ? want_q[s*64 +: 64] | id_oh : want_q[s*64 +: 64] & ~id_oh;
    end
  end

  always_ff @(posedge clk_i) begin
    logic [255:0] st;
    st = stale_q;
    if (ld_valid_i && ld_new_o) begin
      for (int unsigned s = 0; s < 4; s++) begin
        if (ld_bypass_i) st[s*64 +: 64] = st[s*64 +: 64] | id_oh;
        else st[s*64 +: 64] = st[s*64 +: 64] & ~id_oh;
      end
    end
    if (mark_valid_i) begin
      for (int unsigned s = 0; s < 4; s++) if (mark_secs_i[s]) st[s*64 +: 64] = st[s*64 +: 64] | match;
    end
    if (inval_i) st = '1;
    if (inval_i || mark_valid_i || ld_valid_i) stale_q <= st;
  end

  always_ff @(posedge clk_i) begin
    logic [255:0] got;
    logic [63:0]  ready, full;
    got = got_q;
    ready = ready_q;
    full = '1;
    if (!rst_ni) begin
      ready_q <= '0;
    end else begin
      if (ld_valid_i && ld_new_o) for (int unsigned s = 0; s < 4; s++) got[s*64 +: 64] = got[s*64 +: 64] & ~id_oh;
      if (pick) ready = ready & ~pick_oh;
      if (rsp_valid_i != '0) begin
        for (int unsigned r = 0; r < 2; r++)
          if (rsp_valid_i[r]) got[{rsp_sector_i[r*2 +: 2], rsp_id_i[r*6 +: 6]}] = 1'b1;
        for (int unsigned s = 0; s < 4; s++) full = full & (got[s*64 +: 64] | ~want_q[s*64 +: 64]);
        for (int unsigned r = 0; r < 2; r++)
          if (rsp_valid_i[r] && full[rsp_id_i[r*6 +: 6]]) ready[rsp_id_i[r*6 +: 6]] = 1'b1;
      end
      ready_q <= ready;
    end
    if ((ld_valid_i && ld_new_o) || rsp_valid_i != '0) got_q <= got;
  end

  // ---- errors ----
  logic [5:0] err_id;
  assign err_valid_o = (rsp_valid_i & rsp_error_i) != '0;
  assign err_id = rsp_valid_i[0] && rsp_error_i[0] ? rsp_id_i[5:0] : rsp_id_i[11:6];
  assign {err_warp_o, err_pc_o, err_lanes_o} = info_q[err_id];
  assign err_line_o = line_q[err_id];
endmodule
