// SPDX-License-Identifier: Apache-2.0
//
// Plans and figures without a store: axes, their order, values; what a document's numbers are called.
#include <unistd.h>

#include <cstring>
#include <string>
#include <vector>

#include "cosim/sweep/sweep.h"
#include "gtest/gtest.h"

namespace {

struct Plan {
  sweep_plan_t p{};
  wg_diag_t d{};
  ~Plan() { sweep_plan_free(&p); }
  wg_status_t Add(const char *name, const char *text) { return sweep_plan_add(&p, name, text, &d); }
  std::string Axes() {
    std::string s;
    for (size_t i = 0; i < p.num_axes; i++) {
      s += std::string(i == 0 ? "" : "; ") + p.axes[i].name + ":";
      for (size_t k = 0; k < p.axes[i].n; k++) s += std::string(" ") + p.axes[i].values[k];
    }
    return s;
  }
};

TEST(SweepPlanTest, OrderDoesNotDependOnThatOfTheOptions) {
  Plan a;
  EXPECT_EQ(kWgOk, a.Add("seed", "1..3"));
  EXPECT_EQ(kWgOk, a.Add("set sm.mshrs", "4  8"));
  EXPECT_EQ(kWgOk, a.Add("sched", "lrr gto swl:2,1"));
  EXPECT_EQ(kWgOk, a.Add("set l2.ways", "2"));
  EXPECT_EQ(kWgOk, a.Add("args", "256 7"));
  EXPECT_EQ(kWgOk, a.Add("args", ""));
  EXPECT_EQ(kWgOk, a.Add("program", "./x y"));
  EXPECT_EQ(kWgOk, sweep_plan_finish(&a.p, &a.d));
  EXPECT_EQ("program: ./x y; args: 256 7 ; set l2.ways: 2; set sm.mshrs: 4 8; sched: lrr gto swl:2,1; seed: 1 2 3", a.Axes());
  EXPECT_EQ(36u, a.p.num_points);
}

TEST(SweepPlanTest, WrittenAndReadAgainItIsTheSamePlan) {
  const std::string path = testing::TempDir() + "written.plan";
  Plan a, b, c;
  EXPECT_EQ(kWgOk, a.Add("program", "reduce"));
  EXPECT_EQ(kWgOk, a.Add("program", "./x y"));
  EXPECT_EQ(kWgOk, a.Add("program", "/abs/z"));
  EXPECT_EQ(kWgOk, a.Add("args", "  256 a#b "));
  EXPECT_EQ(kWgOk, a.Add("args", ""));
  EXPECT_EQ(kWgOk, a.Add("set sm.mshrs", "4 8"));
  EXPECT_EQ(kWgOk, a.Add("seed", "1..12"));
  EXPECT_EQ(kWgOk, sweep_plan_finish(&a.p, &a.d));
  ASSERT_EQ(kWgOk, sweep_plan_write(&a.p, path.c_str(), &a.d)) << a.d.msg;
  ASSERT_EQ(kWgOk, sweep_plan_file(&b.p, path.c_str(), &b.d)) << b.d.msg;
  EXPECT_EQ(kWgOk, sweep_plan_finish(&b.p, &b.d));
  char cwd[4096];
  ASSERT_NE(nullptr, getcwd(cwd, sizeof cwd));
  std::string axes = a.Axes();
  axes.replace(axes.find(" ./x y"), 6, std::string(" ") + cwd + "/./x y");
  EXPECT_EQ(axes, b.Axes());
  EXPECT_EQ(a.p.num_points, b.p.num_points);
  EXPECT_EQ(kWgOk, c.Add("program", "reduce"));
  EXPECT_EQ(kWgOk, c.Add("args", "1 #2")); /* a comment, in a file */
  EXPECT_EQ(kWgOk, sweep_plan_finish(&c.p, &c.d));
  EXPECT_EQ(kWgBadInput, sweep_plan_write(&c.p, path.c_str(), &c.d));
  EXPECT_NE(nullptr, strstr(c.d.msg, "axis 'args' cannot stand in a plan file")) << c.d.msg;
}

TEST(SweepTodoTest, PartsAreEvenAndDoNotOverlap) {
  for (unsigned n : {0u, 1u, 7u, 24u}) {
    for (unsigned parts : {1u, 2u, 5u, 9u}) {
      std::vector<int> seen(n, 0);
      for (unsigned k = 0; k < parts; k++) {
        std::vector<sweep_todo_t> t(n + 1);
        for (unsigned i = 0; i < n; i++) t[i].index = i;
        size_t kept = sweep_todo_part(t.data(), n, k, parts);
        EXPECT_EQ((n + parts - 1 - k) / parts, kept);
        for (size_t i = 0; i < kept; i++) seen[t[i].index]++;
      }
      EXPECT_EQ(std::vector<int>(n, 1), seen);
    }
  }
}

TEST(SweepTodoTest, TheDigestIsThatOfAllKeys) {
  sweep_todo_t t[2] = {};
  char one[kSweepHex], both[kSweepHex], other[kSweepHex];
  strcpy(t[0].key, "aa");
  strcpy(t[1].key, "bb");
  sweep_todo_digest(t, 1, one);
  sweep_todo_digest(t, 2, both);
  t[1].key[0] = 'c';
  sweep_todo_digest(t, 2, other);
  EXPECT_EQ(64u, strlen(both));
  EXPECT_STRNE(one, both);
  EXPECT_STRNE(other, both);
  sweep_known_t known[2] = {{"aa", true}, {"bb", false}};
  EXPECT_EQ(1, sweep_known_has(known, 2, "aa"));
  EXPECT_EQ(2, sweep_known_has(known, 2, "bb"));
  EXPECT_EQ(0, sweep_known_has(known, 2, "cc"));
  EXPECT_EQ(0, sweep_known_has(nullptr, 0, "aa"));
}

TEST(SweepPlanTest, WhatCannotBeIsRefused) {
  Plan a;
  EXPECT_EQ(kWgBadInput, a.Add("shced", "lrr"));
  EXPECT_NE(nullptr, strstr(a.d.hint, "did you mean 'sched'")) << a.d.hint;
  EXPECT_EQ(kWgBadInput, a.Add("set ", "1"));
  EXPECT_EQ(kWgBadInput, a.Add("seed", "  "));
  EXPECT_EQ(kWgBadInput, a.Add("seed", "5..4"));
  EXPECT_EQ(kWgBadInput, a.Add("seed", "0..1000000"));
  EXPECT_EQ(kWgOk, a.Add("program", "x"));
  EXPECT_EQ(kWgOk, a.Add("limit", "1..3 2"));
  EXPECT_EQ(kWgBadInput, sweep_plan_finish(&a.p, &a.d));
  EXPECT_NE(nullptr, strstr(a.d.msg, "twice")) << a.d.msg;
  Plan b;
  EXPECT_EQ(kWgOk, b.Add("seed", "1..100000"));
  EXPECT_EQ(kWgBadInput, sweep_plan_finish(&b.p, &b.d)); /* no program */
  EXPECT_EQ(kWgOk, b.Add("program", "x"));
  EXPECT_EQ(kWgOk, b.Add("limit", "1..1000"));
  EXPECT_EQ(kWgBadInput, sweep_plan_finish(&b.p, &b.d));
  EXPECT_NE(nullptr, strstr(b.d.msg, "more than")) << b.d.msg;
}

TEST(SweepPlanTest, WordsThatOnlyLookLikeRanges) {
  Plan a;
  EXPECT_EQ(kWgOk, a.Add("order", "1,0 1..x 1.5"));
  EXPECT_EQ("order: 1,0 1..x 1.5", a.Axes());
}

TEST(SweepStatsTest, EveryNumberAndWordByItsName) {
  static const char kDoc[] =
      R"({"schema": "s-1", "setup": {"sms": 2, "clock": true}, "launches": [{"cycles": 18446744073, "rates": {"x": 0.25}, "grid": [4, 1]},
          {"cycles": 7, "name": "k", "none": null}]})";
  sweep_result_t r{};
  wg_diag_t d{};
  ASSERT_EQ(kWgOk, sweep_stats_read(kDoc, strlen(kDoc), &r, &d)) << d.msg;
  std::string all;
  for (size_t i = 0; i < r.num_stats; i++) {
    all += std::to_string(r.stats[i].launch) + " " + r.stats[i].name + "=" + r.stats[i].text + (r.stats[i].word ? "'\n" : "\n");
  }
  EXPECT_EQ("0 schema=s-1'\n0 setup.sms=2\n1 cycles=18446744073\n1 rates.x=0.25\n1 grid.0=4\n1 grid.1=1\n2 cycles=7\n2 name=k'\n", all);
  sweep_result_free(&r);
  EXPECT_EQ(kWgBadInput, sweep_stats_read("[1]", 3, &r, &d));
  sweep_result_free(&r);
  EXPECT_EQ(kWgBadInput, sweep_stats_read("{", 1, &r, &d));
  EXPECT_NE(nullptr, strstr(d.msg, "cannot be read")) << d.msg;
}

TEST(SweepTableTest, ValuesHaveOneOrder) {
  const char *sorted[] = {"2", "10", "0x20", "5:1", "lrr"};
  for (size_t i = 0; i < 5; i++) {
    for (size_t k = 0; k < 5; k++) {
      int c = sweep_value_compare(sorted[i], sorted[k]);
      EXPECT_EQ(i < k, c < 0) << sorted[i] << " " << sorted[k];
      EXPECT_EQ(i == k, c == 0) << sorted[i] << " " << sorted[k];
    }
  }
  EXPECT_LT(sweep_value_compare(nullptr, "a"), 0);
  EXPECT_EQ(0, sweep_value_compare(nullptr, nullptr));
}

}  // namespace
