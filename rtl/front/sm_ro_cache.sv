// SPDX-License-Identifier: Apache-2.0
//
// sm_ro_cache: the SM-level read-only cache behind the sub-cores' L0 caches; one instance for instructions (sm_l1i), one for
// constants (sm_cc). Direct mapped, 128-byte lines. One request a cycle, round robin over the sub-cores; every answer is
// broadcast to all of them in the next cycle, hit or miss; a request for a line that is already on its way is absorbed, since the
// broadcast will serve it. Misses: up to Misses lines, the id is the entry.
// A line whose address memory refuses is broadcast with fill_error_o and not kept.
// Invalidate: all lines at once; lines on their way are delivered but not kept. Reset: empty.
module sm_ro_cache #(
    parameter int unsigned SubCores = 1,
    parameter int unsigned Bytes = 8192,
    parameter int unsigned Misses = 4
) (
    input  logic                   clk_i,
    input  logic                   rst_ni,
    input  logic                   inval_i,
    // from/to the sub-cores; addresses are line addresses [47:7]
    input  logic [SubCores-1:0]    req_valid_i,
    output logic [SubCores-1:0]    req_ready_o,
    input  logic [SubCores*41-1:0] req_line_i,
    output logic                   fill_valid_o,
    output logic                   fill_error_o,
    output logic [40:0]            fill_line_o,
    output logic [1023:0]          fill_data_o,
    // to/from sm_memport
    output logic                   mem_valid_o,
    input  logic                   mem_ready_i,
    output logic [3:0]             mem_id_o,
    output logic [40:0]            mem_line_o,
    input  logic [1:0]             rsp_valid_i,
    input  logic [15:0]            rsp_id_i,
    input  logic [3:0]             rsp_sector_i,
    input  logic [7:0]             rsp_status_i,
    input  logic [511:0]           rsp_data_i,
    output logic                   idle_o
);
  localparam int unsigned Lines = Bytes / 128;
  localparam int unsigned IdxW = $clog2(Lines);
  localparam int unsigned MissW = $clog2(Misses);
  localparam int unsigned TagW = 41 - IdxW;

  logic [Lines-1:0]       line_valid_q;
  logic [Misses-1:0]      miss_valid_q, miss_sent_q, miss_keep_q, miss_error_q;
  logic [Misses*41-1:0]   miss_line_q;
  logic [Misses*4-1:0]    miss_got_q;       // sectors that have arrived
  logic [1:0]             last_q;

  // ---- a finished miss goes out first, else one request is looked up ----
  logic                   done, take, hit, pending, room;
  logic [MissW-1:0]       done_idx, free_idx, send_idx;
  logic [1:0]             take_sub;
  logic [40:0]            line;
  logic [IdxW-1:0]        idx;
  logic [TagW-1:0]        tag;
  logic [1023:0]          array_data, buffer_data;
  logic [SubCores-1:0]    hold_q;           // answered in the last cycle: its valid is stale for one cycle

  always_comb begin
    done = 1'b0;
    done_idx = '0;
    free_idx = '0;
    send_idx = '0;
    room = 1'b0;
    for (int unsigned m = 0; m < Misses; m++) begin
      if (miss_valid_q[m] && miss_got_q[m*4 +: 4] == 4'hf) begin
        done = 1'b1;
        done_idx = MissW'(m);
      end
      if (!miss_valid_q[m]) begin
        room = 1'b1;
        free_idx = MissW'(m);
      end
      if (miss_valid_q[m] && !miss_sent_q[m]) send_idx = MissW'(m);
    end
    take = 1'b0;
    take_sub = '0;
    for (int unsigned k = 0; k < SubCores; k++) begin  // last assignment wins: nearest after last_q
      if (req_valid_i[(32'(last_q) + SubCores - k) % SubCores] &&
          !hold_q[(32'(last_q) + SubCores - k) % SubCores]) begin
        take = !done && room;
        take_sub = 2'((32'(last_q) + SubCores - k) % SubCores);
      end
    end
    line = done ? miss_line_q[32'(done_idx)*41 +: 41] : req_line_i[32'(take_sub)*41 +: 41];
    pending = 1'b0;
    if (take) begin
      for (int unsigned m = 0; m < Misses; m++) begin
        if (miss_valid_q[m] && miss_line_q[m*41 +: 41] == line) pending = 1'b1;
      end
    end
    req_ready_o = '0;
    for (int unsigned s = 0; s < SubCores; s++) if (take && take_sub == 2'(s)) req_ready_o[s] = 1'b1;
  end
  assign idx = line[IdxW-1:0];

  sm_ram_1r1w #(.Width(TagW), .Depth(Lines)) u_tag (
      .clk_i, .we_i(done), .waddr_i(idx), .wdata_i(line[40:IdxW]), .re_i(take), .raddr_i(idx), .rdata_o(tag));
  sm_ram_1r1w #(.Width(1024), .Depth(Lines)) u_data (
      .clk_i, .we_i(done), .waddr_i(idx), .wdata_i(buffer_data), .re_i(take && hit), .raddr_i(idx), .rdata_o(array_data));
  assign hit = take && line_valid_q[idx] && tag == line[40:IdxW];

  // ---- line buffers: an entry and sector is written at most once a miss ----
  logic [Misses*1024-1:0] buffers;
  for (genvar e = 0; e < Misses * 4; e++) begin : gen_buffer
    logic [1:0]   we;
    logic [255:0] sector_q;
    assign we[0] = rsp_valid_i[0] && {rsp_id_i[0 +: MissW], rsp_sector_i[1:0]} == (MissW+2)'(e);
    assign we[1] = rsp_valid_i[1] && {rsp_id_i[8 +: MissW], rsp_sector_i[3:2]} == (MissW+2)'(e);
    always_ff @(posedge clk_i) begin
      if (we[0]) sector_q <= rsp_data_i[255:0];
      else if (we[1]) sector_q <= rsp_data_i[511:256];
    end
    assign buffers[e*256 +: 256] = sector_q;
  end
  assign buffer_data = done ? buffers[32'(done_idx)*1024 +: 1024] : '0;

  assign mem_valid_o = (miss_valid_q & ~miss_sent_q) != 0;
  assign mem_id_o = 4'(send_idx);
  assign mem_line_o = miss_line_q[32'(send_idx)*41 +: 41];
  assign idle_o = (miss_valid_q == 0);

  always_ff @(posedge clk_i) begin
    fill_valid_o <= 1'b0;
    fill_error_o <= 1'b0;
    hold_q <= req_ready_o;
    if (take) last_q <= take_sub;
    if (take && hit) begin
      fill_valid_o <= 1'b1;
      fill_line_o <= line;
      fill_data_o <= array_data;
    end
    if (take && !hit && !pending) begin
      miss_valid_q[free_idx] <= 1'b1;
      miss_sent_q[free_idx] <= 1'b0;
      miss_keep_q[free_idx] <= 1'b1;
      miss_error_q[free_idx] <= 1'b0;
      miss_line_q[32'(free_idx)*41 +: 41] <= line;
      miss_got_q[32'(free_idx)*4 +: 4] <= '0;
    end
    if (mem_valid_o && mem_ready_i) miss_sent_q[send_idx] <= 1'b1;
    for (int unsigned r = 0; r < 2; r++) begin
      if (rsp_valid_i[r]) begin
        miss_got_q[32'(rsp_id_i[r*8 +: MissW])*4 + 32'(rsp_sector_i[r*2 +: 2])] <= 1'b1;
        if (rsp_status_i[r*4 +: 4] != 0) miss_error_q[rsp_id_i[r*8 +: MissW]] <= 1'b1;
      end
    end
    if (done) begin
      fill_valid_o <= 1'b1;
      fill_error_o <= miss_error_q[done_idx];
      fill_line_o <= line;
      fill_data_o <= buffer_data;
      miss_valid_q[done_idx] <= 1'b0;
      line_valid_q[idx] <= miss_keep_q[done_idx] && !miss_error_q[done_idx];
    end
    if (inval_i) begin
      line_valid_q <= '0;
      miss_keep_q <= '0;
    end
    if (!rst_ni) begin
      line_valid_q <= '0;
      miss_valid_q <= '0;
      last_q <= '0;
      hold_q <= '0;
    end
  end

  logic unused_rsp;
  assign unused_rsp = ^rsp_id_i;
endmodule
