// SPDX-License-Identifier: Apache-2.0
//
// fp64 of the golden model against results of real silicon (testbench/silicon/f64_*.csv, every row) and, in all four
// roundings, against the host's IEEE arithmetic; the fp64 instructions on rows.
#include <gtest/gtest.h>

#include <cfenv>
#include <cmath>
#include <cstring>
#include <fstream>
#include <functional>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "model/ref/wg_ref.h"
#include "model/ref/wg_ref_fp64.h"

namespace {

constexpr uint64_t kSign = uint64_t{1} << 63;
constexpr uint64_t kInf = 0x7ff0000000000000u;
constexpr uint64_t kOne = 0x3ff0000000000000u;

using Fn = std::function<uint64_t(uint64_t, uint64_t, uint64_t)>;

std::vector<std::string> Split(const std::string &line, char sep) {
  std::vector<std::string> v;
  std::stringstream ss(line);
  for (std::string f; std::getline(ss, f, sep);) v.push_back(f);
  return v;
}

// What an instruction gives in lane 5, the others being off.
uint64_t Execute(uint8_t op, unsigned mods, uint64_t a, uint64_t b, uint64_t c, bool p, bool *p0) {
  uint32_t row[6][32] = {};
  const uint64_t x[3] = {a, b, c};
  for (int i = 0; i < 3; i++) {
    row[2 * i][5] = static_cast<uint32_t>(x[i]);
    row[2 * i + 1][5] = static_cast<uint32_t>(x[i] >> 32);
  }
  wg_ref_in_t in = {};
  in.a = row[0], in.a1 = row[1], in.b = row[2], in.b1 = row[3], in.c = row[4], in.c1 = row[5];
  in.p = p ? 0x20u : 0u;
  in.exec = 0x20u;
  wg_insn_t insn = {};
  insn.op = op;
  insn.mods = static_cast<uint16_t>(mods);
  wg_ref_out_t out;
  EXPECT_TRUE(wg_ref_exec_fp64(&insn, &in, &out));
  bool setp = op == kWgOp_DSETP;
  EXPECT_EQ(out.wr, !setp);
  EXPECT_EQ(out.wide, !setp);
  EXPECT_EQ(out.wr_p0, setp);
  EXPECT_EQ(out.wr_p1, setp);
  EXPECT_FALSE(out.quad);
  if (p0 != nullptr) *p0 = out.p0 == 0x20u;
  return setp ? 0u : uint64_t{out.d1[5]} << 32 | out.d[5];
}

// The instruction that a column such as "sub.rm.f64" or "setp.ltu.f64" is made of; empty if unknown.
Fn Column(const std::string &name) {
  static const std::map<std::string, unsigned> rounds = {{"rn", 0}, {"rm", 1}, {"rp", 2}, {"rz", 3}};
  static const std::map<std::string, unsigned> conds = {{"lt", 1},   {"eq", 2},   {"le", 3},   {"gt", 4},  {"ne", 5},
                                                        {"ge", 6},   {"num", 7},  {"nan", 8},  {"ltu", 9}, {"equ", 10},
                                                        {"leu", 11}, {"gtu", 12}, {"neu", 13}, {"geu", 14}};
  static const std::map<std::string, uint8_t> ops = {
      {"add", kWgOp_DADD}, {"sub", kWgOp_DADD}, {"mul", kWgOp_DMUL}, {"fma", kWgOp_DFMA}};
  auto part = Split(name, '.');
  if (part.back() != "f64") return {};
  if (part.size() == 2 && (part[0] == "min" || part[0] == "max")) {
    bool min = part[0] == "min";
    return [min](uint64_t a, uint64_t b, uint64_t) { return Execute(kWgOp_DMNMX, 0, a, b, 0, min, nullptr); };
  }
  if (part.size() != 3) return {};
  if (part[0] == "setp" && conds.count(part[1]) != 0) {
    unsigned mods = conds.at(part[1]) << kWgModLsb_FCMP;
    return [mods](uint64_t a, uint64_t b, uint64_t) {
      bool t = false;
      Execute(kWgOp_DSETP, mods, a, b, 0, true, &t);
      return t ? 1u : 0u;
    };
  }
  if (ops.count(part[0]) == 0 || rounds.count(part[1]) == 0) return {};
  uint8_t op = ops.at(part[0]);
  unsigned mods = rounds.at(part[1]) | (part[0] == "sub" ? static_cast<unsigned>(kWgMark_NB) : 0u);
  return [=](uint64_t a, uint64_t b, uint64_t c) { return Execute(op, mods, a, b, c, false, nullptr); };
}

// Compares every row of every column; returns the number of results compared.
size_t CheckFile(const std::string &file, size_t inputs, size_t *columns) {
  std::ifstream in("testbench/silicon/" + file);
  EXPECT_TRUE(in.good()) << "cannot open " << file << " (run from the repository root)";
  std::string line;
  std::getline(in, line);
  auto head = Split(line, ',');
  std::vector<Fn> fn(head.size());
  *columns = 0;
  for (size_t i = inputs; i < head.size(); i++) {
    fn[i] = Column(head[i]);
    EXPECT_TRUE(fn[i]) << "column " << head[i] << " has no instruction";
    if (fn[i]) ++*columns;
  }
  size_t n = 0;
  while (std::getline(in, line)) {
    auto f = Split(line, ',');
    EXPECT_EQ(f.size(), head.size());
    uint64_t x[3] = {0, 0, 0};
    for (size_t i = 0; i < inputs; i++) x[i] = std::stoull(f[i], nullptr, 16);
    for (size_t i = inputs; i < f.size() && i < head.size(); i++) {
      if (!fn[i]) continue;
      EXPECT_EQ(fn[i](x[0], x[1], x[2]), std::stoull(f[i], nullptr, 16))
          << head[i] << std::hex << " a=" << x[0] << " b=" << x[1] << " c=" << x[2];
      n++;
    }
  }
  return n;
}

TEST(Fp64Silicon, Binary) {
  size_t columns;
  size_t n = CheckFile("f64_binary.csv", 2, &columns);
  EXPECT_EQ(columns, 28u);
  EXPECT_EQ(n, 28u * 256u);
}

TEST(Fp64Silicon, Ternary) {
  size_t columns;
  size_t n = CheckFile("f64_ternary.csv", 3, &columns);
  EXPECT_EQ(columns, 4u);
  EXPECT_EQ(n, 4u * 381u);
}

double Value(uint64_t u) {
  double f;
  std::memcpy(&f, &u, 8);
  return f;
}
// All NaN alike: the host's rules for them are others.
uint64_t Canon(uint64_t u) { return (u & ~kSign) > kInf ? WG_FP64_NAN : u; }
uint64_t Bits(double f) {
  uint64_t u;
  std::memcpy(&u, &f, 8);
  return Canon(u);
}

class HostValues {
 public:
  explicit HostValues(uint64_t seed) : rng_(seed) {}
  // Plain random patterns, edges of the format, values close to `near` in bits or in exponent.
  uint64_t Next(uint64_t near) {
    uint64_t r = rng_();
    switch (rng_() % 9) {
      case 0: return (r & 0x800fffffffffffffu) | (r >> 60 & 1u) << 52;
      case 1: return (r & 0x800fffffffffffffu) | (2044 + rng_() % 4) << 52;
      case 2: return near ^ (r & 0x8000000000000003u);
      case 3: return (near & kInf) + (r & 0x801fffffffffffffu);
      case 4: return (r & kSign) | uint64_t{1} << rng_() % 63;
      case 5: return r & 0xfff000000000000fu;
      case 6: return (near & 0x7ff0000000000000u) + ((rng_() % 224) << 52) - (uint64_t{112} << 52) + (r >> 12);
      default: return r;
    }
  }
  uint64_t Raw() { return rng_(); }

