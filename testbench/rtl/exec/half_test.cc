// SPDX-License-Identifier: Apache-2.0
//
// sm_pipe_half against the golden model: both formats, all instructions and modifiers, random and corner operands,
// random masks and gaps. The golden model is compared with silicon in testbench/unit/ref/half_test.cc.
// Run in the root of the repository; SEED=n repeats a run.
// bench: top sm_pipe_half -GLanes=4
// bench: link isa/wg_isa.c model/ref/ref_exec*.c model/ref/ref_fp*.c model/ref/ref_mufu.c model/ref/ref_half*.c model/ref/ref_cvt*.c model/ref/ref_mma*.c
#include <gtest/gtest.h>

#include <deque>
#include <memory>

#include "Vtop.h"
#include "model/ref/wg_ref.h"
#include "testbench/rtl/exec/exec_bench.h"

namespace {

constexpr unsigned kLanes = 4;
constexpr unsigned kLatency = 4;

struct Beat {
  wg_insn_t insn;
  uint32_t a[32], b[32], c[32];
  uint32_t p, mask;
};

class PipeHalf : public ::testing::Test {
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
    dut_->op_i = x.insn.op;
    dut_->mods_i = x.insn.mods;
    dut_->p0_i = x.p & 15u;
    for (unsigned l = 0; l < kLanes; l++) {
      dut_->a_i[l] = x.a[l];
      dut_->b_i[l] = x.b[l];
      dut_->c_i[2 * l] = x.c[l];
    }
  }
};

// One number: corners, denormals, an exponent near `near`, anything.
uint32_t number(bench::Rng &r, bool bf, uint32_t near) {
  const unsigned mb = bf ? 7 : 10, top = bf ? 255 : 31;
  const uint32_t inf = top << mb, one = (top >> 1) << mb, ones = (1u << mb) - 1u;
  const uint32_t corners[] = {0u, 1u, ones, ones + 1u, one, one + 1u, one - 1u, inf - 1u, inf,
                              inf + 1u, 0x7fffu, inf | ones >> 1};
  uint32_t sign = static_cast<uint32_t>(r.next()) & 0x8000u, f = static_cast<uint32_t>(r.next()) & ones;
  if (r.chance(30)) f = ((1u << r.below(mb + 1)) - r.below(2)) & ones;
  if (r.chance(20)) f ^= ones;
  switch (r.below(10)) {
    case 0: return sign | corners[r.below(12)];
    case 1: return sign | f;
    case 2: return sign | (static_cast<uint32_t>(r.next()) & 0x7fffu);
    default: {
      uint32_t e = near + r.below(bf ? 24 : 12) - (bf ? 12 : 6);
      return sign | (e < 1 || e >= top ? top >> 1 : e) << mb | f;
    }
  }
}

const struct {
  uint8_t op;
  uint16_t mods;  // modifier bits the instruction knows
} kOps[] = {{kWgOp_HADD2, 0x3bd}, {kWgOp_HMUL2, 0x3bd}, {kWgOp_HFMA2, 0x27d}, {kWgOp_HFMA2, 0x27d},
            {kWgOp_HMNMX2, 0x1bd}, {kWgOp_HSETP2, 0x1fff}};
constexpr unsigned kOpCount = sizeof kOps / sizeof kOps[0];

Beat random_beat(bench::Rng &r) {
  Beat x = {};
  const auto &k = kOps[r.below(kOpCount)];
  bool setp = k.op == kWgOp_HSETP2;
  x.insn.op = k.op;
  x.insn.mods = static_cast<uint16_t>(r.next() & k.mods);
  if (setp && WG_MOD_GET(&x.insn, FBOOL) == 3u) x.insn.mods &= 0xffdfu;  // undefined: never reaches the pipe
  if (!setp && r.chance(50)) x.insn.mods &= static_cast<uint16_t>(k.op == kWgOp_HMNMX2 ? 0xffffu : 0xfdf3u);
  bool bf = (setp ? WG_MOD_GET(&x.insn, HSBF) : WG_MOD_GET(&x.insn, HBF)) != 0;
  x.mask = r.chance(50) ? 15u : r.below(16);
  x.p = r.below(16);
  const unsigned mb = bf ? 7 : 10, bias = bf ? 127 : 15, top = bf ? 254 : 30;
  for (unsigned l = 0; l < kLanes; l++) {
    for (unsigned h = 0; h < 32; h += 16) {
      uint32_t near = 1 + r.below(top);
      uint32_t a = number(r, bf, r.chance(50) ? bias : near), b = number(r, bf, near);
      uint32_t sum = (a >> mb & (2 * bias + 1)) + (b >> mb & (2 * bias + 1));
      // Addends mostly near the product, where cancellation and rounding meet, or far below it.
      uint32_t at = sum > bias && sum < bias + top ? sum - bias - (r.chance(20) ? r.below(2 * mb) : 0) : near;
      uint32_t c = number(r, bf, at);
      if (r.chance(30) && k.op != kWgOp_HFMA2) b = a ^ (r.below(2) << 15) ^ (r.chance(50) ? r.below(8) : 0);
      if (r.chance(15) && k.op == kWgOp_HFMA2) {
        c = (c & 0x8000u) | (a & 0x7fffu);
        b = (bias << mb) ^ r.below(4) ^ (static_cast<uint32_t>(r.next()) & 0x8000u);
      }
      x.a[l] |= a << h, x.b[l] |= b << h, x.c[l] |= c << h;
    }
  }
  return x;
}

