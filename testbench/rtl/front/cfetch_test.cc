// SPDX-License-Identifier: Apache-2.0
//
// sm_cfetch against the constant banks themselves: every operand gets its word or is refused as the bank's size says, none waits for
// ever, a line is asked for once, and after an invalidate no word of before it is handed out.
// bench: top sm_cfetch -GWarpSlots=8 -GLines=4
#include <gtest/gtest.h>

#include <deque>

#include "Vtop.h"
#include "testbench/rtl/exec/exec_bench.h"

namespace {

constexpr unsigned kSlots = 8;

class CfetchBench {
 public:
  bench::Rng rng{94};
  Vtop top;
  struct Slot {
    uint64_t base[3];
    uint32_t size[3];
    std::deque<uint32_t> operands; /* raw immediates, oldest first */
    unsigned waits = 0;
  } slot[kSlots];
  unsigned version = 1, words = 0, bad = 0, misses = 0, dropped = 0, longest = 0;

  uint32_t word(uint64_t addr) const { return uint32_t(addr * 2654435761u) ^ version * 0x9e3779b9u; }

  void edge() {
    top.clk_i = 0, top.eval();
    top.clk_i = 1, top.eval();
  }
  void reset() {
    open_ = false;
    top.rst_ni = 0, top.need_i = 0, top.init_valid_i = 0, top.inval_i = 0, top.cfreq_ready_i = 0, top.cffill_valid_i = 0;
    edge(), edge();
    top.rst_ni = 1;
    for (unsigned s = 0; s < kSlots; s++) bind(s);
  }
  void bind(unsigned s) {
    uint64_t *b = slot[s].base;
    uint32_t *n = slot[s].size;
    for (unsigned k = 0; k < 3; k++) b[k] = 0x200000000000u + rng.below(64) * 4, n[k] = rng.chance(20) ? 0 : 4 * rng.below(160);
    top.need_i = 0, top.init_valid_i = 1, top.init_slot_i = uint8_t(s);
    top.init_base0_i = b[0], top.init_base2_i = b[1], top.init_base3_i = b[2];
    top.init_size0_i = n[0], top.init_size2_i = n[1], top.init_size3_i = n[2];
    edge();
    top.init_valid_i = 0;
  }

  void step() {
    unsigned need = 0;
    for (unsigned s = 0; s < kSlots; s++) {
      if (rng.chance(20) && slot[s].operands.size() < 4) slot[s].operands.push_back(operand());
      need |= unsigned(!slot[s].operands.empty()) << s;
    }
    top.need_i = uint8_t(need), top.inval_i = rng.chance(1), top.cfreq_ready_i = rng.chance(60);
    answer();
    top.clk_i = 0, top.eval();
    const unsigned s = top.slot_o;
    top.imm_i = slot[s].operands.empty() ? 0 : slot[s].operands.front();
    top.eval();
    ASSERT_EQ(unsigned(top.slot_o), s);
    if (top.done_o) judge(s);
    if (::testing::Test::HasFatalFailure()) return;
    for (Slot &w : slot) {
      w.waits = w.operands.empty() ? 0 : w.waits + 1;
      longest = std::max(longest, w.waits);
    }
    request();
    top.clk_i = 1, top.eval();
    if (top.inval_i) version++;   /* the banks were written before the launch that says so */
  }

 private:
  bool open_ = false;
  uint64_t line_ = 0;
  unsigned asked_ = 0, due_ = 0;

  uint32_t operand() {
    static const unsigned banks[] = {0, 2, 3, 0, 2, 3, 0, 2, 3, 1, 4, 31};
    return banks[rng.below(12)] << 16 | (rng.chance(90) ? 4 * rng.below(170) : rng.below(700));
  }
  void judge(unsigned s) {
    ASSERT_TRUE(top.need_i >> s & 1);
    Slot &w = slot[s];
    const uint32_t imm = w.operands.front(), off = imm & 0xffff, bank = imm >> 16;
    const int k = bank == 0 ? 0 : bank == 2 ? 1 : bank == 3 ? 2 : -1;
    const bool legal = k >= 0 && off + 4 <= w.size[k] && off % 4 == 0;
    ASSERT_EQ(top.done_bad_o != 0, !legal) << "bank " << bank << " offset " << off;
    if (legal) ASSERT_EQ(top.value_o, word(w.base[k] + off)) << "bank " << bank << " offset " << off;
    legal ? words++ : bad++;
    w.operands.pop_front(), w.waits = 0;
  }
  void request() {
    if (!top.cfreq_valid_o || !top.cfreq_ready_i) return;
    ASSERT_FALSE(open_) << "one line at a time";
    ASSERT_EQ(top.cfreq_addr_o % 128, 0u);
    open_ = true, line_ = top.cfreq_addr_o, asked_ = version, due_ = rng.below(20), misses++;
  }
  void answer() {
    top.cffill_valid_i = 0;
    if (open_ && due_-- == 0) {
      top.cffill_valid_i = 1, open_ = false, top.cffill_addr_i = line_;
      dropped += asked_ != version;
      const unsigned now = version;
      version = asked_;   /* what the line held when it was asked for */
      for (unsigned i = 0; i < 32; i++) top.cffill_data_i[i] = word(line_ + 4 * i);
      version = now;
    } else if (rng.chance(5)) {   /* another sub-core's line passes by */
      top.cffill_valid_i = 1, top.cffill_addr_i = 0x300000000000u + 128 * rng.below(8);
      for (unsigned i = 0; i < 32; i++) top.cffill_data_i[i] = 0xdeadbeef;
    }
  }
};

TEST(CfetchTest, EveryOperandGetsItsWord) {
  CfetchBench b;
  for (unsigned run = 0; run < 20; run++) {
    b.reset();
    for (auto &s : b.slot) s.operands.clear();
    for (unsigned i = 0; i < 3000; i++) {
      b.step();
      if (::testing::Test::HasFatalFailure()) FAIL() << "run " << run << " cycle " << i;
    }
  }
  std::printf("%u words, %u refused, %u lines, %u dropped, longest wait %u cycles\n", b.words, b.bad, b.misses, b.dropped, b.longest);
  for (unsigned n : {b.words, b.bad, b.misses, b.dropped}) EXPECT_GT(n, 50u);
  EXPECT_LT(b.longest, 2000u) << "an operand starves";
}

}  // namespace
