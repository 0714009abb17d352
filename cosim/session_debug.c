// SPDX-License-Identifier: Apache-2.0
//
// A session under the debugger (settings break, debug_script, gdb): the back ends rtl and func as cosim/debug sees them.
#include <string.h>

#include "cosim/debug/debug.h"
#include "cosim/paths.h"
#include "cosim/session_int.h"
#include "cosim/sm_rtl.h"
#include "model/sm/sm_func.h"

bool wg_session_debug_asked(const wg_session_cfg_t *c) { return c->breaks != NULL || c->debug_script != NULL || c->gdb != NULL; }

static bool is_rtl(const wg_session_t *s) { return s->backend == &wg_session_backend_rtl; }

/* ---- the target ---- */

static bool view(void *ctx, uint32_t sm, uint32_t id, wg_warp_view_t *out) {
  const wg_session_t *s = ctx;
  uint32_t subs = s->preset.shape->sub_cores;
  if (s->sms == NULL || s->sms[sm] == NULL) return false; /* breakpoints are there before the SMs */
  if (is_rtl(s)) return wg_lockstep_view(wg_sm_rtl_lockstep(s->sms[sm]), id % subs, id / subs, out);
  return wg_sm_func_view(s->sms[sm], id / kWgRefBlockWarps, id % kWgRefBlockWarps, out);
}

static unsigned open_of(void *ctx, uint32_t sm, uint32_t id, wg_open_view_t *out) {
  const wg_session_t *s = ctx;
  uint32_t subs = s->preset.shape->sub_cores;
  return wg_lockstep_open(wg_sm_rtl_lockstep(s->sms[sm]), id % subs, id / subs, out);
}

static const sm_warp_view_t *states(void *ctx, uint32_t sm, uint32_t sub) {
  return wg_sm_rtl_warps(((const wg_session_t *)ctx)->sms[sm], sub);
}

static int issued(void *ctx, uint32_t sm, uint32_t sub) { return wg_sm_rtl_issued(((const wg_session_t *)ctx)->sms[sm], sub); }

static uint64_t cycle_of(void *ctx, uint32_t sm) {
  uint64_t n = wg_sm_rtl_cycle(((const wg_session_t *)ctx)->sms[sm]);
  return n == 0 ? 0 : n - 1;
}

static bool read_memory(void *ctx, uint64_t addr, void *dst, size_t n) {
  wg_ref_mem_t m = wg_sm_func_store_mem(((const wg_session_t *)ctx)->store);
  return m.read(m.ctx, addr, dst, n);
}

static const wg_obj_t *module(void *ctx, size_t i, uint64_t *code_base) {
  const wg_module_t *m = ((const wg_session_t *)ctx)->modules;
  while (m != NULL && i-- != 0) m = m->next;
  if (m == NULL) return NULL;
  *code_base = m->code;
  return m->obj;
}

static bool complete(void *ctx) { return !((const wg_session_t *)ctx)->more_modules; }

static bool failed(void *ctx) { return ((const wg_session_t *)ctx)->failed != kWgOk; }

static void give_up(void *ctx, const char *why) {
  wg_session_t *s = ctx;
  wg_diag_t d;
  memset(&d, 0, sizeof d);
  snprintf(d.msg, sizeof d.msg, "%s", why);
  wg_gpu_stop(s->gpu, kWgBadInput, &d);
}

/* ---- rtl ---- */

static void rtl_cycle(void *ctx, wg_gpu_t *g) {
  wg_session_t *s = ctx;
  wg_gpu_tick(g);
  if (wg_debug_detached(s->debug.d)) return;
  for (uint32_t i = 0; i < s->preset.num_sms; i++) {
    wg_lockstep_t *ls = wg_sm_rtl_lockstep(s->sms[i]);
    wg_lockstep_sync(ls);
    if (s->debug.mismatch || wg_lockstep_status(ls, NULL) == kWgOk) continue;
    s->debug.mismatch = true;
    wg_debug_event(s->debug.d, &(wg_debug_event_t){.kind = kWgWhenMismatch, .sm = i, .id = -1, .warp = -1});
  }
  wg_debug_cycle(s->debug.d);
}

