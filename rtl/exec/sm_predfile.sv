// SPDX-License-Identifier: Apache-2.0
//
// sm_predfile: P0..P6 of every warp slot, 32 lanes each (P7 = PT is not stored here). One read port (a slot's whole row) and
// three write ports: the int pipe's beat or a variable-latency result (the arbiter keeps these apart), the fp pipe's beat (half
// compares), the fp64 pipe's beat.
// A beat that names one predicate twice leaves destination 0's value.
// Latency: read 0, a write is readable in the next cycle. Contents are not reset.
module sm_predfile #(
    parameter int unsigned WarpSlots = 16,
    parameter int unsigned Lanes = 16,
    parameter int unsigned LanesF64 = 8,
    localparam int unsigned SlotBits = $clog2(WarpSlots)
) (
    input  logic                clk_i,
    input  logic [SlotBits-1:0] slot_i,
    output logic [255:0]        row_o,       // 32 bits a predicate, P0 lowest; P7 all ones
    input  logic                int_we_i,
    input  logic [SlotBits-1:0] int_slot_i,
    input  logic [1:0]          int_beat_i,
    input  logic [Lanes-1:0]    int_mask_i,
    input  logic                int_wp0_i,
    input  logic [2:0]          int_pd0_i,
    input  logic [Lanes-1:0]    int_bits0_i,
    input  logic                int_wp1_i,
    input  logic [2:0]          int_pd1_i,
    input  logic [Lanes-1:0]    int_bits1_i,
    input  logic                fp_we_i,
    input  logic [SlotBits-1:0] fp_slot_i,
    input  logic [1:0]          fp_beat_i,
    input  logic [Lanes-1:0]    fp_mask_i,
    input  logic                fp_wp0_i,
    input  logic [2:0]          fp_pd0_i,
    input  logic [Lanes-1:0]    fp_bits0_i,
    input  logic                fp_wp1_i,
    input  logic [2:0]          fp_pd1_i,
    input  logic [Lanes-1:0]    fp_bits1_i,
    input  logic                f64_we_i,
    input  logic [SlotBits-1:0] f64_slot_i,
    input  logic [3:0]          f64_beat_i,
    input  logic [LanesF64-1:0] f64_mask_i,
    input  logic                f64_wp0_i,
    input  logic [2:0]          f64_pd0_i,
    input  logic [LanesF64-1:0] f64_bits0_i,
    input  logic                f64_wp1_i,
    input  logic [2:0]          f64_pd1_i,
    input  logic [LanesF64-1:0] f64_bits1_i,
    input  logic                v_we_i,
    input  logic [SlotBits-1:0] v_slot_i,
    input  logic [2:0]          v_pd_i,
    input  logic [31:0]         v_mask_i,
    input  logic [31:0]         v_bits_i
);
  logic [223:0] pred_q [WarpSlots];
  assign row_o = {32'hffffffff, pred_q[slot_i]};

  // A row with up to two predicates replaced in the lanes of `mask`.
  function automatic logic [255:0] merged(input logic [255:0] row, input logic [31:0] mask, input logic wp0,
                                          input logic [2:0] pd0, input logic [31:0] bits0, input logic wp1,
                                          input logic [2:0] pd1, input logic [31:0] bits1);
    merged = row;
    if (wp1) merged[32*pd1 +: 32] = (merged[32*pd1 +: 32] & ~mask) | (bits1 & mask);
    if (wp0) merged[32*pd0 +: 32] = (merged[32*pd0 +: 32] & ~mask) | (bits0 & mask);
  endfunction
  function automatic logic [31:0] placed(input logic [Lanes-1:0] v, input logic [1:0] beat);
    placed = '0;
    placed[beat*Lanes +: Lanes] = v;
  endfunction
  function automatic logic [31:0] placed64(input logic [LanesF64-1:0] v, input logic [3:0] beat);
    placed64 = '0;
    placed64[beat*LanesF64 +: LanesF64] = v;
  endfunction

  // int or V; then fp; then fp64: rows of one slot are merged in this order, the last write of the slot stands
  logic                we;
  logic [SlotBits-1:0] wslot;
  logic [255:0]        row1, row2, row3;
  assign we = int_we_i || v_we_i;
  assign wslot = int_we_i ? int_slot_i : v_slot_i;
  always_comb begin
    row1 = '0;
    row2 = '0;
    row3 = '0;
    if (int_we_i) begin
      row1 = merged({32'd0, pred_q[wslot]}, placed(int_mask_i, int_beat_i), int_wp0_i, int_pd0_i,
                    placed(int_bits0_i, int_beat_i), int_wp1_i, int_pd1_i, placed(int_bits1_i, int_beat_i));
    end else if (v_we_i) begin
      row1 = merged({32'd0, pred_q[wslot]}, v_mask_i, 1'b1, v_pd_i, v_bits_i, 1'b0, 3'd0, '0);
    end
    if (fp_we_i) begin
      row2 = merged(we && wslot == fp_slot_i ? row1 : {32'd0, pred_q[fp_slot_i]}, placed(fp_mask_i, fp_beat_i), fp_wp0_i,
                    fp_pd0_i, placed(fp_bits0_i, fp_beat_i), fp_wp1_i, fp_pd1_i, placed(fp_bits1_i, fp_beat_i));
    end
    if (f64_we_i) begin
      row3 = merged(fp_we_i && fp_slot_i == f64_slot_i ? row2 : we && wslot == f64_slot_i ? row1 : {32'd0, pred_q[f64_slot_i]},
                    placed64(f64_mask_i, f64_beat_i), f64_wp0_i, f64_pd0_i, placed64(f64_bits0_i, f64_beat_i), f64_wp1_i,
                    f64_pd1_i, placed64(f64_bits1_i, f64_beat_i));
    end
  end
  always_ff @(posedge clk_i) begin
    if (we) pred_q[wslot] <= row1[223:0];
    if (fp_we_i) pred_q[fp_slot_i] <= row2[223:0];
    if (f64_we_i) pred_q[f64_slot_i] <= row3[223:0];
  end
  logic unused_pt;
  assign unused_pt = ^{row1[255:224], row2[255:224], row3[255:224]};
endmodule
