// SPDX-License-Identifier: Apache-2.0
//
// Register allocation: interference graphs over units and predicates, copies joined, colours in the order of first
// writes. Units of a 64- or 128-bit value form a group with fixed offsets that starts at a multiple of its size.
// Predicates beyond seven are kept in registers as 0 and 1. A group without a register pushes the cheapest of itself
// and its neighbours out; what stays out goes to the local frame (px_spill.c), and all starts again.
// Around calls: units of the calling convention have their registers from the start, what lives across a call takes one
// that callees preserve, and predicates do not live across calls.
#include <string.h>

#include "toolchain/ptx/px.h"

enum { kMaxGraph = 20000, kPreds = 7, kMaxRegs = 255, kNoReg = 999, kSpillRounds = 64 };
enum { kMaxLivePreds = 256 }; /* more would take as many rounds of spilling: refused at once */

typedef struct wg_px_graph {
  wg_px_ctx_t *x;
  wg_px_fn_t *f;
  uint32_t n, words; /* units that occur */
  uint32_t *compact; /* unit -> index + 1 */
  int32_t *unit;     /* index -> unit */
  uint64_t *adj;     /* [n][words] */
  int32_t *group;    /* index -> group (its first unit's index at first) */
  uint8_t *offset;   /* index -> place in the group */
  uint32_t *next;    /* members of a group, chained; index + 1 */
  uint8_t *width;    /* of a group */
  uint32_t *head;    /* group -> first member, index + 1 */
  uint32_t limit;    /* registers a thread may have */
  uint16_t *reg;     /* index -> register, or kNoReg */
  const uint32_t *cost; /* unit -> wg_px_spill_cost */
  uint64_t *adj_buf;    /* kept between rounds */
  size_t adj_cap;
  bool *across;         /* group -> lives across a call */
  uint16_t *hint;       /* group -> register that saves a copy, or kNoReg */
} wg_px_graph_t;

/* ---- values nobody wrote ---- */

/* Registers and predicates live into the kernel are zeroed: hardware leaves old values. */
static void zero_live_in(wg_px_ctx_t *x, wg_px_fn_t *f) {
  wg_px_live_t *l = wg_px_live(x, f);
  for (uint32_t i = 0; i < f->num_units; i++) {
    if (!wg_px_live_has(l, l->in[f->entry->id], (int32_t)i)) continue;
    wg_px_insn_t *in = wg_px_insn_new(x, kWgOp_MOV);
    in->d = (int32_t)i;
    wg_px_insert(x, f->entry, 0, in);
  }
  for (uint32_t i = 0; i < f->num_preds; i++) {
    if (l->pplace[i] < 0 || !WG_PX_GET(l->pin[f->entry->id], l->pplace[i])) continue;
    wg_px_insn_t *in = wg_px_insn_new(x, kWgOp_PLOP3);
    in->pd0 = (int32_t)i;
    wg_px_insert(x, f->entry, 0, in);
  }
}

/* ---- predicates ---- */

static void pred_edges(uint64_t *adj, uint32_t words, const uint64_t *live, int32_t d, int32_t other) {
  for (uint32_t w = 0; w < words; w++) adj[(uint32_t)d * words + w] |= live[w];
  if (other >= 0) WG_PX_SET(adj + (uint32_t)d * words, other);
  WG_PX_CLR(adj + (uint32_t)d * words, d);
}

/* Interference, symmetric, [num_preds][words]. *most = how many are live at once at the worst place. */
static uint64_t *pred_graph(wg_px_ctx_t *x, wg_px_fn_t *f, const wg_px_live_t *l, uint32_t words, uint32_t *most) {
  uint32_t n = f->num_preds;
  *most = 0;
  uint64_t *adj = wg_px_alloc(x, ((size_t)n * words + 1) * 8), *live = wg_px_alloc(x, (words + 1) * 8);
  for (wg_px_block_t *b = f->entry; b != NULL; b = b->next) {
    memset(live, 0, words * 8);
    for (uint32_t i = 0; i < l->pnum; i++) {
      if (WG_PX_GET(l->pout[b->id], i)) WG_PX_SET(live, l->pred[i]);
    }
    if (b->pred >= 0) WG_PX_SET(live, b->pred);
    for (uint32_t i = b->n; i-- > 0;) {
      const wg_px_insn_t *in = b->insn[i];
      int32_t d[2] = {in->pd0, in->pd1}, s[3] = {in->guard, in->ps0, in->ps1};
      for (int k = 0; k < 2; k++) {
        if (d[k] >= 0) pred_edges(adj, words, live, d[k], d[1 - k]);
      }
      for (int k = 0; k < 2; k++) {
        if (d[k] >= 0 && wg_px_full_pdef(f, in, d[k])) WG_PX_CLR(live, d[k]);
      }
      for (int k = 0; k < 3; k++) {
        if (s[k] >= 0) WG_PX_SET(live, s[k]);
      }
      uint32_t now = 0;
      for (uint32_t w = 0; w < words; w++) now += (uint32_t)__builtin_popcountll(live[w]);
      if (now > *most) *most = now;
    }
  }
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t k = 0; k < n; k++) {
      if (WG_PX_GET(adj + (size_t)i * words, k)) WG_PX_SET(adj + (size_t)k * words, i);
    }
  }
  return adj;
}

