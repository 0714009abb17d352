// SPDX-License-Identifier: Apache-2.0
//
// A warp scheduling policy of rtl/sched alone, fed from the scheduler door, with the progress rule that the SM puts
// around its own policies. `WG_POLICY names the module. Clocked in cycles in which a slot is bound.
module sm_policy_top #(
    parameter int unsigned WarpSlots = 16
) (
    input  logic         clk_i,
    input  logic         rst_ni,
    input  logic [127:0] knob_i,
    input  logic [6:0]   progress_i,
    input  logic [15:0]  valid_i,
    input  logic [15:0]  eligible_i,
    input  logic [63:0]  age_rank_i,
    input  logic [127:0] ev_i,
    output logic         pick_valid_o,
    output logic [3:0]   pick_slot_o,
    output logic [15:0]  withheld_o
);
  localparam int unsigned SlotBits = $clog2(WarpSlots);
  logic [WarpSlots*WarpSlots-1:0] older;
  logic                           bound, pick, force_valid;
  logic [SlotBits-1:0]            slot, force_slot, issued;
  logic [WarpSlots-1:0]           withheld;
  sm_sub_pkg::sched_ev_t          ev;
  assign ev = ev_i;
  assign bound = valid_i != '0;
  always_comb begin
    older = '0;
    for (int unsigned i = 0; i < WarpSlots; i++) begin
      for (int unsigned j = 0; j < WarpSlots; j++) begin
        older[i*WarpSlots+j] = valid_i[i] && valid_i[j] && age_rank_i[j*4 +: 4] < age_rank_i[i*4 +: 4];
      end
    end
  end
  assign pick_valid_o = force_valid || pick;
  assign issued = force_valid ? force_slot : slot;
  assign pick_slot_o = 4'(issued);
  assign withheld_o = 16'(withheld);
  sm_sched_progress #(.WarpSlots(WarpSlots)) u_progress (
      .clk_i, .rst_ni, .en_i(bound), .progress_i, .eligible_i(eligible_i[WarpSlots-1:0]), .launched_i(ev.launched[WarpSlots-1:0]),
      .issue_valid_i(pick_valid_o), .issue_slot_i(issued), .force_valid_o(force_valid), .force_slot_o(force_slot)
  );
  `WG_POLICY #(.WarpSlots(WarpSlots)) u_policy (
      .clk_i, .rst_ni, .en_i(bound), .knob_i, .valid_i(valid_i[WarpSlots-1:0]), .eligible_i(eligible_i[WarpSlots-1:0]),
      .older_i(older), .ev_i(ev), .issue_valid_i(pick_valid_o), .issue_slot_i(issued), .pick_valid_o(pick),
      .pick_slot_o(slot), .withheld_o(withheld));
endmodule
