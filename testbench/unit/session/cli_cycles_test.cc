// SPDX-License-Identifier: Apache-2.0
//
// Records of a run, and cycles.tsv: what is compared, what is rewritten, what is refused.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>

#include "cosim/cli/cli.h"

namespace {

const char kSetup[] =
    "setup preset=v100 backend=rtl sched=gto blocks=breadth divergence=stack dependence=scoreboard sms=1 timing=1 "
    "hashes=0\n";

std::string Launch(unsigned n, unsigned cycles) {
  std::ostringstream s;
  s << "launch n=" << n << " kernel=_Z1kPi grid=1,2,3 block=4,5,6 shared=7 cycles=" << cycles
    << " bound=11 by=issue warp_insts=12 thread_insts=13 load_requests=14 load_lanes=15 load_sectors=16 "
       "store_requests=17 "
       "store_lanes=18 store_sectors=19 shared_wavefronts=20 l1_lines=21 dram_read=22 dram_write=23 "
       "hash=00000000000000ff\n";
  return s.str();
}

class CliCyclesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    char dir[] = "/tmp/wgcycles.XXXXXX";
    ASSERT_NE(nullptr, mkdtemp(dir));
    dir_ = dir;
    path_ = dir_ + "/cycles.tsv";
  }
  void TearDown() override {
    cli_record_free(&r_);
    unlink(path_.c_str());
    EXPECT_EQ(0, rmdir(dir_.c_str()));  // nothing else was left
  }
  wg_status_t Read(const std::string &text) {
    cli_record_free(&r_);
    FILE *f = fmemopen(const_cast<char *>(text.c_str()), text.size(), "r");
    wg_status_t st = cli_record_read(f, &r_, &d_);
    fclose(f);
    return st;
  }
  std::string Update(const char *program, const char *args) {
    char buf[2048] = "";
    FILE *f = fmemopen(buf, sizeof buf, "w");
    cli_cycles_key_t key = {program, args};
    EXPECT_EQ(kWgOk, cli_cycles_update(path_.c_str(), &key, &r_, f, &d_)) << d_.msg;
    fclose(f);
    return buf;
  }
  wg_status_t Check(const char *program, const char *args) {
    cli_cycles_key_t key = {program, args};
    return cli_cycles_check(path_.c_str(), &key, &r_, &d_);
  }
  std::string File() {
    std::ifstream f(path_);
    std::ostringstream s;
    s << f.rdbuf();
    return s.str();
  }

  std::string dir_, path_;
  cli_record_t r_ = {};
  wg_diag_t d_ = {};
};

TEST_F(CliCyclesTest, RecordIsRead) {
  ASSERT_EQ(kWgOk, Read(kSetup + Launch(1, 100) + "end status=0 launches=1 failed=1 reason=two words, three\n"))
      << d_.msg;
  EXPECT_STREQ("v100", r_.preset);
  EXPECT_STREQ("gto", r_.sched);
  EXPECT_TRUE(r_.timing);
  EXPECT_FALSE(r_.hashes);
  ASSERT_EQ(1u, r_.num_launches);
  const cli_launch_t &l = r_.launches[0];
  EXPECT_STREQ("_Z1kPi", l.kernel);
  EXPECT_EQ(3u, l.grid[2]);
  EXPECT_EQ(6u, l.block[2]);
  EXPECT_EQ(7u, l.shared);
  EXPECT_EQ(100u, l.cycles);
  EXPECT_EQ(11u, l.bound);
  EXPECT_EQ(16u, l.load_sectors);
  EXPECT_EQ(23u, l.dram_write);
  EXPECT_EQ(255u, l.hash);
  EXPECT_TRUE(r_.ended);
  EXPECT_TRUE(r_.failed);
  EXPECT_STREQ("two words, three", r_.reason);
}

TEST_F(CliCyclesTest, MalformedRecordsAreRefusedWithTheLine) {
  for (const std::string &bad : {std::string("launch n=1\n"), std::string("nonsense\n"),
                                 std::string("end status=0\n"), std::string("setup preset=v100\n")}) {
    EXPECT_EQ(kWgBadInput, Read(kSetup + bad)) << bad;
    EXPECT_NE(nullptr, strstr(d_.msg, "line 2")) << d_.msg;
  }
}

