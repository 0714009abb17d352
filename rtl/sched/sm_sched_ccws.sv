// SPDX-License-Identifier: Apache-2.0
//
// sm_sched_ccws: cache-conscious scheduling. Each slot has a score: BaseScore, plus HitScore for every load that
// missed a line which its own warp had lost from the L1 (sm_ccws_vta), less 1 a cycle down to the base, at most the
// cutoff above it. The running warps (not at a block barrier, with lanes) are stacked by score, the highest and then
// the oldest first; a warp below which the stack is already as high as the cutoff = running warps x BaseScore may
// not issue instructions of the memory pipe: these are withheld. Order of the others: greedy, then oldest. Scores
// take effect a cycle later. Not work conserving; bound: sm_sched_progress.
// knob 0: BaseScore, points, 1 to 4095; 0 = CcwsBase. knob 1: HitScore, points, 1 to 65535; 0 = CcwsHit.
// The paper derives HitScore from hits and instructions so far, keeps one stack an SM and withholds loads only.
// Latency 0. en_i = 0: picks nothing and keeps its state. issue_*: what issued in this cycle, whoever chose it.
// Source: Rogers et al., MICRO 2012. Twin: model/twin/sched_ccws. See also: sm_ccws_vta, sm_sched_swl.
module sm_sched_ccws #(
    parameter int unsigned WarpSlots = 16,
    localparam int unsigned SlotBits = $clog2(WarpSlots)
) (
    input  logic                           clk_i,
    input  logic                           rst_ni,
    input  logic                           en_i,
    input  logic [127:0]                   knob_i,
    input  logic [WarpSlots-1:0]           valid_i,
    input  logic [WarpSlots-1:0]           eligible_i,
    input  logic [WarpSlots*WarpSlots-1:0] older_i,
    input  sm_sub_pkg::sched_ev_t          ev_i,
    input  logic                           issue_valid_i,
    input  logic [SlotBits-1:0]            issue_slot_i,
    output logic                           pick_valid_o,
    output logic [SlotBits-1:0]            pick_slot_o,
    output logic [WarpSlots-1:0]           withheld_o
);
  logic                last_valid_q;
  logic [SlotBits-1:0] last_q;

  localparam int unsigned SumBits = 21;   // 16 x (4095 + 65535) < 2^21
  logic [WarpSlots*16-1:0] extra_q;       // score above the base
  logic [WarpSlots-1:0]    can_q, can, running, set;
  logic                    greedy;
  logic [SlotBits-1:0]     oldest;
  logic [11:0]             base;
  logic [15:0]             hit, mine, other, cutoff;
  logic [16:0]             raised;
  logic [SumBits-1:0]      below;
  logic [4:0]              num;

  // ---- pick ----
  assign withheld_o = en_i ? eligible_i & ev_i.mem[WarpSlots-1:0] & ~can_q : '0;
  assign set = eligible_i & ~withheld_o;
  assign greedy = last_valid_q && set[last_q];
  sm_sched_oldest #(.WarpSlots(WarpSlots)) u_oldest (
      .en_i(en_i && !greedy), .set_i(set), .older_i, .slot_o(oldest)
  );
  assign pick_valid_o = en_i && set != '0;
  assign pick_slot_o = !pick_valid_o ? '0 : greedy ? last_q : oldest;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) last_valid_q <= 1'b0;
    else if (en_i && issue_valid_i) begin
      last_valid_q <= 1'b1;
      last_q <= issue_slot_i;
    end
  end

  // ---- the stack of scores ----
  assign base = knob_i[31:0] == '0 ? 12'(sm_cfg_pkg::CcwsBase) : knob_i[31:0] > 32'd4095 ? 12'd4095 : knob_i[11:0];
  assign hit = knob_i[63:32] == '0 ? 16'(sm_cfg_pkg::CcwsHit) : knob_i[63:32] > 32'd65535 ? 16'hffff : knob_i[47:32];
  always_comb begin
    running = '0;
    num = '0;
    if (en_i) begin
      running = valid_i & ~ev_i.parked[WarpSlots-1:0];
      for (int unsigned i = 0; i < WarpSlots; i++) num = num + 5'(running[i]);
    end
    cutoff = 16'(num) * 16'(base);
  end
  always_comb begin
    can = '1;
    mine = '0;
    other = '0;
    below = '0;
    if (en_i && extra_q != '0) begin
      for (int unsigned i = 0; i < WarpSlots; i++) begin
        mine = extra_q[16*i +: 16];
        below = '0;
        for (int unsigned j = 0; j < WarpSlots; j++) begin
          other = extra_q[16*j +: 16];
          if (running[j] && j != i && (other > mine || (other == mine && older_i[i*WarpSlots + j]))) begin
            below = below + SumBits'(base) + SumBits'(other);
          end
        end
        can[i] = !running[i] || below < SumBits'(cutoff);
      end
    end
  end
  assign raised = {1'b0, extra_q[16*32'(ev_i.vta_slot[SlotBits-1:0]) +: 16]} + {1'b0, hit};
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      extra_q <= '0;
      can_q <= '1;
    end else if (en_i) begin
      can_q <= can;
      if (extra_q != '0 || ev_i.vta_valid) begin
        for (int unsigned i = 0; i < WarpSlots; i++) begin
          if (ev_i.launched[i]) extra_q[16*i +: 16] <= '0;
          else if (ev_i.vta_valid && ev_i.vta_slot == 4'(i)) begin
            extra_q[16*i +: 16] <= raised > {1'b0, cutoff} ? cutoff : raised[15:0];
          end else if (extra_q[16*i +: 16] != '0) extra_q[16*i +: 16] <= extra_q[16*i +: 16] - 16'd1;
        end
      end
    end
  end

  logic unused_door;
  assign unused_door = ^{knob_i, ev_i};
endmodule
