// SPDX-License-Identifier: Apache-2.0
//
// Blocks and warps: their places against the allocator's twin, constants of a grid, golden barriers, ends.
#include <string.h>

#include "cosim/lockstep_int.h"

/* ---- constants ---- */

static bool same_grid(const wg_cta_launch_t *a, const wg_cta_launch_t *b) {
  return a->grid_id == b->grid_id && a->code_base == b->code_base &&
         memcmp(a->const_base, b->const_base, sizeof a->const_base) == 0 &&
         memcmp(a->const_size, b->const_size, sizeof a->const_size) == 0;
}

static void drop_grid(ls_grid_t *g) {
  for (unsigned k = 0; k < 4u; k++) free(g->bank[k]);
  memset(g, 0, sizeof *g);
}

/* The grid's constants, read from memory when its first block starts. NULL after a report. */
static ls_grid_t *grid_of(wg_lockstep_t *ls, const wg_cta_launch_t *cta) {
  ls_grid_t *slot = NULL;
  for (unsigned i = 0; i < (unsigned)kWgMaxBlockSlots; i++) {
    ls_grid_t *g = &ls->grid[i];
    if (g->used && same_grid(&g->key, cta)) return g;
    if (slot == NULL && g->blocks == 0u) slot = g;
  }
  WG_BUG(slot == NULL); /* as many as block slots, and this block has one */
  drop_grid(slot);
  for (unsigned k = 0; k < 4u; k++) {
    uint32_t size = cta->const_size[k];
    if (size == 0u) continue;
    slot->bank[k] = malloc(size);
    WG_BUG(slot->bank[k] == NULL);
    if (!ls->env.mem.read(ls->env.mem.ctx, cta->const_base[k], slot->bank[k], size)) {
      ls_fail(ls, NULL, NULL, "constants cannot be read", "expected: bank %u, %u bytes at 0x%llx\ngot: no memory there",
              k, size, (unsigned long long)cta->const_base[k]);
      return NULL;
    }
    slot->banks.data[k] = slot->bank[k];
    slot->banks.size[k] = size;
  }
  slot->key = *cta;
  slot->used = true;
  return slot;
}

void ls_blocks_reset(wg_lockstep_t *ls) {
  for (unsigned i = 0; i < (unsigned)kWgMaxBlockSlots; i++) {
    wg_race_block_free(ls->block[i].race);
    wg_span_block_free(ls->block[i].span);
    wg_tools_block_free(ls->block[i].tools);
  }
  for (unsigned i = 0; i < (unsigned)kWgMaxBlockSlots; i++) drop_grid(&ls->grid[i]);
  memset(ls->block, 0, sizeof ls->block);
  ls->launches = ls->launch_at = 0u;
  wg_cta_alloc_reset(&ls->alloc, ls->shape.sub_cores, &ls->cfg);
}

/* ---- code ---- */

static bool any_block(const wg_lockstep_t *ls) {
  for (unsigned i = 0; i < (unsigned)kWgMaxBlockSlots; i++) {
    if (ls->block[i].active) return true;
  }
  return false;
}

/* The window at `base`; running blocks keep theirs. NULL after a report. */
static wg_ref_code_t *code_of(wg_lockstep_t *ls, uint64_t base) {
  unsigned i = 0;
  while (i < (unsigned)kLsCodes && ls->code[i] != NULL && wg_ref_code_base(ls->code[i]) != base) i++;
  if (i == (unsigned)kLsCodes) {
    if (any_block(ls)) {
      ls_fail(ls, NULL, NULL, "too many code windows", "expected: at most %d while blocks run\ngot: one more",
              (int)kLsCodes);
      return NULL;
    }
    for (i = 0; i < (unsigned)kLsCodes; i++) {
      wg_ref_code_free(ls->code[i]);
      ls->code[i] = NULL;
    }
    i = 0;
  }
  if (ls->code[i] == NULL) ls->code[i] = wg_ref_code_new(&ls->env.mem, base);
  return ls->code[i];
}

/* ---- launch and warps ---- */

