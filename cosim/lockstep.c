// SPDX-License-Identifier: Apache-2.0
//
// The checker's outside: life, recording and ordering of events, port messages, faults, end of a run.
#include "cosim/lockstep.h"

#include <string.h>

#include "cosim/lockstep_int.h"
#include "cosim/lockstep_view.h"

/* A recorded write-back owns its rows. */
typedef struct wb_record {
  wg_ev_wb_t e;
  uint32_t lo[32], hi[32];
} wb_record_t;

static const size_t kEventSize[kEvKinds] = {
    [kEvInit] = sizeof(wg_ev_init_t), [kEvIssue] = sizeof(wg_ev_issue_t), [kEvWb] = sizeof(wb_record_t),
    [kEvPred] = sizeof(wg_ev_pred_t), [kEvLsu] = sizeof(wg_ev_lsu_t),     [kEvShm] = sizeof(wg_ev_shm_t),
    [kEvInval] = sizeof(wg_ev_inval_t), [kEvL1] = sizeof(wg_ev_l1_t),     [kEvFill] = sizeof(wg_ev_fill_t),   [kEvLsuDone] = sizeof(wg_ev_lsu_done_t),
    [kEvFree] = sizeof(wg_ev_free_t), [kEvStack] = sizeof(wg_ev_stack_t), [kEvPick] = sizeof(wg_ev_pick_t),
    [kEvBar] = sizeof(wg_ev_bar_t),
};

/* ---- life ---- */

static void *zeroed(size_t n, size_t size) {
  void *p = calloc(n, size);
  WG_BUG(p == NULL);
  return p;
}

wg_lockstep_t *wg_lockstep_new(const wg_shape_t *shape, wg_lockstep_level_t level, const wg_lockstep_env_t *env) {
  wg_lockstep_t *ls = zeroed(1, sizeof *ls);
  ls->shape = *shape;
  ls->level = level;
  ls->env = *env;
  uint32_t rows = shape->regs_per_subcore / (uint32_t)kWgWarpThreads;
  for (unsigned s = 0; s < shape->sub_cores; s++) {
    ls->reg[s] = zeroed(rows, sizeof *ls->reg[s]);
    ls->reg_known[s] = zeroed(rows, sizeof *ls->reg_known[s]);
    ls->issued[s] = -1;
  }
  ls->shared_cap = shape->smem_bytes;
  ls->shared = zeroed(ls->shared_cap, 1);
  ls->shared_known = zeroed(ls->shared_cap, 1);
  for (unsigned k = 0; k < kEvKinds; k++) ls->queue[k].size = kEventSize[k];
  return ls;
}

static void drop_open(wg_lockstep_t *ls) {
  for (unsigned s = 0; s < (unsigned)kWgMaxSubCores; s++) {
    for (unsigned i = 0; i < (unsigned)kWgMaxWarpSlots; i++) {
      ls_warp_t *lw = &ls->warp[s][i];
      for (unsigned k = 0; k < lw->ops; k++) {
        lw->op[k]->next_free = ls->free_ops;
        ls->free_ops = lw->op[k];
      }
      lw->ops = 0u;
      lw->active = false;
    }
  }
  memset(ls->tag, 0, sizeof ls->tag);
  for (unsigned i = 0; i < (unsigned)kWgMemIds; i++) {
    ls_req_t *r = &ls->req[i];
    r->due = r->asked = r->arrived = r->written = 0u;
    memset(r->waits, 0, sizeof r->waits);
  }
  ls->flits = 0u;
}

void wg_lockstep_free(wg_lockstep_t *ls) {
  if (ls == NULL) return;
  drop_open(ls);
  ls_blocks_reset(ls);
  for (ls_op_t *op = ls->free_ops; op != NULL;) {
    ls_op_t *next = op->next_free;
    free(op);
    op = next;
  }
  for (unsigned s = 0; s < (unsigned)kWgMaxSubCores; s++) {
    for (unsigned i = 0; i < (unsigned)kWgMaxWarpSlots; i++) {
      wg_hazard_free(&ls->warp[s][i].hazard);
      wg_spin_free(&ls->warp[s][i].spin);
    }
  }
  for (unsigned i = 0; i < (unsigned)kLsCodes; i++) wg_ref_code_free(ls->code[i]);
  for (unsigned s = 0; s < (unsigned)kWgMaxSubCores; s++) {
    free(ls->reg[s]);
    free(ls->reg_known[s]);
  }
  for (unsigned i = 0; i < (unsigned)kWgMemIds; i++) {
    for (unsigned s = 0; s < 4u; s++) free(ls->req[i].wait[s]);
  }
  for (unsigned k = 0; k < kEvKinds; k++) free(ls->queue[k].buf);
  free(ls->shared);
  free(ls->shared_known);
  free(ls->flit);
  free(ls->l1);
  free(ls);
}

