// SPDX-License-Identifier: Apache-2.0
//
// sm_sub_fault: the first fault stays, whatever comes later; of several in one cycle the divergence unit's comes first, then the special
// function unit's (always an illegal instruction), then the issuing instruction's. No fault of a sub-core has an address.
// bench: top sm_sub_fault
#include <gtest/gtest.h>

#include "Vtop.h"
#include "isa/wg_cfg.h"
#include "testbench/rtl/exec/exec_bench.h"

namespace {

/** Bits [lsb, lsb + width) of fault_t: {code 4, sub 2, slot 4, lanes 32, pc 28, addr 48}. */
uint64_t bits(const VlWide<4> &v, unsigned lsb, unsigned width) {
  uint64_t r = 0;
  for (unsigned b = 0; b < width; b++) r |= uint64_t(v[(lsb + b) / 32] >> (lsb + b) % 32 & 1) << b;
  return r;
}

TEST(SubFaultTest, TheFirstOneStays) {
  bench::Rng rng{96};
  Vtop top;
  unsigned seen[3] = {}, several = 0;
  auto clock = [&] { top.clk_i = 0, top.eval(), top.clk_i = 1, top.eval(); };
  for (unsigned run = 0; run < 2000; run++) {
    top.rst_ni = 0, top.stack_valid_i = top.sfu_valid_i = top.issue_valid_i = 0, top.sub_i = rng.below(4);
    clock();
    top.rst_ni = 1;
    bool have = false;
    uint64_t want[4] = {};
    for (unsigned i = 0; i < 12; i++) {
      const unsigned valid = rng.chance(20) ? 1 + rng.below(7) : 0;
      const unsigned code[3] = {rng.below(16), kWgFaultIllegalInsn, rng.below(16)};
      unsigned slot[3];
      uint32_t lanes[3], pc[3];
      for (unsigned k = 0; k < 3; k++) slot[k] = rng.below(16), lanes[k] = uint32_t(rng.next()), pc[k] = rng.next() & 0xfffffff;
      top.stack_valid_i = valid & 1, top.stack_code_i = uint8_t(code[0]), top.stack_slot_i = uint8_t(slot[0]);
      top.stack_lanes_i = lanes[0], top.stack_pc_i = pc[0];
      top.sfu_valid_i = valid >> 1 & 1, top.sfu_slot_i = uint8_t(slot[1]), top.sfu_lanes_i = lanes[1], top.sfu_pc_i = pc[1];
      top.issue_valid_i = valid >> 2, top.issue_code_i = uint8_t(code[2]), top.issue_slot_i = uint8_t(slot[2]);
      top.issue_lanes_i = lanes[2], top.issue_pc_i = pc[2];
      if (!have && valid != 0) {
        const unsigned k = unsigned(__builtin_ctz(valid));
        have = true, seen[k]++, several += (valid & (valid - 1)) != 0;
        want[0] = code[k], want[1] = slot[k], want[2] = lanes[k], want[3] = pc[k];
      }
      clock();
      ASSERT_EQ(top.valid_o != 0, have) << "run " << run << " cycle " << i;
      if (!have) continue;
      const uint64_t got[4] = {bits(top.fault_o, 114, 4), bits(top.fault_o, 108, 4), bits(top.fault_o, 76, 32), bits(top.fault_o, 48, 28)};
      for (unsigned k = 0; k < 4; k++) ASSERT_EQ(got[k], want[k]) << "field " << k << " run " << run << " cycle " << i;
      ASSERT_EQ(bits(top.fault_o, 112, 2), top.sub_i);
      ASSERT_EQ(bits(top.fault_o, 0, 48), 0u);
    }
  }
  for (unsigned n : seen) EXPECT_GT(n, 100u);
  EXPECT_GT(several, 200u);
}

}  // namespace
