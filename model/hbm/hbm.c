// SPDX-License-Identifier: Apache-2.0
#include "model/hbm/hbm.h"

#include <inttypes.h>
#include <string.h>

#include "model/hbm/hbm_check.h"

enum { kDoneRing = 512 };

typedef struct entry {
  uint64_t row;
  int64_t arrival; /* memory clock */
  uint32_t tag;
  uint8_t bank;
  bool opened; /* an activate was issued for this request: it counts as a row miss */
} entry_t;

typedef struct queue {
  entry_t *e; /* arrival order */
  uint32_t count, cap;
} queue_t;

typedef struct bank {
  bool open;
  uint64_t row;
  int64_t next_act, next_pre, next_col; /* earliest clocks of this bank's rules */
} bank_t;

typedef struct done {
  uint64_t due; /* SM cycle */
  uint32_t tag;
} done_t;

typedef struct channel {
  queue_t rd, wr;
  bank_t bank[kWgHbmMaxBanks];
  int64_t next_act, faw[4], next_rd, next_wr;
  int64_t next_ref;
  int64_t next_try; /* nothing can happen before this clock */
  uint32_t faw_at;
  bool draining;
  done_t done[kDoneRing];
  uint32_t done_head, done_count;
  wg_hbm_check_t check;
  wg_hbm_stats_t stats;
} channel_t;

struct wg_hbm {
  wg_hbm_spec_t spec;
  uint32_t sm_khz, burst;
  uint64_t acc;  /* phase: memory clocks are due when it reaches sm_khz */
  int64_t clock; /* memory clocks so far */
  uint64_t now;
  uint64_t busy; /* channels with requests */
  uint64_t open;
  channel_t *ch;
};

static wg_status_t check_spec(const wg_hbm_spec_t *s, uint32_t sm_khz, wg_diag_t *diag) {
  struct {
    const char *name;
    uint32_t value, lo, hi;
  } r[] = {
      {"channels", s->channels, 1, kWgHbmMaxChannels}, {"banks", s->banks, 1, kWgHbmMaxBanks},
      {"row bytes", s->row_bytes, 128, 65536},         {"clock kHz", s->clock_khz, 1000, 10000000},
      {"bus bytes", s->bus_bytes, 1, 16},              {"read queue", s->read_queue, 1, kWgHbmMaxQueue},
      {"write queue", s->write_queue, 1, kWgHbmMaxQueue}, {"write high", s->write_high, 1, s->write_queue},
      {"write low", s->write_low, 0, s->write_high - 1},  {"tRFC", s->t_rfc, 1, s->t_refi - 1},
      {"tRC", s->t_rc, s->t_ras, 1000},                {"tRCD", s->t_rcd, 1, 1000},
      {"tCCD", s->t_ccd, 32 / (2 * (s->bus_bytes == 0 ? 1 : s->bus_bytes)), 1000},
      {"SM clock kHz", sm_khz, 1000, 10000000},
  };
  for (size_t i = 0; i < sizeof r / sizeof r[0]; i++) {
    if (r[i].value < r[i].lo || r[i].value > r[i].hi) {
      return wg_fail(diag, kWgBadArg, "HBM %s is %u, must be %u to %u", r[i].name, r[i].value, r[i].lo, r[i].hi);
    }
  }
  if ((s->banks & (s->banks - 1)) != 0) return wg_fail(diag, kWgBadArg, "HBM banks is %u, no power of two", s->banks);
  return kWgOk;
}

wg_status_t wg_hbm_create(const wg_hbm_spec_t *spec, uint32_t sm_khz, wg_hbm_t **out, wg_diag_t *diag) {
  WG_TRY(check_spec(spec, sm_khz, diag));
  wg_hbm_t *h = calloc(1, sizeof *h);
  if (h != NULL) h->ch = calloc(spec->channels, sizeof *h->ch);
  bool ok = h != NULL && h->ch != NULL;
  if (h != NULL) {
    h->spec = *spec;
    h->sm_khz = sm_khz;
    h->burst = 32 / (2 * spec->bus_bytes);
  }
  for (uint32_t i = 0; ok && i < spec->channels; i++) {
    channel_t *c = &h->ch[i];
    c->rd.cap = spec->read_queue;
    c->wr.cap = spec->write_queue;
    c->rd.e = calloc(c->rd.cap, sizeof(entry_t));
    c->wr.e = calloc(c->wr.cap, sizeof(entry_t));
    ok = c->rd.e != NULL && c->wr.e != NULL;
    /* Channels refresh one after another, as real controllers stagger them. */
    c->next_ref = (int64_t)spec->t_refi + (int64_t)spec->t_refi * i / spec->channels;
    for (unsigned k = 0; k < 4; k++) c->faw[k] = -(int64_t)spec->t_faw;
    wg_hbm_check_init(&c->check, &h->spec);
  }
  if (!ok) {
    wg_hbm_destroy(h);
    return wg_fail(diag, kWgNoSpace, "no host memory for the HBM model");
  }
  *out = h;
  return kWgOk;
}

