// SPDX-License-Identifier: Apache-2.0
//
// One version of each point. A store keeps what was run with earlier programs, golden kernels, presets, plug-ins,
// run-time libraries and SMs; a comparison needs one of each. Where two points have the same labels, the part that
// they differ in first decides: the later version of it stays, and of the earlier one every point goes, so that no
// column is a mixture. A version of which no point was run to its end counts for nothing.
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>
#include <string.h>

#include "cosim/sweep/sweep.h"

static const char *const kParts[kSweepParts] = {"program",      "golden kernels",   "preset", "plug-in",
                                                "block policy", "run-time library", "SM"};

const char *sweep_part_name(sweep_part_t part) { return kParts[part]; }

enum { kThing = 600 };

/* One version of a thing, over all rows that were made with it. */
typedef struct version {
  unsigned part;
  char thing[kThing]; /* what it is a version of: a program's name, a preset with its overrides, a plug-in's name */
  char hash[kSweepShort];
  size_t runs;      /* that ended well */
  const char *last; /* when the last of its points was recorded */
  int64_t id;       /* of that point */
  bool wanted, gone;
  size_t by;     /* gone: index of the version that was taken instead, which may be gone as well */
  size_t points;        /* that stay; of a version that is gone, that went with it */
} version_t;

typedef struct pick {
  sweep_table_t *t;
  version_t *v;
  size_t n;
  size_t (*of)[kSweepParts]; /* [num_rows] versions of a row */
  bool *drop;                /* [num_rows] */
  const char *wanted;
} pick_t;

static bool is_none(const char *hash) { return hash[0] == '\0' || strcmp(hash, "none") == 0; }

/* Programs are told apart by name, presets with their overrides, plug-ins by name without knobs, SMs by preset. */
static void thing_of(const sweep_table_t *t, const sweep_row_t *r, unsigned part, char out[kThing]) {
  static const char *const kLabels[kSweepParts][2] = {{"program", NULL}, {"program", NULL}, {"preset", "overrides"},
                                                      {"sched", "memory"}, {"blocks", NULL}, {NULL, NULL},
                                                      {"preset", NULL}};
  size_t used = 0;
  out[0] = '\0';
  for (unsigned i = 0; i < 2 && kLabels[part][i] != NULL && used < kThing; i++) {
    int c = sweep_table_col(t, kLabels[part][i]);
    const char *v = c < 0 || r->labels[c] == NULL ? "" : r->labels[c];
    const char *colon = part == kSweepPlugin || part == kSweepBlocks ? strchr(v, ':') : NULL;
    const char *knobs = colon == NULL ? NULL : strchr(colon + 1, ':');
    int len = knobs == NULL ? (int)strlen(v) : (int)(knobs - v);
    if (len == 0 || (i == 1 && strcmp(v, "model") == 0)) continue;
    int w = snprintf(out + used, kThing - used, "%s%.*s", used == 0 ? "" : " ", len, v);
    used += w < 0 ? 0 : (size_t)w;
  }
}

/* @return its index; SIZE_MAX: out of memory */
static size_t version_of(pick_t *p, unsigned part, const char *thing, const char *hash, size_t guess) {
  for (size_t k = 0; k <= p->n; k++) { /* neighbours of a sorted table have the same */
    size_t i = k == 0 ? guess : k - 1;
    if (i < p->n && p->v[i].part == part && strcmp(p->v[i].hash, hash) == 0 && strcmp(p->v[i].thing, thing) == 0)
      return i;
  }
  version_t *grown = realloc(p->v, (p->n + 1) * sizeof *grown);
  if (grown == NULL) return SIZE_MAX;
  p->v = grown;
  version_t *v = &p->v[p->n];
  *v = (version_t){.part = part, .last = "", .id = -1};
  snprintf(v->thing, sizeof v->thing, "%s", thing);
  snprintf(v->hash, sizeof v->hash, "%s", hash);
  return p->n++;
}