TEST_F(CliCyclesTest, UpdateThenCheckAgrees) {
  ASSERT_EQ(kWgOk, Read(kSetup + Launch(1, 100) + Launch(2, 90)));
  EXPECT_EQ("new    p 64 launch 1 v100/1 gto: 100\nnew    p 64 launch 2 v100/1 gto: 90\n", Update("p", "64"));
  EXPECT_EQ(kWgOk, Check("p", "64")) << d_.msg;
  EXPECT_EQ("", Update("p", "64"));
  EXPECT_EQ(
      "program\targs\tlaunch\tpreset\tsched\tblocks\tdivergence\tdependence\tcycles\tbound\tbound_by\n"
      "p\t64\t1\tv100/1\tgto\tbreadth\tstack\tscoreboard\t100\t11\tissue\n"
      "p\t64\t2\tv100/1\tgto\tbreadth\tstack\tscoreboard\t90\t11\tissue\n",
      File());
}

TEST_F(CliCyclesTest, EveryDifferenceIsFound) {
  ASSERT_EQ(kWgOk, Read(kSetup + Launch(1, 100) + Launch(2, 90)));
  Update("p", "64");
  EXPECT_EQ(kWgMismatch, Check("p", "65"));  // no such row
  EXPECT_EQ(kWgMismatch, Check("q", "64"));
  ASSERT_EQ(kWgOk, Read(kSetup + Launch(1, 101) + Launch(2, 90)));
  EXPECT_EQ(kWgMismatch, Check("p", "64"));
  EXPECT_STREQ("launch 1 took 101 cycles, recorded are 100", d_.msg);
  ASSERT_EQ(kWgOk, Read(kSetup + Launch(1, 100)));
  EXPECT_EQ(kWgMismatch, Check("p", "64"));
  EXPECT_STREQ("launch 2 is recorded, but did not happen", d_.msg);
}

TEST_F(CliCyclesTest, UpdateReplacesOnlyItsOwnRows) {
  ASSERT_EQ(kWgOk, Read(kSetup + Launch(1, 100) + Launch(2, 90)));
  Update("a", "1");
  Update("b", "1");
  ASSERT_EQ(kWgOk, Read(kSetup + Launch(1, 50)));
  EXPECT_EQ("moved  a 1 launch 1 v100/1 gto: 100 -> 50 (-50.00 %)\n", Update("a", "1"));
  EXPECT_EQ(kWgOk, Check("a", "1")) << d_.msg;  // the row of launch 2 is gone
  ASSERT_EQ(kWgOk, Read(kSetup + Launch(1, 100) + Launch(2, 90)));
  EXPECT_EQ(kWgOk, Check("b", "1")) << d_.msg;
}

TEST_F(CliCyclesTest, BadFilesAreRefusedAndKept) {
  ASSERT_EQ(kWgOk, Read(kSetup + Launch(1, 100)));
  for (const char *text : {"x\ty\n",
                           "program\targs\tlaunch\tpreset\tsched\tblocks\tdivergence\tdependence\tcycles\tbound\t"
                           "bound_by\na\tb\n"}) {
    std::ofstream(path_) << text;
    cli_cycles_key_t key = {"p", "64"};
    EXPECT_EQ(kWgBadInput, cli_cycles_update(path_.c_str(), &key, &r_, stdout, &d_));
    EXPECT_EQ(kWgBadInput, Check("p", "64"));
    EXPECT_EQ(path_, d_.file);
    EXPECT_NE(0u, d_.line);
    EXPECT_EQ(text, File());
  }
  cli_cycles_key_t key = {"p", "64"};
  char buf[256] = "";  // nothing is said to have moved when nothing was written
  FILE *f = fmemopen(buf, sizeof buf, "w");
  EXPECT_EQ(kWgIo, cli_cycles_update("/nonexistent/cycles.tsv", &key, &r_, f, &d_));
  fclose(f);
  EXPECT_STREQ("", buf);
  EXPECT_STREQ("cannot write '/nonexistent/cycles.tsv': No such file or directory", d_.msg);
  EXPECT_EQ(kWgIo, cli_cycles_check("/nonexistent/cycles.tsv", &key, &r_, &d_));
  EXPECT_STREQ("cannot open '/nonexistent/cycles.tsv': No such file or directory", d_.msg);
}

}  // namespace
