// SPDX-License-Identifier: Apache-2.0
//
// sqrt.rn.f32 is the host's sqrtf bit for bit, and the approximate functions keep the bounds of PTX, run as compiled
// kernels on the golden model. WG_SQRT_ALL=1 tries all significands of two binades, which with the scaling by powers
// of four is a proof; by default every 16th of them.
#include <random>

#include "model/ref/wg_mufu.h"
#include "testbench/unit/ptx/px_run.h"

namespace {

uint32_t Bits(float f) {
  uint32_t u;
  memcpy(&u, &f, 4);
  return u;
}
float Float(uint32_t u) {
  float f;
  memcpy(&f, &u, 4);
  return f;
}
uint32_t Canon(uint32_t u) { return (u & 0x7fffffffu) > 0x7f800000u ? 0x7fffffffu : u; }

/** `op` of every value of `in`, in order. */
std::vector<uint32_t> Map(const std::string &op, const std::vector<uint32_t> &in) {
  px::Module m(px::Kernel("ld.global.f32 %f1, [%i];\n" + op + " %f1, %f1;\nst.global.f32 [%o], %f1;"));
  EXPECT_EQ(m.status, kWgOk) << op << ": " << m.diag.msg;
  std::vector<uint32_t> out(in.size());
  const size_t kLaunch = 4096, half = 32 * kLaunch;
  px::Memory mem(2 * half);
  px::Args a;
  a.Add(px::kBase + half).Add(px::kBase);
  for (size_t at = 0; m.status == kWgOk && at < in.size(); at += kLaunch) {
    size_t n = std::min(kLaunch, in.size() - at);
    for (size_t i = 0; i < n; i++) *mem.At<uint32_t>(32 * i) = in[at + i];
    px::Run(m, "k", {uint32_t(kLaunch / 256)}, {256}, 0, a, &mem);
    for (size_t i = 0; i < n; i++) out[at + i] = *mem.At<uint32_t>(half + 32 * i);
  }
  return out;
}

/** Random bits, and the borders between zero, denormals, normal numbers, infinity and NaN with both signs. */
std::vector<uint32_t> Operands() {
  std::vector<uint32_t> v;
  for (uint32_t border : {0x0u, 0x1000000u, 0x800000u, 0x0d800000u, 0x7f800000u, 0x3f800000u, 0x400000u, 0x7fc00000u}) {
    for (uint32_t i = 0; i < 512; i++) {
      v.push_back(border + i - 256);
      v.push_back((border + i - 256) ^ 0x80000000u);
    }
  }
  std::mt19937_64 rng(1);
  for (int i = 0; i < 100000; i++) v.push_back(uint32_t(rng()));
  for (int i = 0; i < 20000; i++) v.push_back(uint32_t(rng()) & 0x007fffffu);
  return v;
}

TEST(SfuTest, SqrtIsRoundedCorrectly) {
  std::vector<uint32_t> in = Operands(), got = Map("sqrt.rn.f32", in), ftz = Map("sqrt.rn.ftz.f32", in);
  int bad = 0;
  for (size_t i = 0; i < in.size() && bad < 5; i++) {
    volatile float x = Float(in[i]);
    uint32_t want = Canon(Bits(sqrtf(x))), flushed = (in[i] >> 23 & 255) == 0 ? in[i] & 0x80000000u : want;
    if (got[i] != want || ftz[i] != flushed) {
      bad++;
      ADD_FAILURE() << std::hex << "sqrt " << in[i] << " = " << want << ", got " << got[i] << "; .ftz " << flushed
                    << ", got " << ftz[i];
    }
  }
}

// Squares of the middle between two neighbours come closest to being rounded wrongly; here all operands are tried.
TEST(SfuTest, NewtonStepOverTwoBinades) {
  uint32_t step = getenv("WG_SQRT_ALL") != nullptr ? 1 : 16, bad = 0;
  for (uint32_t u = 127u << 23; u < 129u << 23; u += step) {
    float a = Float(u), y = Float(wg_mufu(5, u)), g = a * y, r = fmaf(-g, g, a);
    bad += fmaf(r, 0.5f * y, g) != sqrtf(a);
  }
  EXPECT_EQ(bad, 0u);
}

struct Bound {
  const char *op;
  double (*exact)(double);
  double low, high;   /* operands that PTX bounds */
  double relative, absolute;
};

TEST(SfuTest, ApproximationsKeepTheirBounds) {
  const Bound bounds[] = {
      {"sin.approx", sin, -6.283, 6.283, 0, 0x1p-20},       {"cos.approx", cos, -6.283, 6.283, 0, 0x1p-20},
      {"ex2.approx", exp2, -149, 127.99, 0x1p-22, 0x1p-149}, {"lg2.approx", log2, 0x1p-149, 0x1p127, 0x1p-22, 0x1p-22},
      {"rsqrt.approx", [](double v) { return 1 / sqrt(v); }, 0x1p-149, 0x1p127, 0x1p-22, 0},
      {"sqrt.approx", sqrt, 0x1p-149, 0x1p127, 0x1p-22, 0},
  };
  std::mt19937_64 rng(2);
  for (const Bound &b : bounds) {
    std::vector<uint32_t> in;
    bool logarithmic = b.low > 0;
    while (in.size() < 20000) {
      float v = logarithmic ? Float(uint32_t(rng()) & 0x7fffffffu)
                            : float(b.low + (b.high - b.low) * double(rng() >> 11) * 0x1p-53);
      if (v >= b.low && v <= b.high) in.push_back(Bits(v));
    }
    for (const char *ftz : {"", ".ftz"}) {
      std::vector<uint32_t> got = Map(std::string(b.op) + ftz + ".f32", in);
      int bad = 0;
      for (size_t i = 0; i < in.size() && bad < 3; i++) {
        double want = b.exact(double(Float(in[i])));
        bool tiny = *ftz != 0 && (in[i] < 0x00800000u || std::fabs(want) < 0x1p-126);
        double off = std::fabs(want - double(Float(got[i])));
        if (tiny || off <= b.absolute + b.relative * std::fabs(want)) continue;
        bad++;
        ADD_FAILURE() << b.op << ftz << " " << Float(in[i]) << " = " << want << ", got " << Float(got[i]);
      }
    }
  }
}

TEST(SfuTest, RefusesOtherForms) {
  for (const char *op : {"sqrt.rzi.f32", "sin.rn.f32", "ex2.approx.f64", "sqrt.f32", "sin.f32", "tanh.f32"}) {
    px::Module m(px::Kernel(std::string(op) + " %f1, %f2;"));
    EXPECT_NE(m.status, kWgOk) << op;
    EXPECT_NE(strstr(m.diag.msg, op), nullptr) << m.diag.msg;
  }
}

} // namespace
