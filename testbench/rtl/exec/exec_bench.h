// SPDX-License-Identifier: Apache-2.0
//
// Shared by the execution pipe benches: seed, random numbers, corner operands, the silicon tables.
#ifndef WG_TESTBENCH_RTL_EXEC_BENCH_H
#define WG_TESTBENCH_RTL_EXEC_BENCH_H

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "isa/wg_isa.h"

namespace bench {

/** Seed of this run: environment variable SEED, 1 if unset. Printed once, so that a failure can be repeated. */
inline uint64_t seed() {
  static const uint64_t value = [] {
    const char *s = std::getenv("SEED");
    uint64_t v = s != nullptr ? std::strtoull(s, nullptr, 0) : 1u;
    std::printf("SEED=%llu\n", static_cast<unsigned long long>(v));
    return v;
  }();
  return value;
}

/** splitmix64. */
class Rng {
 public:
  explicit Rng(uint64_t stream) : state_(seed() * 0x9e3779b97f4a7c15u + stream) {}
  uint64_t next() {
    uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
  }
  uint32_t below(uint32_t n) { return static_cast<uint32_t>((next() >> 32) * n >> 32); }
  bool chance(uint32_t percent) { return below(100) < percent; }

 private:
  uint64_t state_;
};

/** Integers: corners, small numbers, single bits, anything. */
inline uint32_t random_int(Rng &r) {
  static const uint32_t corners[] = {0u, 1u, 2u, 31u, 32u, 33u, 63u, 64u, 65u, 0x7fffffffu, 0x80000000u,
                                     0x80000001u, 0xffffffffu, 0xfffffffeu, 0xffffu, 0x10000u};
  switch (r.below(4)) {
    case 0: return corners[r.below(16)];
    case 1: return r.below(80);
    case 2: return (1u << r.below(32)) - r.below(2);
    default: return static_cast<uint32_t>(r.next());
  }
}

/** Floats: specials, exponents near `near`, mantissas full of zeros or ones, denormals, anything. */
inline uint32_t random_float(Rng &r, uint32_t near) {
  static const uint32_t corners[] = {0u, 1u, 0x7fffffu, 0x800000u, 0x800001u, 0x3f800000u, 0x3f800001u, 0x3f7fffffu,
                                     0x7f7fffffu, 0x7f800000u, 0x7f800001u, 0x7fc00000u, 0x7fffffffu, 0x00400000u,
                                     0x3f000000u, 0x34000000u};
  uint32_t sign = static_cast<uint32_t>(r.next()) & 0x80000000u;
  uint32_t f = static_cast<uint32_t>(r.next()) & 0x7fffffu;
  switch (r.below(4)) {
    case 0: f = (1u << r.below(24)) - r.below(2); break;
    case 1: f = 0x7fffffu ^ ((1u << r.below(23)) - r.below(2)); break;
    default: break;
  }
  f &= 0x7fffffu;
  switch (r.below(10)) {
    case 0: return sign | corners[r.below(16)];
    case 1: return sign | f;
    case 2:
    case 3: return static_cast<uint32_t>(r.next());
    case 4: return sign | (r.below(2) != 0 ? r.below(8) + 1 : 254 - r.below(8)) << 23 | f;
    default: {
      uint32_t e = near + r.below(60) - 30;
      return sign | (e < 1 || e > 254 ? 127u : e) << 23 | f;
    }
  }
}

/** A table of testbench/rtl/exec/data: hex columns measured on silicon (an NVIDIA H200). */
class Table {
 public:
  explicit Table(const std::string &name) {
    std::ifstream in("testbench/rtl/exec/data/" + name);
    std::string line, cell;
    if (!std::getline(in, line)) return;
    std::stringstream head(line);
    while (std::getline(head, cell, ',')) names_.push_back(cell);
    while (std::getline(in, line)) {
      std::stringstream row(line);
      std::vector<uint64_t> v;
      while (std::getline(row, cell, ',')) v.push_back(std::strtoull(cell.c_str(), nullptr, 16));
      rows_.push_back(v);
    }
  }
  size_t rows() const { return rows_.size(); }
  const std::vector<std::string> &names() const { return names_; }
  uint64_t at(size_t row, size_t col) const { return rows_[row][col]; }

 private:
  std::vector<std::string> names_;
  std::vector<std::vector<uint64_t>> rows_;
};

}  // namespace bench
#endif
