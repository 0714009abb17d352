// SPDX-License-Identifier: Apache-2.0
//
// sm_its for lab 5, in steps: an if, ifs in ifs, turns, exits, convergence barriers, WARPSYNC, block barriers, sleep,
// targets. Running pc, mask and the lanes that are gone are kept here, as sm_diverge keeps them; what they become must
// be the twin's.
// bench: dir diverge
// bench: top sm_its -GWarpSlots=8
// bench: link model/twin/simt_stack.c model/twin/diverge.c isa/wg_isa.c
#include <gtest/gtest.h>

#include <vector>

#include "Vtop.h"
#include "isa/wg_isa.h"
#include "model/twin/diverge.h"
#include "testbench/rtl/exec/bench_text.h"
#include "testbench/rtl/exec/exec_bench.h"

namespace {

constexpr unsigned kSlots = 8;
constexpr uint32_t kPcMask = (1u << kWgPcBits) - 1u;
enum { kBarLsb = 29, kBarWarpLsb = 56, kBarLanesLsb = 66, kWarp = 9, kBlock = 5 }; // of sm_pkg::bar_req_t

/** What an instruction names besides its lanes. */
struct Operands {
  uint32_t target = 0;
  unsigned breg = 0;
  uint32_t value = 0;
  wg_bar_arrival_t bar = {};
  uint32_t row[32] = {};
};

class Its {
 public:
  bool strict = false; /* whoever runs next must be the twin's choice too; else anybody who may run */
  Vtop top;
  wg_diverge_cfg_t cfg;
  wg_diverge_t twin[kSlots];
  unsigned cycles = 0; /* of the last operation */
  unsigned joined = 0, switches = 0, arrivals = 0;

  explicit Its(unsigned order = kWgSplitH200) : cfg{true, uint8_t(order), 0} {
    top.rst_ni = 0, top.kill_i = top.en_i = top.step_i = top.init_valid_i = top.breg_re_i = top.bar_ready_i = 0;
    top.order_i = uint8_t(order);
    edge(), edge();
    top.rst_ni = 1;
    for (unsigned s = 0; s < kSlots; s++) bind(s, 0x1000, ~0u);
  }
  void settle() { top.clk_i = 0, top.eval(); }
  void edge() {
    settle();
    top.clk_i = 1, top.eval();
  }
  void bind(unsigned s, uint32_t pc, uint32_t mask, uint16_t seed = 1) {
    cfg.seed = seed;
    top.init_valid_i = 1, top.init_slot_i = uint8_t(s), top.seed_i = seed;
    edge();
    top.init_valid_i = 0;
    wg_diverge_reset(&twin[s], &cfg, pc, mask);
  }
  bool runs(unsigned s) const { return twin[s].mask != 0; }

