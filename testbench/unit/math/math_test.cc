// SPDX-License-Identifier: Apache-2.0
//
// The device math library's text, compiled for the host, against the host's long double functions within the bounds of
// testbench/programs/devlib/math_bounds.tsv. devlib_test.py measures the same on the device with fewer inputs.
#define WG_MATH_HOST
#include "runtime/include/wg_math_special.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <limits>
#include <random>
#include <sstream>
#include <string>
#include <vector>

namespace {

typedef long double ld;

struct Range {
  double lo, hi; /* equal: any bits */
};

double Bound(const std::string &name, bool is_float) {
  std::ifstream f("testbench/programs/devlib/math_bounds.tsv");
  for (std::string line; std::getline(f, line);) {
    std::istringstream words(line);
    std::string word;
    double single = 0, twice = 0;
    if (words >> word >> single >> twice && word == name) return is_float ? single : twice;
  }
  ADD_FAILURE() << "no bound of " << name;
  return 0;
}

template <class T>
double Distance(T got, ld exact) {
  T want = (T)exact;
  if (want != want || got != got) return (want != want) == (got != got) ? 0 : INFINITY;
  if (got == want) return got == 0 && std::signbit(got) != std::signbit(want) ? INFINITY : 0;
  typedef typename std::conditional<sizeof(T) == 4, int, long long>::type int_t;
  int_t a, b;
  memcpy(&a, &got, sizeof a);
  memcpy(&b, &want, sizeof b);
  const int_t low = std::numeric_limits<int_t>::min();
  return (double)fabsl((a < 0 ? (ld)low - a : (ld)a) - (b < 0 ? (ld)low - b : (ld)b));
}

class MathTest : public ::testing::Test {
 protected:
  MathTest() {
    const char *seed = getenv("SEED"), *all = getenv("TEST_ALL");
    seed_ = seed == nullptr ? 1 : strtoull(seed, nullptr, 10);
    count_ = all != nullptr && all[0] == '1' ? 200000 : 20000;
    rng_.seed(seed_);
  }

  template <class T>
  T Value(Range r) {
    uint64_t bits = rng_();
    T v;
    memcpy(&v, &bits, sizeof v);
    return r.lo == r.hi ? v : (T)(r.lo + (r.hi - r.lo) * ((double)(bits >> 11) * 0x1p-53));
  }

  template <class T, class F, class G>
  void One(const char *name, F f, G g, const std::vector<Range> &ranges) {
    double worst = 0;
    T at = 0;
    for (const Range &r : ranges) {
      for (long i = 0; i < count_; i++) {
        T x = Value<T>(r);
        double d = Distance<T>(f(x), g((ld)x));
        if (d > worst) worst = d, at = x;
      }
    }
    EXPECT_LE(worst, Bound(name, sizeof(T) == 4)) << name << " at " << std::hexfloat << at << ", seed " << seed_;
  }

  template <class T, class F, class G>
  void Two(const char *name, F f, G g, const std::vector<std::pair<Range, Range>> &ranges) {
    double worst = 0;
    T ax = 0, ay = 0;
    for (const auto &r : ranges) {
      for (long i = 0; i < count_; i++) {
        T x = Value<T>(r.first), y = Value<T>(r.second);
        double d = Distance<T>(f(x, y), g((ld)x, (ld)y));
        if (d > worst) worst = d, ax = x, ay = y;
      }
    }
    EXPECT_LE(worst, Bound(name, sizeof(T) == 4))
        << name << " at " << std::hexfloat << ax << ", " << ay << ", seed " << seed_;
  }

