// SPDX-License-Identifier: Apache-2.0
//
// A thread block and a grid, run functionally.
#include <string.h>

#include "model/ref/wg_ref_race.h"
#include "model/ref/wg_ref_span.h"
#include "model/ref/wg_ref_spin.h"
#include "model/ref/wg_ref_stats.h"
#include "model/ref/wg_ref_tools.h"
#include "model/ref/wg_ref_view.h"
#include "model/ref/wg_ref_writers.h"
#include "model/twin/coalescer.h"
#include "model/twin/smem_passes.h"

enum { kQuantum = 4096 }; /* instructions of a warp before the next one's turn, so that waiting loops make progress */

typedef struct block_warp {
  wg_ref_warp_t w;
  wg_ref_hash_t hash;
  wg_spin_t spin;
  bool at_bar;
  uint8_t bar_id;
} block_warp_t;

struct wg_ref_block {
  wg_cta_launch_t cta;
  wg_ref_code_t *code;
  const wg_ref_mem_t *mem;
  wg_ref_place_t *place;
  wg_ref_banks_t banks;
  uint8_t *bank_data[4];
  uint32_t num_warps, next;
  uint32_t admitted; /* of them, the first ones: may run */
  bool counted; /* as started */
  block_warp_t warp[kWgRefBlockWarps];
  wg_barrier_t bar;
  bool spin_on, spin_broken; /* a window is open; shared memory changed in it */
  uint8_t *shared;
  uint32_t (*regs)[32];
  wg_race_block_t *race; /* or NULL */
  wg_span_block_t *span; /* or NULL */
  wg_tools_block_t *tools; /* or NULL */
  wg_writers_t *writers;   /* or NULL */
  wg_ref_watch_t watch;    /* before NULL: nobody looks on */
  uint32_t let_go;         /* warps released since the watcher was told */
};

static void *zeroed(size_t n, size_t size) {
  void *p = calloc(n != 0u ? n : 1u, size);
  WG_BUG(p == NULL);
  return p;
}

static bool read_banks(wg_ref_block_t *b) {
  for (unsigned k = 0; k < 4u; k++) {
    uint32_t size = b->cta.const_size[k];
    if (size == 0u) continue;
    WG_BUG(size > 65536u);
    b->bank_data[k] = zeroed(size, 1);
    if (!b->mem->read(b->mem->ctx, b->cta.const_base[k], b->bank_data[k], size)) return false;
    b->banks.data[k] = b->bank_data[k];
    b->banks.size[k] = size;
  }
  return true;
}

wg_ref_block_t *wg_ref_block_new(const wg_cta_launch_t *cta, wg_ref_code_t *code, const wg_ref_mem_t *mem,
                                 wg_ref_place_t *place) {
  wg_ref_block_t *b = zeroed(1, sizeof *b);
  b->cta = *cta;
  b->code = code;
  b->mem = mem;
  b->place = place;
  if (!read_banks(b)) {
    wg_ref_block_free(b);
    return NULL;
  }
  uint32_t regs = (cta->regs_per_thread + (uint32_t)kWgRegUnit - 1u) / (uint32_t)kWgRegUnit * (uint32_t)kWgRegUnit;
  while (b->num_warps < (uint32_t)kWgRefBlockWarps && wg_ref_present(cta, b->num_warps) != 0u) b->num_warps++;
  WG_BUG(b->num_warps == 0u);
  b->admitted = b->num_warps;
  b->regs = zeroed((size_t)b->num_warps * regs, sizeof *b->regs);
  b->shared = zeroed(cta->shared_bytes, 1);
  for (uint32_t i = 0; i < b->num_warps; i++) {
    wg_ref_warp_t *w = &b->warp[i].w;
    wg_ref_warp_init(w, cta->entry_pc, wg_ref_present(cta, i));
    w->reg = b->regs + (size_t)i * regs;
    w->num_regs = regs;
    w->warp = i;
    w->warp_slot = i;
    w->shared_size = cta->shared_bytes;
    w->cta = &b->cta;
    w->banks = &b->banks;
    wg_ref_hash_init(&b->warp[i].hash, &b->cta, i);
  }
  wg_barrier_reset(&b->bar, b->num_warps == 32u ? UINT32_MAX : (1u << b->num_warps) - 1u);
  return b;
}

