// SPDX-License-Identifier: Apache-2.0
//
// The cases of the matrix unit's benches: equal to the golden model on random matrices of every kind (ordinary values,
// denormals, NaN, infinities, cancellation, overflow, bytes at their limits; partial warps), under back pressure;
// cycles of every kind. Registers that an instruction does not have hold noise. SEED=n repeats a run, MATRICES=n changes
// their number. The including file defines kDots, the unit's dot products a cycle (columns x rows).
#ifndef WG_TESTBENCH_RTL_EXEC_MMA_CASES_H
#define WG_TESTBENCH_RTL_EXEC_MMA_CASES_H

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <deque>
#include <memory>

#include "Vtop.h"
#include "model/ref/wg_ref.h"
#include "testbench/rtl/exec/exec_bench.h"

namespace {

enum Type { kF16, kBf16, kTf32, kByte, kF64 };

/** An instruction: modifiers, element type, accumulators, both halves of K. */
struct Kind {
  const char *name;
  uint8_t op;
  unsigned mods;
  Type type;
  bool acc16, deep;
};

constexpr unsigned hmma(unsigned shape, unsigned type, unsigned acc16) {
  return shape << kWgModLsb_MSH | type << kWgModLsb_MIN | acc16 << kWgModLsb_MACC;
}
constexpr unsigned imma(unsigned shape) { return shape << kWgModLsb_IMSH; }

const Kind kKinds[] = {
    {"m16n8k8 f16", kWgOp_HMMA, hmma(1, 0, 0), kF16, false, false},
    {"m16n8k16 f16", kWgOp_HMMA, hmma(2, 0, 0), kF16, false, true},
    {"m16n8k8 f16 acc f16", kWgOp_HMMA, hmma(1, 0, 1), kF16, true, false},
    {"m16n8k16 f16 acc f16", kWgOp_HMMA, hmma(2, 0, 1), kF16, true, true},
    {"m16n8k8 bf16", kWgOp_HMMA, hmma(1, 1, 0), kBf16, false, false},
    {"m16n8k16 bf16", kWgOp_HMMA, hmma(2, 1, 0), kBf16, false, true},
    {"m16n8k4 tf32", kWgOp_HMMA, hmma(0, 2, 0), kTf32, false, false},
    {"m16n8k8 tf32", kWgOp_HMMA, hmma(1, 2, 0), kTf32, false, true},
    {"m8n8k16 bytes", kWgOp_IMMA, imma(0), kByte, false, false},
    {"m16n8k16 bytes", kWgOp_IMMA, imma(1), kByte, false, false},
    {"m16n8k32 bytes", kWgOp_IMMA, imma(2), kByte, false, true},
    {"m8n8k4 f64", kWgOp_DMMA, 0, kF64, false, false},
};
constexpr unsigned kNumKinds = sizeof kKinds / sizeof kKinds[0];

/** Exponent bits, fraction bits and place of a format's lowest bit in its word. */
struct Format {
  unsigned exp, frac, lsb;
};
constexpr Format kFormat[3] = {{5, 10, 0}, {8, 7, 0}, {8, 10, 13}};
constexpr Format kF32 = {8, 23, 0};

/** How the values of one matrix are spread. */
enum Style { kSmall, kNear, kPowers, kTiny, kFinite, kHuge, kUnder, kAnything, kStyles };

uint32_t random_value(bench::Rng &r, Format f, Style style, int shift) {
  const uint32_t emax = (1u << f.exp) - 1, bias = emax >> 1;
  uint32_t sign = r.below(2), e = bias, frac = uint32_t(r.next()) & ((1u << f.frac) - 1);
  switch (style) {
    case kSmall: e = bias + r.below(4), frac &= 3u << (f.frac - 2); break;
    case kNear: e = bias - 6 + r.below(12); break;
    case kPowers: e = bias + r.below(2) * 8 - r.below(2) * 4, frac = r.chance(80) ? 0 : frac; break;
    case kTiny: e = r.below(3), frac >>= r.below(f.frac); break;
    case kFinite: e = r.below(emax); break;
    case kHuge: e = emax - 1 - r.below(3); break;
    case kUnder: e = bias / 2 + 1 - r.below(6); break;  // products near the smallest normal number
    default: e = r.below(emax + 1), frac = r.chance(50) ? 0 : frac; break;
  }
  if (style != kTiny && style != kAnything && r.chance(6)) e = 0, frac = 0;
  int moved = int(e) + (e != 0 && e < emax ? shift : 0);
  e = moved < 0 ? 0 : moved >= int(emax) && e < emax ? emax - 1 : uint32_t(moved);
  return (sign << (f.exp + f.frac) | e << f.frac | frac) << f.lsb;
}

struct Insn {
  Kind kind;
  unsigned mods = 0, rd = 0, slot = 0;
  uint32_t mask = UINT32_MAX;
  uint32_t a[4][32], b[2][32], c[4][32];
  wg_ref_out_t want;
  unsigned beats = 2;
};

void fill_floats(bench::Rng &r, Insn *n) {
  const Format f = kFormat[n->kind.type];
  const Style style = Style(r.below(kStyles));
  const bool sprinkle = r.chance(10);
  const unsigned per = n->kind.type == kTf32 ? 1 : 2;
  auto word = [&](Format g, unsigned elements, int shift) {
    uint32_t w = 0;
    for (unsigned i = 0; i < elements; i++) {
      Style s = sprinkle && r.chance(2) ? kAnything : style;
      uint32_t v = random_value(r, g, s, shift) | (g.lsb != 0 ? r.below(1u << 13) : 0u);
      w |= v << (16 * i);
    }
    return w;
  };
  for (unsigned l = 0; l < 32; l++) {
    for (auto &row : n->a) row[l] = word(f, per, 0);
    for (auto &row : n->b) row[l] = word(f, per, 0);
    // accumulators: near the products, or of their own
    int shift = n->kind.acc16 ? 0 : n->kind.type == kF16 && style == kTiny ? -28 : int(r.below(9)) - 4;
    for (auto &row : n->c) row[l] = n->kind.acc16 ? word(kFormat[kF16], 2, 0) : word(kF32, 1, shift);
  }
  if (style == kUnder) {
    for (auto &row : n->c)
      for (uint32_t &w : row) w = r.chance(50) ? 0 : r.chance(50) ? r.below(1u << 26) : w & 0x80ff83ffu;
  }
  if (r.chance(15)) {  // products that cancel: the upper half of K is the lower one, negative
    for (unsigned l = 0; l < 32; l++) {
      uint32_t minus = per == 1 ? 0x80000000u : 0x80008000u;
      n->a[2][l] = n->a[0][l] ^ minus, n->a[3][l] = n->a[1][l] ^ minus, n->b[1][l] = n->b[0][l];
      if (r.chance(70)) for (auto &row : n->c) row[l] &= 0x80008000u;
    }
  }
}

void fill_f64(bench::Rng &r, Insn *n) {
  Style style = Style(r.below(3));
  auto value = [&] {
    uint64_t frac = r.next() >> 12, e = 1023 + r.below(6);
    if (style == 1) e = r.below(2047);
    if (style == 2) e = r.below(2) * 2046 + r.below(2);
    if (r.chance(3)) e = r.chance(50) ? 2047 : 0, frac = r.chance(50) ? 0 : frac;
    if (r.chance(20)) frac &= ~uint64_t(0) << r.below(52);
    return uint64_t(r.below(2)) << 63 | e << 52 | (frac & ((uint64_t(1) << 52) - 1));
  };
  for (unsigned l = 0; l < 32; l++) {
    const auto put = [&](uint32_t (*rows)[32]) {
      uint64_t v = value();
      rows[0][l] = uint32_t(v), rows[1][l] = uint32_t(v >> 32);
    };
    put(n->a), put(n->b), put(n->c), put(n->c + 2);
  }
}

void random_insn(bench::Rng &r, Insn *n) {
  n->kind = kKinds[r.below(kNumKinds)];
  n->mods = n->kind.mods;
  n->rd = 4 * r.below(63), n->slot = r.below(16);
  n->mask = r.chance(85) ? UINT32_MAX : uint32_t(r.next());
  for (auto *rows : {n->a, n->a + 1, n->a + 2, n->a + 3, n->b, n->b + 1, n->c, n->c + 1, n->c + 2, n->c + 3})
    for (uint32_t &w : *rows) w = uint32_t(r.next());
  if (n->kind.type == kByte) {
    n->mods |= r.below(2) << kWgModLsb_IMA | r.below(2) << kWgModLsb_IMB | r.below(2) << kWgModLsb_SAT;
    if (r.chance(30))
      for (auto *rows : {n->a, n->a + 1, n->a + 2, n->a + 3, n->b, n->b + 1})
        for (uint32_t &w : *rows) w = 0x01010101u * (r.chance(50) ? 0x80u : r.chance(50) ? 0xffu : 0x7fu);
    if (r.chance(50))
      for (auto *rows : {n->c, n->c + 1, n->c + 2, n->c + 3})
        for (uint32_t &w : *rows) w = (r.chance(50) ? 0x7fffffffu : 0x80000000u) ^ r.below(1u << 20);
  } else if (n->kind.type == kF64) {
    fill_f64(r, n);
  } else {
    fill_floats(r, n);
  }
  wg_insn_t in = wg_insn_default(n->kind.op);
  in.mods = static_cast<uint16_t>(n->mods);
  wg_ref_in_t src = {};
  src.a = n->a[0], src.a1 = n->a[1], src.a2 = n->a[2], src.a3 = n->a[3];
  src.b = n->b[0], src.b1 = n->b[1];
  src.c = n->c[0], src.c1 = n->c[1], src.c2 = n->c[2], src.c3 = n->c[3];
  src.exec = n->mask;
  n->want = {};
  ASSERT_TRUE(wg_ref_exec_mma(&in, &src, &n->want)) << n->kind.name;
  n->beats = n->want.quad ? 2 : 1;
}

class Mma : public ::testing::Test {
 protected:
  VerilatedContext ctx_;
  std::unique_ptr<Vtop> dut_{new Vtop(&ctx_)};

