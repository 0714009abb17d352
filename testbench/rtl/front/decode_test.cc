// SPDX-License-Identifier: Apache-2.0
//
// sm_decode against the table (isa/wg_isa.h): random words of every opcode, form and modifier, fields near the edges of the
// thread's registers, and words with random bits: which words are undefined, and every field of the entry of the others.
// bench: top decode_bench
// bench: link isa/wg_isa.c
#include <gtest/gtest.h>

#include <cstring>
#include <set>

#include "Vtop.h"
#include "isa/wg_isa.h"
#include "testbench/rtl/exec/exec_bench.h"

namespace {

bool has(const wg_insn_info_t *info, char letter) { return std::strchr(info->operands, letter) != nullptr; }
bool flag(const wg_insn_info_t *info, const char *name) {
  return (" " + std::string(info->flags) + " ").find(" " + std::string(name) + " ") != std::string::npos;
}

/** A defined word more often than not. */
wg_word_t random_word(bench::Rng &r, unsigned regs) {
  size_t n;
  const wg_insn_info_t *table = wg_insn_table(&n);
  const auto reg = [&] {
    if (r.chance(8)) return 255u;
    if (r.chance(30)) return (regs + r.below(6) - 4) & 255u;
    return (r.below(regs + 1) & (r.chance(60) ? ~3u : ~0u)) & 255u;
  };
  wg_word_t w;
  w.lo = r.next(), w.hi = r.next();
  w.lo = (w.lo & ~0xffull) | table[r.below(uint32_t(n))].opcode;
  w.lo = (w.lo & ~0xf000ull) | uint64_t(r.chance(90) ? r.below(3) : r.below(16)) << 12;
  w.lo = (w.lo & ~0xffff0000ull) | uint64_t(reg()) << 16 | uint64_t(reg()) << 24;
  w.lo = (w.lo & ~0xff00000000ull) | uint64_t(reg()) << 32;
  w.hi = (w.hi & ~0xffull) | reg();
  if (r.chance(60)) w.hi &= ~(0xffffull << 24) | uint64_t(r.next() & r.next() & 0xffff) << 24;
  if (r.chance(50)) w.hi &= ~(0xffffull << 24) | uint64_t(r.below(8)) << 24;
  if (r.chance(2)) w.lo = (w.lo & ~0xffull) | r.below(256);
  return w;
}

unsigned class_of(const wg_insn_info_t *info) {
  unsigned c = 0;
  switch (info->pipe) {
    case kWgPipeINT: c = 1; break;
    case kWgPipeFP32: c = 2; break;
    case kWgPipeHALF: c = 2; break;
    case kWgPipeFP64: c = 128; break;
    case kWgPipeXLANE: c = 256; break;
    case kWgPipeMMA: c = 512; break;
    case kWgPipeSFU: c = 4; break;
    case kWgPipeLSU: c = 8; break;
    case kWgPipeSREG: c = 16; break;
    default: break;
  }
  switch (info->opcode) {
    case kWgOp_BAR:
    case kWgOp_BARRED:
    case kWgOp_RET:  // with a register: through a collector to the divergence unit
    case kWgOp_BRX:
    case kWgOp_NANOSLEEP:
    case kWgOp_WARPSYNC:
    case kWgOp_BMOVB: c |= 32; break;
    case kWgOp_CALL:  // write a register through the int pipe
    case kWgOp_BMOVR:
    case kWgOp_BSSYR: c |= 1; break;
    default: break;
  }
  if (flag(info, "BRANCH") && info->opcode != kWgOp_TRAP) c |= 64;
  return c;
}

/** Registers first .. first + count - 1 as a mask inside their aligned group of four. */
unsigned mask_of(unsigned first, unsigned count) {
  unsigned m = 0;
  for (unsigned i = 0; i < count; i++) m |= 1u << ((first + i) & 3u);
  return m;
}

void check_entry(const Vtop &t, const wg_insn_t &in) {
  const wg_insn_info_t *info = wg_insn_info(in.op);
  const wg_regset_t r = wg_insn_regs(&in);
  const bool load = flag(info, "LD"), store = flag(info, "ST"), smem = flag(info, "SMEM");
  const unsigned c = r.count[3] != 0 ? 3 : 2;
  unsigned masks = 0;
  masks |= mask_of(r.first[0], r.count[0]) | mask_of(r.first[1], r.count[1]) << 4;
  masks |= mask_of(r.first[c], r.count[c]) << 8 | mask_of(r.first[4], r.count[4]) << 12;
  ASSERT_EQ(t.masks_o, masks) << info->mnemonic;
  ASSERT_EQ(unsigned(t.cls_o), class_of(info)) << info->mnemonic;
  if (r.count[0] != 0) ASSERT_EQ(t.a64_o, r.count[0] >= 2) << info->mnemonic;
  if (r.count[c] != 0) ASSERT_EQ(t.nc_o, r.count[c]) << info->mnemonic;
  if (r.count[4] != 0 && info->pipe == kWgPipeINT) ASSERT_EQ(t.wide_o, r.count[4] == 2) << info->mnemonic;
  const unsigned pd0 = has(info, 'P') ? in.pd0 : 7, pd1 = has(info, 'Q') ? in.pd1 : 7;
  ASSERT_EQ(unsigned(t.pd_o), pd0 | pd1 << 3) << info->mnemonic;
  ASSERT_EQ(unsigned(t.wp_o), unsigned(pd0 != 7) | unsigned(pd1 != 7) << 1) << info->mnemonic;
  std::set<unsigned> preds = {in.guard, pd0, pd1};
  if (has(info, 'p')) {
    preds.insert(in.ps0);
    ASSERT_EQ(t.ps_o & 15u, in.ps0 | unsigned(in.ps0_not) << 3);
  }
  if (has(info, 'q')) {
    preds.insert(in.ps1);
    ASSERT_EQ(unsigned(t.ps_o >> 4), in.ps1 | unsigned(in.ps1_not) << 3);
  }
  if (has(info, 'V')) ASSERT_EQ(unsigned(t.ps_o >> 4), in.breg);
  unsigned pm = 0;
  for (unsigned p : preds) pm |= 1u << p;
  ASSERT_EQ(t.pm_o, pm & 127u) << info->mnemonic;
  const bool wb = info->pipe == kWgPipeLSU && (load || in.op == kWgOp_SHFL); /* MEMBAR, CCTL write nothing back */
  ASSERT_EQ(unsigned(t.facts_o), unsigned(wb) | unsigned((load || store) && !smem) << 1 | unsigned(smem) << 2 |
                                     unsigned(in.op == kWgOp_EXIT) << 3 | unsigned(in.form == kWgFormConst) << 4)
      << info->mnemonic;
}

TEST(DecodeTest, EntriesFollowTheTable) {
  bench::Rng rng(71);
  Vtop t;
  unsigned good[256] = {}, bad = 0;
  for (unsigned i = 0; i < 400000; i++) {
    const unsigned regs = rng.chance(20) ? 255 : rng.chance(10) ? 256 : 8 * (1 + rng.below(31));
    const wg_word_t w = random_word(rng, regs);
    for (unsigned k = 0; k < 4; k++) t.word_i[k] = uint32_t((k < 2 ? w.lo : w.hi) >> (32 * (k & 1)));
    t.regs_i = uint16_t(regs);
    t.eval();
    wg_insn_t in;
    bool ok = wg_decode(w, &in) == kWgOk && wg_insn_built(&in);
    const wg_regset_t r = wg_insn_regs(&in);
    for (unsigned k = 0; ok && k < 5; k++) if (r.count[k] != 0 && unsigned(r.first[k]) + r.count[k] > regs) ok = false;
    ASSERT_EQ(t.bad_o, !ok) << std::hex << w.hi << " " << w.lo << " regs " << regs;
    ASSERT_EQ(t.op_o, w.lo & 255);
    ASSERT_EQ(t.imm_o, uint32_t(w.lo >> 32));
    ASSERT_EQ(unsigned(t.guard_o), unsigned(w.lo >> 8 & 15));
    if (!ok) {
      ASSERT_EQ(t.masks_o, 0u);
      ASSERT_EQ(t.cls_o, 0u);
      ASSERT_EQ(t.facts_o >> 4, 0u);
      bad++;
      continue;
    }
    ASSERT_EQ(t.mods_o, uint16_t(w.hi >> 24));
    ASSERT_EQ(t.form_o, w.lo >> 12 & 15);
    ASSERT_EQ(t.regs_o, uint32_t(w.lo >> 16 & 255) << 24 | uint32_t(w.hi & 255) << 16 | uint32_t(w.lo >> 32 & 255) << 8 |
                            uint32_t(w.lo >> 24 & 255));
    check_entry(t, in);
    if (::testing::Test::HasFatalFailure()) FAIL() << std::hex << w.hi << " " << w.lo << " regs " << regs;
    good[in.op]++;
  }
  size_t n;
  const wg_insn_info_t *table = wg_insn_table(&n);
  for (size_t k = 0; k < n; k++) {
    const wg_insn_t in = wg_insn_default(table[k].opcode);
    if (wg_insn_built(&in)) EXPECT_GT(good[table[k].opcode], 50u) << table[k].mnemonic;
  }
  EXPECT_GT(bad, 20000u);
}

// Every combination of a matrix instruction's modifiers; random words hardly reach the undefined ones.
TEST(DecodeTest, MatrixCombinations) {
  Vtop t;
  unsigned defined = 0;
  for (unsigned op : {unsigned(kWgOp_HMMA), unsigned(kWgOp_IMMA), unsigned(kWgOp_DMMA)}) {
    for (unsigned mods = 0; mods < 64; mods++) {
      wg_insn_t in = wg_insn_default(uint8_t(op)), back;
      in.mods = uint16_t(mods);
      in.ra = in.rb = in.rc = in.rd = 4;
      const wg_word_t w = wg_encode(&in);
      for (unsigned k = 0; k < 4; k++) t.word_i[k] = uint32_t((k < 2 ? w.lo : w.hi) >> (32 * (k & 1)));
      t.regs_i = 255;
      t.eval();
      const bool ok = wg_decode(w, &back) == kWgOk && wg_insn_built(&in);
      ASSERT_EQ(t.bad_o, !ok) << "op " << op << " mods " << mods;
      defined += ok;
    }
  }
  EXPECT_EQ(defined, 8u + 24u + 1u);
}

// Every pair of type and operation of the atomics.
TEST(DecodeTest, AtomicCombinations) {
  Vtop t;
  unsigned defined = 0;
  for (unsigned op : {unsigned(kWgOp_ATOM), unsigned(kWgOp_ATOMG), unsigned(kWgOp_ATOMS), unsigned(kWgOp_RED)}) {
    for (unsigned mods = 0; mods < 256; mods++) {
      wg_insn_t in = wg_insn_default(uint8_t(op)), back;
      in.mods = uint16_t(mods);
      in.ra = in.rc = in.rd = 4;
      const wg_word_t w = wg_encode(&in);
      for (unsigned k = 0; k < 4; k++) t.word_i[k] = uint32_t((k < 2 ? w.lo : w.hi) >> (32 * (k & 1)));
      t.regs_i = 255;
      t.eval();
      const bool ok = wg_decode(w, &back) == kWgOk && wg_insn_built(&in);
      ASSERT_EQ(t.bad_o, !ok) << "op " << op << " mods " << mods;
      defined += ok;
    }
  }
  EXPECT_GT(defined, 100u);
  EXPECT_LT(defined, 1000u);
}

}  // namespace
