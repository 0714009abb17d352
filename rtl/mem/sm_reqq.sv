// SPDX-License-Identifier: Apache-2.0
//
// sm_reqq: requests of the L1 in tag-stage order, one flit a cycle towards sm_memport, and the table of
// unacknowledged stores. A load is one flit; a store is one flit a sector, ascending, with ids first, first+1, ...
// (64..127, as a ring). Atomics (atom_i) carry data as stores do: with a result (push_ld_i) one flit a sector under the
// load's id, without (push_st_i) as a store; CAS also carries cmp_i. room_*_o: a push is possible in the next cycle even if this cycle pushes one. Depth 8
// requests, 4 of them stores. An acknowledgement frees its id; ids are given in ring order, so at most 64 stores are
// open. Reset: empty.
module sm_reqq (
    input  logic          clk_i,
    input  logic          rst_ni,
    output logic          room_ld_o,
    output logic          room_st_o,
    output logic          idle_o,     // nothing queued, every store acknowledged

    // from the tag stage
    input  logic          push_ld_i,
    input  logic          push_st_i,
    input  logic          bypass_i,
    input  logic          atom_i,
    input  logic [7:0]    aop_i,      // {AOP, ATYPE}
    input  logic [1023:0] cmp_i,      // expected values
    input  logic [5:0]    ld_id_i,
    input  logic [40:0]   line_i,
    input  logic [3:0]    secs_i,
    input  logic [5:0]    warp_i,
    input  logic [27:0]   pc_i,
    input  logic [4:0]    block_i,
    input  logic [1023:0] row_i,
    input  logic [127:0]  bmask_i,
    output logic [5:0]    st_id_o,    // id - 64 of the first sector of a store pushed now
    output logic [63:0]   open_o,     // ids - 64 of unacknowledged stores

    // acknowledgements
    input  logic [1:0]    ack_valid_i,
    input  logic [11:0]   ack_id_i,   // id - 64
    input  logic [1:0]    ack_error_i,
    output logic [9:0]    ack_block_o,
    output logic          err_valid_o,
    output logic [5:0]    err_warp_o,
    output logic [27:0]   err_pc_o,
    output logic [40:0]   err_line_o,

    // to sm_memport
    output logic          req_valid_o,
    input  logic          req_ready_i,
    output logic [7:0]    req_id_o,
    output logic [2:0]    req_op_o,
    output logic [47:0]   req_line_o,
    output logic [3:0]    req_sector_mask_o,
    output logic [31:0]   req_byte_mask_o,
    output logic [255:0]  req_data_o,
    output logic [5:0]    req_warp_o,
    output logic [27:0]   req_pc_o,
    output logic [7:0]    req_atom_o, // atomics: {AOP, ATYPE}, else 0
    output logic [255:0]  req_cmp_o
);
  localparam int unsigned Depth = 8;
  localparam int unsigned WideDepth = 4;

  // ---- store ids ----
  logic [63:0] open_q, take;
  logic [7:0]  ahead; // open bits from the ring's head on
  logic [5:0]  ring_q;
  logic [2:0]  num_secs;
  logic [79:0] info_q [64]; // block, warp, pc, line
  assign num_secs = {2'd0, secs_i[0]} + {2'd0, secs_i[1]} + {2'd0, secs_i[2]} + {2'd0, secs_i[3]};
  assign ahead = 8'({open_q, open_q} >> ring_q);
  assign take = push_st_i ? (64'd1 << num_secs) - 64'd1 : '0; // relative to the ring's head
  assign st_id_o = ring_q;

  always_ff @(posedge clk_i) begin
    logic [63:0] o;
    o = open_q;
    if (!rst_ni) begin
      open_q <= '0;
      ring_q <= '0;
    end else begin
      for (int unsigned r = 0; r < 2; r++) if (ack_valid_i[r]) o[ack_id_i[r*6 +: 6]] = 1'b0;
      if (push_st_i) begin
        o = o | 64'({take, take} >> (7'd64 - {1'b0, ring_q}));
        ring_q <= ring_q + 6'(num_secs);
      end
      if (push_st_i || ack_valid_i != '0) open_q <= o;
    end
  end
  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < 4; i++) begin
      if (push_st_i && 3'(i) < num_secs) info_q[ring_q + 6'(i)] <= {block_i, warp_i, pc_i, line_i};
    end
  end

  logic [5:0] err_id;
  assign err_valid_o = (ack_valid_i & ack_error_i) != '0;
  assign err_id = ack_valid_i[0] && ack_error_i[0] ? ack_id_i[5:0] : ack_id_i[11:6];
  assign {err_warp_o, err_pc_o, err_line_o} = info_q[err_id][74:0];
  assign ack_block_o = {info_q[ack_id_i[11:6]][79:75], info_q[ack_id_i[5:0]][79:75]};

  // ---- queues: what to send; store data ----
  logic        pop, last, head_valid, head_data, head_ring, head_cas, wide_valid, cmp_valid, push_data, push_cmp;
  logic [7:0]  head_aop;
  logic [2:0]  op;
  logic [1023:0] cmp;
  logic [3:0]  cnt_q;
  logic [2:0]  wcnt_q;
  logic [99:0] head; // {aop, has data, id is of the ring, op, id, line, sectors, warp, pc}
  logic [1151:0] wide;
  logic [2:0]  unused_ready;
  assign open_o = open_q;
  assign push_data = push_st_i || (push_ld_i && atom_i);
  assign push_cmp = push_data && atom_i && aop_i[7:4] == sm_isa_pkg::ValAOP_CAS;
  assign op = push_st_i ? (atom_i ? sm_cfg_pkg::MemRed : sm_cfg_pkg::MemStore)
                        : atom_i ? sm_cfg_pkg::MemAtom : bypass_i ? sm_cfg_pkg::MemLoadCg : sm_cfg_pkg::MemLoad;

  assign room_ld_o = cnt_q <= 4'(Depth - 2);
  assign room_st_o = cnt_q <= 4'(Depth - 2) && wcnt_q <= 3'(WideDepth - 2) &&
                     ahead[3:0] == '0 && (!push_st_i || ahead[7:4] == '0);
  assign idle_o = cnt_q == '0 && open_q == '0;

  sm_fifo #(.Width(100), .Depth(Depth)) u_req (
      .clk_i, .rst_ni, .push_valid_i(push_ld_i || push_st_i), .push_ready_o(unused_ready[0]),
      .wdata_i({atom_i ? aop_i : 8'd0, push_data, push_st_i, op, push_st_i ? {2'b01, ring_q} : {2'b00, ld_id_i}, line_i,
                secs_i, warp_i, pc_i}),
      .pop_valid_o(head_valid), .pop_ready_i(pop), .rdata_o(head)
  );
  sm_fifo #(.Width(1152), .Depth(WideDepth)) u_wide (
      .clk_i, .rst_ni, .push_valid_i(push_data), .push_ready_o(unused_ready[1]), .wdata_i({bmask_i, row_i}),
      .pop_valid_o(wide_valid), .pop_ready_i(pop && head_data), .rdata_o(wide)
  );
  sm_fifo #(.Width(1024), .Depth(WideDepth)) u_cmp (
      .clk_i, .rst_ni, .push_valid_i(push_cmp), .push_ready_o(unused_ready[2]), .wdata_i(cmp_i),
      .pop_valid_o(cmp_valid), .pop_ready_i(pop && head_data && head_cas), .rdata_o(cmp)
  );

  // ---- flits ----
  logic [3:0] left, sec_oh;
  logic [3:0] sent_q;
  logic [1:0] sec, num_sent_q;
  assign {head_aop, head_data, head_ring} = head[99:90];
  assign head_cas = head_aop[7:4] == sm_isa_pkg::ValAOP_CAS;
  assign left = head[37:34] & ~sent_q;
  assign sec_oh = left & (~left + 4'd1);
  assign sec = {sec_oh[3] || sec_oh[2], sec_oh[3] || sec_oh[1]};
  assign last = !head_data || left == sec_oh;
  assign pop = head_valid && req_ready_i && last;

  assign req_valid_o = head_valid;
  assign req_op_o = head[89:87];
  assign req_id_o = {head[86:85], head[84:79] + (head_ring ? {4'd0, num_sent_q} : 6'd0)};
  assign req_line_o = {head[78:38], 7'd0};
  assign req_sector_mask_o = head_data ? sec_oh : head[37:34];
  assign {req_warp_o, req_pc_o} = head[33:0];
  logic [31:0] flit_mask;
  always_comb begin
    req_data_o = '0;
    req_cmp_o = '0;
    flit_mask = '0;
    if (head_valid && head_data) begin
      if (head_cas) req_cmp_o = cmp[{sec, 8'd0} +: 256];
      req_data_o = wide[{1'b0, sec, 8'd0} +: 256];
      flit_mask = wide[11'd1024 + {4'd0, sec, 5'd0} +: 32];
    end
  end
  assign req_byte_mask_o = flit_mask;
  assign req_atom_o = head_valid ? head_aop : '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      sent_q <= '0;
      num_sent_q <= '0;
      cnt_q <= '0;
      wcnt_q <= '0;
    end else begin
      if (head_valid && req_ready_i) begin
        sent_q <= last ? '0 : sent_q | sec_oh;
        num_sent_q <= last ? '0 : num_sent_q + 2'd1;
      end
      cnt_q <= cnt_q + 4'(push_ld_i || push_st_i) - 4'(pop);
      wcnt_q <= wcnt_q + 3'(push_data) - 3'(pop && head_data);
    end
  end
  logic unused; // a store at the head always has its data
  assign unused = ^{wide_valid, cmp_valid, unused_ready};
endmodule
