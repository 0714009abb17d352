// SPDX-License-Identifier: Apache-2.0
//
// sm_warp_sched: the scheduler of a sub-core: one pick a cycle among eligible slots, by the policy chosen at launch
// (isa/cfg.def): PolicyLrr, PolicyGto, PolicyExt (the pick port: a slot that is not eligible is not issued). Any other
// number acts as PolicyLrr. A policy evaluates only when chosen. It also keeps the slots' ages: older_o as in sm_sched_gto.
// Latency 0. Every pick is issued. To add a policy: one file with the ports of sm_sched_lrr, one line in isa/cfg.def, one
// instance and one case item here.
module sm_warp_sched #(
    parameter int unsigned WarpSlots = 16,
    localparam int unsigned SlotBits = $clog2(WarpSlots)
) (
    input  logic                           clk_i,
    input  logic                           rst_ni,
    input  logic [3:0]                     policy_i,
    input  logic                           init_valid_i,
    input  logic [SlotBits-1:0]            init_slot_i,
    input  logic [WarpSlots-1:0]           valid_i,       // bound slots
    input  logic [WarpSlots-1:0]           eligible_i,
    input  logic                           ext_valid_i,
    input  logic [3:0]                     ext_slot_i,
    output logic                           pick_valid_o,
    output logic [SlotBits-1:0]            pick_slot_o,
    output logic [WarpSlots*WarpSlots-1:0] older_o
);
  // ---- ages: row i names the slots older than i ----
  logic [WarpSlots*WarpSlots-1:0] older_q;
  assign older_o = older_q;
  always_ff @(posedge clk_i) begin
    if (init_valid_i) begin
      for (int unsigned i = 0; i < WarpSlots; i++) older_q[i*WarpSlots + 32'(init_slot_i)] <= 1'b0;
      older_q[init_slot_i*WarpSlots +: WarpSlots] <= valid_i;
    end
    if (!rst_ni) older_q <= '0;
  end

  // ---- policies ----
  logic                use_gto, use_ext, use_lrr, lrr_valid, gto_valid;
  logic [SlotBits-1:0] lrr_slot, gto_slot;
  assign use_gto = policy_i == sm_cfg_pkg::PolicyGto;
  assign use_ext = policy_i == sm_cfg_pkg::PolicyExt;
  assign use_lrr = !use_gto && !use_ext;

  sm_sched_lrr #(.WarpSlots(WarpSlots)) u_lrr (
      .clk_i, .rst_ni, .en_i(use_lrr), .eligible_i, .issued_i(1'b1), .pick_valid_o(lrr_valid), .pick_slot_o(lrr_slot)
  );
  sm_sched_gto #(.WarpSlots(WarpSlots)) u_gto (
      .clk_i, .rst_ni, .en_i(use_gto), .older_i(older_q), .eligible_i, .issued_i(1'b1), .pick_valid_o(gto_valid),
      .pick_slot_o(gto_slot)
  );

  logic [15:0] eligible16;
  assign eligible16 = 16'(eligible_i);
  always_comb begin
    if (use_ext) begin
      pick_valid_o = ext_valid_i && eligible16[ext_slot_i];
      pick_slot_o = ext_slot_i[SlotBits-1:0];
    end else if (use_gto) begin
      pick_valid_o = gto_valid;
      pick_slot_o = gto_slot;
    end else begin
      pick_valid_o = lrr_valid;
      pick_slot_o = lrr_slot;
    end
  end
endmodule
