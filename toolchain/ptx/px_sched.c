// SPDX-License-Identifier: Apache-2.0
//
// List scheduling inside blocks, before register allocation: longest way to the end of the block first, as long as
// the number of live units stays below a limit; above it whatever frees most, in the order of the text. Also the
// table of latencies that order them.
#include <string.h>

#include "toolchain/ptx/px.h"

/* Issue to dependent issue, in cycles. fixed: forwarded at t+4. pred: the narrowest pipe (8 lanes) delivers its last
 * lanes' predicates at t+5. shared: silicon/latency.
 * local: an L1 hit, which frames mostly are. The others only order instructions: their results are waited
 * for. */
const wg_px_latency_t wg_px_latency = {
    .fixed = 4, .pred = 6, .shared = 23, .global = 400, .local = 32, .shuffle = 23, .sfu = 20, .sreg = 20};

enum { kPressure = 60, kMaxBlock = 20000, kFewPreds = 4 };

bool wg_px_variable_op(uint8_t op) {
  switch (wg_insn_info(op)->pipe) {
#define WG_PIPE(ID, NAME, PATH, DOC) \
  case kWgPipe##ID: return #PATH[0] == 'V';
#include "isa/isa.def"
    default: return false;
  }
}

bool wg_px_variable(const wg_px_insn_t *in) {
  return wg_px_variable_op(in->op);
}

uint32_t wg_px_latency_of(const wg_px_insn_t *in) {
  switch (in->op) {
    case kWgOp_LDG:
    case kWgOp_LD:
    case kWgOp_ATOMG:
    case kWgOp_ATOM:
      return wg_px_latency.global;
    case kWgOp_LDS:
    case kWgOp_LDSM:
    case kWgOp_ATOMS:
    case kWgOp_LDC:
      return wg_px_latency.shared;
    case kWgOp_LDL:
      return wg_px_latency.local;
    case kWgOp_SHFL:
      return wg_px_latency.shuffle;
    case kWgOp_S2R:
      return wg_px_latency.sreg;
    default:
      return wg_px_variable_op(in->op) ? wg_px_latency.sfu : wg_px_latency.fixed;
  }
}

typedef struct wg_px_edge {
  uint32_t to, lat, next; /* next edge of the same source, 0 = none (index + 1) */
} wg_px_edge_t;

typedef struct wg_px_node {
  wg_px_insn_t *in;
  uint32_t edges;   /* first, index + 1 */
  uint32_t waiting; /* predecessors not yet placed */
  uint32_t height, earliest;
  bool placed;
} wg_px_node_t;

typedef struct wg_px_sched {
  wg_px_ctx_t *x;
  wg_px_fn_t *f;
  wg_px_node_t *node;
  uint32_t n;
  wg_px_edge_t *edge;
  uint32_t num_edges, cap_edges;
  uint32_t *last_def, *first_reader, *pdef, *preader; /* index + 1 by unit, predicate; readers are chained: */
  uint32_t *chain_node, *chain_next, num_chain;
  uint32_t *left;  /* reads of a unit still to come in this block */
  uint32_t *pleft; /* the same for predicates */
  uint32_t preds;  /* predicates that wait for a reader in this block */
  bool *live;      /* [units] */
  int32_t same[kWgPxAbiRet + 2]; /* by register + 1: the unit that stands for all that have it by the convention */
  const wg_px_live_t *l;
  const uint64_t *live_out;
} wg_px_sched_t;

static void add_edge(wg_px_sched_t *s, uint32_t from, uint32_t to, uint32_t lat) {
  if (from == to) return;
  s->edge = wg_px_grow(s->x, s->edge, s->num_edges, &s->cap_edges, sizeof *s->edge);
  s->edge[s->num_edges] = (wg_px_edge_t){to, lat, s->node[from].edges};
  s->node[from].edges = ++s->num_edges;
  s->node[to].waiting++;
}

static void chain(wg_px_sched_t *s, uint32_t *first, uint32_t node) {
  s->chain_node[s->num_chain] = node;
  s->chain_next[s->num_chain] = *first;
  *first = ++s->num_chain;
}

static void read_edge(wg_px_sched_t *s, uint32_t *def, uint32_t *readers, uint32_t i, bool pred) {
  if (*def != 0) {
    const wg_px_insn_t *p = s->node[*def - 1].in;
    add_edge(s, *def - 1, i, pred && !wg_px_variable(p) ? wg_px_latency.pred : wg_px_latency_of(p));
  }
  chain(s, readers, i);
}

static void write_edge(wg_px_sched_t *s, uint32_t *def, uint32_t *readers, uint32_t i) {
  if (*def != 0) add_edge(s, *def - 1, i, wg_px_latency_of(s->node[*def - 1].in));
  for (uint32_t c = *readers; c != 0; c = s->chain_next[c - 1]) add_edge(s, s->chain_node[c - 1], i, 1);
  *def = i + 1;
  *readers = 0;
}