void wg_ref_block_warp_slots(wg_ref_block_t *b, const uint8_t *slot) {
  for (uint32_t i = 0; i < b->num_warps; i++) b->warp[i].w.warp_slot = slot[i];
}

void wg_ref_block_free(wg_ref_block_t *b) {
  if (b == NULL) return;
  for (unsigned k = 0; k < 4u; k++) free(b->bank_data[k]);
  for (uint32_t i = 0; i < b->num_warps; i++) wg_spin_free(&b->warp[i].spin);
  wg_race_block_free(b->race);
  wg_span_block_free(b->span);
  wg_tools_block_free(b->tools);
  free(b->regs);
  free(b->shared);
  free(b);
}

void wg_ref_block_diverge(wg_ref_block_t *b, const wg_diverge_cfg_t *cfg) {
  for (uint32_t i = 0; i < b->num_warps; i++) {
    wg_diverge_cfg_t c = *cfg;
    c.seed += 1021u * i;
    wg_ref_warp_diverge(&b->warp[i].w, &c);
  }
}

void wg_ref_block_race(wg_ref_block_t *b, wg_race_t *race) {
  b->race = wg_race_block_new(race, &b->cta, b->warp[0].w.div.cfg.its);
}

void wg_ref_block_span(wg_ref_block_t *b, wg_span_t *span) {
  b->span = wg_span_block_new(span, &b->cta, b->warp[0].w.div.cfg.its);
}

void wg_ref_block_half(wg_ref_block_t *b) { b->admitted = (b->num_warps + 1u) / 2u; }

void wg_ref_block_writers(wg_ref_block_t *b, wg_writers_t *writers) { b->writers = writers; }

void wg_ref_block_watch(wg_ref_block_t *b, const wg_ref_watch_t *watch) { b->watch = *watch; }

const wg_cta_launch_t *wg_ref_block_cta(const wg_ref_block_t *b) { return &b->cta; }

bool wg_ref_block_view(const wg_ref_block_t *b, uint32_t warp, wg_warp_view_t *out) {
  if (warp >= b->num_warps || wg_diverge_ended(&b->warp[warp].w.div)) return false;
  const block_warp_t *bw = &b->warp[warp];
  *out = (wg_warp_view_t){.w = &bw->w, .code = b->code, .bar = &b->bar, .shared = b->shared, .at_bar = bw->at_bar, .bar_id = bw->bar_id};
  return true;
}

void wg_ref_block_tools(wg_ref_block_t *b, wg_tools_t *tools) {
  b->tools = wg_tools_block_new(tools, &b->cta, b->warp[0].w.div.cfg.its);
}

/* Barrier `id` is complete: these warps go on. */
static void release(wg_ref_block_t *b, unsigned id, uint32_t warps) {
  const wg_barrier_one_t *o = &b->bar.bar[id];
  for (; warps != 0u; warps &= warps - 1u) {
    block_warp_t *bw = &b->warp[__builtin_ctz(warps)];
    bw->at_bar = false;
    b->let_go |= 1u << __builtin_ctz(warps);
    if (o->done_red != kWgBarRedNone) bw->w.bar_result = o->result;
    wg_diverge_release(&bw->w.div);
  }
}

static uint32_t place_sreg(const wg_ref_block_t *b, const wg_ref_warp_t *w, unsigned sr) {
  const wg_ref_place_t *p = b->place;
  switch (sr) {
    case kWgSrWarpId: return w->warp;
    case kWgSrNWarpId: return p->nwarpid;
    case kWgSrSmId: return p->smid;
    case kWgSrNSmId: return p->nsmid;
    case kWgSrClockLo:
    case kWgSrGlobalTimerLo: return (uint32_t)p->clock;
    case kWgSrClockHi:
    case kWgSrGlobalTimerHi: return (uint32_t)(p->clock >> 32);
    case kWgSrBarResult: return w->bar_result;
    default: return 0u;
  }
}

