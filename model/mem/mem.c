// SPDX-License-Identifier: Apache-2.0
#include "model/mem/mem.h"

#include <inttypes.h>
#include <string.h>

#include "model/door/door.h"

enum { kTagBits = 16 };

struct wg_mem {
  wg_l2_spec_t l2;
  uint32_t sms, channels;
  wg_door_t *door;
  wg_xbar_t *xbar;
  wg_l2_slice_t **slice;
  uint64_t *slice_moved; /* [slices] cycle in which a slice last served, was filled, asked or answered, or had nothing to do */
  uint32_t *reading;     /* [slices] reads of it in its memory channel */
  wg_hbm_t *hbm;
  uint32_t l2_phase;     /* an L2 clock is due when it reaches l2.clock_den */
  wg_slices_t slice_active; /* slices with responses owed or memory requests waiting */
  wg_slices_t slice_stopped;
  uint64_t asked, answered;
  wg_mem_fault_t fault; /* to be injected */
  uint64_t fault_from;
  wg_mem_rsp_t again;   /* twice-response */
  bool has_again;
  wg_status_t st; /* first finding of the door */
  wg_diag_t diag;
};

wg_mem_fault_t wg_mem_fault_find(const char *word) {
#define WG_MEM_FAULT(ID, WORD, DOC) \
  if (strcmp(word, WORD) == 0) return kWgMem##ID;
#include "model/mem/mem_faults.def"
  return kWgMemNoFault;
}

wg_status_t wg_mem_create(const wg_preset_t *p, wg_store_t *store, wg_l2_serve_fn serve, void *ctx, wg_mem_t **out,
                          wg_diag_t *diag) {
  if (p->l2.slices % p->hbm.channels != 0 && p->hbm.channels % p->l2.slices != 0) {
    return wg_fail(diag, kWgBadArg, "of %u L2 slices and %u memory channels neither number divides the other", p->l2.slices,
                   p->hbm.channels);
  }
  wg_mem_t *m = calloc(1, sizeof *m);
  if (m != NULL) m->slice = calloc(p->l2.slices, sizeof(wg_l2_slice_t *));
  if (m != NULL) m->slice_moved = calloc(p->l2.slices, sizeof *m->slice_moved);
  if (m != NULL) m->reading = calloc(p->l2.slices, sizeof *m->reading);
  if (m == NULL || m->slice == NULL || m->slice_moved == NULL || m->reading == NULL) {
    wg_mem_destroy(m);
    return wg_fail(diag, kWgNoSpace, "no host memory for the memory system");
  }
  m->l2 = p->l2;
  m->sms = p->num_sms;
  m->channels = p->hbm.channels;
  wg_status_t st = wg_door_create(m->sms, &m->door, diag);
  if (st == kWgOk) st = wg_xbar_create(&p->xbar, m->sms, m->l2.slices, &m->xbar, diag);
  if (st == kWgOk) st = wg_hbm_create(&p->hbm, p->clock_khz, &m->hbm, diag);
  for (uint32_t i = 0; st == kWgOk && i < m->l2.slices; i++) {
    st = wg_l2_slice_create(&m->l2, store, serve, ctx, &m->slice[i], diag);
  }
  if (st != kWgOk) {
    wg_mem_destroy(m);
    return st;
  }
  *out = m;
  return kWgOk;
}

void wg_mem_destroy(wg_mem_t *m) {
  if (m == NULL) return;
  for (uint32_t i = 0; m->slice != NULL && i < m->l2.slices; i++) wg_l2_slice_destroy(m->slice[i]);
  free(m->slice);
  free(m->slice_moved);
  free(m->reading);
  wg_hbm_destroy(m->hbm);
  wg_xbar_destroy(m->xbar);
  wg_door_destroy(m->door);
  free(m);
}

/* ---- injected faults ---- */

void wg_mem_inject(wg_mem_t *m, wg_mem_fault_t fault, uint64_t from) {
  m->fault = fault;
  m->fault_from = from;
}

/* True once, if this fault is due. */
static bool inject(wg_mem_t *m, wg_mem_fault_t fault, uint64_t now) {
  if (m->fault != fault || now < m->fault_from) return false;
  m->fault = kWgMemNoFault;
  return true;
}

/* ---- the door ---- */

static void found(wg_mem_t *m, wg_status_t st, const wg_diag_t *why) {
  if (st == kWgOk || m->st != kWgOk) return;
  m->st = st;
  m->diag = *why;
}

bool wg_mem_can_req(const wg_mem_t *m, uint32_t sm) { return wg_xbar_can_req(m->xbar, sm); }

uint32_t wg_mem_req_room(const wg_mem_t *m, uint32_t sm) { return wg_xbar_req_room(m->xbar, sm); }

