// SPDX-License-Identifier: Apache-2.0
#include "model/twin/vta.h"

#include <string.h>

void wg_vta_reset(wg_vta_t *v) { memset(v, 0, sizeof *v); }

void wg_vta_bind(wg_vta_t *v, unsigned warp) { memset(v->num[warp], 0, sizeof v->num[warp]); }

static unsigned place(const wg_vta_t *v, unsigned warp, uint64_t line) {
  unsigned set = (unsigned)(line % kWgVtaSets), i = 0;
  while (i < v->num[warp][set] && v->tag[warp][set][i] != line) i++;
  return i;
}

bool wg_vta_miss(const wg_vta_t *v, unsigned warp, uint64_t line) {
  return place(v, warp, line) < v->num[warp][line % kWgVtaSets];
}

void wg_vta_fill(wg_vta_t *v, unsigned warp, unsigned row, bool evict, uint64_t victim) {
  if (evict) {
    unsigned old = v->owner[row], set = (unsigned)(victim % kWgVtaSets), at = place(v, old, victim);
    uint64_t *tag = v->tag[old][set];
    if (at == kWgVtaWays) at--; /* the oldest makes room */
    else if (at == v->num[old][set]) v->num[old][set]++;
    memmove(&tag[1], &tag[0], at * sizeof tag[0]);
    tag[0] = victim;
  }
  v->owner[row] = (uint8_t)warp;
}