::testing::Message about(const Beat &x, unsigned l) {
  return ::testing::Message() << std::hex << "lane " << l << " op " << int(x.insn.op) << " mods " << x.insn.mods
                              << " a " << x.a[l] << " b " << x.b[l] << " c " << x.c[l] << " p " << (x.p >> l & 1)
                              << " mask " << x.mask;
}

TEST_F(PipeHalf, MatchesTheGoldenModel) {
  bench::Rng r(4);
  struct Want {
    uint64_t cycle;
    Beat x;
    wg_ref_out_t out;
  };
  std::deque<Want> queue;
  uint64_t count[256] = {};
  for (uint64_t t = 0; t < 2000000; t++) {
    dut_->en_i = 0;
    uint32_t preds = 0;
    if (r.chance(90)) {
      Want w;
      w.cycle = t + kLatency;
      w.x = random_beat(r);
      const uint32_t mask = w.x.mask;
      wg_ref_in_t in = {};
      in.a = w.x.a, in.b = w.x.b, in.c = w.x.c, in.p = w.x.p, in.exec = mask;
      ASSERT_TRUE(wg_ref_exec(&w.x.insn, &in, &w.out));
      count[w.x.insn.op] += 2u * static_cast<unsigned>(__builtin_popcount(mask));
      drive(w.x);
      settle();
      for (unsigned l = 0; l < kLanes && w.out.wr_p0; l++) {
        if ((mask >> l & 1u) == 0) continue;
        ASSERT_EQ(dut_->pd0_o >> l & 1u, w.out.p0 >> l & 1u) << about(w.x, l);
        ASSERT_EQ(dut_->pd1_o >> l & 1u, w.out.p1 >> l & 1u) << about(w.x, l);
      }
      if (w.out.wr_p0) preds = mask;
      queue.push_back(w);
    } else {
      settle();
    }
    ASSERT_EQ((dut_->pd0_o | dut_->pd1_o) & ~preds, 0u) << "predicates of lanes that do not run";
    uint32_t before[2 * kLanes];
    for (unsigned i = 0; i < 2 * kLanes; i++) before[i] = dut_->res_o[i];
    clock();
    bool due = !queue.empty() && queue.front().cycle == t + 1;
    for (unsigned l = 0; l < kLanes; l++) {
      ASSERT_EQ(dut_->res_o[2 * l + 1], 0u);
      if (due && (queue.front().x.mask >> l & 1u) != 0 && queue.front().out.wr) {
        ASSERT_EQ(dut_->res_o[2 * l], queue.front().out.d[l]) << about(queue.front().x, l);
      } else if (t > 100) {
        ASSERT_EQ(dut_->res_o[2 * l], before[2 * l]) << "an idle lane moved";
      }
    }
    if (due) queue.pop_front();
  }
  for (const auto &k : kOps) EXPECT_GE(count[k.op], 200000u) << int(k.op);
}

TEST_F(PipeHalf, ResetEmptiesThePipe) {
  Beat x = {};
  x.insn.op = kWgOp_HADD2;
  x.mask = 1;
  x.a[0] = 0x3c003c00u, x.b[0] = 0x3c004000u;
  drive(x);
  for (unsigned i = 0; i < kLatency; i++) {
    clock();
    dut_->en_i = 0;
  }
  ASSERT_EQ(dut_->res_o[0], 0x40004200u);
  x.b[0] = 0;
  drive(x);
  clock();
  dut_->en_i = 0;
  dut_->rst_ni = 0;
  clock();
  dut_->rst_ni = 1;
  for (int i = 0; i < 6; i++) {
    clock();
    EXPECT_EQ(dut_->res_o[0], 0x40004200u);
  }
}

}  // namespace
