// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "cosim/sm_rtl.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "cosim/paths.h"
#include "cosim/sm_tap.h"
#include "cosim/so_open.h"
#include "model/twin/cta_alloc.h"

enum { kReqQueue = 32 };

typedef struct wg_sm_rtl {
  wg_sm_t base;
  void *library;
  const sm_dut_api_t *api;
  sm_dut_t *dut;
  wg_lockstep_t *lockstep;
  wg_sm_tap_t *tap; /* NULL: nothing is looked for or recorded */
  wg_debug_tap_t *debug; /* NULL: no debugger */
  bool restarted;   /* and the tap has not been told */
  wg_sm_cfg_t cfg;
  sm_in_t in;
  sm_out_t out;
  /* requests not yet popped, oldest at head */
  wg_mem_req_t req[kReqQueue];
  unsigned req_head, req_count;
  unsigned credits; /* flits popped since the last tick */
  bool done_pending, fault_taken;
  wg_cta_done_t done;
  /* launches by block slot: the design takes the lowest free one */
  wg_cta_launch_t block[kWgMaxBlockSlots];
  uint32_t block_used;
  wg_cta_alloc_t room;                                      /* says which warp slots a block has */
  uint8_t warp_block[kWgMaxSubCores][kWgMaxWarpSlots];      /* block slot of a warp slot */
  uint64_t block_issued[kWgMaxBlockSlots];                  /* warp instructions of the resident blocks */
  uint64_t ended_issued;                                    /* and of all that have ended */
  uint64_t slots[kWgReasonCount];
  uint64_t resident_cycles;
  uint64_t warp_cycles[kWgReasonCount]; /* warps by state, summed over cycles */
  uint64_t valid_warp_cycles;           /* warps, summed over cycles */
  uint64_t bad_issues;                  /* of warps that were not eligible */
  wg_sum_fault_t lose;                  /* a count, once, from cycle `lose_from` on */
  uint64_t lose_from;
  wg_sm_activity_t activity;
  const wg_policy_plugin_t *policy; /* drives the pick ports under kWgPolicyExt; may be NULL: nothing issues */
  void *policy_state[kWgMaxSubCores];
  char bad_pick[160]; /* what an external policy did wrong first, or empty */
} wg_sm_rtl_t;

static void clear_inputs(wg_sm_rtl_t *s) {
  s->in.launch_valid = false;
  s->in.num_rsp = 0;
  s->in.req_credit = 0;
}

static void reset_policy(wg_sm_rtl_t *s, bool create) {
  for (unsigned c = 0; c < s->api->shape.sub_cores; c++) {
    if (s->policy_state[c] != NULL) s->policy->destroy(s->policy_state[c]);
    s->policy_state[c] = create ? s->policy->create(s->policy, s->api->shape.warp_slots, s->cfg.knob, s->cfg.progress_cycles) : NULL;
  }
}

static wg_status_t rtl_reset(wg_sm_t *sm, const wg_sm_cfg_t *cfg, wg_diag_t *diag) {
  wg_sm_rtl_t *s = (wg_sm_rtl_t *)sm;
  const wg_shape_t *shape = &s->api->shape;
  if (cfg->warp_slots > shape->warp_slots || cfg->block_slots > shape->block_slots ||
      cfg->regs_per_subcore > shape->regs_per_subcore || cfg->shared_bytes >= shape->smem_bytes)
    return wg_fail(diag, kWgBadArg, "configuration exceeds shape '%s'", shape->name);
  if (cfg->policy > 31 || ((s->api->policies >> cfg->policy) & 1u) == 0) {
    if (diag != NULL) snprintf(diag->hint, sizeof diag->hint, "rebuild it: make sm SHAPE=%s", shape->name);
    return wg_fail(diag, kWgMismatch, "the SM of shape '%s' was built without the warp scheduler '%s'", shape->name,
                   wg_policy_name(cfg->policy));
  }
  s->cfg = *cfg;
  if (s->policy != NULL) reset_policy(s, cfg->policy == kWgPolicyExt);
  s->api->configure(s->dut, cfg);
  if (s->lockstep != NULL) wg_lockstep_reset(s->lockstep, cfg);
  if (s->debug != NULL) wg_debug_tap_reset(s->debug, cfg);
  memset(&s->in, 0, sizeof s->in);
  s->in.rst = true;
  for (int i = 0; i < 4; i++) s->api->step(s->dut, &s->in, &s->out);
  s->in.rst = false;
  s->api->step(s->dut, &s->in, &s->out);
  s->req_head = s->req_count = s->credits = 0;
  s->done_pending = s->fault_taken = false;
  s->block_used = 0;
  s->restarted = true;
  wg_cta_alloc_reset(&s->room, shape->sub_cores, cfg);
  return kWgOk;
}

