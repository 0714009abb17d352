// SPDX-License-Identifier: Apache-2.0
//
// An event trace for Konata: its log format is documented with it (docs/kanata-log-format.md). Lane 0: stages; lane 1: why the
// instruction at the head of its warp's buffer does not issue.
//   F fetch  D decode  B instruction buffer  I issue  C operand collector  X execute  M memory pipe  W write back
#include <string.h>

#include "cosim/cli/cli_events.h"

typedef unsigned long long ull_t;

/* A line of the log: those of a cycle in the order in which they were made. */
typedef struct step {
  uint64_t cycle;
  uint32_t life, order;
  char lane;         /* 0, 1; 'I' and 'R': begin and end */
  char stage[20];
} step_t;

typedef struct steps {
  step_t *at;
  size_t n, cap;
} steps_t;

static bool add(steps_t *s, uint64_t cycle, size_t life, char lane, const char *stage) {
  if (s->n == s->cap) {
    size_t cap = s->cap == 0 ? 4096 : 2 * s->cap;
    step_t *grown = realloc(s->at, cap * sizeof *grown);
    if (grown == NULL) return false;
    s->at = grown;
    s->cap = cap;
  }
  step_t *t = &s->at[s->n];
  *t = (step_t){.cycle = cycle, .life = (uint32_t)life, .order = (uint32_t)s->n, .lane = lane};
  snprintf(t->stage, sizeof t->stage, "%s", stage);
  for (char *p = t->stage; *p != '\0'; p++) *p = *p == ' ' ? '_' : *p;
  s->n++;
  return true;
}

static int by_cycle(const void *a, const void *b) {
  const step_t *x = a, *y = b;
  if (x->cycle != y->cycle) return x->cycle < y->cycle ? -1 : 1;
  return x->order < y->order ? -1 : x->order > y->order;
}

static bool add_life(steps_t *s, const wg_lives_t *lives, size_t i) {
  const wg_life_t *l = &lives->life[i];
  bool ok = add(s, wg_life_begin(l), i, 'I', "");
  if (l->fetch != WG_NEVER) {
    ok = ok && add(s, l->fetch, i, 0, "F");
    bool decoded = !l->flushed || l->end > l->fetch + 1; /* a flush drops it before */
    if (decoded) ok = ok && add(s, l->fetch + 1, i, 0, "D");
    uint64_t leaves = l->issue != WG_NEVER ? l->issue : l->end;
    if (decoded && leaves > l->fetch + 2) ok = ok && add(s, l->fetch + 2, i, 0, "B");
  }
  for (uint32_t k = 0; k < l->num_stalls; k++) {
    const wg_stall_t *w = &lives->stall[l->stalls + k];
    ok = ok && add(s, w->from, i, 1, wg_reason_name(w->reason)) && add(s, w->to, i, 1, "");
  }
  if (l->issue != WG_NEVER) {
    ok = ok && add(s, l->issue, i, 0, "I");
    uint64_t next = l->execute != WG_NEVER ? l->execute : l->end;
    if (next != WG_NEVER && next > l->issue + 1 && l->execute != WG_NEVER) ok = ok && add(s, l->issue + 1, i, 0, "C");
    if (l->execute != WG_NEVER) ok = ok && add(s, l->execute, i, 0, "X");
    if (l->memory != WG_NEVER) ok = ok && add(s, l->memory, i, 0, "M");
    if (l->write != WG_NEVER && l->end != WG_NEVER) ok = ok && add(s, l->write, i, 0, "W");
  }
  if (l->end != WG_NEVER) ok = ok && add(s, l->flushed ? l->end : l->end + 1, i, 'R', "");
  return ok;
}

/* "fixed dependence 3, long dependence 250" */
static void stall_text(const wg_lives_t *lives, const wg_life_t *l, char *buf, size_t n) {
  uint64_t sum[kWgReasonCount] = {0};
  size_t used = 0;
  buf[0] = '\0';
  for (uint32_t k = 0; k < l->num_stalls; k++) {
    const wg_stall_t *w = &lives->stall[l->stalls + k];
    sum[w->reason % kWgReasonCount] += w->to - w->from;
  }
  for (unsigned r = 0; r < kWgReasonCount && used < n; r++) {
    if (sum[r] == 0) continue;
    int w = snprintf(buf + used, n - used, "%s%s %llu", used == 0 ? "" : ", ", wg_reason_name(r), (ull_t)sum[r]);
    used += w < 0 ? 0 : (size_t)w;
  }
}

