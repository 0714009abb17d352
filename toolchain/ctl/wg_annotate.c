// SPDX-License-Identifier: Apache-2.0
//
// Counters 0 to 4 cover results, 5 covers operands that variable-latency instructions have yet to read.
//
// What jumps, or lets other lanes of the warp go on, waits for all counters and stalls for all fixed-latency
// results: so a branch target is entered with something in flight only from the instruction in front of it, and
// one pass in the order of memory knows everything that can be. Lanes that were set aside have nothing in flight
// when they come back.
#include "toolchain/ctl/wg_annotate.h"

#include <string.h>

enum { kReadCounter = 5 };

typedef struct board {
  uint32_t ready[256], pready[8];   /* cycle from which a user may issue */
  uint8_t wr[256], rd[256], pwr[8]; /* counters that cover a pending write, a pending read */
  uint8_t open;                     /* counters with something pending */
  uint32_t now, next;               /* issue cycle of the last instruction; next counter to hand out */
} board_t;

static void settle(board_t *s, uint8_t mask) {
  for (int r = 0; r < 256; r++) {
    s->wr[r] &= (uint8_t)~mask;
    s->rd[r] &= (uint8_t)~mask;
  }
  for (int p = 0; p < 8; p++) s->pwr[p] &= (uint8_t)~mask;
  s->open &= (uint8_t)~mask;
}

static uint32_t later(uint32_t a, uint32_t b) { return a > b ? a : b; }

/* Earliest cycle and counters to wait for. */
static uint32_t depend(const board_t *s, const wg_insn_t *in, const wg_regset_t *r, uint8_t *wait) {
  uint32_t at = s->now + 1;
  for (int k = 0; k < 5; k++) {
    for (int j = 0; j < r->count[k]; j++) {
      unsigned n = (unsigned)r->first[k] + (unsigned)j;
      at = later(at, s->ready[n]);
      *wait |= s->wr[n];
      if (k == 4) *wait |= s->rd[n];
    }
  }
  const uint8_t p[5] = {in->guard, in->ps0, in->ps1, in->pd0, in->pd1};
  for (int k = 0; k < 5; k++) {
    if (p[k] == kWgPT) continue;
    at = later(at, s->pready[p[k]]);
    *wait |= s->pwr[p[k]];
  }
  return at;
}

/* Cycle from which everything of fixed latency is there. */
static uint32_t all_ready(const board_t *s) {
  uint32_t t = s->now + 1;
  for (int r = 0; r < 256; r++) t = later(t, s->ready[r]);
  for (int p = 0; p < 7; p++) t = later(t, s->pready[p]);
  return t;
}

/* Goes elsewhere, or lets other lanes of the warp go on elsewhere. */
static bool jumps(uint8_t op) {
  switch (op) {
    case kWgOp_BRA: case kWgOp_BSYNC: case kWgOp_CALL: case kWgOp_RET:
    case kWgOp_BRX: case kWgOp_WARPSYNC: case kWgOp_YIELD: case kWgOp_NANOSLEEP: return true;
    default: return false;
  }
}

/* A counter that nothing hangs on, if there is one. */
static unsigned pick_counter(board_t *s) {
  unsigned c = s->next;
  for (unsigned i = 0; i < kReadCounter; i++) {
    unsigned k = (s->next + i) % kReadCounter;
    if ((s->open >> k & 1u) == 0) {
      c = k;
      break;
    }
  }
  s->next = (c + 1u) % kReadCounter;
  return c;
}

