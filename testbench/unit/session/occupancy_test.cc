// SPDX-License-Identifier: Apache-2.0
//
// Blocks an SM holds, as the runtime's occupancy call asks the session: every measured answer of an H200
// (testbench/unit/twin/data/occupancy.csv, testbench/silicon/occupancy/live.csv) on preset h200, and the lecture's examples on ga102 and v100. Each kernel of the measurement
// is one of hand assembly with its registers, static shared memory and launch bound.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "cosim/session.h"
#include "toolchain/asm/wg_asm.h"

namespace {

/** Rows of a table; cells as text. Row 0 names the columns. */
std::vector<std::vector<std::string>> Rows(const std::string &name) {
  std::vector<std::vector<std::string>> rows;
  std::ifstream in(name);
  for (std::string line; std::getline(in, line);) {
    std::stringstream cells(line);
    rows.emplace_back();
    for (std::string cell; std::getline(cells, cell, ',');) rows.back().push_back(cell);
  }
  return rows;
}

/** A session on a preset with one module made of `text`. */
class Machine {
 public:
  Machine(const std::string &preset, const std::string &text) {
    wg_diag_t d = {};
    wg_obj_t *o = nullptr;
    wg_session_cfg_t cfg;
    wg_session_cfg_init(&cfg);
    EXPECT_EQ(wg_session_parse(("backend=func preset=" + preset).c_str(), &cfg, &d), kWgOk) << d.msg;
    EXPECT_EQ(wg_session_create(&cfg, &s_, &d), kWgOk) << d.msg;
    wg_session_cfg_clear(&cfg);
    EXPECT_EQ(wg_asm_text(text.c_str(), "k.s", &o, &d), kWgOk) << d.msg << " line " << d.line;
    EXPECT_EQ(wg_session_load(s_, o, &m_, &d), kWgOk) << d.msg;
  }
  ~Machine() { wg_session_destroy(s_); }
  uint32_t Blocks(const std::string &kernel, uint32_t threads, uint32_t dynamic) const {
    return wg_session_blocks_per_sm(s_, m_, kernel.c_str(), threads, dynamic);
  }

 private:
  wg_session_t *s_ = nullptr;
  wg_module_t *m_ = nullptr;
};

std::string Kernel(const std::string &name, const std::string &regs, const std::string &shared, unsigned threads) {
  return ".kernel " + name + "\n.regs " + regs + "\n.shared " + shared + "\n.maxthreads " + std::to_string(threads) + "\n  EXIT\n";
}

TEST(OccupancyTest, EveryMeasuredAnswerOfAnH200) {
  for (const char *file : {"testbench/unit/twin/data/occupancy.csv", "testbench/silicon/occupancy/live.csv"}) {
    auto rows = Rows(file);
    ASSERT_GT(rows.size(), 20u) << file;
    const bool live = rows[0].back() == "seenBlocks";
    std::map<std::string, std::string> kernels;
    std::string text;
    for (size_t i = 1; i < rows.size(); i++) {
      const auto &r = rows[i];
      ASSERT_EQ(r.size(), rows[0].size()) << file << " row " << i;
      // a launch bound limits launches, not the call
      unsigned bound = r[0].compare(0, 2, "lb") == 0 ? static_cast<unsigned>(std::stoul(r[0].substr(2))) : 1024u;
      std::string k = Kernel(r[0], r[1], r[2], bound);
      if (kernels.emplace(r[0], k).second) text += k;
      ASSERT_EQ(kernels[r[0]], k) << "a kernel has one number of registers";
    }
    Machine h200("h200", text);
    unsigned zero = 0;
    for (size_t i = 1; i < rows.size(); i++) {
      const auto &r = rows[i];
      uint32_t want = static_cast<uint32_t>(std::stoul(r[5]));
      ASSERT_EQ(h200.Blocks(r[0], static_cast<uint32_t>(std::stoul(r[4])), static_cast<uint32_t>(std::stoul(r[3]))), want)
          << file << " row " << i << ": " << r[0] << ", " << r[1] << " registers, " << r[2] << " + " << r[3] << " bytes, "
          << r[4] << " threads";
      if (live) EXPECT_EQ(r[5], r[6]);  // the call's answer was seen to be true
      zero += want == 0;
    }
    if (!live) {
      EXPECT_EQ(rows.size(), 3226u);
      EXPECT_GT(zero, 100u);
    }
  }
}

// 40 registers a thread are the last that keep 48 warps, as the lecture says.
TEST(OccupancyTest, WarpsAtTheRegisterUnit) {
  std::string text;
  for (const char *r : {"32", "33", "40", "41"}) text += Kernel(std::string("r") + r, r, "0", 1024);
  Machine ga102("ga102", text), v100("v100", text);
  EXPECT_EQ(ga102.Blocks("r40", 128, 0) * 4, 48u);  // 40 x 32 = 1280 registers a warp, 16384 / 1280 = 12 a sub-core
  EXPECT_EQ(ga102.Blocks("r41", 128, 0) * 4, 40u);  // 48 x 32
  EXPECT_EQ(v100.Blocks("r32", 128, 0) * 4, 64u);
  EXPECT_EQ(v100.Blocks("r33", 128, 0) * 4, 48u);
  EXPECT_EQ(ga102.Blocks("r32", 32, 0), 16u);       // block slots
  EXPECT_EQ(ga102.Blocks("r32", 96, 0), 16u);       // 16 x 3 = 48 warps
}

}  // namespace
