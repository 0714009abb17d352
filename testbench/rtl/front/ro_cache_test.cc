// SPDX-License-Identifier: Apache-2.0
//
// sm_ro_cache with four sub-cores, eight lines and four misses against a model of its rules, cycle by cycle: who is served,
// hits, lines on their way, what goes to memory, what is broadcast, refused lines, invalidation.
// bench: top sm_ro_cache -GSubCores=4 -GBytes=1024 -GMisses=4
#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "Vtop.h"
#include "testbench/rtl/mem/wide.h"

namespace {

using mem::put;
using mem::take;

constexpr unsigned kSubs = 4, kMisses = 4, kSets = 8;

struct Miss {
  uint64_t line;
  int id = -1; /* -1: not sent */
  unsigned got = 0;
  bool keep = true, error = false;
};

uint32_t content(uint64_t line, unsigned word) { return uint32_t((line * 32 + word) * 0x9e3779b97f4a7c15u >> 32); }

class RoCacheBench {
 public:
  bench::Rng rng{55};
  Vtop top;
  std::map<unsigned, uint64_t> present; /* by set */
  std::vector<Miss> misses;
  bool want[kSubs] = {}, hold[kSubs] = {};
  uint64_t line[kSubs] = {};
  unsigned last = 0;
  bool fill = false, fill_error = false;
  uint64_t fill_line = 0;
  unsigned hits = 0, absorbed = 0, errors = 0, full = 0, ask = 50, answer = 50;

  void edge() {
    top.clk_i = 0, top.eval();
    top.clk_i = 1, top.eval();
  }
  void reset() {
    top.rst_ni = 0, top.inval_i = 0, top.req_valid_i = 0, top.rsp_valid_i = 0;
    edge();
    edge();
    top.rst_ni = 1;
    present.clear(), misses.clear();
    last = 0, fill = false;
    for (unsigned s = 0; s < kSubs; s++) want[s] = hold[s] = false;
  }
  uint64_t random_line() {
    const uint64_t set = rng.below(rng.chance(50) ? 2 : kSets);
    return (rng.chance(80) ? uint64_t(rng.below(3)) : uint64_t(1) << rng.below(38)) * kSets + set;
  }

  void drive() {
    top.inval_i = rng.below(300) == 0, top.mem_ready_i = rng.chance(60);
    top.req_valid_i = 0;
    for (unsigned s = 0; s < kSubs; s++) {
      if (!want[s] && rng.chance(ask)) want[s] = true, line[s] = random_line();
      /* a sub-core takes its request back one cycle after the answer: what it shows then must not count */
      const bool stale = hold[s] && rng.chance(50);
      if (want[s] || stale) top.req_valid_i |= uint8_t(1u << s);
      put(top.req_line_i, 41 * s, 41, want[s] ? line[s] : random_line());
    }
    drive_responses();
  }
  void drive_responses() {
    top.rsp_valid_i = 0, top.rsp_status_i = 0;
    for (unsigned p = 0; p < 2; p++) {
      if (misses.empty() || !rng.chance(answer)) continue;
      Miss &m = misses[rng.below(uint32_t(misses.size()))];
      const unsigned sector = rng.below(4);
      const bool twice = p == 1 && (top.rsp_valid_i & 1) && (top.rsp_id_i & 255) == unsigned(m.id) &&
                         (top.rsp_sector_i & 3u) == sector;
      if (m.id < 0 || (m.got >> sector & 1) || twice) continue;
      top.rsp_valid_i |= uint8_t(1u << p);
      top.rsp_id_i = uint16_t((top.rsp_id_i & ~(255u << (8 * p))) | unsigned(m.id) << (8 * p));
      top.rsp_sector_i = uint8_t((top.rsp_sector_i & ~(3u << (2 * p))) | sector << (2 * p));
      if (rng.chance(2)) top.rsp_status_i |= uint8_t((1u + rng.below(15)) << (4 * p));
      for (unsigned w = 0; w < 8; w++) top.rsp_data_i[8 * p + w] = content(m.line, 8 * sector + w);
    }
  }

