// SPDX-License-Identifier: Apache-2.0
//
// Which block size is best for a kernel, and why: the text's rules (whole warps; at least 128 threads, so that all
// four sub-cores work; at least as many blocks as the SMs hold; a small tail), from the machine's own numbers.
#include <string.h>

#include "cosim/cli/cli_occ.h"

enum { kMaxSizes = 40 };

typedef struct size {
  uint32_t threads;
  wg_occ_t occ;
  wg_occ_waves_t waves; /* with q->work */
  uint64_t blocks;
  double occupancy, score;
  bool all_sub_cores;
} size_row_t;

static size_row_t rate(const occ_query_t *q, uint32_t threads) {
  size_row_t s = {.threads = threads};
  wg_occ_block_t b = occ_block(q, threads);
  if (wg_occ_of(q->preset, &b, &s.occ, NULL) != kWgOk || s.occ.blocks == 0) return s;
  s.occupancy = (double)(s.occ.blocks * s.occ.warps) / s.occ.max_warps;
  s.all_sub_cores = s.occ.warps >= q->preset->shape->sub_cores;
  /* lanes of the block's last warp that no thread has */
  s.score = s.occupancy * threads / (s.occ.warps * (double)kWgWarpThreads);
  if (!s.all_sub_cores) s.score *= (double)s.occ.warps / q->preset->shape->sub_cores;
  if (q->work == 0) return s;
  s.blocks = (q->work + threads - 1) / threads;
  wg_occ_waves(s.blocks, q->sms, s.occ.blocks, &s.waves);
  s.score *= s.waves.use * (double)q->work / (double)(s.blocks * threads);
  return s;
}

static bool before(const size_row_t *a, const size_row_t *b) {
  if (a->score > b->score * 1.000001 || b->score > a->score * 1.000001) return a->score > b->score;
  return a->threads < b->threads;
}

static void add(char *text, size_t n, const char *why) {
  size_t used = strlen(text);
  snprintf(text + used, n - used, "%s%s", used == 0 ? "" : "; ", why);
}

static void reasons(const occ_query_t *q, const size_row_t *s, char *text, size_t n) {
  char why[96];
  text[0] = '\0';
  if (s->occ.blocks == 0) {
    snprintf(why, sizeof why, "never fits: %s", wg_occ_resource_name(s->occ.limiter));
    add(text, n, why);
    return;
  }
  if (s->threads % kWgWarpThreads != 0) {
    snprintf(why, sizeof why, "no multiple of 32: %u lanes idle",
             s->occ.warps * (uint32_t)kWgWarpThreads - s->threads);
    add(text, n, why);
  }
  if (!s->all_sub_cores) {
    snprintf(why, sizeof why, "%u of %u sub-cores a block", s->occ.warps, q->preset->shape->sub_cores);
    add(text, n, why);
  }
  if (s->occupancy < 1) {
    snprintf(why, sizeof why, "%u an SM by its %s", s->occ.blocks, wg_occ_resource_name(s->occ.limiter));
    add(text, n, why);
  }
  if (q->work != 0 && s->blocks < (uint64_t)q->sms * s->occ.blocks) {
    snprintf(why, sizeof why, "fewer blocks than %u SM%s x %u", q->sms, CLI_S(q->sms), s->occ.blocks);
    add(text, n, why);
  } else if (q->work != 0 && s->waves.use < 0.95) {
    snprintf(why, sizeof why, "tail: the last wave fills %.0f %%", 100 * s->waves.tail);
    add(text, n, why);
  }
  if (text[0] == '\0') add(text, n, "nothing against it");
}

static size_t sizes(const occ_query_t *q, size_row_t *rows) {
  size_t n = 0;
  uint32_t most =
      q->preset->max_threads_per_block < q->max_threads ? q->preset->max_threads_per_block : q->max_threads;
  for (uint32_t t = kWgWarpThreads; t <= most && n + 1 < kMaxSizes; t += kWgWarpThreads) rows[n++] = rate(q, t);
  if (q->threads % kWgWarpThreads != 0) rows[n++] = rate(q, q->threads);
  for (size_t i = 1; i < n; i++) { /* a few dozen rows */
    size_row_t s = rows[i];
    size_t k = i;
    for (; k > 0 && before(&s, &rows[k - 1]); k--) rows[k] = rows[k - 1];
    rows[k] = s;
  }
  return n;
}

void occ_rank(const occ_query_t *q) {
  size_row_t rows[kMaxSizes];
  char why[256];
  size_t n = sizes(q, rows);
  printf("\nblock sizes, best first (%u SM%s", q->sms, CLI_S(q->sms));
  if (q->work != 0) printf(", work for %llu threads", (unsigned long long)q->work);
  uint32_t subs = q->preset->shape->sub_cores;
  printf("; %u: one warp for each of %u sub-core%s)\n", subs * (uint32_t)kWgWarpThreads, subs, CLI_S(subs));
  printf("  threads  blocks/SM  warps/SM  occupancy %s score  why\n",
         q->work != 0 ? "     blocks  waves  last wave" : "");
  for (size_t i = 0; i < n; i++) {
    const size_row_t *s = &rows[i];
    printf("%c %7u  %9u  %8u  %7.1f %% ", s->threads == q->threads ? '>' : ' ', s->threads, s->occ.blocks,
           s->occ.blocks * s->occ.warps, 100 * s->occupancy);
    if (q->work != 0) {
      printf(" %11llu  %5llu  %7.1f %%", (unsigned long long)s->blocks, (unsigned long long)s->waves.waves,
             100 * s->waves.tail);
    }
    reasons(q, s, why, sizeof why);
    printf(" %6.3f  %s\n", s->score, why);
  }
  printf("score: occupancy x lanes with a thread%s%s\n", " x sub-cores that a block reaches",
         q->work != 0 ? " x places in use over all waves x threads with work" : "");
}
