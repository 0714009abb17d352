// SPDX-License-Identifier: Apache-2.0
//
// sm_operands: operand collection of a sub-core: four collectors, the register file, and the arbiter between them.
//
//   issue t -> collector filled at the end of t -> t+1: each bank (row mod 2) gives two rows, to the oldest collectors that want
//   them -> t+2: all rows there (at most two in a bank): a pipe may take the first beat
//
// A bank stores its rows in two halves (half = row mod 4), each with a write port of its own, so that a pair is written at once.
// In-order mode (in_order_i): only the oldest collector with unread operands reads.
// Result rows of the pipes are snooped for Beats + 1 cycles from t+1 on: an older producer whose registers were released for this
// instruction's issue shows its last beat by then, and a younger one cannot show its first (sm_operand_rows).
// Outputs are functions of flops and the to_*, result and write inputs. Reset: collectors empty.
module sm_operands #(
    parameter int unsigned Lanes = 16,           // of the int and fp32 pipes
    parameter int unsigned LanesF64 = 8,
    parameter int unsigned RegsPerSubcore = 16384,
    localparam int unsigned BankDepth = RegsPerSubcore / 128,
    localparam int unsigned BankBits = $clog2(BankDepth)
) (
    input  logic clk_i,
    input  logic rst_ni,
    input  logic in_order_i,

    // issue
    input  logic alloc_valid_i,                  // only while !full_o
    input  sm_sub_pkg::alloc_t alloc_i,
    output logic full_o,

    // state of the collectors, one bit each
    output logic [3:0]  valid_o,
    output logic [3:0]  unread_o,                // has operands to read
    output logic        left_o,                  // some of them are not read in this cycle
    output logic [3:0]  fresh_o,                 // in its first cycle
    output logic [3:0]  settled_o,               // no older result can still be on its way to it
    output logic [4*sm_sub_pkg::ClsW-1:0] cls_o,
    output logic [15:0] slot_o,                  // 4 bits each
    output logic [15:0] older_o,                 // bit [4 * i + j]: j is older than i
    input  logic [3:0]  free_i,

    // a beat for each pipe; a whole instruction for the variable-latency units
    input  logic        to_int_en_i,
    input  logic [1:0]  to_int_idx_i,
    input  logic [1:0]  to_int_beat_i,
    output sm_sub_pkg::alloc_t to_int_o,
    output logic [32*Lanes-1:0] int_a_o,
    output logic [32*Lanes-1:0] int_b_o,         // register b; zeros if b is not a register
    output logic [32*Lanes-1:0] int_c_o,
    output logic [32*Lanes-1:0] int_c1_o,
    input  logic        to_fp_en_i,
    input  logic [1:0]  to_fp_idx_i,
    input  logic [1:0]  to_fp_beat_i,
    output sm_sub_pkg::alloc_t to_fp_o,
    output logic [32*Lanes-1:0] fp_a_o,
    output logic [32*Lanes-1:0] fp_b_o,
    output logic [32*Lanes-1:0] fp_c_o,
    input  logic        to_f64_en_i,
    input  logic [1:0]  to_f64_idx_i,
    input  logic [3:0]  to_f64_beat_i,
    output sm_sub_pkg::alloc_t to_f64_o,
    output logic [32*LanesF64-1:0] f64_a_o,      // lower, upper words
    output logic [32*LanesF64-1:0] f64_a1_o,
    output logic [32*LanesF64-1:0] f64_b_o,
    output logic [32*LanesF64-1:0] f64_b1_o,
    output logic [32*LanesF64-1:0] f64_c_o,
    output logic [32*LanesF64-1:0] f64_c1_o,
    input  logic        to_var_en_i,
    input  logic [1:0]  to_var_idx_i,
    output sm_sub_pkg::alloc_t to_var_o,
    output logic [1023:0] var_a0_o,
    output logic [1023:0] var_a1_o,
    output logic [1023:0] var_b_o,
    output logic [1023:0] var_c0_o,
    output logic [1023:0] var_c1_o,
    output logic [1023:0] var_c2_o,

    // result rows of the pipes
    input  logic          int_valid_i,
    input  logic          int_last_i,
    input  logic          int_wide_i,
    input  logic [10:0]   int_row_i,
    input  logic [31:0]   int_mask_i,     // lanes that are there
    input  logic [1023:0] int_bits_i,     // the same, 32 bits a lane
    input  logic [1023:0] int_lo_i,
    input  logic [1023:0] int_hi_i,
    input  logic          fp_valid_i,
    input  logic          fp_last_i,
    input  logic [10:0]   fp_row_i,
    input  logic [31:0]   fp_mask_i,
    input  logic [1023:0] fp_bits_i,
    input  logic [1023:0] fp_lo_i,
    input  logic          f64_valid_i,    // rows row and row + 1
    input  logic          f64_last_i,
    input  logic [10:0]   f64_row_i,
    input  logic [31:0]   f64_mask_i,
    input  logic [1023:0] f64_bits_i,
    input  logic [1023:0] f64_lo_i,
    input  logic [1023:0] f64_hi_i,

    output logic [3:0]    f_bank_o,       // halves that a result row is written to in this cycle

    // variable-latency write, already arbitrated
    input  logic          v_we_i,
    input  logic          v_wide_i,
    input  logic [10:0]   v_row_i,
    input  logic [31:0]   v_mask_i,
    input  logic [1023:0] v_lo_i,
    input  logic [1023:0] v_hi_i
);
  localparam int unsigned Beats = 32 / Lanes;
  localparam int unsigned Rows = sm_sub_pkg::Rows;

  // ---- what the collectors hold ----
  logic [sm_sub_pkg::AllocW-1:0] info_q [4];
  logic [3:0]                    valid_q;
  logic [11:0]                   age_q;        // cycles since filled, saturates; 3 bits each
  logic [15:0]                   older_q;
  logic [4*sm_sub_pkg::ClsW-1:0] cls_q;
  logic [15:0]                   slot_q;
  logic [1:0]                    idx;          // the collector that the next instruction gets
  assign full_o = &valid_q;
  assign valid_o = valid_q;
  assign older_o = older_q;
  assign cls_o = cls_q;
  assign slot_o = slot_q;
  assign idx = !valid_q[0] ? 2'd0 : !valid_q[1] ? 2'd1 : !valid_q[2] ? 2'd2 : 2'd3;

  logic [3:0] snoop;
  always_comb begin
    for (int unsigned c = 0; c < 4; c++) begin
      fresh_o[c] = age_q[3*c +: 3] == 3'd0;
      snoop[c] = valid_q[c] && age_q[3*c +: 3] <= 3'(Beats);
      settled_o[c] = age_q[3*c +: 3] > 3'(Beats);
    end
  end
  always_comb begin
    to_int_o = '0;
    to_fp_o = '0;
    to_f64_o = '0;
    to_var_o = '0;
    if (to_f64_en_i) to_f64_o = info_q[to_f64_idx_i];
    if (to_int_en_i) to_int_o = info_q[to_int_idx_i];
    if (to_fp_en_i) to_fp_o = info_q[to_fp_idx_i];
    if (to_var_en_i) to_var_o = info_q[to_var_idx_i];
  end

  always_ff @(posedge clk_i) begin
    for (int unsigned c = 0; c < 4; c++) begin
      if (age_q[3*c +: 3] != 3'd7) age_q[3*c +: 3] <= age_q[3*c +: 3] + 3'd1;
    end
    valid_q <= valid_q & ~free_i;
    if (alloc_valid_i) begin
      info_q[idx] <= alloc_i;
      valid_q[idx] <= 1'b1;
      age_q[3*idx +: 3] <= 3'd0;
      cls_q[sm_sub_pkg::ClsW*idx +: sm_sub_pkg::ClsW] <= alloc_i.cls;
      slot_q[4*idx +: 4] <= alloc_i.slot;
      for (int unsigned c = 0; c < 4; c++) older_q[4*c + 32'(idx)] <= 1'b0;
      older_q[4*idx +: 4] <= valid_q;
    end
    if (!rst_ni) begin
      valid_q <= '0;
      age_q <= '0;
    end
  end

  // ---- operand rows ----
  logic [4*Rows-1:0]  need, take;       // [4 * row + collector]
  logic [44*Rows-1:0] row;              // 11 bits each, in the same order
  logic [8191:0]      bank_data;        // 1024 bits each, [4 * port + half]
  logic [11*Rows-1:0] alloc_row;
  assign alloc_row = {
      alloc_i.base + (alloc_i.b64 ? 11'({alloc_i.rb[7:1], 1'b1}) : 11'({alloc_i.rc[7:2], 2'b10})), alloc_i.base + 11'({alloc_i.rc[7:1], 1'b1}),
      alloc_i.base + 11'(alloc_i.rc), alloc_i.base + 11'(alloc_i.rb),
      alloc_i.base + 11'({alloc_i.ra[7:1], 1'b1}), alloc_i.base + 11'(alloc_i.ra)};

  // outputs that an operand does not have go to unused_*
  logic [32*Lanes-1:0]   unused_int_a1, unused_int_c2, unused_fp_a1, unused_fp_c1, unused_fp_c2;
  logic [Rows*32*Lanes-1:0] to_int, to_fp;
  logic [Rows*32*LanesF64-1:0] to_f64;
  logic [Rows*1024-1:0]  to_var;
  for (genvar r = 0; r < Rows; r++) begin : gen_row
    sm_operand_rows #(.Lanes(Lanes), .LanesF64(LanesF64)) u_rows (
        .clk_i, .rst_ni, .alloc_valid_i, .alloc_idx_i(idx), .alloc_need_i(alloc_i.need[r]),
        .alloc_row_i(alloc_row[11*r +: 11]), .need_o(need[4*r +: 4]), .row_o(row[44*r +: 44]), .take_i(take[4*r +: 4]),
        .second_i(second[4*r +: 4]), .bank_data_i(bank_data), .snoop_i(snoop), .int_valid_i, .int_wide_i, .int_row_i, .int_bits_i, .int_lo_i,
        .int_hi_i, .fp_valid_i, .fp_row_i, .fp_bits_i, .fp_lo_i,
        .f64_valid_i, .f64_row_i, .f64_bits_i, .f64_lo_i, .f64_hi_i,
        .to_f64_en_i, .to_f64_idx_i, .to_f64_beat_i, .to_f64_o(to_f64[r*32*LanesF64 +: 32*LanesF64]),
        .to_int_en_i(to_int_en_i && r != sm_sub_pkg::RowA1 && r != sm_sub_pkg::RowC2), .to_int_idx_i, .to_int_beat_i,
        .to_int_o(to_int[r*32*Lanes +: 32*Lanes]),
        .to_fp_en_i(to_fp_en_i && r != sm_sub_pkg::RowA1 && r != sm_sub_pkg::RowC1 && r != sm_sub_pkg::RowC2),
        .to_fp_idx_i, .to_fp_beat_i, .to_fp_o(to_fp[r*32*Lanes +: 32*Lanes]),
        .to_var_en_i, .to_var_idx_i, .to_var_o(to_var[r*1024 +: 1024])
    );
  end
  assign int_a_o = to_int[sm_sub_pkg::RowA0*32*Lanes +: 32*Lanes];
  assign unused_int_a1 = to_int[sm_sub_pkg::RowA1*32*Lanes +: 32*Lanes];
  assign int_b_o = to_int[sm_sub_pkg::RowB*32*Lanes +: 32*Lanes];
  assign int_c_o = to_int[sm_sub_pkg::RowC0*32*Lanes +: 32*Lanes];
  assign int_c1_o = to_int[sm_sub_pkg::RowC1*32*Lanes +: 32*Lanes];
  assign unused_int_c2 = to_int[sm_sub_pkg::RowC2*32*Lanes +: 32*Lanes];
  assign fp_a_o = to_fp[sm_sub_pkg::RowA0*32*Lanes +: 32*Lanes];
  assign unused_fp_a1 = to_fp[sm_sub_pkg::RowA1*32*Lanes +: 32*Lanes];
  assign fp_b_o = to_fp[sm_sub_pkg::RowB*32*Lanes +: 32*Lanes];
  assign fp_c_o = to_fp[sm_sub_pkg::RowC0*32*Lanes +: 32*Lanes];
  assign unused_fp_c1 = to_fp[sm_sub_pkg::RowC1*32*Lanes +: 32*Lanes];
  assign unused_fp_c2 = to_fp[sm_sub_pkg::RowC2*32*Lanes +: 32*Lanes];
  assign f64_a_o = to_f64[sm_sub_pkg::RowA0*32*LanesF64 +: 32*LanesF64];
  assign f64_a1_o = to_f64[sm_sub_pkg::RowA1*32*LanesF64 +: 32*LanesF64];
  assign f64_b_o = to_f64[sm_sub_pkg::RowB*32*LanesF64 +: 32*LanesF64];
  assign f64_b1_o = to_f64[sm_sub_pkg::RowC2*32*LanesF64 +: 32*LanesF64];
  assign f64_c_o = to_f64[sm_sub_pkg::RowC0*32*LanesF64 +: 32*LanesF64];
  assign f64_c1_o = to_f64[sm_sub_pkg::RowC1*32*LanesF64 +: 32*LanesF64];
  assign var_a0_o = to_var[sm_sub_pkg::RowA0*1024 +: 1024];
  assign var_a1_o = to_var[sm_sub_pkg::RowA1*1024 +: 1024];
  assign var_b_o = to_var[sm_sub_pkg::RowB*1024 +: 1024];
  assign var_c0_o = to_var[sm_sub_pkg::RowC0*1024 +: 1024];
  assign var_c1_o = to_var[sm_sub_pkg::RowC1*1024 +: 1024];
  assign var_c2_o = to_var[sm_sub_pkg::RowC2*1024 +: 1024];

  // ---- bank arbitration: a bank's first row is of the oldest collector, its lowest; so is the second, of what is left ----
  logic [3:0]        reader;      // collectors that may read
  logic [4*Rows-1:0] left;        // rows that still want a port, in the order of need
  logic [3:0]        want;        // collectors that want one of the bank
  logic [4*Rows-1:0] second;      // comes through its bank's second port
  logic [3:0]        port_re;     // [2 * bank + port]
  logic [43:0]       port_row;    // 11 bits each
  always_comb begin
    unread_o = '0;
    for (int unsigned r = 0; r < Rows; r++) unread_o |= need[4*r +: 4];
    reader = unread_o;
    if (in_order_i) begin
      for (int unsigned c = 0; c < 4; c++) if ((unread_o & older_q[4*c +: 4]) != '0) reader[c] = 1'b0;
    end
    left = '0;
    want = '0;
    take = '0;
    second = '0;
    port_re = '0;
    port_row = '0;
    if (unread_o != '0) begin
      for (int unsigned r = 0; r < Rows; r++) left[4*r +: 4] = need[4*r +: 4] & reader;
      for (int unsigned p = 0; p < 4; p++) begin
        want = '0;
        for (int unsigned r = 0; r < Rows; r++) begin
          for (int unsigned c = 0; c < 4; c++) if (left[4*r + c] && row[44*r + 11*c] == 1'(p / 2)) want[c] = 1'b1;
        end
        for (int unsigned c = 0; c < 4; c++) begin
          if (want[c] && (want & older_q[4*c +: 4]) == '0) begin
            for (int unsigned r = 0; r < Rows; r++) begin
              if (left[4*r + c] && row[44*r + 11*c] == 1'(p / 2)) begin
                if (!port_re[p]) port_row[11*p +: 11] = row[44*r + 11*c +: 11];
                port_re[p] = 1'b1;
                // one read serves an instruction that names the register twice
                if (port_row[11*p +: 11] == row[44*r + 11*c +: 11]) begin
                  take[4*r + c] = 1'b1;
                  second[4*r + c] = p % 2 == 1;
                end
              end
            end
          end
        end
        left &= ~take;
      end
    end
  end

  assign left_o = (need & ~take) != '0;

  // ---- halves of the banks ----
  logic [3:0]  f_we;
  assign f_bank_o = f_we;
  logic [7:0]  f_sel;
  logic [10:0] f_row;
  logic [31:0] f_mask;
  always_comb begin
    f_we = '0;
    f_sel = '0;
    f_row = int_row_i;
    f_mask = int_mask_i;
    if (int_valid_i && int_last_i) begin
      f_we[int_row_i[1:0]] = 1'b1;
      if (int_wide_i) begin
        f_we[{int_row_i[1], 1'b1}] = 1'b1;
        f_sel[{int_row_i[1], 2'b10} +: 2] = 2'd1;
      end
    end else if (fp_valid_i && fp_last_i) begin
      f_we[fp_row_i[1:0]] = 1'b1;
      f_sel = 8'b10_10_10_10;
      f_row = fp_row_i;
      f_mask = fp_mask_i;
    end else if (f64_valid_i && f64_last_i) begin
      f_we[{f64_row_i[1], 1'b0}] = 1'b1;
      f_we[{f64_row_i[1], 1'b1}] = 1'b1;
      f_sel = 8'b11_11_11_11;
      f_row = f64_row_i;
      f_mask = f64_mask_i;
    end
  end
  for (genvar b = 0; b < 4; b++) begin : gen_bank
    sm_regbank #(.Depth(BankDepth)) u_bank (
        .clk_i,
        .re0_i(port_re[2 * (b % 2)] && port_row[22 * (b % 2) + 1] == 1'(b / 2)),
        .raddr0_i(port_row[22 * (b % 2) + 2 +: BankBits]), .rdata0_o(bank_data[1024*b +: 1024]),
        .re1_i(port_re[2 * (b % 2) + 1] && port_row[22 * (b % 2) + 12] == 1'(b / 2)),
        .raddr1_i(port_row[22 * (b % 2) + 13 +: BankBits]), .rdata1_o(bank_data[4096 + 1024*b +: 1024]),
        .f_we_i(f_we[b]), .f_addr_i(f_row[2 +: BankBits]), .f_mask_i(f_mask), .f_sel_i(f_sel[2*b +: 2]),
        .int_lo_i, .int_hi_i, .fp_lo_i, .f64_row_i((b % 2) == 1 ? f64_hi_i : f64_lo_i),
        .v_we_i(v_we_i && (v_row_i[1:0] == 2'(b) || (v_wide_i && {v_row_i[1], 1'b1} == 2'(b)))),
        .v_addr_i(v_row_i[2 +: BankBits]), .v_mask_i, .v_hi_i(v_wide_i && (b % 2) == 1), .v_lo_i,
        .v_hi_row_i(v_hi_i)
    );
  end

  logic unused_rows;
  assign unused_rows = ^{unused_int_a1, unused_int_c2, unused_fp_a1, unused_fp_c1, unused_fp_c2, port_row, f_row, v_row_i};
endmodule
