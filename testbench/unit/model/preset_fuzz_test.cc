// SPDX-License-Identifier: Apache-2.0
//
// Every number that a preset may hold: each key at the ends of its range and at random, alone and with others. A preset is
// refused in one sentence, or its memory system and its GigaThread engine run traffic to the end. SEED and TEST_ALL choose how many.
#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <random>
#include <regex>

#include <unistd.h>

#include "model/hbm/hbm_check.h"
#include "traffic_sm.h"

namespace {

char g_words[4096]; // what is being tried: told if the model aborts

void OnAbort(int) {
  fprintf(stderr, "aborted with the preset %s\n", g_words);
  _exit(1);
}

/** A number's range, or the words of a choice. */
struct Key {
  std::string path;
  uint64_t lo = 0, hi = 0, own = 0; // own: the preset's value
  std::vector<std::string> words;
};

/** Message of a preset that must be refused. */
std::string Refusal(const std::string &words) {
  wg_preset_t p{};
  wg_diag_t d{};
  EXPECT_EQ(kWgBadInput, wg_preset_load(words.c_str(), &p, &d)) << words;
  return d.msg;
}

/** Keys of these groups, with ranges as the refusals tell them. */
std::vector<Key> Keys(const std::vector<std::string> &groups) {
  const char *names[200];
  size_t n = wg_preset_keys(names, 200);
  char *text = nullptr;
  wg_diag_t d{};
  EXPECT_EQ(kWgOk, wg_preset_text("tiny", &text, &d)) << d.msg;
  std::string all = text == nullptr ? "" : text;
  free(text);
  std::vector<Key> keys;
  for (size_t i = 0; i < n; i++) {
    Key k;
    k.path = names[i];
    std::string group = k.path.substr(0, k.path.find('.') + 1), leaf = k.path.substr(group.size());
    if (std::find(groups.begin(), groups.end(), group) == groups.end()) continue;
    if (k.path == "gte.block_policy" || k.path == "host.link" || k.path == "title" || k.path == "shape") continue; // words of other tables
    std::smatch m;
    std::string range = Refusal("tiny+" + k.path + "=99999999999"), own = all.substr(all.find(leaf + " = ") + leaf.size() + 3);
    if (std::regex_search(range, m, std::regex("must be ([0-9]+) to ([0-9]+)"))) {
      k.lo = std::stoull(m[1]);
      k.hi = std::stoull(m[2]);
      k.own = std::stoull(own);
    } else if (range.find("true or false") != std::string::npos) {
      k.words = {"true", "false"};
    } else {
      std::string words = Refusal("tiny+" + k.path + "=nonsense");
      EXPECT_NE(std::string::npos, words.find("one of: ")) << words;
      words = words.substr(words.find("one of: ") + 8);
      for (size_t at = 0; at <= words.size();) {
        size_t end = std::min(words.find('|', at), words.size());
        k.words.push_back(words.substr(at, end - at));
        at = end + 1;
      }
    }
    keys.push_back(k);
  }
  return keys;
}

unsigned g_ran, g_refused;

/** Refused in one sentence, or the traffic ends. */
void Try(const std::string &sets) {
  std::string words = "tiny" + sets;
  snprintf(g_words, sizeof g_words, "%s", words.c_str());
  wg_preset_t p{};
  wg_diag_t d{};
  wg_status_t st = wg_preset_load(words.c_str(), &p, &d);
  if (st != kWgOk) {
    EXPECT_EQ(kWgBadInput, st) << words;
    EXPECT_NE('\0', d.msg[0]) << words;
    EXPECT_EQ(nullptr, strchr(d.msg, '\n')) << d.msg;
    EXPECT_LT(strlen(d.msg), sizeof d.msg - 1) << "cut off: " << d.msg;
    g_refused++;
    return;
  }
  TrafficGpu t(words);
  std::mt19937_64 rng(7);
  for (TrafficSm &s : t.sms) {
    for (unsigned i = 0; i < 60; i++) {
      Access a;
      a.line = t.mem + (rng() % 2 == 0 ? rng() % 8 : rng() % 4000) * 128;
      a.op = rng() % 3 == 0 ? kWgMemStore : kWgMemLoad;
      a.sectors = static_cast<uint8_t>(a.op == kWgMemStore ? 1u << rng() % 4 : 1 + rng() % 15);
      a.byte_mask = static_cast<uint32_t>(rng());
      s.script.push_back(a);
    }
  }
  t.Build();
  if (t.gpu == nullptr) {
    ADD_FAILURE() << words;
    return;
  }
  EXPECT_EQ(kWgOk, t.Run()) << words << ": " << t.diag.msg;
  g_ran++;
}

const std::vector<std::string> kGroups = {"", "xbar.", "l2.", "hbm.", "gte.", "host."};

TEST(PresetFuzzTest, EachKeyAtTheEndsOfItsRange) {
  signal(SIGABRT, OnAbort);
  std::vector<Key> keys = Keys(kGroups);
  ASSERT_GT(keys.size(), 60u);
  g_ran = g_refused = 0;
  for (const Key &k : keys) {
    for (const std::string &w : k.words) Try("+" + k.path + "=" + w);
    if (!k.words.empty()) continue;
    for (uint64_t v : {k.lo, k.lo + 1, k.hi - 1, k.hi}) Try("+" + k.path + "=" + std::to_string(v));
  }
  EXPECT_GT(g_ran, 150u);
  EXPECT_GT(g_refused, 10u);
  signal(SIGABRT, SIG_DFL);
}

/** lo .. hi, every size as often; or near the preset's own value. */
uint64_t Pick(const Key &k, std::mt19937_64 *rng) {
  auto within = [&](double v) { return std::min(std::max(static_cast<uint64_t>(v), k.lo), k.hi); };
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  switch ((*rng)() % 4) {
    case 0: return (*rng)() % 2 == 0 ? k.lo : k.hi;
    case 1: return within(std::exp(std::log(k.lo + 1.0) + unit(*rng) * (std::log(k.hi + 1.0) - std::log(k.lo + 1.0))) - 0.5);
    default: return within(static_cast<double>(k.own) * std::exp2(unit(*rng) * 4.0 - 2.0));
  }
}

TEST(PresetFuzzTest, RandomValuesOfSeveralKeys) {
  const char *seed = getenv("SEED"), *all = getenv("TEST_ALL");
  std::mt19937_64 rng(seed == nullptr ? 1 : strtoull(seed, nullptr, 10));
  const unsigned tries = all != nullptr && strcmp(all, "1") == 0 ? 2000 : 300;
  signal(SIGABRT, OnAbort);
  std::vector<Key> keys = Keys(kGroups);
  ASSERT_GT(keys.size(), 60u);
  g_ran = g_refused = 0;
  for (unsigned i = 0; i < tries; i++) {
    std::string sets;
    for (unsigned n = 1 + static_cast<unsigned>(rng() % 5); n > 0; n--) {
      const Key &k = keys[rng() % keys.size()];
      if (("+" + sets + "=").find("+" + k.path + "=") != std::string::npos) continue;
      sets += "+" + k.path + "=" + (k.words.empty() ? std::to_string(Pick(k, &rng)) : k.words[rng() % k.words.size()]);
    }
    Try(sets);
  }
  printf("seed %s: %u ran, %u refused\n", seed == nullptr ? "1" : seed, g_ran, g_refused);
  EXPECT_GT(g_ran, tries / 8);
  EXPECT_GT(g_refused, tries / 8);
  signal(SIGABRT, SIG_DFL);
}

// tREFI at the value that the rule names: it runs whatever waits; one clock less is refused, with the number.
TEST(PresetFuzzTest, TheLeastRefreshIntervalIsExact) {
  signal(SIGABRT, OnAbort);
  for (const char *sets : {"", "+hbm.page=closed", "+hbm.tFAW_clocks=900", "+hbm.tWR_clocks=500", "+hbm.tRTW_clocks=2000", "+hbm.tRFC_clocks=1"}) {
    std::string words = std::string("tiny") + sets;
    wg_preset_t p{};
    wg_diag_t d{};
    ASSERT_EQ(kWgOk, wg_preset_load(words.c_str(), &p, &d)) << d.msg;
    uint64_t least = std::max<uint64_t>(wg_hbm_least_refi(&p.hbm), 100); // the key's own range begins there
    Try(sets + std::string("+hbm.tREFI_clocks=") + std::to_string(least));
    if (least == 100) continue;
    std::string msg = Refusal(words + "+hbm.tREFI_clocks=" + std::to_string(least - 1));
    EXPECT_NE(std::string::npos, msg.find("'hbm.tREFI_clocks' is " + std::to_string(least - 1) + ", must be at least " + std::to_string(least) + ": "))
        << msg;
  }
  EXPECT_GT(g_ran, 0u);
  EXPECT_NE(std::string::npos, Refusal("tiny+hbm.tREFI_clocks=255").find("must be at least "));
  signal(SIGABRT, SIG_DFL);
}

}  // namespace
