// SPDX-License-Identifier: Apache-2.0
#include "cosim/html/html_trace.h"

#include <stdlib.h>
#include <string.h>

enum { kMaxPcs = 1 << 16 };

typedef struct warp {
  bool there;
  uint8_t block, reason;
  trace_launch_t *of; /* NULL: a launch that is not asked for */
  size_t row;
  uint64_t since;                /* cycles before are told of */
  uint64_t wait[kWgReasonCount]; /* since the last issue */
} warp_t;

typedef struct walker {
  trace_launch_t *launch; /* [n] */
  size_t n;
  bool fill; /* second time: times are known, bins are filled */
  bool full, any;
  uint16_t sm;
  warp_t warp[kWgMaxSubCores][kWgMaxWarpSlots];
  struct {
    trace_launch_t *of;
    size_t at;
  } tag[UINT8_MAX + 1]; /* instructions in the memory pipe; of NULL: none that is asked for */
} walker_t;

uint64_t trace_column(const trace_launch_t *l, unsigned column) {
  return l->from + (l->to - l->from) * column / kTraceColumns;
}

static void bin(trace_launch_t *l, size_t row, unsigned reason, uint64_t from, uint64_t to) {
  if (row >= kTraceRows || l->bin == NULL || from < l->from || to > l->to) return;
  unsigned column = (unsigned)((from - l->from) * kTraceColumns / (l->to - l->from));
  while (column > 0 && trace_column(l, column) > from) column--;
  for (; column < kTraceColumns && from < to; column++) {
    uint64_t end = trace_column(l, column + 1);
    if (end <= from) continue;
    if (end > to) end = to;
    l->bin[row * kTraceColumns + column][reason] += end - from;
    from = end;
  }
}

/* The warp was in a state up to a cycle. */
static void account(walker_t *w, warp_t *x, unsigned reason, uint64_t to) {
  if (to <= x->since) return;
  trace_launch_t *l = x->of;
  if (x->there && l != NULL && reason != kWgReasonNoWarp) {
    if (!w->fill) {
      if (x->since < l->from) l->from = x->since;
      if (to > l->to) l->to = to;
      l->row[x->row].cycles[reason] += to - x->since;
      x->wait[reason] += to - x->since;
    } else {
      bin(l, x->row, reason, x->since, to);
    }
  }
  x->since = to;
}

static size_t row_of(walker_t *w, trace_launch_t *l, const wg_event_t *e) {
  size_t i = 0;
  while (i < l->rows && (l->row[i].sm != e->sm || l->row[i].sub != e->sub || l->row[i].slot != e->slot)) i++;
  if (i < l->rows) return i;
  if (l->rows == l->row_cap) {
    size_t cap = l->row_cap == 0 ? 64 : 2 * l->row_cap;
    trace_row_t *grown = realloc(l->row, cap * sizeof *grown);
    if (grown == NULL) {
      w->full = true;
      return 0;
    }
    l->row = grown;
    l->row_cap = cap;
  }
  l->row[l->rows] = (trace_row_t){e->sm, e->sub, e->slot, {0}};
  return l->rows++;
}

static void on_init(walker_t *w, warp_t *x, const wg_event_t *e) {
  if (x->there && e->kind == kWgEventKey) return;
  x->there = true;
  x->block = e->a;
  x->of = NULL;
  x->since = e->cycle;
  memset(x->wait, 0, sizeof x->wait);
  for (size_t i = 0; i < w->n; i++) {
    if (w->launch[i].grid == e->x) x->of = &w->launch[i];
  }
  if (x->of != NULL) x->row = row_of(w, x->of, e);
  if (w->full) x->of = NULL;
}

static void on_issue(walker_t *w, warp_t *x, const wg_event_t *e) {
  account(w, x, x->reason, e->cycle);
  account(w, x, kWgReasonIssued, e->cycle + 1);
  trace_launch_t *l = x->of;
  size_t at = e->pc / 16;
  if (w->fill || !x->there || l == NULL || at >= kMaxPcs) return;
  if (at >= l->pcs) {
    trace_pc_t *grown = realloc(l->pc, (at + 64) * sizeof *grown);
    if (grown == NULL) {
      w->full = true;
      return;
    }
    memset(grown + l->pcs, 0, (at + 64 - l->pcs) * sizeof *grown);
    l->pc = grown;
    l->pcs = at + 64;
  }
  l->issues++;
  l->pc[at].issues++;
  l->pc[at].lanes += (uint64_t)__builtin_popcount(e->mask);
  for (unsigned r = 0; r < kWgReasonCount; r++) l->pc[at].cycles[r] += x->wait[r];
  memset(x->wait, 0, sizeof x->wait);
}

