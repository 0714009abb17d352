// SPDX-License-Identifier: Apache-2.0
//
// Random racy programs on the verilated SM under the checker, with random machine settings and a memory of random delays.
// Needs build/sm/<shape>-fast/libwgsm.so and fails where it has not been built. WG_SEEDS=from:to runs other
// seeds than the built-in ones.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <deque>
#include <string>
#include <vector>

#include "cosim/sm_rtl.h"
#include "model/twin/cta_alloc.h"
#include "testbench/unit/lockstep/random_program.h"

namespace {

using wgtest::Memory;
using wgtest::RandomProgram;

constexpr uint64_t kCode = Memory::kBase, kBank = Memory::kBase + 0x10000, kData = Memory::kBase + 0x20000;

// One run of one seed.
class Bench {
 public:
  Bench(const char *shape, uint32_t seed) : shape_(wg_shape_find(shape)), seed_(seed), rng_(seed) {
    threads_ = 96 - 7 * (seed % 4);
    auto words = RandomProgram(seed, 3).p_.Words();
    for (size_t i = 0x20000; i < 0x21000; i++) mem_.bytes[i] = static_cast<uint8_t>(rng_());
    std::memcpy(mem_.bytes.data(), words.data(), words.size() * sizeof words[0]);
    wg_sm_rtl_opts_t o = {};
    o.check = seed % 4 ? kWgLockstepUnits : kWgLockstepRetire;
    o.env.mem = mem_.Ops();
    o.env.seed = seed;
    o.seed = seed;
    wg_diag_t d = {};
    status_ = wg_sm_rtl_create(shape, "fast", &o, &sm_, &d);
    if (status_ == kWgOk) status_ = Reset(&d);
    message_ = d.msg;
  }
  ~Bench() {
    if (sm_ != nullptr) sm_->ops->destroy(sm_);
  }
  void Run() {
    wg_lockstep_t *ls = wg_sm_rtl_lockstep(sm_);
    while (done_ < kBlocks && cycle_ < 100000 && wg_lockstep_status(ls, nullptr) == kWgOk && !fault_) Cycle();
    // the last block's release, and instruction lines fetched ahead
    for (int quiet = 0; quiet < 8 && wg_lockstep_status(ls, nullptr) == kWgOk; quiet++) {
      Cycle();
      if (!net_.empty() || !rsps_.empty()) quiet = 0;
    }
    status_ = wg_lockstep_finish(ls, nullptr);
    message_ = wg_lockstep_report(ls);
    if (done_ < kBlocks) {
      char waits[600];
      message_ += std::string("did not end: ") + wg_lockstep_waits(ls, waits, sizeof waits);
      if (status_ == kWgOk) status_ = kWgHang;
    }
    wg_lockstep_get_counts(ls, &counts);
  }
  wg_status_t status() const { return status_; }
  const std::string &message() const { return message_; }
  wg_lockstep_counts_t counts{};

 private:
  static constexpr unsigned kBlocks = 6;
  struct Flit {
    wg_mem_req_t req;
    wg_mem_rsp_t rsp;
    uint64_t due;
  };