static void flush(wg_lockstep_t *ls);

/* @param released every block must be released as well; else the last one may still be on its way out */
static void check_closed(wg_lockstep_t *ls, bool released) {
  for (unsigned s = 0; s < ls->shape.sub_cores; s++) {
    for (unsigned i = 0; i < ls->shape.warp_slots; i++) {
      ls_warp_t *lw = &ls->warp[s][i];
      if (!lw->active) continue;
      if (lw->faulted) {
        ls_fail(ls, lw, &lw->fault.pc, "fault not reported", "expected: %s\ngot: none", wg_fault_name(lw->fault.code));
      } else if (!released && wg_diverge_ended(&lw->w.div) && lw->ops == 0u) {
        continue;
      } else {
        ls_fail(ls, lw, NULL, "warp still there at the end",
                "expected: an idle SM\ngot: lanes 0x%08x, %u instructions open", lw->w.div.mask, lw->ops);
      }
      return;
    }
  }
  for (unsigned id = 0; id < (unsigned)kWgMemIds; id++) {
    const ls_req_t *r = &ls->req[id];
    if ((r->due | r->asked | r->arrived) == 0u) continue;
    ls_fail(ls, NULL, NULL, "request still open at the end",
            "expected: none\ngot: id %u, line 0x%llx, waited 0x%x asked 0x%x arrived 0x%x", id,
            (unsigned long long)r->line, r->due, r->asked, r->arrived);
    return;
  }
  if (ls->flits != 0u) {
    ls_fail(ls, NULL, NULL, "store never sent", "expected: bytes 0x%08x of 0x%llx, pc 0x%x\ngot: nothing",
            ls->flit[0].byte_mask, (unsigned long long)ls->flit[0].sector, ls->flit[0].pc);
  } else if (ls->launches != 0u) {
    ls_fail(ls, NULL, NULL, "block never started", "expected: %u launches to start\ngot: an idle SM", ls->launches);
  }
}

/* Blocks that were given up (a hang) leave warps with lanes to run. */
static bool given_up(const wg_lockstep_t *ls) {
  for (unsigned s = 0; s < ls->shape.sub_cores; s++) {
    for (unsigned i = 0; i < ls->shape.warp_slots; i++) {
      if (ls->warp[s][i].active && !wg_diverge_ended(&ls->warp[s][i].w.div)) return true;
    }
  }
  return false;
}

void wg_lockstep_reset(wg_lockstep_t *ls, const wg_sm_cfg_t *cfg) {
  flush(ls);
  if (!ls->quiet && !given_up(ls)) check_closed(ls, false);
  if (cfg->shared_bytes != ls->cfg.shared_bytes) {
    /* rows that were the L1's, or will be: what is in them is not followed */
    memset(ls->shared_known, 0, ls->shared_cap);
  }
  ls->cfg = *cfg;
  const uint32_t extra[] = {cfg->extra_latency[0], cfg->extra_latency[1], cfg->half_extra};
  ls->has_ctl = cfg->dep_mode != 0u && wg_ctl_table(ls->shape.lanes_int, cfg->issue_interval, extra, &ls->ctl, NULL) == kWgOk;
  for (unsigned k = 0; k < kEvKinds; k++) ls->queue[k].num = 0u;
  ls->any_event = false;
  drop_open(ls);
  ls_blocks_reset(ls);
  ls_l1_clear(ls);
  ls->spin_on = false;
  ls->mem_fault = ls->has_illegal = ls->pc_any = false;
  ls->legal_chunk = 0u;
  ls->faults = 0u;
  ls->quiet = ls->mismatch || ls->level == kWgLockstepOff;
  ls->has_sched = false;
  for (unsigned s = 0; s < ls->shape.sub_cores; s++) {
    ls->issued[s] = -1;
    if (ls->level == kWgLockstepUnits)
      ls->has_sched = wg_sched_reset(&ls->sched[s], cfg->policy, ls->shape.warp_slots, cfg->knob, cfg->progress_cycles);
  }
}

