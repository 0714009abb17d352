// SPDX-License-Identifier: Apache-2.0
//
// Check sync: block barriers that lanes pass by, numbers of threads, masks of warp-level calls.
#include <string.h>

#include "model/ref/ref_int.h"
#include "model/ref/ref_tools.h"

static void report_divergent(wg_tools_block_t *b, uint32_t warp, uint32_t pc, uint32_t here, uint32_t want, uint32_t other) {
  wg_finding_t *f = tools_found(b, warp, kWgFindBarDivergent, pc, here);
  b->warp[warp].split = true;
  if (f == NULL) return;
  f->value = here;
  f->want = want;
  f->other_pc = other;
}

/* ---- block barriers ---- */

static uint32_t live_warps(const wg_tools_block_t *b) {
  uint32_t live = 0u;
  for (uint32_t i = 0; i < b->warps; i++) live |= b->warp[i].alive != 0u ? 1u << i : 0u;
  return live;
}

/* Warps of `group` whose place is `pc`. */
static uint32_t come_to(const wg_tools_block_t *b, uint32_t group, uint32_t pc) {
  uint32_t at = 0u;
  for (uint32_t m = group; m != 0u; m &= m - 1u) at |= b->warp[__builtin_ctz(m)].came_pc == pc ? m & -m : 0u;
  return at;
}

/* Have the warps that meet at barrier 0 come to one instruction? PTX lets any two `bar` of one number meet, and that is how
   named barriers are used; barrier 0 for the whole block is __syncthreads(), which CUDA C++ allows in a branch only if all
   threads of the block take it. A warp that came in parts has been told of. */
static void same_place(wg_tools_block_t *b, const tool_bar_t *o) {
  uint32_t group = o->all;
  for (uint32_t m = o->all; m != 0u; m &= m - 1u) group &= b->warp[__builtin_ctz(m)].split ? ~(m & -m) : ~0u;
  if (group == 0u) return;
  uint32_t first = (uint32_t)__builtin_ctz(group), here = come_to(b, group, b->warp[first].came_pc), other = group & ~here;
  if (other == 0u) return;
  uint32_t other_pc = b->warp[__builtin_ctz(other)].came_pc;
  wg_finding_t *f = tools_found(b, first, kWgFindBarApart, b->warp[first].came_pc, b->warp[first].alive);
  if (f == NULL) return;
  f->value = here;
  f->want = come_to(b, other, other_pc);
  f->other_pc = other_pc;
}

/* Begin the next phase of a barrier that is complete. */
static void end_phase(wg_tools_block_t *b, unsigned id) {
  tool_bar_t *o = &b->bar[id];
  uint32_t all = live_warps(b);
  bool done = o->has_count ? (uint32_t)__builtin_popcount(o->warps) * 32u >= o->count : (all & ~o->warps) == 0u;
  if (o->warps == 0u || !done) return;
  if (id == 0u) same_place(b, o);
  for (uint32_t m = o->all; m != 0u; m &= m - 1u) b->warp[__builtin_ctz(m)].split = false;
  o->warps = o->all = 0u;
  for (uint32_t i = 0; i < b->warps; i++) {
    if (b->warp[i].waits == id + 1u) b->warp[i].waits = 0u;
  }
}

/* The warp arrives as a whole. */
static void arrive(wg_tools_block_t *b, uint32_t warp, const wg_bar_arrival_t *a, uint32_t lanes) {
  tool_bar_t *o = &b->bar[a->id % (unsigned)kWgBarriers];
  if (o->warps != 0u && (o->has_count != a->has_count || (a->has_count && o->count != a->count))) {
    wg_finding_t *f = tools_found(b, warp, kWgFindBarCount, a->pc, lanes);
    if (f == NULL) return;
    f->barrier = a->id;
    f->value = a->has_count ? a->count : 0u;
    f->want = o->has_count ? o->count : 0u;
    f->other_pc = o->pc;
    return;
  }
  if (o->warps == 0u) *o = (tool_bar_t){0u, 0u, a->has_count, a->count, a->pc, warp};
  o->warps |= 1u << warp;
  if (!a->has_count && !a->arrive_only) o->all |= 1u << warp;
  if (a->id == 0u) b->warp[warp].came_pc = a->pc;
  if (!a->arrive_only) b->warp[warp].waits = (uint8_t)(a->id + 1u);
  end_phase(b, a->id % (unsigned)kWgBarriers);
}

