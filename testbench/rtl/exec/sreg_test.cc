// SPDX-License-Identifier: Apache-2.0
//
// sm_sreg: every special register of isa/cfg.def for random blocks in random slots, with back pressure; latencies; the
// cycle counter. Run in the root of the repository; SEED=n repeats a run.
// bench: top sreg_tb -GSubCores=4 -GWarpSlots=16
#include <gtest/gtest.h>

#include <memory>

#include "Vtop.h"
#include "isa/wg_cfg.h"
#include "testbench/rtl/exec/exec_bench.h"

namespace {

struct Warp {
  bool known;
  uint32_t first, nx, ny, nz;  // first thread of the warp, block shape
  uint32_t cta[3], grid;
  uint32_t red;  // result of the last BAR.RED
};

class Sreg : public ::testing::Test {
 protected:
  VerilatedContext ctx_;
  std::unique_ptr<Vtop> dut_{new Vtop(&ctx_)};
  uint64_t cycle_ = 0;  // since reset
  uint32_t row_[32] = {};

  void SetUp() override {
    dut_->rst_ni = 0;
    dut_->req_valid_i = 0;
    dut_->init_valid_i = 0;
    dut_->red_valid_i = 0;
    dut_->rsp_ready_i = 1;
    dut_->sub_i = 2;
    dut_->warp_slots_i = 12;
    dut_->smid_i = 77;
    dut_->nsmid_i = 132;
    for (int i = 0; i < 4; i++) clock();
    dut_->rst_ni = 1;
    cycle_ = 0;
  }
  void settle() {
    dut_->clk_i = 0;
    dut_->eval();
  }
  void clock() {
    settle();
    dut_->clk_i = 1;
    dut_->eval();
    cycle_++;
  }
  void init(unsigned sub, unsigned slot, const Warp &w) {
    dut_->init_valid_i = 1;
    dut_->init_sub_i = static_cast<uint8_t>(sub);
    dut_->init_slot_i = static_cast<uint8_t>(slot);
    dut_->tid_x_i = static_cast<uint16_t>(w.first % w.nx);
    dut_->tid_y_i = static_cast<uint16_t>(w.first / w.nx % w.ny);
    dut_->tid_z_i = static_cast<uint8_t>(w.first / w.nx / w.ny);
    dut_->ntid_x_i = static_cast<uint16_t>(w.nx);
    dut_->ntid_y_i = static_cast<uint16_t>(w.ny);
    dut_->ntid_z_i = static_cast<uint8_t>(w.nz);
    dut_->ctaid_x_i = w.cta[0], dut_->ctaid_y_i = w.cta[1], dut_->ctaid_z_i = w.cta[2];
    dut_->grid_id_i = w.grid;
    clock();
    dut_->init_valid_i = 0;
  }
  /** A barrier reduction's result for these slots. */
  void reduce(unsigned slots, unsigned value) {
    dut_->red_valid_i = 1;
    dut_->red_slots_i = static_cast<uint16_t>(slots);
    dut_->red_i = static_cast<uint16_t>(value);
    clock();
    dut_->red_valid_i = 0;
  }
  /** Read special register `sr` into row_. @return cycles from acceptance to the response */
  unsigned read(unsigned sr, unsigned slot, uint32_t mask, unsigned rd, unsigned wait, uint64_t *accepted) {
    dut_->req_valid_i = 1;
    dut_->sr_i = static_cast<uint8_t>(sr);
    dut_->req_slot_i = static_cast<uint8_t>(slot);
    dut_->req_mask_i = mask;
    dut_->rd_i = static_cast<uint8_t>(rd);
    settle();
    EXPECT_EQ(dut_->req_ready_o, 1);
    *accepted = cycle_;
    clock();
    dut_->req_valid_i = 0;
    dut_->rsp_ready_i = 0;
    unsigned n = 1;
    for (; dut_->rsp_valid_o == 0 && n < 100; n++) clock();
    for (unsigned i = 0; i < wait; i++) {
      clock();
      EXPECT_EQ(dut_->rsp_valid_o, 1);
      EXPECT_EQ(dut_->req_ready_o, 0);
    }
    EXPECT_EQ(dut_->rsp_slot_o, slot);
    EXPECT_EQ(dut_->rsp_rd_o, rd);
    EXPECT_EQ(dut_->rsp_mask_o, mask);
    for (unsigned l = 0; l < 32; l++) row_[l] = dut_->rsp_data_o[l];
    dut_->rsp_ready_i = 1;
    clock();
    EXPECT_EQ(dut_->rsp_valid_o, 0);
    return n;
  }
};

Warp random_warp(bench::Rng &r) {
  static const uint32_t odd[] = {1, 2, 3, 5, 7, 8, 9, 16, 31, 32, 33, 64, 100, 255, 256, 512, 1000, 1023, 1024};
  Warp w = {};
  do {
    w.nx = odd[r.below(19)], w.ny = odd[r.below(19)], w.nz = odd[r.below(12)];
  } while (w.nx * w.ny * w.nz > 1024);
  w.known = true;
  w.first = r.below((w.nx * w.ny * w.nz + 31) / 32) * 32;
  for (auto &c : w.cta) c = static_cast<uint32_t>(r.next());
  w.grid = static_cast<uint32_t>(r.next());
  return w;
}

/** What lane `l` must read; the time of acceptance is `cycle`. */
uint32_t expected(unsigned sr, unsigned slot, const Warp &w, unsigned l, uint64_t cycle, uint64_t ns) {
  uint32_t t = w.first + l, bit = 1u << l;
  switch (sr) {
    case kWgSrTidX: return t % w.nx;
    case kWgSrTidY: return t / w.nx % w.ny;
    case kWgSrTidZ: return t / w.nx / w.ny;
    case kWgSrCtaidX:
    case kWgSrCtaidY:
    case kWgSrCtaidZ: return w.cta[sr - kWgSrCtaidX];
    case kWgSrLaneId: return l;
    case kWgSrWarpId: return slot * 4 + 2;
    case kWgSrNWarpId: return 48;
    case kWgSrSmId: return 77;
    case kWgSrNSmId: return 132;
    case kWgSrGridIdLo: return w.grid;
    case kWgSrLaneMaskEq: return bit;
    case kWgSrLaneMaskLt: return bit - 1;
    case kWgSrLaneMaskLe: return bit | (bit - 1);
    case kWgSrLaneMaskGt: return ~(bit | (bit - 1));
    case kWgSrLaneMaskGe: return ~(bit - 1);
    case kWgSrClockLo: return static_cast<uint32_t>(cycle);
    case kWgSrClockHi: return static_cast<uint32_t>(cycle >> 32);
    case kWgSrGlobalTimerLo: return static_cast<uint32_t>(ns);
    case kWgSrGlobalTimerHi: return static_cast<uint32_t>(ns >> 32);
    case kWgSrBarResult: return w.red;
    default: return 0;
  }
}

TEST_F(Sreg, EveryRegisterOfRandomBlocks) {
  bench::Rng r(4);
  Warp slots[16] = {};
  for (unsigned s = 0; s < 16; s++) {
    slots[s] = random_warp(r);
    init(2, s, slots[s]);
  }
  for (unsigned i = 0; i < 30000; i++) {
    if (r.chance(20)) {
      unsigned s = r.below(16);
      slots[s] = random_warp(r);
      init(2, s, slots[s]);
    }
    if (r.chance(20)) init(r.below(2), r.below(16), random_warp(r));  // another sub-core's warp
    if (r.chance(20)) {
      unsigned some = r.below(1u << 16), value = r.below(1025);
      reduce(some, value);
      for (unsigned s = 0; s < 16; s++)
        if (some >> s & 1u) slots[s].red = value;
    }
    unsigned sr = r.below(23), slot = r.below(16);
    const Warp &w = slots[slot];
    uint64_t ns = r.next(), at = 0;
    uint32_t mask = static_cast<uint32_t>(r.next());
    dut_->time_i = ns;
    unsigned n = read(sr, slot, mask, r.below(256), r.chance(30) ? r.below(4) : 0, &at);
    ASSERT_EQ(n, sr <= kWgSrTidZ ? 5u : 1u);
    for (unsigned l = 0; l < 32; l++) {
      // Lanes behind the block's end hold no thread.
      if (sr <= kWgSrTidZ && w.first + l >= w.nx * w.ny * w.nz) continue;
      ASSERT_EQ(row_[l], expected(sr, slot, w, l, at, ns))
          << "sr " << sr << " lane " << l << " block " << w.nx << "x" << w.ny << "x" << w.nz << " first " << w.first;
    }
  }
}

}  // namespace