static bool is_fence(const wg_px_insn_t *in) {
  return wg_insn_info(in->op)->pipe == kWgPipeCTRL || in->op == kWgOp_MEMBAR || in->op == kWgOp_CCTL ||
         (in->op == kWgOp_S2R && in->imm >= kWgSrClockLo);
}

static bool is_store(const wg_px_insn_t *in) { return wg_insn_is_store(in->op) || wg_insn_is_atomic(in->op); }

static unsigned caching(const wg_px_insn_t *in) {
  bool has = in->op == kWgOp_LDG || in->op == kWgOp_LD || in->op == kWgOp_STG || in->op == kWgOp_ST;
  return has ? (in->mods >> kWgModLsb_MCACHE) & 3u : 0;
}

/* Volatile, relaxed, ordered and atomic accesses stay in the order of the text, whatever their addresses and spaces: a
   volatile access is a side effect of C++, and another lane or thread may look at the bytes in between. */
static bool in_order(const wg_px_insn_t *in) { return in->strong || in->strong_store || wg_insn_is_atomic(in->op); }

/* Two accesses of one space: loads pass loads and read-only data; same base and different bytes pass each other. */
static bool may_pass(const wg_px_insn_t *a, const wg_px_insn_t *b, bool base_same) {
  if (in_order(a) && in_order(b)) return false;
  if (!is_store(a) && !is_store(b)) return !a->strong && !b->strong;
  if (wg_insn_is_atomic(a->op) || wg_insn_is_atomic(b->op)) return false;
  if ((a->op == kWgOp_LDG && caching(a) == 3) || (b->op == kWgOp_LDG && caching(b) == 3)) return true;
  if (!base_same || a->a != b->a || wg_insn_space(a->op) != wg_insn_space(b->op)) return false;
  int64_t pa = (int32_t)a->imm, pb = (int32_t)b->imm, na = 4 * (int64_t)wg_px_mem_units(a),
          nb = 4 * (int64_t)wg_px_mem_units(b);
  return pa + na <= pb || pb + nb <= pa;
}

/* May two spaces hold the same byte? */
static bool overlap(wg_space_t a, wg_space_t b) {
  if (a == kWgSpaceNone || b == kWgSpaceNone || a == kWgSpaceConst || b == kWgSpaceConst) return false;
  return a == b || a == kWgSpaceGeneric || b == kWgSpaceGeneric;
}

static void mem_edges(wg_px_sched_t *s, uint32_t i) {
  const wg_px_insn_t *in = s->node[i].in;
  wg_space_t space = wg_insn_space(in->op);
  if (space == kWgSpaceNone) return;
  bool base_same = true; /* until the base register is written in between */
  for (uint32_t k = i; k-- > 0 && i - k < 600;) {
    const wg_px_insn_t *p = s->node[k].in;
    if (is_fence(p)) return;
    wg_px_use_t u = wg_px_uses(p);
    if ((overlap(wg_insn_space(p->op), space) || (in_order(p) && in_order(in))) && !may_pass(p, in, base_same)) {
      add_edge(s, k, i, 1);
      if (is_store(in) == is_store(p) && is_store(p) && !base_same) continue;
    }
    for (int j = 0; u.dst >= 0 && j < u.ndst; j++) {
      if (in->a >= 0 &&
          (u.dst + j == in->a || (space != kWgSpaceShared && space != kWgSpaceLocal && u.dst + j == in->a + 1)))
        base_same = false;
    }
  }
  if (i >= 600) add_edge(s, i - 600, i, 1); /* far ones: see fences() */
}

/* Every instruction stays on its side of a fence; long blocks get one every 600 instructions. */
static void fence_edges(wg_px_sched_t *s) {
  uint32_t last = 0;
  bool have = false;
  for (uint32_t i = 0; i < s->n; i++) {
    bool fence = is_fence(s->node[i].in) || (have ? i - last : i) >= 500;
    if (have) add_edge(s, last, i, 1);
    if (!fence) continue;
    for (uint32_t k = have ? last + 1 : 0; k < i; k++) add_edge(s, k, i, 1);
    last = i;
    have = true;
  }
}

/* The unit whose readers and writer bind `u`: units of one register of the convention are one place, though they have
   different names. */
static int32_t place_of(wg_px_sched_t *s, int32_t u) {
  unsigned fixed = s->f->unit[u].fixed;
  if (fixed == 0) return u;
  WG_BUG(fixed >= sizeof s->same / sizeof *s->same);
  if (s->same[fixed] < 0) s->same[fixed] = u;
  return s->same[fixed];
}

