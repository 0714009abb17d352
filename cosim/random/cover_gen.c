// SPDX-License-Identifier: Apache-2.0
//
// Kernels of the coverage run. Every warp executes each listed instruction once with all lanes, once with some and once
// with one; the lanes are chosen by a guard or by a branch.
#include <string.h>

#include "cosim/random/cover.h"
#include "isa/wg_cfg.h"

enum { kMaxEntries = 1200, kFillTo = 400, kLeast = 6 };

typedef struct list {
  wg_insn_t in[kMaxEntries];
  uint32_t num;
} list_t;

static void append(list_t *l, const wg_insn_t *in) {
  WG_BUG(l->num == (uint32_t)kMaxEntries);
  l->in[l->num++] = *in;
}

/* ---- which instructions ---- */

/* Any defined combination with these values; the others random. */
static bool random_combo(wg_rnd_gen_t *g, const wg_cover_op_t *o, uint32_t i, uint32_t vi, uint32_t j, uint32_t vj,
                         wg_insn_t *out) {
  for (unsigned tries = 0; tries < 1000u; tries++) {
    *out = wg_insn_default(o->op);
    for (uint32_t d = 0; d < o->cross_dims; d++) {
      uint32_t v = d == i ? vi : d == j ? vj : wg_rnd_below(&g->r, o->dim[d].values);
      wg_cover_set(&o->dim[d], out, v);
    }
    if (wg_cover_defined(out)) return true;
  }
  return false;
}

/* Instructions that hold every pair of values between them. */
static void pairs(wg_rnd_gen_t *g, const wg_cover_op_t *o, list_t *l) {
  bool *seen = calloc(o->pairs, sizeof *seen);
  WG_BUG(seen == NULL);
  for (uint32_t i = 0; i < o->cross_dims; i++) {
    for (uint32_t j = i + 1u; j < o->cross_dims; j++) {
      for (uint32_t k = 0; k < o->dim[i].values * o->dim[j].values; k++) {
        wg_insn_t in;
        uint32_t vi = k / o->dim[j].values, vj = k % o->dim[j].values;
        if (seen[wg_cover_pair(o, i, vi, j, vj)] || !random_combo(g, o, i, vi, j, vj, &in)) continue;
        append(l, &in);
        for (uint32_t a = 0; a < o->cross_dims; a++) {
          for (uint32_t b = a + 1u; b < o->cross_dims; b++) {
            seen[wg_cover_pair(o, a, wg_cover_value(&o->dim[a], &in), b, wg_cover_value(&o->dim[b], &in))] = true;
          }
        }
      }
    }
  }
  free(seen);
}

/* What an opcode needs, each form of b in turn. */
static void entries(wg_rnd_gen_t *g, const wg_cover_op_t *o, list_t *l) {
  uint32_t from = l->num, forms = o->dims > o->cross_dims ? o->dim[o->dims - 1u].values : 1u;
  do { /* opcodes with few combinations have them several times */
    if (!o->cross) pairs(g, o, l);
    for (uint32_t k = 0; o->cross && k < o->combos; k++) {
      wg_insn_t in;
      if (wg_cover_combo(o, k, &in)) append(l, &in);
    }
  } while (l->num - from < (uint32_t)kLeast);
  for (uint32_t i = from; i < l->num; i++) l->in[i].form = (uint8_t)((i - from + (i - from) / 7u) % forms);
}

static void shuffle(wg_rnd_gen_t *g, list_t *l) {
  for (uint32_t i = l->num; i > 1u; i--) {
    uint32_t k = wg_rnd_below(&g->r, i);
    wg_insn_t t = l->in[i - 1u];
    l->in[i - 1u] = l->in[k];
    l->in[k] = t;
  }
}

/* ---- where they run ---- */

/* By the number of an entry: a guard with all lanes running, or an arm of a branch. */
static const char *const kPartialGuard[4] = {"P5", "!P5", NULL, NULL};
static const char *const kSingleGuard[2] = {"P6", NULL};

