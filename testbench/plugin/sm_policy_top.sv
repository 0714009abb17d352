// SPDX-License-Identifier: Apache-2.0
//
// A warp scheduling policy of rtl/sched alone, fed from the scheduler door. `WG_POLICY names the module; WG_HAS_AGE is set
// if it has the port older_i.
module sm_policy_top #(
    parameter int unsigned WarpSlots = 16
) (
    input  logic        clk_i,
    input  logic        rst_ni,
    input  logic [15:0] valid_i,
    input  logic [15:0] eligible_i,
    input  logic [63:0] age_rank_i,
    output logic        pick_valid_o,
    output logic [3:0]  pick_slot_o
);
  localparam int unsigned SlotBits = $clog2(WarpSlots);
  logic [WarpSlots*WarpSlots-1:0] older;
  logic [SlotBits-1:0] slot;
  always_comb begin
    older = '0;
    for (int unsigned i = 0; i < WarpSlots; i++) begin
      for (int unsigned j = 0; j < WarpSlots; j++) begin
        older[i*WarpSlots+j] = valid_i[i] && valid_i[j] && age_rank_i[j*4 +: 4] < age_rank_i[i*4 +: 4];
      end
    end
  end
  assign pick_slot_o = 4'(slot);
  `WG_POLICY #(.WarpSlots(WarpSlots)) u_policy (
      .clk_i, .rst_ni, .en_i(1'b1),
`ifdef WG_HAS_AGE
      .older_i(older),
`endif
      .eligible_i(eligible_i[WarpSlots-1:0]), .issued_i(1'b1), .pick_valid_o, .pick_slot_o(slot));
endmodule
