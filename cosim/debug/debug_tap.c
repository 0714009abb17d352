// SPDX-License-Identifier: Apache-2.0
//
// Probe events of one SM for the debugger; each is handed on. Also a scheduler's twin of each sub-core, which follows the picks so
// that the next one can be told before it comes.
#include <string.h>

#include "cosim/debug/debug_int.h"

struct wg_debug_tap {
  wg_debug_t *d;
  uint32_t sm, sub_cores, warp_slots;
  const wg_probe_hooks_t *next;
  void *next_ctx;
  wg_probe_hooks_t hooks;
  struct {
    uint8_t block, warp; /* slot; warp of the block */
  } warp[kWgMaxSubCores][kWgMaxWarpSlots];
  uint32_t ctaid[kWgMaxBlockSlots][3];
  uint32_t ids[kWgMaxBlockSlots][32]; /* warp number of a block's warp */
  wg_sched_t twin[kWgMaxSubCores];
  bool has_twin;
  uint16_t bound[kWgMaxSubCores]; /* slots that the twin knows */
};

/* @param warp of the block; -1: the whole block's */
static void tell(wg_debug_tap_t *t, wg_when_kind_t kind, uint32_t value, unsigned block, int warp) {
  if (wg_debug_detached(t->d)) return;
  block %= (unsigned)kWgMaxBlockSlots;
  wg_debug_event_t e = {.kind = kind, .value = value, .sm = t->sm, .id = warp < 0 ? -1 : (int32_t)t->ids[block][warp & 31], .warp = warp};
  memcpy(e.ctaid, t->ctaid[block], sizeof e.ctaid);
  wg_debug_event(t->d, &e);
}

static void tell_warp(wg_debug_tap_t *t, wg_when_kind_t kind, unsigned sub, unsigned slot) {
  tell(t, kind, 0, t->warp[sub][slot].block, t->warp[sub][slot].warp);
}

#define PASS(NAME) \
  if (t->next != NULL && t->next->NAME != NULL) t->next->NAME(t->next_ctx, e)

static void on_init(void *ctx, const wg_ev_init_t *e) {
  wg_debug_tap_t *t = ctx;
  unsigned block = e->block % kWgMaxBlockSlots;
  t->warp[e->sub][e->slot].block = (uint8_t)block;
  t->warp[e->sub][e->slot].warp = e->warp;
  t->ids[block][e->warp & 31] = e->sub + t->sub_cores * e->slot;
  memcpy(t->ctaid[block], e->ctaid, sizeof t->ctaid[0]);
  PASS(init);
  if (e->warp != 0 || wg_debug_detached(t->d)) return;
  wg_debug_event_t ev = {.kind = kWgWhenBlock, .value = e->ctaid[0], .sm = t->sm, .id = (int32_t)t->ids[block][0], .warp = -1};
  memcpy(ev.ctaid, e->ctaid, sizeof ev.ctaid);
  wg_debug_event(t->d, &ev);
}

static void on_issue(void *ctx, const wg_ev_issue_t *e) {
  wg_debug_tap_t *t = ctx;
  wg_debug_issue(t->d, t->sm, e->sub + t->sub_cores * e->slot, e->pc, e->mask);
  PASS(issue);
}

static void on_free(void *ctx, const wg_ev_free_t *e) {
  wg_debug_tap_t *t = ctx;
  unsigned block = e->block % kWgMaxBlockSlots;
  tell(t, kWgWhenBlockEnd, t->ctaid[block][0], block, -1);
  PASS(free);
}

static void on_stack(void *ctx, const wg_ev_stack_t *e) {
  wg_debug_tap_t *t = ctx;
  bool splits = e->op == kWgOp_BRA || e->op == kWgOp_BRX;
  if (splits && e->exec != 0 && e->exec != e->mask) tell_warp(t, kWgWhenDiverge, e->sub, e->slot);
  if (e->op == kWgOp_BSYNC && (e->next_mask & ~e->mask) != 0 && (e->mask & ~e->next_mask) == 0) tell_warp(t, kWgWhenReconverge, e->sub, e->slot);
  PASS(stack);
}

static void on_bar(void *ctx, const wg_ev_bar_t *e) {
  wg_debug_tap_t *t = ctx;
  if (e->kind == 0) tell(t, kWgWhenArrive, e->id, e->block, e->warp);
  else if (e->kind == 1) tell(t, kWgWhenBarrier, e->id, e->block, -1);
  else if (e->kind == 2) tell(t, kWgWhenExit, 0, e->block, e->warp);
  PASS(bar);
}

