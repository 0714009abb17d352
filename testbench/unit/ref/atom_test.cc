// SPDX-License-Identifier: Apache-2.0
//
// Atomic operations of the golden model against real silicon: every measured floating-point add, and the contention
// runs of silicon/atomics/atomics.cu (final words and, where the order does not matter, the values returned).
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "model/ref/wg_ref_atom.h"

namespace {

std::vector<std::string> Split(const std::string &line, char sep) {
  std::vector<std::string> v;
  std::stringstream ss(line);
  for (std::string f; std::getline(ss, f, sep);) v.push_back(f);
  return v;
}

std::vector<std::vector<std::string>> Table(const std::string &name) {
  std::ifstream in("testbench/silicon/atomics/" + name);
  std::vector<std::vector<std::string>> rows;
  for (std::string line; std::getline(in, line);) rows.push_back(Split(line, ','));
  return rows;
}

uint64_t Hex(const std::string &s) { return std::stoull(s, nullptr, 16); }

uint64_t Add(unsigned type, bool shared, uint64_t m, uint64_t v) {
  return wg_ref_atom(kWgAtomAdd, type, shared, m, wg_ref_atom_arg_t{v, 0});
}

// Columns of memory after the operation: {index, shared}.
void CompareAdds(const std::string &name, unsigned type, const std::vector<std::pair<unsigned, bool>> &columns) {
  auto rows = Table(name);
  ASSERT_EQ(rows.size(), 257u) << name;
  for (size_t i = 1; i < rows.size(); i++) {
    for (auto [c, shared] : columns) {
      EXPECT_EQ(Add(type, shared, Hex(rows[i][0]), Hex(rows[i][1])), Hex(rows[i][c]))
          << name << " row " << i << ", column " << rows[0][c];
    }
  }
}

TEST(Atom, AddF32IsSilicons) { CompareAdds("atomf.csv", kWgAtomF32, {{2, false}, {3, false}, {4, true}}); }
TEST(Atom, AddF64IsSilicons) { CompareAdds("atomf64.csv", kWgAtomF64, {{2, false}, {3, true}}); }
TEST(Atom, AddF16x2IsSilicons) { CompareAdds("atomh.csv", kWgAtomF16x2, {{2, false}, {3, true}}); }

TEST(Atom, HalvesOfOneWord) {
  EXPECT_EQ(Add(kWgAtomF16, false, 0xffff3c00u, 0x3c00u), 0x4000u);          /* 1 + 1; the upper half is not its */
  EXPECT_EQ(Add(kWgAtomBf16, false, 0x3f80u, 0x3f80u), 0x4000u);
  EXPECT_EQ(Add(kWgAtomBf16x2, false, 0x3f803f80u, 0x3f80bf80u), 0x40000000u);
}

/* ---- atomics.cu: the same inputs, threads in ascending order ---- */

struct Case {
  std::string space, op;
  unsigned grid, block, words;
  std::vector<uint64_t> init, arg, expected;
};

struct Outcome {
  std::vector<uint64_t> final;
  std::vector<std::vector<uint64_t>> returned; /* a word, sorted */
};

struct Kind {
  unsigned op, type;
};

const std::map<std::string, Kind> &Kinds() {
  static const std::map<std::string, Kind> k = {
      {"add.u32", {kWgAtomAdd, kWgAtomU32}},   {"min.u32", {kWgAtomMin, kWgAtomU32}},
      {"max.u32", {kWgAtomMax, kWgAtomU32}},   {"min.s32", {kWgAtomMin, kWgAtomS32}},
      {"max.s32", {kWgAtomMax, kWgAtomS32}},   {"inc.u32", {kWgAtomInc, kWgAtomU32}},
      {"dec.u32", {kWgAtomDec, kWgAtomU32}},   {"and.b32", {kWgAtomAnd, kWgAtomU32}},
      {"or.b32", {kWgAtomOr, kWgAtomU32}},     {"xor.b32", {kWgAtomXor, kWgAtomU32}},
      {"add.u64", {kWgAtomAdd, kWgAtomU64}},   {"min.u64", {kWgAtomMin, kWgAtomU64}},
      {"max.u64", {kWgAtomMax, kWgAtomU64}},   {"min.s64", {kWgAtomMin, kWgAtomS64}},
      {"max.s64", {kWgAtomMax, kWgAtomS64}},   {"and.b64", {kWgAtomAnd, kWgAtomU64}},
      {"or.b64", {kWgAtomOr, kWgAtomU64}},     {"xor.b64", {kWgAtomXor, kWgAtomU64}},
      {"exch.b32", {kWgAtomExch, kWgAtomU32}}, {"exch.b64", {kWgAtomExch, kWgAtomU64}},
      {"cas.b32", {kWgAtomCas, kWgAtomU32}},   {"cas.b64", {kWgAtomCas, kWgAtomU64}},
      {"add.f32", {kWgAtomAdd, kWgAtomF32}},   {"add.f64", {kWgAtomAdd, kWgAtomF64}}};
  return k;
}

Outcome Replay(const Case &c) {
  Kind k = Kinds().at(Split(c.op, ' ')[0]);
  Outcome o{c.init, std::vector<std::vector<uint64_t>>(c.words)};
  o.final.resize(c.words);
  for (unsigned t = 0; t < c.grid * c.block; t++) {
    uint64_t &m = o.final[t % c.words];
    o.returned[t % c.words].push_back(m);
    m = wg_ref_atom(k.op, k.type, c.space == "shared", m, {c.arg[t], c.expected.empty() ? 0 : c.expected[t]});
  }
  if (c.op.find("exch") == 0) { /* the final word belongs to the set */
    for (unsigned w = 0; w < c.words; w++) o.returned[w].push_back(o.final[w]);
  }
  for (auto &r : o.returned) std::sort(r.begin(), r.end());
  return o;
}

uint64_t FloatBits(float f) {
  uint32_t u;
  std::memcpy(&u, &f, 4);
  return u;
}
uint64_t DoubleBits(double d) {
  uint64_t u;
  std::memcpy(&u, &d, 8);
  return u;
}

class Inputs {
 public:
  /** Inputs of one shape, in the order in which atomics.cu draws them. */
  void Draw(unsigned threads) {
    for (unsigned k = 0; k < 64; k++) {
      i32[k] = Word();
      i64[k] = i32[k] << 32 | Rng();
      float f = static_cast<float>(Rng() & 255);
      fi[k] = FloatBits(f), di[k] = DoubleBits(static_cast<double>(f) * 0.5);
    }
    for (unsigned k = 0; k < threads; k++) {
      a32[k] = Word();
      a64[k] = a32[k] << 32 | Rng();
      float f = static_cast<float>(static_cast<int>(Rng() & 1023)) - 500.0f;
      fa[k] = FloatBits(f), da[k] = DoubleBits(static_cast<double>(f) * 0.25);
    }
  }
  std::vector<uint64_t> i32 = V(), i64 = V(), fi = V(), di = V(), a32 = V(), a64 = V(), fa = V(), da = V();

