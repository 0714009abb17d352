// SPDX-License-Identifier: Apache-2.0
//
// Overrides of a preset, behind its name.
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "model/preset.h"
#include "model/preset_set.h"

namespace {

std::string Text(const std::string &words) {
  char *text = nullptr;
  wg_diag_t d{};
  EXPECT_EQ(kWgOk, wg_preset_text(words.c_str(), &text, &d)) << d.msg;
  std::string out = text == nullptr ? "" : text;
  free(text);
  return out;
}

TEST(PresetSetTest, ValuesTakeThePlaceOfTheFiles) {
  wg_preset_t p{};
  wg_diag_t d{};
  ASSERT_EQ(kWgOk, wg_preset_load("tiny+sm.mshrs=0x8+l2.slice_hash=false+sm.scheduler=gto+sm.scheduler_knobs=1,2,3,4", &p, &d)) << d.msg;
  EXPECT_EQ(8u, p.sm.mshrs);
  EXPECT_FALSE(p.l2.slice_hash);
  EXPECT_STREQ("gto", wg_policy_name(p.sm.policy));
  EXPECT_EQ(3u, p.sm.knob[2]);
  EXPECT_EQ(0, strncmp("tiny+", p.name, 5));
  ASSERT_EQ(kWgOk, wg_preset_load("tiny+sm.warps_per_subcore=4", &p, &d)) << d.msg; /* the shorter word */
  EXPECT_EQ(4u, p.sm.warp_slots);
  ASSERT_EQ(kWgOk, wg_preset_load("tiny+sm.mshrs=2", &p, &d));
  EXPECT_STREQ("tiny+sm.mshrs=2", p.name);
  ASSERT_EQ(kWgOk, wg_preset_load("tiny+sm.mshrs=2+sm.mshrs=3", &p, &d)); /* the last one wins */
  EXPECT_EQ(3u, p.sm.mshrs);
}

TEST(PresetSetTest, EqualMachinesHaveEqualTexts) {
  EXPECT_EQ(Text("tiny"), Text("tiny+sm.mshrs=16"));
  EXPECT_EQ(Text("tiny+sm.mshrs=8+sm.l1_ways=2"), Text("tiny+sm.l1_ways=2+sm.mshrs=8"));
  EXPECT_NE(Text("tiny"), Text("tiny+sm.mshrs=8"));
  EXPECT_EQ(std::string::npos, Text("tiny").find('#'));
}

TEST(PresetSetTest, WhatCannotBeIsRefusedWithItsWords) {
  const struct {
    const char *words, *says;
  } kBad[] = {{"sm.mshr=3", "unknown key 'sm.mshr'"},
              {"sm.mshrs=99", "must be 1 to"},
              {"sm.mshrs=x", "must be a whole number"},
              {"sm.mshrs=1x", "must be a whole number"},
              {"sm.mshrs=", "the value is empty"},
              {"sm=3", "is a group"},
              {"sm.scheduler_knobs=1,2", "must be 4 whole numbers"},
              {"sm.scheduler_knobs=1,2,3,4,5", "must be 4 whole numbers"},
              {"sm.shared_bytes=400000", "is above the shape's"},
              {"l2.slice_hash=1", "must be true or false"}};
  for (const auto &b : kBad) {
    wg_preset_t p{};
    wg_diag_t d{};
    EXPECT_EQ(kWgBadInput, wg_preset_load((std::string("tiny+") + b.words).c_str(), &p, &d)) << b.words;
    EXPECT_NE(nullptr, strstr(d.msg, b.says)) << d.msg;
    EXPECT_NE(nullptr, strstr(d.msg, "preset 'tiny' with ")) << d.msg;
    EXPECT_STREQ("", p.name);
  }
  wg_preset_t p{};
  EXPECT_EQ(kWgNotFound, wg_preset_load("tinyy+sm.mshrs=3", &p, nullptr));
  EXPECT_EQ(nullptr, wg_preset_set_split("configs/a+b.cfg"));
}

TEST(PresetSetTest, EveryKeyIsNamed) {
  const char *names[200];
  size_t n = wg_preset_keys(names, 200);
  EXPECT_GT(n, 80u);
  std::string text = Text("tiny");
  for (size_t i = 0; i < n; i++) {
    const char *dot = strrchr(names[i], '.');
    EXPECT_NE(std::string::npos, text.find(std::string(dot == nullptr ? names[i] : dot + 1) + " = ")) << names[i];
  }
}

}  // namespace
