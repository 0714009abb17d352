// SPDX-License-Identifier: Apache-2.0
//
// sm_issue against a model of its rules (rtl/sched/README.md, order of the reasons: isa/cfg.def): random instructions, issues,
// releases, busy units and warp states. Every cycle: eligible slots, the reason of every slot, the owner of the issue
// slot, the shown head. The model keeps lists and maps and knows nothing of masks, groups or what was touched.
// The including file defines kDepth, the words of an instruction buffer.
#ifndef WG_TESTBENCH_RTL_SCHED_ISSUE_CASES_H
#define WG_TESTBENCH_RTL_SCHED_ISSUE_CASES_H
#include <gtest/gtest.h>

#include <array>
#include <deque>
#include <map>
#include <set>
#include <vector>

#include "Vtop.h"
#include "isa/wg_cfg.h"
#include "testbench/rtl/exec/exec_bench.h"

namespace {

constexpr unsigned kSlots = 16;
enum Class { kInt, kFp, kSfu, kLsu, kSreg, kBar, kCtl, kF64, kXl, kMma, kNoClass };
enum Kind { kFixed, kShort, kLong };
enum State { kFree, kInit, kRun, kBranching, kAsleep, kAtBarrier, kAtMembar, kDone };

struct Entry {
  unsigned cls, op, pd[2];
  bool exits, global, needs_const, bad_pc, bad_const, wp[2];
  uint8_t reg[4];   /* a, b, c, d */
  unsigned mask[4]; /* inside the aligned group of four */
  std::set<unsigned> preds;
  uint32_t imm;
  std::set<unsigned> regs() const {
    std::set<unsigned> r;
    for (unsigned f = 0; f < 4; f++) {
      for (unsigned k = 0; k < 4; k++) if (mask[f] >> k & 1) r.insert((reg[f] & 0xfcu) + k);
    }
    return r;
  }
};

struct Slot {
  State state = kFree;
  std::deque<Entry> buffer;
  std::map<unsigned, Kind> reg, pred; /* pending */
  bool held = false;
};

class Model {
 public:
  Slot slot[kSlots];
  unsigned busy = 0;
  bool halt = false;

  /** Why the slot does not issue; NotSelected if it could. */
  unsigned reason(const Slot &s) const {
    switch (s.state) {
      case kFree: return kWgReasonNoWarp;
      case kInit: return kWgReasonNoInsn;
      case kBranching: return kWgReasonBranchSwitch;
      case kAsleep: return kWgReasonSleep;
      case kAtBarrier: return kWgReasonBarrier;
      case kAtMembar: return kWgReasonMembar;
      case kDone: return kWgReasonFinished;
      case kRun: break;
    }
    if (s.buffer.empty() || s.buffer.front().needs_const) return kWgReasonNoInsn;
    const Entry &e = s.buffer.front();
    std::set<Kind> waits;
    for (unsigned r : e.regs()) if (s.reg.count(r)) waits.insert(s.reg.at(r));
    for (unsigned p : e.preds) if (s.pred.count(p)) waits.insert(s.pred.at(p));
    if (e.exits) {
      if (s.held) waits.insert(kFixed);
      for (auto &r : s.reg) if (r.second != kLong) waits.insert(kShort);
      if (!s.pred.empty()) waits.insert(kShort);
    }
    if (waits.count(kFixed)) return kWgReasonDepFixed;
    if (waits.count(kShort)) return kWgReasonDepShort;
    if (waits.count(kLong)) return kWgReasonDepLong;
    static const int unit[] = {0, 1, 2, -1, 3, -1, 4, 8, 9, 10, -1}; /* bit of `busy` by class */
    if (unit[e.cls] >= 0 && (busy >> unit[e.cls] & 1)) return kWgReasonPipeBusy;
    if (e.cls == kLsu && (busy >> 5 & 1)) return kWgReasonLsuFull;
    if ((busy >> 6 & 1) && e.cls != kCtl && e.cls != kMma && e.cls != kNoClass) return kWgReasonRegBank;
    if ((busy >> 11 & 1) && e.cls == kMma) return kWgReasonRegBank; /* it takes two collectors */
    if ((busy >> 7 & 1) || (busy >> 12 & 1)) return kWgReasonRegBank;
    return kWgReasonNotSelected;
  }

