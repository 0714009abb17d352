// SPDX-License-Identifier: Apache-2.0
//
// Inside of the GigaThread engine: included by model/gte/gte*.c only.
#ifndef WG_MODEL_GTE_INT_H
#define WG_MODEL_GTE_INT_H

#include "model/gte/gte.h"
#include "model/gte/gte_policy.h"
#include "model/twin/cta_alloc.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { kWgGteResults = 256 }; /* finished grids that are remembered */

/** A block on an SM. */
typedef struct wg_gte_block {
  bool used;
  uint8_t grid; /* slot */
  uint32_t grid_id, ctaid[3];
  uint64_t sent_cycle;
} wg_gte_block_t;

typedef struct wg_gte_sm {
  wg_cta_alloc_t room;
  uint32_t threads;     /* resident, in whole warps */
  uint32_t blocks;      /* resident */
  uint64_t ready_cycle; /* it takes no block before */
  wg_gte_block_t block[kWgMaxBlockSlots];
  uint64_t issued, idle, memory_wait; /* sums of the samples */
} wg_gte_sm_t;

/** A grid with its share of an SM: slots are reused, so all is cleared when a grid begins. */
typedef struct wg_gte_share {
  uint32_t resident;
  uint64_t sent;
  uint64_t busy_cycles,
      since; /* with a block of the grid: up to the last time there was none; begin of the present ones */
  uint64_t warp_cycles, until; /* resident warps summed over the cycles before `until` */
} wg_gte_share_t;

/** A resident grid. */
typedef struct wg_gte_run {
  bool used;
  wg_grid_t k;
  uint64_t serial;   /* order of submission */
  uint32_t warps;    /* of a block */
  uint32_t capacity; /* blocks on an empty SM */
  uint64_t total, sent, ended;
  wg_gte_share_t *share; /* [sms] */
  wg_gte_result_t result;
} wg_gte_run_t;

/** A launch command that waits. */
typedef struct wg_gte_wait {
  wg_grid_t k;
  uint64_t serial;
} wg_gte_wait_t;

struct wg_gte {
  wg_gte_spec_t spec;
  const wg_gte_policy_t *policy;
  uint32_t knob[kWgGteMaxKnobs];
  void *policy_state;
  size_t policy_bytes;
  uint64_t next_sample;
  wg_cta_alloc_t empty;  /* an empty SM */
  uint32_t thread_slots; /* of an SM; 0 = the warp slots alone decide */
  uint32_t sms;
  wg_gte_sm_t *sm;                     /* [sms] */
  wg_gte_share_t *shares;              /* [grid slots][sms] */
  wg_gte_wait_t queue[kWgGteMaxQueue]; /* in order of submission */
  uint32_t queued;
  bool admit; /* a grid may become resident: one came or one ended */
  wg_gte_run_t run[kWgGteMaxGridSlots];
  uint8_t order[kWgGteMaxGridSlots]; /* slots of grids with blocks to send, in the order they are served */
  uint32_t to_send, resident;        /* grids */
  uint64_t serial;
  /* placement */
  bool bad_pick; /* the policy named an SM, chosen_sm, that cannot take the block */
  bool chosen, blocked; /* a place is found; or none can be until something changes */
  uint32_t chosen_grid, chosen_sm;
  wg_cta_place_t place;
  uint64_t now, not_before, wake; /* cycle of the last peek; no block before; when `blocked` may be over by itself */
  wg_gte_result_t result[kWgGteResults]; /* ring */
  uint64_t num_results, num_taken;
  wg_sum_fault_t lose; /* a count, once, from `lose_from` on */
  uint64_t lose_from;
};

/** Would this SM take a block of the run now? @param[out] place may be NULL */
bool wg_gte_fits(const wg_gte_t *g, const wg_gte_run_t *r, const wg_gte_sm_t *s, wg_cta_place_t *place);

#ifdef __cplusplus
}
#endif
#endif