/* Where the design puts the block: the twin of its allocator. The launcher asked it too, so that the block fits. */
static void note_place(wg_sm_rtl_t *s, const wg_cta_launch_t *msg, unsigned slot) {
  wg_cta_place_t p;
  uint32_t warps = (msg->ntid[0] * msg->ntid[1] * msg->ntid[2] + kWgWarpThreads - 1) / kWgWarpThreads;
  s->block_issued[slot] = 0;
  if (!wg_cta_alloc_find(&s->room, warps, msg->regs_per_thread, msg->shared_bytes, &p) || p.block != slot) return;
  wg_cta_alloc_take(&s->room, &p);
  for (uint32_t k = 0; k < warps; k++) s->warp_block[wg_cta_place_sub(&s->room, &p, k)][p.slot[k]] = (uint8_t)slot;
}

static bool rtl_can_launch(const wg_sm_t *sm) {
  const wg_sm_rtl_t *s = (const wg_sm_rtl_t *)sm;
  return s->out.launch_ready && !s->in.launch_valid;
}

static void rtl_launch(wg_sm_t *sm, const wg_cta_launch_t *msg) {
  wg_sm_rtl_t *s = (wg_sm_rtl_t *)sm;
  WG_BUG(!rtl_can_launch(sm));
  unsigned slot = 0;
  while (slot < s->cfg.block_slots && ((s->block_used >> slot) & 1u) != 0) slot++;
  WG_BUG(slot >= s->cfg.block_slots);
  s->block_used |= 1u << slot;
  s->block[slot] = *msg;
  note_place(s, msg, slot);
  s->in.launch_valid = true;
  s->in.launch = *msg;
  if (s->lockstep != NULL) wg_lockstep_launch(s->lockstep, msg);
}

static void rtl_push_rsp(wg_sm_t *sm, const wg_mem_rsp_t *rsp) {
  wg_sm_rtl_t *s = (wg_sm_rtl_t *)sm;
  WG_BUG(s->in.num_rsp >= 2);
  s->in.rsp[s->in.num_rsp++] = *rsp;
  if (s->lockstep != NULL) wg_lockstep_rsp(s->lockstep, rsp);
  if (s->tap == NULL) return;
  wg_sm_tap_cycle(s->tap, s->api->cycle(s->dut)); /* the one that follows */
  wg_sm_tap_rsp(s->tap, rsp);
}

static void run_pick(wg_sm_rtl_t *s) {
  for (unsigned c = 0; c < s->api->shape.sub_cores; c++) {
    const sm_sched_view_t *view = &s->out.sched[c];
    s->in.pick[c].valid = false;
    s->in.pick[c].withheld = 0;
    if (s->policy_state[c] == NULL || view->valid == 0) continue;
    int slot = s->policy->pick(s->policy_state[c], view, &s->in.pick[c].withheld);
    if (slot < 0) continue;
    if (slot >= kWgMaxWarpSlots || ((view->eligible >> slot) & 1) == 0) {
      if (s->bad_pick[0] == '\0') {
        snprintf(s->bad_pick, sizeof s->bad_pick,
                 "the policy '%s' picked slot %d of sub-core %u in cycle %llu, which is not eligible", s->policy->name,
                 slot, c, (unsigned long long)s->api->cycle(s->dut));
      }
      continue;
    }
    s->in.pick[c].valid = true;
    s->in.pick[c].warp = (uint8_t)slot;
  }
}