  /** The issue of an instruction that the unit does not resolve, and the switch that may have to follow. */
  void plain(unsigned s) {
    bool due = wg_diverge_issued(&twin[s], false);
    issue(s, true, &due);
    if (!due || ::testing::Test::HasFatalFailure()) return;
    const wg_diverge_t before = twin[s];
    wg_diverge_switch(&twin[s]);
    switches++;
    resolve(s, kWgDivSwitch, 0, Operands{}, before, false, nullptr);
  }
  /** One control instruction: its issue, then its resolution. */
  void step(unsigned s, uint8_t op, uint32_t exec, const Operands &o = {}) {
    bool due = false;
    wg_diverge_issued(&twin[s], true);
    issue(s, false, &due);
    const wg_diverge_t before = twin[s];
    wg_diverge_in_t in{};
    in.op = op, in.breg = uint8_t(o.breg), in.target = o.target, in.exec = exec, in.value = o.value,
    in.lane_target = o.row, in.bar = o.bar;
    in.bar.lanes = exec;
    const wg_diverge_out_t want = wg_diverge_step(&twin[s], &in);
    bool one = true;
    for (unsigned l = 0; l < 32; l++) one = one && ((exec >> l & 1u) == 0 || o.row[l] == o.row[__builtin_ctz(exec)]);
    const bool indirect = op == kWgOp_RET || op == kWgOp_BRX;
    const bool jump = op == kWgOp_BRA || op == kWgOp_CALL || (indirect && one && exec == before.mask);
    if ((twin[s].mask & ~before.mask) != 0 && (twin[s].mask & before.mask) != 0) joined++;
    resolve(s, op, exec, o, before, jump, &want);
  }
  void release(unsigned s) {
    const wg_diverge_t before = twin[s];
    wg_diverge_release(&twin[s]);
    resolve(s, kWgDivRelease, 0, Operands{}, before, false, nullptr);
  }
  void wake(unsigned s) {
    const wg_diverge_t before = twin[s];
    wg_diverge_wake(&twin[s]);
    resolve(s, kWgDivWake, 0, Operands{}, before, false, nullptr);
  }
  /** BMOV.RD. */
  void read_breg(unsigned s, unsigned b) {
    if (!runs(s)) return;
    top.breg_re_i = 1, top.breg_slot_i = uint8_t(s), top.breg_idx_i = uint8_t(b), top.breg_run_i = twin[s].mask;
    settle();
    const unsigned lane = unsigned(__builtin_ctz(twin[s].mask));
    EXPECT_HEX_EQ(top.breg_mask_o, wg_diverge_breg(&twin[s], b, lane))
        << "mask of B" << b << " of the lowest running lane";
    top.breg_re_i = 0;
  }

