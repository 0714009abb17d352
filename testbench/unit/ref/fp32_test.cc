// SPDX-License-Identifier: Apache-2.0
//
// fp32 of the golden model against results of real silicon (data/*.csv, rows of silicon/ops) and against the host's
// IEEE arithmetic in its default rounding.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <functional>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "model/ref/wg_ref_fp32.h"

namespace {

uint32_t Bits(float f) {
  uint32_t u;
  std::memcpy(&u, &f, 4);
  return u;
}
float Float(uint32_t u) {
  float f;
  std::memcpy(&f, &u, 4);
  return f;
}

using Fn = std::function<uint32_t(uint32_t, uint32_t, uint32_t)>;

wg_fp_mode_t Mode(wg_round_t r, bool ftz = false, bool sat = false) { return wg_fp_mode_t{r, ftz, sat}; }

Fn Add(wg_fp_mode_t m) {
  return [m](uint32_t a, uint32_t b, uint32_t) { return wg_fp32_add(a, b, m); };
}
Fn Sub(wg_fp_mode_t m) {
  return [m](uint32_t a, uint32_t b, uint32_t) { return wg_fp32_add(a, b ^ 0x80000000u, m); };
}
Fn Mul(wg_fp_mode_t m) {
  return [m](uint32_t a, uint32_t b, uint32_t) { return wg_fp32_mul(a, b, m); };
}
Fn Fma(wg_fp_mode_t m) {
  return [m](uint32_t a, uint32_t b, uint32_t c) { return wg_fp32_fma(a, b, c, m); };
}
Fn MinMax(bool min, bool ftz) {
  return [=](uint32_t a, uint32_t b, uint32_t) { return wg_fp32_minmax(a, b, min, ftz); };
}
Fn Setp(unsigned cond, bool ftz) {
  return [=](uint32_t a, uint32_t b, uint32_t) { return wg_fp32_compare(a, b, cond, ftz) ? 1u : 0u; };
}

const std::map<std::string, unsigned> &Conditions() {
  static const std::map<std::string, unsigned> c = {{"lt", 1},   {"eq", 2},   {"le", 3},   {"gt", 4},  {"ne", 5},
                                                    {"ge", 6},   {"num", 7},  {"nan", 8},  {"ltu", 9}, {"equ", 10},
                                                    {"leu", 11}, {"gtu", 12}, {"neu", 13}, {"geu", 14}};
  return c;
}

// The function a column name asks for; empty if the golden model has no such instruction.
Fn Column(const std::string &name) {
  std::vector<std::string> part;
  std::stringstream ss(name);
  for (std::string p; std::getline(ss, p, '.');) part.push_back(p);
  if (part.back() != "f32") return {};
  bool ftz = false, sat = false, rounded = false;
  wg_round_t r = kWgRoundRN;
  unsigned cond = 0;
  bool has_cond = false;
  for (size_t i = 1; i + 1 < part.size(); i++) {
    const std::string &p = part[i];
    auto c = Conditions().find(p);
    if (p == "ftz")
      ftz = true;
    else if (p == "sat")
      sat = true;
    else if (p == "rn" || p == "rz" || p == "rm" || p == "rp") {
      rounded = true;
      r = p == "rn" ? kWgRoundRN : p == "rz" ? kWgRoundRZ : p == "rm" ? kWgRoundRM : kWgRoundRP;
    } else if (part[0] == "setp" && c != Conditions().end()) {
      has_cond = true;
      cond = c->second;
    } else
      return {};
  }
  const std::string &op = part[0];
  if (rounded && op == "add") return Add(Mode(r, ftz, sat));
  if (rounded && op == "sub") return Sub(Mode(r, ftz, sat));
  if (rounded && op == "mul") return Mul(Mode(r, ftz, sat));
  if (rounded && (op == "fma" || op == "mad")) return Fma(Mode(r, ftz, sat));
  if (op == "min" || op == "max") return MinMax(op == "min", ftz);
  if (has_cond) return Setp(cond, ftz);
  return {};
}

std::vector<std::string> Split(const std::string &line) {
  std::vector<std::string> v;
  std::stringstream ss(line);
  for (std::string f; std::getline(ss, f, ',');) v.push_back(f);
  return v;
}

// Compares every supported column; returns the number of results compared.
size_t CheckFile(const std::string &file, size_t inputs, size_t *columns) {
  std::ifstream in("testbench/unit/ref/data/" + file);
  EXPECT_TRUE(in.good()) << "cannot open " << file << " (run from the repository root)";
  std::string line;
  std::getline(in, line);
  auto head = Split(line);
  std::vector<Fn> fn(head.size());
  *columns = 0;
  for (size_t i = inputs; i < head.size(); i++) {
    fn[i] = Column(head[i]);
    EXPECT_TRUE(fn[i]) << "column " << head[i] << " has no function";
    if (fn[i]) ++*columns;
  }
  size_t n = 0;
  while (std::getline(in, line)) {
    auto f = Split(line);
    uint32_t x[3] = {0, 0, 0};
    for (size_t i = 0; i < inputs; i++) x[i] = static_cast<uint32_t>(std::stoul(f[i], nullptr, 16));
    for (size_t i = inputs; i < f.size() && i < head.size(); i++) {
      if (!fn[i]) continue;
      uint32_t want = static_cast<uint32_t>(std::stoul(f[i], nullptr, 16));
      EXPECT_EQ(fn[i](x[0], x[1], x[2]), want)
          << head[i] << std::hex << " a=" << x[0] << " b=" << x[1] << " c=" << x[2];
      n++;
    }
  }
  return n;
}

TEST(Fp32Silicon, Binary) {
  size_t columns;
  size_t n = CheckFile("f32_binary.csv", 2, &columns);
  EXPECT_EQ(columns, 46u);
  EXPECT_EQ(n, columns * 256u);
}

TEST(Fp32Silicon, Ternary) {
  size_t columns;
  size_t n = CheckFile("f32_ternary.csv", 3, &columns);
  EXPECT_EQ(columns, 12u);
  EXPECT_EQ(n, columns * 599u);
}

class HostValues {
 public:
  explicit HostValues(uint32_t seed) : rng_(seed) {}
  // Mixes plain random patterns with values near the edges of the format and near each other.
  uint32_t Next(uint32_t near) {
    switch (rng_() % 8) {
      case 0: return (rng_() & 0x807fffffu) | ((rng_() % 4) << 23);
      case 1: return (rng_() & 0x807fffffu) | ((252 + rng_() % 4) << 23);
      case 2: return near ^ (rng_() & 0x80000003u);
      case 3: return (near & 0x7f800000u) + (rng_() & 0x80ffffffu);
      case 4: return (rng_() & 0x80000000u) | 0x00800000u | (rng_() % 8 == 0 ? rng_() % 4 : 0);
      case 5: return static_cast<uint32_t>(rng_()) & 0xff80000fu;
      default: return static_cast<uint32_t>(rng_());
    }
  }