/* Of a predicate without a register and its neighbours, the one with most neighbours that was not made by spilling.
 */
static int32_t victim(const uint64_t *adj, uint32_t words, uint32_t n, uint32_t p, const bool *pinned) {
  uint32_t best = p, most = 0;
  for (uint32_t i = 0; i < n; i++) {
    if (pinned[i] || (i != p && !WG_PX_GET(adj + (size_t)p * words, i))) continue;
    uint32_t d = 1;
    for (uint32_t w = 0; w < words; w++) d += (uint32_t)__builtin_popcountll(adj[(size_t)i * words + w]);
    if (d > most) {
      most = d;
      best = i;
    }
  }
  return (int32_t)best;
}

/* Simplify and select; returns -1 if all have a register, else one that should leave. */
static int32_t colour_preds(wg_px_ctx_t *x, wg_px_fn_t *f, const uint64_t *adj, uint32_t words, const bool *pinned) {
  uint32_t n = f->num_preds, top = 0;
  uint32_t *degree = wg_px_alloc(x, (n + 1) * 4), *stack = wg_px_alloc(x, (n + 1) * 4);
  bool *gone = wg_px_alloc(x, n + 1);
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t w = 0; w < words; w++) degree[i] += (uint32_t)__builtin_popcountll(adj[(size_t)i * words + w]);
  }
  for (uint32_t done = 0; done < n; done++) {
    uint32_t pick = UINT32_MAX, worst = UINT32_MAX;
    for (uint32_t i = 0; i < n && pick == UINT32_MAX; i++) {
      if (gone[i]) continue;
      if (degree[i] < kPreds) pick = i;
      if (!pinned[i] && (worst == UINT32_MAX || degree[i] > degree[worst])) worst = i;
    }
    if (pick == UINT32_MAX) pick = worst;
    for (uint32_t i = 0; i < n && pick == UINT32_MAX; i++) pick = gone[i] ? pick : i;
    gone[pick] = true;
    stack[top++] = pick;
    for (uint32_t k = 0; k < n; k++) degree[k] -= WG_PX_GET(adj + (size_t)pick * words, k) != 0;
  }
  f->pred_reg = wg_px_alloc(x, n + 1);
  memset(f->pred_reg, 7, n + 1);
  while (top > 0) {
    uint32_t p = stack[--top], used = 0;
    for (uint32_t k = 0; k < n; k++) {
      if (WG_PX_GET(adj + (size_t)p * words, k) && f->pred_reg[k] < 7) used |= 1u << f->pred_reg[k];
    }
    unsigned r = 0;
    while (r < kPreds && (used >> r & 1u) != 0) r++;
    if (r == kPreds) return victim(adj, words, n, p, pinned);
    f->pred_reg[p] = (uint8_t)r;
  }
  return -1;
}

static int32_t reload(wg_px_ctx_t *x, wg_px_fn_t *f, wg_px_block_t *b, uint32_t at, int32_t home,
                      const wg_px_stmt_t *src) {
  wg_px_insn_t *in = wg_px_insn_new(x, kWgOp_ISETP);
  in->mods = 5u << kWgModLsb_ICMP;
  in->a = home;
  in->pd0 = wg_px_pred_new(x, f, false);
  in->src = src;
  wg_px_insert(x, b, at, in);
  return in->pd0;
}

