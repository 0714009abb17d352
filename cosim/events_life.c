// SPDX-License-Identifier: Apache-2.0
#include "cosim/events_life.h"

#include <stddef.h>
#include <string.h>

#include "toolchain/asm/wg_asm.h"

enum { kFetched = 8, kOpen = 64, kWhys = 512, kTags = 128 };

/* What an issued instruction still owes. */
typedef struct open {
  size_t life;
  uint8_t rd, rows; /* registers to be written, counted down by writes */
  uint8_t left;
  uint8_t pd[2];    /* kWgPT: none */
  bool store;       /* ends with the memory pipe's tag */
  bool waits;       /* ends when the warp goes on: control, barriers, fences */
  bool soft;        /* ended, but more beats of its predicate may follow */
} open_t;

typedef struct warp {
  bool there;
  wg_life_warp_t of;
  size_t fetched[kFetched]; /* lives in the instruction buffer, oldest first */
  unsigned num_fetched;
  open_t open[kOpen];
  unsigned num_open;
  struct {
    uint64_t cycle;
    uint8_t reason;
  } why[kWhys]; /* changes since the last issue */
  unsigned num_why;
  uint64_t issued; /* cycle of the last issue, WG_NEVER */
} warp_t;

typedef struct builder {
  const wg_events_t *t;
  wg_lives_t *out;
  bool no_space;
  warp_t warp[kWgMaxSubCores][kWgMaxWarpSlots];
  size_t tag[kTags]; /* life whose memory operation has this tag; SIZE_MAX */
  uint64_t cycle;
  uint16_t sm;
  bool any;
} builder_t;

static wg_life_t *life(builder_t *b, size_t i) { return &b->out->life[i]; }

static size_t new_life(builder_t *b, const warp_t *w, uint32_t pc) {
  wg_lives_t *o = b->out;
  if (o->n == o->cap) {
    size_t cap = o->cap == 0 ? 4096 : 2 * o->cap;
    wg_life_t *grown = realloc(o->life, cap * sizeof *grown);
    if (grown == NULL) {
      b->no_space = true;
      return SIZE_MAX;
    }
    o->life = grown;
    o->cap = cap;
  }
  o->life[o->n] = (wg_life_t){.of = w->of, .pc = pc, .fetch = WG_NEVER, .issue = WG_NEVER, .execute = WG_NEVER, .memory = WG_NEVER,
                              .write = WG_NEVER, .end = WG_NEVER};
  return o->n++;
}

static void add_stall(builder_t *b, wg_life_t *l, uint64_t from, uint64_t to, uint8_t reason) {
  wg_lives_t *o = b->out;
  if (l->fetch != WG_NEVER && from < l->fetch + 2) from = l->fetch + 2; /* not there yet */
  if (from >= to) return;
  if (o->stalls == o->stall_cap) {
    size_t cap = o->stall_cap == 0 ? 4096 : 2 * o->stall_cap;
    wg_stall_t *grown = realloc(o->stall, cap * sizeof *grown);
    if (grown == NULL) {
      b->no_space = true;
      return;
    }
    o->stall = grown;
    o->stall_cap = cap;
  }
  if (l->num_stalls == 0) l->stalls = (uint32_t)o->stalls;
  o->stall[o->stalls++] = (wg_stall_t){from, to, reason};
  l->num_stalls++;
}

/* ---- the way of an instruction ---- */

static void close_open(warp_t *w, unsigned i) {
  w->num_open--;
  memmove(&w->open[i], &w->open[i + 1], (w->num_open - i) * sizeof w->open[0]);
}

/* What ends when its warp goes on, has. */
static void goes_on(builder_t *b, warp_t *w, uint64_t cycle) {
  for (unsigned i = 0; i < w->num_open;) {
    if (!w->open[i].waits && !(w->open[i].soft && life(b, w->open[i].life)->end + 1 < cycle)) {
      i++;
      continue;
    }
    if (w->open[i].waits) life(b, w->open[i].life)->end = cycle;
    close_open(w, i);
  }
}

static void end_warp(builder_t *b, warp_t *w) {
  for (unsigned i = 0; i < w->num_open; i++) {
    if (!w->open[i].soft) life(b, w->open[i].life)->end = b->cycle;
  }
  for (unsigned i = 0; i < w->num_fetched; i++) {
    life(b, w->fetched[i])->end = b->cycle;
    life(b, w->fetched[i])->flushed = true;
  }
  w->num_open = w->num_fetched = w->num_why = 0;
}

