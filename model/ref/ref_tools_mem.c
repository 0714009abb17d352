// SPDX-License-Identifier: Apache-2.0
//
// Checks mem and init: each lane's access against allocations, and bytes that are read before anything wrote them.
#include <string.h>

#include "model/ref/ref_tools.h"
#include "model/store/store.h"

/* Nearest live allocation, or the freed one that holds `addr`. @return freed */
static bool explain(wg_tools_t *t, uint64_t addr, uint64_t *base, uint64_t *size) {
  *base = *size = 0u;
  for (size_t i = t->freed.n; i-- > 0u;) {
    const tool_range_t *r = &t->freed.r[i];
    if (addr - r->addr >= r->bytes) continue;
    *base = r->addr;
    *size = r->bytes;
    return true;
  }
  uint64_t best = UINT64_MAX;
  for (size_t i = 0; i < t->live.n; i++) {
    const tool_range_t *r = &t->live.r[i];
    uint64_t away = addr < r->addr ? r->addr - addr : addr - r->addr < r->bytes ? 0u : addr - r->addr - r->bytes;
    if (away >= best) continue;
    best = away;
    *base = r->addr;
    *size = r->bytes;
  }
  return false;
}

static void fill(wg_finding_t *f, const wg_ref_step_t *st, unsigned lane, wg_space_t space, uint64_t addr) {
  if (f == NULL) return;
  f->space = (uint8_t)space;
  f->lane = lane;
  f->addr = addr;
  f->bytes = st->bytes;
  f->is_atomic = wg_insn_is_atomic(st->insn->in.op);
  f->is_write = wg_insn_is_store(st->insn->in.op) && !f->is_atomic;
}

/* ---- mem ---- */

/* Which finding an access of global memory is; kWgFindKinds: none. */
static wg_finding_kind_t judge_global(wg_tools_t *t, uint64_t addr, unsigned bytes, uint64_t *base, uint64_t *size) {
  const tool_range_t *r = tools_range(t, addr);
  *base = *size = 0u;
  if (r != NULL && bytes <= r->bytes - (addr - r->addr)) return kWgFindKinds;
  if (r != NULL) {
    *base = r->addr;
    *size = r->bytes;
    return kWgFindOobTail;
  }
  if (addr < (uint64_t)kWgFaultLow) return kWgFindNull;
  if (addr - WG_DEV_BASE >= WG_DEV_BYTES) return kWgFindNotDevice;
  bool driver = addr - WG_DEV_BASE < WG_DEV_DRIVER_BYTES;
  bool legal = t->legal == NULL || t->legal(t->legal_ctx, addr, bytes);
  if (driver && legal && !tools_in_area(t, addr)) return kWgFindKinds;
  if (explain(t, addr, base, size)) return kWgFindFreed;
  uint64_t end = *base + (*size + WG_DEV_ALIGN - 1u) / WG_DEV_ALIGN * WG_DEV_ALIGN;
  return *size != 0u && addr >= *base && addr < end ? kWgFindOobTail : kWgFindOobGlobal;
}

static void check_global(wg_tools_block_t *b, const wg_ref_warp_t *w, const wg_ref_step_t *st, uint32_t lanes) {
  for (uint32_t m = lanes; m != 0u; m &= m - 1u) {
    unsigned l = (unsigned)__builtin_ctz(m);
    uint64_t base, size;
    wg_finding_kind_t kind = judge_global(b->tools, st->addr[l], st->bytes, &base, &size);
    if (kind == kWgFindKinds) continue;
    wg_finding_t *f = tools_found(b, w->warp, kind, st->pc, 1u << l);
    fill(f, st, l, kWgSpaceGlobal, st->addr[l]);
    if (f == NULL) continue;
    f->base = base;
    f->size = size;
  }
}

/* A fault that was found at issue: lanes and kind. What global memory refuses, check_global names better. */
static void check_fault(wg_tools_block_t *b, const wg_ref_warp_t *w, const wg_ref_step_t *st) {
  wg_space_t space = wg_insn_space(st->insn->in.op);
  uint32_t lanes = st->fault_lanes;
  if (lanes == 0u) return;
  unsigned l = (unsigned)__builtin_ctz(lanes);
  if (space == kWgSpaceGeneric)
    space = (st->shared >> l & 1u) != 0u ? kWgSpaceShared : (st->local >> l & 1u) != 0u ? kWgSpaceLocal : kWgSpaceGlobal;
  wg_finding_kind_t kind = st->fault == kWgFaultMisaligned ? kWgFindMisaligned
                        : space == kWgSpaceShared       ? kWgFindOobShared
                        : space == kWgSpaceLocal        ? kWgFindOobLocal
                        : space == kWgSpaceConst        ? kWgFindOobConst
                                                        : kWgFindNotDevice;
  wg_finding_t *f = tools_found(b, w->warp, kind, st->pc, lanes);
  bool windowed = space == kWgSpaceShared || space == kWgSpaceLocal;
  fill(f, st, l, space, windowed ? st->addr[l] & UINT32_MAX : st->addr[l]);
  if (f == NULL) return;
  f->size = space == kWgSpaceShared ? b->cta.shared_bytes : space == kWgSpaceLocal ? b->cta.local_bytes : 0u;
}

