// SPDX-License-Identifier: Apache-2.0
//
// sm_sfu: special functions (MUFU: sm_sfu_lane), conversions and bit counts (I2F, F2I, F2F, POPC, FLO, BREV:
// sm_cvt_lane), one whole warp a request, 32 / Lanes beats. Of the two lane modules only the one that the request
// names is clocked.
//
//   req -> operand rows -> beat -> [1 unpack, table] -> [2 multiply] -> [3 add] -> [4 pack] -> result rows -> rsp
//
// The rows are shift registers, Lanes lanes a beat; the upper ones (64-bit sources, results) move only when used. A
// request is accepted in the cycle of the last beat of the one before, so that full warps follow each other without
// a gap. Latency: 32 / Lanes + 4 cycles from acceptance to rsp_valid_o. While a response is not taken everything
// stops. Lanes outside the mask give zero.
//
// Functions of MUFU: COS, SIN, EX2, LG2, RCP, RSQ, SQRT, TANH, RCP64H, RSQ64H (the decoder stops those that
// instructions may not use). Any other value of MUFUF gives `illegal_o` with its response: the sub-core raises
// IllegalInsn and ignores the data. The algorithms are those of model/ref/ref_mufu.c and ref_cvt.c, bit for bit.
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
    input  logic [1023:0]  req_a1_i,     // row a1: upper words of 64-bit sources
    output logic           rsp_valid_o,
    input  logic           rsp_ready_i,
    output logic [3:0]     rsp_slot_o,
    output logic [7:0]     rsp_rd_o,
    output logic [31:0]    rsp_mask_o,
    output logic           rsp_wide_o,   // rsp_data_hi_o goes to rd+1
    output logic [1023:0]  rsp_data_o,
    output logic [1023:0]  rsp_data_hi_o,
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
    logic        wide;
    logic        illegal;
    logic [27:0] pc;
  } meta_t;
  meta_t cur_q, meta1_q, meta2_q, meta3_q, rsp_q;

  logic busy_q;
  logic [BeatBits-1:0] beat_q;
  logic [1023:0] a_q, a1_q, row_q, row_hi_q;
  logic [31:0] mask_q;              // of the lanes still to go, shifted with the operand row
  logic abs_q, neg_q;
  logic [3:0] fn_q;
  logic cvt_q, cvt1_q, cvt2_q, cvt3_q, pair_q, wide1_q, wide2_q, wide3_q;
  logic [23:0] insn_q, insn1_q, insn2_q, insn3_q;   // {opcode, modifiers} of a conversion
  logic [Lanes-1:0] en0, en1_q, en2_q, en3_q;
  logic valid1_q, valid2_q, valid3_q, last1_q, last2_q, last3_q;
  // The last function of modifier MUFUF that sm_sfu_lane knows.
  localparam logic [3:0] FnLast = 4'd9;
  logic [32*Lanes-1:0] res, res_hi;

  wire step = ~rsp_valid_o | rsp_ready_i;
  wire last = beat_q == BeatBits'(Beats - 1);
  wire accept = req_valid_i & req_ready_o;

  // The request: which lane module, 64-bit source, 64-bit result (register counts of isa/isa.def).
  logic is_cvt, is_pair, is_wide;
  always_comb begin
    is_cvt = req_uop_i.op != sm_isa_pkg::OpMUFU;
    is_pair = 1'b0;
    is_wide = 1'b0;
    case (req_uop_i.op)
      sm_isa_pkg::OpI2F: begin
        is_pair = req_uop_i.mods[sm_isa_pkg::ModLsbISZ+1+:2] == 2'd3;
        is_wide = req_uop_i.mods[sm_isa_pkg::ModLsbFDST+:3] == sm_isa_pkg::ValFDST_F64;
      end
      sm_isa_pkg::OpF2I: begin
        is_pair = req_uop_i.mods[sm_isa_pkg::ModLsbFSRC+:2] == sm_isa_pkg::ValFSRC_F64;
        is_wide = req_uop_i.mods[sm_isa_pkg::ModLsbISZ+1+:2] == 2'd3;
      end
      sm_isa_pkg::OpF2F: begin
        is_pair = req_uop_i.mods[sm_isa_pkg::ModLsbFSRC+:2] == sm_isa_pkg::ValFSRC_F64;
        is_wide = req_uop_i.mods[sm_isa_pkg::ModLsbFDST+:3] == sm_isa_pkg::ValFDST_F64;
      end
      sm_isa_pkg::OpPOPC, sm_isa_pkg::OpFLO: is_pair = req_uop_i.mods[sm_isa_pkg::ModLsbB64];
      sm_isa_pkg::OpBREV: begin
        is_pair = req_uop_i.mods[sm_isa_pkg::ModLsbB64];
        is_wide = req_uop_i.mods[sm_isa_pkg::ModLsbB64];
      end
      default: ;
    endcase
  end

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
        if (is_pair) a1_q <= req_a1_i;
        cvt_q  <= is_cvt;
        pair_q <= is_pair;
        if (is_cvt) insn_q <= {req_uop_i.op, req_uop_i.mods};
        mask_q <= req_mask_i;
        abs_q  <= req_uop_i.mods[sm_isa_pkg::MarkAA];
        neg_q  <= req_uop_i.mods[sm_isa_pkg::MarkNA];
        cur_q.slot <= req_slot_i;
        cur_q.rd   <= req_uop_i.rd;
        cur_q.mask <= req_mask_i;
        cur_q.pc   <= req_uop_i.pc;
        fn_q <= req_uop_i.mods[sm_isa_pkg::ModLsbMUFUF+:sm_isa_pkg::ModWidthMUFUF];
        cur_q.wide <= is_wide;
        cur_q.illegal <= !is_cvt && req_uop_i.mods[sm_isa_pkg::ModLsbMUFUF+:sm_isa_pkg::ModWidthMUFUF] > FnLast;
      end else if (busy_q) begin
        a_q    <= a_q >> 32 * Lanes;
        if (pair_q) a1_q <= a1_q >> 32 * Lanes;
        mask_q <= mask_q >> Lanes;
      end
      cvt1_q  <= busy_q & cvt_q;
      cvt2_q  <= cvt1_q;
      cvt3_q  <= cvt2_q;
      if (busy_q & cvt_q) begin
        insn1_q <= insn_q;
        wide1_q <= cur_q.wide;
      end
      if (cvt1_q) begin
        insn2_q <= insn1_q;
        wide2_q <= wide1_q;
      end
      if (cvt2_q) begin
        insn3_q <= insn2_q;
        wide3_q <= wide2_q;
      end
      if (busy_q & last) meta1_q <= cur_q;
      if (last1_q) meta2_q <= meta1_q;
      if (last2_q) meta3_q <= meta2_q;
      if (last3_q) rsp_q <= meta3_q;
      if (valid3_q) row_q <= {res, row_q[1023:32*Lanes]};
      if (cvt3_q & wide3_q) row_hi_q <= {res_hi, row_hi_q[1023:32*Lanes]};
    end
  end

  wire [3:0] any = {en3_q != '0, en2_q != '0, en1_q != '0, en0 != '0};
  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    logic [31:0] mufu;
    logic [63:0] cvt;
    sm_sfu_lane u_lane (
        .clk_i,
        .en0_i(en0[l] & ~cvt_q),
        .en1_i(step & en1_q[l] & ~cvt1_q),
        .en2_i(step & en2_q[l] & ~cvt2_q),
        .en3_i(step & en3_q[l] & ~cvt3_q),
        .any_i(any & ~{cvt3_q, cvt2_q, cvt1_q, cvt_q}),
        .fn_i (fn_q),
        .abs_i(abs_q),
        .neg_i(neg_q),
        .a_i  (a_q[32*l+:32]),
        .res_o(mufu)
    );
    sm_cvt_lane u_cvt (
        .clk_i,
        .en0_i  (en0[l] & cvt_q),
        .en1_i  (step & en1_q[l] & cvt1_q),
        .en2_i  (step & en2_q[l] & cvt2_q),
        .en3_i  (step & en3_q[l] & cvt3_q),
        .any_i  (any & {cvt3_q, cvt2_q, cvt1_q, cvt_q}),
        .insn0_i(insn_q),
        .insn1_i(insn1_q),
        .insn2_i(insn2_q),
        .insn3_i(insn3_q),
        .a_i    ({pair_q ? a1_q[32*l+:32] : 32'd0, a_q[32*l+:32]}),
        .res_o  (cvt)
    );
    assign res[32*l+:32] = mufu | cvt[31:0];
    assign res_hi[32*l+:32] = cvt[63:32];
  end

  assign rsp_slot_o = rsp_q.slot;
  assign rsp_rd_o = rsp_q.rd;
  assign rsp_mask_o = rsp_q.mask;
  assign rsp_wide_o = rsp_q.wide;
  assign rsp_data_o = row_q;
  assign rsp_data_hi_o = row_hi_q;
  assign illegal_o = rsp_q.illegal;
  assign illegal_pc_o = rsp_q.pc;

  wire unused_uop = ^req_uop_i;
endmodule
