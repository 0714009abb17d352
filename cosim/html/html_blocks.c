// SPDX-License-Identifier: Apache-2.0
//
// Blocks of a launch over the SMs, from the log that `warpglass run --blocklog FILE` writes.
#include <stdlib.h>
#include <string.h>

#include "cosim/cli/cli_report_parts.h"
#include "cosim/html/html_run.h"
#include "cosim/html/plot.h"

enum { kMostBlocks = 4000, kMostSlots = 64 };

typedef struct story {
  plot_span_t *span; /* [n] in the order of their starts */
  size_t n;
  uint64_t blocks;     /* that the log has */
  uint64_t from, to;   /* cycles */
  uint32_t slots, sms; /* block slots in use on an SM, SMs */
  bool full;
} story_t;

/* What tells a launch of a log from one of another run. */
typedef struct mark {
  uint64_t ended, shortest, longest; /* blocks; their cycles, both ends included */
  uint32_t threads;                  /* of a block */
} mark_t;

enum { kMostSms = 1024 };

/* @return false: out of memory */
static bool read_mark(const wg_timeline_t *t, uint32_t grid, mark_t *m) {
  uint64_t *begun = calloc((size_t)kMostSms * kMostSlots, sizeof *begun);
  *m = (mark_t){.shortest = UINT64_MAX};
  for (size_t i = 0; begun != NULL && i < t->n; i++) {
    const wg_block_event_t *e = &t->event[i];
    if (e->grid != grid || e->slot >= kMostSlots || e->sm >= kMostSms) continue;
    uint64_t *at = &begun[(size_t)e->sm * kMostSlots + e->slot], cycles = e->cycle - *at + 1;
    m->threads = e->threads;
    if (e->start) {
      *at = e->cycle;
      continue;
    }
    m->ended++;
    if (cycles < m->shortest) m->shortest = cycles;
    if (cycles > m->longest) m->longest = cycles;
  }
  free(begun);
  return begun != NULL;
}

/* Does the document have this figure, and another value of it? */
static bool differs(const json_t *l, const char *name, uint64_t value) {
  const json_t *v = cli_at(l, name);
  return json_is_integer(v) && (uint64_t)json_integer_value(v) != value;
}

/* Times of a launch that ran beside others, or did not end, are in no figure of it alone. */
static bool same_run(const json_t *l, const mark_t *m, uint64_t blocks) {
  const json_t *b = json_object_get(l, "block");
  uint64_t threads = 1;
  for (size_t i = 0; i < 3; i++) threads *= (uint64_t)json_integer_value(json_array_get(b, i));
  if (m->threads != threads) return false;
  if (m->ended != blocks || differs(l, "retired_blocks", blocks) || json_is_true(cli_at(l, "beside_others")))
    return true;
  return !differs(l, "shortest_block_cycles", m->shortest) && !differs(l, "longest_block_cycles", m->longest);
}

/* Slots are numbered within their SM here; rows are made of both when all are known. */
static story_t read_story(const wg_timeline_t *t, uint32_t grid) {
  story_t s = {.from = UINT64_MAX};
  s.span = calloc(kMostBlocks, sizeof *s.span);
  s.full = s.span == NULL;
  for (size_t i = 0; !s.full && i < t->n; i++) {
    const wg_block_event_t *e = &t->event[i];
    if (e->grid != grid || e->slot >= kMostSlots) continue;
    if (e->cycle < s.from) s.from = e->cycle;
    if (e->cycle + 1 > s.to) s.to = e->cycle + 1;
    if (e->start) {
      s.blocks++;
      if (e->sm + 1 > s.sms) s.sms = e->sm + 1;
      if (e->slot + 1 > s.slots) s.slots = e->slot + 1;
      if (s.n == kMostBlocks) continue;
      plot_span_t *b = &s.span[s.n++];
      *b = (plot_span_t){e->sm * kMostSlots + e->slot, (unsigned)(e->number % 6), e->cycle, 0, ""};
      snprintf(b->label, sizeof b->label, "%llu", (unsigned long long)e->number);
      continue;
    }
    for (size_t k = s.n; k > 0; k--) {
      plot_span_t *b = &s.span[k - 1];
      if (b->to != 0 || b->row != e->sm * kMostSlots + e->slot) continue;
      b->to = e->cycle + 1;
      break;
    }
  }
  return s;
}

static void draw(html_page_t *p, const json_t *l, story_t *s) {
  static const unsigned kSeries[] = {0, 4, 3, 15, 13, 9};
  size_t rows = (size_t)s->sms * s->slots;
  char(*name)[32] = calloc(rows, sizeof *name);
  const char **row = calloc(rows, sizeof *row);
  char id[64], caption[300];
  if (name == NULL || row == NULL) {
    html_fail(p, "out of memory");
  } else {
    for (size_t i = 0; i < rows; i++) {
      snprintf(name[i], sizeof name[i], "SM%zu slot %zu", i / s->slots, i % s->slots);
      row[i] = name[i];
    }
    for (size_t i = 0; i < s->n; i++) {
      plot_span_t *b = &s->span[i];
      b->row = b->row / kMostSlots * s->slots + b->row % kMostSlots;
      b->series = kSeries[b->series % 6];
      if (b->to == 0) b->to = s->to; /* the log ends before the block does */
    }
    plot_spans_t spans = {s->span, s->n, row, rows, "block", "place", NULL, NULL, 0};
    int w = snprintf(
        caption, sizeof caption,
        "A row is a block slot of an SM, a mark a block with its number; colours only tell neighbours apart.");
    if (s->n < s->blocks && w > 0 && (size_t)w < sizeof caption)
      snprintf(caption + w, sizeof caption - (size_t)w, " Only the first %zu of %llu blocks are drawn.", s->n,
               (unsigned long long)s->blocks);
    snprintf(id, sizeof id, "launch%d-blocks", (int)json_integer_value(cli_at(l, "launch")));
    html_heading(p, 3, NULL, "Blocks over the SMs");
    plot_timeline(p, id, "Blocks over the SMs", s->from, s->to, &spans, caption, 40);
  }
  free(name);
  free(row);
}

bool html_blocks(html_page_t *p, const html_run_t *r, const json_t *l) {
  uint32_t grid = (uint32_t)json_integer_value(cli_at(l, "launch"));
  const json_t *dims = json_object_get(l, "grid");
  uint64_t want = 1; /* the counter of blocks is a sum over grids where they ran beside each other */
  for (size_t i = 0; i < 3; i++) want *= (uint64_t)json_integer_value(json_array_get(dims, i));
  story_t s = read_story(r->blocks, grid);
  if (s.full) html_fail(p, "out of memory");
  mark_t mark;
  if (!read_mark(r->blocks, grid, &mark)) html_fail(p, "out of memory");
  bool same = want == s.blocks && same_run(l, &mark, want);
  if (same && s.n != 0) draw(p, l, &s);
  free(s.span);
  return same;
}
