// SPDX-License-Identifier: Apache-2.0
//
// sm_scoreboard for lab 8, in steps, against a model that keeps a list of what is pending and knows nothing of groups
// and bits.
// bench: dir sched
// bench: top sm_scoreboard -GWarpSlots=8
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "Vtop.h"
#include "testbench/rtl/exec/bench_text.h"
#include "testbench/rtl/exec/exec_bench.h"

namespace {

constexpr unsigned kSlots = 8, kHeadBits = 49;
enum Kind { kFixed, kShort, kLong };
enum Port { kInt, kFp, kHalf, kF64, kVar, kPorts };

/** What the next instruction of a slot names. Registers: reg[f] and those of its group of four that mask[f] has. */
struct Head {
  unsigned reg[4] = {}, mask[4] = {}; /* a, b, c, d */
  unsigned preds = 0;
  bool exits = false;
  Head &names(unsigned f, unsigned first, unsigned n = 1) {
    reg[f] = first, mask[f] = ((1u << n) - 1u) << first % 4 & 15u;
    return *this;
  }
};

class Board {
 public:
  Vtop top;
  std::map<unsigned, Kind> regs[kSlots], preds[kSlots];

  Board() {
    quiet();
    top.check_i = 1, top.look_i = 0;
    for (unsigned s = 0; s < kSlots; s++) init(s), edge();
  }
  /* ---- what comes in the cycle that the next edge() ends; the model follows there ---- */
  void init(unsigned s) { top.init_valid_i = 1, top.init_slot_i = uint8_t(s); }
  void set(unsigned s, Kind kind, unsigned reg, unsigned mask, unsigned pred_mask = 0) {
    top.set_valid_i = 1, top.set_slot_i = uint8_t(s), top.set_group_i = uint8_t(reg / 4),
    top.set_mask_i = uint8_t(mask);
    top.set_preds_i = uint8_t(pred_mask), top.set_short_i = kind == kShort, top.set_long_i = kind == kLong;
  }
  void release(Port port, unsigned s, unsigned reg, bool wide = false) {
    const auto slot = uint8_t(s), rd = uint8_t(reg);
    switch (port) {
      case kInt:
        top.rel_int_valid_i = 1, top.rel_int_slot_i = slot, top.rel_int_rd_i = rd, top.rel_int_wide_i = wide;
        break;
      case kFp:
        top.rel_fp_valid_i = 1, top.rel_fp_slot_i = slot, top.rel_fp_rd_i = rd;
        break;
      case kHalf:
        top.rel_half_valid_i = 1, top.rel_half_slot_i = slot, top.rel_half_rd_i = rd;
        break;
      case kF64:
        top.rel_f64_valid_i = 1, top.rel_f64_slot_i = slot, top.rel_f64_pair_i = rd / 2;
        break;
      default:
        top.rel_var_valid_i = 1, top.rel_var_slot_i = slot, top.rel_var_rd_i = rd, top.rel_var_wide_i = wide;
    }
  }
  void release_preds(Port port, unsigned s, unsigned mask) { /* kVar: the predicate's number */
    const auto slot = uint8_t(s), m = uint8_t(mask);
    if (port == kInt) top.relp_int_valid_i = 1, top.relp_int_slot_i = slot, top.relp_int_mask_i = m;
    if (port == kHalf) top.relp_half_valid_i = 1, top.relp_half_slot_i = slot, top.relp_half_mask_i = m;
    if (port == kF64) top.relp_f64_valid_i = 1, top.relp_f64_slot_i = slot, top.relp_f64_mask_i = m;
    if (port == kVar) top.relp_var_valid_i = 1, top.relp_var_slot_i = slot, top.relp_var_pd_i = m;
  }
  /** The edge that ends the cycle. touch_o of the cycle is judged if `judge`. */
  void edge(bool judge = false) {
    settle();
    if (judge) EXPECT_HEX_EQ(top.touch_o, uint8_t(touched())) << "touch_o: a bit for each slot";
    follow();
    top.clk_i = 1, top.eval();
    quiet();
  }
  /** The heads of the slots of `look` are asked about; the answers are those of the model. */
  void ask(const Head *heads, unsigned look, bool check = true) {
    for (unsigned w = 0; w < 13; w++) top.head_i[w] = 0;
    for (unsigned s = 0; s < kSlots; s++) put(s, heads[s]);
    top.look_i = uint8_t(look), top.check_i = check;
    settle();
    for (unsigned s = 0; s < kSlots; s++) {
      const unsigned want = look >> s & 1u ? waits(s, heads[s], check) : 0u;
      const unsigned got =
          unsigned(top.fixed_o >> s & 1) | unsigned(top.short_o >> s & 1) << 1 | unsigned(top.long_o >> s & 1) << 2;
      EXPECT_EQ(text(got), text(want)) << "what slot " << s << " waits for; " << say(s, heads[s]);
    }
    top.look_i = 0;
  }
  /** One head of one slot. */
  void ask(unsigned s, const Head &h, bool check = true) {
    Head heads[kSlots];
    heads[s] = h;
    ask(heads, 1u << s, check);
  }

