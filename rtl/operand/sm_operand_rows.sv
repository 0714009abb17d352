// SPDX-License-Identifier: Apache-2.0
//
// sm_operand_rows: one operand (a, b, c, ...) of the four collectors of a sub-core: its register row, whether it is still to be
// read, and the row's 32 lanes once read.
//
// A row is captured from its bank in the cycle of take_i. While snoop_i is set (the collector is so young that an older fixed-latency
// result can still be on its way), the result rows of the pipes replace lanes of the captured row, in the bank read as well
// as after it; the beat that goes to a pipe in the same cycle gets them too.
// A row that is not needed (RZ, immediate, unused) reads as zeros.
// Lanes: of a beat of the int and fp pipes; LanesF64: of the fp64 pipe. Storage is not reset.
module sm_operand_rows #(
    parameter int unsigned Lanes = 16,
    parameter int unsigned LanesF64 = 8
) (
    input  logic          clk_i,
    input  logic          rst_ni,
    input  logic          alloc_valid_i,
    input  logic [1:0]    alloc_idx_i,
    input  logic          alloc_need_i,
    input  logic [10:0]   alloc_row_i,

    // reading, one bit a collector
    output logic [3:0]    need_o,
    output logic [43:0]   row_o,           // register row, 11 bits a collector
    input  logic [3:0]    take_i,
    input  logic [3:0]    second_i,        // with take_i: through the bank's second port
    input  logic [8191:0] bank_data_i,     // the banks' read ports: 1024 bits each, [4 * port + row mod 4]
    input  logic [3:0]    snoop_i,

    // result rows on their way to the banks
    input  logic          int_valid_i,
    input  logic          int_wide_i,      // also row + 1
    input  logic [10:0]   int_row_i,
    input  logic [1023:0] int_bits_i,      // ones in the lanes that are there
    input  logic [1023:0] int_lo_i,
    input  logic [1023:0] int_hi_i,
    input  logic          fp_valid_i,
    input  logic [10:0]   fp_row_i,
    input  logic [1023:0] fp_bits_i,
    input  logic [1023:0] fp_lo_i,
    input  logic          f64_valid_i,     // row and row + 1
    input  logic [10:0]   f64_row_i,
    input  logic [1023:0] f64_bits_i,
    input  logic [1023:0] f64_lo_i,
    input  logic [1023:0] f64_hi_i,

    // a beat for each pipe, a whole row for the variable-latency units
    input  logic          to_int_en_i,
    input  logic [1:0]    to_int_idx_i,
    input  logic [1:0]    to_int_beat_i,
    output logic [32*Lanes-1:0] to_int_o,
    input  logic          to_fp_en_i,
    input  logic [1:0]    to_fp_idx_i,
    input  logic [1:0]    to_fp_beat_i,
    output logic [32*Lanes-1:0] to_fp_o,
    input  logic          to_f64_en_i,
    input  logic [1:0]    to_f64_idx_i,
    input  logic [3:0]    to_f64_beat_i,
    output logic [32*LanesF64-1:0] to_f64_o,
    input  logic          to_var_en_i,
    input  logic [1:0]    to_var_idx_i,
    output logic [1023:0] to_var_o
);
  localparam int unsigned BeatBits = 32 * Lanes;
  localparam int unsigned F64Bits = 32 * LanesF64;

  logic [1023:0] row_q [4];
  logic [10:0]   addr_q [4];
  logic [3:0]    need_q, used_q;
  assign need_o = need_q;
  assign row_o = {addr_q[3], addr_q[2], addr_q[1], addr_q[0]};

  // ---- which collectors wait for a row that is passing ----
  logic [3:0] hit_int, hit_hi, hit_fp, hit_f64, hit_f64h;
  always_comb begin
    hit_int = '0;
    hit_hi = '0;
    hit_fp = '0;
    hit_f64 = '0;
    hit_f64h = '0;
    if (int_valid_i) begin
      for (int unsigned c = 0; c < 4; c++) begin
        if (snoop_i[c] && used_q[c]) begin
          hit_int[c] = addr_q[c] == int_row_i;
          hit_hi[c] = int_wide_i && addr_q[c] == {int_row_i[10:1], 1'b1};
        end
      end
    end
    if (fp_valid_i) begin
      for (int unsigned c = 0; c < 4; c++) if (snoop_i[c] && used_q[c]) hit_fp[c] = addr_q[c] == fp_row_i;
    end
    if (f64_valid_i) begin
      for (int unsigned c = 0; c < 4; c++) begin
        if (snoop_i[c] && used_q[c]) begin
          hit_f64[c] = addr_q[c] == f64_row_i;
          hit_f64h[c] = addr_q[c] == {f64_row_i[10:1], 1'b1};
        end
      end
    end
  end

  for (genvar c = 0; c < 4; c++) begin : gen_coll
    always_ff @(posedge clk_i) begin
      if (take_i[c] || (!need_q[c] && (hit_int[c] || hit_hi[c] || hit_fp[c] || hit_f64[c] || hit_f64h[c]))) begin : capture
        logic [1023:0] v;
        v = take_i[c] ? bank_data_i[{second_i[c], addr_q[c][1:0], 10'd0} +: 1024] : row_q[c];
        if (hit_int[c]) v = (v & ~int_bits_i) | (int_lo_i & int_bits_i);
        if (hit_hi[c]) v = (v & ~int_bits_i) | (int_hi_i & int_bits_i);
        if (hit_fp[c]) v = (v & ~fp_bits_i) | (fp_lo_i & fp_bits_i);
        if (hit_f64[c]) v = (v & ~f64_bits_i) | (f64_lo_i & f64_bits_i);
        if (hit_f64h[c]) v = (v & ~f64_bits_i) | (f64_hi_i & f64_bits_i);
        row_q[c] <= v;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    need_q <= need_q & ~take_i;
    if (alloc_valid_i) begin
      need_q[alloc_idx_i] <= alloc_need_i;
      used_q[alloc_idx_i] <= alloc_need_i;
      addr_q[alloc_idx_i] <= alloc_row_i;
    end
    if (!rst_ni) need_q <= '0;
  end

  // ---- out: lanes that pass in this cycle replace those of the row ----
  logic       hit_any;
  logic [9:0] int_at, fp_at, f64_at;   // first bit of the beat
  assign hit_any = (hit_int | hit_hi | hit_fp | hit_f64 | hit_f64h) != '0;
  assign int_at = 10'(32'(to_int_beat_i) * BeatBits);
  assign fp_at = 10'(32'(to_fp_beat_i) * BeatBits);
  assign f64_at = 10'(32'(to_f64_beat_i) * F64Bits);
  always_comb begin
    to_int_o = '0;
    if (to_int_en_i && used_q[to_int_idx_i]) begin
      to_int_o = row_q[to_int_idx_i][int_at +: BeatBits];
      if (hit_any) begin
        if (hit_hi[to_int_idx_i]) to_int_o = (to_int_o & ~int_bits_i[int_at +: BeatBits]) | (int_hi_i[int_at +: BeatBits] & int_bits_i[int_at +: BeatBits]);
        else if (hit_int[to_int_idx_i]) to_int_o = (to_int_o & ~int_bits_i[int_at +: BeatBits]) | (int_lo_i[int_at +: BeatBits] & int_bits_i[int_at +: BeatBits]);
        if (hit_fp[to_int_idx_i]) to_int_o = (to_int_o & ~fp_bits_i[int_at +: BeatBits]) | (fp_lo_i[int_at +: BeatBits] & fp_bits_i[int_at +: BeatBits]);
        if (hit_f64h[to_int_idx_i]) to_int_o = (to_int_o & ~f64_bits_i[int_at +: BeatBits]) | (f64_hi_i[int_at +: BeatBits] & f64_bits_i[int_at +: BeatBits]);
        else if (hit_f64[to_int_idx_i]) to_int_o = (to_int_o & ~f64_bits_i[int_at +: BeatBits]) | (f64_lo_i[int_at +: BeatBits] & f64_bits_i[int_at +: BeatBits]);
      end
    end
  end
  always_comb begin
    to_fp_o = '0;
    if (to_fp_en_i && used_q[to_fp_idx_i]) begin
      to_fp_o = row_q[to_fp_idx_i][fp_at +: BeatBits];
      if (hit_any) begin
        if (hit_hi[to_fp_idx_i]) to_fp_o = (to_fp_o & ~int_bits_i[fp_at +: BeatBits]) | (int_hi_i[fp_at +: BeatBits] & int_bits_i[fp_at +: BeatBits]);
        else if (hit_int[to_fp_idx_i]) to_fp_o = (to_fp_o & ~int_bits_i[fp_at +: BeatBits]) | (int_lo_i[fp_at +: BeatBits] & int_bits_i[fp_at +: BeatBits]);
        if (hit_fp[to_fp_idx_i]) to_fp_o = (to_fp_o & ~fp_bits_i[fp_at +: BeatBits]) | (fp_lo_i[fp_at +: BeatBits] & fp_bits_i[fp_at +: BeatBits]);
        if (hit_f64h[to_fp_idx_i]) to_fp_o = (to_fp_o & ~f64_bits_i[fp_at +: BeatBits]) | (f64_hi_i[fp_at +: BeatBits] & f64_bits_i[fp_at +: BeatBits]);
        else if (hit_f64[to_fp_idx_i]) to_fp_o = (to_fp_o & ~f64_bits_i[fp_at +: BeatBits]) | (f64_lo_i[fp_at +: BeatBits] & f64_bits_i[fp_at +: BeatBits]);
      end
    end
  end
  always_comb begin
    to_f64_o = '0;
    if (to_f64_en_i && used_q[to_f64_idx_i]) begin
      to_f64_o = row_q[to_f64_idx_i][f64_at +: F64Bits];
      if (hit_any) begin
        if (hit_hi[to_f64_idx_i]) to_f64_o = (to_f64_o & ~int_bits_i[f64_at +: F64Bits]) | (int_hi_i[f64_at +: F64Bits] & int_bits_i[f64_at +: F64Bits]);
        else if (hit_int[to_f64_idx_i]) to_f64_o = (to_f64_o & ~int_bits_i[f64_at +: F64Bits]) | (int_lo_i[f64_at +: F64Bits] & int_bits_i[f64_at +: F64Bits]);
        if (hit_fp[to_f64_idx_i]) to_f64_o = (to_f64_o & ~fp_bits_i[f64_at +: F64Bits]) | (fp_lo_i[f64_at +: F64Bits] & fp_bits_i[f64_at +: F64Bits]);
        if (hit_f64h[to_f64_idx_i]) to_f64_o = (to_f64_o & ~f64_bits_i[f64_at +: F64Bits]) | (f64_hi_i[f64_at +: F64Bits] & f64_bits_i[f64_at +: F64Bits]);
        else if (hit_f64[to_f64_idx_i]) to_f64_o = (to_f64_o & ~f64_bits_i[f64_at +: F64Bits]) | (f64_lo_i[f64_at +: F64Bits] & f64_bits_i[f64_at +: F64Bits]);
      end
    end
  end
  always_comb begin
    to_var_o = '0;
    if (to_var_en_i && used_q[to_var_idx_i]) to_var_o = row_q[to_var_idx_i];
  end
endmodule
