// SPDX-License-Identifier: Apache-2.0
#include "model/sm/sm_func.h"

#include <string.h>

#include "model/ref/wg_ref_view.h"

typedef struct resident {
  bool used;             /* holds a block that has not been reported as ended */
  wg_ref_block_t *block; /* NULL if its constants could not be read */
  wg_cta_launch_t cta;
  uint64_t warp_slots;   /* taken: bit i = slot i */
  uint64_t end_cycle;    /* earliest */
  bool ended, stuck;
  uint64_t issued; /* warp instructions */
} resident_t;

typedef struct sm_func {
  wg_sm_t base; /* first */
  wg_shape_t shape;
  wg_sm_func_cfg_t cfg;
  wg_diverge_cfg_t diverge;
  wg_ref_code_t *code[kWgMaxBlockSlots]; /* code windows, one a base: grids of several modules may be resident */
  wg_ref_place_t place;
  wg_ref_totals_t totals;
  resident_t slot[kWgMaxBlockSlots];
  uint32_t block_slots, turn;
  uint64_t cycle;
  wg_fault_t fault;
  bool faulted;
  bool spin_broken; /* a block started or ended in the window */
  wg_sm_activity_t activity;
} sm_func_t;

static sm_func_t *self(wg_sm_t *sm) { return (sm_func_t *)sm; }
static const sm_func_t *cself(const wg_sm_t *sm) { return (const sm_func_t *)sm; }

static bool store_read(void *ctx, uint64_t addr, void *dst, size_t bytes) {
  wg_store_t *s = ctx;
  uint8_t *out = dst;
  while (bytes != 0u) {
    uint64_t piece = 128u - addr % 128u;
    if (piece > bytes) piece = bytes;
    if (wg_store_check_lane(s, addr, piece) != kWgFaultNone) return false;
    wg_store_peek(s, addr, out, piece);
    addr += piece;
    out += piece;
    bytes -= piece;
  }
  return true;
}

static bool store_write(void *ctx, uint64_t addr, const void *src, size_t bytes) {
  wg_store_t *s = ctx;
  if (wg_store_check_lane(s, addr, bytes) != kWgFaultNone) return false;
  wg_store_poke(s, addr, src, bytes);
  return true;
}

wg_ref_mem_t wg_sm_func_store_mem(wg_store_t *store) { return (wg_ref_mem_t){store, store_read, store_write}; }

static void drop_blocks(sm_func_t *f) {
  for (unsigned i = 0; i < (unsigned)kWgMaxBlockSlots; i++) {
    wg_ref_block_free(f->slot[i].block);
    f->slot[i].block = NULL;
    f->slot[i].used = false;
  }
}

static void drop_code(sm_func_t *f) {
  for (unsigned i = 0; i < (unsigned)kWgMaxBlockSlots; i++) {
    wg_ref_code_free(f->code[i]);
    f->code[i] = NULL;
  }
}

/* Does a resident block hold the pointer to this window? */
static bool code_in_use(const sm_func_t *f, const wg_ref_code_t *c) {
  for (unsigned i = 0; i < f->block_slots; i++) {
    if (f->slot[i].used && f->slot[i].cta.code_base == wg_ref_code_base(c)) return true;
  }
  return false;
}

/* The window at `base`; a new one takes the place of one that no block uses: there are as many as block slots. */
static wg_ref_code_t *code_at(sm_func_t *f, uint64_t base, bool forget) {
  wg_ref_code_t **place = NULL;
  for (unsigned i = 0; i < (unsigned)kWgMaxBlockSlots; i++) {
    wg_ref_code_t *c = f->code[i];
    if (c != NULL && wg_ref_code_base(c) == base) {
      if (forget) wg_ref_code_forget(c);
      return c;
    }
    if (place == NULL && (c == NULL || !code_in_use(f, c))) place = &f->code[i];
  }
  WG_BUG(place == NULL);
  wg_ref_code_free(*place);
  *place = wg_ref_code_new(&f->cfg.mem, base);
  return *place;
}

