// SPDX-License-Identifier: Apache-2.0
//
// Presets: the shipped files, and every way in which a file can be wrong.
#include "model/preset.h"

#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace {

wg_preset_t Load(const char *name) {
  wg_preset_t p{};
  wg_diag_t d{};
  EXPECT_EQ(kWgOk, wg_preset_load(name, &p, &d)) << d.file << ":" << d.line << ": " << d.msg;
  return p;
}

TEST(PresetTest, ShippedPresetsLoad) {
  wg_preset_t tiny = Load("tiny"), lecture = Load("lecture"), v100 = Load("v100");
  EXPECT_STREQ("tiny", tiny.name);
  EXPECT_STREQ("tiny", tiny.shape->name);
  EXPECT_EQ(1u, tiny.num_sms);
  EXPECT_EQ(8u, tiny.sm.warp_slots);
  EXPECT_EQ(32768u, tiny.sm.regs_per_subcore);
  EXPECT_STREQ("sm16", lecture.shape->name);
  EXPECT_EQ(2u, lecture.num_sms);
  EXPECT_EQ(384u, lecture.sm.thread_slots);
  EXPECT_EQ(3u, lecture.sm.warp_slots);
  EXPECT_EQ(1536u, lecture.sm.shared_bytes);
  EXPECT_EQ(8u, lecture.sm.shared_unit);
  EXPECT_FALSE(lecture.sm.first_rotate);
  EXPECT_EQ(80u, v100.num_sms_full);
  EXPECT_EQ(1380000u, v100.clock_khz);
  EXPECT_TRUE(v100.sm.first_rotate);
  EXPECT_EQ(6u << 20, v100.l2.slices * v100.l2.slice_bytes);
  EXPECT_NEAR(900.0, wg_preset_hbm_gbytes_per_s(&v100), 5.0);
  EXPECT_EQ(v100.sm.rsp_per_cycle, v100.xbar.rsp_per_cycle);
  EXPECT_EQ(UINT64_C(16) << 30, v100.global_bytes);
}

// `presets show` prints what stands behind each number: `key = value  # source`, tags explained at the file's head.
TEST(PresetTest, EveryNumberHasASource) {
  char names[64][32];
  size_t num = wg_preset_names(names, 64);
  ASSERT_GE(num, 3u);
  for (size_t i = 0; i < num; i++) {
    const char *name = names[i];
    std::ifstream in(Load(name).path);
    std::string text, head;
    unsigned n = 0, keys = 0;
    while (std::getline(in, text)) {
      n++;
      if (text.compare(0, 1, "#") == 0 && keys == 0) head += text + "\n";
      size_t eq = text.find(" = ");
      if (eq == std::string::npos || text.find('#') < eq) continue;
      keys++;
      size_t at = text.find(" # ");
      ASSERT_NE(std::string::npos, at) << name << ".cfg:" << n << ": no source: " << text;
      EXPECT_GT(text.size(), at + 4) << name << ".cfg:" << n;
      for (size_t open = at; (open = text.find('[', open)) != std::string::npos; open++) {
        std::string tag = text.substr(open, text.find_first_of("],:", open) - open) + "]";
        EXPECT_NE(std::string::npos, head.find(tag)) << name << ".cfg:" << n << ": " << tag << " is not explained";
      }
    }
    const char *all[256];
    EXPECT_EQ(wg_preset_keys(all, 256), keys) << name;
  }
}

TEST(PresetTest, ScalingKeepsTheSharePerSm) {
  for (uint32_t n : {1u, 2u, 3u, 5u, 16u, 40u, 80u}) {
    wg_preset_t p = Load("v100");
    wg_diag_t d{};
    double full = wg_preset_hbm_gbytes_per_s(&p);
    ASSERT_EQ(kWgOk, wg_preset_scale(&p, n, &d));
    EXPECT_EQ(n, p.num_sms);
    EXPECT_GE(wg_preset_hbm_gbytes_per_s(&p), full * n / 80 - 1e-9);
    EXPECT_LT(wg_preset_hbm_gbytes_per_s(&p), full * n / 80 + full / 64);
    EXPECT_EQ(0u, p.l2.slices % p.hbm.channels);
    EXPECT_EQ(kWgBadArg, wg_preset_scale(&p, n, &d)); // not twice
  }
  wg_preset_t p = Load("v100");
  wg_diag_t d{};
  EXPECT_EQ(kWgBadArg, wg_preset_scale(&p, 81, &d));
  EXPECT_STREQ("preset 'v100' describes a machine with 80 SMs, 81 were asked for", d.msg);
  ASSERT_EQ(kWgOk, wg_preset_scale(&p, 0, &d));
  EXPECT_EQ(1u, p.num_sms);
}

