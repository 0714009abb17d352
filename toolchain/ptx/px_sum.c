// SPDX-License-Identifier: Apache-2.0
//
// Sums of three: an addition whose only reader is an addition goes into it, for IADD3 has three operands. Inside a block, and
// for values that are written again too: what is asked is whether this one result is read once.
#include <string.h>

#include "toolchain/ptx/px.h"

enum { kMaxTerms = 3, kNone = -1, kNear = 3 /* instructions: their order is the scheduler's */ };

/** What is added: units, at most one constant, and the immediates together. */
typedef struct wg_px_terms {
  int32_t unit[2 * kMaxTerms];
  bool minus[2 * kMaxTerms], const_minus;
  uint32_t n, consts, imm;
  uint16_t coff;
  uint8_t cbank;
} wg_px_terms_t;

typedef struct wg_px_sums {
  wg_px_fn_t *f;
  int32_t *writer;  /* [units] place of the last write so far in the block, or kNone */
  int32_t *came;    /* [units] place of the last read of what came into the block */
  uint32_t *reads;  /* [instructions] reads of what it writes, and one if it is live behind the block */
  int32_t *last;    /* [instructions] place of the last of them */
  int32_t *before;  /* [instructions] writer of its first unit before it */
  int32_t call;     /* place of the last call so far */
} wg_px_sums_t;

static bool is_sum(const wg_px_insn_t *in) {
  return in->op == kWgOp_IADD3 && in->pd0 < 0 && (in->mods & 1u << kWgModLsb_X) == 0;
}

/* The operands of a sum but `skip`, each negated if `flip`. */
static void add_terms(wg_px_terms_t *t, const wg_px_insn_t *in, int32_t skip, bool flip) {
  const int32_t unit[3] = {in->a, in->form == kWgFormReg ? in->b : -1, in->c};
  const unsigned mark[3] = {kWgMark_NA, kWgMark_NB, kWgMark_NC};
  bool minus_b = ((in->mods & kWgMark_NB) != 0) != flip;
  for (int k = 0; k < 3; k++) {
    if (unit[k] < 0 || unit[k] == skip) continue;
    t->minus[t->n] = ((in->mods & mark[k]) != 0) != flip;
    t->unit[t->n++] = unit[k];
  }
  if (in->form == kWgFormImm) t->imm += minus_b ? 0u - in->imm : in->imm;
  if (in->form != kWgFormConst) return;
  t->consts++;
  t->cbank = in->cbank;
  t->coff = in->coff;
  t->const_minus = minus_b;
}

/* Write the terms into a sum; false if they are too many. */
static bool write_terms(wg_px_insn_t *in, const wg_px_terms_t *t) {
  uint32_t other = t->consts + (t->imm != 0);
  if (other > 1 || t->n + other > kMaxTerms) return false;
  int32_t *slot[3] = {&in->a, &in->c, &in->b};
  const unsigned mark[3] = {kWgMark_NA, kWgMark_NC, kWgMark_NB};
  in->mods &= (uint16_t) ~(unsigned)(kWgMark_NA | kWgMark_NB | kWgMark_NC);
  in->a = in->b = in->c = -1;
  in->form = t->consts != 0 ? kWgFormConst : other != 0 ? kWgFormImm : kWgFormReg;
  in->imm = t->consts != 0 ? 0 : t->imm;
  in->cbank = t->cbank;
  in->coff = t->coff;
  if (t->consts != 0 && t->const_minus) in->mods |= kWgMark_NB;
  for (uint32_t k = 0; k < t->n; k++) {
    *slot[k] = t->unit[k];
    if (t->minus[k]) in->mods |= (uint16_t)mark[k];
  }
  return true;
}

static void note_read(wg_px_sums_t *s, int32_t u, int32_t at) {
  int32_t w = s->writer[u];
  if (w == kNone) {
    s->came[u] = at;
  } else {
    s->reads[w]++;
    s->last[w] = at;
  }
}

static void count_reads(wg_px_sums_t *s, const wg_px_block_t *b, const wg_px_live_t *l) {
  for (uint32_t i = 0; i < b->n; i++) {
    const wg_px_insn_t *in = b->insn[i];
    wg_px_use_t u = wg_px_uses(in);
    for (int k = 0; k < 3; k++) {
      for (int j = 0; u.src[k] >= 0 && j < u.nsrc[k]; j++) {
        note_read(s, u.src[k] + j, (int32_t)i);
      }
    }
    for (int j = 0; u.dst >= 0 && j < u.ndst; j++) {
      if (!wg_px_full_def(s->f, in, u.dst + j)) note_read(s, u.dst + j, (int32_t)i); /* other lanes keep the old value */
      s->writer[u.dst + j] = (int32_t)i;
    }
  }
  for (uint32_t i = 0; i < b->n; i++) {
    wg_px_use_t u = wg_px_uses(b->insn[i]);
    const int32_t first[4] = {u.dst, u.src[0], u.src[1], u.src[2]}, num[4] = {u.ndst, u.nsrc[0], u.nsrc[1], u.nsrc[2]};
    for (int k = 0; k < 4; k++) {
      for (int32_t r = first[k]; first[k] >= 0 && r < first[k] + num[k]; r++) {
        int32_t w = s->writer[r];
        if ((k == 0 && w != (int32_t)i) || (k > 0 && w != kNone) || !wg_px_live_has(l, l->out[b->id], r)) continue;
        note_read(s, r, (int32_t)b->n);
      }
    }
  }
}

