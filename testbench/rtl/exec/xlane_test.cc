// SPDX-License-Identifier: Apache-2.0
//
// sm_xlane: equal to the golden model on random VOTE, MATCH, REDUX (one mask for all lanes, a few, one a lane; few
// and many distinct values; partial warps) under back pressure, votes overtaking the others; cycles of every kind.
// SEED=n repeats a run.
// bench: top xlane_tb
// bench: link model/ref/ref_exec_xlane.c isa/wg_isa.c
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <memory>
#include <set>

#include "Vtop.h"
#include "model/ref/wg_ref.h"
#include "testbench/rtl/exec/exec_bench.h"

namespace {

constexpr unsigned kVoteCycles = 9;

struct Request {
  uint8_t op = kWgOp_VOTE;
  unsigned mods = 0, rd = 0, pd = 7, slot = 0;
  uint32_t mask = UINT32_MAX, p = 0;
  uint32_t a[32] = {}, a1[32] = {}, b[32] = {};

  wg_ref_out_t golden() const {
    wg_insn_t in = wg_insn_default(op);
    in.mods = static_cast<uint16_t>(mods);
    wg_ref_in_t src = {};
    src.a = a, src.a1 = a1, src.b = b, src.p = p, src.exec = mask;
    wg_ref_out_t out = {};
    EXPECT_TRUE(wg_ref_exec_xlane(&in, &src, &out));
    return out;
  }
  /** Rounds: distinct values of the executing lanes (MATCH), distinct masks (REDUX). */
  unsigned rounds() const {
    bool b64 = (mods >> kWgModLsb_B64 & 1u) != 0;
    std::set<uint64_t> seen;
    for (unsigned l = 0; l < 32; l++) {
      if ((mask >> l & 1u) == 0u) continue;
      seen.insert(op == kWgOp_REDUX ? b[l] : (b64 ? uint64_t(a1[l]) << 32 : 0u) | a[l]);
    }
    return static_cast<unsigned>(seen.size());
  }
  unsigned cycles() const {
    if (op == kWgOp_VOTE) return kVoteCycles;
    return 2 + rounds() * (op == kWgOp_MATCH ? 2 : 9);
  }
};

Request random_request(bench::Rng &r) {
  Request q;
  q.rd = r.below(256), q.pd = r.below(8), q.slot = r.below(16);
  q.mask = r.chance(40) ? UINT32_MAX : r.chance(10) ? 1u << r.below(32) : uint32_t(r.next());
  if (q.mask == 0) q.mask = 4;
  q.p = r.chance(20) ? UINT32_MAX : r.chance(25) ? 0u : uint32_t(r.next());
  unsigned kind = r.below(3), spread = r.below(5);
  uint32_t few[4];
  for (uint32_t &f : few) f = r.chance(25) ? q.mask : uint32_t(r.next());
  if (r.chance(10)) few[0] = 0;
  bool one_mask = r.chance(60), each = r.chance(15);
  for (unsigned l = 0; l < 32; l++) {
    q.b[l] = one_mask ? few[0] : each ? uint32_t(r.next()) : few[r.below(4)];
    q.a[l] = spread == 0 ? 7u : spread == 1 ? r.below(2) : spread == 2 ? r.below(6) << 29 : bench::random_int(r);
    q.a1[l] = r.chance(90) ? 0x80000000u : r.below(3);
  }
  switch (kind) {
    case 0:
      q.op = kWgOp_VOTE;
      q.mods = r.below(3) << kWgModLsb_VOTEM;
      break;
    case 1:
      q.op = kWgOp_MATCH;
      q.mods = r.below(2) << kWgModLsb_MATCHM | r.below(2) << kWgModLsb_B64;
      break;
    default:
      q.op = kWgOp_REDUX;
      q.mods = r.below(6) << kWgModLsb_RDXOP | r.below(2) << kWgModLsb_RDXS;
      break;
  }
  return q;
}

class Xlane : public ::testing::Test {
 protected:
  VerilatedContext ctx_;
  std::unique_ptr<Vtop> dut_{new Vtop(&ctx_)};

