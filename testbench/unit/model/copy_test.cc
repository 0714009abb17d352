// SPDX-License-Identifier: Apache-2.0
//
// Copy engines: rates of the links, time of a copy, who shares an engine. Expected values are computed from the definition.
#include "model/copy/copy.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>

namespace {

wg_copy_spec_t Spec(unsigned engines = 2) {
  return {wg_copy_link_find("pcie3"), engines, 1000, 8000, 2u << 20, 800, 900};
}

struct Engines {
  wg_copy_t *c = nullptr;
  explicit Engines(const wg_copy_spec_t &s) {
    wg_diag_t d{};
    EXPECT_EQ(kWgOk, wg_copy_create(&s, 100000, &c, &d)) << d.msg;
  }
  ~Engines() { wg_copy_destroy(c); }
};

wg_copy_req_t Req(wg_copy_kind_t kind, uint64_t bytes, bool pageable = false, uint64_t tag = 7) {
  return {tag, kind, bytes, pageable};
}

TEST(CopyTest, LinksHaveTheRatesOfTheirStandards) {
  const struct {
    const char *name;
    uint32_t raw;
  } kWant[] = {{"pcie3", 15753}, {"pcie4", 31507}, {"pcie5", 63015}, {"nvlink2", 75000}, {"nvlink-c2c", 450000}};
  size_t n = 0;
  for (const wg_copy_link_t *l = kWgCopyLinks; l->name != nullptr; l++, n++) {
    EXPECT_NE(std::string(), l->source);
    EXPECT_LT(l->permille, 1000u);
  }
  EXPECT_EQ(sizeof kWant / sizeof kWant[0], n);
  for (const auto &w : kWant) {
    const wg_copy_link_t *l = wg_copy_link_find(w.name);
    ASSERT_NE(nullptr, l) << w.name;
    EXPECT_EQ(w.raw, wg_copy_link_raw_mbytes_per_s(l)) << w.name;
  }
  /* measured on an H200: 256 MiB in 4838 us to the device, 4846 us back */
  double us = 268435456.0 / wg_copy_link_mbytes_per_s(wg_copy_link_find("pcie5"));
  EXPECT_NEAR(4842.0, us, 0.005 * 4842);
  EXPECT_EQ(nullptr, wg_copy_link_find("pcie2"));
  EXPECT_EQ(nullptr, wg_copy_link_find(""));
}

TEST(CopyTest, TimeIsOverheadAndBytesOverRate) {
  Engines e(Spec());
  const uint64_t rate = 15753u * 881 / 1000; /* 13878 */
  for (uint64_t n : {UINT64_C(1), UINT64_C(4096), UINT64_C(12582912), UINT64_C(1) << 40}) {
    wg_copy_req_t in = Req(kWgCopyToDevice, n), out = Req(kWgCopyToHost, n), within = Req(kWgCopyWithin, n), set = Req(kWgCopySet, n);
    auto ns = [&](uint64_t r) { return 1000 + (uint64_t)(((unsigned __int128)n * 1000 + r - 1) / r); };
    EXPECT_EQ(ns(rate), wg_copy_time_ns(e.c, &in)) << n;
    EXPECT_EQ(ns(rate), wg_copy_time_ns(e.c, &out)) << n;
    EXPECT_EQ(ns(40000), wg_copy_time_ns(e.c, &within)) << n; /* read and written: half of 80 % */
    EXPECT_EQ(ns(90000), wg_copy_time_ns(e.c, &set)) << n;
  }
}

TEST(CopyTest, PageableMemoryIsPacedByTheHost) {
  Engines e(Spec());
  const uint64_t n = 1u << 20;
  wg_copy_req_t in = Req(kWgCopyToDevice, n, true), out = Req(kWgCopyToHost, n, true), pinned = Req(kWgCopyToHost, n);
  EXPECT_EQ(131072u, wg_copy_staging_ns(e.c, n)); /* 8 bytes a ns */
  /* all pieces but the first are staged while the engine works, then the last one goes over the link: 4722.3 ns */
  EXPECT_EQ(1000 + 122880u + 4723, wg_copy_time_ns(e.c, &in));
  EXPECT_EQ(1000 + 122880u + 4723 + 8192, wg_copy_time_ns(e.c, &out));
  EXPECT_LT(wg_copy_time_ns(e.c, &pinned), wg_copy_time_ns(e.c, &out));
  wg_copy_spec_t fast = Spec();
  fast.staging_mbytes_per_s = 1000000; /* the link is slower: it sets the pace */
  Engines f(fast);
  wg_copy_req_t same = Req(kWgCopyToDevice, n);
  EXPECT_EQ(wg_copy_time_ns(f.c, &same), wg_copy_time_ns(f.c, &in));
  wg_copy_req_t within = Req(kWgCopyWithin, n, true), plain = Req(kWgCopyWithin, n);
  EXPECT_EQ(wg_copy_time_ns(e.c, &plain), wg_copy_time_ns(e.c, &within)); /* no host memory in it */
}

TEST(CopyTest, EnginesByKindAndNumber) {
  const unsigned want[4][kWgCopyKinds] = {{0, 0, 0, 0}, {0, 1, 1, 1}, {0, 1, 2, 2}, {0, 1, 2, 2}};
  const unsigned engines[4] = {1, 2, 3, 7};
  for (int i = 0; i < 4; i++) {
    Engines e(Spec(engines[i]));
    for (int k = 0; k < kWgCopyKinds; k++) EXPECT_EQ(want[i][k], wg_copy_engine(e.c, (wg_copy_kind_t)k)) << engines[i] << " " << k;
  }
}

TEST(CopyTest, DirectionsOverlapAndOneDirectionDoesNot) {
  Engines e(Spec());
  wg_copy_req_t in = Req(kWgCopyToDevice, 13878000, false, 1), out = Req(kWgCopyToHost, 27756000, false, 2);
  EXPECT_EQ(UINT64_MAX, wg_copy_next_ns(e.c));
  EXPECT_EQ(1001000u + 50, wg_copy_push(e.c, &in, 50));
  EXPECT_FALSE(wg_copy_can_accept(e.c, kWgCopyToDevice, 60));
  EXPECT_TRUE(wg_copy_can_accept(e.c, kWgCopyToHost, 60));
  EXPECT_EQ(2001000u + 60, wg_copy_push(e.c, &out, 60));
  EXPECT_EQ(1001050u, wg_copy_next_ns(e.c));
  EXPECT_EQ(1001050u, wg_copy_free_ns(e.c, kWgCopyToDevice));
  wg_copy_done_t d{};
  EXPECT_FALSE(wg_copy_pop(e.c, 1001049, &d));
  ASSERT_TRUE(wg_copy_pop(e.c, 1001050, &d));
  EXPECT_EQ(1u, d.tag);
  EXPECT_EQ(50u, d.start_ns);
  EXPECT_EQ(1001050u, d.end_ns);
  EXPECT_TRUE(wg_copy_can_accept(e.c, kWgCopyToDevice, 1001050));
  EXPECT_FALSE(wg_copy_pop(e.c, 1001050, &d));
  ASSERT_TRUE(wg_copy_pop(e.c, UINT64_MAX, &d));
  EXPECT_EQ(2u, d.tag);
  EXPECT_EQ(1u, d.engine);
  wg_copy_stats_t s{};
  wg_copy_stats(e.c, kWgCopyToHost, &s);
  EXPECT_EQ(1u, s.copies);
  EXPECT_EQ(27756000u, s.bytes);
  EXPECT_EQ(2001000u, s.busy_ns);
  (void)wg_copy_push(e.c, &in, 3000000);
  wg_copy_clear(e.c);
  EXPECT_EQ(UINT64_MAX, wg_copy_next_ns(e.c));
  EXPECT_TRUE(wg_copy_can_accept(e.c, kWgCopyToDevice, 0));
}

TEST(CopyTest, SpecsOutOfRangeAreRefused) {
  wg_diag_t d{};
  wg_copy_t *c = nullptr;
  wg_copy_spec_t bad[4] = {Spec(0), Spec(17), Spec(), Spec()};
  bad[2].link = nullptr;
  bad[3].staging_mbytes_per_s = 0;
  for (const auto &s : bad) EXPECT_EQ(kWgBadArg, wg_copy_create(&s, 100000, &c, &d));
  wg_copy_spec_t good = Spec();
  EXPECT_EQ(kWgBadArg, wg_copy_create(&good, 0, &c, &d));
  EXPECT_EQ(nullptr, c);
  wg_copy_destroy(nullptr);
}

}  // namespace
