// SPDX-License-Identifier: Apache-2.0
//
// Between the two vectors of a lab's door (shim.py) and the ports of the verilated module: bit 0 of a port stands at bit `at` of the
// vector, words of 32 bits, lowest first.
#ifndef WG_TESTBENCH_LABS_DOOR_H
#define WG_TESTBENCH_LABS_DOOR_H

#include <cstdint>

#include "verilated.h"

namespace lab {

inline uint32_t word(const uint32_t *v, unsigned at, unsigned bits) { /* up to 32 bits */
  uint64_t x = v[at / 32];
  if (at % 32 + bits > 32) x |= uint64_t(v[at / 32 + 1]) << 32;
  return uint32_t(x >> at % 32) & uint32_t((uint64_t(1) << bits) - 1);
}
inline void set(uint32_t *v, unsigned at, unsigned bits, uint32_t x) {
  const uint64_t mask = ((uint64_t(1) << bits) - 1) << at % 32, y = uint64_t(x) << at % 32;
  v[at / 32] = uint32_t((v[at / 32] & ~mask) | (y & mask));
  if (at % 32 + bits > 32) v[at / 32 + 1] = uint32_t((v[at / 32 + 1] & ~(mask >> 32)) | (y & mask) >> 32);
}

template <class T> void get(T &port, const uint32_t *v, unsigned at, unsigned width) {
  uint64_t x = word(v, at, width < 32 ? width : 32);
  if (width > 32) x |= uint64_t(word(v, at + 32, width - 32)) << 32;
  port = T(x);
}
template <std::size_t N> void get(VlWide<N> &port, const uint32_t *v, unsigned at, unsigned width) {
  for (unsigned i = 0; 32 * i < width; i++) port[i] = word(v, at + 32 * i, width - 32 * i < 32 ? width - 32 * i : 32);
}
template <class T> void put(T &port, uint32_t *v, unsigned at, unsigned width) {
  const uint64_t x = port;
  set(v, at, width < 32 ? width : 32, uint32_t(x));
  if (width > 32) set(v, at + 32, width - 32, uint32_t(x >> 32));
}
template <std::size_t N> void put(VlWide<N> &port, uint32_t *v, unsigned at, unsigned width) {
  for (unsigned i = 0; 32 * i < width; i++) set(v, at + 32 * i, width - 32 * i < 32 ? width - 32 * i : 32, port[i]);
}

}  // namespace lab

#endif
