// SPDX-License-Identifier: Apache-2.0
//
// sm_dep_ctl: dependence mode control-bits: stall counts and counters of a sub-core's warp slots (isa/README.md,
// "Control field").
//
// Stall: an instruction that issues in cycle t holds its slot until t + stall. The counts of all slots stand still
// in a cycle with freeze_i, in which an instruction stays in its collector longer than it would alone (bank
// conflict, another pipe's result): so a stall count is a distance between starts of execution.
// Counters: six a slot, 6 bits. Raised by an issue (seen by the next instruction): the write counter by memory,
// sfu, special-register, cross-lane, matrix and fp64 instructions that have a destination, the read counter by
// those of them but fp64, and by block barriers; other control instructions hold their warp until they have read.
// Lowered with the write of the last result (dn_* of fp64, done_i of the V bus), or when the instruction leaves
// its collector (rd_*). An instruction whose counter stands at 62 or more waits. The counter of a V-bus result is
// found by its register: for that, and for the write-back's sake, a register has at most one open V-bus write: an
// instruction that writes it waits. In code without hazards that happens only between splits of a warp. Outputs
// are functions of flops and head_i. With en_i = 0 nothing happens. Reset, init: counters 0, nothing open.
module sm_dep_ctl #(
    parameter int unsigned WarpSlots = 16,
    localparam int unsigned SlotBits = $clog2(WarpSlots),
    localparam int unsigned HeadW = 28
) (
    input  logic clk_i,
    input  logic rst_ni,
    input  logic en_i,                          // the mode is on; constant while warps are bound
    input  logic freeze_i,
    input  logic init_valid_i,
    input  logic [SlotBits-1:0] init_slot_i,

    // issue
    input  logic iss_valid_i,
    input  logic iss_live_i,                    // with executing lanes
    input  logic [SlotBits-1:0] iss_slot_i,
    input  sm_sub_pkg::insn_t insn_i,

    // V bus
    input  logic v_we_i,
    input  logic v_wide_i,
    input  logic v_done_i,                      // the instruction's last write
    input  logic [SlotBits-1:0] v_slot_i,
    input  logic [7:0] v_rd_i,
    input  logic vp_we_i,
    input  logic [2:0] vp_pd_i,
    // fp64 results: registers, predicates
    input  logic dn_f64_valid_i,
    input  logic [SlotBits-1:0] dn_f64_slot_i,
    input  logic [2:0] dn_f64_ctr_i,
    input  logic dn_f64p_valid_i,
    input  logic [SlotBits-1:0] dn_f64p_slot_i,
    input  logic [2:0] dn_f64p_ctr_i,
    // an instruction leaves its collector
    input  logic rd_valid_i,
    input  logic [SlotBits-1:0] rd_slot_i,
    input  logic [2:0] rd_ctr_i,

    // heads of the instruction buffers
    input  logic [WarpSlots-1:0] look_i,        // slots whose head is asked about
    input  logic [HeadW*WarpSlots-1:0] head_i,  // {wait mask, wr_ctr, rd_ctr, rd / 4, md, pd1, pd0 (7: none)}
    output logic [WarpSlots-1:0] short_o,       // it waits for a counter or a register
    output logic [WarpSlots-1:0] long_o,        // it waits for a counter that covers a global load
    output logic [WarpSlots-1:0] stalled_o,
    output logic [WarpSlots-1:0] touch_o        // what the answers depend on changes with this cycle
);
  localparam logic [2:0] Free = 3'd7;           // of a register or predicate: no open write; 6: one without a counter
  localparam logic [5:0] Full = 6'd62;          // an instruction can raise one counter twice

  logic [4*WarpSlots-1:0] stall_q, stall_d;
  logic [35:0]  ctr_q [WarpSlots];
  logic [5:0]   slow_q [WarpSlots];             // raised by a global load since it was 0
  // counter of a register's open V-bus write, one plane a bit; the same of predicates
  logic [255:0] open0_q [WarpSlots], open1_q [WarpSlots], open2_q [WarpSlots];
  logic [23:0]  popen_q [WarpSlots];

  // ---- what an issue raises, what a result lowers ----
  logic       v_bus, up_w, up_r, opens;
  logic [2:0] v_ctr, w_ctr;
  always_comb begin
    v_bus = insn_i.cls[sm_sub_pkg::ClsSfu] || insn_i.cls[sm_sub_pkg::ClsLsu] || insn_i.cls[sm_sub_pkg::ClsSreg] ||
            insn_i.cls[sm_sub_pkg::ClsXl] || insn_i.cls[sm_sub_pkg::ClsMma];
    opens = en_i && iss_valid_i && iss_live_i && v_bus;
    w_ctr = insn_i.wr_ctr >= 3'd6 ? 3'd6 : insn_i.wr_ctr;
    up_w = en_i && iss_valid_i && iss_live_i && (v_bus || insn_i.cls[sm_sub_pkg::ClsF64]) && w_ctr != 3'd6 &&
           (insn_i.md != '0 || insn_i.wp0 || insn_i.wp1);
    up_r = en_i && iss_valid_i && iss_live_i && insn_i.rd_ctr < 3'd6 &&
           (v_bus || (insn_i.cls[sm_sub_pkg::ClsBar] && !insn_i.cls[sm_sub_pkg::ClsCtl]));
    v_ctr = Free;
    if (en_i && v_done_i) begin
      if (v_we_i) v_ctr = {open2_q[v_slot_i][v_rd_i], open1_q[v_slot_i][v_rd_i], open0_q[v_slot_i][v_rd_i]};
      else if (vp_we_i) v_ctr = popen_q[v_slot_i][5'(vp_pd_i)*5'd3 +: 3];
    end
    touch_o = '0;
    if (en_i) begin
      if (up_w || up_r || opens) touch_o[iss_slot_i] = 1'b1;
      if (v_we_i || vp_we_i) touch_o[v_slot_i] = 1'b1;
      if (dn_f64_valid_i) touch_o[dn_f64_slot_i] = 1'b1;
      if (dn_f64p_valid_i) touch_o[dn_f64p_slot_i] = 1'b1;
      if (rd_valid_i) touch_o[rd_slot_i] = 1'b1;
      if (init_valid_i) touch_o[init_slot_i] = 1'b1;
    end
  end

  for (genvar s = 0; s < WarpSlots; s++) begin : gen_slot
    localparam logic [SlotBits-1:0] Me = SlotBits'(s);
    assign stalled_o[s] = stall_q[4*s +: 4] != 4'd0;
    always_ff @(posedge clk_i) begin
      if (touch_o[s] || !rst_ni) begin : touch
        logic [35:0] c;
        logic [5:0]  slow;
        logic [255:0] o0, o1, o2;
        logic [23:0] po;
        logic [3:0]  vm;
        c = ctr_q[s];
        slow = slow_q[s];
        for (int unsigned k = 0; k < 6; k++) begin
          if (v_slot_i == Me && v_ctr == 3'(k) && c[6*k +: 6] != '0) c[6*k +: 6] = c[6*k +: 6] - 6'd1;
          if (dn_f64_valid_i && dn_f64_slot_i == Me && dn_f64_ctr_i == 3'(k) && c[6*k +: 6] != '0) begin
            c[6*k +: 6] = c[6*k +: 6] - 6'd1;
          end
          if (dn_f64p_valid_i && dn_f64p_slot_i == Me && dn_f64p_ctr_i == 3'(k) && c[6*k +: 6] != '0) begin
            c[6*k +: 6] = c[6*k +: 6] - 6'd1;
          end
          if (rd_valid_i && rd_slot_i == Me && rd_ctr_i == 3'(k) && c[6*k +: 6] != '0) c[6*k +: 6] = c[6*k +: 6] - 6'd1;
          if (c[6*k +: 6] == '0) slow[k] = 1'b0;
          if (iss_slot_i == Me) begin
            if (up_w && w_ctr == 3'(k)) begin
              c[6*k +: 6] = c[6*k +: 6] + 6'd1;
              slow[k] = slow[k] | insn_i.is_global;
            end
            if (up_r && insn_i.rd_ctr == 3'(k)) c[6*k +: 6] = c[6*k +: 6] + 6'd1;
          end
        end
        if (!rst_ni || (init_valid_i && init_slot_i == Me)) c = '0;
        ctr_q[s] <= c;
        slow_q[s] <= slow;
        o0 = open0_q[s];
        o1 = open1_q[s];
        o2 = open2_q[s];
        if (v_we_i && v_slot_i == Me) begin
          vm = (v_wide_i ? 4'b0011 : 4'b0001) << v_rd_i[1:0];
          o0[{v_rd_i[7:2], 2'b00} +: 4] = o0[{v_rd_i[7:2], 2'b00} +: 4] | vm;
          o1[{v_rd_i[7:2], 2'b00} +: 4] = o1[{v_rd_i[7:2], 2'b00} +: 4] | vm;
          o2[{v_rd_i[7:2], 2'b00} +: 4] = o2[{v_rd_i[7:2], 2'b00} +: 4] | vm;
        end
        if (opens && iss_slot_i == Me) begin
          vm = insn_i.md;
          o0[{insn_i.rd[7:2], 2'b00} +: 4] = (o0[{insn_i.rd[7:2], 2'b00} +: 4] & ~vm) | (w_ctr[0] ? vm : 4'd0);
          o1[{insn_i.rd[7:2], 2'b00} +: 4] = (o1[{insn_i.rd[7:2], 2'b00} +: 4] & ~vm) | (w_ctr[1] ? vm : 4'd0);
          o2[{insn_i.rd[7:2], 2'b00} +: 4] = (o2[{insn_i.rd[7:2], 2'b00} +: 4] & ~vm) | (w_ctr[2] ? vm : 4'd0);
        end
        if (init_valid_i && init_slot_i == Me) begin
          o0 = '1;
          o1 = '1;
          o2 = '1;
        end
        open0_q[s] <= o0;
        open1_q[s] <= o1;
        open2_q[s] <= o2;
        po = popen_q[s];
        for (int unsigned k = 0; k < 8; k++) begin
          if (vp_we_i && v_slot_i == Me && vp_pd_i == 3'(k)) po[3*k +: 3] = Free;
          if (opens && iss_slot_i == Me &&
              ((insn_i.wp0 && insn_i.pd0 == 3'(k)) || (insn_i.wp1 && insn_i.pd1 == 3'(k)))) begin
            po[3*k +: 3] = insn_i.md != '0 ? 3'd6 : w_ctr;
          end
        end
        if (init_valid_i && init_slot_i == Me) po = '1;
        popen_q[s] <= po;
      end
    end
  end

  always_comb begin
    stall_d = stall_q;
    if (en_i && !freeze_i) begin
      for (int unsigned s = 0; s < WarpSlots; s++) begin
        if (stall_q[4*s +: 4] != 4'd0) stall_d[4*s +: 4] = stall_q[4*s +: 4] - 4'd1;
      end
    end
    if (iss_valid_i) stall_d[{iss_slot_i, 2'd0} +: 4] = insn_i.stall == 4'd0 ? 4'd0 : insn_i.stall - 4'd1;
    if (init_valid_i) stall_d[{init_slot_i, 2'd0} +: 4] = '0;
  end
  always_ff @(posedge clk_i) begin
    if (en_i) stall_q <= stall_d;
    if (!rst_ni) stall_q <= '0;
  end

  // ---- the heads ----
  logic [HeadW-1:0] h;
  logic [5:0]       hits;
  logic [3:0]       group;
  always_comb begin
    short_o = '0;
    long_o = '0;
    h = '0;
    hits = '0;
    group = '0;
    if (en_i) begin
      for (int unsigned s = 0; s < WarpSlots; s++) begin
        if (look_i[s]) begin
          h = head_i[HeadW*s +: HeadW];
          for (int unsigned k = 0; k < 6; k++) begin
            hits[k] = h[22+k] && ctr_q[s][6*k +: 6] != '0;
            if ((h[21:19] == 3'(k) || h[18:16] == 3'(k)) && ctr_q[s][6*k +: 6] >= Full) short_o[s] = 1'b1;
          end
          if ((hits & slow_q[s]) != '0) long_o[s] = 1'b1;
          if ((hits & ~slow_q[s]) != '0) short_o[s] = 1'b1;
          group = ~(open0_q[s][{h[15:10], 2'b00} +: 4] & open1_q[s][{h[15:10], 2'b00} +: 4] &
                    open2_q[s][{h[15:10], 2'b00} +: 4]);
          if ((group & h[9:6]) != '0) short_o[s] = 1'b1;
          for (int unsigned k = 0; k < 7; k++) begin
            if ((h[2:0] == 3'(k) || h[5:3] == 3'(k)) && popen_q[s][3*k +: 3] != Free) short_o[s] = 1'b1;
          end
        end
      end
    end
  end

  logic unused_bits;
  assign unused_bits = ^insn_i;
endmodule