  uint64_t seed_;
  long count_;
  std::mt19937_64 rng_;
};

#define BOTH1(NAME, HOST, ...)                                          \
  One<float>(                                                           \
      #NAME, [](float x) { return wgm_##NAME(x); }, HOST, __VA_ARGS__); \
  One<double>(                                                          \
      #NAME, [](double x) { return wgm_##NAME(x); }, HOST, __VA_ARGS__)
#define BOTH2(NAME, HOST, ...)                                                      \
  Two<float>(                                                                       \
      #NAME, [](float x, float y) { return wgm_##NAME(x, y); }, HOST, __VA_ARGS__); \
  Two<double>(                                                                      \
      #NAME, [](double x, double y) { return wgm_##NAME(x, y); }, HOST, __VA_ARGS__)

const Range kBits = {0, 0}, kOne = {-1, 1}, kTen = {-10, 10};

TEST_F(MathTest, Exponentials) {
  const std::vector<Range> any = {kBits, kOne, kTen, {-745, 710}};
  BOTH1(
      exp, [](ld x) { return expl(x); }, any);
  BOTH1(
      exp10, [](ld x) { return exp10l(x); }, any);
  BOTH1(
      expm1, [](ld x) { return expm1l(x); }, any);
  BOTH1(
      sinh, [](ld x) { return sinhl(x); }, any);
  BOTH1(
      cosh, [](ld x) { return coshl(x); }, any);
  BOTH1(
      tanh, [](ld x) { return tanhl(x); }, any);
  One<double>(
      "exp2", [](double x) { return wgm_exp2(x); }, [](ld x) { return exp2l(x); }, any);
}

TEST_F(MathTest, Logarithms) {
  const std::vector<Range> any = {kBits, {0, 3}, {0.9, 1.1}};
  BOTH1(
      log, [](ld x) { return logl(x); }, any);
  BOTH1(
      log2, [](ld x) { return log2l(x); }, any);
  BOTH1(
      log10, [](ld x) { return log10l(x); }, any);
  BOTH1(log1p, [](ld x) { return log1pl(x); }, {kBits, {-1, 3}, {-0.1, 0.1}});
  BOTH1(asinh, [](ld x) { return asinhl(x); }, {kBits, kOne, kTen});
  BOTH1(acosh, [](ld x) { return acoshl(x); }, {kBits, {1, 1.1}, {1, 100}});
  BOTH1(atanh, [](ld x) { return atanhl(x); }, {kBits, kOne, {-0.1, 0.1}});
}

TEST_F(MathTest, Trigonometric) { /* the parts of the reduction: small, two or three parts of pi / 2, Payne and Hanek */
  const std::vector<Range> any = {kBits, kTen, {-1e5, 1e5}, {-1e9, 1e9}, {-1e13, 1e13}};
  BOTH1(
      sin, [](ld x) { return sinl(x); }, any);
  BOTH1(
      cos, [](ld x) { return cosl(x); }, any);
  BOTH1(
      tan, [](ld x) { return tanl(x); }, any);
  BOTH1(asin, [](ld x) { return asinl(x); }, {kBits, kOne, {-0.6, -0.4}});
  BOTH1(acos, [](ld x) { return acosl(x); }, {kBits, kOne, {-0.6, -0.4}});
  BOTH1(atan, [](ld x) { return atanl(x); }, {kBits, kOne, kTen});
  BOTH2(atan2, [](ld y, ld x) { return atan2l(y, x); }, {{kBits, kBits}, {kOne, kOne}});
}

TEST_F(MathTest, PowersAndRoots) {
  BOTH2(pow, [](ld x, ld y) { return powl(x, y); },
        {{kBits, kBits}, {{0, 4}, {-60, 60}}, {{0.9, 1.1}, {-1000, 1000}}, {{0, 1e4}, {-70, 70}}});
  BOTH1(cbrt, [](ld x) { return cbrtl(x); }, {kBits, kTen});
  for (bool inverse : {false, true}) {
    Two<float>(
        inverse ? "rhypot" : "hypot", [=](float x, float y) { return wgm_norm4<float>(x, y, 0, 0, inverse); },
        [=](ld x, ld y) { return inverse ? 1 / hypotl(x, y) : hypotl(x, y); }, {{kBits, kBits}, {kOne, kOne}});
    Two<double>(
        inverse ? "rhypot" : "hypot", [=](double x, double y) { return wgm_norm4<double>(x, y, 0, 0, inverse); },
        [=](ld x, ld y) { return inverse ? 1 / hypotl(x, y) : hypotl(x, y); }, {{kBits, kBits}, {kOne, kOne}});
  }
}

TEST_F(MathTest, ErrorAndGamma) {
  BOTH1(erf, [](ld x) { return erfl(x); }, {kBits, kOne, {-6, 6}});
  BOTH1(erfc, [](ld x) { return erfcl(x); }, {kBits, kOne, {-6, 28}});
  BOTH1(normcdf, [](ld x) { return erfcl(-x / sqrtl(2.0L)) / 2; }, {kBits, kOne, {-38, 8}});
  BOTH1(tgamma, [](ld x) { return tgammal(x); }, {kOne, {0, 8}, {-40, 40}, {-180, 172}});
  BOTH1(lgamma, [](ld x) { return lgammal(x); },
        {{0, 2}, {1.3, 2.7}, {2, 100}, {-2.26, 0}, {-40, -11.1}, {1e10, 1e300}});
}

TEST_F(MathTest, RemaindersAndParts) {
  const std::vector<std::pair<Range, Range>> pairs = {
      {kBits, kBits}, {{-100, 100}, {-3, 3}}, {{-1e-310, 1e-310}, {-1e-311, 1e-311}}};
  BOTH2(
      fmod, [](ld x, ld y) { return fmodl(x, y); }, pairs);
  BOTH2(
      remainder, [](ld x, ld y) { return remainderl(x, y); }, pairs);
  BOTH1(round, [](ld x) { return roundl(x); }, {kBits, kTen});
  BOTH1(logb, [](ld x) { return logbl(x); }, {kBits, kTen});
  for (int n : {-1100, -160, -149, -1, 0, 1, 100, 1074, 2000}) {
    One<float>(
        "scalbn", [=](float x) { return wgm_ldexp(x, n); }, [=](ld x) { return ldexpl(x, n); }, {kBits, kOne});
    One<double>(
        "scalbn", [=](double x) { return wgm_ldexp(x, n); }, [=](ld x) { return ldexpl(x, n); }, {kBits, kOne});
  }
}

}  // namespace
