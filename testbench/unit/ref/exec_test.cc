// SPDX-License-Identifier: Apache-2.0
//
// Integer, predicate and shuffle instructions of the golden model against results of real silicon (data/*.csv) and
// against their definitions in isa/README.md.
#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <map>
#include <random>

#include "model/ref/wg_ref.h"
#include "testbench/unit/ref/csv.h"

namespace {

struct Result {
  uint64_t d = 0;
  bool p0 = false, p1 = false;
};

wg_insn_t Insn(uint8_t op, unsigned mods = 0) {
  wg_insn_t in = wg_insn_default(op);
  in.mods = static_cast<uint16_t>(mods);
  // what is executed must be a legal word
  wg_insn_t back;
  EXPECT_EQ(wg_decode(wg_encode(&in), &back), kWgOk) << "op " << int(op) << " mods " << mods;
  return in;
}

// Runs one lane (5) and checks that no other lane is touched.
Result RunOp(const wg_insn_t &in, uint32_t a, uint32_t b, uint32_t c = 0, uint32_t c1 = 0, bool p = true,
             bool q = true) {
  uint32_t ra[32] = {0}, rb[32] = {0}, rc[32] = {0}, rc1[32] = {0};
  ra[5] = a;
  rb[5] = b;
  rc[5] = c;
  rc1[5] = c1;
  wg_ref_in_t src = {};
  src.a = ra, src.b = rb, src.c = rc, src.c1 = rc1;
  src.p = p ? 0x20u : 0u, src.q = q ? 0x20u : 0u, src.exec = 0x20u;
  wg_ref_out_t out;
  std::memset(&out, 0xa5, sizeof out);
  EXPECT_TRUE(wg_ref_exec(&in, &src, &out));
  EXPECT_EQ(out.p0 & ~0x20u, 0u);
  EXPECT_EQ(out.p1 & ~0x20u, 0u);
  EXPECT_EQ(out.d[4], 0xa5a5a5a5u);
  EXPECT_EQ(out.d[6], 0xa5a5a5a5u);
  return {static_cast<uint64_t>(out.wide ? out.d1[5] : 0) << 32 | out.d[5], out.p0 != 0, out.p1 != 0};
}

unsigned M(unsigned lsb, unsigned v) { return v << lsb; }

using Fn = std::function<uint64_t(uint32_t, uint32_t, uint32_t)>;

uint64_t Carry(uint32_t a, uint32_t b, bool sub) {
  Result lo = RunOp(Insn(kWgOp_IADD3, sub ? kWgMark_NB : 0), a, b);
  // sub: high word = 0 - 0 - borrow; add: high word = 0xffffffff + 0 + carry
  Result hi = sub ? RunOp(Insn(kWgOp_IADD3, kWgMark_NB | M(kWgModLsb_X, 1)), 0, 0, 0, 0, lo.p0)
                  : RunOp(Insn(kWgOp_IADD3, M(kWgModLsb_X, 1)), UINT32_MAX, 0, 0, 0, lo.p0);
  return hi.d << 32 | lo.d;
}

std::map<std::string, Fn> Columns() {
  std::map<std::string, Fn> f;
  auto imad = [](unsigned kind, bool u, bool use_c) {
    wg_insn_t in = Insn(kWgOp_IMAD, M(kWgModLsb_IMADK, kind) | M(kWgModLsb_IMADU, u));
    return Fn([=](uint32_t a, uint32_t b, uint32_t c) {
      if (!use_c) return RunOp(in, a, b).d;
      // mad.wide's third operand: c << 32 | (a ^ b)
      return kind == 2 ? RunOp(in, a, b, a ^ b, c).d : RunOp(in, a, b, c).d;
    });
  };
  auto shf = [](bool right, bool wrap, unsigned type, bool hi) {
    return Insn(kWgOp_SHF, M(kWgModLsb_SHDIR, right) | M(kWgModLsb_SHWRAP, wrap) | M(kWgModLsb_SHTYPE, type) |
                               M(kWgModLsb_SHHI, hi));
  };
  auto lop = [](unsigned lut) {
    wg_insn_t in = Insn(kWgOp_LOP3, lut);
    return Fn([=](uint32_t a, uint32_t b, uint32_t c) {
      Result r = RunOp(in, a, b, c);
      EXPECT_EQ(r.p0, r.d != 0);
      return r.d;
    });
  };
  auto minmax = [](bool u, bool min) {
    wg_insn_t in = Insn(kWgOp_IMNMX, u);
    return Fn([=](uint32_t a, uint32_t b, uint32_t) { return RunOp(in, a, b, 0, 0, min).d; });
  };
  auto setp = [](unsigned cmp, bool u) {
    wg_insn_t in = Insn(kWgOp_ISETP, M(kWgModLsb_ICMP, cmp) | M(kWgModLsb_IU32, u));
    return Fn([=](uint32_t a, uint32_t b, uint32_t) {
      Result r = RunOp(in, a, b);
      EXPECT_NE(r.p0, r.p1);
      return static_cast<uint64_t>(r.p0);
    });
  };
  wg_insn_t add = Insn(kWgOp_IADD3), sub = Insn(kWgOp_IADD3, kWgMark_NB);
  f["add.u32"] = [=](uint32_t a, uint32_t b, uint32_t) { return RunOp(add, a, b).d; };
  f["sub.u32"] = [=](uint32_t a, uint32_t b, uint32_t) { return RunOp(sub, a, b).d; };
  f["add.cc.u32+addc.u32"] = [](uint32_t a, uint32_t b, uint32_t) { return Carry(a, b, false); };
  f["sub.cc.u32+subc.u32"] = [](uint32_t a, uint32_t b, uint32_t) { return Carry(a, b, true); };
  f["mul.lo.u32"] = imad(0, false, false);
  f["mul.hi.u32"] = imad(1, true, false);
  f["mul.hi.s32"] = imad(1, false, false);
  f["mul.wide.u32"] = imad(2, true, false);
  f["mul.wide.s32"] = imad(2, false, false);
  f["mad.lo.u32"] = imad(0, true, true);
  f["mad.hi.u32"] = imad(1, true, true);
  f["mad.hi.s32"] = imad(1, false, true);
  f["mad.wide.u32"] = imad(2, true, true);
  f["mad.wide.s32"] = imad(2, false, true);
  wg_insn_t shl = shf(false, false, 0, false), shr = shf(true, false, 0, true), sar = shf(true, false, 1, true);
  f["shl.b32"] = [=](uint32_t a, uint32_t b, uint32_t) { return RunOp(shl, a, b, 0).d; };
  f["shr.u32"] = [=](uint32_t a, uint32_t b, uint32_t) { return RunOp(shr, 0, b, a).d; };
  f["shr.s32"] = [=](uint32_t a, uint32_t b, uint32_t) { return RunOp(sar, 0, b, a).d; };
  // PTX shf d, a, b, c: {b, a} shifted by c; left gives the upper word, right the lower
  wg_insn_t lw = shf(false, true, 0, true), lc = shf(false, false, 0, true);
  wg_insn_t rw = shf(true, true, 0, false), rc = shf(true, false, 0, false);
  f["shf.l.wrap.b32"] = [=](uint32_t a, uint32_t b, uint32_t c) { return RunOp(lw, a, c, b).d; };
  f["shf.l.clamp.b32"] = [=](uint32_t a, uint32_t b, uint32_t c) { return RunOp(lc, a, c, b).d; };
  f["shf.r.wrap.b32"] = [=](uint32_t a, uint32_t b, uint32_t c) { return RunOp(rw, a, c, b).d; };
  f["shf.r.clamp.b32"] = [=](uint32_t a, uint32_t b, uint32_t c) { return RunOp(rc, a, c, b).d; };
  wg_insn_t prmt = Insn(kWgOp_PRMT);
  f["prmt.b32"] = [=](uint32_t a, uint32_t b, uint32_t c) { return RunOp(prmt, a, c, b).d; };
  for (unsigned lut : {0x80u, 0xfeu, 0x96u, 0xe8u, 0xcau, 0x1bu, 0x78u, 0x35u}) {
    char name[32];
    std::snprintf(name, sizeof name, "lop3.b32 0x%02x", lut);
    f[name] = lop(lut);
  }
  f["and.b32"] = lop(0xc0);
  f["or.b32"] = lop(0xfc);
  f["xor.b32"] = lop(0x3c);
  f["min.u32"] = minmax(true, true);
  f["max.u32"] = minmax(true, false);
  f["min.s32"] = minmax(false, true);
  f["max.s32"] = minmax(false, false);
  f["setp.eq.u32"] = setp(2, true);
  f["setp.ne.u32"] = setp(5, true);
  f["setp.lt.u32"] = setp(1, true);
  f["setp.ge.u32"] = setp(6, true);
  f["setp.lt.s32"] = setp(1, false);
  f["setp.le.s32"] = setp(3, false);
  f["setp.gt.s32"] = setp(4, false);
  f["setp.ge.s32"] = setp(6, false);
  return f;
}

void CheckTable(const char *file, size_t inputs) {
  auto fns = Columns();
  auto rows = wgtest::ReadCsv(file);
  ASSERT_GT(rows.size(), 250u) << "run from the repository root";
  size_t n = 0;
  for (size_t col = inputs; col < rows[0].size(); col++) {
    ASSERT_TRUE(fns.count(rows[0][col])) << rows[0][col];
    const Fn &fn = fns[rows[0][col]];
    for (size_t r = 1; r < rows.size(); r++) {
      uint32_t x[3] = {0, 0, 0};
      for (size_t i = 0; i < inputs; i++) x[i] = static_cast<uint32_t>(std::stoul(rows[r][i], nullptr, 16));
      ASSERT_EQ(fn(x[0], x[1], x[2]), std::stoull(rows[r][col], nullptr, 16))
          << rows[0][col] << std::hex << " a=" << x[0] << " b=" << x[1] << " c=" << x[2];
      n++;
    }
  }
  EXPECT_EQ(n, (rows.size() - 1) * (rows[0].size() - inputs));
}

TEST(ExecSilicon, IntegerBinary) { CheckTable("int32_binary.csv", 2); }
TEST(ExecSilicon, IntegerTernary) { CheckTable("int32_ternary.csv", 3); }

TEST(ExecSilicon, Shuffle) {
  auto rows = wgtest::ReadCsv("shfl.csv");
  ASSERT_GT(rows.size(), 600u);
  const std::map<std::string, unsigned> modes = {{"idx", 0}, {"up", 1}, {"down", 2}, {"bfly", 3}};
  size_t lanes = 0;
  for (size_t r = 1; r < rows.size(); r++) {
    wg_insn_t in = Insn(kWgOp_SHFL, M(kWgModLsb_SHFLM, modes.at(rows[r][0])));
    uint32_t a[32], b[32], c[32];
    const std::string &bs = rows[r][1];
    for (unsigned l = 0; l < 32; l++) {
      a[l] = 0x100 + l;
      b[l] = bs[0] == 'L' ? static_cast<uint32_t>(std::stoul(bs.substr(1 + 2 * l, 2), nullptr, 16))
                          : static_cast<uint32_t>(std::stoul(bs));  // one number: decimal
      c[l] = static_cast<uint32_t>(std::stoul(rows[r][2], nullptr, 16));
    }
    uint32_t mask = static_cast<uint32_t>(std::stoul(rows[r][3], nullptr, 16));
    wg_ref_in_t src = {};
    src.a = a, src.b = b, src.c = c, src.exec = mask;
    wg_ref_out_t out;
    ASSERT_TRUE(wg_ref_exec(&in, &src, &out));
    ASSERT_EQ(out.p0, std::stoul(rows[r][4], nullptr, 16)) << "row " << r;
    for (unsigned l = 0; l < 32; l++) {
      ASSERT_EQ(rows[r][5 + l] == "-", (mask >> l & 1) == 0) << "row " << r;
      if (rows[r][5 + l] == "-") continue;
      ASSERT_EQ(out.d[l], std::stoul(rows[r][5 + l], nullptr, 16)) << "row " << r << " lane " << l;
      lanes++;
    }
  }
  EXPECT_GT(lanes, 18000u);
}

TEST(Exec, CompareUpperWordOfPair) {
  std::mt19937_64 rng(3);
  for (int i = 0; i < 20000; i++) {
    uint64_t a = rng(), b = i % 3 == 0   ? a ^ (rng() & 3)
                            : i % 3 == 1 ? (a & 0xffffffff00000000u) | (rng() & 0xffffffffu)
                                         : rng();
    bool is_signed = i & 1;
    for (unsigned cmp = 1; cmp < 7; cmp++) {
      bool lo =
          RunOp(Insn(kWgOp_ISETP, cmp | M(kWgModLsb_IU32, 1)), static_cast<uint32_t>(a), static_cast<uint32_t>(b)).p0;
      bool t = RunOp(Insn(kWgOp_ISETP, cmp | M(kWgModLsb_IU32, !is_signed) | M(kWgModLsb_IEX, 1)),
                     static_cast<uint32_t>(a >> 32), static_cast<uint32_t>(b >> 32), 0, 0, true, lo)
                   .p0;
      auto less = is_signed ? static_cast<int64_t>(a) < static_cast<int64_t>(b) : a < b;
      bool want = (less && (cmp & 1)) || (a == b && (cmp & 2)) || (!less && a != b && (cmp & 4));
      ASSERT_EQ(t, want) << a << " " << b << " " << cmp;
    }
  }
}

TEST(Exec, BooleanOfSetp) {
  for (unsigned op = 0; op < 3; op++) {
    for (int t = 0; t < 2; t++) {
      for (int p = 0; p < 2; p++) {
        Result r = RunOp(Insn(kWgOp_ISETP, 2 | M(kWgModLsb_IBOOL, op)), 1, t ? 1 : 2, 0, 0, p);
        Result f = RunOp(Insn(kWgOp_FSETP, 2 | M(kWgModLsb_FBOOL, op)), 0x3f800000, t ? 0x3f800000 : 0, 0, 0, p);
        bool want0 = op == 0 ? t && p : op == 1 ? t || p : t != p;
        bool want1 = op == 0 ? !t && p : op == 1 ? !t || p : t == p;
        EXPECT_EQ(r.p0, want0);
        EXPECT_EQ(r.p1, want1);
        EXPECT_EQ(f.p0, want0);
        EXPECT_EQ(f.p1, want1);
      }
    }
  }
}

TEST(Exec, PredicateTable) {
  for (unsigned lut = 0; lut < 16; lut++) {
    for (unsigned i = 0; i < 4; i++) {
      Result r = RunOp(Insn(kWgOp_PLOP3, lut), 0, 0, 0, 0, i >> 1, i & 1);
      EXPECT_EQ(r.p0, lut >> i & 1);
      EXPECT_NE(r.p0, r.p1);
    }
  }
}

TEST(Exec, WideShifts) {
  std::mt19937_64 rng(5);
  for (int i = 0; i < 20000; i++) {
    uint64_t v = rng();
    uint32_t n = i % 2 ? rng() % 70 : static_cast<uint32_t>(rng());
    for (unsigned m = 0; m < 16; m++) {
      bool right = m & 1, wrap = m & 2, sgn = m & 4, hi = m & 8;
      unsigned mods =
          M(kWgModLsb_SHDIR, right) | M(kWgModLsb_SHWRAP, wrap) | M(kWgModLsb_SHTYPE, 2 + sgn) | M(kWgModLsb_SHHI, hi);
      uint32_t got = static_cast<uint32_t>(
          RunOp(Insn(kWgOp_SHF, mods), static_cast<uint32_t>(v), n, static_cast<uint32_t>(v >> 32)).d);
      unsigned s = wrap ? n % 64 : (n > 64 ? 64 : n);
      unsigned __int128 w = v;
      if (right && sgn && v >> 63) w |= static_cast<unsigned __int128>(UINT64_MAX) << 64;
      uint64_t want = static_cast<uint64_t>(right ? w >> s : w << s);
      ASSERT_EQ(got, static_cast<uint32_t>(hi ? want >> 32 : want)) << v << " " << n << " " << m;
    }
  }
}

TEST(Exec, MarksOfFloatOperands) {
  const uint32_t one = 0x3f800000, two = 0x40000000, minus = 0x80000000;
  EXPECT_EQ(RunOp(Insn(kWgOp_FADD, kWgMark_NA), one, two).d, one);
  EXPECT_EQ(RunOp(Insn(kWgOp_FADD, kWgMark_NB), one, two).d, one | minus);
  EXPECT_EQ(RunOp(Insn(kWgOp_FADD, kWgMark_AA), one | minus, two).d, 0x40400000u);
  EXPECT_EQ(RunOp(Insn(kWgOp_FADD, kWgMark_AA | kWgMark_NA), one | minus, two).d, one);
  EXPECT_EQ(RunOp(Insn(kWgOp_FMUL, kWgMark_AB | kWgMark_NB), two, one | minus).d, two | minus);
  EXPECT_EQ(RunOp(Insn(kWgOp_FFMA, kWgMark_NC), two, one, one).d, one);
  EXPECT_EQ(RunOp(Insn(kWgOp_FFMA, kWgMark_NA | kWgMark_NB), two, one, one).d, 0x40400000u);
  EXPECT_EQ(RunOp(Insn(kWgOp_FMNMX, kWgMark_NB), one, two, 0, 0, true).d, two | minus);
  EXPECT_TRUE(RunOp(Insn(kWgOp_FSETP, 1 | kWgMark_SNA), two, one).p0);
  EXPECT_FALSE(RunOp(Insn(kWgOp_FSETP, 1 | kWgMark_SNA | kWgMark_SAB), two | minus, one | minus).p0);
  EXPECT_EQ(RunOp(Insn(kWgOp_SEL), 1, 2, 0, 0, false).d, 2u);
  EXPECT_EQ(RunOp(Insn(kWgOp_MOV), 1, 2).d, 2u);
  EXPECT_EQ(RunOp(Insn(kWgOp_IADD3, kWgMark_NA | kWgMark_NC), 5, 20, 3).d, 12u);
  EXPECT_EQ(RunOp(Insn(kWgOp_IMAD, kWgMark_NC), 5, 4, 3).d, 17u);
  EXPECT_EQ(RunOp(Insn(kWgOp_IMAD, kWgMark_NC | M(kWgModLsb_IMADK, 2)), 5, 4, 21, 0).d, UINT64_MAX);
}

// Every instruction of the table is either computed by wg_ref_exec or handled in the warp.
TEST(Exec, EveryOpcodeHasAnOwner) {
  size_t n;
  const wg_insn_info_t *t = wg_insn_table(&n);
  for (size_t i = 0; i < n; i++) {
    wg_insn_t in = wg_insn_default(t[i].opcode);
    uint32_t row[32] = {0};
    wg_ref_in_t src = {};
    src.a = src.b = src.c = src.c1 = row;
    wg_ref_out_t out;
    const bool alu = (t[i].pipe != kWgPipeCTRL && t[i].pipe != kWgPipeLSU && t[i].pipe != kWgPipeSREG) ||
                     t[i].opcode == kWgOp_SHFL;
    if (!wg_insn_built(&in)) continue;
    EXPECT_EQ(wg_ref_exec(&in, &src, &out), alu) << t[i].mnemonic;
  }
}

}  // namespace
