// SPDX-License-Identifier: Apache-2.0
//
// sm_reqq against queues and a table: flits in order, one a sector of a store, their ids, bytes and data; room, idle; the
// block of every acknowledged store and whose store failed.
// bench: top sm_reqq
#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <vector>

#include "Vtop.h"
#include "testbench/rtl/mem/wide.h"
#include "isa/wg_cfg.h"

namespace {

struct Flit {
  unsigned id, op, secs, warp, pc;
  uint64_t line;
  uint32_t bytes, data[8];
  unsigned atom = 0;
  uint32_t cmp[8] = {};
};
struct Store {
  unsigned block, warp, pc;
  uint64_t line;
};

class ReqqBench {
 public:
  bench::Rng rng{61};
  Vtop t;
  std::deque<Flit> flits;
  std::deque<bool> last;             /* flit ends its request */
  std::deque<bool> store_of;         /* flit is a store's: acknowledged */
  std::deque<bool> wide;             /* flit carries data */
  std::map<unsigned, Store> open;    /* store ids - 64, pushed */
  std::vector<unsigned> acks;        /* ids whose flit has gone */
  unsigned ring = 0, errors = 0, full = 0, push = 50, ready = 50, ack = 50;

  void edge() { t.clk_i = 0, t.eval(), t.clk_i = 1, t.eval(); }
  void reset() {
    t.rst_ni = 0, t.push_ld_i = t.push_st_i = 0, t.ack_valid_i = 0, t.req_ready_i = 0;
    edge();
    edge();
    t.rst_ni = 1;
    flits.clear(), last.clear(), store_of.clear(), wide.clear(), open.clear(), acks.clear();
    ring = 0;
  }

  void drive_push() {
    t.push_ld_i = may_ld && rng.chance(push);
    t.push_st_i = !t.push_ld_i && may_st && rng.chance(push);
    t.bypass_i = rng.chance(30), t.ld_id_i = uint8_t(rng.below(64)), t.line_i = rng.next() & 0x1ffffffffffull;
    t.secs_i = uint8_t(1 + rng.below(15)), t.warp_i = uint8_t(rng.below(64)), t.pc_i = rng.below(1u << 28);
    t.block_i = uint8_t(rng.below(32));
    t.atom_i = rng.chance(40), t.aop_i = uint8_t(rng.below(10) << 4 | rng.below(11));
    /* an atomic with a result brings data: it needs a store's room */
    if (t.push_ld_i && t.atom_i && !may_st) t.push_ld_i = 0;
    for (unsigned w = 0; w < 32; w++) t.cmp_i[w] = uint32_t(rng.next());
    for (unsigned w = 0; w < 32; w++) t.row_i[w] = uint32_t(rng.next());
    for (unsigned w = 0; w < 4; w++) t.bmask_i[w] = uint32_t(rng.next());
  }
  void drive_acks() {
    t.ack_valid_i = 0, t.ack_error_i = uint8_t(rng.chance(30) ? rng.below(4) : 0), t.ack_id_i = uint16_t(rng.below(4096));
    for (unsigned p = 0; p < 2 && !acks.empty(); p++) {
      if (!rng.chance(ack)) continue;
      const size_t at = rng.below(uint32_t(acks.size()));
      t.ack_valid_i |= uint8_t(1u << p);
      t.ack_id_i = uint16_t((t.ack_id_i & ~(63u << (6 * p))) | acks[at] << (6 * p));
      acks.erase(acks.begin() + long(at));
    }
  }

  void check() {
    ASSERT_EQ(t.req_valid_o != 0, !flits.empty());
    if (!flits.empty()) {
      const Flit &f = flits.front();
      ASSERT_EQ(t.req_id_o, f.id);
      ASSERT_EQ(t.req_op_o, f.op);
      ASSERT_EQ(t.req_line_o, f.line << 7);
      ASSERT_EQ(t.req_sector_mask_o, f.secs);
      ASSERT_EQ(t.req_warp_o, f.warp);
      ASSERT_EQ(t.req_pc_o, f.pc);
      ASSERT_EQ(t.req_byte_mask_o, f.bytes);
      ASSERT_EQ(t.req_atom_o, f.atom);
      for (unsigned w = 0; w < 8; w++) ASSERT_EQ(t.req_data_o[w], f.data[w]);
      for (unsigned w = 0; w < 8; w++) ASSERT_EQ(t.req_cmp_o[w], f.cmp[w]);
    }
    ASSERT_EQ(t.idle_o != 0, flits.empty() && open.empty());
    int bad = -1;
    for (unsigned p = 0; p < 2; p++) {
      if (!(t.ack_valid_i >> p & 1)) continue;
      const unsigned id = t.ack_id_i >> (6 * p) & 63;
      ASSERT_EQ(t.ack_block_o >> (5 * p) & 31u, open.at(id).block);
      if (bad < 0 && (t.ack_error_i >> p & 1)) bad = int(id);
    }
    ASSERT_EQ(t.err_valid_o != 0, bad >= 0);
    if (bad < 0) return;
    errors++;
    ASSERT_EQ(t.err_warp_o, open.at(unsigned(bad)).warp);
    ASSERT_EQ(t.err_pc_o, open.at(unsigned(bad)).pc);
    ASSERT_EQ(t.err_line_o, open.at(unsigned(bad)).line);
  }