static void write_sreg(const wg_ref_block_t *b, wg_ref_warp_t *w, const wg_ref_step_t *st) {
  const wg_insn_t *in = &st->insn->in;
  if (in->rd == kWgRZ) return;
  uint32_t v = place_sreg(b, w, in->imm);
  for (unsigned l = 0; l < 32u; l++) {
    if ((st->exec >> l & 1u) != 0u) w->reg[in->rd][l] = v;
  }
}

static unsigned count_shared(const wg_ref_step_t *st, wg_access_t kind, wg_ref_totals_t *t) {
  const wg_insn_t *in = &st->insn->in;
  uint32_t addr[32];
  wg_smem_passes_t p;
  for (unsigned l = 0; l < 32u; l++) addr[l] = (st->shared >> l & 1u) != 0u ? (uint32_t)st->addr[l] : 0u;
  if (wg_insn_is_atomic(in->op)) wg_smem_split_atom(addr, st->bytes, st->shared, &p);
  else wg_smem_split(addr, st->bytes, st->shared, kind == kWgAccStore || in->op == kWgOp_LDSM, &p);
  wg_count_shared(t, kind, st->addr, st->bytes, st->shared, &p);
  wg_count_wavefronts(t, kind, p.num);
  return p.num;
}

static unsigned count_local(const wg_ref_step_t *st, wg_access_t kind, wg_ref_totals_t *t) {
  wg_line_access_t line[32];
  unsigned n = wg_coalesce(st->addr, st->bytes, st->local, line);
  bool store = kind == kWgAccStore;
  *(store ? &t->local_store_requests : &t->local_load_requests) += 1u;
  for (unsigned i = 0; i < n; i++) {
    *(store ? &t->local_store_sectors : &t->local_load_sectors) += (uint64_t)__builtin_popcount(line[i].sectors);
  }
  return n;
}

static unsigned count_global(const wg_ref_step_t *st, wg_access_t kind, uint32_t lanes, wg_ref_totals_t *t) {
  wg_line_access_t line[32];
  unsigned n = wg_coalesce(st->addr, st->bytes, lanes, line);
  wg_count_global(t, kind, st->addr, st->bytes, lanes, line, n);
  if (kind == kWgAccRed || kind == kWgAccAtom) n = wg_coalesce_atom(st->addr, st->bytes, lanes, line);
  for (unsigned i = 0; i < n; i++) wg_count_line(t, kind, line[i].sectors);
  return n;
}

/* A generic access counts once in each space that it touches. */
static void count_memory(const wg_ref_step_t *st, wg_ref_totals_t *t) {
  wg_access_t kind = wg_access_of(&st->insn->in);
  uint32_t device = st->lanes & ~st->shared;
  unsigned passes = 0u;
  if (st->insn->in.op == kWgOp_LDC) {
    wg_line_access_t line[32];
    passes = wg_coalesce_const(st->addr, st->bytes, device, line);
    t->const_requests += passes != 0u ? 1u : 0u;
    t->const_passes += passes;
  } else {
    if (st->shared != 0u) passes += count_shared(st, kind, t);
    if (st->local != 0u) passes += count_local(st, kind, t);
    if ((device & ~st->local) != 0u) passes += count_global(st, kind, device & ~st->local, t);
  }
  t->replay_passes += passes > 1u ? passes - 1u : 0u;
}