static bool loses(wg_sm_rtl_t *s, wg_sum_fault_t what) {
  if (s->lose != what || s->api->cycle(s->dut) < s->lose_from) return false;
  s->lose = kWgSumNoFault;
  return true;
}

/* Slot owners of the cycle that ended; every slot of a cycle with a resident block has exactly one. */
static void count_slots(wg_sm_rtl_t *s) {
  if (s->block_used == 0) return;
  s->resident_cycles++;
  for (unsigned c = 0; c < s->api->shape.sub_cores; c++) {
    unsigned reason = s->out.slot_reason[c];
    if (s->lose == kWgSumSlot && loses(s, kWgSumSlot)) continue;
    s->slots[reason]++;
    if (reason == kWgReasonIssued) {
      s->activity.issued++;
      s->block_issued[s->warp_block[c][s->out.slot_warp[c]]]++;
    }
    else if (reason == kWgReasonDepLong) s->activity.memory_wait++;
    else s->activity.idle++;
  }
}

/* States of the cycle that ended: what was shown before it, and who issued in it. */
static void count_warps(wg_sm_rtl_t *s, const sm_warp_view_t *before) {
  for (unsigned c = 0; c < s->api->shape.sub_cores; c++) {
    const sm_warp_view_t *v = &before[c];
    if (v->valid == 0) continue;
    bool lost = s->lose == kWgSumState && loses(s, kWgSumState);
    for (unsigned r = 0; r < kWgReasonCount && !lost; r++) s->warp_cycles[r] += (unsigned)__builtin_popcount(v->state[r]);
    s->valid_warp_cycles += (unsigned)__builtin_popcount(v->valid);
    if (s->out.slot_reason[c] != kWgReasonIssued || (s->lose == kWgSumIssue && loses(s, kWgSumIssue))) continue;
    s->warp_cycles[kWgReasonIssued]++;
    if (((v->state[kWgReasonNotSelected] >> s->out.slot_warp[c]) & 1) != 0) s->warp_cycles[kWgReasonNotSelected]--;
    else s->bad_issues++;
  }
}

static void take_outputs(wg_sm_rtl_t *s) {
  if (s->out.req_valid) {
    WG_BUG(s->req_count >= kReqQueue);
    s->req[(s->req_head + s->req_count++) % kReqQueue] = s->out.req;
  }
  if (s->out.done_valid) {
    WG_BUG(s->done_pending);
    s->done = s->out.done;
    s->done_pending = true;
  }
}

static void tick_tap(wg_sm_rtl_t *s, uint64_t time_ns) {
  uint64_t cycle = s->api->cycle(s->dut);
  if (s->restarted) wg_sm_tap_restart(s->tap, cycle, time_ns);
  s->restarted = false;
  wg_sm_tap_cycle(s->tap, cycle);
}

static void rtl_tick(wg_sm_t *sm, uint64_t time_ns, bool kill) {
  wg_sm_rtl_t *s = (wg_sm_rtl_t *)sm;
  s->in.time_ns = time_ns;
  s->in.kill = kill;
  s->in.req_credit = (uint8_t)(s->credits > 2 ? 2 : s->credits);
  s->credits -= s->in.req_credit;
  if (s->cfg.policy == kWgPolicyExt) run_pick(s);
  if (s->lockstep != NULL) wg_lockstep_cycle(s->lockstep, s->api->cycle(s->dut));
  if (s->tap != NULL) tick_tap(s, time_ns);
  sm_warp_view_t before[kWgMaxSubCores];
  memcpy(before, s->out.warps, sizeof before);
  s->api->step(s->dut, &s->in, &s->out);
  clear_inputs(s);
  count_slots(s);
  count_warps(s, before);
  take_outputs(s);
}

