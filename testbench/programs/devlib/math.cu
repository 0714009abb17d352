// SPDX-License-Identifier: Apache-2.0
// The device math library against the host's, which computes in more digits: float against long double, double against
// long double. argv: seed, random inputs of each function and range, then names (without their f; default: all). Prints
// one line a function: name, type, inputs, the largest difference to the correctly rounded result in units of the last
// place, where.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

typedef long double ld;

static std::mt19937_64 rng;
static const double kSpecial[] = {0.0,    -0.0,   1,     -1,    0.5,      -0.5,     1.5,       -1.5,   2,
                                  -2,     3,      -3,    4,     10,       -10,      0.1,       -0.1,   1e-8,
                                  -1e-8,  88.8,   -88,   89.5,  -104,     709.9,    -745.2,    1e5,    105615.5,
                                  -1e9,   1e22,   3e38,  -3e38, 1e300,    -1e300,   1e-39,     -1e-39, 1e-45,
                                  1e-310, 5e-324, 171.7, 36,    16777217, INFINITY, -INFINITY, NAN};

template <class T>
T random_value(double lo, double hi) { /* lo == hi: any bits */
  T v;
  unsigned long long bits = rng();
  memcpy(&v, &bits, sizeof v);
  return lo == hi ? v : (T)(lo + (hi - lo) * ((double)(bits >> 11) * 0x1p-53));
}

/* Steps between two numbers; a zero of the wrong sign and a NaN on one side are infinitely far. */
template <class T>
double distance(T got, ld exact) {
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

static bool kFloat; /* the type that is tested */
static bool g_skip; /* there is no bound here */

/* ---- what the host's library has not ---- */

static ld half_turns(ld x, int which) { /* sin and cos of pi x */
  ld b = fabsl(x) - 2 * rintl(fabsl(x) / 2), n = rintl(2 * b), r = b - n / 2, s = sinl(M_PIl * r), c = cosl(M_PIl * r);
  const ld sines[4] = {s, c, -s, -c};
  if (which == 0 && x == 0) return x;
  ld v = sines[((int)n + which) & 3] + 0;
  return which == 0 && x < 0 ? -v : v;
}
static ld r_sinpi(ld x) { return std::isfinite(x) ? half_turns(x, 0) : NAN; }
static ld r_cospi(ld x) { return std::isfinite(x) ? half_turns(x, 1) : NAN; }
static ld r_normcdf(ld x) { return erfcl(-x / sqrtl(2.0L)) / 2; }
static ld inverse_tail(ld z) { /* erfc(y) = z < 1/2, by the logarithm */
  ld v = sqrtl(-2 * logl(z / 2)), y = (v - 2) / 1.4142L;
  for (int i = 0; i < 40; i++) y -= (logl(z) - logl(erfcl(y))) * erfcl(y) * expl(y * y) * sqrtl(M_PIl) / 2;
  return y;
}
static ld r_erfinv(ld x) {
  ld a = fabsl(x), y = a;
  if (!(a < 1)) return a == 1 ? x * INFINITY : NAN;
  for (int i = 0; i < 40 && a <= 0.5L; i++) y -= (erfl(y) - a) * expl(y * y) * sqrtl(M_PIl) / 2;
  return copysignl(a <= 0.5L ? y : inverse_tail(1 - a), x);
}
static ld r_erfcinv(ld z) {
  if (!(z > 0 && z < 2)) return z == 0 ? INFINITY : z == 2 ? -INFINITY : NAN;
  return z < 0.5L ? inverse_tail(z) : z > 1.5L ? -inverse_tail(2 - z) : r_erfinv(1 - z);
}
static ld r_normcdfinv(ld p) { return -sqrtl(2.0L) * r_erfcinv(2 * p); }
static ld r_rcbrt(ld x) { return 1 / cbrtl(x); }
static ld r_rsqrt(ld x) { return 1 / sqrtl(x); }
static ld r_rhypot(ld x, ld y) { return 1 / hypotl(x, y); }
static ld r_norm3d(ld x, ld y) { return hypotl(hypotl(x, y), 0.75L); }
static ld r_powi(ld x, ld y) { return powl(x, rintl(y)); }
static ld remquo_host(ld x, ld y) {
  int q;
  ld r = remquol(x, y, &q);
  return r + (q & 7);
}
static ld r_lgamma(ld x) {
  g_skip = x > -11.0001L && x < -2.2637L; /* its zeros */
  return lgammal(x);
}

/* ---- the functions: for the device, for the host ---- */

#define FN1_(N, F, D, HOST)                            \
  struct d_##N {                                       \
    static constexpr bool two = false;                 \
    static __device__ float f(float x) { return F; }   \
    static __device__ double f(double x) { return D; } \
    static ld host(ld x) { return HOST; }              \
    static constexpr const char *name = #N;            \
  };
