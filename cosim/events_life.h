// SPDX-License-Identifier: Apache-2.0
//
// Lives of warp instructions, from the events of a trace: when each was fetched, issued, executed and written, and why it waited.
#ifndef WG_COSIM_EVENTS_LIFE_H
#define WG_COSIM_EVENTS_LIFE_H

#include "cosim/events.h"

#ifdef __cplusplus
extern "C" {
#endif

#define WG_NEVER UINT64_MAX

/** A warp that an instruction belongs to. */
typedef struct wg_life_warp {
  uint16_t sm;
  uint8_t sub, slot, block, warp; /* block slot; warp of the block; 255: not known */
  uint32_t grid, ctaid[3];
} wg_life_warp_t;

typedef struct wg_life {
  wg_life_warp_t of;
  uint32_t pc, mask, exec;
  /* cycles; WG_NEVER: not seen */
  uint64_t fetch; /* read from the L0: decoded in the next cycle */
  uint64_t issue, execute, memory, write; /* last write; memory: taken by the memory pipe */
  uint64_t end;   /* its last effect: written, stored, control resolved; flushed: dropped */
  bool flushed;   /* never issued */
  uint32_t stalls, num_stalls; /* in wg_lives_t.stall, while it was the warp's next one */
} wg_life_t;

typedef struct wg_stall {
  uint64_t from, to; /* cycles [from, to) */
  uint8_t reason;    /* kWgReason* */
} wg_stall_t;

typedef struct wg_lives {
  wg_life_t *life; /* [n], by the first cycle of each within an SM */
  size_t n, cap;
  wg_stall_t *stall;
  size_t stalls, stall_cap;
} wg_lives_t;

/**
 * Lives that touch cycles [from, to). Needs a trace of depth insts or more; fetch, execute, write and reasons are there at depth pipe.
 * What was issued before recording began is not there.
 * @return kWgOk, kWgBadInput (less depth, damaged), kWgNoSpace
 */
WG_NODISCARD wg_status_t wg_lives_build(const wg_events_t *t, uint64_t from, uint64_t to, wg_lives_t *out, wg_diag_t *diag);
void wg_lives_free(wg_lives_t *l);

/** First cycle in which something is seen of it. */
uint64_t wg_life_begin(const wg_life_t *l);
/** Text of the instruction, "?" if the trace has no code for it. @return buf */
const char *wg_life_text(const wg_events_t *t, const wg_life_t *l, char *buf, size_t n);
/** Its mnemonic alone. @return buf */
const char *wg_life_mnemonic(const wg_events_t *t, const wg_life_t *l, char *buf, size_t n);

/**
 * Cycle of an event in a trace (the first SM's, if several have it), by what was recorded: mismatch and hang are the mark of the
 * trace's window. @return false: it is not there
 */
bool wg_events_find(const wg_events_t *t, const wg_when_t *when, uint64_t *cycle, uint16_t *sm);

#ifdef __cplusplus
}
#endif
#endif
