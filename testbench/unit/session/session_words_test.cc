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

}  // namespace