static void print_labels(FILE *out, const cli_view_t *v, const wg_life_t *l, size_t id) {
  char text[192], stalls[256], place[320] = "";
  const char *file;
  unsigned line;
  if (wg_events_line(v->t, l->of.grid, l->pc, &file, &line)) snprintf(place, sizeof place, ", %s:%u", file, line);
  stall_text(v->lives, l, stalls, sizeof stalls);
  fprintf(out, "L\t%zu\t0\tsm%u.%u.%u 0x%04x: %s\n", id, l->of.sm, l->of.sub, l->of.slot, l->pc, wg_life_text(v->t, l, text, sizeof text));
  if (l->of.warp != 255) {
    fprintf(out, "L\t%zu\t1\tblock (%u,%u,%u) of grid %u, warp %u%s", id, l->of.ctaid[0], l->of.ctaid[1], l->of.ctaid[2], l->of.grid,
            l->of.warp, place);
  } else {
    fprintf(out, "L\t%zu\t1\twarp of an unknown block", id);
  }
  if (l->issue != WG_NEVER) fprintf(out, "\\nlanes 0x%08x, with true guard 0x%08x", l->mask, l->exec);
  if (stalls[0] != '\0') fprintf(out, "\\nwaited: %s", stalls);
  fprintf(out, "\n");
}

static bool print_steps(FILE *out, const cli_view_t *v, const steps_t *s) {
  size_t ids = 0, retired = 0;
  uint32_t *id = calloc(v->lives->n + 1, sizeof *id);
  char(*stall)[20] = calloc(v->lives->n + 1, sizeof *stall); /* stage of lane 1 that is open */
  if (id == NULL || stall == NULL) {
    free(id);
    free(stall);
    return false;
  }
  uint64_t now = s->n != 0 ? s->at[0].cycle : v->from;
  fprintf(out, "Kanata\t0004\nC=\t%llu\n", (ull_t)now);
  for (size_t i = 0; i < s->n; i++) {
    const step_t *t = &s->at[i];
    const wg_life_t *l = &v->lives->life[t->life];
    if (t->cycle != now) fprintf(out, "C\t%llu\n", (ull_t)(t->cycle - now));
    now = t->cycle;
    if (t->lane == 'I') {
      id[t->life] = (uint32_t)ids++;
      fprintf(out, "I\t%u\t%u\t%u\n", id[t->life], t->life, l->of.sm * 64u + l->of.sub * 16u + l->of.slot);
      print_labels(out, v, l, id[t->life]);
    } else if (t->lane == 'R') {
      fprintf(out, "R\t%u\t%zu\t%d\n", id[t->life], l->flushed ? 0 : retired, l->flushed ? 1 : 0);
      retired += l->flushed ? 0 : 1;
    } else if (t->stage[0] == '\0') {
      fprintf(out, "E\t%u\t1\t%s\n", id[t->life], stall[t->life]);
    } else {
      if (t->lane == 1) memcpy(stall[t->life], t->stage, sizeof t->stage);
      fprintf(out, "S\t%u\t%d\t%s\n", id[t->life], t->lane, t->stage);
    }
  }
  free(id);
  free(stall);
  return true;
}

wg_status_t cli_events_konata(FILE *out, const cli_view_t *v, wg_diag_t *diag) {
  steps_t s = {0};
  bool ok = true;
  for (size_t i = 0; ok && i < v->lives->n; i++) {
    if (v->sm < 0 || v->lives->life[i].of.sm == v->sm) ok = add_life(&s, v->lives, i);
  }
  if (ok) {
    qsort(s.at, s.n, sizeof *s.at, by_cycle);
    ok = print_steps(out, v, &s);
  }
  free(s.at);
  return ok ? kWgOk : wg_fail(diag, kWgNoSpace, "out of memory");
}
