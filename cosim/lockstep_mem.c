// SPDX-License-Identifier: Apache-2.0
//
// Memory: shared memory at its wavefronts, global memory at the L1 tag stage, the shadow of the L1, request and
// response flits.
//
// The shadow holds, for each line, the sectors that the L1 may hold and their bytes. It is tight from above: a sector
// that a load misses or a store does not update is dropped, so a later hit on it is an error. Evictions are not
// reported; a sector that was evicted stays in the shadow until its next access, which misses.
#include <string.h>

#include "cosim/lockstep_int.h"
#include "model/ref/wg_ref_atom.h"

/* ---- shadow of the L1 ---- */

static size_t l1_slot(const wg_lockstep_t *ls, uint64_t line) {
  size_t mask = ls->l1_cap - 1u;
  size_t i = (size_t)((line >> 7) * UINT64_C(0x9e3779b97f4a7c15) >> 20) & mask;
  while (ls->l1[i].line != 0u && ls->l1[i].line != (line | 1u)) i = (i + 1u) & mask;
  return i;
}

static void l1_grow(wg_lockstep_t *ls) {
  ls_line_t *old = ls->l1;
  size_t n = ls->l1_cap;
  ls->l1_cap = n != 0u ? 2u * n : 256u;
  ls->l1 = calloc(ls->l1_cap, sizeof *ls->l1);
  WG_BUG(ls->l1 == NULL);
  for (size_t i = 0; i < n; i++) {
    if (old[i].line != 0u) ls->l1[l1_slot(ls, old[i].line & ~UINT64_C(1))] = old[i];
  }
  free(old);
}

ls_line_t *ls_l1_find(wg_lockstep_t *ls, uint64_t line, bool create) {
  if (ls->l1_cap == 0u || (create && 4u * (ls->l1_num + 1u) > 3u * ls->l1_cap)) l1_grow(ls);
  ls_line_t *e = &ls->l1[l1_slot(ls, line)];
  if (e->line != 0u) return e;
  if (!create) return NULL;
  e->line = line | 1u;
  e->valid = e->unsure = 0u;
  ls->l1_num++;
  return e;
}

void ls_l1_clear(wg_lockstep_t *ls) {
  if (ls->l1 != NULL) memset(ls->l1, 0, ls->l1_cap * sizeof *ls->l1);
  ls->l1_num = 0u;
}

/* ---- LSU ---- */

void ls_lsu(wg_lockstep_t *ls, const wg_ev_lsu_t *e) {
  ls_warp_t *lw = ls_warp_at(ls, e->sub, e->slot, "LSU took an instruction of an empty slot");
  if (lw == NULL) return;
  for (unsigned i = 0; i < lw->ops; i++) {
    ls_op_t *op = lw->op[i];
    if (!op->lsu || op->lsu_taken) continue;
    if (op->pc != e->pc) {
      if (lw->faulted) return;
      ls_fail(ls, lw, &op->pc, "LSU took another instruction", "expected: pc 0x%x\ngot: pc 0x%x", op->pc, e->pc);
      return;
    }
    if (ls->tag[e->tag] != NULL) {
      ls_fail(ls, lw, &op->pc, "LSU tag used twice", "expected: a free tag\ngot: %u, of pc 0x%x", e->tag,
              ls->tag[e->tag]->pc);
      return;
    }
    op->lsu_taken = true;
    if (op->store) op->seq = ++ls->store_seq;
    op->tag = e->tag;
    ls->tag[e->tag] = op;
    ls->tag_warp[e->tag] = lw;
    return;
  }
  if (lw->faulted) return; /* the faulting instruction, or one behind it */
  ls_fail(ls, lw, NULL, "LSU took an instruction that was not issued", "expected: nothing\ngot: pc 0x%x", e->pc);
}

static ls_op_t *op_of(wg_lockstep_t *ls, unsigned tag, const char *event, ls_warp_t **lw) {
  ls_op_t *op = ls->tag[tag];
  *lw = ls->tag_warp[tag];
  if (op == NULL && ls->faults == 0u)
    ls_fail(ls, NULL, NULL, event, "expected: nothing, the tag is free\ngot: an event of tag %u", tag);
  return op;
}

