// SPDX-License-Identifier: Apache-2.0
//
// sm_sreg: special registers (S2R), one request at a time. It keeps, per warp slot, the first thread id, the block's
// shape, its index and the grid id from the warp's init message.
//
// Thread ids come eight lanes a cycle: a chain of increments with wrap x -> y -> z. Latency from acceptance to
// rsp_valid_o: 5 cycles for thread ids, 1 for everything else. Clocks are read in the cycle of acceptance.
// A special register that isa/cfg.def does not list reads as zero. All lanes get a value, in the mask or not.
module sm_sreg #(
    parameter int unsigned SubCores = 4,
    parameter int unsigned WarpSlots = 16  // power of two, 2..16
) (
    input  logic           clk_i,
    input  logic           rst_ni,
    // configuration, time and place
    input  logic [1:0]     sub_i,         // this sub-core
    input  logic [4:0]     warp_slots_i,  // cfg.warp_slots: NWARPID = SubCores * warp_slots
    input  logic [63:0]    time_i,        // ns
    input  logic [15:0]    smid_i,
    input  logic [15:0]    nsmid_i,
    // a warp starts in a slot of some sub-core
    input  logic           init_valid_i,
    input  sm_pkg::init_t  init_i,
    // BAR.RED: these slots get a result
    input  logic           red_valid_i,
    input  logic [WarpSlots-1:0] red_slots_i,
    input  logic [10:0]    red_i,
    // S2R
    input  logic           req_valid_i,
    output logic           req_ready_o,
    input  sm_pkg::uop_t   req_uop_i,     // imm[7:0] = special register
    input  logic [3:0]     req_slot_i,
    input  logic [31:0]    req_mask_i,
    input  logic [1023:0]  req_a_i,       // not used: same ports as sm_sfu
    output logic           rsp_valid_o,
    input  logic           rsp_ready_i,
    output logic [3:0]     rsp_slot_o,
    output logic [7:0]     rsp_rd_o,
    output logic [31:0]    rsp_mask_o,
    output logic [1023:0]  rsp_data_o
);
  localparam int unsigned SlotBits = $clog2(WarpSlots);
  localparam int unsigned InfoBits = 4 * 32 + 2 * 11 + 26;   // info_t

  // What a slot keeps. tid is that of lane 0.
  typedef struct packed {
    logic [31:0] grid;
    logic [31:0] ctaid_z, ctaid_y, ctaid_x;
    logic [10:0] ntid_y, ntid_x;
    logic [5:0]  tid_z;
    logic [9:0]  tid_y, tid_x;
  } info_t;
  info_t info_w, info_r;

  // Rows whose lanes are constants: 0 lane number, 1..5 lanemask eq, lt, le, gt, ge.
  function automatic logic [1023:0] lane_row(input int unsigned kind);
    logic [31:0] eq;
    for (int unsigned l = 0; l < 32; l++) begin
      eq = 32'd1 << l;
      case (kind)
        0: lane_row[32*l+:32] = l;
        1: lane_row[32*l+:32] = eq;
        2: lane_row[32*l+:32] = eq - 32'd1;
        3: lane_row[32*l+:32] = eq | (eq - 32'd1);
        4: lane_row[32*l+:32] = ~(eq | (eq - 32'd1));
        default: lane_row[32*l+:32] = ~(eq - 32'd1);
      endcase
    end
  endfunction
  localparam logic [1023:0] RowLaneId = lane_row(0);
  localparam logic [1023:0] RowEq = lane_row(1);
  localparam logic [1023:0] RowLt = lane_row(2);
  localparam logic [1023:0] RowLe = lane_row(3);
  localparam logic [1023:0] RowGt = lane_row(4);
  localparam logic [1023:0] RowGe = lane_row(5);

  // The thread after {z, y, x}.
  function automatic logic [25:0] next_tid(input logic [25:0] t, input logic [10:0] nx, input logic [10:0] ny);
    next_tid = t;
    if ({1'b0, t[9:0]} + 11'd1 != nx) next_tid[9:0] = t[9:0] + 10'd1;
    else begin
      next_tid[9:0] = 10'd0;
      if ({1'b0, t[19:10]} + 11'd1 != ny) next_tid[19:10] = t[19:10] + 10'd1;
      else begin
        next_tid[19:10] = 10'd0;
        next_tid[25:20] = t[25:20] + 6'd1;
      end
    end
  endfunction

  // One component of {z, y, x}.
  function automatic logic [31:0] component(input logic [25:0] t, input logic [1:0] k);
    case (k)
      2'd0: component = {22'd0, t[9:0]};
      2'd1: component = {22'd0, t[19:10]};
      default: component = {26'd0, t[25:20]};
    endcase
  endfunction

  logic [63:0]   clock_q;
  logic          busy_q;
  logic [1:0]    beat_q, comp_q;
  logic [25:0]   tid_q;          // {z, y, x} of the next lane
  logic [10:0]   nx_q, ny_q;
  logic [1023:0] row_q;

  wire accept = req_valid_i & req_ready_o;
  wire [7:0] sr = req_uop_i.imm[7:0];
  wire is_tid = sr == sm_cfg_pkg::SrTidX || sr == sm_cfg_pkg::SrTidY || sr == sm_cfg_pkg::SrTidZ;

  assign req_ready_o = ~busy_q & ~rsp_valid_o;

  assign info_w.tid_x = init_i.tid_x;
  assign info_w.tid_y = init_i.tid_y;
  assign info_w.tid_z = init_i.tid_z;
  assign info_w.ntid_x = init_i.cta.ntid_x;
  assign info_w.ntid_y = init_i.cta.ntid_y;
  assign info_w.ctaid_x = init_i.cta.ctaid_x;
  assign info_w.ctaid_y = init_i.cta.ctaid_y;
  assign info_w.ctaid_z = init_i.cta.ctaid_z;
  assign info_w.grid = init_i.cta.grid_id;

  sm_ram_1r1w #(
      .Width(InfoBits),
      .Depth(WarpSlots)
  ) u_info (
      .clk_i,
      .we_i   (init_valid_i & (init_i.sub == sub_i)),
      .waddr_i(init_i.slot[SlotBits-1:0]),
      .wdata_i(info_w),
      .re_i   (accept),
      .raddr_i(req_slot_i[SlotBits-1:0]),
      .rdata_o(info_r)
  );

  logic [11*WarpSlots-1:0] red_q;   // last reduction's result, 11 bits a slot
  always_ff @(posedge clk_i) begin
    if (red_valid_i || init_valid_i) begin : red_write
      logic [11*WarpSlots-1:0] r;
      r = red_q;
      for (int unsigned s = 0; s < WarpSlots; s++) begin
        if (red_valid_i && red_slots_i[s]) r[11*s +: 11] = red_i;
        if (init_valid_i && init_i.sub == sub_i && init_i.slot[SlotBits-1:0] == SlotBits'(s)) r[11*s +: 11] = '0;
      end
      red_q <= r;
    end
  end

  // Everything but thread ids: a row of lane constants, or one value in all lanes.
  logic [31:0] value;
  always_comb begin
    value = 32'd0;
    case (sr)
      sm_cfg_pkg::SrCtaidX: value = info_r.ctaid_x;
      sm_cfg_pkg::SrCtaidY: value = info_r.ctaid_y;
      sm_cfg_pkg::SrCtaidZ: value = info_r.ctaid_z;
      sm_cfg_pkg::SrWarpId: value = 32'(req_slot_i) * SubCores + 32'(sub_i);
      sm_cfg_pkg::SrNWarpId: value = 32'(warp_slots_i) * SubCores;
      sm_cfg_pkg::SrSmId: value = {16'd0, smid_i};
      sm_cfg_pkg::SrNSmId: value = {16'd0, nsmid_i};
      sm_cfg_pkg::SrGridIdLo: value = info_r.grid;
      sm_cfg_pkg::SrClockLo: value = clock_q[31:0];
      sm_cfg_pkg::SrClockHi: value = clock_q[63:32];
      sm_cfg_pkg::SrBarResult: value = {21'd0, red_q[32'(req_slot_i[SlotBits-1:0])*32'd11 +: 11]};
      sm_cfg_pkg::SrGlobalTimerLo: value = time_i[31:0];
      sm_cfg_pkg::SrGlobalTimerHi: value = time_i[63:32];
      default: ;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      clock_q <= 64'd0;
      busy_q <= 1'b0;
      rsp_valid_o <= 1'b0;
    end else begin
      clock_q <= clock_q + 64'd1;
      if (accept) begin
        busy_q <= is_tid;
        rsp_valid_o <= ~is_tid;
      end else if (busy_q) begin
        if (beat_q == 2'd3) begin
          busy_q <= 1'b0;
          rsp_valid_o <= 1'b1;
        end
      end else if (rsp_ready_i) begin
        rsp_valid_o <= 1'b0;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (accept) begin
      rsp_slot_o <= req_slot_i;
      rsp_rd_o <= req_uop_i.rd;
      rsp_mask_o <= req_mask_i;
      tid_q <= {info_r.tid_z, info_r.tid_y, info_r.tid_x};
      nx_q <= info_r.ntid_x;
      ny_q <= info_r.ntid_y;
      comp_q <= sr[1:0];
      beat_q <= 2'd0;
      case (sr)
        sm_cfg_pkg::SrLaneId: row_q <= RowLaneId;
        sm_cfg_pkg::SrLaneMaskEq: row_q <= RowEq;
        sm_cfg_pkg::SrLaneMaskLt: row_q <= RowLt;
        sm_cfg_pkg::SrLaneMaskLe: row_q <= RowLe;
        sm_cfg_pkg::SrLaneMaskGt: row_q <= RowGt;
        sm_cfg_pkg::SrLaneMaskGe: row_q <= RowGe;
        default: row_q <= {32{value}};
      endcase
    end else if (busy_q) begin : chain
      logic [25:0] t;
      logic [255:0] part;
      t = tid_q;
      for (int unsigned i = 0; i < 8; i++) begin
        part[32*i+:32] = component(t, comp_q);
        t = next_tid(t, nx_q, ny_q);
      end
      tid_q <= t;
      row_q <= {part, row_q[1023:256]};
      beat_q <= beat_q + 2'd1;
    end
  end

  assign rsp_data_o = row_q;

  wire unused_in = ^{init_i, req_a_i, req_uop_i};
endmodule
