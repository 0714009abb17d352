// SPDX-License-Identifier: Apache-2.0
//
// Who wrote a flag or a lock last: what counts as a write, and what is not kept.
#include <gtest/gtest.h>

extern "C" {
#include "isa/wg_isa_table.h"
#include "model/ref/wg_ref_writers.h"
}

namespace {

constexpr uint64_t kWord = UINT64_C(0x200100000040);

class Writers : public testing::Test {
 protected:
  wg_writers_t *t_ = wg_writers_new();
  wg_cta_launch_t cta_ = {};
  wg_ref_insn_t insn_ = {};
  wg_ref_step_t st_ = {};

  void SetUp() override {
    cta_.nctaid[0] = 8;
    cta_.nctaid[1] = cta_.nctaid[2] = 1;
    cta_.ctaid[0] = 3;
    cta_.grid_id = 7;
  }
  void TearDown() override { wg_writers_free(t_); }
  void Store(uint8_t op, uint32_t lanes, uint64_t addr, uint32_t value, uint32_t shared = 0) {
    insn_.in = {};
    insn_.in.op = op;
    insn_.in.rd = kWgRZ;
    st_.insn = &insn_;
    st_.pc = 0x50;
    st_.lanes = st_.exec = lanes;
    st_.shared = shared;
    st_.bytes = 4;
    for (unsigned l = 0; l < 32; l++) {
      st_.addr[l] = addr;
      st_.data[0][l] = value + l;
    }
    wg_writers_store(t_, &cta_, 2, &st_);
  }
  const wg_writer_t *Of(uint64_t addr, bool shared = false) { return wg_writers_of(t_, &cta_, shared, addr); }
};

TEST_F(Writers, TheLaneThatStays) {
  EXPECT_EQ(Of(kWord), nullptr);
  Store(kWgOp_STG, 0xc, kWord, 10); /* lanes 2 and 3: the lowest one is last */
  const wg_writer_t *w = Of(kWord);
  ASSERT_NE(w, nullptr);
  EXPECT_EQ(w->lane, 2u);
  EXPECT_EQ(w->value, 12u);
  EXPECT_EQ(w->warp, 2u);
  EXPECT_EQ(w->ctaid[0], 3u);
  EXPECT_EQ(w->pc, 0x50u);
  EXPECT_EQ(w->grid_id, 7u);
  EXPECT_FALSE(w->atomic);
  EXPECT_EQ(Of(kWord + 4), nullptr);
}

TEST_F(Writers, WideStoresAreNotKept) {
  Store(kWgOp_STG, 0x1f, kWord, 1);
  EXPECT_EQ(Of(kWord), nullptr);
  Store(kWgOp_STG, 0xf, kWord, 1);
  EXPECT_NE(Of(kWord), nullptr);
  wg_writers_launch(t_);
  EXPECT_EQ(Of(kWord), nullptr) << "another launch";
}

TEST_F(Writers, SharedMemoryIsTheBlocks) {
  Store(kWgOp_STS, 1, 0x40, 5, 1);
  EXPECT_NE(Of(0x40, true), nullptr);
  EXPECT_EQ(Of(0x40), nullptr);
  cta_.ctaid[0] = 4;
  EXPECT_EQ(Of(0x40, true), nullptr);
}

TEST_F(Writers, AtomicsThatChangeTheirWord) {
  wg_insn_t in = {};
  in.op = kWgOp_ATOM;
  uint64_t addr[32];
  uint32_t data[4][32] = {}, old[32] = {};
  for (unsigned l = 0; l < 32; l++) addr[l] = kWord + 4 * l, data[0][l] = l; /* add l */
  const uint32_t *const rows[2] = {old, nullptr};
  wg_writers_atomic(t_, &cta_, 1, &in, 0x60, 0xff, 0, addr, data, rows);
  EXPECT_EQ(Of(kWord), nullptr) << "adding 0 changes nothing";
  const wg_writer_t *w = Of(kWord + 4 * 5);
  ASSERT_NE(w, nullptr);
  EXPECT_TRUE(w->atomic && w->known);
  EXPECT_EQ(w->value, 5u);
  EXPECT_EQ(w->lane, 5u);
}

}  // namespace