static void count(block_warp_t *bw, const wg_ref_step_t *st, wg_ref_totals_t *totals) {
  uint32_t place[32];
  const wg_insn_t *in = &st->insn->in;
  wg_count_insn(totals, in, &st->insn->regs, st->mask, st->exec);
  if (st->exec == 0u) return;
  wg_ref_hash_begin(&bw->hash, st->exec, place);
  wg_ref_written_t w = wg_ref_written_of(st);
  if (st->kind == kWgRefMemory) {
    count_memory(st, totals);
    w.rows = in->rd != kWgRZ ? wg_ref_result_words(in) : 0u;
    for (unsigned k = 0; k < w.rows; k++) w.row[k] = bw->w.reg[in->rd + k];
  } else if (st->kind == kWgRefSreg && w.rows != 0u) {
    w.row[0] = bw->w.reg[in->rd];
  }
  if (in->op == kWgOp_BSSYR) w.rows = 0u; /* which lanes run together depends on the mode */
  totals->retire_hash += wg_ref_hash_terms(&bw->hash, st->exec, 0u, place, st->pc, &w);
}

/* The memory access of a step. In a window, shared memory that really changes ends the window. */
static void do_memory(wg_ref_block_t *b, block_warp_t *bw, wg_ref_step_t *st) {
  uint8_t old[32][16];
  const wg_insn_t *in = &st->insn->in;
  bool writes = wg_insn_is_store(in->op) || wg_insn_is_atomic(in->op);
  uint32_t watched = b->spin_on && !b->spin_broken && writes ? st->shared & st->exec : 0u;
  for (uint32_t m = watched; m != 0u; m &= m - 1u) {
    unsigned l = (unsigned)__builtin_ctz(m);
    memcpy(old[l], b->shared + st->addr[l], st->bytes);
  }
  wg_ref_memory(&bw->w, st, st->exec, b->shared, b->mem);
  for (uint32_t m = watched; m != 0u; m &= m - 1u) {
    unsigned l = (unsigned)__builtin_ctz(m);
    b->spin_broken = b->spin_broken || memcmp(old[l], b->shared + st->addr[l], st->bytes) != 0;
  }
}

/* Who writes flags and locks. Results are in the registers. */
static void note_writer(wg_ref_block_t *b, const block_warp_t *bw, const wg_ref_step_t *st) {
  const wg_insn_t *in = &st->insn->in;
  if (!wg_insn_is_store(in->op) && !wg_insn_is_atomic(in->op)) return;
  if (st->fault != kWgFaultNone) return;
  if (!wg_insn_is_atomic(in->op) || in->rd == kWgRZ) {
    wg_writers_store(b->writers, &b->cta, bw->w.warp, st);
    return;
  }
  const uint32_t *const old[2] = {bw->w.reg[in->rd], wg_ref_result_words(in) > 1u ? bw->w.reg[in->rd + 1u] : NULL};
  wg_writers_atomic(b->writers, &b->cta, bw->w.warp, in, st->pc, st->exec, st->shared, st->addr, (const uint32_t(*)[32])st->data, old);
}