/* ---- recording ---- */

static void *record(wg_lockstep_t *ls, ls_kind_t kind, const void *e, size_t bytes) {
  if (ls->quiet) return NULL;
  ls_queue_t *q = &ls->queue[kind];
  if (q->num == q->cap) {
    q->cap = q->cap != 0u ? 2u * q->cap : 16u;
    q->buf = realloc(q->buf, q->cap * q->size);
    WG_BUG(q->buf == NULL);
  }
  ls->any_event = true;
  return memcpy(q->buf + q->size * q->num++, e, bytes);
}

#define LS_HOOK(NAME, KIND) \
  static void on_##NAME(void *ctx, const wg_ev_##NAME##_t *e) { record(ctx, KIND, e, sizeof *e); }
LS_HOOK(init, kEvInit)
LS_HOOK(issue, kEvIssue)
LS_HOOK(pred, kEvPred)
LS_HOOK(lsu, kEvLsu)
LS_HOOK(shm, kEvShm)
LS_HOOK(l1, kEvL1)
LS_HOOK(fill, kEvFill)
LS_HOOK(inval, kEvInval)
LS_HOOK(lsu_done, kEvLsuDone)
LS_HOOK(free, kEvFree)
LS_HOOK(stack, kEvStack)
LS_HOOK(pick, kEvPick)
LS_HOOK(bar, kEvBar)
#undef LS_HOOK

static void on_wb(void *ctx, const wg_ev_wb_t *e) {
  wb_record_t *r = record(ctx, kEvWb, e, sizeof *e);
  if (r == NULL) return;
  memcpy(r->lo, e->lo, sizeof r->lo);
  if (e->wide) memcpy(r->hi, e->hi, sizeof r->hi);
}

/* Counted at once: nothing depends on its order. */
static void on_full(void *ctx, const wg_ev_full_t *e) {
  wg_lockstep_t *ls = ctx;
  ls->counts.l1_mshr_full_cycles += e->full ? 1u : 0u;
}

const wg_probe_hooks_t *wg_lockstep_hooks(const wg_lockstep_t *ls) {
  static const wg_probe_hooks_t kRetire = {.init = on_init,
                                           .issue = on_issue,
                                           .wb = on_wb,
                                           .pred = on_pred,
                                           .lsu = on_lsu,
                                           .shm = on_shm,
                                           .l1 = on_l1,
                                           .fill = on_fill,
                                           .inval = on_inval,
                                           .full = on_full,
                                           .lsu_done = on_lsu_done,
                                           .free = on_free};
  static const wg_probe_hooks_t kUnits = {.init = on_init,
                                          .issue = on_issue,
                                          .wb = on_wb,
                                          .pred = on_pred,
                                          .lsu = on_lsu,
                                          .shm = on_shm,
                                          .l1 = on_l1,
                                          .fill = on_fill,
                                          .inval = on_inval,
                                          .full = on_full,
                                          .lsu_done = on_lsu_done,
                                          .free = on_free,
                                          .stack = on_stack,
                                          .pick = on_pick,
                                          .bar = on_bar};
  if (ls->level == kWgLockstepOff) return NULL;
  return ls->level == kWgLockstepUnits ? &kUnits : &kRetire;
}

static void dispatch(wg_lockstep_t *ls, ls_kind_t kind, void *p) {
  switch (kind) {
    case kEvInit: ls_init(ls, p); break;
    case kEvIssue: ls_issue(ls, p); break;
    case kEvWb: {
      wb_record_t *r = p;
      r->e.lo = r->lo; /* the record may have moved */
      r->e.hi = r->hi;
      ls_wb(ls, &r->e);
      break;
    }
    case kEvPred: ls_pred(ls, p); break;
    case kEvLsu: ls_lsu(ls, p); break;
    case kEvShm: ls_shm(ls, p); break;
    case kEvL1: ls_l1(ls, p); break;
    case kEvFill: ls_fill(ls, p); break;
    case kEvInval: ls_inval(ls); break;
    case kEvLsuDone: ls_lsu_done(ls, p); break;
    case kEvFree: ls_free(ls, p); break;
    case kEvStack: ls_stack(ls, p); break;
    case kEvPick: ls_pick(ls, p); break;
    case kEvBar: ls_bar(ls, p); break;
    case kEvKinds: break;
  }
}

