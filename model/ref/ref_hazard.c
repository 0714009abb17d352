// SPDX-License-Identifier: Apache-2.0
//
// Each instruction with something in flight is an entry: a fixed-latency one until its cycles are over, a
// variable-latency one until its counters have been waited for. Such an entry of a loop is kept once (an
// instruction names the same counters every time), so there are never more than the kernel has instructions.
#include "model/ref/ref_hazard.h"

#include <string.h>

struct wg_hazard_entry {
  wg_regset_t regs;
  uint32_t pc;
  uint32_t unwritten, unread; /* lanes */
  uint64_t cycle, issued;
  uint8_t pd[2];
  uint8_t wr_ctr, rd_ctr;
  uint8_t result, pred; /* fixed: distances */
  bool fixed;
};

void wg_hazard_free(wg_hazard_t *h) {
  free(h->entry);
  memset(h, 0, sizeof *h);
}

const char *wg_hazard_name(wg_hazard_kind_t kind) {
  switch (kind) {
    case kWgHazardRaw: return "read before it is written";
    case kWgHazardWaw: return "written before the last write is done";
    case kWgHazardWar: return "overwritten before it is read";
    default: return "none";
  }
}

/* What the wait mask and the cycles gone by have settled leaves the list. */
static void settle(wg_hazard_t *h, uint8_t wait) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < h->num; i++) {
    wg_hazard_entry_t *e = &h->entry[i];
    if (e->fixed) {
      uint64_t gone = h->now - e->issued;
      if (gone >= e->result && gone >= e->pred) e->unwritten = 0;
    } else {
      if (e->wr_ctr < kWgCounters && (wait >> e->wr_ctr & 1u) != 0) e->unwritten = e->unread = 0;
      if (e->rd_ctr < kWgCounters && (wait >> e->rd_ctr & 1u) != 0) e->unread = 0;
    }
    if ((e->unwritten | e->unread) != 0u) h->entry[kept++] = *e;
  }
  h->num = kept;
}

static bool names(const wg_regset_t *r, unsigned k, unsigned reg) {
  return reg >= r->first[k] && reg < (unsigned)r->first[k] + r->count[k];
}

/* Lanes in which the write of entry `e` is still out at the cycle `now`. */
static uint32_t write_open(const wg_hazard_entry_t *e, uint64_t now, bool pred) {
  return !e->fixed || now - e->issued < (pred ? e->pred : e->result) ? e->unwritten : 0u;
}

static bool report(const wg_hazard_entry_t *e, uint64_t now, wg_hazard_kind_t kind, bool pred, unsigned reg, uint32_t lanes,
                   wg_hazard_report_t *out) {
  bool fixed = e->fixed;
  uint8_t counter = kind == kWgHazardWar ? e->rd_ctr : e->wr_ctr;
  out->kind = kind;
  out->pred = pred;
  out->reg = (uint8_t)reg;
  out->fixed = fixed;
  out->counter = fixed ? kWgNoCounter : counter;
  out->need = pred ? e->pred : e->result;
  out->have = (uint32_t)(now - e->issued);
  out->lanes = lanes;
  out->first_pc = e->pc;
  out->first_cycle = e->cycle;
  return false;
}

static bool check_registers(const wg_hazard_t *h, const wg_hazard_entry_t *e, const wg_regset_t *r, uint32_t exec,
                            wg_hazard_report_t *out) {
  uint32_t open = exec & write_open(e, h->now, false), unread = exec & e->unread;
  for (unsigned k = 0; k < 5u; k++) {
    for (unsigned j = 0; j < r->count[k]; j++) {
      unsigned reg = (unsigned)r->first[k] + j;
      if (open != 0u && names(&e->regs, 4, reg))
        return report(e, h->now, k < 4u ? kWgHazardRaw : kWgHazardWaw, false, reg, open, out);
      if (k < 4u || unread == 0u) continue;
      for (unsigned i = 0; i < 4u; i++) {
        if (names(&e->regs, i, reg)) return report(e, h->now, kWgHazardWar, false, reg, unread, out);
      }
    }
  }
  return true;
}