void wg_lockstep_launch(wg_lockstep_t *ls, const wg_cta_launch_t *msg) {
  if (ls->quiet) return;
  if (msg->inval_insn && !any_block(ls)) {
    for (unsigned i = 0; i < (unsigned)kLsCodes; i++) {
      if (ls->code[i] != NULL) wg_ref_code_forget(ls->code[i]);
    }
  }
  if (msg->inval_const) {
    for (unsigned i = 0; i < (unsigned)kWgMaxBlockSlots; i++)
      ls->grid[i].used = false; /* kept while blocks point there */
  }
  if (ls->launches == (unsigned)kLsLaunches) {
    ls_fail(ls, NULL, NULL, "launches that do not start", "expected: at most %d waiting\ngot: one more",
            (int)kLsLaunches);
    return;
  }
  ls->launch[(ls->launch_at + ls->launches++) % (unsigned)kLsLaunches] = *msg;
}

static uint32_t warps_of(const wg_cta_launch_t *c) { return (c->ntid[0] * c->ntid[1] * c->ntid[2] + 31u) / 32u; }

static uint32_t rounded_regs(const wg_cta_launch_t *c) {
  return (c->regs_per_thread + (uint32_t)kWgRegUnit - 1u) / (uint32_t)kWgRegUnit * (uint32_t)kWgRegUnit;
}

/* The first warp of a block: the oldest launch message takes its place. */
static bool start_block(wg_lockstep_t *ls, const wg_ev_init_t *e) {
  if (ls->launches == 0u) {
    ls_fail(ls, NULL, NULL, "block that nobody launched", "expected: no block\ngot: block slot %u", e->block);
    return false;
  }
  const wg_cta_launch_t *cta = &ls->launch[ls->launch_at];
  wg_cta_place_t place;
  if (!wg_cta_alloc_find(&ls->alloc, warps_of(cta), rounded_regs(cta), cta->shared_bytes, &place)) {
    ls_fail(ls, NULL, NULL, "block that does not fit",
            "expected: no room for %u warps, %u registers, %u bytes\ngot: a block start", warps_of(cta),
            rounded_regs(cta), cta->shared_bytes);
    return false;
  }
  if (e->block != place.block) {
    ls_fail(ls, NULL, NULL, "wrong block slot", "expected: %u\ngot: %u", place.block, e->block);
    return false;
  }
  ls_block_t *b = &ls->block[place.block];
  wg_race_block_free(b->race);
  wg_span_block_free(b->span);
  wg_tools_block_free(b->tools);
  memset(b, 0, sizeof *b);
  b->code = code_of(ls, cta->code_base);
  if (b->code == NULL) return false;
  b->grid = grid_of(ls, cta);
  if (b->grid == NULL) return false;
  b->grid->blocks++;
  b->active = true;
  b->cta = *cta;
  if (cta->inval_l1) ls->start_inval = true; /* behind this cycle's accesses, as in the design */
  if (ls->env.race != NULL) b->race = wg_race_block_new(ls->env.race, cta, ls->cfg.diverge_mode != 0u);
  if (ls->env.span != NULL) b->span = wg_span_block_new(ls->env.span, cta, ls->cfg.diverge_mode != 0u);
  if (ls->env.tools != NULL) b->tools = wg_tools_block_new(ls->env.tools, cta, ls->cfg.diverge_mode != 0u);
  b->place = place;
  b->shared_base = place.shared.base;
  wg_barrier_reset(&b->bar, place.warps == 32u ? UINT32_MAX : (1u << place.warps) - 1u);
  wg_cta_alloc_take(&ls->alloc, &place);
  ls->launch_at = (ls->launch_at + 1u) % (unsigned)kLsLaunches;
  ls->launches--;
  return true;
}

