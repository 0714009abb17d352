// SPDX-License-Identifier: Apache-2.0
#include "model/xbar/xbar.h"

#include <string.h>

/* A ring of request flits. Flits on the way and flits waiting at a slice share one ring: `due` tells them apart. */
typedef struct req_flit {
  wg_mem_req_t req;
  uint64_t due;
  uint32_t slice;
} req_flit_t;

typedef struct rsp_flit {
  wg_mem_rsp_t rsp;
  uint64_t due;
} rsp_flit_t;

typedef struct req_ring {
  req_flit_t *buf;
  uint32_t cap, head, count;
} req_ring_t;

typedef struct rsp_ring {
  rsp_flit_t *buf;
  uint32_t cap, head, count;
  uint64_t cycle; /* of the last push, and how many were pushed in it */
  uint32_t pushed;
} rsp_ring_t;

struct wg_xbar {
  wg_xbar_spec_t spec;
  uint32_t sms, slices;
  req_ring_t *sm_q;    /* [sms] */
  req_ring_t *slice_q; /* [slices] */
  rsp_ring_t *rsp_q;   /* [sms] */
  uint64_t sm_busy[(kWgXbarMaxSms + 63) / 64]; /* SM queues that hold something */
  wg_slices_t slice_busy;
  uint64_t open, stalls;
};

static req_flit_t *req_tail(req_ring_t *q) {
  uint32_t at = q->head + q->count++;
  return &q->buf[at >= q->cap ? at - q->cap : at];
}

static void req_drop(req_ring_t *q) {
  q->head = q->head + 1 == q->cap ? 0 : q->head + 1;
  q->count--;
}

static wg_status_t check_spec(const wg_xbar_spec_t *s, uint32_t sms, uint32_t slices, wg_diag_t *diag) {
  if (sms < 1 || sms > kWgXbarMaxSms || slices < 1 || slices > kWgXbarMaxSlices) {
    return wg_fail(diag, kWgBadArg, "the crossbar connects 1 to %d SMs and 1 to %d slices, not %u and %u",
                   kWgXbarMaxSms, kWgXbarMaxSlices, sms, slices);
  }
  if (s->sm_queue < 1 || s->sm_queue > 256 || s->slice_queue < 1 || s->slice_queue > 256 || s->req_cycles < 1 ||
      s->req_cycles > 1000 || s->rsp_cycles < 1 || s->rsp_cycles > 1000 || s->rsp_per_cycle < 1 ||
      s->rsp_per_cycle > 2) {
    return wg_fail(diag, kWgBadArg, "a number of the crossbar's spec is out of range");
  }
  return kWgOk;
}

wg_status_t wg_xbar_create(const wg_xbar_spec_t *spec, uint32_t sms, uint32_t slices, wg_xbar_t **out,
                           wg_diag_t *diag) {
  WG_TRY(check_spec(spec, sms, slices, diag));
  wg_xbar_t *x = calloc(1, sizeof *x);
  if (x == NULL) return wg_fail(diag, kWgNoSpace, "no host memory for the crossbar");
  x->spec = *spec;
  x->sms = sms;
  x->slices = slices;
  x->sm_q = calloc(sms, sizeof *x->sm_q);
  x->slice_q = calloc(slices, sizeof *x->slice_q);
  x->rsp_q = calloc(sms, sizeof *x->rsp_q);
  bool ok = x->sm_q != NULL && x->slice_q != NULL && x->rsp_q != NULL;
  for (uint32_t i = 0; ok && i < sms; i++) {
    x->sm_q[i].cap = spec->sm_queue;
    x->rsp_q[i].cap = spec->rsp_cycles * spec->rsp_per_cycle + spec->rsp_per_cycle;
    x->sm_q[i].buf = calloc(x->sm_q[i].cap, sizeof(req_flit_t));
    x->rsp_q[i].buf = calloc(x->rsp_q[i].cap, sizeof(rsp_flit_t));
    ok = x->sm_q[i].buf != NULL && x->rsp_q[i].buf != NULL;
  }
  for (uint32_t i = 0; ok && i < slices; i++) {
    x->slice_q[i].cap = spec->slice_queue + spec->req_cycles;
    x->slice_q[i].buf = calloc(x->slice_q[i].cap, sizeof(req_flit_t));
    ok = x->slice_q[i].buf != NULL;
  }
  if (!ok) {
    wg_xbar_destroy(x);
    return wg_fail(diag, kWgNoSpace, "no host memory for the crossbar's queues");
  }
  *out = x;
  return kWgOk;
}

void wg_xbar_destroy(wg_xbar_t *x) {
  if (x == NULL) return;
  for (uint32_t i = 0; i < x->sms; i++) {
    if (x->sm_q != NULL) free(x->sm_q[i].buf);
    if (x->rsp_q != NULL) free(x->rsp_q[i].buf);
  }
  for (uint32_t i = 0; x->slice_q != NULL && i < x->slices; i++) free(x->slice_q[i].buf);
  free(x->sm_q);
  free(x->slice_q);
  free(x->rsp_q);
  free(x);
}

bool wg_xbar_can_req(const wg_xbar_t *x, uint32_t sm) { return x->sm_q[sm].count < x->sm_q[sm].cap; }
uint32_t wg_xbar_req_room(const wg_xbar_t *x, uint32_t sm) { return x->sm_q[sm].cap - x->sm_q[sm].count; }