  unsigned owner(unsigned withheld) const {
    static const unsigned order[] = {kWgReasonPipeBusy, kWgReasonLsuFull, kWgReasonRegBank, kWgReasonDepFixed,
                                     kWgReasonBranchSwitch, kWgReasonDepShort, kWgReasonDepLong, kWgReasonNoInsn,
                                     kWgReasonMembar, kWgReasonBarrier, kWgReasonThrottled, kWgReasonNotSelected, kWgReasonSleep, kWgReasonFinished};
    std::set<unsigned> have;
    for (unsigned i = 0; i < kSlots; i++) {
      unsigned r = reason(slot[i]);
      if (r == kWgReasonNotSelected && halt) continue;
      have.insert(r == kWgReasonNotSelected && (withheld >> i & 1) ? unsigned(kWgReasonThrottled) : r);
    }
    for (unsigned r : order) if (have.count(r)) return r;
    return kWgReasonNoWarp;
  }
};

class Bench {
 public:
  bench::Rng rng;
  Vtop top;
  Model m;
  std::array<unsigned, 16> seen_owner{}, seen_reason{};
  unsigned crowd = 100, bound_slots = 16, busy_percent = 5, regs = 8, release_percent = 50;

  explicit Bench(uint64_t stream) : rng(stream) {
    top.rst_ni = 0;
    for (int i = 0; i < 4; i++) clock();
    top.rst_ni = 1;
  }
  void clock() {
    top.clk_i = 0, top.eval();
    top.clk_i = 1, top.eval();
  }

  Entry random_entry() {
    Entry e{};
    e.cls = rng.below(kNoClass + 1u), e.op = rng.below(256), e.imm = uint32_t(rng.next());
    e.exits = e.cls == kCtl && rng.chance(50);
    e.global = e.cls == kLsu && rng.chance(60);
    e.needs_const = rng.chance(15);
    for (unsigned f = 0; f < 4; f++) {
      e.reg[f] = uint8_t(rng.below(regs) * 31);
      static const unsigned masks[] = {0, 0, 1, 1, 3, 15};
      e.mask[f] = masks[rng.below(6)];
      if (e.mask[f] == 1) e.mask[f] <<= e.reg[f] & 3;
      if (e.mask[f] == 3) e.mask[f] <<= e.reg[f] & 2;
    }
    for (unsigned k = 0; k < 2; k++) {
      e.pd[k] = rng.below(8), e.wp[k] = e.pd[k] != 7 && !e.global && rng.chance(25);
      if (e.wp[k]) e.preds.insert(e.pd[k]);
    }
    if (rng.chance(30)) e.preds.insert(rng.below(7));
    return e;
  }

  void drive_push(unsigned flushed, unsigned bound) {
    const unsigned s = rng.below(kSlots);
    Slot &w = m.slot[s];
    top.push_slot_i = uint8_t(s);
    top.push_valid_i = w.state != kFree && s != flushed && s != bound && w.buffer.size() <= kDepth - 2 && rng.chance(90);
    top.push_badpc_i = rng.chance(5);
    top.push_two_i = !top.push_badpc_i && rng.chance(60);
    uint64_t r = 0, imm = 0;
    uint32_t masks = 0, cls = 0, pm = 0, pd = 0, flags = 0, op = 0;
    for (unsigned k = 0; k < 2; k++) {
      Entry e = random_entry();
      for (unsigned f = 0; f < 4; f++) r |= uint64_t(e.reg[f]) << (32 * k + 8 * f), masks |= e.mask[f] << (16 * k + 4 * f);
      cls |= (e.cls == kNoClass ? 0u : 1u << e.cls) << (11 * k);
      for (unsigned p : e.preds) pm |= 1u << (8 * k + p);
      pd |= (e.pd[0] | unsigned(e.wp[0]) << 3 | e.pd[1] << 4 | unsigned(e.wp[1]) << 7) << (8 * k);
      flags |= (unsigned(e.exits) | unsigned(e.global) << 1 | unsigned(e.needs_const) << 2) << (3 * k);
      op |= e.op << (8 * k), imm |= uint64_t(e.imm) << (32 * k);
      pushed[k] = e;
    }
    if (top.push_badpc_i) pushed[0].bad_pc = true, pushed[0].needs_const = false;
    top.push_regs_i = r, top.push_masks_i = masks, top.push_cls_i = cls, top.push_pm_i = uint16_t(pm);
    top.push_pd_i = uint16_t(pd), top.push_flags_i = uint8_t(flags), top.push_op_i = uint16_t(op), top.push_imm_i = imm;
  }