  void step() {
    drive_push();
    drive_acks();
    t.req_ready_i = rng.chance(ready);
    t.clk_i = 0, t.eval();
    check();
    if (::testing::Test::HasFatalFailure()) return;
    if (t.push_st_i) ASSERT_EQ(t.st_id_o, ring);
    check_room();
    for (unsigned p = 0; p < 2; p++) if (t.ack_valid_i >> p & 1) open.erase(t.ack_id_i >> (6 * p) & 63);
    if (!flits.empty() && t.req_ready_i) {
      if (store_of.front()) acks.push_back(flits.front().id - 64);
      flits.pop_front(), last.pop_front(), store_of.pop_front(), wide.pop_front();
    }
    if (t.push_ld_i || t.push_st_i) pushed();
    edge();
  }

 private:
  bool may_ld = true, may_st = true;
  unsigned requests(bool stores) const {
    unsigned n = 0;
    for (size_t i = 0; i < last.size(); i++) n += last[i] && (!stores || wide[i]);
    return n;
  }
  /** room: the next cycle's push fits even if this cycle's is one as well. */
  void check_room() {
    bool ids = true;
    const unsigned ahead = t.push_st_i ? 8 : 4;
    for (unsigned k = 0; k < ahead; k++) ids = ids && open.count((ring + k) % 64) == 0;
    const bool room_ld = requests(false) <= 6, room_st = room_ld && requests(true) <= 2 && ids;
    ASSERT_EQ(t.room_ld_o, room_ld);
    ASSERT_EQ(t.room_st_o, room_st);
    full += !room_ld;
    may_ld = room_ld, may_st = room_st;
  }
  void pushed() {
    if (t.push_ld_i) {
      if (!t.atom_i) {
        flits.push_back({t.ld_id_i, unsigned(t.bypass_i ? kWgMemLoadCg : kWgMemLoad), t.secs_i, t.warp_i, t.pc_i,
                         t.line_i, 0, {}});
        last.push_back(true), store_of.push_back(false), wide.push_back(false);
        return;
      }
    }
    for (unsigned s = 0; s < 4; s++) {
      if (!(t.secs_i >> s & 1)) continue;
      const unsigned op = t.push_ld_i ? kWgMemAtom : t.atom_i ? kWgMemRed : kWgMemStore;
      Flit f = {t.push_ld_i ? t.ld_id_i : 64 + ring, op, 1u << s, t.warp_i, t.pc_i, t.line_i, t.bmask_i[s], {}};
      f.atom = t.atom_i ? t.aop_i : 0u;
      for (unsigned w = 0; w < 8; w++) f.data[w] = t.row_i[8 * s + w];
      for (unsigned w = 0; w < 8 && f.atom >> 4 == 9; w++) f.cmp[w] = t.cmp_i[8 * s + w]; /* CAS */
      if (!t.push_ld_i) {
        open[ring] = {t.block_i, t.warp_i, t.pc_i, t.line_i};
        ring = (ring + 1) % 64;
      }
      flits.push_back(f);
      last.push_back(t.secs_i >> (s + 1) == 0), store_of.push_back(!t.push_ld_i), wide.push_back(true);
    }
  }
};

TEST(ReqqTest, FlitsAndAcknowledgementsFollowTheModel) {
  ReqqBench b;
  b.reset();
  for (unsigned i = 0; i < 100000; i++) {
    if (b.rng.below(5000) == 0) b.reset();
    if (b.rng.below(300) == 0) b.push = b.rng.below(101), b.ready = b.rng.below(101), b.ack = b.rng.below(101);
    b.step();
    if (::testing::Test::HasFatalFailure()) FAIL() << "cycle " << i;
  }
  EXPECT_GT(b.errors, 500u);
  EXPECT_GT(b.full, 500u);
}

}  // namespace