/* Keep predicate `p` in a register: SEL behind each write, ISETP in front of each read. */
static void spill_pred(wg_px_ctx_t *x, wg_px_fn_t *f, int32_t p) {
  int32_t home = wg_px_unit_new(x, f, 1);
  f->unit[home].named = true;
  f->pred_spills++;
  for (wg_px_block_t *b = f->entry; b != NULL; b = b->next) {
    for (uint32_t i = 0; i < b->n; i++) {
      wg_px_insn_t *in = b->insn[i];
      int32_t *read[3] = {&in->guard, &in->ps0, &in->ps1}, *write[2] = {&in->pd0, &in->pd1};
      bool writes = in->pd0 == p || in->pd1 == p, partial = writes && in->guard >= 0;
      if (in->guard == p || in->ps0 == p || in->ps1 == p || partial) {
        int32_t t = reload(x, f, b, i++, home, in->src);
        for (int k = 0; k < 3; k++) {
          if (*read[k] == p) *read[k] = t;
        }
        if (partial) f->pred_named[t] = true;
        for (int k = 0; k < 2 && partial; k++) {
          if (*write[k] == p) *write[k] = t;
        }
        if (partial) writes = true;
      }
      if (!writes) continue;
      wg_px_insn_t *keep = wg_px_insn_new(x, kWgOp_SEL);
      int32_t t = -1;
      for (int k = 0; k < 2; k++) {
        if (*write[k] == p) *write[k] = t = wg_px_pred_new(x, f, false);
        else if (partial && *write[k] >= 0 && f->pred_named[*write[k]]) t = *write[k];
      }
      keep->d = home;
      keep->form = kWgFormImm; /* p ? 0 : 1 with the predicate negated */
      keep->imm = 1;
      keep->ps0 = t;
      keep->ps0_not = true;
      keep->src = in->src;
      wg_px_insert(x, b, ++i, keep);
    }
    if (b->pred == p) b->pred = reload(x, f, b, b->n, home, b->src);
  }
}

/* A call preserves no predicate: those that live across one go to registers. */
static void spill_across_calls(wg_px_ctx_t *x, wg_px_fn_t *f) {
  wg_px_live_t *l = wg_px_live(x, f);
  uint32_t n = f->num_preds;
  bool *live = wg_px_alloc(x, n + 1), *across = wg_px_alloc(x, n + 1);
  for (wg_px_block_t *b = f->entry; b != NULL; b = b->next) {
    memset(live, 0, n);
    for (uint32_t i = 0; i < l->pnum; i++) live[l->pred[i]] = WG_PX_GET(l->pout[b->id], i) != 0;
    if (b->pred >= 0 && (b->term == kWgPxTCond || b->term == kWgPxTExitIf)) live[b->pred] = true;
    for (uint32_t i = b->n; i-- > 0;) {
      const wg_px_insn_t *in = b->insn[i];
      const int32_t d[2] = {in->pd0, in->pd1}, s[3] = {in->guard, in->ps0, in->ps1};
      for (uint32_t p = 0; wg_px_is_call(in) && p < n; p++) across[p] = across[p] || live[p];
      for (int k = 0; k < 2; k++) {
        if (d[k] >= 0 && wg_px_full_pdef(f, in, d[k])) live[d[k]] = false;
      }
      for (int k = 0; k < 3; k++) {
        if (s[k] >= 0) live[s[k]] = true;
      }
    }
  }
  for (uint32_t p = 0; p < n; p++) {
    if (across[p]) spill_pred(x, f, (int32_t)p);
  }
}

static void allocate_preds(wg_px_ctx_t *x, wg_px_fn_t *f) {
  if (f->sp >= 0) spill_across_calls(x, f);
  uint32_t cap = f->num_preds * 4 + 4096;
  bool *pinned = wg_px_alloc(x, cap);
  for (int round = 0; round < 400 && f->num_preds <= 12000; round++) {
    wg_px_live_t *l = wg_px_live(x, f);
    uint32_t words = (f->num_preds + 63) / 64, most;
    uint64_t *adj = pred_graph(x, f, l, words, &most);
    if (most > kMaxLivePreds) break;
    int32_t p = colour_preds(x, f, adj, words, pinned);
    if (p < 0) return;
    uint32_t before = f->num_preds;
    spill_pred(x, f, p);
    if (f->num_preds > cap) break;
    for (uint32_t i = before; i < f->num_preds; i++) pinned[i] = true;
    pinned[p] = true;
  }
  wg_px_fail(x, kWgUnsupported, f->kernel->line, 0, "split the kernel",
             "kernel '%s' needs too many predicates (more than %d at once, or 12000 in all)", f->kernel->name,
             kMaxLivePreds);
}

/* ---- registers: the graph ---- */

static void enumerate(wg_px_graph_t *g) {
  wg_px_fn_t *f = g->f;
  g->compact = wg_px_alloc(g->x, (f->num_units + 1) * 4);
  g->unit = wg_px_alloc(g->x, (f->num_units + 4) * 4);
  for (wg_px_block_t *b = f->entry; b != NULL; b = b->next) {
    for (uint32_t i = 0; i < b->n; i++) {
      wg_px_use_t u = wg_px_uses(b->insn[i]);
      int32_t first[4] = {u.src[0], u.src[1], u.src[2], u.dst};
      for (int k = 0; k < 4; k++) {
        if (first[k] < 0 || g->compact[first[k]] != 0) continue;
        const wg_px_unit_t *w = &f->unit[first[k]];
        for (int j = 0; j < w->width; j++) { /* a group comes as a whole */
          g->unit[g->n++] = w->base + j;
          g->compact[w->base + j] = g->n;
        }
      }
    }
  }
  if (g->n > kMaxGraph) {
    wg_px_fail(g->x, kWgUnsupported, f->kernel->line, 0, "", "kernel '%s' has more than %d live values",
               f->kernel->name, kMaxGraph);
  }
  g->words = (g->n + 63) / 64;
}

