// SPDX-License-Identifier: Apache-2.0
//
// One program in sessions: the design with its lockstep checker, then the golden model alone.
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cosim/random/random.h"
#include "isa/wg_cfg.h"
#include "toolchain/ctl/wg_annotate.h"

enum { kChildSeconds = 120, kParamBytes = 128 };
static const uint64_t kAddrMask = (UINT64_C(1) << kWgAddrBits) - 1u; /* what the design carries */

/** What a session left behind. */
typedef struct outcome {
  wg_status_t status;
  bool made; /* there was a session */
  wg_diag_t diag;
  wg_fault_t fault;
  wg_launch_result_t res; /* of the last launch */
  uint64_t cycles;        /* of all */
  uint8_t *bytes[kWgRndMaxBuffers];
  char report[2400];
} outcome_t;

static wg_status_t fill_buffers(const wg_rnd_prog_t *p, wg_session_t *s, const uint64_t *addr, wg_diag_t *diag) {
  for (uint32_t b = 0; b < p->num_buffers; b++) {
    const wg_rnd_buffer_t *f = &p->buffer[b];
    uint32_t *word = malloc(f->bytes);
    WG_BUG(word == NULL);
    for (uint32_t i = 0; i < f->bytes / 4u; i++) word[i] = i * f->mul + f->add;
    wg_status_t st = wg_session_write(s, addr[b], word, f->bytes, diag);
    free(word);
    WG_TRY(st);
  }
  return kWgOk;
}

static wg_status_t launches(const wg_rnd_prog_t *p, wg_session_t *s, outcome_t *o) {
  wg_module_t *m = NULL;
  uint64_t addr[kWgRndMaxBuffers];
  uint8_t params[kParamBytes];
  size_t at = 0;
  wg_obj_t *obj = wg_rnd_object(p);
  const wg_ctl_table_t *ctl = wg_session_ctl(s);
  if (ctl != NULL) wg_annotate_object(obj, ctl, p->seed % 4u == 0u ? kWgAnnotateSafe : kWgAnnotateTight);
  WG_TRY(wg_session_load(s, obj, &m, &o->diag));
  for (uint32_t b = 0; b < p->num_buffers; b++) {
    WG_TRY(wg_session_malloc(s, p->buffer[b].bytes, &addr[b], &o->diag));
    memcpy(params + at, &addr[b], 8);
    at += 8;
  }
  memcpy(params + at, p->param, sizeof p->param);
  at += sizeof p->param;
  wg_launch_t l = {
      .module = m, .kernel = "rnd", .dyn_shared_bytes = p->shared_dyn, .params = params, .param_bytes = at};
  memcpy(l.grid, p->grid, sizeof l.grid);
  memcpy(l.block, p->block, sizeof l.block);
  for (uint32_t i = 0; i < p->launches; i++) {
    WG_TRY(fill_buffers(p, s, addr, &o->diag));
    WG_TRY(wg_session_launch(s, &l, &o->res, &o->diag));
    o->cycles += o->res.cycles;
  }
  for (uint32_t b = 0; b < p->num_buffers; b++) {
    o->bytes[b] = malloc(p->buffer[b].bytes);
    WG_BUG(o->bytes[b] == NULL);
    WG_TRY(wg_session_read(s, addr[b], o->bytes[b], p->buffer[b].bytes, &o->diag));
  }
  return kWgOk;
}

static void run_session(const wg_rnd_prog_t *p, const wg_session_cfg_t *cfg, outcome_t *o) {
  wg_session_t *s = NULL;
  memset(o, 0, sizeof *o);
  o->status = wg_session_create(cfg, &s, &o->diag);
  o->made = o->status == kWgOk;
  if (!o->made) return;
  o->status = launches(p, s, o);
  if (o->status == kWgFault) wg_session_cuda_error(s, &o->fault);
  snprintf(o->report, sizeof o->report, "%s", wg_session_report(s));
  wg_session_destroy(s);
}

static void free_outcome(outcome_t *o) {
  for (unsigned b = 0; b < kWgRndMaxBuffers; b++) free(o->bytes[b]);
}