 private:
  /** due: is a switch due? */
  void issue(unsigned s, bool plain, bool *due) {
    top.step_i = 1, top.plain_i = plain, top.step_slot_i = uint8_t(s);
    settle();
    const bool says = top.switch_o != 0;
    if (strict || !plain || twin[s].ready == 0)
      EXPECT_EQ(says, *due) << "switch_o, " << twin[s].run << " issues after the choice";
    *due = says;
    edge();
    top.step_i = 0;
    settle();
    ASSERT_FALSE(top.switch_o) << "switch_o without an issue";
  }
  void drive(unsigned s, uint8_t op, uint32_t exec, const Operands &o, const wg_diverge_t &before, bool jump) {
    const bool indirect = op == kWgOp_RET || op == kWgOp_BRX;
    top.slot_i = uint8_t(s), top.op_i = op, top.jump_i = jump, top.breg_i = uint8_t(o.breg), top.pc_i = before.pc;
    top.target_i = indirect ? o.row[__builtin_ctz(exec)] : o.target;
    top.value_i = o.value, top.exec_i = exec, top.preds_i = o.bar.preds;
    for (unsigned l = 0; l < 32; l++) top.row_i[l] = o.row[l];
    for (unsigned i = 0; i < 4; i++) top.bar_i[i] = 0;
    const uint64_t b = uint64_t(kBlock) << 32 | uint64_t(kWarp) << 27 | uint64_t(o.bar.id) << 23 |
                       uint64_t(o.bar.arrive_only) << 22 | uint64_t(o.bar.has_count) << 21 |
                       uint64_t(o.bar.count) << 9 | uint64_t(o.bar.red) << 7;
    for (unsigned i = 0; i < 37; i++) top.bar_i[(kBarLsb + i) / 32] |= uint32_t(b >> i & 1u) << (kBarLsb + i) % 32;
  }
  static uint64_t bits(const VlWide<4> &w, unsigned lsb, unsigned n) {
    uint64_t v = 0;
    for (unsigned i = 0; i < n; i++) v |= uint64_t(w[(lsb + i) / 32] >> ((lsb + i) % 32) & 1u) << i;
    return v;
  }
  /** The unit lets others run than the twin: let the twin follow, if they are all the lanes that could run at their pc.
   */
  void follow(unsigned s, uint32_t pc, uint32_t mask) {
    uint32_t there = twin[s].pc == pc ? twin[s].mask : 0u;
    for (uint32_t m = twin[s].ready; m != 0; m &= m - 1u) {
      if (twin[s].lane_pc[__builtin_ctz(m)] == pc) there |= m & ~(m - 1u);
    }
    if (there == mask) wg_diverge_follow(&twin[s], pc, mask);
  }
  /** An operation until it is done; the outcome is what the twin has become. want: of an instruction. */
  void resolve(unsigned s, uint8_t op, uint32_t exec, const Operands &o, const wg_diverge_t &before, bool jump,
               const wg_diverge_out_t *want) {
    uint32_t mask = before.mask, gone = before.gone, next = 0;
    bool done = false, redirect = false, idle = false;
    unsigned waits = 0;
    drive(s, op, exec, o, before, jump);
    for (cycles = 0; !done && cycles < 600; cycles++) {
      top.en_i = 1, top.mask_i = mask, top.gone_i = gone;
      settle();
      done = top.done_o, redirect = top.redirect_o, idle = top.idle_o, next = top.next_pc_o;
      ASSERT_FALSE(redirect && !done) << "redirect_o before done_o";
      mask = top.mask_o, gone = top.gone_o, waits += top.bar_wait_o;
      edge();
    }
    top.en_i = 0, top.exec_i = 0, top.mask_i = 0, top.op_i = 0;
    settle();
    const char *name = op < 0xf0             ? wg_insn_info(op)->mnemonic
                       : op == kWgDivSwitch  ? "OpSwitch"
                       : op == kWgDivRelease ? "OpRelease"
                                             : "OpWake";
    ASSERT_TRUE(done) << name << ": it is not done after 600 cycles";
    const wg_diverge_t &t = twin[s];
    const uint32_t goes_on = redirect ? next : op < 0xf0 ? (before.pc + 16u) & kPcMask : before.pc;
    if (!strict && mask != 0 && (mask != t.mask || goes_on != t.pc)) follow(s, goes_on, mask);
    ASSERT_HEX_EQ(gone, t.gone) << name << ": lanes that are gone";
    ASSERT_HEX_EQ(mask, t.mask) << name << ": running lanes";
    if (t.mask != 0) ASSERT_HEX_EQ(goes_on, t.pc) << name << ": where it goes on";
    ASSERT_EQ(idle, t.mask == 0 && t.gone != ~0u) << name << ": idle_o";
    const bool arrives = want != nullptr && want->arrives;
    ASSERT_EQ(waits, unsigned(arrives && !want->bar.arrive_only)) << name << ": cycles with bar_wait_o";
    ASSERT_EQ(top.bar_valid_o != 0, arrives) << name << ": does the warp arrive?";
    if (arrives) check_arrival(name, want->bar);
  }
  void check_arrival(const char *name, const wg_bar_arrival_t &a) {
    const uint64_t sum = a.red != 0 ? uint64_t(__builtin_popcount(a.preds & a.lanes)) : 0;
    const uint64_t bar = uint64_t(a.id) << 23 | uint64_t(a.arrive_only) << 22 | uint64_t(a.has_count) << 21 |
                         uint64_t(a.count) << 9 | uint64_t(a.red) << 7 | sum << 1 | uint64_t((a.lanes & ~a.preds) != 0);
    arrivals++;
    for (int wait = 0; wait < 2; wait++) { /* until it is taken */
      ASSERT_TRUE(top.bar_valid_o) << name << ": an arrival waits for bar_ready_i";
      ASSERT_PRED_FORMAT2(bench::SameArrival, bits(top.bar_o, kBarLsb, 27), bar) << name << ": the arrival";
      const auto warp = uint8_t(bits(top.bar_o, kBarWarpLsb, 5)), block = uint8_t(bits(top.bar_o, kBarWarpLsb + 5, 5));
      ASSERT_PRED_FORMAT2(bench::SameHex{"bar_o.warp"}, warp, uint8_t(kWarp)) << name << ": the arrival";
      ASSERT_PRED_FORMAT2(bench::SameHex{"bar_o.block"}, block, uint8_t(kBlock)) << name << ": the arrival";
      ASSERT_PRED_FORMAT2(bench::SameHex{"bar_o.lanes"}, uint32_t(bits(top.bar_o, kBarLanesLsb, 32)), a.lanes)
          << name << ": the arrival";
      top.bar_ready_i = wait == 1;
      edge();
    }
    top.bar_ready_i = 0;
    settle();
    ASSERT_FALSE(top.bar_valid_o) << name << ": a taken arrival goes on";
  }
};

#define STEP(...) ASSERT_NO_FATAL_FAILURE(b.step(__VA_ARGS__))
#define PLAIN(...) ASSERT_NO_FATAL_FAILURE(b.plain(__VA_ARGS__))
Operands to(uint32_t target, unsigned breg = 0) {
  Operands o;
  o.target = target, o.breg = breg;
  return o;
}

TEST(ItsLab, AnIfRejoins) {
  for (uint32_t lanes : {0x1u, 0xffffu, 0xaaaaaaaau, 0x7fffffffu}) {
    Its b;
    STEP(0, kWgOp_BSSY, ~0u, to(0, 1));
    STEP(0, kWgOp_BRA, lanes, to(0x2000)); /* some branch away and could run, the others go on */
    PLAIN(0);
    STEP(0, kWgOp_BSYNC, ~lanes, to(0, 1)); /* these wait: now the first run */
    STEP(0, kWgOp_BRA, lanes, to(0x1030));  /* all of them go to the BSYNC */
    STEP(0, kWgOp_BSYNC, lanes, to(0, 1));  /* all are there */
    EXPECT_EQ(b.twin[0].mask, ~0u);
    STEP(0, kWgOp_EXIT, ~0u);
  }
}

/** Structured code: an instruction every 16 bytes from 0x1000. */
struct Insn {
  uint8_t op;
  uint32_t lanes; /* whose guard holds */
  Operands o;
};
constexpr uint8_t kPlain = kWgOp_NOP;

void emit_if(std::vector<Insn> *code, bench::Rng &rng, unsigned depth, unsigned exits) {
  auto pc = [&] { return 0x1000u + 16u * uint32_t(code->size()); };
  auto body = [&] {
    for (unsigned n = rng.below(3); n > 0; n--) code->push_back({kPlain, ~0u, {}});
    if (rng.chance(exits)) code->push_back({kWgOp_EXIT, uint32_t(rng.next() & rng.next()), {}});
    for (unsigned n = rng.below(3); depth < 4 && n > 0; n--) emit_if(code, rng, depth + 1, exits);
  };
  const unsigned breg = rng.chance(50) ? depth : 15 - depth;
  code->push_back({kWgOp_BSSY, ~0u, to(0, breg)});
  const size_t branch = code->size();
  const unsigned kind = rng.below(8);
  code->push_back({kWgOp_BRA, kind == 0 ? ~0u : kind == 1 ? 0u : uint32_t(rng.next()), {}});
  body();
  const size_t over = code->size();
  code->push_back({kWgOp_BRA, ~0u, {}});
  (*code)[branch].o.target = pc();
  body();
  (*code)[over].o.target = pc();
  code->push_back({kWgOp_BSYNC, ~0u, to(0, breg)});
}

/** Run a program with all slots in turn until all warps have ended. */
void run_code(Its &b, const std::vector<Insn> &code, bench::Rng &rng, unsigned slots) {
  for (unsigned s = 0; s < slots; s++) {
    const uint32_t mask = rng.chance(50) ? ~0u : uint32_t(rng.next()) | 1u;
    b.bind(s, 0x1000, mask, uint16_t(rng.next()));
  }
  unsigned left = slots;
  for (unsigned n = 0; left > 0 && n < 400000; n++) {
    const unsigned s = rng.below(slots);
    const wg_diverge_t &t = b.twin[s];
    if (wg_diverge_ended(&t)) continue;
    ASSERT_TRUE(b.runs(s)) << "the program is such that somebody can run";
    const Insn &i = code[(t.pc - 0x1000u) / 16u];
    const uint32_t exec = i.op == kWgOp_BSSY || i.op == kWgOp_BSYNC ? t.mask : t.mask & i.lanes;
    if (i.op == kPlain || exec == 0) b.plain(s);
    else b.step(s, i.op, exec, i.o);
    if (::testing::Test::HasFatalFailure()) FAIL() << "slot " << s << ", step " << n;
    left -= wg_diverge_ended(&t);
  }
  ASSERT_EQ(left, 0u) << "not all warps have ended";
}

void structured(unsigned stream, unsigned order, unsigned exits, unsigned slots, unsigned programs) {
  bench::Rng rng(stream);
  unsigned joined = 0;
  for (unsigned n = 0; n < programs; n++) {
    std::vector<Insn> code;
    for (unsigned k = 0; k < 4; k++) emit_if(&code, rng, 0, exits);
    code.push_back({kWgOp_EXIT, ~0u, {}});
    Its b(order);
    run_code(b, code, rng, slots);
    if (::testing::Test::HasFatalFailure()) FAIL() << "program " << n;
    joined += b.joined;
  }
  EXPECT_GT(joined, 10u);
}

TEST(ItsLab, IfsInIfs) { structured(51, kWgSplitH200, 0, 1, 20); }
TEST(ItsLab, WarpsHaveTheirOwnState) { structured(52, kWgSplitAlternate, 2, kSlots, 8); }
TEST(ItsLab, ExitsLetTheOthersGo) { structured(53, kWgSplitH200, 12, 1, 20); }

TEST(ItsLab, SplitsTakeTurns) {
  for (unsigned order = 0; order < 3; order++) {
    bench::Rng rng(60 + order);
    Its b(order);
    b.strict = true;
    b.bind(0, 0x1000, ~0u, 0x1234), b.bind(1, 0x1000, ~0u, 0);
    for (unsigned s = 0; s < 2; s++) {
      STEP(s, kWgOp_BRA, 0x0000ff00u, to(0x2000)); /* the lanes that branch do not go first */
      STEP(s, kWgOp_BRA, 0x00ff00ffu, to(0x3000));
      for (unsigned n = 0; n < 4500; n++) {
        if (rng.chance(2) && n > 1200) STEP(s, kWgOp_BRA, b.twin[s].mask, to(b.twin[s].pc)); /* spins */
        else PLAIN(s);
      }
    }
    EXPECT_GT(b.switches, 3u) << "order " << order;
  }
}

/** Weights of what random instructions are, and the number of B registers that they use. */
struct Mix {
  unsigned bssy = 0, bra = 0, bsync = 0, exit = 1, brk = 0, sync = 0, bmov = 0, bar = 0, sleep = 0, yield = 0;
  unsigned indirect = 0, plain = 10, bregs = 3;
};

uint8_t draw(bench::Rng &rng, const Mix &m) {
  const std::pair<uint8_t, unsigned> all[] = {
      {kWgOp_BSSY, m.bssy},    {kWgOp_BRA, m.bra},         {kWgOp_BSYNC, m.bsync}, {kWgOp_EXIT, m.exit},
      {kWgOp_BREAK, m.brk},    {kWgOp_WARPSYNC, m.sync},   {kWgOp_BMOVB, m.bmov},  {kWgOp_BAR, m.bar},
      {kWgOp_BARRED, m.bar},   {kWgOp_NANOSLEEP, m.sleep}, {kWgOp_YIELD, m.yield}, {kWgOp_BRX, m.indirect},
      {kWgOp_RET, m.indirect}, {kPlain, m.plain}};
  unsigned sum = 0;
  for (auto &a : all) sum += a.second;
  unsigned at = rng.below(sum);
  for (auto &a : all) {
    if (at < a.second) return a.first;
    at -= a.second;
  }
  return kPlain;
}

Operands operands(bench::Rng &rng, const wg_diverge_t &t, uint8_t op, uint32_t exec, const Mix &m) {
  Operands o;
  o.breg = rng.below(m.bregs);
  o.target = 0x1000u + 16u * rng.below(12); /* few, so that splits meet again */
  o.value = rng.chance(40) ? ~0u : rng.chance(50) ? t.mask : uint32_t(rng.next());
  const unsigned kinds = rng.chance(50) ? 1 : 3;
  for (unsigned l = 0; l < 32; l++)
    o.row[l] = op == kWgOp_BMOVB ? (rng.chance(50) ? exec : o.value)
                                 : 0x1000u + 16u * (o.target / 16u % 4u + rng.below(kinds));
  o.bar.id = uint8_t(rng.chance(95) ? 3 : rng.below(16));
  o.bar.arrive_only = op == kWgOp_BAR && rng.chance(30);
  o.bar.has_count = rng.chance(20);
  o.bar.count = o.bar.has_count ? 64 : 0;
  o.bar.red = op == kWgOp_BARRED ? uint8_t(1 + rng.below(3)) : uint8_t(0);
  o.bar.preds = rng.chance(20) ? exec : uint32_t(rng.next()) & exec;
  if (t.bar_lanes != 0 && rng.chance(90)) { /* usually what the gathered lanes wait for */
    o.bar.has_count = t.bar.has_count, o.bar.count = t.bar.count, o.bar.id = t.bar.id;
    o.bar.arrive_only = t.bar.arrive_only && op == kWgOp_BAR;
    if (op == kWgOp_BARRED && t.bar.red != 0) o.bar.red = t.bar.red;
  }
  return o;
}

/** Random instructions of some slots; a warp of which no lane can run any more is woken, released or bound anew. */
void random_code(Its &b, bench::Rng &rng, unsigned steps, unsigned slots, const Mix &m) {
  for (unsigned n = 0; n < steps; n++) {
    const unsigned s = rng.below(slots);
    const wg_diverge_t &t = b.twin[s];
    if (t.bar_sent && (!b.runs(s) || rng.chance(10))) b.release(s);
    else if (t.asleep != 0 && (!b.runs(s) || rng.chance(10))) b.wake(s);
    else if (!b.runs(s) || rng.chance(1))
      b.bind(s, 0x1000, rng.chance(50) ? ~0u : uint32_t(rng.next()) | 2u, uint16_t(rng.next()));
    if (::testing::Test::HasFatalFailure()) FAIL() << "step " << n << ", slot " << s;
    if (!b.runs(s)) continue;
    uint32_t exec = t.mask;
    const uint8_t op = draw(rng, m);
    if (op != kWgOp_BSSY && op != kWgOp_BSYNC && rng.chance(op == kWgOp_EXIT ? 95 : 60)) exec &= uint32_t(rng.next());
    if (exec == 0) exec = t.mask & ~(t.mask - 1u);
    if (op == kPlain) b.plain(s);
    else b.step(s, op, exec, operands(rng, t, op, exec, m));
    if (::testing::Test::HasFatalFailure()) FAIL() << "step " << n << ", slot " << s;
    if (m.bmov != 0) b.read_breg(s, rng.below(m.bregs));
    if (::testing::Test::HasFailure()) FAIL() << "step " << n << ", slot " << s;
  }
}

TEST(ItsLab, MasksOfBarriers) { /* who waits for whom: each lane notes its own mask */
  Its b;
  bench::Rng rng(71);
  random_code(b, rng, 12000, 1,
              {.bssy = 20, .bra = 25, .bsync = 25, .exit = 1, .brk = 8, .bmov = 8, .yield = 5, .plain = 8, .bregs = 2});
  EXPECT_GT(b.joined, 10u);
}
TEST(ItsLab, Warpsync) {
  Its b;
  bench::Rng rng(72);
  random_code(b, rng, 8000, 1, {.bra = 30, .exit = 1, .sync = 50, .yield = 10, .plain = 9});
  EXPECT_GT(b.joined, 20u);
}
TEST(ItsLab, BlockBarriersGather) {
  {
    Its b; /* both arms come to one barrier: the warp arrives once, and goes on after the release */
    Operands o;
    o.bar.id = 3;
    STEP(0, kWgOp_BRA, 0xffu, to(0x2000));
    STEP(0, kWgOp_BAR, ~0xffu, o);
    STEP(0, kWgOp_BAR, 0xffu, o);
    ASSERT_NO_FATAL_FAILURE(b.release(0));
    EXPECT_EQ(b.arrivals, 1u);
    STEP(1, kWgOp_BAR, ~0u, o); /* all at once: nobody is suspended */
    ASSERT_NO_FATAL_FAILURE(b.release(1));
  }
  Its b;
  bench::Rng rng(73);
  random_code(b, rng, 8000, 2, {.bra = 30, .exit = 4, .bar = 20, .yield = 4, .plain = 10});
  EXPECT_GT(b.arrivals, 50u);
}
TEST(ItsLab, SleepAndYield) {
  Its b;
  b.strict = true;
  bench::Rng rng(74);
  random_code(b, rng, 6000, 2, {.bra = 30, .exit = 1, .sleep = 25, .yield = 25, .plain = 10});
}
TEST(ItsLab, EachLaneItsOwnTarget) {
  Its b;
  bench::Rng rng(75);
  random_code(b, rng, 6000, 1, {.bra = 15, .exit = 1, .yield = 5, .indirect = 40, .plain = 10});
}
TEST(ItsLab, EverythingAtRandom) {
  for (unsigned run = 0; run < 12; run++) {
    Its b(run % 3);
    b.strict = true;
    bench::Rng rng(80 + run);
    random_code(b, rng, 3000, kSlots,
                {.bssy = 15,
                 .bra = 20,
                 .bsync = 20,
                 .exit = 4,
                 .brk = 3,
                 .sync = 6,
                 .bmov = 3,
                 .bar = 4,
                 .sleep = 3,
                 .yield = 3,
                 .indirect = 5,
                 .plain = 20,
                 .bregs = run % 2 != 0 ? 3u : 16u});
    if (HasFatalFailure()) FAIL() << "run " << run;
  }
}

TEST(ItsLab, Cycles) {
  for (uint32_t lanes : {0x1u, 0xffffu, 0x7fffffffu}) {
    Its b;
    const auto took = [&](unsigned want, const char *what) { ASSERT_EQ(b.cycles, want) << "cycles of " << what; };
    STEP(0, kWgOp_BSSY, ~0u, to(0, 1));
    took(1, "BSSY");
    STEP(0, kWgOp_BRA, ~0u, to(0x1000));
    took(1, "BRA of all");
    STEP(0, kWgOp_BSYNC, ~0u, to(0, 1));
    took(1, "BSYNC that all of the mask reach at once");
    STEP(0, kWgOp_BSSY, ~0u, to(0, 2));
    took(1, "BSSY");
    STEP(0, kWgOp_BRA, lanes, to(b.twin[0].pc + 48));
    took(1, "BRA of some"); /* to the BSYNC */
    STEP(0, kWgOp_YIELD, ~lanes);
    took(2, "YIELD to another split");
    STEP(0, kWgOp_BSYNC, lanes, to(0, 2));
    took(2, "BSYNC that waits");
    PLAIN(0);
    STEP(0, kWgOp_BSYNC, ~lanes, to(0, 2));
    took(2, "BSYNC of the last split");
    STEP(0, kWgOp_EXIT, lanes);
    took(1, "EXIT while nobody waits");
    STEP(0, kWgOp_BSSY, ~lanes, to(0, 3));
    took(1, "BSSY");
    STEP(0, kWgOp_BRA, ~lanes & ~(~lanes - 1u), to(0x1000));
    took(1, "BRA of some");
    if (b.twin[0].ready == 0) continue;
    STEP(0, kWgOp_BSYNC, b.twin[0].mask, to(0, 3));
    took(2, "BSYNC that waits");
    STEP(0, kWgOp_EXIT, b.twin[0].mask);
    took(3, "EXIT of the last for whom a group waits: the group, the choice");
    STEP(0, kWgOp_EXIT, b.twin[0].mask);
    took(1, "EXIT of the last lanes");
  }
}

} // namespace
