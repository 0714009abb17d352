// SPDX-License-Identifier: Apache-2.0
//
// The C interface of a warp scheduler, for the twins of the RTL's policies (one policy a file, one line each in
// sched.c's table) and for policies that exist in C only (`--sched c:NAME`, cosim/policy_c.h). A policy is stepped
// in every cycle in which its sub-core has a bound slot, and in no other; it answers with the slot to issue. Rules
// that all keep: only an eligible slot is picked; if one is eligible, one is picked, but for policies that withhold
// slots (rr, swl, twolevel, ccws). wg_sched_step adds the progress rule (RTL: sm_sched_progress): no policy can
// break it; a launch may do without it.
#ifndef WG_MODEL_TWIN_SCHED_H
#define WG_MODEL_TWIN_SCHED_H

#include "isa/wg_cfg.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
  kWgSchedAbi = 4,   /* of wg_sched_policy_t, wg_sched_t and wg_sched_in_t */
  kWgSchedWords = 16 /* words of a policy */
};

/** One sub-core's scheduler; arrays by warp slot. */
typedef struct wg_sched {
  const struct wg_sched_policy *policy;
  uint32_t num_slots; /* power of two, 1..16 */
  uint32_t knob[4];
  uint8_t last;                  /* slot issued last; num_slots - 1 after reset, so that round robin begins at slot 0 */
  bool has_last;                 /* something was issued since reset */
  uint64_t age[kWgMaxWarpSlots]; /* order of binding; smaller = older */
  uint64_t launches;             /* slots bound so far */
  /* the policy's own, zero after reset */
  uint32_t slot_word[4][kWgMaxWarpSlots];
  uint32_t word[kWgSchedWords];
  /* progress rule */
  uint32_t progress_cycles;       /* that an eligible slot may wait; 0: no rule */
  uint32_t tick;                  /* cycles stepped */
  uint16_t waiting;               /* slots that were eligible since their last issue */
  uint16_t granted;               /* slots that issue first */
  uint8_t count[kWgMaxWarpSlots]; /* steps of 64 cycles waited; of a granted slot: issues left, less 1 */
} wg_sched_t;

/** What the door shows of each slot beyond wg_sched_in_t, to policies in C only: the RTL's policies do not have it. */
typedef struct wg_sched_more {
  uint8_t reason[kWgMaxWarpSlots];        /* kWgReason*; why it does not issue; NotSelected if it could */
  uint8_t block[kWgMaxWarpSlots];         /* block slot */
  uint8_t pending_loads[kWgMaxWarpSlots]; /* loads and shuffles under way, at most 15 */
  uint8_t depth[kWgMaxWarpSlots];         /* entries of the divergence stack, at most 31 */
  uint8_t since_issue[kWgMaxWarpSlots];   /* cycles since it issued or was bound, at most 255 */
} wg_sched_more_t;

/** What a policy sees in a cycle: the scheduler door. Masks by slot. Events are those of the cycle before. */
typedef struct wg_sched_in {
  uint16_t valid;      /* bound slots */
  uint16_t eligible;   /* subset: could issue in this cycle */
  uint16_t parked;     /* at a block barrier, asleep, or no lane left or able to run */
  uint16_t long_wait;  /* next instruction waits for a global load, or the warp in a MEMBAR */
  uint16_t mem;        /* next instruction is one of the memory pipe */
  uint16_t launched;   /* first cycle of a bound slot */
  uint16_t released;   /* event: a block barrier let the slot go on */
  bool mshr_full, lsu_full;
  bool miss, vta_hit, branch; /* events */
  uint8_t miss_slot;          /* a load of this slot sent a request for a line */
  uint8_t vta_slot;           /* a load of this slot missed a line that its warp had lost from the L1 */
  uint8_t branch_slot;        /* a BRA of this slot issued */
  uint8_t branch_lanes;       /* lanes that took it */
  uint8_t branch_of;          /* of these running lanes; split: 0 < branch_lanes < branch_of */
  const wg_sched_more_t *more; /* NULL for a twin */
  uint8_t branch_insts;       /* instructions it adds to the warp's way (loop body, path not skipped), at most 255 */
} wg_sched_in_t;

