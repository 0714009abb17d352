// SPDX-License-Identifier: Apache-2.0
//
// sm_fetch: instruction fetch of a sub-core with its L0 instruction cache.
//
//   F1 choose a warp (round robin over those with room), look up the L0, read up to two words of one line
//   F2 decode both words, push them into the warp's instruction buffer
//
// L0: direct mapped, Lines x 128 bytes, indexed and tagged by code base + pc (code bases are 128-byte aligned). A miss parks the warp
// until any fill arrives; up to Misses lines are on their way, never two of one set, so that a filled line is read
// before it can be evicted. A warp holds at most Depth words in buffer and F2 together; it fetches when two are free.
// Redirect: the warp's words in F1, F2 and buffer are dropped (the buffer by its owner), fetch goes on at the new pc in the
// next cycle. An address that memory refuses pushes one entry with push_badpc_o.
// Outputs are functions of flops and redirect_*. Reset: no warp fetches, L0 empty.
module sm_fetch #(
    parameter int unsigned WarpSlots = 16,
    parameter int unsigned Lines = 16,
    parameter int unsigned Misses = 4,
    parameter int unsigned Depth = 4,            // words of an instruction buffer
    localparam int unsigned SlotBits = $clog2(WarpSlots)
) (
    input  logic clk_i,
    input  logic rst_ni,
    input  logic inval_i,                      // flash invalidate; fills on their way are not kept

    // a warp starts, ends, or goes on elsewhere
    input  logic init_valid_i,
    input  logic [SlotBits-1:0] init_slot_i,
    input  logic [27:0] init_pc_i,
    input  logic [47:0] init_base_i,
    input  logic [8:0]  init_regs_i,
    input  logic [WarpSlots-1:0] stop_i,       // these slots fetch no more
    input  logic redirect_valid_i,
    input  logic [SlotBits-1:0] redirect_slot_i,
    input  logic [27:0] redirect_pc_i,

    // to/from the instruction buffers
    input  logic pop_valid_i,
    input  logic [SlotBits-1:0] pop_slot_i,
    output logic push_valid_o,                 // entry 0, and entry 1 if push_two_o
    output logic push_two_o,
    output logic push_badpc_o,
    output logic [SlotBits-1:0] push_slot_o,
    output sm_sub_pkg::insn_t push_insn0_o,
    output sm_sub_pkg::insn_t push_insn1_o,
    output logic [31:0] push_imm0_o,
    output logic [31:0] push_imm1_o,

    // L0 miss
    output logic ifreq_valid_o,
    input  logic ifreq_ready_i,
    output logic [27:0] ifreq_pc_o,
    output logic [47:0] ifreq_base_o,
    input  logic iffill_valid_i,
    input  logic iffill_error_i,
    input  logic [47:0] iffill_addr_i,
    input  logic [1023:0] iffill_data_i
);
  localparam int unsigned IdxBits = $clog2(Lines);
  localparam int unsigned TagBits = 41 - IdxBits;
  localparam int unsigned MissBits = $clog2(Misses);
  localparam int unsigned CntBits = $clog2(Depth) + 1;

  // per warp slot
  logic [WarpSlots-1:0]   active_q, parked_q, room_q;  // room: two words are free
  logic [27:0]            fpc_q [WarpSlots];
  logic [47:0]            base_q [WarpSlots];
  logic [8:0]             regs_q [WarpSlots];
  logic [CntBits-1:0]     cnt_q [WarpSlots];           // words in buffer and F2
  // L0
  logic [Lines-1:0]       line_valid_q;
  logic [TagBits-1:0]     tag_q [Lines];
  // lines on their way
  logic [Misses-1:0]      miss_valid_q, miss_sent_q, miss_drop_q;
  logic [40:0]            miss_line_q [Misses];
  logic [27:0]            miss_pc_q [Misses];
  logic [47:0]            miss_base_q [Misses];
  // a line that memory refused
  logic                   err_valid_q;
  logic [40:0]            err_line_q;

  // ---- F1: choose and look up ----
  logic [WarpSlots-1:0]   above_q, want, pick, pick_oh;
  logic                   f1_valid, hit, bad;
  logic [SlotBits-1:0]    f1_slot;
  logic [27:0]            f1_pc;
  logic [47:0]            f1_addr, f1_base;
  logic [IdxBits-1:0]     f1_idx;
  always_comb begin
    want = active_q & room_q & ~parked_q & ~stop_i;
    pick = want & above_q;
    if (pick == '0) pick = want;
    pick_oh = pick & (~pick + WarpSlots'(1));
    f1_slot = '0;
    for (int unsigned i = 0; i < WarpSlots; i++) if (pick_oh[i]) f1_slot |= SlotBits'(i);
    f1_valid = want != '0;
    f1_pc = fpc_q[f1_slot];
    f1_base = base_q[f1_slot];
    f1_addr = f1_base + 48'(f1_pc);
    f1_idx = f1_addr[7 +: IdxBits];
    bad = f1_valid && err_valid_q && err_line_q == f1_addr[47:7];
    hit = f1_valid && !bad && line_valid_q[f1_idx] && tag_q[f1_idx] == f1_addr[47 -: TagBits];
  end

  // ---- misses ----
  logic                fill_keep, fill_mine, known, free, send;
  logic [MissBits-1:0] fill_idx, free_idx, send_idx;
  always_comb begin
    fill_mine = 1'b0;
    fill_idx = '0;
    known = 1'b0;
    free = 1'b0;
    free_idx = '0;
    send = 1'b0;
    send_idx = '0;
    for (int unsigned i = 0; i < Misses; i++) begin
      if (!miss_valid_q[i]) begin
        free = 1'b1;
        free_idx = MissBits'(i);
      end else begin
        if (iffill_valid_i && miss_sent_q[i] && miss_line_q[i] == iffill_addr_i[47:7]) begin
          fill_mine = 1'b1;
          fill_idx = MissBits'(i);
        end
        if (miss_line_q[i][IdxBits-1:0] == f1_idx) known = 1'b1;
        if (!miss_sent_q[i]) begin
          send = 1'b1;
          send_idx = MissBits'(i);
        end
      end
    end
    fill_keep = fill_mine && !miss_drop_q[fill_idx] && !iffill_error_i;
  end
  logic [127:0] word0, word1;
  sm_ram_line #(.Lines(Lines), .Words(8), .WordBits(128)) u_data (
      .clk_i, .we_i(fill_keep), .wline_i(iffill_addr_i[7 +: IdxBits]), .wdata_i(iffill_data_i),
      .re_i(hit), .rline_i(f1_idx), .rword_i(f1_pc[6:4]), .rdata0_o(word0), .rdata1_o(word1)
  );

  assign ifreq_valid_o = send;
  assign ifreq_pc_o = {miss_pc_q[send_idx][27:7], 7'd0};
  assign ifreq_base_o = miss_base_q[send_idx];

  logic f1_dead, f1_miss;   // the chosen warp is being redirected
  assign f1_dead = redirect_valid_i && redirect_slot_i == f1_slot;
  assign f1_miss = f1_valid && !hit && !bad;

  always_ff @(posedge clk_i) begin
    if (f1_miss && !known && free && !f1_dead) begin
      miss_valid_q[free_idx] <= 1'b1;
      miss_sent_q[free_idx] <= 1'b0;
      miss_drop_q[free_idx] <= 1'b0;
      miss_line_q[free_idx] <= f1_addr[47:7];
      miss_pc_q[free_idx] <= f1_pc;
      miss_base_q[free_idx] <= f1_base;
    end
    if (send && ifreq_ready_i) miss_sent_q[send_idx] <= 1'b1;
    if (fill_mine) miss_valid_q[fill_idx] <= 1'b0;
    if (fill_mine && iffill_error_i) begin
      err_valid_q <= 1'b1;
      err_line_q <= iffill_addr_i[47:7];
    end
    if (fill_keep) begin
      line_valid_q[iffill_addr_i[7 +: IdxBits]] <= 1'b1;
      tag_q[iffill_addr_i[7 +: IdxBits]] <= iffill_addr_i[47 -: TagBits];
    end
    if (inval_i) begin
      line_valid_q <= '0;
      err_valid_q <= 1'b0;
      miss_drop_q <= '1;
    end
    if (!rst_ni) begin
      line_valid_q <= '0;
      err_valid_q <= 1'b0;
      miss_valid_q <= '0;
      miss_sent_q <= '0;
    end
  end

  // ---- F2: decode and push ----
  logic                f2_valid_q, f2_two_q, f2_bad_q;
  logic [SlotBits-1:0] f2_slot_q;
  logic [255:0]        f2_words_q;
  logic                two;
  assign two = f1_pc[6:4] != 3'd7 && !bad;
  always_ff @(posedge clk_i) begin
    f2_valid_q <= rst_ni && (hit || bad) && !f1_dead;
    if (hit || bad) begin
      f2_two_q <= two;
      f2_bad_q <= bad;
      f2_slot_q <= f1_slot;
      f2_words_q <= {word1, word0};
    end
  end
  logic [255:0] words;      // still while there is nothing to decode
  logic [8:0]   regs;
  always_comb begin
    words = '0;
    regs = '0;
    if (f2_valid_q) begin
      words = f2_words_q;
      regs = regs_q[f2_slot_q];
    end
  end
  sm_decode u_dec0 (.word_i(words[127:0]), .regs_i(regs), .insn_o(push_insn0_o), .imm_o(push_imm0_o));
  sm_decode u_dec1 (.word_i(words[255:128]), .regs_i(regs), .insn_o(push_insn1_o), .imm_o(push_imm1_o));
  assign push_valid_o = f2_valid_q && !(redirect_valid_i && redirect_slot_i == f2_slot_q);
  assign push_two_o = f2_two_q;
  assign push_badpc_o = f2_bad_q;
  assign push_slot_o = f2_slot_q;

  // ---- per-slot state; a fetch, a pop and a redirect may meet in one cycle ----
  always_ff @(posedge clk_i) begin
    active_q <= active_q & ~stop_i;
    if (fill_mine) parked_q <= '0;
    if (f1_valid && (hit || bad)) above_q <= ~(pick_oh | (pick_oh - WarpSlots'(1)));
    if (f1_miss && !fill_mine) parked_q[f1_slot] <= 1'b1;
    if (hit || bad) fpc_q[f1_slot] <= f1_pc + (two ? 28'd32 : 28'd16);
    if (bad) active_q[f1_slot] <= 1'b0;
    if (redirect_valid_i) begin
      fpc_q[redirect_slot_i] <= redirect_pc_i;
      parked_q[redirect_slot_i] <= 1'b0;
      active_q[redirect_slot_i] <= 1'b1;
    end
    if (init_valid_i) begin
      fpc_q[init_slot_i] <= init_pc_i;
      base_q[init_slot_i] <= init_base_i;
      regs_q[init_slot_i] <= init_regs_i;
      parked_q[init_slot_i] <= 1'b0;
      active_q[init_slot_i] <= 1'b1;
    end
    if (!rst_ni) begin
      active_q <= '0;
      parked_q <= '0;
      above_q <= '1;
    end
  end

  // words held: only the slots of this cycle's fetch and pop change
  logic [CntBits-1:0] cnt_f1, cnt_pop;
  logic       same;
  assign same = pop_valid_i && (hit || bad) && pop_slot_i == f1_slot;
  assign cnt_f1 = cnt_q[f1_slot] + (two ? CntBits'(2) : CntBits'(1)) - CntBits'(same);
  assign cnt_pop = cnt_q[pop_slot_i] - CntBits'(1);
  always_ff @(posedge clk_i) begin
    if (pop_valid_i && !same) begin
      cnt_q[pop_slot_i] <= cnt_pop;
      room_q[pop_slot_i] <= cnt_pop <= CntBits'(Depth - 2);
    end
    if (hit || bad) begin
      cnt_q[f1_slot] <= cnt_f1;
      room_q[f1_slot] <= cnt_f1 <= CntBits'(Depth - 2);
    end
    if (redirect_valid_i) begin
      cnt_q[redirect_slot_i] <= '0;
      room_q[redirect_slot_i] <= 1'b1;
    end
    if (init_valid_i) begin
      cnt_q[init_slot_i] <= '0;
      room_q[init_slot_i] <= 1'b1;
    end
  end

  logic unused_bits;
  assign unused_bits = ^{iffill_addr_i[6:0], f1_addr[6:0]};
endmodule