static void build(wg_px_sched_t *s) {
  for (size_t i = 0; i < sizeof s->same / sizeof *s->same; i++) s->same[i] = -1;
  for (uint32_t i = 0; i < s->n; i++) {
    const wg_px_insn_t *in = s->node[i].in;
    wg_px_use_t u = wg_px_uses(in);
    for (int k = 0; k < 3; k++) {
      for (int j = 0; u.src[k] >= 0 && j < u.nsrc[k]; j++) {
        int32_t r = place_of(s, u.src[k] + j);
        read_edge(s, &s->last_def[r], &s->first_reader[r], i, false);
        s->left[u.src[k] + j]++;
      }
      if (u.psrc[k] >= 0) {
        read_edge(s, &s->pdef[u.psrc[k]], &s->preader[u.psrc[k]], i, true);
        s->pleft[u.psrc[k]]++;
      }
    }
    for (int j = 0; u.dst >= 0 && j < u.ndst; j++) {
      int32_t r = place_of(s, u.dst + j);
      write_edge(s, &s->last_def[r], &s->first_reader[r], i);
    }
    for (int k = 0; k < 2; k++) {
      if (u.pdst[k] >= 0) write_edge(s, &s->pdef[u.pdst[k]], &s->preader[u.pdst[k]], i);
    }
    mem_edges(s, i);
  }
  fence_edges(s);
}

static void heights(wg_px_sched_t *s, const wg_px_block_t *b) {
  for (uint32_t i = s->n; i-- > 0;) {
    wg_px_node_t *nd = &s->node[i];
    uint32_t h = wg_px_latency_of(nd->in) > 23 ? 23 : wg_px_latency_of(nd->in);
    if (b->pred >= 0 && nd->in->pd0 == b->pred) h = wg_px_latency.pred;
    for (uint32_t e = nd->edges; e != 0; e = s->edge[e - 1].next) {
      uint32_t v = s->node[s->edge[e - 1].to].height + s->edge[e - 1].lat;
      if (v > h) h = v;
    }
    nd->height = h;
  }
}

/* Live units that placing the instruction adds, less those that it frees. */
static int delta(const wg_px_sched_t *s, const wg_px_insn_t *in) {
  wg_px_use_t u = wg_px_uses(in);
  int d = 0;
  for (int j = 0; u.dst >= 0 && j < u.ndst; j++) d += !s->live[u.dst + j];
  for (int k = 0; k < 3; k++) {
    for (int j = 0; u.src[k] >= 0 && j < u.nsrc[k]; j++) {
      int32_t r = u.src[k] + j;
      d -= s->live[r] && s->left[r] == 1 && !wg_px_live_has(s->l, s->live_out, r);
    }
  }
  return d;
}

static int place(wg_px_sched_t *s, uint32_t i, uint32_t now) {
  wg_px_node_t *nd = &s->node[i];
  wg_px_use_t u = wg_px_uses(nd->in);
  int d = 0;
  for (int k = 0; k < 2; k++) s->preds += u.pdst[k] >= 0 && s->pleft[u.pdst[k]] > 0;
  for (int k = 0; k < 3; k++) {
    if (u.psrc[k] >= 0 && --s->pleft[u.psrc[k]] == 0 && s->preds > 0) s->preds--;
    for (int j = 0; u.src[k] >= 0 && j < u.nsrc[k]; j++) {
      int32_t r = u.src[k] + j;
      if (--s->left[r] == 0 && !wg_px_live_has(s->l, s->live_out, r) && s->live[r]) {
        s->live[r] = false;
        d--;
      }
    }
  }
  for (int j = 0; u.dst >= 0 && j < u.ndst; j++) {
    d += !s->live[u.dst + j];
    s->live[u.dst + j] = true;
  }
  nd->placed = true;
  for (uint32_t e = nd->edges; e != 0; e = s->edge[e - 1].next) {
    wg_px_node_t *t = &s->node[s->edge[e - 1].to];
    t->waiting--;
    if (now + s->edge[e - 1].lat > t->earliest) t->earliest = now + s->edge[e - 1].lat;
  }
  return d;
}

/* Index of the instruction to place next, from the ready list. */
static uint32_t choose(const wg_px_sched_t *s, const uint32_t *ready, uint32_t n, uint32_t now, bool tight) {
  uint32_t best = 0;
  int best_delta = 0;
  if (s->preds >= kFewPreds) { /* seven predicates in all: use up those that wait before making more */
    uint32_t oldest = UINT32_MAX;
    for (uint32_t r = 0; r < n; r++) {
      const wg_px_insn_t *in = s->node[ready[r]].in;
      bool makes = in->pd0 >= 0 || in->pd1 >= 0, takes = in->ps0 >= 0 || in->ps1 >= 0 || in->guard >= 0;
      if ((takes || !makes) && (oldest == UINT32_MAX || ready[r] < ready[oldest])) oldest = r;
    }
    if (oldest != UINT32_MAX) return oldest;
  }
  for (uint32_t r = 0; r < n; r++) {
    const wg_px_node_t *a = &s->node[ready[r]], *b = &s->node[ready[best]];
    if (tight) {
      int d = delta(s, a->in);
      if (r == 0 || d < best_delta || (d == best_delta && ready[r] < ready[best])) {
        best = r;
        best_delta = d;
      }
      continue;
    }
    uint32_t ea = a->earliest > now ? a->earliest : now, eb = b->earliest > now ? b->earliest : now;
    if (ea < eb || (ea == eb && (a->height > b->height || (a->height == b->height && ready[r] < ready[best]))))
      best = r;
  }
  return best;
}