static void on_free(walker_t *w, const wg_event_t *e) {
  for (unsigned s = 0; s < kWgMaxSubCores; s++) {
    for (unsigned i = 0; i < kWgMaxWarpSlots; i++) {
      warp_t *x = &w->warp[s][i];
      if (!x->there || x->block != e->a) continue;
      account(w, x, x->reason, e->cycle + 1); /* its slot is free from the next cycle on */
      x->there = false;
    }
  }
}

static void on_why(walker_t *w, const wg_event_t *e) {
  for (unsigned i = 0; i < kWgMaxWarpSlots; i++) {
    warp_t *x = &w->warp[e->sub][i];
    unsigned reason = (unsigned)(e->addr >> (4 * i) & 15);
    if (x->reason == reason) continue;
    account(w, x, x->reason, e->cycle);
    x->reason = (uint8_t)reason;
  }
}

/* Sectors of an access belong to its instruction. */
static void on_memory(walker_t *w, const warp_t *x, const wg_event_t *e) {
  if (w->fill) return;
  if (e->kind == kWgEventLsu) {
    w->tag[e->a].of = x->there ? x->of : NULL;
    w->tag[e->a].at = e->pc / 16;
    return;
  }
  trace_launch_t *l = w->tag[e->a].of;
  size_t at = w->tag[e->a].at;
  if (l != NULL && at < l->pcs) l->pc[at].sectors += (uint64_t)__builtin_popcount(e->c & 15u);
}

static void on_event(void *ctx, const wg_event_t *e, bool follows) {
  walker_t *w = ctx;
  if (w->full) return;
  if (!w->any || w->sm != e->sm || !follows) {
    memset(w->warp, 0, sizeof w->warp);
    memset(w->tag, 0, sizeof w->tag);
    for (unsigned s = 0; s < kWgMaxSubCores; s++) {
      for (unsigned i = 0; i < kWgMaxWarpSlots; i++) w->warp[s][i].reason = kWgReasonNoWarp;
    }
    w->sm = e->sm;
    w->any = true;
  }
  warp_t *x = &w->warp[e->sub][e->slot];
  switch (e->kind) {
    case kWgEventInit:
    case kWgEventKey:
      on_init(w, x, e);
      break;
    case kWgEventIssue:
      on_issue(w, x, e);
      break;
    case kWgEventLsu:
    case kWgEventLine:
      on_memory(w, x, e);
      break;
    case kWgEventFree:
      on_free(w, e);
      break;
    case kWgEventWhy:
      on_why(w, e);
      break;
    default:
      break;
  }
}

wg_status_t trace_read(const wg_events_t *t, const uint32_t *grid, size_t n, trace_launch_t *out, wg_diag_t *diag) {
  memset(out, 0, n * sizeof *out);
  if (t->depth < kWgEventDepthPipe) {
    if (diag != NULL) snprintf(diag->hint, sizeof diag->hint, "record it with --events_depth pipe, the default");
    return wg_fail(diag, kWgBadInput, "the event trace does not say why warps wait");
  }
  walker_t *w = calloc(1, sizeof *w);
  if (w == NULL) return wg_fail(diag, kWgNoSpace, "out of memory");
  w->launch = out;
  w->n = n;
  for (size_t i = 0; i < n; i++) {
    out[i].grid = grid[i];
    out[i].from = UINT64_MAX;
  }
  wg_status_t st = wg_events_each(t, on_event, w, diag);
  for (size_t i = 0; i < n && !w->full; i++) {
    if (out[i].from >= out[i].to) continue;
    out[i].bin = calloc((size_t)kTraceRows * kTraceColumns, sizeof *out[i].bin);
    w->full = out[i].bin == NULL;
  }
  w->fill = true;
  w->any = false;
  if (st == kWgOk && !w->full) st = wg_events_each(t, on_event, w, diag);
  if (st == kWgOk && w->full) st = wg_fail(diag, kWgNoSpace, "out of memory");
  free(w);
  if (st != kWgOk) trace_free(out, n);
  return st;
}

void trace_free(trace_launch_t *l, size_t n) {
  for (size_t i = 0; i < n; i++) {
    free(l[i].row);
    free(l[i].pc);
    free(l[i].bin);
    memset(&l[i], 0, sizeof l[i]);
  }
}
