// SPDX-License-Identifier: Apache-2.0
//
// sm_pipe_fp32 against the golden model (random and corner operands, all modifiers, random masks and gaps) and against
// silicon. Run in the root of the repository; SEED=n repeats a run.
// bench: top sm_pipe_fp32 -GLanes=4
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
  uint32_t mask;
};

class PipeFp32 : public ::testing::Test {
 protected:
  VerilatedContext ctx_;
  std::unique_ptr<Vtop> dut_{new Vtop(&ctx_)};

  void SetUp() override {
    dut_->rst_ni = 0;
    dut_->en_i = 0;
    for (int i = 0; i < 4; i++) clock();
    dut_->rst_ni = 1;
  }
  void clock() {
    dut_->clk_i = 0;
    dut_->eval();
    dut_->clk_i = 1;
    dut_->eval();
  }
  void drive(const Beat &x) {
    dut_->en_i = 1;
    dut_->mask_i = static_cast<uint8_t>(x.mask);
    dut_->op_i = x.insn.op;
    dut_->mods_i = x.insn.mods;
    for (unsigned l = 0; l < kLanes; l++) {
      dut_->a_i[l] = x.a[l];
      dut_->b_i[l] = x.b[l];
      dut_->c_i[2 * l] = x.c[l];
    }
  }
  /** One operation in lane 0. */
  uint32_t once(uint8_t op, unsigned mods, uint32_t a, uint32_t b, uint32_t c) {
    Beat x = {};
    x.insn = {};
    x.insn.op = op;
    x.insn.mods = static_cast<uint16_t>(mods);
    x.a[0] = a, x.b[0] = b, x.c[0] = c, x.mask = 1;
    drive(x);
    clock();
    dut_->en_i = 0;
    for (unsigned i = 1; i < kLatency; i++) clock();
    return dut_->res_o[0];
  }
};

Beat random_beat(bench::Rng &r) {
  static const uint8_t ops[] = {kWgOp_FADD, kWgOp_FMUL, kWgOp_FFMA, kWgOp_FFMA};
  Beat x = {};
  x.insn.op = ops[r.below(4)];
  // FFMA knows no absolute values; bits 9 and up belong to other instructions.
  x.insn.mods = static_cast<uint16_t>(r.next() & (x.insn.op == kWgOp_FFMA ? 0x7fu : 0x1bfu));
  if (r.chance(50)) x.insn.mods &= static_cast<uint16_t>(~0xcu);
  x.mask = r.chance(50) ? 15u : r.below(16);
  for (unsigned l = 0; l < kLanes; l++) {
    uint32_t near = 1 + r.below(253);
    x.a[l] = bench::random_float(r, r.chance(50) ? 127 : near);
    x.b[l] = bench::random_float(r, near);
    uint32_t sum = (x.a[l] >> 23 & 255u) + (x.b[l] >> 23 & 255u);
    // Addends mostly near the product, where cancellation and rounding meet.
    x.c[l] = bench::random_float(r, sum > 128 && sum < 380 ? sum - 127 : near);
    if (x.insn.op == kWgOp_FADD && r.chance(30)) x.b[l] = x.a[l] ^ (r.below(4) << 30) ^ r.below(8);
    if (x.insn.op == kWgOp_FFMA && r.chance(20)) {
      x.c[l] = (x.c[l] & 0x80000000u) | (x.a[l] & 0x7fffffffu);
      x.b[l] = 0x3f800000u ^ r.below(4) ^ (static_cast<uint32_t>(r.next()) & 0x80000000u);
    }
  }
  return x;
}