#define FN1(N) FN1_(N, N##f(x), N(x), N##l(x))
#define FN2_(N, F, D, HOST)                                      \
  struct d_##N {                                                 \
    static constexpr bool two = true;                            \
    static __device__ float f(float x, float y) { return F; }    \
    static __device__ double f(double x, double y) { return D; } \
    static ld host(ld x, ld y) { return HOST; }                  \
    static constexpr const char *name = #N;                      \
  };
#define FN2(N) FN2_(N, N##f(x, y), N(x, y), N##l(x, y))
FN1(exp)
FN1(exp2)
FN1(exp10) FN1(expm1) FN1(log) FN1(log2) FN1(log10) FN1(log1p) FN1(sin) FN1(cos) FN1(tan) FN1(asin) FN1(acos) FN1(atan)
    FN1(sinh) FN1(cosh) FN1(tanh) FN1(asinh) FN1(acosh) FN1(atanh) FN1(cbrt) FN1(erf) FN1(erfc) FN1(tgamma) FN1(floor)
        FN1(ceil) FN1(trunc) FN1(rint) FN1(nearbyint) FN1(round) FN1(logb) FN1(fabs)
            FN1_(sinpi, sinpif(x), sinpi(x), r_sinpi(x)) FN1_(cospi, cospif(x), cospi(x), r_cospi(x))
                FN1_(normcdf, normcdff(x), normcdf(x), r_normcdf(x)) FN1_(erfinv, erfinvf(x), erfinv(x), r_erfinv(x))
                    FN1_(erfcinv, erfcinvf(x), erfcinv(x), r_erfcinv(x))
                        FN1_(normcdfinv, normcdfinvf(x), normcdfinv(x), r_normcdfinv(x))
                            FN1_(rcbrt, rcbrtf(x), rcbrt(x), r_rcbrt(x)) FN1_(rsqrt, rsqrtf(x), rsqrt(x), r_rsqrt(x))
                                FN1_(sqrt, sqrtf(x), sqrt(x),
                                     (kFloat ? (ld)sqrtf((float)x) : (ld)sqrt((double)x))) /* one rounding */
    FN1_(lgamma, lgammaf(x), lgamma(x), r_lgamma(x)) static __device__ float sin_of(float x) {
  float s, c;
  sincosf(x, &s, &c);
  return s;
}
static __device__ double sin_of(double x) {
  double s, c;
  sincos(x, &s, &c);
  return s;
}
static __device__ float cos_of(float x) {
  float s, c;
  sincosf(x, &s, &c);
  return c;
}
static __device__ double cos_of(double x) {
  double s, c;
  sincos(x, &s, &c);
  return c;
}
static __device__ float parts(float x) {
  int e;
  float w, m = frexpf(x, &e), r = modff(x, &w);
  return x == x ? ldexpf(m, e) + (w + r - x) : x;
}
static __device__ double parts(double x) {
  int e;
  double w, m = frexp(x, &e), r = modf(x, &w);
  return x == x ? ldexp(m, e) + (w + r - x) : x;
}
FN1_(sincos_s, sin_of(x), sin_of(x), sinl(x))
FN1_(sincos_c, cos_of(x), cos_of(x), cosl(x))
FN1_(parts, isinf(x) || x == 0 ? x : parts(x), isinf(x) || x == 0 ? x : parts(x), x)
FN1_(ilogb, x == x && x != 0 && !isinf(x) ? (float)ilogbf(x) : 0, x == x && x != 0 && !isinf(x) ? (double)ilogb(x) : 0,
     x == x && x != 0 && !std::isinf(x) ? logbl(x) : 0)