void wg_hbm_destroy(wg_hbm_t *h) {
  if (h == NULL) return;
  for (uint32_t i = 0; h->ch != NULL && i < h->spec.channels; i++) {
    free(h->ch[i].rd.e);
    free(h->ch[i].wr.e);
  }
  free(h->ch);
  free(h);
}

void wg_hbm_map(const wg_hbm_spec_t *spec, uint64_t addr, uint32_t *bank, uint64_t *row) {
  uint64_t r = addr / spec->row_bytes; /* consecutive rows lie in consecutive banks */
  uint64_t b = r % spec->banks;
  *row = r / spec->banks;
  if (spec->bank_hash) {
    /* xor with every group of row bits, so that power-of-two strides spread. */
    unsigned width = (unsigned)__builtin_ctz(spec->banks);
    for (uint64_t x = *row; width > 0 && x != 0; x >>= width) b ^= x & (spec->banks - 1);
  }
  *bank = (uint32_t)b;
}

static inline int64_t max64(int64_t a, int64_t b) { return a > b ? a : b; }
static inline void at_least(int64_t *a, int64_t b) { *a = max64(*a, b); }

/* Tell the checker. A broken rule is our own error. */
static void say(channel_t *c, wg_hbm_cmd_t cmd, uint32_t bank, uint64_t row, int64_t t) {
  const char *broken = wg_hbm_check_cmd(&c->check, cmd, bank, row, t);
  if (broken == NULL) return;
  c->stats.violations++;
  fprintf(stderr, "hbm: command %d to bank %u at memory clock %" PRId64 " breaks %s\n", (int)cmd, bank, t, broken);
  WG_BUG(broken != NULL);
}

static void do_precharge(wg_hbm_t *h, channel_t *c, uint32_t b, int64_t t) {
  say(c, kWgHbmPre, b, 0, t);
  c->bank[b].open = false;
  at_least(&c->bank[b].next_act, t + h->spec.t_rp);
}

static void do_refresh(wg_hbm_t *h, channel_t *c, int64_t t) {
  say(c, kWgHbmRef, 0, 0, t);
  at_least(&c->next_act, t + h->spec.t_rfc);
  c->stats.refreshes++;
}

static void do_activate(wg_hbm_t *h, channel_t *c, entry_t *e, int64_t t) {
  const wg_hbm_spec_t *s = &h->spec;
  bank_t *b = &c->bank[e->bank];
  say(c, kWgHbmAct, e->bank, e->row, t);
  b->open = true;
  b->row = e->row;
  at_least(&b->next_act, t + s->t_rc);
  at_least(&b->next_pre, t + s->t_ras);
  b->next_col = t + s->t_rcd;
  at_least(&c->next_act, t + s->t_rrd);
  c->faw[c->faw_at] = t;
  c->faw_at = (c->faw_at + 1) % 4;
  c->stats.activates++;
  e->opened = true;
}

/* A column command for entry `i` of the queue; the entry leaves it. */
static void do_column(wg_hbm_t *h, channel_t *c, queue_t *q, uint32_t i, bool write, int64_t t) {
  const wg_hbm_spec_t *s = &h->spec;
  entry_t e = q->e[i];
  bank_t *b = &c->bank[e.bank];
  int64_t burst = h->burst;
  say(c, write ? kWgHbmWr : kWgHbmRd, e.bank, e.row, t);
  if (write) {
    at_least(&b->next_pre, t + s->t_cwl + burst + s->t_wr);
    at_least(&c->next_wr, t + s->t_ccd);
    at_least(&c->next_rd, t + s->t_cwl + burst + s->t_wtr);
    c->stats.writes++;
    h->open--;
  } else {
    at_least(&b->next_pre, t + s->t_rtp);
    at_least(&c->next_rd, t + s->t_ccd);
    at_least(&c->next_wr, t + max64(s->t_rtw, (int64_t)s->t_cl + burst - s->t_cwl));
    c->stats.reads++;
    /* SM cycle in which the last data clock falls, then the fixed way back. */
    uint64_t ahead = (uint64_t)(s->t_cl + burst) * h->sm_khz - h->acc;
    uint32_t at = (c->done_head + c->done_count++) % kDoneRing;
    c->done[at].due = h->now + (ahead + s->clock_khz - 1) / s->clock_khz + s->ctrl_latency_cycles;
    c->done[at].tag = e.tag;
  }
  if (e.opened) {
    c->stats.row_misses++;
  } else {
    c->stats.row_hits++;
  }
  q->count--;
  memmove(&q->e[i], &q->e[i + 1], (q->count - i) * sizeof q->e[0]);
}

