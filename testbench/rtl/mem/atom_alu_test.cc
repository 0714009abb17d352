// SPDX-License-Identifier: Apache-2.0
//
// sm_atom_alu against the golden operation (model/ref/ref_atom.c): every integer operation and type, corner values.
// bench: top sm_atom_alu
// bench: link model/ref/ref_atom.c model/ref/ref_fp32.c model/ref/ref_fp64.c model/ref/ref_half.c model/ref/ref_cvt.c
#include <gtest/gtest.h>

#include "Vtop.h"
#include "model/ref/wg_ref_atom.h"
#include "testbench/rtl/mem/wide.h"

namespace {

uint64_t corner(bench::Rng &r) {
  static const uint64_t k[] = {0, 1, 2, 0x7fffffff, 0x80000000, 0xffffffff, 0x100000000, 0x7fffffffffffffff,
                               0x8000000000000000, ~0ull};
  const uint64_t v = r.chance(50) ? k[r.below(10)] : r.next();
  return r.chance(20) ? v + r.below(3) - 1 : v;
}

TEST(AtomAluTest, AgreesWithTheGoldenOperation) {
  bench::Rng rng(71);
  Vtop t;
  static const unsigned types[] = {kWgAtomU32, kWgAtomS32, kWgAtomU64, kWgAtomS64, kWgAtomU16};
  for (unsigned i = 0; i < 20000; i++) {
    const unsigned type = types[rng.below(5)], op = type == kWgAtomU16 ? unsigned(kWgAtomCas) : rng.below(kWgAtomOps);
    if ((op == kWgAtomInc || op == kWgAtomDec) && type != kWgAtomU32) continue;
    const unsigned bytes = wg_ref_atom_bytes(type);
    const uint64_t keep = bytes == 8 ? ~0ull : (1ull << (8 * bytes)) - 1;
    uint64_t old[32], a[32], b[32];
    t.en_i = 1, t.op_i = uint8_t(op), t.type_i = uint8_t(type), t.lanes_i = uint32_t(rng.next());
    for (unsigned l = 0; l < 32; l++) {
      old[l] = corner(rng), a[l] = rng.chance(30) ? old[l] : corner(rng), b[l] = corner(rng);
      t.old_i[l] = uint32_t(old[l]), t.old_i[32 + l] = uint32_t(old[l] >> 32);
      t.data_i[l] = uint32_t(a[l]), t.data_i[32 + l] = uint32_t(bytes == 8 ? a[l] >> 32 : b[l]);
      t.data_i[64 + l] = uint32_t(b[l]), t.data_i[96 + l] = uint32_t(b[l] >> 32);
    }
    t.eval();
    for (unsigned l = 0; l < 32; l++) {
      const uint64_t got = t.new_o[l] | uint64_t(t.new_o[32 + l]) << 32;
      if (!(t.lanes_i >> l & 1)) {
        ASSERT_EQ(got, 0u);
        continue;
      }
      const bool cas = op == kWgAtomCas;
      const uint64_t want = wg_ref_atom(op, type, true, old[l], {cas ? b[l] : a[l], a[l]});
      ASSERT_EQ(got & keep, want) << "op " << op << " type " << type << std::hex << " old " << old[l] << " a " << a[l];
    }
  }
  t.en_i = 0, t.eval();
  for (unsigned w = 0; w < 64; w++) EXPECT_EQ(t.new_o[w], 0u);
}

}  // namespace
