// SPDX-License-Identifier: Apache-2.0
//
// sm_cfetch: constant operands of a sub-core with the L0 constant cache. Each cycle one instruction-buffer entry whose source b
// is c[bank][offset] is looked up (round robin over the warp slots that have one); on a hit its value is handed back in the
// same cycle and replaces the entry's immediate. Banks 0, 2, 3; a word beyond the bank's size, not aligned to 4 bytes,
// or of another bank is `done_bad_o`.
// L0: direct mapped, Lines x 128 bytes. One line on its way at a time; a miss parks the warp until it arrives, and the warp that
// missed is looked up first after that, so that it always gets its value. Bank bases are 4-byte aligned.
// Reset: empty. Outputs are functions of flops, need_i and imm_i.
module sm_cfetch #(
    parameter int unsigned WarpSlots = 16,
    parameter int unsigned Lines = 16,
    localparam int unsigned SlotBits = $clog2(WarpSlots)
) (
    input  logic clk_i,
    input  logic rst_ni,
    input  logic inval_i,
    input  logic init_valid_i,
    input  logic [SlotBits-1:0] init_slot_i,
    input  logic [47:0] init_base0_i,
    input  logic [47:0] init_base2_i,
    input  logic [47:0] init_base3_i,
    input  logic [16:0] init_size0_i,
    input  logic [16:0] init_size2_i,
    input  logic [16:0] init_size3_i,

    // from/to the instruction buffers
    input  logic [WarpSlots-1:0] need_i,      // the slot has an entry without its value
    output logic [SlotBits-1:0] slot_o,       // the slot looked up
    input  logic [31:0] imm_i,                // of the oldest such entry of slot_o
    output logic done_o,                      // its value is here
    output logic done_bad_o,
    output logic [31:0] value_o,

    // L0 miss
    output logic cfreq_valid_o,
    input  logic cfreq_ready_i,
    output logic [47:0] cfreq_addr_o,
    input  logic cffill_valid_i,
    input  logic [47:0] cffill_addr_i,
    input  logic [1023:0] cffill_data_i
);
  localparam int unsigned IdxBits = $clog2(Lines);
  localparam int unsigned TagBits = 41 - IdxBits;

  logic [47:0]          base0_q [WarpSlots], base2_q [WarpSlots], base3_q [WarpSlots];
  logic [16:0]          size0_q [WarpSlots], size2_q [WarpSlots], size3_q [WarpSlots];
  logic [WarpSlots-1:0] parked_q, above_q;
  logic [Lines-1:0]     line_valid_q;
  logic [TagBits-1:0]   tag_q [Lines];
  logic                 miss_valid_q, miss_sent_q, miss_drop_q;
  logic [40:0]          miss_line_q;
  logic [SlotBits-1:0]  miss_slot_q;
  logic                 first_q;      // the line of miss_slot_q has just arrived

  logic [WarpSlots-1:0] want, pick, pick_oh;
  logic                 valid, legal, hit, miss;
  logic [47:0]          base, addr;
  logic [16:0]          size, last;
  logic [IdxBits-1:0]   idx;
  always_comb begin
    want = need_i & ~parked_q;
    valid = want != '0;
    pick = want & above_q;
    if (pick == '0) pick = want;
    if (first_q && want[miss_slot_q]) pick = WarpSlots'(1) << miss_slot_q;
    pick_oh = pick & (~pick + WarpSlots'(1));
    slot_o = '0;
    for (int unsigned i = 0; i < WarpSlots; i++) if (pick_oh[i]) slot_o |= SlotBits'(i);
  end
  always_comb begin
    case (imm_i[20:16])
      5'd0: begin
        base = base0_q[slot_o];
        size = size0_q[slot_o];
      end
      5'd2: begin
        base = base2_q[slot_o];
        size = size2_q[slot_o];
      end
      5'd3: begin
        base = base3_q[slot_o];
        size = size3_q[slot_o];
      end
      default: begin
        base = '0;
        size = '0;
      end
    endcase
    last = {1'b0, imm_i[15:0]} + 17'd4;
    legal = last <= size && imm_i[1:0] == 2'd0;
    addr = base + 48'(imm_i[15:0]);
    idx = addr[7 +: IdxBits];
    hit = valid && legal && line_valid_q[idx] && tag_q[idx] == addr[47 -: TagBits];
    miss = valid && legal && !hit;
    done_o = valid && (hit || !legal);
    done_bad_o = !legal;
  end

  logic        fill_mine, fill_keep;
  logic [31:0] unused_word1;
  assign fill_mine = cffill_valid_i && miss_valid_q && miss_sent_q && miss_line_q == cffill_addr_i[47:7];
  assign fill_keep = fill_mine && !miss_drop_q;
  sm_ram_line #(.Lines(Lines), .Words(32), .WordBits(32)) u_data (
      .clk_i, .we_i(fill_keep), .wline_i(cffill_addr_i[7 +: IdxBits]), .wdata_i(cffill_data_i),
      .re_i(hit), .rline_i(idx), .rword_i(addr[6:2]), .rdata0_o(value_o), .rdata1_o(unused_word1)
  );
  assign cfreq_valid_o = miss_valid_q && !miss_sent_q;
  assign cfreq_addr_o = {miss_line_q, 7'd0};

  always_ff @(posedge clk_i) begin
    if (init_valid_i) begin
      base0_q[init_slot_i] <= init_base0_i;
      base2_q[init_slot_i] <= init_base2_i;
      base3_q[init_slot_i] <= init_base3_i;
      size0_q[init_slot_i] <= init_size0_i;
      size2_q[init_slot_i] <= init_size2_i;
      size3_q[init_slot_i] <= init_size3_i;
    end
    if (done_o) above_q <= ~(pick_oh | (pick_oh - WarpSlots'(1)));
    if (valid) first_q <= 1'b0;
    if (miss) begin
      if (!miss_valid_q) begin
        miss_valid_q <= 1'b1;
        miss_sent_q <= 1'b0;
        miss_drop_q <= 1'b0;
        miss_line_q <= addr[47:7];
        miss_slot_q <= slot_o;
      end
      if (!fill_mine) parked_q[slot_o] <= 1'b1;
    end
    if (cfreq_valid_o && cfreq_ready_i) miss_sent_q <= 1'b1;
    if (fill_mine) begin
      miss_valid_q <= 1'b0;
      parked_q <= '0;
      first_q <= 1'b1;
    end
    if (fill_keep) begin
      line_valid_q[cffill_addr_i[7 +: IdxBits]] <= 1'b1;
      tag_q[cffill_addr_i[7 +: IdxBits]] <= cffill_addr_i[47 -: TagBits];
    end
    if (init_valid_i) parked_q[init_slot_i] <= 1'b0;
    if (inval_i) begin
      line_valid_q <= '0;
      miss_drop_q <= '1;
    end
    if (!rst_ni) begin
      line_valid_q <= '0;
      miss_valid_q <= 1'b0;
      miss_sent_q <= 1'b0;
      parked_q <= '0;
      above_q <= '1;
      first_q <= 1'b0;
    end
  end

  logic unused_bits;
  assign unused_bits = ^{unused_word1, imm_i[31:21], addr[1:0], cffill_addr_i[6:0]};
endmodule
