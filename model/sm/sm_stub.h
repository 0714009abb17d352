// SPDX-License-Identifier: Apache-2.0
//
// SM back end `stub`: runs no instruction, holds each block for a given or scripted number of cycles and
// reports its end. For block scheduling: the lecture's timeline, GigaThread tests, machines with many SMs.
// Block slots follow the twin of the SM's allocator, as the RTL does. What it says of its issue slots is scripted too.
#ifndef WG_MODEL_SM_STUB_H
#define WG_MODEL_SM_STUB_H

#include "model/sm_port.h"

#ifdef __cplusplus
extern "C" {
#endif

/** How long blocks take, in SM cycles (0 counts as 1). Block number = x + nctaid.x * (y + nctaid.y * z). */
typedef struct wg_sm_stub_script {
  uint32_t default_cycles;
  const uint32_t *cycles; /* [n] duration of block number i; blocks beyond use default_cycles. Copied. May be NULL. */
  size_t n;
  uint32_t insts;       /* warp instructions of a block, spread evenly over its time; 0 = one a cycle and SM with a block */
  uint32_t memory_over; /* issue slots count as waiting for memory while more blocks are resident; 0 = never */
  uint32_t lose;        /* number of a block whose end is never reported, + 1; 0 = none: a fault to be found */
} wg_sm_stub_script_t;

/** @param script NULL = every block takes 100 cycles. @return kWgOk or kWgNoSpace. */
WG_NODISCARD wg_status_t wg_sm_stub_create(const wg_shape_t *shape, const wg_sm_stub_script_t *script, wg_sm_t **out,
                                           wg_diag_t *diag);

#ifdef __cplusplus
}
#endif
#endif
