// SPDX-License-Identifier: Apache-2.0
//
// Names of files.
#ifndef WG_TOOLCHAIN_OBJ_FILES_H
#define WG_TOOLCHAIN_OBJ_FILES_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Would writing to `a` destroy what `b` names? Two names of one ordinary file; of one that is not there yet, the same name. Pipes and
 * devices may be named as often as one likes.
 */
bool wg_same_file(const char *a, const char *b);

#ifdef __cplusplus
}
#endif
#endif
