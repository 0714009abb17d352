// SPDX-License-Identifier: Apache-2.0
//
// Measured values by name, for the program itself (include/wg_profile.h).
#include "rt.h"

#include "wg_profile.h"

#include <string.h>

/* What gives a value a meaning. */
typedef enum need { kCounts, kTiming, kEngine } need_t; /* kEngine: kTiming if it is a time, in cycles; else always */

static struct {
  bool any; /* a launch has ended */
  wg_launch_result_t last;
} g_profile;

void rt_profile_launch(const wg_launch_result_t *r) {
  g_profile.any = true;
  g_profile.last = *r;
}

static const struct {
  const char *key;
  size_t offset;
  need_t need;
} kOfLaunch[] = {
#define AT(FIELD) offsetof(wg_launch_result_t, FIELD)
#define WG_COUNT(FIELD, KEY, TABLE, DOC) {KEY, AT(FIELD), kCounts},
#define WG_COUNT_SM(FIELD, KEY, TABLE, DOC) {KEY, AT(FIELD), kTiming},
#include "model/counts.def"
#define WG_MEMCOUNT(FIELD, KEY, TABLE, DOC) {KEY, AT(mem.FIELD), kTiming},
#define WG_MEMCOUNT_INNER(FIELD, KEY, DOC) {KEY, AT(mem.FIELD), kTiming},
#define WG_MEMCOUNT_LEVEL(FIELD, DOC)
#include "model/mem/mem_counts.def"
#define WG_GTECOUNT(FIELD, KEY, DOC) {KEY, AT(gte.FIELD), kEngine},
#include "model/gte/gte_counts.def"
    {"dram_read_bytes", AT(dram_read_bytes), kTiming},
    {"dram_write_bytes", AT(dram_write_bytes), kTiming},
    {"cycles", AT(cycles), kTiming},
    {"time_ns", AT(time_ns), kTiming},
#undef AT
};

static bool of_launch(const char *key, double *out) {
  wg_session_setup_t setup;
  for (size_t i = 0; i < sizeof kOfLaunch / sizeof kOfLaunch[0]; i++) {
    if (kOfLaunch[i].key == NULL || strcmp(key, kOfLaunch[i].key) != 0) continue;
    if (!g_profile.any) return true;
    wg_session_get_setup(rt()->session, &setup);
    const char *unit = strrchr(key, '_');
    bool timing = kOfLaunch[i].need == kTiming || (kOfLaunch[i].need == kEngine && unit != NULL && strcmp(unit, "_cycles") == 0);
    if ((timing && !setup.timing) || (kOfLaunch[i].need == kCounts && !setup.hashes)) return true;
    uint64_t v;
    memcpy(&v, (const char *)&g_profile.last + kOfLaunch[i].offset, sizeof v);
    *out = (double)v;
    return true;
  }
  return false;
}

static bool of_machine(const char *key, double *out) {
  static const char *const kKeys[] = {"fp32_flop_per_cycle", "dram_bytes_per_cycle", "clock_hz", "sms"};
  size_t i = 0, n = sizeof kKeys / sizeof kKeys[0];
  while (i < n && strcmp(key, kKeys[i]) != 0) i++;
  if (i == n) return false;
  wg_session_props_t p;
  wg_session_get_props(rt()->session, &p);
  double hz = 1e3 * p.clock_khz;
  const double values[] = {p.fp32_flop_per_cycle, p.hbm_gbytes_per_s * 1e9 / hz, hz, p.num_sms};
  *out = values[i];
  return true;
}

RT_API double wg_profile_value(const char *key);
RT_API double wg_profile_value(const char *key) {
  double value = NAN;
  cudaError_t e;
  if (!rt_enter(__func__, &e)) return value;
  (void)rt_queue_finish(); /* the last launch is the last one that was called */
  if (key == NULL || (!of_launch(key, &value) && !of_machine(key, &value))) {
    rt_say("error: no measured value '%s'\n  remedy: a key of `warpglass run --json`, or one of wg_profile.h",
           key == NULL ? "(null)" : key);
    rt_fail("wg_profile: no measured value '%s'", key == NULL ? "(null)" : key);
  }
  (void)rt_leave(cudaSuccess);
  return value;
}
