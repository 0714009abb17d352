// SPDX-License-Identifier: Apache-2.0
//
// Life of a session, and host access to device memory. Launches: session_launch.c; modules: session_module.c.
#include "cosim/session.h"

#include <string.h>

#include "cosim/blocks_c.h"
#include "cosim/policy_c.h"
#include "cosim/session_int.h"
#include "cosim/session_journal.h"
#include "cosim/session_words.h"
#include "cosim/sm_rtl.h"
#include "cosim/trace_scope.h"
#include "model/gte/gte_policy.h"

static const wg_session_backend_t *backend_find(const char *name) {
  static const wg_session_backend_t *const kAll[] = {&wg_session_backend_rtl, &wg_session_backend_func,
                                                     &wg_session_backend_stub, &wg_session_backend_systemc};
  if (name == NULL) name = "rtl";
  for (size_t i = 0; i < sizeof kAll / sizeof kAll[0]; i++) {
    if (strcmp(kAll[i]->name, name) == 0) return kAll[i];
  }
  return NULL;
}

/* Copy the configuration; the words go through the parser's own store of strings. */
static wg_status_t copy_cfg(const wg_session_cfg_t *in, wg_session_cfg_t *out, wg_diag_t *diag) {
  const char *const text[][2] = {{"preset", in->preset},
                               {"backend", in->backend},
                               {"sched", in->sched},
                               {"trace", in->trace_path},
                               {"inject", in->inject},
                               {"find", in->find},
                               {"blocks", in->blocks},
                               {"order", in->order},
                               {"memory", in->memory},
                               {"blocklog", in->blocklog},
                               {"journal", in->journal},
                               {"break", in->breaks},
                               {"debug_script", in->debug_script},
                               {"gdb", in->gdb},
                               {"gdb_elf", in->gdb_elf},
                               {"events", in->events},
                               {"events_window", in->events_window},
                               {"trace_scope", in->trace_scope}};
  *out = *in;
  out->strings = NULL;
  out->preset = out->backend = out->sched = out->trace_path = out->inject = out->find = NULL;
  out->blocks = out->order = out->memory = out->blocklog = out->journal = out->breaks = out->debug_script = out->gdb = out->gdb_elf = NULL;
  out->events = out->events_window = out->trace_scope = NULL;
  for (size_t i = 0; i < sizeof text / sizeof text[0]; i++) {
    if (text[i][1] == NULL) continue;
    char word[512];
    int n = snprintf(word, sizeof word, "%s=%s", text[i][0], text[i][1]);
    if (n < 0 || (size_t)n >= sizeof word) return wg_fail(diag, kWgBadArg, "setting '%s' is too long", text[i][0]);
    WG_TRY(wg_session_parse(word, out, diag));
  }
  return kWgOk;
}

static void on_serve(void *ctx, uint64_t cycle, const wg_mem_req_t *req, const uint8_t *data, uint8_t status) {
  wg_session_t *s = ctx;
  s->backend->serve(s, cycle, req, data, status);
}

static void on_block_start(void *ctx, uint64_t cycle, uint16_t sm, uint8_t slot, const wg_cta_launch_t *launch) {
  wg_session_t *s = ctx;
  if (s->blocklog != NULL) wg_session_blocklog_start(s, cycle, sm, slot, launch);
  wg_session_debug_block(s, true, sm, slot, launch->ctaid);
}

static void on_block_done(void *ctx, uint64_t cycle, uint16_t sm, const wg_cta_done_t *done) {
  wg_session_t *s = ctx;
  if (s->blocklog != NULL) wg_session_blocklog_end(s, cycle, sm, done);
  wg_session_debug_block(s, false, sm, done->block_slot, done->ctaid);
  if (s->backend->block_done != NULL) s->backend->block_done(s, cycle, sm, done);
}

static bool on_watchdog(void *ctx, const wg_gpu_progress_t *p) {
  wg_session_t *s = ctx;
  if (wg_session_journal_skips(s)) return true; /* it ended when it was recorded */
  if (s->backend->watch != NULL) s->backend->watch(s);
  return wg_session_watch(s, p);
}