  /** A pending register of the kind; of several any. -1: none. `wide`: with its neighbour, aligned. */
  int pending(unsigned s, bool want_fixed) {
    std::vector<unsigned> v;
    for (auto &r : m.slot[s].reg) if ((r.second == kFixed) == want_fixed) v.push_back(r.first);
    return v.empty() ? -1 : int(v[rng.below(uint32_t(v.size()))]);
  }
  void drive_releases() {
    const auto go = [&] { return rng.chance(release_percent); };
    unsigned s = rng.below(kSlots);
    int r = pending(s, true);
    top.rel_int_valid_i = r >= 0 && go(), top.rel_int_slot_i = uint8_t(s), top.rel_int_wide_i = rng.chance(30);
    top.rel_int_rd_i = uint8_t(top.rel_int_wide_i ? r & ~1 : r);
    s = rng.chance(20) ? s : rng.below(kSlots), r = pending(s, true);
    top.rel_fp_valid_i = r >= 0 && go(), top.rel_fp_slot_i = uint8_t(s), top.rel_fp_rd_i = uint8_t(r);
    s = rng.chance(20) ? s : rng.below(kSlots), r = pending(s, true);
    top.rel_half_valid_i = r >= 0 && go(), top.rel_half_slot_i = uint8_t(s), top.rel_half_rd_i = uint8_t(r);
    s = rng.chance(20) ? s : rng.below(kSlots), r = pending(s, true);
    top.rel_f64_valid_i = r >= 0 && go(), top.rel_f64_slot_i = uint8_t(s), top.rel_f64_pair_i = uint8_t(r / 2);
    top.relp_half_valid_i = go(), top.relp_half_slot_i = uint8_t(rng.below(kSlots));
    top.relp_half_mask_i = uint8_t(rng.next());
    top.relp_f64_valid_i = go(), top.relp_f64_slot_i = uint8_t(rng.below(kSlots)), top.relp_f64_mask_i = uint8_t(rng.next());
    s = rng.chance(20) ? s : rng.below(kSlots), r = pending(s, false);
    top.rel_var_valid_i = r >= 0 && go(), top.rel_var_slot_i = uint8_t(s), top.rel_var_wide_i = rng.chance(30);
    top.rel_var_rd_i = uint8_t(top.rel_var_wide_i ? r & ~1 : r);
    top.relp_int_valid_i = go(), top.relp_int_slot_i = uint8_t(rng.below(kSlots));
    top.relp_int_mask_i = uint8_t(rng.next());
    top.relp_var_valid_i = go(), top.relp_var_slot_i = uint8_t(rng.below(kSlots)), top.relp_var_pd_i = uint8_t(rng.below(7));
  }

  void drive_states(unsigned &bound) {
    bound = kSlots;
    top.init_valid_i = 0;
    for (unsigned i = 0; i < kSlots; i++) {
      Slot &w = m.slot[i];
      w.held = rng.chance(20);
      if (w.state == kFree) {
        if (bound == kSlots && i < bound_slots && rng.chance(crowd / 10 + 1)) {
          bound = i;
          top.init_valid_i = 1, top.init_slot_i = uint8_t(i);
        }
      } else if (rng.chance(5)) {
        static const State next[] = {kRun,       kRun,       kRun,  kRun, kRun,
                                     kBranching, kAsleep, kAtBarrier, kAtMembar, kDone, kInit};
        w.state = next[rng.below(sizeof next / sizeof next[0])];
        if (rng.chance(crowd < 100 ? 40 : 2)) w.state = kFree;
      }
    }
  }

  unsigned mask_of(State st) const {
    unsigned v = 0;
    for (unsigned i = 0; i < kSlots; i++) v |= unsigned(m.slot[i].state == st) << i;
    return v;
  }