  void SetUp() override {
    dut_->rst_ni = 0;
    dut_->req_ab_valid_i = dut_->req_c_valid_i = 0;
    dut_->rsp_ready_i = 1;
    for (int i = 0; i < 4; i++) clock();
    dut_->rst_ni = 1;
    settle();
  }
  void settle() {
    dut_->clk_i = 0;
    dut_->eval();
  }
  void clock() {
    settle();
    dut_->clk_i = 1;
    dut_->eval();
  }
  void offer_ab(const Insn &n) {
    for (unsigned i = 0; i < 128; i++) dut_->req_a_i[i] = n.a[i / 32][i % 32];
    for (unsigned i = 0; i < 64; i++) dut_->req_b_i[i] = n.b[i / 32][i % 32];
  }
  void offer_c(const Insn &n) {
    for (unsigned i = 0; i < 128; i++) dut_->req_c_i[i] = n.c[i / 32][i % 32];
    dut_->op_i = n.kind.op;
    dut_->mods_i = static_cast<uint16_t>(n.mods);
    dut_->rd_i = static_cast<uint8_t>(n.rd);
    dut_->req_slot_i = static_cast<uint8_t>(n.slot);
    dut_->req_mask_i = n.mask;
  }
  void check(const Insn &n, unsigned beat) {
    ASSERT_EQ(dut_->rsp_slot_o, n.slot);
    ASSERT_EQ(dut_->rsp_rd_o, n.rd + 2 * beat);
    ASSERT_EQ(dut_->rsp_wide_o, 1);
    ASSERT_EQ(dut_->rsp_last_o, beat + 1 == n.beats) << n.kind.name;
    ASSERT_EQ(dut_->rsp_mask_o, n.mask);
    const uint32_t *rows[4] = {n.want.d, n.want.d1, n.want.d2, n.want.d3};
    for (unsigned i = 0; i < 64; i++) {
      unsigned l = i % 32;
      if ((n.mask >> l & 1u) == 0u) continue;
      ASSERT_EQ(dut_->rsp_data_o[i], rows[2 * beat + i / 32][l])
          << std::hex << n.kind.name << " mods " << n.mods << " register " << 2 * beat + i / 32 << " lane " << l;
    }
  }
};

TEST_F(Mma, CyclesOfEveryKind) {
  bench::Rng r(1);
  for (unsigned k = 0; k < 600; k++) {
    Insn n;
    random_insn(r, &n);
    dut_->extra_i = k < 300 ? 0 : r.below(16), dut_->deep_extra_i = k < 300 ? 0 : r.below(16);
    offer_ab(n);
    offer_c(n);
    dut_->req_ab_valid_i = 1;
    dut_->req_c_valid_i = 1;
    settle();
    ASSERT_EQ(dut_->req_ab_ready_o, 1);
    ASSERT_EQ(dut_->req_c_ready_o, 0);
    clock();
    dut_->req_ab_valid_i = 0;
    settle();
    ASSERT_EQ(dut_->req_c_ready_o, 1);
    clock();
    dut_->req_c_valid_i = 0;
    const unsigned rows8 = n.kind.type == kF64 ? 64 : 64 / kDots;
    unsigned cycles = 1, want = 6 + (n.kind.acc16 ? 2 : 1) * rows8 + dut_->extra_i + (n.kind.deep ? dut_->deep_extra_i : 0u);
    for (unsigned beat = 0; beat < n.beats; beat++) {
      for (; dut_->rsp_valid_o == 0 && cycles < 400; cycles++) clock();
      ASSERT_EQ(cycles, want) << n.kind.name << " beat " << beat;
      check(n, beat);
      if (HasFatalFailure()) return;
      clock();
      cycles++;
      want += rows8;
    }
    ASSERT_EQ(dut_->rsp_valid_o, 0);
    for (unsigned i = r.below(8); i > 0; i--) clock();
  }
}

TEST_F(Mma, KnobsKeepTwoInside) {
  // the way in takes longer for each, but two are on it at once: the rate is that of a buffer of two
  bench::Rng r(5);
  Insn n;
  do random_insn(r, &n);
  while (std::strcmp(n.kind.name, "m16n8k8 f16") != 0);
  const unsigned per = 128 / kDots;
  dut_->extra_i = 15;
  offer_ab(n);
  offer_c(n);
  dut_->req_ab_valid_i = dut_->req_c_valid_i = 1;
  unsigned taken = 0;
  for (unsigned i = 0; i < 40 * (15 + per); i++) {
    settle();
    if (i >= 2 * (15 + per)) taken += dut_->req_c_ready_o;
    clock();
  }
  EXPECT_GE(taken + 2, 38 * (15 + per) / std::max(per, (18 + per) / 2)); /* one after the other: 38 */
}

TEST_F(Mma, RandomMatrices) {
  bench::Rng r(2);
  const char *env = std::getenv("MATRICES");
  const unsigned total = env != nullptr ? unsigned(std::strtoul(env, nullptr, 0)) : 24000;
  std::deque<std::unique_ptr<Insn>> queue;  // oldest first; ab_, c_: how many of them have handed over that phase
  size_t ab = 0, c = 0;
  bool ab_on = false, c_on = false;
  unsigned made = 0, done = 0, beat = 0, count[kNumKinds] = {};
  uint64_t cycles = 0;
  double golden = 0;
  auto now = [] { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); };
  const double start = now();
  while (done < total) {
    const unsigned mood = done / 3000 % 4;  // 0, 1: hurry; 2: slow requests; 3: slow responses
    if (queue.size() < 3 && made < total) {
      double t = now();
      queue.push_back(std::make_unique<Insn>());
      random_insn(r, queue.back().get());
      if (HasFatalFailure()) return;
      golden += now() - t;
      made++;
    }
    if (!ab_on && ab < queue.size() && r.chance(mood == 2 ? 10 : 80)) {
      offer_ab(*queue[ab]);
      ab_on = true;
    }
    if (!c_on && c < queue.size() && r.chance(mood == 2 ? 10 : 80)) {
      offer_c(*queue[c]);
      c_on = true;
    }
    dut_->req_ab_valid_i = ab_on;
    dut_->req_c_valid_i = c_on;
    dut_->rsp_ready_i = r.chance(mood == 3 ? 10 : 95);
    settle();
    const bool ab_taken = ab_on && dut_->req_ab_ready_o != 0, c_taken = c_on && dut_->req_c_ready_o != 0;
    const bool taken = dut_->rsp_valid_o != 0 && dut_->rsp_ready_i != 0;
    if (dut_->rsp_valid_o != 0) {
      ASSERT_GT(c, 0u);
      check(*queue[0], beat);
      if (HasFatalFailure()) return;
    }
    clock();
    cycles++;
    if (ab_taken) ab++, ab_on = false;
    if (c_taken) c++, c_on = false;
    if (taken && ++beat == queue[0]->beats) {
      for (unsigned k = 0; k < kNumKinds; k++) count[k] += queue[0]->kind.name == kKinds[k].name;
      beat = 0;
      queue.pop_front();
      ab--, c--, done++;
    }
    ASSERT_LT(cycles, uint64_t(total) * 2000);
  }
  const double s = now() - start - golden;
  for (unsigned k = 0; k < kNumKinds; k++) {
    std::printf("%s: %u\n", kKinds[k].name, count[k]);
    EXPECT_GT(count[k], total / 20);
  }
  std::printf("%llu cycles, %.0f a second\n", (unsigned long long)cycles, double(cycles) / s);
}

