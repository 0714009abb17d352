// SPDX-License-Identifier: Apache-2.0
//
// sm_simt_stack: how mode `stack` resolves a control instruction (rtl/README.md "SIMT stack"): the SIMT stacks of all warp
// slots. Part of sm_diverge, which keeps running pc, mask and the lanes that are gone.
// While en_i is set, the instruction of slot_i is resolved: one cycle, plus one for every empty entry that is popped; done_o in
// the last one. mask_o and gone_o are to be kept in every cycle. jump_i: BRA, CALL, or RET and BRX with one target.
// sync_i: WARPSYNC of the lanes value_i. Other opcodes than these, BSSY, BSYNC and EXIT do nothing.
// redirect_o: the warp goes on at next_pc_o instead of behind its instruction. bad_o: fault bad_code_o, nothing changes.
// Combinational from flops and inputs. Twin: model/twin/simt_stack.
module sm_simt_stack #(
    parameter int unsigned WarpSlots = 16,
    localparam int unsigned SlotBits = $clog2(WarpSlots)
) (
    input  logic clk_i,
    input  logic init_valid_i,
    input  logic [SlotBits-1:0] init_slot_i,

    input  logic en_i,
    input  logic [SlotBits-1:0] slot_i,
    input  logic [7:0]  op_i,
    input  logic        jump_i,
    input  logic        sync_i,
    input  logic [3:0]  breg_i,
    input  logic [27:0] pc_i,
    input  logic [27:0] target_i,
    input  logic [31:0] value_i,
    input  logic [31:0] exec_i,
    input  logic [31:0] mask_i,
    input  logic [31:0] gone_i,
    output logic        done_o,
    output logic        redirect_o,
    output logic        bad_o,
    output logic [3:0]  bad_code_o,
    output logic [27:0] next_pc_o,
    output logic [31:0] mask_o,
    output logic [31:0] gone_o,

    input  logic view_i,
    output logic [79:0] depth_o             // 5 bits a slot, saturated at 31; zero unless view_i
);
  localparam int unsigned StackDepth = sm_cfg_pkg::StackDepth;
  localparam int unsigned EntryBits = 1 + 4 + 28 + 32;   // sync, B, pc, mask

  logic [5:0]           depth_q [WarpSlots];
  logic                 push, pop, top_sync;
  logic [5:0]           depth, depth_d;
  logic [3:0]           top_breg;
  logic [27:0]          top_pc;
  logic [31:0]          top_mask, lanes;
  logic [EntryBits-1:0] push_entry;
  assign depth = depth_q[slot_i];
  assign depth_d = depth + {5'b0, push} - {5'b0, pop};
  sm_ram_1r1w #(.Width(EntryBits), .Depth(WarpSlots * StackDepth)) u_ram (
      .clk_i, .we_i(push), .waddr_i({slot_i, depth[4:0]}), .wdata_i(push_entry),
      .re_i(en_i), .raddr_i({slot_i, depth[4:0] - 5'd1}), .rdata_o({top_sync, top_breg, top_pc, top_mask})
  );

  always_comb begin
    done_o = 1'b0;
    redirect_o = 1'b0;
    bad_o = 1'b0;
    bad_code_o = sm_cfg_pkg::FaultStackError;
    push = 1'b0;
    pop = 1'b0;
    push_entry = '0;
    next_pc_o = pc_i + 28'd16;
    mask_o = '0;
    gone_o = '0;
    lanes = '0;
    if (en_i) begin
      mask_o = mask_i;
      gone_o = gone_i;
      done_o = 1'b1;
      if (op_i == sm_isa_pkg::OpBSSY) begin
        push_entry = {1'b1, breg_i, target_i, mask_i};
        bad_o = depth[5];
        push = !bad_o;
      end else if (jump_i) begin
        push_entry = {1'b0, 4'd0, target_i, exec_i};
        if (target_i[3:0] != 4'd0) begin
          bad_o = 1'b1;
          bad_code_o = sm_cfg_pkg::FaultBadPc;
        end else if (exec_i == mask_i) begin
          next_pc_o = target_i;
          redirect_o = 1'b1;
        end else begin
          bad_o = depth[5];
          push = !bad_o;
          mask_o = mask_i & ~exec_i;
        end
      end else if (sync_i) begin
        bad_o = (value_i & ~gone_i & ~exec_i) != '0;
      end else if (op_i == sm_isa_pkg::OpBSYNC || op_i == sm_isa_pkg::OpEXIT) begin
        if (op_i == sm_isa_pkg::OpEXIT) begin   // the same again in every cycle of its pops
          gone_o = gone_i | exec_i;
          mask_o = mask_i & ~exec_i;
        end
        lanes = top_mask & ~gone_o;
        if (op_i == sm_isa_pkg::OpEXIT && mask_o != '0) begin
          // the others go on behind it
        end else if (depth == '0) begin
          bad_o = op_i == sm_isa_pkg::OpBSYNC;
        end else if (op_i == sm_isa_pkg::OpBSYNC && top_sync) begin
          bad_o = top_breg != breg_i;
          pop = !bad_o;
          mask_o = lanes;
        end else begin
          pop = 1'b1;
          if (lanes != '0) begin
            mask_o = lanes;
            next_pc_o = top_sync ? top_pc + 28'd16 : top_pc;
            redirect_o = 1'b1;
          end else begin
            done_o = 1'b0;
          end
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (en_i) depth_q[slot_i] <= depth_d;
    if (init_valid_i) depth_q[init_slot_i] <= '0;
  end

  always_comb begin
    depth_o = '0;
    if (view_i) begin
      for (int unsigned s = 0; s < WarpSlots; s++) depth_o[5*s +: 5] = depth_q[s][5] ? 5'd31 : depth_q[s][4:0];
    end
  end
endmodule
