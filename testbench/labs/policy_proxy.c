// SPDX-License-Identifier: Apache-2.0
//
// Lab 9: the block policy c:proxy asks a process behind two pipes, LAB_POLICY="READ,WRITE" (policy_host.c). When that process has
// ended, the pick is an SM that does not exist, which ends the run.
#include "testbench/labs/policy_pipe.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

typedef struct proxy {
  int in, out;
} proxy_t;

static size_t state_bytes(uint32_t sms) { return (void)sms, sizeof(proxy_t); }

static lab_answer_t call(proxy_t *p, const wg_gte_view_t *v, uint32_t op, uint32_t grid, uint32_t at, uint64_t issued) {
  lab_ask_t ask;
  memset(&ask, 0, sizeof ask);
  ask.op = op, ask.grid = grid, ask.at = at, ask.issued = issued;
  ask.sms = wg_gte_view_sms(v) < kLabSms ? wg_gte_view_sms(v) : kLabSms;
  ask.sub_cores = wg_gte_view_sub_cores(v);
  ask.grids = wg_gte_view_grids(v);
  ask.total = wg_gte_view_total(v, grid);
  if (op != kLabClear && ask.total != 0) {
    ask.capacity = wg_gte_view_capacity(v, grid);
    ask.left = wg_gte_view_left(v, grid);
    for (uint32_t s = 0; s < ask.sms; s++) {
      ask.sm[s].fits = wg_gte_view_fits(v, grid, s);
      ask.sm[s].room = wg_gte_view_room(v, grid, s, 64);
      wg_gte_view_sm(v, grid, s, &ask.sm[s].view);
    }
  }
  lab_answer_t a = {kWgGtePick, UINT32_MAX};
  if (!lab_all(p->out, &ask, sizeof ask, true) || !lab_all(p->in, &a, sizeof a, false)) a = (lab_answer_t){kWgGtePick, UINT32_MAX};
  return a;
}

static void clear(void *state, const wg_gte_view_t *v, const uint32_t knob[kWgGteMaxKnobs]) {
  proxy_t *p = state;
  const char *fds = getenv("LAB_POLICY");
  (void)knob;
  p->in = p->out = -1;
  signal(SIGPIPE, SIG_IGN);
  if (fds != NULL && sscanf(fds, "%d,%d", &p->in, &p->out) == 2) call(p, v, kLabClear, 0, 0, 0);
}
static void grid_begin(void *state, const wg_gte_view_t *v, uint32_t grid) { call(state, v, kLabBegin, grid, 0, 0); }
static wg_gte_answer_t pick(void *state, const wg_gte_view_t *v, uint32_t grid, uint32_t *sm) {
  lab_answer_t a = call(state, v, kLabPick, grid, 0, 0);
  *sm = a.sm;
  return a.answer <= kWgGteWithheld ? (wg_gte_answer_t)a.answer : kWgGtePick;
}
static void sent(void *state, const wg_gte_view_t *v, uint32_t grid, uint32_t sm) { call(state, v, kLabSent, grid, sm, 0); }
static void ended(void *state, const wg_gte_view_t *v, uint32_t grid, uint32_t sm, uint64_t issued) {
  call(state, v, kLabEnded, grid, sm, issued);
}

const wg_gte_policy_t wg_gte_policy_proxy = {
    .samples = true, .period_knob = -1, .state_bytes = state_bytes, .clear = clear, .grid_begin = grid_begin, .pick = pick, .sent = sent, .ended = ended};