TEST_F(Mma, HalfOfTheSmallestDenormalAndALittle) {
  // fp16 accumulator: 2^-14 * 2^-11 alone is a tie and rounds to zero; 2^-23 * 2^-23 more makes it the smallest
  // denormal
  bench::Rng r(5);
  Insn n;
  do random_insn(r, &n);
  while (std::strcmp(n.kind.name, "m16n8k8 f16 acc f16") != 0);
  for (unsigned little = 0; little < 2; little++) {
    for (unsigned l = 0; l < 32; l++) {
      n.a[0][l] = n.a[1][l] = l % 4 != 0 ? 0 : 0x0400 | (little != 0 ? 0x0002u << 16 : 0u);
      n.b[0][l] = l % 4 != 0 ? 0 : 0x1000 | 0x0002u << 16;
      n.c[0][l] = n.c[1][l] = 0;
    }
    offer_ab(n);
    offer_c(n);
    dut_->req_ab_valid_i = dut_->req_c_valid_i = 1;
    clock(), clock();
    dut_->req_ab_valid_i = dut_->req_c_valid_i = 0;
    for (unsigned i = 0; i < 200 && dut_->rsp_valid_o == 0; i++) clock();
    ASSERT_EQ(dut_->rsp_valid_o, 1);
    for (unsigned i = 0; i < 64; i++) ASSERT_EQ(dut_->rsp_data_o[i], little * 0x00010001u);
    clock();
  }
}

