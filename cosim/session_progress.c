// SPDX-License-Identifier: Apache-2.0
//
// A line on a terminal about the launch that runs: kernel, blocks done, speed, what is left. In a pipe or a file nothing appears.
#define _POSIX_C_SOURCE 200809L
#include <string.h>
#include <unistd.h>

#include "cosim/session_int.h"
#include "toolchain/obj/wg_demangle.h"

enum { kFirstMs = 1000, kEveryMs = 500, kShownName = 30 };

static bool on_terminal(void) {
  const char *term = getenv("TERM");
  return isatty(STDERR_FILENO) && (term == NULL || strcmp(term, "dumb") != 0);
}

void wg_session_progress_begin(wg_session_t *s) {
  wg_gpu_stats_t g;
  memset(&s->progress, 0, sizeof s->progress);
  s->progress.on = on_terminal();
  if (!s->progress.on) return;
  wg_gpu_stats(s->gpu, &g);
  s->progress.blocks_before = g.blocks_done;
  s->progress.begin_ms = s->progress.last_ms = wg_session_host_ms();
}

/* "1m05s" */
static void duration(uint64_t s, char *buf, size_t n) {
  unsigned long long h = s / 3600, m = s / 60 % 60;
  if (h != 0) snprintf(buf, n, "%lluh%02llum", h, m);
  else if (m != 0) snprintf(buf, n, "%llum%02llus", m, (unsigned long long)(s % 60));
  else snprintf(buf, n, "%llus", (unsigned long long)s);
}

void wg_session_progress(wg_session_t *s, uint64_t cycle) {
  uint64_t now = s->progress.on && s->running != NULL ? wg_session_host_ms() : 0, ms = now - s->progress.begin_ms;
  if (now == 0 || ms < kFirstMs || (s->progress.shown && now - s->progress.last_ms < kEveryMs)) return;
  s->progress.last_ms = now;
  s->progress.shown = true;
  const wg_launch_t *l = s->running;
  wg_gpu_stats_t g;
  wg_gpu_stats(s->gpu, &g);
  uint64_t all = (uint64_t)l->grid[0] * l->grid[1] * l->grid[2], done = g.blocks_done - s->progress.blocks_before;
  uint64_t work = s->backend->timing ? cycle - s->launch_start : s->issued;
  char name[120], left[32] = "", line[200];
  if (done != 0 && done < all) {
    char text[24];
    duration((uint64_t)((double)ms / 1000.0 * (double)(all - done) / (double)done), text, sizeof text);
    snprintf(left, sizeof left, ", about %s left", text);
  }
  snprintf(line, sizeof line, "%.*s: %llu of %llu blocks, %llu %s, %llu/s%s", (int)kShownName,
           wg_demangle(l->kernel, name, sizeof name), (unsigned long long)done, (unsigned long long)all,
           (unsigned long long)work, s->backend->timing ? "cycles" : "instructions", (unsigned long long)(work * 1000 / ms),
           left);
  fprintf(stderr, "\r\033[K%s", line);
  fflush(stderr);
}

void wg_session_progress_clear(wg_session_t *s) {
  if (!s->progress.shown) return;
  fputs("\r\033[K", stderr);
  fflush(stderr);
  s->progress.shown = false;
}
