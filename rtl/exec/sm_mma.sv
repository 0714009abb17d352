// SPDX-License-Identifier: Apache-2.0
//
// sm_mma: the matrix unit: HMMA, IMMA, DMMA of a whole warp, D = A * B + C.
//
//   A, B rows -> next -> held \
//                              step: Rows rows of A, Dots columns of B -> unpack -> [dot products, four stages] -> result rows -> rsp
//   C rows ----> next -> held /
//
// The request comes in two phases, because operand collectors hold six rows: first A and B, then C with the rest. Rows
// that an instruction does not have are not looked at. A step computes Rows x Dots elements of D (DMMA: one step of two
// fused chains), row by row; results return as beats of two rows, rd and rd+1 first. One more instruction is loaded while
// one is in work, so that steps follow each other without a gap. While a beat is not taken everything stops.
//
// Fragments (model/ref/ref_exec_mma.c draws them) make it simple: a row of A or a column of B is four neighbouring
// lanes of one register, or of two registers for the upper half of K; a row of C or D is four neighbouring lanes of
// two registers.
//
// Cycles from acceptance of C to the first rsp_valid_o and between beats: 8 rows take 64 / (Rows * Dots) steps (DMMA 64), and 6
// more behind the first step; the knobs come before it. Lanes outside the mask count as zeros; rsp_data_o has values for them that nobody may
// write.
module sm_mma #(
    parameter int unsigned Dots = 8,    // columns a step: 2, 4, 8
    parameter int unsigned Rows = 1,    // rows a step: 1, 2, 4; more than one only with 8 columns
    parameter bit          Fp64 = 1'b1  // DMMA; without it the decoder must stop DMMA
) (
    input  logic           clk_i,
    input  logic           rst_ni,
    input  logic [3:0]     extra_i,       // cycles from acceptance of C to the first step, beyond one
    input  logic [3:0]     deep_extra_i,  // so many more if there is an upper half of K
    // phase 1: rows ra..ra+3 and rb, rb+1, register ra lowest
    input  logic           req_ab_valid_i,
    output logic           req_ab_ready_o,
    input  logic [1023:0]  req_a0_i,
    input  logic [1023:0]  req_a1_i,
    input  logic [1023:0]  req_a2_i,
    input  logic [1023:0]  req_a3_i,
    input  logic [1023:0]  req_b0_i,
    input  logic [1023:0]  req_b1_i,
    // phase 2: rows rc..rc+3; ready only behind phase 1 of the same instruction
    input  logic           req_c_valid_i,
    output logic           req_c_ready_o,
    input  sm_pkg::uop_t   req_uop_i,
    input  logic [3:0]     req_slot_i,
    input  logic [31:0]    req_mask_i,
    input  logic [1023:0]  req_c0_i,
    input  logic [1023:0]  req_c1_i,
    input  logic [1023:0]  req_c2_i,
    input  logic [1023:0]  req_c3_i,
    // one or two beats of rows {rd+1, rd}
    output logic           rsp_valid_o,
    input  logic           rsp_ready_i,
    output logic [3:0]     rsp_slot_o,
    output logic [7:0]     rsp_rd_o,
    output logic           rsp_wide_o,   // always: both rows are written
    output logic           rsp_last_o,
    output logic [31:0]    rsp_mask_o,
    output logic [2047:0]  rsp_data_o
);
  localparam int unsigned Groups = 8 / Dots;          // steps a row of D
  localparam int unsigned GroupBits = Dots == 8 ? 1 : $clog2(Groups);
  localparam int unsigned RowBits = Rows == 1 ? 0 : $clog2(Rows);
  localparam int unsigned Chunk = 16 * Dots;          // bits that a row of a step gives to each of two registers

  // An instruction in work.
  typedef struct packed {
    logic        is_int, is_f64;
    logic [1:0]  kind;       // element type: MIN
    logic        acc16;
    logic        k_hi;       // there is an upper half of K
    logic        m8;         // 8 rows
    logic        sa, sb, sat;
    logic [3:0]  slot;
    logic [7:0]  rd;
    logic [31:0] mask;
  } insn_t;

  // What follows a step through the pipeline.
  typedef struct packed {
    logic is_int, is_f64, acc16, sa, sb, sat;
    logic second;            // rows 8 to 15, or (DMMA) odd columns
    logic chain;             // DMMA: continues with the lane's last result
    logic keep;              // the result is an element of D
    logic first, full, last; // of the instruction; completes a beat; completes the instruction
    logic [3:0]  slot;
    logic [7:0]  rd;
    logic [31:0] mask;
  } tag_t;

  // The logic of a stage stands in functions: Verilator then keeps their variables in registers.

  // Four lanes of a row; lanes outside the mask are zero.
  function automatic logic [127:0] lanes4(input logic [1023:0] row, input logic [2:0] n, input logic [31:0] mask);
    logic [3:0] on;
    on = mask[{n, 2'd0}+:4];
    lanes4 = row[{n, 7'd0}+:128] & {{32{on[3]}}, {32{on[2]}}, {32{on[1]}}, {32{on[0]}}};
  endfunction

  // One operand as sm_mma_dot wants it.
  function automatic logic [31:0] operand(input logic [31:0] w, input logic [1:0] kind);
    logic sign, top, hidden;
    logic [7:0] e;
    logic [9:0] f;
    if (kind == sm_isa_pkg::ValMIN_F16) begin
      sign = w[15];
      f = w[9:0];
      top = w[14:10] == 5'h1f;
      hidden = w[14:10] != 5'd0;
      e = {3'd0, w[14:10]} + 8'd112;
    end else begin
      sign = kind == sm_isa_pkg::ValMIN_BF16 ? w[15] : w[31];
      e = kind == sm_isa_pkg::ValMIN_BF16 ? w[14:7] : w[30:23];
      f = kind == sm_isa_pkg::ValMIN_BF16 ? {w[6:0], 3'd0} : w[22:13];
      top = e == 8'hff;
      hidden = e != 8'd0;
    end
    e = e + {7'd0, ~hidden};
    operand = {10'd0, top & f != 10'd0, top & f == 10'd0, sign, e, hidden, f};
  endfunction

  // Half of a row or column: eight elements (TF32: four, then zeros).
  function automatic logic [255:0] unpack(input logic [127:0] v, input logic [1:0] kind);
    unpack = '0;
    if (kind == sm_isa_pkg::ValMIN_TF32) begin
      for (int unsigned k = 0; k < 4; k++) unpack[32*k+:32] = operand(v[32*k+:32], kind);
    end else begin
      for (int unsigned k = 0; k < 8; k++) unpack[32*k+:32] = operand({16'd0, v[16*k+:16]}, kind);
    end
  endfunction

  // A row or column of both halves, unpacked; bytes stay as they are.
  function automatic logic [511:0] line(input logic [127:0] lo, input logic [127:0] hi, input logic [1:0] kind,
                                        input logic is_int);
    line = is_int ? {256'd0, hi, lo} : {unpack(hi, kind), unpack(lo, kind)};
  endfunction

  // A row of C: eight elements, a word each.
  function automatic logic [255:0] addends(input logic [127:0] even, input logic [127:0] odd, input logic acc16);
    for (int unsigned k = 0; k < 4; k++)
      addends[64*k+:64] = acc16 ? {16'd0, even[32*k+16+:16], 16'd0, even[32*k+:16]}
                                : {odd[32*k+:32], even[32*k+:32]};
  endfunction

  // ---- requests: what is in work, and the next one ----
  logic          ab_full_q, c_full_q, next_ab_q, next_c_q;
  logic [1023:0] a0_q, a1_q, a2_q, a3_q, b0_q, b1_q, c0_q, c1_q, c2_q, c3_q;
  logic [1023:0] na0_q, na1_q, na2_q, na3_q, nb0_q, nb1_q, nc0_q, nc1_q, nc2_q, nc3_q;
  insn_t         cur_q, next_q, req;
  logic [6:0]    step_q;
  logic [4:0]    wait_q, next_wait_q, req_wait;   // cycles until the first step may be
  logic          v0_q, v1_q, v2_q, v3_q, v4_q;
  tag_t          tag, t0_q, t1_q, t2_q, t3_q, t4_q;

  wire move = ~rsp_valid_o | rsp_ready_i;
  wire go = ab_full_q & c_full_q & move & wait_q == 5'd0;
  wire finish = go & tag.last;
  wire accept_ab = req_ab_valid_i & req_ab_ready_o;
  wire accept_c = req_c_valid_i & req_c_ready_o;
  wire req_int = req_uop_i.op == sm_isa_pkg::OpIMMA;
  wire req_f64 = req_uop_i.op == sm_isa_pkg::OpDMMA;
  wire [1:0] req_kind = req_uop_i.mods[sm_isa_pkg::ModLsbMIN+:2];
  wire [1:0] req_shape = req_uop_i.mods[sm_isa_pkg::ModLsbMSH+:2];
  wire [1:0] req_ishape = req_uop_i.mods[sm_isa_pkg::ModLsbIMSH+:2];

  // A and B follow C of the instruction before; C belongs to the A and B that have none yet.
  assign req_ab_ready_o = ~next_ab_q & (~ab_full_q | c_full_q);
  assign req_c_ready_o = ~next_c_q & ((ab_full_q & ~c_full_q) | next_ab_q);
  wire ab_direct = ~ab_full_q;               // into work at once
  wire c_direct = ab_full_q & ~c_full_q;
  wire ab_up = next_ab_q & (~ab_full_q | finish);
  wire c_up = next_c_q & (~c_full_q | finish);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      ab_full_q <= 1'b0;
      c_full_q <= 1'b0;
      next_ab_q <= 1'b0;
      next_c_q <= 1'b0;
      step_q <= '0;
    end else begin
      ab_full_q <= (accept_ab & ab_direct) | ab_up | (ab_full_q & ~finish);
      c_full_q <= (accept_c & c_direct) | c_up | (c_full_q & ~finish);
      next_ab_q <= (accept_ab & ~ab_direct) | (next_ab_q & ~ab_up);
      next_c_q <= (accept_c & ~c_direct) | (next_c_q & ~c_up);
      if (go) step_q <= tag.last ? '0 : step_q + 7'd1;
    end
  end
  assign req_wait = {1'b0, extra_i} + (req.k_hi && !req.is_f64 ? {1'b0, deep_extra_i} : 5'd0);
  always_ff @(posedge clk_i) begin
    if (accept_c & ~c_direct) next_wait_q <= req_wait;
    else if (next_wait_q != 5'd0) next_wait_q <= next_wait_q - 5'd1;
    if (accept_c & c_direct) wait_q <= req_wait;
    else if (c_up) wait_q <= next_wait_q == 5'd0 ? 5'd0 : next_wait_q - 5'd1;
    else if (wait_q != 5'd0) wait_q <= wait_q - 5'd1;
    if (!rst_ni) {wait_q, next_wait_q} <= '0;
  end

  always_comb begin
    req.is_int = req_int;
    req.is_f64 = req_f64;
    req.kind = req_kind;
    req.acc16 = req_uop_i.op == sm_isa_pkg::OpHMMA && req_uop_i.mods[sm_isa_pkg::ModLsbMACC];
    req.k_hi = req_int ? req_ishape == sm_isa_pkg::ValIMSH_16832
                       : req_shape == (req_kind == sm_isa_pkg::ValMIN_TF32 ? sm_isa_pkg::ValMSH_1688
                                                                           : sm_isa_pkg::ValMSH_16816);
    req.m8 = req_int && req_ishape == sm_isa_pkg::ValIMSH_8816;
    req.sa = req_uop_i.mods[sm_isa_pkg::ModLsbIMA];
    req.sb = req_uop_i.mods[sm_isa_pkg::ModLsbIMB];
    req.sat = req_uop_i.mods[sm_isa_pkg::ModLsbSAT];
    req.slot = req_slot_i;
    req.rd = req_uop_i.rd;
    req.mask = req_mask_i;
  end

  always_ff @(posedge clk_i) begin
    if (accept_ab & ~ab_direct) begin
      na0_q <= req_a0_i;
      na1_q <= req_a1_i;
      na2_q <= req_a2_i;
      na3_q <= req_a3_i;
      nb0_q <= req_b0_i;
      nb1_q <= req_b1_i;
    end
    if ((accept_ab & ab_direct) | ab_up) begin
      a0_q <= ab_up ? na0_q : req_a0_i;
      a1_q <= ab_up ? na1_q : req_a1_i;
      a2_q <= ab_up ? na2_q : req_a2_i;
      a3_q <= ab_up ? na3_q : req_a3_i;
      b0_q <= ab_up ? nb0_q : req_b0_i;
      b1_q <= ab_up ? nb1_q : req_b1_i;
    end
    if (accept_c & ~c_direct) begin
      next_q <= req;
      nc0_q <= req_c0_i;
      nc1_q <= req_c1_i;
      nc2_q <= req_c2_i;
      nc3_q <= req_c3_i;
    end
    if ((accept_c & c_direct) | c_up) begin
      cur_q <= c_up ? next_q : req;
      c0_q <= c_up ? nc0_q : req_c0_i;
      c1_q <= c_up ? nc1_q : req_c1_i;
      c2_q <= c_up ? nc2_q : req_c2_i;
      c3_q <= c_up ? nc3_q : req_c3_i;
    end
  end

  // ---- steps: step_q = {row, column group}, or groups of rows; DMMA: {odd columns, row pair, k, lane in four} ----
  logic [3:0]           row;    // the first of the step
  logic [GroupBits-1:0] group;
  generate
    if (Dots == 8) begin : gen_whole_row
      assign row = step_q[3:0] << RowBits;
      assign group = '0;
    end else begin : gen_groups
      assign row = step_q[GroupBits+:4];
      assign group = step_q[GroupBits-1:0];
    end
  endgenerate

  always_comb begin
    tag = '0;
    if (ab_full_q & c_full_q) begin
      tag.is_int = cur_q.is_int;
      tag.is_f64 = cur_q.is_f64;
      tag.acc16 = cur_q.acc16;
      tag.sa = cur_q.sa;
      tag.sb = cur_q.sb;
      tag.sat = cur_q.sat;
      tag.first = step_q == 7'd0;
      tag.slot = cur_q.slot;
      tag.rd = cur_q.rd;
      tag.mask = cur_q.mask;
      if (cur_q.is_f64) begin
        tag.second = step_q[6];
        tag.chain = step_q[3:2] != 2'd0;
        tag.keep = step_q[3:2] == 2'd3;
        tag.full = step_q[5:0] == 6'd63;
        tag.last = step_q == 7'd127;
      end else begin
        tag.second = row[3];
        tag.keep = 1'b1;
        tag.last = group == GroupBits'(Groups - 1) && (row | 4'(Rows - 1)) == (cur_q.m8 ? 4'd7 : 4'd15);
        tag.full = tag.last || (group == GroupBits'(Groups - 1) && (row | 4'(Rows - 1)) == 4'd7 && !cur_q.acc16);
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      v0_q <= 1'b0;
      v1_q <= 1'b0;
      v2_q <= 1'b0;
      v3_q <= 1'b0;
      v4_q <= 1'b0;
    end else if (move) begin
      v0_q <= go;
      v1_q <= v0_q;
      v2_q <= v1_q;
      v3_q <= v2_q;
      v4_q <= v3_q;
    end
    if (go) t0_q <= tag;
    if (move & v0_q) t1_q <= t0_q;
    if (move & v1_q) t2_q <= t1_q;
    if (move & v2_q) t3_q <= t2_q;
    if (move & v3_q) t4_q <= t3_q;
  end

  // ---- dot products: columns Dots * group + d of B, rows row + r of A and C ----
  logic [32*Rows*Dots-1:0] fres, ires;    // row by row
  logic [512*Dots-1:0]     cols;
  wire go_dot = go & ~cur_q.is_f64;
  wire dot0 = move & v0_q & ~t0_q.is_int & ~t0_q.is_f64;
  wire dot1 = move & v1_q & ~t1_q.is_int & ~t1_q.is_f64;
  wire dot2 = move & v2_q & ~t2_q.is_int & ~t2_q.is_f64;
  wire dot3 = move & v3_q & ~t3_q.is_int & ~t3_q.is_f64;
  wire int0 = move & v0_q & t0_q.is_int;
  wire int1 = move & v1_q & t1_q.is_int;
  wire int2 = move & v2_q & t2_q.is_int;
  wire int3 = move & v3_q & t3_q.is_int;
  wire new_column = go_dot & (tag.first | Dots != 8);

  for (genvar d = 0; d < Dots; d++) begin : gen_column
    logic [511:0] col_q;
    wire [2:0] col = 3'(Dots * 32'(group) + d);
    always_ff @(posedge clk_i) begin
      if (new_column)
        col_q <= line(lanes4(b0_q, col, cur_q.mask), cur_q.k_hi ? lanes4(b1_q, col, cur_q.mask) : 128'd0, cur_q.kind,
                      cur_q.is_int);
    end
    assign cols[512*d+:512] = col_q;
  end

  logic [512*Rows-1:0] arow_q;   // rows of A of a step
  for (genvar r = 0; r < Rows; r++) begin : gen_row
    logic [32*Dots-1:0] crow_q;
    wire [2:0] in8 = row[2:0] | 3'(r);
    always_ff @(posedge clk_i) begin
      if (go_dot) begin : fetch
        logic [127:0] lo, hi, even, odd;
        logic [255:0] c;
        lo = lanes4(row[3] ? a1_q : a0_q, in8, cur_q.mask);
        hi = cur_q.k_hi ? lanes4(row[3] ? a3_q : a2_q, in8, cur_q.mask) : 128'd0;
        arow_q[512*r+:512] <= line(lo, hi, cur_q.kind, cur_q.is_int);
        // a lane's addends go into its own results only: no mask
        even = lanes4(!row[3] ? c0_q : cur_q.acc16 ? c1_q : c2_q, in8, '1);
        odd = lanes4(row[3] ? c3_q : c1_q, in8, '1);
        c = addends(even, odd, cur_q.acc16);
        crow_q <= c[32*Dots*group+:32*Dots];
      end
    end
    for (genvar d = 0; d < Dots; d++) begin : gen_dot
      sm_mma_dot u_dot (
          .clk_i,
          .en0_i  (dot0),
          .en1_i  (dot1),
          .en2_i  (dot2),
          .en3_i  (dot3),
          .c16_i  (t0_q.acc16),
          .acc16_i(t3_q.acc16),
          .a_i    (arow_q[512*r+:512]),
          .b_i    (cols[512*d+:512]),
          .c_i    (crow_q[32*d+:32]),
          .res_o  (fres[32*(r*Dots+d)+:32])
      );
      sm_mma_idot u_idot (
          .clk_i,
          .en0_i(int0),
          .en1_i(int1),
          .en2_i(int2),
          .en3_i(int3),
          .sa_i (t0_q.sa),
          .sb_i (t0_q.sb),
          .sat_i(t2_q.sat),
          .a_i  (arow_q[512*r+:256]),
          .b_i  (cols[512*d+:256]),
          .c_i  (crow_q[32*d+:32]),
          .res_o(ires[32*(r*Dots+d)+:32])
      );
    end
  end

  // ---- DMMA: two fp64 lanes, rows 0 to 3 and 4 to 7. Four elements take turns, so that each one's next product
  // meets its sum at the end of the lane's four stages. ----
  logic [127:0] res64;

  generate
    if (Fp64) begin : gen_f64
      wire go64 = go & cur_q.is_f64;
      for (genvar l = 0; l < 2; l++) begin : gen_lane
        logic [63:0] fa_q, fb_q, fc_q;
        // row of D, and its lane; column of D
        wire [2:0] drow = {1'(l), step_q[5:4]};
        wire [4:0] la = {drow, step_q[3:2]};
        wire [4:0] lb = {step_q[1:0], step_q[6], step_q[3:2]};
        wire [4:0] lc = {drow, step_q[1:0]};

        always_ff @(posedge clk_i) begin
          if (go64) begin
            fa_q <= cur_q.mask[la] ? {a1_q[{la, 5'd0}+:32], a0_q[{la, 5'd0}+:32]} : 64'd0;
            fb_q <= cur_q.mask[lb] ? {b1_q[{lb, 5'd0}+:32], b0_q[{lb, 5'd0}+:32]} : 64'd0;
            if (!tag.chain)
              fc_q <= step_q[6] ? {c3_q[{lc, 5'd0}+:32], c2_q[{lc, 5'd0}+:32]}
                                : {c1_q[{lc, 5'd0}+:32], c0_q[{lc, 5'd0}+:32]};
          end
        end

        logic unused_pd;
        logic pd0, pd1;
        assign unused_pd = pd0 ^ pd1;
        sm_fp64_lane u_lane (
            .clk_i,
            .cmp_en_i(1'b0),
            .en0_i   (move & v0_q & t0_q.is_f64),
            .en1_i   (move & v1_q & t1_q.is_f64),
            .en2_i   (move & v2_q & t2_q.is_f64),
            .en3_i   (move & v3_q & t3_q.is_f64),
            .any_i   (4'hf),
            .add_i   (1'b0),
            .mul_i   (1'b0),
            .minmax_i(1'b0),
            .abs_a_i (1'b0),
            .abs_b_i (1'b0),
            .neg_a_i (1'b0),
            .neg_b_i (1'b0),
            .neg_c_i (1'b0),
            .cond_i  (4'd0),
            .bool_i  (2'd0),
            .rnd2_i  (2'd0),
            .rnd3_i  (2'd0),
            .a_i     (fa_q),
            .b_i     (fb_q),
            .c_i     (t0_q.chain ? res64[64*l+:64] : fc_q),
            .p_i     (1'b0),
            .pd0_o   (pd0),
            .pd1_o   (pd1),
            .res_o   (res64[64*l+:64])
        );
      end
    end else begin : gen_no_f64
      assign res64 = '0;
    end
  endgenerate

  // ---- result rows: shift registers, the lowest lane first; DMMA: halves of rows ----
  logic        second_q;
  logic [3:0]  slot_q;      // of the instruction whose results arrive
  logic [7:0]  rd_q;
  logic [31:0] omask_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) rsp_valid_o <= 1'b0;
    else if (move) rsp_valid_o <= v4_q & t4_q.full;
  end

  always_ff @(posedge clk_i) begin
    if (move & v4_q) begin : assemble
      logic [Rows*Chunk-1:0] even, odd;
      logic [32*Rows*Dots-1:0] res;
      logic [1023:0] d0, d1;
      res = t4_q.is_int ? ires : fres;
      even = '0;
      odd = '0;
      for (int unsigned k = 0; k < Rows * Dots / 2; k++) begin
        even[32*k+:32] = t4_q.acc16 ? {res[64*k+32+:16], res[64*k+:16]} : res[64*k+:32];
        odd[32*k+:32] = t4_q.acc16 ? {res[64*k+32+:16], res[64*k+:16]} : res[64*k+32+:32];
      end
      d0 = rsp_data_o[1023:0];
      d1 = rsp_data_o[2047:1024];
      if (t4_q.is_f64) begin
        if (t4_q.keep) begin
          d0 = {res64[95:64], d0[1023:544], res64[31:0], d0[511:32]};
          d1 = {res64[127:96], d1[1023:544], res64[63:32], d1[511:32]};
        end
      end else begin
        if (!t4_q.acc16 || !t4_q.second) d0 = {even, d0[1023:Rows*Chunk]};
        if (!t4_q.acc16 || t4_q.second) d1 = {odd, d1[1023:Rows*Chunk]};
      end
      rsp_data_o <= {d1, d0};
      second_q <= t4_q.second & ~t4_q.acc16;
      rsp_last_o <= t4_q.last;
      if (t4_q.first) begin
        slot_q <= t4_q.slot;
        rd_q <= t4_q.rd;
        omask_q <= t4_q.mask;
      end
    end
  end

  assign rsp_slot_o = slot_q;
  assign rsp_rd_o = rd_q == sm_isa_pkg::RegZ ? rd_q : rd_q + {6'd0, second_q, 1'b0};
  assign rsp_wide_o = 1'b1;
  assign rsp_mask_o = omask_q;

  wire unused = ^{req_uop_i, t1_q, t2_q, t3_q, t4_q};
endmodule
