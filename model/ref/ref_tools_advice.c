// SPDX-License-Identifier: Apache-2.0
//
// Advice: what each memory instruction moved, and what the same bytes would have taken side by side.
#include <string.h>

#include "model/counts.h"
#include "model/ref/ref_tools.h"
#include "model/twin/coalescer.h"
#include "model/twin/smem_passes.h"

enum { kAdviceMaxInsns = 1 << 20 }; /* of a code window */

static wg_advice_t *row_of(wg_tools_t *t, uint64_t code_base, uint32_t pc, bool shared) {
  tool_code_t *c = NULL;
  uint32_t i = pc / 16u;
  if (i >= (uint32_t)kAdviceMaxInsns) {
    t->incomplete = true;
    return NULL;
  }
  for (size_t k = 0; k < t->codes && c == NULL; k++) c = t->code[k].base == code_base ? &t->code[k] : NULL;
  if (c == NULL) {
    t->code = realloc(t->code, (t->codes + 1u) * sizeof *t->code);
    WG_BUG(t->code == NULL);
    c = &t->code[t->codes++];
    *c = (tool_code_t){.base = code_base};
  }
  if (i >= c->cap) {
    uint32_t cap = i + 1u + i / 2u;
    for (unsigned s = 0; s < 2u; s++) {
      c->at[s] = realloc(c->at[s], cap * sizeof *c->at[s]);
      WG_BUG(c->at[s] == NULL);
      memset(c->at[s] + c->cap, 0, (cap - c->cap) * sizeof *c->at[s]);
    }
    c->cap = cap;
  }
  return &c->at[shared ? 1 : 0][i];
}

static int by_address(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return x < y ? -1 : x > y ? 1 : 0;
}

/* Bytes that the lanes touch, each once. Addresses are multiples of `bytes`. */
static uint64_t distinct(const uint64_t addr[32], unsigned bytes, uint32_t lanes) {
  uint64_t a[32];
  unsigned n = 0u, different = 0u;
  for (uint32_t m = lanes; m != 0u; m &= m - 1u) a[n++] = addr[__builtin_ctz(m)];
  qsort(a, n, sizeof a[0], by_address);
  for (unsigned i = 0; i < n; i++) different += i == 0u || a[i] != a[i - 1u] ? 1u : 0u;
  return (uint64_t)different * bytes;
}

static void note(wg_tools_block_t *b, const wg_ref_step_t *st, wg_space_t space, uint32_t lanes, uint64_t units, uint64_t ideal) {
  const wg_insn_t *in = &st->insn->in;
  wg_advice_t *r = row_of(b->tools, b->cta.code_base, st->pc, space == kWgSpaceShared);
  if (r == NULL) return;
  r->code_base = b->cta.code_base;
  r->pc = st->pc;
  r->space = (uint8_t)space;
  r->is_atomic = wg_insn_is_atomic(in->op);
  r->is_store = wg_insn_is_store(in->op);
  r->bytes = st->bytes;
  r->requests++;
  r->lanes += (unsigned)__builtin_popcount(lanes);
  r->units += units;
  r->ideal += ideal < units ? ideal : units; /* an instruction is never blamed for less than nothing */
}

static void shared(wg_tools_block_t *b, const wg_ref_step_t *st) {
  const wg_insn_t *in = &st->insn->in;
  uint32_t addr[32];
  wg_smem_passes_t p;
  for (unsigned l = 0; l < 32u; l++) addr[l] = (st->shared >> l & 1u) != 0u ? (uint32_t)st->addr[l] : 0u;
  if (wg_insn_is_atomic(in->op)) wg_smem_split_atom(addr, st->bytes, st->shared, &p);
  else wg_smem_split(addr, st->bytes, st->shared, wg_insn_is_store(in->op) || in->op == kWgOp_LDSM, &p);
  note(b, st, kWgSpaceShared, st->shared, p.num, (distinct(st->addr, st->bytes, st->shared) + 127u) / 128u);
}

static void device(wg_tools_block_t *b, const wg_ref_step_t *st, wg_space_t space, uint32_t lanes) {
  wg_line_access_t line[32];
  bool atomic = wg_insn_is_atomic(st->insn->in.op);
  unsigned n = atomic ? wg_coalesce_atom(st->addr, st->bytes, lanes, line) : wg_coalesce(st->addr, st->bytes, lanes, line);
  uint64_t sectors = 0u;
  for (unsigned i = 0; i < n; i++) sectors += (unsigned)__builtin_popcount(line[i].sectors);
  note(b, st, space, lanes, sectors, (distinct(st->addr, st->bytes, lanes) + 31u) / 32u);
}

void tools_advise(wg_tools_block_t *b, const wg_ref_step_t *st) {
  if (wg_insn_space(st->insn->in.op) == kWgSpaceConst) return;
  uint32_t global = st->lanes & ~st->shared & ~st->local;
  if (st->shared != 0u) shared(b, st);
  if (st->local != 0u) device(b, st, kWgSpaceLocal, st->local);
  if (global != 0u) device(b, st, kWgSpaceGlobal, global);
}

size_t wg_tools_advice(wg_tools_t *t, const wg_advice_t **out) {
  size_t n = 0, cap = 0;
  for (size_t k = 0; k < t->codes; k++) cap += 2u * t->code[k].cap;
  free(t->list);
  t->list = tools_alloc(cap, sizeof *t->list);
  for (size_t k = 0; k < t->codes; k++) {
    for (uint32_t i = 0; i < t->code[k].cap; i++) {
      for (unsigned s = 0; s < 2u; s++) {
        if (t->code[k].at[s][i].requests != 0u) t->list[n++] = t->code[k].at[s][i];
      }
    }
  }
  *out = t->list;
  return n;
}