static void on_fetch(builder_t *b, warp_t *w, uint32_t pc, unsigned words) {
  for (unsigned i = 0; i < words; i++) {
    if (w->num_fetched == kFetched) return; /* more than a buffer holds: a damaged trace */
    size_t at = new_life(b, w, pc + 16 * i);
    if (at == SIZE_MAX) return;
    life(b, at)->fetch = b->cycle;
    w->fetched[w->num_fetched++] = at;
  }
}

static void on_flush(builder_t *b, warp_t *w) {
  for (unsigned i = 0; i < w->num_fetched; i++) {
    life(b, w->fetched[i])->end = b->cycle;
    life(b, w->fetched[i])->flushed = true;
  }
  w->num_fetched = 0;
}

/* Why it was not issued before, from the warp's last issue on. */
static void note_stalls(builder_t *b, warp_t *w, wg_life_t *l) {
  uint64_t after = w->issued == WG_NEVER ? 0 : w->issued + 1;
  for (unsigned i = 0; i < w->num_why; i++) {
    uint64_t from = w->why[i].cycle > after ? w->why[i].cycle : after;
    uint64_t to = i + 1 < w->num_why ? w->why[i + 1].cycle : l->issue;
    if (w->why[i].reason != kWgReasonNoWarp) add_stall(b, l, from, to < l->issue ? to : l->issue, w->why[i].reason);
  }
  if (w->num_why > 1) {
    w->why[0] = w->why[w->num_why - 1];
    w->num_why = 1;
  }
}

static open_t owes(const wg_events_t *t, const wg_life_t *l, size_t index) {
  open_t o = {.life = index, .pd = {kWgPT, kWgPT}};
  wg_word_t word;
  wg_insn_t in;
  if (!wg_events_code(t, l->of.grid, l->pc, &word, NULL) || wg_decode(word, &in) != kWgOk) {
    o.waits = true;
    return o;
  }
  const wg_insn_info_t *info = wg_insn_info(in.op);
  wg_regset_t r = wg_insn_regs(&in);
  bool memory = in.op == kWgOp_MEMBAR || in.op == kWgOp_CCTL;
  bool bar = in.op == kWgOp_BAR || in.op == kWgOp_BARRED;
  if (info->pipe == kWgPipeCTRL || memory || bar) {
    o.waits = true;
  } else if (l->exec == 0) {
    return o; /* nothing: no lane acts */
  } else if (r.count[4] != 0) {
    o.rd = r.first[4];
    o.rows = o.left = r.count[4];
  } else if (in.pd0 != kWgPT || in.pd1 != kWgPT) {
    o.pd[0] = in.pd0;
    o.pd[1] = in.pd1;
  } else {
    o.store = info->pipe == kWgPipeLSU;
  }
  return o;
}

static void on_issue(builder_t *b, warp_t *w, const wg_event_t *e) {
  goes_on(b, w, e->cycle);
  while (w->num_fetched != 0 && life(b, w->fetched[0])->pc != e->pc) { /* recording began behind its fetch */
    life(b, w->fetched[0])->flushed = true;
    life(b, w->fetched[0])->end = e->cycle;
    memmove(w->fetched, w->fetched + 1, --w->num_fetched * sizeof w->fetched[0]);
  }
  size_t at = w->num_fetched != 0 ? w->fetched[0] : new_life(b, w, e->pc);
  if (at == SIZE_MAX) return;
  if (w->num_fetched != 0) memmove(w->fetched, w->fetched + 1, --w->num_fetched * sizeof w->fetched[0]);
  wg_life_t *l = life(b, at);
  l->of = w->of;
  l->issue = e->cycle;
  l->mask = e->mask;
  l->exec = e->exec;
  note_stalls(b, w, l);
  w->issued = e->cycle;
  open_t o = owes(b->t, l, at);
  bool nothing = o.left == 0 && o.pd[0] == kWgPT && o.pd[1] == kWgPT && !o.store && !o.waits;
  if (nothing) l->end = e->cycle;
  else if (w->num_open < kOpen) w->open[w->num_open++] = o;
}

