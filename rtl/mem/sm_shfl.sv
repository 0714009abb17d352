// SPDX-License-Identifier: Apache-2.0
//
// sm_shfl: source lane and predicate of a shuffle, every lane. Combinational; zero while en_i is low. b_i: lane
// operand, c_i: clamp [4:0] and segment mask [12:8], a row each. offs_o: source lane * 4, so that the load crossbar
// picks the word from the row of offered values. Source: PTX ISA, shfl.sync pseudo-code; silicon/warp/shfl.csv.
module sm_shfl (
    input  logic          en_i,
    input  logic [1:0]    mode_i, // 0 idx, 1 up, 2 down, 3 bfly
    input  logic [159:0]  b_i,    // 5 bits a lane
    input  logic [319:0]  c_i,    // {segment mask, clamp} a lane
    output logic [223:0]  offs_o,
    output logic [31:0]   pred_o
);
  always_comb begin
    logic [4:0] lane, b, clamp, seg, max_lane;
    logic [6:0] j; // biased by 32: up may fall below lane 0
    logic       p;
    lane = '0;
    b = '0;
    clamp = '0;
    seg = '0;
    max_lane = '0;
    j = '0;
    p = 1'b0;
    offs_o = '0;
    pred_o = '0;
    if (en_i) begin
      for (int unsigned l = 0; l < 32; l++) begin
        lane = 5'(l);
        b = b_i[l*5 +: 5];
        clamp = c_i[l*10 +: 5];
        seg = c_i[l*10+5 +: 5];
        max_lane = (lane & seg) | (clamp & ~seg);
        case (mode_i)
          sm_isa_pkg::ValSHFLM_UP: j = 7'd32 + {2'd0, lane} - {2'd0, b};
          sm_isa_pkg::ValSHFLM_DOWN: j = 7'd32 + {2'd0, lane} + {2'd0, b};
          sm_isa_pkg::ValSHFLM_BFLY: j = 7'd32 + {2'd0, lane ^ b};
          default: j = 7'd32 + {2'd0, (lane & seg) | (b & ~seg)};
        endcase
        if (mode_i == sm_isa_pkg::ValSHFLM_UP) p = j >= 7'd32 + {2'd0, max_lane};
        else p = j <= 7'd32 + {2'd0, max_lane};
        pred_o[l] = p;
        offs_o[l*7 +: 7] = {p ? j[4:0] : lane, 2'd0};
      end
    end
  end
endmodule