/* Oldest request whose row is open and whose rules allow a column command. @return true if one was issued */
static bool try_column(wg_hbm_t *h, channel_t *c, queue_t *q, bool write, int64_t t, int64_t *next) {
  if (!write && c->done_count == kDoneRing) {
    if (t + 1 < *next) *next = t + 1;
    return false;
  }
  bool capped = q->count > 0 && t - q->e[0].arrival > h->spec.age_cap;
  for (uint32_t i = 0; i < q->count; i++) {
    const entry_t *e = &q->e[i];
    const bank_t *b = &c->bank[e->bank];
    if (!b->open || b->row != e->row) continue;
    if (capped && e->bank == q->e[0].bank && e->row != q->e[0].row) continue;
    int64_t when = max64(b->next_col, write ? c->next_wr : c->next_rd);
    if (when <= t) {
      do_column(h, c, q, i, write, t);
      return true;
    }
    if (when < *next) *next = when;
  }
  return false;
}

/* One precharge or activate, for the oldest request that needs one. */
static bool try_row(wg_hbm_t *h, channel_t *c, queue_t *q, int64_t t, int64_t *next) {
  uint32_t hits = 0, seen = 0;
  for (uint32_t i = 0; i < q->count; i++) {
    const entry_t *e = &q->e[i];
    if (c->bank[e->bank].open && c->bank[e->bank].row == e->row) hits |= 1u << e->bank;
  }
  bool capped = q->count > 0 && t - q->e[0].arrival > h->spec.age_cap;
  for (uint32_t i = 0; i < q->count; i++) {
    entry_t *e = &q->e[i];
    bank_t *b = &c->bank[e->bank];
    if ((seen >> e->bank & 1u) != 0) continue;
    seen |= 1u << e->bank;
    if (b->open && b->row == e->row) continue;
    if (b->open && (hits >> e->bank & 1u) != 0 && !(capped && i == 0)) continue; /* first the row hits */
    int64_t when = b->open ? b->next_pre
                           : max64(max64(b->next_act, c->next_act), c->faw[c->faw_at] + (int64_t)h->spec.t_faw);
    if (when <= t) {
      if (b->open) {
        do_precharge(h, c, e->bank, t);
      } else {
        do_activate(h, c, e, t);
      }
      return true;
    }
    if (when < *next) *next = when;
  }
  return false;
}

/* Refresh is due: one step towards it. Close every bank, then refresh; meanwhile nothing else goes. */
static void refresh_step(wg_hbm_t *h, channel_t *c, int64_t t) {
  int64_t ready = t;
  bool open = false;
  for (uint32_t b = 0; b < h->spec.banks; b++) {
    if (!c->bank[b].open) {
      /* next_act also covers tRC, which REF need not wait for; the difference is a few clocks in 3,400. */
      at_least(&ready, c->bank[b].next_act);
      continue;
    }
    open = true;
    if (c->bank[b].next_pre <= t) {
      do_precharge(h, c, b, t);
      break;
    }
  }
  if (open || ready > t) return;
  do_refresh(h, c, t);
  c->next_ref += h->spec.t_refi;
}