 private:
  void settle() { top.clk_i = 0, top.eval(); }
  void quiet() {
    top.init_valid_i = top.set_valid_i = top.set_short_i = top.set_long_i = 0;
    top.rel_int_valid_i = top.rel_fp_valid_i = top.rel_half_valid_i = top.rel_f64_valid_i = top.rel_var_valid_i = 0;
    top.relp_int_valid_i = top.relp_half_valid_i = top.relp_f64_valid_i = top.relp_var_valid_i = 0;
  }
  static std::string text(unsigned kinds) {
    const std::string s =
        std::string(kinds & 1 ? " fixed" : "") + (kinds & 2 ? " short" : "") + (kinds & 4 ? " long" : "");
    return s.empty() ? "nothing" : s.substr(1);
  }
  std::string say(unsigned s, const Head &h) const {
    std::string t = h.exits ? "an EXIT" : "it names";
    for (unsigned f = 0; f < 4; f++) {
      for (unsigned k = 0; k < 4; k++) {
        if (h.mask[f] >> k & 1) t += std::string(" ") + "abcd"[f] + ":R" + std::to_string(h.reg[f] / 4 * 4 + k);
      }
    }
    for (unsigned k = 0; k < 8; k++)
      if (h.preds >> k & 1) t += " P" + std::to_string(k);
    t += "; pending:";
    for (auto &r : regs[s]) t += " R" + std::to_string(r.first) + "(" + text(1u << r.second) + ")";
    for (auto &p : preds[s]) t += " P" + std::to_string(p.first) + "(" + text(1u << p.second) + ")";
    return t;
  }
  void put(unsigned s, const Head &h) {
    uint64_t v = uint64_t(h.exits) << 48 | h.preds;
    for (unsigned f = 0; f < 4; f++) v |= uint64_t(h.reg[f] / 4) << (42 - 6 * f) | uint64_t(h.mask[f]) << (20 - 4 * f);
    for (unsigned i = 0; i < kHeadBits; i++) {
      const unsigned at = kHeadBits * s + i;
      top.head_i[at / 32] |= uint32_t(v >> i & 1u) << at % 32;
    }
  }
  unsigned waits(unsigned s, const Head &h, bool check) const {
    unsigned kinds = 0;
    for (auto &[r, kind] : regs[s]) {
      for (unsigned f = 0; f < 4; f++) {
        if (check && r / 4 == h.reg[f] / 4 && (h.mask[f] >> r % 4 & 1) != 0) kinds |= 1u << kind;
      }
      if (h.exits && kind != kLong) kinds |= 1u << kShort;
    }
    for (auto &[p, kind] : preds[s]) {
      if (check && (h.preds >> p & 1) != 0) kinds |= 1u << kind;
      if (h.exits) kinds |= 1u << kShort;
    }
    return kinds;
  }
  unsigned touched() const {
    unsigned t = 0;
    const auto by = [&](bool valid, unsigned slot) { t |= unsigned(valid) << slot; };
    by(top.init_valid_i, top.init_slot_i), by(top.set_valid_i, top.set_slot_i);
    by(top.rel_int_valid_i, top.rel_int_slot_i), by(top.rel_fp_valid_i, top.rel_fp_slot_i);
    by(top.rel_half_valid_i, top.rel_half_slot_i), by(top.rel_f64_valid_i, top.rel_f64_slot_i);
    by(top.rel_var_valid_i, top.rel_var_slot_i), by(top.relp_int_valid_i, top.relp_int_slot_i);
    by(top.relp_half_valid_i, top.relp_half_slot_i), by(top.relp_f64_valid_i, top.relp_f64_slot_i);
    by(top.relp_var_valid_i, top.relp_var_slot_i);
    return t;
  }
  void follow() { /* the model in this cycle: releases, then what issues, then init */
    const auto drop = [&](unsigned s, unsigned r) { regs[s].erase(r); };
    const auto wide = [&](unsigned s, unsigned r, bool two) { /* the second one of the same group only */
                                                              drop(s, r);
                                                              if (two && r % 4 != 3) drop(s, r + 1);
    };
    if (top.rel_int_valid_i) wide(top.rel_int_slot_i, top.rel_int_rd_i, top.rel_int_wide_i);
    if (top.rel_var_valid_i) wide(top.rel_var_slot_i, top.rel_var_rd_i, top.rel_var_wide_i);
    if (top.rel_fp_valid_i) drop(top.rel_fp_slot_i, top.rel_fp_rd_i);
    if (top.rel_half_valid_i) drop(top.rel_half_slot_i, top.rel_half_rd_i);
    if (top.rel_f64_valid_i)
      drop(top.rel_f64_slot_i, top.rel_f64_pair_i * 2u), drop(top.rel_f64_slot_i, top.rel_f64_pair_i * 2u + 1);
    const auto drop_preds = [&](unsigned s, unsigned mask) {
      for (unsigned k = 0; k < 8; k++)
        if (mask >> k & 1) preds[s].erase(k);
    };
    if (top.relp_int_valid_i) drop_preds(top.relp_int_slot_i, top.relp_int_mask_i);
    if (top.relp_half_valid_i) drop_preds(top.relp_half_slot_i, top.relp_half_mask_i);
    if (top.relp_f64_valid_i) drop_preds(top.relp_f64_slot_i, top.relp_f64_mask_i);
    if (top.relp_var_valid_i) drop_preds(top.relp_var_slot_i, 1u << top.relp_var_pd_i);
    if (top.set_valid_i) {
      const unsigned s = top.set_slot_i;
      const Kind kind = top.set_short_i ? kShort : top.set_long_i ? kLong : kFixed;
      for (unsigned k = 0; k < 4; k++)
        if (top.set_mask_i >> k & 1) regs[s][top.set_group_i * 4u + k] = kind;
      for (unsigned k = 0; k < 8; k++)
        if (top.set_preds_i >> k & 1) preds[s][k] = kind == kShort ? kShort : kFixed;
    }
    if (top.init_valid_i) regs[top.init_slot_i].clear(), preds[top.init_slot_i].clear();
  }
};

TEST(ScoreboardLab, ReadAfterWrite) {
  Board b;
  for (unsigned reg : {0u, 1u, 6u, 100u, 254u}) {
    b.set(2, kFixed, reg, 1u << reg % 4), b.edge();
    for (unsigned f = 0; f < 3; f++) {
      b.ask(2, Head().names(f, reg));      /* reads it: waits */
      b.ask(2, Head().names(f, reg ^ 4u)); /* reads another one: does not */
      b.ask(2, Head().names(f, reg ^ 64u));
    }
    b.ask(3, Head().names(0, reg)); /* another warp */
    b.edge(), b.edge();
    b.ask(2, Head().names(0, reg)); /* it waits until the result is there */
    b.release(kInt, 2, reg);
    b.ask(2, Head().names(0, reg)); /* and in this cycle still */
    b.edge();
    b.ask(2, Head().names(0, reg)); /* in the next one no more */
  }
}

TEST(ScoreboardLab, WriteAfterWrite) {
  Board b;
  b.set(1, kFixed, 9, 2), b.edge();
  b.ask(1, Head().names(3, 9));
  b.ask(1, Head().names(3, 14).names(0, 19));
  b.ask(1, Head().names(3, 12).names(2, 9));
  b.release(kFp, 1, 9), b.edge();
  b.ask(1, Head().names(3, 9));
}

TEST(ScoreboardLab, GroupsOfFour) {
  Board b;
  bench::Rng rng(21);
  for (unsigned n = 0; n < 400; n++) {
    const unsigned reg = rng.below(64) * 4;
    const auto port = Port(rng.below(kPorts));
    b.set(0, kFixed, reg, 1 + rng.below(15)), b.edge();
    for (unsigned k = 0; k < 4; k++) b.ask(0, Head().names(rng.below(2), reg + k));
    b.ask(0, Head().names(0, reg, 2).names(1, reg + 2, 2));
    b.ask(0, Head().names(rng.below(2), reg, 4));
    b.release(port, 0, reg + rng.below(4), rng.chance(50)), b.edge();
    for (unsigned k = 0; k < 4; k++) b.ask(0, Head().names(rng.below(2), reg + k));
    if (n % 8 == 7) b.init(0), b.edge();
    if (HasFailure()) FAIL() << "round " << n;
  }
}

TEST(ScoreboardLab, Kinds) {
  Board b;
  bench::Rng rng(22);
  b.set(0, kLong, 5, 2), b.edge();
  b.set(0, kShort, 10, 4), b.edge();
  b.set(0, kFixed, 15, 8), b.edge();
  for (unsigned r : {5u, 10u, 15u, 20u}) b.ask(0, Head().names(0, r));
  b.ask(0, Head().names(0, 5).names(1, 10));
  b.ask(0, Head().names(1, 15).names(0, 5));
  b.ask(0, Head().names(1, 15).names(0, 10));
  for (unsigned n = 0; n < 300; n++) { /* a register is written anew by another kind */
    const unsigned reg = 5 * rng.below(4);
    b.set(0, Kind(rng.below(3)), reg, 1u << reg % 4), b.edge();
    b.ask(0, Head().names(0, 5 * rng.below(4)).names(1, 5 * rng.below(4)));
    b.release(kVar, 0, 5 * rng.below(4)), b.edge();
    if (HasFailure()) FAIL() << "round " << n;
  }
}

Head preds(unsigned mask) {
  Head h;
  h.preds = mask;
  return h;
}

TEST(ScoreboardLab, Predicates) {
  Board b;
  bench::Rng rng(23);
  for (unsigned n = 0; n < 400; n++) {
    const auto port = Port(rng.below(kPorts));
    b.set(0, Kind(rng.below(3)), rng.below(8), rng.below(3), 1u << rng.below(7) | 1u << rng.below(7)), b.edge();
    b.ask(0, preds(rng.below(128)));
    b.ask(0, preds(1u << rng.below(7)));
    b.ask(0, preds(0).names(0, 12, 4)); /* registers have their own entries */
    b.release_preds(port, 0, port == kVar ? rng.below(7) : rng.below(128)), b.edge();
    b.ask(0, preds(127));
    if (n % 16 == 15) b.init(0), b.edge(), b.ask(0, preds(127)); /* bound anew: nothing is pending */
    if (HasFailure()) FAIL() << "round " << n;
  }
}

TEST(ScoreboardLab, InOneCycle) {
  Board b;
  for (unsigned port = 0; port < kPorts; port++) { /* released and set: it is pending */
    b.set(0, kFixed, 8, 1, 2), b.edge();
    b.set(0, kShort, 8, 1, 2), b.release(Port(port), 0, 8), b.release_preds(Port(port), 0, port == kVar ? 1 : 2),
        b.edge();
    b.ask(0, preds(2).names(0, 8));
    b.init(0), b.edge();
  }
  for (unsigned r = 0; r < 16; r++) b.set(0, kShort, r, 1u << r % 4, r < 8 ? 1u << r : 0), b.edge();
  b.release(kInt, 0, 0, true), b.release(kFp, 0, 3), b.release(kHalf, 0, 2), b.release(kF64, 0, 6),
      b.release(kVar, 0, 9, true);
  b.release_preds(kInt, 0, 1), b.release_preds(kHalf, 0, 6), b.release_preds(kF64, 0, 8), b.release_preds(kVar, 0, 4);
  b.edge();
  for (unsigned r = 0; r < 16; r++) b.ask(0, preds(r < 8 ? 1u << r : 0).names(r % 2, r));
  b.set(0, kFixed, 20, 15, 15), b.init(0), b.edge(); /* bound anew: nothing is pending */
  b.ask(0, preds(255).names(0, 20, 4));
}

TEST(ScoreboardLab, Exit) {
  Head exit;
  exit.exits = true;
  for (bool check : {true, false}) {
    Board b;
    b.ask(0, exit, check);
    for (unsigned reg : {3u, 77u, 254u}) {
      for (Kind kind : {kFixed, kShort, kLong}) {
        b.set(0, kind, reg, 1u << reg % 4), b.edge();
        b.ask(0, exit, check); /* for all of them, but those of global loads */
        b.release(kVar, 0, reg), b.edge();
        b.ask(0, exit, check);
      }
    }
    b.set(0, kLong, 1, 2, 4), b.edge();
    b.ask(0, exit, check); /* for the predicate */
    b.release_preds(kVar, 0, 2), b.edge();
    b.ask(0, exit, check);
  }
}

/** A random cycle; the heads of some slots are asked about before its edge. regs: registers in use. */
void random_cycle(Board &b, bench::Rng &rng, unsigned regs, bool touch) {
  const auto slot = [&] { return rng.below(rng.chance(70) ? 2 : kSlots); };
  const auto some = [&] { return rng.below(regs); };
  if (rng.chance(60)) b.set(slot(), Kind(rng.below(3)), some(), rng.below(16), rng.chance(30) ? rng.below(128) : 0);
  for (unsigned p = 0; p < kPorts; p++) {
    if (rng.chance(30)) b.release(Port(p), slot(), some(), rng.chance(40));
    if (rng.chance(15)) b.release_preds(Port(p), slot(), p == kVar ? rng.below(7) : rng.below(128));
  }
  if (rng.chance(2)) b.init(slot());
  Head heads[kSlots];
  for (auto &h : heads) {
    for (unsigned f = 0; f < 4; f++) h.reg[f] = some(), h.mask[f] = rng.chance(50) ? rng.below(16) : 0;
    h.preds = rng.chance(50) ? rng.below(128) : 0;
    h.exits = rng.chance(20);
  }
  b.ask(heads, rng.chance(20) ? 0xff : rng.below(256), rng.chance(90));
  b.edge(touch);
}

TEST(ScoreboardLab, SlotsAreApart) {
  Board b;
  for (unsigned s = 0; s < kSlots; s++) b.set(s, kFixed, 32 + 4 * s, 1), b.edge();
  Head heads[kSlots];
  for (unsigned r = 32; r < 64; r += 4) {
    for (unsigned s = 0; s < kSlots; s++) heads[s] = Head().names(s / 4, r);
    b.ask(heads, 0xff);
  }
  for (unsigned s = 0; s < kSlots; s++) {
    b.init(s), b.edge(); /* of this slot alone */
    for (unsigned r = 32; r < 64; r += 8) {
      for (auto &h : heads) h = Head().names(0, r).names(1, r + 4);
      b.ask(heads, 0xff);
    }
  }
}

TEST(ScoreboardLab, TouchLookCheck) {
  Board b;
  bench::Rng rng(24);
  for (unsigned s = 0; s < kSlots; s++) b.set(s, kFixed, 0, 15, 127), b.edge(true);
  Head heads[kSlots];
  for (auto &h : heads) h = preds(127).names(0, 0, 4);
  for (unsigned look = 0; look < 256; look++) b.ask(heads, look, look % 2 == 0);
  for (unsigned n = 0; n < 500; n++) {
    random_cycle(b, rng, 16, true);
    if (HasFailure()) FAIL() << "cycle " << n;
  }
}

TEST(ScoreboardLab, EverythingAtRandom) {
  for (unsigned run = 0; run < 4; run++) {
    Board b;
    bench::Rng rng(30 + run);
    for (unsigned n = 0; n < 5000; n++) {
      random_cycle(b, rng, run % 2 == 0 ? 12 : 256, false);
      if (HasFailure()) FAIL() << "cycle " << n << " of run " << run;
    }
  }
}

} // namespace