bool wg_session_mem_fault(const wg_session_cfg_t *cfg) { return cfg->inject != NULL && strncmp(cfg->inject, "mem-", 4) == 0; }

bool wg_session_sm_fault(const wg_session_cfg_t *cfg) {
  static const char *const kOthers[] = {"mem-", "sum-", "gte-"}; /* of what is around the SM, or of counts */
  if (cfg->inject == NULL) return false;
  for (size_t i = 0; i < sizeof kOthers / sizeof kOthers[0]; i++) {
    if (strncmp(cfg->inject, kOthers[i], 4) == 0) return false;
  }
  return true;
}

/* "mem-WORD", "sum-WORD", "gte-WORD", each perhaps with "@CYCLE", as wg_session_parse checked it; others are the SM's. */
static void inject(wg_session_t *s) {
  char word[32];
  if (s->cfg.inject == NULL || wg_session_sm_fault(&s->cfg)) return;
  const char *from = s->cfg.inject + 4, *at = strchr(from, '@');
  snprintf(word, sizeof word, "%.*s", (int)(at == NULL ? strlen(from) : (size_t)(at - from)), from);
  uint64_t cycle = at == NULL ? 0 : strtoull(at + 1, NULL, 10);
  if (wg_session_mem_fault(&s->cfg)) {
    wg_gpu_inject(s->gpu, wg_mem_fault_find(word), cycle);
    return;
  }
  if (s->cfg.inject[0] == 'g') {
    wg_gpu_disturb(s->gpu, wg_gte_fault_find(word), cycle);
    return;
  }
  wg_gpu_lose(s->gpu, wg_sum_fault_find(word), cycle);
  if (s->backend->timing && s->backend->lockstep) wg_sm_rtl_lose(s->sms[0], wg_sum_fault_find(word), cycle); /* SMs in RTL */
}

static wg_status_t create_gpu(wg_session_t *s, wg_diag_t *diag) {
  bool several = s->backend->parallel && s->cfg.jobs > 1 && !wg_session_debug_asked(&s->cfg); /* threads: each would note its own order */
  if (!several && !(s->backend->lockstep && s->cfg.check == kWgCheckOff)) s->writers = wg_writers_new();
  s->sms = calloc(s->preset.num_sms, sizeof(wg_sm_t *));
  if (s->sms == NULL) return wg_fail(diag, kWgNoSpace, "out of memory");
  WG_TRY(wg_session_events_open(s, diag));
  WG_TRY(wg_session_debug_open(s, diag));
  for (uint32_t i = 0; i < s->preset.num_sms; i++) WG_TRY(s->backend->create_sm(s, i, &s->sms[i], diag));
  wg_gpu_cfg_t cfg = {.preset = &s->preset, .sms = s->sms, .store = s->store, .policy = s->policy};
  if (!s->backend->timing) cfg.watchdog_cycles = 100; /* a func SM's tick is up to 256 instructions */
  cfg.hooks.ctx = s;
  cfg.hooks.watchdog = on_watchdog;
  if (s->backend->serve != NULL) cfg.hooks.serve = on_serve;
  WG_TRY(wg_session_blocklog_open(s, diag));
  bool blocks = s->blocklog != NULL || s->debug.d != NULL;
  if (blocks) cfg.hooks.block_start = on_block_start;
  if (blocks || s->backend->block_done != NULL) cfg.hooks.block_done = on_block_done;
  /* one race checker, one span, one record of findings, one listener and one debugger serve all SMs */
  if (s->backend->parallel && s->debug.d == NULL && s->race.checker == NULL && s->span == NULL && s->tools.checker == NULL && s->cfg.retired == NULL) cfg.jobs = s->cfg.jobs;
  if (s->backend->wrap != NULL) WG_TRY(s->backend->wrap(s, &cfg, diag));
  WG_TRY(wg_session_journal_open(s, &cfg, diag));
  wg_session_debug_gpu(s, &cfg);
  WG_TRY(wg_gpu_create(&cfg, &s->gpu, diag));
  inject(s);
  return kWgOk;
}

