// SPDX-License-Identifier: Apache-2.0
//
// Overrides of a preset, behind its name: "tiny+sm.mshrs=8+sm.scheduler=gto". Inside of model/preset.c.
#ifndef WG_MODEL_PRESET_SET_H
#define WG_MODEL_PRESET_SET_H

#include <libconfig.h>

#include "isa/wg_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Where the overrides begin, at their '+'; NULL if `words` has none. A '+' without a key and '=' behind it is a
 * name's. */
const char *wg_preset_set_split(const char *words);
/**
 * Put the values of `sets` in place of the file's.
 * @param sets "+key=value..." or NULL; a list of numbers reads 0,1,0,0
 * @return kWgBadInput for an unknown key, a value of the wrong type or number of elements; kWgNoSpace
 */
WG_NODISCARD wg_status_t wg_preset_set_apply(config_t *c, const char *sets, wg_diag_t *diag);
/** The whole preset as text without comments. @param[out] out the caller frees it @return kWgOk, kWgNoSpace */
WG_NODISCARD wg_status_t wg_preset_set_dump(const config_t *c, char **out, wg_diag_t *diag);
/** A message about a line of the file is about what overrides made of it: say so. @param diag NULL is allowed */
void wg_preset_set_blame(const char *base, const char *sets, wg_diag_t *diag);
/** Name of the machine: the words themselves, or "base+hash" where they do not fit. @param out [n], may be `base` */
void wg_preset_set_name(const char *base, const char *sets, char *out, size_t n);

#ifdef __cplusplus
}
#endif
#endif
