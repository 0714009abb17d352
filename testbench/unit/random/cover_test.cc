// SPDX-License-Identifier: Apache-2.0
//
// Cells of the coverage run (cosim/random/cover.h): which there are, what is counted where, kernels that hold each.
#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <memory>
#include <string>

#include "cosim/random/cover.h"
#include "isa/wg_cfg.h"

namespace {

struct Cover {
  wg_cover_t *c = wg_cover_new();
  ~Cover() { wg_cover_free(c); }
  const wg_cover_op_t &Op(uint8_t op) const {
    size_t n;
    const wg_cover_op_t *o = wg_cover_ops(c, &n);
    for (size_t i = 0; i < n; i++) {
      if (o[i].op == op) return o[i];
    }
    ADD_FAILURE() << "no cells for opcode " << unsigned(op);
    return o[0];
  }
  /* "kind cell" -> counts, as printed */
  std::map<std::string, std::string> Printed(uint8_t op) const {
    char *text = nullptr;
    size_t n = 0;
    FILE *f = open_memstream(&text, &n);
    wg_cover_print(f, &Op(op));
    fclose(f);
    std::map<std::string, std::string> out;
    std::string all(text, n);
    free(text);
    for (size_t at = 0; at < all.size();) {
      size_t end = all.find('\n', at);
      std::string line = all.substr(at, end - at);
      size_t a = line.find('\t'), b = line.find('\t', a + 1), c2 = line.find('\t', b + 1);
      out[line.substr(a + 1, b - a - 1) + " " + line.substr(b + 1, c2 - b - 1)] = line.substr(c2 + 1);
      at = end + 1;
    }
    return out;
  }
};

TEST(Cover, EveryOpcodeOfTheTableHasCells) {
  Cover c;
  size_t num, n;
  const wg_insn_info_t *t = wg_insn_table(&num);
  const wg_cover_op_t *o = wg_cover_ops(c.c, &n);
  ASSERT_EQ(n, num);
  for (size_t i = 0; i < n; i++) EXPECT_EQ(o[i].op, t[i].opcode);
}

TEST(Cover, MasksByTheirLanes) {
  EXPECT_EQ(wg_cover_mask_of(0xffffffffu), kWgCoverFull);
  EXPECT_EQ(wg_cover_mask_of(0x7fffffffu), kWgCoverPartial);
  EXPECT_EQ(wg_cover_mask_of(3u), kWgCoverPartial);
  EXPECT_EQ(wg_cover_mask_of(1u), kWgCoverSingle);
  EXPECT_EQ(wg_cover_mask_of(0x80000000u), kWgCoverSingle);
}

TEST(Cover, AnInstructionCountsInItsCellsAlone) {
  Cover c;
  wg_insn_t in = wg_insn_default(kWgOp_FADD);
  in.mods = 1u << kWgModLsb_RND | 1u << kWgModLsb_FTZ | kWgMark_NB; /* .RM.FTZ a, -b */
  in.form = kWgFormImm;
  wg_cover_retired(c.c, &in, 0xffffu);
  for (const auto &[cell, counts] : c.Printed(kWgOp_FADD)) {
    bool mine = cell == "op " || cell == "value RND=.RM" || cell == "value FTZ=.FTZ" || cell == "value SAT=(none)" ||
                cell == "value NA=(none)" || cell == "value NB=-b" || cell == "value AA=(none)" ||
                cell == "value AB=(none)" || cell == "value b=immediate" ||
                cell == "combination RND=.RM FTZ=.FTZ NB=-b";
    EXPECT_EQ(counts, mine ? "0\t1\t0" : "0\t0\t0") << cell;
  }
}

TEST(Cover, PairsWhereCombinationsAreMany) {
  Cover c;
  const wg_cover_op_t &o = c.Op(kWgOp_FSETP);
  EXPECT_FALSE(o.cross);
  EXPECT_TRUE(c.Op(kWgOp_FADD).cross); /* 256 */
  wg_insn_t in = wg_insn_default(kWgOp_FSETP);
  in.mods = 9u | 2u << kWgModLsb_FBOOL; /* .LTU.XOR */
  wg_cover_retired(c.c, &in, 1u);
  auto p = c.Printed(kWgOp_FSETP);
  EXPECT_EQ(p.at("pair FCMP=.LTU FBOOL=.XOR"), "0\t0\t1");
  EXPECT_EQ(p.at("pair FCMP=.LTU FBOOL=.OR"), "0\t0\t0");
  size_t counted = 0;
  for (const auto &[cell, counts] : p) counted += cell.rfind("pair ", 0) == 0 && counts == "0\t0\t1" ? 1 : 0;
  EXPECT_EQ(counted, o.cross_dims * (o.cross_dims - 1) / 2);
}

TEST(Cover, UndefinedCombinationsAreNoCells) {
  Cover c;
  auto hmma = c.Printed(kWgOp_HMMA), atoms = c.Printed(kWgOp_ATOMS);
  EXPECT_EQ(hmma.count("combination MSH=.16816 MACC=.F32 MIN=.TF32"), 0u); /* .TF32 has no .16816 */
  EXPECT_EQ(hmma.count("combination MSH=.16816 MACC=.F32 MIN=.F16"), 1u);
  EXPECT_EQ(atoms.count("value ATYPE=.F32"), 0u);
  EXPECT_EQ(atoms.count("value ATYPE=.U32"), 1u);
  EXPECT_EQ(c.Printed(kWgOp_PLOP3).count("value LUT=15"), 1u);
  EXPECT_EQ(c.Printed(kWgOp_PLOP3).count("value LUT=16"), 0u);
  EXPECT_EQ(c.Printed(kWgOp_S2R).count("value R=SR_BARRESULT"), 1u);
}

TEST(Cover, KernelsHoldEveryCell) {
  /* every instruction of the kernels executed once by full, some and one lane: no cell but TRAP's stays empty */
  Cover plan, all;
  bool want[256];
  std::fill(want, want + 256, true);
  auto k = std::make_unique<wg_cover_kernel_t>();
  unsigned kernels = 0;
  for (uint32_t at = 0; wg_cover_generate(plan.c, want, 7, true, &at, k.get()); kernels++) {
    for (uint32_t i = 0; i < k->prog.num_items; i++) {
      const wg_rnd_item_t &it = k->prog.item[i];
      if (it.kind == kWgRndInsn) wg_cover_retired(all.c, &it.in, ~0u);
    }
  }
  EXPECT_GT(kernels, 5u);
  size_t n;
  const wg_cover_op_t *o = wg_cover_ops(all.c, &n);
  for (size_t i = 0; i < n; i++) {
    for (const auto &[cell, counts] : all.Printed(o[i].op)) {
      EXPECT_EQ(counts[0] == '0', o[i].op == kWgOp_TRAP) << wg_insn_info(o[i].op)->mnemonic << " " << cell;
    }
  }
}

TEST(Cover, DataHoldsMasksOfEachKind) {
  std::vector<uint32_t> data(kWgCoverDataBytes / 4);
  wg_cover_data(3, data.data());
  for (unsigned w = 0; w < kWgCoverWarps; w++) {
    uint32_t part = 0, one = 0;
    for (unsigned l = 0; l < 32; l++) {
      uint32_t flags = data[((w * kWgCoverQuads + 69 / 4) * 32 + l) * 4 + 69 % 4];
      part |= (flags & 1u) << l;
      one |= (flags >> 1 & 1u) << l;
    }
    EXPECT_EQ(wg_cover_mask_of(part), kWgCoverPartial);
    EXPECT_EQ(wg_cover_mask_of(~part), kWgCoverPartial);
    EXPECT_EQ(wg_cover_mask_of(one), kWgCoverSingle);
  }
}

}  // namespace