/* The warp scheduler of the settings instead of the preset's, with its knobs. */
static wg_status_t choose_sched(wg_session_t *s, wg_diag_t *diag) {
  wg_sched_choice_t c;
  WG_TRY(wg_sched_choice_parse(s->cfg.sched, &c, diag));
  if (c.kind == kWgSchedPlugin) WG_TRY(wg_policy_plugin_load(c.name, s->preset.sm.warp_slots, &s->plugin, diag));
  else if (c.kind == kWgSchedC) WG_TRY(wg_policy_c_load(c.name, &s->plugin, diag));
  else if (c.policy == kWgPolicyExt) {
    return wg_fail(diag, kWgBadArg, "the warp scheduler 'ext' needs a policy: plugin:NAME or c:NAME");
  }
  s->policy = s->preset.sm.policy = c.policy;
  if (c.num_knobs != 0) memcpy(s->preset.sm.knob, c.knob, sizeof c.knob);
  s->has_knobs = c.num_knobs != 0;
  return kWgOk;
}

static wg_status_t set_dependence(wg_session_t *s, wg_diag_t *diag) {
  if (s->cfg.dep != NULL) s->preset.sm.dep_mode = strcmp(s->cfg.dep, "control-bits") == 0 ? 1u : 0u;
  if (s->preset.sm.dep_mode == 0u) return kWgOk;
  const wg_sm_cfg_t *c = &s->preset.sm;
  return wg_ctl_table(s->preset.shape->lanes_int, c->issue_interval, (const uint32_t[]){c->extra_latency[0], c->extra_latency[1], c->half_extra},
                      &s->ctl, diag);
}

const wg_ctl_table_t *wg_session_ctl(const wg_session_t *s) { return s->preset.sm.dep_mode != 0u ? &s->ctl : NULL; }

/* Settings over the preset; the seed of split=random is knob 3. */
static void set_divergence(wg_session_t *s) {
  if (s->cfg.diverge != NULL) s->preset.sm.diverge_mode = strcmp(s->cfg.diverge, "its") == 0 ? 1u : 0u;
  for (uint32_t i = 0; s->cfg.split != NULL && kWgSplitOrders[i] != NULL; i++) {
    if (strcmp(s->cfg.split, kWgSplitOrders[i]) == 0) s->preset.sm.split_order = i;
  }
  if (s->preset.sm.split_order == 2u && s->cfg.seed != 0u) s->preset.sm.knob[3] = (uint32_t)s->cfg.seed;
}

/* Settings of the GigaThread engine over the preset's. A limit of blocks is one of block slots, for the SM too. */
static wg_status_t set_blocks(wg_session_t *s, wg_diag_t *diag) {
  wg_preset_t *p = &s->preset;
  if (s->cfg.blocks != NULL) WG_TRY(wg_blocks_choice_parse(s->cfg.blocks, &p->gte.policy, diag));
  if (s->cfg.order != NULL) WG_TRY(wg_gte_order_parse(s->cfg.order, &p->gte.order, diag));
  if (s->cfg.blocks_per_sm != 0 && s->cfg.blocks_per_sm < p->sm.block_slots) p->sm.block_slots = s->cfg.blocks_per_sm;
  /* the key of recorded cycles: all that decides where blocks go and when */
  char knobs[64] = "", order[32] = "";
  size_t n = 0;
  for (uint32_t i = 0; i < p->gte.policy.num_knobs; i++) {
    n += (size_t)snprintf(knobs + n, sizeof knobs - n, "%c%u", i == 0 ? ':' : ',', p->gte.policy.knob[i]);
  }
  if (s->cfg.order != NULL) snprintf(order, sizeof order, "+%.30s", s->cfg.order);
  snprintf(s->block_policy, sizeof s->block_policy, "%s%s%s", p->gte.policy.name, knobs, order);
  n = strlen(s->block_policy);
  if (s->cfg.blocks_per_sm != 0) {
    n += (size_t)snprintf(s->block_policy + n, sizeof s->block_policy - n, "+%u", s->cfg.blocks_per_sm);
  }
  if (s->cfg.first != NULL) snprintf(s->block_policy + n, sizeof s->block_policy - n, "+%s", s->cfg.first);
  return kWgOk;
}