void wg_xbar_push_req(wg_xbar_t *x, uint32_t slice, const wg_mem_req_t *req) {
  WG_BUG(slice >= x->slices || req->sm >= x->sms || !wg_xbar_can_req(x, req->sm));
  req_flit_t *f = req_tail(&x->sm_q[req->sm]);
  f->req = *req;
  f->slice = slice;
  x->sm_busy[req->sm / 64] |= UINT64_C(1) << (req->sm % 64);
  x->open++;
}

const wg_mem_req_t *wg_xbar_peek_req(const wg_xbar_t *x, uint32_t slice, uint64_t now) {
  const req_ring_t *q = &x->slice_q[slice];
  if (q->count == 0 || q->buf[q->head].due > now) return NULL;
  return &q->buf[q->head].req;
}

void wg_xbar_pop_req(wg_xbar_t *x, uint32_t slice) {
  req_ring_t *q = &x->slice_q[slice];
  WG_BUG(q->count == 0);
  req_drop(q);
  if (q->count == 0) x->slice_busy &= ~wg_slice_bit(slice);
  x->open--;
}

bool wg_xbar_can_rsp(const wg_xbar_t *x, uint32_t sm, uint64_t now) {
  const rsp_ring_t *q = &x->rsp_q[sm];
  return q->count < q->cap && (q->cycle != now || q->pushed < x->spec.rsp_per_cycle);
}

void wg_xbar_push_rsp(wg_xbar_t *x, const wg_mem_rsp_t *rsp, uint64_t now) {
  WG_BUG(rsp->sm >= x->sms || !wg_xbar_can_rsp(x, rsp->sm, now));
  rsp_ring_t *q = &x->rsp_q[rsp->sm];
  q->pushed = q->cycle == now ? q->pushed + 1 : 1;
  q->cycle = now;
  uint32_t at = q->head + q->count++;
  rsp_flit_t *f = &q->buf[at >= q->cap ? at - q->cap : at];
  f->rsp = *rsp;
  f->due = now + x->spec.rsp_cycles;
  x->open++;
}

bool wg_xbar_pop_rsp(wg_xbar_t *x, uint32_t sm, uint64_t now, wg_mem_rsp_t *out) {
  rsp_ring_t *q = &x->rsp_q[sm];
  if (q->count == 0 || q->buf[q->head].due > now) return false;
  *out = q->buf[q->head].rsp;
  q->head = q->head + 1 == q->cap ? 0 : q->head + 1;
  q->count--;
  x->open--;
  return true;
}

/* Offer the head of one SM's queue to its slice. @return bit of the slice if it moved, else 0 */
static wg_slices_t move_one(wg_xbar_t *x, uint32_t sm, uint64_t now, wg_slices_t taken) {
  req_ring_t *q = &x->sm_q[sm];
  const req_flit_t *f = &q->buf[q->head];
  wg_slices_t bit = wg_slice_bit(f->slice);
  req_ring_t *d = &x->slice_q[f->slice];
  if ((taken & bit) != 0 || d->count == d->cap) {
    x->stalls++;
    return 0;
  }
  req_flit_t *t = req_tail(d);
  *t = *f;
  t->due = now + x->spec.req_cycles;
  x->slice_busy |= bit;
  req_drop(q);
  if (q->count == 0) x->sm_busy[sm / 64] &= ~(UINT64_C(1) << (sm % 64));
  return bit;
}

void wg_xbar_tick(wg_xbar_t *x, uint64_t now) {
  /* SMs in ascending order from the cycle's first one, busy ones only. */
  uint32_t first = x->sms == 1 ? 0 : (uint32_t)(now % x->sms);
  wg_slices_t taken = 0;
  for (int turn = 0; turn < 2; turn++) {
    for (uint32_t w = 0; w < (x->sms + 63) / 64; w++) {
      uint64_t below = first >= 64 * (w + 1) ? UINT64_MAX : first <= 64 * w ? 0 : (UINT64_C(1) << (first % 64)) - 1;
      uint64_t todo = x->sm_busy[w] & (turn == 0 ? ~below : below);
      while (todo != 0) {
        uint32_t sm = 64 * w + (uint32_t)__builtin_ctzll(todo);
        todo &= todo - 1;
        taken |= move_one(x, sm, now, taken);
      }
    }
    if (first == 0) break;
  }
}

static bool holds(const req_ring_t *q, uint16_t sm, uint8_t id) {
  for (uint32_t i = 0; i < q->count; i++) {
    const wg_mem_req_t *r = &q->buf[(q->head + i) % q->cap].req;
    if (r->sm == sm && r->id == id) return true;
  }
  return false;
}

bool wg_xbar_find(const wg_xbar_t *x, uint16_t sm, uint8_t id, uint8_t sector, char *out, size_t n) {
  if (holds(&x->sm_q[sm], sm, id)) {
    snprintf(out, n, "queue of SM %u's port", sm);
    return true;
  }
  for (uint32_t s = 0; s < x->slices; s++) {
    if (!holds(&x->slice_q[s], sm, id)) continue;
    snprintf(out, n, "queue of slice %u", s);
    return true;
  }
  const rsp_ring_t *r = &x->rsp_q[sm];
  for (uint32_t i = 0; i < r->count; i++) {
    const wg_mem_rsp_t *p = &r->buf[(r->head + i) % r->cap].rsp;
    if (p->id != id || p->sector != sector) continue;
    snprintf(out, n, "on the way to SM %u", sm);
    return true;
  }
  return false;
}

wg_slices_t wg_xbar_slices_pending(const wg_xbar_t *x) { return x->slice_busy; }
uint64_t wg_xbar_open(const wg_xbar_t *x) { return x->open; }
uint64_t wg_xbar_req_stalls(const wg_xbar_t *x) { return x->stalls; }
