// SPDX-License-Identifier: Apache-2.0
#include "cosim/sm_tap.h"

#include <string.h>

/* An event that is looked for. */
typedef struct seeker {
  wg_when_t when;
  uint32_t seen;
  bool found;
  uint64_t cycle;
} seeker_t;

struct wg_sm_tap {
  wg_lockstep_t *ls;
  const wg_probe_hooks_t *next; /* the checker's */
  wg_probe_hooks_t hooks;
  wg_recorder_t *recorder;
  unsigned depth, sub_cores;
  uint16_t sm;
  seeker_t find, window;
  bool mismatch;
  uint64_t cycle, last_issue;
  uint32_t ctaid[kWgMaxBlockSlots]; /* x, by block slot */
  struct {
    uint8_t block, warp; /* slot; warp of the block */
  } warp[kWgMaxSubCores][kWgMaxWarpSlots];
};

/* ---- looking ---- */

static void look_at(wg_sm_tap_t *t, seeker_t *s, wg_when_kind_t kind, uint32_t value, unsigned block, int warp) {
  const wg_when_t *w = &s->when;
  if (w->kind != kind || s->found || w->value != value) return;
  if ((w->block >= 0 && t->ctaid[block] != (uint32_t)w->block) || (w->warp >= 0 && warp != w->warp)) return;
  if ((w->sm >= 0 && t->sm != w->sm) || ++s->seen < w->nth) return;
  s->found = true;
  s->cycle = t->cycle;
}

/* @param value 0 for kinds without one @param block slot @param warp of the block; -1: no warp's event */
static void look(wg_sm_tap_t *t, wg_when_kind_t kind, uint32_t value, unsigned block, int warp) {
  look_at(t, &t->find, kind, value, block % kWgMaxBlockSlots, warp);
  if (t->recorder == NULL || t->window.found) return;
  look_at(t, &t->window, kind, value, block % kWgMaxBlockSlots, warp);
  if (t->window.found) wg_recorder_trigger(t->recorder, t->cycle);
}

static void look_warp(wg_sm_tap_t *t, wg_when_kind_t kind, uint32_t value, unsigned sub, unsigned slot) {
  if (t->find.when.kind != kind && t->window.when.kind != kind) return;
  look(t, kind, value, t->warp[sub][slot].block, t->warp[sub][slot].warp);
}

/* ---- events ---- */

static void record(wg_sm_tap_t *t, wg_event_t e) {
  if (t->recorder == NULL || wg_event_info[e.kind].depth > t->depth) return;
  e.cycle = t->cycle;
  wg_recorder_add(t->recorder, &e);
}

#define PASS(NAME) \
  if (t->next != NULL && t->next->NAME != NULL) t->next->NAME(t->ls, e)

static void on_init(void *ctx, const wg_ev_init_t *e) {
  wg_sm_tap_t *t = ctx;
  t->warp[e->sub][e->slot].block = e->block % kWgMaxBlockSlots;
  t->warp[e->sub][e->slot].warp = e->warp;
  t->ctaid[e->block % kWgMaxBlockSlots] = e->ctaid[0];
  if (e->warp == 0) look(t, kWgWhenBlock, e->ctaid[0], e->block, -1);
  record(t, (wg_event_t){.kind = kWgEventInit, .sub = e->sub, .slot = e->slot, .a = e->block, .b = e->warp, .mask = e->mask, .x = e->grid_id,
                         .y = e->ctaid[0], .z = e->ctaid[1], .t = e->ctaid[2]});
  PASS(init);
}

static void on_issue(void *ctx, const wg_ev_issue_t *e) {
  wg_sm_tap_t *t = ctx;
  t->last_issue = t->cycle;
  look_warp(t, kWgWhenPc, e->pc, e->sub, e->slot);
  record(t, (wg_event_t){.kind = kWgEventIssue, .sub = e->sub, .slot = e->slot, .pc = e->pc, .mask = e->mask, .exec = e->exec});
  PASS(issue);
}

static void on_wb(void *ctx, const wg_ev_wb_t *e) {
  wg_sm_tap_t *t = ctx;
  record(t, (wg_event_t){.kind = kWgEventWrite, .sub = e->sub, .slot = e->slot, .a = e->rd, .b = (uint8_t)(e->wide | e->variable << 1)});
  PASS(wb);
}

static void on_pred(void *ctx, const wg_ev_pred_t *e) {
  wg_sm_tap_t *t = ctx;
  record(t, (wg_event_t){.kind = kWgEventPred, .sub = e->sub, .slot = e->slot, .a = e->pd});
  PASS(pred);
}

