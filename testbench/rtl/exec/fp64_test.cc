// SPDX-License-Identifier: Apache-2.0
//
// sm_pipe_fp64 against the golden model (random and corner operands, all modifiers, random masks and gaps) and against
// silicon. Run in the root of the repository; SEED=n repeats a run.
// bench: top sm_pipe_fp64 -GLanes=4
// bench: link model/ref/ref_exec_fp64.c model/ref/ref_fp64.c
#include <gtest/gtest.h>

#include <deque>
#include <memory>

#include "Vtop.h"
#include "model/ref/wg_ref.h"
#include "testbench/rtl/exec/exec_bench.h"

namespace {

constexpr unsigned kLanes = 4;
constexpr unsigned kLatency = 4;
constexpr uint64_t kSign = uint64_t{1} << 63;
constexpr uint64_t kOne = 0x3ff0000000000000u;

struct Beat {
  wg_insn_t insn;
  uint64_t a[kLanes], b[kLanes], c[kLanes];
  uint32_t mask, p;
};

/** What the golden model makes of a beat. */
struct Want {
  uint64_t d[kLanes];
  uint32_t p0, p1;
  bool wr;
};

Want golden(const Beat &x) {
  uint32_t row[6][32] = {};
  for (unsigned l = 0; l < kLanes; l++) {
    const uint64_t v[3] = {x.a[l], x.b[l], x.c[l]};
    for (int i = 0; i < 3; i++) {
      row[2 * i][l] = static_cast<uint32_t>(v[i]);
      row[2 * i + 1][l] = static_cast<uint32_t>(v[i] >> 32);
    }
  }
  wg_ref_in_t in = {};
  in.a = row[0], in.a1 = row[1], in.b = row[2], in.b1 = row[3], in.c = row[4], in.c1 = row[5];
  in.exec = x.mask, in.p = x.p;
  wg_ref_out_t out;
  EXPECT_TRUE(wg_ref_exec_fp64(&x.insn, &in, &out));
  Want w = {};
  for (unsigned l = 0; l < kLanes; l++) w.d[l] = uint64_t{out.d1[l]} << 32 | out.d[l];
  w.p0 = out.p0, w.p1 = out.p1, w.wr = out.wr;
  return w;
}

class PipeFp64 : public ::testing::Test {
 protected:
  VerilatedContext ctx_;
  std::unique_ptr<Vtop> dut_{new Vtop(&ctx_)};

