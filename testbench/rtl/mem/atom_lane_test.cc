// SPDX-License-Identifier: Apache-2.0
//
// sm_atom_lane against the golden operation (model/ref/ref_atom.c): every integer operation and type, corner values.
// bench: top sm_atom_lane
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

TEST(AtomLaneTest, AgreesWithTheGoldenOperation) {
  bench::Rng rng(71);
  Vtop t;
  static const unsigned types[] = {kWgAtomU32, kWgAtomS32, kWgAtomU64, kWgAtomS64, kWgAtomU16};
  for (unsigned i = 0; i < 400000; i++) {
    const unsigned type = types[rng.below(5)], op = type == kWgAtomU16 ? unsigned(kWgAtomCas) : rng.below(kWgAtomOps);
    if ((op == kWgAtomInc || op == kWgAtomDec) && type != kWgAtomU32) continue;
    const unsigned bytes = wg_ref_atom_bytes(type);
    const uint64_t keep = bytes == 8 ? ~0ull : (1ull << (8 * bytes)) - 1;
    const uint64_t old = corner(rng), a = rng.chance(30) ? old : corner(rng), b = corner(rng);
    t.en_i = 1, t.op_i = uint8_t(op), t.type_i = uint8_t(type), t.old_i = old, t.a_i = a, t.b_i = b;
    t.eval();
    const bool cas = op == kWgAtomCas;
    const uint64_t want = wg_ref_atom(op, type, true, old, {cas ? b : a, a});
    ASSERT_EQ(t.new_o & keep, want) << "op " << op << " type " << type << std::hex << " old " << old << " a " << a;
  }
  t.en_i = 0, t.eval();
  EXPECT_EQ(t.new_o, 0u);
}

}  // namespace
