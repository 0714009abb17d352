// SPDX-License-Identifier: Apache-2.0
//
// Commands of a channel: each moves the clocks of the rules that follow from it and passes the checker.
#include <inttypes.h>
#include <string.h>

#include "model/hbm/hbm_int.h"

/* Tell the checker. A broken rule is our own error. */
static void say(channel_t *c, wg_hbm_cmd_t cmd, uint32_t bank, uint64_t row, int64_t t) {
  const char *broken = wg_hbm_check_cmd(&c->check, cmd, bank, row, t);
  if (broken == NULL) return;
  c->stats.violations++;
  fprintf(stderr, "hbm: command %d to bank %u at memory clock %" PRId64 " breaks %s\n", (int)cmd, bank, t, broken);
  WG_BUG(broken != NULL);
}

void wg_hbm_do_precharge(wg_hbm_t *h, channel_t *c, uint32_t b, int64_t t) {
  say(c, kWgHbmPre, b, 0, t);
  c->bank[b].open = false;
  at_least(&c->bank[b].next_act, t + h->spec.t_rp);
  c->stats.precharges++;
}

void wg_hbm_do_refresh(wg_hbm_t *h, channel_t *c, int64_t t) {
  say(c, kWgHbmRef, 0, 0, t);
  at_least(&c->next_act, t + h->spec.t_rfc);
  c->stats.refreshes++;
}

void wg_hbm_do_activate(wg_hbm_t *h, channel_t *c, entry_t *e, int64_t t) {
  const wg_hbm_spec_t *s = &h->spec;
  bank_t *b = &c->bank[e->bank];
  say(c, kWgHbmAct, e->bank, e->row, t);
  b->open = true;
  b->row = e->row;
  at_least(&b->next_act, t + s->t_rc);
  at_least(&b->next_pre, t + s->t_ras);
  b->next_col = t + s->t_rcd;
  at_least(&c->next_act, t + s->t_rrd);
  at_least(&c->group[e->bank % s->bank_groups].next_act, t + s->t_rrd_l);
  c->faw[c->faw_at] = t;
  c->faw_at = (c->faw_at + 1) % 4;
  c->stats.activates++;
  e->opened = true;
}

/* Does any other waiting request want the open row of this bank? Reads and writes are looked at. */
static bool row_wanted(const channel_t *c, const queue_t *q, uint32_t except, uint32_t bank, uint64_t row) {
  const queue_t *both[2] = {&c->rd, &c->wr};
  for (unsigned k = 0; k < 2; k++) {
    for (uint32_t i = 0; i < both[k]->count; i++) {
      const entry_t *e = &both[k]->e[i];
      if (!(both[k] == q && i == except) && e->bank == bank && e->row == row) return true;
    }
  }
  return false;
}

static void after_write(const wg_hbm_t *h, channel_t *c, bank_t *b, group_t *g, int64_t t) {
  const wg_hbm_spec_t *s = &h->spec;
  int64_t end = t + s->t_cwl + h->burst; /* of the data */
  at_least(&b->next_pre, end + s->t_wr);
  at_least(&c->next_wr, t + s->t_ccd);
  at_least(&g->next_wr, t + s->t_ccd_l);
  at_least(&c->next_rd, end + s->t_wtr);
  at_least(&g->next_rd, end + s->t_wtr_l);
}

static void after_read(const wg_hbm_t *h, channel_t *c, bank_t *b, group_t *g, int64_t t) {
  const wg_hbm_spec_t *s = &h->spec;
  at_least(&b->next_pre, t + s->t_rtp);
  at_least(&c->next_rd, t + s->t_ccd);
  at_least(&g->next_rd, t + s->t_ccd_l);
  at_least(&c->next_wr, t + max64(s->t_rtw, (int64_t)s->t_cl + h->burst - s->t_cwl));
}

/* The read's data: SM cycle in which the last data clock falls, then the fixed way back. */
static void answer(const wg_hbm_t *h, channel_t *c, const entry_t *e) {
  const wg_hbm_spec_t *s = &h->spec;
  uint64_t wait = ((uint64_t)s->t_cl + h->burst) * h->sm_khz;
  uint64_t ahead = wait > h->acc ? wait - h->acc : 0; /* a memory clock far above the SM's: the data come in this very cycle */
  done_t *d = &c->done[(c->done_head + c->done_count++) % kWgHbmDoneRing];
  d->due = h->now + (ahead + s->clock_khz - 1) / s->clock_khz + s->ctrl_latency_cycles;
  d->pushed = e->pushed;
  d->tag = e->tag;
}

void wg_hbm_do_column(wg_hbm_t *h, channel_t *c, queue_t *q, uint32_t i, bool write, int64_t t) {
  const wg_hbm_spec_t *s = &h->spec;
  entry_t e = q->e[i];
  bank_t *b = &c->bank[e.bank];
  group_t *g = &c->group[e.bank % s->bank_groups];
  bool close = s->page == kWgHbmClosed && !row_wanted(c, q, i, e.bank, e.row);
  wg_hbm_cmd_t cmd = write ? (close ? kWgHbmWra : kWgHbmWr) : (close ? kWgHbmRda : kWgHbmRd);
  say(c, cmd, e.bank, e.row, t);
  c->active = h->ticks;
  if (write) {
    after_write(h, c, b, g, t);
    c->stats.writes++;
    h->open--;
  } else {
    after_read(h, c, b, g, t);
    c->stats.reads++;
    answer(h, c, &e);
  }
  if (close) { /* by itself, as soon as the bank's rules allow it */
    b->open = false;
    at_least(&b->next_act, b->next_pre + s->t_rp);
    c->stats.precharges++;
  }
  if (e.opened) {
    c->stats.row_misses++;
  } else {
    c->stats.row_hits++;
  }
  q->count--;
  memmove(&q->e[i], &q->e[i + 1], (q->count - i) * sizeof q->e[0]);
}