  void check() {
    unsigned eligible = 0, need = 0;
    for (unsigned i = 0; i < kSlots; i++) {
      const unsigned r = m.reason(m.slot[i]);
      if (!m.halt && r == kWgReasonNotSelected) eligible |= 1u << i;
      for (auto &e : m.slot[i].buffer) need |= unsigned(e.needs_const) << i;
      const unsigned shown = top.reason_o >> (4 * i) & 15;
      ASSERT_EQ(shown, top.view_i ? r : 0u) << "slot " << i;
      seen_reason[r]++;
      const Slot &w = m.slot[i];
      if (w.state == kFree) continue;
      const bool head = !w.buffer.empty() && !w.buffer.front().needs_const, waits = top.long_o >> i & 1;
      ASSERT_EQ(top.mem_o >> i & 1, unsigned(head && w.buffer.front().cls == kLsu)) << "slot " << i;
      if (r == kWgReasonDepLong) ASSERT_TRUE(waits) << "slot " << i;
      if (waits) ASSERT_TRUE(r == kWgReasonDepLong || r == kWgReasonDepShort || r == kWgReasonDepFixed) << "slot " << i;
    }
    ASSERT_EQ(top.eligible_o, eligible);
    ASSERT_EQ(top.const_need_o, need);
  }

  void step() {
    m.busy = 0;
    for (unsigned k = 0; k < 12; k++) m.busy |= unsigned(rng.chance(busy_percent)) << k;
    if (m.busy >> 6 & 1) m.busy |= 1u << 11;             /* none free: at most one free */
    m.busy |= unsigned(rng.chance(busy_percent / 4)) << 12;
    m.halt = rng.chance(2);
    unsigned bound = kSlots;
    drive_states(bound);
    const unsigned f = rng.below(kSlots);
    top.flush_slot_i = uint8_t(f);
    top.flush_valid_i = m.slot[f].state == kBranching && rng.chance(50);
    drive_push(top.flush_valid_i ? f : kSlots, bound);
    drive_releases();
    unsigned held = 0;
    for (unsigned i = 0; i < kSlots; i++) held |= unsigned(m.slot[i].held) << i;
    top.busy_i = uint16_t(m.busy), top.halt_i = m.halt, top.held_i = uint16_t(held);
    top.run_i = uint16_t(mask_of(kRun) | mask_of(kBranching) | mask_of(kAsleep));
    top.branching_i = uint16_t(mask_of(kBranching) | mask_of(kAsleep)), top.idle_i = uint16_t(mask_of(kAsleep));
    top.at_membar_i = uint16_t(mask_of(kAtMembar));
    top.at_barrier_i = uint16_t(mask_of(kAtBarrier)), top.done_i = uint16_t(mask_of(kDone));
    top.valid_i = uint16_t(~mask_of(kFree));
    top.view_i = rng.chance(80), top.withheld_i = uint16_t(rng.chance(50) ? rng.next() : 0);
    top.iss_valid_i = 0, top.const_done_i = 0, top.sel_slot_i = uint8_t(rng.below(kSlots));
    top.clk_i = 0, top.eval();
    check();
    if (::testing::Test::HasFatalFailure()) return;
    issue_and_const();
    top.clk_i = 1, top.eval();
    update(bound);
  }

  void issue_and_const() {
    if (top.eligible_o != 0 && rng.chance(60)) {
      do top.sel_slot_i = uint8_t(rng.below(kSlots));
      while (!(top.eligible_o >> top.sel_slot_i & 1));
      top.iss_valid_i = 1;
    }
    top.iss_live_i = rng.chance(70);
    top.const_slot_i = uint8_t(rng.below(kSlots));
    top.const_done_i = (top.const_need_o >> top.const_slot_i & 1) && rng.chance(80);
    top.const_bad_i = rng.chance(20), top.const_value_i = uint32_t(rng.next());
    top.eval();
    const_imm = top.const_imm_o;
    const unsigned want = top.iss_valid_i ? unsigned(kWgReasonIssued) : m.owner(top.withheld_i);
    ASSERT_EQ(unsigned(top.owner_o), want) << "withheld " << top.withheld_i << " eligible " << top.eligible_o;
    seen_owner[want]++;
    const Slot &w = m.slot[top.sel_slot_i];
    if (w.buffer.empty()) return;
    ASSERT_EQ(unsigned(top.op_o), w.buffer[0].op) << "slot " << int(top.sel_slot_i);
    ASSERT_EQ(top.imm_o, w.buffer[0].imm) << "slot " << int(top.sel_slot_i);
    ASSERT_EQ(top.badpc_o, w.buffer[0].bad_pc);
    ASSERT_EQ(top.badconst_o, w.buffer[0].bad_const);
  }

