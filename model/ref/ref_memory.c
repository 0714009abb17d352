// SPDX-License-Identifier: Apache-2.0
//
// Loads, stores and atomics: addresses and their checks at issue, effect on memory.
#include <string.h>

#include "isa/wg_isa_table.h"
#include "model/ref/ref_int.h"
#include "model/ref/wg_ref_atom.h"

enum { kSharedWindow = 1, kLocalWindow = 2 }; /* upper word of a generic address */

static const uint32_t kZeroRow[32] = {0};

/* Device address of byte `offset` of lane l's local frame (isa/README.md, LDL). */
static uint64_t local_addr(const wg_ref_warp_t *w, uint32_t offset, unsigned l) {
  uint64_t word = (uint64_t)w->warp_slot * (w->cta->local_bytes / 4u) + offset / 4u;
  return w->cta->local_arena + (word * 32u + l) * 4u + offset % 4u;
}

static wg_space_t space_of(wg_space_t insn, uint64_t addr) {
  if (insn != kWgSpaceGeneric) return insn;
  uint32_t window = (uint32_t)(addr >> 32);
  return window == (uint32_t)kSharedWindow  ? kWgSpaceShared
         : window == (uint32_t)kLocalWindow ? kWgSpaceLocal
                                            : kWgSpaceGlobal;
}

/* Bytes of the range that an address of 32 bits must lie in. What a space cannot do has no range: floating-point
   atomics on shared memory (the compiler makes a loop of CAS), atomics and accesses beyond a word on local memory. */
static uint32_t range_of(const wg_ref_warp_t *w, const wg_insn_t *in, wg_space_t space) {
  bool atomic = wg_insn_is_atomic(in->op);
  switch (space) {
    case kWgSpaceShared: return atomic && wg_ref_atom_is_float(WG_MOD_GET(in, ATYPE)) ? 0u : w->shared_size;
    case kWgSpaceLocal: return atomic || wg_insn_bytes(in) > 4u ? 0u : w->cta->local_bytes;
    case kWgSpaceConst: return in->cbank < 4u && w->banks->data[in->cbank] != NULL ? w->banks->size[in->cbank] : 0u;
    default: return 0u;
  }
}

uint32_t wg_ref_row_lanes(const wg_insn_t *in) {
  if (in->op != kWgOp_LDSM) return UINT32_MAX;
  return WG_MOD_GET(in, LDSMN) == 2u ? UINT32_MAX : WG_MOD_GET(in, LDSMN) == 1u ? 0xffffu : 0xffu;
}

static uint64_t lane_address(const wg_ref_warp_t *w, const wg_insn_t *in, wg_space_t space, unsigned l) {
  uint32_t lo = in->ra == kWgRZ ? 0u : w->reg[in->ra][l];
  if (space == kWgSpaceConst) return (uint32_t)(lo + in->coff);
  bool wide = space == kWgSpaceGlobal || space == kWgSpaceGeneric;
  if (!wide) return (uint32_t)(lo + in->imm);
  uint64_t hi = in->ra == kWgRZ ? 0u : w->reg[in->ra + 1u][l];
  return (hi << 32 | lo) + (uint64_t)(int64_t)(int32_t)in->imm;
}

/* st->addr as the instruction gives it; windows sorted; lanes that fault. @return false after a fault */
static bool check_addresses(const wg_ref_warp_t *w, const wg_insn_t *in, wg_ref_step_t *st) {
  wg_space_t insn_space = wg_insn_space(in->op);
  uint32_t misaligned = 0u, outside = 0u, global = 0u;
  st->shared = st->local = 0u;
  for (uint32_t rest = st->lanes; rest != 0u; rest &= rest - 1u) {
    unsigned l = (unsigned)__builtin_ctz(rest);
    uint64_t a = st->addr[l] = lane_address(w, in, insn_space, l);
    wg_space_t space = space_of(insn_space, a);
    if (a % st->bytes != 0u) misaligned |= 1u << l;
    if (space == kWgSpaceGlobal) {
      global |= 1u << l;
      if (a >> kWgAddrBits != 0u) outside |= 1u << l;
      continue;
    }
    if (space == kWgSpaceShared) st->shared |= 1u << l;
    if (space == kWgSpaceLocal) st->local |= 1u << l;
    a &= UINT32_MAX;
    if (a + st->bytes > range_of(w, in, space)) outside |= 1u << l;
  }
  uint32_t bad = misaligned != 0u ? misaligned : outside;
  if (bad == 0u) return true;
  unsigned first = (unsigned)__builtin_ctz(bad);
  uint8_t range = insn_space == kWgSpaceLocal        ? kWgFaultStackError /* the frame ends: the stack is full */
                  : (global >> first & 1u) != 0u ? kWgFaultIllegalAddr
                                                 : kWgFaultAddrSpace;
  wg_ref_set_fault(st, misaligned != 0u ? kWgFaultMisaligned : range, bad, st->addr[first]);
  return false;
}