static void make_groups(wg_px_graph_t *g) {
  g->group = wg_px_alloc(g->x, (g->n + 1) * 4);
  g->next = wg_px_alloc(g->x, (g->n + 1) * 4);
  g->head = wg_px_alloc(g->x, (g->n + 1) * 4);
  g->offset = wg_px_alloc(g->x, g->n + 1);
  g->width = wg_px_alloc(g->x, g->n + 1);
  g->across = wg_px_alloc(g->x, g->n + 1);
  g->hint = wg_px_alloc(g->x, (g->n + 1) * sizeof *g->hint);
  for (uint32_t i = 0; i < g->n; i++) g->hint[i] = kNoReg;
  for (uint32_t i = g->n; i-- > 0;) {
    const wg_px_unit_t *w = &g->f->unit[g->unit[i]];
    uint32_t base = g->compact[w->base] - 1;
    g->group[i] = (int32_t)base;
    g->offset[i] = (uint8_t)(g->unit[i] - w->base);
    g->width[base] = w->width;
    g->next[i] = g->head[base];
    g->head[base] = i + 1;
  }
}

static void connect(wg_px_graph_t *g, uint32_t d, const uint64_t *live, int64_t except) {
  for (uint32_t w = 0; w < g->words; w++) {
    uint64_t m = live[w];
    while (m != 0) {
      uint32_t i = w * 64 + (uint32_t)__builtin_ctzll(m);
      m &= m - 1;
      if (i == d || (int64_t)i == except) continue;
      WG_PX_SET(g->adj + (size_t)d * g->words, i);
      WG_PX_SET(g->adj + (size_t)i * g->words, d);
    }
  }
}

static bool is_fixed(const wg_px_graph_t *g, uint32_t i) { return g->f->unit[g->unit[i]].fixed != 0; }

/* What is live behind a call. */
static void mark_across(wg_px_graph_t *g, const uint64_t *live) {
  for (uint32_t w = 0; w < g->words; w++) {
    for (uint64_t m = live[w]; m != 0; m &= m - 1) {
      uint32_t i = w * 64 + (uint32_t)__builtin_ctzll(m);
      if (!is_fixed(g, i)) g->across[g->group[i]] = true;
    }
  }
}

static void build_graph(wg_px_graph_t *g, const wg_px_live_t *l) {
  size_t need = (size_t)g->n * g->words + 1;
  if (need > g->adj_cap) {
    g->adj_cap = need + need / 2;
    g->adj_buf = wg_px_alloc(g->x, g->adj_cap * 8);
  }
  memset(g->adj_buf, 0, need * 8);
  g->adj = g->adj_buf;
  uint64_t *live = wg_px_alloc(g->x, (g->words + 1) * 8);
  for (wg_px_block_t *b = g->f->entry; b != NULL; b = b->next) {
    memset(live, 0, g->words * 8);
    for (uint32_t i = 0; i < l->num; i++) {
      if (WG_PX_GET(l->out[b->id], i)) WG_PX_SET(live, g->compact[l->unit[i]] - 1);
    }
    for (uint32_t i = b->n; i-- > 0;) {
      const wg_px_insn_t *in = b->insn[i];
      wg_px_use_t u = wg_px_uses(in);
      if (wg_px_is_call(in)) mark_across(g, live);
      bool copy = in->op == kWgOp_MOV && in->form == kWgFormReg && in->b >= 0;
      for (int j = 0; u.dst >= 0 && j < u.ndst; j++) {
        connect(g, g->compact[u.dst + j] - 1, live, copy ? (int64_t)g->compact[in->b] - 1 : -1);
      }
      for (int j = 0; u.dst >= 0 && j < u.ndst; j++) {
        if (wg_px_full_def(g->f, in, u.dst + j)) WG_PX_CLR(live, g->compact[u.dst + j] - 1);
      }
      for (int k = 0; k < 3; k++) {
        for (int j = 0; u.src[k] >= 0 && j < u.nsrc[k]; j++) WG_PX_SET(live, g->compact[u.src[k] + j] - 1);
      }
    }
  }
}

/* ---- joining copies ---- */