void wg_mem_req(wg_mem_t *m, const wg_mem_req_t *req, uint64_t now) {
  wg_diag_t why = {0};
  found(m, wg_door_req(m->door, req, now, &why), &why);
  m->asked += (unsigned)__builtin_popcount(req->sector_mask);
  if (inject(m, kWgMemLostRequest, now)) return;
  wg_mem_req_t copy = *req;
  if (req->op == kWgMemStore && inject(m, kWgMemLostByte, now)) copy.byte_mask &= copy.byte_mask - 1;
  wg_xbar_push_req(m->xbar, wg_l2_slice_of(&m->l2, req->line), &copy);
}

/* What the response network brings, with injected faults. */
static bool pop_rsp(wg_mem_t *m, uint32_t sm, uint64_t now, wg_mem_rsp_t *out) {
  if (m->has_again && m->again.sm == sm) {
    m->has_again = false;
    *out = m->again;
    return true;
  }
  if (!wg_xbar_pop_rsp(m->xbar, sm, now, out)) return false;
  if (m->fault == kWgMemNoFault) return true;
  if (inject(m, kWgMemLostResponse, now)) return wg_xbar_pop_rsp(m->xbar, sm, now, out);
  if (inject(m, kWgMemStrayResponse, now)) out->sector ^= 2u;
  if (inject(m, kWgMemTwiceResponse, now)) {
    m->has_again = true;
    m->again = *out;
  }
  return true;
}

bool wg_mem_rsp(wg_mem_t *m, uint32_t sm, uint64_t now, wg_mem_rsp_t *out) {
  wg_diag_t why = {0};
  if (!pop_rsp(m, sm, now, out)) return false;
  wg_status_t st = wg_door_rsp(m->door, out, now, &why);
  found(m, st, &why);
  if (st != kWgOk) return false;
  m->answered++;
  return true;
}

uint64_t wg_mem_owed(const wg_mem_t *m) { return m->asked - m->answered; }

wg_status_t wg_mem_status(const wg_mem_t *m, wg_diag_t *diag) {
  if (m->st != kWgOk && diag != NULL) *diag = m->diag;
  return m->st;
}

/* ---- a cycle ---- */

static void tick_slices(wg_mem_t *m, uint64_t now) {
  for (wg_slices_t todo = wg_xbar_slices_pending(m->xbar); todo != 0; todo &= todo - 1) {
    uint32_t s = wg_slice_first(todo);
    const wg_mem_req_t *req = wg_xbar_peek_req(m->xbar, s, now);
    if (req == NULL) {
      if ((m->slice_active >> s & 1u) == 0) m->slice_moved[s] = now; /* it waits for the crossbar */
      continue;
    }
    if (inject(m, kWgMemStopSlice, now)) m->slice_stopped |= wg_slice_bit(s);
    if ((m->slice_stopped >> s & 1u) != 0 || !wg_l2_try_serve(m->slice[s], req, now)) continue;
    wg_xbar_pop_req(m->xbar, s);
    m->slice_active |= wg_slice_bit(s);
    m->slice_moved[s] = now;
  }
}

static void fill_slices(wg_mem_t *m, uint64_t now) {
  for (uint32_t c = 0; wg_hbm_open_reads(m->hbm) != 0 && c < m->channels; c++) {
    uint32_t tag;
    while (wg_hbm_pop(m->hbm, c, now, &tag)) {
      m->reading[tag >> kTagBits]--;
      if (inject(m, kWgMemLostFill, now)) continue;
      wg_l2_fill(m->slice[tag >> kTagBits], tag & ((1u << kTagBits) - 1), now);
      m->slice_moved[tag >> kTagBits] = now;
    }
  }
}

static void ask_one(wg_mem_t *m, uint32_t s, uint64_t now) {
  const wg_l2_mem_t *q = wg_l2_peek_mem(m->slice[s]);
  uint32_t c = q == NULL ? 0 : wg_l2_channel_of(&m->l2, m->channels, q->addr);
  if (q == NULL || !wg_hbm_can_accept(m->hbm, c, q->write)) return;
  if (!q->write && inject(m, kWgMemStopChannel, now)) wg_hbm_stop(m->hbm, c);
  wg_hbm_req_t req = {wg_l2_channel_addr(&m->l2, m->channels, q->addr), q->tag | s << kTagBits, q->write};
  wg_hbm_push(m->hbm, c, &req);
  m->reading[s] += q->write ? 0u : 1u;
  wg_l2_pop_mem(m->slice[s]);
  m->slice_moved[s] = now;
}

