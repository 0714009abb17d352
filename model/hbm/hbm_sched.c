// SPDX-License-Identifier: Apache-2.0
//
// Choice of a channel's next commands: schedulers, write drain. A clock takes one column and one row command.
#include "model/hbm/hbm_int.h"

/* What the scheduler may look at: the candidates, best first. */
typedef struct view {
  queue_t *q;
  bool write;
  bool capped;     /* the oldest may not be overtaken in its bank any more */
  uint32_t n;      /* candidates */
  const uint8_t *index; /* of each in the queue; NULL: 0, 1, 2... */
} view_t;

/* bank-rr: the oldest request of each bank, banks in turn. */
static uint32_t one_a_bank(const wg_hbm_t *h, const channel_t *c, const queue_t *q, uint8_t *index) {
  uint8_t first[kWgHbmMaxBanks];
  uint32_t seen = 0, n = 0;
  for (uint32_t i = 0; i < q->count; i++) {
    uint32_t b = q->e[i].bank;
    if ((seen >> b & 1u) == 0) first[b] = (uint8_t)i;
    seen |= 1u << b;
  }
  for (uint32_t k = 0; k < h->spec.banks; k++) {
    uint32_t b = (c->turn + k) % h->spec.banks;
    if ((seen >> b & 1u) != 0) index[n++] = first[b];
  }
  return n;
}

/* First candidate whose row is open and whose rules allow a column command. @return true if one was issued */
static bool try_column(wg_hbm_t *h, channel_t *c, const view_t *v, int64_t t, int64_t *next) {
  queue_t *q = v->q;
  if (!v->write && c->done_count == kWgHbmDoneRing) {
    if (t + 1 < *next) *next = t + 1;
    return false;
  }
  for (uint32_t k = 0; k < v->n; k++) {
    uint32_t i = v->index == NULL ? k : v->index[k];
    const entry_t *e = &q->e[i];
    const bank_t *b = &c->bank[e->bank];
    if (!b->open || b->row != e->row) continue;
    if (v->capped && e->bank == q->e[0].bank && e->row != q->e[0].row) continue;
    const group_t *g = &c->group[e->bank % h->spec.bank_groups];
    int64_t when = max64(b->next_col, v->write ? max64(c->next_wr, g->next_wr) : max64(c->next_rd, g->next_rd));
    if (when <= t) {
      c->turn = (e->bank + 1u) % h->spec.banks;
      wg_hbm_do_column(h, c, q, i, v->write, t);
      return true;
    }
    if (when < *next) *next = when;
  }
  return false;
}

/* Banks with a candidate that only needs a column command: their rows stay open for it. */
static uint32_t banks_with_hits(const channel_t *c, const view_t *v) {
  uint32_t hits = 0;
  for (uint32_t k = 0; k < v->n; k++) {
    const entry_t *e = &v->q->e[v->index == NULL ? k : v->index[k]];
    if (c->bank[e->bank].open && c->bank[e->bank].row == e->row) hits |= 1u << e->bank;
  }
  return hits;
}

/* One precharge or activate, for the first candidate that needs one. */
static bool try_row(wg_hbm_t *h, channel_t *c, const view_t *v, int64_t t, int64_t *next) {
  uint32_t hits = banks_with_hits(c, v), seen = 0;
  for (uint32_t k = 0; k < v->n; k++) {
    uint32_t i = v->index == NULL ? k : v->index[k];
    entry_t *e = &v->q->e[i];
    bank_t *b = &c->bank[e->bank];
    if ((seen >> e->bank & 1u) != 0) continue;
    seen |= 1u << e->bank;
    if (b->open && b->row == e->row) continue;
    if (b->open && (hits >> e->bank & 1u) != 0 && !(v->capped && i == 0)) continue; /* first the row hits */
    int64_t when = b->next_pre;
    if (!b->open) {
      when = max64(max64(b->next_act, c->next_act), c->group[e->bank % h->spec.bank_groups].next_act);
      when = max64(when, c->faw[c->faw_at] + (int64_t)h->spec.t_faw);
    }
    if (when <= t) {
      if (b->open) {
        wg_hbm_do_precharge(h, c, e->bank, t);
      } else {
        wg_hbm_do_activate(h, c, e, t);
      }
      return true;
    }
    if (when < *next) *next = when;
  }
  return false;
}

/* Reads or writes? */
static bool writes_go(const wg_hbm_t *h, channel_t *c) {
  const wg_hbm_spec_t *s = &h->spec;
  const queue_t *rd = &c->rd, *wr = &c->wr;
  if (rd->count == 0 || wr->count == 0) return c->draining = wr->count != 0;
  switch (s->write_drain) {
    case kWgHbmOldest: return c->draining = wr->e[0].arrival < rd->e[0].arrival;
    case kWgHbmDemand: return c->draining = wr->count == wr->cap;
    default: break;
  }
  if (wr->count <= s->write_low) c->draining = false;
  if (wr->count >= s->write_high) c->draining = true;
  return c->draining;
}

bool wg_hbm_schedule(wg_hbm_t *h, channel_t *c, int64_t t, int64_t *next) {
  uint8_t index[kWgHbmMaxQueue];
  const wg_hbm_spec_t *s = &h->spec;
  view_t v = {.write = writes_go(h, c)};
  v.q = v.write ? &c->wr : &c->rd;
  bool has_cap = s->scheduler == kWgHbmFrFcfsCap;
  bool any = false;
  for (int row = 0; row < 2 && v.q->count > 0; row++) { /* a column command may have taken an entry: look anew */
    v.capped = has_cap && t - v.q->e[0].arrival > s->age_cap;
    v.n = s->scheduler == kWgHbmFcfs ? 1 : v.q->count;
    if (s->scheduler == kWgHbmBankRr) {
      v.n = one_a_bank(h, c, v.q, index);
      v.index = index;
    }
    any = (row == 0 ? try_column(h, c, &v, t, next) : try_row(h, c, &v, t, next)) || any;
  }
  if (has_cap && v.q->count > 0 && t - v.q->e[0].arrival <= s->age_cap) {
    int64_t cap = v.q->e[0].arrival + s->age_cap + 1;
    if (cap < *next) *next = cap;
  }
  return any;
}