static bool reads_knobs(unsigned policy) {
  return policy == kWgPolicySwl || policy == kWgPolicyTwoLevel || policy == kWgPolicyCcws || policy == kWgPolicyGcaws;
}

/* lrr, rr, old and gto read no knobs, the others and plug-ins do. A number without effect must not look as if it had one. */
static wg_status_t check_knobs(const wg_session_t *s, wg_diag_t *diag) {
  const uint32_t *k = s->preset.sm.knob;
  if (s->plugin == NULL && reads_knobs(s->preset.sm.policy)) { /* knob 3 is also the seed of split=random */
    return wg_sched_knobs_check(s->preset.sm.policy, k, 3, diag);
  }
  if (s->plugin != NULL || (k[0] | k[1] | k[2] | k[3]) == 0) return kWgOk;
  if (s->has_knobs) return wg_fail(diag, kWgBadInput, "the knobs of 'sched=%s' have no effect: this scheduler reads none", s->cfg.sched);
  if (diag != NULL) snprintf(diag->hint, sizeof diag->hint, "write [0, 0, 0, 0], or set sched=plugin:NAME");
  return wg_fail(diag, kWgBadInput, "preset '%s': 'sm.scheduler_knobs' has no effect: the scheduler '%s' reads none",
                 s->preset.path, wg_policy_name(s->preset.sm.policy));
}

/* Does the golden model see the instructions? */
static bool golden_sees(const wg_session_t *s) {
  return s->backend == &wg_session_backend_func || (s->backend->lockstep && s->cfg.check != kWgCheckOff);
}

static wg_status_t start_span(wg_session_t *s, wg_diag_t *diag) {
  if (!golden_sees(s)) {
    if (diag != NULL) snprintf(diag->hint, sizeof diag->hint, "check=retire, or backend=func, or span=off");
    return wg_fail(diag, kWgBadInput, "chains of dependences are followed by the golden model: span=on does not go with %s",
                   s->backend->lockstep ? "check=off" : "this back end");
  }
  if (s->cfg.concurrent) {
    if (diag != NULL) snprintf(diag->hint, sizeof diag->hint, "leave one of them out");
    return wg_fail(diag, kWgBadInput, "concurrent=on does not go with span: chains are followed in one grid at a time");
  }
  s->span = wg_span_new();
  return kWgOk;
}

static wg_status_t start_race(wg_session_t *s, wg_diag_t *diag) {
  if (!golden_sees(s)) {
    if (diag != NULL) snprintf(diag->hint, sizeof diag->hint, "check=retire, or backend=func, or race=off");
    return wg_fail(diag, kWgBadInput, "races are seen by the golden model: race=%s does not go with %s",
                   s->cfg.race == kWgSessionRaceOn ? "on" : "note", s->backend->lockstep ? "check=off" : "this back end");
  }
  s->race.checker = wg_race_new();
  return kWgOk;
}

static wg_status_t check_scope(const wg_session_t *s, wg_diag_t *diag) {
  char instance[96];
  if (s->cfg.trace_scope != NULL && !wg_trace_scope(s->cfg.trace_scope, s->preset.shape->sub_cores, instance, sizeof instance)) {
    return wg_fail(diag, kWgBadInput, "trace_scope=%s: an SM of shape '%s' has %u sub-cores", s->cfg.trace_scope, s->preset.shape->name,
                   s->preset.shape->sub_cores);
  }
  return kWgOk;
}

