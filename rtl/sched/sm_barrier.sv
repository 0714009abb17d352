// SPDX-License-Identifier: Apache-2.0
//
// sm_barrier: the 16 named barriers of every block slot. One arrival a cycle, taken round robin over the sub-cores.
// A barrier without a thread count is complete when every participating warp (exists, has not exited) has arrived; with
// a count when 32 x arrived warps equals it. A release pulses bar_release_o for the waiting (not the arrive-only) warps,
// one cycle (and extra_i; some longer, u_late) after the last arrival, on all sub-cores at once; they are eligible in the cycle after. Warps that exit leave the
// participation mask and may complete a barrier: the open barriers of the block are then looked at one a cycle, before
// further arrivals. Bad counts fault (Trap). BAR.RED: the row adds up what the warps bring; with a release of one, red_valid_o is
// set and red_o is the result. Twin: model/twin/barrier.c. Reset: all barriers idle.
module sm_barrier #(
    parameter int unsigned SubCores = 1,
    parameter int unsigned WarpSlots = 8,
    parameter int unsigned BlockSlots = 8
) (
    input  logic                             clk_i,
    input  logic                             rst_ni,
    input  logic [3:0]                       interval_i,  // cycles beyond one between arrivals
    input  logic [4:0]                       extra_i,     // cycles beyond one from completion to release
    input  logic [4:0]                       count_extra_i,  // more, if the last arrival has its count from a register
    input  logic [4:0]                       red_extra_i,    // more of a BAR.RED
    input  logic [1:0]                       red_interval_i, // and for each of its warps beyond eight
    // from sm_cta
    input  logic                             init_valid_i,
    input  sm_pkg::init_t                    init_i,
    // from/to the sub-cores
    input  logic [SubCores-1:0]              bar_valid_i,
    output logic [SubCores-1:0]              bar_ready_o,
    input  logic [SubCores*sm_pkg::BarReqW-1:0] bar_i,
    input  logic [SubCores-1:0]              exit_valid_i,
    input  logic [SubCores*5-1:0]            exit_block_i,
    input  logic [SubCores*5-1:0]            exit_warp_i,
    output logic [SubCores*WarpSlots-1:0]    bar_release_o,
    output logic                             red_valid_o,
    output logic [10:0]                      red_o,
    // bad count
    output logic                             fault_valid_o,
    output sm_pkg::fault_t                   fault_o
);
  localparam int unsigned ReqW = sm_pkg::BarReqW;
  localparam int unsigned Rows = BlockSlots * 16;
  localparam int unsigned RowW = $clog2(Rows);
  localparam int unsigned StateW = 32 + 32 + 1 + 12 + 2 + 11 + 1;  // arrived, waiting, has count, count, BAR.RED: kind, sum, some false
  localparam int unsigned BlkW = (BlockSlots > 1) ? $clog2(BlockSlots) : 1;
  localparam int unsigned SlotW = $clog2(WarpSlots);

  logic [BlockSlots*32-1:0] part_q;          // participation: warps that exist and have not exited
  logic [Rows-1:0]          open_q;          // barrier has an arrival in this generation
  logic [BlockSlots-1:0]    recheck_q;       // a warp exited: look at the block's open barriers
  logic [3:0]               scan_q;
  logic [1:0]               last_q;          // sub-core served last
  logic [3:0]               gap_q;           // cycles until the next arrival is taken
  // where the warps of a block are: {sub, slot} by warp in block
  logic [BlockSlots*32*6-1:0] where_q;

  // ---- choose: recheck first, then one arrival ----
  logic                 recheck;
  logic [4:0]           recheck_block;
  logic                 take;
  logic [1:0]           take_sub;
  logic [ReqW-1:0]      req_bits;
  sm_pkg::bar_req_t     req;
  assign req = req_bits;
  always_comb begin
    recheck = (recheck_q != 0);
    recheck_block = '0;
    for (int unsigned i = 0; i < BlockSlots; i++) begin
      if (recheck_q[BlockSlots-1-i]) recheck_block = 5'(BlockSlots - 1 - i);
    end
    take = 1'b0;
    take_sub = '0;
    for (int unsigned k = 0; k < SubCores; k++) begin  // last assignment wins: nearest after last_q
      if (bar_valid_i[(32'(last_q) + SubCores - k) % SubCores] && gap_q == 4'd0) begin
        take = !recheck;
        take_sub = 2'((32'(last_q) + SubCores - k) % SubCores);
      end
    end
    req_bits = bar_i[32'(take_sub)*ReqW +: ReqW];
    bar_ready_o = '0;
    if (take) bar_ready_o[take_sub[SubW-1:0]] = 1'b1;
  end
  localparam int unsigned SubW = (SubCores > 1) ? $clog2(SubCores) : 1;

  // ---- state of the barrier looked at ----
  logic [8:0]        row_full;
  logic [RowW-1:0]   row;
  logic [StateW-1:0] row_data, new_data;
  logic [31:0]       arrived, waiting, part, self;
  logic              counted, bad, full, was_open, busy, red_false;
  logic [11:0]       count;
  logic [1:0]        red;
  logic [10:0]       red_sum;
  logic [5:0]        num;
  logic [4:0]        block;
  sm_ram_1r1w #(.Width(StateW), .Depth(Rows)) u_state (
      .clk_i, .we_i(take && !bad), .waddr_i(row), .wdata_i(new_data), .re_i(was_open), .raddr_i(row), .rdata_o(row_data));

  assign busy = take || recheck;
  assign block = recheck ? recheck_block : req.block;
  assign row_full = {block, recheck ? scan_q : req.id};
  assign row = row_full[RowW-1:0];
  assign was_open = busy && open_q[row];
  always_comb begin
    part = part_q[32'(block)*32 +: 32];
    self = 32'd1 << req.warp;
    {arrived, waiting, counted, count, red, red_sum, red_false} = row_data;
    bad = 1'b0;
    if (take) begin
      arrived = arrived | self;
      if (!req.arrive_only) waiting = waiting | self;
      bad = (req.has_count && (req.count[4:0] != 0 || req.count == 0)) ||
            (was_open && (counted != req.has_count || (counted && count != req.count)));
      counted = req.has_count;
      count = req.has_count ? req.count : 12'd0;
      red = req.red;
      red_sum = red_sum + {5'd0, req.red_sum};
      red_false = red_false || req.red_false;
    end
    new_data = {arrived, waiting, counted, count, red, red_sum, red_false};
    num = '0;
    if (busy && (counted || red != 2'd0)) for (int unsigned i = 0; i < 32; i++) num = num + 6'(arrived[i]);
    full = counted ? ({1'b0, num, 5'b0} == count) : ((part & ~arrived) == 0);
  end

  logic release_en;
  assign release_en = (take && !bad && full) || (recheck && was_open && full);

  // ---- wake: warps of the block to their slots ----
  logic [SubCores*WarpSlots-1:0] wake;
  logic [5:0]                    place;
  always_comb begin
    wake = '0;
    place = '0;
    if (release_en) begin
      for (int unsigned w = 0; w < 32; w++) begin
        if (waiting[w]) begin
          place = where_q[(32'(block)*32 + w)*6 +: 6];
          wake[32'(place[5:4])*WarpSlots + 32'(place[SlotW-1:0])] = 1'b1;
        end
      end
    end
  end

  // ---- releases that take longer wait in order, for the cycle when they are due and nothing else is released ----
  localparam int unsigned RelW = SubCores*WarpSlots + 12;
  logic            out_valid, red_valid, late_pend, late_pop, late_push, unused_ready;
  logic [10:0]     red_result, out_red;
  logic [SubCores*WarpSlots-1:0] out_wake;
  logic [RelW-1:0] rel, late_rel;
  logic [8:0]      late, now_q, due;
  assign red_result = red == 2'd1 ? red_sum : red == 2'd2 ? {10'd0, !red_false} : {10'd0, red_sum != '0};
  assign rel = {wake, red != 2'd0, red_result};
  always_comb begin
    late = '0;
    if (release_en && wake != '0) begin
      if (take && req.count_reg) late = {4'd0, count_extra_i};
      if (red != 2'd0) late = late + {4'd0, red_extra_i} + (num > 6'd8 ? {3'd0, num - 6'd8} * {7'd0, red_interval_i} : 9'd0);
    end
  end
  assign late_push = late != '0;
  sm_fifo #(.Width(9 + RelW), .Depth(SubCores*WarpSlots)) u_late (   // each wakes a warp: never full
      .clk_i, .rst_ni, .push_valid_i(late_push), .push_ready_o(unused_ready), .wdata_i({now_q + late, rel}),
      .pop_valid_o(late_pend), .pop_ready_i(late_pop), .rdata_o({due, late_rel})
  );
  logic [8:0] over;          // cycles since it was due, negative before
  logic       direct;
  assign over = now_q - due;
  assign direct = release_en && !late_push;
  assign late_pop = late_pend && !over[8] && !direct;
  always_ff @(posedge clk_i) begin
    if (late_pend || late_push) now_q <= now_q + 9'd1;
    if (!rst_ni) now_q <= '0;
  end
  sm_delay #(.Width(RelW)) u_extra (
      .clk_i, .rst_ni, .delay_i(extra_i), .valid_i(direct || late_pop), .data_i(direct ? rel : late_rel),
      .valid_o(out_valid), .data_o({out_wake, red_valid, out_red})
  );

  always_ff @(posedge clk_i) begin
    bar_release_o <= out_valid ? out_wake : '0;
    red_valid_o <= out_valid && red_valid;
    if (out_valid && red_valid) red_o <= out_red;
    if (take) last_q <= take_sub;
    if (take) gap_q <= interval_i;
    else if (gap_q != 4'd0) gap_q <= gap_q - 4'd1;
    if (take && !bad) open_q[row] <= !full;
    if (recheck) begin
      if (was_open && full) open_q[row] <= 1'b0;
      scan_q <= scan_q + 4'd1;
      if (scan_q == 4'd15) recheck_q[recheck_block[BlkW-1:0]] <= 1'b0;
    end
    for (int unsigned s = 0; s < SubCores; s++) begin
      if (exit_valid_i[s]) begin
        part_q[{27'b0, exit_block_i[s*5 +: 5]} * 32 + {27'b0, exit_warp_i[s*5 +: 5]}] <= 1'b0;
        if (open_q[{27'b0, exit_block_i[s*5 +: 5]} * 16 +: 16] != 0 ||
            (take && req.block == exit_block_i[s*5 +: 5])) begin
          recheck_q[exit_block_i[s*5 +: BlkW]] <= 1'b1;
          scan_q <= '0;
        end
      end
    end
    if (init_valid_i) begin
      if (init_i.warp == 0) begin
        part_q[32'(init_i.block)*32 +: 32] <= 32'((33'd1 << init_i.warps) - 33'd1);
        open_q[32'(init_i.block)*16 +: 16] <= '0;
      end
      where_q[(32'(init_i.block)*32 + 32'(init_i.warp))*6 +: 6] <= {init_i.sub, init_i.slot};
    end
    if (take && bad && !fault_valid_o) begin
      fault_valid_o <= 1'b1;
      fault_o.code <= 4'(sm_cfg_pkg::FaultTrap);
      fault_o.sub <= take_sub;
      fault_o.slot <= where_q[(32'(req.block)*32 + 32'(req.warp))*6 +: 4];
      fault_o.lanes <= req.lanes;
      fault_o.pc <= req.pc;
      fault_o.addr <= '0;
    end
    if (!rst_ni) begin
      part_q <= '0;
      open_q <= '0;
      recheck_q <= '0;
      scan_q <= '0;
      last_q <= '0;
      gap_q <= '0;
      bar_release_o <= '0;
      red_valid_o <= 1'b0;
      fault_valid_o <= 1'b0;
    end
  end
  logic unused_init;
  assign unused_init = ^{init_i, row_full, place, unused_ready, over};
endmodule
