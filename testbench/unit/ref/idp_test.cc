// SPDX-License-Identifier: Apache-2.0
//
// IDP of the golden model against silicon (testbench/silicon/int32_ternary: dp4a, dp2a, every row).
#include <gtest/gtest.h>

#include "model/ref/wg_ref.h"
#include "testbench/silicon/table.h"

namespace {

TEST(IdpSilicon, DotProducts) {
  silicon::Table t("int32_ternary.csv.gz");
  ASSERT_EQ(t.rows(), 381u);
  ASSERT_EQ(t.names().size(), 13u);
  for (size_t k = 3; k < t.names().size(); k++) {
    const std::string &n = t.names()[k];
    bool four = n.rfind("dp4a.", 0) == 0, hi = n.rfind("dp2a.hi.", 0) == 0;
    ASSERT_TRUE(four || hi || n.rfind("dp2a.lo.", 0) == 0) << n;
    const std::string types = n.substr(n.size() - 7);  // "u32.s32"
    wg_insn_t in = wg_insn_default(kWgOp_IDP);
    in.mods = static_cast<uint16_t>((four ? 0u : hi ? 2u : 1u) << kWgModLsb_IDPK |
                                    ((types[0] == 's' ? 1u : 0u) | (types[4] == 's' ? 2u : 0u)) << kWgModLsb_IDPT);
    ASSERT_EQ(wg_decode(wg_encode(&in), &in), kWgOk);
    for (size_t i = 0; i < t.rows(); i++) {
      uint32_t a[32] = {uint32_t(t.at(i, 0))}, b[32] = {uint32_t(t.at(i, 1))}, c[32] = {uint32_t(t.at(i, 2))};
      wg_ref_in_t src = {};
      src.a = a, src.b = b, src.c = c, src.exec = 1;
      wg_ref_out_t out;
      ASSERT_TRUE(wg_ref_exec(&in, &src, &out));
      ASSERT_EQ(out.d[0], t.at(i, k)) << n << std::hex << " " << a[0] << " " << b[0] << " " << c[0];
    }
  }
}

}  // namespace