/* Stable order inside a kind: by sub-core where the event names one first. */
static void sort_by_sub(ls_queue_t *q) {
  uint8_t tmp[sizeof(wb_record_t)];
  for (size_t i = 1; i < q->num; i++) {
    size_t k = i;
    while (k > 0u && q->buf[(k - 1u) * q->size] > q->buf[k * q->size]) {
      memcpy(tmp, q->buf + k * q->size, q->size);
      memcpy(q->buf + k * q->size, q->buf + (k - 1u) * q->size, q->size);
      memcpy(q->buf + (k - 1u) * q->size, tmp, q->size);
      k--;
    }
  }
}

/* Look at the recorded cycle. */
static void flush(wg_lockstep_t *ls) {
  if (!ls->any_event) return;
  ls->any_event = false;
  sort_by_sub(&ls->queue[kEvIssue]); /* the retire order of one cycle; others do not depend on it */
  for (unsigned k = 0; k < kEvKinds; k++) {
    ls_queue_t *q = &ls->queue[k];
    if (k == kEvInval && ls->start_inval) ls_inval_start(ls);
    for (size_t i = 0; i < q->num && !ls->quiet; i++) dispatch(ls, (ls_kind_t)k, q->buf + i * q->size);
    q->num = 0u;
  }
}

void wg_lockstep_sync(wg_lockstep_t *ls) { flush(ls); }

void wg_lockstep_cycle(wg_lockstep_t *ls, uint64_t cycle) {
  flush(ls);
  ls->cycle = cycle;
}

/* ---- port ---- */

void wg_lockstep_rsp(wg_lockstep_t *ls, const wg_mem_rsp_t *rsp) {
  flush(ls);
  if (ls->quiet) return;
  ls_req_t *r = &ls->req[rsp->id];
  uint8_t bit = (uint8_t)(1u << (rsp->sector & 3u));
  if ((r->asked & bit) == 0u) {
    ls_fail(ls, NULL, NULL, "response to nothing", "expected: no open request %u sector %u\ngot: a response", rsp->id,
            rsp->sector);
    return;
  }
  r->asked &= (uint8_t)~bit;
  if (rsp->status != kWgFaultNone) ls->mem_fault = true;
  if (r->op != kWgMemLoad && r->op != kWgMemLoadCg && r->op != kWgMemAtom) return;
  r->arrived |= bit;
  r->status[rsp->sector & 3u] = rsp->status;
  memcpy(r->data[rsp->sector & 3u], rsp->data, sizeof r->data[0]);
}

static const char *byte_text(uint32_t mask, const uint8_t *data, unsigned b, char buf[24]) {
  if ((mask >> b & 1u) == 0u) return "not written";
  snprintf(buf, 24, "= 0x%02x", data[b]);
  return buf;
}

static void check_store(wg_lockstep_t *ls, const wg_mem_req_t *req) {
  uint64_t sector = req->line + 32u * (uint64_t)__builtin_ctz(req->sector_mask);
  size_t i = 0;
  while (i < ls->flits && ls->flit[i].sector != sector) i++;
  if (i == ls->flits) {
    ls_fail(ls, NULL, NULL, "store that no instruction made", "expected: nothing at 0x%llx\ngot: bytes 0x%08x, pc 0x%x",
            (unsigned long long)sector, req->byte_mask, req->pc);
    return;
  }
  const ls_flit_t f = ls->flit[i];
  uint32_t differ = 0u;
  for (unsigned b = 0; b < 32u; b++) {
    if ((f.byte_mask & ~f.unknown) >> b & 1u && (f.data[b] != req->data[b] || f.cmp[b] != req->cmp[b])) differ |= 1u << b;
  }
  const ls_warp_t *lw = &ls->warp[f.warp % ls->shape.sub_cores][f.warp / ls->shape.sub_cores];
  lw = lw->active ? lw : NULL;
  differ &= req->byte_mask;
  if (req->byte_mask != f.byte_mask || differ != 0u) {
    /* a wrong value tells more than a wrong mask */
    unsigned b = (unsigned)__builtin_ctz(differ != 0u ? differ : req->byte_mask ^ f.byte_mask);
    char want[24], got[24];
    ls_fail(ls, lw, &f.pc, "wrong store",
            "expected: bytes 0x%08x of 0x%llx, byte %u %s\ngot: bytes 0x%08x, byte %u %s", f.byte_mask,
            (unsigned long long)sector, b, byte_text(f.byte_mask, f.data, b, want), req->byte_mask, b,
            byte_text(req->byte_mask, req->data, b, got));
    return;
  }
  if (req->op != f.op || req->atom != f.atom) {
    ls_fail(ls, lw, &f.pc, "wrong operation of a request", "expected: %u, atomic 0x%02x\ngot: %u, 0x%02x", f.op, f.atom,
            req->op, req->atom);
    return;
  }
  if (req->pc != f.pc || req->warp != f.warp) {
    ls_fail(ls, lw, &f.pc, "store under another name", "expected: warp %u pc 0x%x\ngot: warp %u pc 0x%x", f.warp, f.pc,
            req->warp, req->pc);
    return;
  }
  ls->req[req->id].seq = f.seq;
  ls->req[req->id].cycle = f.cycle;
  ls->flits--;
  memmove(&ls->flit[i], &ls->flit[i + 1u], (ls->flits - i) * sizeof *ls->flit);
}

