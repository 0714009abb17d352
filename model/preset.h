// SPDX-License-Identifier: Apache-2.0
//
// GPU presets: one libconfig file each under configs/. Every number carries its unit in the key's name and its
// source in a comment of the file. See model/README.md for the keys and DEVIATIONS.md for what a preset
// simplifies.
#ifndef WG_MODEL_PRESET_H
#define WG_MODEL_PRESET_H

#include "model/copy/copy.h"
#include "model/front/front.h"
#include "model/gte/gte_spec.h"
#include "model/hbm/hbm.h"
#include "model/l2/l2.h"
#include "model/sm_port.h"
#include "model/xbar/xbar.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A preset as read, before scaling to a number of SMs. Numbers of L2 and HBM are those of the full machine. */
typedef struct wg_preset {
  char name[32];            /* file name without suffix; with overrides "tiny+sm.mshrs=8", or a hash if that is too long */
  char title[64];           /* device name for cudaGetDeviceProperties */
  char path[256];           /* the file it came from */
  const wg_shape_t *shape;  /* the verilated build it needs */
  uint32_t num_sms;         /* default of this version */
  uint32_t num_sms_full;    /* of the machine that is described */
  uint32_t clock_khz;       /* SM clock */
  wg_sm_cfg_t sm;           /* smid, nsmid are filled in by wg_preset_to_sm_cfg */
  wg_xbar_spec_t xbar;
  wg_l2_spec_t l2;
  wg_hbm_spec_t hbm;
  wg_gte_spec_t gte;
  uint64_t global_bytes;    /* memory size that cudaGetDeviceProperties reports */
  uint32_t max_threads_per_block;
  uint32_t shared_per_block_bytes;
  uint32_t shared_optin_bytes; /* the most that cudaFuncSetAttribute allows a block */
  uint32_t launch_overhead_ns; /* host: one launch call */
  uint32_t call_ns, query_ns, allocate_ns; /* host: other asynchronous calls; questions; cudaMalloc or cudaFree */
  uint32_t notify_ns;       /* end of a work on the device to the return of the call that waits for it */
  wg_copy_spec_t copy;
  wg_front_spec_t front;
  bool scaled;              /* wg_preset_scale was applied: l2 and hbm are those of num_sms SMs */
} wg_preset_t;

/**
 * Load and check a preset.
 * @param name_or_path a path if it contains '/' or ends in ".cfg"; else a name, looked for as configs/<name>.cfg in
 *   $WARPGLASS_HOME, then upwards from the running program or library, then upwards from the working directory.
 *   Behind it may stand overrides, "tiny+sm.mshrs=8+sm.scheduler=gto": the values that the file would have to hold
 * @return kWgOk; kWgNotFound (the hint lists where it was looked for); kWgBadInput for a syntax error, an unknown or
 *   missing key, a wrong type, a value out of range or above the shape's maximum: the diag has file, line and a
 *   sentence.
 */
WG_NODISCARD wg_status_t wg_preset_load(const char *name_or_path, wg_preset_t *out, wg_diag_t *diag);

/**
 * The text of a preset after its overrides: every key and value in the file's order, comments and spacing gone, so that equal
 * machines have equal texts.
 * @param name_or_path as of wg_preset_load
 * @param[out] out the caller frees it; untouched on failure
 * @return as wg_preset_load; kWgNoSpace
 */
WG_NODISCARD wg_status_t wg_preset_text(const char *name_or_path, char **out, wg_diag_t *diag);

/** Names of all keys of a preset, "sm.mshrs". @param[out] names [max] @return how many were written */
size_t wg_preset_keys(const char *names[], size_t max);

/**
 * Can the RTL of this version be what `c` says? The one place that knows what it cannot: a new mode of rtl/ opens its
 * line here. Numbers without effect count too: what a preset says must be so.
 * @param[out] key the preset's key that is to be changed; untouched if all is well
 * @return NULL, or what the SM has instead, to follow "this version's SM has "
 */
const char *wg_sm_supports(const wg_sm_cfg_t *c, const char **key);

/**
 * Names of the shipped presets, sorted: configs/NAME.cfg beside the one that a name such as "tiny" finds.
 * @param[out] names [max][32]; longer names are left out
 * @return how many; 0 if there is no such folder
 */
size_t wg_preset_names(char names[][32], size_t max);

/**
 * Scale L2 and HBM to `num_sms` SMs and check that the machine can be built.
 * Slices and channels = full machine's x num_sms / num_sms_full, rounded up; then the one becomes a multiple of the other, as in
 * the full machine.
 * @param num_sms 0 = the preset's default; 1..num_sms_full
 * @return kWgOk or kWgBadArg (also if it is scaled already), with `p` untouched. `p->num_sms` is the result's number.
 * Source: DEVIATIONS.md, "Scaled machines".
 */
WG_NODISCARD wg_status_t wg_preset_scale(wg_preset_t *p, uint32_t num_sms, wg_diag_t *diag);

/** Launch-time configuration of SM number `smid`. */
void wg_preset_to_sm_cfg(const wg_preset_t *p, uint32_t smid, wg_sm_cfg_t *out);

/** Threads that one SM holds at the same time: its warp slots, or fewer where the preset has thread slots. */
uint32_t wg_preset_resident_threads(const wg_preset_t *p);

/** Pin bandwidth of all HBM channels (of the scaled or full machine `p` describes), 10^9 bytes a second. */
double wg_preset_hbm_gbytes_per_s(const wg_preset_t *p);

#ifdef __cplusplus
}
#endif
#endif
