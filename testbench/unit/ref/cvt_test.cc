// SPDX-License-Identifier: Apache-2.0
//
// Conversions and bit counts of the golden model against silicon (testbench/silicon, every row and every column there).
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <map>
#include <random>

#include "model/ref/wg_ref.h"
#include "model/ref/wg_ref_cvt.h"
#include "testbench/silicon/table.h"

namespace {

uint64_t Execute(uint8_t op, unsigned mods, uint64_t a) {
  wg_insn_t in = wg_insn_default(op);
  in.mods = static_cast<uint16_t>(mods);
  EXPECT_EQ(wg_decode(wg_encode(&in), &in), kWgOk) << std::hex << int(op) << " mods " << mods;
  uint32_t lo[32] = {0, static_cast<uint32_t>(a)}, hi[32] = {0, static_cast<uint32_t>(a >> 32)};
  wg_ref_in_t src = {};
  src.a = lo;
  src.a1 = hi;
  src.exec = 2;
  wg_ref_out_t out;
  EXPECT_TRUE(wg_ref_exec(&in, &src, &out));
  EXPECT_TRUE(out.wr);
  return out.wide ? uint64_t{out.d1[1]} << 32 | out.d[1] : out.d[1];
}

const std::map<std::string, unsigned> &Floats() {
  static const std::map<std::string, unsigned> m = {{"f16", 0}, {"f32", 1}, {"f64", 2}, {"bf16", 3}, {"tf32", 4}};
  return m;
}
const std::map<std::string, unsigned> &Ints() {
  static const std::map<std::string, unsigned> m = {{"u8", 0},  {"s8", 1},  {"u16", 2}, {"s16", 3},
                                                    {"u32", 4}, {"s32", 5}, {"u64", 6}, {"s64", 7}};
  return m;
}

// A PTX conversion as one of our instructions: opcode and modifiers.
bool Conversion(const std::string &name, uint8_t *op, unsigned *mods) {
  std::vector<std::string> part;
  std::stringstream ss(name);
  for (std::string p; std::getline(ss, p, '.');) part.push_back(p);
  if (part.size() < 3 || part[0] != "cvt") return false;
  const std::string src = part.back(), dst = part[part.size() - 2];
  *mods = 0;
  for (size_t i = 1; i + 2 < part.size(); i++) {
    const std::string &p = part[i];
    bool integral = p.size() == 3 && p[0] == 'r' && p[2] == 'i';
    if (p == "rna") *mods |= 1u << kWgModLsb_AWAY;
    else if (p == "ftz") *mods |= 1u << kWgModLsb_FTZ;
    else if (p == "relu") *mods |= 1u << kWgModLsb_CRELU;
    else if (p == "sat") *mods |= Ints().count(dst) != 0 ? 0u : 1u << kWgModLsb_SAT;  // integers always saturate
    else if (p[0] == 'r' && (p.size() == 2 || integral)) {
      *mods |= p[1] == 'm' ? 1u : p[1] == 'p' ? 2u : p[1] == 'z' ? 3u : 0u;
      if (integral && Ints().count(dst) == 0) *mods |= 1u << kWgModLsb_INTR;
    } else return false;
  }
  if (Floats().count(src) != 0 && Floats().count(dst) != 0) {
    *op = kWgOp_F2F;
    *mods |= Floats().at(dst) << kWgModLsb_FDST | Floats().at(src) << kWgModLsb_FSRC;
  } else if (Floats().count(src) != 0) {
    *op = kWgOp_F2I;
    *mods |= Ints().at(dst) << kWgModLsb_ISZ | Floats().at(src) << kWgModLsb_FSRC;
  } else {
    *op = kWgOp_I2F;
    *mods |= Floats().at(dst) << kWgModLsb_FDST | Ints().at(src) << kWgModLsb_ISZ;
  }
  return true;
}

void CheckConversions(const std::string &file, size_t columns) {
  silicon::Table t(file);
  ASSERT_EQ(t.rows(), 256u);
  ASSERT_EQ(t.names().size(), columns + 1);
  for (size_t k = 1; k < t.names().size(); k++) {
    uint8_t op;
    unsigned mods;
    ASSERT_TRUE(Conversion(t.names()[k], &op, &mods)) << t.names()[k];
    for (size_t i = 0; i < t.rows(); i++) {
      ASSERT_EQ(Execute(op, mods, t.at(i, 0)), t.at(i, k)) << t.names()[k] << std::hex << " a " << t.at(i, 0);
    }
  }
}

TEST(CvtSilicon, IntToFloat) { CheckConversions("cvt_int_float.csv.gz", 60); }
TEST(CvtSilicon, FromF16) { CheckConversions("f16_unary.csv.gz", 41); }
TEST(CvtSilicon, FromF32) { CheckConversions("f32_unary.csv.gz", 59); }
TEST(CvtSilicon, FromF64) { CheckConversions("f64_unary.csv.gz", 47); }

void CheckBits(const std::string &file, unsigned width) {
  silicon::Table t(file);
  ASSERT_EQ(t.rows(), 256u);
  ASSERT_EQ(t.names().size(), 8u);
  const unsigned b64 = width == 64 ? 1u << kWgModLsb_B64 : 0u;
  const unsigned s32 = 1u << kWgModLsb_FLOS, sh = 1u << kWgModLsb_FLOSH;
  for (size_t k = 1; k < t.names().size(); k++) {
    const std::string &n = t.names()[k];
    auto starts = [&n](const char *s) { return n.rfind(s, 0) == 0; };
    bool is_signed = n.find(".s") != std::string::npos && n.find(".s") == n.rfind(".s") && n[n.rfind(".s") + 2] != 'h';
    if (n.find(".shiftamt.s") != std::string::npos) is_signed = true;
    for (size_t i = 0; i < t.rows(); i++) {
      uint64_t a = t.at(i, 0), r;
      if (starts("popc")) r = Execute(kWgOp_POPC, b64, a);
      else if (starts("brev")) r = Execute(kWgOp_BREV, b64, a);
      else if (starts("clz")) r = (width - 1 - Execute(kWgOp_FLO, b64, a)) & 0xffffffffu;
      else if (starts("bfind.shiftamt")) r = Execute(kWgOp_FLO, b64 | sh | (is_signed ? s32 : 0u), a);
      else if (starts("bfind")) r = Execute(kWgOp_FLO, b64 | (is_signed ? s32 : 0u), a);
      else FAIL() << "no rule for column " << n;
      ASSERT_EQ(r, t.at(i, k)) << n << std::hex << " a " << a;
    }
  }
}

TEST(BitsSilicon, Words) { CheckBits("int32_unary.csv.gz", 32); }
TEST(BitsSilicon, Pairs) { CheckBits("int64_unary.csv.gz", 64); }

// What the tables do not hold: bf16 and tf32 operands, by way of their exact f32 equals.
TEST(Cvt, Bf16IsTheUpperHalfOfF32) {
  auto f2f = [](unsigned dst, unsigned src, uint64_t a) {
    return Execute(kWgOp_F2F, dst << kWgModLsb_FDST | src << kWgModLsb_FSRC, a);
  };
  for (uint32_t v = 0; v < 0x10000u; v++) {
    bool nan = (v & 0x7fffu) > 0x7f80u;
    ASSERT_EQ(f2f(kWgFmtF32, kWgFmtBF16, v), nan ? 0x7fffffffu : v << 16) << v;
    ASSERT_EQ(f2f(kWgFmtBF16, kWgFmtF32, uint64_t{v} << 16), nan ? 0x7fffu : v) << v;
    for (unsigned isz : {0u, 3u, 5u, 6u}) {
      ASSERT_EQ(Execute(kWgOp_F2I, isz << kWgModLsb_ISZ | kWgFmtBF16 << kWgModLsb_FSRC, v),
                Execute(kWgOp_F2I, isz << kWgModLsb_ISZ | kWgFmtF32 << kWgModLsb_FSRC, uint64_t{v} << 16));
    }
  }
}

// Against the host's conversions, which are exact or round to nearest.
TEST(Cvt, HostAgrees) {
  std::mt19937_64 rng(3);
  for (int i = 0; i < 1000000; i++) {
    uint64_t a = rng() >> (rng() % 64);
    float f = static_cast<float>(static_cast<int64_t>(a));
    double d = static_cast<double>(a);
    uint32_t fu;
    uint64_t du;
    std::memcpy(&fu, &f, 4);
    std::memcpy(&du, &d, 8);
    ASSERT_EQ(wg_i2f(kWgFmtF32, 7, a, kWgFltRN), fu) << a;
    ASSERT_EQ(wg_i2f(kWgFmtF64, 6, a, kWgFltRN), du) << a;
    uint64_t bits = rng();
    if (i % 2 != 0) bits = (bits & 0x800fffffffffffffu) | (927u + rng() % 140u) << 52;
    double x;
    std::memcpy(&x, &bits, 8);
    if (std::isnan(x)) continue;
    float narrow = static_cast<float>(x);
    std::memcpy(&fu, &narrow, 4);
    ASSERT_EQ(wg_f2f(kWgFmtF32, kWgFmtF64, bits, {{kWgFltRN, false, false}, false, false}), fu) << x;
    double whole = std::floor(x);
    std::memcpy(&du, &whole, 8);
    ASSERT_EQ(wg_f2f(kWgFmtF64, kWgFmtF64, bits, {{kWgFltRM, false, true}, false, false}), du) << x;
    if (std::fabs(x) < 9e18)
      ASSERT_EQ(wg_f2i(7, kWgFmtF64, bits, kWgFltRZ, false), static_cast<uint64_t>(static_cast<int64_t>(x))) << x;
  }
}

// .INT to another format rounds once, to an integral value of that format.
TEST(Cvt, IntegralToAnotherFormat) {
  auto f2f = [](unsigned rnd, uint64_t a) {
    unsigned m = rnd | 1u << kWgModLsb_INTR | kWgFmtF16 << kWgModLsb_FDST | kWgFmtF32 << kWgModLsb_FSRC;
    return Execute(kWgOp_F2F, m, a);
  };
  EXPECT_EQ(f2f(0, 0x40200000u), 0x4000u);  // 2.5 -> 2
  EXPECT_EQ(f2f(2, 0x40200000u), 0x4200u);  // 2.5 -> 3
  EXPECT_EQ(f2f(0, 0xbe800000u), 0x8000u);  // -0.25 -> -0
  EXPECT_EQ(f2f(1, 0xbe800000u), 0xbc00u);  // -0.25 -> -1
  EXPECT_EQ(f2f(0, 0x45801800u), 0x6c01u);  // 4099 -> 4100: spacing 4
  EXPECT_EQ(f2f(3, 0x47800000u), 0x7bffu);  // 65536 towards zero
}

}  // namespace
