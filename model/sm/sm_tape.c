// SPDX-License-Identifier: Apache-2.0
#include "model/sm/sm_tape.h"

#include <string.h>

typedef enum tape_mode { kPass, kRecord, kPlay } tape_mode_t;
typedef enum tape_kind { kLaunch = 1, kRequest, kDone, kActivity, kIssued, kResident, kRest } tape_kind_t;

typedef struct wg_sm_tape {
  wg_sm_t base;
  wg_sm_t *sm;
  tape_mode_t mode;
  uint64_t tick;   /* cycles since the tape began */
  uint64_t marked; /* tick of the last entry */
  uint8_t *data;
  size_t size, cap, at; /* at: played so far */
  bool wrong;
  wg_sm_activity_t carry; /* what the SM did since it was last asked, before it stood still */
} wg_sm_tape_t;

static wg_sm_tape_t *of(wg_sm_t *sm) { return (wg_sm_tape_t *)sm; }

/* ---- entries: kind, cycles since the one before (7 bits a byte, low first), contents ---- */

static void put(wg_sm_tape_t *t, const void *bytes, size_t n) {
  if (t->size + n > t->cap) {
    t->cap = 2 * t->cap + n + 256;
    t->data = realloc(t->data, t->cap);
    WG_BUG(t->data == NULL);
  }
  if (n != 0) memcpy(t->data + t->size, bytes, n);
  t->size += n;
}

static void put_entry(wg_sm_tape_t *t, tape_kind_t kind, const void *bytes, size_t n) {
  uint8_t head[12] = {(uint8_t)kind};
  size_t used = 1;
  for (uint64_t d = t->tick - t->marked;; d >>= 7) {
    head[used++] = (uint8_t)(d > 127 ? d | 128u : d);
    if (d <= 127) break;
  }
  t->marked = t->tick;
  put(t, head, used);
  put(t, bytes, n);
}

/* The next entry, if it is of this kind and this cycle. @return its contents with at least n bytes, or NULL */
static const uint8_t *next(wg_sm_tape_t *t, tape_kind_t kind, size_t n, size_t *contents_at) {
  size_t at = t->at;
  uint64_t d = 0;
  if (at >= t->size || t->data[at] != (uint8_t)kind) return NULL;
  for (unsigned shift = 0; ++at < t->size; shift += 7) {
    if (shift < 64) d |= (uint64_t)(t->data[at] & 127u) << shift;
    if (t->data[at] < 128) break;
  }
  at++;
  if (t->marked + d != t->tick || at + n > t->size) return NULL;
  *contents_at = at;
  return t->data + at;
}

static bool get_entry(wg_sm_tape_t *t, tape_kind_t kind, void *bytes, size_t n) {
  size_t at = 0;
  const uint8_t *p = next(t, kind, n, &at);
  if (p == NULL) return false;
  if (n != 0) memcpy(bytes, p, n);
  t->marked = t->tick;
  t->at = at + n;
  return true;
}

/* Something that is always answered. */
static void must_get(wg_sm_tape_t *t, tape_kind_t kind, void *bytes, size_t n) {
  if (get_entry(t, kind, bytes, n)) return;
  if (n != 0) memset(bytes, 0, n);
  t->wrong = true;
}

/* ---- the face of an SM ---- */

static wg_status_t tape_reset(wg_sm_t *sm, const wg_sm_cfg_t *cfg, wg_diag_t *diag) {
  return of(sm)->mode == kPlay ? kWgOk : of(sm)->sm->ops->reset(of(sm)->sm, cfg, diag); /* stood still: it is as reset */
}

static bool tape_can_launch(const wg_sm_t *sm) {
  const wg_sm_tape_t *t = (const wg_sm_tape_t *)sm;
  wg_sm_tape_t copy = *t;
  size_t at;
  return t->mode == kPlay ? next(&copy, kLaunch, 0, &at) != NULL : t->sm->ops->can_launch(t->sm);
}

static void tape_launch(wg_sm_t *sm, const wg_cta_launch_t *msg) {
  wg_sm_tape_t *t = of(sm);
  if (t->mode == kPlay) {
    must_get(t, kLaunch, NULL, 0);
    return;
  }
  if (t->mode == kRecord) put_entry(t, kLaunch, NULL, 0);
  t->sm->ops->launch(t->sm, msg);
}

static void tape_push_rsp(wg_sm_t *sm, const wg_mem_rsp_t *rsp) {
  if (of(sm)->mode != kPlay) of(sm)->sm->ops->push_rsp(of(sm)->sm, rsp);
}

static void tape_tick(wg_sm_t *sm, uint64_t time_ns, bool kill) {
  wg_sm_tape_t *t = of(sm);
  t->tick++;
  if (t->mode != kPlay) t->sm->ops->tick(t->sm, time_ns, kill);
}

static bool carries_data(const wg_mem_req_t *r) { return r->op == kWgMemStore || r->op == kWgMemAtom || r->op == kWgMemRed; }

static bool tape_pop_req(wg_sm_t *sm, wg_mem_req_t *req) {
  enum { kHead = offsetof(wg_mem_req_t, data) };
  wg_sm_tape_t *t = of(sm);
  if (t->mode == kPlay) {
    memset(req, 0, sizeof *req);
    if (!get_entry(t, kRequest, req, kHead)) return false;
    if (!carries_data(req)) return true;
    size_t n = sizeof req->data + sizeof req->cmp;
    t->wrong = t->wrong || t->at + n > t->size;
    if (t->wrong) return false;
    memcpy(req->data, t->data + t->at, sizeof req->data);
    memcpy(req->cmp, t->data + t->at + sizeof req->data, sizeof req->cmp);
    t->at += n;
    return true;
  }
  if (!t->sm->ops->pop_req(t->sm, req)) return false;
  if (t->mode == kRecord) {
    put_entry(t, kRequest, req, kHead);
    if (carries_data(req)) {
      put(t, req->data, sizeof req->data);
      put(t, req->cmp, sizeof req->cmp);
    }
  }
  return true;
}

