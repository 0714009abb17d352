// SPDX-License-Identifier: Apache-2.0
//
// Dependence mode control-bits of sm_issue and sm_dep_ctl against a model of the field's meaning (isa/README.md,
// "Control field"): random instructions, results and operand reads in any order, frozen cycles. Every cycle:
// eligible slots and every slot's reason. The model keeps a list of what is in flight and counts it; it knows no
// counters that go up and down.
// bench: top issue_bench
// bench: link isa/wg_cfg.c
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <deque>
#include <vector>

#include "Vtop.h"
#include "isa/wg_cfg.h"
#include "testbench/rtl/exec/exec_bench.h"

namespace {

constexpr unsigned kSlots = 16, kNone = 7, kFull = 62;
enum Class { kInt, kFp, kSfu, kLsu, kSreg, kBar, kCtl, kF64, kXl, kMma, kNoClass };

struct Entry {
  unsigned cls, rd, regs; /* regs: 0, 1, 2, 4 from rd */
  unsigned pd[2];
  bool wp[2], global;
  unsigned stall, wr, rdc, wait;
  bool v_bus() const { return cls == kSfu || cls == kLsu || cls == kSreg || cls == kXl || cls == kMma; }
  bool writes() const { return regs != 0 || wp[0] || wp[1]; }
  unsigned counts_write() const { return (v_bus() || cls == kF64) && writes() && wr < 6 ? wr : kNone; }
  unsigned counts_read() const { return (v_bus() || cls == kBar) && rdc < 6 ? rdc : kNone; }
};

/** Something in flight. */
struct Op {
  Entry e;
  unsigned slot, beat;
  bool written, read;
};

struct Slot {
  bool bound = false;
  std::deque<Entry> buffer;
  unsigned stall = 0;
};

class Bench {
 public:
  bench::Rng rng;
  Vtop top;
  std::array<Slot, kSlots> slot;
  std::vector<Op> ops;
  std::array<unsigned, 16> seen{};
  unsigned counters, result_percent, wait_percent = 40, full_seen = 0, open_seen = 0;
  bool its; /* registers collide as between splits */

  Bench(uint64_t stream, unsigned ctrs, unsigned percent, bool collide)
      : rng(stream), counters(ctrs), result_percent(percent), its(collide) {
    top.dep_i = 1;
    top.rst_ni = 0;
    for (int i = 0; i < 4; i++) clock();
    top.rst_ni = 1;
  }
  void clock() {
    top.clk_i = 0, top.eval();
    top.clk_i = 1, top.eval();
  }

  unsigned up(unsigned s, unsigned c) const {
    unsigned n = 0;
    for (const Op &o : ops) {
      if (o.slot != s) continue;
      n += unsigned(!o.written && o.e.counts_write() == c) + unsigned(!o.read && o.e.counts_read() == c);
    }
    return n;
  }
  /** A global load raised the counter, and it has not been 0 since. */
  std::array<std::array<bool, 6>, kSlots> slow{};

  bool open_target(unsigned s, const Entry &e) {
    for (const Op &o : ops) {
      if (o.slot != s || !o.e.v_bus() || o.written) continue;
      for (unsigned k = o.beat * 2; k < o.e.regs; k++) {
        if (e.regs != 0 && o.e.rd + k >= e.rd && o.e.rd + k < e.rd + e.regs) return true;
      }
      for (unsigned i = 0; i < 2; i++) {
        for (unsigned j = 0; j < 2; j++) if (o.e.wp[i] && e.wp[j] && o.e.pd[i] == e.pd[j]) return true;
      }
    }
    return false;
  }

  unsigned reason(unsigned i) {
    const Slot &w = slot[i];
    if (!w.bound) return kWgReasonNoWarp;
    if (w.buffer.empty()) return kWgReasonNoInsn;
    const Entry &e = w.buffer.front();
    if (w.stall != 0) return kWgReasonDepFixed;
    bool brief = false, lasting = false;
    for (unsigned c = 0; c < 6; c++) {
      if (!(e.wait >> c & 1) || up(i, c) == 0) continue;
      (slow[i][c] ? lasting : brief) = true;
    }
    bool full = (e.wr < 6 && up(i, e.wr) >= kFull) || (e.rdc < 6 && up(i, e.rdc) >= kFull), open = open_target(i, e);
    full_seen += full, open_seen += open;
    if (brief || full || open) return kWgReasonDepShort;
    if (lasting) return kWgReasonDepLong;
    return top.freeze_i ? kWgReasonRegBank : kWgReasonNotSelected;
  }