/* Sets the tables back for the values that the block names, not for all: blocks are many. @return units live into it */
static uint32_t start_values(wg_px_sched_t *s, const wg_px_block_t *b, const wg_px_live_t *l) {
  const uint64_t *in = l->in[b->id];
  uint32_t live = 0;
  s->l = l;
  s->live_out = l->out[b->id];
  s->preds = 0;
  for (uint32_t w = 0; w < l->words; w++) live += (uint32_t)__builtin_popcountll(in[w]);
  for (uint32_t i = 0; i < b->n; i++) {
    wg_px_use_t u = wg_px_uses(b->insn[i]);
    const int32_t first[4] = {u.src[0], u.src[1], u.src[2], u.dst}, num[4] = {u.nsrc[0], u.nsrc[1], u.nsrc[2], u.ndst};
    for (int k = 0; k < 4; k++) {
      for (int32_t r = first[k]; first[k] >= 0 && r < first[k] + num[k]; r++) {
        s->last_def[r] = s->first_reader[r] = s->left[r] = 0;
        s->live[r] = wg_px_live_has(l, in, r);
      }
    }
    const int32_t pred[5] = {u.psrc[0], u.psrc[1], u.psrc[2], u.pdst[0], u.pdst[1]};
    for (int k = 0; k < 5; k++) {
      if (pred[k] >= 0) s->pdef[pred[k]] = s->pleft[pred[k]] = s->preader[pred[k]] = 0;
    }
  }
  return live;
}

static void schedule_block(wg_px_sched_t *s, wg_px_block_t *b, const wg_px_live_t *l, uint32_t limit) {
  s->n = b->n;
  s->node = wg_px_alloc(s->x, (b->n + 1) * sizeof *s->node);
  s->edge = NULL;
  s->num_edges = s->cap_edges = s->num_chain = 0;
  s->chain_node = wg_px_alloc(s->x, (b->n * 24 + 1) * sizeof(uint32_t));
  s->chain_next = wg_px_alloc(s->x, (b->n * 24 + 1) * sizeof(uint32_t));
  uint32_t live = start_values(s, b, l);
  for (uint32_t i = 0; i < b->n; i++) s->node[i].in = b->insn[i];
  build(s);
  heights(s, b);
  uint32_t *ready = wg_px_alloc(s->x, (b->n + 1) * 4), num = 0, now = 0;
  bool *listed = wg_px_alloc(s->x, b->n + 1);
  for (uint32_t done = 0; done < b->n; done++) {
    for (uint32_t i = 0; i < b->n; i++) {
      if (!listed[i] && s->node[i].waiting == 0) {
        listed[i] = true;
        ready[num++] = i;
      }
    }
    uint32_t r = choose(s, ready, num, now, live >= limit), i = ready[r];
    ready[r] = ready[--num];
    if (s->node[i].earliest > now) now = s->node[i].earliest;
    live = (uint32_t)((int)live + place(s, i, now));
    b->insn[done] = s->node[i].in;
    now++;
  }
}

void wg_px_schedule(wg_px_ctx_t *x, wg_px_fn_t *f) {
  if (!x->opt.schedule) return;
  wg_px_live_t *l = wg_px_live(x, f);
  wg_px_sched_t s = {.x = x, .f = f};
  uint32_t nu = f->num_units + 1, np = f->num_preds + 1, limit = kPressure, regs = wg_px_max_regs(x, f);
  if (regs < limit + 8) limit = regs > 16 ? regs - 8 : 8;
  s.last_def = wg_px_alloc(x, nu * 4);
  s.first_reader = wg_px_alloc(x, nu * 4);
  s.left = wg_px_alloc(x, nu * 4);
  s.pdef = wg_px_alloc(x, np * 4);
  s.preader = wg_px_alloc(x, np * 4);
  s.pleft = wg_px_alloc(x, np * 4);
  s.live = wg_px_alloc(x, nu);
  for (wg_px_block_t *b = f->entry; b != NULL; b = b->next) {
    if (b->n > 1 && b->n <= kMaxBlock) schedule_block(&s, b, l, limit);
  }
}