void wg_ref_issue_memory(const wg_ref_warp_t *w, const wg_insn_t *in, wg_ref_step_t *st) {
  wg_space_t space = wg_insn_space(in->op);
  if (space == kWgSpaceNone) return; /* MEMBAR, CCTL: one block at a time sees memory in order anyway */
  st->bytes = wg_insn_bytes(in);
  st->kind = kWgRefMemory;
  st->lanes = st->exec & wg_ref_row_lanes(in);
  if (!check_addresses(w, in, st)) return;
  for (uint32_t rest = st->lanes; rest != 0u; rest &= rest - 1u) {
    unsigned l = (unsigned)__builtin_ctz(rest);
    if (space == kWgSpaceConst)
      st->addr[l] += w->cta->const_base[in->cbank];
    else if ((st->shared >> l & 1u) != 0u)
      st->addr[l] &= UINT32_MAX;
    else if ((st->local >> l & 1u) != 0u)
      st->addr[l] = local_addr(w, (uint32_t)st->addr[l], l);
  }
  if (!wg_insn_is_store(in->op) && !wg_insn_is_atomic(in->op)) return;
  unsigned words = wg_op_field_regs(wg_op_facts(in->op), 'C', in->mods);
  for (unsigned k = 0; k < words; k++) {
    memcpy(st->data[k], in->rc == kWgRZ ? kZeroRow : w->reg[in->rc + k], sizeof st->data[k]);
  }
}

void wg_ref_extend(const wg_insn_t *in, const uint8_t *raw, uint32_t word[4]) {
  unsigned n = wg_insn_bytes(in);
  if (n >= 4u) {
    memcpy(word, raw, n);
    return;
  }
  uint32_t v = raw[0];
  if (n == 2u) v |= (uint32_t)raw[1] << 8;
  unsigned top = 8u * n - 1u;
  bool is_signed = !wg_insn_is_atomic(in->op) && (WG_MOD_GET(in, MSIZE) & 1u) != 0u;
  if (is_signed && (v >> top & 1u) != 0u) v |= UINT32_MAX << top;
  word[0] = v;
}

void wg_ref_ldsm(const wg_insn_t *in, const uint32_t row[4][32], uint32_t lanes, uint32_t word[4][32]) {
  unsigned n = wg_ref_result_words(in);
  for (unsigned k = 0; k < n; k++) {
    for (unsigned l = 0; l < 32u; l++) {
      uint32_t v = 0u;
      for (unsigned h = 0; h < 2u; h++) { /* lower, upper half: row, element of matrix k */
        bool t = WG_MOD_GET(in, LDSMT) != 0u;
        unsigned r = 8u * k + (t ? 2u * (l % 4u) + h : l / 4u), e = t ? l / 4u : 2u * (l % 4u) + h;
        if ((lanes >> r & 1u) != 0u) v |= (row[e / 2u][r] >> (16u * (e % 2u)) & 0xffffu) << (16u * h);
      }
      word[k][l] = v;
    }
  }
}

unsigned wg_ref_result_words(const wg_insn_t *in) {
  const wg_op_facts_t *f = wg_op_facts(in->op);
  return wg_op_has(f, 'D') ? wg_op_field_regs(f, 'D', in->mods) : 0u;
}