/* Lanes of an event must still be due. Marks them done. */
static bool take_lanes(wg_lockstep_t *ls, ls_warp_t *lw, ls_op_t *op, uint32_t lanes) {
  if (lanes == 0u || (lanes & ~op->mem_left) != 0u) {
    ls_fail(ls, lw, &op->pc, "wrong lanes in a memory access", "expected: some of lanes 0x%08x\ngot: 0x%08x",
            op->mem_left, lanes);
    return false;
  }
  op->mem_left &= ~lanes;
  return true;
}

void ls_lsu_done(wg_lockstep_t *ls, const wg_ev_lsu_done_t *e) {
  ls_warp_t *lw;
  ls_op_t *op = op_of(ls, e->tag, "end of an access that is not there", &lw);
  if (op == NULL) return;
  if ((op->mem_left | op->waiting) != 0u && !lw->faulted) {
    ls_fail(ls, lw, &op->pc, "memory access ended early", "expected: lanes 0x%08x still to come\ngot: its end",
            op->mem_left | op->waiting);
    return;
  }
  ls->tag[e->tag] = NULL;
  op->lsu = false;
  ls_retire(ls, lw, op);
}

/* ---- shared memory ---- */

/* @param[out] row op->word, or op->data for the rows of an LDSM */
static void shared_load(wg_lockstep_t *ls, ls_op_t *op, uint32_t base, unsigned l, uint32_t row[4][32]) {
  const uint8_t *raw = ls->shared + base + op->addr[l], *known = ls->shared_known + base + op->addr[l];
  uint32_t word[4] = {0};
  wg_ref_extend(&op->insn->in, raw, word);
  for (unsigned k = 0; k < 4u; k++) row[k][l] = word[k];
  for (unsigned b = 0; b < op->bytes; b++) {
    if (known[b] == 0u) op->unknown |= 1u << l;
  }
}

static void store_bytes(const ls_op_t *op, unsigned l, uint8_t raw[16]) {
  for (unsigned b = 0; b < op->bytes; b++) raw[b] = (uint8_t)(op->data[b / 4u][l] >> (8u * (b % 4u)));
}

static void shared_store(wg_lockstep_t *ls, const ls_op_t *op, uint32_t base, uint32_t lanes) {
  const uint8_t *order = wg_ref_store_order(op->bytes);
  for (unsigned i = 0; i < 32u; i++) {
    unsigned l = order[i];
    if ((lanes >> l & 1u) == 0u) continue;
    uint8_t raw[16];
    store_bytes(op, l, raw);
    uint8_t *at = ls->shared + base + op->addr[l];
    if (ls->spin_on && memcmp(at, raw, op->bytes) != 0) ls->spin_broken = true;
    memcpy(at, raw, op->bytes);
    memset(ls->shared_known + base + op->addr[l], (op->unknown >> l & 1u) == 0u, op->bytes);
  }
}

/* Lanes of an atomic's wavefront, ascending. What comes back is known if the memory was; what stays, if the operands
   were too. */
static void shared_atomic(wg_lockstep_t *ls, ls_op_t *op, uint32_t base, uint32_t lanes) {
  for (uint32_t m = lanes; m != 0u; m &= m - 1u) {
    unsigned l = (unsigned)__builtin_ctz(m);
    bool operands = (op->unknown >> l & 1u) == 0u;
    op->unknown &= ~(1u << l);
    shared_load(ls, op, base, l, op->word);
    uint8_t *at = ls->shared + base + op->addr[l], old[16];
    memcpy(old, at, op->bytes);
    wg_ref_atom_lane(&op->insn->in, (const uint32_t(*)[32])op->data, l, true, at);
    if (ls->spin_on && memcmp(at, old, op->bytes) != 0) ls->spin_broken = true;
    memset(ls->shared_known + base + op->addr[l], operands && (op->unknown >> l & 1u) == 0u, op->bytes);
  }
}