TEST_F(Mma, Throughput) {
  // m16n8k16 without a pause in requests and responses: 16 rows' steps, loading hidden behind them
  bench::Rng r(3);
  Insn n;
  do random_insn(r, &n);
  while (std::strcmp(n.kind.name, "m16n8k16 f16") != 0);
  offer_ab(n);
  offer_c(n);
  dut_->req_ab_valid_i = dut_->req_c_valid_i = 1;
  unsigned taken = 0;
  const unsigned per = 128 / kDots;
  for (unsigned i = 0; i < 51 * per; i++) {
    settle();
    if (i >= per) taken += dut_->req_c_ready_o; // the first two go in at once
    clock();
  }
  EXPECT_EQ(taken, 50u);
}

TEST_F(Mma, NothingMovesWithoutARequest) {
  bench::Rng r(4);
  Insn n, other;
  random_insn(r, &n);
  offer_ab(n);
  offer_c(n);
  dut_->req_ab_valid_i = dut_->req_c_valid_i = 1;
  clock(), clock();
  dut_->req_ab_valid_i = dut_->req_c_valid_i = 0;
  for (unsigned i = 0; i < 200; i++) clock();
  VlWide<64> before = dut_->rsp_data_o;
  for (unsigned i = 0; i < 100; i++) {
    random_insn(r, &other);
    offer_ab(other);
    offer_c(other);
    clock();
    ASSERT_EQ(dut_->rsp_valid_o, 0);
    ASSERT_EQ(dut_->req_ab_ready_o, 1);
    for (unsigned k = 0; k < 64; k++) ASSERT_EQ(dut_->rsp_data_o[k], before[k]);
  }
}

}  // namespace
#endif