static bool clash(const wg_px_graph_t *g, int32_t small, int32_t big, uint32_t shift) {
  for (uint32_t i = g->head[small]; i != 0; i = g->next[i - 1]) {
    for (uint32_t k = g->head[big]; k != 0; k = g->next[k - 1]) {
      if (g->offset[i - 1] + shift == g->offset[k - 1] && WG_PX_GET(g->adj + (size_t)(i - 1) * g->words, k - 1))
        return true;
    }
  }
  return false;
}

static void join(wg_px_graph_t *g, uint32_t a, uint32_t b) {
  int32_t ga = g->group[a], gb = g->group[b];
  if (ga == gb || is_fixed(g, a) || is_fixed(g, b)) return;
  bool across = g->across[ga] || g->across[gb];
  if (g->width[ga] > g->width[gb]) {
    uint32_t t = a;
    a = b;
    b = t;
    ga = g->group[a];
    gb = g->group[b];
  }
  if (g->offset[b] < g->offset[a]) return;
  uint32_t shift = (uint32_t)(g->offset[b] - g->offset[a]);
  if (shift % g->width[ga] != 0 || shift + g->width[ga] > g->width[gb] || clash(g, ga, gb, shift)) return;
  uint32_t last = 0;
  for (uint32_t i = g->head[ga]; i != 0; i = g->next[i - 1]) {
    g->group[i - 1] = gb;
    g->offset[i - 1] = (uint8_t)(g->offset[i - 1] + shift);
    last = i;
  }
  g->next[last - 1] = g->head[gb];
  g->head[gb] = g->head[ga];
  g->head[ga] = 0;
  g->across[gb] = across;
}

static void join_copies(wg_px_graph_t *g) {
  for (wg_px_block_t *b = g->f->entry; b != NULL; b = b->next) {
    for (uint32_t i = 0; i < b->n; i++) {
      const wg_px_insn_t *in = b->insn[i];
      if (in->op != kWgOp_MOV || in->form != kWgFormReg || in->b < 0) continue;
      join(g, g->compact[in->d] - 1, g->compact[in->b] - 1);
    }
  }
}

/* A copy to or from a register of the convention is saved if its partner gets the same register. */
static void take_hints(wg_px_graph_t *g) {
  for (wg_px_block_t *b = g->f->entry; b != NULL; b = b->next) {
    for (uint32_t i = 0; i < b->n; i++) {
      const wg_px_insn_t *in = b->insn[i];
      if (in->op != kWgOp_MOV || in->form != kWgFormReg || in->b < 0) continue;
      uint32_t d = g->compact[in->d] - 1, s = g->compact[in->b] - 1;
      if (is_fixed(g, d) == is_fixed(g, s)) continue;
      uint32_t other = is_fixed(g, d) ? s : d, reg = g->f->unit[g->unit[is_fixed(g, d) ? d : s]].fixed - 1u;
      if (reg >= g->offset[other]) g->hint[g->group[other]] = (uint16_t)(reg - g->offset[other]);
    }
  }
}

/* ---- colours ---- */

/* May the group start at register r: below the limit, not on the stack pointer, preserved by calls if it must be? */
static bool allowed(const wg_px_graph_t *g, uint32_t grp, uint32_t r) {
  uint32_t w = g->width[grp];
  if (r % w != 0 || r + w > g->limit) return false;
  if (g->f->sp < 0) return true;
  for (uint32_t j = 0; j < w; j++) {
    if (r + j == (uint32_t)kWgPxAbiSp || (g->across[grp] && !wg_px_callee_saved(r + j))) return false;
  }
  return true;
}

/* used[j][r]: a neighbour of the group's word j holds register r */
static void neighbours(const wg_px_graph_t *g, uint32_t grp, bool used[4][256 + 4]) {
  memset(used, 0, 4 * sizeof used[0]);
  for (uint32_t i = g->head[grp]; i != 0; i = g->next[i - 1]) {
    const uint64_t *row = g->adj + (size_t)(i - 1) * g->words;
    for (uint32_t w = 0; w < g->words; w++) {
      for (uint64_t m = row[w]; m != 0; m &= m - 1) {
        uint32_t k = w * 64 + (uint32_t)__builtin_ctzll(m);
        if (g->reg[k] < 256) used[g->offset[i - 1]][g->reg[k]] = true;
      }
    }
  }
}

/* Lowest register at which the group meets no neighbour; 256 if there is none below the limit. A function takes those
   that it would have to save last. */
static uint32_t find_reg(const wg_px_graph_t *g, uint32_t grp) {
  bool used[4][256 + 4];
  neighbours(g, grp, used);
  bool saves = g->f->kernel->is_func && !g->across[grp];
  for (int pass = g->hint[grp] != kNoReg ? -1 : saves ? 0 : 1; pass < 2; pass++) {
    uint32_t first = pass < 0 ? g->hint[grp] : 0, end = pass < 0 ? first + 1 : g->limit;
    for (uint32_t r = first; r < end; r += g->width[grp]) {
      bool free_here = allowed(g, grp, r);
      for (uint32_t j = 0; free_here && j < g->width[grp]; j++) {
        free_here = !used[j][r + j] && (pass != 0 || !wg_px_callee_saved(r + j));
      }
      if (free_here) return r;
    }
  }
  return 256;
}