/* Instructions that split the warp run in arms alone; BRA brings its own join. */
static bool may_guard(uint8_t op) {
  switch (op) {
    case kWgOp_BSSY:
    case kWgOp_BSSYR:
    case kWgOp_BSYNC:
    case kWgOp_CALL:
    case kWgOp_RET:
    case kWgOp_BRX:
    case kWgOp_WARPSYNC:
    case kWgOp_NANOSLEEP: return false;
    default: return true;
  }
}

static void emit(wg_rnd_gen_t *g, const wg_insn_t *like, bool all, const char *guard) {
  g->unit++;
  if (wg_insn_info(like->op)->pipe == kWgPipeCTRL) wg_cover_flow(g, like, all, guard);
  else wg_cover_data_insn(g, like, guard);
}

/* Does entry e's turn with some lanes, with one lane, come in a branch? */
static bool in_arm(const list_t *l, uint32_t e, wg_cover_mask_t m) {
  if (!may_guard(l->in[e].op)) return true;
  return m == kWgCoverPartial ? kPartialGuard[e % 4u] == NULL : kSingleGuard[e % 2u] == NULL;
}

static void sections(wg_rnd_gen_t *g, const list_t *l) {
  int arm = wg_rnd_new_label(g), join = wg_rnd_new_label(g), end = wg_rnd_new_label(g);
  for (uint32_t e = 0; e < l->num; e++) {
    emit(g, &l->in[e], true, "");
    if (!in_arm(l, e, kWgCoverPartial)) emit(g, &l->in[e], true, kPartialGuard[e % 4u]);
    if (!in_arm(l, e, kWgCoverSingle)) emit(g, &l->in[e], true, kSingleGuard[e % 2u]);
  }
  wg_rnd_branch(g, "BSSY B0,", join);
  wg_rnd_branch(g, "@P5 BRA", arm);
  for (uint32_t e = 0; e < l->num; e++) {
    if (in_arm(l, e, kWgCoverPartial) && e % 2u == 1u) emit(g, &l->in[e], false, "");
  }
  wg_rnd_branch(g, "BRA", join);
  wg_rnd_place(g, arm);
  for (uint32_t e = 0; e < l->num; e++) {
    if (in_arm(l, e, kWgCoverPartial) && e % 2u == 0u) emit(g, &l->in[e], false, "");
  }
  wg_rnd_place(g, join);
  wg_rnd_asm(g, "BSYNC B0");
  wg_rnd_branch(g, "BSSY B0,", end);
  wg_rnd_branch(g, "@!P6 BRA", end);
  for (uint32_t e = 0; e < l->num; e++) {
    if (in_arm(l, e, kWgCoverSingle)) emit(g, &l->in[e], false, "");
  }
  wg_rnd_place(g, end);
  wg_rnd_asm(g, "BSYNC B0");
}

/* ---- kernels ---- */

static void begin(wg_rnd_gen_t *g, wg_cover_kernel_t *k, uint64_t seed, uint32_t at) {
  wg_rnd_prog_t *p = &k->prog;
  memset(g, 0, sizeof *g);
  memset(p, 0, sizeof *p);
  g->p = p;
  g->r.s = seed * UINT64_C(0xd1342543de82ef95) + at;
  p->seed = seed;
  p->regs = 128;
  p->shared_static = kWgCoverWindow;
  p->local = kWgCoverLocal;
  p->buffer[0] = (wg_rnd_buffer_t){"DATA", kWgCoverDataBytes, 0u, 0u};
  p->buffer[1] = (wg_rnd_buffer_t){"WINDOW", kWgCoverWindow, 0u, 0u};
  p->num_buffers = 2;
  p->launches = 1;
  p->grid[0] = kWgCoverWarps / kWgCoverBlockWarps;
  p->block[0] = 32u * kWgCoverBlockWarps;
  p->grid[1] = p->grid[2] = p->block[1] = p->block[2] = 1u;
  for (uint32_t i = 0; i < (uint32_t)kWgRndMaxConst; i++) { /* eight words of each class, then lane masks */
    wg_cover_class_t c = i < 56u ? (wg_cover_class_t)(i / 8u) : kWgCoverAny;
    p->const2[i] = wg_cover_word(&g->r, c);
    p->const3[i] = wg_cover_word(&g->r, c);
  }
  p->const2[56] = UINT32_MAX;
  p->const2[57] = 0u;
  p->const2[58] = 20u; /* ns */
  k->ops[0] = '\0';
  wg_cover_prologue(g);
}

