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

unsigned wg_coalesce_atom(const uint64_t addr[32], unsigned bytes, uint32_t mask, wg_line_access_t out[32]) {
  wg_line_access_t line[32];
  unsigned lines = wg_coalesce(addr, bytes, mask, line), n = 0;
  unsigned unit_bytes = bytes < 4u ? 4u : bytes;
  for (unsigned i = 0; i < lines; i++) {
    for (uint32_t left = line[i].lanes; left != 0u;) {
      wg_line_access_t t = {line[i].line, 0u, 0u};
      uint32_t taken = 0u;
      for (uint32_t m = left; m != 0u; m &= m - 1u) {
        unsigned l = (unsigned)__builtin_ctz(m), at = (unsigned)(addr[l] % (unsigned)kWgLineBytes);
        uint32_t unit = 1u << (at / unit_bytes);
        if ((taken & unit) != 0u) continue;
        taken |= unit;
        t.lanes |= 1u << l;
        t.sectors |= (uint8_t)(1u << (at / (unsigned)kWgSectorBytes));
      }
      left &= ~t.lanes;
      out[n++] = t;
    }
  }
  return n;
}

unsigned wg_coalesce_const(const uint64_t addr[32], unsigned bytes, uint32_t mask, wg_line_access_t out[32]) {
  wg_line_access_t line[32];
  unsigned lines = wg_coalesce(addr, bytes, mask, line), n = 0;
  for (unsigned i = 0; i < lines; i++) {
    for (uint32_t left = line[i].lanes; left != 0u;) {
      uint64_t a = addr[__builtin_ctz(left)];
      wg_line_access_t t = {line[i].line, 0u, (uint8_t)(1u << (a % (unsigned)kWgLineBytes / (unsigned)kWgSectorBytes))};
      for (uint32_t m = left; m != 0u; m &= m - 1u) {
        if (addr[__builtin_ctz(m)] == a) t.lanes |= m & (~m + 1u);
      }
      left &= ~t.lanes;
      out[n++] = t;
    }
  }
  return n;
}
