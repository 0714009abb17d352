// SPDX-License-Identifier: Apache-2.0
#include "model/hbm/hbm.h"

#include <inttypes.h>

#include "model/hbm/hbm_int.h"

/* Rules between numbers. @return what is wrong, or NULL */
static const char *contradiction(const wg_hbm_spec_t *s) {
  if ((s->banks & (s->banks - 1)) != 0) return "banks is no power of two";
  if (s->row_bytes > 256 && s->row_bytes % 256 != 0) return "row bytes are no multiple of 256";
  if (s->bank_groups == 0 || s->banks % s->bank_groups != 0) return "bank groups do not divide the banks";
  if (s->t_ccd_l < s->t_ccd || s->t_rrd_l < s->t_rrd || s->t_wtr_l < s->t_wtr) {
    return "a time inside a bank group (_L) is shorter than between groups (_S)";
  }
  if (s->bank_groups == 1 && (s->t_ccd_l != s->t_ccd || s->t_rrd_l != s->t_rrd || s->t_wtr_l != s->t_wtr)) {
    return "one bank group, but times inside a group (_L) that differ from those between groups (_S)";
  }
  if (s->t_refi < wg_hbm_least_refi(s)) return "tREFI leaves no time for an access between two refreshes";
  return NULL;
}

/* The clock, as an offset to T - 1, of the first column access behind a refresh that was due in T, at worst. */
uint64_t wg_hbm_least_refi(const wg_hbm_spec_t *s) {
  int64_t burst = 32 / (2 * (int64_t)s->bus_bytes), write_end = (int64_t)s->t_cwl + burst;
  /* clocks behind T - 1 at which the last bank may be precharged: each takes a clock of the row commands' bus */
  int64_t close = max64(max64(s->t_ras, s->t_rtp), write_end + s->t_wr) + (int64_t)s->banks - 1;
  int64_t ref = max64(close + s->t_rp, s->t_rc);
  /* four activates lie before T at best: the fifth waits for the window */
  int64_t act = max64(max64(ref + s->t_rfc, s->t_rrd_l), (int64_t)s->t_faw - 3 * (int64_t)s->t_rrd);
  /* a column access of clock T - 1 delays the next one by itself */
  int64_t turn = max64(max64(write_end + s->t_wtr_l, s->t_ccd_l), max64(s->t_rtw, (int64_t)s->t_cl + burst - s->t_cwl));
  int64_t column = max64(act + s->t_rcd, turn);
  return (uint64_t)column; /* T - 1 + column < T + tREFI */
}

enum { kMaxClocks = 100000 }; /* of any time */

static wg_status_t check_spec(const wg_hbm_spec_t *s, uint32_t sm_khz, wg_diag_t *diag) {
  struct {
    const char *name;
    uint32_t value, lo, hi;
  } r[] = {
      {"channels", s->channels, 1, kWgHbmMaxChannels}, {"banks", s->banks, 1, kWgHbmMaxBanks},
      {"row bytes", s->row_bytes, 128, 65536},         {"clock kHz", s->clock_khz, 1000, 10000000},
      {"bus bytes", s->bus_bytes, 1, 16},              {"read queue", s->read_queue, 1, kWgHbmMaxQueue},
      {"write queue", s->write_queue, 1, kWgHbmMaxQueue}, {"write high", s->write_high, 1, s->write_queue},
      {"write low", s->write_low, 0, s->write_high - 1},  {"tRFC", s->t_rfc, 1, kMaxClocks},
      {"tRC", s->t_rc, s->t_ras, kMaxClocks},          {"tRCD", s->t_rcd, 1, kMaxClocks},
      {"tCCD_S", s->t_ccd, 32 / (2 * (s->bus_bytes == 0 ? 1 : s->bus_bytes)), kMaxClocks},
      {"SM clock kHz", sm_khz, 1000, 10000000},        {"scheduler", s->scheduler, 0, kWgHbmBankRr},
      {"page policy", s->page, 0, kWgHbmClosed},       {"write drain", s->write_drain, 0, kWgHbmDemand},
  };
  for (size_t i = 0; i < sizeof r / sizeof r[0]; i++) {
    if (r[i].value < r[i].lo || r[i].value > r[i].hi) {
      return wg_fail(diag, kWgBadArg, "HBM %s is %u, must be %u to %u", r[i].name, r[i].value, r[i].lo, r[i].hi);
    }
  }
  const char *wrong = contradiction(s);
  return wrong == NULL ? kWgOk : wg_fail(diag, kWgBadArg, "HBM: %s", wrong);
}

wg_status_t wg_hbm_create(const wg_hbm_spec_t *spec, uint32_t sm_khz, wg_hbm_t **out, wg_diag_t *diag) {
  WG_TRY(check_spec(spec, sm_khz, diag));
  wg_hbm_t *h = calloc(1, sizeof *h);
  if (h != NULL) h->ch = calloc(spec->channels, sizeof *h->ch);
  bool ok = h != NULL && h->ch != NULL;
  if (h != NULL) {
    h->spec = h->rules = *spec;
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
    wg_hbm_check_init(&c->check, &h->rules);
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
  /* Pieces go to the bank groups in turn, so that a stream reaches the short times between groups; a group's rows then to its
     banks in turn. With one group consecutive rows lie in consecutive banks. */
  uint64_t piece = spec->row_bytes < 256 ? spec->row_bytes : 256, groups = spec->bank_groups;
  uint64_t r = addr / piece / groups / (spec->row_bytes / piece), per_group = spec->banks / groups;
  uint64_t b = r % per_group * groups + addr / piece % groups;
  *row = r / per_group;
  if (spec->bank_hash) {
    /* xor with every group of row bits, so that power-of-two strides spread. */
    unsigned width = (unsigned)__builtin_ctz(spec->banks);
    for (uint64_t x = *row; width > 0 && x != 0; x >>= width) b ^= x & (spec->banks - 1);
  }
  *bank = (uint32_t)b;
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
      wg_hbm_do_precharge(h, c, b, t);
      break;
    }
  }
  if (open || ready > t) return;
  wg_hbm_do_refresh(h, c, t);
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
      wg_hbm_do_precharge(h, c, b, at);
    }
    wg_hbm_do_refresh(h, c, ref);
    c->next_ref += s->t_refi;
  }
}

