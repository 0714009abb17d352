// SPDX-License-Identifier: Apache-2.0
//
// sm_sched_view: what the scheduler door shows beyond the scheduler's own inputs, kept only while en_i (the external
// policy is chosen); zero otherwise. Arrays by slot, slot 0 lowest, 16 slots.
// age_rank: number of bound slots that are older. pending_loads: instructions of the memory pipe between issue and
// their last write-back beat, at most 15 shown. since_issue: cycles since the slot issued or was bound, saturates at
// 255.
// Outputs are functions of flops only.
module sm_sched_view #(
    parameter int unsigned WarpSlots = 16,
    localparam int unsigned SlotBits = $clog2(WarpSlots)
) (
    input  logic                           clk_i,
    input  logic                           en_i,
    input  logic                           init_valid_i,
    input  logic [SlotBits-1:0]            init_slot_i,
    input  logic [WarpSlots-1:0]           valid_i,
    input  logic [WarpSlots*WarpSlots-1:0] older_i,
    input  logic                           issue_valid_i,
    input  logic                           issue_load_i,
    input  logic [SlotBits-1:0]            issue_slot_i,
    input  logic                           load_done_i,
    input  logic [SlotBits-1:0]            load_slot_i,
    output logic [63:0]                    age_rank_o,
    output logic [63:0]                    pending_loads_o,
    output logic [127:0]                   since_issue_o
);
  logic [WarpSlots*8-1:0] loads_q, since_q;

  always_ff @(posedge clk_i) begin
    if (en_i) begin
      for (int unsigned s = 0; s < WarpSlots; s++) begin
        if (since_q[8*s +: 8] != 8'd255) since_q[8*s +: 8] <= since_q[8*s +: 8] + 8'd1;
        if (issue_valid_i && issue_slot_i == SlotBits'(s)) since_q[8*s +: 8] <= 8'd0;
        if (issue_valid_i && issue_load_i && issue_slot_i == SlotBits'(s)) begin
          if (!(load_done_i && load_slot_i == SlotBits'(s))) loads_q[8*s +: 8] <= loads_q[8*s +: 8] + 8'd1;
        end else if (load_done_i && load_slot_i == SlotBits'(s)) begin
          loads_q[8*s +: 8] <= loads_q[8*s +: 8] - 8'd1;
        end
        if (init_valid_i && init_slot_i == SlotBits'(s)) begin
          since_q[8*s +: 8] <= 8'd0;
          loads_q[8*s +: 8] <= 8'd0;
        end
      end
    end
  end

  always_comb begin
    age_rank_o = '0;
    pending_loads_o = '0;
    since_issue_o = '0;
    if (en_i) begin
      for (int unsigned s = 0; s < WarpSlots; s++) begin
        if (valid_i[s]) begin
          for (int unsigned i = 0; i < WarpSlots; i++) begin
            if (older_i[s*WarpSlots + i] && valid_i[i]) age_rank_o[4*s +: 4] = age_rank_o[4*s +: 4] + 4'd1;
          end
          pending_loads_o[4*s +: 4] = loads_q[8*s +: 8] > 8'd15 ? 4'd15 : loads_q[8*s +: 4];
          since_issue_o[8*s +: 8] = since_q[8*s +: 8];
        end
      end
    end
  end
endmodule
