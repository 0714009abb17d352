// SPDX-License-Identifier: Apache-2.0
//
// sm_sfu: equal to the golden model for every mantissa, within one ulp of the exact reciprocal, close to silicon;
// latency, throughput, back pressure, masks, undefined functions. Run in the root of the repository; SEED=n repeats a
// run.
// bench: top sfu_tb -GLanes=4
// bench: link model/ref/ref_mufu.c
#include <gtest/gtest.h>

#include <deque>
#include <memory>

#include "Vtop.h"
#include "model/ref/wg_mufu.h"
#include "testbench/rtl/exec/exec_bench.h"

namespace {

constexpr unsigned kRcp = 4, kLanes = 4, kBeats = 32 / kLanes;

class Sfu : public ::testing::Test {
 protected:
  VerilatedContext ctx_;
  std::unique_ptr<Vtop> dut_{new Vtop(&ctx_)};

  void SetUp() override {
    dut_->rst_ni = 0;
    dut_->req_valid_i = 0;
    dut_->rsp_ready_i = 1;
    for (int i = 0; i < 4; i++) clock();
    dut_->rst_ni = 1;
  }
  void settle() {
    dut_->clk_i = 0;
    dut_->eval();
  }
  void clock() {
    settle();
    dut_->clk_i = 1;
    dut_->eval();
  }
  /** One warp through an idle unit. @return cycles from acceptance to the response */
  unsigned warp(unsigned mods, const uint32_t *a, uint32_t mask = 0xffffffffu) {
    dut_->req_valid_i = 1;
    dut_->mods_i = static_cast<uint16_t>(mods);
    dut_->req_mask_i = mask;
    for (unsigned l = 0; l < 32; l++) dut_->req_a_i[l] = a[l];
    settle();
    EXPECT_EQ(dut_->req_ready_o, 1);
    clock();
    dut_->req_valid_i = 0;
    unsigned n = 1;
    while (dut_->rsp_valid_o == 0 && n < 100) {
      clock();
      n++;
    }
    return n;
  }
};

TEST_F(Sfu, EveryMantissa) {
  unsigned off = 0;
  uint32_t in[32], out[32];
  for (uint32_t f = 0; f < 1u << 23; f += 32) {
    // The exponent does not reach the interpolation; vary it anyway.
    uint32_t e = 1 + f / 32 % 252;
    for (uint32_t l = 0; l < 32; l++) in[l] = e << 23 | f | l;
    ASSERT_EQ(warp(kRcp, in), kBeats + 3);
    for (uint32_t l = 0; l < 32; l++) out[l] = dut_->rsp_data_o[l];
    clock();
    for (uint32_t l = 0; l < 32; l++) {
      ASSERT_EQ(out[l], wg_mufu(kRcp, in[l])) << std::hex << in[l];
      // Exact: 2^47 / m has 24 bits for m above 2^23; exponent 252 - e with the hidden bit.
      uint64_t m = 0x800000u | f | l;
      uint64_t exact = (m == 0x800000u) ? uint64_t(254 - e) << 23
                                        : (uint64_t(252 - e) << 23) + ((uint64_t(1) << 48) + m) / (2 * m);
      int64_t ulp = int64_t(out[l]) - int64_t(exact);
      ASSERT_LE(std::abs(ulp), 1) << std::hex << in[l];
      off += ulp != 0;
    }
  }
  std::printf("reciprocals that are not correctly rounded: %u of 8388608, all by 1 ulp\n", off);
}

TEST_F(Sfu, NearSilicon) {
  bench::Table t("f32_unary.csv");
  ASSERT_GE(t.rows(), 200u);
  unsigned distance[2] = {};
  for (size_t i = 0; i < t.rows(); i++) {
    uint32_t in[32] = {uint32_t(t.at(i, 0))}, want = uint32_t(t.at(i, 2)), e = in[0] >> 23 & 255u;
    warp(kRcp, in);
    uint32_t got = dut_->rsp_data_o[0];
    clock();
    if (e == 0 || e >= 253 || (in[0] & 0x7fffffu) == 0) {
      EXPECT_EQ(got, want) << std::hex << in[0];  // specials, flushes and powers of two are exact
    } else {
      int64_t d = std::abs(int64_t(got) - int64_t(want));
      ASSERT_LE(d, 1) << std::hex << in[0];
      distance[d]++;
    }
  }
  std::printf("MUFU.RCP and silicon: equal %u, 1 ulp apart %u\n", distance[0], distance[1]);
}

TEST_F(Sfu, FullRate) {
  // A warp is accepted every kBeats cycles when responses are taken at once.
  dut_->req_valid_i = 1;
  dut_->mods_i = kRcp;
  dut_->req_mask_i = 0xffffffffu;
  unsigned taken = 0;
  for (unsigned t = 0; t < 10 * kBeats; t++) {
    settle();
    taken += dut_->req_ready_o;
    clock();
  }
  EXPECT_EQ(taken, 10u);
}

TEST_F(Sfu, RandomTraffic) {
  bench::Rng r(3);
  struct Want {
    uint32_t slot, rd, mask, pc;
    bool illegal;
    uint32_t d[32];
  };
  std::deque<Want> queue;
  Want next = {};
  bool offering = false;
  unsigned done = 0, illegal = 0;
  for (unsigned t = 0; t < 400000; t++) {
    if (!offering && r.chance(60)) {
      offering = true;
      unsigned fn = r.chance(95) ? kRcp : r.below(16);
      unsigned mods = fn | (static_cast<unsigned>(r.next()) & (kWgMark_NA | kWgMark_AA));
      next.slot = r.below(16), next.rd = r.below(256), next.pc = r.below(1u << 28);
      next.mask = r.chance(50) ? 0xffffffffu : static_cast<uint32_t>(r.next());
      next.illegal = !wg_mufu_defined(fn);
      dut_->mods_i = static_cast<uint16_t>(mods);
      dut_->rd_i = static_cast<uint8_t>(next.rd);
      dut_->pc_i = next.pc;
      dut_->req_slot_i = static_cast<uint8_t>(next.slot);
      dut_->req_mask_i = next.mask;
      for (unsigned l = 0; l < 32; l++) {
        uint32_t a = bench::random_float(r, 1 + r.below(253));
        dut_->req_a_i[l] = a;
        if ((mods & kWgMark_AA) != 0) a &= 0x7fffffffu;
        if ((mods & kWgMark_NA) != 0) a ^= 0x80000000u;
        next.d[l] = (next.mask >> l & 1u) != 0 ? wg_mufu(kRcp, a) : 0u;
      }
    }
    dut_->req_valid_i = offering;
    dut_->rsp_ready_i = r.chance(t / 20000 % 2 != 0 ? 20 : 90);
    settle();
    bool accepted = offering && dut_->req_ready_o != 0;
    if (dut_->rsp_valid_o != 0 && dut_->rsp_ready_i != 0) {
      ASSERT_FALSE(queue.empty());
      const Want &w = queue.front();
      ASSERT_EQ(dut_->rsp_slot_o, w.slot);
      ASSERT_EQ(dut_->rsp_rd_o, w.rd);
      ASSERT_EQ(dut_->rsp_mask_o, w.mask);
      ASSERT_EQ(dut_->illegal_o, w.illegal);
      ASSERT_EQ(dut_->illegal_pc_o, w.pc);
      for (unsigned l = 0; l < 32 && !w.illegal; l++) ASSERT_EQ(dut_->rsp_data_o[l], w.d[l]) << "lane " << l;
      illegal += w.illegal;
      queue.pop_front();
      done++;
    }
    clock();
    if (accepted) {
      queue.push_back(next);
      offering = false;
    }
    ASSERT_LE(queue.size(), 3u);
  }
  EXPECT_GT(done, 10000u);
  EXPECT_GT(illegal, 100u);
}

}  // namespace