  void SetUp() override {
    dut_->rst_ni = 0;
    dut_->en_i = 0;
    for (int i = 0; i < 4; i++) clock();
    dut_->rst_ni = 1;
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
  void drive(const Beat &x) {
    dut_->en_i = 1;
    dut_->mask_i = static_cast<uint8_t>(x.mask);
    dut_->p0_i = static_cast<uint8_t>(x.p);
    dut_->op_i = x.insn.op;
    dut_->mods_i = x.insn.mods;
    for (unsigned l = 0; l < kLanes; l++) {
      for (unsigned h = 0; h < 2; h++) {
        dut_->a_i[2 * l + h] = static_cast<uint32_t>(x.a[l] >> 32 * h);
        dut_->b_i[2 * l + h] = static_cast<uint32_t>(x.b[l] >> 32 * h);
        dut_->c_i[2 * l + h] = static_cast<uint32_t>(x.c[l] >> 32 * h);
      }
    }
  }
  uint64_t result(unsigned l) const { return uint64_t{dut_->res_o[2 * l + 1]} << 32 | dut_->res_o[2 * l]; }
  /** One beat through an empty pipe: the predicates in its cycle, lane 0's result. */
  uint64_t through(const Beat &x, uint32_t *p0 = nullptr, uint32_t *p1 = nullptr) {
    drive(x);
    settle();
    if (p0 != nullptr) *p0 = dut_->pd0_o;
    if (p1 != nullptr) *p1 = dut_->pd1_o;
    clock();
    dut_->en_i = 0;
    for (unsigned i = 1; i < kLatency; i++) clock();
    return result(0);
  }
  uint64_t once(uint8_t op, unsigned mods, uint64_t a, uint64_t b, uint64_t c, uint32_t p = 0, uint32_t *p0 = nullptr) {
    Beat x = {};
    x.insn.op = op;
    x.insn.mods = static_cast<uint16_t>(mods);
    x.a[0] = a, x.b[0] = b, x.c[0] = c, x.mask = 1, x.p = p;
    return through(x, p0);
  }
};

constexpr uint64_t kCorners[] = {
    0,                   1,                   2,                   0x0008000000000000u, 0x000fffffffffffffu,
    0x0010000000000000u, 0x0010000000000001u, 0x001fffffffffffffu, 0x0340000000000000u, 0x0350000000000001u,
    0x3c90000000000000u, 0x3ca0000000000001u, 0x3fe0000000000000u, 0x3fefffffffffffffu, 0x3ff0000000000000u,
    0x3ff0000000000001u, 0x3fffffffffffffffu, 0x4340000000000000u, 0x7fe0000000000000u, 0x7fefffffffffffffu,
    0x7ff0000000000000u, 0x7ff0000000000001u, 0x7ff8000000000002u, 0x7fffffffffffffffu};
constexpr unsigned kNumCorners = sizeof kCorners / sizeof kCorners[0];

// Specials, exponents near `near`, fractions full of zeros or ones, denormals, anything.
uint64_t random_double(bench::Rng &r, unsigned near) {
  uint64_t sign = r.next() & kSign, f = r.next();
  switch (r.below(4)) {
    case 0: f = (uint64_t{1} << r.below(53)) - r.below(2); break;
    case 1: f = ~((uint64_t{1} << r.below(52)) - r.below(2)); break;
    default: break;
  }
  f &= 0xfffffffffffffu;
  switch (r.below(12)) {
    case 0: return sign | kCorners[r.below(kNumCorners)];
    case 1: return sign | f;
    case 2: return sign | f >> r.below(52);
    case 3: return r.next();
    case 4: return sign | uint64_t{r.below(2) != 0 ? r.below(8) + 1 : 2046 - r.below(8)} << 52 | f;
    default: {
      int e = static_cast<int>(near) + static_cast<int>(r.below(140)) - 70;
      return sign | static_cast<uint64_t>(e < 1 || e > 2046 ? 1023 : e) << 52 | f;
    }
  }
}

uint16_t random_mods(bench::Rng &r, uint8_t op) {
  unsigned m = static_cast<unsigned>(r.next());
  switch (op) {
    case kWgOp_DFMA: m &= 0x73u; break;
    case kWgOp_DMNMX: m &= 0x1b0u; break;
    case kWgOp_DSETP:
      m &= 0x7bfu;
      if ((m >> kWgModLsb_FBOOL & 3u) == 3u) m ^= 1u << kWgModLsb_FBOOL;
      break;
    default: m &= 0x1b3u; break;
  }
  return static_cast<uint16_t>(m);
}

Beat random_beat(bench::Rng &r) {
  static const uint8_t ops[] = {kWgOp_DADD, kWgOp_DADD, kWgOp_DMUL,  kWgOp_DMUL,
                                kWgOp_DFMA, kWgOp_DFMA, kWgOp_DFMA,  kWgOp_DFMA,
                                kWgOp_DFMA, kWgOp_DFMA, kWgOp_DSETP, kWgOp_DMNMX};
  Beat x = {};
  x.insn.op = ops[r.below(12)];
  x.insn.mods = random_mods(r, x.insn.op);
  x.mask = r.chance(50) ? 15u : r.below(16);
  x.p = r.below(16);
  for (unsigned l = 0; l < kLanes; l++) {
    unsigned near = 1 + r.below(2046);
    x.a[l] = random_double(r, r.chance(50) ? 1023 : near);
    x.b[l] = random_double(r, near);
    int sum = static_cast<int>(x.a[l] >> 52 & 2047u) + static_cast<int>(x.b[l] >> 52 & 2047u) - 1023;
    // Addends mostly near the product, where cancellation and rounding meet.
    x.c[l] = random_double(r, sum > 0 && sum < 2047 ? static_cast<unsigned>(sum) : near);
    if (x.insn.op != kWgOp_DFMA && r.chance(30)) x.b[l] = x.a[l] ^ (r.next() & kSign) ^ r.below(8);
    if (x.insn.op == kWgOp_DFMA && r.chance(30)) {
      // c within a few units of the last place of -a * b: nearly everything cancels.
      bool exact = r.chance(30);
      if (exact) x.b[l] = kOne ^ r.below(4) ^ (r.next() & kSign);
      if (exact) x.c[l] = x.a[l] ^ (r.next() & kSign);
      Beat product = x;
      product.insn.op = kWgOp_DMUL;
      product.insn.mods = 3;
      product.mask = 15;
      if (!exact) x.c[l] = golden(product).d[l] ^ (r.next() & kSign) ^ r.below(4);
    }
  }
  return x;
}

TEST_F(PipeFp64, MatchesTheGoldenModel) {
  bench::Rng r(64);
  struct Item {
    uint64_t cycle;
    Beat x;
    Want want;
  };
  std::deque<Item> queue;
  uint64_t last[kLanes] = {}, operations = 0;
  bool known[kLanes] = {};
  for (uint64_t t = 0; t < 500000; t++) {
    uint32_t p0 = 0, p1 = 0;
    dut_->en_i = 0;
    if (r.chance(90)) {
      Item w;
      w.cycle = t + kLatency;
      w.x = random_beat(r);
      w.want = golden(w.x);
      p0 = w.want.p0, p1 = w.want.p1;
      drive(w.x);
      queue.push_back(w);
      operations += static_cast<unsigned>(__builtin_popcount(w.x.mask));
    }
    settle();
    ASSERT_EQ(dut_->pd0_o, p0) << "cycle " << t;
    ASSERT_EQ(dut_->pd1_o, p1) << "cycle " << t;
    clock();
    bool due = !queue.empty() && queue.front().cycle == t + 1;
    for (unsigned l = 0; l < kLanes; l++) {
      if (due && queue.front().want.wr && (queue.front().x.mask >> l & 1u) != 0) {
        last[l] = queue.front().want.d[l];
        known[l] = true;
      }
      if (!known[l] || result(l) == last[l]) continue;
      const Beat x = due ? queue.front().x : Beat{};
      FAIL() << std::hex << "cycle " << t << " lane " << l << " op " << int(x.insn.op) << " mods " << x.insn.mods
             << " a " << x.a[l] << " b " << x.b[l] << " c " << x.c[l] << " mask " << x.mask << ": is " << result(l)
             << ", should be " << last[l];
    }
    if (due) queue.pop_front();
  }
  std::printf("%llu operations\n", static_cast<unsigned long long>(operations));
  EXPECT_GE(operations, 1000000u);
}

TEST_F(PipeFp64, CornersCrossed) {
  // All triples of corners in both signs of a and c, four to a beat; the rounding changes from beat to beat.
  static const uint8_t ops[] = {kWgOp_DFMA, kWgOp_DADD, kWgOp_DMUL, kWgOp_DMNMX, kWgOp_DSETP};
  for (uint8_t op : ops) {
    bool three = op == kWgOp_DFMA;
    unsigned n = kNumCorners * kNumCorners * (three ? kNumCorners : 1);
    for (unsigned i = 0; i < n; i++) {
      for (unsigned k = 0; k < (op == kWgOp_DSETP ? 16u : op == kWgOp_DMNMX ? 1u : 4u); k++) {
        Beat x = {};
        x.insn.op = op;
        x.insn.mods = static_cast<uint16_t>(k);
        x.mask = 15u;
        x.p = op == kWgOp_DMNMX ? i % 2 * 15u : 10u;
        for (unsigned l = 0; l < kLanes; l++) {
          x.a[l] = kCorners[i % kNumCorners] | (l % 2 != 0 ? kSign : 0u);
          x.b[l] = kCorners[i / kNumCorners % kNumCorners] | (!three && l > 1 ? kSign : 0u);
          x.c[l] = kCorners[i / kNumCorners / kNumCorners] | (l > 1 ? kSign : 0u);
        }
        Want w = golden(x);
        uint32_t p0, p1;
        through(x, &p0, &p1);
        ASSERT_EQ(p0, w.p0) << std::hex << int(op) << " " << k << " " << x.a[0] << " " << x.b[0];
        ASSERT_EQ(p1, w.p1) << std::hex << int(op) << " " << k << " " << x.a[0] << " " << x.b[0];
        for (unsigned l = 0; l < kLanes && w.wr; l++)
          ASSERT_EQ(result(l), w.d[l]) << std::hex << int(op) << " round " << k << " a " << x.a[l] << " b " << x.b[l]
                                       << " c " << x.c[l];
      }
    }
  }
}

TEST_F(PipeFp64, ResetEmptiesThePipe) {
  ASSERT_EQ(once(kWgOp_DADD, 0, kOne, kOne, 0), 0x4000000000000000u);
  Beat x = {};
  x.insn.op = kWgOp_DADD;
  x.mask = 1;
  drive(x);
  clock();
  dut_->en_i = 0;
  dut_->rst_ni = 0;
  clock();
  dut_->rst_ni = 1;
  for (int i = 0; i < 6; i++) {
    clock();
    EXPECT_EQ(result(0), 0x4000000000000000u);
  }
}

unsigned rounding(const std::string &n) {
  return n.find(".rm") != std::string::npos ? 1u : n.find(".rp") != std::string::npos ? 2u
         : n.find(".rz") != std::string::npos ? 3u : 0u;
}

TEST_F(PipeFp64, MatchesSiliconBinary) {
  bench::Table t("../../../silicon/f64_binary.csv");
  static const std::map<std::string, unsigned> conds = {{"lt", 1},   {"eq", 2},   {"le", 3},   {"gt", 4},  {"ne", 5},
                                                        {"ge", 6},   {"num", 7},  {"nan", 8},  {"ltu", 9}, {"equ", 10},
                                                        {"leu", 11}, {"gtu", 12}, {"neu", 13}, {"geu", 14}};
  unsigned compared = 0;
  for (size_t k = 2; k < t.names().size(); k++) {
    const std::string &n = t.names()[k];
    std::string op = n.substr(0, n.find('.'));
    for (size_t i = 0; i < t.rows(); i++) {
      uint64_t a = t.at(i, 0), b = t.at(i, 1), got;
      if (op == "setp") {
        uint32_t p0 = 0;
        once(kWgOp_DSETP, conds.at(n.substr(5, n.find('.', 5) - 5)), a, b, 0, 1, &p0);
        got = p0;
      } else if (op == "min" || op == "max") {
        got = once(kWgOp_DMNMX, 0, a, b, 0, op == "min");
      } else {
        ASSERT_TRUE(op == "add" || op == "sub" || op == "mul") << n;
        unsigned neg = op == "sub" ? static_cast<unsigned>(kWgMark_NB) : 0u;
        got = once(op == "mul" ? kWgOp_DMUL : kWgOp_DADD, rounding(n) | neg, a, b, 0);
      }
      EXPECT_EQ(got, t.at(i, k)) << n << std::hex << " a " << a << " b " << b;
      compared++;
    }
  }
  EXPECT_EQ(compared, 28u * 256u);
}

TEST_F(PipeFp64, MatchesSiliconFma) {
  bench::Table t("../../../silicon/f64_ternary.csv");
  unsigned compared = 0;
  for (size_t k = 3; k < t.names().size(); k++) {
    for (size_t i = 0; i < t.rows(); i++) {
      uint64_t a = t.at(i, 0), b = t.at(i, 1), c = t.at(i, 2);
      EXPECT_EQ(once(kWgOp_DFMA, rounding(t.names()[k]), a, b, c), t.at(i, k))
          << t.names()[k] << std::hex << " " << a << " " << b << " " << c;
      compared++;
    }
  }
  EXPECT_EQ(compared, 4u * 381u);
}

}  // namespace