static void channel_clock(wg_hbm_t *h, channel_t *c, int64_t t) {
  if (t < c->next_try || c->stopped) return;
  if (c->next_ref <= t) {
    refresh_step(h, c, t);
    c->next_try = t + 1;
    return;
  }
  int64_t next = c->next_ref;
  bool any = wg_hbm_schedule(h, c, t, &next);
  c->next_try = any ? t + 1 : max64(t + 1, next);
}

void wg_hbm_tick(wg_hbm_t *h, uint64_t now) {
  h->now = now;
  h->ticks++;
  h->in_flight_cycles += h->open_reads;
  h->acc += h->spec.clock_khz;
  while (h->acc >= h->sm_khz) {
    h->acc -= h->sm_khz;
    h->clock++;
    for (unsigned w = 0; w < (h->spec.channels + 63) / 64; w++) {
      for (uint64_t todo = h->busy[w]; todo != 0; todo &= todo - 1) {
        unsigned i = (unsigned)__builtin_ctzll(todo);
        channel_t *c = &h->ch[64 * w + i];
        channel_clock(h, c, h->clock);
        if (c->rd.count == 0 && c->wr.count == 0) h->busy[w] &= ~(UINT64_C(1) << i);
      }
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
  uint64_t bit = UINT64_C(1) << channel % 64, *busy = &h->busy[channel / 64];
  if ((*busy & bit) == 0) {
    catch_up(h, c, h->clock);
    c->active = h->ticks;
  }
  *busy |= bit;
  queue_t *q = req->write ? &c->wr : &c->rd;
  entry_t *e = &q->e[q->count++];
  uint32_t bank = 0;
  wg_hbm_map(&h->spec, req->addr, &bank, &e->row);
  e->bank = (uint8_t)bank;
  e->tag = req->tag;
  e->arrival = h->clock;
  e->opened = false;
  e->pushed = h->ticks;
  c->next_try = 0;
  h->open++;
  if (req->write) {
    c->stats.pushed_writes++;
  } else {
    c->stats.pushed_reads++;
    h->open_reads++;
  }
}

bool wg_hbm_pop(wg_hbm_t *h, uint32_t channel, uint64_t now, uint32_t *tag) {
  channel_t *c = &h->ch[channel];
  if (c->done_count == 0 || c->done[c->done_head].due > now) return false;
  *tag = c->done[c->done_head].tag;
  c->stats.read_latency_cycles += h->ticks - c->done[c->done_head].pushed;
  c->done_head = (c->done_head + 1) % kWgHbmDoneRing;
  c->done_count--;
  h->open--;
  h->open_reads--;
  return true;
}

uint64_t wg_hbm_open(const wg_hbm_t *h) { return h->open; }
uint64_t wg_hbm_open_reads(const wg_hbm_t *h) { return h->open_reads; }
void wg_hbm_stop(wg_hbm_t *h, uint32_t channel) { h->ch[channel].stopped = true; }
void wg_hbm_set_rules(wg_hbm_t *h, const wg_hbm_spec_t *rules) { h->rules = *rules; }

uint64_t wg_hbm_stuck_cycles(const wg_hbm_t *h, uint32_t channel) {
  const channel_t *c = &h->ch[channel];
  return c->rd.count == 0 && c->wr.count == 0 ? 0 : h->ticks - c->active;
}

uint64_t wg_hbm_patience_cycles(const wg_hbm_t *h) {
  uint64_t clocks = 2 * (wg_hbm_least_refi(&h->spec) + h->spec.t_cl + h->burst);
  return (clocks * h->sm_khz + h->spec.clock_khz - 1) / h->spec.clock_khz + h->spec.ctrl_latency_cycles;
}

bool wg_hbm_find(const wg_hbm_t *h, uint32_t channel, uint32_t tag, char *out, size_t n) {
  const channel_t *c = &h->ch[channel];
  for (uint32_t i = 0; i < c->rd.count; i++) {
    const entry_t *e = &c->rd.e[i];
    if (e->tag != tag) continue;
    snprintf(out, n, "queue of channel %u, bank %u, row %" PRIu64, channel, e->bank, e->row);
    return true;
  }
  for (uint32_t i = 0; i < c->done_count; i++) {
    if (c->done[(c->done_head + i) % kWgHbmDoneRing].tag != tag) continue;
    snprintf(out, n, "data of channel %u on the way", channel);
    return true;
  }
  return false;
}

void wg_hbm_stats(const wg_hbm_t *h, wg_hbm_stats_t *out) {
  wg_hbm_stats_t s = {0};
  for (uint32_t i = 0; i < h->spec.channels; i++) {
    const wg_hbm_stats_t *c = &h->ch[i].stats;
    s.reads += c->reads;
    s.writes += c->writes;
    s.row_hits += c->row_hits;
    s.row_misses += c->row_misses;
    s.activates += c->activates;
    s.precharges += c->precharges;
    s.pushed_reads += c->pushed_reads;
    s.pushed_writes += c->pushed_writes;
    s.read_latency_cycles += c->read_latency_cycles;
    s.refreshes += c->refreshes;
    s.violations += c->violations;
  }
  s.read_in_flight_cycles = h->in_flight_cycles;
  *out = s;
}