static bool rtl_pop_req(wg_sm_t *sm, wg_mem_req_t *req) {
  wg_sm_rtl_t *s = (wg_sm_rtl_t *)sm;
  if (s->req_count == 0) return false;
  *req = s->req[s->req_head];
  s->req_head = (s->req_head + 1) % kReqQueue;
  s->req_count--;
  s->credits++;
  if (s->lockstep != NULL) wg_lockstep_req(s->lockstep, req);
  if (s->tap != NULL) wg_sm_tap_req(s->tap, req);
  return true;
}

static bool rtl_pop_done(wg_sm_t *sm, wg_cta_done_t *done) {
  wg_sm_rtl_t *s = (wg_sm_rtl_t *)sm;
  if (s->tap != NULL) wg_sm_tap_drain(s->tap);
  if (!s->done_pending) return false;
  s->done_pending = false;
  s->block_used &= ~(1u << s->done.block_slot);
  *done = s->done;
  s->ended_issued += s->block_issued[done->block_slot];
  if (s->room.block[done->block_slot].used) wg_cta_alloc_free(&s->room, done->block_slot);
  return true;
}

static bool rtl_pop_fault(wg_sm_t *sm, wg_fault_t *fault) {
  wg_sm_rtl_t *s = (wg_sm_rtl_t *)sm;
  if (!s->out.fault_valid || s->fault_taken) return false;
  s->fault_taken = true;
  *fault = s->out.fault;
  const wg_cta_launch_t *l = &s->block[s->out.fault.grid_id % kWgMaxBlockSlots]; /* the ABI puts the block slot there */
  fault->grid_id = l->grid_id;
  memcpy(fault->ctaid, l->ctaid, sizeof fault->ctaid);
  if (s->lockstep != NULL) wg_lockstep_fault(s->lockstep, fault);
  if (s->tap != NULL) wg_sm_tap_fault(s->tap, fault);
  if (s->debug != NULL) wg_debug_tap_fault(s->debug, fault);
  return true;
}

static wg_sm_activity_t rtl_activity(wg_sm_t *sm) {
  wg_sm_rtl_t *s = (wg_sm_rtl_t *)sm;
  wg_sm_activity_t a = s->activity;
  memset(&s->activity, 0, sizeof s->activity);
  return a;
}

/* The design only tells whether there is anything at all. */
static uint32_t rtl_resident(const wg_sm_t *sm) {
  const wg_sm_rtl_t *s = (const wg_sm_rtl_t *)sm;
  return s->out.idle && !s->in.launch_valid && !s->done_pending ? 0 : (uint32_t)__builtin_popcount(s->block_used);
}

static uint64_t rtl_block_issued(const wg_sm_t *sm, uint32_t block_slot) {
  return ((const wg_sm_rtl_t *)sm)->block_issued[block_slot];
}

static void rtl_destroy(wg_sm_t *sm) {
  wg_sm_rtl_t *s = (wg_sm_rtl_t *)sm;
  if (s == NULL) return;
  if (s->policy != NULL) reset_policy(s, false);
  if (s->dut != NULL) s->api->destroy(s->dut);
  wg_sm_tap_free(s->tap);
  wg_debug_tap_free(s->debug);
  wg_lockstep_free(s->lockstep);
  /* The library stays loaded: other instances use it, and its code may still be on a profiler's stack. */
  free(s);
}

static const wg_sm_ops_t kOps = {
    .name = "rtl",
    .reset = rtl_reset,
    .can_launch = rtl_can_launch,
    .launch = rtl_launch,
    .push_rsp = rtl_push_rsp,
    .tick = rtl_tick,
    .pop_req = rtl_pop_req,
    .pop_done = rtl_pop_done,
    .pop_fault = rtl_pop_fault,
    .activity = rtl_activity,
    .resident = rtl_resident,
    .block_issued = rtl_block_issued,
    .destroy = rtl_destroy,
};

bool wg_sm_rtl_found(const wg_sm_t *sm, uint64_t *cycle) {
  const wg_sm_rtl_t *s = (const wg_sm_rtl_t *)sm;
  return s->tap != NULL && wg_sm_tap_found(s->tap, cycle);
}