  void check() {
    ASSERT_EQ(top.fill_valid_o, fill);
    if (fill) {
      ASSERT_EQ(top.fill_line_o, fill_line);
      ASSERT_EQ(top.fill_error_o, fill_error);
      for (unsigned w = 0; w < 32; w++) ASSERT_EQ(top.fill_data_o[w], content(fill_line, w)) << "word " << w;
    }
    ASSERT_EQ(top.idle_o, misses.empty());
    bool unsent = false;
    for (const Miss &m : misses) unsent |= m.id < 0;
    ASSERT_EQ(top.mem_valid_o, unsent);
    full += misses.size() == kMisses;
  }

  int next_done() const { /* the highest entry of those complete */
    int best = -1;
    for (const Miss &m : misses) if (m.got == 15 && m.id > best) best = m.id;
    return best;
  }

  void step() {
    drive();
    top.clk_i = 0, top.eval();
    check();
    if (::testing::Test::HasFatalFailure()) return;
    const int done = next_done();
    int taken = -1;
    for (unsigned k = 1; k <= kSubs && done < 0 && misses.size() < kMisses && taken < 0; k++) {
      const unsigned s = (last + k) % kSubs;
      if ((top.req_valid_i >> s & 1) && !hold[s]) taken = int(s);
    }
    ASSERT_EQ(unsigned(top.req_ready_o), taken < 0 ? 0u : 1u << taken);
    fill = fill_error = false;
    for (unsigned s = 0; s < kSubs; s++) hold[s] = int(s) == taken;
    const bool sent = top.mem_valid_o && top.mem_ready_i;
    const int sent_id = top.mem_id_o;
    const uint64_t sent_line = top.mem_line_o;
    if (sent) mark_sent(sent_id, sent_line);
    respond();
    if (taken >= 0) look_up(unsigned(taken));
    if (done >= 0) finish(done);
    if (top.inval_i) {
      present.clear();
      for (Miss &m : misses) m.keep = false;
    }
    edge();
  }

 private:
  void mark_sent(int id, uint64_t l) {
    ASSERT_LT(id, int(kMisses));
    Miss *found = nullptr;
    for (Miss &m : misses) {
      ASSERT_NE(m.id, id) << "entry in use";
      if (m.id < 0 && m.line == l) found = &m;
    }
    ASSERT_NE(found, nullptr) << "nobody asked for this line";
    found->id = id;
  }
  void respond() {
    for (unsigned p = 0; p < 2; p++) {
      if (!(top.rsp_valid_i >> p & 1)) continue;
      for (Miss &m : misses) {
        if (m.id != int(top.rsp_id_i >> (8 * p) & 255)) continue;
        m.got |= 1u << (top.rsp_sector_i >> (2 * p) & 3);
        m.error |= (top.rsp_status_i >> (4 * p) & 15) != 0;
      }
    }
  }
  void look_up(unsigned s) {
    last = s;
    want[s] = false;
    const uint64_t l = take(top.req_line_i, 41 * s, 41);
    const auto at = present.find(unsigned(l % kSets));
    if (at != present.end() && at->second == l) {
      fill = true, fill_line = l, hits++;
      return;
    }
    for (const Miss &m : misses) {
      if (m.line != l) continue;
      absorbed++;
      return;
    }
    misses.push_back({});
    misses.back().line = l;
  }
  void finish(int id) {
    for (size_t i = 0; i < misses.size(); i++) {
      if (misses[i].id != id) continue;
      const Miss m = misses[i];
      misses.erase(misses.begin() + long(i));
      fill = true, fill_line = m.line, fill_error = m.error, errors += m.error;
      if (m.keep && !m.error) present[unsigned(m.line % kSets)] = m.line;
      else present.erase(unsigned(m.line % kSets));
      return;
    }
  }
};

TEST(RoCacheTest, EveryCycleFollowsTheRules) {
  RoCacheBench b;
  b.reset();
  for (unsigned i = 0; i < 150000; i++) {
    if (b.rng.below(3000) == 0) b.reset();
    if (b.rng.below(200) == 0) b.ask = 5 + b.rng.below(90), b.answer = 5 + b.rng.below(90);
    b.step();
    if (::testing::Test::HasFatalFailure()) FAIL() << "cycle " << i;
  }
  EXPECT_GT(b.hits, 1000u);
  EXPECT_GT(b.absorbed, 500u);
  EXPECT_GT(b.errors, 100u);
  EXPECT_GT(b.full, 500u);
}

}  // namespace
