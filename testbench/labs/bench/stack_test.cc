// SPDX-License-Identifier: Apache-2.0
//
// sm_simt_stack for lab 4, in steps: an if, calls, nesting, exits, several warps, faults, cycles. Running pc, mask and
// the lanes that are gone are kept here, as sm_diverge keeps them; what they become must be the twin's.
// bench: dir diverge
// bench: top sm_simt_stack -GWarpSlots=8
// bench: link model/twin/simt_stack.c
#include <gtest/gtest.h>

#include <cstdio>
#include <string>

#include "Vtop.h"
#include "isa/wg_isa.h"
#include "model/twin/simt_stack.h"
#include "testbench/rtl/exec/exec_bench.h"

namespace {

constexpr unsigned kSlots = 8;
constexpr uint32_t kPcMask = (1u << kWgPcBits) - 1u;

/** Opcodes that are jumps here: jump_i tells, not op_i. */
bool jumps(uint8_t op) { return op == kWgOp_BRA || op == kWgOp_CALL || op == kWgOp_RET || op == kWgOp_BRX; }

const char *name(uint8_t op) {
  switch (op) {
    case kWgOp_EXIT: return "EXIT";
    case kWgOp_BRA: return "BRA";
    case kWgOp_BSSY: return "BSSY";
    case kWgOp_BSYNC: return "BSYNC";
    case kWgOp_CALL: return "CALL";
    case kWgOp_RET: return "RET";
    case kWgOp_BRX: return "BRX";
    case kWgOp_WARPSYNC: return "WARPSYNC";
    default: return "YIELD";
  }
}

std::string hex(uint32_t x) {
  char text[16];
  std::snprintf(text, sizeof text, "%08x", x);
  return text;
}

class Stack {
 public:
  Vtop top;
  wg_simt_stack_t twin[kSlots];
  unsigned cycles = 0, empty = 0; /* of the last instruction; empty entries that it popped */
  bool depths = false;            /* is depth_o looked at? */

  Stack() {
    top.en_i = 0, top.view_i = 1, top.init_valid_i = 0;
    for (unsigned s = 0; s < kSlots; s++) bind(s, 0x100, ~0u);
  }
  void edge() { top.clk_i = 0, top.eval(), top.clk_i = 1, top.eval(); }
  void bind(unsigned s, uint32_t pc, uint32_t mask) {
    top.en_i = 0, top.init_valid_i = 1, top.init_slot_i = uint8_t(s);
    edge();
    top.init_valid_i = 0;
    wg_simt_reset(&twin[s], pc, mask);
  }
  unsigned depth(unsigned s) {
    const unsigned at = 5 * s;
    uint32_t got = top.depth_o[at / 32] >> at % 32;
    if (at % 32 > 27) got |= top.depth_o[at / 32 + 1] << (32 - at % 32);
    return got & 31u;
  }
  /** One instruction of a slot, given and judged. exec: lanes whose guard holds; value: lanes that a WARPSYNC names. */
  void step(unsigned s, uint8_t op, uint32_t exec, uint32_t target = 0, unsigned breg = 0, uint32_t value = 0) {
    const wg_simt_stack_t before = twin[s];
    wg_simt_in_t in{jumps(op) ? uint8_t(kWgOp_BRA) : op, uint8_t(breg), target, exec};
    wg_simt_out_t want = wg_simt_step(&twin[s], &in);
    if (op == kWgOp_WARPSYNC && (value & ~before.exited & ~exec) != 0) want.fault = kWgFaultStackError;
    if (want.fault != kWgFaultNone) twin[s] = before;
    empty = 0;
    for (unsigned d = twin[s].depth; d < before.depth; d++) empty += (before.entry[d].mask & ~twin[s].exited) == 0;
    const std::string what = std::string(name(op)) + " B" + std::to_string(breg) + " " + hex(target) + ", exec_i " +
                             hex(exec) + ", pc " + hex(before.pc) + ", running " + hex(before.mask) + ", gone " +
                             hex(before.exited) + ", entries " + std::to_string(before.depth) + ", slot " +
                             std::to_string(s);
    run(s, op, before.mask, before.exited, [&] {
      top.breg_i = uint8_t(breg), top.pc_i = before.pc, top.target_i = target, top.value_i = value, top.exec_i = exec;
    });
    ASSERT_TRUE(done) << "not done after 40 cycles: " << what;
    ASSERT_EQ(bad, want.fault != kWgFaultNone) << "is it a fault? " << what;
    if (bad) {
      ASSERT_EQ(code, unsigned(want.fault)) << "code of the fault: " << what;
      return;
    }
    ASSERT_EQ(hex(mask), hex(want.mask)) << "lanes that run: " << what;
    ASSERT_EQ(hex(gone), hex(twin[s].exited)) << "lanes that are gone: " << what;
    if (want.mask != 0) {
      ASSERT_EQ(hex(next), hex(want.pc)) << "where they go on: " << what;
      const bool behind = want.pc == ((before.pc + 16u) & kPcMask);
      ASSERT_TRUE(redirect || behind) << "redirect_o, as it goes on elsewhere: " << what;
    }
    if (depths) ASSERT_EQ(depth(s), want.depth > 31 ? 31 : want.depth) << "entries: " << what;
  }
  /** A cycle without an instruction: whatever the other inputs are, nothing happens. */
  void idle(bench::Rng &rng) {
    top.en_i = 0, top.slot_i = uint8_t(rng.below(kSlots)), top.op_i = uint8_t(1 + rng.below(rng.chance(80) ? 4 : 255));
    top.jump_i = top.op_i == kWgOp_BRA, top.sync_i = 0;
    top.exec_i = top.mask_i = uint32_t(rng.next()), top.gone_i = ~top.mask_i;
    top.target_i = 0x400u + rng.below(2), top.clk_i = 0, top.eval();
    ASSERT_FALSE(top.redirect_o || top.bad_o) << "redirect_o or bad_o with en_i low";
    edge();
  }