TEST(PresetTest, SmConfiguration) {
  wg_preset_t p = Load("lecture");
  wg_sm_cfg_t c;
  wg_preset_to_sm_cfg(&p, 1, &c);
  EXPECT_EQ(1u, c.smid);
  EXPECT_EQ(2u, c.nsmid);
  EXPECT_EQ(p.sm.l1_sets, c.l1_sets);
  wg_preset_t v = Load("v100");
  wg_diag_t d{};
  ASSERT_EQ(kWgOk, wg_preset_scale(&v, 5, &d));
  wg_preset_to_sm_cfg(&v, 4, &c);
  EXPECT_EQ(5u, c.nsmid);
}

/** A copy of v100.cfg in which the line that begins with `key =` is replaced; the message must name that line. */
struct Broken {
  wg_diag_t diag{};
  wg_status_t st = kWgOk;
  unsigned line = 0;
  Broken(const std::string &key, const std::string &replacement) {
    wg_preset_t good = Load("v100"), p{};
    std::ifstream in(good.path);
    std::stringstream out;
    std::string text;
    bool done = false;
    for (unsigned n = 1; std::getline(in, text); n++) {
      size_t at = text.find_first_not_of(' ');
      if (!done && at != std::string::npos && text.compare(at, key.size() + 1, key + " ") == 0) {
        text = replacement;
        line = n;
        done = true;
      }
      out << text << '\n';
    }
    EXPECT_TRUE(done) << key;
    char name[] = "/tmp/wg_preset_XXXXXX.cfg";
    int fd = mkstemps(name, 4);
    EXPECT_GE(fd, 0);
    std::string body = out.str();
    EXPECT_EQ(static_cast<ssize_t>(body.size()), write(fd, body.data(), body.size()));
    close(fd);
    st = wg_preset_load(name, &p, &diag);
    EXPECT_STREQ(st == kWgOk ? "" : name, diag.file);
    std::remove(name);
  }
};