const uint8_t *wg_ref_store_order(unsigned bytes) {
  /* groups of lanes ascending (1, 2 or 4 of them), in a group the lowest lane last: silicon/warp/samestore.csv */
  static const uint8_t k1[32] = {31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16,
                                 15, 14, 13, 12, 11, 10, 9,  8,  7,  6,  5,  4,  3,  2,  1,  0};
  static const uint8_t k2[32] = {15, 14, 13, 12, 11, 10, 9,  8,  7,  6,  5,  4,  3,  2,  1,  0,
                                 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16};
  static const uint8_t k4[32] = {7,  6,  5,  4,  3,  2,  1,  0,  15, 14, 13, 12, 11, 10, 9,  8,
                                 23, 22, 21, 20, 19, 18, 17, 16, 31, 30, 29, 28, 27, 26, 25, 24};
  return bytes == 16u ? k4 : (bytes == 8u ? k2 : k1);
}

void wg_ref_atom_lane(const wg_insn_t *in, const uint32_t data[4][32], unsigned l, bool shared, uint8_t *raw) {
  unsigned op = WG_MOD_GET(in, AOP), type = WG_MOD_GET(in, ATYPE);
  uint32_t word[4];
  for (unsigned k = 0; k < 4u; k++) word[k] = data[k][l];
  uint64_t old = 0u;
  memcpy(&old, raw, wg_ref_atom_bytes(type)); /* little endian hosts only, as everything here */
  uint64_t now = wg_ref_atom(op, type, shared, old, wg_ref_atom_args(op, type, word));
  memcpy(raw, &now, wg_ref_atom_bytes(type));
}

/* One lane's access. @param[out] word what it loads. @return false if the address is not there */
static bool access_lane(wg_ref_step_t *st, unsigned l, uint8_t *shared, const wg_ref_mem_t *mem, uint32_t word[4]) {
  const wg_insn_t *in = &st->insn->in;
  bool atomic = wg_insn_is_atomic(in->op), in_shared = (st->shared >> l & 1u) != 0u;
  uint64_t a = st->addr[l];
  uint8_t raw[16];
  if (!atomic && wg_insn_is_store(in->op)) {
    for (unsigned k = 0; k < 4u; k++) word[k] = st->data[k][l];
    memcpy(raw, word, st->bytes);
    if (in_shared) memcpy(shared + a, raw, st->bytes);
    return in_shared || mem->write(mem->ctx, a, raw, st->bytes);
  }
  if (in_shared)
    memcpy(raw, shared + a, st->bytes);
  else if (!mem->read(mem->ctx, a, raw, st->bytes))
    return false;
  wg_ref_extend(in, raw, word);
  if (!atomic) return true;
  wg_ref_atom_lane(in, (const uint32_t(*)[32])st->data, l, in_shared, raw);
  if (in_shared) memcpy(shared + a, raw, st->bytes);
  return in_shared || mem->write(mem->ctx, a, raw, st->bytes);
}

uint8_t wg_ref_memory(wg_ref_warp_t *w, wg_ref_step_t *st, uint32_t lanes, uint8_t *shared, const wg_ref_mem_t *mem) {
  const wg_insn_t *in = &st->insn->in;
  const uint8_t *order = wg_ref_store_order(st->bytes);
  bool atomic = wg_insn_is_atomic(in->op), ldsm = in->op == kWgOp_LDSM;
  uint32_t bad = 0u, row[4][32], result[4][32];
  unsigned words = in->rd == kWgRZ ? 0u : wg_ref_result_words(in);
  for (unsigned i = 0; i < 32u; i++) {
    unsigned l = atomic ? i : order[i]; /* atomics of one address: ascending lanes */
    if ((lanes & st->lanes) >> l & 1u) {
      uint32_t word[4] = {0};
      if (!access_lane(st, l, shared, mem, word)) bad |= 1u << l;
      for (unsigned k = 0; k < 4u; k++) row[k][l] = word[k];
    }
  }
  if (bad != 0u) {
    wg_ref_set_fault(st, kWgFaultIllegalAddr, bad, st->addr[__builtin_ctz(bad)]);
    return kWgFaultIllegalAddr;
  }
  if (ldsm) wg_ref_ldsm(in, (const uint32_t(*)[32])row, lanes & st->lanes, result);
  for (unsigned k = 0; k < words; k++) {
    for (uint32_t rest = lanes & st->exec; rest != 0u; rest &= rest - 1u) {
      unsigned l = (unsigned)__builtin_ctz(rest);
      w->reg[in->rd + k][l] = ldsm ? result[k][l] : row[k][l];
    }
  }
  return kWgFaultNone;
}