 private:
  std::mt19937_64 rng_;
};

// The host's results in a rounding mode; `volatile` keeps the compiler from moving them out of it.
struct Host {
  uint64_t add, mul, fma;
  Host(uint64_t a, uint64_t b, uint64_t c, int mode) {
    volatile double x = Value(a), y = Value(b), z = Value(c);
    std::fesetround(mode);
    volatile double s = x + y, p = x * y, f = std::fma(x, y, z);
    std::fesetround(FE_TONEAREST);
    add = Bits(s), mul = Bits(p), fma = Bits(f);
  }
};

TEST(Fp64Host, AllRoundingsAgree) {
  constexpr struct {
    wg_round_t ours;
    int host;
  } kRounds[] = {{kWgRoundRN, FE_TONEAREST}, {kWgRoundRM, FE_DOWNWARD}, {kWgRoundRP, FE_UPWARD},
                 {kWgRoundRZ, FE_TOWARDZERO}};
  HostValues v(7);
  uint64_t a = kOne;
  for (int i = 0; i < 2000000; i++) {
    a = v.Next(a);
    uint64_t b = v.Next(a);
    // Addends near the negative product exercise cancellation.
    uint64_t c = i % 3 == 0 ? Bits(-Value(a) * Value(b)) ^ (v.Raw() & 7u) : v.Next(b);
    const auto &r = kRounds[i & 3];
    Host h(a, b, c, r.host);
    ASSERT_EQ(Canon(wg_fp64_add(a, b, r.ours)), h.add) << std::hex << a << " " << b << " round " << r.ours;
    ASSERT_EQ(Canon(wg_fp64_mul(a, b, r.ours)), h.mul) << std::hex << a << " " << b << " round " << r.ours;
    ASSERT_EQ(Canon(wg_fp64_fma(a, b, c, r.ours)), h.fma)
        << std::hex << a << " " << b << " " << c << " round " << r.ours;
  }
}

TEST(Fp64Host, CompareAgrees) {
  HostValues v(9);
  uint64_t a = 0;
  for (int i = 0; i < 200000; i++) {
    a = v.Next(a);
    uint64_t b = i % 8 == 0 ? a ^ (v.Raw() & kSign) : v.Next(a);
    double x = Value(a), y = Value(b);
    unsigned bit = x < y ? 0u : x == y ? 1u : x > y ? 2u : 3u;
    for (unsigned cond = 0; cond < 16; cond++)
      ASSERT_EQ(wg_fp64_compare(a, b, cond), (cond >> bit & 1u) != 0u) << std::hex << a << " " << b << " " << cond;
    if (bit == 0 || bit == 2) {
      ASSERT_EQ(wg_fp64_minmax(a, b, true), bit == 0 ? a : b) << std::hex << a << " " << b;
      ASSERT_EQ(wg_fp64_minmax(a, b, false), bit == 0 ? b : a) << std::hex << a << " " << b;
    }
  }
}

TEST(Fp64, ZerosAndExactZeroSigns) {
  EXPECT_EQ(wg_fp64_add(kOne, kOne | kSign, kWgRoundRN), 0u);
  EXPECT_EQ(wg_fp64_add(kOne, kOne | kSign, kWgRoundRM), kSign);
  EXPECT_EQ(wg_fp64_fma(kOne, kOne, kOne | kSign, kWgRoundRM), kSign);
  EXPECT_EQ(wg_fp64_mul(kSign, kOne, kWgRoundRP), kSign);
  EXPECT_EQ(wg_fp64_minmax(0, kSign, true), kSign);
  EXPECT_EQ(wg_fp64_minmax(kSign, 0, false), 0u);
}

TEST(Fp64, NaNPayloads) {
  // Signalling a, b, c with payloads 1, 2, 3: quiet in the result, c before b before a, signs kept.
  const uint64_t a = kInf | 1u, b = kSign | kInf | 2u, c = kInf | 3u, quiet = uint64_t{1} << 51;
  EXPECT_EQ(wg_fp64_fma(a, b, c, kWgRoundRN), c | quiet);
  EXPECT_EQ(wg_fp64_fma(a, b, kOne, kWgRoundRN), b | quiet);
  EXPECT_EQ(wg_fp64_fma(a, kOne, kOne, kWgRoundRN), a | quiet);
  EXPECT_EQ(wg_fp64_add(a, b, kWgRoundRP), b | quiet);
  EXPECT_EQ(wg_fp64_mul(a, 0, kWgRoundRZ), a | quiet);
  EXPECT_EQ(wg_fp64_add(kInf, kInf | kSign, kWgRoundRN), WG_FP64_NAN);
  EXPECT_EQ(wg_fp64_fma(0, kInf, kOne, kWgRoundRN), WG_FP64_NAN);
  EXPECT_EQ(wg_fp64_fma(0, kInf, c, kWgRoundRN), c | quiet);
}

TEST(Fp64, Marks) {
  const uint64_t three = 0x4008000000000000u;
  EXPECT_EQ(Execute(kWgOp_DADD, kWgMark_NA, kOne, three, 0, false, nullptr), 0x4000000000000000u);
  EXPECT_EQ(Execute(kWgOp_DADD, kWgMark_AB, three, kOne | kSign, 0, false, nullptr), 0x4010000000000000u);
  EXPECT_EQ(Execute(kWgOp_DMUL, kWgMark_AA | kWgMark_NA, kOne | kSign, three, 0, false, nullptr), three | kSign);
  EXPECT_EQ(Execute(kWgOp_DFMA, kWgMark_NC, kOne, three, kOne, false, nullptr), 0x4000000000000000u);
  EXPECT_EQ(Execute(kWgOp_DFMA, kWgMark_NB, kOne, three, kOne, false, nullptr), 0xc000000000000000u);
  EXPECT_EQ(Execute(kWgOp_DMNMX, kWgMark_NB, kOne, three, 0, true, nullptr), three | kSign);
  EXPECT_EQ(Execute(kWgOp_DADD, kWgMark_AB, kOne, kSign | kInf | 2u, 0, false, nullptr), 0xfff8000000000002u);
  bool t = false;
  Execute(kWgOp_DSETP, 1u | kWgMark_SNA, three, kOne, 0, true, &t);
  EXPECT_TRUE(t);
  Execute(kWgOp_DSETP, 1u | kWgMark_SAB, three, kSign | 0x4010000000000000u, 0, true, &t);
  EXPECT_TRUE(t);
}

TEST(Fp64, CombinesPredicates) {
  for (unsigned k = 0; k < 3; k++) {
    for (unsigned p = 0; p < 2; p++) {
      bool t = false;
      Execute(kWgOp_DSETP, 2u | k << kWgModLsb_FBOOL, kOne, kOne, 0, p != 0, &t);
      EXPECT_EQ(t, k == 0 ? p != 0 : k == 1 ? true : p == 0) << k << p;
      Execute(kWgOp_DSETP, 2u | k << kWgModLsb_FBOOL, kOne, 0, 0, p != 0, &t);
      EXPECT_EQ(t, k == 0 ? false : p != 0) << k << p;
    }
  }
}

TEST(Fp64, RefusesOtherInstructions) {
  wg_ref_in_t in = {};
  wg_ref_out_t out;
  wg_insn_t insn = {};
  insn.op = kWgOp_FADD;
  EXPECT_FALSE(wg_ref_exec_fp64(&insn, &in, &out));
}

}  // namespace
