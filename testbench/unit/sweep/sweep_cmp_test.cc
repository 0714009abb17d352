// SPDX-License-Identifier: Apache-2.0
//
// Comparison with a baseline: ratios by seed, intervals, geometric means, what is no number.
#include "cosim/sweep/sweep_cmp.h"

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace {

/* A table with the labels program, sched, seed and one figure. */
class Table {
 public:
  void Add(const char *program, const char *sched, const char *seed, const char *figure, bool ok = true, const char *key = "k") {
    texts_.push_back({program, sched, seed, figure == nullptr ? "" : figure, key});
    has_.push_back(figure != nullptr);
    ok_.push_back(ok);
  }
  sweep_table_t *Get() {
    static const char *kStat = "cycles";
    labels_.resize(texts_.size());
    stats_.resize(texts_.size());
    rows_.clear();
    for (size_t i = 0; i < texts_.size(); i++) {
      for (size_t c = 0; c < 3; c++) labels_[i].push_back(const_cast<char *>(texts_[i][c].c_str()));
      stats_[i].push_back(has_[i] ? const_cast<char *>(texts_[i][3].c_str()) : nullptr);
      sweep_row_t r{};
      r.ok = ok_[i];
      r.key = const_cast<char *>(texts_[i][4].c_str());
      r.build = const_cast<char *>("0");
      r.labels = labels_[i].data();
      r.stats = stats_[i].data();
      rows_.push_back(r);
    }
    t_.cols = cols_;
    t_.num_cols = 3;
    t_.stat_names = &kStat;
    t_.num_stats = 1;
    t_.rows = rows_.data();
    t_.num_rows = rows_.size();
    return &t_;
  }

 private:
  std::vector<std::vector<std::string>> texts_;
  std::vector<bool> has_, ok_;
  std::vector<std::vector<char *>> labels_, stats_;
  std::vector<sweep_row_t> rows_;
  char program_[8] = "program", sched_[6] = "sched", seed_[5] = "seed";
  char *cols_[3] = {program_, sched_, seed_};
  sweep_table_t t_{};
};

struct Cmp {
  sweep_cmp_t c{};
  wg_diag_t d{};
  wg_status_t st;
  Cmp(Table &t, const char *axis, const char *value, bool inverse = false) { st = sweep_compare(t.Get(), nullptr, &axis, &value, 1, inverse, &c, &d); }
  ~Cmp() { sweep_cmp_free(&c); }
  const sweep_cell_t &At(const char *row, const char *col) {
    for (size_t r = 0; r < c.num_rows; r++) {
      for (size_t k = 0; k < c.num_cols; k++) {
        if (strcmp(c.rows[r], row) == 0 && strcmp(c.cols[k], col) == 0) return c.cells[r * c.num_cols + k];
      }
    }
    ADD_FAILURE() << "no cell " << row << ", " << col;
    return c.cells[0];
  }
};

TEST(SweepCmpTest, RatiosAndGeometricMean) {
  Table t;
  t.Add("a", "gto", "0", "50");
  t.Add("a", "lrr", "0", "100");
  t.Add("b", "gto", "0", "200");
  t.Add("b", "lrr", "0", "100");
  Cmp x(t, "sched", "lrr");
  ASSERT_EQ(kWgOk, x.st) << x.d.msg;
  EXPECT_DOUBLE_EQ(0.5, x.At("a", "sched=gto").ratio);
  EXPECT_DOUBLE_EQ(2.0, x.At("b", "sched=gto").ratio);
  EXPECT_TRUE(std::isnan(x.At("a", "sched=gto").half)); /* one seed: no interval */
  EXPECT_STREQ("sched=lrr", x.c.cols[x.c.base]);
  EXPECT_EQ(2u, x.c.whole);
  EXPECT_NEAR(1.0, x.c.geomean[1 - x.c.base], 1e-12); /* sqrt(0.5 * 2), not their mean */
  Cmp y(t, "sched", "lrr", true);
  EXPECT_DOUBLE_EQ(2.0, y.At("a", "sched=gto").ratio);
}

TEST(SweepCmpTest, SeedsArePairedAndGiveAnInterval) {
  Table t;
  const char *base[] = {"100", "200", "400"}, *other[] = {"110", "240", "520"}; /* ratios 1.1, 1.2, 1.3 */
  const char *seeds[] = {"1", "2", "3"};
  for (int i = 0; i < 3; i++) t.Add("a", "gto", seeds[i], other[i]);
  for (int i = 0; i < 3; i++) t.Add("a", "lrr", seeds[i], base[i]);
  t.Add("a", "old", "1", "50"); /* one seed of three */
  Cmp x(t, "sched", "lrr");
  ASSERT_EQ(kWgOk, x.st) << x.d.msg;
  const sweep_cell_t &c = x.At("a", "sched=gto");
  EXPECT_EQ(3u, c.seeds);
  EXPECT_NEAR(1.2, c.ratio, 1e-12); /* of the means it would be 870 / 700 */
  EXPECT_NEAR(290, c.mean, 1e-9);
  EXPECT_NEAR(4.303 * 0.1 / std::sqrt(3.0), c.half, 1e-9); /* t of 2 degrees, standard deviation 0.1 */
  EXPECT_EQ(1u, x.At("a", "sched=old").seeds);
  EXPECT_DOUBLE_EQ(0.5, x.At("a", "sched=old").ratio);
}

TEST(SweepCmpTest, WhatIsNoNumberIsNeverOne) {
  Table t;
  t.Add("a", "gto", "0", nullptr, false);
  t.Add("a", "lrr", "0", "100");
  t.Add("b", "gto", "0", "90");
  t.Add("b", "lrr", "0", nullptr, false); /* the baseline failed */
  t.Add("c", "gto", "0", "90");           /* no baseline */
  t.Add("d", "gto", "0", "90");
  t.Add("d", "lrr", "0", "0");
  t.Add("e", "gto", "0", "90");
  t.Add("e", "lrr", "0", nullptr); /* no such figure */
  t.Add("f", "gto", "0", "90");
  t.Add("f", "lrr", "0", "100");
  Cmp x(t, "sched", "lrr");
  ASSERT_EQ(kWgOk, x.st) << x.d.msg;
  EXPECT_EQ(kCmpFailed, x.At("a", "sched=gto").kind);
  EXPECT_EQ(kCmpFailed, x.At("b", "sched=gto").kind);
  EXPECT_EQ(kCmpMissing, x.At("c", "sched=gto").kind);
  EXPECT_EQ(kCmpNoValue, x.At("d", "sched=gto").kind);
  EXPECT_EQ(kCmpNoValue, x.At("e", "sched=gto").kind);
  EXPECT_EQ(1u, x.c.whole);
  EXPECT_NEAR(0.9, x.c.geomean[1 - x.c.base], 1e-12);
}

/** Where no row has every column, the columns that are in every row keep their means, and the others are named. */
TEST(SweepCmpTest, AColumnWithGapsTakesNoOtherMeanAway) {
  Table t;
  for (const char *row : {"a", "b"}) {
    t.Add(row, "gto", "0", strcmp(row, "a") == 0 ? "50" : "200");
    t.Add(row, "lrr", "0", "100");
  }
  t.Add("a", "old", "0", "70");
  t.Add("b", "rr", "0", "70");
  Cmp x(t, "sched", "lrr");
  ASSERT_EQ(kWgOk, x.st) << x.d.msg;
  char none[100];
  EXPECT_EQ(2u, x.c.whole);
  EXPECT_EQ(2u, sweep_cmp_no_mean(&x.c, none, sizeof none));
  EXPECT_TRUE(strcmp(none, "sched=old, sched=rr") == 0 || strcmp(none, "sched=rr, sched=old") == 0) << none;
  for (size_t k = 0; k < x.c.num_cols; k++) {
    if (strstr("sched=gto sched=lrr", x.c.cols[k]) != nullptr) EXPECT_NEAR(1.0, x.c.geomean[k], 1e-12) << x.c.cols[k];
    else EXPECT_TRUE(std::isnan(x.c.geomean[k])) << x.c.cols[k];
  }
}

TEST(SweepCmpTest, SeedsThatAgreeAreToldAsSuch) {
  Table t;
  for (const char *sched : {"gto", "lrr", "old"}) {
    for (const char *seed : {"1", "2", "3"}) t.Add("a", sched, seed, strcmp(sched, "old") == 0 ? seed : strcmp(sched, "gto") == 0 ? "33" : "100");
  }
  Cmp x(t, "sched", "lrr");
  ASSERT_EQ(kWgOk, x.st) << x.d.msg;
  EXPECT_TRUE(sweep_cell_same(&x.At("a", "sched=gto")));
  EXPECT_FALSE(sweep_cell_same(&x.At("a", "sched=old")));
}

TEST(SweepCmpTest, TheSeedCanBeTheAxis) {
  Table t;
  t.Add("a", "lrr", "1", "100");
  t.Add("a", "lrr", "2", "150");
  Cmp x(t, "seed", "1");
  ASSERT_EQ(kWgOk, x.st) << x.d.msg;
  EXPECT_DOUBLE_EQ(1.5, x.At("a", "seed=2").ratio);
}

TEST(SweepCmpTest, WordsAndBuildsAreChecked) {
  Table t;
  t.Add("a", "gto", "0", "50");
  t.Add("a", "lrr", "0", "100");
  Cmp axis(t, "shced", "lrr"), value(t, "sched", "lr"), lone(t, "program", "a");
  EXPECT_EQ(kWgBadInput, axis.st);
  EXPECT_NE(nullptr, strstr(axis.d.hint, "did you mean 'sched'")) << axis.d.hint;
  EXPECT_EQ(kWgBadInput, value.st);
  EXPECT_NE(nullptr, strstr(value.d.hint, "did you mean 'lrr'")) << value.d.hint;
  EXPECT_EQ(kWgBadInput, lone.st);
  t.Add("a", "lrr", "0", "101", true, "other");
  Cmp twice(t, "sched", "gto");
  EXPECT_EQ(kWgBadInput, twice.st);
  EXPECT_NE(nullptr, strstr(twice.d.msg, "two builds")) << twice.d.msg;
}

/* A table as a store gives it: rows own their strings, which a pick may free. */
class Owned {
 public:
  Owned() {
    t_.num_cols = 2;
    t_.cols = cols_;
  }
  ~Owned() {
    for (size_t i = 0; i < t_.num_rows; i++) sweep_row_free(&t_, &rows_[i]);
  }
  void Add(const char *program, const char *sched, const char *plugin, const char *when, const char *run_time = "aaaaaaaa", bool ok = true) {
    sweep_row_t r{};
    r.id = (int64_t)rows_.size() + 1;
    r.ok = ok;
    r.recorded = strdup(when);
    r.build = strdup(plugin);
    r.key = strdup("k");
    r.labels = (char **)calloc(3, sizeof(char *));
    r.labels[0] = strdup(program);
    r.labels[1] = strdup(sched);
    for (auto &m : r.made) strcpy(m, "none");
    strcpy(r.made[kSweepPlugin], plugin);
    strcpy(r.made[kSweepRunTime], run_time);
    rows_.push_back(r);
    t_.rows = rows_.data();
    t_.num_rows = rows_.size();
  }
  /* What stays, as "program sched plug-in"; the note is in `note`. */
  std::vector<std::string> Pick(const char *build) {
    std::vector<std::string> left;
    st = sweep_table_pick(&t_, build, note, sizeof note, &d);
    for (size_t i = 0; st == kWgOk && i < t_.num_rows; i++)
      left.push_back(std::string(t_.rows[i].labels[0]) + " " + t_.rows[i].labels[1] + " " + t_.rows[i].made[kSweepPlugin]);
    return left;
  }
  char note[2000];
  wg_diag_t d{};
  wg_status_t st = kWgOk;

 private:
  std::vector<sweep_row_t> rows_;
  char program_[8] = "program", sched_[6] = "sched";
  char *cols_[2] = {program_, sched_};
  sweep_table_t t_{};
};

using Rows = std::vector<std::string>;

TEST(SweepPickTest, TheNewestBuildStaysAndNothingOfTheOldOne) {
  Owned t; /* rows as sorted: p, q; the new build has not run q */
  t.Add("p", "c:x", "11111111", "2026-01-01T00:00:02Z");
  t.Add("p", "c:x", "22222222", "2026-01-01T00:00:01Z");
  t.Add("p", "lrr", "none", "2026-01-01T00:00:00Z");
  t.Add("q", "c:x", "22222222", "2026-01-01T00:00:01Z");
  EXPECT_EQ((Rows{"p c:x 11111111", "p lrr none"}), t.Pick("newest"));
  EXPECT_STREQ("left out: 2 points of another build (plug-in of c:x: 22222222, the one here is 11111111); --build 22222222 takes the other", t.note);
}

TEST(SweepPickTest, AHashTakesTheOtherBuild) {
  Owned t;
  t.Add("p", "c:x", "11111111", "2026-01-01T00:00:02Z");
  t.Add("p", "c:x", "22222222", "2026-01-01T00:00:01Z");
  t.Add("q", "c:x:5", "11111111", "2026-01-01T00:00:02Z"); /* the same plug-in, with a knob */
  t.Add("q", "c:y", "33333333", "2026-01-01T00:00:02Z");
  EXPECT_EQ((Rows{"p c:x 22222222", "q c:y 33333333"}), t.Pick("2222"));
  Owned none;
  none.Add("p", "c:x", "11111111", "2026-01-01T00:00:02Z");
  EXPECT_TRUE(none.Pick("22222222").empty());
  EXPECT_EQ(kWgBadInput, none.st);
  EXPECT_NE(nullptr, strstr(none.d.msg, "'22222222'")) << none.d.msg;
  Owned brief;
  brief.Add("p", "c:x", "11111111", "2026-01-01T00:00:02Z");
  EXPECT_TRUE(brief.Pick("111").empty()); /* three digits may be anything */
}

TEST(SweepPickTest, ABuildOfFailuresAloneIsNone) {
  Owned t;
  t.Add("p", "c:x", "11111111", "2026-01-01T00:00:01Z");
  t.Add("p", "c:x", "22222222", "2026-01-01T00:00:02Z", "aaaaaaaa", false);
  t.Add("q", "c:x", "22222222", "2026-01-01T00:00:02Z", "aaaaaaaa", false); /* no other one: it stays visible */
  EXPECT_EQ((Rows{"p c:x 11111111", "q c:x 22222222"}), t.Pick("newest"));
  EXPECT_NE(nullptr, strstr(t.note, "left out: 1 point that failed, of a build of which no run has succeeded")) << t.note;
  Owned u; /* but one that ran elsewhere is a build, and its failure a result */
  u.Add("p", "c:x", "11111111", "2026-01-01T00:00:01Z");
  u.Add("p", "c:x", "22222222", "2026-01-01T00:00:02Z", "aaaaaaaa", false);
  u.Add("q", "c:x", "22222222", "2026-01-01T00:00:02Z");
  EXPECT_EQ((Rows{"p c:x 22222222", "q c:x 22222222"}), u.Pick("newest"));
}

TEST(SweepPickTest, WhatStaysMixedIsSaid) {
  Owned t;
  t.Add("p", "c:x", "11111111", "2026-01-01T00:00:01Z", "aaaaaaaa");
  t.Add("p", "lrr", "none", "2026-01-01T00:00:02Z", "bbbbbbbb");
  EXPECT_EQ(2u, t.Pick("newest").size());
  EXPECT_STREQ("mixed: some points are of the run-time library aaaaaaaa, others of bbbbbbbb; --build HASH takes one, a sweep run again makes them one",
               t.note);
  EXPECT_EQ((Rows{"p lrr none"}), t.Pick("bbbb"));
  Owned same;
  same.Add("p", "c:x", "11111111", "2026-01-01T00:00:01Z");
  same.Add("p", "c:y", "22222222", "2026-01-01T00:00:01Z");
  EXPECT_EQ(2u, same.Pick("newest").size());
  EXPECT_STREQ("", same.note);
}

TEST(SweepCmpTest, StudentsT) {
  EXPECT_DOUBLE_EQ(12.706, sweep_t95(1));
  EXPECT_DOUBLE_EQ(2.042, sweep_t95(30));
  EXPECT_DOUBLE_EQ(2.021, sweep_t95(40));
  EXPECT_NEAR(2.009, sweep_t95(50), 0.001);
  EXPECT_NEAR(1.984, sweep_t95(100), 0.001);
  EXPECT_NEAR(1.960, sweep_t95(1000000), 0.0001);
}

}  // namespace
