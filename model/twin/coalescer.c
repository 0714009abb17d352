// SPDX-License-Identifier: Apache-2.0
#include "model/twin/coalescer.h"

unsigned wg_coalesce(const uint64_t addr[32], unsigned bytes, uint32_t mask, wg_line_access_t out[32]) {
  unsigned n = 0;
  for (; mask != 0u; mask &= mask - 1u) {
    unsigned l = (unsigned)__builtin_ctz(mask);
    WG_BUG(addr[l] % bytes != 0u); /* so a lane never crosses a sector */
    uint64_t line = addr[l] & ~(uint64_t)(kWgLineBytes - 1);
    unsigned i = n;
    while (i > 0u && out[i - 1u].line > line) i--;
    if (i == 0u || out[i - 1u].line != line) {
      for (unsigned k = n; k > i; k--) out[k] = out[k - 1u];
      out[i] = (wg_line_access_t){line, 0u, 0u};
      n++;
    } else {
      i--;
    }
    out[i].lanes |= 1u << l;
    out[i].sectors |= (uint8_t)(1u << (addr[l] % (unsigned)kWgLineBytes / (unsigned)kWgSectorBytes));
  }
  return n;
}