static wg_status_t load_api(const char *shape, const char *variant, int how, void **library, const sm_dut_api_t **api,
                            wg_diag_t *diag) {
  char path[4096], why[4400];
  wg_path_build(path, sizeof path, "sm/%s-%s/libwgsm.so", shape, variant);
  *library = wg_so_open(path, how | RTLD_LOCAL, why, sizeof why);
  if (*library == NULL) {
    if (diag != NULL)
      snprintf(diag->hint, sizeof diag->hint, "make sm SHAPE=%s VARIANT=%s", shape, variant);
    return wg_fail(diag, kWgNotFound, "cannot load the SM of shape '%s', variant '%s': %s", shape, variant, why);
  }
  sm_dut_lacks_t lacks = (sm_dut_lacks_t)dlsym(*library, "sm_dut_lacks");
  const char *lacked = lacks != NULL ? lacks() : NULL;
  if (lacked != NULL) {
    if (diag != NULL)
      snprintf(diag->hint, sizeof diag->hint, "rebuild it here, or for all: MARCH=-march=x86-64-v3 scripts/verilate.sh %s %s", shape, variant);
    return wg_fail(diag, kWgMismatch, "'%s' was built for a processor with %s, which this one lacks", path, lacked);
  }
  *api = (const sm_dut_api_t *)dlsym(*library, "sm_dut_api");
  if (*api == NULL || (*api)->abi_version != kWgAbiVersion || strcmp((*api)->shape.name, shape) != 0) {
    if (diag != NULL)
      snprintf(diag->hint, sizeof diag->hint, "rebuild it: make sm SHAPE=%s VARIANT=%s", shape, variant);
    return wg_fail(diag, kWgMismatch, "'%s' was built for another ABI version or shape", path);
  }
  return kWgOk;
}

wg_status_t wg_sm_rtl_check(const char *shape, const char *variant, wg_diag_t *diag) {
  static char good[96]; /* a sweep asks for each of its points */
  char name[sizeof good];
  void *library = NULL;
  const sm_dut_api_t *api = NULL;
  snprintf(name, sizeof name, "%s-%s", shape, variant);
  if (strcmp(name, good) == 0) return kWgOk;
  wg_status_t st = load_api(shape, variant, RTLD_LAZY, &library, &api, diag);
  if (st == kWgOk) snprintf(good, sizeof good, "%s", name);
  if (library != NULL) dlclose(library);
  return st;
}

static wg_status_t create_dut(wg_sm_rtl_t *s, const wg_sm_rtl_opts_t *o, wg_diag_t *diag) {
  const wg_probe_hooks_t *hooks = NULL;
  if (o->check != kWgLockstepOff) {
    s->lockstep = wg_lockstep_new(&s->api->shape, o->check, &o->env);
    hooks = wg_lockstep_hooks(s->lockstep);
  }
  void *ctx = s->lockstep;
  if (o->find.kind != kWgWhenNone || o->recorder != NULL) {
    s->tap = wg_sm_tap_new(&s->api->shape, s->lockstep, o->sm, &o->find, &o->window, o->recorder);
    hooks = wg_sm_tap_hooks(s->tap);
    ctx = s->tap;
  }
  if (o->debug != NULL) {
    s->debug = wg_debug_tap_new(o->debug, &s->api->shape, o->sm, hooks, ctx);
    hooks = wg_debug_tap_hooks(s->debug);
    ctx = s->debug;
  }
  WG_TRY(s->api->create(o->seed, hooks, ctx, &s->dut));
  if (o->trace_path != NULL) {
    wg_status_t st = s->api->trace(s->dut, o->trace_path, o->trace_from, o->trace_to, o->trace_scope, o->trace_depth);
    if (st != kWgOk) return wg_fail(diag, st, "cannot write the trace '%s'", o->trace_path);
  }
  if (o->inject != NULL) {
    wg_status_t st = s->api->inject(s->dut, o->inject);
    if (st != kWgOk) {
      if (diag != NULL) snprintf(diag->hint, sizeof diag->hint, "the kinds stand in cosim/inject.def");
      return wg_fail(diag, st, "cannot inject '%s'", o->inject);
    }
  }
  return kWgOk;
}

