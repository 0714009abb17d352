// SPDX-License-Identifier: Apache-2.0
//
// What the programs of the library share on the host: arguments, inputs, the check against a plain loop, and a table of claims:
// a measured value beside the formula that the texts give for it. Plain CUDA C++; values are NAN, and printed as "-", where
// nothing measures them (wg_profile.h).
#ifndef WG_PROGRAMS_PROGRAM_H
#define WG_PROGRAMS_PROGRAM_H

#include <cuda_runtime.h>
#if __has_include(<wg_profile.h>) /* wgcc's own folder */
#include <wg_profile.h>
#else /* another CUDA compiler's: it must not see that folder, whose cuda_runtime.h is ours */
#include "../runtime/include/wg_profile.h"
#endif

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#define CUDA_CHECK(call)                                                                   \
  do {                                                                                     \
    cudaError_t e_ = (call);                                                               \
    if (e_ != cudaSuccess) {                                                               \
      fprintf(stderr, "error: %s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_));   \
      exit(1);                                                                             \
    }                                                                                      \
  } while (0)

/** Failed checks and claims so far; the program's exit code is made of it. */
inline int g_wrong = 0;

/** The program's last line and its exit code: 0, or 1 if a check or a claim failed. */
inline int finish(const char *name) {
  if (g_wrong == 0) printf("%s: ok\n", name);
  else printf("%s: %d wrong\n", name, g_wrong);
  return g_wrong == 0 ? 0 : 1;
}

/** Argument `i` as a number in lo..hi and a multiple of `unit`, `dflt` if absent; anything else ends the program (2). */
inline int arg_int(int argc, char **argv, int i, const char *name, int dflt, int lo, int hi, int unit = 1) {
  if (i >= argc) return dflt;
  char *end = nullptr;
  long v = strtol(argv[i], &end, 10);
  if (end == argv[i] || *end != '\0' || v < lo || v > hi || v % unit != 0) {
    fprintf(stderr, "error: %s is '%s'\n  remedy: a number from %d to %d", name, argv[i], lo, hi);
    if (unit > 1) fprintf(stderr, ", a multiple of %d", unit);
    fputc('\n', stderr);
    exit(2);
  }
  return (int)v;
}

/** Does argument `i` ask for `what`? "all" and no argument ask for everything. Words that nobody asked for: see `end_words`. */
inline bool wanted(int argc, char **argv, int i, const char *what, bool by_name_only = false) {
  static char words[1024];
  if (what == nullptr) { /* the end: was the word known? */
    if (i >= argc || strcmp(argv[i], "all") == 0 || strstr(words, (std::string(" ") + argv[i] + " ").c_str()) != nullptr) return true;
    fprintf(stderr, "error: no part '%s'\n  remedy: all, or one of:%s\n", argv[i], words);
    exit(2);
  }
  if (words[0] == '\0') strcpy(words, " ");
  if (strlen(words) + strlen(what) + 2 < sizeof words) strcat(strcat(words, what), " ");
  if (i >= argc || strcmp(argv[i], "all") == 0) return !by_name_only;
  return strcmp(argv[i], what) == 0;
}
inline void end_words(int argc, char **argv, int i) { wanted(argc, argv, i, nullptr); }

/** A sequence of numbers that is the same everywhere. */
struct Numbers {
  unsigned state;
  explicit Numbers(unsigned seed = 1) : state(seed * 2654435761u + 12345u) {}
  unsigned next() {
    state = state * 1664525u + 1013904223u;
    return state >> 8;
  }
  /** An integer in lo..hi, as a float or an int. */
  int between(int lo, int hi) { return lo + (int)(next() % (unsigned)(hi - lo + 1)); }
};

/** Device memory with a copy of `host` in it; the caller frees. */
template <typename T>
T *to_device(const std::vector<T> &host) {
  T *p;
  CUDA_CHECK(cudaMalloc(&p, host.size() * sizeof(T)));
  CUDA_CHECK(cudaMemcpy(p, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
  return p;
}
/** Device memory of `n` elements, zero; the caller frees. */
template <typename T>
T *zeros(size_t n) {
  T *p;
  CUDA_CHECK(cudaMalloc(&p, n * sizeof(T)));
  CUDA_CHECK(cudaMemset(p, 0, n * sizeof(T)));
  return p;
}
template <typename T>
std::vector<T> from_device(const T *p, size_t n) {
  std::vector<T> host(n);
  CUDA_CHECK(cudaMemcpy(host.data(), p, n * sizeof(T), cudaMemcpyDeviceToHost));
  return host;
}

/** Device result against a plain loop's, element by element: equal, or within `relative` of it. */
template <typename T>
bool same(const char *what, const std::vector<T> &have, const std::vector<T> &want, double relative = 0.0) {
  for (size_t i = 0; i < want.size(); i++) {
    double d = fabs((double)have[i] - (double)want[i]);
    if (i < have.size() && d <= relative * fabs((double)want[i])) continue;
    printf("WRONG %s: element %zu is %g, the host's loop gives %g\n", what, i, (double)have[i], (double)want[i]);
    g_wrong++;
    return false;
  }
  return true;
}

/** A launch has been made: its error, if any, ends the program. */
inline void launched() {
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaDeviceSynchronize());
}

/** Simulated time between two points of the host's program. */
struct Watch {
  cudaEvent_t from, to;
  Watch() {
    CUDA_CHECK(cudaEventCreate(&from));
    CUDA_CHECK(cudaEventCreate(&to));
    CUDA_CHECK(cudaEventRecord(from));
  }
  /** Since it was made, microseconds; once. NAN without a clock. */
  double us() {
    float ms;
    CUDA_CHECK(cudaEventRecord(to));
    CUDA_CHECK(cudaEventSynchronize(to));
    CUDA_CHECK(cudaEventElapsedTime(&ms, from, to));
    CUDA_CHECK(cudaEventDestroy(from));
    CUDA_CHECK(cudaEventDestroy(to));
    return std::isnan(wg_profile("cycles")) ? NAN : ms * 1e3;
  }
};

/** Blocks of `kernel` that an SM of this device holds; 0: none fits. */
template <typename K>
int resident_blocks(K kernel, int threads, size_t shared = 0) {
  int blocks = 0;
  CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (const void *)kernel, threads, shared));
  return blocks;
}

/** "123", "0.25", or "-" for what was not measured. Sixteen results may be in use at a time. */
inline const char *show(double v) {
  static char text[16][32];
  static unsigned at;
  char *t = text[at++ % 16];
  if (std::isnan(v)) snprintf(t, sizeof text[0], "-");
  else if (v == floor(v) && fabs(v) < 1e15) snprintf(t, sizeof text[0], "%.0f", v);
  else snprintf(t, sizeof text[0], "%.4g", v);
  return t;
}

/** One claim of the texts: the measured value, the formula's, and whether they agree (within `relative`). What was not measured
    is not judged. */
inline void claim(const char *what, double measured, const char *formula, double predicted, double relative = 0.0) {
  const char *verdict = "agree";
  if (std::isnan(measured)) verdict = "not measured";
  else if (fabs(measured - predicted) > relative * fabs(predicted)) verdict = "DIFFER", g_wrong++;
  printf("  %-44s %12s   %-24s %12s  %s\n", what, show(measured), formula, show(predicted), verdict);
}
/** The same where the hardware is known to differ from the text: both are printed, neither is wrong. */
inline void against_text(const char *what, double measured, const char *text, const char *why) {
  printf("  %-44s %12s   text: %s; %s\n", what, show(measured), text, why);
}
inline void heading(const char *what) { printf("%s\n  %-44s %12s   %-24s %12s\n", what, "", "measured", "formula", "gives"); }

#endif
