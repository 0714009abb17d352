// SPDX-License-Identifier: Apache-2.0
//
// Sum rules of a launch between rooms.
#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "cosim/session_int.h"

namespace {

struct Launch {
  wg_launch_result_t r;
  wg_session_sums_t of{true, 2, 40, 8};  // blocks of 40 threads, two SMs of four sub-cores
  Launch() {
    memset(&r, 0, sizeof r);
    r.cycles = 100;
    r.warp_insts = 30;
    r.launched_blocks = r.gte.launched = 3;
    r.launched_warps = 6;
    r.launched_threads = 120;
    r.gte.resident_warp_cycles = 500;
    r.slot_cycles[kWgReasonIssued] = r.warp_cycles[kWgReasonIssued] = 30;
    r.slot_cycles[kWgReasonNoWarp] = 770;
    r.warp_cycles[kWgReasonDepLong] = 470;
  }
  std::string Says() const {
    wg_diag_t d{};
    return wg_session_sums(&r, &of, &d) == kWgOk ? "" : d.msg;
  }
};

TEST(SessionSumsTest, EachRuleIsBrokenOnce) {
  EXPECT_EQ("", Launch().Says());
  const struct {
    uint64_t wg_launch_result_t::*field;
    const char *says;
  } rules[] = {{&wg_launch_result_t::launched_blocks, "blocks that began on SMs, 4, are not blocks that the GigaThread engine sent, 3"},
               {&wg_launch_result_t::launched_warps, "warps that began on SMs, 7, are not warps of these blocks, 6"},
               {&wg_launch_result_t::launched_threads, "threads that began on SMs, 121, are not threads of these blocks, 120"},
               {&wg_launch_result_t::cycles, "issue slots with an owner, 800, are not cycles x sub-cores x SMs, 808"},
               {&wg_launch_result_t::warp_insts, "cycles in which a warp issued, 30, are not warp instructions, 31"}};
  for (const auto &rule : rules) {
    Launch l;
    l.r.*rule.field += 1;
    EXPECT_EQ(std::string("counters of the launch do not add up: ") + rule.says, l.Says());
  }
  Launch l;
  l.r.warp_cycles[kWgReasonDepLong]++;
  EXPECT_EQ("counters of the launch do not add up: warp cycles on SMs beyond their blocks', 1, are not 0, 0", l.Says());
}

// What was not counted breaks no rule: no checker, no RTL.
TEST(SessionSumsTest, WhatWasNotCountedIsNotCompared) {
  Launch l;
  l.of.counted = false;
  l.r.launched_blocks = l.r.launched_warps = l.r.launched_threads = l.r.warp_insts = 0;
  EXPECT_EQ("", l.Says());
  memset(l.r.slot_cycles, 0, sizeof l.r.slot_cycles);
  memset(l.r.warp_cycles, 0, sizeof l.r.warp_cycles);
  EXPECT_EQ("", l.Says());
}

}  // namespace
