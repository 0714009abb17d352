// SPDX-License-Identifier: Apache-2.0
//
// sm_fetch against a model of its rules, cycle by cycle: which warp is looked up, what is pushed, which lines are asked for
// and kept. Random redirects, ends, invalidations, refused lines, and fills that other sub-cores asked for. Code differs
// after an invalidation, so that a line kept too long is seen.
// The including file defines kDepth, the words of an instruction buffer.
#ifndef WG_TESTBENCH_RTL_FRONT_FETCH_CASES_H
#define WG_TESTBENCH_RTL_FRONT_FETCH_CASES_H
#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "Vtop.h"
#include "isa/wg_cfg.h"
#include "isa/wg_isa.h"
#include "testbench/rtl/exec/exec_bench.h"

namespace {

constexpr unsigned kSlots = 16, kSets = 16, kMisses = 4;
constexpr uint32_t kPcMask = (1u << kWgPcBits) - 1u;

struct Slot {
  bool bound = false, active = false, parked = false, stop = false;
  uint32_t pc = 0;
  uint64_t base = 0;
  unsigned regs = 8, count = 0, buffered = 0; /* count: with F2 */
};
struct Miss {
  uint64_t line;
  bool sent = false, drop = false;
  unsigned epoch = 0;
};
struct Line {
  uint64_t line;
  unsigned epoch;
};
struct Pushed { /* what F2 holds */
  bool valid = false, two = false, bad = false;
  unsigned slot = 0, epoch = 0;
  uint64_t addr = 0;
};

uint32_t hash(uint64_t addr, unsigned epoch) {
  return uint32_t((addr / 16 + uint64_t(epoch) * 1000003u) * 0x9e3779b97f4a7c15u >> 32);
}
/** The word at an address: MOV with a register and an immediate that name it. */
wg_word_t word_at(uint64_t addr, unsigned epoch) {
  wg_insn_t i = wg_insn_default(kWgOp_MOV);
  i.form = kWgFormImm, i.imm = hash(addr, epoch), i.rd = uint8_t(i.imm >> 7);
  return wg_encode(&i);
}

class FetchBench {
 public:
  bench::Rng rng;
  Vtop top;
  Slot slot[kSlots];
  std::vector<Miss> misses;
  std::map<unsigned, Line> cache; /* by set */
  bool err = false;
  uint64_t err_line = 0;
  unsigned last = kSlots - 1, epoch = 0, answer = 40, pops = 40, lines = 8;
  Pushed f2;
  unsigned pushes = 0, bads = 0, foreign = 0, crowded = 0, dropped = 0;

  explicit FetchBench(uint64_t stream) : rng(stream) {
    top.rst_ni = 0, top.stop_i = 0, top.inval_i = top.init_valid_i = top.redirect_valid_i = top.pop_valid_i = 0;
    top.iffill_valid_i = 0, top.ifreq_ready_i = 1;
    for (int i = 0; i < 3; i++) edge();
    top.rst_ni = 1;
  }
  void edge() {
    top.clk_i = 0, top.eval();
    top.clk_i = 1, top.eval();
  }
  uint32_t random_pc() { return rng.below(lines) * 128 * (rng.chance(20) ? 16 : 1) + 16 * rng.below(8); }
  uint64_t random_base() { return 0x200000000000u + uint64_t(rng.below(3)) * 0x4580; }

