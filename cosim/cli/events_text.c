// SPDX-License-Identifier: Apache-2.0
//
// An event trace as text: a line an event, its fields named as in cosim/events.def.
#include <string.h>

#include "cosim/cli/cli_events.h"
#include "model/twin/diverge.h"

typedef unsigned long long ull_t;

const char *cli_events_control(unsigned op) {
  if (op == kWgDivSwitch) return "switch of splits";
  if (op == kWgDivRelease) return "release";
  if (op == kWgDivWake) return "wake-up";
  const wg_insn_info_t *info = wg_insn_info((uint8_t)op);
  return info->defined ? info->mnemonic : "?";
}

typedef struct text {
  FILE *out;
  const cli_view_t *v;
  struct {
    bool there;
    uint8_t block, warp;
    uint32_t grid, ctaid[3];
  } warp[kWgMaxSubCores][kWgMaxWarpSlots];
  uint64_t why[kWgMaxSubCores];
} text_t;

static const char *const kMemOps[] = {
#define WG_MEMOP(ID, VALUE, NAME, DOC) NAME,
#include "isa/cfg.def"
    NULL};

static const char *mem_op(unsigned op) { return op < sizeof kMemOps / sizeof kMemOps[0] - 1 ? kMemOps[op] : "?"; }

static void print_warp(const text_t *x, const wg_event_t *e) {
  fprintf(x->out, " warp %u.%u", e->sub, e->slot);
  if (x->warp[e->sub][e->slot].there)
    fprintf(x->out, " (block %u warp %u)", x->warp[e->sub][e->slot].ctaid[0], x->warp[e->sub][e->slot].warp);
}

static void print_insn(const text_t *x, const wg_event_t *e) {
  wg_life_t l = {.pc = e->pc, .of = {.grid = x->warp[e->sub][e->slot].grid}};
  char text[192];
  fprintf(x->out, " pc 0x%x %s", e->pc, wg_life_text(x->v->t, &l, text, sizeof text));
}

static void print_why(text_t *x, const wg_event_t *e) {
  for (unsigned s = 0; s < x->v->t->warp_slots; s++) {
    unsigned now = (unsigned)(e->addr >> (4 * s) & 15), was = (unsigned)(x->why[e->sub] >> (4 * s) & 15);
    if (now != was) fprintf(x->out, " %u.%u: %s", e->sub, s, wg_reason_name(now));
  }
}

static void print_fields(text_t *x, const wg_event_t *e) {
  FILE *out = x->out;
  switch (e->kind) {
    case kWgEventTime: fprintf(out, " %llu ns", (ull_t)e->addr); break;
    case kWgEventInit:
    case kWgEventKey:
      fprintf(out, " warp %u.%u grid %u block (%u,%u,%u) warp %u slot %u threads 0x%08x", e->sub, e->slot, e->x, e->y, e->z, e->t, e->b,
              e->a, e->mask);
      break;
    case kWgEventFree: fprintf(out, " block slot %u", e->a); break;
    case kWgEventFault: print_warp(x, e); fprintf(out, " %s at pc 0x%x", wg_fault_name(e->a), e->x); break;
    case kWgEventArrive: fprintf(out, " block slot %u warp %u barrier %u", e->a, e->b, e->c); break;
    case kWgEventRelease: fprintf(out, " block slot %u barrier %u warps 0x%08x", e->a, e->c, e->mask); break;
    case kWgEventEnd: fprintf(out, " block slot %u warp %u", e->a, e->b); break;
    case kWgEventStack:
      print_warp(x, e);
      fprintf(out, " pc 0x%x %s next pc 0x%x lanes 0x%08x depth %u", e->pc, cli_events_control(e->a), e->x, e->mask, e->b);
      break;
    case kWgEventIssue: print_warp(x, e); print_insn(x, e); fprintf(out, " lanes 0x%08x guard 0x%08x", e->mask, e->exec); break;
    case kWgEventLsu: print_warp(x, e); print_insn(x, e); fprintf(out, " tag %u", e->a); break;
    case kWgEventShared: fprintf(out, " tag %u lanes 0x%08x", e->a, e->mask); break;
    case kWgEventLine:
      fprintf(out, " tag %u %s line 0x%llx sectors 0x%x hit 0x%x request %u lanes 0x%08x", e->a, e->b != 0 ? "store" : "load",
              (ull_t)e->addr, e->c & 15u, e->c >> 4, e->d, e->mask);
      break;
    case kWgEventFill: fprintf(out, " request %u sector %u%s", e->a, e->b & 3u, (e->b & 4) != 0 ? "" : " not kept"); break;
    case kWgEventLsuDone: fprintf(out, " tag %u", e->a); break;
    case kWgEventRequest: fprintf(out, " id %u %s line 0x%llx sectors 0x%x pc 0x%x", e->a, mem_op(e->b), (ull_t)e->addr, e->c, e->x); break;
    case kWgEventResponse: fprintf(out, " id %u sector %u%s", e->a, e->b & 3u, e->b >> 2 != 0 ? " refused" : ""); break;
    case kWgEventFetch1:
    case kWgEventFetch2: print_warp(x, e); fprintf(out, " pc 0x%x%s", e->pc, e->kind == kWgEventFetch2 ? " and the next" : ""); break;
    case kWgEventFlush: print_warp(x, e); break;
    case kWgEventExec: print_warp(x, e); print_insn(x, e); break;
    case kWgEventWrite: print_warp(x, e); fprintf(out, " R%u%s", e->a, (e->b & 1) != 0 ? " and the next" : ""); break;
    case kWgEventPred: print_warp(x, e); fprintf(out, " P%u", e->a); break;
    case kWgEventWhy: print_why(x, e); break;
    default: break;
  }
}

static void on_event(void *ctx, const wg_event_t *e, bool follows) {
  text_t *x = ctx;
  if (!follows) {
    memset(x->warp, 0, sizeof x->warp);
    for (unsigned s = 0; s < kWgMaxSubCores; s++) x->why[s] = UINT64_C(0x1111111111111111) * kWgReasonNoWarp;
  }
  if (e->kind == kWgEventInit || e->kind == kWgEventKey) {
    x->warp[e->sub][e->slot].there = true;
    x->warp[e->sub][e->slot].block = e->a;
    x->warp[e->sub][e->slot].warp = e->b;
    x->warp[e->sub][e->slot].grid = e->x;
    x->warp[e->sub][e->slot].ctaid[0] = e->y;
  }
  if (e->cycle >= x->v->from && e->cycle < x->v->to && (x->v->sm < 0 || e->sm == x->v->sm)) {
    fprintf(x->out, "%8llu sm%u %-9s", (ull_t)e->cycle, e->sm, wg_event_info[e->kind].name);
    print_fields(x, e);
    fputc('\n', x->out);
  }
  if (e->kind == kWgEventWhy) x->why[e->sub] = e->addr;
}

wg_status_t cli_events_text(FILE *out, const cli_view_t *v, wg_diag_t *diag) {
  text_t *x = calloc(1, sizeof *x);
  if (x == NULL) return wg_fail(diag, kWgNoSpace, "out of memory");
  x->out = out;
  x->v = v;
  wg_status_t st = wg_events_each(v->t, on_event, x, diag);
  free(x);
  return st;
}
