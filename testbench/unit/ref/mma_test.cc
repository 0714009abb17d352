// SPDX-License-Identifier: Apache-2.0
//
// HMMA, IMMA, DMMA of the golden model: every matrix and every dot product of testbench/silicon/tensor, operands laid
// out by the measured fragment tables; and by definition what silicon's tables leave open (mixed signs, lanes that
// do not execute, combinations of modifiers that PTX does not have).
#include <gtest/gtest.h>
#include <zlib.h>

#include <cstring>
#include <map>
#include <random>

#include "isa/wg_isa_table.h"
#include "model/ref/wg_ref.h"
#include "model/ref/wg_ref_mma.h"
#include "testbench/unit/ref/csv.h"

namespace {

using wgtest::ReadCsv;
using wgtest::Split;

constexpr unsigned kM1684 = 0, kM1688 = 1, kM16816 = 2;

unsigned Hmma(unsigned shape, unsigned type, bool acc16) {
  return shape << kWgModLsb_MSH | type << kWgModLsb_MIN | unsigned(acc16) << kWgModLsb_MACC;
}
unsigned Imma(unsigned shape, bool sa, bool sb, bool sat) {
  return shape << kWgModLsb_IMSH | unsigned(sa) << kWgModLsb_IMA | unsigned(sb) << kWgModLsb_IMB |
         unsigned(sat) << kWgModLsb_SAT;
}

/** A measured PTX instruction: how to write it here, and its matrices. ab, cd: bits of an element. */
struct Kind {
  uint8_t op;
  unsigned mods, m, n, k, ab, cd;
  const char *layout;  // its rows in fragments.csv
};

const std::map<std::string, Kind> &Kinds() {
  static const std::map<std::string, Kind> kinds = {
      {"m16n8k8.f32.f16", {kWgOp_HMMA, Hmma(kM1688, 0, false), 16, 8, 8, 16, 32, "m16n8k8.f32.f16"}},
      {"m16n8k8.f16.f16", {kWgOp_HMMA, Hmma(kM1688, 0, true), 16, 8, 8, 16, 16, "m16n8k8.f16.f16"}},
      {"m16n8k16.f32.f16", {kWgOp_HMMA, Hmma(kM16816, 0, false), 16, 8, 16, 16, 32, "m16n8k16.f32.f16"}},
      {"m16n8k16.f16.f16", {kWgOp_HMMA, Hmma(kM16816, 0, true), 16, 8, 16, 16, 16, "m16n8k16.f16.f16"}},
      {"m16n8k8.f32.bf16", {kWgOp_HMMA, Hmma(kM1688, 1, false), 16, 8, 8, 16, 32, "m16n8k8.f32.f16"}},
      {"m16n8k16.f32.bf16", {kWgOp_HMMA, Hmma(kM16816, 1, false), 16, 8, 16, 16, 32, "m16n8k16.f32.f16"}},
      {"m16n8k4.f32.tf32", {kWgOp_HMMA, Hmma(kM1684, 2, false), 16, 8, 4, 32, 32, "m16n8k4.f32.tf32"}},
      {"m16n8k8.f32.tf32", {kWgOp_HMMA, Hmma(kM1688, 2, false), 16, 8, 8, 32, 32, "m16n8k8.f32.tf32"}},
      {"m8n8k16.s32.s8", {kWgOp_IMMA, Imma(0, true, true, false), 8, 8, 16, 8, 32, "m8n8k16.s32.s8"}},
      {"m16n8k16.s32.s8", {kWgOp_IMMA, Imma(1, true, true, false), 16, 8, 16, 8, 32, "m16n8k16.s32.s8"}},
      {"m16n8k32.s32.s8", {kWgOp_IMMA, Imma(2, true, true, false), 16, 8, 32, 8, 32, "m16n8k32.s32.s8"}},
      {"m16n8k32.s32.s8.satfinite", {kWgOp_IMMA, Imma(2, true, true, true), 16, 8, 32, 8, 32, "m16n8k32.s32.s8"}},
      {"m16n8k32.s32.u8", {kWgOp_IMMA, Imma(2, false, false, false), 16, 8, 32, 8, 32, "m16n8k32.s32.s8"}},
      {"m8n8k4.f64.f64", {kWgOp_DMMA, 0, 8, 8, 4, 64, 64, "m8n8k4.f64.f64"}},
  };
  return kinds;
}

/** Where an element stands: words of one lane, `sub` counted in elements. */
struct Place {
  unsigned lane, reg, sub;
};
using Layout = std::map<std::pair<unsigned, unsigned>, Place>;  // (row, column)

const Layout &LayoutOf(const std::string &name, const std::string &operand) {
  static const std::map<std::string, Layout> all = [] {
    std::map<std::string, Layout> m;
    auto rows = ReadCsv("../../../silicon/tensor/fragments.csv");
    for (size_t i = 1; i < rows.size(); i++) {
      auto u = [&](unsigned c) { return static_cast<unsigned>(std::stoul(rows[i][c])); };
      m[rows[i][0] + "/" + rows[i][1]][{u(5), u(6)}] = {u(2), u(3), u(4)};
    }
    return m;
  }();
  static const Layout none;
  auto it = all.find(name + "/" + operand);
  return it == all.end() ? none : it->second;
}

struct Fragments {
  uint32_t a[4][32] = {}, b[2][32] = {}, c[4][32] = {};
};

void Store(uint32_t (*rows)[32], const Place &p, unsigned bits, uint64_t v) {
  if (bits == 64) {
    rows[2 * p.reg][p.lane] = uint32_t(v);
    rows[2 * p.reg + 1][p.lane] = uint32_t(v >> 32);
    return;
  }
  rows[p.reg][p.lane] |= uint32_t(v) << (p.sub * bits);
}

uint64_t Load(const uint32_t *const rows[4], const Place &p, unsigned bits) {
  if (bits == 64) return uint64_t(rows[2 * p.reg + 1][p.lane]) << 32 | rows[2 * p.reg][p.lane];
  return (uint64_t(rows[p.reg][p.lane]) >> (p.sub * bits)) & (bits == 32 ? UINT32_MAX : (1u << bits) - 1u);
}

wg_ref_out_t Exec(uint8_t op, unsigned mods, const Fragments &f, uint32_t exec = UINT32_MAX) {
  wg_insn_t in = wg_insn_default(op), back;
  in.mods = static_cast<uint16_t>(mods);
  EXPECT_EQ(wg_decode(wg_encode(&in), &back), kWgOk);
  EXPECT_TRUE(wg_insn_mma_defined(&in)) << "mods " << mods;
  wg_ref_in_t src = {};
  src.a = f.a[0], src.a1 = f.a[1], src.a2 = f.a[2], src.a3 = f.a[3];
  src.b = f.b[0], src.b1 = f.b[1];
  src.c = f.c[0], src.c1 = f.c[1], src.c2 = f.c[2], src.c3 = f.c[3];
  src.exec = exec;
  wg_ref_out_t out;
  std::memset(&out, 0xa5, sizeof out);
  EXPECT_TRUE(wg_ref_exec(&in, &src, &out));
  EXPECT_TRUE(out.wr && out.wide && !out.wr_p0 && !out.wr_p1);
  const wg_op_facts_t *facts = wg_op_facts(op);
  EXPECT_EQ(out.quad, wg_op_field_regs(facts, 'D', in.mods) == 4u);
  return out;
}

std::vector<uint64_t> Digits(const std::string &s, unsigned bits) {
  std::vector<uint64_t> v;
  for (size_t i = 0; i < s.size(); i += bits / 4) v.push_back(std::stoull(s.substr(i, bits / 4), nullptr, 16));
  return v;
}

/** Every line of a gzip file; empty if it cannot be opened. */
std::vector<std::string> GzLines(const char *path) {
  std::vector<std::string> lines;
  gzFile f = gzopen(path, "rb");
  if (f == nullptr) return lines;
  std::string text;
  char buf[65536];
  for (int n; (n = gzread(f, buf, sizeof buf)) > 0;) text.append(buf, static_cast<size_t>(n));
  gzclose(f);
  return Split(text, '\n');
}

TEST(MmaTest, MatricesOfSilicon) {
  auto lines = GzLines("testbench/silicon/tensor/matrices.csv.gz");
  ASSERT_EQ(lines.size(), 111u);
  std::map<std::string, unsigned> seen;
  for (size_t i = 1; i < lines.size(); i++) {
    auto row = Split(lines[i]);
    ASSERT_EQ(row.size(), 6u);
    ASSERT_EQ(Kinds().count(row[0]), 1u) << row[0];
    const Kind &k = Kinds().at(row[0]);
    const Layout &la = LayoutOf(k.layout, "A"), &lb = LayoutOf(k.layout, "B"), &lc = LayoutOf(k.layout, "C");
    ASSERT_EQ(la.size(), k.m * k.k);
    ASSERT_EQ(lb.size(), k.k * k.n);
    ASSERT_EQ(lc.size(), k.m * k.n);
    auto a = Digits(row[2], k.ab), b = Digits(row[3], k.ab), c = Digits(row[4], k.cd), d = Digits(row[5], k.cd);
    Fragments f;
    for (auto &[at, p] : la) Store(f.a, p, k.ab, a[at.first * k.k + at.second]);
    for (auto &[at, p] : lb) Store(f.b, p, k.ab, b[at.first * k.n + at.second]);
    for (auto &[at, p] : lc) Store(f.c, p, k.cd, c[at.first * k.n + at.second]);
    wg_ref_out_t out = Exec(k.op, k.mods, f);
    const uint32_t *const rows[4] = {out.d, out.d1, out.d2, out.d3};
    for (auto &[at, p] : lc) {
      ASSERT_EQ(Load(rows, p, k.cd), d[at.first * k.n + at.second])
          << std::hex << row[0] << " class " << row[1] << " line " << i + 1 << " at " << at.first << "," << at.second;
    }
    seen[row[0]]++;
  }
  EXPECT_EQ(seen.size(), Kinds().size());
}

TEST(MmaTest, DotsOfSilicon) {
  auto rows = ReadCsv("../../../silicon/tensor/dots.csv");
  ASSERT_EQ(rows.size(), 957u);
  for (size_t i = 1; i < rows.size(); i++) {
    const Kind &k = Kinds().at(rows[i][0]);
    auto a = Digits(rows[i][2], k.ab), b = Digits(rows[i][3], k.ab);
    std::vector<uint32_t> x(a.begin(), a.end()), y(b.begin(), b.end());
    ASSERT_EQ(x.size(), k.k);
    wg_mma_type_t type = wg_mma_type_t(k.mods >> kWgModLsb_MIN & 3u);
    uint32_t c = uint32_t(std::stoul(rows[i][4], nullptr, 16)), d = uint32_t(std::stoul(rows[i][5], nullptr, 16));
    ASSERT_EQ(wg_mma_dot(type, false, x.data(), y.data(), k.k, c), d) << std::hex << rows[i][0] << " " << rows[i][1];
  }
}

TEST(MmaTest, SpecialValues) {
  const uint32_t one[2] = {0x3c00, 0x3c00}, inf[2] = {0x7c00, 0}, minus[2] = {0x3c00, 0xbc00}, zero[2] = {0, 0};
  const uint32_t infs[2] = {0x7c00, 0x7c00}, nan[2] = {0x7c01, 0}, big[2] = {0x7bff, 0x7bff}, tiny[2] = {1, 0};
  auto dot = [](bool acc16, const uint32_t *a, const uint32_t *b, uint32_t c) {
    return wg_mma_dot(kWgMmaF16, acc16, a, b, 2, c);
  };
  EXPECT_EQ(dot(false, inf, one, 0), 0x7f800000u);
  EXPECT_EQ(dot(false, inf, zero, 0), WG_MMA_NAN32);
  EXPECT_EQ(dot(false, zero, inf, 0), WG_MMA_NAN32);
  EXPECT_EQ(dot(false, inf, inf, 0), 0x7f800000u);
  EXPECT_EQ(dot(false, infs, minus, 0), WG_MMA_NAN32);
  EXPECT_EQ(dot(false, inf, one, 0xff800000u), WG_MMA_NAN32);
  EXPECT_EQ(dot(false, nan, one, 0), WG_MMA_NAN32);
  EXPECT_EQ(dot(true, one, one, 0x7e00), WG_MMA_NAN16);
  EXPECT_EQ(dot(true, big, one, 0), 0x7c00u);
  EXPECT_EQ(dot(true, zero, one, 0x8000), 0u);   // -0 + 0: a zero is +0
  EXPECT_EQ(dot(false, minus, one, 0x80000000u), 0u);
  EXPECT_EQ(dot(true, tiny, one, 0x8001), 0u);   // cancellation
  EXPECT_EQ(dot(true, tiny, one, 1), 2u);        // denormals
  EXPECT_EQ(dot(false, one, one, 0x00000001u), 0x40000000u);
  // nothing but a denormal accumulator stays what it is
  EXPECT_EQ(dot(false, zero, one, 0x80000123u), 0x80000123u);
  // tf32: bits [12:0] do not count, also not in a NaN
  const uint32_t t[1] = {0x3f801fffu}, u[1] = {0x3f800000u}, v[1] = {0x7f800001u};
  EXPECT_EQ(wg_mma_dot(kWgMmaTf32, false, t, u, 1, 0), 0x3f800000u);
  EXPECT_EQ(wg_mma_dot(kWgMmaTf32, false, v, u, 1, 0), 0x7f800000u);
}

TEST(MmaTest, BytesOfEitherSign) {
  const uint8_t x[2] = {0xff, 0x80}, y[2] = {0x02, 0xff};
  EXPECT_EQ(wg_mma_idot(false, false, false, x, y, 2, 0), 255u * 2 + 128 * 255);
  EXPECT_EQ(wg_mma_idot(true, false, false, x, y, 2, 0), uint32_t(-2 - 128 * 255));
  EXPECT_EQ(wg_mma_idot(false, true, false, x, y, 2, 0), uint32_t(255 * 2 - 128));
  EXPECT_EQ(wg_mma_idot(true, true, false, x, y, 2, 0), uint32_t(-2 + 128));
  EXPECT_EQ(wg_mma_idot(true, true, false, x, y, 2, 0x7fffffffu), 0x7fffffffu + 126u);
  EXPECT_EQ(wg_mma_idot(true, true, true, x, y, 2, 0x7fffffffu), 0x7fffffffu);
  EXPECT_EQ(wg_mma_idot(true, false, true, x, y, 2, 0x80000001u), 0x80000000u);
  // the modifiers reach the matrices: A = all -1 or 255, B = all 1
  for (unsigned signed_a = 0; signed_a < 2; signed_a++) {
    for (unsigned shape = 0; shape < 3; shape++) {
      Fragments f;
      std::memset(f.a, 0xff, sizeof f.a);
      std::memset(f.b, 0x01, sizeof f.b);
      uint32_t k = shape == 2 ? 32 : 16, one = signed_a != 0 ? UINT32_MAX : 255u;
      EXPECT_EQ(Exec(kWgOp_IMMA, Imma(shape, signed_a != 0, true, false), f).d[7], k * one);
      std::swap(f.a[0], f.b[0]);
      std::swap(f.a[1], f.b[1]);
      std::memset(f.a, 0x01, sizeof f.a);
      std::memset(f.b, 0xff, sizeof f.b);
      EXPECT_EQ(Exec(kWgOp_IMMA, Imma(shape, true, signed_a != 0, false), f).d[7], k * one);
    }
  }
}

TEST(MmaTest, LanesThatDoNotExecute) {
  const unsigned seed = 9;
  std::printf("seed %u\n", seed);
  std::mt19937 g(seed);
  for (auto &[name, k] : Kinds()) {
    Fragments f, z;
    for (auto *rows : {&f.a[0], &f.a[1], &f.a[2], &f.a[3], &f.b[0], &f.b[1], &f.c[0], &f.c[1], &f.c[2], &f.c[3]})
      for (uint32_t &w : *rows) w = g() & 0x3f3f3f3fu;
    uint32_t exec = g();
    z = f;
    for (unsigned l = 0; l < 32; l++) {
      if ((exec >> l & 1u) != 0u) continue;
      for (auto *rows : {&z.a[0], &z.a[1], &z.a[2], &z.a[3], &z.b[0], &z.b[1], &z.c[0], &z.c[1], &z.c[2], &z.c[3]})
        (*rows)[l] = 0;
    }
    wg_ref_out_t part = Exec(k.op, k.mods, f, exec), all = Exec(k.op, k.mods, z);
    for (unsigned l = 0; l < 32; l++) {
      bool on = (exec >> l & 1u) != 0u;
      ASSERT_EQ(part.d[l], on ? all.d[l] : 0xa5a5a5a5u) << name;
      ASSERT_EQ(part.d1[l], on ? all.d1[l] : 0xa5a5a5a5u) << name;
      ASSERT_EQ(part.d3[l], on ? all.d3[l] : 0xa5a5a5a5u) << name;
    }
  }
}

TEST(MmaTest, CombinationsOfPtx) {
  // PTX ISA, mma.sync: .f16 m16n8k8, k16 with f32 or f16 accumulators; .bf16 the same with f32; .tf32 k4, k8 with f32
  unsigned defined = 0;
  for (unsigned mods = 0; mods < 32; mods++) {
    wg_insn_t in = wg_insn_default(kWgOp_HMMA);
    in.mods = static_cast<uint16_t>(mods);
    bool want = false;
    for (auto &[name, k] : Kinds()) want = want || (k.op == kWgOp_HMMA && k.mods == mods);
    EXPECT_EQ(wg_insn_mma_defined(&in), want) << "mods " << mods;
    wg_ref_in_t src = {};
    wg_ref_out_t out;
    if (!want) EXPECT_FALSE(wg_ref_exec_mma(&in, &src, &out));
    if (!want) EXPECT_FALSE(wg_insn_built(&in));
    defined += want;
  }
  EXPECT_EQ(defined, 8u);
  for (unsigned op = 0; op < 256; op++) {
    if (op == kWgOp_HMMA) continue;
    wg_insn_t in = wg_insn_default(uint8_t(op));
    EXPECT_EQ(wg_insn_mma_defined(&in), op == kWgOp_IMMA || op == kWgOp_DMMA) << op;
  }
}

}  // namespace