/* Mode its: all lanes that are left have come, or the others have exited. */
static void gathered(wg_tools_block_t *b, uint32_t warp, tool_warp_t *tw) {
  uint32_t here = tw->bar_here, missing = tw->bar_want & ~here & tw->worked, first = (uint32_t)__builtin_ctz(here);
  for (uint32_t m = here; m != 0u; m &= m - 1u) {
    unsigned l = (unsigned)__builtin_ctz(m);
    if (tw->bar_pc[l] == tw->bar_pc[first]) continue;
    report_divergent(b, warp, tw->bar_pc[first], here, here, tw->bar_pc[l]);
    break;
  }
  if (missing != 0u) report_divergent(b, warp, tw->bar_pc[first], here, here | missing, UINT32_MAX);
  tw->bar_here = tw->bar_want = 0u;
}

static void at_barrier(wg_tools_block_t *b, uint32_t warp, const wg_ref_step_t *st) {
  tool_warp_t *tw = &b->warp[warp];
  if (st->fault != kWgFaultNone) {
    wg_finding_t *f = tools_found(b, warp, kWgFindBarArgs, st->pc, st->exec);
    if (f != NULL) f->value = f->want = 0u;
    return;
  }
  for (uint32_t m = st->exec; m != 0u; m &= m - 1u) tw->bar_pc[__builtin_ctz(m)] = st->pc;
  if (b->its) {
    if (tw->bar_here == 0u) {
      tw->bar_want = tw->alive;
      tw->worked &= st->exec; /* from now on */
    }
    tw->bar_here |= st->exec;
  } else if (st->exec != tw->alive) {
    tw->bar_here = st->exec;
    tw->bar_want = tw->alive & ~st->exec;
  }
}

/* Mode stack: do lanes that passed a barrier by go on? */
static void passed_by(wg_tools_block_t *b, uint32_t warp, const wg_ref_step_t *st, bool control) {
  tool_warp_t *tw = &b->warp[warp];
  bool barrier = st->insn->in.op == kWgOp_BAR || st->insn->in.op == kWgOp_BARRED;
  if (b->its || (tw->bar_want & st->exec) == 0u || (control && !barrier)) return;
  uint32_t pc = tw->bar_pc[__builtin_ctz(tw->bar_here)];
  report_divergent(b, warp, pc, tw->bar_here, tw->bar_here | tw->bar_want, st->pc);
  tw->bar_want = 0u;
}

/* ---- masks ---- */

static void report_mask(wg_tools_block_t *b, uint32_t warp, wg_finding_kind_t kind, uint32_t pc, uint32_t lanes, uint32_t value,
                        uint32_t want) {
  wg_finding_t *f = tools_found(b, warp, kind, pc, lanes);
  if (f == NULL) return;
  f->value = value;
  f->want = want;
}

static void at_warpsync(wg_tools_block_t *b, const wg_ref_warp_t *w, const wg_ref_step_t *st) {
  tool_warp_t *tw = &b->warp[w->warp];
  uint32_t scratch[32], outside = 0u, other = 0u;
  wg_ref_step_t dummy;
  dummy.exec = st->exec;
  const uint32_t *mask = wg_ref_row_b(w, &st->insn->in, &dummy, scratch);
  if (mask == NULL) return;
  uint32_t first = mask[__builtin_ctz(st->exec)];
  for (uint32_t m = st->exec; m != 0u; m &= m - 1u) {
    unsigned l = (unsigned)__builtin_ctz(m);
    if ((mask[l] >> l & 1u) == 0u) outside |= 1u << l;
    if (mask[l] != first) other |= 1u << l;
  }
  if (outside != 0u) report_mask(b, w->warp, kWgFindMaskSelf, st->pc, outside, mask[__builtin_ctz(outside)], st->exec);
  if (other != 0u) report_mask(b, w->warp, kWgFindMaskDiffers, st->pc, other, mask[__builtin_ctz(other)], first);
  uint32_t absent = first & tw->alive & ~st->exec;
  if (!b->its && absent != 0u) report_mask(b, w->warp, kWgFindMaskApart, st->pc, st->exec, first, absent);
  if (!b->its) return;
  tw->worked &= ~absent; /* from now on */
  for (uint32_t m = st->exec; m != 0u; m &= m - 1u) {
    unsigned l = (unsigned)__builtin_ctz(m);
    tw->sync_mask[l] = tw->gathered[l] = first;
    tw->sync_pc[l] = st->pc;
  }
}

/* Mode its: a WARPSYNC brings lanes together from several places; is the call behind it one for all that its mask names? */
static void at_call(wg_tools_block_t *b, uint32_t warp, const wg_ref_step_t *st) {
  tool_warp_t *tw = &b->warp[warp];
  uint32_t mask = tw->gathered[__builtin_ctz(st->exec)], absent = mask & tw->alive & ~st->exec;
  if (st->exec == st->mask && mask != 0u && absent != 0u) report_mask(b, warp, kWgFindMaskApart, st->pc, st->exec, mask, absent);
  for (uint32_t m = st->exec; m != 0u; m &= m - 1u) tw->gathered[__builtin_ctz(m)] = 0u;
}

