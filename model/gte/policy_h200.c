// SPDX-License-Identifier: Apache-2.0
//
// h200: the order that was measured on an H200 (testbench/silicon/latency/dispatch.csv.gz). SMs come in pairs (TPCs).
// Which SMs get blocks: one SM of each pair, then the second ones, then second blocks in the same order; the last
// eight SMs of the full machine, both of a pair, come before all. Which number goes where: within each such turn over
// the SMs, numbers run over the groups of pairs (GPCs) row by row, a pair's two SMs side by side. A freed place gets
// the next number.
#include "model/gte/gte_policy.h"

enum { kFull = 132, kSpecial = 8 };

/* Groups of the full machine: first SM, pairs, row of the first pair. Read off the measured order. */
static const struct {
  uint16_t first, pairs, row;
} kGroups[] = {{0, 8, 0},  {16, 8, 0}, {32, 8, 0},  {48, 8, 0}, {64, 7, 1},
               {78, 7, 1}, {92, 7, 1}, {106, 7, 1}, {120, 2, 6}};

/* Order in which the SMs 124 to 131 get blocks, and in which they are numbered (one of the two that were seen). */
static const uint16_t kTaken[kSpecial] = {124, 126, 128, 130, 125, 127, 129, 131};
static const uint16_t kNumbered[kSpecial] = {128, 129, 130, 131, 124, 125, 126, 127};
static const uint16_t kNumberedSmall[kSpecial] = {124, 125, 126, 127, 128, 129, 130, 131};

typedef struct h200 {
  bool planned; /* the plan is of the grid in slot `grid` */
  uint32_t grid;
  uint64_t next, n; /* of the plan */
  uint32_t turn;    /* place in `taken` that is asked first when there is no plan */
  uint16_t list[];  /* [sms] SMs as they get blocks, [sms] as they are numbered, [sms x blocks] the plan */
} h200_t;

static size_t state_bytes(uint32_t sms) {
  return sizeof(h200_t) + (size_t)sms * (2 + kWgMaxBlockSlots) * sizeof(uint16_t);
}

static void clear(void *state, const wg_gte_view_t *v, const uint32_t knob[kWgGteMaxKnobs]) {
  h200_t *h = state;
  uint32_t sms = wg_gte_view_sms(v), t = 0, n = sms;
  bool full = sms == kFull;
  for (uint32_t i = 0; full && i < kSpecial; i++) {
    h->list[t++] = kTaken[i];
    h->list[n++] = knob[0] == 0 ? kNumbered[i] : kNumberedSmall[i];
  }
  uint32_t plain = full ? sms - kSpecial : sms;
  for (uint32_t i = 0; i < plain; i += 2) h->list[t++] = (uint16_t)i;
  for (uint32_t i = 1; i < plain; i += 2) h->list[t++] = (uint16_t)i;
  if (!full) {
    for (uint32_t i = 0; i < sms; i++) h->list[n++] = (uint16_t)i;
    return;
  }
  for (uint32_t row = 0; n < 2 * sms; row++) {
    for (size_t g = 0; g < sizeof kGroups / sizeof kGroups[0]; g++) {
      if (row < kGroups[g].row || row - kGroups[g].row >= kGroups[g].pairs) continue;
      uint16_t sm = (uint16_t)(kGroups[g].first + 2 * (row - kGroups[g].row));
      h->list[n++] = sm;
      h->list[n++] = (uint16_t)(sm + 1);
    }
  }
}

/* A grid that has the GPU for itself: its first wave, turn by turn. */
static void grid_begin(void *state, const wg_gte_view_t *v, uint32_t grid) {
  h200_t *h = state;
  uint32_t sms = wg_gte_view_sms(v);
  const uint16_t *taken = h->list, *numbered = taken + sms;
  uint16_t *plan = h->list + 2 * sms;
  if (wg_gte_view_grids(v) != 1) return;
  uint64_t total = wg_gte_view_total(v, grid), most = (uint64_t)sms * wg_gte_view_capacity(v, grid);
  h->planned = true;
  h->grid = grid;
  h->next = h->n = h->turn = 0;
  for (uint64_t left = total < most ? total : most; left > 0;) {
    uint32_t now = left < sms ? (uint32_t)left : sms;
    for (uint32_t i = 0; i < sms; i++) {
      bool in = false;
      for (uint32_t k = 0; k < now && !in; k++) in = taken[k] == numbered[i];
      if (in) plan[h->n++] = numbered[i];
    }
    left -= now;
  }
}

static wg_gte_answer_t pick(void *state, const wg_gte_view_t *v, uint32_t grid, uint32_t *sm) {
  const h200_t *h = state;
  uint32_t sms = wg_gte_view_sms(v);
  if (h->planned && h->grid == grid && h->next < h->n && wg_gte_view_fits(v, grid, h->list[2 * sms + h->next])) {
    *sm = h->list[2 * sms + h->next];
    return kWgGtePick;
  }
  for (uint32_t i = 0; i < sms; i++) {
    uint32_t s = h->list[(h->turn + i) % sms];
    if (!wg_gte_view_fits(v, grid, s)) continue;
    *sm = s;
    return kWgGtePick;
  }
  return kWgGteFull;
}

static void sent(void *state, const wg_gte_view_t *v, uint32_t grid, uint32_t sm) {
  h200_t *h = state;
  uint32_t sms = wg_gte_view_sms(v);
  if (h->planned && h->grid == grid && h->next < h->n && h->list[2 * sms + h->next] == sm) {
    h->next++;
    return;
  }
  for (uint32_t i = 0; i < sms; i++) {
    if (h->list[i] == sm) h->turn = (i + 1) % sms;
  }
}

const wg_gte_policy_t wg_gte_policy_h200 = {
    .name = "h200",
    .doc = "first SMs of the pairs, then the second ones, then second blocks; numbers run over groups of pairs",
    .source = "testbench/silicon/latency/dispatch.csv.gz, measured on an H200",
    .num_knobs = 1,
    .knobs = "0 or 1: which of the two measured orders the last eight of 132 SMs are numbered in",
    .hi = {1},
    .period_knob = -1,
    .state_bytes = state_bytes,
    .clear = clear,
    .grid_begin = grid_begin,
    .pick = pick,
    .sent = sent,
};