static bool tape_pop_done(wg_sm_t *sm, wg_cta_done_t *done) {
  wg_sm_tape_t *t = of(sm);
  if (t->mode == kPlay) return get_entry(t, kDone, done, sizeof *done);
  if (!t->sm->ops->pop_done(t->sm, done)) return false;
  if (t->mode == kRecord) put_entry(t, kDone, done, sizeof *done);
  return true;
}

/* A launch with a fault has no tape. */
static bool tape_pop_fault(wg_sm_t *sm, wg_fault_t *fault) {
  return of(sm)->mode != kPlay && of(sm)->sm->ops->pop_fault(of(sm)->sm, fault);
}

static wg_sm_activity_t tape_activity(wg_sm_t *sm) {
  wg_sm_tape_t *t = of(sm);
  wg_sm_activity_t a;
  if (t->mode == kPlay) {
    must_get(t, kActivity, &a, sizeof a);
    return a;
  }
  a = t->sm->ops->activity(t->sm);
  a.issued += t->carry.issued;
  a.idle += t->carry.idle;
  a.memory_wait += t->carry.memory_wait;
  memset(&t->carry, 0, sizeof t->carry);
  if (t->mode == kRecord) put_entry(t, kActivity, &a, sizeof a);
  return a;
}

/* The two questions that change nothing are const in the interface; the tape moves all the same. */
static uint32_t tape_resident(const wg_sm_t *sm) {
  wg_sm_tape_t *t = (wg_sm_tape_t *)(uintptr_t)sm;
  uint32_t n = UINT32_MAX;
  if (t->mode == kPlay) {
    must_get(t, kResident, &n, sizeof n);
    return n;
  }
  if (t->sm->ops->resident != NULL) n = t->sm->ops->resident(t->sm);
  if (t->mode == kRecord) put_entry(t, kResident, &n, sizeof n);
  return n;
}

static uint64_t tape_block_issued(const wg_sm_t *sm, uint32_t slot) {
  wg_sm_tape_t *t = (wg_sm_tape_t *)(uintptr_t)sm;
  uint64_t n = 0;
  if (t->mode == kPlay) {
    must_get(t, kIssued, &n, sizeof n);
    return n;
  }
  if (t->sm->ops->block_issued != NULL) n = t->sm->ops->block_issued(t->sm, slot);
  if (t->mode == kRecord) put_entry(t, kIssued, &n, sizeof n);
  return n;
}

static void tape_destroy(wg_sm_t *sm) {
  if (sm == NULL) return;
  free(of(sm)->data);
  free(sm);
}

static const wg_sm_ops_t kOps = {.name = "tape",
                                 .reset = tape_reset,
                                 .can_launch = tape_can_launch,
                                 .launch = tape_launch,
                                 .push_rsp = tape_push_rsp,
                                 .tick = tape_tick,
                                 .pop_req = tape_pop_req,
                                 .pop_done = tape_pop_done,
                                 .pop_fault = tape_pop_fault,
                                 .activity = tape_activity,
                                 .destroy = tape_destroy,
                                 .resident = tape_resident,
                                 .block_issued = tape_block_issued};

wg_status_t wg_sm_tape_create(wg_sm_t *sm, wg_sm_t **out, wg_diag_t *diag) {
  wg_sm_tape_t *t = calloc(1, sizeof *t);
  if (t == NULL) return wg_fail(diag, kWgNoSpace, "no host memory for an SM's tape");
  t->base.ops = &kOps;
  t->sm = sm;
  *out = &t->base;
  return kWgOk;
}

static void begin(wg_sm_tape_t *t, tape_mode_t mode) {
  t->mode = mode;
  t->tick = t->marked = 0;
  t->at = 0;
  t->wrong = false;
}

void wg_sm_tape_record(wg_sm_t *tape) {
  begin(of(tape), kRecord);
  of(tape)->size = 0;
}

/* The rest of the SM's activity goes onto the tape: whoever goes on behind it must find it. */
const uint8_t *wg_sm_tape_take(wg_sm_t *tape, size_t *bytes) {
  wg_sm_tape_t *t = of(tape);
  if (t->mode == kRecord) {
    t->mode = kPass;
    wg_sm_activity_t rest = tape_activity(tape);
    t->carry = rest;
    put_entry(t, kRest, &rest, sizeof rest);
  }
  *bytes = t->size;
  return t->data;
}

wg_status_t wg_sm_tape_play(wg_sm_t *tape, const uint8_t *data, size_t bytes, wg_diag_t *diag) {
  wg_sm_tape_t *t = of(tape);
  begin(t, kPlay);
  uint8_t *copy = realloc(t->data, bytes + 1);
  if (copy == NULL) return wg_fail(diag, kWgNoSpace, "no host memory for an SM's tape");
  memcpy(copy, data, bytes);
  t->data = copy;
  t->size = bytes;
  t->cap = bytes + 1;
  return kWgOk;
}

bool wg_sm_tape_played(wg_sm_t *tape) {
  wg_sm_tape_t *t = of(tape);
  must_get(t, kRest, &t->carry, sizeof t->carry);
  t->mode = kPass;
  return !t->wrong && t->at == t->size;
}
