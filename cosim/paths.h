// SPDX-License-Identifier: Apache-2.0
//
// Where built things and shipped files lie: found from the place of the library or tool that runs, so that nothing depends on
// the current directory. WARPGLASS_HOME overrides it.
#ifndef WG_COSIM_PATHS_H
#define WG_COSIM_PATHS_H

#include "isa/wg_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** printf a path below the build folder (which holds bin/, lib/, sm/). Truncation is an internal error. */
void wg_path_build(char *buf, size_t n, const char *fmt, ...) WG_PRINTF(3, 4);
/** printf a path below the repository's root (configs/, programs/). */
void wg_path_root(char *buf, size_t n, const char *fmt, ...) WG_PRINTF(3, 4);

#ifdef __cplusplus
}
#endif
#endif