TEST(PresetTest, EveryMistakeHasItsPlaceAndSentence) {
  struct Case {
    const char *key, *with, *msg;
    bool has_line;
  } cases[] = {
      {"clock_khz", "clock_kHz = 1380000", "unknown key 'clock_kHz'", true},
      {"clock_khz", "", "the key 'clock_khz' is missing", false},
      {"l1_sets", "", "the key 'sm.l1_sets' is missing", true},
      {"clock_khz", "clock_khz = \"fast\"", "'clock_khz' is a text, must be a whole number", true},
      {"clock_khz", "clock_khz = 1.5", "'clock_khz' is a number with a fraction, must be a whole number", true},
      {"clock_khz", "clock_khz = -3", "'clock_khz' is -3, must be 1000 to 10000000", true},
      {"clock_khz", "clock_khz = 99999999999L", "'clock_khz' is 99999999999, must be 1000 to 10000000", true},
      {"clock_khz", "clock_khz = 4294968296", "'clock_khz' is 4294968296, must be 1000 to 10000000", true},
      {"clock_khz", "clock_khz = 0x1000f4240", "'clock_khz' is 4295967296, must be 1000 to 10000000", true},
      {"clock_khz", "clock_khz = 99999999999999999999",
       "'clock_khz' is 9223372036854775807 or more, must be 1000 to 10000000", true},
      {"clock_khz", "clock_khz = -0xFFFFFFFFFFFFFFFFFF",
       "'clock_khz' is -9223372036854775807 or less, must be 1000 to 10000000", true},
      {"clock_khz", "clock_khz = 99999999999999999999L",
       "'clock_khz' is 9223372036854775807 or more, must be 1000 to 10000000", true},
      {"clock_khz", "clock_khz = 0xffffffffffffffffL",
       "'clock_khz' is 9223372036854775807 or more, must be 1000 to 10000000", true},
      {"clock_khz", "clock_khz = 1e99", "'clock_khz' is a number with a fraction, must be a whole number", true},
      {"clock_khz", "clock_khz = 0x", "syntax error", true},
      {"scheduler_knobs", "scheduler_knobs = [0, 4294967296, 0, 0]",
       "'sm.scheduler_knobs' is 4294967296, must be 0 to 2147483647", true},
      {"num_sms", "num_sms = 81", "'num_sms': 81 is above num_sms_full, 80", true},
      {"shape", "shape = \"sm99\"", "'shape' is \"sm99\", no shape of isa/cfg.def", true},
      {"shape", "shape = \"tiny\"", "'sm.warp_slots_per_sub_core': 16 is above the shape's warp slots, 8", true},
      {"warp_slots_per_sub_core", "warp_slots_per_sub_core = 17",
       "'sm.warp_slots_per_sub_core' is 17, must be 1 to 16", true},
      {"registers_per_sub_core", "registers_per_sub_core = 16640",
       "'sm.registers_per_sub_core': 16640 is above the shape's registers, 16384", true},
      {"shared_bytes", "shared_bytes = 262272",
       "'sm.shared_bytes': 262272 is above the shape's L1 and shared memory, 262144", true},
      {"l1_sets", "l1_sets = 512",
       "'sm.l1_sets': 2816 is above the shape's array (lines, shared memory and L1 together), 2048", true},
      {"l1_sets", "l1_sets = 48", "'sm.l1_sets' must be a power of two", true},
      {"shared_unit_bytes", "shared_unit_bytes = 24", "'sm.shared_unit_bytes' must be a power of two", true},
      {"shared_unit_bytes", "shared_unit_bytes = 4", "'sm.shared_unit_bytes' is 4, must be 8 to 2048", true},
      {"title", "@include \"/tmp\"", "'@include' is not supported: a preset is one file", false},
      {"first_sub_core", "first_sub_core = \"none\"",
       "'sm.first_sub_core' is \"none\", must be one of: literal|rotate", true},
      {"scheduler", "scheduler = \"best\"", "'sm.scheduler' is \"best\", no policy of isa/cfg.def", true},
      {"scheduler_knobs", "scheduler_knobs = [1, 2]", "'sm.scheduler_knobs' has 2 numbers, must have 4", true},
      {"scheduler_knobs", "scheduler_knobs = 7", "'sm.scheduler_knobs' is a whole number, must be an array", true},
      {"slice_hash", "slice_hash = 1", "'l2.slice_hash' is a whole number, must be true or false", true},
      {"slices", "slices = 63", "'l2.slices' must be a multiple of hbm.channels, or they of it", true},
      {"tRFC_clocks", "tRFC_clocks = 3420", "'hbm.tREFI_clocks' is 3420, must be at least 3491: between two refreshes all banks are closed and "
       "refreshed, a row is opened and accessed once", true},
      {"clock_ratio_num", "clock_ratio_num = 9", "'l2.clock_ratio_num' is 9, must be 1 to 8", true},
      {"tCCD_S_clocks", "tCCD_S_clocks = 1", "'hbm.tCCD_S_clocks' must be at least the burst, 32 / (2 x bus_bytes)", true},
      {"tCCD_L_clocks", "tCCD_L_clocks = 3", "'hbm.tCCD_L_clocks' must be at least tCCD_S_clocks, equal with one bank group", true},
      {"tRRD_L_clocks", "tRRD_L_clocks = 3", "'hbm.tRRD_L_clocks' must be at least tRRD_S_clocks, equal with one bank group", true},
      {"bank_groups", "bank_groups = 3", "'hbm.bank_groups' must divide hbm.banks", true},
      {"page", "page = \"shut\"", "'hbm.page' is \"shut\", must be one of: open|closed", true},
      {"banks", "banks = 12", "'hbm.banks' must be a power of two", true},
      {"gte", "gtx : {", "unknown key 'gtx'", true},
      {"title", "title = ", "syntax error", true},
      {"title", "title = \"0123456789012345678901234567890123456789012345678901234567890123456789\"",
       "'title' is longer than 63 characters", true},
  };
  for (const Case &c : cases) {
    Broken b(c.key, c.with);
    EXPECT_EQ(kWgBadInput, b.st) << c.with;
    EXPECT_STREQ(c.msg, b.diag.msg);
    if (!c.has_line) {
      EXPECT_EQ(0u, b.diag.line);
    } else if (std::string(c.msg) != "syntax error" && b.diag.line != b.line) {
      // Rules between two keys name the key to change, which need not be the edited one; a missing key its group.
      bool other = std::string(c.msg).find("is above") != std::string::npos ||
                   std::string(c.msg).find("is missing") != std::string::npos ||
                   std::string(c.msg).find("tREFI") != std::string::npos;
      EXPECT_TRUE(other) << c.msg << " line " << b.diag.line;
      EXPECT_NE(0u, b.diag.line);
    }
  }
}

