// SPDX-License-Identifier: Apache-2.0
//
// Lab 8, the scoreboard: yours to write. Made from rtl/sched/sm_scoreboard.sv by testbench/labs/skeletons.py.
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
  assign touch_o = '0;
  assign fixed_o = '0;
  assign short_o = '0;
  assign long_o = '0;
endmodule