/* Lanes `gone` exit, or never come: who waits for them at a WARPSYNC? */
static void not_coming(wg_tools_block_t *b, uint32_t warp, uint32_t gone) {
  tool_warp_t *tw = &b->warp[warp];
  for (unsigned l = 0; l < 32u; l++) {
    uint32_t mask = tw->sync_mask[l], here = 0u;
    if ((mask & gone) == 0u) continue;
    for (unsigned k = l; k < 32u; k++) {
      if (tw->sync_mask[k] != mask || tw->sync_pc[k] != tw->sync_pc[l]) continue;
      here |= 1u << k;
    }
    report_mask(b, warp, kWgFindMaskApart, tw->sync_pc[l], here, mask, mask & gone);
    return;
  }
}

/* ---- the door ---- */

static void exit_lanes(wg_tools_block_t *b, uint32_t warp, const wg_ref_step_t *st) {
  tool_warp_t *tw = &b->warp[warp];
  uint32_t gone = st->exec & tw->worked;
  tw->alive &= ~st->exec;
  if (b->its && gone != 0u) not_coming(b, warp, gone);
  if (tw->alive != 0u) return;
  for (unsigned id = 0; id < (unsigned)kWgBarriers; id++) {
    if (!b->bar[id].has_count) end_phase(b, id);
  }
}

void tools_sync(wg_tools_block_t *b, const wg_ref_warp_t *w, const wg_ref_step_t *st) {
  tool_warp_t *tw = &b->warp[w->warp];
  uint8_t op = st->insn->in.op;
  bool control = wg_insn_info(op)->pipe == kWgPipeCTRL;
  for (uint32_t m = b->its ? st->mask : 0u; m != 0u; m &= m - 1u) tw->sync_mask[__builtin_ctz(m)] = 0u; /* they go on */
  if (tw->bar_want != 0u) passed_by(b, w->warp, st, control);
  if (!control) {
    tw->worked |= st->exec;
    if (b->its && (op == kWgOp_SHFL || wg_insn_info(op)->pipe == kWgPipeXLANE)) at_call(b, w->warp, st);
    if (op == kWgOp_SHFL && st->fault == kWgFaultNone && st->out.absent != 0u) {
      report_mask(b, w->warp, kWgFindShuffleSource, st->pc, st->out.absent, st->out.absent, st->exec);
    }
    return;
  }
  for (uint32_t m = b->its ? st->mask : 0u; m != 0u; m &= m - 1u) tw->gathered[__builtin_ctz(m)] = 0u;
  if (op == kWgOp_BAR || op == kWgOp_BARRED) at_barrier(b, w->warp, st);
  if (op == kWgOp_WARPSYNC) at_warpsync(b, w, st);
  if (st->fault != kWgFaultNone) return;
  if (st->kind == kWgRefBarrier) {
    if (b->its && tw->bar_here != 0u) gathered(b, w->warp, tw);
    arrive(b, w->warp, &st->bar, st->bar.lanes);
  }
  if (op == kWgOp_EXIT) exit_lanes(b, w->warp, st);
}

void tools_stuck(wg_tools_block_t *b) {
  uint32_t live = live_warps(b), waiting = 0u;
  for (uint32_t i = 0; i < b->warps; i++) {
    tool_warp_t *tw = &b->warp[i];
    waiting |= tw->waits != 0u ? 1u << i : 0u;
    uint32_t at_sync = 0u;
    for (unsigned l = 0; l < 32u; l++) at_sync |= tw->sync_mask[l] != 0u ? 1u << l : 0u;
    if (at_sync != 0u && tw->alive != at_sync) not_coming(b, i, tw->alive & ~at_sync);
    if (b->its && tw->bar_here != 0u) { /* the others are elsewhere for good */
      report_divergent(b, i, tw->bar_pc[__builtin_ctz(tw->bar_here)], tw->bar_here, tw->alive, UINT32_MAX);
    }
  }
  if ((live & ~waiting) != 0u) return; /* who runs may still come */
  for (unsigned id = 0; id < (unsigned)kWgBarriers; id++) {
    tool_bar_t *o = &b->bar[id];
    if (o->warps == 0u) continue;
    if (id == 0u) same_place(b, o);
    wg_finding_t *f = tools_found(b, o->first, kWgFindBarNever, o->pc, b->warp[o->first].alive);
    if (f == NULL) continue;
    f->barrier = (uint8_t)id;
    f->value = o->warps;
    f->want = live;
    f->lanes = o->has_count ? o->count : 0u;
  }
}
