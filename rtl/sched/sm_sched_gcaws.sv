// SPDX-License-Identifier: Apache-2.0
//
// sm_sched_gcaws: greedy, then most critical. Picks the slot that issued last if it is eligible, else the eligible
// one with the highest criticality, of equal ones the oldest. Criticality of a warp = instructions that its branches
// put before it and that it has not issued yet x Cpi + cycles since it was bound in which it did not issue, without
// the time at block barriers. A branch adds the body of the loop that it repeats, or the forward path that it does
// not skip, at most 255. Work conserving; bound: sm_sched_progress.
// knob 0: Cpi, cycles an instruction, 1 to 255; 0 = GcawsCpi (the paper measures it for each warp).
// Latency 0. en_i = 0: picks nothing and keeps its state. issue_*: what issued in this cycle, whoever chose it.
// Sources: Lee et al., ISCA 2015 (gCAWS in CAWA); Lee and Wu, PACT 2014. Twin: model/twin/sched_gcaws.
module sm_sched_gcaws #(
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

  logic [WarpSlots*16-1:0] path_q, stall_q;   // cycles, saturating
  logic [7:0]              cpi;
  logic [15:0]             added;
  logic [16:0]             crit, best;
  logic                    greedy;

  // ---- pick ----
  assign greedy = last_valid_q && eligible_i[last_q];
  always_comb begin
    pick_slot_o = '0;
    pick_valid_o = en_i && eligible_i != '0;
    crit = '0;
    best = '0;
    if (pick_valid_o) begin
      if (greedy) pick_slot_o = last_q;
      else begin
        for (int unsigned i = 0; i < WarpSlots; i++) begin
          crit = {1'b0, path_q[16*i +: 16]} + {1'b0, stall_q[16*i +: 16]};
          if (eligible_i[i] && (crit > best || !eligible_i[pick_slot_o] ||
                                (crit == best && older_i[32'(pick_slot_o)*WarpSlots + i]))) begin
            best = crit;
            pick_slot_o = SlotBits'(i);
          end
        end
      end
    end
  end
  assign withheld_o = '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) last_valid_q <= 1'b0;
    else if (en_i && issue_valid_i) begin
      last_valid_q <= 1'b1;
      last_q <= issue_slot_i;
    end
  end

  // ---- criticality ----
  assign cpi = knob_i[31:0] == '0 ? 8'(sm_cfg_pkg::GcawsCpi) : knob_i[31:0] > 32'd255 ? 8'd255 : knob_i[7:0];
  assign added = 16'(ev_i.br_insts) * 16'(cpi);
  always_ff @(posedge clk_i) begin : count
    logic [15:0] path;
    logic [16:0] longer;
    if (!rst_ni) begin
      path_q <= '0;
      stall_q <= '0;
    end else if (en_i) begin
      for (int unsigned i = 0; i < WarpSlots; i++) begin
        if (ev_i.launched[i]) begin
          path_q[16*i +: 16] <= '0;
          stall_q[16*i +: 16] <= '0;
        end else if (valid_i[i] && !ev_i.parked[i]) begin
          path = path_q[16*i +: 16];
          if (issue_valid_i && issue_slot_i == SlotBits'(i)) path = path > 16'(cpi) ? path - 16'(cpi) : '0;
          else if (stall_q[16*i +: 16] != 16'hffff) stall_q[16*i +: 16] <= stall_q[16*i +: 16] + 16'd1;
          longer = {1'b0, path} + {1'b0, added};
          path_q[16*i +: 16] <= ev_i.br_valid && ev_i.br_slot == 4'(i) ? (longer[16] ? 16'hffff : longer[15:0])
                                                                               : path;
        end
      end
    end
  end

  logic unused_door;
  assign unused_door = ^{knob_i, ev_i};
endmodule