  Entry random_entry() {
    Entry e{};
    static const unsigned classes[] = {kInt, kFp, kSfu, kLsu, kLsu, kSreg, kBar, kCtl, kF64, kXl, kMma, kNoClass};
    e.cls = classes[rng.below(12)];
    e.global = e.cls == kLsu && rng.chance(50);
    e.pd[0] = rng.below(8), e.pd[1] = rng.below(8);
    if (e.cls == kF64) {
      if (rng.chance(50)) e.regs = 2;
      else e.wp[0] = e.pd[0] != 7, e.wp[1] = e.pd[1] != 7;
    } else if (e.cls == kInt || e.cls == kFp || e.v_bus()) {
      static const unsigned counts[] = {0, 1, 1, 2, 4};
      e.regs = counts[rng.below(e.cls == kLsu || e.cls == kMma ? 5 : 3)];
      e.wp[0] = e.regs < 2 && e.pd[0] != 7 && (e.cls == kXl || e.cls == kLsu || e.cls == kInt) && rng.chance(40);
    }
    if (wait_percent == 0) e.regs = 0, e.wp[0] = e.wp[1] = false; /* stores: nothing but counters holds them */
    unsigned span = its ? 4 : 60; /* aligned groups of four */
    e.rd = 4 * rng.below(span) + (e.regs == 1 ? rng.below(4) : e.regs == 2 ? 2 * rng.below(2) : 0);
    e.stall = rng.chance(70) ? rng.below(3) : rng.below(16);
    e.wr = rng.chance(70) ? rng.below(counters) : 6 + rng.below(2);
    e.rdc = rng.chance(70) ? rng.below(counters) : 6 + rng.below(2);
    e.wait = rng.chance(wait_percent) ? rng.below(64) & ((1u << counters) - 1) : 0;
    return e;
  }

  void drive_push() {
    const unsigned s = rng.below(kSlots);
    Slot &w = slot[s];
    top.push_slot_i = uint8_t(s);
    top.push_valid_i = w.bound && w.buffer.size() <= 2;
    top.push_two_i = rng.chance(70);
    uint64_t r = 0, ctl = 0;
    uint32_t masks = 0, cls = 0, pd = 0, flags = 0;
    for (unsigned k = 0; k < 2; k++) {
      Entry e = random_entry();
      unsigned md = e.regs == 0 ? 0 : ((1u << e.regs) - 1) << (e.rd & 3);
      r |= uint64_t(e.rd) << (32 * k + 24), masks |= md << (16 * k + 12);
      cls |= (e.cls == kNoClass ? 0u : 1u << e.cls) << (11 * k);
      pd |= (e.pd[0] | unsigned(e.wp[0]) << 3 | e.pd[1] << 4 | unsigned(e.wp[1]) << 7) << (8 * k);
      flags |= (unsigned(e.global) << 1) << (3 * k);
      ctl |= uint64_t(e.stall | e.wr << 5 | e.rdc << 8 | e.wait << 11) << (17 * k);
      pushed[k] = e;
    }
    top.push_regs_i = r, top.push_masks_i = masks, top.push_cls_i = cls, top.push_pd_i = uint16_t(pd);
    top.push_flags_i = uint8_t(flags), top.push_ctl_i = ctl;
  }

  int pick(bool (*want)(const Op &)) {
    std::vector<int> v;
    for (size_t i = 0; i < ops.size(); i++) if (want(ops[i])) v.push_back(int(i));
    return v.empty() || !rng.chance(result_percent) ? -1 : v[rng.below(uint32_t(v.size()))];
  }

  /** Results and reads of this cycle; nothing of `ops` changes yet. */
  void drive_results() {
    rd = pick([](const Op &o) { return !o.read; });
    top.rd_valid_i = rd >= 0;
    if (rd >= 0) top.rd_slot_i = uint8_t(ops[rd].slot), top.rd_ctr_i = uint8_t(ops[rd].e.counts_read());
    v = pick([](const Op &o) { return o.read && !o.written && o.e.v_bus(); });
    top.rel_var_valid_i = top.relp_var_valid_i = top.v_done_i = 0;
    if (v >= 0) {
      const Op &o = ops[v];
      top.rel_var_valid_i = o.e.regs != 0, top.relp_var_valid_i = o.e.wp[0];
      top.rel_var_slot_i = top.relp_var_slot_i = uint8_t(o.slot);
      top.rel_var_rd_i = uint8_t(o.e.rd + 2 * o.beat), top.rel_var_wide_i = o.e.regs >= 2, top.relp_var_pd_i = uint8_t(o.e.pd[0]);
      top.v_done_i = 2 * o.beat + 2 >= o.e.regs;
    }
    f = pick([](const Op &o) { return !o.written && o.e.cls == kF64 && o.e.regs != 0; });
    top.rel_f64_valid_i = f >= 0;
    if (f >= 0) {
      top.rel_f64_slot_i = uint8_t(ops[f].slot), top.rel_f64_pair_i = uint8_t(ops[f].e.rd / 2);
      top.f64_ctr_i = uint8_t(ops[f].e.wr);
    }
    p = pick([](const Op &o) { return !o.written && o.e.cls == kF64 && o.e.regs == 0; });
    top.relp_f64_valid_i = p >= 0;
    if (p >= 0) top.relp_f64_slot_i = uint8_t(ops[p].slot), top.f64p_ctr_i = uint8_t(ops[p].e.wr);
  }