static bool note_row(pick_t *p, size_t row) {
  const sweep_row_t *r = &p->t->rows[row];
  const char *when = r->recorded == NULL ? "" : r->recorded;
  char thing[kThing];
  for (unsigned k = 0; k < kSweepParts; k++) {
    thing_of(p->t, r, k, thing);
    size_t i = version_of(p, k, thing, r->made[k], row == 0 ? 0 : p->of[row - 1][k]);
    if (i == SIZE_MAX) return false;
    p->of[row][k] = i;
    version_t *v = &p->v[i];
    v->runs += r->ok;
    int later = strcmp(when, v->last);
    if (later > 0 || (later == 0 && r->id > v->id)) v->last = when, v->id = r->id;
  }
  return true;
}

static void go(version_t *v, size_t by) {
  v->gone = true;
  v->by = by;
}

/* Of two rows with the same labels, whose versions of the part that they differ in are a and b: does the first stay? */
static bool stays(const version_t *a, const version_t *b) {
  if (a->wanted != b->wanted) return a->wanted;
  if ((a->runs != 0) != (b->runs != 0)) return a->runs != 0;
  int later = strcmp(a->last, b->last);
  return later != 0 ? later > 0 : a->id > b->id;
}

/* Rows i and j have the same labels: one goes. */
static void settle(pick_t *p, size_t i, size_t j) {
  const sweep_row_t *x = &p->t->rows[i], *y = &p->t->rows[j];
  unsigned k = 0;
  while (k < kSweepParts && p->of[i][k] == p->of[j][k]) k++;
  if (k == kSweepParts) { /* they differ in nothing that has a name here */
    bool first = x->ok != y->ok ? x->ok : x->id > y->id;
    p->drop[first ? j : i] = true;
    return;
  }
  version_t *a = &p->v[p->of[i][k]], *b = &p->v[p->of[j][k]];
  bool first = stays(a, b);
  version_t *loser = first ? b : a;
  p->drop[first ? j : i] = true;
  if (loser->runs != 0 && !is_none(loser->hash)) go(loser, p->of[first ? i : j][k]);
}

/* The wanted word may be the `build` of rows, a hash over all that was built for them: those versions are wanted then.
   @return whether it is */
static bool want_rows(pick_t *p) {
  static const sweep_part_t kBuilt[] = {kSweepPlugin, kSweepBlocks, kSweepRunTime, kSweepSm};
  bool any = false;
  for (size_t i = 0; i < p->t->num_rows; i++) {
    if (strcmp(p->t->rows[i].build, p->wanted) != 0) continue;
    any = true;
    for (size_t k = 0; k < sizeof kBuilt / sizeof kBuilt[0]; k++) {
      version_t *v = &p->v[p->of[i][kBuilt[k]]];
      v->wanted = !is_none(v->hash);
    }
  }
  return any;
}

/* `--build HASH`: of other versions of the same thing every point goes. */
static wg_status_t want(pick_t *p, wg_diag_t *diag) {
  size_t len = strlen(p->wanted);
  bool any = false;
  for (size_t i = 0; i < p->n && len >= 4; i++) {
    p->v[i].wanted = strncmp(p->v[i].hash, p->wanted, len) == 0 && !is_none(p->v[i].hash);
    any = any || p->v[i].wanted;
  }
  any = any || want_rows(p);
  for (size_t i = 0; i < p->n; i++) {
    for (size_t j = 0; p->v[i].wanted && j < p->n; j++) {
      version_t *u = &p->v[j];
      if (u->part == p->v[i].part && !u->wanted && !is_none(u->hash) && strcmp(u->thing, p->v[i].thing) == 0)
        go(u, i);
    }
  }
  if (any) return kWgOk;
  if (diag != NULL)
    snprintf(diag->hint, sizeof diag->hint, "newest; a hash that the same command without --build tells; or one of the "
                                            "column build of `warpglass sweep export`");
  return wg_fail(diag, kWgBadInput, "no point of the store is of the build '%s'", p->wanted);
}

/* ---- what is told ---- */

static void say(char *note, size_t n, const char *fmt, ...) WG_PRINTF(3, 4);
static void say(char *note, size_t n, const char *fmt, ...) {
  size_t used = strlen(note);
  va_list ap;
  if (used != 0 && used + 2 < n) used += (size_t)snprintf(note + used, n - used, "\n");
  va_start(ap, fmt);
  (void)vsnprintf(note + used, n - used, fmt, ap);
  va_end(ap);
}

static const char *of_thing(const version_t *v, char buf[128]) {
  snprintf(buf, 128, "%s%.110s", v->thing[0] == '\0' ? "" : " of ", v->thing);
  return buf;
}