/* The channel was idle: refreshes that fell due meanwhile happened on time. Only the first one finds open banks. */
static void catch_up(wg_hbm_t *h, channel_t *c, int64_t t) {
  const wg_hbm_spec_t *s = &h->spec;
  while (c->next_ref <= t) {
    int64_t at = c->next_ref, ref = c->next_ref;
    for (uint32_t b = 0; b < s->banks; b++) {
      if (c->bank[b].open) at = max64(at + 1, c->bank[b].next_pre);
      at_least(&ref, c->bank[b].open ? at + s->t_rp : c->bank[b].next_act);
    }
    if (ref >= t) return; /* too recent: the controller does it now */
    at = c->next_ref;
    for (uint32_t b = 0; b < s->banks; b++) {
      if (!c->bank[b].open) continue;
      at = max64(at + 1, c->bank[b].next_pre);
      do_precharge(h, c, b, at);
    }
    do_refresh(h, c, ref);
    c->next_ref += s->t_refi;
    int64_t missed = (t - c->next_ref) / (int64_t)s->t_refi; /* all but the last, with every bank closed */
    if (missed > 1) {
      c->stats.refreshes += (uint64_t)missed - 1;
      c->next_ref += (missed - 1) * (int64_t)s->t_refi;
    }
  }
}

static void channel_clock(wg_hbm_t *h, channel_t *c, int64_t t) {
  if (t < c->next_try) return;
  if (c->next_ref <= t) {
    refresh_step(h, c, t);
    c->next_try = t + 1;
    return;
  }
  if (c->wr.count == 0 || (c->rd.count > 0 && c->wr.count <= h->spec.write_low)) c->draining = false;
  if (c->wr.count >= h->spec.write_high || (c->rd.count == 0 && c->wr.count > 0)) c->draining = true;
  queue_t *q = c->draining ? &c->wr : &c->rd;
  int64_t next = c->next_ref;
  bool any = try_column(h, c, q, c->draining, t, &next);
  any = try_row(h, c, q, t, &next) || any;
  if (q->count > 0 && t - q->e[0].arrival <= h->spec.age_cap) {
    int64_t cap = q->e[0].arrival + h->spec.age_cap + 1;
    if (cap < next) next = cap;
  }
  c->next_try = any ? t + 1 : max64(t + 1, next);
}

void wg_hbm_tick(wg_hbm_t *h, uint64_t now) {
  h->now = now;
  h->acc += h->spec.clock_khz;
  while (h->acc >= h->sm_khz) {
    h->acc -= h->sm_khz;
    h->clock++;
    for (uint64_t todo = h->busy; todo != 0; todo &= todo - 1) {
      unsigned i = (unsigned)__builtin_ctzll(todo);
      channel_t *c = &h->ch[i];
      channel_clock(h, c, h->clock);
      if (c->rd.count == 0 && c->wr.count == 0) h->busy &= ~(UINT64_C(1) << i);
    }
  }
}

bool wg_hbm_can_accept(const wg_hbm_t *h, uint32_t channel, bool write) {
  const queue_t *q = write ? &h->ch[channel].wr : &h->ch[channel].rd;
  return q->count < q->cap;
}

void wg_hbm_push(wg_hbm_t *h, uint32_t channel, const wg_hbm_req_t *req) {
  WG_BUG(channel >= h->spec.channels || !wg_hbm_can_accept(h, channel, req->write));
  channel_t *c = &h->ch[channel];
  uint64_t bit = UINT64_C(1) << channel;
  if ((h->busy & bit) == 0) catch_up(h, c, h->clock);
  h->busy |= bit;
  queue_t *q = req->write ? &c->wr : &c->rd;
  entry_t *e = &q->e[q->count++];
  uint32_t bank = 0;
  wg_hbm_map(&h->spec, req->addr, &bank, &e->row);
  e->bank = (uint8_t)bank;
  e->tag = req->tag;
  e->arrival = h->clock;
  e->opened = false;
  c->next_try = 0;
  h->open++;
}

bool wg_hbm_pop(wg_hbm_t *h, uint32_t channel, uint64_t now, uint32_t *tag) {
  channel_t *c = &h->ch[channel];
  if (c->done_count == 0 || c->done[c->done_head].due > now) return false;
  *tag = c->done[c->done_head].tag;
  c->done_head = (c->done_head + 1) % kDoneRing;
  c->done_count--;
  h->open--;
  return true;
}

uint64_t wg_hbm_open(const wg_hbm_t *h) { return h->open; }

void wg_hbm_stats(const wg_hbm_t *h, wg_hbm_stats_t *out) {
  wg_hbm_stats_t s = {0};
  for (uint32_t i = 0; i < h->spec.channels; i++) {
    const wg_hbm_stats_t *c = &h->ch[i].stats;
    s.reads += c->reads;
    s.writes += c->writes;
    s.row_hits += c->row_hits;
    s.row_misses += c->row_misses;
    s.activates += c->activates;
    s.refreshes += c->refreshes;
    s.violations += c->violations;
  }
  *out = s;
}
