// SPDX-License-Identifier: Apache-2.0
//
// A few cycles of an SM as a WaveDrom timing diagram: for each sub-core what issues, for each of its warps what it does or why it
// waits, its active lanes; barriers. Boxes: '3' an issue, '=' a reason, '5' lanes, '.' the cycle before goes on, 'x' no warp.
#include <string.h>

#include "cosim/cli/cli_events.h"

enum { kCells = kCliWaveCycles, kText = 28 };

typedef struct row {
  char name[48], wave[kCells + 1];
  char data[kCells][kText];
  char last[kText]; /* of the cell before, with its kind */
  unsigned n;       /* data */
  bool used;
} row_t;

typedef struct drawing {
  const cli_view_t *v;
  unsigned cells;
  row_t state[kWgMaxSubCores][kWgMaxWarpSlots], lanes[kWgMaxSubCores][kWgMaxWarpSlots], issue[kWgMaxSubCores], barrier;
  /* as of the cycle that is drawn next */
  uint64_t cycle;
  struct {
    bool there;
    uint8_t reason, block;
    uint32_t mask, grid, ctaid, warp;
  } warp[kWgMaxSubCores][kWgMaxWarpSlots];
  struct {
    bool any;
    uint8_t slot;
    char name[kText];
  } now[kWgMaxSubCores];
  char bar[kText];
  uint16_t sm;
  bool any;
} drawing_t;

static void cell(row_t *r, unsigned at, char kind, const char *data) {
  char key[kText + 2];
  snprintf(key, sizeof key, "%c%s", kind, data);
  bool same = at != 0 && strncmp(key, r->last, sizeof r->last - 1) == 0 && (kind == 'x' || kind == '=' || kind == '5');
  r->wave[at] = same ? '.' : kind;
  r->wave[at + 1] = '\0';
  if (!same && kind != 'x') snprintf(r->data[r->n++], kText, "%s", data);
  snprintf(r->last, sizeof r->last, "%s", key);
  r->used = r->used || kind != 'x';
}

/* The cycle `d->cycle` is complete. */
static void draw_cycle(drawing_t *d) {
  if (d->cycle >= d->v->from && d->cycle < d->v->from + d->cells) {
    unsigned at = (unsigned)(d->cycle - d->v->from);
    for (unsigned s = 0; s < d->v->t->sub_cores; s++) {
      cell(&d->issue[s], at, d->now[s].any ? '3' : 'x', d->now[s].any ? d->now[s].name : "");
      for (unsigned i = 0; i < d->v->t->warp_slots; i++) {
        char hex[16];
        bool there = d->warp[s][i].there, issues = d->now[s].any && d->now[s].slot == i;
        if (there && d->state[s][i].name[0] == '\0')
          snprintf(d->state[s][i].name, sizeof d->state[s][i].name, "%u.%u block %u warp %u", s, i, d->warp[s][i].ctaid, d->warp[s][i].warp);
        snprintf(hex, sizeof hex, "%08x", d->warp[s][i].mask);
        cell(&d->state[s][i], at, issues ? '3' : there ? '=' : 'x', issues ? d->now[s].name : there ? wg_reason_name(d->warp[s][i].reason) : "");
        cell(&d->lanes[s][i], at, there ? '5' : 'x', there ? hex : "");
      }
    }
    cell(&d->barrier, at, d->bar[0] != '\0' ? '4' : 'x', d->bar);
  }
  for (unsigned s = 0; s < kWgMaxSubCores; s++) d->now[s].any = false;
  d->bar[0] = '\0';
}

static void advance(drawing_t *d, uint64_t cycle) {
  uint64_t stop = d->v->from + d->cells;
  if (d->cycle + 1 < d->v->from && cycle >= d->v->from) {
    draw_cycle(d);
    d->cycle = d->v->from;
    if (cycle == d->cycle) return;
  }
  while (d->cycle < cycle && d->cycle < stop) {
    draw_cycle(d);
    d->cycle++;
  }
  d->cycle = cycle;
}

static void set_block(drawing_t *d, const wg_event_t *e) {
  if (e->kind == kWgEventFree) {
    for (unsigned s = 0; s < kWgMaxSubCores; s++) {
      for (unsigned i = 0; i < kWgMaxWarpSlots; i++) {
        if (d->warp[s][i].block == e->a) d->warp[s][i].there = false;
      }
    }
    return;
  }
  d->warp[e->sub][e->slot].there = true;
  d->warp[e->sub][e->slot].block = e->a;
  d->warp[e->sub][e->slot].warp = e->b;
  d->warp[e->sub][e->slot].grid = e->x;
  d->warp[e->sub][e->slot].ctaid = e->y;
  d->warp[e->sub][e->slot].mask = e->kind == kWgEventKey ? e->exec : e->mask;
}

