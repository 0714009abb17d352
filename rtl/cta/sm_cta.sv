// SPDX-License-Identifier: Apache-2.0
//
// sm_cta: binds thread blocks to the SM and retires them. One launch at a time: block slot, contiguous shared range,
// first sub-core, warp slots and contiguous register ranges are found in a few cycles (all or nothing), then one warp is
// initialised a cycle. A block retires when all its warps have exited and its memory traffic has drained; everything it
// holds is released in that one cycle. A release waits while a launch is being placed, so that a placement depends only on
// the blocks resident when the launch was taken. Twin: model/twin/cta_alloc.c. Border: rtl/README.md.
module sm_cta #(
    parameter int unsigned SubCores = 1,
    parameter int unsigned BlockSlots = 8
) (
    input  logic                    clk_i,
    input  logic                    rst_ni,
    input  sm_pkg::cfg_t            cfg_i,
    // from/to the GigaThread engine
    input  logic                    launch_valid_i,
    output logic                    launch_ready_o,
    input  sm_pkg::launch_t         launch_i,
    output logic                    done_valid_o,
    output logic [4:0]              done_block_o,
    output logic [31:0]             done_grid_id_o,
    output logic [31:0]             done_ctaid_x_o,
    output logic [31:0]             done_ctaid_y_o,
    output logic [31:0]             done_ctaid_z_o,
    // to sub-cores, sm_mem, sm_barrier
    output logic                    init_valid_o,
    output sm_pkg::init_t           init_o,
    output logic                    free_valid_o,
    output logic [4:0]              free_block_o,
    // from sub-cores and sm_mem
    input  logic [SubCores-1:0]     exit_valid_i,
    input  logic [SubCores*5-1:0]   exit_block_i,
    input  logic [SubCores*5-1:0]   exit_warp_i,
    input  logic [BlockSlots-1:0]   mem_busy_i,
    output logic [BlockSlots-1:0]   block_valid_o
);
  localparam int unsigned BlkW = (BlockSlots > 1) ? $clog2(BlockSlots) : 1;
  localparam logic [2:0] NumSub = 3'(SubCores);

  typedef enum logic [2:0] {StIdle, StCalc, StShared, StFirst, StRegs, StInit} state_e;

  // block slots, readable by name
  logic [BlockSlots-1:0]             valid_q;         // occupied
  logic [BlockSlots-1:0]             started_q;       // all warps initialised
  logic [BlockSlots*32-1:0]          live_q;          // warps that have not exited
  logic [BlockSlots*20-1:0]          shared_base_q, shared_len_q;
  logic [SubCores*BlockSlots*12-1:0] reg_base_q, reg_len_q;
  logic [SubCores*BlockSlots*16-1:0] slots_q;         // warp slots held, per sub-core and block
  logic [BlockSlots*32-1:0]          grid_id_q, ctaid_x_q, ctaid_y_q, ctaid_z_q;
  logic [SubCores*16-1:0]            used_q;          // warp slots in use, per sub-core
  logic [1:0]                        next_first_q;    // rotation

  // the launch in progress
  state_e          state_q;
  sm_pkg::launch_t cta_q;
  logic [4:0]      block_q;
  logic [5:0]      warps_q;                           // 1..32
  logic [4:0]      tail_q;                            // threads in the last warp, 0 = 32
  logic [9:0]      d0_q, d1_q;                        // 32 in the mixed radix (ntid_x, ntid_y, rest)
  logic [5:0]      d2_q;
  logic [19:0]     start_q, want_q;                   // first-fit search, bytes or rows
  logic [1:0]      first_q, sub_q;
  logic [5:0]      warp_q;
  logic [9:0]      tid_x_q, tid_y_q;
  logic [5:0]      tid_z_q;
  logic [SubCores*12-1:0] base_q;                     // register range found, per sub-core
  logic [SubCores*12-1:0] fill_q;                     // next warp's base, per sub-core

  // ---- numbers of the launch ----
  logic [20:0] threads;
  logic [20:0] rounded;
  logic [9:0]  d0, d1;
  logic [5:0]  q0, d2;
  always_comb begin
    threads = '0;
    rounded = '0;
    if (state_q == StCalc) begin
      threads = 21'(cta_q.ntid_x) * 21'(cta_q.ntid_y) * 21'(cta_q.ntid_z);
      rounded = 21'(cta_q.shared_bytes) + 21'(cfg_i.shared_reserve) + 21'(cfg_i.shared_unit) - 21'd1;
      rounded = rounded & ~(21'(cfg_i.shared_unit) - 21'd1);
      if (cta_q.shared_bytes == 0 && cfg_i.shared_reserve == 0) rounded = '0;
    end
  end
  always_comb begin
    // 32 = d0 + ntid_x * (d1 + ntid_y * d2)
    d0 = 10'd32;
    q0 = '0;
    d1 = '0;
    d2 = '0;
    if (state_q == StCalc) begin
      for (int unsigned i = 0; i < 32; i++) begin
        if ({1'b0, d0} >= cta_q.ntid_x) begin
          d0 = d0 - cta_q.ntid_x[9:0];
          q0 = q0 + 6'd1;
        end
      end
      d1 = 10'(q0);
      for (int unsigned i = 0; i < 32; i++) begin
        if ({1'b0, d1} >= cta_q.ntid_y) begin
          d1 = d1 - cta_q.ntid_y[9:0];
          d2 = d2 + 6'd1;
        end
      end
    end
  end

  // ---- block slot: lowest free below the configured number ----
  logic [4:0] block_d;
  always_comb begin
    block_d = '0;
    for (int unsigned i = 0; i < BlockSlots; i++) begin
      if (!valid_q[BlockSlots-1-i]) block_d = 5'(BlockSlots - 1 - i);
    end
  end

  // ---- first fit ----
  logic [BlockSlots*20-1:0] fit_base, fit_len;
  logic                     fit_clash;
  logic [19:0]              fit_next;
  always_comb begin
    fit_base = '0;
    fit_len = '0;
    if (state_q == StShared) begin
      fit_base = shared_base_q;
      fit_len = shared_len_q;
    end else if (state_q == StRegs) begin
      for (int unsigned b = 0; b < BlockSlots; b++) begin
        fit_base[b*20 +: 20] = 20'(reg_base_q[(32'(sub_q)*BlockSlots+b)*12 +: 12]);
        fit_len[b*20 +: 20] = 20'(reg_len_q[(32'(sub_q)*BlockSlots+b)*12 +: 12]);
      end
    end
  end
  sm_cta_fit #(.Entries(BlockSlots), .Width(20)) u_fit (
      .en_i(state_q == StShared || state_q == StRegs),
      .valid_i(valid_q), .base_i(fit_base), .len_i(fit_len), .start_i(start_q), .want_i(want_q),
      .clash_o(fit_clash), .next_o(fit_next));

  // ---- sub-core in turn: number of warps there, free slots ----
  function automatic logic [5:0] warps_on(input logic [1:0] sub, input logic [1:0] first, input logic [5:0] warps);
    logic [2:0] gap;
    logic [6:0] n;
    gap = (3'(sub) + NumSub - 3'(first));
    if (gap >= NumSub) gap = gap - NumSub;
    n = {1'b0, warps} + {4'b0, NumSub} - 7'd1 - {4'b0, gap};
    warps_on = 6'(n >> SubShift);
  endfunction
  localparam int unsigned SubShift = $clog2(SubCores);

  logic [5:0]  sub_warps;
  logic [15:0] sub_free;
  logic [4:0]  sub_free_num;
  logic [11:0] sub_rows;
  always_comb begin
    sub_warps = '0;
    sub_free = '0;
    sub_free_num = '0;
    sub_rows = '0;
    if (state_q == StRegs) begin
      sub_warps = warps_on(sub_q, first_q, warps_q);
      sub_free = ~used_q[32'(sub_q)*16 +: 16] & 16'((17'd1 << cfg_i.warp_slots) - 17'd1);
      for (int unsigned i = 0; i < 16; i++) sub_free_num = sub_free_num + 5'(sub_free[i]);
      sub_rows = 12'(sub_warps) * 12'(cta_q.regs);
    end
  end
  logic regs_end, regs_fail;
  assign regs_end = {1'b0, start_q} + {1'b0, want_q} > 21'(cfg_i.reg_rows);
  assign regs_fail = (sub_warps > 6'(sub_free_num)) || regs_end;

  // ---- warp to initialise ----
  logic [1:0]  init_sub;
  logic [15:0] init_free;
  logic [3:0]  init_slot;
  logic        last_warp;
  logic [10:0] sum_x, sum_y;
  logic [9:0]  nx, ny;
  logic        cx, cy;
  always_comb begin
    logic [2:0] s;
    s = 3'(first_q) + (3'(warp_q[1:0]) & (NumSub - 3'd1));
    if (s >= NumSub) s = s - NumSub;
    init_sub = s[1:0];
    init_free = ~used_q[32'(init_sub)*16 +: 16];
    init_slot = '0;
    for (int unsigned i = 0; i < 16; i++) if (init_free[15-i]) init_slot = 4'(15 - i);
    last_warp = (warp_q + 6'd1 == warps_q);
    sum_x = {1'b0, tid_x_q} + {1'b0, d0_q};
    cx = sum_x >= cta_q.ntid_x;
    nx = cx ? 10'(sum_x - cta_q.ntid_x) : sum_x[9:0];
    sum_y = {1'b0, tid_y_q} + {1'b0, d1_q} + 11'(cx);
    cy = sum_y >= cta_q.ntid_y;
    ny = cy ? 10'(sum_y - cta_q.ntid_y) : sum_y[9:0];
  end

  // ---- retirement ----
  logic       retire_valid;
  logic [4:0] retire_block;
  logic [BlockSlots-1:0] finished;
  always_comb begin
    finished = '0;
    if (started_q != 0) for (int unsigned b = 0; b < BlockSlots; b++) begin
      finished[b] = started_q[b] && !mem_busy_i[b] && live_q[b*32 +: 32] == 0;
    end
    retire_valid = (state_q == StIdle) && !launch_valid_i && (finished != 0);
    retire_block = '0;
    for (int unsigned i = 0; i < BlockSlots; i++) begin
      if (finished[BlockSlots-1-i]) retire_block = 5'(BlockSlots - 1 - i);
    end
  end

  assign launch_ready_o = (state_q == StIdle);
  assign block_valid_o = valid_q;

  always_ff @(posedge clk_i) begin
    init_valid_o <= 1'b0;
    free_valid_o <= 1'b0;
    done_valid_o <= 1'b0;

    if (retire_valid) begin
      valid_q[retire_block[BlkW-1:0]] <= 1'b0;
      started_q[retire_block[BlkW-1:0]] <= 1'b0;
      for (int unsigned s = 0; s < SubCores; s++) begin
        used_q[s*16 +: 16] <= used_q[s*16 +: 16] & ~slots_q[(s*BlockSlots+32'(retire_block))*16 +: 16];
      end
      free_valid_o <= 1'b1;
      free_block_o <= retire_block;
      done_valid_o <= 1'b1;
      done_block_o <= retire_block;
      done_grid_id_o <= grid_id_q[32'(retire_block)*32 +: 32];
      done_ctaid_x_o <= ctaid_x_q[32'(retire_block)*32 +: 32];
      done_ctaid_y_o <= ctaid_y_q[32'(retire_block)*32 +: 32];
      done_ctaid_z_o <= ctaid_z_q[32'(retire_block)*32 +: 32];
    end

    for (int unsigned s = 0; s < SubCores; s++) begin
      if (exit_valid_i[s]) live_q[{27'b0, exit_block_i[s*5 +: 5]} * 32 + {27'b0, exit_warp_i[s*5 +: 5]}] <= 1'b0;
    end

    unique case (state_q)
      StIdle: begin
        if (launch_valid_i) begin
          cta_q <= launch_i;
          state_q <= StCalc;
        end
      end
      StCalc: begin
        block_q <= block_d;
        warps_q <= 6'((threads + 21'd31) >> 5);
        tail_q <= threads[4:0];
        d0_q <= d0;
        d1_q <= d1;
        d2_q <= d2;
        start_q <= '0;
        want_q <= rounded[19:0];
        first_q <= cfg_i.first_rotate ? next_first_q : 2'd0;
        state_q <= StShared;
      end
      StShared: begin
        if (fit_clash) begin
          start_q <= fit_next;
        end else begin
          shared_base_q[32'(block_q)*20 +: 20] <= start_q;
          shared_len_q[32'(block_q)*20 +: 20] <= want_q;
          state_q <= StFirst;
        end
      end
      StFirst: begin
        sub_q <= '0;
        start_q <= '0;
        want_q <= 20'(warps_on(2'd0, first_q, warps_q)) * 20'(cta_q.regs);
        state_q <= StRegs;
      end
      StRegs: begin
        if (regs_fail) begin
          first_q <= (3'(first_q) + 3'd1 == NumSub) ? 2'd0 : first_q + 2'd1;
          state_q <= StFirst;
        end else if (fit_clash) begin
          start_q <= fit_next;
        end else begin
          reg_base_q[(32'(sub_q)*BlockSlots+32'(block_q))*12 +: 12] <= start_q[11:0];
          reg_len_q[(32'(sub_q)*BlockSlots+32'(block_q))*12 +: 12] <= sub_rows;
          base_q[32'(sub_q)*12 +: 12] <= start_q[11:0];
          start_q <= '0;
          if (3'(sub_q) + 3'd1 == NumSub) begin
            state_q <= StInit;
            warp_q <= '0;
            tid_x_q <= '0;
            tid_y_q <= '0;
            tid_z_q <= '0;
            fill_q <= base_q;
            fill_q[32'(sub_q)*12 +: 12] <= start_q[11:0];
            valid_q[block_q[BlkW-1:0]] <= 1'b1;
            grid_id_q[32'(block_q)*32 +: 32] <= cta_q.grid_id;
            ctaid_x_q[32'(block_q)*32 +: 32] <= cta_q.ctaid_x;
            ctaid_y_q[32'(block_q)*32 +: 32] <= cta_q.ctaid_y;
            ctaid_z_q[32'(block_q)*32 +: 32] <= cta_q.ctaid_z;
            for (int unsigned s = 0; s < SubCores; s++) begin
              slots_q[(s*BlockSlots+32'(block_q))*16 +: 16] <= '0;
            end
          end else begin
            sub_q <= sub_q + 2'd1;
            want_q <= 20'(warps_on(sub_q + 2'd1, first_q, warps_q)) * 20'(cta_q.regs);
          end
        end
      end
      StInit: begin
        init_valid_o <= 1'b1;
        init_o.sub <= init_sub;
        init_o.slot <= init_slot;
        init_o.block <= block_q;
        init_o.warp <= warp_q[4:0];
        init_o.warps <= warps_q;
        init_o.mask <= (last_warp && tail_q != 0) ? (32'd1 << tail_q) - 32'd1 : '1;
        init_o.reg_base <= fill_q[32'(init_sub)*12 +: 11];
        init_o.regs <= cta_q.regs;
        init_o.shared_base <= shared_base_q[32'(block_q)*20 +: 19];
        init_o.shared_size <= cta_q.shared_bytes;
        init_o.tid_x <= tid_x_q;
        init_o.tid_y <= tid_y_q;
        init_o.tid_z <= tid_z_q;
        init_o.cta <= cta_q;
        fill_q[32'(init_sub)*12 +: 12] <= fill_q[32'(init_sub)*12 +: 12] + 12'(cta_q.regs);
        used_q[{28'b0, init_sub, 2'b0} * 4 + 32'(init_slot)] <= 1'b1;
        slots_q[(32'(init_sub)*BlockSlots+32'(block_q))*16 + 32'(init_slot)] <= 1'b1;
        live_q[32'(block_q)*32 + 32'(warp_q[4:0])] <= 1'b1;
        warp_q <= warp_q + 6'd1;
        tid_x_q <= nx;
        tid_y_q <= ny;
        tid_z_q <= tid_z_q + d2_q + 6'(cy);
        if (last_warp) begin
          started_q[block_q[BlkW-1:0]] <= 1'b1;
          next_first_q <= SubCores == 1 ? 2'd0 : 2'(first_q + warps_q[1:0]) & (2'(SubCores - 1));
          state_q <= StIdle;
        end
      end
      default: state_q <= StIdle;
    endcase

    if (!rst_ni) begin
      state_q <= StIdle;
      valid_q <= '0;
      started_q <= '0;
      live_q <= '0;
      used_q <= '0;
      next_first_q <= '0;
    end
  end

  logic unused_cfg;
  assign unused_cfg = ^{cfg_i, rounded[20]};
endmodule