static void record_variable(board_t *s, wg_insn_t *in, const wg_regset_t *r) {
  bool writes = r->count[4] != 0 || in->pd0 != kWgPT || in->pd1 != kWgPT;
  bool reads = r->count[0] + r->count[1] + r->count[2] + r->count[3] != 0 && wg_ctl_reads_late(in->op);
  uint8_t bit = 0, read_bit = 1u << kReadCounter;
  if (writes) {
    in->wr_ctr = (uint8_t)pick_counter(s);
    bit = (uint8_t)(1u << in->wr_ctr);
    s->open |= bit;
  }
  if (reads) {
    in->rd_ctr = kReadCounter;
    s->open |= read_bit;
  }
  for (int k = 0; k < 5; k++) {
    for (int j = 0; j < r->count[k]; j++) {
      unsigned n = (unsigned)r->first[k] + (unsigned)j;
      if (k == 4) s->wr[n] |= bit;
      else if (reads) s->rd[n] |= read_bit;
    }
  }
  if (in->pd0 != kWgPT) s->pwr[in->pd0] |= bit;
  if (in->pd1 != kWgPT) s->pwr[in->pd1] |= bit;
}

static void record_fixed(board_t *s, const wg_insn_t *in, const wg_regset_t *r, const wg_ctl_table_t *t, unsigned c) {
  for (int j = 0; j < r->count[4]; j++) s->ready[r->first[4] + j] = s->now + t->result[c];
  if (in->pd0 != kWgPT) s->pready[in->pd0] = s->now + t->pred[c];
  if (in->pd1 != kWgPT) s->pready[in->pd1] = s->now + t->pred[c];
}

static uint32_t longest(const wg_ctl_table_t *t) {
  uint32_t n = 1;
  for (unsigned i = 0; i < 3u; i++) n = later(n, later(t->result[i], t->pred[i]));
  return n;
}

void wg_annotate(wg_insn_t *in, uint32_t n, const wg_ctl_table_t *t, wg_annotate_mode_t mode) {
  board_t s;
  memset(&s, 0, sizeof s);
  const uint32_t most = longest(t);
  for (uint32_t i = 0; i < n; i++) {
    in[i].wr_ctr = in[i].rd_ctr = kWgNoCounter;
    wg_regset_t r = wg_insn_regs(&in[i]);
    uint8_t wait = 0;
    uint32_t at = depend(&s, &in[i], &r, &wait);
    if (jumps(in[i].op) || mode == kWgAnnotateSafe) wait = s.open;
    if (i > 0) { /* the instruction before holds the warp until this one may issue */
      if (jumps(in[i - 1].op)) at = all_ready(&s);
      if (mode == kWgAnnotateSafe) at = s.now + most;
      WG_BUG(at - s.now > kWgMaxStall);
      in[i - 1].stall = (uint8_t)(at - s.now);
    }
    s.now = at;
    in[i].wait_mask = wait;
    in[i].stall = (uint8_t)(mode == kWgAnnotateSafe ? most : 1u);
    settle(&s, wait);
    unsigned c = wg_ctl_class(in[i].op);
    if (c < kWgCtlVariable) record_fixed(&s, &in[i], &r, t, c);
    else record_variable(&s, &in[i], &r);
  }
  if (n > 0) in[n - 1].stall = (uint8_t)most; /* it may jump */
}

void wg_annotate_object(wg_obj_t *o, const wg_ctl_table_t *t, wg_annotate_mode_t mode) {
  for (size_t k = 0; k < o->num_kernels; k++) {
    wg_obj_kernel_t *kernel = &o->kernels[k];
    wg_insn_t *in = calloc(kernel->num_insns + 1u, sizeof *in);
    bool *known = calloc(kernel->num_insns + 1u, sizeof *known);
    WG_BUG(in == NULL || known == NULL);
    for (uint32_t i = 0; i < kernel->num_insns; i++) {
      known[i] = wg_decode(kernel->code[i], &in[i]) == kWgOk;
      if (!known[i]) in[i] = wg_insn_default(kWgOp_NOP);
    }
    wg_annotate(in, kernel->num_insns, t, mode);
    for (uint32_t i = 0; i < kernel->num_insns; i++) {
      if (known[i]) kernel->code[i] = wg_encode(&in[i]);
    }
    kernel->latency_hash = wg_ctl_hash(t);
    free(in);
    free(known);
  }
}
