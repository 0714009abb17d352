// SPDX-License-Identifier: Apache-2.0
//
// sm_sva_mem: an inactive lane of a memory instruction has no address (load, store, atomic), asks for no sector, writes no byte
// and offers nothing to a shuffle. Bound to sm_mem; the lanes of every instruction are kept here by its tag.
module sm_sva_mem (
    input logic clk_i,
    input logic rst_ni,
    input logic acc_valid_i,                 // an instruction is accepted; these of its lanes access memory
    input logic [6:0] acc_tag_i,
    input logic [31:0] acc_lanes_i,
    input logic g_valid_i,                   // addresses of the global front
    input logic [6:0] g_tag_i,
    input logic g_store_i,
    input logic g_atom_i,
    input logic [31:0] g_mask_i,
    input logic [1311:0] g_lines_i,
    input logic [223:0] g_offs_i,
    input logic s_valid_i,                   // of the shared front
    input logic [6:0] s_tag_i,
    input logic s_store_i,
    input logic s_atom_i,
    input logic s_shfl_i,
    input logic [31:0] s_mask_i,
    input logic [223:0] s_offs_i,
    input logic [415:0] s_rows_i,
    input logic glob_i,                      // tag stage: a line of a global access, a wavefront, an atomic's write
    input logic shm_i,
    input logic shfl_i,
    input logic aw_i,
    input logic [6:0] tag_i,
    input logic store_i,
    input logic gatom_i,
    input logic satom_i,
    input logic [31:0] lanes_i,
    input logic [40:0] line_i,
    input logic [3:0] secs_i,
    input logic [2:0] lg_i,
    input logic [223:0] offs_i,
    input logic [127:0] bmask_i,
    input logic [1023:0] offered_i           // a cycle later: what a shuffle offers
);
  logic [31:0]   lanes_q [128];
  logic [1311:0] lines_q [128];
  logic [223:0]  offs_q [128];
  logic [31:0]   of_g, of_s, of_1, offer_q;
  logic          shfl_q;
  logic [3:0]    secs;
  logic [127:0]  bytes;
  logic [4:0]    size;                       // of a lane's access, bytes
  logic          writes;
  assign of_g = lanes_q[g_tag_i];
  assign of_s = lanes_q[s_tag_i];
  assign of_1 = lanes_q[tag_i];
  assign writes = aw_i || ((glob_i || shm_i) && store_i) || (glob_i && gatom_i);
  assign size = 5'd1 << lg_i;

  function automatic logic lines_clear(input logic [31:0] lanes, input logic [1311:0] lines, input logic [223:0] offs);
    lines_clear = 1'b1;
    for (int unsigned l = 0; l < 32; l++) if (!lanes[l] && (lines[41*l +: 41] != '0 || offs[7*l +: 7] != '0)) lines_clear = 1'b0;
  endfunction
  function automatic logic rows_clear(input logic [31:0] lanes, input logic [415:0] rows, input logic [223:0] offs);
    rows_clear = 1'b1;
    for (int unsigned l = 0; l < 32; l++) if (!lanes[l] && (rows[13*l +: 13] != '0 || offs[7*l +: 7] != '0)) rows_clear = 1'b0;
  endfunction
  always_comb begin
    secs = '0;
    bytes = '0;
    if (glob_i) begin
      for (int unsigned l = 0; l < 32; l++) begin
        if (of_1[l] && lines_q[tag_i][41*l +: 41] == line_i) secs[offs_q[tag_i][7*l+5 +: 2]] = 1'b1;
      end
    end
    if (writes) begin
      for (int unsigned l = 0; l < 32; l++) begin
        if (lanes_i[l] && (aw_i || of_1[l])) bytes |= ((128'd1 << size) - 128'd1) << offs_i[7*l +: 7];
      end
    end
  end

  logic said_load_q, said_store_q, said_atom_q, said_shfl_q, bad_load, bad_store, bad_atom;
  always_comb begin
    {bad_load, bad_store, bad_atom} = '0;
    if (g_valid_i && ((g_mask_i & ~of_g) != '0 || !lines_clear(of_g, g_lines_i, g_offs_i))) begin
      if (g_atom_i) bad_atom = 1'b1;
      else if (g_store_i) bad_store = 1'b1;
      else bad_load = 1'b1;
    end
    if (s_valid_i && !s_shfl_i && ((s_mask_i & ~of_s) != '0 || !rows_clear(of_s, s_rows_i, s_offs_i))) begin
      if (s_atom_i) bad_atom = 1'b1;
      else if (s_store_i) bad_store = 1'b1;
      else bad_load = 1'b1;
    end
    if ((glob_i || shm_i) && ((lanes_i & ~of_1) != '0 || (glob_i && (secs_i & ~secs) != '0))) begin
      if ((glob_i && gatom_i) || (shm_i && satom_i)) bad_atom = 1'b1;
      else if (store_i) bad_store = 1'b1;
      else bad_load = 1'b1;
    end
    if (writes && (bmask_i & ~bytes) != '0) begin
      if (aw_i || (glob_i && gatom_i)) bad_atom = 1'b1;
      else bad_store = 1'b1;
    end
  end
  always_ff @(posedge clk_i) begin
    if (acc_valid_i) lanes_q[acc_tag_i] <= acc_lanes_i;
    if (g_valid_i) begin
      lines_q[g_tag_i] <= g_lines_i;
      offs_q[g_tag_i] <= g_offs_i;
    end
    shfl_q <= rst_ni && shfl_i;
    if (shfl_i) offer_q <= of_1;
    if (!rst_ni) {said_load_q, said_store_q, said_atom_q, said_shfl_q} <= '0;
    else begin
      if (bad_load && !said_load_q) begin
        said_load_q <= 1'b1;
        $error("gating load: an inactive lane has an address or a sector");
      end
      if (bad_store && !said_store_q) begin
        said_store_q <= 1'b1;
        $error("gating store: an inactive lane has an address, or a byte is written that no active lane stores");
      end
      if (bad_atom && !said_atom_q) begin
        said_atom_q <= 1'b1;
        $error("gating atomic: an inactive lane has an address, or a byte is written that no active lane changes");
      end
      if (shfl_q && !said_shfl_q) begin
        for (int unsigned l = 0; l < 32; l++) begin
          if (!offer_q[l] && offered_i[32*l +: 32] != '0) begin
            said_shfl_q <= 1'b1;
            $error("gating shuffle: inactive lane %0d offers a word", l);
          end
        end
      end
    end
  end
endmodule

bind sm_mem sm_sva_mem u_sva (
    .clk_i, .rst_ni, .acc_valid_i(acc_valid), .acc_tag_i(acc_tag), .acc_lanes_i(acc_left), .g_valid_i(g_valid),
        .g_tag_i(g_tag),
    .g_store_i(g_store), .g_atom_i(g_atom), .g_mask_i(g_mask), .g_lines_i(g_lines), .g_offs_i(g_offs),
        .s_valid_i(s_valid),
    .s_tag_i(s_tag), .s_store_i(s_store), .s_atom_i(s_atom), .s_shfl_i(s_shfl), .s_mask_i(s_mask), .s_offs_i(s_offs),
    .s_rows_i(s_rows), .glob_i(p1_glob_q), .shm_i(p1_shm_q), .shfl_i(p1_shfl_q), .aw_i(p1_aw_q), .tag_i(p1_tag_q),
    .store_i(p1_store_q), .gatom_i(p1_gatom_q), .satom_i(p1_atom_q), .lanes_i(p1_lanes_q), .line_i(p1_line_q),
        .secs_i(p1_secs),
    .lg_i(p1_lg_q), .offs_i(p1_offs_q), .bmask_i(p1_bmask), .offered_i(p2_wrow_q));