  void step() {
    unsigned valid = 0;
    top.init_valid_i = 0;
    for (unsigned i = 0; i < kSlots; i++) {
      bool busy = false;
      for (const Op &o : ops) busy |= o.slot == i;
      if ((!slot[i].bound || rng.chance(1)) && !busy && !top.init_valid_i && rng.chance(10)) {
        top.init_valid_i = 1, top.init_slot_i = uint8_t(i);
        slot[i].bound = false; /* no issue, no push in the cycle of the binding */
      }
      valid |= unsigned(slot[i].bound) << i;
    }
    top.valid_i = top.run_i = uint16_t(valid);
    drive_push();
    drive_results();
    top.freeze_i = rng.chance(15), top.busy_i = uint16_t(top.freeze_i << 7), top.view_i = 1;
    top.iss_valid_i = 0, top.sel_slot_i = 0;
    top.clk_i = 0, top.eval();
    unsigned eligible = 0;
    for (unsigned i = 0; i < kSlots; i++) {
      unsigned r = reason(i);
      ASSERT_EQ(unsigned(top.reason_o >> (4 * i) & 15), r) << "slot " << i;
      if (r == kWgReasonNotSelected) eligible |= 1u << i;
      seen[r]++;
    }
    ASSERT_EQ(top.eligible_o, eligible);
    if (eligible != 0 && rng.chance(90)) {
      do top.sel_slot_i = uint8_t(rng.below(kSlots));
      while (!(eligible >> top.sel_slot_i & 1));
      top.iss_valid_i = 1;
    }
    top.iss_live_i = rng.chance(85);
    top.eval();
    top.clk_i = 1, top.eval();
    update();
  }

  void update() {
    if (rd >= 0) ops[rd].read = true;
    if (v >= 0) {
      if (2 * ++ops[v].beat >= ops[v].e.regs) ops[v].written = true;
    }
    if (f >= 0) ops[f].written = true;
    if (p >= 0) ops[p].written = true;
    ops.erase(std::remove_if(ops.begin(), ops.end(), [](const Op &o) { return o.read && o.written; }), ops.end());
    for (unsigned i = 0; i < kSlots; i++) {
      for (unsigned c = 0; c < 6; c++) if (up(i, c) == 0) slow[i][c] = false;
      if (!top.freeze_i && slot[i].stall != 0) slot[i].stall--;
    }
    if (top.iss_valid_i) {
      Slot &w = slot[top.sel_slot_i];
      const Entry e = w.buffer.front();
      w.buffer.pop_front();
      w.stall = e.stall == 0 ? 0 : e.stall - 1;
      bool reads = e.v_bus() || e.cls == kBar, writes = (e.v_bus() || e.cls == kF64) && e.writes();
      if (top.iss_live_i && (reads || writes)) {
        ops.push_back({e, top.sel_slot_i, 0, !writes, !reads});
        if (e.global && e.counts_write() != kNone) slow[top.sel_slot_i][e.counts_write()] = true;
      }
    }
    if (top.push_valid_i) {
      slot[top.push_slot_i].buffer.push_back(pushed[0]);
      if (top.push_two_i) slot[top.push_slot_i].buffer.push_back(pushed[1]);
    }
    if (top.init_valid_i) slot[top.init_slot_i] = Slot(), slot[top.init_slot_i].bound = true;
  }

 private:
  Entry pushed[2];
  int rd = -1, v = -1, f = -1, p = -1;
};

TEST(DepCtlTest, EveryReasonFollowsTheControlField) {
  std::array<unsigned, 16> seen{};
  unsigned full = 0, open = 0;
  for (unsigned run = 0; run < 40; run++) {
    Bench b(900 + run, 1 + run % 6, run % 5 == 0 ? 1 : 20 + 15 * (run % 5), run % 2 == 1);
    if (run % 5 == 0) b.wait_percent = 0; /* counters fill up */
    for (unsigned i = 0; i < (run % 5 == 0 ? 4500u : 1500u); i++) {
      b.step();
      if (::testing::Test::HasFatalFailure()) FAIL() << "run " << run << " cycle " << i;
    }
    for (unsigned r = 0; r < 16; r++) seen[r] += b.seen[r];
    full += b.full_seen, open += b.open_seen;
  }
  for (unsigned r : {kWgReasonDepFixed, kWgReasonDepShort, kWgReasonDepLong, kWgReasonRegBank, kWgReasonNotSelected})
    EXPECT_GT(seen[r], 1000u) << wg_reason_name(r);
  EXPECT_GT(open, 1000u);
  EXPECT_GT(full, 100u);
}

}  // namespace
