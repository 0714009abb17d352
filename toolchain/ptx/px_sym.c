// SPDX-License-Identifier: Apache-2.0
//
// Names: scopes, register ranges, types, special registers.
#include <ctype.h>
#include <string.h>

#include "toolchain/ptx/px.h"

static uint32_t hash_of(const char *s, uint32_t n) {
  uint32_t h = 2166136261u;
  for (uint32_t i = 0; i < n; i++) h = (h ^ (unsigned char)s[i]) * 16777619u;
  return h % 1024u;
}

wg_px_sym_t *wg_px_sym_find(wg_px_ctx_t *x, const char *name, uint32_t len) {
  for (wg_px_sym_t *s = x->hash[hash_of(name, len)]; s != NULL; s = s->next) {
    if (s->len == len && memcmp(s->name, name, len) == 0) return s;
  }
  return NULL;
}

void wg_px_note_sym(wg_px_ctx_t *x, wg_px_sym_t *s) {
  wg_px_kernel_t *f = x->body_of;
  if (f == NULL || s->space == kWgPxSpFunc) return;
  f->syms = wg_px_grow(x, f->syms, f->num_syms, &f->cap_syms, sizeof *f->syms);
  f->syms[f->num_syms++] = s;
}

wg_px_sym_t *wg_px_sym_add(wg_px_ctx_t *x, const char *name, uint32_t len, wg_px_space_t space, uint32_t line) {
  wg_px_sym_t *old = wg_px_sym_find(x, name, len);
  if (old != NULL && old->depth == x->depth) {
    wg_px_fail(x, kWgBadInput, line, 0, "", "'%.*s' is declared twice, first in line %u", len > 200 ? 200 : (int)len,
               name, old->line);
  }
  wg_px_sym_t *s = wg_px_alloc(x, sizeof *s);
  uint32_t h = hash_of(name, len);
  s->name = wg_px_strndup(x, name, len);
  s->len = len;
  s->depth = x->depth;
  s->space = space;
  s->line = line;
  s->unit = -1;
  s->next = x->hash[h];
  x->hash[h] = s;
  wg_px_note_sym(x, s);
  return s;
}

wg_px_sym_t *wg_px_label(wg_px_ctx_t *x, const char *name, uint32_t len, uint32_t line) {
  wg_px_sym_t *s = wg_px_sym_find(x, name, len);
  if (s != NULL && s->space == kWgPxSpLabel) return s;
  uint32_t depth = x->depth;
  x->depth = 2; /* parameters are 1, the body 2: labels are known in all of it */
  s = wg_px_sym_add(x, name, len, kWgPxSpLabel, line);
  x->depth = depth;
  return s;
}

void wg_px_scope_open(wg_px_ctx_t *x) {
  if (++x->depth > kWgPxMaxNest)
    wg_px_fail(x, kWgBadInput, x->line, 0, "", "more than %d nested scopes", kWgPxMaxNest);
}

void wg_px_scope_close(wg_px_ctx_t *x) {
  for (uint32_t h = 0; h < 1024; h++) {
    for (wg_px_sym_t **at = &x->hash[h]; *at != NULL;) {
      if ((*at)->depth >= x->depth) {
        *at = (*at)->next;
      } else {
        at = &(*at)->next;
      }
    }
  }
  x->depth--;
}

wg_px_sym_t *wg_px_reg_find(wg_px_ctx_t *x, const char *name, uint32_t len) {
  wg_px_sym_t *s = wg_px_sym_find(x, name, len);
  if (s != NULL) return s->space == kWgPxSpReg && s->range == 0 ? s : NULL;
  uint32_t n = len;
  while (n > 0 && isdigit((unsigned char)name[n - 1])) n--;
  if (n == len || n == 0 || len - n > 9 || (name[n] == '0' && len - n > 1)) return NULL;
  wg_px_sym_t *r = wg_px_sym_find(x, name, n);
  if (r == NULL || r->space != kWgPxSpReg || r->range == 0) return NULL;
  uint32_t number = 0;
  for (uint32_t i = n; i < len; i++) number = number * 10 + (uint32_t)(name[i] - '0');
  if (number >= r->range) return NULL;
  /* The register itself lives in the scope of its range, so that it dies with it. */
  wg_px_sym_t *one = wg_px_alloc(x, sizeof *one);
  *one = *r;
  one->name = wg_px_strndup(x, name, len);
  one->len = len;
  one->range = 0;
  uint32_t h = hash_of(name, len);
  wg_px_sym_t **at = &x->hash[h];
  while (*at != NULL && (*at)->depth > one->depth) at = &(*at)->next;
  one->next = *at;
  *at = one;
  wg_px_note_sym(x, one);
  return one;
}