static void on_lsu(void *ctx, const wg_ev_lsu_t *e) {
  wg_sm_tap_t *t = ctx;
  record(t, (wg_event_t){.kind = kWgEventLsu, .sub = e->sub, .slot = e->slot, .a = e->tag, .pc = e->pc});
  PASS(lsu);
}

static void on_shm(void *ctx, const wg_ev_shm_t *e) {
  wg_sm_tap_t *t = ctx;
  record(t, (wg_event_t){.kind = kWgEventShared, .a = e->tag, .mask = e->lanes});
  PASS(shm);
}

static void on_l1(void *ctx, const wg_ev_l1_t *e) {
  wg_sm_tap_t *t = ctx;
  record(t, (wg_event_t){.kind = kWgEventLine, .a = e->tag, .b = e->store, .addr = e->line, .c = (uint8_t)(e->sectors | e->hit << 4),
                         .d = e->req_id, .mask = e->lanes});
  PASS(l1);
}

static void on_fill(void *ctx, const wg_ev_fill_t *e) {
  wg_sm_tap_t *t = ctx;
  record(t, (wg_event_t){.kind = kWgEventFill, .a = e->req_id, .b = (uint8_t)(e->sector | e->installed << 2)});
  PASS(fill);
}

static void on_inval(void *ctx, const wg_ev_inval_t *e) {
  wg_sm_tap_t *t = ctx;
  record(t, (wg_event_t){.kind = kWgEventDrop});
  PASS(inval);
}

static void on_full(void *ctx, const wg_ev_full_t *e) {
  wg_sm_tap_t *t = ctx;
  PASS(full);
}

static void on_lsu_done(void *ctx, const wg_ev_lsu_done_t *e) {
  wg_sm_tap_t *t = ctx;
  record(t, (wg_event_t){.kind = kWgEventLsuDone, .a = e->tag});
  PASS(lsu_done);
}

static void on_free(void *ctx, const wg_ev_free_t *e) {
  wg_sm_tap_t *t = ctx;
  look(t, kWgWhenBlockEnd, t->ctaid[e->block % kWgMaxBlockSlots], e->block, -1);
  record(t, (wg_event_t){.kind = kWgEventFree, .a = e->block});
  PASS(free);
}

static void on_stack(void *ctx, const wg_ev_stack_t *e) {
  wg_sm_tap_t *t = ctx;
  bool splits = e->op == kWgOp_BRA || e->op == kWgOp_BRX;
  if (splits && e->exec != 0 && e->exec != e->mask) look_warp(t, kWgWhenDiverge, 0, e->sub, e->slot);
  if (e->op == kWgOp_BSYNC && (e->next_mask & ~e->mask) != 0 && (e->mask & ~e->next_mask) == 0)
    look_warp(t, kWgWhenReconverge, 0, e->sub, e->slot);
  record(t, (wg_event_t){.kind = kWgEventStack, .sub = e->sub, .slot = e->slot, .a = e->op, .pc = e->pc, .x = e->next_pc,
                         .mask = e->next_mask, .b = e->depth, .c = e->fault});
  PASS(stack);
}

static void on_pick(void *ctx, const wg_ev_pick_t *e) {
  wg_sm_tap_t *t = ctx;
  PASS(pick);
}

static void on_bar(void *ctx, const wg_ev_bar_t *e) {
  wg_sm_tap_t *t = ctx;
  if (e->kind == 0) {
    look(t, kWgWhenArrive, e->id, e->block, e->warp);
    record(t, (wg_event_t){.kind = kWgEventArrive, .a = e->block, .b = e->warp, .c = e->id});
  } else if (e->kind == 1) {
    look(t, kWgWhenBarrier, e->id, e->block, -1);
    record(t, (wg_event_t){.kind = kWgEventRelease, .a = e->block, .c = e->id, .mask = e->warps});
  } else if (e->kind == 2) {
    look(t, kWgWhenExit, 0, e->block, e->warp);
    record(t, (wg_event_t){.kind = kWgEventEnd, .a = e->block, .b = e->warp});
  }
  PASS(bar);
}

static void on_fetch(void *ctx, const wg_ev_fetch_t *e) {
  record(ctx, (wg_event_t){.kind = e->two ? kWgEventFetch2 : kWgEventFetch1, .sub = e->sub, .slot = e->slot, .pc = e->pc});
}

static void on_flush(void *ctx, const wg_ev_flush_t *e) {
  record(ctx, (wg_event_t){.kind = kWgEventFlush, .sub = e->sub, .slot = e->slot});
}

static void on_exec(void *ctx, const wg_ev_exec_t *e) {
  record(ctx, (wg_event_t){.kind = kWgEventExec, .sub = e->sub, .slot = e->slot, .pc = e->pc});
}