// libconfig itself reads 2^32 as 0: whatever key it is given to, the message names line, key, value and range.
TEST(PresetTest, NoNumberWrapsAround) {
  std::ifstream in(Load("tiny").path);
  std::vector<std::string> lines;
  for (std::string l; std::getline(in, l);) lines.push_back(l);
  std::string path = ::testing::TempDir() + "wg_wrap_" + std::to_string(getpid()) + ".cfg";
  unsigned keys = 0;
  for (size_t i = 0; i < lines.size(); i++) {
    size_t eq = lines[i].find(" = ");
    if (eq == std::string::npos || lines[i][0] == '#' || !(isdigit(lines[i][eq + 3]) || lines[i][eq + 3] == '[')) continue;
    bool quad = lines[i][eq + 3] == '[';
    keys++;
    for (const char *v : {"4294967296", "-1", "99999999999999999999", "0xffffffffffffffffff"}) {
      std::ofstream out(path);
      for (size_t j = 0; j < lines.size(); j++) {
        if (j != i) out << lines[j] << "\n";
        else out << lines[j].substr(0, eq + 3) << (quad ? "[0, 0, 0, " : "") << v << (quad ? "]" : "") << "\n";
      }
      out.close();
      wg_preset_t p{};
      wg_diag_t d{};
      std::string key = lines[i].substr(0, eq);
      key = key.substr(key.find_first_not_of(' '));
      EXPECT_EQ(kWgBadInput, wg_preset_load(path.c_str(), &p, &d)) << lines[i] << " <- " << v;
      EXPECT_EQ(i + 1, d.line) << lines[i] << " <- " << v << ": " << d.msg;
      std::string msg = d.msg;
      EXPECT_NE(std::string::npos, msg.find(key + "' is ")) << msg;
      EXPECT_NE(std::string::npos, msg.find(", must be ")) << msg;
      EXPECT_NE(std::string::npos, msg.find(v[0] == '-' ? "is -1," : v[0] == '4' ? "is 4294967296," : " or more,")) << msg;
    }
  }
  EXPECT_GT(keys, 50u);
  unlink(path.c_str());
}

// Only numbers are touched: not what stands in texts and comments.
TEST(PresetTest, NumbersInTextsAndCommentsStay) {
  std::ifstream in(Load("tiny").path);
  std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>()), path = ::testing::TempDir() + "wg_text.cfg";
  const std::string title = "title = \"Warpglass tiny\"";
  text.replace(text.find(title), title.size(), "/* 1 \" 2 */ // 3 \"\ntitle = \"a \\\" 7 # 8\"; # 9");
  std::ofstream(path) << text;
  wg_preset_t p{};
  wg_diag_t d{};
  EXPECT_EQ(kWgOk, wg_preset_load(path.c_str(), &p, &d)) << d.line << d.msg;
  EXPECT_STREQ("a \" 7 # 8", p.title);
  unlink(path.c_str());
}