  void drive() {
    const unsigned i = rng.below(kSlots), r = rng.below(kSlots), p = rng.below(kSlots);
    top.stop_i = 0;
    for (unsigned s = 0; s < kSlots; s++) top.stop_i |= uint16_t(unsigned(slot[s].stop) << s);
    top.init_valid_i = (!slot[i].bound || slot[i].stop) && !slot[i].active && rng.chance(30);
    if (top.init_valid_i) {
      top.init_slot_i = uint8_t(i), top.init_pc_i = random_pc(), top.init_base_i = random_base();
      top.init_regs_i = uint16_t(8 * (1 + rng.below(31)));
      top.stop_i &= uint16_t(~(1u << i));
      slot[i].stop = false;
    }
    top.redirect_valid_i = slot[r].bound && !slot[r].stop && r != i && rng.chance(10);
    top.redirect_slot_i = uint8_t(r), top.redirect_pc_i = random_pc();
    top.pop_valid_i = slot[p].buffered > 0 && p != i && !(top.redirect_valid_i && p == r) && rng.chance(pops * 2);
    top.pop_slot_i = uint8_t(p);
    top.inval_i = rng.below(400) == 0;
    top.ifreq_ready_i = rng.chance(70);
    drive_fill();
  }
  void drive_fill() {
    top.iffill_valid_i = 0, top.iffill_error_i = 0;
    top.iffill_addr_i = random_base() + (random_pc() & ~127u);
    unsigned e = epoch;
    if (!misses.empty() && rng.chance(answer)) {
      const Miss &m = misses[rng.below(uint32_t(misses.size()))];
      top.iffill_valid_i = m.sent, top.iffill_addr_i = m.line << 7, e = m.epoch; /* not sent: valid stays low */
      top.iffill_error_i = m.sent && rng.chance(3);
    } else if (rng.chance(10)) { /* another sub-core's, perhaps of a line that is not sent yet */
      top.iffill_valid_i = 1, foreign++;
      if (!misses.empty() && rng.chance(50)) top.iffill_addr_i = misses[0].line << 7;
      for (const Miss &m : misses) if (m.line == top.iffill_addr_i >> 7) e = m.epoch;
    }
    for (unsigned w = 0; w < 8; w++) {
      const wg_word_t v = word_at(top.iffill_addr_i + 16 * w, e);
      for (unsigned k = 0; k < 4; k++) top.iffill_data_i[4 * w + k] = uint32_t((k < 2 ? v.lo : v.hi) >> (32 * (k & 1)));
    }
  }

  void check() {
    const bool dead = top.redirect_valid_i && top.redirect_slot_i == f2.slot;
    ASSERT_EQ(top.push_valid_o != 0, f2.valid && !dead);
    if (top.push_valid_o) {
      ASSERT_EQ(top.push_slot_o, f2.slot);
      ASSERT_EQ(top.push_badpc_o, f2.bad);
      ASSERT_EQ(top.push_two_o, f2.two);
      for (unsigned k = 0; k < (f2.bad ? 0u : f2.two ? 2u : 1u); k++) {
        const uint32_t imm = hash(f2.addr + 16 * k, f2.epoch), rd = imm >> 7 & 255;
        ASSERT_EQ(uint32_t(top.push_imm_o >> (32 * k)), imm) << "slot " << f2.slot << " word " << k;
        ASSERT_EQ(top.push_rd_o >> (8 * k) & 255u, rd);
        ASSERT_EQ(top.push_bad_o >> k & 1u, unsigned(rd != 255 && rd >= slot[f2.slot].regs));
      }
      slot[f2.slot].buffered += 1u + f2.two;
      ASSERT_LE(slot[f2.slot].buffered, kDepth);
      pushes++, bads += f2.bad;
    }
    bool unsent = false;
    for (const Miss &m : misses) unsent |= !m.sent;
    ASSERT_EQ(top.ifreq_valid_o, unsent);
    crowded += misses.size() == kMisses;
  }

  void step() {
    drive();
    top.clk_i = 0, top.eval();
    check();
    if (::testing::Test::HasFatalFailure()) return;
    const bool sent = top.ifreq_valid_o && top.ifreq_ready_i;
    const uint64_t sent_line = (top.ifreq_base_o + top.ifreq_pc_o) >> 7;
    ASSERT_EQ(top.ifreq_pc_o & 127u, 0u);
    advance(sent, sent_line);
    edge();
  }