static void verdict(wg_rnd_result_t *r, wg_rnd_verdict_t v, const char *fmt, ...) WG_PRINTF(3, 4);
static void verdict(wg_rnd_result_t *r, wg_rnd_verdict_t v, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(r->head, sizeof r->head, fmt, ap);
  va_end(ap);
  r->verdict = v;
}

static void compare_memory(const wg_rnd_prog_t *p, const outcome_t *rtl, const outcome_t *func, wg_rnd_result_t *r) {
  for (uint32_t b = 0; b < p->num_buffers; b++) {
    for (uint32_t i = 0; i < p->buffer[b].bytes; i += 4u) {
      uint32_t got, want;
      memcpy(&got, rtl->bytes[b] + i, 4);
      memcpy(&want, func->bytes[b] + i, 4);
      if (got == want) continue;
      verdict(r, kWgRndMismatch, "memory unlike the golden model's: %s[%u] = 0x%08x, expected 0x%08x",
              p->buffer[b].name, i / 4u, got, want);
      return;
    }
  }
}

static void compare_counts(const wg_rnd_prog_t *p, const outcome_t *rtl, const outcome_t *func, wg_rnd_result_t *r) {
#define WG_SAME(F)                                                                      \
  if (rtl->res.F != func->res.F) {                                                      \
    verdict(r, kWgRndMismatch, "%s unlike the golden model's: %llu, expected %llu", #F, \
            (unsigned long long)rtl->res.F, (unsigned long long)func->res.F);           \
    return;                                                                             \
  }
#define WG_COUNT(FIELD, KEY, TABLE, DOC) \
  if (&rtl->res.FIELD != &rtl->res.retire_hash || !p->timed) WG_SAME(FIELD)
#define WG_COUNT_SM(FIELD, KEY, TABLE, DOC)
#include "model/counts.def"
#undef WG_SAME
}

/* Opcode of the live word at a byte pc. */
static unsigned op_at(const wg_rnd_prog_t *p, uint32_t pc) {
  for (uint32_t i = 0, at = 0; i < p->num_items; i++) {
    const wg_rnd_item_t *it = &p->item[i];
    if (it->dead || it->kind == kWgRndLabel) continue;
    if (at == pc) return it->kind == kWgRndRaw ? (unsigned)(it->word.lo & 0xffu) : it->in.op;
    at += kWgInsnBytes;
  }
  return 0u;
}

static void compare_fault(const wg_rnd_prog_t *p, const wg_fault_t *rtl, const wg_fault_t *func, wg_rnd_result_t *r) {
  bool same = rtl->code == func->code && rtl->pc == func->pc && rtl->warp_in_block == func->warp_in_block &&
              memcmp(rtl->ctaid, func->ctaid, sizeof rtl->ctaid) == 0;
  /* memory reports late: the line alone, a store's lanes not at all; the barrier unit knows whole warps alone */
  bool late = rtl->code == kWgFaultIllegalAddr;
  uint64_t bits = late ? kAddrMask & ~(uint64_t)(kWgLineBytes - 1) : kAddrMask;
  if (late || rtl->code == kWgFaultMisaligned) same = same && ((rtl->addr ^ func->addr) & bits) == 0u;
  if (!(late && rtl->lanes == 0u) && op_at(p, func->pc) != kWgOp_BAR) same = same && rtl->lanes == func->lanes;
  if (same) return;
  verdict(r, kWgRndMismatch,
          "fault unlike the golden model's: %s pc 0x%x block (%u,%u,%u) warp %u lanes 0x%x addr 0x%llx, expected %s pc "
          "0x%x "
          "block (%u,%u,%u) warp %u lanes 0x%x addr 0x%llx",
          wg_fault_name(rtl->code), rtl->pc, rtl->ctaid[0], rtl->ctaid[1], rtl->ctaid[2], rtl->warp_in_block,
          rtl->lanes, (unsigned long long)rtl->addr, wg_fault_name(func->code), func->pc, func->ctaid[0],
          func->ctaid[1], func->ctaid[2], func->warp_in_block, func->lanes, (unsigned long long)func->addr);
}

