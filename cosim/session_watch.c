// SPDX-License-Identifier: Apache-2.0
//
// What the session does while a launch runs: it gives up on one that hangs or meets its limit, and says now and then
// that a long one is still alive.
#define _POSIX_C_SOURCE 200809L
#include <string.h>
#include <time.h>

#include "cosim/session_int.h"
#include "toolchain/obj/wg_demangle.h"

enum {
  kHangCycles = 100000, /* nothing issued and nothing moved for so long: no memory latency of a preset of configs/ comes near */
  kNoteMs = 30000,
};

uint64_t wg_session_host_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000u + (uint64_t)t.tv_nsec / 1000000u;
}

/* Host time decides when, so this goes to stderr only and into no result. */
static void note(wg_session_t *s, uint64_t cycle) {
  uint64_t now = wg_session_host_ms(), every = s->cfg.note_ms == 0 ? kNoteMs : s->cfg.note_ms;
  if (s->running == NULL || now - s->noted_ms < every) return;
  s->noted_ms = now;
  char waits[512] = "", where[600], name[120], so_far[64];
  if (s->backend->waits != NULL) s->backend->waits(s, waits, sizeof waits);
  waits[strcspn(waits, ";")] = '\0'; /* the first warp stands for all */
  wg_session_add_lines(s->running->module, waits, where, sizeof where);
  if (s->backend->timing) {
    snprintf(so_far, sizeof so_far, "cycle %llu", (unsigned long long)(cycle - s->launch_start));
  } else {
    snprintf(so_far, sizeof so_far, "%llu warp instructions", (unsigned long long)s->issued);
  }
  wg_session_progress_clear(s);
  fprintf(stderr, "warpglass: kernel %s still runs: %s%s%s; limit=%s stops it\n",
          wg_demangle(s->running->kernel, name, sizeof name), so_far, where[0] == '\0' ? "" : ", ", where,
          s->backend->timing ? "CYCLES" : "INSTRUCTIONS");
}

bool wg_session_watch(wg_session_t *s, const wg_gpu_progress_t *p) {
  uint32_t lo = UINT32_MAX, hi = 0;
  s->issued += p->issued;
  s->have_pcs = s->backend->pcs != NULL && s->backend->pcs(s, &lo, &hi);
  s->pc_lo = lo;
  s->pc_hi = hi;
  note(s, p->cycle);
  wg_session_progress(s, p->cycle);
  uint64_t spent = s->backend->timing ? p->cycle - s->launch_start : s->issued;
  s->over_limit = s->cfg.limit != 0 && spent > s->cfg.limit;
  bool spins = wg_session_spins(s);
  const uint64_t hang = p->patience_cycles > kHangCycles ? p->patience_cycles : (uint64_t)kHangCycles;
  if (p->idle_cycles < hang && !s->over_limit && !spins) return true;
  s->unsent = wg_gpu_unsent(s->gpu);
  bool still = p->idle_cycles >= hang && s->backend->last_issue != NULL;
  s->hang.since = still ? s->backend->last_issue(s) : 0;
  s->waits[0] = '\0';
  if (s->tools.checker != NULL) wg_tools_given_up(s->tools.checker);
  if (s->backend->waits != NULL) s->backend->waits(s, s->waits, sizeof s->waits);
  if (s->debug.d != NULL) wg_debug_hang(s->debug.d);
  return false;
}
