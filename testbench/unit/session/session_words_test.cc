// SPDX-License-Identifier: Apache-2.0
#include "cosim/session_words.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>

namespace {

TEST(SessionWordsTest, CountsEdits) {
  EXPECT_EQ(0u, wg_word_distance("sched", "sched"));
  EXPECT_EQ(1u, wg_word_distance("shed", "sched"));
  EXPECT_EQ(1u, wg_word_distance("scehd", "sched"));  // neighbours swapped
  EXPECT_EQ(3u, wg_word_distance("", "abc"));
  EXPECT_EQ(3u, wg_word_distance("kitten", "sitting"));
  EXPECT_EQ(64u, wg_word_distance(std::string(100, 'x').c_str(), "x"));
}

TEST(SessionWordsTest, NamesOnlyWhatIsNear) {
  const char *const known[] = {"preset", "sched", "check", nullptr};
  EXPECT_STREQ("preset", wg_word_nearest("prset", known));
  EXPECT_STREQ("check", wg_word_nearest("chekc", known));
  EXPECT_EQ(nullptr, wg_word_nearest("zzzzzz", known));
}

TEST(SchedChoice, NamesAndKnobs) {
  wg_sched_choice_t c;
  wg_diag_t d;
  memset(&d, 0, sizeof d);
  ASSERT_EQ(kWgOk, wg_sched_choice_parse("gto", &c, &d));
  EXPECT_EQ(kWgSchedBuiltIn, c.kind);
  EXPECT_EQ(unsigned{kWgPolicyGto}, c.policy);
  EXPECT_EQ(0u, c.num_knobs);
  ASSERT_EQ(kWgOk, wg_sched_choice_parse("ccws:100,0x32", &c, &d));
  EXPECT_EQ(unsigned{kWgPolicyCcws}, c.policy);
  EXPECT_EQ(2u, c.num_knobs);
  EXPECT_EQ(100u, c.knob[0]);
  EXPECT_EQ(50u, c.knob[1]);
  EXPECT_EQ(0u, c.knob[3]);
  ASSERT_EQ(kWgOk, wg_sched_choice_parse("c:robin:1,2,3,4294967295", &c, &d));
  EXPECT_EQ(kWgSchedC, c.kind);
  EXPECT_EQ(unsigned{kWgPolicyExt}, c.policy);
  EXPECT_STREQ("robin", c.name);
  EXPECT_EQ(4294967295u, c.knob[3]);
  ASSERT_EQ(kWgOk, wg_sched_choice_parse("plugin:gto", &c, &d));
  EXPECT_EQ(kWgSchedPlugin, c.kind);
  EXPECT_STREQ("gto", c.name);
}

/* Every knob that a policy's line of isa/cfg.def names has a range there, and only what lies in it is taken. */
TEST(SchedChoice, KnobsHaveRanges) {
  const struct {
    const char *name;
    unsigned knob;
    uint32_t most;
  } kKnobs[] = {{"twolevel", 0, 16}, {"swl", 0, 16}, {"ccws", 0, 4095}, {"ccws", 1, 65535}, {"gcaws", 0, 255}};
  wg_sched_choice_t c;
  for (const auto &k : kKnobs) {
    std::string front = std::string(k.name) + ":" + (k.knob == 1 ? "0," : "");
    wg_diag_t d;
    memset(&d, 0, sizeof d);
    EXPECT_EQ(kWgOk, wg_sched_choice_parse((front + std::to_string(k.most)).c_str(), &c, &d)) << front;
    EXPECT_EQ(kWgOk, wg_sched_choice_parse((front + "0").c_str(), &c, &d)) << front;
    EXPECT_EQ(kWgBadInput, wg_sched_choice_parse((front + std::to_string(k.most + 1)).c_str(), &c, &d)) << front;
    EXPECT_NE(nullptr, strstr(d.hint, ("1 to " + std::to_string(k.most) + ";").c_str())) << d.hint;
  }
  wg_diag_t d;
  memset(&d, 0, sizeof d);
  EXPECT_EQ(kWgBadInput, wg_sched_choice_parse("swl:2,5", &c, &d)) << "it has one knob";
  EXPECT_EQ(kWgOk, wg_sched_choice_parse("c:mine:99999", &c, &d)) << "its own matter";
  int named = 0;
#define WG_POLICY(ID, VALUE, NAME, DOC) \
  for (const char *at = DOC; (at = strstr(at, "knob ")) != nullptr; at++) named++;
#include "isa/cfg.def"
  EXPECT_EQ(5, named) << "a knob is missing above";
}

TEST(SchedChoice, BadOnesAreRefusedWithAHint) {
  const struct {
    const char *text, *word, *hint;
  } kBad[] = {{"fifo", "'fifo'", "c:NAME"},       {"gtoo", "'gtoo'", "'gto'"},
              {"", "''", ""},                     {"swl:", "knobs", "swl:2"},
              {"swl:x", "knobs", "swl:2"},        {"swl:-1", "knobs", "swl:2"},
              {"swl:1,", "knobs", "swl:2"},       {"swl:4294967296", "knobs", "swl:2"},
              {"swl:1,2,3,4,5", "knobs", "swl:2"}, {"swl:1 2", "knobs", "swl:2"},
              {"c:", "'c:'", "letters"},          {"c:../x", "'c:../x'", "letters"},
              {"plugin:a/b", "'plugin:a/b'", "scripts/plugin.sh"},
              {"c:../x", "'c:../x' names no policy in C", "scripts/cpolicy.sh NAME FILE.c"},
              {"c:a_name_that_is_longer_than_thirty_one_letters", "longer", ""}};
  for (const auto &b : kBad) {
    wg_sched_choice_t c;
    wg_diag_t d;
    memset(&d, 0, sizeof d);
    EXPECT_EQ(kWgBadInput, wg_sched_choice_parse(b.text, &c, &d)) << b.text;
    EXPECT_NE(nullptr, strstr(d.msg, b.word)) << b.text << ": " << d.msg;
    EXPECT_NE(nullptr, strstr(d.hint, b.hint)) << b.text << ": " << d.hint;
  }
}

TEST(SessionWordsTest, HintsListEveryWordThatFits) {
  const char *const known[] = {"preset", "sched", "check", nullptr};
  char hint[256];
  wg_word_hint("shed", known, hint, sizeof hint);
  EXPECT_STREQ("did you mean 'sched'? one of: preset sched check", hint);
  wg_word_hint("zzzzzz", known, hint, sizeof hint);
  EXPECT_STREQ("one of: preset sched check", hint);
  const std::string w(30, 'w');
  const char *const many[] = {w.c_str(), w.c_str(), w.c_str(), w.c_str(), w.c_str(), nullptr};
  char tight[128];
  memset(hint, 'x', sizeof hint);
  wg_word_hint("z", many, tight, sizeof tight);
  EXPECT_EQ("one of: " + w + " " + w + " " + w + " ...", std::string(tight));
  const char *const three[] = {w.c_str(), w.c_str(), w.c_str(), "12345678901234567890123456", nullptr};  // to the last byte
  wg_word_hint("z", three, tight, sizeof tight);
  EXPECT_EQ(127u, strlen(tight));
  EXPECT_STREQ("123456", tight + 121);
  const char *const over[] = {w.c_str(), w.c_str(), w.c_str(), "123456789012345678901234567", nullptr};  // one too many
  wg_word_hint("z", over, tight, sizeof tight);
  EXPECT_EQ("one of: " + w + " " + w + " " + w + " ...", std::string(tight));
}

TEST(SessionWords, ProgressRule) {
  uint32_t cycles = 1;
  wg_diag_t d = {};
  char buf[12];
  const std::pair<const char *, uint32_t> good[] = {{"on", 4096}, {"off", 0}, {"64", 64}, {"4096", 4096}, {"640", 640}};
  for (const auto &[text, want] : good) {
    ASSERT_EQ(kWgOk, wg_progress_parse(text, &cycles, &d)) << text;
    EXPECT_EQ(want, cycles);
  }
  for (const char *bad : {"", "of", "0", "63", "65", "4160", "64x", "-64", " 64", "0x40", "18446744073709551680"}) {
    d = {};
    EXPECT_EQ(kWgBadInput, wg_progress_parse(bad, &cycles, &d)) << bad;
    EXPECT_STREQ("on, off, or the cycles that a warp may wait: 64, 128 .. 4096", d.hint);
  }
  EXPECT_STREQ("on", wg_progress_word(4096, buf, sizeof buf));
  EXPECT_STREQ("off", wg_progress_word(0, buf, sizeof buf));
  EXPECT_STREQ("640", wg_progress_word(640, buf, sizeof buf));
}

}  // namespace
