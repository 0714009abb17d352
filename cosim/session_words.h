// SPDX-License-Identifier: Apache-2.0
//
// Words for messages: the nearest known name to a misspelt one.
#ifndef WG_COSIM_SESSION_WORDS_H
#define WG_COSIM_SESSION_WORDS_H

#include "isa/wg_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Edits (insert, delete, replace, swap neighbours) that turn `a` into `b`; words beyond 63 letters count as 64. */
unsigned wg_word_distance(const char *a, const char *b);
/** The nearest of `known` (ends with NULL) to `word`; NULL if none is closer than half of the word's length. */
const char *wg_word_nearest(const char *word, const char *const *known);
/**
 * A remedy for a wrong word: "did you mean 'x'? one of: x y z", without the question if no word is near.
 * @param known ends with NULL
 * @param[out] out [n] text; words that find no room are left out behind " ..."
 */
void wg_word_hint(const char *word, const char *const *known, char *out, size_t n);

#ifdef __cplusplus
}
#endif
#endif