 private:
  bool redirect = false, bad = false, done = false; /* what it answered */
  uint32_t mask = 0, gone = 0, next = 0;
  unsigned code = 0;

  /** The instruction until it is done, mask and gone as sm_diverge keeps them. */
  template <class F> void run(unsigned s, uint8_t op, uint32_t mask_before, uint32_t gone_before, F rest) {
    mask = mask_before, gone = gone_before, done = false;
    for (cycles = 0; !done && cycles < 40; cycles++) {
      top.en_i = 1, top.slot_i = uint8_t(s), top.op_i = op, top.jump_i = jumps(op), top.sync_i = op == kWgOp_WARPSYNC;
      top.mask_i = mask, top.gone_i = gone;
      rest();
      top.clk_i = 0, top.eval();
      done = top.done_o, bad = top.bad_o, code = top.bad_code_o;
      redirect = top.redirect_o, next = top.next_pc_o;
      mask = top.mask_o, gone = top.gone_o;
      EXPECT_FALSE((redirect || bad) && !done) << "redirect_o or bad_o before done_o";
      edge();
    }
    top.en_i = 0, top.eval();
  }
};

#define STEP(...) ASSERT_NO_FATAL_FAILURE(b.step(__VA_ARGS__))

TEST(StackLab, AnIfRejoins) {
  for (uint32_t lanes : {0xffff0000u, 0x1u, 0xaaaaaaaau, 0x7fffffffu}) {
    Stack b;
    STEP(0, kWgOp_BSSY, ~0u, 0x400, 1);
    STEP(0, kWgOp_BRA, lanes, 0x200);   /* some branch away and wait */
    STEP(0, kWgOp_BSYNC, ~lanes, 0, 1); /* the others are there: now the first run */
    STEP(0, kWgOp_BSYNC, lanes, 0, 1);  /* all are there */
    STEP(0, kWgOp_BRA, ~0u, 0x800);     /* and go on together */
  }
}

TEST(StackLab, AllTakeItTogether) {
  Stack b;
  for (uint8_t op : {kWgOp_BRA, kWgOp_CALL, kWgOp_RET, kWgOp_BRX}) {
    STEP(0, kWgOp_BSSY, ~0u, 0x400, 1);
    STEP(0, op, ~0u, 0x200); /* nothing is pushed */
    STEP(0, kWgOp_BSYNC, ~0u, 0, 1);
    STEP(0, kWgOp_BSSY, ~0u, 0x400, 2);
    STEP(0, op, 0xffu, 0x300); /* eight lanes wait */
    STEP(0, op, ~0xffu, 0x500); /* all that run branch */
    STEP(0, kWgOp_BSYNC, ~0xffu, 0, 2);
    STEP(0, kWgOp_BSYNC, 0xffu, 0, 2);
  }
}

/** What a random instruction is: shares in percent. */
struct Mix {
  unsigned exits = 0;    /* some lanes end */
  unsigned slots = 1;    /* warps that take turns */
  unsigned odd = 0;      /* what code of a compiler has not: another B register, an odd target, a BSYNC too many */
  unsigned idle = 0;     /* WARPSYNC, YIELD */
};

/** The B register of the innermost open BSSY, mostly. */
unsigned innermost(const wg_simt_stack_t &t, bench::Rng &rng, unsigned odd) {
  unsigned breg = rng.below(16);
  for (unsigned d = t.depth; d-- > 0;) {
    if (!t.entry[d].sync) continue;
    if (!rng.chance(odd)) breg = t.entry[d].breg;
    break;
  }
  return breg;
}

/** One random instruction of one of the slots. */
void random_step(Stack &b, bench::Rng &rng, const Mix &m) {
  const unsigned s = rng.below(m.slots);
  wg_simt_stack_t &t = b.twin[s];
  if (t.mask == 0 || rng.below(200) == 0) {
    const uint32_t mask = uint32_t(rng.next());
    b.bind(s, 0x1000, mask != 0 ? mask : 1u);
  }
  uint32_t some = t.mask & uint32_t(rng.next());
  if (some == 0) some = t.mask & ~(t.mask - 1u);
  const unsigned breg = innermost(t, rng, m.odd);
  const uint32_t target = uint32_t(rng.next()) & kPcMask & ~15u, odd = rng.chance(m.odd) ? 1u << rng.below(4) : 0u;
  const bool room = t.depth < kWgStackDepth || m.odd != 0;
  if (rng.chance(m.idle)) {
    const bool sync = rng.chance(60);
    const uint32_t value = sync && (m.odd == 0 || rng.chance(80)) ? some | t.exited : uint32_t(rng.next());
    b.step(s, sync ? kWgOp_WARPSYNC : kWgOp_YIELD, some, 0, 0, value);
  } else if (rng.chance(m.exits)) {
    b.step(s, kWgOp_EXIT, rng.chance(60) ? some : t.mask);
  } else if ((t.depth == 0 && !rng.chance(m.odd)) || (room && rng.chance(25 + m.odd))) {
    b.step(s, kWgOp_BSSY, t.mask, target, breg);
  } else if (room && rng.chance(30)) {
    b.step(s, kWgOp_BRA, rng.chance(80) ? some : t.mask, target | odd);
  } else {
    b.step(s, kWgOp_BSYNC, t.mask, 0, breg);
  }
}

void random_code(Stack &b, bench::Rng &rng, unsigned steps, const Mix &m) {
  for (unsigned i = 0; i < steps; i++) {
    ASSERT_NO_FATAL_FAILURE(random_step(b, rng, m));
    if (rng.chance(20)) ASSERT_NO_FATAL_FAILURE(b.idle(rng));
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(StackLab, Nesting) {
  Stack b;
  bench::Rng rng(41);
  random_code(b, rng, 4000, Mix{});
}

TEST(StackLab, ExitsInBranches) {
  Stack b;
  bench::Rng rng(42);
  random_code(b, rng, 8000, Mix{12, 1, 0, 0});
}

TEST(StackLab, WarpsHaveTheirOwnStacks) {
  Stack b;
  bench::Rng rng(43);
  b.depths = true;
  random_code(b, rng, 12000, Mix{4, kSlots, 0, 10});
}

TEST(StackLab, Faults) {
  Stack b;
  STEP(0, kWgOp_BSYNC, ~0u, 0, 3); /* nothing is open */
  STEP(0, kWgOp_BSSY, ~0u, 0x400, 3);
  STEP(0, kWgOp_BSYNC, ~0u, 0, 4); /* another B register */
  STEP(0, kWgOp_BRA, ~0u, 0x404);  /* no multiple of 16 */
  STEP(0, kWgOp_BRA, 1u, 0x408);
  STEP(0, kWgOp_WARPSYNC, 1u, 0, 0, 3u); /* lane 1 runs, but is not there */
  for (unsigned i = 1; i < kWgStackDepth; i++) STEP(0, kWgOp_BSSY, ~0u, 0x400, 3);
  STEP(0, kWgOp_BSSY, ~0u, 0x400, 3); /* one too many */
  STEP(0, kWgOp_BRA, 1u, 0x400);      /* and so would be a path */
  STEP(0, kWgOp_BRA, ~0u, 0x400);     /* but not a branch of all */
  bench::Rng rng(44);
  random_code(b, rng, 8000, Mix{3, 2, 10, 5});
}

TEST(StackLab, AnEmptyEntryCostsACycle) {
  for (bool path : {false, true}) { /* lanes that opened n ifs end within them; below them a path waits, or nobody */
    for (unsigned n = 0; n < 31; n++) {
      Stack b;
      if (path) STEP(0, kWgOp_BRA, 1u, 0x200);
      ASSERT_EQ(b.cycles, path ? 1u : 0u);
      const uint32_t rest = b.twin[0].mask;
      for (unsigned i = 0; i < n; i++) {
        STEP(0, kWgOp_BSSY, rest, 0x400, i % 16);
        ASSERT_EQ(b.cycles, 1u) << "cycles of a BSSY";
      }
      if (n != 0) STEP(0, kWgOp_EXIT, rest & ~2u);
      ASSERT_EQ(b.cycles, n != 0 || path ? 1u : 0u) << "cycles of an EXIT that leaves a lane";
      STEP(0, kWgOp_EXIT, b.twin[0].mask);
      ASSERT_EQ(b.empty, n);
      ASSERT_EQ(b.cycles, 1u + n) << "cycles of the last EXIT of " << n << " ifs";
    }
  }
}

}  // namespace