wg_status_t wg_sm_rtl_create(const char *shape, const char *variant, const wg_sm_rtl_opts_t *opts, wg_sm_t **out,
                             wg_diag_t *diag) {
  wg_sm_rtl_t *s = calloc(1, sizeof *s);
  if (s == NULL) return wg_fail(diag, kWgNoSpace, "out of host memory");
  s->base.ops = &kOps;
  wg_status_t st = load_api(shape, variant, RTLD_NOW, &s->library, &s->api, diag);
  if (st == kWgOk) st = create_dut(s, opts, diag);
  if (st != kWgOk) {
    rtl_destroy(&s->base);
    return st;
  }
  *out = &s->base;
  return kWgOk;
}

wg_status_t wg_sm_rtl_policy_status(const wg_sm_t *sm, wg_diag_t *diag) {
  const wg_sm_rtl_t *s = (const wg_sm_rtl_t *)sm;
  return s->bad_pick[0] == '\0' ? kWgOk : wg_fail(diag, kWgBadInput, "%s", s->bad_pick);
}

wg_lockstep_t *wg_sm_rtl_lockstep(wg_sm_t *sm) { return ((wg_sm_rtl_t *)sm)->lockstep; }

void wg_sm_rtl_slots(const wg_sm_t *sm, uint64_t out[kWgReasonCount]) {
  memcpy(out, ((const wg_sm_rtl_t *)sm)->slots, sizeof ((const wg_sm_rtl_t *)sm)->slots);
}

void wg_sm_rtl_lose(wg_sm_t *sm, wg_sum_fault_t what, uint64_t from) {
  ((wg_sm_rtl_t *)sm)->lose = what;
  ((wg_sm_rtl_t *)sm)->lose_from = from;
}

void wg_sm_rtl_warp_cycles(const wg_sm_t *sm, uint64_t out[kWgReasonCount]) {
  memcpy(out, ((const wg_sm_rtl_t *)sm)->warp_cycles, sizeof ((const wg_sm_rtl_t *)sm)->warp_cycles);
}

wg_status_t wg_sm_rtl_check_slots(const wg_sm_t *sm, unsigned index, wg_diag_t *diag) {
  const wg_sm_rtl_t *s = (const wg_sm_rtl_t *)sm;
  uint64_t sum = 0, all = s->resident_cycles * s->api->shape.sub_cores;
  for (unsigned r = 0; r < kWgReasonCount; r++) sum += s->slots[r];
  if (sum != all)
    return wg_fail(diag, kWgMismatch, "issue slots of SM %u do not add up: %llu have an owner, %llu cycles x %u sub-cores", index,
                   (unsigned long long)sum, (unsigned long long)s->resident_cycles, s->api->shape.sub_cores);
  if (s->block_used == 0 && s->ended_issued != s->slots[kWgReasonIssued])
    return wg_fail(diag, kWgMismatch, "issue slots of SM %u do not add up: blocks have %llu instructions, %llu slots say so", index,
                   (unsigned long long)s->ended_issued, (unsigned long long)s->slots[kWgReasonIssued]);
  uint64_t states = 0;
  for (unsigned r = 0; r < kWgReasonCount; r++) states += s->warp_cycles[r];
  if (states != s->valid_warp_cycles || s->bad_issues != 0)
    return wg_fail(diag, kWgMismatch, "warp states of SM %u do not add up: %llu warp cycles have a state, %llu warp cycles are resident; %llu "
                   "instructions issued of warps that were not eligible", index, (unsigned long long)states,
                   (unsigned long long)s->valid_warp_cycles, (unsigned long long)s->bad_issues);
  if (s->warp_cycles[kWgReasonIssued] != s->slots[kWgReasonIssued])
    return wg_fail(diag, kWgMismatch, "warp states of SM %u do not add up: warps issued in %llu cycles, %llu slots say so", index,
                   (unsigned long long)s->warp_cycles[kWgReasonIssued], (unsigned long long)s->slots[kWgReasonIssued]);
  if (s->lockstep == NULL) return kWgOk;
  wg_lockstep_counts_t c;
  wg_lockstep_get_counts(s->lockstep, &c);
  if (c.warp_insts == s->slots[kWgReasonIssued]) return kWgOk;
  return wg_fail(diag, kWgMismatch, "issue slots of SM %u do not add up: %llu instructions were issued, %llu slots say so", index,
                 (unsigned long long)c.warp_insts, (unsigned long long)s->slots[kWgReasonIssued]);
}