TEST_F(PipeFp32, MatchesTheGoldenModel) {
  bench::Rng r(1);
  struct Want {
    uint64_t cycle;
    Beat x;
    wg_ref_out_t out;
  };
  std::deque<Want> queue;
  uint32_t last[kLanes] = {};
  bool known[kLanes] = {};
  const uint64_t cycles = 3000000;
  for (uint64_t t = 0; t < cycles; t++) {
    if (r.chance(90)) {
      Want w;
      w.cycle = t + kLatency;
      w.x = random_beat(r);
      wg_ref_in_t in = {};
      in.a = w.x.a, in.b = w.x.b, in.c = w.x.c, in.exec = w.x.mask;
      ASSERT_TRUE(wg_ref_exec(&w.x.insn, &in, &w.out));
      drive(w.x);
      queue.push_back(w);
    } else {
      dut_->en_i = 0;
    }
    clock();
    if (!queue.empty() && queue.front().cycle == t + 1) {
      const Want &w = queue.front();
      for (unsigned l = 0; l < kLanes; l++) {
        if ((w.x.mask >> l & 1u) != 0) {
          last[l] = w.out.d[l];
          known[l] = true;
        }
        if (!known[l]) continue;
        ASSERT_EQ(dut_->res_o[2 * l], last[l])
            << std::hex << "cycle " << t << " lane " << l << " op " << int(w.x.insn.op) << " mods " << w.x.insn.mods
            << " a " << w.x.a[l] << " b " << w.x.b[l] << " c " << w.x.c[l] << " mask " << w.x.mask;
        ASSERT_EQ(dut_->res_o[2 * l + 1], 0u);
      }
      queue.pop_front();
    }
  }
}

TEST_F(PipeFp32, ResetEmptiesThePipe) {
  uint32_t r = once(kWgOp_FADD, 0, 0x3f800000u, 0x3f800000u, 0);
  ASSERT_EQ(r, 0x40000000u);
  Beat x = {};
  x.insn.op = kWgOp_FADD;
  x.mask = 1;
  drive(x);
  clock();
  dut_->en_i = 0;
  dut_->rst_ni = 0;
  clock();
  dut_->rst_ni = 1;
  for (int i = 0; i < 6; i++) {
    clock();
    EXPECT_EQ(dut_->res_o[0], 0x40000000u);
  }
}

// Modifiers of a silicon column such as "fma.rm.ftz.sat.f32".
unsigned column_mods(const std::string &n) {
  unsigned m = 0;
  if (n.find(".rm") != std::string::npos) m |= 1u;
  if (n.find(".rp") != std::string::npos) m |= 2u;
  if (n.find(".rz") != std::string::npos) m |= 3u;
  if (n.find(".ftz") != std::string::npos) m |= 1u << kWgModLsb_FTZ;
  if (n.find(".sat") != std::string::npos) m |= 1u << kWgModLsb_SAT;
  return m;
}

TEST_F(PipeFp32, MatchesSiliconBinary) {
  bench::Table t("f32_binary.csv");
  ASSERT_GE(t.rows(), 200u);
  unsigned compared = 0;
  for (size_t k = 2; k < t.names().size(); k++) {
    const std::string &n = t.names()[k];
    uint8_t op = n.rfind("mul", 0) == 0 ? kWgOp_FMUL : kWgOp_FADD;
    if (op == kWgOp_FADD && n.rfind("add", 0) != 0 && n.rfind("sub", 0) != 0) continue;
    unsigned mods = column_mods(n) | (n.rfind("sub", 0) == 0 ? unsigned(kWgMark_NB) : 0u);
    for (size_t i = 0; i < t.rows(); i++) {
      uint32_t a = uint32_t(t.at(i, 0)), b = uint32_t(t.at(i, 1));
      EXPECT_EQ(once(op, mods, a, b, 0), t.at(i, k)) << n << std::hex << " a " << a << " b " << b;
      compared++;
    }
  }
  EXPECT_GE(compared, 20u * 200u);
}

TEST_F(PipeFp32, MatchesSiliconFma) {
  bench::Table t("f32_ternary.csv");
  ASSERT_GE(t.rows(), 500u);
  for (size_t k = 3; k < t.names().size(); k++) {
    unsigned mods = column_mods(t.names()[k]);
    for (size_t i = 0; i < t.rows(); i++) {
      uint32_t a = uint32_t(t.at(i, 0)), b = uint32_t(t.at(i, 1)), c = uint32_t(t.at(i, 2));
      EXPECT_EQ(once(kWgOp_FFMA, mods, a, b, c), t.at(i, k)) 
          << t.names()[k] << std::hex << " " << a << " " << b << " " << c;
    }
  }
}

}  // namespace
