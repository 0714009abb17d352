// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <string.h>

#include "model/gte/gte.h"

wg_sum_fault_t wg_sum_fault_find(const char *word) {
  static const struct {
    const char *word;
    wg_sum_fault_t fault;
  } kFaults[] = {
#define WG_SUM_FAULT(ID, WORD, DOC) {WORD, kWgSum##ID},
#include "model/sum_faults.def"
  };
  for (size_t i = 0; i < sizeof kFaults / sizeof kFaults[0]; i++) {
    if (strcmp(kFaults[i].word, word) == 0) return kFaults[i].fault;
  }
  return kWgSumNoFault;
}

wg_status_t wg_gte_sums(const wg_gte_result_t *r, wg_diag_t *diag) {
  const uint64_t cycles = r->end_cycle - r->start_cycle + 1;
  const struct {
    const char *left, *right;
    uint64_t l, r;
  } rules[] = {
      {"blocks launched", "blocks of the grid", r->launched, r->blocks},
      {"blocks retired", "blocks launched", r->retired, r->launched},
      {"resident warps x cycles (occupancy)", "lifetimes of all warps", r->resident_warp_cycles,
       r->block_cycles * r->warps},
      {"cycles of the busiest SM beyond the grid's", "0",
       r->most_busy_cycles > cycles ? r->most_busy_cycles - cycles : 0, 0},
  };
  for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
    if (rules[i].l == rules[i].r) continue;
    return wg_fail(diag, kWgMismatch,
                   "GigaThread engine: counters of grid %u do not add up: %s, %" PRIu64 ", are not %s, %" PRIu64,
                   r->grid_id, rules[i].left, rules[i].l, rules[i].right, rules[i].r);
  }
  return kWgOk;
}
