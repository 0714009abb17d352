// SPDX-License-Identifier: Apache-2.0
//
// Words of settings: the nearest known name to a misspelt one, names of warp schedulers.
#ifndef WG_COSIM_SESSION_WORDS_H
#define WG_COSIM_SESSION_WORDS_H

#include "isa/wg_cfg.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Edits (insert, delete, replace, swap neighbours) that turn `a` into `b`, upper and lower case alike; words beyond 63
    letters count as 64. */
unsigned wg_word_distance(const char *a, const char *b);
/** The nearest of `known` (ends with NULL) to `word`; NULL if none is closer than half of the word's length. */
const char *wg_word_nearest(const char *word, const char *const *known);
/**
 * A remedy for a wrong word: "did you mean 'x'? one of: x y z", without the question if no word is near.
 * @param known ends with NULL
 * @param[out] out [n] text; words that find no room are left out behind " ..."
 */
void wg_word_hint(const char *word, const char *const *known, char *out, size_t n);

typedef enum wg_sched_kind { kWgSchedBuiltIn, kWgSchedPlugin, kWgSchedC } wg_sched_kind_t;

/** A warp scheduler as a setting names it. */
typedef struct wg_sched_choice {
  wg_sched_kind_t kind;
  unsigned policy; /* kWgPolicy*; kWgPolicyExt for a plug-in or a C policy */
  char name[32];   /* without "plugin:" or "c:" */
  unsigned num_knobs; /* given, 0..4 */
  uint32_t knob[4];   /* the others are 0: default of the policy */
} wg_sched_choice_t;

/**
 * Are `n` knobs of a built-in warp scheduler (a WG_POLICY of isa/cfg.def) in the ranges that its line there says? 0 is always the
 * policy's default; policies that read no knobs are not judged.
 * @return kWgBadInput with the range as hint
 */
WG_NODISCARD wg_status_t wg_sched_knobs_check(unsigned policy, const uint32_t *knob, unsigned n, wg_diag_t *diag);

/**
 * Read "gto", "swl:2", "ccws:100,50", "plugin:NAME" or "c:NAME", each with up to four knobs behind it.
 * @return kWgBadInput with the nearest name or the range as hint
 */
WG_NODISCARD wg_status_t wg_sched_choice_parse(const char *text, wg_sched_choice_t *out, wg_diag_t *diag);

/**
 * Read the progress rule of a launch: "on" (kWgSchedWithhold cycles), "off" (0), or a number of cycles, a multiple of kWgSchedStep
 * up to kWgSchedWithhold.
 * @return kWgBadInput with the range as hint
 */
WG_NODISCARD wg_status_t wg_progress_parse(const char *text, uint32_t *cycles, wg_diag_t *diag);

/** The word for `cycles`: "on", "off", or the number. @param buf [n], used for a number */
const char *wg_progress_word(uint32_t cycles, char *buf, size_t n);

/** If `diag` is about an unknown key of a preset, name the nearest as its hint. NULL is allowed. */
void wg_preset_hint(wg_diag_t *diag);

#ifdef __cplusplus
}
#endif
#endif
