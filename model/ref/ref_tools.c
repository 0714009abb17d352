// SPDX-License-Identifier: Apache-2.0
//
// The checks' records: allocations, findings, blocks. What is looked for: ref_tools_mem.c, ref_tools_sync.c, ref_tools_advice.c.
#include "model/ref/ref_tools.h"

#include <string.h>

static const char *tool_word(unsigned tool) {
  switch (tool) {
    case kWgToolMem: return "mem";
    case kWgToolInit: return "init";
    case kWgToolInitAll: return "init-all";
    case kWgToolSync: return "sync";
    default: return "advice";
  }
}

const wg_find_facts_t *wg_find_facts(wg_finding_kind_t kind) {
  static wg_find_facts_t facts[] = {
#define WG_FINDING(ID, TOOL, WORD, ERROR, TEXT, REMEDY) {kWgTool##TOOL, NULL, WORD, TEXT, REMEDY, ERROR},
#include "model/ref/findings.def"
#undef WG_FINDING
  };
  WG_BUG((unsigned)kind >= (unsigned)kWgFindKinds);
  facts[kind].tool_word = tool_word(facts[kind].tool);
  return &facts[kind];
}

void *tools_alloc(size_t n, size_t size) {
  void *p = calloc(n != 0u ? n : 1u, size);
  WG_BUG(p == NULL);
  return p;
}

wg_tools_t *wg_tools_new(unsigned tools) {
  wg_tools_t *t = tools_alloc(1, sizeof *t);
  t->wanted = (tools & (unsigned)kWgToolInitAll) != 0u ? tools | (unsigned)kWgToolInit : tools;
  return t;
}

void wg_tools_free(wg_tools_t *t) {
  if (t == NULL) return;
  for (size_t i = 0; i < t->live.n; i++) free(t->live.r[i].written);
  for (size_t i = 0; i < t->codes; i++) {
    free(t->code[i].at[0]);
    free(t->code[i].at[1]);
  }
  free(t->live.r);
  free(t->freed.r);
  free(t->areas.r);
  free(t->finding);
  free(t->code);
  free(t->list);
  free(t);
}

/* ---- allocations ---- */

static void insert(tool_ranges_t *s, size_t at, tool_range_t r) {
  if (s->n == s->cap) {
    s->cap = s->cap != 0u ? 2u * s->cap : 16u;
    s->r = realloc(s->r, s->cap * sizeof *s->r);
    WG_BUG(s->r == NULL);
  }
  memmove(s->r + at + 1, s->r + at, (s->n - at) * sizeof *s->r);
  s->r[at] = r;
  s->n++;
}

static void drop(tool_ranges_t *s, size_t at) {
  memmove(s->r + at, s->r + at + 1, (s->n - at - 1u) * sizeof *s->r);
  s->n--;
}

/* First live range that begins behind `addr`. */
static size_t behind(const tool_ranges_t *s, uint64_t addr) {
  size_t lo = 0, hi = s->n;
  while (lo < hi) {
    size_t mid = (lo + hi) / 2u;
    if (s->r[mid].addr <= addr) lo = mid + 1u;
    else hi = mid;
  }
  return lo;
}

tool_range_t *tools_range(wg_tools_t *t, uint64_t addr) {
  if (t->last < t->live.n && addr - t->live.r[t->last].addr < t->live.r[t->last].bytes) return &t->live.r[t->last];
  size_t i = behind(&t->live, addr);
  if (i == 0u || addr - t->live.r[i - 1u].addr >= t->live.r[i - 1u].bytes) return NULL;
  t->last = i - 1u;
  return &t->live.r[i - 1u];
}

bool tools_in_area(const wg_tools_t *t, uint64_t addr) {
  for (size_t i = 0; i < t->areas.n; i++) {
    if (addr - t->areas.r[i].addr < t->areas.r[i].bytes) return true;
  }
  return false;
}

void wg_tools_alloc(wg_tools_t *t, uint64_t addr, uint64_t bytes, bool written) {
  tool_range_t r = {addr, bytes, NULL};
  if (!written && (t->wanted & (unsigned)kWgToolInit) != 0u) {
    r.written = calloc((size_t)(bytes / 8u) + 1u, 1); /* pages that nobody touches cost nothing */
    t->incomplete = t->incomplete || r.written == NULL;
  }
  insert(&t->live, behind(&t->live, addr), r);
}

void wg_tools_freed(wg_tools_t *t, uint64_t addr) {
  size_t i = behind(&t->live, addr);
  if (i == 0u || t->live.r[i - 1u].addr != addr) return;
  tool_range_t r = t->live.r[i - 1u];
  drop(&t->live, i - 1u);
  free(r.written);
  r.written = NULL;
  if (t->freed.n == (size_t)kToolMaxFreed) drop(&t->freed, 0u);
  insert(&t->freed, t->freed.n, r);
}

bool wg_tools_was_freed(const wg_tools_t *t, uint64_t addr) {
  size_t i = behind(&t->live, addr);
  if (i != 0u && addr - t->live.r[i - 1u].addr < t->live.r[i - 1u].bytes) return false;
  for (i = t->freed.n; i-- > 0u;) {
    if (t->freed.r[i].addr == addr) return true;
  }
  return false;
}

