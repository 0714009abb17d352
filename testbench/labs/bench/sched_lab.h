// SPDX-License-Identifier: Apache-2.0
//
// A policy whose order is known, for lab 7. The including file defines `unsigned order(const Seen &, unsigned eligible)`, the
// slot that the policy picks among the eligible ones, which are not none.
#ifndef WG_TESTBENCH_LABS_SCHED_LAB_H
#define WG_TESTBENCH_LABS_SCHED_LAB_H

#include "testbench/labs/bench/sched_any.h"

namespace {

unsigned order(const Seen &s, unsigned eligible);

TEST(SchedLab, ItsOrder) {
  Sched s(3);
  for (unsigned i = 0; i < 6000; i++) {
    const unsigned e = s.some();
    const int got = s.pick(e), want = e != 0 ? int(order(s.seen, e)) : -1;
    ASSERT_EQ(got, want) << "eligible " << slot_set(e) << ", last " << (s.seen.any ? int(s.seen.last) : -1)
        << ", cycle " << i;
    s.issue(got);
    if (s.rng.chance(3)) s.shuffle();
  }
}

TEST(SchedLab, ResetForgets) {
  Sched s(4);
  for (unsigned i = 0; i < 2000; i++) {
    const unsigned e = s.some();
    const int got = s.pick(e), want = e != 0 ? int(order(s.seen, e)) : -1;
    ASSERT_EQ(got, want) << "eligible " << slot_set(e) << ", cycle " << i;
    s.issue(got);
    if (s.rng.chance(20)) s.reset(), s.shuffle();
  }
}

TEST(SchedLab, FollowsWhatIssues) {   /* another one than it picked, or none: the progress rule, the pick port */
  Sched s(5);
  for (unsigned i = 0; i < 6000; i++) {
    const unsigned e = s.some();
    const int got = s.pick(e), want = e != 0 ? int(order(s.seen, e)) : -1;
    ASSERT_EQ(got, want) << "eligible " << slot_set(e) << ", last issued "
        << (s.seen.any ? int(s.seen.last) : -1) << ", cycle " << i;
    s.issue(s.rng.chance(40) ? int(s.rng.below(kSlots)) : s.rng.chance(30) ? -1 : got);
    if (s.rng.chance(3)) s.shuffle();
  }
}

TEST(SchedLab, OffIsOff) {
  Sched s(6);
  for (unsigned i = 0; i < 3000; i++) {
    s.top.en_i = s.rng.chance(60);
    const unsigned e = s.some();
    const int got = s.pick(e), want = e != 0 && s.top.en_i ? int(order(s.seen, e)) : -1;
    ASSERT_EQ(got, want) << "en_i " << int(s.top.en_i) << " eligible " << slot_set(e) << ", cycle " << i;
    s.issue(int(s.rng.below(kSlots)));
  }
}

}  // namespace

#endif