/* The oldest one at this pc of which the cycle at `field` has not been seen. */
static open_t *open_at(builder_t *b, warp_t *w, uint32_t pc, size_t field) {
  for (unsigned i = 0; i < w->num_open; i++) {
    const wg_life_t *l = life(b, w->open[i].life);
    uint64_t seen;
    memcpy(&seen, (const uint8_t *)l + field, sizeof seen);
    if (l->pc == pc && seen == WG_NEVER) return &w->open[i];
  }
  return NULL;
}

static void on_write(builder_t *b, warp_t *w, const wg_event_t *e) {
  for (unsigned i = 0; i < w->num_open; i++) {
    open_t *o = &w->open[i];
    unsigned row = (unsigned)e->a - o->rd;
    if (o->left == 0 || e->a < o->rd || row >= o->rows) continue;
    wg_life_t *l = life(b, o->life);
    l->write = e->cycle;
    unsigned rows = (e->b & 1) != 0 ? 2 : 1;
    o->left = (uint8_t)(o->left > rows ? o->left - rows : 0);
    if (o->left != 0) return;
    l->end = e->cycle;
    close_open(w, i);
    return;
  }
}

static void on_pred(builder_t *b, warp_t *w, const wg_event_t *e) {
  for (unsigned i = 0; i < w->num_open; i++) {
    open_t *o = &w->open[i];
    if (o->pd[0] != e->a && o->pd[1] != e->a) continue;
    wg_life_t *l = life(b, o->life);
    if (o->soft && l->write + 1 < e->cycle) continue; /* of a younger one */
    l->write = l->end = e->cycle;
    o->soft = true;
    return;
  }
}

static void on_stack(builder_t *b, warp_t *w, const wg_event_t *e) {
  for (unsigned i = 0; i < w->num_open; i++) {
    if (!w->open[i].waits || life(b, w->open[i].life)->pc != e->pc) continue;
    life(b, w->open[i].life)->end = e->cycle;
    close_open(w, i);
    return;
  }
}

static void on_why(builder_t *b, const wg_event_t *e) {
  for (unsigned s = 0; s < kWgMaxWarpSlots; s++) {
    warp_t *w = &b->warp[e->sub][s];
    uint8_t reason = (uint8_t)(e->addr >> (4 * s) & 15);
    if (w->num_why != 0 && w->why[w->num_why - 1].reason == reason) continue;
    if (w->num_why == kWhys) { /* a long wait with many changes: its middle is told as what came last */
      w->why[kWhys - 1].reason = reason;
      continue;
    }
    w->why[w->num_why].cycle = e->cycle;
    w->why[w->num_why++].reason = reason;
  }
}

static void on_tag(builder_t *b, const wg_event_t *e, warp_t *w) {
  size_t *at = &b->tag[e->a % kTags];
  if (e->kind == kWgEventLsu) {
    open_t *o = open_at(b, w, e->pc, offsetof(wg_life_t, memory));
    *at = o == NULL ? SIZE_MAX : o->life;
    if (o != NULL) life(b, o->life)->memory = e->cycle;
    return;
  }
  if (*at == SIZE_MAX) return;
  wg_life_t *l = life(b, *at);
  warp_t *of = &b->warp[l->of.sub][l->of.slot];
  for (unsigned i = 0; i < of->num_open; i++) {
    if (of->open[i].life != *at || !of->open[i].store) continue;
    l->end = e->cycle;
    close_open(of, i);
    break;
  }
  *at = SIZE_MAX;
}

/* Nothing that came before leads here. */
static void restart(builder_t *b) {
  memset(b->warp, 0, sizeof b->warp);
  for (unsigned i = 0; i < kTags; i++) b->tag[i] = SIZE_MAX;
  for (unsigned s = 0; s < kWgMaxSubCores; s++) {
    for (unsigned i = 0; i < kWgMaxWarpSlots; i++) {
      warp_t *w = &b->warp[s][i];
      w->of = (wg_life_warp_t){.sm = b->sm, .sub = (uint8_t)s, .slot = (uint8_t)i, .block = 255, .warp = 255};
      w->issued = WG_NEVER;
    }
  }
}

static void on_init(warp_t *w, const wg_event_t *e) {
  if (e->kind == kWgEventKey && w->there) return;
  w->there = true;
  w->of.block = e->a;
  w->of.warp = e->b;
  w->of.grid = e->x;
  w->of.ctaid[0] = e->y, w->of.ctaid[1] = e->z, w->of.ctaid[2] = e->t;
  w->issued = WG_NEVER;
}