/* Give the group register r, or take it away with kNoReg. */
static void set_reg(wg_px_graph_t *g, uint32_t grp, uint32_t r) {
  for (uint32_t k = g->head[grp]; k != 0; k = g->next[k - 1]) {
    g->reg[k - 1] = (uint16_t)(r == kNoReg ? kNoReg : r + g->offset[k - 1]);
  }
}

static bool is_pinned(const wg_px_graph_t *g, uint32_t grp) {
  const wg_px_unit_t *u = &g->f->unit[g->unit[g->head[grp] - 1]];
  return u->pinned || u->fixed != 0;
}

/* Spill cost over the number of neighbours that it frees a place for. */
static double price(const wg_px_graph_t *g, uint32_t grp) {
  double cost = 0, degree = 1;
  for (uint32_t i = g->head[grp]; i != 0; i = g->next[i - 1]) {
    cost += g->cost[g->unit[i - 1]];
    for (uint32_t w = 0; w < g->words; w++) {
      degree += (double)__builtin_popcountll(g->adj[(size_t)(i - 1) * g->words + w]);
    }
  }
  return cost / degree;
}

/* The cheapest of the group and its neighbours with a register that may leave; UINT32_MAX if none may. */
static uint32_t cheapest(const wg_px_graph_t *g, uint32_t grp, double *known) {
  uint32_t best = is_pinned(g, grp) ? UINT32_MAX : grp;
  if (known[grp] < 0) known[grp] = price(g, grp);
  for (uint32_t i = g->head[grp]; i != 0; i = g->next[i - 1]) {
    const uint64_t *row = g->adj + (size_t)(i - 1) * g->words;
    for (uint32_t w = 0; w < g->words; w++) {
      for (uint64_t m = row[w]; m != 0; m &= m - 1) {
        uint32_t k = w * 64 + (uint32_t)__builtin_ctzll(m), other = (uint32_t)g->group[k];
        if (g->reg[k] >= 256 || is_pinned(g, other)) continue;
        if (g->across[grp] && !wg_px_callee_saved(g->reg[k])) continue; /* its register would be of no use */
        if (known[other] < 0) known[other] = price(g, other);
        if (best == UINT32_MAX || known[other] < known[best]) best = other;
      }
    }
  }
  return best;
}

/* Colour one group, pushing others or itself out. */
static void place_group(wg_px_graph_t *g, uint32_t grp, double *known) {
  uint32_t r;
  while ((r = find_reg(g, grp)) == 256) {
    uint32_t out = cheapest(g, grp, known);
    if (out == UINT32_MAX) {
      wg_px_fail(g->x, kWgUnsupported, g->f->kernel->line, 0, "allow more registers",
                 "kernel '%s' has an instruction that needs more than %u registers", g->f->kernel->name, g->limit);
    }
    set_reg(g, out, kNoReg);
    if (out == grp) return;
  }
  set_reg(g, grp, r);
}

/* @return false if a group is without a register */
static bool colour(wg_px_graph_t *g) {
  bool *done = wg_px_alloc(g->x, g->n + 1), all = true;
  double *known = wg_px_alloc(g->x, (g->n + 1) * sizeof *known);
  g->reg = wg_px_alloc(g->x, (g->n + 1) * sizeof *g->reg);
  for (uint32_t i = 0; i < g->n; i++) {
    g->reg[i] = is_fixed(g, i) ? (uint16_t)(g->f->unit[g->unit[i]].fixed - 1u) : (uint16_t)kNoReg;
    done[i] = is_fixed(g, i);
    known[i] = -1;
  }
  /* Wide groups first: single registers fill the gaps that they leave. */
  for (unsigned width = 4; width != 0; width /= 2) {
    for (uint32_t i = 0; i < g->n; i++) {
      uint32_t grp = (uint32_t)g->group[i];
      if (done[grp] || g->width[grp] != width) continue;
      done[grp] = true;
      place_group(g, grp, known);
    }
  }
  for (uint32_t i = 0; i < g->n; i++) { /* a place may be left after all */
    uint32_t grp = (uint32_t)g->group[i], r = g->reg[i] < 256 ? 256 : find_reg(g, grp);
    if (r != 256) set_reg(g, grp, r);
    all = all && g->reg[i] < 256;
  }
  return all;
}

/* ---- register banks ---- */

