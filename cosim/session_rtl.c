// SPDX-License-Identifier: Apache-2.0
//
// The `rtl` back end of a session, and the SMs of `systemc`: one verilated SM (cosim/sm_rtl.h) an instance, each with its lockstep checker. A
// mismatch ends the run at the SM's next served request or ended block, or the next watchdog call.
#include <string.h>

#include "cosim/session_int.h"
#include "cosim/sm_rtl.h"
#include "cosim/trace_scope.h"
#include "model/sm/sm_func.h"

/* Source line of a pc, over all modules of the session. */
static bool line_of(void *ctx, uint64_t code_base, uint32_t pc, const char **file, unsigned *line) {
  const wg_session_t *s = ctx;
  for (const wg_module_t *m = s->modules; m != NULL; m = m->next) {
    if (m->code == code_base) return wg_obj_line_of(m->obj, pc, file, line);
  }
  return false;
}

static bool legal(void *ctx, uint64_t addr, uint64_t bytes) {
  return wg_store_check_lane(ctx, addr, bytes) == kWgFaultNone;
}

/* The SM library that the settings ask for; `traced`: its first SM writes a waveform. */
static const char *variant_of(const wg_session_t *s, bool traced) {
  if (wg_session_sm_fault(&s->cfg)) return "inject"; /* which traces too */
  return traced ? "wave" : "fast";
}

static wg_status_t rtl_there(const wg_session_t *s, wg_diag_t *diag) {
  bool traced = s->cfg.trace_path != NULL;
  WG_TRY(wg_sm_rtl_check(s->preset.shape->name, variant_of(s, traced), diag));
  return traced && s->preset.num_sms > 1 ? wg_sm_rtl_check(s->preset.shape->name, variant_of(s, false), diag) : kWgOk;
}

static wg_status_t systemc_there(const wg_session_t *s, wg_diag_t *diag) {
  WG_TRY(rtl_there(s, diag));
  return wg_session_systemc_there(s, diag);
}

static wg_status_t rtl_create(wg_session_t *s, uint32_t i, wg_sm_t **out, wg_diag_t *diag) {
  wg_sm_rtl_opts_t o;
  char scope[96];
  memset(&o, 0, sizeof o);
  o.check = (wg_lockstep_level_t)s->cfg.check;
  o.env.mem = wg_sm_func_store_mem(s->store);
  o.env.line_of = line_of;
  o.env.line_ctx = s;
  o.env.legal = legal;
  o.env.legal_ctx = s->store;
  o.env.retired = s->cfg.retired;
  o.env.retired_ctx = s->cfg.retired_ctx;
  o.env.race = s->race.checker;
  o.env.span = s->span;
  o.env.tools = s->tools.checker;
  o.env.writers = s->writers;
  o.env.seed = s->cfg.seed;
  o.seed = (uint32_t)s->cfg.seed + 7919u * i;
  const char *inject = wg_session_sm_fault(&s->cfg) ? s->cfg.inject : NULL;
  const char *variant = variant_of(s, s->cfg.trace_path != NULL && i == 0);
  if (s->cfg.trace_path != NULL && i == 0) {
    o.trace_path = s->cfg.trace_path;
    o.trace_from = s->cfg.trace_from;
    o.trace_to = s->cfg.trace_to == 0 ? UINT64_MAX : s->cfg.trace_to;
    if (s->cfg.trace_scope != NULL) {
      if (!wg_trace_scope(s->cfg.trace_scope, s->preset.shape->sub_cores, scope, sizeof scope))
        return wg_fail(diag, kWgBadInput, "trace_scope=%s: an SM of shape '%s' has %u sub-cores", s->cfg.trace_scope, s->preset.shape->name,
                       s->preset.shape->sub_cores);
      o.trace_scope = scope;
    }
    o.trace_depth = s->cfg.trace_depth;
  }
  o.inject = inject;
  o.sm = (uint16_t)i;
  if (s->cfg.find != NULL) WG_TRY(wg_when_parse(s->cfg.find, &o.find, diag));
  o.recorder = wg_session_events_recorder(s, i, &o.window);
  o.debug = s->debug.d;
  WG_TRY(wg_sm_rtl_create(s->preset.shape->name, variant, &o, out, diag));
  wg_sm_rtl_set_policy(*out, s->plugin);
  return kWgOk;
}