/* Rows of an LDSM; with the last one the registers are there. */
static void shared_rows(wg_lockstep_t *ls, ls_warp_t *lw, ls_op_t *op, uint32_t base, uint32_t lanes) {
  for (uint32_t m = lanes; m != 0u; m &= m - 1u) shared_load(ls, op, base, (unsigned)__builtin_ctz(m), op->data);
  if (op->mem_left != 0u) return;
  if (op->unknown != 0u) op->unknown = op->exec; /* an unknown row reaches lanes of its matrix */
  wg_ref_ldsm(&op->insn->in, (const uint32_t(*)[32])op->data, op->rows_of, op->word);
  ls_loaded(ls, lw, op, op->exec);
}

void ls_shm(wg_lockstep_t *ls, const wg_ev_shm_t *e) {
  ls_warp_t *lw;
  ls_op_t *op = op_of(ls, e->tag, "wavefront of an access that is not there", &lw);
  if (op == NULL) return; /* what a faulted warp did before its fault still takes effect, and others see it */
  bool ldsm = op->insn->in.op == kWgOp_LDSM;
  if ((e->lanes & ~op->in_shared) != 0u || (op->in_shared == 0u && !ldsm)) {
    ls_fail(ls, lw, &op->pc, "wavefront of a global access", "expected: lanes within 0x%08x\ngot: 0x%08x", op->in_shared,
            e->lanes);
    return;
  }
  bool none = ldsm && op->rows_of == 0u && e->lanes == 0u; /* no lane gives a row: one empty wavefront */
  if (!none && !take_lanes(ls, lw, op, e->lanes)) return;
  if (op->insn->in.op == kWgOp_SHFL) return; /* its result was formed at issue */
  wg_count_wavefronts(&ls->counts, wg_access_of(&op->insn->in), none ? 0u : 1u);
  ls->counts.replay_passes += none ? 0u : 1u;
  if (ls->level == kWgLockstepUnits && !none) {
    uint32_t want = op->pass < op->passes.num ? op->passes.lanes[op->pass] : 0u;
    if (want != e->lanes) {
      ls_fail(ls, lw, &op->pc, "wrong wavefront", "expected: wavefront %u of %u, lanes 0x%08x\ngot: lanes 0x%08x",
              op->pass, op->passes.num, want, e->lanes);
      return;
    }
    op->pass++;
  }
  uint32_t base = ls->block[lw->block].shared_base;
  if (op->store) {
    shared_store(ls, op, base, e->lanes);
    return;
  }
  if (ldsm) {
    shared_rows(ls, lw, op, base, e->lanes);
    return;
  }
  if (op->atomic) {
    shared_atomic(ls, op, base, e->lanes);
  } else {
    for (uint32_t m = e->lanes; m != 0u; m &= m - 1u) shared_load(ls, op, base, (unsigned)__builtin_ctz(m), op->word);
  }
  ls_loaded(ls, lw, op, e->lanes);
}

/* ---- global memory ---- */

static void load_lane(ls_op_t *op, unsigned l, const uint8_t *sector) {
  uint32_t word[4] = {0};
  wg_ref_extend(&op->insn->in, sector + op->addr[l] % (unsigned)kWgSectorBytes, word);
  for (unsigned k = 0; k < 4u; k++) op->word[k][l] = word[k];
}

static uint32_t lanes_of_sector(const ls_op_t *op, uint32_t lanes, unsigned sector) {
  uint32_t r = 0u;
  for (; lanes != 0u; lanes &= lanes - 1u) {
    unsigned l = (unsigned)__builtin_ctz(lanes);
    if (op->addr[l] % (unsigned)kWgLineBytes / (unsigned)kWgSectorBytes == sector) r |= 1u << l;
  }
  return r;
}

