// SPDX-License-Identifier: Apache-2.0
//
// sm_sva_xlane: an inactive lane casts no vote, matches nobody and adds nothing to a reduction. Bound to sm_xlane. The request's
// lanes are kept here; the lanes that say yes or that match are among them, a reduction equals the one over them alone.
module sm_sva_xlane (
    input logic clk_i,
    input logic rst_ni,
    input logic accept_i,                    // MATCH, REDUX
    input logic vote_accept_i,
    input logic vote_i,                      // a vote is answered
    input logic [31:0] vote_set_i,           // lanes that say yes; lanes that get the answer
    input logic [31:0] vote_answered_i,
    input logic [31:0] mask_i,
    input logic answer_i,                    // a round's answer is written
    input logic is_redux_i,
    input logic [2:0] op_i,
    input logic flip_i,
    input logic [31:0] set_i,
    input logic [31:0] answered_i,
    input logic [31:0] members_i,            // REDUX: the mask of this round
    input logic [1023:0] values_i,
    input logic [31:0] folded_i
);
  logic [31:0] lanes_q, vote_lanes_q, sum;
  logic said_vote_q, said_match_q, said_reduce_q;

  function automatic logic [31:0] combine(input logic [2:0] op, input logic is_signed, input logic [31:0] x,
      input logic [31:0] y);
    logic less;
    less = is_signed ? $signed(x) < $signed(y) : x < y;
    case (op)
      sm_isa_pkg::ValRDXOP_ADD: combine = x + y;
      sm_isa_pkg::ValRDXOP_MIN: combine = less ? x : y;
      sm_isa_pkg::ValRDXOP_MAX: combine = less ? y : x;
      sm_isa_pkg::ValRDXOP_AND: combine = x & y;
      sm_isa_pkg::ValRDXOP_OR: combine = x | y;
      default: combine = x ^ y;
    endcase
  endfunction

  logic any;
  always_comb begin
    sum = '0;
    any = 1'b0;
    if (answer_i && is_redux_i) begin
      for (int unsigned l = 0; l < 32; l++) begin
        if (members_i[l] && lanes_q[l]) begin
          sum = any ? combine(op_i, flip_i, sum, values_i[32*l +: 32]) : values_i[32*l +: 32];
          any = 1'b1;
        end
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (accept_i) lanes_q <= mask_i;
    if (vote_accept_i) vote_lanes_q <= mask_i;
    if (rst_ni && vote_i && !said_vote_q && ((vote_set_i | vote_answered_i) & ~vote_lanes_q) != '0) begin
      said_vote_q <= 1'b1;
      $error("gating vote: inactive lanes %0h vote", (vote_set_i | vote_answered_i) & ~vote_lanes_q);
    end
    if (!rst_ni) {said_vote_q, said_match_q, said_reduce_q} <= '0;
    else if (answer_i) begin
      if (!is_redux_i && !said_match_q && ((set_i | answered_i) & ~lanes_q) != '0) begin
        said_match_q <= 1'b1;
        $error("gating match: inactive lanes %0h match", (set_i | answered_i) & ~lanes_q);
      end
      if (is_redux_i && !said_reduce_q && ((answered_i & ~lanes_q) != '0 || (any && folded_i != sum))) begin
        said_reduce_q <= 1'b1;
        $error("gating reduce: the result %0h is not that of the active lanes, %0h", folded_i, sum);
      end
    end
  end
endmodule

bind sm_xlane sm_sva_xlane u_sva (
    .clk_i, .rst_ni, .accept_i(start), .vote_accept_i(accept & req_vote), .vote_i(v_valid_q), .vote_set_i(v_set_q),
    .vote_answered_i(v_mask_q), .mask_i(req_mask_i), .answer_i(state_q == Answer),
    .is_redux_i(meta_q.is_redux), .op_i(op), .flip_i(flip), .set_i(set_q), .answered_i(set_q),
        .members_i(value_q[31:0]),
    .values_i(other_q), .folded_i(part_q[31:0]));
