// SPDX-License-Identifier: Apache-2.0
#include "model/ref/wg_ref_atom.h"

#include <string.h>

#include "model/ref/wg_ref_fp32.h"
#include "model/ref/wg_ref_fp64.h"
#include "model/ref/wg_ref_half.h"

unsigned wg_ref_atom_bytes(unsigned type) {
  static const uint8_t kBytes[kWgAtomTypes] = {4, 4, 8, 8, 4, 8, 4, 4, 2, 2, 2};
  WG_BUG(type >= (unsigned)kWgAtomTypes);
  return kBytes[type];
}

bool wg_ref_atom_is_float(unsigned type) { return type >= (unsigned)kWgAtomF32 && type <= (unsigned)kWgAtomBf16; }

static bool is_nan64(uint64_t v) { return (v & INT64_MAX) > UINT64_C(0x7ff0000000000000); }

static uint64_t add_float(unsigned type, bool shared, uint64_t old, uint64_t v) {
  wg_half_mode_t half = {type == (unsigned)kWgAtomBf16x2 || type == (unsigned)kWgAtomBf16, false, false, false};
  switch (type) {
    case kWgAtomF32: return wg_fp32_add((uint32_t)old, (uint32_t)v, (wg_fp_mode_t){kWgRoundRN, !shared, false});
    case kWgAtomF64:
      if (!shared && is_nan64(v)) return v; /* atomf64.csv: of two NaNs the operand, not made quiet */
      if (!shared && is_nan64(old)) return old;
      return wg_fp64_add(v, old, kWgRoundRN); /* of two NaNs the memory's */
    case kWgAtomF16x2:
    case kWgAtomBf16x2:
      return (uint64_t)wg_half_add((uint16_t)(old >> 16), (uint16_t)(v >> 16), half) << 16 |
             wg_half_add((uint16_t)old, (uint16_t)v, half);
    default: return wg_half_add((uint16_t)old, (uint16_t)v, half);
  }
}

static bool less(unsigned type, uint64_t a, uint64_t b) {
  switch (type) {
    case kWgAtomS32: return (int32_t)a < (int32_t)b;
    case kWgAtomS64: return (int64_t)a < (int64_t)b;
    default: return a < b; /* both within their size */
  }
}

uint64_t wg_ref_atom(unsigned op, unsigned type, bool shared, uint64_t old, wg_ref_atom_arg_t arg) {
  unsigned bytes = wg_ref_atom_bytes(type);
  uint64_t keep = bytes == 8u ? UINT64_MAX : (UINT64_C(1) << (8u * bytes)) - 1u;
  uint64_t m = old & keep, v = arg.value & keep;
  WG_BUG(wg_ref_atom_is_float(type) && op != (unsigned)kWgAtomAdd);
  switch (op) {
    case kWgAtomAdd: return (wg_ref_atom_is_float(type) ? add_float(type, shared, m, v) : m + v) & keep;
    case kWgAtomMin: return less(type, v, m) ? v : m;
    case kWgAtomMax: return less(type, m, v) ? v : m;
    case kWgAtomInc: return m >= v ? 0u : m + 1u;
    case kWgAtomDec: return m == 0u || m > v ? v : m - 1u;
    case kWgAtomAnd: return m & v;
    case kWgAtomOr: return m | v;
    case kWgAtomXor: return m ^ v;
    case kWgAtomExch: return v;
    default: WG_BUG(op != (unsigned)kWgAtomCas); return m == (arg.expected & keep) ? v : m;
  }
}

wg_ref_atom_arg_t wg_ref_atom_args(unsigned op, unsigned type, const uint32_t word[4]) {
  bool cas = op == (unsigned)kWgAtomCas, wide = wg_ref_atom_bytes(type) == 8u;
  uint64_t first = wide ? (uint64_t)word[1] << 32 | word[0] : word[0];
  if (!cas) return (wg_ref_atom_arg_t){first, 0u};
  return (wg_ref_atom_arg_t){wide ? (uint64_t)word[3] << 32 | word[2] : word[1], first};
}

void wg_ref_atom_sector(unsigned op, unsigned type, uint32_t byte_mask, const uint8_t value[32],
                        const uint8_t expected[32], uint8_t sector[32]) {
  unsigned bytes = wg_ref_atom_bytes(type);
  for (unsigned at = 0; at < 32u; at += bytes) {
    if ((byte_mask >> at & 1u) == 0u) continue;
    wg_ref_atom_arg_t arg = {0u, 0u};
    uint64_t old = 0u;
    memcpy(&arg.value, value + at, bytes); /* little endian hosts only, as everything here */
    memcpy(&arg.expected, expected + at, bytes);
    memcpy(&old, sector + at, bytes);
    uint64_t now = wg_ref_atom(op, type, false, old, arg);
    memcpy(sector + at, &now, bytes);
  }
}