static void wait_for(wg_lockstep_t *ls, ls_warp_t *lw, ls_op_t *op, unsigned id, unsigned sector, uint32_t lanes) {
  ls_req_t *r = &ls->req[id];
  if (r->waits[sector] == r->wait_cap[sector]) {
    r->wait_cap[sector] = r->wait_cap[sector] != 0u ? 2u * r->wait_cap[sector] : 8u;
    r->wait[sector] = realloc(r->wait[sector], r->wait_cap[sector] * sizeof *r->wait[sector]);
    WG_BUG(r->wait[sector] == NULL);
  }
  r->wait[sector][r->waits[sector]++] = (ls_wait_t){op, lw, lanes};
  op->waiting |= lanes;
}

static void l1_load(wg_lockstep_t *ls, ls_warp_t *lw, ls_op_t *op, const wg_ev_l1_t *e) {
  uint8_t miss = e->sectors & (uint8_t)~e->hit;
  ls_line_t *line = ls_l1_find(ls, e->line, false);
  uint8_t valid = line != NULL ? line->valid : 0u;
  if ((e->hit & ~valid) != 0u) {
    ls_fail(ls, lw, &op->pc, "hit on a sector that the L1 cannot hold",
            "expected: a miss, line 0x%llx sectors 0x%x\ngot: hits 0x%x", (unsigned long long)e->line, e->hit & ~valid,
            e->hit);
    return;
  }
  ls->counts.l1_sector_hits += (uint64_t)__builtin_popcount(e->hit);
  if (ls->spin_on && !ls->spin_broken && e->hit != 0u) ls_spin_hit(ls, line, e->hit);
  ls->counts.l1_sector_misses += (uint64_t)__builtin_popcount(miss);
  if (line != NULL) line->valid &= (uint8_t)~miss;
  ls_req_t *r = &ls->req[e->req_id];
  if (miss != 0u) {
    if (r->due != 0u && r->line != e->line) {
      ls_fail(ls, lw, &op->pc, "miss merged into another line's request",
              "expected: line 0x%llx\ngot: request %u of line 0x%llx", (unsigned long long)e->line, e->req_id,
              (unsigned long long)r->line);
      return;
    }
    r->line = e->line;
  }
  uint32_t ready = 0u;
  for (unsigned s = 0; s < 4u; s++) {
    uint32_t lanes = lanes_of_sector(op, e->lanes, s);
    if (lanes == 0u) continue;
    if ((miss >> s & 1u) != 0u) {
      if ((r->due >> s & 1u) == 0u) r->written &= (uint8_t) ~(1u << s);
      else ls->counts.l1_merged_sectors++;
      r->due |= (uint8_t)(1u << s);
      wait_for(ls, lw, op, e->req_id, s, lanes);
      continue;
    }
    for (uint32_t m = lanes; m != 0u; m &= m - 1u) load_lane(op, (unsigned)__builtin_ctz(m), line->data + 32u * s);
    if ((line->unsure >> s & 1u) != 0u) op->unknown |= lanes;
    ready |= lanes;
  }
  if (ready != 0u) ls_loaded(ls, lw, op, ready);
}

static void expect_flit(wg_lockstep_t *ls, const ls_flit_t *f) {
  if (ls->flits == ls->flit_cap) {
    ls->flit_cap = ls->flit_cap != 0u ? 2u * ls->flit_cap : 64u;
    ls->flit = realloc(ls->flit, ls->flit_cap * sizeof *ls->flit);
    WG_BUG(ls->flit == NULL);
  }
  ls->flit[ls->flits++] = *f;
}