  wg_status_t Reset(wg_diag_t *d) {
    cfg_.warp_slots = shape_->sub_cores > 1 ? 3 + seed_ % 14 : 6 + seed_ % 3;
    cfg_.block_slots = 1 + rng_() % 8;
    cfg_.regs_per_subcore = shape_->regs_per_subcore;
    cfg_.shared_unit = seed_ % 5 == 0 ? 8 : 128;
    cfg_.shared_bytes = cfg_.shared_unit == 8 ? 8192 : 16384;  // a unit of 8 takes twice the rows (rtl/mem/sm_lsu.sv)
    cfg_.shared_reserve = seed_ % 2 ? 1024 : 0;
    cfg_.first_rotate = rng_() & 1;
    cfg_.policy = seed_ % 2 ? kWgPolicyGto : kWgPolicyLrr;
    cfg_.l1_sets = 1u << rng_() % 4;
    cfg_.l1_ways = static_cast<uint32_t>(rng_() % 5);
    cfg_.mshrs = 1 + static_cast<uint32_t>(rng_() % 64);
    cfg_.rsp_per_cycle = 1 + seed_ % 2;
    cfg_.smid = 5;
    cfg_.nsmid = 6;
    cta_.grid_id = 3;
    cta_.ntid[0] = threads_;
    cta_.ntid[1] = cta_.ntid[2] = cta_.nctaid[1] = cta_.nctaid[2] = 1;
    cta_.nctaid[0] = kBlocks;
    cta_.regs_per_thread = 32;
    cta_.shared_bytes = 2048;
    cta_.code_base = kCode;
    cta_.const_base[0] = kBank;
    cta_.const_size[0] = kWgParamBase + 16;
    cta_.barriers = 8;
    const uint64_t params[2] = {kData, seed_};
    wg_ref_bank0(&cta_, 2048, 0, reinterpret_cast<const uint8_t *>(params), 16, &mem_.bytes[kBank - Memory::kBase]);
    wg_cta_alloc_reset(&alloc_, shape_->sub_cores, &cfg_);
    return sm_->ops->reset(sm_, &cfg_, d);
  }
  void Launch() {
    wg_cta_place_t place;
    if (started_ == kBlocks || !sm_->ops->can_launch(sm_)) return;
    if (!wg_cta_alloc_find(&alloc_, (threads_ + 31) / 32, 32, cta_.shared_bytes, &place)) return;
    wg_cta_alloc_take(&alloc_, &place);
    cta_.ctaid[0] = started_;
    cta_.inval_l1 = cta_.inval_const = cta_.inval_insn = started_ == 0;
    started_++;
    sm_->ops->launch(sm_, &cta_);
  }
  void Cycle() {
    cycle_++;
    unsigned given = 0;
    for (size_t i = 0; i < rsps_.size() && given < cfg_.rsp_per_cycle;) {
      if (rsps_[i].due > cycle_) {
        i++;
        continue;
      }
      sm_->ops->push_rsp(sm_, &rsps_[i].rsp);
      rsps_.erase(rsps_.begin() + static_cast<long>(i));
      given++;
    }
    Launch();
    sm_->ops->tick(sm_, cycle_, false);
    Flit f = {};
    while (rng_() % 4 != 0 && sm_->ops->pop_req(sm_, &f.req)) {
      f.due = cycle_ + 5 + rng_() % 20;
      net_.push_back(f);
    }
    for (; !net_.empty() && net_.front().due <= cycle_; net_.pop_front()) Serve(net_.front().req);
    wg_cta_done_t d;
    while (sm_->ops->pop_done(sm_, &d)) {
      done_++;
      wg_cta_alloc_free(&alloc_, d.block_slot);
    }
    wg_fault_t fault;
    if (sm_->ops->pop_fault(sm_, &fault)) fault_ = true;
  }
  void Serve(const wg_mem_req_t &r) {
    for (unsigned s = 0; s < 4; s++) {
      if (!(r.sector_mask >> s & 1)) continue;
      Flit f = {};
      f.rsp.id = r.id;
      f.rsp.sector = static_cast<uint8_t>(s);
      f.due = cycle_ + 3 + rng_() % 40;
      uint64_t a = r.line + 32 * s;
      if (r.op == kWgMemStore) {
        for (unsigned b = 0; b < 32; b++)
          if (r.byte_mask >> b & 1 && !Memory::Write(&mem_, a + b, &r.data[b], 1)) f.rsp.status = kWgFaultIllegalAddr;
      } else if (!Memory::Read(&mem_, a, f.rsp.data, 32)) {
        f.rsp.status = kWgFaultIllegalAddr;
      }
      rsps_.push_back(f);
    }
  }

  const wg_shape_t *shape_;
  uint32_t seed_, threads_ = 0;
  std::mt19937 rng_;
  Memory mem_{0x30000};
  wg_sm_t *sm_ = nullptr;
  wg_sm_cfg_t cfg_{};
  wg_cta_launch_t cta_{};
  wg_cta_alloc_t alloc_{};
  wg_status_t status_ = kWgOk;
  std::string message_;
  std::deque<Flit> net_;
  std::vector<Flit> rsps_;
  uint64_t cycle_ = 0;
  unsigned started_ = 0, done_ = 0;
  bool fault_ = false;
};

class RtlRandom : public ::testing::TestWithParam<const char *> {};

TEST_P(RtlRandom, AgreesWithTheGoldenModel) {
  std::string lib = std::string("build/sm/") + GetParam() + "-fast/libwgsm.so";
  ASSERT_EQ(access(lib.c_str(), R_OK), 0) << lib << " has not been built; remedy: make sm";
  unsigned from = 1, to = 60;
  if (const char *e = std::getenv("WG_SEEDS")) ASSERT_EQ(std::sscanf(e, "%u:%u", &from, &to), 2) << "WG_SEEDS=from:to";
  wg_lockstep_counts_t sum = {};
  unsigned failed = 0;
  for (uint32_t seed = from; seed <= to && failed < 3; seed++) {
    Bench b(GetParam(), seed);
    ASSERT_EQ(b.status(), kWgOk) << b.message();
    b.Run();
    EXPECT_EQ(b.status(), kWgOk) << "seed " << seed << "\n" << b.message();
    failed += b.status() != kWgOk;
    sum.warp_insts += b.counts.warp_insts;
    sum.l1_sector_hits += b.counts.l1_sector_hits;
    sum.l1_sector_misses += b.counts.l1_sector_misses;
    sum.bank_conflicts += b.counts.bank_conflicts;
  }
  if (to - from < 50 || failed != 0) return;
  EXPECT_GT(sum.warp_insts, 40000u);
  EXPECT_GT(sum.l1_sector_hits, 500u);
  EXPECT_GT(sum.l1_sector_misses, 5000u);
  EXPECT_GT(sum.bank_conflicts, 300u);
}

INSTANTIATE_TEST_SUITE_P(Shapes, RtlRandom, ::testing::Values("tiny", "sm16"),
                         [](const ::testing::TestParamInfo<const char *> &i) { return std::string(i.param); });

}  // namespace