static void on_free(builder_t *b, const wg_event_t *e) {
  for (unsigned s = 0; s < kWgMaxSubCores; s++) {
    for (unsigned i = 0; i < kWgMaxWarpSlots; i++) {
      warp_t *w = &b->warp[s][i];
      if (!w->there || w->of.block != e->a) continue;
      end_warp(b, w);
      w->there = false;
    }
  }
}

static void on_release(builder_t *b, const wg_event_t *e) {
  for (unsigned s = 0; s < kWgMaxSubCores; s++) {
    for (unsigned i = 0; i < kWgMaxWarpSlots; i++) {
      warp_t *w = &b->warp[s][i];
      if (w->there && w->of.block == e->a && w->of.warp < 32 && (e->mask >> w->of.warp & 1) != 0) goes_on(b, w, e->cycle);
    }
  }
}

static void on_event(void *ctx, const wg_event_t *e, bool follows) {
  builder_t *b = ctx;
  b->cycle = e->cycle;
  if (!b->any || b->sm != e->sm || !follows) {
    b->sm = e->sm;
    b->any = true;
    restart(b);
  }
  if (b->no_space) return;
  warp_t *w = &b->warp[e->sub][e->slot];
  switch (e->kind) {
    case kWgEventInit:
    case kWgEventKey: on_init(w, e); break;
    case kWgEventFree: on_free(b, e); break;
    case kWgEventRelease: on_release(b, e); break;
    case kWgEventFetch1: on_fetch(b, w, e->pc, 1); break;
    case kWgEventFetch2: on_fetch(b, w, e->pc, 2); break;
    case kWgEventFlush: on_flush(b, w); break;
    case kWgEventIssue: on_issue(b, w, e); break;
    case kWgEventExec: {
      open_t *o = open_at(b, w, e->pc, offsetof(wg_life_t, execute));
      if (o != NULL) life(b, o->life)->execute = e->cycle;
      break;
    }
    case kWgEventWrite: on_write(b, w, e); break;
    case kWgEventPred: on_pred(b, w, e); break;
    case kWgEventStack: on_stack(b, w, e); break;
    case kWgEventWhy: on_why(b, e); break;
    case kWgEventLsu:
    case kWgEventLsuDone: on_tag(b, e, w); break;
    default: break;
  }
}

uint64_t wg_life_begin(const wg_life_t *l) { return l->fetch != WG_NEVER ? l->fetch : l->issue; }

wg_status_t wg_lives_build(const wg_events_t *t, uint64_t from, uint64_t to, wg_lives_t *out, wg_diag_t *diag) {
  memset(out, 0, sizeof *out);
  if (t->depth < kWgEventDepthInsts) {
    if (diag != NULL) snprintf(diag->hint, sizeof diag->hint, "--events_depth pipe, mem or insts when it is recorded");
    return wg_fail(diag, kWgBadInput, "the event trace has no instructions");
  }
  builder_t *b = calloc(1, sizeof *b);
  if (b == NULL) return wg_fail(diag, kWgNoSpace, "out of memory");
  b->t = t;
  b->out = out;
  wg_status_t st = wg_events_each(t, on_event, b, diag);
  if (st == kWgOk && b->no_space) st = wg_fail(diag, kWgNoSpace, "out of memory");
  free(b);
  size_t kept = 0;
  for (size_t i = 0; i < out->n; i++) {
    const wg_life_t *l = &out->life[i];
    if (wg_life_begin(l) < to && (l->end == WG_NEVER || l->end >= from)) out->life[kept++] = *l;
  }
  out->n = kept;
  if (st != kWgOk) wg_lives_free(out);
  return st;
}

void wg_lives_free(wg_lives_t *l) {
  free(l->life);
  free(l->stall);
  memset(l, 0, sizeof *l);
}

const char *wg_life_text(const wg_events_t *t, const wg_life_t *l, char *buf, size_t n) {
  wg_word_t word;
  if (!wg_events_code(t, l->of.grid, l->pc, &word, NULL)) {
    snprintf(buf, n, "?");
    return buf;
  }
  wg_dis_insn(word, l->pc, buf, n);
  char *control = strstr(buf, " {"); /* for the compiler, not for the reader */
  if (control != NULL) *control = '\0';
  return buf;
}