FN1_(lround, fabsf(x) < 1e9f ? (float)lroundf(x) : 0, fabs(x) < 1e15 ? (double)llround(x) : 0,
     fabsl(x) < (kFloat ? 1e9L : 1e15L) ? (ld)llroundl(x) : 0)
FN2(pow)
FN2(atan2)
FN2(hypot) FN2(fmod) FN2(remainder) FN2(fdim) FN2(copysign) FN2_(rhypot, rhypotf(x, y), rhypot(x, y), r_rhypot(x, y))
    FN2_(norm3d, norm3df(x, y, 0.75f), norm3d(x, y, 0.75), r_norm3d(x, y))
        FN2_(nextafter, nextafterf(x, y), nextafter(x, y),
             (kFloat ? (ld)nextafterf((float)x, (float)y) : (ld)nextafter((double)x, (double)y)))
            FN2_(
                remquo,
                [&] {
                  int q;
                  float r = remquof(x, y, &q);
                  return r + (float)(q & 7);
                }(),
                [&] {
                  int q;
                  double r = remquo(x, y, &q);
                  return r + (double)(q & 7);
                }(),
                remquo_host(x, y))
                FN2_(scalbn, scalbnf(x, (int)fmaxf(-400, fminf(y, 400))), ldexp(x, (int)fmax(-3000.0, fmin(y, 3000.0))),
                     ldexpl(x, (int)fmaxl(kFloat ? -400 : -3000, fminl(y, kFloat ? 400 : 3000))))
                    FN2_(powi, pow(x, (int)rintf(fmaxf(-50, fminf(y, 50)))),
                         pow(x, (int)rint(fmax(-50.0, fmin(y, 50.0)))), r_powi(x, fmaxl(-50, fminl(y, 50))))

                        template <class D, class T>
                        __global__ void run1(const T *x, T *out, int n) {
  int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) out[i] = D::f(x[i]);
}
template <class D, class T>
__global__ void run2(const T *x, T *out, int n) {
  int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) out[i] = D::f(x[i], x[n + i]);
}

/* ---- one function ---- */

struct range_t {
  double lo, hi, lo2, hi2; /* of x and of y */
};

static long g_count;
static std::vector<std::string> g_names;

template <class T>
static void inputs(const std::vector<range_t> &ranges, bool two, std::vector<T> *x, std::vector<T> *y) {
  for (double a : kSpecial) {
    for (double b : kSpecial) {
      x->push_back((T)a), y->push_back((T)b);
      if (!two) break;
    }
  }
  for (const range_t &r : ranges) {
    for (long i = 0; i < g_count; i++)
      x->push_back(random_value<T>(r.lo, r.hi)), y->push_back(random_value<T>(r.lo2, r.hi2));
  }
}

template <class D, class T>
static void test(const std::vector<range_t> &ranges) {
  std::vector<T> x, y, got;
  kFloat = sizeof(T) == 4;
  inputs(ranges, D::two, &x, &y);
  int n = (int)x.size();
  T *in, *out;
  got.resize(n);
  cudaMalloc(&in, 2 * n * sizeof(T));
  cudaMalloc(&out, n * sizeof(T));
  cudaMemcpy(in, x.data(), n * sizeof(T), cudaMemcpyHostToDevice);
  cudaMemcpy(in + n, y.data(), n * sizeof(T), cudaMemcpyHostToDevice);
  if constexpr (D::two)
    run2<D, T><<<(n + 127) / 128, 128>>>(in, out, n);
  else
    run1<D, T><<<(n + 127) / 128, 128>>>(in, out, n);
  cudaMemcpy(got.data(), out, n * sizeof(T), cudaMemcpyDeviceToHost);
  cudaFree(in);
  cudaFree(out);
  double worst = 0;
  int at = 0;
  for (int i = 0; i < n; i++) {
    ld want;
    if constexpr (D::two)
      want = D::host(x[i], y[i]);
    else
      want = D::host(x[i]);
    double d = g_skip ? 0 : distance<T>(got[i], want);
    g_skip = false;
    if (d > worst) worst = d, at = i;
  }
  printf("%s\t%s\t%d\t%g\t%a %a: %.17g\n", D::name, kFloat ? "float" : "double", n, worst, (double)x[at], (double)y[at],
         (double)got[at]);
  fflush(stdout);
}

