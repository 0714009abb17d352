// SPDX-License-Identifier: Apache-2.0
//
// sm_fifo: first in, first out, valid/ready on both sides, Depth entries (>= 2, any number).
// Latency 1: a word pushed in cycle n is at rdata_o in n+1. push_ready_o and pop_valid_o are functions of flops only.
// Storage is not reset; the pointers are.
module sm_fifo #(
    parameter int unsigned Width = 32,
    parameter int unsigned Depth = 4,
    localparam int unsigned PtrBits = $clog2(Depth),
    localparam int unsigned CntBits = $clog2(Depth + 1)
) (
    input  logic             clk_i,
    input  logic             rst_ni,
    input  logic             push_valid_i,
    output logic             push_ready_o,
    input  logic [Width-1:0] wdata_i,
    output logic             pop_valid_o,
    input  logic             pop_ready_i,
    output logic [Width-1:0] rdata_o
);
  logic [PtrBits-1:0] head_q, tail_q;
  logic [CntBits-1:0] cnt_q;
  logic push, pop;

  assign push_ready_o = cnt_q != CntBits'(Depth);
  assign pop_valid_o = cnt_q != '0;
  assign push = push_valid_i && push_ready_o;
  assign pop = pop_valid_o && pop_ready_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      head_q <= '0;
      tail_q <= '0;
      cnt_q <= '0;
    end else begin
      if (push) tail_q <= (tail_q == PtrBits'(Depth - 1)) ? '0 : tail_q + PtrBits'(1);
      if (pop) head_q <= (head_q == PtrBits'(Depth - 1)) ? '0 : head_q + PtrBits'(1);
      if (push && !pop) cnt_q <= cnt_q + CntBits'(1);
      if (pop && !push) cnt_q <= cnt_q - CntBits'(1);
    end
  end

  sm_ram_1r1w #(.Width(Width), .Depth(Depth)) u_ram (
      .clk_i, .we_i(push), .waddr_i(tail_q), .wdata_i, .re_i(pop_valid_o), .raddr_i(head_q), .rdata_o
  );
endmodule