const char *wg_life_mnemonic(const wg_events_t *t, const wg_life_t *l, char *buf, size_t n) {
  char text[192];
  const char *at = wg_life_text(t, l, text, sizeof text);
  if (*at == '@') at += strcspn(at, " "), at += strspn(at, " ");
  snprintf(buf, n, "%.*s", (int)strcspn(at, " "), at);
  return buf;
}

/* ---- looking ---- */

typedef struct finder {
  const wg_when_t *when;
  bool found, any;
  uint64_t cycle;
  uint16_t sm, at;
  uint32_t seen;
  uint32_t ctaid[kWgMaxBlockSlots];
  struct {
    uint8_t block, warp;
    uint32_t mask;
  } warp[kWgMaxSubCores][kWgMaxWarpSlots];
} finder_t;

static void hit(finder_t *f, const wg_event_t *e, uint32_t value, unsigned block, int warp) {
  const wg_when_t *w = f->when;
  if (w->value != value || (w->block >= 0 && f->ctaid[block % kWgMaxBlockSlots] != (uint32_t)w->block)) return;
  if ((w->warp >= 0 && warp != w->warp) || (w->sm >= 0 && e->sm != w->sm) || ++f->seen != w->nth) return;
  if (f->found && f->cycle <= e->cycle) return;
  f->found = true;
  f->cycle = e->cycle;
  f->sm = e->sm;
}

static void find_stack(finder_t *f, const wg_event_t *e) {
  unsigned block = f->warp[e->sub][e->slot].block;
  int warp = f->warp[e->sub][e->slot].warp;
  uint32_t was = f->warp[e->sub][e->slot].mask;
  bool branch = e->a == kWgOp_BRA || e->a == kWgOp_BRX, fewer = e->mask != 0 && (e->mask & ~was) == 0 && e->mask != was;
  bool joins = e->a == kWgOp_BSYNC && (e->mask & ~was) != 0 && (was & ~e->mask) == 0;
  if (f->when->kind == kWgWhenDiverge && branch && fewer) hit(f, e, 0, block, warp);
  if (f->when->kind == kWgWhenReconverge && joins) hit(f, e, 0, block, warp);
}

static void find_event(void *ctx, const wg_event_t *e, bool follows) {
  finder_t *f = ctx;
  (void)follows;
  if (!f->any || f->at != e->sm) f->seen = 0;
  f->any = true;
  f->at = e->sm;
  const unsigned block = f->warp[e->sub][e->slot].block;
  const int warp = f->warp[e->sub][e->slot].warp;
  switch (e->kind) {
    case kWgEventInit:
    case kWgEventKey:
      f->ctaid[e->a % kWgMaxBlockSlots] = e->y;
      f->warp[e->sub][e->slot].block = e->a;
      f->warp[e->sub][e->slot].warp = e->b;
      if (e->kind == kWgEventInit && e->b == 0 && f->when->kind == kWgWhenBlock) hit(f, e, e->y, e->a, -1);
      break;
    case kWgEventFree: if (f->when->kind == kWgWhenBlockEnd) hit(f, e, f->ctaid[e->a % kWgMaxBlockSlots], e->a, -1); break;
    case kWgEventIssue:
      f->warp[e->sub][e->slot].mask = e->mask;
      if (f->when->kind == kWgWhenPc) hit(f, e, e->pc, block, warp);
      break;
    case kWgEventArrive: if (f->when->kind == kWgWhenArrive) hit(f, e, e->c, e->a, e->b); break;
    case kWgEventRelease: if (f->when->kind == kWgWhenBarrier) hit(f, e, e->c, e->a, -1); break;
    case kWgEventEnd: if (f->when->kind == kWgWhenExit) hit(f, e, 0, e->a, e->b); break;
    case kWgEventFault: if (f->when->kind == kWgWhenFault) hit(f, e, 0, block, warp); break;
    case kWgEventStack: find_stack(f, e); break;
    default: break;
  }
}

bool wg_events_find(const wg_events_t *t, const wg_when_t *when, uint64_t *cycle, uint16_t *sm) {
  *sm = 0;
  if (when->kind == kWgWhenMismatch || when->kind == kWgWhenHang) {
    *cycle = t->mark;
    return t->mark != UINT64_MAX;
  }
  finder_t *f = calloc(1, sizeof *f);
  if (f == NULL) return false;
  f->when = when;
  bool ok = wg_events_each(t, find_event, f, NULL) == kWgOk && f->found;
  *cycle = f->cycle;
  *sm = f->sm;
  free(f);
  return ok;
}