/* An instruction of three registers, each a group of its own; `next` chains those of a group (index + 1), source by source. */
typedef struct wg_px_three {
  uint32_t grp[3], next[3];
  uint64_t weight; /* times ten a loop level */
} wg_px_three_t;

/* What it brings to put the group into the other bank: conflicts that end less those that begin. */
static int64_t gain_of_bank(const wg_px_graph_t *g, const wg_px_three_t *three, uint32_t grp, uint32_t first) {
  int64_t gain = 0;
  for (uint32_t at = first; at != 0;) {
    const wg_px_three_t *t = &three[(at - 1) / 3];
    uint32_t k = (at - 1) % 3, a = g->reg[t->grp[(k + 1) % 3]] & 1u, b = g->reg[t->grp[(k + 2) % 3]] & 1u;
    if (a == b) gain += (g->reg[grp] & 1u) == a ? (int64_t)t->weight : -(int64_t)t->weight;
    at = t->next[k];
  }
  return gain;
}

/* A bank (register mod 2) gives two rows a cycle: single registers move to the other bank where that leaves fewer
   instructions, weighted by loops, with three sources in one. Registers below the next multiple of kWgRegUnit cost no
   occupancy. Kernels with calls stay as they are. */
static void spread_over_banks(wg_px_graph_t *g) {
  uint32_t num = 0, most = 0, n = 0;
  for (wg_px_block_t *b = g->f->entry; b != NULL; b = b->next) num += b->n;
  for (uint32_t i = 0; i < g->n; i++) most = g->reg[i] + 1u > most ? g->reg[i] + 1u : most;
  const uint32_t unit = (most + kWgRegUnit - 1) / kWgRegUnit * kWgRegUnit, cap = unit < g->limit ? unit : g->limit;
  wg_px_three_t *three = wg_px_alloc(g->x, (num + 1) * sizeof *three);
  uint32_t *first = wg_px_alloc(g->x, (g->n + 1) * sizeof *first);
  for (wg_px_block_t *b = g->f->entry; b != NULL; b = b->next) {
    uint64_t weight = 1;
    for (uint32_t d = 0; d < b->loop_depth && d < 5; d++) weight *= 10;
    for (uint32_t i = 0; i < b->n; i++) {
      const wg_px_use_t u = wg_px_uses(b->insn[i]);
      wg_px_three_t t = {.weight = weight};
      bool ok = true;
      for (int k = 0; ok && k < 3; k++) {
        ok = u.src[k] >= 0 && u.nsrc[k] == 1;
        t.grp[k] = ok ? (uint32_t)g->group[g->compact[u.src[k]] - 1] : 0;
        ok = ok && g->width[t.grp[k]] == 1;
      }
      if (!ok || t.grp[0] == t.grp[1] || t.grp[0] == t.grp[2] || t.grp[1] == t.grp[2]) continue;
      for (uint32_t k = 0; k < 3; k++) {
        t.next[k] = first[t.grp[k]];
        first[t.grp[k]] = 3 * n + k + 1;
      }
      three[n++] = t;
    }
  }
  for (int round = 0; round < 4; round++) {
    for (uint32_t grp = 0; grp < g->n; grp++) {
      if (first[grp] == 0 || g->head[grp] == 0 || is_pinned(g, grp) || gain_of_bank(g, three, grp, first[grp]) <= 0) continue;
      bool used[4][256 + 4];
      neighbours(g, grp, used);
      uint32_t r = (g->reg[grp] & 1u) ^ 1u;
      while (r < cap && (used[0][r] || !allowed(g, grp, r))) r += 2;
      if (r < cap) set_reg(g, grp, r);
    }
  }
}

/* Loads whose value nobody reads (volatile, asm) would all get the lowest register, and each would wait for the one
   before: each takes the free register that none of them took for the longest time. No more registers than before. */
static void spread_unread_loads(wg_px_graph_t *g) {
  bool *read = wg_px_alloc(g->x, g->f->num_units + 1);
  uint32_t most = 0, turn = 0, last[256] = {0};
  for (uint32_t i = 0; i < g->n; i++) most = g->reg[i] + 1u > most ? g->reg[i] + 1u : most;
  for (wg_px_block_t *b = g->f->entry; b != NULL; b = b->next) {
    for (uint32_t i = 0; i < b->n; i++) {
      const wg_px_use_t u = wg_px_uses(b->insn[i]);
      for (int k = 0; k < 3; k++) {
        for (int j = 0; u.src[k] >= 0 && j < u.nsrc[k]; j++) read[u.src[k] + j] = true;
      }
    }
  }
  for (wg_px_block_t *b = g->f->entry; b != NULL; b = b->next) {
    for (uint32_t i = 0; i < b->n; i++) {
      const wg_px_use_t u = wg_px_uses(b->insn[i]);
      if (wg_insn_info(b->insn[i]->op)->pipe != kWgPipeLSU || u.dst < 0 || u.ndst != 1 || read[u.dst]) continue;
      const uint32_t at = g->compact[u.dst] - 1, grp = (uint32_t)g->group[at];
      if (g->width[grp] != 1 || g->next[g->head[grp] - 1] != 0 || is_pinned(g, grp)) continue;
      bool used[4][256 + 4];
      neighbours(g, grp, used);
      uint32_t best = g->reg[at];
      for (uint32_t r = 0; r < most; r++) {
        if (!used[0][r] && allowed(g, grp, r) && last[r] < last[best]) best = r;
      }
      set_reg(g, grp, best);
      last[best] = ++turn;
    }
  }
}

