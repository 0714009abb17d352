// SPDX-License-Identifier: Apache-2.0
//
// Block policies in C from outside: `--blocks c:NAME` (model/gte/policy_c.h, cosim/POLICY.md).
#ifndef WG_COSIM_BLOCKS_C_H
#define WG_COSIM_BLOCKS_C_H

#include "model/gte/gte_policy.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { kWgBlocksCName = 9 }; /* letters of NAME at most */

/**
 * As wg_gte_choice_parse, but "c:NAME" is loaded from build/plugin/blocks/NAME.so first, where it is not yet; it stays loaded.
 * @return kWgOk; kWgNotFound with the remedy if there is none; kWgMismatch if it was built for another interface or has no pick;
 * kWgBadInput for a bad name or bad words
 */
WG_NODISCARD wg_status_t wg_blocks_choice_parse(const char *text, wg_gte_choice_t *out, wg_diag_t *diag);

#ifdef __cplusplus
}
#endif
#endif