 private:
  int choose() const {
    for (unsigned k = 1; k <= kSlots; k++) {
      const unsigned s = (last + k) % kSlots;
      if (slot[s].active && slot[s].count <= kDepth - 2 && !slot[s].parked && !slot[s].stop) return int(s);
    }
    return -1;
  }
  /** @return a line on its way to us came */
  bool fill() {
    for (size_t i = 0; i < misses.size(); i++) {
      const Miss m = misses[i];
      if (!top.iffill_valid_i || !m.sent || m.line != top.iffill_addr_i >> 7) continue;
      misses.erase(misses.begin() + long(i));
      if (top.iffill_error_i) err = true, err_line = m.line;
      else if (!m.drop) cache[unsigned(m.line % kSets)] = {m.line, m.epoch};
      dropped += m.drop;
      return true;
    }
    return false;
  }
  void advance(bool sent, uint64_t sent_line) {
    const int f1 = choose();
    bool hit = false, bad = false, two = false;
    Miss fresh{};
    bool miss = false, want_line = false;
    f2 = Pushed();
    if (f1 >= 0) {
      const Slot &s = slot[f1];
      const uint64_t addr = s.base + s.pc, line = addr >> 7;
      const unsigned set = unsigned(line % kSets);
      const bool dead = top.redirect_valid_i && top.redirect_slot_i == unsigned(f1);
      bad = err && err_line == line;
      hit = !bad && cache.count(set) && cache[set].line == line;
      miss = !hit && !bad;
      two = (s.pc >> 4 & 7) != 7 && !bad;
      want_line = miss && !dead && misses.size() < kMisses;
      for (const Miss &m : misses) want_line &= m.line % kSets != set;
      fresh.line = line, fresh.epoch = epoch;
      f2.valid = (hit || bad) && !dead, f2.two = two, f2.bad = bad, f2.slot = unsigned(f1), f2.addr = addr;
      f2.epoch = hit ? cache[set].epoch : 0;
    }
    const bool mine = fill(); /* before the request of this cycle counts as sent */
    if (sent) {
      Miss *found = nullptr;
      for (Miss &m : misses) if (!m.sent && m.line == sent_line) found = &m;
      ASSERT_NE(found, nullptr) << "nobody waits for this line";
      found->sent = true;
      found->epoch = epoch;
    }
    if (want_line) misses.push_back(fresh);
    if (top.inval_i) {
      cache.clear(), err = false, epoch++;
      for (Miss &m : misses) m.drop = true;
    }
    update_slots(f1, hit || bad, bad, two, miss, mine);
  }
  void update_slots(int f1, bool fetched, bool bad, bool two, bool miss, bool mine) {
    for (Slot &s : slot) {
      if (s.stop) s.active = false;
      if (mine) s.parked = false;
    }
    if (f1 >= 0) {
      Slot &s = slot[f1];
      if (miss && !mine) s.parked = true;
      if (fetched) last = unsigned(f1), s.pc = (s.pc + (two ? 32u : 16u)) & kPcMask, s.count += two ? 2u : 1u;
      if (bad) s.active = false;
    }
    if (top.pop_valid_i) slot[top.pop_slot_i].count--, slot[top.pop_slot_i].buffered--;
    if (top.redirect_valid_i) {
      Slot &s = slot[top.redirect_slot_i];
      s.pc = top.redirect_pc_i, s.parked = false, s.active = true, s.count = s.buffered = 0;
    }
    if (top.init_valid_i) {
      Slot &s = slot[top.init_slot_i];
      s = Slot();
      s.bound = s.active = true;
      s.pc = top.init_pc_i, s.base = top.init_base_i, s.regs = top.init_regs_i;
    }
    const unsigned e = rng.below(kSlots); /* a warp ends */
    if (slot[e].bound && slot[e].buffered == slot[e].count && rng.chance(1)) slot[e].stop = true;
  }
};

TEST(FetchTest, EveryCycleFollowsTheRules) {
  unsigned bads = 0, dropped = 0;
  for (unsigned run = 0; run < 30; run++) {
    FetchBench b(600 + run);
    b.lines = run % 3 == 0 ? 2 : 4 + b.rng.below(40);
    for (unsigned i = 0; i < 4000; i++) {
      if (b.rng.below(200) == 0) b.answer = 5 + b.rng.below(90), b.pops = 10 + b.rng.below(41);
      b.step();
      if (::testing::Test::HasFatalFailure()) FAIL() << "run " << run << " cycle " << i;
    }
    EXPECT_GT(b.pushes, 300u) << "run " << run;
    EXPECT_GT(b.foreign, 50u);
    bads += b.bads, dropped += b.dropped;
  }
  EXPECT_GT(bads, 50u);
  EXPECT_GT(dropped, 50u);
}

}  // namespace
#endif
