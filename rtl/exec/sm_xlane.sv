// SPDX-License-Identifier: Apache-2.0
//
// sm_xlane: VOTE, MATCH, REDUX: instructions across the lanes of a warp; MATCH and REDUX one request at a time, VOTE one a
// cycle.
//
//   req -> rows, lane sets -> [pick a key -> compare with all lanes -> (fold) -> answer these lanes] ... -> rsp
//    \-> VOTE: answer -> up to VoteDepth answers that wait for their time ---------------------------> rsp (first)
//
// The group of a lane = the executing lanes that are in the lane's own mask b. MATCH goes through the distinct
// values of a, REDUX through the distinct masks, lowest lane first; all lanes of one value (mask) are answered
// together. A REDUX round folds eight lanes a cycle into eight partial results, then these into one.
//
// Cycles from acceptance to rsp_valid_o, nothing else being there: VOTE VoteCycles; MATCH 2 + 2 a distinct value; REDUX 2 + 9 a
// distinct mask.
// VOTE waits, so that ISETP and a VOTE that needs it take what silicon takes (silicon/latency/ops.csv: 17 cycles).
// Lanes outside the mask keep what an earlier response had there. The rules are those of model/ref/ref_exec_xlane.c.
module sm_xlane #(
    parameter int unsigned VoteCycles = 9,  // 2..16
    parameter int unsigned VoteDepth = 4
) (
    input  logic           clk_i,
    input  logic           rst_ni,
    input  logic           req_valid_i,
    output logic           req_ready_o,
    input  sm_pkg::uop_t   req_uop_i,
    input  logic [3:0]     req_slot_i,
    input  logic [31:0]    req_mask_i,    // executing lanes
    input  logic [1023:0]  req_a_i,       // MATCH, REDUX: values
    input  logic [1023:0]  req_a1_i,      // MATCH.64: upper words
    input  logic [1023:0]  req_b_i,       // masks
    input  logic [31:0]    req_p0_i,      // VOTE: predicate source after its not
    output logic           rsp_valid_o,
    input  logic           rsp_ready_i,
    output logic [3:0]     rsp_slot_o,
    output logic [7:0]     rsp_rd_o,
    output logic [31:0]    rsp_mask_o,
    output logic [1023:0]  rsp_data_o,
    output logic           rsp_pvalid_o,  // rsp_pd_o is written (not PT)
    output logic [2:0]     rsp_pd_o,
    output logic [31:0]    rsp_pbits_o
);
  typedef enum logic [2:0] {Idle, Pick, Compare, Fold, Answer, Respond} state_e;

  // What a request keeps beside its rows.
  typedef struct packed {
    logic [7:0]  rd;
    logic [3:0]  slot;
    logic [2:0]  pd;
    logic        pvalid;
    logic        is_redux;
    logic [15:0] mods;
  } meta_t;

  // The value of the lowest lane of a set; 0 for an empty set.
  function automatic logic [31:0] lowest(input logic [1023:0] row, input logic [31:0] set);
    logic [31:0] first;
    first = set & (~set + 32'd1);
    lowest = 32'd0;
    for (int unsigned l = 0; l < 32; l++) lowest = lowest | (row[32*l+:32] & {32{first[l]}});
  endfunction

  // Lanes whose value equals `value`.
  function automatic logic [31:0] equal(input logic [1023:0] row, input logic [31:0] value);
    for (int unsigned lane = 0; lane < 32; lane++) equal[lane] = row[32*lane+:32] == value;
  endfunction

  // Per lane: the lanes of its group that are in `set`; and whether there are any.
  function automatic logic [1023:0] members(input logic [1023:0] masks, input logic [31:0] set);
    for (int unsigned lane = 0; lane < 32; lane++) members[32*lane+:32] = masks[32*lane+:32] & set;
  endfunction
  function automatic logic [31:0] any(input logic [1023:0] masks, input logic [31:0] set);
    for (int unsigned lane = 0; lane < 32; lane++) any[lane] = (masks[32*lane+:32] & set) != 32'd0;
  endfunction

  // One bit a lane to one word a lane.
  function automatic logic [1023:0] widen(input logic [31:0] set);
    for (int unsigned lane = 0; lane < 32; lane++) widen[32*lane+:32] = {32{set[lane]}};
  endfunction

  // REDUX: neutral element; x op y. `flip` turns the unsigned comparison into the signed one.
  function automatic logic [31:0] neutral(input logic [2:0] op, input logic flip);
    case (op)
      sm_isa_pkg::ValRDXOP_MIN: neutral = {~flip, 31'h7fffffff};
      sm_isa_pkg::ValRDXOP_MAX: neutral = {flip, 31'd0};
      sm_isa_pkg::ValRDXOP_AND: neutral = 32'hffffffff;
      default: neutral = 32'd0;
    endcase
  endfunction
  function automatic logic [31:0] combine(input logic [2:0] op, input logic flip, input logic [31:0] x,
                                          input logic [31:0] y);
    logic less;
    less = {x[31] ^ flip, x[30:0]} < {y[31] ^ flip, y[30:0]};
    case (op)
      sm_isa_pkg::ValRDXOP_ADD: combine = x + y;
      sm_isa_pkg::ValRDXOP_MIN: combine = less ? x : y;
      sm_isa_pkg::ValRDXOP_MAX: combine = less ? y : x;
      sm_isa_pkg::ValRDXOP_AND: combine = x & y;
      sm_isa_pkg::ValRDXOP_OR: combine = x | y;
      default: combine = x ^ y;
    endcase
  endfunction

  // What the eight partial results are combined with: beats 0 to 3 eight lanes of the group each, then one another.
  function automatic logic [255:0] fold_with(input logic [2:0] beat, input logic [1023:0] row, input logic [31:0] group,
                                             input logic [255:0] part, input logic [31:0] zero);
    logic [255:0] x;
    logic [7:0] on;
    x = row[255:0];
    on = group[7:0];
    case (beat)
      3'd0: ;
      3'd1: begin x = row[511:256]; on = group[15:8]; end
      3'd2: begin x = row[767:512]; on = group[23:16]; end
      3'd3: begin x = row[1023:768]; on = group[31:24]; end
      3'd4: begin x = {part[127:0], part[255:128]}; on = 8'hff; end
      3'd5: begin x = {part[63:0], part[255:64]}; on = 8'hff; end
      default: begin x = {part[31:0], part[255:32]}; on = 8'hff; end
    endcase
    for (int unsigned k = 0; k < 8; k++) fold_with[32*k+:32] = on[k] ? x[32*k+:32] : zero;
  endfunction
  function automatic logic [255:0] fold(input logic [2:0] op, input logic flip, input logic [255:0] x,
                                        input logic [255:0] y);
    for (int unsigned k = 0; k < 8; k++) fold[32*k+:32] = combine(op, flip, x[32*k+:32], y[32*k+:32]);
  endfunction

  state_e        state_q;
  meta_t         meta_q;
  logic [2:0]    beat_q;
  logic [1023:0] key_q, key1_q;     // what lanes are told apart by: MATCH a, a1; REDUX b
  logic [1023:0] other_q;           // MATCH: masks b; REDUX: values a
  logic [31:0]   mask_q;
  logic [31:0]   left_q;            // lanes without an answer
  logic [31:0]   set_q;             // lanes with the picked key
  logic [63:0]   value_q;           // the picked key
  logic [255:0]  part_q;
  logic [1023:0] row_q;
  logic [31:0]   pbits_q;

  wire accept = req_valid_i & req_ready_o;
  wire req_vote = req_uop_i.op == sm_isa_pkg::OpVOTE;
  wire req_redux = req_uop_i.op == sm_isa_pkg::OpREDUX;
  wire b64 = meta_q.mods[sm_isa_pkg::ModLsbB64];
  wire [2:0] op = meta_q.mods[sm_isa_pkg::ModLsbRDXOP+:sm_isa_pkg::ModWidthRDXOP];
  wire flip = meta_q.mods[sm_isa_pkg::ModLsbRDXS];
  wire done = (left_q & ~set_q) == 32'd0;
  wire start = accept & ~req_vote;

  assign req_ready_o = state_q == Idle && !vote_full;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= Idle;
    end else begin
      case (state_q)
        Idle: if (start) state_q <= Pick;
        Pick: state_q <= Compare;
        Compare: state_q <= meta_q.is_redux ? Fold : Answer;
        Fold: if (beat_q == 3'd6) state_q <= Answer;
        Answer: state_q <= done ? Respond : Compare;
        default: if (rsp_ready_i && !vote_due) state_q <= Idle;
      endcase
    end
  end

  // The request. Rows that its instruction does not have stay as they are.
  always_ff @(posedge clk_i) begin
    if (start) begin
      meta_q.rd <= req_uop_i.rd;
      meta_q.slot <= req_slot_i;
      meta_q.pd <= req_uop_i.pd0;
      meta_q.pvalid <= !req_redux && req_uop_i.pd0 != 3'd7;
      meta_q.is_redux <= req_redux;
      meta_q.mods <= req_uop_i.mods;
      mask_q <= req_mask_i;
      other_q <= req_redux ? req_a_i : req_b_i;
      key_q <= req_redux ? req_b_i : req_a_i;
      if (req_uop_i.op == sm_isa_pkg::OpMATCH && req_uop_i.mods[sm_isa_pkg::ModLsbB64]) key1_q <= req_a1_i;
    end
  end

  // Rounds.
  always_ff @(posedge clk_i) begin
    if (start) left_q <= req_mask_i;
    if (state_q == Pick || (state_q == Answer && !done)) begin : pick
      logic [31:0] rest;
      rest = state_q == Pick ? left_q : left_q & ~set_q;
      left_q <= rest;
      value_q[31:0] <= lowest(key_q, rest);
      if (!meta_q.is_redux && b64) value_q[63:32] <= lowest(key1_q, rest);
    end
    if (state_q == Compare) begin : compare
      logic [31:0] same;
      same = equal(key_q, value_q[31:0]);
      if (!meta_q.is_redux && b64) same = same & equal(key1_q, value_q[63:32]);
      set_q <= same & mask_q;
      beat_q <= 3'd0;
      part_q <= {8{neutral(op, flip)}};
    end
    if (state_q == Fold) begin
      beat_q <= beat_q + 3'd1;
      part_q <= fold(op, flip, part_q, fold_with(beat_q, other_q, value_q[31:0] & mask_q, part_q, neutral(op, flip)));
    end
    if (state_q == Answer) begin : answer
      logic [1023:0] row, lanes;
      logic [31:0] all;
      all = ~any(other_q, mask_q & ~set_q);
      row = members(other_q, set_q);
      if (meta_q.is_redux) begin
        row = {32{part_q[31:0]}};
      end else if (meta_q.mods[sm_isa_pkg::ModLsbMATCHM] == sm_isa_pkg::ValMATCHM_ALL) begin
        row = row & widen(all);
      end
      lanes = widen(set_q);
      row_q <= (row_q & ~lanes) | (row & lanes);
      pbits_q <= (pbits_q & ~set_q) | (all & set_q);
    end
  end

  // ---- VOTE: the request, its answer, answers that wait. left: cycles until one is due ----
  localparam int unsigned VoteW = 8 + 4 + 3 + 1 + 32 + 32 + 1024;
  localparam int unsigned IdxBits = $clog2(VoteDepth);
  logic                 v_valid_q;
  logic [1:0]           v_mode_q;
  logic [15:0]          v_where_q;                 // rd, slot, pd, predicate written
  logic [31:0]          v_mask_q, v_set_q;
  logic [1023:0]        v_b_q;
  logic [VoteW-1:0]     ans_q [VoteDepth];
  logic [4*VoteDepth-1:0] left_cycles_q;
  logic [IdxBits-1:0]   head_q, tail_q;
  logic [IdxBits:0]     num_q;
  logic                 vote_full, vote_due, vote_push, vote_pop;
  logic [VoteW-1:0]     head;
  assign vote_full = num_q + {{IdxBits{1'b0}}, v_valid_q} >= (IdxBits+1)'(VoteDepth);
  assign vote_due = num_q != '0 && left_cycles_q[4*head_q +: 4] == 4'd0;
  assign vote_push = v_valid_q;
  assign vote_pop = vote_due && rsp_ready_i;
  assign head = ans_q[head_q];

  always_ff @(posedge clk_i) begin
    v_valid_q <= accept & req_vote;
    if (accept & req_vote) begin
      v_mode_q <= req_uop_i.mods[sm_isa_pkg::ModLsbVOTEM+:sm_isa_pkg::ModWidthVOTEM];
      v_where_q <= {req_uop_i.rd, req_slot_i, req_uop_i.pd0, req_uop_i.pd0 != sm_isa_pkg::PredT};
      v_mask_q <= req_mask_i;
      v_set_q <= req_p0_i & req_mask_i;
      v_b_q <= req_b_i;
    end
    if (num_q != '0) begin
      for (int unsigned i = 0; i < VoteDepth; i++) begin
        if (left_cycles_q[4*i +: 4] != 4'd0) left_cycles_q[4*i +: 4] <= left_cycles_q[4*i +: 4] - 4'd1;
      end
    end
    if (vote_push) begin : vote
      logic [31:0] some, all, pred;
      all = ~any(v_b_q, v_mask_q & ~v_set_q);
      some = any(v_b_q, v_set_q);
      case (v_mode_q)
        sm_isa_pkg::ValVOTEM_ALL: pred = all;
        sm_isa_pkg::ValVOTEM_ANY: pred = some;
        default: pred = all | ~some;
      endcase
      ans_q[tail_q] <= {v_where_q, v_mask_q, pred, members(v_b_q, v_set_q)};
      left_cycles_q[4*tail_q +: 4] <= 4'(VoteCycles - 2);
      tail_q <= tail_q + IdxBits'(1);
    end
    if (vote_pop) head_q <= head_q + IdxBits'(1);
    if (vote_push != vote_pop) num_q <= vote_push ? num_q + (IdxBits+1)'(1) : num_q - (IdxBits+1)'(1);
    if (!rst_ni) begin
      v_valid_q <= 1'b0;
      head_q <= '0;
      tail_q <= '0;
      num_q <= '0;
    end
  end

  assign rsp_valid_o = vote_due || state_q == Respond;
  assign {rsp_rd_o, rsp_slot_o, rsp_pd_o, rsp_pvalid_o} = vote_due ? head[VoteW-1 -: 16] : {meta_q.rd, meta_q.slot, meta_q.pd, meta_q.pvalid};
  assign rsp_mask_o = vote_due ? head[1087:1056] : mask_q;
  assign rsp_pbits_o = vote_due ? head[1055:1024] : pbits_q;
  assign rsp_data_o = vote_due ? head[1023:0] : row_q;

  wire unused_uop = ^req_uop_i;
endmodule