  void SetUp() override {
    dut_->rst_ni = 0;
    dut_->req_valid_i = 0;
    dut_->rsp_ready_i = 1;
    for (int i = 0; i < 4; i++) clock();
    dut_->rst_ni = 1;
    settle();
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
  void offer(const Request &q) {
    dut_->op_i = q.op;
    dut_->mods_i = static_cast<uint16_t>(q.mods);
    dut_->rd_i = static_cast<uint8_t>(q.rd);
    dut_->pd_i = static_cast<uint8_t>(q.pd);
    dut_->req_slot_i = static_cast<uint8_t>(q.slot);
    dut_->req_mask_i = q.mask;
    dut_->req_p0_i = q.p;
    for (unsigned l = 0; l < 32; l++) dut_->req_a_i[l] = q.a[l], dut_->req_a1_i[l] = q.a1[l], dut_->req_b_i[l] = q.b[l];
  }
  void check(const Request &q) {
    wg_ref_out_t want = q.golden();
    ASSERT_EQ(dut_->rsp_slot_o, q.slot);
    ASSERT_EQ(dut_->rsp_rd_o, q.rd);
    ASSERT_EQ(dut_->rsp_mask_o, q.mask);
    ASSERT_EQ(dut_->rsp_pvalid_o, want.wr_p0 && q.pd != 7);
    ASSERT_EQ(dut_->rsp_pd_o, q.pd);
    if (want.wr_p0) ASSERT_EQ(dut_->rsp_pbits_o & q.mask, want.p0) << "op " << int(q.op) << " mods " << q.mods;
    for (unsigned l = 0; l < 32; l++) {
      if ((q.mask >> l & 1u) == 0u) continue;
      ASSERT_EQ(dut_->rsp_data_o[l], want.d[l]) << std::hex << "op " << int(q.op) << " mods " << q.mods << " lane " << l
                                                << " b " << q.b[l] << " mask " << q.mask;
    }
  }
};

TEST_F(Xlane, CyclesOfEveryKind) {
  bench::Rng r(1);
  for (unsigned n = 0; n < 3000; n++) {
    Request q = random_request(r);
    offer(q);
    dut_->req_valid_i = 1;
    settle();
    ASSERT_EQ(dut_->req_ready_o, 1);
    clock();
    dut_->req_valid_i = 0;
    offer(random_request(r));  // the request's inputs count in the cycle of acceptance only
    unsigned cycles = 1;
    for (; dut_->rsp_valid_o == 0 && cycles < 500; cycles++) clock();
    ASSERT_EQ(cycles, q.cycles()) << "op " << int(q.op);
    check(q);
    clock();
    ASSERT_EQ(dut_->rsp_valid_o, 0);
  }
}

TEST_F(Xlane, RandomTraffic) {
  bench::Rng r(2);
  Request q, other;
  std::deque<Request> votes;  // inside, in order
  bool offering = false, inside = false;
  unsigned done = 0, kind[3] = {}, most = 0, passed = 0;
  uint64_t cycles = 0;
  auto start = std::chrono::steady_clock::now();
  while (done < 30000) {
    if (!offering && r.chance(70)) {
      q = random_request(r);
      q.rd = (q.rd & ~1u) | (q.op == kWgOp_VOTE ? 0u : 1u);  // tells whose response it is
      offer(q);
      offering = true;
    }
    dut_->req_valid_i = offering;
    dut_->rsp_ready_i = r.chance(done / 5000 % 2 != 0 ? 20 : 90);
    settle();
    ASSERT_FALSE(dut_->req_ready_o != 0 && (inside || votes.size() >= 4));
    bool accepted = offering && dut_->req_ready_o != 0, taken = dut_->rsp_valid_o != 0 && dut_->rsp_ready_i != 0;
    if (dut_->rsp_valid_o != 0) {
      bool vote = (dut_->rsp_rd_o & 1u) == 0;
      ASSERT_TRUE(vote ? !votes.empty() : inside);
      check(vote ? votes.front() : other);
      if (HasFatalFailure()) return;
      if (taken) {
        done++;
        kind[vote ? 0 : other.op == kWgOp_MATCH ? 1 : 2]++;
        if (vote) votes.pop_front(), passed += inside;
        else inside = false;
      }
    }
    clock();
    cycles++;
    if (accepted) {
      offering = false;
      if (q.op == kWgOp_VOTE) votes.push_back(q);
      else other = q, inside = true;
      most = std::max(most, static_cast<unsigned>(votes.size()));
    }
    ASSERT_LT(cycles, 10000000u);
  }
  double s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  std::printf("VOTE %u, MATCH %u, REDUX %u; %.0f cycles a second\n", kind[0], kind[1], kind[2], double(cycles) / s);
  EXPECT_GT(std::min({kind[0], kind[1], kind[2]}), 9000u);
  EXPECT_EQ(most, 4u);
  EXPECT_GT(passed, 100u);
}

// One a cycle until four are inside, each with its latency; then one as each leaves.
TEST_F(Xlane, VotesFollowEachOther) {
  bench::Rng r(4);
  std::deque<std::pair<Request, unsigned>> inside;  // cycle of acceptance
  unsigned done = 0, now = 0;
  Request q;
  auto next = [&] {
    do q = random_request(r);
    while (q.op != kWgOp_VOTE);
    offer(q);
  };
  next();
  dut_->req_valid_i = 1;
  for (; done < 400; now++) {
    settle();
    bool ready = dut_->req_ready_o != 0;
    ASSERT_EQ(ready, inside.size() < 4);
    if (dut_->rsp_valid_o != 0) {
      ASSERT_FALSE(inside.empty());
      ASSERT_EQ(now - inside.front().second, kVoteCycles);
      check(inside.front().first);
      if (HasFatalFailure()) return;
      inside.pop_front();
      done++;
    }
    clock();
    if (ready) {
      inside.push_back({q, now});
      next();
    }
  }
  EXPECT_LT(now, 400u * 3);
}

TEST_F(Xlane, NothingMovesWithoutARequest) {
  bench::Rng r(3);
  Request q = random_request(r);
  offer(q);
  dut_->req_valid_i = 1;
  clock();
  dut_->req_valid_i = 0;
  for (unsigned i = 0; i < 400; i++) clock();
  auto row = [&] {
    std::vector<uint32_t> v = {dut_->rsp_slot_o, dut_->rsp_rd_o, dut_->rsp_mask_o, dut_->rsp_pd_o, dut_->rsp_pbits_o};
    for (unsigned l = 0; l < 32; l++) v.push_back(dut_->rsp_data_o[l]);
    return v;
  };
  const std::vector<uint32_t> still = row();
  for (unsigned i = 0; i < 200; i++) {
    Request other = random_request(r);
    offer(other);
    clock();
    ASSERT_EQ(dut_->rsp_valid_o, 0);
    ASSERT_EQ(dut_->req_ready_o, 1);
    ASSERT_EQ(row(), still);
  }
}

}  // namespace