static bool check_predicates(const wg_hazard_t *h, const wg_hazard_entry_t *e, const wg_insn_t *in, uint32_t mask, uint32_t exec,
                             wg_hazard_report_t *out) {
  uint32_t open = write_open(e, h->now, true);
  if (open == 0u) return true;
  const uint8_t p[5] = {in->guard, in->ps0, in->ps1, in->pd0, in->pd1};
  for (unsigned i = 0; i < 5u; i++) {
    uint32_t lanes = open & (i == 0u ? mask : exec); /* the guard of every running lane is read */
    if (p[i] == kWgPT || lanes == 0u) continue;
    if (p[i] == e->pd[0] || p[i] == e->pd[1])
      return report(e, h->now, i < 3u ? kWgHazardRaw : kWgHazardWaw, true, p[i], lanes, out);
  }
  return true;
}

static wg_hazard_entry_t *place(wg_hazard_t *h, uint32_t pc, bool fixed) {
  for (uint32_t i = 0; i < h->num && !fixed; i++) {
    if (h->entry[i].pc == pc) return &h->entry[i];
  }
  if (h->num == h->cap) {
    h->cap = h->cap == 0u ? 32u : 2u * h->cap;
    h->entry = realloc(h->entry, h->cap * sizeof *h->entry);
    WG_BUG(h->entry == NULL);
  }
  wg_hazard_entry_t *e = &h->entry[h->num++];
  memset(e, 0, sizeof *e);
  return e;
}

static void record(wg_hazard_t *h, const wg_ctl_table_t *t, const wg_insn_t *in, const wg_regset_t *r, uint32_t pc,
                   uint32_t exec, uint64_t cycle) {
  wg_ctl_class_t c = wg_ctl_class(in->op);
  bool fixed = c < kWgCtlVariable;
  bool writes = r->count[4] != 0 || in->pd0 != kWgPT || in->pd1 != kWgPT;
  bool reads = wg_ctl_reads_late(in->op) && r->count[0] + r->count[1] + r->count[2] + r->count[3] != 0;
  if (exec == 0u || (!writes && !reads)) return;
  wg_hazard_entry_t *e = place(h, pc, fixed);
  e->regs = *r;
  e->pc = pc;
  e->cycle = cycle;
  e->issued = h->now;
  e->pd[0] = in->pd0;
  e->pd[1] = in->pd1;
  e->wr_ctr = (uint8_t)wg_ctl_write_counter(in);
  e->rd_ctr = (uint8_t)wg_ctl_read_counter(in);
  e->fixed = fixed;
  if (writes) e->unwritten |= exec;
  if (reads) e->unread |= exec;
  if (!fixed) return;
  e->result = r->count[4] != 0 ? t->result[c] : 0u;
  e->pred = in->pd0 != kWgPT || in->pd1 != kWgPT ? t->pred[c] : 0u;
}

bool wg_hazard_issue(wg_hazard_t *h, const wg_ctl_table_t *t, const wg_insn_t *in, uint32_t pc, uint32_t mask, uint32_t exec,
                     uint64_t cycle, wg_hazard_report_t *out) {
  h->now += h->stall;
  h->stall = in->stall == 0u ? 1u : in->stall;
  settle(h, in->wait_mask);
  wg_regset_t r = wg_insn_regs(in);
  out->kind = kWgHazardNone;
  out->pc = pc;
  for (uint32_t i = 0; i < h->num; i++) {
    const wg_hazard_entry_t *e = &h->entry[i];
    if (!check_registers(h, e, &r, exec, out) || !check_predicates(h, e, in, mask, exec, out)) return false;
  }
  record(h, t, in, &r, pc, exec, cycle);
  return true;
}
