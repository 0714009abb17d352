// SPDX-License-Identifier: Apache-2.0
//
// The first mismatch as text, and who waits for what.
#include <string.h>

#include "cosim/lockstep_int.h"
#include "toolchain/asm/wg_asm.h"

typedef struct text {
  char *buf;
  size_t at, cap;
} text_t;

static void put(text_t *t, const char *fmt, ...) WG_PRINTF(2, 3);
static void put(text_t *t, const char *fmt, ...) {
  if (t->at + 1u >= t->cap) return;
  va_list ap;
  va_start(ap, fmt);
  int n = vsnprintf(t->buf + t->at, t->cap - t->at, fmt, ap);
  va_end(ap);
  if (n > 0) t->at += (size_t)n < t->cap - t->at ? (size_t)n : t->cap - t->at - 1u;
}

/* "expected: a\ngot: b" as two indented lines. */
static void put_detail(text_t *t, const char *detail) {
  for (const char *p = detail; *p != '\0';) {
    const char *e = strchr(p, '\n');
    int n = e != NULL ? (int)(e - p) : (int)strlen(p);
    put(t, "  %.*s\n", n, p);
    p += n + (e != NULL ? 1 : 0);
  }
}

static void put_warp(wg_lockstep_t *ls, text_t *t, const ls_warp_t *lw) {
  const ls_block_t *b = &ls->block[lw->block];
  put(t, "  block (%u,%u,%u) of grid %u, warp %u (sub-core %u, slot %u, block slot %u)\n", b->cta.ctaid[0],
      b->cta.ctaid[1], b->cta.ctaid[2], b->cta.grid_id, lw->w.warp, lw->sub, lw->slot, lw->block);
}

static void put_insn(wg_lockstep_t *ls, text_t *t, const ls_warp_t *lw, uint32_t pc) {
  const ls_block_t *b = &ls->block[lw->block];
  const char *file;
  unsigned line;
  char dis[160];
  const wg_ref_insn_t *insn = wg_ref_code_at(b->code, pc);
  put(t, "  pc 0x%x", pc);
  if (ls->env.line_of != NULL && ls->env.line_of(ls->env.line_ctx, b->cta.code_base, pc, &file, &line))
    put(t, ", %s:%u", file, line);
  if (insn->state == kWgFaultBadPc) {
    put(t, "\n  (no code there)\n");
    return;
  }
  wg_dis_insn(insn->word, pc, dis, sizeof dis);
  put(t, "\n  %s\n", dis);
}

void ls_fail(wg_lockstep_t *ls, const ls_warp_t *lw, const uint32_t *pc, const char *what, const char *expected_fmt,
             ...) {
  if (ls->quiet) return;
  ls->quiet = ls->mismatch = true;
  va_list ap;
  va_start(ap, expected_fmt);
  vsnprintf(ls->detail, sizeof ls->detail, expected_fmt, ap);
  va_end(ap);
  snprintf(ls->what, sizeof ls->what, "%s, SM %u cycle %llu", what, ls->cfg.smid, (unsigned long long)ls->cycle);
  text_t t = {ls->report, 0, sizeof ls->report};
  put(&t, "mismatch: %s\n  seed %llu, SM %u, cycle %llu\n", what, (unsigned long long)ls->env.seed, ls->cfg.smid,
      (unsigned long long)ls->cycle);
  if (lw != NULL) {
    put_warp(ls, &t, lw);
    put_insn(ls, &t, lw, pc != NULL ? *pc : lw->w.div.pc);
    const ls_block_t *b = &ls->block[lw->block];
    size_t at = strlen(ls->what);
    snprintf(ls->what + at, sizeof ls->what - at, ", block (%u,%u,%u) warp %u pc 0x%x", b->cta.ctaid[0],
             b->cta.ctaid[1], b->cta.ctaid[2], lw->w.warp, pc != NULL ? *pc : lw->w.div.pc);
  }
  put_detail(&t, ls->detail);
}

wg_status_t wg_lockstep_status(const wg_lockstep_t *ls, wg_diag_t *diag) {
  if (!ls->mismatch) return kWgOk;
  if (diag != NULL) {
    snprintf(diag->hint, sizeof diag->hint, "%s", ls->detail);
    for (char *p = diag->hint; *p != '\0'; p++) {
      if (*p == '\n') *p = ';';
    }
  }
  return wg_fail(diag, kWgMismatch, "%s", ls->what);
}

const char *wg_lockstep_report(const wg_lockstep_t *ls) { return ls->report; }

/* Warps of a block that wait at barrier `id` with a count. */
static uint32_t waiting_with_count(const wg_lockstep_t *ls, const ls_block_t *b, unsigned id) {
  uint32_t mask = 0u;
  for (uint32_t k = 0; k < b->inited; k++) {
    const ls_warp_t *lw = &ls->warp[wg_cta_place_sub(&ls->alloc, &b->place, k)][b->place.slot[k]];
    if (lw->active && !wg_diverge_ended(&lw->w.div) && lw->count_bar == id + 1u) mask |= 1u << k;
  }
  return mask;
}

const char *wg_lockstep_waits(const wg_lockstep_t *ls, char *buf, size_t n) {
  text_t t = {buf, 0, n};
  buf[0] = '\0';
  for (unsigned s = 0; s < ls->shape.sub_cores; s++) {
    for (unsigned i = 0; i < ls->shape.warp_slots; i++) {
      const ls_warp_t *lw = &ls->warp[s][i];
      if (!lw->active || wg_diverge_ended(&lw->w.div)) continue;
      const ls_block_t *b = &ls->block[lw->block];
      put(&t, "%sblock (%u,%u,%u) warp %u ", t.at != 0u ? "; " : "", b->cta.ctaid[0], b->cta.ctaid[1],
          b->cta.ctaid[2], lw->w.warp);
      if (lw->w.div.mask == 0u && !lw->at_bar) {
        char why[160];
        put(&t, "%s", wg_diverge_waits(&lw->w.div, why, sizeof why));
        continue;
      }
      uint32_t all = b->inited == 32u ? UINT32_MAX : (1u << b->inited) - 1u, exited = all & ~b->bar.present;
      if (lw->w.div.mask != 0u && lw->w.div.mask != lw->w.present) put(&t, "lanes 0x%08x ", lw->w.div.mask);
      put(&t, "at pc 0x%x", lw->w.div.pc);
      const wg_barrier_one_t *o = &b->bar.bar[lw->bar_id];
      if (lw->at_bar)
        put(&t, " waits at barrier %u (arrived 0x%x of 0x%x)", lw->bar_id, o->arrived, b->bar.present);
      else if (lw->count_bar != 0u)
        put(&t, " waits at barrier %u (arrived 0x%x of 0x%x, %u threads are asked for)", lw->count_bar - 1u,
            waiting_with_count(ls, b, lw->count_bar - 1u), b->bar.present, lw->count_wants);
      else if (lw->ops != 0u)
        put(&t, " waits for pc 0x%x", lw->op[0]->pc);
      if (!lw->at_bar && lw->count_bar != 0u && exited != 0u) put(&t, ", warps 0x%x have exited", exited);
    }
  }
  return buf;
}