const sm_warp_view_t *wg_sm_rtl_warps(const wg_sm_t *sm, unsigned sub) { return &((const wg_sm_rtl_t *)sm)->out.warps[sub]; }

int wg_sm_rtl_issued(const wg_sm_t *sm, unsigned sub) {
  const sm_out_t *o = &((const wg_sm_rtl_t *)sm)->out;
  return o->slot_reason[sub] == kWgReasonIssued ? (int)o->slot_warp[sub] : -1;
}

uint64_t wg_sm_rtl_cycle(const wg_sm_t *sm) {
  const wg_sm_rtl_t *s = (const wg_sm_rtl_t *)sm;
  return s->api->cycle(s->dut);
}

unsigned wg_sm_rtl_assert_errors(const wg_sm_t *sm) {
  const wg_sm_rtl_t *s = (const wg_sm_rtl_t *)sm;
  return s->api->assert_errors(s->dut);
}

void wg_sm_rtl_ready(const wg_sm_t *sm, uint16_t *ready) {
  const wg_sm_rtl_t *s = (const wg_sm_rtl_t *)sm;
  for (unsigned c = 0; c < kWgMaxSubCores; c++) {
    const uint16_t *state = s->out.warps[c].state;
    bool there = c < s->api->shape.sub_cores && s->out.warps[c].valid != 0u;
    ready[c] = there ? (uint16_t)(state[kWgReasonNotSelected] | state[kWgReasonPipeBusy] | state[kWgReasonLsuFull] | state[kWgReasonRegBank]) : 0u;
  }
}

wg_status_t wg_policy_plugin_load(const char *name, uint32_t warp_slots, const wg_policy_plugin_t **out,
                                  wg_diag_t *diag) {
  char path[4096], why[4400];
  wg_path_build(path, sizeof path, "plugin/%s.so", name);
  void *library = wg_so_open(path, RTLD_NOW | RTLD_LOCAL, why, sizeof why); /* stays loaded: its code may be on a profiler's stack */
  if (library == NULL) {
    if (diag != NULL) snprintf(diag->hint, sizeof diag->hint, "scripts/plugin.sh %s", name);
    return wg_fail(diag, kWgNotFound, "cannot load the policy '%s': %s", name, why);
  }
  const wg_policy_plugin_t *p = (const wg_policy_plugin_t *)dlsym(library, "wg_policy_plugin");
  if (p == NULL || p->abi_version != kWgAbiVersion) {
    if (diag != NULL) snprintf(diag->hint, sizeof diag->hint, "rebuild it: scripts/plugin.sh %s", name);
    return wg_fail(diag, kWgMismatch, "'%s' is no policy of this ABI version", path);
  }
  const uint32_t *slots = (const uint32_t *)dlsym(library, "wg_policy_warp_slots"); /* NULL: it takes any number */
  if (slots != NULL && *slots < warp_slots) { /* it would never pick those above */
    if (diag != NULL)
      snprintf(diag->hint, sizeof diag->hint, "scripts/plugin.sh %s %u", name, warp_slots > 8 ? 16u : 8u);
    return wg_fail(diag, kWgBadInput, "the plug-in '%s' was built for %u warp slots a sub-core, this machine has %u",
                   name, *slots, warp_slots);
  }
  *out = p;
  return kWgOk;
}

void wg_sm_rtl_set_policy(wg_sm_t *sm, const wg_policy_plugin_t *plugin) {
  wg_sm_rtl_t *s = (wg_sm_rtl_t *)sm;
  if (s->policy != NULL) reset_policy(s, false);
  s->policy = plugin;
}