 private:
  static std::vector<uint64_t> V() { return std::vector<uint64_t>(1024); }
  uint32_t state_ = 41;
  uint32_t Rng() { return (state_ = state_ * 1664525u + 1013904223u) >> 8; }
  uint32_t Word() {
    uint32_t high = Rng(); /* the measuring host called the left operand first */
    return high << 8 ^ Rng();
  }
};

// Operands of one operation; draws as atomics.cu: random, then the special runs.
void Fill(Case *c, const Inputs &in) {
  unsigned n = c->grid * c->block;
  std::string base = Split(c->op, ' ')[0];
  Kind k = Kinds().at(base);
  bool wide = wg_ref_atom_bytes(k.type) == 8, fp = wg_ref_atom_is_float(k.type);
  c->init = fp ? (wide ? in.di : in.fi) : (wide ? in.i64 : in.i32);
  c->arg = fp ? (wide ? in.da : in.fa) : (wide ? in.a64 : in.a32);
  for (unsigned t = 0; t < n; t++) {
    if (c->op.find("equal") != std::string::npos) {
      c->arg[t] = fp ? FloatBits(2.0f + static_cast<float>(t % c->words)) : (wide ? 5u : 3u) + t % c->words;
    } else if (k.op == kWgAtomInc || k.op == kWgAtomDec) {
      unsigned limit = static_cast<unsigned>(std::stoul(c->op.substr(c->op.find('=') + 1)));
      c->arg[t] = limit;
      if (t < 64) c->init[t] = limit == 17 ? 500 + t : t & 3;
    } else if (k.op == kWgAtomExch) {
      c->arg[t] = wide ? 0x100000000u * (t + 1ull) : 1000 + t;
    } else if (k.op == kWgAtomCas) {
      c->expected.resize(n);
      c->arg[t] = (wide ? 0xabc0000000000000u : 0xabc00000u) + t % c->words;
      uint64_t start = c->init[t % c->words];
      bool miss = c->op.find("miss") != std::string::npos;
      c->expected[t] = !miss ? start : wide ? start ^ 1 : static_cast<uint32_t>(start + 1);
    }
  }
}

std::string Listed(const Outcome &o) {
  std::ostringstream s;
  s << std::hex;
  for (size_t w = 0; w < o.returned.size(); w++) {
    if (w != 0) s << " |";
    for (size_t i = 0; i < o.returned[w].size(); i++) s << (i != 0 || w != 0 ? " " : "") << o.returned[w][i];
  }
  return s.str();
}

TEST(Atom, ContentionEndsAsOnSilicon) {
  auto rows = Table("atomics.csv");
  ASSERT_EQ(rows.size(), 295u);
  Inputs in;
  unsigned words = 0, lists = 0;
  for (size_t i = 1; i < rows.size(); i++) {
    const auto &r = rows[i];
    Case c;
    c.space = r[0], c.op = r[1];
    auto shape = Split(r[2], 'x');
    c.grid = static_cast<unsigned>(std::stoul(shape[0])), c.block = static_cast<unsigned>(std::stoul(shape[1]));
    c.words = static_cast<unsigned>(std::stoul(r[3]));
    bool first = i == 1 || rows[i - 1][3] != r[3];
    if (first) in.Draw(64) /* threads of each shape */;
    Fill(&c, in);
    Outcome o = Replay(c);
    std::ostringstream final;
    final << std::hex;
    for (unsigned w = 0; w < c.words; w++) final << (w != 0 ? " " : "") << o.final[w];
    bool ordered = c.op.find("exch") == 0; /* the word that stays depends on the order: the list is compared */
    if (!ordered) {
      EXPECT_EQ(final.str(), r[4]) << "row " << i << ": " << r[0] << " " << r[1];
      words++;
    }
    if (r[5] == "-") continue;
    EXPECT_EQ(Listed(o), r[5]) << "row " << i << ": " << r[0] << " " << r[1];
    lists++;
  }
  EXPECT_EQ(words, 282u);
  EXPECT_EQ(lists, 108u);
}

TEST(Atom, OperandsFromRegisters) {
  const uint32_t w[4] = {1, 2, 3, 4};
  EXPECT_EQ(wg_ref_atom_args(kWgAtomAdd, kWgAtomU32, w).value, 1u);
  EXPECT_EQ(wg_ref_atom_args(kWgAtomAdd, kWgAtomU64, w).value, 0x200000001u);
  EXPECT_EQ(wg_ref_atom_args(kWgAtomCas, kWgAtomU32, w).value, 2u);
  EXPECT_EQ(wg_ref_atom_args(kWgAtomCas, kWgAtomU32, w).expected, 1u);
  EXPECT_EQ(wg_ref_atom_args(kWgAtomCas, kWgAtomU64, w).value, 0x400000003u);
  EXPECT_EQ(wg_ref_atom_args(kWgAtomCas, kWgAtomU64, w).expected, 0x200000001u);
}

TEST(Atom, SectorElementsAreSeparate) {
  uint8_t s[32], v[32], e[32] = {0};
  for (unsigned i = 0; i < 32; i++) s[i] = static_cast<uint8_t>(i), v[i] = 0x10;
  wg_ref_atom_sector(kWgAtomAdd, kWgAtomU32, 0x000000f0u, v, e, s);
  for (unsigned i = 0; i < 32; i++) EXPECT_EQ(s[i], i >= 4 && i < 8 ? i + 0x10 : i) << i;
  std::memcpy(e, s, 32);
  wg_ref_atom_sector(kWgAtomCas, kWgAtomU16, 0x0000000fu, v, e, s);
  for (unsigned i = 0; i < 4; i++) EXPECT_EQ(s[i], 0x10u) << i;
  EXPECT_EQ(s[4], 0x14u);
}

}  // namespace
