// SPDX-License-Identifier: Apache-2.0
//
// Sequences on 64 bits against the host: division, reciprocal and square root of doubles in four roundings, integer
// division, carry chains. Operands: random bits and the borders of the algorithms (README.md of toolchain/ptx).
#include <cfenv>
#include <random>

#include "testbench/unit/ptx/px_run.h"

namespace {

uint64_t Bits(double d) {
  uint64_t v;
  memcpy(&v, &d, 8);
  return v;
}

double Double(uint64_t v) {
  double d;
  memcpy(&d, &v, 8);
  return d;
}

/** Doubles that are random in all bits, near each other's exponent, denormal, special, or have long runs of ones. */
uint64_t Operand(std::mt19937_64 &rng) {
  uint64_t r = rng(), frac = r & 0xfffffffffffffull, sign = r & (1ull << 63);
  static const uint64_t kSpecial[] = {0, 1, 0xfffffffffffffull, 0x10000000000000ull, 0x7fefffffffffffffull,
                                      0x7ff0000000000000ull, 0x7ff8000000000000ull, 0x3ff0000000000000ull,
                                      0x3fefffffffffffffull, 0x4340000000000000ull};
  switch (rng() % 8) {
    case 0: return r;
    case 1: return sign | (1013 + rng() % 20) << 52 | frac;
    case 2: return sign | frac >> rng() % 52;
    case 3: return sign | kSpecial[rng() % 10];
    case 4: return sign | (rng() % 2047) << 52 | (0xfffffffffffffull << rng() % 52 & 0xfffffffffffffull);
    case 5: return sign | (rng() % 70) << 52 | frac;
    case 6: return sign | (1970 + rng() % 77) << 52 | frac;
    default: return sign | (1020 + rng() % 6) << 52 | (frac & 7) << 49;
  }
}

struct Case {
  const char *op;
  int mode;
};

class RoundedTest : public testing::TestWithParam<Case> {};

__attribute__((noinline)) double Host(char op, volatile double a, volatile double b, int mode) {
  fesetround(mode);
  volatile double r = op == 'd' ? a / b : op == 'r' ? 1.0 / a : std::sqrt(a);
  fesetround(FE_TONEAREST);
  return r;
}

TEST_P(RoundedTest, EqualsTheHost) {
  std::string op = GetParam().op;
  bool two = op[0] == 'd';
  px::Module m(px::Kernel("ld.global.f64 %d1, [%i];\nld.global.f64 %d2, [%i+8];\n" + op + " %d3, %d1" +
                          (two ? ", %d2" : "") + ";\nst.global.f64 [%o], %d3;"));
  ASSERT_EQ(m.status, kWgOk) << m.diag.msg;
  const char *env = getenv("WG_WIDE_ROUNDS");
  int rounds = env == nullptr ? 4 : atoi(env), bad = 0;
  std::mt19937_64 rng(20260101);
  constexpr size_t n = 1024, half = 32 * n;
  for (int k = 0; k < rounds; k++) {
    px::Memory mem(2 * half);
    for (size_t i = 0; i < n; i++) {
      *mem.At<uint64_t>(32 * i) = Operand(rng);
      *mem.At<uint64_t>(32 * i + 8) = Operand(rng);
    }
    px::Args a;
    a.Add(px::kBase + half).Add(px::kBase);
    px::Run(m, "k", {uint32_t(n / 32)}, {32}, 0, a, &mem);
    for (size_t i = 0; i < n && bad < 5; i++) {
      uint64_t x = *mem.At<uint64_t>(32 * i), y = *mem.At<uint64_t>(32 * i + 8), got = *mem.At<uint64_t>(half + 32 * i);
      uint64_t want = Bits(Host(op[0], Double(x), Double(y), GetParam().mode));
      bool nan = std::isnan(Double(want)) && std::isnan(Double(got));
      if (nan || want == got) continue;
      ADD_FAILURE() << op << std::hex << " " << x << ", " << y << " gave " << got << ", host " << want;
      bad++;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, RoundedTest,
                         testing::Values(Case{"div.rn.f64", FE_TONEAREST}, Case{"div.rz.f64", FE_TOWARDZERO},
                                         Case{"div.rm.f64", FE_DOWNWARD}, Case{"div.rp.f64", FE_UPWARD},
                                         Case{"rcp.rn.f64", FE_TONEAREST}, Case{"rcp.rz.f64", FE_TOWARDZERO},
                                         Case{"rcp.rm.f64", FE_DOWNWARD}, Case{"rcp.rp.f64", FE_UPWARD},
                                         Case{"sqrt.rn.f64", FE_TONEAREST}, Case{"sqrt.rz.f64", FE_TOWARDZERO},
                                         Case{"sqrt.rm.f64", FE_DOWNWARD}, Case{"sqrt.rp.f64", FE_UPWARD}),
                         [](const auto &i) {
                           std::string s = i.param.op;
                           for (char &c : s) c = c == '.' ? '_' : c;
                           return s;
                         });

/** fp32 by way of fp64. */
TEST(RoundedTest32, EqualsTheHost) {
  const Case cases[] = {{"div.rz.f32", FE_TOWARDZERO}, {"div.rm.f32", FE_DOWNWARD}, {"div.rp.f32", FE_UPWARD},
                        {"sqrt.rz.f32", FE_TOWARDZERO}, {"sqrt.rp.f32", FE_UPWARD}, {"rcp.rm.f32", FE_DOWNWARD}};
  std::mt19937_64 rng(7);
  for (const Case &c : cases) {
    std::string op = c.op;
    bool two = op[0] == 'd';
    px::Module m(px::Kernel("ld.global.f32 %f1, [%i];\nld.global.f32 %f2, [%i+8];\n" + op + " %f3, %f1" +
                            (two ? ", %f2" : "") + ";\nst.global.f32 [%o], %f3;"));
    ASSERT_EQ(m.status, kWgOk) << m.diag.msg;
    constexpr size_t n = 1024, half = 32 * n;
    px::Memory mem(2 * half);
    for (size_t i = 0; i < 4 * n; i++) *mem.At<uint32_t>(8 * i) = uint32_t(rng()) & (i % 3 == 0 ? 0x80ffffffu : ~0u);
    px::Args a;
    a.Add(px::kBase + half).Add(px::kBase);
    px::Run(m, "k", {uint32_t(n / 32)}, {32}, 0, a, &mem);
    for (size_t i = 0; i < n; i++) {
      volatile float x = *mem.At<float>(32 * i), y = *mem.At<float>(32 * i + 8);
      float got = *mem.At<float>(half + 32 * i);
      fesetround(c.mode);
      volatile float want = two ? x / y : op[0] == 'r' ? 1.0f / x : std::sqrt(x);
      fesetround(FE_TONEAREST);
      float w = want;
      bool same = (std::isnan(w) && std::isnan(got)) || memcmp(&w, &got, 4) == 0;
      ASSERT_TRUE(same) << op << " " << std::hexfloat << x << ", " << y << " gave " << got << ", host " << w;
    }
  }
}

/** Integer division of 64 bits: all widths of operands; by zero all ones. */
TEST(WideDivision, EqualsTheHost) {
  px::Module m(px::Kernel("ld.global.u64 %d1, [%i];\nld.global.u64 %d2, [%i+8];\ndiv.u64 %d3, %d1, %d2;\n"
                          "rem.u64 %d4, %d1, %d2;\ndiv.s64 %d5, %d1, %d2;\nrem.s64 %d6, %d1, %d2;\n"
                          "st.global.v2.u64 [%o], {%d3, %d4};\nst.global.v2.u64 [%o+16], {%d5, %d6};"));
  ASSERT_EQ(m.status, kWgOk) << m.diag.msg;
  std::mt19937_64 rng(11);
  constexpr size_t n = 1024, half = 32 * n;
  for (int k = 0; k < 4; k++) {
    px::Memory mem(2 * half);
    for (size_t i = 0; i < n; i++) {
      uint64_t b = rng() >> rng() % 64, q = rng() >> rng() % 64;
      *mem.At<uint64_t>(32 * i) = i % 2 == 0 ? rng() >> rng() % 64 : b * q - (i % 4 == 1); /* next to multiples */
      *mem.At<uint64_t>(32 * i + 8) = i % 97 == 0 ? 0 : i % 89 == 0 ? ~0ull : b;
    }
    px::Args a;
    a.Add(px::kBase + half).Add(px::kBase);
    px::Run(m, "k", {uint32_t(n / 32)}, {32}, 0, a, &mem);
    for (size_t i = 0; i < n; i++) {
      uint64_t x = *mem.At<uint64_t>(32 * i), y = *mem.At<uint64_t>(32 * i + 8), *r = mem.At<uint64_t>(half + 32 * i);
      int64_t sx = int64_t(x), sy = int64_t(y);
      uint64_t q = y == 0 ? ~0ull : x / y, w = y == 0 ? ~0ull : x % y;
      uint64_t sq = y == 0 ? ~0ull : sy == -1 ? 0 - x : uint64_t(sx / sy);
      uint64_t sw = y == 0 ? ~0ull : sy == -1 ? 0 : uint64_t(sx % sy);
      ASSERT_TRUE(r[0] == q && r[1] == w && r[2] == sq && r[3] == sw)
          << std::hex << x << " / " << y << " gave " << r[0] << " rest " << r[1] << ", signed " << r[2] << " rest "
          << r[3];
    }
  }
}

/** 128-bit sums and products by carry chains. */
TEST(CarryChain, EqualsTheHost) {
  px::Module m(px::Kernel(
      "ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%i];\nld.global.v4.u32 {%r5, %r6, %r7, %r8}, [%i+16];\n"
      "add.cc.u32 %r11, %r1, %r5;\naddc.cc.u32 %r12, %r2, %r6;\naddc.cc.u32 %r13, %r3, %r7;\naddc.u32 %r14, %r4, %r8;\n"
      "st.global.v4.u32 [%o], {%r11, %r12, %r13, %r14};\nsub.cc.u32 %r11, %r1, %r5;\nsubc.cc.u32 %r12, %r2, %r6;\n"
      "subc.u32 %r13, %r3, %r7;\nmad.lo.cc.u32 %r12, %r1, %r6, %r12;\nmadc.hi.u32 %r13, %r1, %r6, %r13;\n"
      "st.global.v2.u32 [%o+16], {%r11, %r12};\nst.global.u32 [%o+24], %r13;"));
  ASSERT_EQ(m.status, kWgOk) << m.diag.msg;
  std::mt19937_64 rng(3);
  constexpr size_t n = 256, half = 32 * n;
  px::Memory mem(2 * half);
  for (size_t i = 0; i < 8 * n; i++) *mem.At<uint32_t>(4 * i) = rng() % 4 == 0 ? ~0u : uint32_t(rng());
  px::Args a;
  a.Add(px::kBase + half).Add(px::kBase);
  px::Run(m, "k", {uint32_t(n / 32)}, {32}, 0, a, &mem);
  for (size_t i = 0; i < n; i++) {
    unsigned __int128 x, y, sum, got;
    memcpy(&x, mem.At<uint8_t>(32 * i), 16);
    memcpy(&y, mem.At<uint8_t>(32 * i + 16), 16);
    memcpy(&got, mem.At<uint8_t>(half + 32 * i), 16);
    sum = x + y;
    ASSERT_TRUE(sum == got) << i;
    unsigned __int128 mask = ((unsigned __int128)1 << 96) - 1, d = (x - y) & mask;
    d = (d + ((unsigned __int128)(uint64_t(uint32_t(x)) * uint32_t(y >> 32)) << 32)) & mask;
    got = 0;
    memcpy(&got, mem.At<uint8_t>(half + 32 * i + 16), 12);
    ASSERT_TRUE(d == got) << i;
  }
}

} // namespace