// A unit below 16 bytes takes twice the rows: the L1 must not reach into them.
// A machine that the RTL of this version does not have is refused at the line that asks for it; a number without effect
// is one.
TEST(PresetTest, WhatTheSmHasNotIsRefused) {
  const struct {
    const char *key, *with, *msg;
  } kCases[] = {
      {"split_order", "split_order = \"random\"",
       "'sm.split_order': this version's SM has no split order with the SIMT stack: leave \"h200\""},
      {"extra_latency_cycles", "extra_latency_cycles = [1, 1, 2, 8]",
       "'sm.extra_latency_cycles': this version's SM has at most 7 cycles of extra latency in the sfu pipe: the fourth number "
       "must be 0 to 7"},
      {"scheduler", "scheduler = \"ext\"",
       "'sm.scheduler': this version's SM has no scheduler 'ext' of its own: sched=plugin:NAME brings one"},
      {"shared_per_block_bytes", "shared_per_block_bytes = 98305",
       "'sm.shared_per_block_bytes': 98305 is above sm.shared_per_block_optin_bytes, 98304"},
      {"shared_per_block_optin_bytes", "shared_per_block_optin_bytes = 98305",
       "'sm.shared_per_block_optin_bytes': 98305 is above sm.shared_bytes, 98304"},
  };
  for (const auto &c : kCases) {
    Broken b(c.key, c.with);
    EXPECT_EQ(kWgBadInput, b.st) << c.with;
    EXPECT_STREQ(c.msg, b.diag.msg);
    EXPECT_EQ(b.line, b.diag.line) << c.with;
  }
  for (const char *with : {"issue_interval_cycles = [3, 2, 1, 1]", "extra_latency_cycles = [1, 1, 4, 7]", "divergence = \"its\"",
                           "dependence = \"control-bits\"", "operand_order = \"in-order\""}) {
    std::string w = with;
    EXPECT_EQ(kWgOk, Broken(w.substr(0, w.find(' ')), w).st) << with;
  }
}

TEST(PresetTest, SmallSharedUnitsNeedTwiceTheRows) {
  std::ifstream in(Load("tiny").path);
  std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  const std::string unit = "shared_unit_bytes = 256";
  size_t at = text.find(unit);
  ASSERT_NE(std::string::npos, at);
  text.replace(at, unit.size(), "shared_unit_bytes = 8");
  std::string path = ::testing::TempDir() + "wg_unit_" + std::to_string(getpid()) + ".cfg";
  std::ofstream(path) << text;
  wg_preset_t p{};
  wg_diag_t d{};
  EXPECT_EQ(kWgBadInput, wg_preset_load(path.c_str(), &p, &d));
  EXPECT_STREQ("'sm.l1_sets': 384 is above the shape's array (lines, shared memory and L1 together), 256", d.msg);
  unlink(path.c_str());
}

// libconfig itself ends the process on a folder.
TEST(PresetTest, OnlyOrdinaryFilesOfSomeSizeAreRead) {
  wg_preset_t p{};
  wg_diag_t d{};
  EXPECT_EQ(kWgBadInput, wg_preset_load("/tmp/", &p, &d));
  EXPECT_STREQ("a preset must be an ordinary file", d.msg);
  EXPECT_EQ(kWgBadInput, wg_preset_load("/dev/zero", &p, &d));
  std::string path = ::testing::TempDir() + "wg_huge_" + std::to_string(getpid()) + ".cfg";
  std::ofstream(path) << std::string((1 << 20) + 1, ' ');
  EXPECT_EQ(kWgBadInput, wg_preset_load(path.c_str(), &p, &d));
  EXPECT_STREQ("a preset has at most 1048576 bytes", d.msg);
  std::ofstream(path) << std::string("title = \"x\"\n\0}", 14);
  EXPECT_EQ(kWgBadInput, wg_preset_load(path.c_str(), &p, &d));
  EXPECT_STREQ("it has NUL bytes, it is no text", d.msg);
  unlink(path.c_str());
}

TEST(PresetTest, NamesAndPaths) {
  wg_preset_t p{};
  wg_diag_t d{};
  EXPECT_EQ(kWgNotFound, wg_preset_load("gtx9000", &p, &d));
  EXPECT_STREQ("there is no preset 'gtx9000'", d.msg);
  EXPECT_NE('\0', d.hint[0]);
  EXPECT_EQ(kWgNotFound, wg_preset_load("./nothing.cfg", &p, &d));
  EXPECT_EQ(kWgNotFound, wg_preset_load("", &p, &d));
  EXPECT_EQ(kWgNotFound, wg_preset_load(std::string(1000, 'x').c_str(), &p, &d));
  wg_preset_t byname = Load("tiny");
  EXPECT_EQ(kWgOk, wg_preset_load(byname.path, &p, &d));
  EXPECT_STREQ("tiny", p.name);
}

}  // namespace