/* Bytes that the lanes of one sector leave there. */
static ls_flit_t flit_of(const wg_lockstep_t *ls, const ls_warp_t *lw, const ls_op_t *op, uint64_t sector,
                         uint32_t lanes) {
  const wg_insn_t *in = &op->insn->in;
  ls_flit_t f = {.sector = sector, .pc = op->pc, .warp = (uint8_t)(lw->sub + ls->shape.sub_cores * lw->slot)};
  f.op = !op->atomic ? kWgMemStore : op->store ? kWgMemRed : kWgMemAtom;
  f.atom = op->atomic ? (uint8_t)(WG_MOD_GET(in, AOP) << 4 | WG_MOD_GET(in, ATYPE)) : 0u;
  f.seq = op->seq;
  f.cycle = op->cycle;
  const uint8_t *order = wg_ref_store_order(op->bytes);
  for (unsigned i = 0; i < 32u; i++) {
    unsigned l = order[i];
    if ((lanes >> l & 1u) == 0u) continue;
    uint8_t raw[16];
    store_bytes(op, l, raw);
    unsigned at = (unsigned)(op->addr[l] % (unsigned)kWgSectorBytes);
    uint32_t bytes = ((1u << op->bytes) - 1u) << at;
    if (op->atomic) {
      uint32_t word[4];
      for (unsigned k = 0; k < 4u; k++) word[k] = op->data[k][l];
      wg_ref_atom_arg_t arg = wg_ref_atom_args(WG_MOD_GET(in, AOP), WG_MOD_GET(in, ATYPE), word);
      memcpy(f.data + at, &arg.value, op->bytes); /* little endian hosts only, as everything here */
      memcpy(f.cmp + at, &arg.expected, op->bytes);
    } else {
      memcpy(f.data + at, raw, op->bytes);
    }
    f.byte_mask |= bytes;
    f.unknown = (op->unknown >> l & 1u) != 0u ? f.unknown | bytes : f.unknown & ~bytes;
  }
  return f;
}

static void l1_store(wg_lockstep_t *ls, ls_warp_t *lw, ls_op_t *op, const wg_ev_l1_t *e) {
  ls_line_t *line = ls_l1_find(ls, e->line, false);
  uint8_t valid = line != NULL ? line->valid : 0u;
  if ((e->hit & ~(valid & e->sectors)) != 0u) {
    ls_fail(ls, lw, &op->pc, "store updated a sector that the L1 cannot hold",
            "expected: within 0x%x of line 0x%llx\ngot: 0x%x", valid & e->sectors, (unsigned long long)e->line, e->hit);
    return;
  }
  for (unsigned s = 0; s < 4u; s++) {
    uint32_t lanes = lanes_of_sector(op, e->lanes, s);
    if (lanes == 0u) continue;
    ls_flit_t f = flit_of(ls, lw, op, e->line + 32u * s, lanes);
    expect_flit(ls, &f);
    if (line == NULL) continue;
    if ((e->hit >> s & 1u) == 0u) {
      line->valid &= (uint8_t) ~(1u << s);
      continue;
    }
    if (f.unknown != 0u) line->unsure |= (uint8_t)(1u << s);
    for (unsigned b = 0; b < 32u; b++) {
      if ((f.byte_mask >> b & 1u) != 0u) line->data[32u * s + b] = f.data[b];
    }
  }
  for (unsigned id = 0; id < (unsigned)kWgMshrs; id++) {
    if (ls->req[id].due != 0u && ls->req[id].line == e->line) ls->req[id].written |= e->sectors;
  }
}

/* An atomic takes effect at L2; here it takes its place and drops the L1's sectors. */
static void l1_atomic(wg_lockstep_t *ls, ls_warp_t *lw, ls_op_t *op, const wg_ev_l1_t *e) {
  ls_line_t *line = ls_l1_find(ls, e->line, false);
  ls_req_t *r = &ls->req[e->req_id];
  if (e->hit != 0u) {
    ls_fail(ls, lw, &op->pc, "atomic hit the L1", "expected: no sector\ngot: 0x%x", e->hit);
    return;
  }
  if (!op->store && r->due != 0u) {
    ls_fail(ls, lw, &op->pc, "atomic merged into another request", "expected: a free id\ngot: %u of line 0x%llx",
            e->req_id, (unsigned long long)r->line);
    return;
  }
  if (line != NULL) line->valid &= (uint8_t)~e->sectors;
  for (unsigned s = 0; s < 4u; s++) {
    uint32_t lanes = lanes_of_sector(op, e->lanes, s);
    if (lanes == 0u) continue;
    ls_flit_t f = flit_of(ls, lw, op, e->line + 32u * s, lanes);
    expect_flit(ls, &f);
    if (op->store) continue;
    op->unknown &= ~lanes; /* what comes back is the memory's */
    r->line = e->line;
    r->due |= (uint8_t)(1u << s);
    wait_for(ls, lw, op, e->req_id, s, lanes);
  }
  for (unsigned id = 0; id < (unsigned)kWgMshrs; id++) {
    if (ls->req[id].due != 0u && ls->req[id].line == e->line) ls->req[id].written |= e->sectors;
  }
}