/* One instruction of warp i. @return its fault code */
static uint8_t step_warp(wg_ref_block_t *b, uint32_t i, wg_ref_step_t *st, wg_ref_totals_t *totals) {
  block_warp_t *bw = &b->warp[i];
  bool watched = b->spin_on && !b->spin_broken;
  if (watched) wg_spin_before(&bw->spin, &bw->w, 0u);
  wg_ref_issue(&bw->w, wg_ref_code_at(b->code, bw->w.div.pc), st);
  if (b->race != NULL && st->fault == kWgFaultNone) wg_race_issue(b->race, &bw->w, st);
  if (b->span != NULL && st->fault == kWgFaultNone) wg_span_issue(b->span, &bw->w, st);
  if (b->tools != NULL) wg_tools_issue(b->tools, &bw->w, st);
  if (st->fault == kWgFaultNone && st->kind == kWgRefMemory) {
    do_memory(b, bw, st);
    if (b->writers != NULL) note_writer(b, bw, st);
    if (b->race != NULL) wg_race_loaded(b->race, i, &st->insn->in, st->pc, st->lanes & ~st->local, st->shared, st->addr);
    if (b->span != NULL && wg_insn_is_atomic(st->insn->in.op) && st->insn->in.rd != kWgRZ)
      wg_span_loaded(b->span, i, &st->insn->in, st->lanes, st->shared, st->addr,
                     (const uint32_t(*)[32])(bw->w.reg + st->insn->in.rd), (const uint32_t(*)[32])st->data);
  }
  if (watched) wg_spin_after(&bw->spin, &bw->w, st);
  if (st->fault != kWgFaultNone) return st->fault;
  if (st->kind == kWgRefSreg) write_sreg(b, &bw->w, st);
  if (st->kind == kWgRefBarrier) {
    wg_barrier_out_t o = wg_barrier_take(&b->bar, i, &st->bar);
    if (o.fault != kWgFaultNone) {
      st->fault = o.fault;
      const wg_barrier_one_t *has = &b->bar.bar[st->bar.id % kWgBarriers];
      const wg_bar_trap_t why = {st->bar.id, st->bar.has_count ? st->bar.count : 0u, has->has_count ? has->count : 0u,
                                 has->arrived};
      st->fault_lanes = st->bar.lanes;
      st->fault_addr = wg_bar_trap_pack(&why);
      st->pc = st->bar.pc;
      return st->fault;
    }
    bw->at_bar = !st->bar.arrive_only;
    bw->bar_id = st->bar.id;
    release(b, st->bar.id, o.release);
  }
  count(bw, st, totals);
  if (!b->place->pc_any || st->pc < b->place->pc_lo) b->place->pc_lo = st->pc;
  if (!b->place->pc_any || st->pc > b->place->pc_hi) b->place->pc_hi = st->pc;
  b->place->pc_any = true;
  b->place->clock++;
  if (wg_diverge_ended(&bw->w.div)) {
    if (b->admitted < b->num_warps) b->admitted++; /* its place is free */
    uint32_t rel[kWgBarriers];
    uint32_t done = wg_barrier_exit(&b->bar, i, rel);
    for (; done != 0u; done &= done - 1u) release(b, (unsigned)__builtin_ctz(done), rel[__builtin_ctz(done)]);
  }
  return kWgFaultNone;
}

static void fill_fault(const wg_ref_block_t *b, uint32_t warp, const wg_ref_step_t *st, wg_fault_t *f) {
  memset(f, 0, sizeof *f);
  f->code = st->fault;
  f->grid_id = b->cta.grid_id;
  memcpy(f->ctaid, b->cta.ctaid, sizeof f->ctaid);
  f->warp = (uint8_t)warp;
  f->warp_in_block = (uint8_t)warp;
  f->lanes = st->fault_lanes;
  f->pc = st->pc;
  f->addr = st->fault_addr;
  f->cycle = b->place->clock;
  f->sm = (uint16_t)b->place->smid;
}

wg_ref_state_t wg_ref_block_run(wg_ref_block_t *b, uint64_t max_insts, wg_ref_totals_t *totals, wg_fault_t *fault) {
  wg_ref_step_t st;
  uint64_t done = 0;
  uint32_t idle = 0, live = 0;
  for (uint32_t i = 0; !b->counted && i < b->num_warps; i++) {
    wg_count_warp(totals, wg_ref_present(&b->cta, i), i == 0u);
  }
  b->counted = true;
  while (done < max_insts) {
    block_warp_t *bw = &b->warp[b->next];
    if (!wg_diverge_ended(&bw->w.div)) live++;
    bool ran = false;
    for (unsigned n = 0; n < (unsigned)kQuantum && bw->w.div.mask != 0u && !bw->at_bar && b->next < b->admitted; n++) {
      if (b->watch.before != NULL) b->watch.before(b->watch.ctx, b, b->next);
      b->let_go = 0u;
      if (step_warp(b, b->next, &st, totals) != kWgFaultNone) {
        if (b->watch.after != NULL) b->watch.after(b->watch.ctx, b, b->next, &st, 0u);
        if (fault != NULL) fill_fault(b, b->next, &st, fault);
        return kWgRefFaulted;
      }
      if (b->watch.after != NULL) b->watch.after(b->watch.ctx, b, b->next, &st, b->let_go);
      ran = true;
      done++;
    }
    idle = ran ? 0u : idle + 1u;
    b->next = (b->next + 1u) % b->num_warps;
    if (idle < b->num_warps) continue;
    live = 0;
    for (uint32_t i = 0; i < b->num_warps; i++) live += wg_diverge_ended(&b->warp[i].w.div) ? 0u : 1u;
    return live == 0u ? kWgRefEnded : kWgRefDeadlock;
  }
  return kWgRefRunning;
}

