// SPDX-License-Identifier: Apache-2.0
//
// sm_fault: the first fault stays, whatever comes later; of several in one cycle sub-core 0 comes first, then sub-core 1, memory,
// barriers; block and warp are those that the slot was last bound to.
// bench: top fault_bench
#include <gtest/gtest.h>

#include "Vtop.h"
#include "testbench/rtl/exec/exec_bench.h"

namespace {

TEST(FaultTest, TheFirstOneStaysWithItsPlace) {
  bench::Rng rng{95};
  Vtop top;
  unsigned seen[4] = {}, several = 0;
  for (unsigned run = 0; run < 2000; run++) {
    unsigned block[2][16], warp[2][16];
    top.rst_ni = 0, top.valid_i = 0, top.init_valid_i = 0;
    top.clk_i = 0, top.eval(), top.clk_i = 1, top.eval();
    top.rst_ni = 1;
    top.init_valid_i = 1;
    for (unsigned k = 0; k < 40; k++) {   /* all slots, some of them twice */
      const unsigned sub = k < 32 ? k % 2 : rng.below(2), slot = k < 32 ? k / 2 : rng.below(16);
      top.init_sub_i = uint8_t(sub), top.init_slot_i = uint8_t(slot);
      top.init_block_i = uint8_t(block[sub][slot] = rng.below(32)), top.init_warp_i = uint8_t(warp[sub][slot] = rng.below(32));
      top.clk_i = 0, top.eval(), top.clk_i = 1, top.eval();
      ASSERT_FALSE(top.valid_o);
    }
    top.init_valid_i = 0;
    bool have = false;
    uint64_t want[8] = {};
    for (unsigned i = 0; i < 12; i++) {
      top.valid_i = uint8_t(rng.chance(20) ? 1 + rng.below(15) : 0);
      top.code_i = uint16_t(rng.next()), top.sub_i = uint8_t(rng.next() & 0x55), top.slot_i = uint16_t(rng.next());
      for (unsigned w = 0; w < 4; w++) top.lanes_i[w] = uint32_t(rng.next()), top.pc_i[w] = uint32_t(rng.next());
      top.pc_i[3] &= 0xffff;
      for (unsigned w = 0; w < 6; w++) top.addr_i[w] = uint32_t(rng.next());
      top.clk_i = 0, top.eval();
      if (!have && top.valid_i != 0) {
        const unsigned k = unsigned(__builtin_ctz(top.valid_i));
        const unsigned sub = top.sub_i >> (2 * k) & 3, slot = top.slot_i >> (4 * k) & 15;
        have = true, seen[k]++, several += (top.valid_i & (top.valid_i - 1)) != 0;
        const uint64_t pcs[2] = {uint64_t(top.pc_i[1]) << 32 | top.pc_i[0], uint64_t(top.pc_i[3]) << 32 | top.pc_i[2]};
        const uint64_t pc = k == 2 ? pcs[0] >> 56 | pcs[1] << 8 : k == 3 ? pcs[1] >> 20 : pcs[0] >> (28 * k);
        uint64_t addr = 0;
        for (unsigned b = 0; b < 48; b++) addr |= uint64_t(top.addr_i[(48 * k + b) / 32] >> (48 * k + b) % 32 & 1) << b;
        const uint64_t all[8] = {top.code_i >> (4 * k) & 15u, sub + 2 * slot, block[sub][slot], warp[sub][slot], top.lanes_i[k],
                                 pc & 0xfffffff, addr, 0};
        std::copy(all, all + 8, want);
      }
      top.clk_i = 1, top.eval();
      ASSERT_EQ(top.valid_o != 0, have) << "run " << run << " cycle " << i;
      if (!have) continue;
      const uint64_t got[7] = {top.code_o, top.warp_o, top.block_o, top.warp_in_block_o, top.lanes_o, top.pc_o, top.addr_o};
      for (unsigned k = 0; k < 7; k++) ASSERT_EQ(got[k], want[k]) << "field " << k << " run " << run << " cycle " << i;
    }
  }
  for (unsigned n : seen) EXPECT_GT(n, 50u);
  EXPECT_GT(several, 200u);
}

}  // namespace