/* Settings that only go without each other, or not with this machine: all that can be told before there is one. */
static wg_status_t configure(wg_session_t *s, const wg_session_cfg_t *cfg, wg_diag_t *diag) {
  WG_TRY(copy_cfg(cfg, &s->cfg, diag));
  s->backend = backend_find(s->cfg.backend);
  if (s->backend == NULL) return wg_fail(diag, kWgBadArg, "unknown SM back end '%s'", s->cfg.backend);
  if (s->cfg.memory != NULL && s->backend->wrap == NULL) {
    if (diag != NULL) snprintf(diag->hint, sizeof diag->hint, "backend=systemc");
    return wg_fail(diag, kWgBadInput, "memory=%s needs the back end systemc", s->cfg.memory);
  }
  if (s->cfg.memory != NULL && wg_session_mem_fault(&s->cfg)) {
    return wg_fail(diag, kWgBadInput, "inject=%s is a fault of the memory that memory=%s replaces", s->cfg.inject, s->cfg.memory);
  }
  WG_TRY(wg_preset_load(s->cfg.preset == NULL ? "v100" : s->cfg.preset, &s->preset, diag));
  if (s->cfg.half_block && s->backend != &wg_session_backend_func) {
    if (diag != NULL) snprintf(diag->hint, sizeof diag->hint, "backend=func: the block unit of the RTL admits whole blocks only, as hardware does");
    return wg_fail(diag, kWgBadInput, "unsafe=half-block is an experiment of the golden model: it does not go with backend=%s", s->backend->name);
  }
  if (s->cfg.oob == kWgSessionOobExact && s->backend->lockstep && s->cfg.check == kWgCheckOff) {
    if (diag != NULL) snprintf(diag->hint, sizeof diag->hint, "check=retire, or oob=alloc");
    return wg_fail(diag, kWgBadInput, "oob=exact is the checker's work: it does not go with check=off");
  }
  if (s->cfg.race != kWgSessionRaceOff) WG_TRY(start_race(s, diag));
  if (s->cfg.span) WG_TRY(start_span(s, diag));
  if (s->cfg.tools != 0u) WG_TRY(wg_session_tools_start(s, diag));
  WG_TRY(wg_preset_scale(&s->preset, s->cfg.num_sms, diag));
  if (s->cfg.concurrent && s->cfg.race != kWgSessionRaceOff) {
    if (diag != NULL) snprintf(diag->hint, sizeof diag->hint, "leave one of them out");
    return wg_fail(diag, kWgBadInput, "concurrent=on does not go with race: races are looked for in one grid at a time");
  }
  if (s->cfg.concurrent && s->cfg.tools != 0u) {
    if (diag != NULL) snprintf(diag->hint, sizeof diag->hint, "leave one of them out");
    return wg_fail(diag, kWgBadInput, "concurrent=on does not go with tools: findings are told of one grid at a time");
  }
  s->policy = UINT32_MAX;
  if (s->cfg.sched != NULL) WG_TRY(choose_sched(s, diag));
  if (s->cfg.has_progress) s->preset.sm.progress_cycles = s->cfg.progress_cycles;
  WG_TRY(check_knobs(s, diag));
  if (s->cfg.link != NULL) s->preset.copy.link = wg_copy_link_find(s->cfg.link);
  set_divergence(s);
  if (s->cfg.no_reconverge && s->preset.sm.diverge_mode == 0u) {
    if (diag != NULL) snprintf(diag->hint, sizeof diag->hint, "diverge=its, or reconverge=on");
    return wg_fail(diag, kWgBadInput, "reconverge=off does not go with diverge=stack, which brings lanes together by the barriers that it leaves out");
  }
  if (s->cfg.first != NULL) s->preset.sm.first_rotate = strcmp(s->cfg.first, "rotate") == 0;
  WG_TRY(set_blocks(s, diag));
  WG_TRY(set_dependence(s, diag));
  if (s->preset.sm.dep_mode != 0u && s->backend == &wg_session_backend_func) {
    if (diag != NULL) snprintf(diag->hint, sizeof diag->hint, "dep=scoreboard (--set sm.dependence=scoreboard), or backend=rtl");
    return wg_fail(diag, kWgBadInput, "dep=control-bits does not go with backend=func: the golden model has no time, no stall count would be looked at");
  }
  WG_TRY(check_scope(s, diag));
  WG_TRY(wg_session_events_check(s, diag));
  WG_TRY(wg_session_debug_check(s, diag));
  return wg_session_journal_check(s, diag);
}

