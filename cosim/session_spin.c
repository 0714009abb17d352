// SPDX-License-Identifier: Apache-2.0
//
// A launch that only spins is told so at once, not at its limit. The proof is model/ref/wg_ref_spin.h's; here are its
// windows. Two in a row have to agree: what the first one's instructions sent to memory has reached it by the end of
// the second. Their length doubles until the longest loop fits. While memory changes there is none, so they cost
// nothing then.
#include <string.h>

#include "cosim/session_int.h"
#include "toolchain/obj/wg_demangle.h"

enum {
  kTimedPeriods = 1, /* the shortest window: 10,000 cycles; no launch of a waiting block takes so long */
  kFuncPeriods = 16, /* 1,600 turns of 256 instructions */
  kMaxPeriods = 1 << 16,
};

static void open_window(wg_session_t *s) {
  if (s->spin.len == 0u) s->spin.len = s->backend->timing ? kTimedPeriods : kFuncPeriods;
  s->spin.on = true;
  s->spin.left = s->spin.len;
  s->backend->spin_begin(s);
}

bool wg_session_spins(wg_session_t *s) {
  if (s->backend->spin_begin == NULL || (s->backend->lockstep && s->cfg.check == kWgCheckOff)) return false;
  uint64_t changes = wg_store_changes(s->store);
  bool changed = changes != s->spin.changes || s->outside; /* who waits may wait for a copy or a grid that is to come */
  s->spin.changes = changes;
  if (changed) {
    s->spin.on = s->spin.candidate = false;
    s->spin.len = 0u;
    return false;
  }
  if (!s->spin.on) {
    open_window(s);
    return false;
  }
  if (--s->spin.left != 0u) return false;
  bool any = false, agrees = s->backend->spins(s, s->spin.candidate, &any) && any;
  if (agrees && s->spin.candidate) {
    memset(&s->spin.report, 0, sizeof s->spin.report);
    s->backend->spin_text(s, &s->spin.report);
    s->spin.proved = true;
    if (s->running != NULL) wg_session_hang_facts(s, s->running);
    return true;
  }
  if (!agrees && s->spin.len < (uint64_t)kMaxPeriods) s->spin.len *= 2u;
  s->spin.candidate = agrees;
  open_window(s);
  return false;
}

static const char *remedy(const wg_session_t *s, bool its) {
  const wg_spin_report_t *r = &s->spin.report;
  const char *lock = wg_session_hang_remedy(s);
  if (r->starved != 0u)
    return "progress=on bounds every warp's wait, whatever the scheduler does; or take a fair one, sched=lrr";
  if (lock != NULL) return lock;
  if (r->waiting == 0u)
    return "what the loop waits for must be done by a thread that runs: by no exited one, and by no block that is not "
           "resident";
  if (!its)
    return "the SIMT stack runs one side of a branch to its end before the other: use diverge=its (independent thread "
           "scheduling), let the side that is waited for come first, or wait for other warps only";
  if (r->at_barrier)
    return "every thread of a block must reach the same barriers: none may wait for one that is at a barrier";
  return "lanes that spin keep those that wait for them at the join: what a loop waits for must be done before it";
}

void wg_session_explain_spin(const wg_session_t *s, const wg_module_t *m, const char *kernel, wg_diag_t *diag) {
  const wg_spin_report_t *r = &s->spin.report;
  char name[120], more[128] = "", starved[96] = "";
  memset(diag, 0, sizeof *diag);
  wg_session_explain_hang(m, r->text, diag); /* place, and "; " before the entries with their lines */
  char entries[sizeof diag->msg];
  snprintf(entries, sizeof entries, "%s", diag->msg);
  if (r->warps > 2u) snprintf(more, sizeof more, "; %u more warps spin", r->warps - 2u);
  if (r->starved != 0u) {
    snprintf(starved, sizeof starved, "; %u warp%s could go on, but the scheduler gives %s no turn", r->starved, r->starved == 1 ? "" : "s",
             r->starved == 1 ? "it" : "them");
  }
  size_t used = strlen(more);
  if (s->unsent != 0) {
    snprintf(more + used, sizeof more - used, "; blocks that have not begun: %llu, no SM has a place until one ends",
             (unsigned long long)s->unsent);
  }
  snprintf(diag->msg, sizeof diag->msg, "kernel '%s' spins for ever, nothing that runs changes memory%s%.*s%s",
           wg_demangle(kernel, name, sizeof name), starved, s->unsent != 0 || r->starved != 0u ? 270 : 360, entries, more);
  snprintf(diag->hint, sizeof diag->hint, "%s", remedy(s, s->preset.sm.diverge_mode != 0u));
}