typedef struct wg_sched_out {
  bool issue;
  uint8_t warp;      /* slot, if issue */
  uint16_t withheld; /* eligible slots that the policy throttles in this cycle */
} wg_sched_out_t;

typedef struct wg_sched_policy {
  uint32_t abi; /* kWgSchedAbi */
  uint8_t id;   /* kWgPolicy*; kWgPolicyExt: exists in C only */
  /** The pick of a cycle. A withheld slot need not be named if another one issues. */
  wg_sched_out_t (*pick)(const wg_sched_t *s, const wg_sched_in_t *in);
  /** The end of the cycle; `out` is what issued, which the progress rule may have chosen; s->last is still the slot
      before it. NULL: nothing but s->last changes. */
  void (*update)(wg_sched_t *s, const wg_sched_in_t *in, const wg_sched_out_t *out);
} wg_sched_policy_t;

/** Reset under a built-in policy. @return false if there is no twin of `policy` (an external policy has none). */
bool wg_sched_reset(wg_sched_t *s, unsigned policy, uint32_t num_slots, const uint32_t knob[4], uint32_t progress_cycles);
/** Reset under any policy. @param num_slots 1..16 @param progress_cycles that an eligible slot waits at most before it issues
    kWgSchedGrant times: a multiple of kWgSchedStep up to 64 of them, kWgSchedWithhold by default; 0: no rule */
void wg_sched_init(wg_sched_t *s, const wg_sched_policy_t *policy, uint32_t num_slots, const uint32_t knob[4],
                   uint32_t progress_cycles);
/** One cycle: bind in->launched, pick, progress rule, update. */
wg_sched_out_t wg_sched_step(wg_sched_t *s, const wg_sched_in_t *in);
/** Fill all but valid and eligible from the RTL's sm_sub_pkg::sched_ev_t. @param ev its 128 bits, lowest word first */
void wg_sched_unpack(wg_sched_in_t *in, const uint32_t ev[4]);

static inline bool wg_sched_has(uint32_t set, unsigned slot) { return (set >> slot & 1u) != 0u; }

/** The first slot of a set behind `after`, in slot order, wrapping. @return num_slots if the set is empty */
static inline unsigned wg_sched_next(const wg_sched_t *s, uint16_t set, unsigned after) {
  for (unsigned k = 1; k <= s->num_slots; k++) {
    unsigned w = (after + k) % s->num_slots;
    if (wg_sched_has(set, w)) return w;
  }
  return s->num_slots;
}

/** The oldest slot of a set. @return num_slots if the set is empty */
static inline unsigned wg_sched_oldest(const wg_sched_t *s, uint16_t set) {
  unsigned best = s->num_slots;
  for (unsigned w = 0; w < s->num_slots; w++) {
    if (wg_sched_has(set, w) && (best == s->num_slots || s->age[w] < s->age[best])) best = w;
  }
  return best;
}

/** Greedy, then oldest, within a set. @return num_slots if the set is empty */
static inline unsigned wg_sched_greedy_oldest(const wg_sched_t *s, uint16_t set) {
  return s->has_last && wg_sched_has(set, s->last) ? s->last : wg_sched_oldest(s, set);
}

/** An answer: `slot`, or nothing if it is num_slots. */
static inline wg_sched_out_t wg_sched_answer(const wg_sched_t *s, unsigned slot, uint16_t withheld) {
  wg_sched_out_t o = {slot < s->num_slots, (uint8_t)(slot < s->num_slots ? slot : 0u), withheld};
  return o;
}

/** A knob with its default (for 0) and its largest value. */
static inline uint32_t wg_sched_knob(const wg_sched_t *s, unsigned i, uint32_t default_value, uint32_t max) {
  uint32_t v = s->knob[i] == 0u ? default_value : s->knob[i];
  return v > max ? max : v;
}

/* one file each: sched_<name>.c */
extern const wg_sched_policy_t wg_sched_lrr, wg_sched_rr, wg_sched_old, wg_sched_gto, wg_sched_twolevel, wg_sched_swl,
    wg_sched_ccws, wg_sched_gcaws, wg_sched_gty;

#ifdef __cplusplus
}
#endif
#endif