static wg_status_t func_reset(wg_sm_t *sm, const wg_sm_cfg_t *cfg, wg_diag_t *diag) {
  sm_func_t *f = self(sm);
  if (cfg->block_slots == 0u || cfg->block_slots > (uint32_t)kWgMaxBlockSlots) {
    return wg_fail(diag, kWgBadArg, "%u block slots, must be 1 to %d", cfg->block_slots, (int)kWgMaxBlockSlots);
  }
  drop_blocks(f);
  drop_code(f);
  f->block_slots = cfg->block_slots;
  f->diverge = (wg_diverge_cfg_t){cfg->diverge_mode != 0u, (uint8_t)cfg->split_order, cfg->knob[3]};
  f->turn = 0u;
  f->cycle = 0u;
  f->faulted = false;
  f->place = (wg_ref_place_t){.smid = cfg->smid, .nsmid = cfg->nsmid, .nwarpid = cfg->warp_slots * f->shape.sub_cores};
  memset(&f->totals, 0, sizeof f->totals);
  memset(&f->activity, 0, sizeof f->activity);
  return kWgOk;
}

static int free_slot(const sm_func_t *f) {
  for (unsigned i = 0; i < f->block_slots; i++) {
    if (!f->slot[i].used) return (int)i;
  }
  return -1;
}

static bool func_can_launch(const wg_sm_t *sm) { return !cself(sm)->faulted && free_slot(cself(sm)) >= 0; }

static void set_fault(sm_func_t *f, const wg_fault_t *fault) {
  if (f->faulted) return;
  f->faulted = true;
  f->fault = *fault;
  f->fault.cycle = f->cycle;
}

/* Warp slots only say where local frames lie: the lowest free ones, as many as the block has warps. The launcher never
   sends more warps than there are slots; without local memory nobody needs to know. */
static void take_warp_slots(sm_func_t *f, resident_t *r) {
  uint64_t taken = 0u;
  uint8_t slot[kWgRefBlockWarps] = {0};
  r->warp_slots = 0u;
  if (r->block == NULL || r->cta.local_bytes == 0u) return;
  for (unsigned i = 0; i < f->block_slots; i++) taken |= f->slot[i].used ? f->slot[i].warp_slots : 0u;
  for (uint32_t w = 0; w < (uint32_t)kWgRefBlockWarps && wg_ref_present(&r->cta, w) != 0u; w++) {
    WG_BUG(taken == UINT64_MAX);
    slot[w] = (uint8_t)__builtin_ctzll(~taken);
    WG_BUG(slot[w] >= f->place.nwarpid);
    taken |= UINT64_C(1) << slot[w];
    r->warp_slots |= UINT64_C(1) << slot[w];
  }
  wg_ref_block_warp_slots(r->block, slot);
}

static void func_launch(wg_sm_t *sm, const wg_cta_launch_t *msg) {
  sm_func_t *f = self(sm);
  int i = free_slot(f);
  WG_BUG(i < 0); /* the launcher asks can_launch */
  wg_ref_code_t *code = code_at(f, msg->code_base, msg->inval_insn);
  resident_t *r = &f->slot[i];
  f->spin_broken = true;
  r->used = true;
  r->cta = *msg;
  r->end_cycle = f->cycle + f->cfg.block_cycles;
  r->ended = r->stuck = false;
  r->issued = 0;
  r->block = wg_ref_block_new(msg, code, &f->cfg.mem, &f->place);
  if (r->block != NULL) wg_ref_block_diverge(r->block, &f->diverge);
  if (r->block != NULL && f->cfg.race != NULL) wg_ref_block_race(r->block, f->cfg.race);
  if (r->block != NULL && f->cfg.span != NULL) wg_ref_block_span(r->block, f->cfg.span);
  if (r->block != NULL && f->cfg.half_block) wg_ref_block_half(r->block);
  if (r->block != NULL && f->cfg.writers != NULL) wg_ref_block_writers(r->block, f->cfg.writers);
  if (r->block != NULL && f->cfg.tools != NULL) wg_ref_block_tools(r->block, f->cfg.tools);
  if (r->block != NULL && f->cfg.watch != NULL) wg_ref_block_watch(r->block, f->cfg.watch);
  take_warp_slots(f, r);
  if (r->block == NULL) {
    wg_fault_t fault = {0};
    fault.code = kWgFaultIllegalAddr;
    fault.grid_id = msg->grid_id;
    memcpy(fault.ctaid, msg->ctaid, sizeof fault.ctaid);
    fault.pc = msg->entry_pc;
    fault.addr = msg->const_base[0];
    set_fault(f, &fault);
  }
}