void wg_lockstep_req(wg_lockstep_t *ls, const wg_mem_req_t *req) {
  flush(ls);
  if (ls->quiet) return;
  ls_req_t *r = &ls->req[req->id];
  bool store = req->op == kWgMemStore || req->op == kWgMemRed, data = store || req->op == kWgMemAtom;
  bool one = req->sector_mask != 0u && (req->sector_mask & (req->sector_mask - 1u)) == 0u;
  if (req->op > kWgMemRed || req->sector_mask == 0u || req->sector_mask > 15u || (data && !one) ||
      req->line % (unsigned)kWgLineBytes != 0u) {
    ls_fail(ls, NULL, NULL, "malformed request",
            "expected: a line and its sectors\ngot: op %u line 0x%llx sectors 0x%x", req->op,
            (unsigned long long)req->line, req->sector_mask);
    return;
  }
  if (r->asked != 0u && (r->op != req->op || (r->asked & req->sector_mask) != 0u || store)) {
    ls_fail(ls, NULL, NULL, "request id used twice", "expected: a free id\ngot: %u, sectors 0x%x still open", req->id,
            r->asked);
    return;
  }
  if (data) check_store(ls, req);
  if (req->op == kWgMemLoad || req->op == kWgMemLoadCg || req->op == kWgMemAtom) {
    if ((req->sector_mask & ~(r->due & (uint8_t)~r->arrived)) != 0u || req->line != r->line) {
      ls_fail(ls, NULL, NULL, "load that no instruction needs",
              "expected: line 0x%llx sectors 0x%x for request %u\ngot: line 0x%llx sectors 0x%x",
              (unsigned long long)r->line, r->due, req->id, (unsigned long long)req->line, req->sector_mask);
      return;
    }
  }
  r->op = req->op;
  r->line = req->line;
  r->asked |= req->sector_mask;
}

/* ---- faults and ends ---- */

static bool fault_agrees(wg_lockstep_t *ls, ls_warp_t *lw, const wg_fault_t *f) {
  if (lw->faulted) {
    bool lanes = f->code == kWgFaultIllegalAddr || lw->fault.lanes == f->lanes; /* memory reports late, and by lines */
    return lw->fault.code == f->code && lw->fault.pc == f->pc && lanes;
  }
  const wg_ref_insn_t *at = wg_ref_code_at(ls->block[lw->block].code, f->pc);
  /* found by the barrier unit: the count differs within a generation */
  if (f->code == kWgFaultTrap && at->state == kWgFaultNone && (at->in.op == kWgOp_BAR || at->in.op == kWgOp_BARRED))
    return true;
  if (!ls_follow(lw, f->pc, 0u)) return false;
  wg_ref_issue(&lw->w, at, &ls->step); /* not issued by the design: a fault of fetch, decode or operands */
  return ls->step.fault == f->code && ls->step.fault != kWgFaultNone && ls->step.fault_lanes == f->lanes;
}

bool wg_lockstep_illegal(const wg_lockstep_t *ls, wg_fault_t *fault) {
  if (ls->has_illegal) *fault = ls->illegal;
  return ls->has_illegal;
}

