// SPDX-License-Identifier: Apache-2.0
//
// The PTX compiler: PTX text in, kernel container out. Passes, one file each: lex, parse, CFG, reconvergence by
// immediate post-dominators, liveness, register allocation, scheduling, emission.
#ifndef WG_TOOLCHAIN_PTX_H
#define WG_TOOLCHAIN_PTX_H

#include "isa/wg_ctl.h"
#include "toolchain/obj/wg_obj.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct wg_ptx_options {
  bool schedule;        /* reorder to hide latencies (default on; off shows what it buys) */
  bool reconverge;      /* insert BSSY/BSYNC (default on) */
  uint32_t max_regs;    /* 0 = 255; what does not fit is spilled to local memory. .maxnreg of a kernel counts too */
  bool keep_warpsync;   /* keep __syncwarp() also where all lanes are together (race=note) */
  bool keep_gather;     /* and the gathering of lanes in front of every warp-level call with a mask (tools=sync) */
  bool keep_ptx;        /* store the text in .wg.ptx */
  const wg_ctl_table_t *ctl; /* machine that the control field is for; NULL: any without extra latency */
} wg_ptx_options_t;

/** Scheduling, reconvergence and keep_ptx on, no register limit. */
void wg_ptx_default_options(wg_ptx_options_t *o);

/**
 * Compile one PTX module.
 * @param text NUL-terminated; @param name for messages
 * @return kWgOk; kWgBadInput (malformed) or kWgUnsupported (valid PTX that is not implemented), with file, line and the
 *         instruction in `diag`; `*out` untouched on failure
 */
WG_NODISCARD wg_status_t wg_ptx_compile(const char *text, const char *name, const wg_ptx_options_t *opt, wg_obj_t **out,
                                        wg_diag_t *diag);

#ifdef __cplusplus
}
#endif
#endif
