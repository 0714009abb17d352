// SPDX-License-Identifier: Apache-2.0
//
// Device memory: allocator, checks, contents.
#include "model/store/store.h"

#include <cstring>
#include <map>
#include <random>
#include <vector>

#include "gtest/gtest.h"
#include "isa/wg_cfg.h"

namespace {

struct StoreTest : testing::Test {
  wg_store_t *s = nullptr;
  wg_diag_t d{};
  void SetUp() override { ASSERT_EQ(kWgOk, wg_store_create(&s, &d)); }
  void TearDown() override { wg_store_destroy(s); }
  uint64_t Alloc(uint64_t n) {
    uint64_t a = 0;
    EXPECT_EQ(kWgOk, wg_store_alloc(s, n, &a, &d)) << d.msg;
    return a;
  }
};

TEST_F(StoreTest, AllocationsFollowTheDriverAreaFirstFit) {
  const uint64_t first = WG_DEV_BASE + (UINT64_C(4) << 30);
  uint64_t a = Alloc(1), b = Alloc(1000), c = Alloc(256);
  EXPECT_EQ(first, a);
  EXPECT_EQ(first + 256, b);
  EXPECT_EQ(first + 256 + 1024, c);
  EXPECT_EQ(kWgOk, wg_store_free(s, b, &d));
  EXPECT_EQ(c + 256, Alloc(1025)); // the hole is too small
  EXPECT_EQ(b, Alloc(512));        // fits the hole
  EXPECT_EQ(b + 512, Alloc(512));
  EXPECT_EQ(kWgOk, wg_store_free(s, a, &d));
  EXPECT_EQ(a, Alloc(100));
}

TEST_F(StoreTest, RoomBetweenAllocationsWhereThereIsAny) {
  uint64_t close = Alloc(256);
  wg_store_set_gap(s, 4096);
  uint64_t a = Alloc(1024), b = Alloc(1);
  EXPECT_EQ(close + 256 + 4096, a);
  EXPECT_EQ(a + 1024 + 4096, b);
  EXPECT_EQ(kWgFaultIllegalAddr, wg_store_check(s, a + 1024, 4));
  EXPECT_EQ(kWgOk, wg_store_free(s, a, &d));
  EXPECT_EQ(b + 256 + 4096, Alloc(1280)) << "the hole has room for it, but not for what is between";
  EXPECT_EQ(a, Alloc(1024));
  uint64_t rest = 0, left = WG_DEV_BASE + WG_DEV_BYTES - (b + 256 + 4096 + 1280);
  EXPECT_EQ(kWgOk, wg_store_alloc(s, left, &rest, &d)) << "better close than not at all";
  EXPECT_EQ(b + 256 + 4096 + 1280, rest);
}

TEST_F(StoreTest, DriverAllocationsAreAlignedAndApart) {
  uint64_t a = 0, b = 0;
  ASSERT_EQ(kWgOk, wg_store_alloc_driver(s, 10, 1, &a, &d));
  ASSERT_EQ(kWgOk, wg_store_alloc_driver(s, 10, 65536, &b, &d));
  EXPECT_EQ(WG_DEV_BASE, a);
  EXPECT_EQ(WG_DEV_BASE + 65536, b);
  EXPECT_EQ(kWgBadArg, wg_store_alloc_driver(s, 10, 3000, &b, &d));
  EXPECT_EQ(kWgNoSpace, wg_store_alloc_driver(s, UINT64_C(5) << 30, 256, &b, &d));
  EXPECT_EQ(WG_DEV_BASE + WG_DEV_DRIVER_BYTES, Alloc(1));
}

TEST_F(StoreTest, BadRequestsAreRefusedWithTheReason) {
  uint64_t a = 0;
  EXPECT_EQ(kWgBadArg, wg_store_alloc(s, 0, &a, &d));
  EXPECT_EQ(kWgNoSpace, wg_store_alloc(s, UINT64_MAX, &a, &d));
  EXPECT_EQ(kWgNoSpace, wg_store_alloc(s, WG_DEV_BYTES, &a, &d));
  EXPECT_EQ(kWgOk, wg_store_alloc(s, WG_DEV_BYTES - WG_DEV_DRIVER_BYTES, &a, &d));
  EXPECT_EQ(kWgNoSpace, wg_store_alloc(s, 1, &a, &d));
  EXPECT_EQ(kWgBadArg, wg_store_free(s, a + 256, &d));
  EXPECT_EQ(kWgOk, wg_store_free(s, a, &d));
  EXPECT_EQ(kWgBadArg, wg_store_free(s, a, &d));
  EXPECT_STREQ("0x200100000000 is not the address of a device allocation", d.msg);
}

TEST_F(StoreTest, ChecksEndAtTheRoundedAllocation) {
  uint64_t a = Alloc(300), b = Alloc(1);
  ASSERT_EQ(kWgOk, wg_store_free(s, b, &d));
  EXPECT_EQ(kWgFaultNone, wg_store_check(s, a, 128));
  EXPECT_EQ(kWgFaultNone, wg_store_check(s, a + 384, 128)); // beyond 300, inside 512
  EXPECT_EQ(kWgFaultIllegalAddr, wg_store_check(s, a + 512, 1));
  EXPECT_EQ(kWgFaultIllegalAddr, wg_store_check(s, a - 1, 1));
  EXPECT_EQ(kWgFaultIllegalAddr, wg_store_check(s, 0, 32));
  EXPECT_EQ(kWgFaultIllegalAddr, wg_store_check(s, 65535, 1));
  EXPECT_EQ(kWgFaultIllegalAddr, wg_store_check(s, WG_DEV_BASE + WG_DEV_BYTES, 32));
  EXPECT_EQ(kWgFaultIllegalAddr, wg_store_check(s, UINT64_MAX - 10, 32));
  wg_store_set_oob(s, kWgOobPage);
  EXPECT_EQ(kWgFaultNone, wg_store_check(s, a + 512, 1));
  EXPECT_EQ(kWgFaultNone, wg_store_check(s, a + (2 << 20) - 1, 1));
  EXPECT_EQ(kWgFaultIllegalAddr, wg_store_check(s, a + (2 << 20), 1));
}

TEST_F(StoreTest, ExactChecksEndAtTheBytesAskedFor) {
  uint64_t a = Alloc(300), v = 0;
  ASSERT_EQ(kWgOk, wg_store_alloc_driver(s, 100, 256, &v, &d));
  EXPECT_EQ(kWgFaultNone, wg_store_check_lane(s, a + 300, 4)); // not exact yet
  wg_store_set_oob(s, kWgOobExact);
  EXPECT_EQ(kWgFaultNone, wg_store_check_lane(s, a + 296, 4));
  EXPECT_EQ(kWgFaultIllegalAddr, wg_store_check_lane(s, a + 297, 4));
  EXPECT_EQ(kWgFaultIllegalAddr, wg_store_check_lane(s, a + 300, 1));
  EXPECT_EQ(kWgFaultIllegalAddr, wg_store_check_lane(s, a + 511, 1));
  EXPECT_EQ(kWgFaultNone, wg_store_check(s, a + 384, 128)); // memory sees lines
  EXPECT_EQ(kWgFaultNone, wg_store_check_lane(s, v + 128, 16)); // the driver's: code is read by lines
  EXPECT_EQ(kWgFaultIllegalAddr, wg_store_check_lane(s, v + 256, 4));
}

TEST_F(StoreTest, HostAccessStaysInOneAllocation) {
  uint64_t a = Alloc(300), b = Alloc(300);
  uint8_t buf[600] = {1, 2, 3};
  EXPECT_EQ(kWgOk, wg_store_write(s, a, buf, 300, &d));
  EXPECT_EQ(kWgBadArg, wg_store_write(s, a, buf, 301, &d));
  EXPECT_EQ(kWgBadArg, wg_store_read(s, a + 299, buf, 2, &d));
  EXPECT_EQ(kWgBadArg, wg_store_memset(s, b + 300, 0, 1, &d));
  EXPECT_EQ(kWgBadArg, wg_store_read(s, 12, buf, 1, &d));
  EXPECT_STREQ("cannot read 1 bytes at 0xc: the address is in no device allocation", d.msg);
  uint64_t base = 0, n = 0;
  EXPECT_TRUE(wg_store_range(s, a + 299, &base, &n));
  EXPECT_EQ(a, base);
  EXPECT_EQ(300u, n);
  EXPECT_FALSE(wg_store_range(s, a + 300, nullptr, nullptr));
  EXPECT_TRUE(wg_store_nth(s, 1, &base, &n));
  EXPECT_EQ(b, base);
  EXPECT_FALSE(wg_store_nth(s, 2, &base, &n));
}

TEST_F(StoreTest, ContentsAreSparseAndCrossPages) {
  uint64_t a = Alloc(UINT64_C(60) << 30); // no host could hold it
  std::map<uint64_t, uint8_t> shadow;
  std::mt19937_64 rng(5);
  for (int i = 0; i < 500; i++) {
    uint64_t off = rng() % 8 * (UINT64_C(7) << 30) + rng() % 8 * 65536 + 65536 - rng() % 300;
    uint8_t v[600];
    std::memset(v, static_cast<int>(rng() % 256), sizeof v);
    uint64_t n = rng() % 600;
    if (i % 3 == 0) {
      ASSERT_EQ(kWgOk, wg_store_memset(s, a + off, v[0], n, &d)) << d.msg;
    } else {
      ASSERT_EQ(kWgOk, wg_store_write(s, a + off, v, n, &d)) << d.msg;
    }
    for (uint64_t k = 0; k < n; k++) shadow[off + k] = v[0];
  }
  wg_store_t *copy = nullptr;
  ASSERT_EQ(kWgOk, wg_store_clone(s, &copy, &d));
  for (auto &e : shadow) {
    uint8_t x = 0, y = 0;
    wg_store_peek(s, a + e.first, &x, 1);
    ASSERT_EQ(kWgOk, wg_store_read(copy, a + e.first, &y, 1, &d));
    ASSERT_EQ(e.second, x);
    ASSERT_EQ(e.second, y);
  }
  uint8_t big[200] = {1};
  wg_store_peek(s, a + (UINT64_C(59) << 30), big, sizeof big);
  for (uint8_t b : big) ASSERT_EQ(0, b);
  ASSERT_EQ(kWgOk, wg_store_memset(s, a, 0xee, 32, &d)); // the copy is a copy
  uint8_t z = 1;
  wg_store_peek(copy, a, &z, 1);
  EXPECT_NE(0xee, z);
  wg_store_destroy(copy);
}

TEST_F(StoreTest, SectorMaskWritesOnlyItsBytes) {
  uint64_t a = Alloc(64);
  uint8_t src[32], got[32];
  for (int i = 0; i < 32; i++) src[i] = static_cast<uint8_t>(i + 1);
  wg_store_poke_sector(s, a, src, 0x80000005);
  wg_store_peek(s, a, got, 32);
  for (int i = 0; i < 32; i++) EXPECT_EQ(i == 0 || i == 2 || i == 31 ? i + 1 : 0, got[i]);
  wg_store_poke_sector(s, a, src, UINT32_MAX);
  wg_store_peek(s, a, got, 32);
  EXPECT_EQ(0, std::memcmp(src, got, 32));
  wg_store_poke_sector(s, 0, src, UINT32_MAX); // outside: dropped
}

// The allocator against a simple list: no overlap, lowest hole first.
TEST_F(StoreTest, RandomAllocationsNeverOverlap) {
  std::mt19937 rng(11);
  std::map<uint64_t, uint64_t> live; // base -> end, rounded
  const uint64_t lo = WG_DEV_BASE + WG_DEV_DRIVER_BYTES;
  for (int i = 0; i < 5000; i++) {
    if (rng() % 2 || live.empty()) {
      uint64_t n = 1 + rng() % 3000, need = (n + 255) / 256 * 256, at = lo;
      for (auto &e : live) {
        if (e.first >= at + need) break;
        at = e.second;
      }
      uint64_t a = Alloc(n);
      ASSERT_EQ(at, a);
      live[a] = a + need;
    } else {
      auto it = live.begin();
      std::advance(it, rng() % live.size());
      ASSERT_EQ(kWgOk, wg_store_free(s, it->first, &d));
      live.erase(it);
    }
  }
}

}  // namespace