/* ---- func: what the RTL's probes tell, from the golden model's steps ---- */

/* Number of a block's warp on its SM. */
static uint32_t id_of(wg_session_t *s, const wg_ref_block_t *b, uint32_t warp, uint32_t *sm) {
  for (uint32_t n = 0; n < s->preset.num_sms; n++) {
    *sm = (s->debug.last_sm + n) % s->preset.num_sms;
    uint32_t slot = wg_sm_func_slot(s->sms[*sm], b);
    if (slot == (uint32_t)kWgMaxBlockSlots) continue;
    s->debug.last_sm = *sm;
    return slot * kWgRefBlockWarps + warp;
  }
  WG_BUG(b != NULL); /* it runs, so it is somewhere */
  return 0;
}

static void func_before(void *ctx, const wg_ref_block_t *b, uint32_t warp) {
  wg_session_t *s = ctx;
  uint32_t sm = 0, id = 0;
  if (wg_debug_detached(s->debug.d)) return;
  id = id_of(s, b, warp, &sm);
  wg_debug_before(s->debug.d, sm, id);
}

static void tell(wg_session_t *s, wg_debug_event_t e, wg_when_kind_t kind, uint32_t value) {
  e.kind = kind;
  e.value = value;
  wg_debug_event(s->debug.d, &e);
}

/* Barriers that released warps: each once. */
static void tell_released(wg_session_t *s, const wg_ref_block_t *b, wg_debug_event_t e, uint32_t released) {
  uint32_t told = 0u;
  e.id = e.warp = -1;
  for (; released != 0u; released &= released - 1u) {
    wg_warp_view_t v;
    if (!wg_ref_block_view(b, (uint32_t)__builtin_ctz(released), &v) || (told >> v.bar_id & 1u) != 0u) continue;
    told |= 1u << v.bar_id;
    tell(s, e, kWgWhenBarrier, v.bar_id);
  }
}

static void func_after(void *ctx, const wg_ref_block_t *b, uint32_t warp, const wg_ref_step_t *st, uint32_t released) {
  wg_session_t *s = ctx;
  wg_warp_view_t v;
  uint32_t sm = 0;
  if (wg_debug_detached(s->debug.d)) return;
  uint32_t id = id_of(s, b, warp, &sm);
  const uint32_t *c = wg_ref_block_cta(b)->ctaid;
  wg_debug_event_t e = {.sm = sm, .id = (int32_t)id, .warp = (int32_t)warp, .ctaid = {c[0], c[1], c[2]}};
  if (st->fault != kWgFaultNone) {
    tell(s, e, kWgWhenFault, 0);
    wg_debug_after(s->debug.d);
    return;
  }
  wg_debug_issue(s->debug.d, sm, id, st->pc, st->mask);
  uint8_t op = st->insn->in.op;
  bool there = wg_ref_block_view(b, warp, &v);
  if ((op == kWgOp_BRA || op == kWgOp_BRX) && st->exec != 0u && st->exec != st->mask) tell(s, e, kWgWhenDiverge, 0);
  if (op == kWgOp_BSYNC && there && (v.w->div.mask & ~st->mask) != 0u && (st->mask & ~v.w->div.mask) == 0u) tell(s, e, kWgWhenReconverge, 0);
  if (st->kind == kWgRefBarrier) tell(s, e, kWgWhenArrive, st->bar.id);
  if (!there) tell(s, e, kWgWhenExit, 0);
  tell_released(s, b, e, released);
  wg_debug_after(s->debug.d);
}

