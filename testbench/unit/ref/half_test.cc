// SPDX-License-Identifier: Apache-2.0
//
// fp16x2 and bf16x2 of the golden model against silicon (testbench/silicon: every row of add, sub, mul, fma, min, max,
// setp) and against exact integer arithmetic.
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "model/ref/wg_ref.h"
#include "model/ref/wg_ref_half.h"
#include "testbench/silicon/table.h"

namespace {

struct Result {
  uint32_t d;
  bool p0, p1;
};

Result Execute(uint8_t op, unsigned mods, uint32_t a, uint32_t b, uint32_t c, bool p) {
  wg_insn_t in = wg_insn_default(op);
  in.mods = static_cast<uint16_t>(mods);
  EXPECT_EQ(wg_decode(wg_encode(&in), &in), kWgOk) << std::hex << int(op) << " mods " << mods;
  uint32_t ra[32] = {a}, rb[32] = {b}, rc[32] = {c};
  wg_ref_in_t src = {};
  src.a = ra, src.b = rb, src.c = rc, src.p = p, src.exec = 1;
  wg_ref_out_t out;
  EXPECT_TRUE(wg_ref_exec(&in, &src, &out));
  EXPECT_EQ(out.wr, op != kWgOp_HSETP2);
  return Result{out.d[0], out.wr_p0 && (out.p0 & 1u) != 0, out.wr_p1 && (out.p1 & 1u) != 0};
}

const std::map<std::string, unsigned> &Conditions() {
  static const std::map<std::string, unsigned> c = {{"lt", 1},   {"eq", 2},   {"le", 3},   {"gt", 4},  {"ne", 5},
                                                    {"ge", 6},   {"num", 7},  {"nan", 8},  {"ltu", 9}, {"equ", 10},
                                                    {"leu", 11}, {"gtu", 12}, {"neu", 13}, {"geu", 14}};
  return c;
}

// A PTX column on one instruction; .xorsign.abs puts the sign of a ^ b on a number.
bool Column(const std::string &name, uint32_t a, uint32_t b, uint32_t c, uint32_t *d) {
  std::vector<std::string> part;
  std::stringstream ss(name);
  for (std::string p; std::getline(ss, p, '.');) part.push_back(p);
  bool bf = part.back() == "bf16x2", setp = part[0] == "setp", mnmx = part[0] == "min" || part[0] == "max";
  bool xorsign = false;
  unsigned m = bf ? 1u << (setp ? kWgModLsb_HSBF : kWgModLsb_HBF) : 0u;
  for (size_t i = 1; i + 1 < part.size(); i++) {
    const std::string &p = part[i];
    if (p == "ftz") m |= 1u << (setp ? kWgModLsb_SFTZ : kWgModLsb_FTZ);
    else if (p == "sat") m |= 1u << kWgModLsb_SAT;
    else if (p == "relu") m |= 1u << kWgModLsb_RELU;
    else if (p == "NaN") m |= 1u << kWgModLsb_HNAN;
    else if (p == "xorsign") xorsign = true;
    else if (p == "abs") m |= kWgMark_AA | kWgMark_AB;
    else if (setp && Conditions().count(p) != 0) m |= Conditions().at(p) << kWgModLsb_FCMP;
    else if (p != "rn") return false;
  }
  if (part[0] == "sub") m |= kWgMark_NB;
  if (setp) *d = Execute(kWgOp_HSETP2, m, a, b, 0, true).p0;
  else if (mnmx) *d = Execute(kWgOp_HMNMX2, m, a, b, 0, part[0] == "min").d;
  else if (part[0] == "add" || part[0] == "sub") *d = Execute(kWgOp_HADD2, m, a, b, 0, false).d;
  else if (part[0] == "mul") *d = Execute(kWgOp_HMUL2, m, a, b, 0, false).d;
  else if (part[0] == "fma") *d = Execute(kWgOp_HFMA2, m, a, b, c, false).d;
  else return false;
  if (xorsign && *d != WG_HALF_NAN) *d |= (a ^ b) & 0x8000u;
  return true;
}

void CheckFile(const std::string &file, size_t inputs, size_t rows, size_t columns, bool packed) {
  silicon::Table t(file);
  ASSERT_EQ(t.rows(), rows);
  ASSERT_EQ(t.names().size(), inputs + columns);
  for (size_t k = inputs; k < t.names().size(); k++) {
    for (size_t i = 0; i < rows; i++) {
      uint32_t a = uint32_t(t.at(i, 0)), b = uint32_t(t.at(i, 1)), c = inputs > 2 ? uint32_t(t.at(i, 2)) : 0u, d;
      ASSERT_TRUE(Column(t.names()[k], a, b, c, &d)) << t.names()[k];
      if (!packed) d &= 0xffffu;
      ASSERT_EQ(d, t.at(i, k)) << t.names()[k] << std::hex << " a " << a << " b " << b << " c " << c;
    }
  }
}

TEST(HalfSilicon, F16Binary) { CheckFile("f16_binary.csv.gz", 2, 256, 28, false); }
TEST(HalfSilicon, F16Ternary) { CheckFile("f16_ternary.csv.gz", 3, 381, 5, false); }
TEST(HalfSilicon, F16x2) { CheckFile("f16x2.csv.gz", 3, 256, 11, true); }
TEST(HalfSilicon, Bf16x2) { CheckFile("bf16x2.csv.gz", 3, 256, 8, true); }

__extension__ typedef __int128 i128;

// Exact value in units of 2^-40 times 2^-`half`; operands are kept where that is an integer.
i128 Exact(uint16_t x, bool bf) {
  int mb = bf ? 7 : 10, bias = bf ? 127 : 15;
  int e = (x & 0x7fff) >> mb;
  i128 m = x & ((1 << mb) - 1);
  if (e != 0) m |= i128{1} << mb;
  m <<= (e != 0 ? e : 1) - bias - mb + 40;
  return (x & 0x8000) != 0 ? -m : m;
}

// The result is at least as near as its neighbours, and even in a tie.
TEST(Half, NearestByExactArithmetic) {
  std::mt19937 rng(5);
  for (int i = 0; i < 1000000; i++) {
    bool bf = i % 2 != 0;
    auto next = [&] {
      uint16_t x = static_cast<uint16_t>(rng());
      // exponents -20..10 for bf16, all finite ones for fp16
      if (bf) return static_cast<uint16_t>((x & 0x807fu) | (107u + rng() % 31u) << 7);
      return static_cast<uint16_t>((x & 0x7c00u) == 0x7c00u ? x & 0xbfffu : x);
    };
    uint16_t a = next(), b = next(), c = next();
    if (i % 5 == 0) c = static_cast<uint16_t>(wg_half_mul(a, b, {bf, false, false, false}) ^ 0x8000u ^ (rng() % 4u));
    uint16_t inf = bf ? 0x7f80u : 0x7c00u;
    if ((c & inf) == inf || (bf && (c & 0x7fffu) < 107u << 7)) continue;
    uint16_t r = wg_half_fma(a, b, c, {bf, false, false, false});
    if ((r & 0x7fffu) >= inf - 1u) continue;
    i128 exact = Exact(a, bf) * Exact(b, bf) + (Exact(c, bf) << 40);
    if (bf && exact != 0 && (r & 0x7fffu) < 100u << 7) continue;  // deep cancellation: below the unit
    auto distance = [&](uint16_t x) {
      i128 d = (Exact(x, bf) << 40) - exact;
      return d < 0 ? -d : d;
    };
    uint16_t up = static_cast<uint16_t>(r + 1);
    ASSERT_LE(distance(r), distance(up)) << std::hex << bf << " " << a << " " << b << " " << c << " " << r;
    if (distance(r) == distance(up)) ASSERT_EQ(r & 1, 0);
    if ((r & 0x7fffu) != 0) {
      uint16_t down = static_cast<uint16_t>(r - 1);
      ASSERT_LE(distance(r), distance(down)) << std::hex << bf << " " << a << " " << b << " " << c << " " << r;
      if (distance(r) == distance(down)) ASSERT_EQ(r & 1, 0);
    }
    ASSERT_EQ((r & 0x8000) != 0, exact < 0 || (exact == 0 && (r & 0x8000) != 0));
  }
}

TEST(Half, FlushBeforeRounding) {
  // (1 - 2^-11) * 2^-14 rounds to 2^-14 but is tiny before rounding
  EXPECT_EQ(wg_half_mul(0x3bff, 0x0400, {false, false, false, false}), 0x0400);
  EXPECT_EQ(wg_half_mul(0x3bff, 0x0400, {false, true, false, false}), 0);
  EXPECT_EQ(wg_half_mul(0xbbff, 0x0400, {false, true, false, false}), 0x8000);
  EXPECT_EQ(wg_half_mul(0x3f7f, 0x0080, {true, true, false, false}), 0);
  EXPECT_EQ(wg_half_add(0x8001, 0x8000, {true, true, false, false}), 0x8000);
}

TEST(Half, PairCompare) {
  unsigned lt = 1, pair = 1u << kWgModLsb_HPAIR;
  Result r = Execute(kWgOp_HSETP2, lt, 0x3c004000u, 0x40003c00u, 0, true);  // lower 2 < 1, upper 1 < 2
  EXPECT_FALSE(r.p0);
  EXPECT_TRUE(r.p1);
  r = Execute(kWgOp_HSETP2, lt | pair, 0x40004000u, 0x3c003c00u, 0, true);
  EXPECT_FALSE(r.p0);
  EXPECT_FALSE(r.p1);
  r = Execute(kWgOp_HSETP2, lt | pair, 0x3c004000u, 0x40003c00u, 0, true);
  EXPECT_FALSE(r.p0);
  EXPECT_TRUE(r.p1);
  r = Execute(kWgOp_HSETP2, lt | pair | 1u << kWgModLsb_FBOOL, 0x40004000u, 0x3c003c00u, 0, true);  // .OR true
  EXPECT_TRUE(r.p0);
  EXPECT_TRUE(r.p1);
}

}  // namespace
