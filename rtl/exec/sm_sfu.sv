// SPDX-License-Identifier: Apache-2.0
//
// sm_sfu: special functions (MUFU), one whole warp a request, 32 / Lanes beats.
//
//   req -> operand row -> beat -> [1 unpack, table] -> [2 multiply] -> [3 add] -> [4 pack] -> result row -> rsp
//
// Both rows are shift registers, Lanes lanes a beat. A request is accepted in the cycle of the last beat of the one
// before, so that full warps follow each other without a gap. Latency: 32 / Lanes + 4 cycles from acceptance to
// rsp_valid_o. While a response is not taken everything stops. Lanes outside the mask give zero.
//
// Functions: COS, SIN, EX2, LG2, RCP, RSQ, SQRT (isa/isa.def names those that instructions may use; the decoder stops
// the others). Any other value of MUFUF gives `illegal_o` with its response: the sub-core raises IllegalInsn and ignores
// the data. The algorithm is that of model/ref/ref_mufu.c, bit for bit.
module sm_sfu #(
    parameter int unsigned Lanes = 4   // 1, 2, 4, 8, 16
) (
    input  logic           clk_i,
    input  logic           rst_ni,
    input  logic           req_valid_i,
    output logic           req_ready_o,
    input  sm_pkg::uop_t   req_uop_i,
    input  logic [3:0]     req_slot_i,
    input  logic [31:0]    req_mask_i,
    input  logic [1023:0]  req_a_i,
    output logic           rsp_valid_o,
    input  logic           rsp_ready_i,
    output logic [3:0]     rsp_slot_o,
    output logic [7:0]     rsp_rd_o,
    output logic [31:0]    rsp_mask_o,
    output logic [1023:0]  rsp_data_o,
    output logic           illegal_o,    // qualifies rsp_valid_o
    output logic [27:0]    illegal_pc_o
);
  localparam int unsigned Beats = 32 / Lanes;
  localparam int unsigned BeatBits = $clog2(Beats);

  // The request in the operand row, and its facts as they travel behind its last beat.
  typedef struct packed {
    logic [3:0]  slot;
    logic [7:0]  rd;
    logic [31:0] mask;
    logic        illegal;
    logic [27:0] pc;
  } meta_t;
  meta_t cur_q, meta1_q, meta2_q, meta3_q, rsp_q;

  logic busy_q;
  logic [BeatBits-1:0] beat_q;
  logic [1023:0] a_q, row_q;
  logic [31:0] mask_q;              // of the lanes still to go, shifted with the operand row
  logic abs_q, neg_q;
  logic [3:0] fn_q;
  logic [Lanes-1:0] en0, en1_q, en2_q, en3_q;
  logic valid1_q, valid2_q, valid3_q, last1_q, last2_q, last3_q;
  // The last function of modifier MUFUF that sm_sfu_lane knows.
  localparam logic [3:0] FnLast = 4'd6;
  logic [32*Lanes-1:0] res;

  wire step = ~rsp_valid_o | rsp_ready_i;
  wire last = beat_q == BeatBits'(Beats - 1);
  wire accept = req_valid_i & req_ready_o;

  // Not a function of rsp_ready_i.
  assign req_ready_o = ~rsp_valid_o & (~busy_q | last);
  assign en0 = step & busy_q ? mask_q[Lanes-1:0] : '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q   <= 1'b0;
      valid1_q <= 1'b0;
      valid2_q <= 1'b0;
      valid3_q <= 1'b0;
      en1_q    <= '0;
      en2_q    <= '0;
      en3_q    <= '0;
      last1_q  <= 1'b0;
      last2_q  <= 1'b0;
      last3_q  <= 1'b0;
      rsp_valid_o <= 1'b0;
      beat_q   <= '0;
    end else if (step) begin
      if (accept) busy_q <= 1'b1;
      else if (last) busy_q <= 1'b0;
      if (busy_q) beat_q <= beat_q + 1'b1;
      valid1_q <= busy_q;
      valid2_q <= valid1_q;
      valid3_q <= valid2_q;
      en1_q    <= en0;
      en2_q    <= en1_q;
      en3_q    <= en2_q;
      last1_q  <= busy_q & last;
      last2_q  <= last1_q;
      last3_q  <= last2_q;
      rsp_valid_o <= last3_q;
    end
    if (step) begin
      if (accept) begin
        a_q    <= req_a_i;
        mask_q <= req_mask_i;
        abs_q  <= req_uop_i.mods[sm_isa_pkg::MarkAA];
        neg_q  <= req_uop_i.mods[sm_isa_pkg::MarkNA];
        cur_q.slot <= req_slot_i;
        cur_q.rd   <= req_uop_i.rd;
        cur_q.mask <= req_mask_i;
        cur_q.pc   <= req_uop_i.pc;
        fn_q <= req_uop_i.mods[sm_isa_pkg::ModLsbMUFUF+:sm_isa_pkg::ModWidthMUFUF];
        cur_q.illegal <= req_uop_i.mods[sm_isa_pkg::ModLsbMUFUF+:sm_isa_pkg::ModWidthMUFUF] > FnLast;
      end else if (busy_q) begin
        a_q    <= a_q >> 32 * Lanes;
        mask_q <= mask_q >> Lanes;
      end
      if (busy_q & last) meta1_q <= cur_q;
      if (last1_q) meta2_q <= meta1_q;
      if (last2_q) meta3_q <= meta2_q;
      if (last3_q) rsp_q <= meta3_q;
      if (valid3_q) row_q <= {res, row_q[1023:32*Lanes]};
    end
  end

  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    sm_sfu_lane u_lane (
        .clk_i,
        .en0_i(en0[l]),
        .en1_i(step & en1_q[l]),
        .en2_i(step & en2_q[l]),
        .en3_i(step & en3_q[l]),
        .fn_i (fn_q),
        .abs_i(abs_q),
        .neg_i(neg_q),
        .a_i  (a_q[32*l+:32]),
        .res_o(res[32*l+:32])
    );
  end

  assign rsp_slot_o = rsp_q.slot;
  assign rsp_rd_o = rsp_q.rd;
  assign rsp_mask_o = rsp_q.mask;
  assign rsp_data_o = row_q;
  assign illegal_o = rsp_q.illegal;
  assign illegal_pc_o = rsp_q.pc;

  wire unused_uop = ^req_uop_i;
endmodule
