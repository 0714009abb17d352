// SPDX-License-Identifier: Apache-2.0
//
// Inside of `warpglass occupancy`.
#ifndef WG_COSIM_CLI_OCC_H
#define WG_COSIM_CLI_OCC_H

#include "cosim/cli/cli.h"
#include "model/gte/occupancy.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What the command was asked about. */
typedef struct occ_query {
  const wg_preset_t *preset; /* not scaled */
  uint32_t sms;
  char kernel[120];
  uint32_t threads, regs, max_threads;
  uint32_t shared, shared_per_thread; /* a block takes shared + threads x shared_per_thread */
  uint64_t work;                      /* threads that there is work for; 0 = unknown */
} occ_query_t;

static inline wg_occ_block_t occ_block(const occ_query_t *q, uint32_t threads) {
  return (wg_occ_block_t){threads, q->regs, q->shared + threads * q->shared_per_thread};
}

/** Block sizes, best first, each with its reasons. */
void occ_rank(const occ_query_t *q);
/** Occupancy over block size, registers and shared memory to PREFIX.csv and PREFIX.svg. @return kCliPass or kCliUsage
 */
WG_NODISCARD int occ_plot(const occ_query_t *q, const char *prefix);

#ifdef __cplusplus
}
#endif
#endif