/* ---- init ---- */

/* Are all bits set? Sets them if `write`. */
static bool bits(uint8_t *map, uint64_t at, unsigned n, bool write) {
  bool all = true;
  for (uint64_t i = at; i < at + n; i++) {
    uint8_t bit = (uint8_t)(1u << i % 8u);
    all = all && (map[i / 8u] & bit) != 0u;
    if (write) map[i / 8u] |= bit;
  }
  return all;
}

/* Byte of the lane's frame that a local access of lane l has become an address of (isa/README.md, LDL). */
static uint64_t frame_offset(const wg_ref_warp_t *w, uint64_t addr, unsigned l) {
  uint64_t word = ((addr - w->cta->local_arena) / 4u - l) / 32u;
  return (word - (uint64_t)w->warp_slot * (w->cta->local_bytes / 4u)) * 4u + addr % 4u;
}

/* One lane's bytes: its map and its place there; NULL: nothing is known. */
static uint8_t *map_of(wg_tools_block_t *b, const wg_ref_warp_t *w, const wg_ref_step_t *st, unsigned l, uint64_t *at) {
  wg_tools_t *t = b->tools;
  bool all = (t->wanted & (unsigned)kWgToolInitAll) != 0u;
  if ((st->shared >> l & 1u) != 0u) {
    *at = st->addr[l];
    return all ? b->shared : NULL;
  }
  if ((st->local >> l & 1u) != 0u) {
    tool_warp_t *tw = &b->warp[w->warp];
    if (!all) return NULL;
    if (tw->local == NULL) tw->local = tools_alloc((size_t)b->cta.local_bytes * 4u + 1u, 1); /* 32 lanes, 8 bits a byte */
    *at = (uint64_t)l * b->cta.local_bytes + frame_offset(w, st->addr[l], l);
    return tw->local;
  }
  tool_range_t *r = tools_range(t, st->addr[l]);
  if (r == NULL || st->bytes > r->bytes - (st->addr[l] - r->addr)) return NULL;
  *at = st->addr[l] - r->addr;
  return r->written;
}

static void report_uninit(wg_tools_block_t *b, const wg_ref_warp_t *w, const wg_ref_step_t *st, uint32_t bad) {
  for (uint32_t m = bad; m != 0u; m &= m - 1u) {
    unsigned l = (unsigned)__builtin_ctz(m);
    bool shared = (st->shared >> l & 1u) != 0u, local = (st->local >> l & 1u) != 0u;
    wg_finding_kind_t kind = shared ? kWgFindUninitShared : local ? kWgFindUninitLocal : kWgFindUninitGlobal;
    wg_finding_t *f = tools_found(b, w->warp, kind, st->pc, 1u << l);
    fill(f, st, l, shared ? kWgSpaceShared : local ? kWgSpaceLocal : kWgSpaceGlobal,
         local ? frame_offset(w, st->addr[l], l) : st->addr[l]);
    tool_range_t *r = f == NULL || shared || local ? NULL : tools_range(b->tools, st->addr[l]);
    if (r == NULL) continue;
    f->base = r->addr;
    f->size = r->bytes;
  }
}

/* First all lanes read, then they write: lanes of one atomic do not initialise each other's word. */
static void check_init(wg_tools_block_t *b, const wg_ref_warp_t *w, const wg_ref_step_t *st) {
  const wg_insn_t *in = &st->insn->in;
  bool atomic = wg_insn_is_atomic(in->op), write = atomic || wg_insn_is_store(in->op);
  uint32_t bad = 0u;
  for (unsigned pass = write && !atomic ? 1u : 0u; pass < (write ? 2u : 1u); pass++) {
    for (uint32_t m = st->lanes; m != 0u; m &= m - 1u) {
      unsigned l = (unsigned)__builtin_ctz(m);
      uint64_t at = 0u;
      uint8_t *map = map_of(b, w, st, l, &at);
      if (map == NULL) continue;
      if (!bits(map, at, st->bytes, pass == 1u) && pass == 0u) bad |= 1u << l;
    }
  }
  if (bad != 0u) report_uninit(b, w, st, bad);
}

void tools_memory(wg_tools_block_t *b, const wg_ref_warp_t *w, const wg_ref_step_t *st) {
  unsigned wanted = b->tools->wanted;
  bool constant = wg_insn_space(st->insn->in.op) == kWgSpaceConst;
  if (st->fault != kWgFaultNone) {
    if ((wanted & (unsigned)kWgToolMem) != 0u) check_fault(b, w, st);
    return;
  }
  if (constant) return;
  uint32_t global = st->lanes & ~st->shared & ~st->local;
  if ((wanted & (unsigned)kWgToolMem) != 0u && global != 0u) check_global(b, w, st, global);
  if ((wanted & (unsigned)(kWgToolInit | kWgToolInitAll)) != 0u) check_init(b, w, st);
}
