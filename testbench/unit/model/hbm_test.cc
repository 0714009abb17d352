// SPDX-License-Identifier: Apache-2.0
//
// HBM: timing rules, bandwidth shapes, FR-FCFS choices, refresh, conservation.
#include "model/hbm/hbm.h"

#include <functional>
#include <random>
#include <vector>

#include "gtest/gtest.h"
#include "model/hbm/hbm_check.h"
#include "model/preset.h"

namespace {

/** One channel of the v100 preset, SM clock = memory clock unless changed. */
wg_hbm_spec_t Spec() {
  wg_preset_t p{};
  wg_diag_t d{};
  EXPECT_EQ(kWgOk, wg_preset_load("v100", &p, &d)) << d.msg;
  p.hbm.channels = 1;
  p.hbm.ctrl_latency_cycles = 0;
  return p.hbm;
}

/** The same with four bank groups whose times differ visibly inside and between groups. */
wg_hbm_spec_t Grouped() {
  wg_hbm_spec_t s = Spec();
  s.bank_groups = 4;
  s.t_ccd_l = 2 * s.t_ccd;
  s.t_rrd_l = s.t_rrd + 3;
  s.t_wtr_l = s.t_wtr + 4;
  return s;
}

struct Hbm {
  wg_hbm_t *h = nullptr;
  uint64_t now = 0;
  std::vector<std::pair<uint32_t, uint64_t>> done; // tag, cycle
  explicit Hbm(const wg_hbm_spec_t &s, uint32_t sm_khz = 0) {
    wg_diag_t d{};
    EXPECT_EQ(kWgOk, wg_hbm_create(&s, sm_khz == 0 ? s.clock_khz : sm_khz, &h, &d)) << d.msg;
  }
  ~Hbm() { wg_hbm_destroy(h); }
  void Push(uint64_t addr, uint32_t tag, bool write = false) {
    wg_hbm_req_t r = {addr, tag, write};
    wg_hbm_push(h, 0, &r);
  }
  void Tick() {
    uint32_t tag;
    while (wg_hbm_pop(h, 0, now, &tag)) done.push_back({tag, now});
    wg_hbm_tick(h, now++);
  }
  wg_hbm_stats_t Stats() const {
    wg_hbm_stats_t s;
    wg_hbm_stats(h, &s);
    return s;
  }
  /** Keep the queue full with n requests of `addr(i)`. @return cycles from first push to the last answer */
  uint64_t Stream(unsigned n, const std::function<uint64_t(unsigned)> &addr,
                  const std::function<bool(unsigned)> &write) {
    uint64_t begin = now;
    for (unsigned i = 0; i < n || wg_hbm_open(h) != 0;) {
      while (i < n && wg_hbm_can_accept(h, 0, write(i))) {
        Push(addr(i), i, write(i));
        i++;
      }
      Tick();
    }
    return now - begin;
  }
};

bool Never(unsigned) { return false; }

TEST(HbmTest, SequentialReadsReachThePinBandwidth) {
  wg_hbm_spec_t s = Spec();
  Hbm h(s);
  const unsigned n = 100000;
  uint64_t cycles = h.Stream(n, [](unsigned i) { return 32ull * i; }, Never);
  double pins = 2.0 * s.bus_bytes; // bytes a clock
  double refresh = 1.0 - static_cast<double>(s.t_rfc) / s.t_refi;
  double reached = 32.0 * n / static_cast<double>(cycles) / pins;
  EXPECT_GE(reached, 0.9 * refresh);
  EXPECT_LE(reached, refresh);
  // Each row of 1024 bytes is opened once, and again after a refresh that falls into it.
  EXPECT_GE(h.Stats().row_misses, n * 32ull / s.row_bytes);
  EXPECT_LE(h.Stats().row_misses, n * 32ull / s.row_bytes + 2 * h.Stats().refreshes);
  EXPECT_EQ(n, h.done.size());
  EXPECT_EQ(0u, h.Stats().violations);
}

TEST(HbmTest, OneBankWithoutRowHitsRunsAtTheRowCycle) {
  wg_hbm_spec_t s = Spec();
  s.bank_hash = false;
  Hbm h(s);
  const unsigned n = 2000;
  uint64_t cycles = h.Stream(n, [&](unsigned i) { return static_cast<uint64_t>(i) * s.row_bytes * s.banks; }, Never);
  double refresh = 1.0 - static_cast<double>(s.t_rfc) / s.t_refi;
  double want = static_cast<double>(n) * s.t_rc / refresh;
  EXPECT_NEAR(want, static_cast<double>(cycles), 0.03 * want);
  EXPECT_EQ(n, h.Stats().row_misses);
}

TEST(HbmTest, RandomRowsAreBoundByTheActivateWindow) {
  wg_hbm_spec_t s = Spec();
  Hbm h(s);
  std::mt19937_64 rng(1);
  std::vector<uint64_t> a(20000);
  for (auto &x : a) x = rng() % (1ull << 30) / 32 * 32;
  uint64_t cycles = h.Stream(static_cast<unsigned>(a.size()), [&](unsigned i) { return a[i]; }, Never);
  double refresh = 1.0 - static_cast<double>(s.t_rfc) / s.t_refi;
  double bound = static_cast<double>(a.size()) * s.t_faw / 4.0 / refresh;
  EXPECT_GE(static_cast<double>(cycles), bound);
  EXPECT_LE(static_cast<double>(cycles), 1.25 * bound);
}

TEST(HbmTest, ClosedRowLatencyIsActivateColumnBurst) {
  wg_hbm_spec_t s = Spec();
  for (uint32_t sm_khz : {s.clock_khz, 2 * s.clock_khz, s.clock_khz / 2, 1380000u}) {
    Hbm h(s, sm_khz);
    for (int i = 0; i < 10; i++) h.Tick();
    uint64_t begin = h.now;
    h.Push(0, 0);
    while (h.done.empty()) h.Tick();
    double clocks = s.t_rcd + s.t_cl + 2;
    double ratio = static_cast<double>(sm_khz) / s.clock_khz;
    EXPECT_GE(static_cast<double>(h.done[0].second - begin), clocks * ratio - ratio) << sm_khz;
    EXPECT_LE(static_cast<double>(h.done[0].second - begin), clocks * ratio + ratio + 2) << sm_khz;
  }
}

// Rows 0 and 1 of bank 0: A opens row 0; B wants row 1; C wants row 0 and overtakes B, unless B's age forbids it.
TEST(HbmTest, RowHitsOvertakeUntilTheAgeCap) {
  wg_hbm_spec_t s = Spec();
  s.bank_hash = false;
  uint64_t other = static_cast<uint64_t>(s.row_bytes) * s.banks;
  auto order = [&](uint32_t cap, unsigned hits) {
    s.age_cap = cap;
    Hbm h(s);
    h.Push(0, 0);
    h.Push(other, 1);
    for (unsigned i = 0; i < hits; i++) h.Push(32 * (i + 1), 2 + i);
    while (wg_hbm_open(h.h) != 0) h.Tick();
    for (unsigned k = 0; k < h.done.size(); k++) {
      if (h.done[k].first == 1) return k;
    }
    return 999u;
  };
  EXPECT_EQ(3u, order(1000, 2));   // A, C, D, B
  EXPECT_EQ(21u, order(1000, 20)); // all hits first
  wg_hbm_spec_t slow = s; // a precharge would fit between two hits
  std::swap(s, slow);
  s.t_ccd = s.t_ccd_l = 8;
  s.t_rtp = 1;
  s.t_ras = 14;
  s.t_rc = 27;
  EXPECT_EQ(21u, order(1000, 20));
  std::swap(s, slow);
  unsigned capped = order(20, 20); // the cap falls into the stream of hits
  EXPECT_GT(capped, 1u);
  EXPECT_LT(capped, 10u);
}

TEST(HbmTest, ReadsGoBeforeWritesUntilTheWriteQueueFills) {
  wg_hbm_spec_t s = Spec();
  Hbm h(s);
  for (unsigned i = 0; i < s.write_high - 1; i++) h.Push(1 << 20 | 32 * i, 0, true);
  for (unsigned i = 0; i < 8; i++) h.Push(32 * i, i);
  while (h.done.size() < 8) h.Tick();
  // The last read's data are on their way for tCL + burst; the bus turns meanwhile, for two writes at most.
  EXPECT_LE(h.Stats().writes, 2u);
  while (wg_hbm_open(h.h) != 0) h.Tick();
  EXPECT_EQ(s.write_high - 1, h.Stats().writes);
  Hbm g(s);
  for (unsigned i = 0; i < s.write_high; i++) g.Push(1 << 20 | 32 * i, 0, true);
  for (unsigned i = 0; i < 8; i++) g.Push(32 * i, i);
  while (g.done.size() < 8) g.Tick();
  EXPECT_GE(g.Stats().writes, s.write_high - s.write_low);
  EXPECT_LE(g.Stats().writes, s.write_high - s.write_low + 2);
}

TEST(HbmTest, RefreshesHappenBusyOrIdle) {
  wg_hbm_spec_t s = Spec();
  Hbm idle(s), busy(s);
  const uint64_t t = 50 * s.t_refi;
  for (uint64_t i = 0; i < t; i++) idle.Tick();
  idle.Push(0, 0);
  while (wg_hbm_open(idle.h) != 0) idle.Tick();
  EXPECT_NEAR(50.0, static_cast<double>(idle.Stats().refreshes), 1.0);
  for (uint64_t i = 0; i < t; i++) {
    if (wg_hbm_can_accept(busy.h, 0, false)) busy.Push(32 * i, 0);
    busy.Tick();
  }
  EXPECT_NEAR(50.0, static_cast<double>(busy.Stats().refreshes), 1.0);
}

TEST(HbmTest, ARefreshClosesRows) {
  wg_hbm_spec_t s = Spec();
  Hbm h(s);
  h.Push(0, 0);
  while (wg_hbm_open(h.h) != 0) h.Tick();
  h.Push(32, 0);
  while (wg_hbm_open(h.h) != 0) h.Tick();
  EXPECT_EQ(1u, h.Stats().row_hits);
  for (uint64_t i = 0; i < 2 * s.t_refi; i++) h.Tick();
  h.Push(64, 0);
  while (wg_hbm_open(h.h) != 0) h.Tick();
  EXPECT_EQ(2u, h.Stats().row_misses);
}

// Random traffic with pauses under many specs: every request ends, none twice, and the checker (which would
// abort) is quiet.
TEST(HbmTest, RandomTrafficKeepsEveryRule) {
  std::mt19937_64 rng(7);
  for (int round = 0; round < 60; round++) {
    wg_hbm_spec_t s = Spec();
    s.banks = 1u << (rng() % 5);
    s.bank_hash = rng() % 2;
    s.t_rcd = 1 + rng() % 20;
    s.t_rp = 1 + rng() % 20;
    s.t_cl = 1 + rng() % 20;
    s.t_cwl = 1 + rng() % 10;
    s.t_ras = 1 + rng() % 40;
    s.t_rc = s.t_ras + rng() % 20;
    s.bank_groups = 1u << (rng() % 3);
    if (s.bank_groups > s.banks) s.bank_groups = s.banks;
    s.scheduler = rng() % 4;
    s.page = rng() % 2;
    s.write_drain = rng() % 3;
    s.t_ccd = 2 + rng() % 3;
    s.t_rrd = 1 + rng() % 8;
    s.t_faw = 1 + rng() % 40;
    s.t_wr = 1 + rng() % 20;
    s.t_wtr = 1 + rng() % 10;
    s.t_rtw = 1 + rng() % 20;
    s.t_rtp = 1 + rng() % 10;
    s.t_refi = 400 + rng() % 2000;
    s.t_rfc = 1 + rng() % 300;
    s.age_cap = 1 + rng() % 300;
    const uint32_t more = s.bank_groups > 1 ? 1 + rng() % 6 : 0;
    s.t_ccd_l = s.t_ccd + more;
    s.t_rrd_l = s.t_rrd + more;
    s.t_wtr_l = s.t_wtr + more;
    s.t_refi = std::max(s.t_refi, static_cast<uint32_t>(wg_hbm_least_refi(&s)));
    Hbm h(s, 200000 + static_cast<uint32_t>(rng() % 3000000));
    unsigned reads = 0, writes = 0;
    std::vector<int> seen;
    for (int i = 0; i < 3000; i++) {
      bool write = rng() % 3 == 0;
      if (wg_hbm_can_accept(h.h, 0, write)) {
        uint64_t addr = (rng() % 4 == 0 ? rng() % (1 << 20) : 4096 + 32 * (rng() % 64)) / 32 * 32;
        h.Push(addr, reads, write);
        (write ? writes : reads)++;
      }
      for (uint64_t k = rng() % 50 == 0 ? rng() % 6000 : rng() % 3; k > 0; k--) h.Tick();
    }
    while (wg_hbm_open(h.h) != 0) h.Tick();
    wg_hbm_stats_t st = h.Stats();
    EXPECT_EQ(reads, st.reads);
    EXPECT_EQ(writes, st.writes);
    EXPECT_EQ(reads + writes, st.row_hits + st.row_misses);
    EXPECT_EQ(reads, h.done.size());
    seen.assign(reads, 0);
    for (auto &d : h.done) seen[d.first]++;
    for (unsigned i = 0; i < reads; i++) ASSERT_EQ(1, seen[i]);
    EXPECT_EQ(0u, st.violations);
    EXPECT_EQ(st.pushed_reads, st.reads);
    EXPECT_EQ(st.pushed_writes, st.writes);
    EXPECT_EQ(st.read_in_flight_cycles, st.read_latency_cycles) << "Little's law";
  }
}

// At the least tREFI of a spec a channel under full load gets on, in every interval: no rule is broken, none is late.
TEST(HbmTest, TheLeastRefreshIntervalLeavesTimeForAnAccess) {
  std::mt19937_64 rng(5);
  unsigned tight = 0; // rounds in which hardly more than one access fitted
  for (unsigned round = 0; round < 60; round++) {
    wg_hbm_spec_t s = Spec();
    s.banks = 1u << rng() % 6;
    s.bank_groups = 1;
    s.page = rng() % 2;
    s.scheduler = rng() % 4;
    s.write_drain = rng() % 3;
    for (uint32_t *t : {&s.t_rcd, &s.t_rp, &s.t_cl, &s.t_cwl, &s.t_ras, &s.t_rrd, &s.t_faw, &s.t_wr, &s.t_wtr, &s.t_rtw, &s.t_rtp, &s.t_rfc}) {
      *t = 1 + static_cast<uint32_t>(rng() % (rng() % 8 == 0 ? 800 : 40));
    }
    s.t_rc = s.t_ras + static_cast<uint32_t>(rng() % 60);
    s.t_rrd_l = s.t_rrd;
    s.t_wtr_l = s.t_wtr;
    s.t_refi = static_cast<uint32_t>(wg_hbm_least_refi(&s));
    Hbm h(s);
    uint64_t worst = 0;
    for (unsigned i = 0; h.now < 60 * s.t_refi; i++) {
      for (bool write : {false, true}) {
        if (wg_hbm_can_accept(h.h, 0, write)) h.Push((rng() % 3 == 0 ? rng() % 64 : rng()) % (1u << 28) / 32 * 32, i, write);
      }
      h.Tick();
      worst = std::max(worst, wg_hbm_stuck_cycles(h.h, 0));
    }
    wg_hbm_stats_t st = h.Stats();
    EXPECT_GE(st.refreshes, 50u);
    EXPECT_GE(st.reads + st.writes, st.refreshes - 1) << "round " << round;
    if (st.reads + st.writes < 2 * st.refreshes) tight++;
    EXPECT_LE(worst, wg_hbm_patience_cycles(h.h)) << "round " << round;
    s.t_refi--;
    wg_hbm_t *none = nullptr;
    wg_diag_t d{};
    EXPECT_EQ(kWgBadArg, wg_hbm_create(&s, s.clock_khz, &none, &d));
    EXPECT_STREQ("HBM: tREFI leaves no time for an access between two refreshes", d.msg);
  }
  EXPECT_GE(tight, 5u) << "the least interval is longer than needed";
}

/** Random reads and writes on random rows, at the rate that the channel takes. */
void Mixed(Hbm *h, const wg_hbm_spec_t &s, unsigned n, unsigned seed) {
  std::mt19937_64 rng(seed);
  std::vector<uint64_t> a(n);
  std::vector<bool> w(n);
  for (unsigned i = 0; i < n; i++) {
    a[i] = (rng() % 2 == 0 ? rng() % (64 * s.row_bytes) : rng() % (1u << 28)) / 32 * 32;
    w[i] = rng() % 3 == 0;
  }
  h->Stream(n, [&](unsigned i) { return a[i]; }, [&](unsigned i) { return static_cast<bool>(w[i]); });
}

// A controller that believes each rule one clock shorter than it is breaks it, and the checker says which.
TEST(HbmCheckTest, CatchesAControllerThatDoesNotKnowARule) {
  wg_hbm_spec_t s = Grouped();
  s.t_rtw = 16; // beyond what the data bus alone asks for
  s.t_rc = s.t_ras + s.t_rp + 5;
  s.t_faw = 18; // four activates at tRRD_S would take 16: both rules and tRRD_L are met
  { // the same traffic with the true rules
    Hbm h(s);
    Mixed(&h, s, 6000, 3);
    EXPECT_EQ(0u, h.Stats().violations);
  }
  const struct {
    const char *rule;
    uint32_t wg_hbm_spec_t::*field;
  } rules[] = {{"tRCD", &wg_hbm_spec_t::t_rcd},     {"tRP", &wg_hbm_spec_t::t_rp},       {"tRAS", &wg_hbm_spec_t::t_ras},
               {"tRC", &wg_hbm_spec_t::t_rc},       {"tCCD_S", &wg_hbm_spec_t::t_ccd},   {"tCCD_L", &wg_hbm_spec_t::t_ccd_l},
               {"tRRD_S", &wg_hbm_spec_t::t_rrd},   {"tRRD_L", &wg_hbm_spec_t::t_rrd_l}, {"tFAW", &wg_hbm_spec_t::t_faw},
               {"tWR", &wg_hbm_spec_t::t_wr},       {"tWTR_S", &wg_hbm_spec_t::t_wtr},   {"tWTR_L", &wg_hbm_spec_t::t_wtr_l},
               {"tRTW", &wg_hbm_spec_t::t_rtw},     {"tRTP", &wg_hbm_spec_t::t_rtp},     {"tRFC", &wg_hbm_spec_t::t_rfc}};
  for (const auto &r : rules) {
    wg_hbm_spec_t strict = s;
    strict.*r.field += 1;
    EXPECT_DEATH(
        {
          Hbm h(s);
          wg_hbm_set_rules(h.h, &strict);
          Mixed(&h, s, 6000, 3);
        },
        std::string("breaks ") + r.rule + "\n")
        << r.rule;
  }
  EXPECT_DEATH(
      {
        Hbm h(s);
        wg_hbm_spec_t often = s;
        often.t_refi = s.t_refi / 10;
        wg_hbm_set_rules(h.h, &often);
        Mixed(&h, s, 6000, 3);
      },
      "breaks tREFI");
}

TEST(HbmTest, BankGroupsAloneRunAtTheLongColumnTimeTogetherAtTheShortOne) {
  wg_hbm_spec_t s = Grouped();
  s.bank_hash = false;
  double refresh = 1.0 - static_cast<double>(s.t_rfc) / s.t_refi;
  const unsigned n = 20000;
  Hbm one(s), all(s);
  // every fourth piece of 256 bytes, against all of them: pieces take turns among the groups
  auto in_one = [&](unsigned i) { return 32ull * (i % 8) + i / 8 * 1024ull; };
  auto spread = [&](unsigned i) { return 32ull * i; };
  double slow = static_cast<double>(one.Stream(n, in_one, Never)), fast = static_cast<double>(all.Stream(n, spread, Never));
  EXPECT_GE(slow, n * s.t_ccd_l);
  EXPECT_LE(fast, 1.1 * n * s.t_ccd / refresh);
  EXPECT_GE(fast, n * s.t_ccd);
}

// What each scheduler does with hits on an open row behind a request for another row of the bank.
TEST(HbmTest, SchedulersChooseDifferently) {
  wg_hbm_spec_t s = Spec();
  s.bank_hash = false;
  s.age_cap = 40;
  const uint64_t other = static_cast<uint64_t>(s.row_bytes) * s.banks, bank1 = s.row_bytes;
  const struct {
    uint32_t scheduler;
    unsigned place_of_1; // the other row: behind all hits; in its turn; the bank's second
  } want[] = {{kWgHbmFrFcfs, 41}, {kWgHbmFcfs, 1}, {kWgHbmBankRr, 2}};
  for (const auto &w : want) {
    s.scheduler = w.scheduler;
    Hbm h(s);
    h.Push(0, 0);
    h.Push(other, 1);
    for (unsigned i = 0; i < 39; i++) h.Push(32 * (i % 31 + 1), 2 + i);
    h.Push(bank1, 41);
    while (wg_hbm_open(h.h) != 0) h.Tick();
    ASSERT_EQ(42u, h.done.size());
    unsigned at1 = 99;
    for (unsigned k = 0; k < 42; k++) {
      if (h.done[k].first == 1) at1 = k;
      if (w.scheduler == kWgHbmFcfs) EXPECT_EQ(k, h.done[k].first);
    }
    EXPECT_EQ(w.place_of_1, at1) << w.scheduler;
  }
  s.scheduler = kWgHbmFrFcfsCap;
  Hbm h(s);
  h.Push(0, 0);
  h.Push(other, 1);
  for (unsigned i = 0; i < 39; i++) h.Push(32 * (i % 31 + 1), 2 + i);
  while (wg_hbm_open(h.h) != 0) h.Tick();
  unsigned at = 99;
  for (unsigned k = 0; k < h.done.size(); k++) at = h.done[k].first == 1 ? k : at;
  EXPECT_GT(at, 5u);
  EXPECT_LT(at, 30u);
}

// Random traffic: first ready serves more than arrival order; banks in turn lie between.
TEST(HbmTest, FirstReadyIsFasterThanArrivalOrder) {
  uint64_t cycles[4];
  for (uint32_t k = 0; k < 4; k++) {
    wg_hbm_spec_t s = Spec();
    s.scheduler = k;
    Hbm h(s);
    Mixed(&h, s, 6000, 5);
    cycles[k] = h.now;
    EXPECT_EQ(6000u, h.Stats().reads + h.Stats().writes);
  }
  EXPECT_LT(2 * cycles[kWgHbmFrFcfs], cycles[kWgHbmFcfs]);
  EXPECT_LT(2 * cycles[kWgHbmFrFcfsCap], cycles[kWgHbmFcfs]);
  EXPECT_LT(cycles[kWgHbmBankRr], cycles[kWgHbmFcfs]);
  EXPECT_LT(cycles[kWgHbmFrFcfs], cycles[kWgHbmBankRr]);
}

// A closed page saves the precharge of a row miss and costs the row hit.
TEST(HbmTest, ClosedPageTradesHitsForEarlyPrecharges) {
  uint64_t lat[2][2];
  for (uint32_t page = 0; page < 2; page++) {
    for (unsigned same = 0; same < 2; same++) {
      wg_hbm_spec_t s = Spec();
      s.page = page;
      s.bank_hash = false;
      Hbm h(s);
      h.Push(0, 0);
      while (wg_hbm_open(h.h) != 0) h.Tick();
      for (int i = 0; i < 100; i++) h.Tick();
      uint64_t begin = h.now;
      h.Push(same ? 32 : static_cast<uint64_t>(s.row_bytes) * s.banks, 1);
      while (wg_hbm_open(h.h) != 0) h.Tick();
      lat[page][same] = h.done[1].second - begin;
      EXPECT_EQ(page == 0 && same ? 1u : 2u, h.Stats().activates);
      EXPECT_EQ(page == 1 ? 2u : same ? 0u : 1u, h.Stats().precharges);
    }
  }
  wg_hbm_spec_t s = Spec();
  EXPECT_EQ(lat[kWgHbmOpen][0], lat[kWgHbmClosed][0] + s.t_rp);
  EXPECT_EQ(lat[kWgHbmOpen][1] + s.t_rcd, lat[kWgHbmClosed][1]);
  // Accesses that wait together still share a row.
  s.page = kWgHbmClosed;
  Hbm h(s);
  for (unsigned i = 0; i < 8; i++) h.Push(32 * i, i);
  while (wg_hbm_open(h.h) != 0) h.Tick();
  EXPECT_EQ(1u, h.Stats().activates);
  EXPECT_EQ(7u, h.Stats().row_hits);
}

TEST(HbmTest, WriteDrainsDiffer) {
  // One old write, then reads: in arrival order it goes first; with watermarks and on demand the reads do.
  for (uint32_t d : {kWgHbmWatermark, kWgHbmOldest, kWgHbmDemand}) {
    wg_hbm_spec_t s = Spec();
    s.write_drain = d;
    Hbm h(s);
    for (unsigned i = 0; i < s.write_high; i++) h.Push(1 << 20 | 32 * i, 0, true);
    h.Tick();
    for (unsigned i = 0; i < 8; i++) h.Push(32 * i, i);
    while (h.done.size() < 8) h.Tick();
    unsigned want = d == kWgHbmOldest ? s.write_high : d == kWgHbmWatermark ? s.write_high - s.write_low : 0;
    // two more fit while the last read's data are on their way
    EXPECT_GE(h.Stats().writes, want) << d;
    EXPECT_LE(h.Stats().writes, want + 3) << d;
  }
}

TEST(HbmTest, AStoppedChannelIsTold) {
  wg_hbm_spec_t s = Spec();
  Hbm h(s);
  EXPECT_EQ(0u, wg_hbm_stuck_cycles(h.h, 0));
  h.Push(64, 7);
  for (unsigned i = 0; i < 5000 && wg_hbm_open(h.h) != 0; i++) {
    EXPECT_LT(wg_hbm_stuck_cycles(h.h, 0), 100u);
    h.Tick();
  }
  EXPECT_EQ(0u, wg_hbm_open(h.h));
  wg_hbm_stop(h.h, 0);
  h.Push(64, 9);
  for (unsigned i = 0; i < 5000; i++) h.Tick();
  EXPECT_EQ(5000u, wg_hbm_stuck_cycles(h.h, 0));
  char at[80];
  ASSERT_TRUE(wg_hbm_find(h.h, 0, 9, at, sizeof at));
  EXPECT_STREQ("queue of channel 0, bank 0, row 0", at);
  EXPECT_FALSE(wg_hbm_find(h.h, 0, 7, at, sizeof at));
}

// Each row takes as many pieces as it has bytes for.
TEST(HbmTest, MapIsOneToOne) {
  for (wg_hbm_spec_t s : {Spec(), Grouped()}) {
    const unsigned pieces = s.row_bytes / 256;
    std::vector<std::vector<unsigned>> seen(s.banks, std::vector<unsigned>(256));
    for (uint64_t r = 0; r < 256ull * s.banks * pieces; r++) {
      uint32_t bank;
      uint64_t row;
      wg_hbm_map(&s, r * 256 + 5, &bank, &row);
      ASSERT_LT(bank, s.banks);
      ASSERT_LT(row, 256u);
      seen[bank][row]++;
    }
    for (auto &b : seen) {
      for (unsigned n : b) ASSERT_EQ(pieces, n);
    }
  }
}

TEST(HbmTest, BadSpecsAreRefused) {
  wg_hbm_spec_t s = Spec();
  wg_hbm_t *h = nullptr;
  wg_diag_t d{};
  s.banks = 12;
  EXPECT_EQ(kWgBadArg, wg_hbm_create(&s, 1000000, &h, &d));
  s = Spec();
  s.t_ccd = s.t_ccd_l = 1;
  EXPECT_EQ(kWgBadArg, wg_hbm_create(&s, 1000000, &h, &d));
  EXPECT_STREQ("HBM tCCD_S is 1, must be 2 to 100000", d.msg);
  s = Spec();
  s.t_rrd_l++;
  EXPECT_EQ(kWgBadArg, wg_hbm_create(&s, 1000000, &h, &d));
  EXPECT_STREQ("HBM: one bank group, but times inside a group (_L) that differ from those between groups (_S)", d.msg);
  s = Grouped();
  s.t_wtr_l = s.t_wtr - 1;
  EXPECT_EQ(kWgBadArg, wg_hbm_create(&s, 1000000, &h, &d));
  EXPECT_STREQ("HBM: a time inside a bank group (_L) is shorter than between groups (_S)", d.msg);
  s = Grouped();
  s.bank_groups = 3;
  EXPECT_EQ(kWgBadArg, wg_hbm_create(&s, 1000000, &h, &d));
  EXPECT_STREQ("HBM: bank groups do not divide the banks", d.msg);
  s = Spec();
  s.scheduler = kWgHbmBankRr + 1;
  EXPECT_EQ(kWgBadArg, wg_hbm_create(&s, 1000000, &h, &d));
  EXPECT_STREQ("HBM scheduler is 4, must be 0 to 3", d.msg);
  EXPECT_EQ(nullptr, h);
}

// The checker itself: each rule is broken by one clock, and kept when the command comes at the right clock.
TEST(HbmCheckTest, NamesEachBrokenRule) {
  wg_hbm_spec_t s = Grouped(); // banks 0 to 3 are of four groups, bank 4 of bank 0's
  s.t_ras = 25;
  struct Cmd {
    wg_hbm_cmd_t cmd;
    uint32_t bank;
    int64_t clock;
  };
  const int64_t burst = 2;
  struct Case {
    const char *rule;
    std::vector<Cmd> before;
    Cmd last; // at the first legal clock
  } cases[] = {
      {"tRCD", {{kWgHbmAct, 0, 0}}, {kWgHbmRd, 0, s.t_rcd}},
      {"tRAS", {{kWgHbmAct, 0, 0}}, {kWgHbmPre, 0, s.t_ras}},
      {"tRRD_S", {{kWgHbmAct, 0, 0}}, {kWgHbmAct, 1, s.t_rrd}},
      {"tRRD_L", {{kWgHbmAct, 0, 0}}, {kWgHbmAct, 4, s.t_rrd_l}},
      {"tRRD_L", {{kWgHbmAct, 0, 0}, {kWgHbmAct, 1, s.t_rrd_l - 2}}, {kWgHbmAct, 5, 2 * s.t_rrd_l - 2}},
      {"tRP", {{kWgHbmAct, 0, 0}, {kWgHbmPre, 0, 100}}, {kWgHbmAct, 0, 100 + s.t_rp}},
      {"tFAW", {{kWgHbmAct, 0, 0}, {kWgHbmAct, 1, 4}, {kWgHbmAct, 2, 8}, {kWgHbmAct, 3, 12}}, {kWgHbmAct, 4, s.t_faw}},
      {"tCCD_S", {{kWgHbmAct, 0, 0}, {kWgHbmAct, 1, 8}, {kWgHbmRd, 0, 50}}, {kWgHbmRd, 1, 50 + s.t_ccd}},
      {"tCCD_S", {{kWgHbmAct, 0, 0}, {kWgHbmAct, 1, 8}, {kWgHbmWr, 0, 50}}, {kWgHbmWr, 1, 50 + s.t_ccd}},
      {"tCCD_L", {{kWgHbmAct, 0, 0}, {kWgHbmRd, 0, 50}}, {kWgHbmRd, 0, 50 + s.t_ccd_l}},
      {"tCCD_L", {{kWgHbmAct, 0, 0}, {kWgHbmAct, 4, 8}, {kWgHbmWr, 0, 50}}, {kWgHbmWr, 4, 50 + s.t_ccd_l}},
      {"tWTR_S", {{kWgHbmAct, 0, 0}, {kWgHbmAct, 1, 8}, {kWgHbmWr, 0, 50}}, {kWgHbmRd, 1, 50 + s.t_cwl + burst + s.t_wtr}},
      {"tWTR_L", {{kWgHbmAct, 0, 0}, {kWgHbmWr, 0, 50}}, {kWgHbmRd, 0, 50 + s.t_cwl + burst + s.t_wtr_l}},
      {"tRTW", {{kWgHbmAct, 0, 0}, {kWgHbmRd, 0, 50}}, {kWgHbmWr, 0, 50 + s.t_rtw}},
      {"tRTP", {{kWgHbmAct, 0, 0}, {kWgHbmRd, 0, 50}}, {kWgHbmPre, 0, 50 + s.t_rtp}},
      {"tWR", {{kWgHbmAct, 0, 0}, {kWgHbmWr, 0, 50}}, {kWgHbmPre, 0, 50 + s.t_cwl + burst + s.t_wr}},
      {"tRFC", {{kWgHbmRef, 0, 0}}, {kWgHbmAct, 0, s.t_rfc}},
      {"tRP", {{kWgHbmAct, 0, 0}, {kWgHbmPre, 0, 100}}, {kWgHbmRef, 0, 100 + s.t_rp}},
      {"tRFC", {{kWgHbmRef, 0, 0}}, {kWgHbmRef, 0, s.t_rfc}},
      // Auto-precharge: tRP counts from the clock in which tRAS and tRTP, or tWR, allow the row to close.
      {"tRP", {{kWgHbmAct, 0, 0}, {kWgHbmRda, 0, 50}}, {kWgHbmAct, 0, 50 + s.t_rtp + s.t_rp}},
      {"tRP", {{kWgHbmAct, 0, 0}, {kWgHbmRda, 0, 13}}, {kWgHbmRef, 0, s.t_ras + s.t_rp}},
      {"tRP", {{kWgHbmAct, 0, 0}, {kWgHbmWra, 0, 50}}, {kWgHbmAct, 0, 50 + s.t_cwl + burst + s.t_wr + s.t_rp}},
  };
  for (const Case &c : cases) {
    for (int early = 0; early < 2; early++) {
      wg_hbm_check_t k;
      wg_hbm_check_init(&k, &s);
      for (const Cmd &b : c.before) ASSERT_EQ(nullptr, wg_hbm_check_cmd(&k, b.cmd, b.bank, 0, b.clock)) << c.rule;
      const char *broken = wg_hbm_check_cmd(&k, c.last.cmd, c.last.bank, 0, c.last.clock - early);
      if (early) {
        ASSERT_STREQ(c.rule, broken);
      } else {
        ASSERT_EQ(nullptr, broken) << c.rule;
      }
    }
  }
  // Data of a write must not meet those of a read; needs a spec in which tRTW does not hide it.
  wg_hbm_spec_t u = s;
  u.t_rtw = 1;
  wg_hbm_check_t m;
  wg_hbm_check_init(&m, &u);
  EXPECT_EQ(nullptr, wg_hbm_check_cmd(&m, kWgHbmAct, 0, 0, 0));
  EXPECT_EQ(nullptr, wg_hbm_check_cmd(&m, kWgHbmRd, 0, 0, 50));
  EXPECT_STREQ("data bus", wg_hbm_check_cmd(&m, kWgHbmWr, 0, 0, 50 + s.t_cl + burst - s.t_cwl - 1));
  // Eight refreshes may be postponed, not nine.
  wg_hbm_check_init(&m, &s);
  EXPECT_EQ(nullptr, wg_hbm_check_cmd(&m, kWgHbmRef, 0, 0, s.t_refi));
  EXPECT_EQ(nullptr, wg_hbm_check_cmd(&m, kWgHbmAct, 0, 0, 10 * s.t_refi));
  EXPECT_STREQ("tREFI", wg_hbm_check_cmd(&m, kWgHbmRd, 0, 0, 10 * s.t_refi + s.t_rcd));
  // tRC needs a spec in which tRAS + tRP does not hide it.
  wg_hbm_spec_t t = s;
  t.t_rc = 60;
  wg_hbm_check_t k;
  wg_hbm_check_init(&k, &t);
  EXPECT_EQ(nullptr, wg_hbm_check_cmd(&k, kWgHbmAct, 0, 0, 0));
  EXPECT_EQ(nullptr, wg_hbm_check_cmd(&k, kWgHbmPre, 0, 0, t.t_ras));
  EXPECT_STREQ("tRC", wg_hbm_check_cmd(&k, kWgHbmAct, 0, 0, 59));
}

TEST(HbmCheckTest, NamesStateErrors) {
  const wg_hbm_spec_t s = Spec();
  wg_hbm_check_t k;
  wg_hbm_check_init(&k, &s);
  EXPECT_STREQ("column command to a closed bank", wg_hbm_check_cmd(&k, kWgHbmRd, 0, 0, 0));
  wg_hbm_check_init(&k, &s);
  EXPECT_STREQ("PRE to a closed bank", wg_hbm_check_cmd(&k, kWgHbmPre, 0, 0, 0));
  wg_hbm_check_init(&k, &s);
  EXPECT_EQ(nullptr, wg_hbm_check_cmd(&k, kWgHbmAct, 0, 0, 0));
  EXPECT_EQ(nullptr, wg_hbm_check_cmd(&k, kWgHbmWra, 0, 0, 50));
  EXPECT_STREQ("column command to a closed bank", wg_hbm_check_cmd(&k, kWgHbmRd, 0, 0, 100));
  wg_hbm_check_init(&k, &s);
  EXPECT_EQ(nullptr, wg_hbm_check_cmd(&k, kWgHbmAct, 0, 7, 0));
  EXPECT_STREQ("column command to another row than the open one", wg_hbm_check_cmd(&k, kWgHbmRd, 0, 8, 50));
  EXPECT_STREQ("ACT to an open bank", wg_hbm_check_cmd(&k, kWgHbmAct, 0, 8, 200));
  EXPECT_STREQ("REF with an open bank", wg_hbm_check_cmd(&k, kWgHbmRef, 0, 0, 300));
  EXPECT_STREQ("two commands in one clock", wg_hbm_check_cmd(&k, kWgHbmPre, 0, 0, 300));
  EXPECT_STREQ("bank number", wg_hbm_check_cmd(&k, kWgHbmPre, s.banks, 0, 400));
}

}  // namespace
