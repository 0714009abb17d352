// SPDX-License-Identifier: Apache-2.0
#include "cosim/session_words.h"

#include <gtest/gtest.h>

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

}  // namespace