static void count_line(wg_lockstep_counts_t *c, const ls_op_t *op, const wg_ev_l1_t *e) {
  uint64_t sectors = (uint64_t)__builtin_popcount(e->sectors);
  c->l1_lines++;
  c->replay_passes++;
  if (op->in_const) c->const_passes++;
  else if ((e->lanes & op->in_local) == 0u) wg_count_line(c, wg_access_of(&op->insn->in), e->sectors);
  else *(e->store ? &c->local_store_sectors : &c->local_load_sectors) += sectors;
}

void ls_l1(wg_lockstep_t *ls, const wg_ev_l1_t *e) {
  ls_warp_t *lw;
  ls_op_t *op = op_of(ls, e->tag, "line transaction of an access that is not there", &lw);
  if (op == NULL) return;
  count_line(&ls->counts, op, e);
  bool shared = (e->lanes & op->in_shared) != 0u;
  if (shared || op->store != e->store) {
    ls_fail(ls, lw, &op->pc, "line transaction of the wrong kind", "expected: %s\ngot: a global %s",
            shared ? "wavefronts" : "the other direction", e->store ? "store" : "load");
    return;
  }
  if (!take_lanes(ls, lw, op, e->lanes)) return;
  uint8_t sectors = 0u;
  bool one_line = true;
  for (uint32_t m = e->lanes; m != 0u; m &= m - 1u) {
    uint64_t a = op->addr[__builtin_ctz(m)];
    one_line = one_line && (a & ~(uint64_t)(kWgLineBytes - 1)) == e->line;
    sectors |= (uint8_t)(1u << (a % (unsigned)kWgLineBytes / (unsigned)kWgSectorBytes));
  }
  if (!one_line || sectors != e->sectors) {
    ls_fail(ls, lw, &op->pc, "wrong line or sectors",
            "expected: sectors 0x%x of the lanes' line (first address 0x%llx)\ngot: line 0x%llx, sectors 0x%x", sectors,
            (unsigned long long)op->addr[__builtin_ctz(e->lanes)], (unsigned long long)e->line, e->sectors);
    return;
  }
  if (ls->level == kWgLockstepUnits) {
    const wg_line_access_t *want = &op->line[op->step < 32u ? op->step : 31u];
    if (op->step >= op->steps || want->line != e->line || want->lanes != e->lanes) {
      ls_fail(ls, lw, &op->pc, "wrong coalescing",
              "expected: transaction %u of %u, line 0x%llx, lanes 0x%08x\ngot: line 0x%llx, lanes 0x%08x", op->step,
              op->steps, (unsigned long long)want->line, want->lanes, (unsigned long long)e->line, e->lanes);
      return;
    }
    op->step++;
  }
  if (op->atomic)
    l1_atomic(ls, lw, op, e);
  else if (e->store)
    l1_store(ls, lw, op, e);
  else
    l1_load(ls, lw, op, e);
}

/* ---- barriers of memory ---- */

void ls_inval_start(wg_lockstep_t *ls) {
  ls->start_inval = false;
  ls_l1_clear(ls);
  for (unsigned id = 0; id < (unsigned)kWgMshrs; id++) {
    if (ls->req[id].due != 0u) ls->req[id].written = 0xfu;
  }
}

void ls_inval(wg_lockstep_t *ls) {
  ls->invals++;
  ls_inval_start(ls);
}

