// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <string>

#include "cosim/cli/cli.h"

namespace {

/** A block: type, length of length and body, body. */
std::string Block(unsigned type, size_t body, uint64_t len = 0) {
  std::string s(1, char(type));
  if (len == 0) len = body + 8;
  for (int i = 7; i >= 0; i--) s += char(len >> (8 * i));
  return s + std::string(body, 'x');
}

class CliTraceTest : public ::testing::Test {
 protected:
  bool Whole(const std::string &bytes) {
    std::ofstream(path_, std::ios::binary) << bytes;
    return cli_trace_whole(path_.c_str());
  }
  void TearDown() override { unlink(path_.c_str()); }
  std::string path_ = ::testing::TempDir() + "wg_trace_" + std::to_string(getpid()) + ".fst";
  std::string head_ = Block(0, 321), data_ = Block(8, 300), geometry_ = Block(3, 20), hierarchy_ = Block(6, 50);
};

TEST_F(CliTraceTest, ClosedFilesAreWhole) {
  EXPECT_TRUE(Whole(head_ + data_ + data_ + geometry_ + hierarchy_));
  EXPECT_TRUE(Whole(head_ + geometry_ + hierarchy_));  // the window was never reached
  EXPECT_TRUE(Whole(head_ + geometry_ + Block(4, 9)));
  EXPECT_TRUE(Whole(head_ + geometry_ + Block(7, 9)));
}

TEST_F(CliTraceTest, EveryCutIsSeen) {
  const std::string good = head_ + data_ + geometry_ + hierarchy_;
  for (size_t n = 0; n < good.size(); n++) EXPECT_FALSE(Whole(good.substr(0, n))) << n;
  EXPECT_FALSE(Whole(good + "x"));
}

TEST_F(CliTraceTest, OtherFilesAreNone) {
  EXPECT_FALSE(Whole(std::string("no trace at all, but a text that is longer than a block's head")));
  EXPECT_FALSE(Whole(data_ + head_ + geometry_ + hierarchy_));
  EXPECT_FALSE(Whole(head_ + Block(255, 30) + geometry_ + hierarchy_));           // a block that was begun only
  EXPECT_FALSE(Whole(head_ + Block(8, 30, 7) + geometry_ + hierarchy_));          // shorter than its own length
  EXPECT_FALSE(Whole(head_ + geometry_ + hierarchy_ + Block(8, 30, UINT64_MAX)));  // no sum wraps around
  EXPECT_FALSE(Whole(head_ + head_ + geometry_ + hierarchy_));
  EXPECT_FALSE(cli_trace_whole("/nonexistent/t.fst"));
  EXPECT_FALSE(cli_trace_whole("/tmp"));
}

TEST_F(CliTraceTest, RemovesOrdinaryFilesOnly) {
  std::ofstream(path_) << "x";
  std::ofstream(path_ + ".hier") << "x";
  cli_trace_remove(path_.c_str());
  EXPECT_NE(0, access(path_.c_str(), F_OK));
  EXPECT_NE(0, access((path_ + ".hier").c_str(), F_OK));
  ASSERT_EQ(0, mkfifo(path_.c_str(), 0600));
  cli_trace_remove(path_.c_str());
  EXPECT_EQ(0, access(path_.c_str(), F_OK));
}

}  // namespace
