// SPDX-License-Identifier: Apache-2.0
//
// sm_sfu's conversions and bit counts against the golden model, among MUFU requests: all instructions and modifiers,
// random and corner operands, masks, gaps and back pressure; latency. The golden model is compared with silicon in
// testbench/unit/ref/cvt_test.cc. Run in the root of the repository; SEED=n repeats a run.
// bench: top sfu_tb -GLanes=4
// bench: link isa/wg_isa.c model/ref/ref_exec*.c model/ref/ref_fp*.c model/ref/ref_mufu.c model/ref/ref_half*.c model/ref/ref_cvt*.c model/ref/ref_mma*.c
#include <gtest/gtest.h>

#include <deque>
#include <memory>

#include "Vtop.h"
#include "model/ref/wg_ref.h"
#include "testbench/rtl/exec/exec_bench.h"

namespace {

constexpr unsigned kBeats = 32 / 4;

struct Warp {
  wg_insn_t insn;
  uint32_t a[32], a1[32], mask, slot;
  wg_ref_out_t out;
};

class Cvt : public ::testing::Test {
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
  void drive(const Warp &w) {
    dut_->op_i = w.insn.op;
    dut_->mods_i = w.insn.mods;
    dut_->rd_i = w.insn.rd;
    dut_->pc_i = 0x1230;
    dut_->req_slot_i = static_cast<uint8_t>(w.slot);
    dut_->req_mask_i = w.mask;
    for (unsigned l = 0; l < 32; l++) dut_->req_a_i[l] = w.a[l], dut_->req_a1_i[l] = w.a1[l];
  }
  void judge(const Warp &w) {
    ASSERT_EQ(dut_->rsp_slot_o, w.slot);
    ASSERT_EQ(dut_->rsp_rd_o, w.insn.rd);
    ASSERT_EQ(dut_->rsp_mask_o, w.mask);
    ASSERT_EQ(dut_->illegal_o, 0);
    ASSERT_EQ(dut_->rsp_wide_o, w.out.wide);
    for (unsigned l = 0; l < 32; l++) {
      bool on = (w.mask >> l & 1u) != 0;
      ASSERT_EQ(dut_->rsp_data_o[l], on ? w.out.d[l] : 0u) << about(w, l);
      if (w.out.wide) ASSERT_EQ(dut_->rsp_data_hi_o[l], on ? w.out.d1[l] : 0u) << about(w, l);
    }
  }
  static ::testing::Message about(const Warp &w, unsigned l) {
    return ::testing::Message() << std::hex << "lane " << l << " op " << int(w.insn.op) << " mods " << w.insn.mods
                                << " a " << w.a1[l] << ":" << w.a[l] << " want " << w.out.d1[l] << ":" << w.out.d[l];
  }
};

// A float of a format: corners, denormals, exponents near those of integers and of the formats' ends, anything.
uint64_t random_value(bench::Rng &r, unsigned fmt) {
  static const unsigned ebits[] = {5, 8, 11, 8}, mbits[] = {10, 23, 52, 7};
  const unsigned mb = mbits[fmt], eb = ebits[fmt];
  const uint64_t top = (1u << eb) - 1u, bias = top >> 1, ones = (uint64_t{1} << mb) - 1u;
  uint64_t sign = (r.next() & 1u) << (mb + eb), f = r.next() & ones, e;
  switch (r.below(6)) {
    case 0: f = ((uint64_t{1} << r.below(mb + 1)) - r.below(2)) & ones; break;
    case 1: f = (ones << r.below(mb)) & ones; break;
    case 2: f &= ones << r.below(mb); break;
    default: break;
  }
  switch (r.below(10)) {
    case 0: e = r.below(3) == 0 ? top : 0; break;
    case 1: e = r.next() & top; break;
    case 2: e = top - r.below(3); break;
    case 3: {  // around the ends of the formats
      static const int at[] = {-149, -126, -133, -24, -14, 15, 127, -1, -2};
      e = static_cast<uint64_t>(static_cast<int64_t>(bias) + at[r.below(9)] + static_cast<int>(r.below(5)) - 2);
      break;
    }
    default: e = bias - 2 + r.below(70); break;
  }
  return sign | (e & top) << mb | f;
}

uint64_t random_source(bench::Rng &r, const wg_insn_t *in) {
  if (in->op == kWgOp_F2I || in->op == kWgOp_F2F) {
    uint64_t v = random_value(r, WG_MOD_GET(in, FSRC));
    // the rest of the register must not matter
    return WG_MOD_GET(in, FSRC) == 0u || WG_MOD_GET(in, FSRC) == 3u ? v | (r.next() << 16 & 0xffff0000u) : v;
  }
  uint64_t v = r.next() >> r.below(64);
  switch (r.below(5)) {
    case 0: return (uint64_t{1} << r.below(64)) - r.below(2);
    case 1: return ~v;
    case 2: return uint64_t{bench::random_int(r)} << 32 | bench::random_int(r);
    case 3: return (r.next() & 0xffffffu) << r.below(41) | r.below(2);  // ties of f32
    default: return v;
  }
}

uint16_t random_mods(bench::Rng &r, uint8_t op) {
  unsigned m = static_cast<unsigned>(r.next());
  auto fdst = [&r] { return r.below(5) << kWgModLsb_FDST; };
  switch (op) {
    case kWgOp_I2F: return static_cast<uint16_t>((m & 0x7003u) | fdst());
    case kWgOp_F2I: return static_cast<uint16_t>(m & 0x7307u);
    case kWgOp_F2F:
      m = (m & 0x0f1fu) | fdst();
      if (r.chance(60)) m &= ~0x818u;  // without .INT, .SAT, .AWAY
      if (r.chance(50)) m &= ~0x400u;
      return static_cast<uint16_t>(m);
    case kWgOp_POPC:
    case kWgOp_BREV: return static_cast<uint16_t>(m & 1u);
    case kWgOp_FLO: return static_cast<uint16_t>(m & 7u);
    default: return static_cast<uint16_t>(r.below(7) | (m & (kWgMark_NA | kWgMark_AA)));
  }
}

const uint8_t kOps[] = {kWgOp_I2F, kWgOp_F2I, kWgOp_F2F, kWgOp_F2F, kWgOp_POPC, kWgOp_FLO, kWgOp_BREV, kWgOp_MUFU};

Warp random_warp(bench::Rng &r) {
  Warp w = {};
  w.insn.op = kOps[r.below(8)];
  w.insn.mods = random_mods(r, w.insn.op);
  w.insn.rd = static_cast<uint8_t>(r.below(256));
  w.slot = r.below(16);
  w.mask = r.chance(60) ? 0xffffffffu : static_cast<uint32_t>(r.next());
  for (unsigned l = 0; l < 32; l++) {
    uint64_t a = w.insn.op == kWgOp_MUFU ? bench::random_float(r, 127) : random_source(r, &w.insn);
    w.a[l] = static_cast<uint32_t>(a);
    w.a1[l] = static_cast<uint32_t>(a >> 32);
    if (w.a1[l] == 0 && r.chance(50)) w.a1[l] = static_cast<uint32_t>(r.next());  // ignored, or a pair's upper word
  }
  wg_ref_in_t in = {};
  in.a = w.a, in.a1 = w.a1, in.exec = w.mask;
  EXPECT_TRUE(wg_ref_exec(&w.insn, &in, &w.out));
  return w;
}

TEST_F(Cvt, RandomTraffic) {
  bench::Rng r(6);
  std::deque<Warp> queue;
  Warp next;
  bool offering = false;
  uint64_t count[256] = {};
  for (unsigned t = 0; t < 1200000; t++) {
    if (!offering && r.chance(60)) {
      offering = true;
      next = random_warp(r);
      drive(next);
    }
    dut_->req_valid_i = offering;
    dut_->rsp_ready_i = r.chance(t / 20000 % 4 == 0 ? 20 : 90);
    settle();
    bool accepted = offering && dut_->req_ready_o != 0;
    if (dut_->rsp_valid_o != 0 && dut_->rsp_ready_i != 0) {
      ASSERT_FALSE(queue.empty());
      ASSERT_NO_FATAL_FAILURE(judge(queue.front()));
      count[queue.front().insn.op] += static_cast<unsigned>(__builtin_popcount(queue.front().mask));
      queue.pop_front();
    }
    clock();
    if (accepted) {
      queue.push_back(next);
      offering = false;
    }
    ASSERT_LE(queue.size(), 3u);
  }
  for (uint8_t op : kOps) EXPECT_GE(count[op], 200000u) << int(op);
}

// The same latency and rate as MUFU.
TEST_F(Cvt, Timing) {
  bench::Rng r(8);
  for (uint8_t op : kOps) {
    Warp w = random_warp(r);
    while (w.insn.op != op) w = random_warp(r);
    drive(w);
    dut_->req_valid_i = 1;
    settle();
    ASSERT_EQ(dut_->req_ready_o, 1);
    clock();
    dut_->req_valid_i = 0;
    unsigned n = 1;
    for (; dut_->rsp_valid_o == 0 && n < 100; n++) clock();
    EXPECT_EQ(n, kBeats + 4) << int(op);
    ASSERT_NO_FATAL_FAILURE(judge(w));
    clock();
    dut_->req_valid_i = 1;
    unsigned taken = 0;
    for (unsigned t = 0; t < 10 * kBeats; t++) {
      settle();
      taken += dut_->req_ready_o;
      clock();
    }
    EXPECT_EQ(taken, 10u) << int(op);
    dut_->req_valid_i = 0;
    for (unsigned t = 0; t < 2 * kBeats + 8; t++) clock();
  }
}

}  // namespace
