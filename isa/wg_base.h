// SPDX-License-Identifier: Apache-2.0
//
// Shared base of all C rooms: status codes, diagnostics, invariant checks. No I/O, no allocation.
#ifndef WG_ISA_BASE_H
#define WG_ISA_BASE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif

#define WG_NODISCARD __attribute__((warn_unused_result))
#define WG_PRINTF(f, a) __attribute__((format(printf, f, a)))

/** Result of any call that input, files or a user can make fail. Out-parameters are untouched on failure. */
typedef enum wg_status {
  kWgOk = 0,
  kWgBadArg,      /* a caller's value is outside the contract */
  kWgBadInput,    /* a file or text is malformed; the diag says where */
  kWgUnsupported, /* well formed, but not implemented; the diag names it */
  kWgNoSpace,     /* a capacity is exhausted */
  kWgNotFound,
  kWgIo,          /* the operating system refused */
  kWgMismatch,    /* golden model and device disagree */
  kWgFault,       /* the simulated device faulted */
  kWgHang,        /* no progress is possible */
} wg_status_t;

/** Where and why something failed; owned by the caller, filled by the callee on failure only. */
typedef struct wg_diag {
  char file[256];
  unsigned line; /* 1-based; 0 = no place */
  unsigned col;  /* 1-based; 0 = no column */
  char msg[512]; /* failure first, lower case, subject quoted, no full stop */
  char hint[256];
} wg_diag_t;

/** Fill a diag (NULL is allowed) and return `st`. */
static inline wg_status_t wg_fail(wg_diag_t *d, wg_status_t st, const char *fmt, ...) WG_PRINTF(3, 4);
static inline wg_status_t wg_fail(wg_diag_t *d, wg_status_t st, const char *fmt, ...) {
  if (d != NULL) {
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(d->msg, sizeof d->msg, fmt, ap);
    va_end(ap);
  }
  return st;
}

/** Print "file:line:col: error: msg" and the hint to `out`. */
static inline void wg_diag_print(FILE *out, const wg_diag_t *d) {
  if (d->file[0] != '\0') {
    fprintf(out, "%s:", d->file);
    if (d->line != 0) fprintf(out, "%u:", d->line);
    if (d->col != 0) fprintf(out, "%u:", d->col);
    fputc(' ', out);
  }
  fprintf(out, "error: %s\n", d->msg);
  if (d->hint[0] != '\0') fprintf(out, "  remedy: %s\n", d->hint);
}

#define WG_TRY(e)                              \
  do {                                         \
    wg_status_t wg_try_st_ = (e);              \
    if (wg_try_st_ != kWgOk) return wg_try_st_; \
  } while (0)

/** Our own broken invariant: print the place and abort. Never for user input. */
#define WG_BUG(cond)                                                             \
  do {                                                                           \
    if (cond) {                                                                  \
      fprintf(stderr, "%s:%d: internal error: %s\n", __FILE__, __LINE__, #cond); \
      abort();                                                                   \
    }                                                                            \
  } while (0)

#ifdef __cplusplus
}
#endif
#endif