/* What a checker found, with its report kept for the program. */
static wg_status_t status_of(wg_session_t *s, const wg_lockstep_t *ls, wg_diag_t *diag) {
  wg_status_t st = wg_lockstep_status(ls, diag);
  if (st != kWgOk) snprintf(s->report, sizeof s->report, "%s", wg_lockstep_report(ls));
  return st;
}

static void stop_on_mismatch(wg_session_t *s, uint32_t sm) {
  wg_diag_t diag;
  memset(&diag, 0, sizeof diag);
  const wg_lockstep_t *ls = wg_sm_rtl_lockstep(s->sms[sm]);
  wg_status_t st = wg_sm_rtl_policy_status(s->sms[sm], &diag);
  if (st == kWgOk && ls != NULL) st = status_of(s, ls, &diag);
  bool exact = ls != NULL && s->cfg.oob == kWgSessionOobExact;
  if (st == kWgOk && exact && wg_lockstep_illegal(ls, &s->fault)) st = kWgFault;
  if (st != kWgOk) wg_gpu_stop(s->gpu, st, &diag);
}

/* The event that was looked for, on the SM where it came first: for waveform windows. */
static void rtl_close(const wg_session_t *s) {
  if (s->cfg.find == NULL) return;
  uint64_t first = UINT64_MAX;
  uint32_t sm = 0;
  bool hang = strcmp(s->cfg.find, "hang") == 0;
  for (uint32_t i = 0; i < s->preset.num_sms && s->sms[i] != NULL; i++) {
    uint64_t cycle = 0;
    if (!wg_sm_rtl_found(s->sms[i], &cycle)) continue;
    if (hang ? first == UINT64_MAX || cycle > first : cycle < first) first = cycle, sm = i;
  }
  if (first == UINT64_MAX || (hang && s->failed != kWgHang)) {
    fprintf(stderr, "never found: %s\n", s->cfg.find);
  } else {
    fprintf(stderr, "found %s on SM %u at cycle %llu\n", s->cfg.find, sm, (unsigned long long)first);
  }
}

static void rtl_watch(wg_session_t *s) {
  for (uint32_t i = 0; i < s->preset.num_sms; i++) stop_on_mismatch(s, i);
}

static void rtl_serve(wg_session_t *s, uint64_t cycle, const wg_mem_req_t *req, const uint8_t *data, uint8_t status) {
  (void)cycle, (void)data, (void)status;
  stop_on_mismatch(s, req->sm);
}

static void rtl_block_done(wg_session_t *s, uint64_t cycle, uint16_t sm, const wg_cta_done_t *done) {
  (void)cycle, (void)done;
  stop_on_mismatch(s, sm);
}

static wg_status_t rtl_verify(wg_session_t *s, wg_diag_t *diag) {
  for (uint32_t i = 0; i < s->preset.num_sms; i++) {
    WG_TRY(wg_sm_rtl_policy_status(s->sms[i], diag));
    wg_lockstep_t *ls = wg_sm_rtl_lockstep(s->sms[i]);
    if (ls != NULL && wg_lockstep_finish(ls, diag) != kWgOk) return status_of(s, ls, diag);
    WG_TRY(wg_sm_rtl_check_slots(s->sms[i], i, diag));
    unsigned n = wg_sm_rtl_assert_errors(s->sms[i]);
    if (n != 0) return wg_fail(diag, kWgMismatch, "%u assertions of the design failed in SM %u", n, i);
  }
  return kWgOk;
}