static void on_why(void *ctx, const wg_ev_why_t *e) {
  record(ctx, (wg_event_t){.kind = kWgEventWhy, .sub = e->sub, .addr = e->why});
}

/* ---- life ---- */

/* The design calls what it finds here: the fewer, the cheaper. */
static void choose_hooks(wg_sm_tap_t *t) {
  const wg_probe_hooks_t *next = t->next;
  bool units = next != NULL && next->pick != NULL;
  wg_when_kind_t a = t->find.when.kind, b = t->window.when.kind;
  bool seeks = a >= kWgWhenBarrier || b >= kWgWhenBarrier;
  t->hooks = (wg_probe_hooks_t){.init = on_init, .issue = on_issue, .free = on_free};
  if (next != NULL || t->depth >= kWgEventDepthPipe) t->hooks.wb = on_wb, t->hooks.pred = on_pred;
  if (next != NULL || t->depth >= kWgEventDepthMem) {
    t->hooks.lsu = on_lsu, t->hooks.shm = on_shm, t->hooks.l1 = on_l1, t->hooks.fill = on_fill;
    t->hooks.inval = on_inval, t->hooks.lsu_done = on_lsu_done;
  }
  if (next != NULL) t->hooks.full = on_full;
  if (units || seeks || t->depth >= kWgEventDepthWarps) t->hooks.stack = on_stack, t->hooks.bar = on_bar;
  if (units) t->hooks.pick = on_pick;
  if (t->depth >= kWgEventDepthPipe) t->hooks.fetch = on_fetch, t->hooks.flush = on_flush, t->hooks.exec = on_exec, t->hooks.why = on_why;
}

wg_sm_tap_t *wg_sm_tap_new(const wg_shape_t *shape, wg_lockstep_t *ls, uint16_t sm, const wg_when_t *find, const wg_when_t *window,
                           wg_recorder_t *recorder) {
  wg_sm_tap_t *t = calloc(1, sizeof *t);
  WG_BUG(t == NULL);
  t->ls = ls;
  t->next = ls == NULL ? NULL : wg_lockstep_hooks(ls);
  t->sm = sm;
  t->sub_cores = shape->sub_cores;
  t->find.when = *find;
  t->window.when = *window;
  t->recorder = recorder;
  t->depth = recorder == NULL ? 0 : wg_recorder_depth(recorder);
  choose_hooks(t);
  return t;
}

void wg_sm_tap_free(wg_sm_tap_t *t) { free(t); }
const wg_probe_hooks_t *wg_sm_tap_hooks(const wg_sm_tap_t *t) { return &t->hooks; }
void wg_sm_tap_cycle(wg_sm_tap_t *t, uint64_t cycle) { t->cycle = cycle; }

void wg_sm_tap_restart(wg_sm_tap_t *t, uint64_t cycle, uint64_t time_ns) {
  if (t->recorder != NULL) wg_recorder_restart(t->recorder, cycle, time_ns);
}

void wg_sm_tap_req(wg_sm_tap_t *t, const wg_mem_req_t *req) {
  record(t, (wg_event_t){.kind = kWgEventRequest, .a = req->id, .b = req->op, .addr = req->line, .c = req->sector_mask, .d = req->warp,
                         .x = req->pc});
}

void wg_sm_tap_rsp(wg_sm_tap_t *t, const wg_mem_rsp_t *rsp) {
  record(t, (wg_event_t){.kind = kWgEventResponse, .a = rsp->id, .b = (uint8_t)(rsp->sector | rsp->status << 2)});
}

void wg_sm_tap_fault(wg_sm_tap_t *t, const wg_fault_t *fault) {
  unsigned sub = fault->warp % t->sub_cores, slot = fault->warp / t->sub_cores % kWgMaxWarpSlots;
  look_warp(t, kWgWhenFault, 0, sub, slot);
  record(t, (wg_event_t){.kind = kWgEventFault, .sub = (uint8_t)sub, .slot = (uint8_t)slot, .a = fault->code, .x = fault->pc});
}

void wg_sm_tap_drain(wg_sm_tap_t *t) {
  bool asks = t->find.when.kind == kWgWhenMismatch || t->window.when.kind == kWgWhenMismatch;
  if (asks && !t->mismatch && t->ls != NULL && wg_lockstep_status(t->ls, NULL) != kWgOk) {
    t->mismatch = true;
    look(t, kWgWhenMismatch, 0, 0, -1);
  }
  if (t->recorder != NULL) wg_recorder_drain(t->recorder);
}

bool wg_sm_tap_found(const wg_sm_tap_t *t, uint64_t *cycle) {
  *cycle = t->find.when.kind == kWgWhenHang ? t->last_issue : t->find.cycle;
  return t->find.found || t->find.when.kind == kWgWhenHang;
}