static void func_push_rsp(wg_sm_t *sm, const wg_mem_rsp_t *rsp) {
  (void)sm;
  (void)rsp;
  WG_BUG("the func back end sends no requests" != NULL);
}

static void run_one(sm_func_t *f) {
  for (unsigned n = 0; n < f->block_slots; n++) {
    resident_t *r = &f->slot[f->turn];
    f->turn = (f->turn + 1u) % f->block_slots;
    if (!r->used || r->ended || r->block == NULL) continue;
    wg_fault_t fault;
    uint64_t before = f->totals.warp_insts;
    wg_ref_state_t st = wg_ref_block_run(r->block, f->cfg.slice, &f->totals, &fault);
    f->activity.issued += f->totals.warp_insts - before;
    r->issued += f->totals.warp_insts - before;
    r->stuck = st == kWgRefDeadlock;
    r->ended = st == kWgRefEnded;
    f->spin_broken = f->spin_broken || r->ended;
    if (st == kWgRefFaulted) set_fault(f, &fault);
    if (f->totals.warp_insts != before || st == kWgRefFaulted || st == kWgRefEnded) return;
  }
  f->activity.idle++;
}

static void func_tick(wg_sm_t *sm, uint64_t time_ns, bool kill) {
  sm_func_t *f = self(sm);
  (void)time_ns; /* the golden model's clock counts instructions */
  f->cycle++;
  if (kill || f->faulted) {
    for (unsigned i = 0; i < f->block_slots; i++) {
      f->slot[i].ended = true;
      f->slot[i].end_cycle = f->cycle;
    }
    return;
  }
  run_one(f);
}

static bool func_pop_req(wg_sm_t *sm, wg_mem_req_t *req) {
  (void)sm;
  (void)req;
  return false;
}

static bool func_pop_done(wg_sm_t *sm, wg_cta_done_t *done) {
  sm_func_t *f = self(sm);
  for (unsigned i = 0; i < f->block_slots; i++) {
    resident_t *r = &f->slot[i];
    if (!r->used || !r->ended || f->cycle < r->end_cycle) continue;
    done->grid_id = r->cta.grid_id;
    memcpy(done->ctaid, r->cta.ctaid, sizeof done->ctaid);
    done->block_slot = (uint8_t)i;
    wg_ref_block_free(r->block);
    r->block = NULL;
    r->used = false;
    return true;
  }
  return false;
}

static bool func_pop_fault(wg_sm_t *sm, wg_fault_t *fault) {
  const sm_func_t *f = cself(sm);
  if (f->faulted) *fault = f->fault;
  return f->faulted;
}

static wg_sm_activity_t func_activity(wg_sm_t *sm) {
  sm_func_t *f = self(sm);
  wg_sm_activity_t a = f->activity;
  memset(&f->activity, 0, sizeof f->activity);
  return a;
}

static uint32_t func_resident(const wg_sm_t *sm) {
  const sm_func_t *f = cself(sm);
  uint32_t n = 0;
  for (unsigned i = 0; i < f->block_slots; i++) n += f->slot[i].used;
  return n;
}

static uint64_t func_block_issued(const wg_sm_t *sm, uint32_t block_slot) { return cself(sm)->slot[block_slot].issued; }

static void func_destroy(wg_sm_t *sm) {
  if (sm == NULL) return;
  sm_func_t *f = self(sm);
  drop_blocks(f);
  drop_code(f);
  free(f);
}

static const wg_sm_ops_t kFuncOps = {
    .name = "func",
    .reset = func_reset,
    .can_launch = func_can_launch,
    .launch = func_launch,
    .push_rsp = func_push_rsp,
    .tick = func_tick,
    .pop_req = func_pop_req,
    .pop_done = func_pop_done,
    .pop_fault = func_pop_fault,
    .activity = func_activity,
    .resident = func_resident,
    .block_issued = func_block_issued,
    .destroy = func_destroy,
};

