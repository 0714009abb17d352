// SPDX-License-Identifier: Apache-2.0
//
// sm_sched_swl: static warp limiting. Of the bound warps that are not at a block barrier and have lanes, the N
// oldest may issue, in the order greedy, then oldest; the others are withheld. Not work conserving; bound:
// sm_sched_progress.
// knob 0: N, warps of this sub-core, 1 to 16 (larger counts as 16); 0 = SwlWarps.
// Latency 0. en_i = 0: picks nothing and keeps its state. issue_*: what issued in this cycle, whoever chose it.
// Source: Rogers et al., MICRO 2012. Twin: model/twin/sched_swl. See also: sm_sched_ccws.
module sm_sched_swl #(
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

  logic [4:0]           limit, ahead;
  logic [WarpSlots-1:0] running, allowed, set;
  logic                 greedy;
  logic [SlotBits-1:0]  oldest;
  always_comb begin
    limit = knob_i[31:0] == '0 ? 5'(sm_cfg_pkg::SwlWarps) : knob_i[31:0] > 32'd16 ? 5'd16 : knob_i[4:0];
    running = '0;
    allowed = '0;
    ahead = '0;
    if (en_i) begin
      running = valid_i & ~ev_i.parked[WarpSlots-1:0];
      for (int unsigned i = 0; i < WarpSlots; i++) begin
        ahead = '0;
        for (int unsigned j = 0; j < WarpSlots; j++) ahead = ahead + 5'(running[j] && older_i[i*WarpSlots + j]);
        allowed[i] = running[i] && ahead < limit;
      end
    end
    set = eligible_i & allowed;
  end
  assign greedy = last_valid_q && set[last_q];
  sm_sched_oldest #(.WarpSlots(WarpSlots)) u_oldest (
      .en_i(en_i && !greedy), .set_i(set), .older_i, .slot_o(oldest)
  );
  assign pick_valid_o = en_i && set != '0;
  assign pick_slot_o = !pick_valid_o ? '0 : greedy ? last_q : oldest;
  assign withheld_o = en_i ? eligible_i & ~allowed : '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) last_valid_q <= 1'b0;
    else if (en_i && issue_valid_i) begin
      last_valid_q <= 1'b1;
      last_q <= issue_slot_i;
    end
  end

  logic unused_door;
  assign unused_door = ^{knob_i, ev_i};
endmodule
