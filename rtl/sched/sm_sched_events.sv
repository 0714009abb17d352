// SPDX-License-Identifier: Apache-2.0
//
// sm_sched_events: what the scheduling policies see beyond valid and eligible (sm_sub_pkg::sched_ev_t): states of the slots in this
// cycle, and the events of the last one. A branch event tells the lanes of the running split, how many of them go elsewhere, and how
// many instructions the branch adds to the warp's way, at most 255 (0 where it leads over code).
// ev_o: functions of flops and of the inputs, which are flops of their units. Reset: no event.
module sm_sched_events #(
    parameter int unsigned WarpSlots = 16,
    localparam int unsigned SlotBits = $clog2(WarpSlots)
) (
    input  logic clk_i,
    input  logic rst_ni,
    input  logic [WarpSlots-1:0] valid_i,       // bound slots
    input  logic [WarpSlots-1:0] parked_i,      // at a barrier, ended, or no lane can run
    input  logic [WarpSlots-1:0] long_wait_i,   // for global memory or a membar
    input  logic [WarpSlots-1:0] mem_i,         // the next instruction is one of the memory pipe
    input  logic [WarpSlots-1:0] released_i,    // from a barrier
    // a branch issues
    input  logic bra_i,
    input  logic [SlotBits-1:0] bra_slot_i,
    input  logic [31:0] bra_mask_i,             // running lanes
    input  logic [31:0] bra_exec_i,             // those that take it
    input  logic [31:0] bra_imm_i,              // bytes from the next instruction to the target, signed
    // from the memory pipe
    input  logic miss_i,
    input  logic [3:0] miss_slot_i,
    input  logic vta_i,
    input  logic [3:0] vta_slot_i,
    input  logic mshr_full_i,
    input  logic lsu_full_i,
    output sm_sub_pkg::sched_ev_t ev_o
);
  logic [WarpSlots-1:0]  bound_q, launched;
  sm_sub_pkg::sched_ev_t branch_q;              // its br_* fields
  logic                  adds;
  logic [27:0]           way;                   // instructions
  assign way = bra_imm_i[31] ? ~bra_imm_i[31:4] + 28'd1 : bra_imm_i[31:4];
  assign adds = bra_imm_i[31] ? bra_exec_i != '0 : bra_exec_i != bra_mask_i;
  assign launched = valid_i & ~bound_q;
  always_ff @(posedge clk_i) begin
    bound_q <= valid_i;
    branch_q.br_valid <= bra_i;
    if (bra_i) begin
      branch_q.br_slot <= 4'(bra_slot_i);
      branch_q.br_of <= 6'($countones(bra_mask_i));
      branch_q.br_lanes <= 6'($countones(bra_exec_i));
      branch_q.br_insts <= !adds ? 8'd0 : way > 28'd255 ? 8'd255 : way[7:0];
    end
    if (!rst_ni) begin
      bound_q <= '0;
      branch_q <= '0;
    end
  end
  always_comb begin
    ev_o = branch_q;
    ev_o.parked = 16'(parked_i);
    ev_o.long_wait = 16'(long_wait_i);
    ev_o.mem = 16'(mem_i);
    ev_o.launched = 16'(launched);
    ev_o.released = 16'(released_i);
    ev_o.miss_valid = miss_i;
    ev_o.miss_slot = miss_slot_i;
    ev_o.vta_valid = vta_i;
    ev_o.vta_slot = vta_slot_i;
    ev_o.mshr_full = mshr_full_i;
    ev_o.lsu_full = lsu_full_i;
  end

  logic unused_low;
  assign unused_low = ^bra_imm_i[3:0];
endmodule