static wg_status_t build(wg_session_t *s, const wg_session_cfg_t *cfg, wg_diag_t *diag) {
  WG_TRY(configure(s, cfg, diag));
  WG_TRY(wg_store_create(&s->store, diag));
  wg_store_set_oob(s->store, (wg_store_oob_t)s->cfg.oob);
  if (s->tools.checker != NULL) wg_session_tools_memory(s);
  return create_gpu(s, diag);
}

wg_status_t wg_session_check(const wg_session_cfg_t *cfg, wg_diag_t *diag) {
  wg_session_t *s = calloc(1, sizeof *s);
  if (s == NULL) return wg_fail(diag, kWgNoSpace, "out of memory");
  wg_status_t st = configure(s, cfg, diag);
  if (st == kWgOk && s->backend->there != NULL) st = s->backend->there(s, diag);
  wg_session_destroy(s);
  return st;
}

wg_status_t wg_session_create(const wg_session_cfg_t *cfg, wg_session_t **out, wg_diag_t *diag) {
  wg_session_cfg_t defaults;
  wg_session_cfg_init(&defaults);
  wg_session_t *s = calloc(1, sizeof *s);
  if (s == NULL) return wg_fail(diag, kWgNoSpace, "out of memory");
  s->failed = kWgOk;
  wg_session_devlib_init(s);
  wg_status_t st = build(s, cfg == NULL ? &defaults : cfg, diag);
  if (st != kWgOk) {
    wg_session_destroy(s);
    return st;
  }
  *out = s;
  return kWgOk;
}

void wg_session_destroy(wg_session_t *s) {
  if (s == NULL) return;
  if (s->backend != NULL && s->backend->close != NULL && s->sms != NULL) s->backend->close(s);
  wg_gpu_destroy(s->gpu);
  wg_session_blocklog_close(s);
  char why[640];
  if (s->events.out != NULL && !wg_session_events_finish(s, why, sizeof why)) fprintf(stderr, "warpglass: error: %s\n", why);
  wg_session_journal_close(s);
  if (s->backend != NULL && s->backend->unwrap != NULL) s->backend->unwrap(s);
  for (uint32_t i = 0; s->sms != NULL && i < s->preset.num_sms; i++) {
    if (s->sms[i] != NULL) s->sms[i]->ops->destroy(s->sms[i]);
  }
  free(s->sms);
  wg_debug_free(s->debug.d);
  wg_events_free_out(s->events.out);
  for (wg_module_t *m = s->modules; m != NULL;) {
    wg_module_t *next = m->next;
    wg_obj_free(m->obj);
    free(m);
    m = next;
  }
  wg_session_batch_destroy(s);
  wg_store_destroy(s->store);
  wg_race_free(s->race.checker);
  wg_span_free(s->span);
  wg_writers_free(s->writers);
  wg_session_tools_stop(s);
  free(s->backend_state);
  wg_session_cfg_clear(&s->cfg);
  free(s);
}

wg_status_t wg_session_malloc(wg_session_t *s, size_t bytes, uint64_t *addr, wg_diag_t *diag) {
  if (bytes > s->preset.global_bytes) {
    return wg_fail(diag, kWgNoSpace, "%zu bytes are more than the device has (%llu)", bytes,
                   (unsigned long long)s->preset.global_bytes);
  }
  /* whole allocation units count, as they do in cudaMemGetInfo */
  uint64_t need = (bytes + WG_DEV_ALIGN - 1) / WG_DEV_ALIGN * WG_DEV_ALIGN;
  if (need > s->preset.global_bytes - s->used_bytes) {
    return wg_fail(diag, kWgNoSpace, "%zu bytes are more than the device has left (%llu of %llu)", bytes,
                   (unsigned long long)(s->preset.global_bytes - s->used_bytes),
                   (unsigned long long)s->preset.global_bytes);
  }
  WG_TRY(wg_store_alloc(s->store, bytes, addr, diag));
  s->used_bytes += need;
  if (s->tools.checker != NULL) wg_tools_alloc(s->tools.checker, *addr, bytes, false);
  return kWgOk;
}

