// SPDX-License-Identifier: Apache-2.0
//
// sm_sched_oldest: the oldest slot of a set: the one none of whose older slots is in it. older_i: bit [i * WarpSlots
// + j]: slot j was bound before slot i and not since. en_i = 0 or an empty set: 0. Combinational.
module sm_sched_oldest #(
    parameter int unsigned WarpSlots = 16,
    localparam int unsigned SlotBits = $clog2(WarpSlots)
) (
    input  logic                           en_i,
    input  logic [WarpSlots-1:0]           set_i,
    input  logic [WarpSlots*WarpSlots-1:0] older_i,
    output logic [SlotBits-1:0]            slot_o
);
  always_comb begin
    slot_o = '0;
    if (en_i && set_i != '0) begin
      for (int unsigned i = 0; i < WarpSlots; i++) begin
        if (set_i[i] && (set_i & older_i[i*WarpSlots +: WarpSlots]) == '0) slot_o |= SlotBits'(i);
      end
    end
  end
endmodule