static void rtl_counts(const wg_session_t *s, wg_session_counts_t *out) {
  for (uint32_t i = 0; i < s->preset.num_sms; i++) {
    uint64_t slots[kWgReasonCount], warps[kWgReasonCount];
    wg_sm_rtl_slots(s->sms[i], slots);
    wg_sm_rtl_warp_cycles(s->sms[i], warps);
    for (unsigned r = 0; r < kWgReasonCount; r++) {
      out->slot_cycles[r] += slots[r];
      out->warp_cycles[r] += warps[r];
    }
    const wg_lockstep_t *ls = wg_sm_rtl_lockstep(s->sms[i]);
    if (ls == NULL) continue;
    wg_lockstep_counts_t c;
    wg_lockstep_get_counts(ls, &c);
#define WG_COUNT(FIELD, KEY, TABLE, DOC) out->FIELD += c.FIELD;
#include "model/counts.def"
  }
  /* Without events the issued instructions are still known from the slot owners. */
  if (out->warp_insts == 0) out->warp_insts = out->slot_cycles[kWgReasonIssued];
}

static void rtl_waits(const wg_session_t *s, char *buf, size_t n) {
  for (uint32_t i = 0; i < s->preset.num_sms; i++) {
    const wg_lockstep_t *ls = wg_sm_rtl_lockstep(s->sms[i]);
    if (ls == NULL) continue;
    wg_lockstep_waits(ls, buf, n);
    if (buf[0] != '\0') return;
  }
}

static bool rtl_pcs(wg_session_t *s, uint32_t *lo, uint32_t *hi) {
  bool any = false;
  for (uint32_t i = 0; i < s->preset.num_sms; i++) {
    wg_lockstep_t *ls = wg_sm_rtl_lockstep(s->sms[i]);
    any = (ls != NULL && wg_lockstep_pcs(ls, lo, hi)) || any;
  }
  return any;
}

static void rtl_spin_begin(wg_session_t *s) {
  for (uint32_t i = 0; i < s->preset.num_sms; i++) wg_lockstep_spin_begin(wg_sm_rtl_lockstep(s->sms[i]));
}

static bool rtl_spins(wg_session_t *s, bool confirm, bool *any) {
  for (uint32_t i = 0; i < s->preset.num_sms; i++) {
    uint16_t ready[kWgMaxSubCores];
    wg_sm_rtl_ready(s->sms[i], ready);
    if (!wg_lockstep_spins(wg_sm_rtl_lockstep(s->sms[i]), confirm, ready, any)) return false;
  }
  return true;
}

static uint64_t rtl_last_issue(const wg_session_t *s) {
  uint64_t last = 0;
  for (uint32_t i = 0; i < s->preset.num_sms; i++) {
    const wg_lockstep_t *ls = wg_sm_rtl_lockstep(s->sms[i]);
    uint64_t at = ls == NULL ? 0 : wg_lockstep_last_issue(ls);
    last = at > last ? at : last;
  }
  return last;
}

static wg_thread_state_t rtl_thread(const wg_session_t *s, uint32_t sm, const wg_writer_t *w, unsigned *barrier) {
  const wg_lockstep_t *ls = wg_sm_rtl_lockstep(s->sms[sm]);
  return ls == NULL ? kWgThreadGone : wg_lockstep_thread(ls, w->grid_id, w->ctaid, w->warp, w->lane, barrier);
}

static void rtl_spin_text(const wg_session_t *s, wg_spin_report_t *r) {
  for (uint32_t i = 0; i < s->preset.num_sms; i++) wg_lockstep_spin_text(wg_sm_rtl_lockstep(s->sms[i]), r);
}

#define WG_RTL_FUNCTIONS                                                                                              \
  .timing = true, .lockstep = true, .create_sm = rtl_create, .counts_of = rtl_counts, .serve = rtl_serve,              \
  .block_done = rtl_block_done, .close = rtl_close, .watch = rtl_watch, .verify = rtl_verify, .waits = rtl_waits,      \
  .pcs = rtl_pcs, .spin_begin = rtl_spin_begin, .spins = rtl_spins, .spin_text = rtl_spin_text,      \
  .thread = rtl_thread, .last_issue = rtl_last_issue
const wg_session_backend_t wg_session_backend_rtl = {
    .name = "rtl", WG_RTL_FUNCTIONS, .there = rtl_there, .parallel = true};
/* the same SMs, clocked by SystemC */
const wg_session_backend_t wg_session_backend_systemc = {.name = "systemc",
                                                         WG_RTL_FUNCTIONS,
                                                         .there = systemc_there,
                                                         .wrap = wg_session_systemc_wrap,
                                                         .unwrap = wg_session_systemc_unwrap};