/* Slices that share a channel: the one that is asked first rotates, or a stream of one would starve the other. */
static void ask_memory(wg_mem_t *m, uint64_t now) {
  wg_slices_t below = wg_slice_bit((uint32_t)(now % m->l2.slices)) - 1;
  for (int turn = 0; turn < 2; turn++) {
    for (wg_slices_t todo = m->slice_active & ~m->slice_stopped & (turn == 0 ? ~below : below); todo != 0; todo &= todo - 1) {
      ask_one(m, wg_slice_first(todo), now);
    }
  }
}

/* Each slice hands at most one flit a cycle to the response network; the slice that is asked first rotates. */
static void move_responses(wg_mem_t *m, uint64_t now) {
  uint32_t first = (uint32_t)(now % m->l2.slices);
  wg_slices_t below = wg_slice_bit(first) - 1;
  for (int turn = 0; turn < 2; turn++) {
    for (wg_slices_t todo = m->slice_active & ~m->slice_stopped & (turn == 0 ? ~below : below); todo != 0; todo &= todo - 1) {
      uint32_t s = wg_slice_first(todo);
      const wg_mem_rsp_t *rsp = wg_l2_peek_rsp(m->slice[s], now);
      if (rsp != NULL && wg_xbar_can_rsp(m->xbar, rsp->sm, now)) {
        wg_xbar_push_rsp(m->xbar, rsp, now);
        wg_l2_pop_rsp(m->slice[s]);
        m->slice_moved[s] = now;
      }
      if (wg_l2_open(m->slice[s]) == 0 && wg_l2_peek_mem(m->slice[s]) == NULL) m->slice_active &= ~wg_slice_bit(s);
    }
  }
}

void wg_mem_tick(wg_mem_t *m, uint64_t now) {
  wg_xbar_tick(m->xbar, now);
  uint32_t clocks = 0; /* of the L2 in this cycle */
  for (m->l2_phase += m->l2.clock_num; m->l2_phase >= m->l2.clock_den; m->l2_phase -= m->l2.clock_den) clocks++;
  if (clocks > 0) tick_slices(m, now);
  fill_slices(m, now);
  for (uint32_t k = 0; k < clocks; k++) {
    if (k > 0) tick_slices(m, now);
    ask_memory(m, now);
    move_responses(m, now);
  }
  wg_hbm_tick(m->hbm, now);
  wg_door_tick(m->door);
}

/* ---- stuck? ---- */

uint64_t wg_mem_patience_cycles(const wg_mem_t *m) {
  /* slices that share a channel take turns */
  uint64_t sharing = m->l2.slices > m->channels ? m->l2.slices / m->channels : 1, channel = sharing * wg_hbm_patience_cycles(m->hbm);
  return channel > kWgMemStuckCycles ? channel : (uint64_t)kWgMemStuckCycles;
}

/* Where the answer to one open sector is. @return false if nowhere */
static bool locate(const wg_mem_t *m, uint16_t sm, uint8_t id, const wg_door_open_t *o, char *at, size_t n) {
  uint8_t sector = (uint8_t)__builtin_ctz(o->pending);
  uint32_t s = wg_l2_slice_of(&m->l2, o->line), c = wg_l2_channel_of(&m->l2, m->channels, o->line), tag = 0;
  char where[80] = "";
  if (wg_xbar_find(m->xbar, sm, id, sector, where, sizeof where)) {
    snprintf(at, n, "crossbar, %s", where);
    return true;
  }
  switch (wg_l2_find(m->slice[s], sm, id, sector, &tag)) {
    case kWgL2Nowhere: break;
    case kWgL2Leaving: snprintf(at, n, "slice %u, answer ready to leave", s); return true;
    case kWgL2Asking: snprintf(at, n, "slice %u, waits to ask channel %u", s, c); return true;
    case kWgL2Reading:
      if (wg_hbm_find(m->hbm, c, tag | s << kTagBits, where, sizeof where)) {
        snprintf(at, n, "slice %u, waits for memory: %s", s, where);
        return true;
      }
      snprintf(at, n, "slice %u waits for channel %u, which knows nothing of it", s, c);
      return false;
  }
  snprintf(at, n, "in no queue of crossbar, slice %u and channel %u", s, c);
  return false;
}

static wg_status_t stuck_part(const wg_mem_t *m, const char *part, uint32_t number, uint64_t cycles, uint64_t now, wg_diag_t *diag) {
  uint16_t sm = 0;
  uint8_t id = 0;
  wg_door_open_t o;
  char text[200] = "only write-backs wait", at[160] = "";
  if (wg_door_oldest(m->door, &sm, &id, &o)) {
    wg_door_describe(sm, id, &o, now, text, sizeof text);
    (void)locate(m, sm, id, &o, at, sizeof at);
  }
  return wg_fail(diag, kWgMismatch, "memory checker: %s %u has stopped: work waits, nothing was done for %" PRIu64
                 " cycles; oldest: %s%s%s%s", part, number, cycles, text, at[0] == '\0' ? "" : " (", at, at[0] == '\0' ? "" : ")");
}

