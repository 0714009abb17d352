// SPDX-License-Identifier: Apache-2.0
#include "model/sm/sm_stub.h"

#include <string.h>

#include "model/twin/cta_alloc.h"

typedef struct held {
  wg_cta_done_t done;
  uint64_t begin, end; /* ticks: launched in; after which it is reported */
  uint64_t counted;    /* instructions that the SM's activity has seen */
  bool lose;
} held_t;

typedef struct stub {
  wg_sm_t base;
  wg_shape_t shape;
  uint32_t default_cycles;
  uint32_t *cycles; /* [n] */
  size_t n;
  uint32_t insts, memory_over, lose;
  wg_cta_alloc_t room;
  uint32_t resident; /* blocks */
  held_t block[kWgMaxBlockSlots];
  uint64_t tick;
  uint32_t init_left; /* warps still to be initialised: no launch meanwhile, as in the RTL */
  wg_sm_activity_t activity;
} stub_t;

static wg_status_t stub_reset(wg_sm_t *sm, const wg_sm_cfg_t *cfg, wg_diag_t *diag) {
  (void)diag;
  stub_t *s = (stub_t *)sm;
  wg_cta_alloc_reset(&s->room, s->shape.sub_cores, cfg);
  s->tick = s->init_left = s->resident = 0;
  s->activity = (wg_sm_activity_t){0};
  return kWgOk;
}

static bool stub_can_launch(const wg_sm_t *sm) { return ((const stub_t *)sm)->init_left == 0; }

static void stub_launch(wg_sm_t *sm, const wg_cta_launch_t *m) {
  stub_t *s = (stub_t *)sm;
  uint32_t threads = m->ntid[0] * m->ntid[1] * m->ntid[2];
  uint32_t warps = (threads + kWgWarpThreads - 1) / kWgWarpThreads;
  wg_cta_place_t place;
  WG_BUG(!wg_cta_alloc_find(&s->room, warps, m->regs_per_thread, m->shared_bytes, &place));
  wg_cta_alloc_take(&s->room, &place);
  s->resident++;
  uint64_t number = m->ctaid[0] + (uint64_t)m->nctaid[0] * (m->ctaid[1] + (uint64_t)m->nctaid[1] * m->ctaid[2]);
  uint32_t cycles = number < s->n ? s->cycles[number] : s->default_cycles;
  held_t *h = &s->block[place.block];
  h->done = (wg_cta_done_t){.grid_id = m->grid_id, .block_slot = place.block};
  memcpy(h->done.ctaid, m->ctaid, sizeof h->done.ctaid);
  h->begin = s->tick;
  h->end = s->tick + (cycles == 0 ? 1 : cycles);
  h->counted = 0;
  h->lose = number + 1 == s->lose;
  s->init_left = warps;
}

static void stub_push_rsp(wg_sm_t *sm, const wg_mem_rsp_t *rsp) {
  (void)sm;
  (void)rsp;
  WG_BUG(true); /* it never asks */
}

/* Instructions of a block that are due by now. */
static uint64_t due(const stub_t *s, const held_t *h) {
  return (uint64_t)s->insts * (s->tick - h->begin) / (h->end - h->begin);
}

/* Owners of this cycle's issue slots, one a sub-core. */
static void count_slots(stub_t *s) {
  uint64_t slots = s->shape.sub_cores, issued = 0;
  if (s->insts == 0) {
    issued = s->resident > 0 ? slots : 0;
  } else {
    for (unsigned b = 0; b < kWgMaxBlockSlots; b++) {
      if (!s->room.block[b].used || s->tick > s->block[b].end) continue;
      uint64_t now = due(s, &s->block[b]);
      issued += now - s->block[b].counted;
      s->block[b].counted = now;
    }
  }
  bool waits = s->memory_over != 0 && s->resident > s->memory_over;
  uint64_t rest = issued < slots ? slots - issued : 0;
  s->activity.issued += waits && s->insts == 0 ? 0 : issued;
  s->activity.memory_wait += waits ? (s->insts == 0 ? slots : rest) : 0;
  s->activity.idle += waits ? 0 : rest;
}

static void stub_tick(wg_sm_t *sm, uint64_t time_ns, bool kill) {
  (void)time_ns;
  stub_t *s = (stub_t *)sm;
  s->tick++;
  if (s->init_left > 0) s->init_left--;
  count_slots(s);
  for (unsigned b = 0; kill && b < kWgMaxBlockSlots; b++) s->block[b].end = s->tick;
}

static bool stub_pop_req(wg_sm_t *sm, wg_mem_req_t *req) {
  (void)sm;
  (void)req;
  return false;
}

static bool stub_pop_done(wg_sm_t *sm, wg_cta_done_t *done) {
  stub_t *s = (stub_t *)sm;
  if (s->resident == 0) return false;
  for (unsigned b = 0; b < kWgMaxBlockSlots; b++) {
    if (!s->room.block[b].used || s->block[b].end > s->tick) continue;
    wg_cta_alloc_free(&s->room, b);
    s->resident--;
    if (s->block[b].lose) continue;
    *done = s->block[b].done;
    return true;
  }
  return false;
}

static bool stub_pop_fault(wg_sm_t *sm, wg_fault_t *fault) {
  (void)sm;
  (void)fault;
  return false;
}

static wg_sm_activity_t stub_activity(wg_sm_t *sm) {
  stub_t *s = (stub_t *)sm;
  wg_sm_activity_t a = s->activity;
  s->activity = (wg_sm_activity_t){0};
  return a;
}

static uint32_t stub_resident(const wg_sm_t *sm) { return ((const stub_t *)sm)->resident; }

static uint64_t stub_block_issued(const wg_sm_t *sm, uint32_t block_slot) {
  (void)block_slot;
  return ((const stub_t *)sm)->insts; /* asked when the block has ended */
}

static void stub_destroy(wg_sm_t *sm) {
  if (sm == NULL) return;
  free(((stub_t *)sm)->cycles);
  free(sm);
}

static const wg_sm_ops_t kOps = {
    .name = "stub",
    .reset = stub_reset,
    .can_launch = stub_can_launch,
    .launch = stub_launch,
    .push_rsp = stub_push_rsp,
    .tick = stub_tick,
    .pop_req = stub_pop_req,
    .pop_done = stub_pop_done,
    .pop_fault = stub_pop_fault,
    .activity = stub_activity,
    .resident = stub_resident,
    .block_issued = stub_block_issued,
    .destroy = stub_destroy,
};

wg_status_t wg_sm_stub_create(const wg_shape_t *shape, const wg_sm_stub_script_t *script, wg_sm_t **out,
                              wg_diag_t *diag) {
  stub_t *s = calloc(1, sizeof *s);
  if (s == NULL) return wg_fail(diag, kWgNoSpace, "no host memory for a stub SM");
  s->base.ops = &kOps;
  s->shape = *shape;
  s->default_cycles = 100;
  if (script != NULL) {
    s->default_cycles = script->default_cycles;
    s->insts = script->insts;
    s->memory_over = script->memory_over;
    s->lose = script->lose;
    s->n = script->cycles == NULL ? 0 : script->n;
    s->cycles = s->n == 0 ? NULL : malloc(s->n * sizeof s->cycles[0]);
    if (s->n > 0 && s->cycles == NULL) {
      free(s);
      return wg_fail(diag, kWgNoSpace, "no host memory for a stub SM's script");
    }
    if (s->n > 0) memcpy(s->cycles, script->cycles, s->n * sizeof s->cycles[0]);
  }
  *out = &s->base;
  return kWgOk;
}