void wg_ref_block_spin_begin(wg_ref_block_t *b) {
  b->spin_on = true;
  b->spin_broken = false;
  for (uint32_t i = 0; i < b->num_warps; i++) wg_spin_begin(&b->warp[i].spin);
}

bool wg_ref_block_spins(const wg_ref_block_t *b, bool *any) {
  if (!b->spin_on || b->spin_broken) return false;
  for (uint32_t i = 0; i < b->num_warps; i++) {
    const block_warp_t *bw = &b->warp[i];
    if (i >= b->admitted) continue;
    if (!wg_spin_stuck(&bw->spin, &bw->w, bw->at_bar)) return false;
    if (wg_spin_lanes(&bw->spin) != 0u && !wg_diverge_ended(&bw->w.div)) *any = true;
  }
  return true;
}

wg_thread_state_t wg_ref_block_thread(const wg_ref_block_t *b, uint32_t warp, unsigned lane, unsigned *barrier) {
  const block_warp_t *bw = &b->warp[warp];
  *barrier = bw->at_bar ? bw->bar_id : bw->w.div.bar.id;
  return wg_spin_thread(&bw->spin, &bw->w, bw->at_bar, lane);
}

void wg_ref_block_spin_text(const wg_ref_block_t *b, wg_spin_report_t *r) {
  for (uint32_t i = 0; i < b->num_warps; i++) wg_spin_report(r, &b->warp[i].spin, &b->warp[i].w);
}

const char *wg_ref_block_waits(const wg_ref_block_t *b, char *buf, size_t n) {
  size_t at = 0;
  buf[0] = '\0';
  for (uint32_t i = 0; i < b->num_warps && at + 1u < n; i++) {
    const block_warp_t *bw = &b->warp[i];
    if (wg_diverge_ended(&bw->w.div)) continue;
    if (i >= b->admitted) {
      int len = snprintf(buf + at, n - at, "%swarps %u to %u are not admitted until one ends", at != 0u ? "; " : "", i, b->num_warps - 1u);
      at += len > 0 ? (size_t)len : 0u;
      break;
    }
    if (!bw->at_bar) {
      char why[160];
      bool runs = bw->w.div.mask != 0u;
      int len = runs ? snprintf(buf + at, n - at, "%swarp %u at pc 0x%x", at != 0u ? "; " : "", i, bw->w.div.pc)
                     : snprintf(buf + at, n - at, "%swarp %u %s", at != 0u ? "; " : "", i,
                                wg_diverge_waits(&bw->w.div, why, sizeof why));
      at += len > 0 ? (size_t)len : 0u;
      continue;
    }
    const wg_barrier_one_t *o = &b->bar.bar[bw->bar_id];
    char count[40] = "", gone[40] = "", lanes[24] = "";
    uint32_t all = b->num_warps == 32u ? UINT32_MAX : (1u << b->num_warps) - 1u, exited = all & ~b->bar.present;
    bool part = bw->w.div.mask != 0u && bw->w.div.mask != bw->w.present;
    if (o->has_count) snprintf(count, sizeof count, ", %u threads are asked for", o->count);
    if (o->has_count && exited != 0u) snprintf(gone, sizeof gone, ", warps 0x%x have exited", exited);
    if (part) snprintf(lanes, sizeof lanes, " lanes 0x%08x", bw->w.div.mask);
    int len = snprintf(buf + at, n - at, "%swarp %u%s at barrier %u (pc 0x%x, arrived 0x%x of 0x%x%s)%s",
                       at != 0u ? "; " : "", i, lanes, bw->bar_id, bw->w.div.pc, o->arrived, b->bar.present, count, gone);
    at += len > 0 ? (size_t)len : 0u;
  }
  return buf;
}