static void on_pick(void *ctx, const wg_ev_pick_t *e) {
  wg_debug_tap_t *t = ctx;
  if (t->has_twin && !wg_debug_detached(t->d)) {
    wg_sched_in_t in = {.valid = e->valid, .eligible = e->eligible};
    wg_sched_unpack(&in, e->event);
    (void)wg_sched_step(&t->twin[e->sub], &in);
    t->bound[e->sub] = e->valid;
  }
  PASS(pick);
}

#define HAND_ON(NAME)                                                     \
  static void on_##NAME(void *ctx, const wg_ev_##NAME##_t *e) {           \
    wg_debug_tap_t *t = ctx;                                              \
    t->next->NAME(t->next_ctx, e);                                        \
  }
HAND_ON(wb)
HAND_ON(pred)
HAND_ON(lsu)
HAND_ON(shm)
HAND_ON(l1)
HAND_ON(fill)
HAND_ON(inval)
HAND_ON(full)
HAND_ON(lsu_done)
HAND_ON(fetch)
HAND_ON(flush)
HAND_ON(exec)
HAND_ON(why)
#undef HAND_ON

wg_debug_tap_t *wg_debug_tap_new(wg_debug_t *d, const wg_shape_t *shape, uint32_t sm, const wg_probe_hooks_t *next, void *next_ctx) {
  wg_debug_tap_t *t = calloc(1, sizeof *t);
  WG_BUG(t == NULL);
  t->d = d;
  t->sm = sm;
  t->sub_cores = shape->sub_cores;
  t->warp_slots = shape->warp_slots;
  t->next = next;
  t->next_ctx = next_ctx;
  t->hooks = (wg_probe_hooks_t){.init = on_init, .issue = on_issue, .free = on_free, .stack = on_stack, .bar = on_bar, .pick = on_pick};
#define IF_NEXT(NAME) t->hooks.NAME = next != NULL && next->NAME != NULL ? on_##NAME : NULL
  IF_NEXT(wb), IF_NEXT(pred), IF_NEXT(lsu), IF_NEXT(shm), IF_NEXT(l1), IF_NEXT(fill), IF_NEXT(inval), IF_NEXT(full), IF_NEXT(lsu_done);
  IF_NEXT(fetch), IF_NEXT(flush), IF_NEXT(exec), IF_NEXT(why);
#undef IF_NEXT
  d->tap[sm] = t;
  return t;
}

void wg_debug_tap_free(wg_debug_tap_t *t) { free(t); }
const wg_probe_hooks_t *wg_debug_tap_hooks(const wg_debug_tap_t *t) { return &t->hooks; }

void wg_debug_tap_reset(wg_debug_tap_t *t, const wg_sm_cfg_t *cfg) {
  t->has_twin = true;
  for (unsigned s = 0; s < t->sub_cores; s++) {
    t->has_twin = t->has_twin && wg_sched_reset(&t->twin[s], cfg->policy, t->warp_slots, cfg->knob, cfg->progress_cycles);
    t->bound[s] = 0;
  }
}

void wg_debug_tap_fault(wg_debug_tap_t *t, const wg_fault_t *fault) {
  tell_warp(t, kWgWhenFault, fault->warp % t->sub_cores, fault->warp / t->sub_cores % kWgMaxWarpSlots);
}

bool dbg_tap_pick(const wg_debug_tap_t *t, unsigned sub, const sm_warp_view_t *v, wg_sched_out_t *out) {
  if (!t->has_twin) return false;
  wg_sched_t twin = t->twin[sub];
  const uint16_t *s = v->state;
  /* what a pick depends on; the events of the door only change what comes after it */
  wg_sched_in_t in = {.valid = v->valid,
                      .eligible = s[kWgReasonNotSelected],
                      .parked = (uint16_t)(s[kWgReasonBarrier] | s[kWgReasonSleep] | s[kWgReasonFinished]),
                      .long_wait = (uint16_t)(s[kWgReasonDepLong] | s[kWgReasonMembar]),
                      .launched = (uint16_t)(v->valid & ~t->bound[sub])};
  *out = wg_sched_step(&twin, &in);
  return true;
}