static void on_event(void *ctx, const wg_event_t *e, bool follows) {
  drawing_t *d = ctx;
  if (e->sm != d->sm) return;
  if (!follows) memset(d->warp, 0, sizeof d->warp);
  if (!d->any) d->cycle = e->cycle;
  d->any = true;
  if (e->cycle != d->cycle) advance(d, e->cycle);
  switch (e->kind) {
    case kWgEventInit:
    case kWgEventKey:
    case kWgEventFree: set_block(d, e); break;
    case kWgEventIssue: {
      wg_life_t l = {.pc = e->pc, .of = {.grid = d->warp[e->sub][e->slot].grid}};
      d->warp[e->sub][e->slot].mask = e->mask;
      d->now[e->sub].any = true;
      d->now[e->sub].slot = e->slot;
      wg_life_mnemonic(d->v->t, &l, d->now[e->sub].name, sizeof d->now[e->sub].name);
      break;
    }
    case kWgEventStack: if (e->mask != 0) d->warp[e->sub][e->slot].mask = e->mask; break;
    case kWgEventWhy:
      for (unsigned i = 0; i < kWgMaxWarpSlots; i++) d->warp[e->sub][i].reason = (uint8_t)(e->addr >> (4 * i) & 15);
      break;
    case kWgEventArrive: snprintf(d->bar, sizeof d->bar, "%u: +%u", e->c, e->b); break;
    case kWgEventRelease: snprintf(d->bar, sizeof d->bar, "%u: go %x", e->c, e->mask); break;
    default: break;
  }
}

static void print_row(FILE *out, const row_t *r, const char *name, bool *first) {
  fprintf(out, "%s\n  {\"name\": \"%s\", \"wave\": \"%s\"", *first ? "" : ",", name, r->wave);
  *first = false;
  for (unsigned i = 0; i < r->n; i++) fprintf(out, "%s\"%s\"", i == 0 ? ", \"data\": [" : ", ", r->data[i]);
  fprintf(out, "%s}", r->n != 0 ? "]" : "");
}

static void print(FILE *out, const drawing_t *d) {
  bool first = true;
  char name[64];
  fprintf(out, "{\"head\": {\"text\": \"%s, SM %u, cycles %llu to %llu\", \"tick\": %llu, \"every\": 5},\n \"config\": {\"hscale\": 2},\n \"signal\": [",
          d->v->t->preset, d->sm, (unsigned long long)d->v->from, (unsigned long long)(d->v->from + d->cells - 1),
          (unsigned long long)d->v->from);
  row_t clock = {.n = 0};
  memset(clock.wave, '.', d->cells);
  clock.wave[0] = 'p';
  print_row(out, &clock, "clock", &first);
  for (unsigned s = 0; s < d->v->t->sub_cores; s++) {
    bool used = false;
    for (unsigned i = 0; i < d->v->t->warp_slots; i++) used = used || d->state[s][i].used;
    if (!used) continue;
    snprintf(name, sizeof name, "sub-core %u issues", s);
    print_row(out, &d->issue[s], name, &first);
    for (unsigned i = 0; i < d->v->t->warp_slots; i++) {
      if (!d->state[s][i].used) continue;
      print_row(out, &d->state[s][i], d->state[s][i].name, &first);
      snprintf(name, sizeof name, "%u.%u lanes", s, i);
      print_row(out, &d->lanes[s][i], name, &first);
    }
  }
  if (d->barrier.used) print_row(out, &d->barrier, "barriers", &first);
  fprintf(out, "\n ]}\n");
}

static void first_cycle(void *ctx, const wg_event_t *e, bool follows) {
  drawing_t *d = ctx;
  (void)follows;
  if (!d->any || e->sm < d->sm) d->sm = e->sm, d->cycle = e->cycle;
  if (e->sm == d->sm && e->cycle > d->cycle) d->cycle = e->cycle;
  d->any = true;
}

wg_status_t cli_events_wavedrom(FILE *out, const cli_view_t *v, wg_diag_t *diag) {
  drawing_t *d = calloc(1, sizeof *d);
  if (d == NULL) return wg_fail(diag, kWgNoSpace, "out of memory");
  d->v = v;
  wg_status_t st = wg_events_each(v->t, first_cycle, d, diag);
  if (v->sm >= 0) d->sm = (uint16_t)v->sm;
  uint64_t end = v->to < d->cycle + 1 ? v->to : d->cycle + 1;
  if (st == kWgOk && (end <= v->from || end - v->from > kCells)) {
    if (diag != NULL) snprintf(diag->hint, sizeof diag->hint, "--from N --to M, or --around EVENT --before 10 --after 30");
    st = wg_fail(diag, kWgBadInput, "a WaveDrom drawing has 1 to %d cycles, these are %llu", (int)kCells,
                 (unsigned long long)(end <= v->from ? 0 : end - v->from));
  }
  if (st == kWgOk) {
    d->cells = (unsigned)(end - v->from);
    d->any = false;
    st = wg_events_each(v->t, on_event, d, diag);
    advance(d, end + 1);
    print(out, d);
  }
  free(d);
  return st;
}