template <class D>
static void both(const std::vector<range_t> &ranges) {
  bool chosen = g_names.empty();
  for (const std::string &n : g_names) chosen = chosen || n == D::name;
  if (!chosen) return;
  test<D, float>(ranges);
  test<D, double>(ranges);
}

int main(int argc, char **argv) {
  rng.seed(argc > 1 ? (unsigned long long)atoll(argv[1]) : 1);
  g_count = argc > 2 ? atol(argv[2]) : 100;
  for (int i = 3; i < argc; i++) g_names.push_back(argv[i]);
  const range_t bits = {0, 0, 0, 0}, one = {-1, 1, -1, 1}, ten = {-10, 10, -10, 10};
  const std::vector<range_t> any = {bits, one, ten, {-700, 700, -40, 40}};
#define T1(N, ...) both<d_##N>(__VA_ARGS__);
#define T2(N, ...) both<d_##N>(__VA_ARGS__);
  T1(exp, any)
  T1(exp2, any)
  T1(exp10, any) T1(expm1, any) T1(sinh, any) T1(cosh, any) T1(tanh, any) T1(asinh, any) T1(atanh, any)
      T1(log, {bits, {0, 3}, {0.9, 1.1}}) T1(log2, {bits, {0, 3}, {0.9, 1.1}}) T1(log10, {bits, {0, 3}, {0.9, 1.1}})
          T1(log1p, {bits, {-1, 3}, {-0.1, 0.1}}) T1(acosh, {bits, {1, 1.1}, {1, 100}}) const std::vector<range_t>
              angles = {bits, ten, {-1e5, 1e5}, {-1e12, 1e12}};
  T1(sin, angles)
  T1(cos, angles)
  T1(tan, angles) T1(sincos_s, angles) T1(sincos_c, angles) T1(sinpi, angles) T1(cospi, angles)
      T1(asin, {bits, one, {-0.55, -0.45}, {0.99, 1}}) T1(acos, {bits, one, {-0.55, -0.45}, {0.99, 1}})
          T1(atan, {bits, one, ten}) T1(cbrt, any) T1(rcbrt, any) T1(rsqrt, {bits, {0, 10}}) T1(sqrt, any)
              T1(erf, {bits, one, {-6, 6}}) T1(erfc, {bits, one, {-6, 28}}) T1(normcdf, {bits, one, {-38, 8}})
                  T1(erfinv, {bits, one, {0.99, 1}}) T1(erfcinv, {bits, {0, 2}, {0, 1e-6}, {0.45, 0.55}})
                      T1(normcdfinv, {{0, 1}, {0, 1e-6}, {0.45, 0.55}})
                          T1(tgamma, {bits, one, {-40, 40}, {-180, 172}, {1, 8}})
                              T1(lgamma, {bits, {0, 2}, {1.3, 2.7}, {0, 100}, {-2.26, 0}, {-40, -11.1}}) T1(floor, any)
                                  T1(ceil, any) T1(trunc, any) T1(rint, any) T1(nearbyint, any) T1(round, any)
                                      T1(lround, any) T1(fabs, any) T1(logb, any) T1(ilogb, any) T1(parts, any)
                                          const std::vector<range_t>
                                              pairs = {bits, one, {-100, 100, -3, 3}};
  T2(pow, {bits, {0, 4, -60, 60}, {0.9, 1.1, -1000, 1000}, {-5, 5, -5, 5}})
  T2(powi, {bits, {-3, 3, -50, 50}, {-9, 9, -5, 5}})
      T2(atan2, pairs) T2(hypot, pairs) T2(rhypot, pairs) T2(norm3d, pairs) T2(fmod, pairs) T2(remainder, pairs)
          T2(remquo, pairs) T2(fdim, pairs) T2(copysign, pairs) T2(nextafter, pairs)
              T2(scalbn, {{-2, 2, -1100, 1100}, {-2, 2, -200, 200}}) return cudaDeviceSynchronize() != cudaSuccess;
}
