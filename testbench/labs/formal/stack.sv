// SPDX-License-Identifier: Apache-2.0
//
// The submission beside the project's module: one warp of four lanes, any BSSY, BSYNC, BRA and EXIT of running lanes,
// any cycles without one; the mask and the lanes gone are kept as sm_diverge does. Equal outputs in every cycle.
// files: rtl/prim/sm_ram_1r1w.sv
module formal_top (
    input logic       clk_i,
    input logic [1:0] op_i,
    input logic       breg_i,
    input logic [2:0] target_i,
    input logic       odd_i,
    input logic [3:0] some_i,
    input logic       idle_i
);
  logic [3:0]  n;   // cycle
  logic [3:0]  mask_q, gone_q;
  logic [1:0]  op_q, op;
  logic        hold_q, breg_q, breg;    // an instruction that pops more goes on
  logic [3:0]  exec_q, exec;
  logic [1:0]  done, redirect, bad;
  logic [7:0]  code;
  logic [55:0] next;
  logic [63:0] mask, gone;
  logic [159:0] depth;
  logic [7:0]  opcode;
  logic        en, init, look, goes_on;
  // wrong_OUTPUT: it differs where it counts; a failed proof is told by them (proof_wave.py)
  logic        wrong_done_o, wrong_redirect_o, wrong_bad_o, wrong_bad_code_o, wrong_next_pc_o, wrong_mask_o, wrong_gone_o;
  logic [4:0]  wrong_depth_o;   // the bits that differ, of this warp's depth
  assign init = n == 4'd0;
  assign en = n != 4'd0 && (hold_q || (mask_q != '0 && !idle_i));
  assign op = hold_q ? op_q : op_i;
  assign breg = hold_q ? breg_q : breg_i;
  assign exec = hold_q ? exec_q : (some_i & mask_q) != '0 && op[1] ? some_i & mask_q : mask_q;
  always_comb begin
    case (op)
      2'd0: opcode = sm_isa_pkg::OpBSSY;
      2'd1: opcode = sm_isa_pkg::OpBSYNC;
      2'd2: opcode = sm_isa_pkg::OpBRA;
      default: opcode = sm_isa_pkg::OpEXIT;
    endcase
  end
  sm_simt_stack #(.WarpSlots(2)) u_dut (
      .clk_i, .init_valid_i(init), .init_slot_i(1'b0), .en_i(en), .slot_i(1'b0), .op_i(opcode), .jump_i(op == 2'd2),
      .sync_i(1'b0), .breg_i({3'd0, breg}), .pc_i(28'h100), .target_i({21'd0, target_i, odd_i, 3'd0}), .value_i('0),
      .exec_i({28'd0, exec}), .mask_i({28'd0, mask_q}), .gone_i({28'd0, gone_q}), .done_o(done[0]),
      .redirect_o(redirect[0]), .bad_o(bad[0]), .bad_code_o(code[3:0]), .next_pc_o(next[27:0]), .mask_o(mask[31:0]),
      .gone_o(gone[31:0]), .view_i(1'b1), .depth_o(depth[79:0]));
  ref_sm_simt_stack #(.WarpSlots(2)) u_ref (
      .clk_i, .init_valid_i(init), .init_slot_i(1'b0), .en_i(en), .slot_i(1'b0), .op_i(opcode), .jump_i(op == 2'd2),
      .sync_i(1'b0), .breg_i({3'd0, breg}), .pc_i(28'h100), .target_i({21'd0, target_i, odd_i, 3'd0}), .value_i('0),
      .exec_i({28'd0, exec}), .mask_i({28'd0, mask_q}), .gone_i({28'd0, gone_q}), .done_o(done[1]),
      .redirect_o(redirect[1]), .bad_o(bad[1]), .bad_code_o(code[7:4]), .next_pc_o(next[55:28]), .mask_o(mask[63:32]),
      .gone_o(gone[63:32]), .view_i(1'b1), .depth_o(depth[159:80]));
  always_ff @(posedge clk_i) begin
    n <= n == 4'd15 ? n : n + 4'd1;
    op_q <= op;
    breg_q <= breg;
    exec_q <= exec;
    hold_q <= en && !done[1] && !bad[1];
    if (init) begin
      mask_q <= '1;
      gone_q <= '0;
      hold_q <= 1'b0;
    end else if (en && !bad[1]) begin
      mask_q <= mask[35:32];
      gone_q <= gone[35:32];
    end
  end
  always_comb begin
    look = n != 4'd0 && en;
    goes_on = look && !bad[1];
    wrong_bad_o = n != 4'd0 && bad[0] != (en && bad[1]);
    wrong_bad_code_o = look && bad == '1 && code[3:0] != code[7:4];
    wrong_done_o = look && done[0] != done[1];
    wrong_mask_o = goes_on && mask[31:0] != mask[63:32];
    wrong_gone_o = goes_on && gone[31:0] != gone[63:32];
    wrong_depth_o = look ? depth[4:0] ^ depth[84:80] : '0;
    wrong_redirect_o = en ? goes_on && redirect[0] != redirect[1] : n != 4'd0 && redirect[0];
    wrong_next_pc_o = goes_on && done[1] && mask[35:32] != 4'd0 && next[27:0] != next[55:28];
    fault_as_expected: assert (!wrong_bad_o && !wrong_bad_code_o);
    done_as_expected: assert (!wrong_done_o);
    lanes_as_expected: assert (!wrong_mask_o && !wrong_gone_o);
    depth_as_expected: assert (wrong_depth_o == '0);
    way_as_expected: assert (!wrong_redirect_o);
    next_as_expected: assert (!wrong_next_pc_o);
  end
endmodule