static void say_gone(const pick_t *p, size_t failed, size_t other, char *note, size_t n) {
  char thing[128];
  for (size_t i = 0; i < p->n; i++) {
    const version_t *v = &p->v[i];
    if (!v->gone || v->points == 0) continue;
    const version_t *by = &p->v[v->by]; /* the last of several edits is the one that is here */
    for (size_t k = 0; by->gone && k < p->n; k++) by = &p->v[by->by];
    say(note, n, "left out: %zu point%s of another build (%s%s: %s, the one here is %s); --build %s takes the other",
        v->points, v->points == 1 ? "" : "s", kParts[v->part], of_thing(v, thing), v->hash, by->hash, v->hash);
  }
  if (failed != 0)
    say(note, n, "left out: %zu point%s that failed, of a build of which no run has succeeded", failed,
        failed == 1 ? "" : "s");
  if (other != 0) say(note, n, "left out: %zu point%s of another build", other, other == 1 ? "" : "s");
}

/* Points that stay may still be of two versions of one thing: no label tells them apart. */
static void say_mixed(const pick_t *p, char *note, size_t n) {
  char thing[128];
  for (size_t i = 0; i < p->n; i++) {
    const version_t *a = &p->v[i], *b = NULL;
    bool first = true; /* of its thing: told once */
    for (size_t j = 0; j < p->n; j++) {
      const version_t *u = &p->v[j];
      bool same = j != i && u->part == a->part && !u->gone && u->points != 0 && !is_none(u->hash) &&
                  strcmp(u->thing, a->thing) == 0;
      if (same && j < i) first = false;
      if (same && b == NULL) b = u;
    }
    if (b == NULL || !first || a->gone || a->points == 0 || is_none(a->hash) || a->part == kSweepGolden) continue;
    say(note, n, "mixed: some points are of the %s%s %s, others of %s; --build HASH takes one, a sweep run again makes "
                 "them one", kParts[a->part], of_thing(a, thing), a->hash, b->hash);
  }
}

/* Count what stays and what goes, and tell it; then it goes. */
static void finish(pick_t *p, char *note, size_t n) {
  size_t kept = 0, failed = 0, other = 0;
  for (size_t i = 0; i < p->t->num_rows; i++) {
    version_t *why = NULL;
    for (unsigned k = 0; k < kSweepParts && why == NULL; k++) why = p->v[p->of[i][k]].gone ? &p->v[p->of[i][k]] : NULL;
    if (why != NULL) why->points++;
    else if (p->drop[i]) *(p->t->rows[i].ok ? &other : &failed) += 1;
    else
      for (unsigned k = 0; k < kSweepParts; k++) p->v[p->of[i][k]].points++;
    p->drop[i] = p->drop[i] || why != NULL;
  }
  say_gone(p, failed, other, note, n);
  say_mixed(p, note, n);
  for (size_t i = 0; i < p->t->num_rows; i++) {
    sweep_row_t r = p->t->rows[i];
    if (p->drop[i]) sweep_row_free(p->t, &r);
    else p->t->rows[kept++] = r;
  }
  p->t->num_rows = kept;
}

wg_status_t sweep_table_pick(sweep_table_t *t, const char *build, char *note, size_t n, wg_diag_t *diag) {
  pick_t p = {.t = t,
              .of = calloc(t->num_rows + 1, sizeof *p.of),
              .drop = calloc(t->num_rows + 1, sizeof *p.drop),
              .wanted = build};
  bool good = p.of != NULL && p.drop != NULL;
  note[0] = '\0';
  for (size_t i = 0; good && i < t->num_rows; i++) good = note_row(&p, i);
  wg_status_t st = good ? kWgOk : wg_fail(diag, kWgNoSpace, "out of memory");
  if (good && strcmp(build, "newest") != 0) st = want(&p, diag);
  for (size_t i = 0; st == kWgOk && i < t->num_rows; i++) { /* sorted: the same labels stand beside each other */
    for (size_t j = i + 1; j < t->num_rows && sweep_row_compare(t, &t->rows[i], &t->rows[j]) == 0; j++)
      settle(&p, i, j);
  }
  if (st == kWgOk) finish(&p, note, n);
  free(p.of);
  free(p.drop);
  free(p.v);
  return st;
}