/* A store that the SM had taken before number `seq` was given out is not acknowledged: its pc. */
static bool store_open(const wg_lockstep_t *ls, uint64_t seq, uint32_t *pc) {
  for (unsigned t = 0; t < (unsigned)kLsTags; t++) {
    const ls_op_t *op = ls->tag[t];
    if (op == NULL || !op->store || op->seq > seq || (op->rows_of & ~op->in_shared) == 0u) continue;
    *pc = op->pc;
    return true;
  }
  for (size_t i = 0; i < ls->flits; i++) {
    if (ls->flit[i].op == kWgMemAtom || ls->flit[i].seq > seq) continue;
    *pc = ls->flit[i].pc;
    return true;
  }
  for (unsigned id = 0; id < (unsigned)kWgMemIds; id++) {
    const ls_req_t *r = &ls->req[id];
    if (r->asked == 0u || (r->op != kWgMemStore && r->op != kWgMemRed) || r->seq > seq) continue;
    *pc = UINT32_MAX;
    return true;
  }
  return false;
}

bool ls_fence_passed(wg_lockstep_t *ls, ls_warp_t *lw) {
  uint32_t pc = 0u;
  lw->in_fence = false;
  for (unsigned i = 0; i < lw->ops; i++) {
    const ls_op_t *op = lw->op[i];
    if (!op->lsu || (op->lsu_taken && (op->mem_left | op->waiting) == 0u)) continue;
    ls_fail(ls, lw, &lw->w.div.pc, "warp left a memory barrier early",
            "expected: to wait for the access at pc 0x%x\ngot: an issue", op->pc);
    return false;
  }
  if (lw->fence_gpu && store_open(ls, lw->fence_seq, &pc)) {
    ls_fail(ls, lw, &lw->w.div.pc, "warp left a memory barrier early",
            "expected: to wait for a store's acknowledgement (pc 0x%x; ffffffff: sent)\ngot: an issue", pc);
    return false;
  }
  if (lw->fence_inval && ls->invals == lw->fence_invals) {
    ls_fail(ls, lw, &lw->w.div.pc, "CCTL without effect", "expected: the L1 dropped\ngot: an issue behind it");
    return false;
  }
  ls_retired(ls, lw->fence_insn, lw->fence_exec);
  return true;
}

/* ---- responses ---- */

static void serve_waits(wg_lockstep_t *ls, ls_req_t *r, unsigned sector) {
  for (unsigned i = 0; i < r->waits[sector]; i++) {
    ls_wait_t *w = &r->wait[sector][i];
    w->op->waiting &= ~w->lanes;
    if (w->warp->faulted) continue;
    for (uint32_t m = w->lanes; m != 0u; m &= m - 1u) load_lane(w->op, (unsigned)__builtin_ctz(m), r->data[sector]);
    if (r->status[sector] != kWgFaultNone) w->op->unknown |= w->lanes;
    ls_loaded(ls, w->warp, w->op, w->lanes);
  }
  r->waits[sector] = 0u;
}

void ls_fill(wg_lockstep_t *ls, const wg_ev_fill_t *e) {
  ls_req_t *r = &ls->req[e->req_id];
  uint8_t bit = (uint8_t)(1u << (e->sector & 3u));
  if ((r->arrived & bit) == 0u || (r->due & bit) == 0u) {
    ls_fail(ls, NULL, NULL, "fill without response or request",
            "expected: nothing for request %u sector %u\ngot: a fill", e->req_id, e->sector);
    return;
  }
  r->arrived &= (uint8_t)~bit;
  r->due &= (uint8_t)~bit;
  ls_line_t *line = ls_l1_find(ls, r->line, e->installed);
  if (e->installed) {
    if ((r->written & bit) != 0u) {
      ls_fail(ls, NULL, NULL, "stale sector installed",
              "expected: sector %u of line 0x%llx dropped, a store changed it meanwhile\ngot: installed", e->sector,
              (unsigned long long)r->line);
      return;
    }
    line->valid |= bit;
    line->unsure &= (uint8_t)~bit;
    memcpy(line->data + 32u * (e->sector & 3u), r->data[e->sector & 3u], 32u);
  }
  serve_waits(ls, r, e->sector & 3u);
}