bool wg_lockstep_pcs(wg_lockstep_t *ls, uint32_t *lo, uint32_t *hi) {
  bool any = ls->pc_any;
  if (any && ls->pc_lo < *lo) *lo = ls->pc_lo;
  if (any && ls->pc_hi > *hi) *hi = ls->pc_hi;
  ls->pc_any = false;
  return any;
}

/* What the design does not say of a fault: bits of an address that it does not keep; of an illegal address, which memory reports late,
   the lanes (those of one line or none) and the address (the line's). */
static void add_lanes(const wg_lockstep_t *ls, wg_fault_t *f) {
  const ls_warp_t *lw = &ls->warp[f->warp % ls->shape.sub_cores][f->warp / ls->shape.sub_cores % kWgMaxWarpSlots];
  const uint64_t wires = (UINT64_C(1) << 48) - 1u; /* the design keeps so much of an address; the golden model all of it */
  if (lw->faulted && lw->fault.code == f->code && lw->fault.pc == f->pc && (lw->fault.addr & wires) == f->addr)
    f->addr = lw->fault.addr;
  if (f->code != kWgFaultIllegalAddr || lw->bad_lanes == 0u || lw->bad_pc != f->pc || (f->lanes & ~lw->bad_lanes) != 0u) return;
  f->lanes = lw->bad_lanes;
  f->addr = lw->bad_addr;
}

/* A trap at a barrier: what it asks for, and what those that wait there have asked for. */
static void explain_trap(const wg_lockstep_t *ls, const ls_warp_t *lw, wg_fault_t *f) {
  const ls_block_t *b = &ls->block[lw->block];
  const wg_ref_insn_t *at = wg_ref_code_at(b->code, f->pc);
  if (lw->faulted) {
    f->addr = lw->fault.addr;
    return;
  }
  if (at->state != kWgFaultNone || (at->in.op != kWgOp_BAR && at->in.op != kWgOp_BARRED)) return;
  wg_bar_trap_t t = {lw->bar_last, lw->bar_asks, 0u, 0u};
  for (uint32_t k = 0; k < b->inited; k++) {
    const ls_warp_t *o = &ls->warp[wg_cta_place_sub(&ls->alloc, &b->place, k)][b->place.slot[k]];
    bool waits = o->active && (o->at_bar || o->count_bar != 0u) && o->bar_last == t.id;
    if (o == lw || !waits || o->bar_asks == t.asks) continue;
    t.expects = o->bar_asks;
    t.arrived |= 1u << k;
  }
  if (t.arrived == 0u) t.expects = 1u; /* those that came with BAR.ARV have gone on */
  f->addr = wg_bar_trap_pack(&t);
}

void wg_lockstep_fault(wg_lockstep_t *ls, wg_fault_t *fault) {
  flush(ls);
  add_lanes(ls, fault);
  if (ls->quiet) return;
  if (fault->code == kWgFaultIllegalAddr && ls->mem_fault) {
    ls->quiet = true;
    return;
  }
  ls_warp_t *lw =
      ls_warp_at(ls, fault->warp % ls->shape.sub_cores, fault->warp / ls->shape.sub_cores, "fault of an empty slot");
  if (lw == NULL) return;
  if (!fault_agrees(ls, lw, fault)) {
    uint32_t pc = fault->pc;
    ls_fail(ls, lw, &pc, "fault", "expected: %s at pc 0x%x, lanes 0x%08x\ngot: %s at pc 0x%x, lanes 0x%08x",
            lw->faulted ? wg_fault_name(lw->fault.code) : wg_fault_name(ls->step.fault),
            lw->faulted ? lw->fault.pc : lw->w.div.pc, lw->faulted ? lw->fault.lanes : ls->step.fault_lanes,
            wg_fault_name(fault->code), fault->pc, fault->lanes);
    return;
  }
  if (fault->code == kWgFaultTrap) explain_trap(ls, lw, fault);
  ls->quiet = true;
}

wg_status_t wg_lockstep_finish(wg_lockstep_t *ls, wg_diag_t *diag) {
  flush(ls);
  if (!ls->quiet) check_closed(ls, true);
  return wg_lockstep_status(ls, diag);
}

void wg_lockstep_get_counts(const wg_lockstep_t *ls, wg_lockstep_counts_t *out) { *out = ls->counts; }