wg_status_t wg_session_free(wg_session_t *s, uint64_t addr, wg_diag_t *diag) {
  if (addr < WG_DEV_BASE + WG_DEV_DRIVER_BYTES) {
    return wg_fail(diag, kWgBadArg, "0x%llx was not allocated by the program", (unsigned long long)addr);
  }
  uint64_t base = 0, bytes = 0;
  bool known = wg_store_range(s->store, addr, &base, &bytes);
  WG_TRY(wg_store_free(s->store, addr, diag));
  if (s->tools.checker != NULL) wg_tools_freed(s->tools.checker, addr);
  if (known) s->used_bytes -= (bytes + WG_DEV_ALIGN - 1) / WG_DEV_ALIGN * WG_DEV_ALIGN;
  return kWgOk;
}

wg_status_t wg_session_read(wg_session_t *s, uint64_t addr, void *dst, size_t bytes, wg_diag_t *diag) {
  return wg_store_read(s->store, addr, dst, bytes, diag);
}

wg_status_t wg_session_write(wg_session_t *s, uint64_t addr, const void *src, size_t bytes, wg_diag_t *diag) {
  if (s->tools.checker != NULL) wg_tools_written(s->tools.checker, addr, bytes);
  return wg_store_write(s->store, addr, src, bytes, diag);
}

wg_status_t wg_session_memset(wg_session_t *s, uint64_t addr, int value, size_t bytes, wg_diag_t *diag) {
  if (s->tools.checker != NULL) wg_tools_written(s->tools.checker, addr, bytes);
  return wg_store_memset(s->store, addr, value, bytes, diag);
}

wg_status_t wg_session_check_range(const wg_session_t *s, uint64_t addr, uint64_t bytes, const char *verb,
                                   wg_diag_t *diag) {
  return wg_store_host_range(s->store, addr, bytes, verb, diag);
}

void wg_session_window(uint64_t *base, uint64_t *bytes) {
  *base = WG_DEV_BASE;
  *bytes = WG_DEV_BYTES;
}

bool wg_session_range(const wg_session_t *s, uint64_t addr, uint64_t *base, size_t *bytes) {
  uint64_t b = 0, n = 0;
  if (!wg_store_range(s->store, addr, &b, &n)) return false;
  if (base != NULL) *base = b;
  if (bytes != NULL) *bytes = (size_t)n;
  return true;
}

uint64_t wg_session_time_ns(const wg_session_t *s) { return wg_gpu_time_ns(s->gpu); }
void wg_session_advance_ns(wg_session_t *s, uint64_t ns) { wg_gpu_advance_ns(s->gpu, ns); }

void wg_session_totals(const wg_session_t *s, wg_launch_result_t *sum, unsigned *launches) {
  if (sum != NULL) *sum = s->sum;
  if (launches != NULL) *launches = s->launches;
}

unsigned wg_session_cuda_error(const wg_session_t *s, wg_fault_t *fault) {
  if (fault != NULL) *fault = s->fault;
  return s->cuda_error;
}

const char *wg_session_report(const wg_session_t *s) { return s->report; }
uint64_t wg_session_cycle(const wg_session_t *s) { return s->gpu == NULL ? 0 : wg_gpu_cycle(s->gpu); }

