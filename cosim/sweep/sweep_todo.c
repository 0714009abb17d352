// SPDX-License-Identifier: Apache-2.0
//
// The points of a plan as a list, each key once: which there are, which part of them a task runs.
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cosim/cli/cli.h"
#include "cosim/sweep/sweep.h"

static int by_key(const void *a, const void *b) {
  const sweep_todo_t *x = a, *y = b;
  int c = strcmp(x->key, y->key);
  return c != 0 ? c : (x->index < y->index ? -1 : 1);
}

/* A large plan is read point by point, which takes a while before the first run: said so on a terminal, and gone with the last point.
 * `at` points are checked; kSilent points or fewer take a second or two. */
enum { kSilent = 2000 };

static void say_checked(uint64_t at, uint64_t all, double *drawn) {
  double now = sweep_now();
  if (all <= kSilent || (at != 0 && at != all && now - *drawn < 0.2)) return;
  *drawn = now;
  if (at == all) fputs("\r\033[K", stderr);
  else fprintf(stderr, "\r\033[Kchecking the points of the plan: %llu of %llu", (unsigned long long)at, (unsigned long long)all);
}

int sweep_todo_make(const sweep_plan_t *p, const char *golden, uint64_t from, uint64_t to, sweep_todo_t **out,
                    size_t *n) {
  wg_diag_t d;
  size_t num = 0, kept = 0;
  uint64_t all = isatty(2) == 1 ? to - from + 1 : 0;
  double drawn = 0.0;
  sweep_todo_t *t = calloc((size_t)(to - from + 1), sizeof *t);
  *out = t;
  if (t == NULL) return cli_usage(NULL, "out of memory");
  for (uint64_t i = from; i <= to; i++) {
    sweep_point_t point;
    memset(&d, 0, sizeof d);
    say_checked(i - from, all, &drawn);
    if (sweep_point_make(p, i, golden, &point, &d) != kWgOk) {
      char what[512];
      say_checked(all, all, &drawn);
      sweep_point_describe(p, i, what, sizeof what);
      return cli_usage(d.hint, "%s (point %llu: %s)", d.msg, (unsigned long long)i, what);
    }
    t[num].index = i;
    memcpy(t[num++].key, point.key, sizeof point.key);
    sweep_point_free(&point);
  }
  say_checked(all, all, &drawn);
  qsort(t, num, sizeof *t, by_key);
  for (size_t i = 0; i < num; i++) { /* different words for one run */
    if (kept == 0 || strcmp(t[kept - 1].key, t[i].key) != 0) t[kept++] = t[i];
  }
  *n = kept;
  return kCliPass;
}

void sweep_todo_digest(const sweep_todo_t *t, size_t n, char hex[kSweepHex]) {
  char *text = NULL;
  size_t len = 0;
  hex[0] = '\0';
  FILE *f = open_memstream(&text, &len);
  for (size_t i = 0; f != NULL && i < n; i++) fprintf(f, "%s\n", t[i].key);
  if (f != NULL && fclose(f) == 0) sweep_hash_text(text, hex);
  free(text);
}

size_t sweep_todo_part(sweep_todo_t *t, size_t n, unsigned part, unsigned parts) {
  size_t kept = 0;
  for (size_t i = part; i < n; i += parts) t[kept++] = t[i];
  return kept;
}