/* Forget what the block has written: tables are as large as the text, blocks are many. */
static void reset(wg_px_sums_t *s, const wg_px_block_t *b) {
  for (uint32_t i = 0; i < b->n; i++) {
    wg_px_use_t u = wg_px_uses(b->insn[i]);
    for (int j = 0; u.dst >= 0 && j < u.ndst; j++) s->writer[u.dst + j] = kNone;
  }
}

static bool fixed(const wg_px_fn_t *f, int32_t u) { return f->unit[u].fixed != 0; }

/* May the sum at place `at` of the block be made at `to`, with what its operands hold then? Not across a call, which
   few registers outlive, and not if more values would have to wait than the one it makes. */
static bool movable(const wg_px_sums_t *s, const wg_px_block_t *b, int32_t at, int32_t to) {
  const wg_px_insn_t *d = b->insn[at];
  if (!is_sum(d) || d->guard >= 0 || s->reads[at] != 1 || s->call > at || fixed(s->f, d->d)) return false;
  const int32_t unit[3] = {d->a, d->form == kWgFormReg ? d->b : -1, d->c};
  int wait = 0;
  for (int k = 0; k < 3; k++) {
    if (unit[k] < 0) continue;
    int32_t w = s->writer[unit[k]] == at ? s->before[at] : s->writer[unit[k]];
    /* written since? By the sum itself is no matter, for it goes away. */
    if (w > at || fixed(s->f, unit[k])) return false;
    wait += (w == kNone ? s->came[unit[k]] : s->last[w]) < to;
  }
  return wait <= 1 || to - at <= kNear;
}

/* Put a sum that `in` reads into it. @return its place, or kNone */
static int32_t take_in(wg_px_sums_t *s, const wg_px_block_t *b, int32_t i) {
  wg_px_insn_t *in = b->insn[i];
  const int32_t unit[3] = {in->a, in->form == kWgFormReg ? in->b : -1, in->c};
  const unsigned mark[3] = {kWgMark_NA, kWgMark_NB, kWgMark_NC};
  for (int k = 0; k < 3; k++) {
    int32_t at = unit[k] < 0 ? kNone : s->writer[unit[k]];
    if (at == kNone || !movable(s, b, at, i)) continue;
    wg_px_terms_t t = {.n = 0};
    add_terms(&t, in, unit[k], false);
    add_terms(&t, b->insn[at], -1, (in->mods & mark[k]) != 0);
    if (write_terms(in, &t)) return at;
  }
  return kNone;
}

static void sum_block(wg_px_ctx_t *x, wg_px_sums_t *s, wg_px_block_t *b, const wg_px_live_t *l) {
  s->reads = wg_px_alloc(x, (b->n + 1) * sizeof *s->reads);
  s->last = wg_px_alloc(x, (b->n + 1) * sizeof *s->last);
  s->before = wg_px_alloc(x, (b->n + 1) * sizeof *s->before);
  s->call = kNone;
  bool *gone = wg_px_alloc(x, b->n + 1);
  count_reads(s, b, l);
  reset(s, b);
  for (uint32_t i = 0; i < b->n; i++) {
    wg_px_insn_t *in = b->insn[i];
    int32_t at;
    while (is_sum(in) && (at = take_in(s, b, (int32_t)i)) != kNone) {
      gone[at] = true;
      s->writer[b->insn[at]->d] = s->before[at]; /* whose value stays there */
    }
    if (wg_px_is_call(in)) s->call = (int32_t)i;
    wg_px_use_t u = wg_px_uses(in);
    if (u.dst >= 0) s->before[i] = s->writer[u.dst];
    for (int j = 0; u.dst >= 0 && j < u.ndst; j++) s->writer[u.dst + j] = (int32_t)i;
  }
  reset(s, b);
  uint32_t n = 0;
  for (uint32_t i = 0; i < b->n; i++) {
    if (!gone[i]) b->insn[n++] = b->insn[i];
  }
  b->n = n;
}

void wg_px_sums(wg_px_ctx_t *x, wg_px_fn_t *f) {
  wg_px_sums_t s = {.f = f};
  s.writer = wg_px_alloc(x, (f->num_units + 1) * sizeof *s.writer);
  s.came = wg_px_alloc(x, (f->num_units + 1) * sizeof *s.came);
  memset(s.writer, 0xff, (f->num_units + 1) * sizeof *s.writer);
  const wg_px_live_t *l = wg_px_live(x, f);
  for (wg_px_block_t *b = f->entry; b != NULL; b = b->next) sum_block(x, &s, b, l);
}
