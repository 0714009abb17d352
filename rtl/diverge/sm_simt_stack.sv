// SPDX-License-Identifier: Apache-2.0
//
// sm_simt_stack: the divergence unit of a sub-core in mode `stack` (rtl/README.md "SIMT stack"): running pc and mask, exited
// lanes and stack of every warp slot. BRA, BSSY, BSYNC and EXIT come here one cycle after issue (op_valid_i in the issue
// cycle); each takes one cycle, plus one for every empty entry that is popped. While one is being resolved, busy_o is set
// and its warp's bit in branching_o keeps it from issuing. An instruction without executing lanes does not come here.
// pc_o/mask_o of sel_slot_i: pc of the head instruction. step_i: it issues, pc + 16.
// redirect_*: the warp goes on elsewhere than behind its last instruction. ended_*: no lane is left.
// fault_*: overflow, BSYNC without its BSSY (StackError), a target that is no multiple of 16 (BadPc).
// Outputs are functions of flops and sel_slot_i. Reset: idle. Twin: model/twin/simt_stack.
// The 32 x WarpSlots entries are one RAM; a mode with thread pcs would put them and the barrier registers beside it and
// keep this module's border.
module sm_simt_stack #(
    parameter int unsigned WarpSlots = 16,
    localparam int unsigned SlotBits = $clog2(WarpSlots)
) (
    input  logic clk_i,
    input  logic rst_ni,
    input  logic init_valid_i,
    input  logic [SlotBits-1:0] init_slot_i,
    input  logic [27:0] init_pc_i,
    input  logic [31:0] init_mask_i,

    // issue
    input  logic [SlotBits-1:0] sel_slot_i,
    output logic [27:0] pc_o,
    output logic [31:0] mask_o,
    input  logic step_i,
    input  logic op_valid_i,                // sel_slot_i issues one of the four, with executing lanes
    input  logic [7:0]  op_i,
    input  logic [3:0]  op_breg_i,
    input  logic [31:0] op_imm_i,
    input  logic [31:0] op_exec_i,

    output logic busy_o,
    output logic [WarpSlots-1:0] branching_o,
    output logic redirect_valid_o,
    output logic [SlotBits-1:0] redirect_slot_o,
    output logic [27:0] redirect_pc_o,
    output logic ended_valid_o,
    output logic [SlotBits-1:0] ended_slot_o,
    output logic fault_valid_o,
    output logic [3:0]  fault_code_o,
    output logic [SlotBits-1:0] fault_slot_o,
    output logic [31:0] fault_lanes_o,
    output logic [27:0] fault_pc_o,

    input  logic view_i,
    output logic [79:0] depth_o             // 5 bits a slot, saturated at 31; zero unless view_i
);
  localparam int unsigned StackDepth = sm_cfg_pkg::StackDepth;
  localparam int unsigned EntryBits = 1 + 4 + 28 + 32;   // sync, B, pc, mask

  logic [27:0] pc_q [WarpSlots];
  logic [31:0] mask_q [WarpSlots], exited_q [WarpSlots];
  logic [5:0]  depth_q [WarpSlots];
  assign pc_o = pc_q[sel_slot_i];
  assign mask_o = mask_q[sel_slot_i];

  // ---- the instruction being resolved ----
  logic                op_valid_q;
  logic [SlotBits-1:0] op_slot_q;
  logic [7:0]          op_q;
  logic [3:0]          breg_q;
  logic [27:0]         op_pc_q, target_q;
  logic [31:0]         exec_q;

  // ---- stack ----
  logic                 push, pop, top_sync;
  logic [5:0]           depth, depth_d;
  logic [3:0]           top_breg;
  logic [27:0]          top_pc;
  logic [31:0]          top_mask;
  logic [EntryBits-1:0] push_entry;
  assign depth = depth_q[op_slot_q];
  assign depth_d = depth + {5'b0, push} - {5'b0, pop};
  sm_ram_1r1w #(.Width(EntryBits), .Depth(WarpSlots * StackDepth)) u_ram (
      .clk_i, .we_i(push), .waddr_i({op_slot_q, depth[4:0]}), .wdata_i(push_entry),
      .re_i(op_valid_q), .raddr_i({op_slot_q, depth[4:0] - 5'd1}), .rdata_o({top_sync, top_breg, top_pc, top_mask})
  );

  // ---- resolve ----
  logic        done, redirect, bad;
  logic [3:0]  bad_code;
  logic [27:0] next_pc;
  logic [31:0] mask, mask_d, exited_d, lanes;
  always_comb begin
    done = 1'b0;
    redirect = 1'b0;
    bad = 1'b0;
    bad_code = sm_cfg_pkg::FaultStackError;
    push = 1'b0;
    pop = 1'b0;
    push_entry = '0;
    next_pc = op_pc_q + 28'd16;
    mask = '0;
    mask_d = '0;
    exited_d = '0;
    lanes = '0;
    if (op_valid_q) begin
      mask = mask_q[op_slot_q];
      mask_d = mask;
      exited_d = exited_q[op_slot_q];
      done = 1'b1;
      if (op_q == sm_isa_pkg::OpBSSY) begin
        push_entry = {1'b1, breg_q, target_q, mask};
        bad = depth[5];
        push = !bad;
      end else if (op_q == sm_isa_pkg::OpBRA) begin
        push_entry = {1'b0, 4'd0, target_q, exec_q};
        if (target_q[3:0] != 4'd0) begin
          bad = 1'b1;
          bad_code = sm_cfg_pkg::FaultBadPc;
        end else if (exec_q == mask) begin
          next_pc = target_q;
          redirect = 1'b1;
        end else begin
          bad = depth[5];
          push = !bad;
          mask_d = mask & ~exec_q;
        end
      end else begin
        // BSYNC or EXIT
        if (op_q == sm_isa_pkg::OpEXIT) begin   // the same again in every cycle of its pops
          exited_d = exited_d | exec_q;
          mask_d = mask & ~exec_q;
        end
        lanes = top_mask & ~exited_d;
        if (op_q == sm_isa_pkg::OpEXIT && mask_d != '0) begin
          // the others go on behind it
        end else if (depth == '0) begin
          bad = op_q == sm_isa_pkg::OpBSYNC;
        end else if (op_q == sm_isa_pkg::OpBSYNC && top_sync) begin
          bad = top_breg != breg_q;
          pop = !bad;
          mask_d = lanes;
        end else begin
          pop = 1'b1;
          if (lanes != '0) begin
            mask_d = lanes;
            next_pc = top_sync ? top_pc + 28'd16 : top_pc;
            redirect = 1'b1;
          end else begin
            done = 1'b0;
          end
        end
      end
    end
  end

  assign busy_o = op_valid_q;
  assign redirect_valid_o = redirect && !bad;
  assign redirect_slot_o = op_slot_q;
  assign redirect_pc_o = next_pc;
  assign ended_valid_o = op_valid_q && done && !bad && mask_d == '0;
  assign ended_slot_o = op_slot_q;
  assign fault_valid_o = bad;
  assign fault_code_o = bad_code;
  assign fault_slot_o = op_slot_q;
  assign fault_lanes_o = exec_q;
  assign fault_pc_o = op_pc_q;

  always_ff @(posedge clk_i) begin
    if (step_i) pc_q[sel_slot_i] <= pc_o + 28'd16;
    if (op_valid_q) begin
      mask_q[op_slot_q] <= mask_d;
      exited_q[op_slot_q] <= exited_d;
      depth_q[op_slot_q] <= depth_d;
      op_valid_q <= !done;
      if (done) branching_o[op_slot_q] <= bad;
      if (redirect_valid_o) pc_q[op_slot_q] <= next_pc;
    end
    if (op_valid_i) begin
      op_valid_q <= 1'b1;
      op_slot_q <= sel_slot_i;
      op_q <= op_i;
      breg_q <= op_breg_i;
      op_pc_q <= pc_o;
      target_q <= pc_o + 28'd16 + op_imm_i[27:0];
      exec_q <= op_exec_i;
      branching_o[sel_slot_i] <= 1'b1;
    end
    if (init_valid_i) begin
      pc_q[init_slot_i] <= init_pc_i;
      mask_q[init_slot_i] <= init_mask_i;
      exited_q[init_slot_i] <= '0;
      depth_q[init_slot_i] <= '0;
      branching_o[init_slot_i] <= 1'b0;
    end
    if (!rst_ni) begin
      op_valid_q <= 1'b0;
      branching_o <= '0;
    end
  end

  always_comb begin
    depth_o = '0;
    if (view_i) begin
      for (int unsigned s = 0; s < WarpSlots; s++) depth_o[5*s +: 5] = depth_q[s][5] ? 5'd31 : depth_q[s][4:0];
    end
  end

  logic unused_imm;
  assign unused_imm = ^op_imm_i[31:28];
endmodule
