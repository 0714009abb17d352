// SPDX-License-Identifier: Apache-2.0
//
// Facts of a launch that never ends, in lines: the words that are spun on, who wrote them last and where he is, since when nothing can happen.
// Gathered while the SMs still hold the launch.
#include <stdarg.h>
#include <string.h>

#include "cosim/session_int.h"
#include "toolchain/obj/wg_demangle.h"

static void WG_PRINTF(2, 3) add(wg_session_t *s, const char *fmt, ...) {
  size_t at = strlen(s->hang.text);
  va_list ap;
  va_start(ap, fmt);
  (void)vsnprintf(s->hang.text + at, sizeof s->hang.text - at, fmt, ap);
  va_end(ap);
}

static wg_thread_state_t thread_of(const wg_session_t *s, const wg_writer_t *w, unsigned *barrier) {
  wg_thread_state_t st = kWgThreadGone;
  for (uint32_t i = 0; i < s->preset.num_sms && st == kWgThreadGone; i++) st = s->backend->thread(s, i, w, barrier);
  return st;
}

static const char *state_words(wg_thread_state_t st, unsigned barrier, char *buf, size_t n) {
  switch (st) {
    case kWgThreadGone: return "which has exited, with its block";
    case kWgThreadExited: return "which has exited";
    case kWgThreadBarrier: snprintf(buf, n, "which waits at barrier %u", barrier); return buf;
    case kWgThreadSpins: return "which spins itself";
    case kWgThreadWaits: return "which waits for lanes of its warp";
    default: return "which could run";
  }
}

/* "global 0x...: 'lock' + 0" of a word, with what it holds. */
static void tell_word(wg_session_t *s, const wg_launch_t *l, size_t kernel, unsigned i) {
  char where[320];
  const wg_spin_report_t *r = &s->spin.report;
  uint32_t value = 0;
  if (r->poll[i].shared) wg_session_where_shared(l->module, kernel, r->poll[i].addr, where, sizeof where);
  else wg_session_where_global(s, l->module, r->poll[i].addr, where, sizeof where);
  add(s, "  block (%u,%u,%u) warp %u lanes 0x%08x spin on %s", r->poll[i].cta.ctaid[0], r->poll[i].cta.ctaid[1], r->poll[i].cta.ctaid[2],
      r->poll[i].warp, r->poll[i].lanes, where);
  if (!r->poll[i].shared) {
    wg_store_peek(s->store, r->poll[i].addr, &value, sizeof value);
    add(s, ", which holds %u", value);
  }
  add(s, "\n");
}

void wg_session_hang_facts(wg_session_t *s, const wg_launch_t *l) {
  const wg_spin_report_t *r = &s->spin.report;
  size_t kernel = 0;
  (void)wg_obj_find(l->module->obj, l->kernel, &kernel);
  s->hang.text[0] = '\0';
  s->hang.writer = kWgThreadUnknown;
  for (unsigned i = 0; i < r->polls; i++) {
    char at[160], words[40];
    unsigned barrier = 0;
    tell_word(s, l, kernel, i);
    const wg_writer_t *w = s->writers == NULL ? NULL : wg_writers_of(s->writers, &r->poll[i].cta, r->poll[i].shared, r->poll[i].addr);
    if (s->writers == NULL) {
      add(s, "    last writer: not noted with -j\n");
      continue;
    }
    if (w == NULL) {
      add(s, "    last writer: no atomic and no store of single lanes of this launch has written it\n");
      continue;
    }
    wg_thread_state_t st = thread_of(s, w, &barrier);
    wg_session_place(l->module, w->pc, at, sizeof at);
    char value[40] = "an atomic";
    if (w->known) snprintf(value, sizeof value, "%s%u", w->atomic ? "an atomic, " : "", w->value);
    add(s, "    last written by block (%u,%u,%u) warp %u lane %u at %s: %s; %s\n", w->ctaid[0], w->ctaid[1], w->ctaid[2], w->warp, w->lane, at,
        value, state_words(st, barrier, words, sizeof words));
    if (w->atomic && s->hang.writer == kWgThreadUnknown) s->hang.writer = st;
  }
}

const char *wg_session_hang_remedy(const wg_session_t *s) {
  switch (s->hang.writer) {
    case kWgThreadGone:
    case kWgThreadExited: return "lost lock: whoever takes a lock must give it back, on every way out";
    case kWgThreadBarrier: return "who holds the lock waits at a barrier for those that want it: give it back before the barrier";
    case kWgThreadSpins:
      if (s->unsent != 0) {
        return "what the loop waits for must be done by no block that is not resident: a barrier of the whole grid needs all its blocks "
               "on the SMs at once; if it is a lock: take locks in the same order everywhere";
      }
      return "who holds the lock spins for another one: take locks in the same order everywhere";
    default: return NULL;
  }
}

const char *wg_session_hang_text(const wg_session_t *s) { return s->hang.text; }