void wg_tools_variables(wg_tools_t *t, uint64_t addr, uint64_t bytes) {
  insert(&t->areas, t->areas.n, (tool_range_t){addr, bytes, NULL});
}

void wg_tools_driver(wg_tools_t *t, bool (*legal)(void *ctx, uint64_t addr, uint64_t bytes), void *ctx) {
  t->legal = legal;
  t->legal_ctx = ctx;
}

void wg_tools_written(wg_tools_t *t, uint64_t addr, uint64_t bytes) {
  tool_range_t *r = tools_range(t, addr);
  if (r == NULL || r->written == NULL) return;
  uint64_t at = addr - r->addr, end = bytes < r->bytes - at ? at + bytes : r->bytes;
  for (; at < end && at % 8u != 0u; at++) r->written[at / 8u] |= (uint8_t)(1u << at % 8u);
  if (at >= end) return;
  memset(r->written + at / 8u, 0xff, (size_t)((end - at) / 8u));
  for (at += (end - at) / 8u * 8u; at < end; at++) r->written[at / 8u] |= (uint8_t)(1u << at % 8u);
}

/* ---- findings ---- */

size_t wg_tools_findings(const wg_tools_t *t, const wg_finding_t **out) {
  *out = t->finding;
  return t->findings;
}

bool wg_tools_complete(const wg_tools_t *t) { return !t->incomplete; }

static wg_finding_t *append(wg_tools_t *t) {
  if (t->findings == (size_t)kToolMaxFindings) {
    t->incomplete = true;
    return NULL;
  }
  if (t->findings == t->cap_findings) {
    t->cap_findings = t->cap_findings != 0u ? 2u * t->cap_findings : 16u;
    t->finding = realloc(t->finding, t->cap_findings * sizeof *t->finding);
    WG_BUG(t->finding == NULL);
  }
  wg_finding_t *f = &t->finding[t->findings++];
  memset(f, 0, sizeof *f);
  return f;
}

void wg_tools_add(wg_tools_t *t, const wg_finding_t *f) {
  wg_finding_t *to = append(t);
  if (to != NULL) *to = *f;
}

wg_finding_t *tools_found(wg_tools_block_t *b, uint32_t warp, wg_finding_kind_t kind, uint32_t pc, uint32_t lanes) {
  wg_tools_t *t = b->tools;
  uint64_t n = wg_find_facts(kind)->tool == (unsigned)kWgToolSync ? 1u : (unsigned)__builtin_popcount(lanes);
  for (size_t i = t->findings; i-- > 0u;) {
    wg_finding_t *f = &t->finding[i];
    if (f->kind != kind || f->pc != pc || f->code_base != b->cta.code_base) continue;
    f->count += n;
    return NULL;
  }
  wg_finding_t *f = append(t);
  if (f == NULL) return NULL;
  f->kind = kind;
  f->grid_id = b->cta.grid_id;
  f->code_base = b->cta.code_base;
  f->pc = pc;
  memcpy(f->ctaid, b->cta.ctaid, sizeof f->ctaid);
  f->warp = warp;
  f->lanes = lanes;
  f->lane = lanes != 0u ? (uint32_t)__builtin_ctz(lanes) : 0u;
  f->other_pc = UINT32_MAX;
  f->count = n;
  return f;
}

/* ---- blocks ---- */

wg_tools_block_t *wg_tools_block_new(wg_tools_t *t, const wg_cta_launch_t *cta, bool its) {
  wg_tools_block_t *b = tools_alloc(1, sizeof *b);
  b->tools = t;
  b->cta = *cta;
  b->its = its;
  while (b->warps < (uint32_t)kWgRefBlockWarps && wg_ref_present(cta, b->warps) != 0u) {
    b->warp[b->warps].alive = wg_ref_present(cta, b->warps);
    b->warps++;
  }
  if ((t->wanted & (unsigned)kWgToolInitAll) != 0u) b->shared = tools_alloc(cta->shared_bytes / 8u + 1u, 1);
  b->next = t->blocks;
  b->at = &t->blocks;
  if (b->next != NULL) b->next->at = &b->next;
  t->blocks = b;
  return b;
}

void wg_tools_block_free(wg_tools_block_t *b) {
  if (b == NULL) return;
  for (uint32_t i = 0; i < b->warps; i++) free(b->warp[i].local);
  free(b->shared);
  *b->at = b->next;
  if (b->next != NULL) b->next->at = b->at;
  free(b);
}

void wg_tools_given_up(wg_tools_t *t) {
  for (wg_tools_block_t *b = t->blocks; b != NULL && (t->wanted & (unsigned)kWgToolSync) != 0u; b = b->next) tools_stuck(b);
}

void wg_tools_issue(wg_tools_block_t *b, const wg_ref_warp_t *w, const wg_ref_step_t *st) {
  unsigned wanted = b->tools->wanted;
  if (st->exec == 0u) return;
  if ((wanted & (unsigned)kWgToolSync) != 0u) tools_sync(b, w, st);
  if (st->kind == kWgRefMemory) {
    if ((wanted & (unsigned)(kWgToolMem | kWgToolInit | kWgToolInitAll)) != 0u) tools_memory(b, w, st);
    if ((wanted & (unsigned)kWgToolAdvice) != 0u && st->fault == kWgFaultNone) tools_advise(b, st);
  }
}