static void name(wg_cover_kernel_t *k, uint8_t op) {
  size_t n = strlen(k->ops);
  snprintf(k->ops + n, sizeof k->ops - n, "%s%s", n != 0u ? " " : "", wg_insn_info(op)->mnemonic);
}

static bool is_bar(uint8_t op) { return op == kWgOp_BAR || op == kWgOp_BARRED; }
static bool is_flow(uint8_t op) {
  return wg_insn_info(op)->pipe == kWgPipeCTRL && !is_bar(op) && op != kWgOp_EXIT && op != kWgOp_TRAP;
}

typedef enum phase { kFlow, kBarriers, kExitSome, kExitOne, kPhases } phase_t;

static bool wanted_in(const wg_cover_op_t *o, size_t n, const bool *want, phase_t ph) {
  for (size_t i = 0; i < n; i++) {
    bool here = ph == kFlow ? is_flow(o[i].op) : ph == kBarriers ? is_bar(o[i].op) : o[i].op == kWgOp_EXIT;
    if (want[i] && here) return true;
  }
  return false;
}

static void barriers(wg_rnd_gen_t *g, const list_t *l, bool its) {
  static const char *const kWho[3] = {"", "P5", "P6"};
  for (unsigned m = 0; m < 3u; m++) {
    for (uint32_t e = 0; e < l->num; e++, g->unit++) wg_cover_barrier(g, &l->in[e], kWho[m], its);
  }
}

static void control(wg_rnd_gen_t *g, wg_cover_kernel_t *k, const wg_cover_op_t *o, size_t n, const bool *want,
                    phase_t ph, bool its) {
  static list_t l;
  l.num = 0;
  for (size_t i = 0; i < n; i++) {
    if (!want[i] || !(ph == kFlow ? is_flow(o[i].op) : is_bar(o[i].op))) continue;
    entries(g, &o[i], &l);
    name(k, o[i].op);
  }
  shuffle(g, &l);
  if (ph == kFlow) sections(g, &l);
  else barriers(g, &l, its);
}

bool wg_cover_generate(const wg_cover_t *c, const bool *want, uint64_t seed, bool its, uint32_t *at,
                       wg_cover_kernel_t *k) {
  static list_t l;
  size_t n;
  const wg_cover_op_t *o = wg_cover_ops(c, &n);
  uint32_t num = (uint32_t)n;
  wg_rnd_gen_t g;
  while (*at < num && (!want[*at] || wg_insn_info(o[*at].op)->pipe == kWgPipeCTRL)) ++*at;
  while (*at >= num && *at < num + (uint32_t)kPhases && !wanted_in(o, n, want, (phase_t)(*at - num))) ++*at;
  if (*at == num + (uint32_t)kPhases) return false;
  begin(&g, k, seed, *at);
  if (*at < num) {
    for (l.num = 0; *at < num && l.num < (uint32_t)kFillTo; ++*at) {
      if (!want[*at] || wg_insn_info(o[*at].op)->pipe == kWgPipeCTRL) continue;
      entries(&g, &o[*at], &l);
      name(k, o[*at].op);
    }
    shuffle(&g, &l);
    sections(&g, &l);
  } else {
    phase_t ph = (phase_t)(*at - num);
    if (ph == kFlow || ph == kBarriers) control(&g, k, o, n, want, ph, its);
    else {
      wg_rnd_asm(&g, ph == kExitSome ? "@P5 EXIT" : "@P6 EXIT");
      name(k, kWgOp_EXIT);
    }
    ++*at;
  }
  wg_rnd_asm(&g, "EXIT");
  return true;
}
