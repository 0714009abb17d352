// SPDX-License-Identifier: Apache-2.0
//
// LDSM of the golden model against the silicon's ldmatrix: where each half of each register comes from.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "model/ref/wg_ref.h"

namespace {

std::vector<std::string> Split(const std::string &line) {
  std::vector<std::string> v;
  std::stringstream ss(line);
  for (std::string f; std::getline(ss, f, ',');) v.push_back(f);
  return v;
}

wg_insn_t Ldsm(const std::string &form) {
  wg_insn_t in = wg_insn_default(kWgOp_LDSM);
  unsigned n = form[1] == '4' ? 2 : form[1] == '2' ? 1 : 0;
  bool trans = form.find("trans") != std::string::npos;
  in.mods = static_cast<uint16_t>(n << kWgModLsb_LDSMN | (trans ? 1u : 0u) << kWgModLsb_LDSMT);
  return in;
}

TEST(Ldsm, ElementsGoWhereSiliconPutsThem) {
  std::ifstream file("testbench/silicon/tensor/ldmatrix.csv");
  std::string line;
  ASSERT_TRUE(std::getline(file, line)) << "run from the root of the repository";
  uint32_t row[4][32]; /* element e of lane l's row is 8 l + e */
  for (unsigned l = 0; l < 32; l++) {
    for (unsigned k = 0; k < 4; k++) row[k][l] = (8 * l + 2 * k) | (8 * l + 2 * k + 1) << 16;
  }
  unsigned rows = 0;
  while (std::getline(file, line)) {
    auto f = Split(line);
    wg_insn_t in = Ldsm(f[0]);
    auto n = [&](int i) { return static_cast<unsigned>(std::stoul(f[static_cast<size_t>(i)])); };
    uint32_t word[4][32];
    wg_ref_ldsm(&in, row, UINT32_MAX, word);
    ASSERT_LT(n(2), wg_ref_result_words(&in)) << line;
    EXPECT_EQ(word[n(2)][n(1)] >> (16 * n(3)) & 0xffffu, 64 * n(4) + 8 * n(5) + n(6)) << line;
    rows++;
  }
  EXPECT_EQ(rows, 704u);
}

TEST(Ldsm, LanesThatGiveNoRowCountAsZeros) {
  uint32_t row[4][32], word[4][32];
  for (auto &r : row) std::fill(r, r + 32, 0x00010001u);
  wg_insn_t in = Ldsm("x1");
  wg_ref_ldsm(&in, row, 0x7fu, word); /* row 7 is missing */
  for (unsigned l = 0; l < 32; l++) EXPECT_EQ(word[0][l], l / 4 == 7 ? 0u : 0x00010001u) << l;
  EXPECT_EQ(wg_ref_row_lanes(&in), 0xffu);
}

}  // namespace