wg_status_t wg_sm_func_create(const wg_shape_t *shape, const wg_sm_func_cfg_t *cfg, wg_sm_t **out, wg_diag_t *diag) {
  sm_func_t *f = calloc(1, sizeof *f);
  if (f == NULL) return wg_fail(diag, kWgNoSpace, "no memory for an SM");
  f->base.ops = &kFuncOps;
  f->shape = *shape;
  f->cfg = *cfg;
  if (f->cfg.block_cycles == 0u) f->cfg.block_cycles = 100u;
  if (f->cfg.slice == 0u) f->cfg.slice = 65536u;
  f->block_slots = 1u;
  *out = &f->base;
  return kWgOk;
}

void wg_sm_func_spin_begin(wg_sm_t *sm) {
  sm_func_t *f = self(sm);
  f->spin_broken = false;
  for (unsigned i = 0; i < f->block_slots; i++) {
    if (f->slot[i].used && f->slot[i].block != NULL) wg_ref_block_spin_begin(f->slot[i].block);
  }
}

bool wg_sm_func_spins(const wg_sm_t *sm, bool *any) {
  const sm_func_t *f = cself(sm);
  if (f->spin_broken || f->faulted) return false;
  for (unsigned i = 0; i < f->block_slots; i++) {
    const resident_t *r = &f->slot[i];
    if (!r->used) continue;
    if (r->ended || r->block == NULL || !wg_ref_block_spins(r->block, any)) return false;
  }
  return true;
}

wg_thread_state_t wg_sm_func_thread(const wg_sm_t *sm, uint32_t grid_id, const uint32_t ctaid[3], uint32_t warp, unsigned lane,
                                    unsigned *barrier) {
  const sm_func_t *f = cself(sm);
  for (unsigned i = 0; i < f->block_slots; i++) {
    const resident_t *r = &f->slot[i];
    if (!r->used || r->block == NULL || r->cta.grid_id != grid_id || memcmp(r->cta.ctaid, ctaid, sizeof r->cta.ctaid) != 0) continue;
    return wg_ref_block_thread(r->block, warp, lane, barrier);
  }
  return kWgThreadGone;
}

void wg_sm_func_spin_text(const wg_sm_t *sm, wg_spin_report_t *r) {
  const sm_func_t *f = cself(sm);
  for (unsigned i = 0; i < f->block_slots; i++) {
    if (f->slot[i].used && f->slot[i].block != NULL) wg_ref_block_spin_text(f->slot[i].block, r);
  }
}

bool wg_sm_func_view(const wg_sm_t *sm, uint32_t block_slot, uint32_t warp, wg_warp_view_t *out) {
  const sm_func_t *f = cself(sm);
  if (block_slot >= f->block_slots) return false;
  const resident_t *r = &f->slot[block_slot];
  return r->used && r->block != NULL && wg_ref_block_view(r->block, warp, out);
}

uint32_t wg_sm_func_slot(const wg_sm_t *sm, const wg_ref_block_t *b) {
  const sm_func_t *f = cself(sm);
  for (uint32_t i = 0; i < f->block_slots; i++) {
    if (f->slot[i].used && f->slot[i].block == b) return i;
  }
  return kWgMaxBlockSlots;
}

wg_ref_totals_t wg_sm_func_totals(const wg_sm_t *sm) { return cself(sm)->totals; }

bool wg_sm_func_pcs(wg_sm_t *sm, uint32_t *lo, uint32_t *hi) {
  wg_ref_place_t *p = &self(sm)->place;
  bool any = p->pc_any;
  if (any && p->pc_lo < *lo) *lo = p->pc_lo;
  if (any && p->pc_hi > *hi) *hi = p->pc_hi;
  p->pc_any = false;
  return any;
}

const char *wg_sm_func_waits(const wg_sm_t *sm, char *buf, size_t n) {
  const sm_func_t *f = cself(sm);
  const resident_t *shown = NULL; /* one that is stuck, else any */
  buf[0] = '\0';
  for (unsigned i = 0; i < f->block_slots; i++) {
    const resident_t *r = &f->slot[i];
    if (!r->used || r->block == NULL || (!r->stuck && shown != NULL)) continue;
    shown = r;
    if (r->stuck) break;
  }
  if (shown != NULL) {
    const resident_t *r = shown;
    int at = snprintf(buf, n, "block (%u,%u,%u): ", r->cta.ctaid[0], r->cta.ctaid[1], r->cta.ctaid[2]);
    if (at > 0 && (size_t)at < n) wg_ref_block_waits(r->block, buf + at, n - (size_t)at);
  }
  return buf;
}
