// SPDX-License-Identifier: Apache-2.0
//
// Lab 9: the process in which a submitted block policy runs, apart from the simulator. It is compiled with the
// submission, gets a snapshot of the view with each call on stdin, and answers on stdout. What the policy does to its own process
// changes nothing but its answers, which the engine checks.
#include "testbench/labs/policy_pipe.h"

#include <unistd.h>

static lab_ask_t ask;

uint32_t wg_gte_view_sms(const wg_gte_view_t *v) { return (void)v, ask.sms; }
uint32_t wg_gte_view_sub_cores(const wg_gte_view_t *v) { return (void)v, ask.sub_cores; }
bool wg_gte_view_fits(const wg_gte_view_t *v, uint32_t grid, uint32_t sm) {
  return (void)v, (void)grid, sm < ask.sms && ask.sm[sm].fits;
}
uint32_t wg_gte_view_room(const wg_gte_view_t *v, uint32_t grid, uint32_t sm, uint32_t most) {
  (void)v, (void)grid;
  return sm >= ask.sms ? 0 : ask.sm[sm].room < most ? ask.sm[sm].room : most;
}
uint32_t wg_gte_view_capacity(const wg_gte_view_t *v, uint32_t grid) { return (void)v, (void)grid, ask.capacity; }
uint64_t wg_gte_view_total(const wg_gte_view_t *v, uint32_t grid) { return (void)v, (void)grid, ask.total; }
uint64_t wg_gte_view_left(const wg_gte_view_t *v, uint32_t grid) { return (void)v, (void)grid, ask.left; }
uint32_t wg_gte_view_grids(const wg_gte_view_t *v) { return (void)v, ask.grids; }
void wg_gte_view_sm(const wg_gte_view_t *v, uint32_t grid, uint32_t sm, wg_gte_sm_view_t *out) {
  (void)v, (void)grid;
  *out = sm < ask.sms ? ask.sm[sm].view : (wg_gte_sm_view_t){0};
}

extern const wg_gte_policy_t wg_gte_policy_mine;

int main(void) {
  const wg_gte_policy_t *p = &wg_gte_policy_mine;
  const wg_gte_view_t *v = (const wg_gte_view_t *)&ask;
  void *state = NULL;
  while (lab_all(0, &ask, sizeof ask, false)) {
    lab_answer_t a = {kWgGteFull, 0};
    if (state == NULL) state = calloc(1, p->state_bytes == NULL ? 1 : p->state_bytes(ask.sms));
    if (state == NULL || p->pick == NULL) return 3;
    if (ask.op == kLabClear && p->clear != NULL) p->clear(state, v, p->knob);
    if (ask.op == kLabBegin && p->grid_begin != NULL) p->grid_begin(state, v, ask.grid);
    if (ask.op == kLabSent && p->sent != NULL) p->sent(state, v, ask.grid, ask.at);
    if (ask.op == kLabEnded && p->ended != NULL) p->ended(state, v, ask.grid, ask.at, ask.issued);
    if (ask.op == kLabPick) a.answer = (uint32_t)p->pick(state, v, ask.grid, &a.sm);
    if (!lab_all(1, &a, sizeof a, true)) return 0;
  }
  return 0;
}