static bool check_place(wg_lockstep_t *ls, const wg_ev_init_t *e, const ls_block_t *b) {
  const wg_cta_place_t *p = &b->place;
  uint32_t k = b->inited;
  if (e->warp != k || k >= p->warps) {
    ls_fail(ls, NULL, NULL, "warps of a block out of order", "expected: warp %u of %u\ngot: warp %u", k, p->warps,
            e->warp);
    return false;
  }
  uint32_t sub = wg_cta_place_sub(&ls->alloc, p, k), row = wg_cta_place_row(&ls->alloc, p, k);
  if (e->sub != sub || e->slot != p->slot[k] || e->reg_base != row || e->regs != p->regs ||
      e->shared_base != p->shared.base || e->shared_size != b->cta.shared_bytes) {
    ls_fail(ls, NULL, NULL, "wrong place of a warp",
            "expected: warp %u on sub-core %u slot %u, rows %u+%u, shared %u+%u\ngot: sub-core %u slot %u, rows %u+%u, "
            "shared %u+%u",
            k, sub, p->slot[k], row, p->regs, p->shared.base, b->cta.shared_bytes, e->sub, e->slot, e->reg_base,
            e->regs, e->shared_base, e->shared_size);
    return false;
  }
  uint32_t mask = wg_ref_present(&b->cta, k);
  if (e->mask != mask || e->grid_id != b->cta.grid_id || memcmp(e->ctaid, b->cta.ctaid, sizeof e->ctaid) != 0) {
    ls_fail(ls, NULL, NULL, "wrong threads of a warp",
            "expected: lanes 0x%08x of block (%u,%u,%u), grid %u\ngot: 0x%08x of (%u,%u,%u), grid %u", mask,
            b->cta.ctaid[0], b->cta.ctaid[1], b->cta.ctaid[2], b->cta.grid_id, e->mask, e->ctaid[0], e->ctaid[1],
            e->ctaid[2], e->grid_id);
    return false;
  }
  return true;
}

void ls_init(wg_lockstep_t *ls, const wg_ev_init_t *e) {
  if (e->block >= kWgMaxBlockSlots || e->sub >= ls->shape.sub_cores || e->slot >= ls->shape.warp_slots) {
    ls_fail(ls, NULL, NULL, "warp outside the machine",
            "expected: a slot of the shape\ngot: block %u, sub-core %u, slot %u", e->block, e->sub, e->slot);
    return;
  }
  if (e->warp == 0u && !start_block(ls, e)) return;
  ls_block_t *b = &ls->block[e->block];
  if (!b->active || !check_place(ls, e, b)) {
    if (!b->active)
      ls_fail(ls, NULL, NULL, "warp of a block that has not started", "expected: warp 0 first\ngot: warp %u", e->warp);
    return;
  }
  b->inited++;
  ls->spin_broken = true;
  wg_count_warp(&ls->counts, e->mask, e->warp == 0u);
  ls_warp_t *lw = &ls->warp[e->sub][e->slot];
  WG_BUG(lw->active); /* the place was the twin's */
  wg_hazard_free(&lw->hazard);
  wg_spin_free(&lw->spin);
  memset(lw, 0, sizeof *lw);
  lw->active = true;
  lw->sub = e->sub;
  lw->slot = e->slot;
  lw->block = e->block;
  lw->reg_base = e->reg_base;
  lw->pred_known[kWgPT] = UINT32_MAX;
  wg_ref_warp_init(&lw->w, b->cta.entry_pc, e->mask);
  lw->w.reg = ls->reg[e->sub] + e->reg_base;
  lw->w.num_regs = e->regs;
  lw->w.warp = e->warp;
  lw->w.warp_slot = e->sub + ls->shape.sub_cores * e->slot;
  lw->w.shared_size = b->cta.shared_bytes;
  lw->w.cta = &b->cta;
  lw->w.banks = &b->grid->banks;
  /* seeds as in rtl/top/sm_subcore.sv */
  wg_diverge_cfg_t dc = {ls->cfg.diverge_mode != 0u, (uint8_t)ls->cfg.split_order,
                         ls->cfg.knob[3] + 1021u * (e->sub + 4u * e->slot)};
  wg_ref_warp_diverge(&lw->w, &dc);
  lw->unit = lw->w.div;
  lw->bar_result_known = true;
  lw->last_issue = ls->cycle;
  wg_ref_hash_init(&lw->hash, &b->cta, e->warp);
}

static bool check_ended(wg_lockstep_t *ls, ls_warp_t *lw) {
  uint32_t pc = lw->w.div.pc;
  if (!wg_diverge_ended(&lw->w.div)) {
    ls_fail(ls, lw, &pc, "block released before its end",
            "expected: lanes 0x%08x still to run\ngot: release of the block", ~lw->w.div.gone);
    return false;
  }
  if (lw->ops != 0u) {
    ls_fail(ls, lw, &lw->op[0]->pc, "block released with an instruction open",
            "expected: %u instructions to finish first\ngot: release of the block", lw->ops);
    return false;
  }
  if (lw->stack_due) {
    ls_fail(ls, lw, &lw->stack.pc, "stack event missing",
            "expected: the effect of a branch\ngot: release of the block");
    return false;
  }
  return true;
}

