// SPDX-License-Identifier: Apache-2.0
#include "model/twin/sched.h"

void wg_sched_unpack(wg_sched_in_t *in, const uint32_t ev[4]) {
  in->parked = (uint16_t)ev[0];
  in->long_wait = (uint16_t)(ev[0] >> 16);
  in->mem = (uint16_t)ev[1];
  in->launched = (uint16_t)(ev[1] >> 16);
  in->released = (uint16_t)ev[2];
  in->miss = (ev[2] >> 16 & 1u) != 0u;
  in->miss_slot = (uint8_t)(ev[2] >> 17 & 15u);
  in->vta_hit = (ev[2] >> 21 & 1u) != 0u;
  in->vta_slot = (uint8_t)(ev[2] >> 22 & 15u);
  in->mshr_full = (ev[2] >> 26 & 1u) != 0u;
  in->lsu_full = (ev[2] >> 27 & 1u) != 0u;
  in->branch = (ev[2] >> 28 & 1u) != 0u;
  in->branch_slot = (uint8_t)((ev[2] >> 29 | ev[3] << 3) & 15u);
  in->branch_lanes = (uint8_t)(ev[3] >> 1 & 63u);
  in->branch_of = (uint8_t)(ev[3] >> 7 & 63u);
  in->branch_insts = (uint8_t)(ev[3] >> 13 & 255u);
}
