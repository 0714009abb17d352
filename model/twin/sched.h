// SPDX-License-Identifier: Apache-2.0
//
// Twins of the warp schedulers: one policy a file, one line each in sched.c's table, one interface. A policy is stepped
// in every cycle in which a valid warp exists or an event happens; it answers with the warp to issue. Rules that all
// policies keep: only an eligible warp is picked; if one is eligible, one is picked (policies that withhold warps: see
// their file).
#ifndef WG_MODEL_TWIN_SCHED_H
#define WG_MODEL_TWIN_SCHED_H

#include "isa/wg_cfg.h"

#ifdef __cplusplus
extern "C" {
#endif

/** One sub-core's scheduler state; masks over warp slots. Fields a policy does not need stay as reset left them. */
typedef struct wg_sched {
  const struct wg_sched_policy *policy;
  uint32_t num_slots; /* power of two, 1..16 */
  uint32_t knob[4];
  uint8_t last;                  /* slot issued last */
  bool has_last;                 /* something was issued since reset */
  uint64_t age[kWgMaxWarpSlots]; /* launch order; smaller = older */
  uint64_t launches;             /* warps launched so far */
} wg_sched_t;

typedef struct wg_sched_in {
  uint16_t valid;    /* slots that hold a started warp */
  uint16_t eligible; /* subset: could issue in this cycle */
} wg_sched_in_t;

typedef struct wg_sched_out {
  bool issue;
  uint8_t warp; /* slot, if issue */
} wg_sched_out_t;

typedef struct wg_sched_policy {
  uint8_t id;                                                     /* kWgPolicy* */
  wg_sched_out_t (*pick)(wg_sched_t *s, const wg_sched_in_t *in); /* state as after the pick is issued */
} wg_sched_policy_t;

/** @return false if there is no twin of `policy` (an external policy has none). */
bool wg_sched_reset(wg_sched_t *s, unsigned policy, uint32_t num_slots, const uint32_t knob[4]);
/** A warp starts in a slot (in the cycle before it can first be picked). */
void wg_sched_launch(wg_sched_t *s, unsigned slot);
/** One cycle. */
wg_sched_out_t wg_sched_step(wg_sched_t *s, const wg_sched_in_t *in);

extern const wg_sched_policy_t wg_sched_lrr; /* sched_lrr.c */
extern const wg_sched_policy_t wg_sched_gto; /* sched_gto.c */

#ifdef __cplusplus
}
#endif
#endif
