// SPDX-License-Identifier: Apache-2.0
//
// One L2 slice: hits, misses, merging, byte masks, write-backs, replacement, faults, address mapping.
#include "model/l2/l2.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <random>
#include <set>
#include <vector>

#include "gtest/gtest.h"

namespace {

wg_l2_spec_t Spec() {
  wg_l2_spec_t s{};
  s.slices = 1;
  s.slice_bytes = 4 * 2 * 128; // 4 sets x 2 ways
  s.ways = 2;
  s.interleave_bytes = 256;
  s.mshrs = 4;
  s.waiters = 16;
  s.writebacks = 8;
  s.clock_num = s.clock_den = 1;
  s.hit_cycles = 5;
  s.fill_cycles = 3;
  return s;
}

struct Slice {
  wg_l2_spec_t spec;
  wg_store_t *store = nullptr;
  wg_l2_slice_t *s = nullptr;
  uint64_t mem = 0, now = 0;
  std::vector<wg_l2_mem_t> asked;
  std::vector<std::pair<wg_mem_rsp_t, uint64_t>> got;
  explicit Slice(wg_l2_spec_t sp = Spec()) : spec(sp) {
    wg_diag_t d{};
    EXPECT_EQ(kWgOk, wg_store_create(&store, &d));
    EXPECT_EQ(kWgOk, wg_store_alloc(store, 1 << 20, &mem, &d));
    EXPECT_EQ(kWgOk, wg_l2_slice_create(&spec, store, nullptr, nullptr, &s, &d)) << d.msg;
  }
  ~Slice() {
    wg_l2_slice_destroy(s);
    wg_store_destroy(store);
  }
  bool Load(uint64_t off, uint8_t sectors, uint8_t id = 0) {
    wg_mem_req_t q{};
    q.line = mem + off;
    q.op = kWgMemLoad;
    q.sector_mask = sectors;
    q.id = id;
    return wg_l2_try_serve(s, &q, now);
  }
  bool Store(uint64_t off, unsigned sector, uint8_t value, uint32_t mask = UINT32_MAX) {
    wg_mem_req_t q{};
    q.line = mem + off;
    q.op = kWgMemStore;
    q.sector_mask = static_cast<uint8_t>(1u << sector);
    q.byte_mask = mask;
    std::memset(q.data, value, 32);
    return wg_l2_try_serve(s, &q, now);
  }
  void Step() {
    while (const wg_l2_mem_t *m = wg_l2_peek_mem(s)) {
      asked.push_back(*m);
      wg_l2_pop_mem(s);
    }
    if (const wg_mem_rsp_t *r = wg_l2_peek_rsp(s, now)) {
      got.push_back({*r, now});
      wg_l2_pop_rsp(s);
    }
    now++;
  }
  /** Answer every read that was asked for, then run until nothing is owed. */
  void Settle() {
    for (int i = 0; i < 200; i++) {
      Step();
      for (const wg_l2_mem_t &m : asked) {
        if (!m.write) wg_l2_fill(s, m.tag, now);
      }
      std::vector<wg_l2_mem_t> writes;
      for (const wg_l2_mem_t &m : asked) {
        if (m.write) writes.push_back(m);
      }
      written.insert(written.end(), writes.begin(), writes.end());
      asked.clear();
    }
    EXPECT_EQ(0u, wg_l2_open(s));
  }
  std::vector<wg_l2_mem_t> written;
  wg_l2_stats_t Stats() const {
    wg_l2_stats_t t{};
    wg_l2_stats_add(s, &t);
    return t;
  }
};

TEST(L2Test, MissAsksForEachSectorThenHits) {
  Slice t;
  ASSERT_TRUE(t.Load(0, 0b0101));
  t.Step();
  ASSERT_EQ(2u, t.asked.size());
  EXPECT_EQ(t.mem, t.asked[0].addr);
  EXPECT_EQ(t.mem + 64, t.asked[1].addr);
  t.Settle();
  ASSERT_EQ(2u, t.got.size());
  EXPECT_EQ(2u, t.Stats().load_sector_misses);
  uint64_t served = t.now;
  ASSERT_TRUE(t.Load(0, 0b0101));
  t.Settle();
  EXPECT_EQ(2u, t.Stats().load_sector_hits);
  ASSERT_EQ(4u, t.got.size());
  EXPECT_EQ(served + t.spec.hit_cycles, t.got[2].second);
  EXPECT_EQ(served + t.spec.hit_cycles + 1, t.got[3].second); // one flit a cycle
}

TEST(L2Test, OpenSectorsAreMergedNotAskedAgain) {
  Slice t;
  ASSERT_TRUE(t.Load(0, 0b0001, 1));
  ASSERT_TRUE(t.Load(0, 0b0011, 2));
  t.Step();
  EXPECT_EQ(2u, t.asked.size());
  EXPECT_EQ(1u, t.Stats().merged_sectors);
  t.Settle();
  EXPECT_EQ(3u, t.got.size());
  EXPECT_EQ(2u, t.Stats().fills);
}

TEST(L2Test, BytesAreThoseOfTheServeNotOfTheFill) {
  Slice t;
  ASSERT_TRUE(t.Load(0, 1));
  ASSERT_TRUE(t.Store(0, 0, 0x77));
  ASSERT_TRUE(t.Load(0, 1));
  t.Settle();
  ASSERT_EQ(3u, t.got.size());
  std::vector<uint8_t> loads;
  for (auto &g : t.got) loads.push_back(g.first.data[0]);
  std::sort(loads.begin(), loads.end());
  EXPECT_EQ((std::vector<uint8_t>{0, 0, 0x77}), loads); // old load, acknowledgement, new load
}

TEST(L2Test, WholeSectorStoreNeedsNoFetchPartialOneDoesWhenRead) {
  Slice t;
  ASSERT_TRUE(t.Store(0, 0, 1));
  ASSERT_TRUE(t.Store(0, 1, 2, 0xff));
  t.Step();
  EXPECT_TRUE(t.asked.empty());
  t.Settle();
  ASSERT_TRUE(t.Load(0, 0b0001));
  t.Step();
  EXPECT_TRUE(t.asked.empty());
  ASSERT_TRUE(t.Load(0, 0b0010));
  t.Step();
  EXPECT_EQ(1u, t.asked.size());
  t.Settle();
  EXPECT_EQ(2u, t.Stats().store_sector_misses);
  EXPECT_EQ(1u, t.Stats().load_sector_hits);
  EXPECT_EQ(1u, t.Stats().load_sector_misses);
  ASSERT_TRUE(t.Store(0, 1, 3));
  t.Settle();
  EXPECT_EQ(1u, t.Stats().store_sector_hits);
}

TEST(L2Test, SplitStoresCompleteASector) {
  Slice t;
  ASSERT_TRUE(t.Store(0, 0, 1, 0x0000ffff));
  ASSERT_TRUE(t.Store(0, 0, 2, 0xffff0000));
  t.Settle();
  ASSERT_TRUE(t.Load(0, 1));
  t.Settle();
  EXPECT_EQ(1u, t.Stats().load_sector_hits);
}

// The least recently used line of a set leaves, and only its dirty sectors are written back.
TEST(L2Test, LeastRecentlyUsedLineIsEvictedAndWrittenBack) {
  // Fresh lines push out line 0 in the end.
  Slice u;
  ASSERT_TRUE(u.Store(0, 2, 9));
  u.Settle();
  for (uint64_t off = 128; off < 64 * 128 && u.written.empty(); off += 128) {
    ASSERT_TRUE(u.Load(off, 1));
    u.Settle();
  }
  ASSERT_EQ(1u, u.written.size());
  EXPECT_EQ(u.mem + 64, u.written[0].addr);
  EXPECT_EQ(1u, u.Stats().writeback_sectors);
  // A line that is used again and again is never the victim.
  Slice v;
  ASSERT_TRUE(v.Store(0, 2, 9));
  v.Settle();
  for (uint64_t off = 128; off < 64 * 128; off += 128) {
    ASSERT_TRUE(v.Load(0, 0b0100));
    v.Settle();
    ASSERT_TRUE(v.Load(off, 1));
    v.Settle();
  }
  EXPECT_TRUE(v.written.empty());
  EXPECT_EQ(63u, v.Stats().load_sector_hits);
}

TEST(L2Test, StallsWhenMshrsOrWaitersRunOut) {
  wg_l2_spec_t large = Spec(); // so many sets that ways never run out
  large.slice_bytes = 64 * 8 * 128;
  large.ways = 8;
  Slice t(large);
  unsigned served = 0;
  for (uint64_t off = 0; off < 64 * 128 && t.Load(off, 1); off += 128) served++;
  EXPECT_EQ(t.spec.mshrs, served);
  EXPECT_EQ(1u, t.Stats().stall_cycles);
  t.Settle();
  EXPECT_TRUE(t.Load(63 * 128, 1));
  t.Settle();

  // Two ways, both waiting: a third line of the set must wait, whatever the MSHRs.
  wg_l2_spec_t one = Spec();
  one.slice_bytes = 2 * 128;
  Slice o(one);
  EXPECT_TRUE(o.Load(0, 1));
  EXPECT_TRUE(o.Load(128, 1));
  EXPECT_FALSE(o.Load(256, 1));
  EXPECT_FALSE(o.Store(256, 0, 1));
  o.Settle();
  EXPECT_TRUE(o.Load(256, 1));
  o.Settle();

  Slice w;
  unsigned merged = 0;
  while (w.Load(0, 15)) merged++;
  EXPECT_EQ(w.spec.waiters / 4, merged);
  w.Settle();
  EXPECT_EQ(4 * merged, w.got.size());
}

TEST(L2Test, IllegalAddressesAreAnsweredWithTheStatus) {
  Slice t;
  wg_mem_req_t q{};
  q.line = t.mem + (1 << 20);
  q.op = kWgMemLoad;
  q.sector_mask = 0b1010;
  ASSERT_TRUE(wg_l2_try_serve(t.s, &q, t.now));
  t.Settle();
  ASSERT_EQ(2u, t.got.size());
  EXPECT_EQ(kWgFaultIllegalAddr, t.got[0].first.status);
  q.op = kWgMemStore;
  q.sector_mask = 1;
  q.byte_mask = 1;
  q.data[0] = 5;
  ASSERT_TRUE(wg_l2_try_serve(t.s, &q, t.now));
  t.Settle();
  EXPECT_EQ(kWgFaultIllegalAddr, t.got[2].first.status);
  uint8_t b = 0;
  wg_store_peek(t.store, q.line, &b, 1);
  EXPECT_EQ(0, b);
  EXPECT_EQ(2u, t.Stats().faults);
}

wg_mem_req_t Atomic(const Slice &t, uint8_t op, unsigned aop, unsigned type, uint32_t bytes) {
  wg_mem_req_t q{};
  q.line = t.mem;
  q.op = op;
  q.atom = static_cast<uint8_t>(aop << 4 | type);
  q.sector_mask = 2;
  q.byte_mask = bytes;
  q.id = 9;
  return q;
}

// Atomics take effect when they are served, in that order, and are answered with the sector as they found it, however
// long its miss takes; the sector is dirty.
TEST(L2Test, AtomicsExecuteInTheOrderOfService) {
  Slice t;
  uint32_t word[8];
  for (uint32_t k = 0; k < 8; k++) word[k] = 100 * k;
  wg_store_poke(t.store, t.mem + 32, word, 32);
  wg_mem_req_t q = Atomic(t, kWgMemAtom, 0, 0, 0x0000ff00u); /* ADD.U32 on words 2 and 3 */
  const uint32_t add[8] = {9, 9, 5, 6, 9, 9, 9, 9};
  std::memcpy(q.data, add, 32);
  for (int n = 0; n < 3; n++) ASSERT_TRUE(wg_l2_try_serve(t.s, &q, t.now)) << n;
  uint32_t now[8];
  wg_store_peek(t.store, t.mem + 32, now, 32);
  for (uint32_t k = 0; k < 8; k++) EXPECT_EQ(now[k], 100 * k + (k == 2 ? 15u : k == 3 ? 18u : 0u)) << k;
  t.Settle();
  ASSERT_EQ(t.got.size(), 3u);
  for (uint32_t n = 0; n < 3; n++) {
    std::memcpy(now, t.got[n].first.data, 32);
    EXPECT_EQ(t.got[n].first.id, 9);
    EXPECT_EQ(t.got[n].first.sector, 1);
    EXPECT_EQ(now[2], 200 + 5 * n);
    EXPECT_EQ(now[3], 300 + 6 * n);
    EXPECT_EQ(now[7], 700u);
  }
  EXPECT_EQ(t.Stats().fills, 1u); /* the later ones merged with the first one's miss */
  for (uint64_t off = 1024; off < 64 * 128; off += 128) { /* push the line out: its sector goes to memory */
    t.Load(off, 15);
    t.Settle();
  }
  EXPECT_EQ(t.Stats().writeback_sectors, 1u);
}

TEST(L2Test, CompareAndSwapAndReductionWithoutResult) {
  Slice t;
  const uint64_t start[4] = {1, 2, 3, 4};
  wg_store_poke(t.store, t.mem + 32, start, 32);
  wg_mem_req_t q = Atomic(t, kWgMemAtom, 9, 2, 0xffff0000u); /* CAS.U64 on elements 2 and 3 */
  const uint64_t expected[4] = {1, 2, 3, 99}, fresh[4] = {50, 60, 70, 80};
  std::memcpy(q.cmp, expected, 32);
  std::memcpy(q.data, fresh, 32);
  ASSERT_TRUE(wg_l2_try_serve(t.s, &q, t.now));
  q = Atomic(t, kWgMemRed, 2, 3, 0x000000ffu); /* MAX.S64 on element 0 */
  const int64_t big[4] = {7, 7, 7, 7};
  std::memcpy(q.data, big, 32);
  q.id = 70;
  ASSERT_TRUE(wg_l2_try_serve(t.s, &q, t.now));
  uint64_t now[4];
  wg_store_peek(t.store, t.mem + 32, now, 32);
  EXPECT_EQ(now[0], 7u);
  EXPECT_EQ(now[1], 2u);
  EXPECT_EQ(now[2], 70u);
  EXPECT_EQ(now[3], 4u);
  t.Settle();
  ASSERT_EQ(t.got.size(), 2u);
  EXPECT_EQ(t.got[1].first.id, 70);
  EXPECT_EQ(t.got[1].first.status, kWgFaultNone);
}

TEST(L2Test, AnAtomicOnNoMemoryChangesNothing) {
  Slice t;
  wg_mem_req_t q = Atomic(t, kWgMemAtom, 0, 0, 0xfu);
  q.line = t.mem + (1 << 20);
  q.data[0] = 1;
  ASSERT_TRUE(wg_l2_try_serve(t.s, &q, t.now));
  t.Settle();
  ASSERT_EQ(t.got.size(), 1u);
  EXPECT_EQ(t.got[0].first.status, kWgFaultIllegalAddr);
  uint8_t b = 0;
  wg_store_peek(t.store, q.line + 32, &b, 1);
  EXPECT_EQ(b, 0);
}

TEST(L2Test, RandomTrafficAnswersEverySectorOnce) {
  std::mt19937 rng(3);
  Slice t;
  uint64_t owed = 0;
  std::vector<uint8_t> shadow(64 * 128, 0);
  std::map<uint8_t, std::pair<uint64_t, std::vector<uint8_t>>> expect; // id -> line, bytes at serve
  std::set<uint32_t> open;
  size_t seen = 0;
  uint8_t id = 0;
  for (int i = 0; i < 20000; i++) {
    uint64_t off = rng() % 64 * 128;
    if (rng() % 2) {
      if (expect.count(id) == 0) {
        uint8_t sectors = static_cast<uint8_t>(1 + rng() % 15);
        if (t.Load(off, sectors, id)) {
          expect[id] = {static_cast<uint64_t>(__builtin_popcount(sectors)),
                        std::vector<uint8_t>(&shadow[off], &shadow[off] + 128)};
          owed += static_cast<uint64_t>(__builtin_popcount(sectors));
        }
      }
      id++;
    }
    t.Step();
    if (!t.asked.empty() && rng() % 2) {
      size_t k = rng() % t.asked.size(); // memory answers in any order
      if (!t.asked[k].write) wg_l2_fill(t.s, t.asked[k].tag, t.now);
      t.asked.erase(t.asked.begin() + static_cast<long>(k));
    }
    for (; seen < t.got.size(); seen++) {
      const wg_mem_rsp_t &r = t.got[seen].first;
      ASSERT_EQ(1u, expect.count(r.id));
      auto &e = expect[r.id];
      ASSERT_EQ(0, std::memcmp(r.data, e.second.data() + 32 * r.sector, 32));
      owed--;
      if (--e.first == 0) expect.erase(r.id);
    }
    if (rng() % 4 == 0 && expect.count(255) == 0) { // stores change memory, not what open loads have taken
      uint8_t v = static_cast<uint8_t>(rng());
      unsigned s = rng() % 4;
      uint32_t mask = rng();
      wg_mem_req_t q{};
      q.line = t.mem + off;
      q.op = kWgMemStore;
      q.sector_mask = static_cast<uint8_t>(1u << s);
      q.byte_mask = mask;
      q.id = 255;
      std::memset(q.data, v, 32);
      if (wg_l2_try_serve(t.s, &q, t.now)) {
        for (unsigned b = 0; b < 32; b++) {
          if (mask >> b & 1) shadow[off + 32 * s + b] = v;
        }
        expect[255] = {1, std::vector<uint8_t>(128, 0)};
        owed++;
      }
    }
  }
  EXPECT_EQ(owed, wg_l2_open(t.s));
  t.Settle();
}

TEST(L2Test, MappingIsOneToOneAndSpreadsStrides) {
  wg_l2_spec_t s = Spec();
  s.slice_hash = true;
  for (uint32_t slices : {1u, 2u, 3u, 6u, 64u}) {
    for (uint32_t channels = 1; channels <= 4 * slices; channels++) {
      if (slices % channels != 0 && channels % slices != 0) continue;
      s.slices = slices;
      std::set<std::pair<uint32_t, uint64_t>> seen;
      for (uint64_t line = 0; line < 4096; line++) {
        uint64_t addr = WG_DEV_BASE + (UINT64_C(5) << 30) + line * 128;
        uint32_t sl = wg_l2_slice_of(&s, addr);
        ASSERT_LT(sl, slices);
        uint32_t ch = wg_l2_channel_of(&s, channels, addr);
        ASSERT_LT(ch, channels);
        ASSERT_EQ(channels <= slices ? sl % channels : sl, channels <= slices ? ch : ch % slices);
        EXPECT_TRUE(seen.insert({ch, wg_l2_channel_addr(&s, channels, addr)}).second);
      }
    }
  }
  s.slices = 64;
  for (uint64_t stride : {256ull, 4096ull, 16384ull, 65536ull, 1048576ull}) {
    std::vector<unsigned> count(64);
    for (uint64_t i = 0; i < 6400; i++) count[wg_l2_slice_of(&s, WG_DEV_BASE + i * stride)]++;
    for (unsigned c : count) EXPECT_LT(c, 300u) << stride; // even share: 100
  }
}

TEST(L2Test, BadSpecsAreRefused) {
  wg_l2_spec_t s = Spec();
  wg_l2_slice_t *out = nullptr;
  wg_diag_t d{};
  s.slice_bytes = 1000;
  EXPECT_EQ(kWgBadArg, wg_l2_slice_create(&s, nullptr, nullptr, nullptr, &out, &d));
  s = Spec();
  s.mshrs = 0;
  EXPECT_EQ(kWgBadArg, wg_l2_slice_create(&s, nullptr, nullptr, nullptr, &out, &d));
  EXPECT_STREQ("L2 MSHRs is 0, must be 1 to 256", d.msg);
}

}  // namespace
