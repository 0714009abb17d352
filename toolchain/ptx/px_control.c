// SPDX-License-Identifier: Apache-2.0
//
// The control field: stall counts for results of fixed latency, counters for the others. It is obeyed only with
// `dependence = control-bits`; with the scoreboard it is ignored. Counters 0 to 4 cover results, 5 covers operands
// that memory, shuffle and special function instructions have yet to read.
//
// At each block border all fixed-latency results have arrived (the last instruction stalls for them). Branches wait
// for all counters, so that a block is entered with open counters only from the block in front of it.
#include <string.h>

#include "toolchain/ptx/px.h"

enum { kCounters = 6, kReadCounter = 5, kMaxStall = 15 };

typedef struct wg_px_board {
  uint32_t ready[256], pready[8];   /* cycle from which a reader may issue */
  uint8_t wr[256], rd[256], pwr[8]; /* counters that cover a pending write, a pending read */
  uint8_t open;                     /* counters with something pending */
  uint32_t now, next;               /* issue cycle; next counter to hand out */
} wg_px_board_t;

static void need(wg_px_board_t *s, uint32_t ready, uint32_t *at) {
  if (ready > *at) *at = ready;
  (void)s;
}

static void settle(wg_px_board_t *s, uint8_t mask) {
  for (int r = 0; r < 256; r++) {
    s->wr[r] &= (uint8_t)~mask;
    s->rd[r] &= (uint8_t)~mask;
  }
  for (int p = 0; p < 8; p++) s->pwr[p] &= (uint8_t)~mask;
  s->open &= (uint8_t)~mask;
}

/* Earliest cycle and counters to wait for. */
static uint32_t depend(wg_px_board_t *s, const wg_insn_t *in, const wg_regset_t *r, uint8_t *wait) {
  uint32_t at = s->now;
  for (int k = 0; k < 5; k++) {
    for (int j = 0; j < r->count[k]; j++) {
      unsigned n = (unsigned)r->first[k] + (unsigned)j;
      need(s, s->ready[n], &at);
      *wait |= s->wr[n];
      if (k == 4) *wait |= s->rd[n];
    }
  }
  const uint8_t p[5] = {in->guard, in->ps0, in->ps1, in->pd0, in->pd1};
  for (int k = 0; k < 5; k++) {
    if (p[k] == kWgPT) continue;
    need(s, s->pready[p[k]], &at);
    *wait |= s->pwr[p[k]];
  }
  return at;
}

static void record_variable(wg_px_board_t *s, wg_insn_t *in, const wg_regset_t *r) {
  bool store = wg_insn_is_store(in->op);
  unsigned c = 7;
  if (!store) {
    c = s->next;
    for (unsigned i = 0; i < kReadCounter; i++) { /* a counter that nothing hangs on, if there is one */
      unsigned k = (s->next + i) % kReadCounter;
      if ((s->open >> k & 1u) == 0) {
        c = k;
        break;
      }
    }
    s->next = (c + 1) % kReadCounter;
  }
  uint8_t bit = (uint8_t)(store ? 0u : 1u << c), read_bit = 1u << kReadCounter;
  if (!store) {
    in->wr_ctr = (uint8_t)c;
    s->open |= bit;
  }
  bool reads = r->count[0] + r->count[1] + r->count[2] + r->count[3] != 0;
  if (reads) {
    in->rd_ctr = kReadCounter;
    s->open |= read_bit;
  }
  for (int k = 0; k < 5; k++) {
    for (int j = 0; j < r->count[k]; j++) {
      unsigned n = (unsigned)r->first[k] + (unsigned)j;
      if (k == 4) {
        s->wr[n] |= bit;
      } else {
        s->rd[n] |= read_bit;
      }
    }
  }
  if (in->pd0 != kWgPT) s->pwr[in->pd0] |= bit;
}

static void record_fixed(wg_px_board_t *s, const wg_insn_t *in, const wg_regset_t *r) {
  for (int j = 0; j < r->count[4]; j++) s->ready[r->first[4] + j] = s->now + wg_px_latency.fixed;
  if (in->pd0 != kWgPT) s->pready[in->pd0] = s->now + wg_px_latency.pred;
  if (in->pd1 != kWgPT) s->pready[in->pd1] = s->now + wg_px_latency.pred;
}

static uint32_t all_ready(const wg_px_board_t *s) {
  uint32_t t = s->now + 1;
  for (int r = 0; r < 256; r++) t = s->ready[r] > t ? s->ready[r] : t;
  for (int p = 0; p < 7; p++) t = s->pready[p] > t ? s->pready[p] : t;
  return t;
}

void wg_px_control(wg_px_ctx_t *x, wg_px_item_t *item, uint32_t n) {
  wg_px_board_t *s = wg_px_alloc(x, sizeof *s);
  for (uint32_t i = 0; i < n; i++) {
    wg_insn_t *in = &item[i].in;
    wg_regset_t r = wg_insn_regs(in);
    uint8_t wait = 0;
    uint32_t at = depend(s, in, &r, &wait);
    if (in->op == kWgOp_BRA || in->op == kWgOp_EXIT || in->op == kWgOp_BSYNC) wait |= s->open;
    if (i > 0) { /* the instruction before holds the warp until this one may issue */
      uint32_t stall = at - (s->now - 1);
      bool border = item[i].block_start || item[i - 1].in.op == kWgOp_BRA || item[i - 1].in.op == kWgOp_EXIT;
      if (border) {
        s->now--;
        stall = all_ready(s) - s->now;
        s->now++;
      }
      if (wait != 0 && stall < 2) stall = 2; /* a counter is seen one cycle after the issue that raises it */
      WG_BUG(stall > kMaxStall);
      item[i - 1].in.stall = (uint8_t)stall;
      s->now = s->now - 1 + stall;
    }
    in->wait_mask = wait;
    settle(s, wait);
    if (wg_px_variable_op(in->op)) {
      record_variable(s, in, &r);
    } else {
      record_fixed(s, in, &r);
    }
    in->stall = 1;
    s->now++;
  }
  if (n > 0) item[n - 1].in.stall = 1;
}