static wg_status_t look(const wg_mem_t *m, uint64_t now, wg_diag_t *diag) {
  const uint64_t patience = wg_mem_patience_cycles(m);
  for (uint32_t c = 0; c < m->channels; c++) {
    uint64_t cycles = wg_hbm_stuck_cycles(m->hbm, c);
    if (cycles > patience) return stuck_part(m, "memory channel", c, cycles, now, diag);
  }
  uint16_t sm = 0;
  uint8_t id = 0;
  wg_door_open_t o;
  if (wg_door_oldest(m->door, &sm, &id, &o) && now - o.cycle > patience) {
    char at[160] = "", text[200];
    if (!locate(m, sm, id, &o, at, sizeof at)) {
      return wg_fail(diag, kWgMismatch, "memory checker: lost: %s: %s",
                     wg_door_describe(sm, id, &o, now, text, sizeof text), at);
    }
  }
  for (wg_slices_t todo = wg_xbar_slices_pending(m->xbar) | m->slice_active; todo != 0; todo &= todo - 1) {
    uint32_t s = wg_slice_first(todo);
    if (m->reading[s] == 0 && now - m->slice_moved[s] > patience) { /* else it waits for a channel that works */
      return stuck_part(m, "L2 slice", s, now - m->slice_moved[s], now, diag);
    }
  }
  return kWgOk;
}

wg_status_t wg_mem_look(wg_mem_t *m, uint64_t now, wg_diag_t *diag) {
  wg_diag_t why = {0};
  if (m->st == kWgOk) found(m, look(m, now, &why), &why);
  return wg_mem_status(m, diag);
}

/* ---- counters ---- */

static void count_l2(const wg_mem_t *m, wg_mem_counts_t *c) {
  wg_l2_stats_t l = {0};
  for (uint32_t i = 0; i < m->l2.slices; i++) wg_l2_stats_add(m->slice[i], &l);
  c->l2_requests = l.requests;
  c->l2_responses = l.responses;
  c->l2_store_bytes = l.store_bytes;
  c->l2_load_sector_hits = l.load_sector_hits;
  c->l2_load_sector_misses = l.load_sector_misses;
  c->l2_store_sector_hits = l.store_sector_hits;
  c->l2_store_sector_misses = l.store_sector_misses;
  c->l2_fault_sectors = l.fault_sectors;
  c->l2_atomics = l.atomics;
  c->l2_merged_sectors = l.merged_sectors;
  c->l2_fills = l.fills;
  c->l2_writebacks = l.writeback_sectors;
  c->l2_stall_cycles = l.stall_cycles;
  c->l2_no_mshr = l.lack_cycles[kWgL2NoMshr];
  c->l2_no_way = l.lack_cycles[kWgL2NoWay];
  c->l2_no_waiter = l.lack_cycles[kWgL2NoWaiter];
  c->l2_no_answer = l.lack_cycles[kWgL2NoAnswer];
  c->l2_no_ask = l.lack_cycles[kWgL2NoAsk];
  c->writebacks_waiting = l.writebacks_waiting;
}

void wg_mem_counts(const wg_mem_t *m, wg_mem_counts_t *out) {
  wg_mem_counts_t c = {0};
  wg_door_stats_t d;
  wg_hbm_stats_t h;
  wg_door_stats(m->door, &d);
  wg_hbm_stats(m->hbm, &h);
  count_l2(m, &c);
  c.requests = d.requests;
  c.responses = d.answered;
  c.expected_responses = d.asked;
  c.store_bytes = d.store_bytes;
  c.mem_latency_cycles = d.latency_cycles;
  c.mem_in_flight_cycles = d.in_flight_cycles;
  c.xbar_req_stalls = wg_xbar_req_stalls(m->xbar);
  c.writebacks_waiting += h.pushed_writes - h.writes;
  c.dram_read_bytes = 32 * h.reads;
  c.dram_write_bytes = 32 * h.writes;
  c.dram_row_hits = h.row_hits;
  c.dram_row_misses = h.row_misses;
  c.dram_activates = h.activates;
  c.dram_precharges = h.precharges;
  c.dram_refreshes = h.refreshes;
  c.dram_read_latency_cycles = h.read_latency_cycles;
  c.dram_read_in_flight_cycles = h.read_in_flight_cycles;
  *out = c;
}
