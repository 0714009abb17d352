// SPDX-License-Identifier: Apache-2.0
//
// sm_scoreboard: the registers and predicates of a sub-core's warp slots that issued instructions have still to write.
//
// Entries: a bit a register and a predicate of each slot. Set when an instruction issues (set_*), with the kind of the
// writer: a global load (set_long_i), another of variable latency (set_short_i), or neither: of fixed latency. Cleared
// by the release ports, one for each result bus; predicates apart from registers. What is set and released in one
// cycle is set. init_*: the slot is bound anew, nothing is pending, whatever else comes in that cycle.
// touch_o: slots of which entries may change with this cycle.
//
// Check: for each slot of look_i, head_i says what its next instruction names: {EXIT, a / 4, b / 4, c / 4, d / 4: groups
// of four registers; masks of a, b, c, d: registers of each group; predicates}. The answer: whether something among it
// is pending by a writer of fixed latency (fixed_o), a short or a long one; a predicate is fixed or short, never long.
// check_i low: nothing of that counts. An EXIT waits (short_o), check_i or not, for all pending predicates and all
// pending registers but those of global loads. 0 for slots outside of look_i.
// Answers are of the entries before this cycle's changes. No reset: init clears a slot.
module sm_scoreboard #(
    parameter int unsigned WarpSlots = 16,
    localparam int unsigned SlotBits = $clog2(WarpSlots),
    localparam int unsigned HeadW = 49
) (
    input  logic clk_i,
    input  logic init_valid_i,
    input  logic [SlotBits-1:0] init_slot_i,

    // issue; of a whole group of four registers those of the mask
    input  logic set_valid_i,
    input  logic [SlotBits-1:0] set_slot_i,
    input  logic [5:0] set_group_i,             // register / 4
    input  logic [3:0] set_mask_i,              // registers of the group
    input  logic [7:0] set_preds_i,
    input  logic set_short_i,
    input  logic set_long_i,                    // not both

    // releases
    input  logic rel_int_valid_i,
    input  logic [SlotBits-1:0] rel_int_slot_i,
    input  logic [7:0] rel_int_rd_i,
    input  logic rel_int_wide_i,                // the register behind it too, if it is of the same group
    input  logic rel_fp_valid_i,
    input  logic [SlotBits-1:0] rel_fp_slot_i,
    input  logic [7:0] rel_fp_rd_i,
    input  logic rel_half_valid_i,
    input  logic [SlotBits-1:0] rel_half_slot_i,
    input  logic [7:0] rel_half_rd_i,
    input  logic rel_f64_valid_i,
    input  logic [SlotBits-1:0] rel_f64_slot_i,
    input  logic [6:0] rel_f64_pair_i,          // register / 2; both of the pair
    input  logic rel_var_valid_i,
    input  logic [SlotBits-1:0] rel_var_slot_i,
    input  logic [7:0] rel_var_rd_i,
    input  logic rel_var_wide_i,
    input  logic relp_int_valid_i,
    input  logic [SlotBits-1:0] relp_int_slot_i,
    input  logic [7:0] relp_int_mask_i,
    input  logic relp_half_valid_i,
    input  logic [SlotBits-1:0] relp_half_slot_i,
    input  logic [7:0] relp_half_mask_i,
    input  logic relp_f64_valid_i,
    input  logic [SlotBits-1:0] relp_f64_slot_i,
    input  logic [7:0] relp_f64_mask_i,
    input  logic relp_var_valid_i,
    input  logic [SlotBits-1:0] relp_var_slot_i,
    input  logic [2:0] relp_var_pd_i,
    output logic [WarpSlots-1:0] touch_o,

    // check
    input  logic check_i,
    input  logic [WarpSlots-1:0] look_i,
    input  logic [HeadW*WarpSlots-1:0] head_i,
    output logic [WarpSlots-1:0] fixed_o,
    output logic [WarpSlots-1:0] short_o,
    output logic [WarpSlots-1:0] long_o
);
  // kind of a pending register: neither bit = fixed latency
  logic [255:0] pend_q [WarpSlots], short_q [WarpSlots], long_q [WarpSlots];
  logic [7:0]   ppend_q [WarpSlots], pshort_q [WarpSlots];

  always_comb begin
    touch_o = '0;
    if (set_valid_i) touch_o[set_slot_i] = 1'b1;
    if (rel_int_valid_i) touch_o[rel_int_slot_i] = 1'b1;
    if (rel_fp_valid_i) touch_o[rel_fp_slot_i] = 1'b1;
    if (rel_half_valid_i) touch_o[rel_half_slot_i] = 1'b1;
    if (rel_f64_valid_i) touch_o[rel_f64_slot_i] = 1'b1;
    if (relp_half_valid_i) touch_o[relp_half_slot_i] = 1'b1;
    if (relp_f64_valid_i) touch_o[relp_f64_slot_i] = 1'b1;
    if (rel_var_valid_i) touch_o[rel_var_slot_i] = 1'b1;
    if (relp_int_valid_i) touch_o[relp_int_slot_i] = 1'b1;
    if (relp_var_valid_i) touch_o[relp_var_slot_i] = 1'b1;
    if (init_valid_i) touch_o[init_slot_i] = 1'b1;
  end

  for (genvar s = 0; s < WarpSlots; s++) begin : gen_slot
    localparam logic [SlotBits-1:0] Me = SlotBits'(s);
    always_ff @(posedge clk_i) begin
      if (touch_o[s]) begin : touch
        logic [255:0] p, sh, lg;
        logic [7:0]   pp, ps;
        p = pend_q[s];
        sh = short_q[s];
        lg = long_q[s];
        pp = ppend_q[s];
        ps = pshort_q[s];
        if (rel_int_valid_i && rel_int_slot_i == Me) begin
          p[{rel_int_rd_i[7:2], 2'b00} +: 4] = p[{rel_int_rd_i[7:2], 2'b00} +: 4] &
                                               ~((rel_int_wide_i ? 4'b0011 : 4'b0001) << rel_int_rd_i[1:0]);
        end
        if (rel_fp_valid_i && rel_fp_slot_i == Me) p[rel_fp_rd_i] = 1'b0;
        if (rel_half_valid_i && rel_half_slot_i == Me) p[rel_half_rd_i] = 1'b0;
        if (rel_f64_valid_i && rel_f64_slot_i == Me) p[{rel_f64_pair_i, 1'b0} +: 2] = 2'b00;
        if (rel_var_valid_i && rel_var_slot_i == Me) begin
          p[{rel_var_rd_i[7:2], 2'b00} +: 4] = p[{rel_var_rd_i[7:2], 2'b00} +: 4] &
                                               ~((rel_var_wide_i ? 4'b0011 : 4'b0001) << rel_var_rd_i[1:0]);
        end
        if (relp_int_valid_i && relp_int_slot_i == Me) pp &= ~relp_int_mask_i;
        if (relp_half_valid_i && relp_half_slot_i == Me) pp &= ~relp_half_mask_i;
        if (relp_f64_valid_i && relp_f64_slot_i == Me) pp &= ~relp_f64_mask_i;
        if (relp_var_valid_i && relp_var_slot_i == Me) pp[relp_var_pd_i] = 1'b0;
        if (set_valid_i && set_slot_i == Me) begin
          p[{set_group_i, 2'b00} +: 4] = p[{set_group_i, 2'b00} +: 4] | set_mask_i;
          sh[{set_group_i, 2'b00} +: 4] = (sh[{set_group_i, 2'b00} +: 4] & ~set_mask_i) |
                                          (set_short_i ? set_mask_i : 4'd0);
          lg[{set_group_i, 2'b00} +: 4] = (lg[{set_group_i, 2'b00} +: 4] & ~set_mask_i) |
                                          (set_long_i ? set_mask_i : 4'd0);
          pp |= set_preds_i;
          ps = set_short_i ? ps | set_preds_i : ps & ~set_preds_i;
        end
        if (init_valid_i && init_slot_i == Me) begin
          p = '0;
          pp = '0;
        end
        pend_q[s] <= p;
        short_q[s] <= sh;
        long_q[s] <= lg;
        ppend_q[s] <= pp;
        pshort_q[s] <= ps;
      end
    end
  end

  // ---- the heads ----
  logic [HeadW-1:0] h;            // of one slot: entry, pending registers and predicates it names
  logic [15:0]      dp, ds, dl;
  logic [7:0]       dpp;
  always_comb begin
    h = '0;
    {dp, ds, dl, dpp} = '0;
    {fixed_o, short_o, long_o} = '0;
    for (int unsigned s = 0; s < WarpSlots; s++) begin
      if (look_i[s]) begin
        h = head_i[HeadW*s +: HeadW];
        if (check_i) begin
          // what kinds of pending registers and predicates it waits for
          dp = {pend_q[s][{h[47:42], 2'b00} +: 4], pend_q[s][{h[41:36], 2'b00} +: 4], pend_q[s][{h[35:30], 2'b00} +: 4],
                pend_q[s][{h[29:24], 2'b00} +: 4]} & h[23:8];
          dpp = ppend_q[s] & h[7:0];
          if (dp != '0) begin
            ds = dp & {short_q[s][{h[47:42], 2'b00} +: 4], short_q[s][{h[41:36], 2'b00} +: 4],
                       short_q[s][{h[35:30], 2'b00} +: 4], short_q[s][{h[29:24], 2'b00} +: 4]};
            dl = dp & {long_q[s][{h[47:42], 2'b00} +: 4], long_q[s][{h[41:36], 2'b00} +: 4],
                       long_q[s][{h[35:30], 2'b00} +: 4], long_q[s][{h[29:24], 2'b00} +: 4]};
            {fixed_o[s], short_o[s], long_o[s]} = {(dp & ~ds & ~dl) != '0, ds != '0, dl != '0};
          end
          if (dpp != '0) begin
            if ((dpp & ~pshort_q[s]) != '0) fixed_o[s] = 1'b1;
            if ((dpp & pshort_q[s]) != '0) short_o[s] = 1'b1;
          end
        end
        if (h[HeadW-1] && ((pend_q[s] & ~long_q[s]) != '0 || ppend_q[s] != '0)) short_o[s] = 1'b1;
      end
    end
  end
endmodule