  void update(unsigned bound) {
    const auto drop = [&](unsigned s, unsigned rd, bool wide) {
      m.slot[s].reg.erase(rd);
      if (wide) m.slot[s].reg.erase(rd + 1);
    };
    if (top.rel_int_valid_i) drop(top.rel_int_slot_i, top.rel_int_rd_i, top.rel_int_wide_i);
    if (top.rel_fp_valid_i) drop(top.rel_fp_slot_i, top.rel_fp_rd_i, false);
    if (top.rel_half_valid_i) drop(top.rel_half_slot_i, top.rel_half_rd_i, false);
    if (top.rel_f64_valid_i) drop(top.rel_f64_slot_i, 2u * top.rel_f64_pair_i, true);
    if (top.rel_var_valid_i) drop(top.rel_var_slot_i, top.rel_var_rd_i, top.rel_var_wide_i);
    for (unsigned p = 0; p < 8; p++) {
      if (top.relp_int_valid_i && (top.relp_int_mask_i >> p & 1)) m.slot[top.relp_int_slot_i].pred.erase(p);
      if (top.relp_half_valid_i && (top.relp_half_mask_i >> p & 1)) m.slot[top.relp_half_slot_i].pred.erase(p);
      if (top.relp_f64_valid_i && (top.relp_f64_mask_i >> p & 1)) m.slot[top.relp_f64_slot_i].pred.erase(p);
    }
    if (top.relp_var_valid_i) m.slot[top.relp_var_slot_i].pred.erase(top.relp_var_pd_i);
    if (top.const_done_i) {
      for (Entry &e : m.slot[top.const_slot_i].buffer) {
        if (!e.needs_const) continue;
        ASSERT_EQ(const_imm, e.imm);
        e.needs_const = false, e.bad_const = top.const_bad_i, e.imm = top.const_value_i;
        break;
      }
    }
    if (top.iss_valid_i) {
      Slot &w = m.slot[top.sel_slot_i];
      const Entry e = w.buffer.front();
      w.buffer.pop_front();
      if (top.iss_live_i) {
        const Kind k = e.global ? kLong : e.cls == kInt || e.cls == kFp || e.cls == kF64 ? kFixed : kShort;
        for (unsigned i = 0; i < 4; i++) if (e.mask[3] >> i & 1) w.reg[(e.reg[3] & 0xfcu) + i] = k;
        for (unsigned i = 0; i < 2; i++) if (e.wp[i]) w.pred[e.pd[i]] = k;
      }
    }
    if (top.push_valid_i) {
      Slot &w = m.slot[top.push_slot_i];
      w.buffer.push_back(pushed[0]);
      if (top.push_two_i) w.buffer.push_back(pushed[1]);
    }
    if (top.flush_valid_i) m.slot[top.flush_slot_i].buffer.clear();
    if (bound < kSlots) m.slot[bound] = Slot(), m.slot[bound].state = kInit;
  }

 private:
  Entry pushed[2];
  uint32_t const_imm = 0;
};

TEST(IssueTest, EveryReasonFollowsTheRules) {
  std::array<unsigned, 16> owners{}, reasons{};
  for (unsigned run = 0; run < 60; run++) {
    Bench b(500 + run);
    b.crowd = run % 2 ? 100 : 5;
    b.bound_slots = run % 4 == 0 ? 16 : 1 + b.rng.below(4);
    b.busy_percent = run % 3 == 0 ? 5 : run % 3 == 1 ? 40 : 85;
    b.regs = 2 + b.rng.below(7), b.release_percent = 10 + b.rng.below(80);
    for (unsigned i = 0; i < 3000; i++) {
      b.step();
      if (::testing::Test::HasFatalFailure()) FAIL() << "run " << run << " cycle " << i;
    }
    for (unsigned r = 0; r < 16; r++) owners[r] += b.seen_owner[r], reasons[r] += b.seen_reason[r];
  }
  for (unsigned r = 0; r < 16; r++) {
    EXPECT_GT(owners[r], 20u) << "owner " << wg_reason_name(uint8_t(r));
    if (r != kWgReasonIssued && r != kWgReasonThrottled) EXPECT_GT(reasons[r], 100u) << wg_reason_name(uint8_t(r));
  }
}

}  // namespace
#endif