void wg_session_debug_block(wg_session_t *s, bool starts, uint16_t sm, uint8_t slot, const uint32_t ctaid[3]) {
  if (s->debug.d == NULL || s->backend->timing) return; /* the RTL's probes tell it */
  wg_debug_event_t e = {.sm = sm, .id = starts ? (int32_t)slot * kWgRefBlockWarps : -1, .warp = -1, .ctaid = {ctaid[0], ctaid[1], ctaid[2]}};
  tell(s, e, starts ? kWgWhenBlock : kWgWhenBlockEnd, ctaid[0]);
}

/* ---- life ---- */

static wg_status_t refuse(wg_diag_t *diag, const char *what, const char *hint) {
  if (diag != NULL) snprintf(diag->hint, sizeof diag->hint, "%s", hint);
  return wg_fail(diag, kWgBadInput, "the debugger (settings break, debug_script, gdb) does not go with %s", what);
}

wg_status_t wg_session_debug_check(const wg_session_t *s, wg_diag_t *diag) {
  const wg_session_cfg_t *c = &s->cfg;
  if (!wg_session_debug_asked(c)) return kWgOk;
  char what[64];
  snprintf(what, sizeof what, "backend=%s", s->backend->name);
  if (!is_rtl(s) && s->backend != &wg_session_backend_func) return refuse(diag, what, "backend=rtl, or backend=func");
  if (is_rtl(s) && c->check == kWgCheckOff) return refuse(diag, "check=off", "check=retire: what it shows of warps is the golden model's, in lockstep");
  if (c->journal != NULL) return refuse(diag, "journal", "a launch that is skipped has nothing to look at");
  if (c->breaks != NULL) WG_TRY(wg_debug_check_breaks(c->breaks, s->preset.num_sms, diag));
  if (c->gdb != NULL && c->debug_script != NULL) return refuse(diag, "both gdb and debug_script", "one of them asks");
  return kWgOk;
}

wg_status_t wg_session_debug_open(wg_session_t *s, wg_diag_t *diag) {
  const wg_session_cfg_t *c = &s->cfg;
  if (!wg_session_debug_asked(c)) return kWgOk;
  bool func = s->backend == &wg_session_backend_func;
  char elf[4096];
  wg_path_build(elf, sizeof elf, "gdb/kernels.elf");
  const wg_debug_cfg_t cfg = {.breaks = c->breaks, .script = c->debug_script, .gdb = c->gdb, .gdb_elf = c->gdb_elf == NULL ? elf : c->gdb_elf};
  wg_debug_target_t t = {.ctx = s, .cycles = !func, .num_sms = s->preset.num_sms, .sub_cores = s->preset.shape->sub_cores, .view = view,
                         .read = read_memory, .module = module, .complete = complete, .failed = failed,
                             .give_up = give_up};
  t.ids = func ? s->preset.sm.block_slots * (uint32_t)kWgRefBlockWarps : s->preset.shape->sub_cores * s->preset.shape->warp_slots;
  t.sched = s->plugin != NULL ? s->cfg.sched : wg_policy_name(s->preset.sm.policy);
  if (!func) t.open = open_of, t.states = states, t.issued = issued, t.cycle = cycle_of;
  s->debug.watch = (wg_ref_watch_t){s, func_before, func_after};
  return wg_debug_new(&cfg, &t, &s->debug.d, diag);
}

void wg_session_debug_gpu(wg_session_t *s, wg_gpu_cfg_t *cfg) {
  if (s->debug.d == NULL || !is_rtl(s)) return;
  cfg->cycle = rtl_cycle;
  cfg->cycle_ctx = s;
}

wg_status_t wg_session_debug_places(wg_session_t *s, wg_diag_t *diag) {
  return s->debug.d == NULL ? kWgOk : wg_debug_check_places(s->debug.d, diag);
}

void wg_session_debug_launch(wg_session_t *s, const wg_launch_t *l) {
  if (s->debug.d != NULL) wg_debug_launch(s->debug.d, s->launches, l->kernel, l->grid, l->block);
}