 private:
  std::mt19937 rng_;
};

uint32_t Canon(float f) { return std::isnan(f) ? WG_FP32_NAN : Bits(f); }

TEST(Fp32Host, NearestAgrees) {
  HostValues v(7);
  const wg_fp_mode_t m = Mode(kWgRoundRN);
  uint32_t a = 0;
  for (int i = 0; i < 2000000; i++) {
    a = v.Next(a);
    uint32_t b = v.Next(a);
    // products near c exercise cancellation
    uint32_t c = i % 3 == 0 ? Canon(-Float(a) * Float(b)) ^ (static_cast<uint32_t>(i) & 7u) : v.Next(b);
    volatile float fa = Float(a), fb = Float(b);
    ASSERT_EQ(wg_fp32_add(a, b, m), Canon(fa + fb)) << std::hex << a << " " << b;
    ASSERT_EQ(wg_fp32_mul(a, b, m), Canon(fa * fb)) << std::hex << a << " " << b;
    ASSERT_EQ(wg_fp32_fma(a, b, c, m), Canon(std::fma(Float(a), Float(b), Float(c))))
        << std::hex << a << " " << b << " " << c;
  }
}

// Directed rounding and FTZ by their definitions, from the exact value (double is exact for a product of two floats).
TEST(Fp32Host, DirectedMultiplyBrackets) {
  HostValues v(11);
  uint32_t a = 0;
  for (int i = 0; i < 500000; i++) {
    a = v.Next(a);
    uint32_t b = v.Next(a);
    double exact = static_cast<double>(Float(a)) * static_cast<double>(Float(b));
    if (std::isnan(exact) || std::isinf(exact)) continue;
    float down = Float(wg_fp32_mul(a, b, Mode(kWgRoundRM)));
    float up = Float(wg_fp32_mul(a, b, Mode(kWgRoundRP)));
    float zero = Float(wg_fp32_mul(a, b, Mode(kWgRoundRZ)));
    ASSERT_LE(static_cast<double>(down), exact);
    ASSERT_GE(static_cast<double>(up), exact);
    if (static_cast<double>(down) == exact)
      ASSERT_EQ(Bits(up), Bits(down));
    else
      ASSERT_EQ(std::nextafterf(down, INFINITY), up) << std::hex << a << " " << b;
    ASSERT_EQ(Bits(zero), Bits(exact < 0 || (exact == 0 && std::signbit(exact)) ? up : down));
    float ftz = Float(wg_fp32_mul(a, b, Mode(kWgRoundRN, true)));
    bool flushed_in = std::fpclassify(Float(a)) == FP_SUBNORMAL || std::fpclassify(Float(b)) == FP_SUBNORMAL;
    if (!flushed_in && exact != 0) ASSERT_EQ(ftz == 0, std::fabs(exact) < 0x1p-126) << std::hex << a << " " << b;
  }
}

TEST(Fp32, FlushBeforeRounding) {
  // (1 - 2^-24) * 2^-126 rounds to 2^-126 but is tiny before rounding
  EXPECT_EQ(wg_fp32_mul(0x3f7fffff, 0x00800000, Mode(kWgRoundRN, true)), 0u);
  EXPECT_EQ(wg_fp32_mul(0xbf7fffff, 0x00800000, Mode(kWgRoundRN, true)), 0x80000000u);
  EXPECT_EQ(wg_fp32_mul(0x3f7fffff, 0x00800000, Mode(kWgRoundRN)), 0x00800000u);
}

TEST(Fp32, ExactZeroSigns) {
  EXPECT_EQ(wg_fp32_add(0x3f800000, 0xbf800000, Mode(kWgRoundRN)), 0u);
  EXPECT_EQ(wg_fp32_add(0x3f800000, 0xbf800000, Mode(kWgRoundRM)), 0x80000000u);
  EXPECT_EQ(wg_fp32_fma(0x3f800000, 0x3f800000, 0xbf800000, Mode(kWgRoundRM)), 0x80000000u);
  EXPECT_EQ(wg_fp32_mul(0x80000000, 0x3f800000, Mode(kWgRoundRP)), 0x80000000u);
}

TEST(Fp32, CheckRule) {
  auto f = [](unsigned e) { return e << 23 | 0x1234u; };
  for (unsigned ea = 0; ea < 256; ea++) {
    for (unsigned eb = 0; eb < 256; eb++) {
      bool slow = ea == 0 || ea == 255 || eb == 0 || eb == 255 || eb < 3 || eb > 252 || ea < 25;
      int d = static_cast<int>(ea) - static_cast<int>(eb);
      slow = slow || d < -125 || d > 126;
      ASSERT_EQ(wg_fp32_check(f(ea), f(eb) | 0x80000000u), slow) << ea << " " << eb;
    }
  }
}

}  // namespace
