// SPDX-License-Identifier: Apache-2.0
//
// sm_warp_sched: the scheduler of a sub-core: one pick a cycle among eligible slots, by the policy chosen at launch
// (isa/cfg.def: Policy*). PolicyExt: the pick port (a slot that is not eligible is not issued). A number without
// policy acts as PolicyLrr. A policy evaluates only when chosen and a slot is bound. sm_sched_progress may put its
// slot in the place of a built-in policy's pick; an external policy brings its own. withheld_o: eligible slots that
// the policy throttles. It also keeps the slots' ages: older_o as in sm_sched_gto.
// Latency 0. Every pick is issued. To add a policy: CONTRIBUTING.md, "Add a warp scheduler".
module sm_warp_sched #(
    parameter int unsigned WarpSlots = 16,
    localparam int unsigned SlotBits = $clog2(WarpSlots)
) (
    input  logic                           clk_i,
    input  logic                           rst_ni,
    input  logic [3:0]                     policy_i,
    input  logic [127:0]                   knob_i,
    input  logic [6:0]                     progress_i,    // as in sm_sched_progress
    input  logic                           init_valid_i,
    input  logic [SlotBits-1:0]            init_slot_i,
    input  logic [WarpSlots-1:0]           valid_i,       // bound slots
    input  logic [WarpSlots-1:0]           eligible_i,
    input  sm_sub_pkg::sched_ev_t          ev_i,
    input  logic                           ext_valid_i,
    input  logic [3:0]                     ext_slot_i,
    output logic                           pick_valid_o,
    output logic [SlotBits-1:0]            pick_slot_o,
    output logic [WarpSlots-1:0]           withheld_o,    // 0 under PolicyExt
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

  // ---- policies: one that is not chosen picks nothing ----
  logic                use_ext, bound;
  logic                force_valid;
  logic [SlotBits-1:0] force_slot;
  assign use_ext = policy_i == sm_cfg_pkg::PolicyExt;
  assign bound = valid_i != '0;
  sm_sched_progress #(.WarpSlots(WarpSlots)) u_progress (
      .clk_i, .rst_ni, .en_i(!use_ext && bound), .progress_i, .eligible_i, .launched_i(ev_i.launched[WarpSlots-1:0]),
      .issue_valid_i(pick_valid_o), .issue_slot_i(pick_slot_o), .force_valid_o(force_valid), .force_slot_o(force_slot)
  );

  logic                 rr_on, rr_valid;
  logic [SlotBits-1:0]  rr_slot;
  logic [WarpSlots-1:0] rr_withheld;
  assign rr_on = policy_i == sm_cfg_pkg::PolicyRr;
  logic                 old_on, old_valid;
  logic [SlotBits-1:0]  old_slot;
  logic [WarpSlots-1:0] old_withheld;
  assign old_on = policy_i == sm_cfg_pkg::PolicyOld;
  logic                 gto_on, gto_valid;
  logic [SlotBits-1:0]  gto_slot;
  logic [WarpSlots-1:0] gto_withheld;
  assign gto_on = policy_i == sm_cfg_pkg::PolicyGto;
  logic                 twolevel_on, twolevel_valid;
  logic [SlotBits-1:0]  twolevel_slot;
  logic [WarpSlots-1:0] twolevel_withheld;
  assign twolevel_on = policy_i == sm_cfg_pkg::PolicyTwoLevel;
  logic                 swl_on, swl_valid;
  logic [SlotBits-1:0]  swl_slot;
  logic [WarpSlots-1:0] swl_withheld;
  assign swl_on = policy_i == sm_cfg_pkg::PolicySwl;
  logic                 ccws_on, ccws_valid;
  logic [SlotBits-1:0]  ccws_slot;
  logic [WarpSlots-1:0] ccws_withheld;
  assign ccws_on = policy_i == sm_cfg_pkg::PolicyCcws;
  logic                 gcaws_on, gcaws_valid;
  logic [SlotBits-1:0]  gcaws_slot;
  logic [WarpSlots-1:0] gcaws_withheld;
  assign gcaws_on = policy_i == sm_cfg_pkg::PolicyGcaws;
  logic                 gty_on, gty_valid;
  logic [SlotBits-1:0]  gty_slot;
  logic [WarpSlots-1:0] gty_withheld;
  assign gty_on = policy_i == sm_cfg_pkg::PolicyGty;
  logic                 lrr_on, lrr_valid;
  logic [SlotBits-1:0]  lrr_slot;
  logic [WarpSlots-1:0] lrr_withheld;
  assign lrr_on = !use_ext && !rr_on && !old_on && !gto_on && !twolevel_on && !swl_on && !ccws_on && !gcaws_on &&
                  !gty_on;

  sm_sched_lrr #(.WarpSlots(WarpSlots)) u_lrr (
      .clk_i, .rst_ni, .en_i(lrr_on && bound), .knob_i, .valid_i, .eligible_i, .older_i(older_q), .ev_i,
      .issue_valid_i(pick_valid_o), .issue_slot_i(pick_slot_o), .pick_valid_o(lrr_valid), .pick_slot_o(lrr_slot),
      .withheld_o(lrr_withheld)
  );

  sm_sched_rr #(.WarpSlots(WarpSlots)) u_rr (
      .clk_i, .rst_ni, .en_i(rr_on && bound), .knob_i, .valid_i, .eligible_i, .older_i(older_q), .ev_i,
      .issue_valid_i(pick_valid_o), .issue_slot_i(pick_slot_o), .pick_valid_o(rr_valid), .pick_slot_o(rr_slot),
      .withheld_o(rr_withheld)
  );

  sm_sched_old #(.WarpSlots(WarpSlots)) u_old (
      .clk_i, .rst_ni, .en_i(old_on && bound), .knob_i, .valid_i, .eligible_i, .older_i(older_q), .ev_i,
      .issue_valid_i(pick_valid_o), .issue_slot_i(pick_slot_o), .pick_valid_o(old_valid), .pick_slot_o(old_slot),
      .withheld_o(old_withheld)
  );

  sm_sched_gto #(.WarpSlots(WarpSlots)) u_gto (
      .clk_i, .rst_ni, .en_i(gto_on && bound), .knob_i, .valid_i, .eligible_i, .older_i(older_q), .ev_i,
      .issue_valid_i(pick_valid_o), .issue_slot_i(pick_slot_o), .pick_valid_o(gto_valid), .pick_slot_o(gto_slot),
      .withheld_o(gto_withheld)
  );

  sm_sched_twolevel #(.WarpSlots(WarpSlots)) u_twolevel (
      .clk_i, .rst_ni, .en_i(twolevel_on && bound), .knob_i, .valid_i, .eligible_i, .older_i(older_q), .ev_i,
      .issue_valid_i(pick_valid_o), .issue_slot_i(pick_slot_o), .pick_valid_o(twolevel_valid), .pick_slot_o(twolevel_slot),
      .withheld_o(twolevel_withheld)
  );

  sm_sched_swl #(.WarpSlots(WarpSlots)) u_swl (
      .clk_i, .rst_ni, .en_i(swl_on && bound), .knob_i, .valid_i, .eligible_i, .older_i(older_q), .ev_i,
      .issue_valid_i(pick_valid_o), .issue_slot_i(pick_slot_o), .pick_valid_o(swl_valid), .pick_slot_o(swl_slot),
      .withheld_o(swl_withheld)
  );

  sm_sched_ccws #(.WarpSlots(WarpSlots)) u_ccws (
      .clk_i, .rst_ni, .en_i(ccws_on && bound), .knob_i, .valid_i, .eligible_i, .older_i(older_q), .ev_i,
      .issue_valid_i(pick_valid_o), .issue_slot_i(pick_slot_o), .pick_valid_o(ccws_valid), .pick_slot_o(ccws_slot),
      .withheld_o(ccws_withheld)
  );

  sm_sched_gcaws #(.WarpSlots(WarpSlots)) u_gcaws (
      .clk_i, .rst_ni, .en_i(gcaws_on && bound), .knob_i, .valid_i, .eligible_i, .older_i(older_q), .ev_i,
      .issue_valid_i(pick_valid_o), .issue_slot_i(pick_slot_o), .pick_valid_o(gcaws_valid), .pick_slot_o(gcaws_slot),
      .withheld_o(gcaws_withheld)
  );

  sm_sched_gty #(.WarpSlots(WarpSlots)) u_gty (
      .clk_i, .rst_ni, .en_i(gty_on && bound), .knob_i, .valid_i, .eligible_i, .older_i(older_q), .ev_i,
      .issue_valid_i(pick_valid_o), .issue_slot_i(pick_slot_o), .pick_valid_o(gty_valid), .pick_slot_o(gty_slot),
      .withheld_o(gty_withheld)
  );

  // ---- one of them ----
  logic [15:0] eligible16;
  assign eligible16 = 16'(eligible_i);
  always_comb begin
    withheld_o = lrr_withheld | rr_withheld | old_withheld | gto_withheld | twolevel_withheld |
                 swl_withheld | ccws_withheld | gcaws_withheld | gty_withheld;
    if (use_ext) begin
      pick_valid_o = ext_valid_i && eligible16[ext_slot_i];
      pick_slot_o = ext_slot_i[SlotBits-1:0];
    end else if (force_valid) begin
      pick_valid_o = 1'b1;
      pick_slot_o = force_slot;
    end else begin
      pick_valid_o = lrr_valid || rr_valid || old_valid || gto_valid || twolevel_valid ||
                     swl_valid || ccws_valid || gcaws_valid || gty_valid;
      pick_slot_o = lrr_slot | rr_slot | old_slot | gto_slot | twolevel_slot |
                    swl_slot | ccws_slot | gcaws_slot | gty_slot;
    end
  end
endmodule
