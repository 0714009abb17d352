// SPDX-License-Identifier: Apache-2.0
//
// sm_sfu: equal to the golden model (RCP: for every mantissa), reciprocals within one ulp of the exact one, all
// functions within the bounds of the PTX ISA and close to silicon; latency, throughput, back pressure, masks, undefined
// functions. Run in the root of the repository; SEED=n repeats a run.
// bench: top sfu_tb -GLanes=4
// bench: link model/ref/ref_mufu.c model/ref/ref_fp32.c
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <deque>
#include <memory>

#include "Vtop.h"
#include "model/ref/wg_mufu.h"
#include "model/ref/wg_ref_fp32.h"
#include "testbench/rtl/exec/exec_bench.h"

namespace {

// Values of modifier MUFUF.
enum { kCos, kSin, kEx2, kLg2, kRcp, kRsq, kSqrt, kTanh, kRcp64h, kRsq64h, kDefined };

constexpr unsigned kLanes = 4, kBeats = 32 / kLanes;

class Sfu : public ::testing::Test {
 protected:
  VerilatedContext ctx_;
  std::unique_ptr<Vtop> dut_{new Vtop(&ctx_)};

  void SetUp() override {
    dut_->rst_ni = 0;
    dut_->req_valid_i = 0;
    dut_->rsp_ready_i = 1;
    dut_->op_i = kWgOp_MUFU;
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
  /** One warp through an idle unit. @return cycles from acceptance to the response */
  unsigned warp(unsigned mods, const uint32_t *a, uint32_t mask = 0xffffffffu) {
    dut_->req_valid_i = 1;
    dut_->mods_i = static_cast<uint16_t>(mods);
    dut_->req_mask_i = mask;
    for (unsigned l = 0; l < 32; l++) dut_->req_a_i[l] = a[l];
    settle();
    EXPECT_EQ(dut_->req_ready_o, 1);
    clock();
    dut_->req_valid_i = 0;
    unsigned n = 1;
    while (dut_->rsp_valid_o == 0 && n < 100) {
      clock();
      n++;
    }
    return n;
  }
};

TEST_F(Sfu, EveryMantissa) {
  unsigned off = 0;
  uint32_t in[32], out[32];
  for (uint32_t f = 0; f < 1u << 23; f += 32) {
    // The exponent does not reach the interpolation; vary it anyway.
    uint32_t e = 1 + f / 32 % 252;
    for (uint32_t l = 0; l < 32; l++) in[l] = e << 23 | f | l;
    ASSERT_EQ(warp(kRcp, in), kBeats + 4);
    for (uint32_t l = 0; l < 32; l++) out[l] = dut_->rsp_data_o[l];
    clock();
    for (uint32_t l = 0; l < 32; l++) {
      ASSERT_EQ(out[l], wg_mufu(kRcp, in[l])) << std::hex << in[l];
      // Exact: 2^47 / m has 24 bits for m above 2^23; exponent 252 - e with the hidden bit.
      uint64_t m = 0x800000u | f | l;
      uint64_t exact = (m == 0x800000u) ? uint64_t(254 - e) << 23
                                        : (uint64_t(252 - e) << 23) + ((uint64_t(1) << 48) + m) / (2 * m);
      int64_t ulp = int64_t(out[l]) - int64_t(exact);
      ASSERT_LE(std::abs(ulp), 1) << std::hex << in[l];
      off += ulp != 0;
    }
  }
  std::printf("reciprocals that are not correctly rounded: %u of 8388608, all by 1 ulp\n", off);
}

float as_float(uint32_t v) {
  float f;
  std::memcpy(&f, &v, 4);
  return f;
}

uint32_t as_bits(double v) {
  float f = static_cast<float>(v);
  uint32_t u;
  std::memcpy(&u, &f, 4);
  return u;
}

TEST_F(Sfu, AlgebraicNearSilicon) {
  bench::Table t("f32_unary.csv");
  ASSERT_GE(t.rows(), 200u);
  // Largest distance in ulp; 0 in the columns' order: rcp, rsqrt, sqrt, ex2.
  const struct {
    unsigned fn, ulp;
  } column[] = {{kRcp, 1}, {kRsq, 1}, {kSqrt, 1}, {kEx2, 1}};
  for (size_t k = 0; k < 4; k++) {
    unsigned apart = 0;
    for (size_t i = 0; i < t.rows(); i++) {
      uint32_t in[32] = {uint32_t(t.at(i, 0))}, want = uint32_t(t.at(i, k + 1));
      warp(column[k].fn, in);
      uint32_t got = dut_->rsp_data_o[0];
      clock();
      int64_t d = std::abs(int64_t(got) - int64_t(want));
      // Specials, zeros and infinities are exact: they are further apart than one ulp from anything else.
      ASSERT_LE(d, column[k].ulp) << t.names()[k + 1] << std::hex << " " << in[0] << " got " << got << " want " << want;
      apart += d != 0;
    }
    std::printf("%s: %u of %zu one ulp from silicon\n", t.names()[k + 1].c_str(), apart, t.rows());
  }
}

TEST_F(Sfu, LogarithmAndWavesNearSilicon) {
  bench::Table t("f32_unary.csv");
  unsigned compared = 0;
  for (size_t k = 5; k < 8; k++) {
    for (size_t i = 0; i < t.rows(); i++) {
      uint32_t a = uint32_t(t.at(i, 0)), want = uint32_t(t.at(i, k)), in[32] = {a};
      // PTX sin and cos: times 1 / (2 pi) first.
      if (k > 5) in[0] = wg_fp32_mul(a, 0x3e22f983u, {kWgRoundRN, true, false});
      warp(k == 5 ? kLg2 : k == 6 ? kSin : kCos, in);
      uint32_t got = dut_->rsp_data_o[0];
      clock();
      if (want == 0x7fffffffu || (want & 0x7fffffffu) == 0x7f800000u) {
        EXPECT_EQ(got, want) << t.names()[k] << std::hex << " " << a;
        continue;
      }
      // Both are fixed point inside: absolute error. Large angles have lost theirs in the multiplication.
      if (k > 5 && std::fabs(as_float(a)) > 8.0f) continue;
      double bound = k == 5 ? std::fmax(0x1p-21, std::fabs(as_float(want)) * 0x1p-22) : 0x1p-20;
      EXPECT_NEAR(as_float(got), as_float(want), bound) << t.names()[k] << std::hex << " " << a;
      compared++;
    }
  }
  EXPECT_GE(compared, 300u);
}

TEST(Mufu, WithinTheBoundsOfPtx) {
  // Relative error for RSQ, SQRT, EX2; absolute for LG2 on (0.5, 2), SIN and COS of one turn. PTX ISA, section
  // "floating point instructions"; the table below also catches a loss of accuracy that PTX would still allow.
  const struct {
    unsigned fn;
    double low, high, bound;
    bool relative;
  } f[] = {{kRsq, 1.0, 4.0, 0x1p-23, true},    {kSqrt, 1.0, 4.0, 0x1p-23, true}, {kEx2, -20.0, 20.0, 1.685e-7, true},
           {kLg2, 0.5, 2.0, 0x1p-24, false}, {kSin, -1.0, 1.0, 0x1p-22, false}, {kCos, -1.0, 1.0, 0x1p-22, false}};
  for (const auto &k : f) {
    double worst = 0;
    for (int i = 0; i <= 1 << 20; i++) {
      uint32_t a = as_bits(k.low + (k.high - k.low) * std::fmod(i * 0.6180339887498949, 1.0));
      double x = as_float(a), got = as_float(wg_mufu(k.fn, a));
      double exact = k.fn == kRsq    ? 1.0 / std::sqrt(x)
                     : k.fn == kSqrt ? std::sqrt(x)
                     : k.fn == kEx2  ? std::exp2(x)
                     : k.fn == kLg2  ? std::log2(x)
                     : k.fn == kSin  ? std::sin(2 * M_PI * x)
                                     : std::cos(2 * M_PI * x);
      double error = std::fabs(got - exact) / (k.relative ? exact : 1.0);
      worst = std::fmax(worst, error);
    }
    EXPECT_LE(worst, k.bound) << "function " << k.fn;
    std::printf("function %u: largest %s error 2^%.2f\n", k.fn, k.relative ? "relative" : "absolute", std::log2(worst));
  }
}

double as_double(uint32_t upper) {
  uint64_t u = uint64_t{upper} << 32;
  double f;
  std::memcpy(&f, &u, 8);
  return f;
}

TEST_F(Sfu, UpperWordsNearSilicon) {
  bench::Table t("../../../silicon/f64_approx.csv");
  ASSERT_EQ(t.rows(), 256u);
  for (size_t k = 1; k < 3; k++) {
    unsigned apart = 0;
    for (size_t i = 0; i < t.rows(); i++) {
      uint32_t in[32] = {uint32_t(t.at(i, 0) >> 32)}, want = uint32_t(t.at(i, k) >> 32);
      ASSERT_EQ(t.at(i, k) & 0xffffffffu, 0u);
      warp(k == 1 ? kRcp64h : kRsq64h, in);
      uint32_t got = dut_->rsp_data_o[0];
      clock();
      uint32_t e = want >> 20 & 0x7ffu;
      bool exact = e == 0 || e == 0x7ffu || (want & 0xfffffu) == 0;
      ASSERT_LE(std::abs(int64_t(got) - int64_t(want)), exact ? 0 : 1)
          << t.names()[k] << std::hex << " " << in[0] << " got " << got << " want " << want;
      apart += got != want;
    }
    std::printf("%s: %u of %zu one unit of the upper word from silicon\n", t.names()[k].c_str(), apart, t.rows());
  }
}

TEST_F(Sfu, EveryUpperWordFraction) {
  // Relative error of the seeds below 2^-20, for every fraction; RSQ64H at even and odd exponents.
  double worst = 0;
  uint32_t in[32];
  for (unsigned part = 0; part < 3; part++) {
    unsigned fn = part == 0 ? kRcp64h : kRsq64h;
    for (uint32_t f = 0; f < 1u << 20; f += 32) {
      uint32_t e = part == 0 ? 1 + f / 32 % 2044 : 1 + part % 2 + f / 32 % 1000 * 2;
      for (uint32_t l = 0; l < 32; l++) in[l] = e << 20 | f | l;
      warp(fn, in);
      for (uint32_t l = 0; l < 32; l++) {
        uint32_t got = dut_->rsp_data_o[l];
        ASSERT_EQ(got, wg_mufu(fn, in[l])) << std::hex << fn << " " << in[l];
        double x = as_double(in[l]), exact = fn == kRcp64h ? 1.0 / x : 1.0 / std::sqrt(x);
        worst = std::fmax(worst, std::fabs(as_double(got) / exact - 1.0));
      }
      clock();
    }
  }
  EXPECT_LE(worst, 0x1p-20);
  std::printf("upper words: largest relative error 2^%.2f\n", std::log2(worst));
}

TEST_F(Sfu, EveryExponent) {
  // All exponents of both formats in both signs, at the ends of the fraction and between: the golden model's bits.
  bench::Rng r(5);
  uint32_t in[32];
  for (unsigned fn : {unsigned(kTanh), unsigned(kRcp64h), unsigned(kRsq64h)}) {
    unsigned bits = fn == kTanh ? 23 : 20;
    for (uint32_t e = 0; e < 1u << (31 - bits); e++) {
      for (uint32_t l = 0; l < 32; l++) {
        uint32_t ones = (1u << bits) - 1;
        uint32_t f = l / 2 < 3 ? l / 2 : l / 2 < 6 ? ones - l / 2 + 3 : uint32_t(r.next()) & ones;
        in[l] = (l & 1u) << 31 | e << bits | f;
      }
      warp(fn, in);
      for (uint32_t l = 0; l < 32; l++)
        ASSERT_EQ(dut_->rsp_data_o[l], wg_mufu(fn, in[l])) << std::hex << fn << " " << in[l];
      clock();
    }
  }
}

TEST_F(Sfu, TangentNearSilicon) {
  bench::Table t("../../../silicon/f32_tanh.csv");
  ASSERT_EQ(t.rows(), 256u);
  unsigned equal = 0;
  double worst = 0;
  for (size_t i = 0; i < t.rows(); i++) {
    uint32_t in[32] = {uint32_t(t.at(i, 0))}, want = uint32_t(t.at(i, 1));
    warp(kTanh, in);
    uint32_t got = dut_->rsp_data_o[0];
    clock();
    equal += got == want;
    float x = std::fabs(as_float(in[0]));
    // Where both give the argument, one, or a NaN: the same bits.
    if (std::isnan(x) || x < 0x1p-9f || x > 9.0f)
      ASSERT_EQ(got, want) << std::hex << in[0];
    else
      worst = std::fmax(worst, std::fabs(as_float(got) / double(as_float(want)) - 1.0));
  }
  EXPECT_LE(worst, 0x1p-16);
  std::printf("tanh.approx: %u of %zu equal to silicon, others within 2^%.2f\n", equal, t.rows(), std::log2(worst));
}

TEST(Mufu, TangentWithinTheBoundOfPtx) {
  // PTX allows a relative error of 2^-11; the table reaches 2^-17.5. Never above one, odd.
  double worst = 0;
  for (uint32_t a = 0x3a000000u; a < 0x41800000u; a += 7) {
    uint32_t got = wg_mufu(kTanh, a);
    ASSERT_LE(got, 0x3f800000u) << std::hex << a;
    ASSERT_EQ(wg_mufu(kTanh, a | 0x80000000u), got | 0x80000000u) << std::hex << a;
    worst = std::fmax(worst, std::fabs(as_float(got) / std::tanh(double(as_float(a))) - 1.0));
  }
  EXPECT_LE(worst, 0x1p-17);
  std::printf("tanh: largest relative error 2^%.2f\n", std::log2(worst));
}

TEST_F(Sfu, FullRate) {
  // A warp is accepted every kBeats cycles when responses are taken at once.
  dut_->req_valid_i = 1;
  dut_->mods_i = kRcp;
  dut_->req_mask_i = 0xffffffffu;
  unsigned taken = 0;
  for (unsigned t = 0; t < 10 * kBeats; t++) {
    settle();
    taken += dut_->req_ready_o;
    clock();
  }
  EXPECT_EQ(taken, 10u);
}

TEST_F(Sfu, RandomTraffic) {
  bench::Rng r(3);
  struct Want {
    uint32_t slot, rd, mask, pc, mods;
    bool illegal;
    uint32_t a[32], d[32];
  };
  std::deque<Want> queue;
  Want next = {};
  bool offering = false;
  unsigned done = 0, illegal = 0;
  for (unsigned t = 0; t < 400000; t++) {
    if (!offering && r.chance(60)) {
      offering = true;
      unsigned fn = r.chance(95) ? r.below(kDefined) : r.below(16);
      unsigned mods = fn | (static_cast<unsigned>(r.next()) & (kWgMark_NA | kWgMark_AA));
      next.slot = r.below(16), next.rd = r.below(256), next.pc = r.below(1u << 28);
      next.mask = r.chance(50) ? 0xffffffffu : static_cast<uint32_t>(r.next());
      next.mods = mods;
      next.illegal = !wg_mufu_defined(fn);
      dut_->mods_i = static_cast<uint16_t>(mods);
      dut_->rd_i = static_cast<uint8_t>(next.rd);
      dut_->pc_i = next.pc;
      dut_->req_slot_i = static_cast<uint8_t>(next.slot);
      dut_->req_mask_i = next.mask;
      for (unsigned l = 0; l < 32; l++) {
        uint32_t a = bench::random_float(r, r.chance(50) ? 127 : 1 + r.below(253));
        dut_->req_a_i[l] = a;
        next.a[l] = a;
        if ((mods & kWgMark_AA) != 0) a &= 0x7fffffffu;
        if ((mods & kWgMark_NA) != 0) a ^= 0x80000000u;
        next.d[l] = (next.mask >> l & 1u) != 0 ? wg_mufu(fn, a) : 0u;
      }
    }
    dut_->req_valid_i = offering;
    dut_->rsp_ready_i = r.chance(t / 20000 % 2 != 0 ? 20 : 90);
    settle();
    bool accepted = offering && dut_->req_ready_o != 0;
    if (dut_->rsp_valid_o != 0 && dut_->rsp_ready_i != 0) {
      ASSERT_FALSE(queue.empty());
      const Want &w = queue.front();
      ASSERT_EQ(dut_->rsp_slot_o, w.slot);
      ASSERT_EQ(dut_->rsp_rd_o, w.rd);
      ASSERT_EQ(dut_->rsp_mask_o, w.mask);
      ASSERT_EQ(dut_->illegal_o, w.illegal);
      ASSERT_EQ(dut_->illegal_pc_o, w.pc);
      for (unsigned l = 0; l < 32 && !w.illegal; l++) {
        ASSERT_EQ(dut_->rsp_data_o[l], w.d[l]) << std::hex << "mods " << w.mods << " lane " << l << " a " << w.a[l];
      }
      illegal += w.illegal;
      queue.pop_front();
      done++;
    }
    clock();
    if (accepted) {
      queue.push_back(next);
      offering = false;
    }
    ASSERT_LE(queue.size(), 3u);
  }
  EXPECT_GT(done, 10000u);
  EXPECT_GT(illegal, 100u);
}

}  // namespace