/* Frame places for what has no register, then the rewriting. */
static void spill_rest(wg_px_graph_t *g, wg_px_insn_t *const *remat) {
  wg_px_fn_t *f = g->f;
  int32_t *slot = wg_px_alloc(g->x, (f->num_units + 1) * sizeof *slot);
  memset(slot, 0xff, (f->num_units + 1) * sizeof *slot);
  for (uint32_t i = 0; i < g->n; i++) {
    uint32_t grp = (uint32_t)g->group[i];
    if (g->reg[i] < 256 || slot[g->unit[i]] >= 0) continue;
    bool stored = false;
    for (uint32_t k = g->head[grp]; k != 0; k = g->next[k - 1]) {
      stored = stored || remat[g->unit[k - 1]] == NULL;
      slot[g->unit[k - 1]] = (int32_t)(f->local_bytes + 4u * g->offset[k - 1]);
    }
    if (!stored) continue;
    f->local_bytes += 4u * g->width[grp];
    f->reg_spills += g->width[grp];
    if (f->local_bytes > kWgPxMaxLocal) {
      wg_px_fail(g->x, kWgUnsupported, f->kernel->line, 0, "allow more registers",
                 "kernel '%s' needs more than %d bytes of local memory", f->kernel->name, kWgPxMaxLocal);
    }
  }
  wg_px_spill(g->x, f, slot, remat);
}

static void assign(wg_px_graph_t *g) {
  for (uint32_t i = 0; i < g->n; i++) {
    g->f->unit[g->unit[i]].reg = g->reg[i];
    if (g->reg[i] + 1u > g->f->regs) g->f->regs = g->reg[i] + 1u;
  }
}

uint32_t wg_px_max_regs(const wg_px_ctx_t *x, const wg_px_fn_t *f) {
  uint32_t limit = kMaxRegs;
  if (x->opt.max_regs != 0 && x->opt.max_regs < limit) limit = x->opt.max_regs;
  if (f->kernel->max_regs != 0 && f->kernel->max_regs < limit) limit = f->kernel->max_regs;
  if (f->sp >= 0 && limit < kWgPxAbiMinRegs) limit = kWgPxAbiMinRegs; /* the convention's own */
  return limit;
}

static void drop_identities(wg_px_fn_t *f) {
  for (wg_px_block_t *b = f->entry; b != NULL; b = b->next) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < b->n; i++) {
      const wg_px_insn_t *in = b->insn[i];
      bool same =
          in->op == kWgOp_MOV && in->form == kWgFormReg && in->b >= 0 && f->unit[in->d].reg == f->unit[in->b].reg;
      if (!same && in->op != kWgOp_NOP) b->insn[n++] = b->insn[i]; /* NOP: has kept an order, or registers of a call */
    }
    b->n = n;
  }
}

void wg_px_regalloc(wg_px_ctx_t *x, wg_px_fn_t *f) {
  zero_live_in(x, f);
  allocate_preds(x, f);
  wg_px_graph_t g = {.x = x, .f = f};
  for (int round = 0;; round++) {
    wg_px_live_t *l = wg_px_live(x, f);
    wg_px_insn_t **remat = wg_px_remat(x, f);
    g = (wg_px_graph_t){.x = x, .f = f, .limit = wg_px_max_regs(x, f), .adj_buf = g.adj_buf, .adj_cap = g.adj_cap};
    g.cost = wg_px_spill_cost(x, f, remat);
    enumerate(&g);
    make_groups(&g);
    build_graph(&g, l);
    join_copies(&g);
    take_hints(&g);
    if (colour(&g)) break;
    if (round == kSpillRounds) {
      wg_px_fail(x, kWgUnsupported, f->kernel->line, 0, "allow more registers",
                 "kernel '%s' does not fit %u registers", f->kernel->name, g.limit);
    }
    spill_rest(&g, remat);
  }
  if (f->sp < 0) {
    spread_over_banks(&g);
    spread_unread_loads(&g);
  }
  assign(&g);
  drop_identities(f);
}
