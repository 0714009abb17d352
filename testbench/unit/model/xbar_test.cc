// SPDX-License-Identifier: Apache-2.0
//
// Crossbar: latency, one flit a cycle and port, credits, fairness, conservation.
#include "model/xbar/xbar.h"

#include <vector>

#include "gtest/gtest.h"

namespace {

wg_xbar_spec_t Spec() { return {4, 3, 7, 5, 2}; }

struct Xbar {
  wg_xbar_t *x = nullptr;
  uint64_t now = 0;
  Xbar(uint32_t sms, uint32_t slices, wg_xbar_spec_t s = Spec()) {
    wg_diag_t d{};
    EXPECT_EQ(kWgOk, wg_xbar_create(&s, sms, slices, &x, &d)) << d.msg;
  }
  ~Xbar() { wg_xbar_destroy(x); }
  void Push(uint16_t sm, uint32_t slice, uint8_t id = 0) {
    wg_mem_req_t q{};
    q.sm = sm;
    q.id = id;
    wg_xbar_push_req(x, slice, &q);
  }
};

TEST(XbarTest, RequestTakesItsLatency) {
  Xbar t(1, 1);
  t.Push(0, 0, 9);
  wg_xbar_tick(t.x, 0);
  for (uint64_t n = 0; n < 7; n++) EXPECT_EQ(nullptr, wg_xbar_peek_req(t.x, 0, n)) << n;
  ASSERT_NE(nullptr, wg_xbar_peek_req(t.x, 0, 7));
  EXPECT_EQ(9, wg_xbar_peek_req(t.x, 0, 7)->id);
  EXPECT_EQ(1u, wg_xbar_slices_pending(t.x));
  wg_xbar_pop_req(t.x, 0);
  EXPECT_EQ(0u, wg_xbar_slices_pending(t.x));
  EXPECT_EQ(0u, wg_xbar_open(t.x));
}

TEST(XbarTest, OneSmStreamsAFlitACycle) {
  Xbar t(1, 1);
  unsigned taken = 0;
  for (t.now = 0; t.now < 1007; t.now++) {
    while (wg_xbar_can_req(t.x, 0)) t.Push(0, 0);
    wg_xbar_tick(t.x, t.now);
    if (wg_xbar_peek_req(t.x, 0, t.now) != nullptr) {
      wg_xbar_pop_req(t.x, 0);
      taken++;
    }
  }
  EXPECT_EQ(1000u, taken);
}

TEST(XbarTest, ASliceIsSharedFairly) {
  Xbar t(5, 2);
  std::vector<unsigned> served(5);
  for (t.now = 0; t.now < 5000; t.now++) {
    for (uint16_t s = 0; s < 5; s++) {
      while (wg_xbar_can_req(t.x, s)) t.Push(s, 0);
    }
    wg_xbar_tick(t.x, t.now);
    if (const wg_mem_req_t *q = wg_xbar_peek_req(t.x, 0, t.now)) {
      served[q->sm]++;
      wg_xbar_pop_req(t.x, 0);
    }
  }
  for (unsigned s : served) EXPECT_NEAR(1000.0, s, 5.0);
  EXPECT_GT(wg_xbar_req_stalls(t.x), 0u);
}

TEST(XbarTest, ASliceTakesOneFlitACycle) {
  Xbar t(2, 1);
  t.Push(0, 0, 1);
  t.Push(1, 0, 2);
  wg_xbar_tick(t.x, 0);
  wg_xbar_tick(t.x, 1);
  ASSERT_NE(nullptr, wg_xbar_peek_req(t.x, 0, 7));
  EXPECT_EQ(1, wg_xbar_peek_req(t.x, 0, 7)->id);
  wg_xbar_pop_req(t.x, 0);
  EXPECT_EQ(nullptr, wg_xbar_peek_req(t.x, 0, 7));
  ASSERT_NE(nullptr, wg_xbar_peek_req(t.x, 0, 8));
  EXPECT_EQ(2, wg_xbar_peek_req(t.x, 0, 8)->id);
}

TEST(XbarTest, ManySmsReachManySlicesAtOnce) {
  Xbar t(144, 64);
  for (uint16_t s = 0; s < 64; s++) t.Push(static_cast<uint16_t>(s + 70), s);
  wg_xbar_tick(t.x, 100);
  for (uint32_t s = 0; s < 64; s++) EXPECT_NE(nullptr, wg_xbar_peek_req(t.x, s, 107)) << s;
}

TEST(XbarTest, AFullSliceHoldsRequestsBack) {
  Xbar t(1, 1);
  unsigned pushed = 0;
  for (t.now = 0; t.now < 100; t.now++) {
    while (wg_xbar_can_req(t.x, 0)) {
      t.Push(0, 0);
      pushed++;
    }
    wg_xbar_tick(t.x, t.now);
  }
  EXPECT_EQ(4u + 3 + 7, pushed); // SM queue, slice queue, way
  EXPECT_EQ(pushed, wg_xbar_open(t.x));
}

TEST(XbarTest, ResponsesArriveInOrderAtThePortsRate) {
  Xbar t(2, 1);
  unsigned sent = 0, got = 0;
  wg_mem_rsp_t r{}, o;
  r.sm = 1;
  for (t.now = 0; t.now < 1005; t.now++) {
    while (wg_xbar_pop_rsp(t.x, 1, t.now, &o)) {
      EXPECT_EQ(static_cast<uint8_t>(got), o.id);
      got++;
    }
    unsigned n = 0;
    for (; wg_xbar_can_rsp(t.x, 1, t.now); n++) {
      r.id = static_cast<uint8_t>(sent++);
      wg_xbar_push_rsp(t.x, &r, t.now);
    }
    EXPECT_EQ(2u, n);
    EXPECT_EQ(got, t.now < 5 ? 0u : 2u * static_cast<unsigned>(t.now - 4));
  }
}

TEST(XbarTest, BadSpecsAreRefused) {
  wg_xbar_t *x = nullptr;
  wg_diag_t d{};
  wg_xbar_spec_t s = Spec();
  EXPECT_EQ(kWgBadArg, wg_xbar_create(&s, 0, 1, &x, &d));
  s.rsp_per_cycle = 3;
  EXPECT_EQ(kWgBadArg, wg_xbar_create(&s, 1, 1, &x, &d));
}

}  // namespace
