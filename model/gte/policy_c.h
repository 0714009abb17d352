// SPDX-License-Identifier: Apache-2.0
//
// A block policy that lives in a library of its own: `--blocks c:NAME`. Its one file is written against gte_policy.h like
// the built-in ones and defines
//   const wg_gte_policy_t wg_gte_policy_NAME = {.period_knob = -1, .pick = pick, ...};
// scripts/cblocks.sh NAME FILE.c compiles it with this header in front and WG_GTE_PLUGIN defined. The library has no
// access to the simulator's own functions: the view's functions are its own, and go through the table that the loader
// (cosim/blocks_c.h) puts in.
#ifndef WG_MODEL_GTE_POLICY_C_H
#define WG_MODEL_GTE_POLICY_C_H

#include "model/gte/gte_policy.h"

enum { kWgGteAbi = 1 }; /* of this table, of wg_gte_policy_t and wg_gte_sm_view_t */

/** The functions of gte_policy.h with the same names. */
typedef struct wg_gte_view_calls {
  uint32_t (*sms)(const wg_gte_view_t *v);
  uint32_t (*sub_cores)(const wg_gte_view_t *v);
  bool (*fits)(const wg_gte_view_t *v, uint32_t grid, uint32_t sm);
  uint32_t (*room)(const wg_gte_view_t *v, uint32_t grid, uint32_t sm, uint32_t most);
  uint32_t (*capacity)(const wg_gte_view_t *v, uint32_t grid);
  uint64_t (*total)(const wg_gte_view_t *v, uint32_t grid);
  uint64_t (*left)(const wg_gte_view_t *v, uint32_t grid);
  uint32_t (*grids)(const wg_gte_view_t *v);
  void (*sm)(const wg_gte_view_t *v, uint32_t grid, uint32_t sm, wg_gte_sm_view_t *out);
} wg_gte_view_calls_t;

#ifdef WG_GTE_PLUGIN
const uint32_t wg_gte_plugin_abi = kWgGteAbi;
wg_gte_view_calls_t wg_gte_plugin_calls;

uint32_t wg_gte_view_sms(const wg_gte_view_t *v) { return wg_gte_plugin_calls.sms(v); }
uint32_t wg_gte_view_sub_cores(const wg_gte_view_t *v) { return wg_gte_plugin_calls.sub_cores(v); }
bool wg_gte_view_fits(const wg_gte_view_t *v, uint32_t grid, uint32_t sm) { return wg_gte_plugin_calls.fits(v, grid, sm); }
uint32_t wg_gte_view_room(const wg_gte_view_t *v, uint32_t grid, uint32_t sm, uint32_t most) {
  return wg_gte_plugin_calls.room(v, grid, sm, most);
}
uint32_t wg_gte_view_capacity(const wg_gte_view_t *v, uint32_t grid) { return wg_gte_plugin_calls.capacity(v, grid); }
uint64_t wg_gte_view_total(const wg_gte_view_t *v, uint32_t grid) { return wg_gte_plugin_calls.total(v, grid); }
uint64_t wg_gte_view_left(const wg_gte_view_t *v, uint32_t grid) { return wg_gte_plugin_calls.left(v, grid); }
uint32_t wg_gte_view_grids(const wg_gte_view_t *v) { return wg_gte_plugin_calls.grids(v); }
void wg_gte_view_sm(const wg_gte_view_t *v, uint32_t grid, uint32_t sm, wg_gte_sm_view_t *out) {
  wg_gte_plugin_calls.sm(v, grid, sm, out);
}
#endif

#endif