void wg_session_get_props(const wg_session_t *s, wg_session_props_t *out) {
  const wg_preset_t *p = &s->preset;
  memset(out, 0, sizeof *out);
  snprintf(out->name, sizeof out->name, "%s", p->title);
  out->num_sms = p->num_sms;
  out->warp_slots_per_sm = p->sm.warp_slots * p->shape->sub_cores;
  out->block_slots_per_sm = p->sm.block_slots;
  out->regs_per_sm = p->sm.regs_per_subcore * p->shape->sub_cores;
  out->shared_per_sm = p->sm.shared_bytes;
  out->shared_per_block = p->shared_per_block_bytes;
  out->shared_per_block_optin = p->shared_optin_bytes;
  out->max_threads_per_block = p->max_threads_per_block;
  out->clock_khz = p->clock_khz;
  out->global_bytes = p->global_bytes;
  out->hbm_gbytes_per_s = wg_preset_hbm_gbytes_per_s(p);
  wg_session_machine_t m;
  wg_session_get_machine(s, &m);
  out->fp32_flop_per_cycle = m.fp32_peak_flops_per_cycle;
}

/* Results that a sub-core's pipe takes a cycle: its lanes, fewer where it dispatches less often. */
static double pipe_rate(double lanes, uint32_t interval) { return lanes / (1.0 + interval * lanes / 32.0); }

wg_pipe_rates_t wg_session_pipe_rates(const wg_session_t *s) {
  const wg_preset_t *p = &s->preset;
  const uint32_t *gap = p->sm.issue_interval;
  double sfu = 32.0 / p->shape->lanes_sfu, most = sfu > gap[3] + 1.0 ? sfu : gap[3] + 1.0; /* cycles */
  return (wg_pipe_rates_t){pipe_rate(p->shape->lanes_int, gap[0]) / 32.0,
                           pipe_rate(p->shape->lanes_fp32, gap[1]) / 32.0,
                           pipe_rate(p->shape->lanes_fp64, gap[2]) / 32.0, 1.0 / most};
}

void wg_session_get_machine(const wg_session_t *s, wg_session_machine_t *out) {
  const wg_preset_t *p = &s->preset;
  double fp = pipe_rate(p->shape->lanes_fp32, p->sm.issue_interval[1]);
  double fp64 = pipe_rate(p->shape->lanes_fp64, p->sm.issue_interval[2]);
  wg_pipe_rates_t pipe = wg_session_pipe_rates(s);
#define WG_MACHINE(KEY, EXPR, DOC) out->KEY = (double)(EXPR);
#include "cosim/machine.def"
}

void wg_session_get_host(const wg_session_t *s, wg_session_host_t *out) {
  const wg_preset_t *p = &s->preset;
  *out = (wg_session_host_t){p->launch_overhead_ns, p->call_ns, p->query_ns, p->allocate_ns, p->notify_ns,
                             p->copy, p->front, s->cfg.concurrent ? p->gte.queue_grids : 1,
                             (uint64_t)(wg_preset_hbm_gbytes_per_s(p) * 1000)};
}

void wg_session_get_setup(const wg_session_t *s, wg_session_setup_t *out) {
  out->preset = s->preset.name;
  out->backend = s->backend->name;
  out->sched = s->plugin != NULL || s->has_knobs ? s->cfg.sched : wg_policy_name(s->preset.sm.policy);
  out->progress_cycles = s->preset.sm.progress_cycles;
  out->block_policy = s->block_policy;
  out->divergence = s->preset.sm.diverge_mode == 0 ? "stack" : "its";
  out->dependence = s->preset.sm.dep_mode == 0 ? "scoreboard" : "control-bits";
  static const char *const kChecks[] = {"off", "retire", "units"};
  out->check = kChecks[s->backend->lockstep ? s->cfg.check : kWgCheckOff];
  out->num_sms = s->preset.num_sms;
  out->memory = s->cfg.memory == NULL ? "model" : s->cfg.memory;
  out->schedule = !s->cfg.no_schedule;
  out->keep_warpsync = s->cfg.race == kWgSessionRaceNote;
  out->keep_gather = (s->cfg.tools & (unsigned)kWgToolSync) != 0u;
  out->reconverge = !s->cfg.no_reconverge;
  out->timing = s->backend->timing;
  out->hashes = s->backend->hashes || (s->backend->lockstep && s->cfg.check != kWgCheckOff);
}
