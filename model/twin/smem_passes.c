// SPDX-License-Identifier: Apache-2.0
#include "model/twin/smem_passes.h"

/* Do all active lanes of `group` have the address of their neighbour l ^ x, where that is active too? */
static bool neighbours_agree(const uint32_t addr[32], uint32_t group, unsigned x) {
  for (unsigned l = 0; l < 32u; l++) {
    if ((group >> l & 1u) != 0u && (group >> (l ^ x) & 1u) != 0u && addr[l] != addr[l ^ x]) return false;
  }
  return true;
}

static bool go_together(const uint32_t addr[32], uint32_t group, bool store) {
  return !store && (neighbours_agree(addr, group, 1u) || neighbours_agree(addr, group, 2u));
}

/* A group of lanes: one wavefront after the other takes, for every bank, the word of the lowest lane left. A wide
   access covers an aligned unit of banks, which one word index (address / bytes) stands for. */
static void split_group(const uint32_t addr[32], unsigned bytes, uint32_t left, wg_smem_passes_t *out) {
  unsigned word_bytes = bytes < 4u ? 4u : bytes;
  unsigned units = (unsigned)kWgLineBytes / word_bytes;
  unsigned first = out->num;
  while (left != 0u) {
    uint32_t word_of[32];
    uint32_t taken = 0u, served = 0u; /* taken: units; served: lanes */
    for (uint32_t m = left; m != 0u; m &= m - 1u) {
      unsigned l = (unsigned)__builtin_ctz(m);
      uint32_t word = addr[l] / word_bytes;
      unsigned u = word % units;
      if ((taken >> u & 1u) == 0u) {
        taken |= 1u << u;
        word_of[u] = word;
      }
      if (word_of[u] == word) served |= 1u << l;
    }
    out->lanes[out->num++] = served;
    left &= ~served;
  }
  if (out->num > first) out->conflicts += out->num - first - 1u;
}

void wg_smem_split(const uint32_t addr[32], unsigned bytes, uint32_t mask, bool store, wg_smem_passes_t *out) {
  out->num = 0u;
  out->conflicts = 0u;
  unsigned width = bytes == 16u ? 8u : (bytes == 8u ? 16u : 32u);
  for (unsigned at = 0; at < 32u; at += width) {
    uint32_t group = width == 32u ? UINT32_MAX : ((1u << width) - 1u) << at;
    /* 64 bits: both halves of the warp; 128 bits: both quarters of a half */
    uint32_t pair = width == 16u ? UINT32_MAX : 0xffffu << (at & 16u);
    if (width < 32u && at % (2u * width) == 0u && go_together(addr, mask & pair, store)) {
      group = pair;
      at += width;
    }
    split_group(addr, bytes, mask & group, out);
  }
}

void wg_smem_split_atom(const uint32_t addr[32], unsigned bytes, uint32_t mask, wg_smem_passes_t *out) {
  unsigned unit_bytes = bytes < 4u ? 4u : bytes;
  unsigned units = (unsigned)kWgLineBytes / unit_bytes;
  unsigned width = bytes == 8u ? 16u : 32u;
  out->num = 0u;
  out->conflicts = 0u;
  for (unsigned at = 0; at < 32u; at += width) {
    uint32_t left = mask & (width == 32u ? UINT32_MAX : ((1u << width) - 1u) << at);
    unsigned first = out->num;
    while (left != 0u) {
      uint32_t taken = 0u, served = 0u;
      for (uint32_t m = left; m != 0u; m &= m - 1u) {
        unsigned l = (unsigned)__builtin_ctz(m);
        uint32_t unit = 1u << (addr[l] / unit_bytes % units);
        if ((taken & unit) == 0u) served |= 1u << l;
        taken |= unit;
      }
      out->lanes[out->num++] = served;
      left &= ~served;
    }
    if (out->num > first) out->conflicts += out->num - first - 1u;
  }
}
