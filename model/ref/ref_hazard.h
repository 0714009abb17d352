// SPDX-License-Identifier: Apache-2.0
//
// Hazard checker of the control field: does what a warp issues wait, by its stall counts and wait masks alone, for
// what it uses? Time is the sum of the stall counts. What a branch, a fetch, a busy pipe or another warp adds is
// luck and does not count, so a missing stall or wait is found in whatever run executes it. Lanes are looked at:
// splits of a warp that use a register in different lanes do not depend on each other.
#ifndef WG_MODEL_REF_HAZARD_H
#define WG_MODEL_REF_HAZARD_H

#include "isa/wg_ctl.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum wg_hazard_kind { kWgHazardNone, kWgHazardRaw, kWgHazardWaw, kWgHazardWar } wg_hazard_kind_t;

/** A hazard: `pc` uses what `first_pc` has not written, or overwrites what it has not read. */
typedef struct wg_hazard_report {
  wg_hazard_kind_t kind;
  bool pred;     /* a predicate, not a register */
  uint8_t reg;   /* number */
  uint8_t counter; /* that should have been waited for; kWgNoCounter: the first one names none, or it is of fixed latency */
  bool fixed;
  uint32_t need, have; /* fixed: cycles between the issues by the table; by the stall counts */
  uint32_t lanes;
  uint32_t pc, first_pc;
  uint64_t first_cycle; /* as given with its issue */
} wg_hazard_report_t;

typedef struct wg_hazard_entry wg_hazard_entry_t;

/** State of a warp; zero is a fresh one. */
typedef struct wg_hazard {
  wg_hazard_entry_t *entry; /* [cap], what is in flight */
  uint32_t num, cap;
  uint64_t now;  /* sum of stalls */
  uint32_t stall; /* of the last instruction; 0: none yet */
} wg_hazard_t;

/** Free what it holds, not the structure. */
void wg_hazard_free(wg_hazard_t *h);

/**
 * One issue of the warp, in the order of issue.
 * @param mask lanes that run it, [31:0]; @param exec of them, those whose guard holds
 * @param cycle only for reports
 * @return true; false with the first hazard in `out`
 */
bool wg_hazard_issue(wg_hazard_t *h, const wg_ctl_table_t *t, const wg_insn_t *in, uint32_t pc, uint32_t mask, uint32_t exec,
                     uint64_t cycle, wg_hazard_report_t *out);

/** Name of a kind: "read before written", ... */
const char *wg_hazard_name(wg_hazard_kind_t kind);

#ifdef __cplusplus
}
#endif
#endif