/* What the golden model alone says; racy programs only must end. */
/* its: how a warp is split depends on when sleeps end, and with it counts and what a shuffle sees; lockstep judges. */
static void judge(const wg_rnd_prog_t *p, bool its, const outcome_t *rtl, const outcome_t *func, wg_rnd_result_t *r) {
  wg_status_t want = p->judged == kWgRndFault ? kWgFault : kWgOk;
  r->fault = rtl->fault;
  r->cycles = rtl->cycles;
  r->warp_insts = rtl->res.warp_insts;
  if (rtl->status == kWgMismatch) {
    verdict(r, kWgRndMismatch, "%s", rtl->report[0] != '\0' ? rtl->report : rtl->diag.msg);
    r->head[strcspn(r->head, "\n")] = '\0';
    snprintf(r->report, sizeof r->report, "%s", rtl->report);
  } else if (func->status != want) {
    verdict(r, kWgRndBroken, "the golden run ends with status %d, expected %d: %s", (int)func->status, (int)want,
            func->diag.msg);
  } else if (rtl->status == kWgHang) {
    verdict(r, kWgRndHang, "hang");
    snprintf(r->report, sizeof r->report, "%s", rtl->diag.msg);
  } else if (rtl->status != want) {
    verdict(r, kWgRndMismatch, "status %d, expected %d: %s", (int)rtl->status, (int)want, rtl->diag.msg);
  } else if (p->judged == kWgRndFault) {
    compare_fault(p, &rtl->fault, &func->fault, r);
  } else if (p->judged == kWgRndOrdered && !its) {
    compare_memory(p, rtl, func, r);
    if (r->verdict == kWgRndPass) compare_counts(p, rtl, func, r);
  }
}

static void child(const wg_rnd_prog_t *p, const wg_session_cfg_t *cfg, bool quiet, wg_rnd_result_t *r) {
  outcome_t rtl, func;
  wg_session_cfg_t golden = *cfg;
  golden.backend = "func";
  golden.dep = "scoreboard"; /* the golden model has no time */
  golden.trace_path = golden.inject = NULL;
  if (quiet) {
    int null = open("/dev/null", O_WRONLY);
    if (null >= 0) dup2(null, 2);
  }
  alarm(kChildSeconds);
  run_session(p, cfg, &rtl);
  if (!rtl.made) {
    verdict(r, kWgRndNoDevice, "%s", rtl.diag.msg);
    snprintf(r->report, sizeof r->report, "%s", rtl.diag.hint);
    return;
  }
  run_session(p, &golden, &func);
  r->verdict = kWgRndPass;
  judge(p, cfg->diverge != NULL && strcmp(cfg->diverge, "its") == 0, &rtl, &func, r);
  free_outcome(&rtl);
  free_outcome(&func);
}

void wg_rnd_run(const wg_rnd_prog_t *p, const wg_session_cfg_t *cfg, bool quiet, wg_rnd_result_t *res) {
  wg_rnd_result_t *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  WG_BUG(shared == MAP_FAILED);
  memset(shared, 0, sizeof *shared);
  shared->verdict = kWgRndCrash; /* until the child says otherwise */
  snprintf(shared->head, sizeof shared->head, "the simulation died");
  fflush(NULL);
  pid_t pid = fork();
  WG_BUG(pid < 0);
  if (pid == 0) {
    wg_rnd_result_t mine;
    memset(&mine, 0, sizeof mine);
    child(p, cfg, quiet, &mine);
    *shared = mine;
    _exit(0);
  }
  int status = 0;
  while (waitpid(pid, &status, 0) < 0) {
  }
  *res = *shared;
  if (res->verdict == kWgRndCrash && WIFSIGNALED(status)) {
    snprintf(res->head, sizeof res->head, "the simulation died of signal '%s'", strsignal(WTERMSIG(status)));
  }
  munmap(shared, sizeof *shared);
}
