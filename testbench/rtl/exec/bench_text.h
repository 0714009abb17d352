// SPDX-License-Identifier: Apache-2.0
//
// What benches say of masks, pcs and fields: hexadecimal, each field by its name.
#ifndef WG_TESTBENCH_RTL_EXEC_BENCH_TEXT_H
#define WG_TESTBENCH_RTL_EXEC_BENCH_TEXT_H

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <string>

namespace bench {

/** 0x and at least `digits` hexadecimal digits. */
inline std::string hex(uint64_t v, int digits) {
  char text[32];
  std::snprintf(text, sizeof text, "0x%0*llx", digits, static_cast<unsigned long long>(v));
  return text;
}

/** Bits n to n + width - 1 of a word. */
inline uint64_t part(uint64_t v, unsigned n, unsigned width) { return v >> n & ((uint64_t(1) << width) - 1u); }

/** Equality as EXPECT_EQ tells it, in hexadecimal digits of the wider type. name: instead of both expressions. */
struct SameHex {
  std::string name;
  template <class A, class B>
  testing::AssertionResult operator()(const char *a, const char *b, const A &got, const B &want) const {
    if (uint64_t(got) == uint64_t(want)) return testing::AssertionSuccess();
    const int digits = int(2 * (sizeof(A) > sizeof(B) ? sizeof(A) : sizeof(B)));
    return testing::AssertionFailure() << "Expected equality of these values:\n  " << (name.empty() ? a : name.c_str())
                                       << "\n    Which is: " << hex(got, digits) << "\n  "
                                       << (name.empty() ? b : name.c_str()) << "\n    Which is: " << hex(want, digits);
  }
};

/** The fields of an arrival at a block barrier, bits of sm_pkg::bar_req_t from red_false (0) to id. */
struct BarField {
  const char *name;
  unsigned lsb, width;
};
constexpr BarField kBarFields[] = {{"bar_o.id", 23, 4},     {"bar_o.arrive_only", 22, 1}, {"bar_o.has_count", 21, 1},
                                   {"bar_o.count", 9, 12}, {"bar_o.red", 7, 2},          {"bar_o.red_sum", 1, 6},
                                   {"bar_o.red_false", 0, 1}};

/** The first field in which two arrivals differ, and both values of it. */
inline testing::AssertionResult SameArrival(const char *a, const char *b, uint64_t got, uint64_t want) {
  for (const BarField &f : kBarFields) {
    const auto g = uint16_t(part(got, f.lsb, f.width)), w = uint16_t(part(want, f.lsb, f.width));
    const testing::AssertionResult same = SameHex{f.name}(a, b, g, w);
    if (!same) return same;
  }
  return SameHex{}(a, b, got, want);
}

}  // namespace bench

#define ASSERT_HEX_EQ(got, want) ASSERT_PRED_FORMAT2(bench::SameHex{}, got, want)
#define EXPECT_HEX_EQ(got, want) EXPECT_PRED_FORMAT2(bench::SameHex{}, got, want)

#endif
