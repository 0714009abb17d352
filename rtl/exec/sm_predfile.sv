// SPDX-License-Identifier: Apache-2.0
//
// sm_predfile: P0..P6 of every warp slot, 32 lanes each (P7 = PT is not stored here). One read port (a slot's whole row) and one write
// a cycle: either the int pipe's beat or a variable-latency result; the arbiter keeps them apart.
// An int beat that names one predicate twice leaves destination 0's value.
// Latency: read 0, a write is readable in the next cycle. Contents are not reset.
module sm_predfile #(
    parameter int unsigned WarpSlots = 16,
    parameter int unsigned Lanes = 16,
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
    input  logic                v_we_i,
    input  logic [SlotBits-1:0] v_slot_i,
    input  logic [2:0]          v_pd_i,
    input  logic [31:0]         v_mask_i,
    input  logic [31:0]         v_bits_i
);
  logic [223:0] pred_q [WarpSlots];
  assign row_o = {32'hffffffff, pred_q[slot_i]};

  logic                we;
  logic [SlotBits-1:0] wslot;
  logic [255:0]        wrow;
  logic [31:0]         mask, bits0, bits1;
  assign we = int_we_i || v_we_i;
  assign wslot = int_we_i ? int_slot_i : v_slot_i;
  always_comb begin
    wrow = '0;
    mask = '0;
    bits0 = '0;
    bits1 = '0;
    if (we) begin
      wrow = {32'd0, pred_q[wslot]};
      if (int_we_i) begin
        mask[int_beat_i*Lanes +: Lanes] = int_mask_i;
        bits0[int_beat_i*Lanes +: Lanes] = int_bits0_i;
        bits1[int_beat_i*Lanes +: Lanes] = int_bits1_i;
        if (int_wp1_i) wrow[32*int_pd1_i +: 32] = (wrow[32*int_pd1_i +: 32] & ~mask) | (bits1 & mask);
        if (int_wp0_i) wrow[32*int_pd0_i +: 32] = (wrow[32*int_pd0_i +: 32] & ~mask) | (bits0 & mask);
      end else begin
        mask = v_mask_i;
        wrow[32*v_pd_i +: 32] = (wrow[32*v_pd_i +: 32] & ~mask) | (v_bits_i & mask);
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (we) pred_q[wslot] <= wrow[223:0];
  end
  logic unused_pt;
  assign unused_pt = ^wrow[255:224];
endmodule
