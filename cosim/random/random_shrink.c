// SPDX-License-Identifier: Apache-2.0
//
// A failing program made smaller: first the launch, then units, then single items.
#include <string.h>
#include <time.h>

#include "cosim/random/random.h"

typedef struct shrink {
  wg_rnd_prog_t *p, *trial;
  const wg_session_cfg_t *cfg;
  wg_rnd_result_t *res;
  uint32_t runs, max_runs;
  time_t end;
} shrink_t;

/* The same kind of failure: the head lines are equal but for numbers. */
static bool same_head(const char *a, const char *b) {
  for (;;) {
    while (*a != '\0' && strchr("0123456789abcdefx", *a) != NULL) a++;
    while (*b != '\0' && strchr("0123456789abcdefx", *b) != NULL) b++;
    if (*a != *b) return false;
    if (*a == '\0') return true;
    a++;
    b++;
  }
}

/* Does the trial fail as the program does? Then it becomes the program. */
static bool keep(shrink_t *s) {
  wg_rnd_result_t r;
  if (s->runs >= s->max_runs || time(NULL) >= s->end) return false;
  s->runs++;
  wg_rnd_run(s->trial, s->cfg, true, &r);
  if (r.verdict != s->res->verdict || !same_head(r.head, s->res->head)) return false;
  *s->res = r;
  memcpy(s->p, s->trial, sizeof *s->p);
  return true;
}

static void shrink_launch(shrink_t *s) {
  memcpy(s->trial, s->p, sizeof *s->p);
  if (s->p->launches > 1u) {
    s->trial->launches = 1u;
    (void)keep(s);
  }
  for (unsigned d = 0; d < 3u; d++) {
    for (uint32_t cut = s->p->grid[d] / 2u; cut > 0u;) {
      memcpy(s->trial, s->p, sizeof *s->p);
      s->trial->grid[d] -= cut;
      if (s->trial->grid[d] == 0u || !keep(s)) cut /= 2u;
    }
  }
  for (uint32_t cut = s->p->block[0] / 2u; cut > 0u;) { /* warps, as long as they are whole, then threads */
    memcpy(s->trial, s->p, sizeof *s->p);
    s->trial->block[0] -= cut;
    if (s->trial->block[0] == 0u || !keep(s)) cut /= 2u;
  }
}

/* Drop the units first..first+n-1. @return items dropped */
static uint32_t drop_units(wg_rnd_prog_t *p, uint32_t first, uint32_t n) {
  uint32_t dropped = 0;
  for (uint32_t i = 0; i < p->num_items; i++) {
    if (p->item[i].dead || p->item[i].unit < first || p->item[i].unit - first >= n) continue;
    p->item[i].dead = true;
    dropped++;
  }
  return dropped;
}

/* Units from the last to the first: what follows the failure goes first. Unit 0 makes the addresses; the last one is
 * EXIT. */
static bool shrink_units(shrink_t *s) {
  bool any = false;
  uint32_t last = s->p->num_units - 1u;
  for (uint32_t n = last / 2u; n > 0u; n /= 2u) {
    for (uint32_t end = last; end > 1u;) {
      uint32_t first = end > n + 1u ? end - n : 1u;
      memcpy(s->trial, s->p, sizeof *s->p);
      if (drop_units(s->trial, first, end - first) != 0u && keep(s)) any = true;
      end = first;
    }
  }
  return any;
}

static bool shrink_items(shrink_t *s) {
  bool any = false;
  for (uint32_t i = s->p->num_items - 1u; i-- > 0u;) {
    const wg_rnd_item_t *it = &s->p->item[i];
    if (it->dead || it->kind == kWgRndLabel) continue;
    memcpy(s->trial, s->p, sizeof *s->p);
    s->trial->item[i].dead = true;
    if (keep(s)) any = true;
  }
  return any;
}

uint32_t wg_rnd_shrink(wg_rnd_prog_t *p, const wg_session_cfg_t *cfg, uint32_t max_runs, uint32_t seconds,
                       wg_rnd_result_t *res) {
  shrink_t s = {p, malloc(sizeof *p), cfg, res, 0, max_runs, time(NULL) + (time_t)seconds};
  WG_BUG(s.trial == NULL);
  shrink_launch(&s);
  while (shrink_units(&s) && s.runs < s.max_runs) {
  }
  while (shrink_items(&s) && s.runs < s.max_runs) {
  }
  shrink_launch(&s);
  free(s.trial);
  return s.runs;
}