wg_px_type_t wg_px_type_of(const char *name, size_t len) {
  static const struct {
    const char *name;
    wg_px_type_t type;
  } table[] = {{"pred", kWgPxPred}, {"b8", kWgPxB8},    {"u8", kWgPxU8},   {"s8", kWgPxS8},   {"b16", kWgPxB16},
               {"u16", kWgPxU16},   {"s16", kWgPxS16},  {"f16", kWgPxF16}, {"b32", kWgPxB32}, {"u32", kWgPxU32},
               {"s32", kWgPxS32},   {"f32", kWgPxF32},  {"b64", kWgPxB64}, {"u64", kWgPxU64}, {"s64", kWgPxS64},
               {"f64", kWgPxF64},   {"b128", kWgPxB128}, {"bf16", kWgPxBF16},
               {"f16x2", kWgPxF16x2}, {"bf16x2", kWgPxBF16x2}, {"tf32", kWgPxTF32},
               {"e4m3x2", kWgPxE4M3x2}, {"e5m2x2", kWgPxE5M2x2}};
  for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
    if (strlen(table[i].name) == len && memcmp(table[i].name, name, len) == 0) return table[i].type;
  }
  return kWgPxNone;
}

uint32_t wg_px_type_size(wg_px_type_t t) {
  if (t == kWgPxNone || t == kWgPxPred) return 0;
  if (t <= kWgPxS8) return 1;
  if (t <= kWgPxE5M2x2) return 2;
  if (t <= kWgPxTF32) return 4;
  return t <= kWgPxF64 ? 8 : 16;
}

int wg_px_sreg_find(const char *name, size_t len) {
  static const struct {
    const char *name;
    int id;
  } table[] = {{"%tid.x", kWgSrTidX},
               {"%tid.y", kWgSrTidY},
               {"%tid.z", kWgSrTidZ},
               {"%ctaid.x", kWgSrCtaidX},
               {"%ctaid.y", kWgSrCtaidY},
               {"%ctaid.z", kWgSrCtaidZ},
               {"%laneid", kWgSrLaneId},
               {"%warpid", kWgSrWarpId},
               {"%nwarpid", kWgSrNWarpId},
               {"%smid", kWgSrSmId},
               {"%nsmid", kWgSrNSmId},
               {"%lanemask_eq", kWgSrLaneMaskEq},
               {"%lanemask_lt", kWgSrLaneMaskLt},
               {"%lanemask_le", kWgSrLaneMaskLe},
               {"%lanemask_gt", kWgSrLaneMaskGt},
               {"%lanemask_ge", kWgSrLaneMaskGe},
               {"%clock", kWgSrClockLo},
               {"%clock_hi", kWgSrClockHi},
               {"%clock64", kWgPxSrClock64},
               {"%globaltimer", kWgPxSrTimer64},
               {"%globaltimer_lo", kWgSrGlobalTimerLo},
               {"%globaltimer_hi", kWgSrGlobalTimerHi},
               {"%gridid", kWgPxSrGridId64},
               {"%wg_fifo", kWgPxSrFifo}, /* ours: toolchain/devlib alone reads them */
               {"%wg_heap", kWgPxSrHeap},
               {"%ntid.x", kWgPxSrNtidX},
               {"%ntid.y", kWgPxSrNtidY},
               {"%ntid.z", kWgPxSrNtidZ},
               {"%nctaid.x", kWgPxSrNctaidX},
               {"%nctaid.y", kWgPxSrNctaidY},
               {"%nctaid.z", kWgPxSrNctaidZ},
               {"%dynamic_smem_size", kWgPxSrDynSmem},
               {"%total_smem_size", kWgPxSrTotalSmem},
               {"%aggr_smem_size", kWgPxSrTotalSmem},
               {"%clusterid.x", kWgSrCtaidX}, /* a cluster is one block */
               {"%clusterid.y", kWgSrCtaidY},
               {"%clusterid.z", kWgSrCtaidZ},
               {"%nclusterid.x", kWgPxSrNctaidX},
               {"%nclusterid.y", kWgPxSrNctaidY},
               {"%nclusterid.z", kWgPxSrNctaidZ},
               {"%cluster_ctaid.x", kWgPxSrZero},
               {"%cluster_ctaid.y", kWgPxSrZero},
               {"%cluster_ctaid.z", kWgPxSrZero},
               {"%cluster_nctaid.x", kWgPxSrOne},
               {"%cluster_nctaid.y", kWgPxSrOne},
               {"%cluster_nctaid.z", kWgPxSrOne},
               {"%cluster_ctarank", kWgPxSrZero},
               {"%cluster_nctarank", kWgPxSrOne},
               {"WARP_SZ", kWgPxSrWarpSz}};
  for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
    if (strlen(table[i].name) == len && memcmp(table[i].name, name, len) == 0) return table[i].id;
  }
  return -1;
}