void ls_free(wg_lockstep_t *ls, const wg_ev_free_t *e) {
  if (e->block >= kWgMaxBlockSlots || !ls->block[e->block].active) {
    ls_fail(ls, NULL, NULL, "release of a block that is not there", "expected: an active block slot\ngot: %u",
            e->block);
    return;
  }
  ls_block_t *b = &ls->block[e->block];
  for (uint32_t k = 0; k < b->place.warps; k++) {
    ls_warp_t *lw = &ls->warp[wg_cta_place_sub(&ls->alloc, &b->place, k)][b->place.slot[k]];
    if (k >= b->inited) {
      ls_fail(ls, NULL, NULL, "block released before all its warps started", "expected: %u warps\ngot: %u",
              b->place.warps, b->inited);
      return;
    }
    if (lw->faulted) return; /* waits for the fault report */
    if (!check_ended(ls, lw)) return;
    lw->active = false;
  }
  if (b->bar_owed != 0u) {
    uint32_t due = b->bar_due[__builtin_ctz(b->bar_owed)], k = due != 0u ? (uint32_t)__builtin_ctz(due) : 0u;
    const ls_warp_t *lw = &ls->warp[wg_cta_place_sub(&ls->alloc, &b->place, k)][b->place.slot[k]];
    ls_fail(ls, lw, NULL, "barrier release missing", "expected: releases of barriers 0x%x\ngot: release of the block",
            b->bar_owed);
    return;
  }
  b->active = false;
  wg_race_block_free(b->race);
  wg_span_block_free(b->span);
  b->race = NULL;
  b->span = NULL;
  wg_tools_block_free(b->tools);
  b->tools = NULL;
  ls->spin_broken = true;
  b->grid->blocks--;
  wg_cta_alloc_free(&ls->alloc, e->block);
}

/* ---- golden barriers, in the order of issue ---- */

/* Barrier `id` is complete: these warps go on. */
static void let_go(wg_lockstep_t *ls, const ls_block_t *b, unsigned id, uint32_t warps) {
  const wg_barrier_one_t *o = &b->bar.bar[id];
  for (; warps != 0u; warps &= warps - 1u) {
    uint32_t k = (uint32_t)__builtin_ctz(warps);
    ls_warp_t *lw = &ls->warp[wg_cta_place_sub(&ls->alloc, &b->place, k)][b->place.slot[k]];
    lw->at_bar = false;
    if (o->done_red != kWgBarRedNone) lw->w.bar_result = o->result;
    wg_diverge_release(&lw->w.div);
  }
}

void ls_barrier(wg_lockstep_t *ls, ls_warp_t *lw, const wg_ref_step_t *st) {
  /* With a count, who completes a barrier can depend on the order in which the unit takes arrivals, which is not the
     order of issue; only barriers of all warps are judged here. The twin judges all of them at level units. */
  if (st->bar.red != kWgBarRedNone) lw->bar_result_known = !st->bar.has_count;
  lw->bar_asks = st->bar.has_count ? st->bar.count : 0u;
  lw->bar_last = st->bar.id;
  if (st->bar.has_count) {
    lw->count_bar = st->bar.arrive_only ? 0u : (uint8_t)(st->bar.id + 1u);
    lw->count_wants = st->bar.count;
    wg_diverge_release(&lw->w.div);
    return;
  }
  ls_block_t *b = &ls->block[lw->block];
  wg_barrier_out_t o = wg_barrier_take(&b->bar, lw->w.warp, &st->bar);
  if (o.fault != kWgFaultNone) return;
  lw->at_bar = !st->bar.arrive_only;
  lw->bar_id = st->bar.id;
  let_go(ls, b, st->bar.id, o.release);
}

void ls_exit(wg_lockstep_t *ls, ls_warp_t *lw) {
  ls_block_t *b = &ls->block[lw->block];
  uint32_t rel[kWgBarriers];
  uint32_t done = wg_barrier_exit(&b->bar, lw->w.warp, rel);
  for (; done != 0u; done &= done - 1u) let_go(ls, b, (unsigned)__builtin_ctz(done), rel[__builtin_ctz(done)]);
}
