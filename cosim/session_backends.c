// SPDX-License-Identifier: Apache-2.0
//
// The SM back ends of a session that need no RTL: `stub` and `func`.
#include <string.h>

#include "cosim/session_int.h"
#include "model/sm/sm_func.h"
#include "model/sm/sm_stub.h"

static wg_status_t stub_create(wg_session_t *s, uint32_t i, wg_sm_t **out, wg_diag_t *diag) {
  (void)i;
  return wg_sm_stub_create(s->preset.shape, NULL, out, diag);
}

const wg_session_backend_t wg_session_backend_stub = {.name = "stub", .timing = true, .create_sm = stub_create};

/* An SM's totals are read when a block ends: the GPU clears its SMs before a run returns. */
typedef struct func_state {
  wg_session_counts_t done; /* of all earlier launches */
  wg_ref_totals_t last[];   /* [num_sms] of this one */
} func_state_t;

static wg_status_t func_create(wg_session_t *s, uint32_t i, wg_sm_t **out, wg_diag_t *diag) {
  if (s->backend_state == NULL) {
    s->backend_state = calloc(1, sizeof(func_state_t) + s->preset.num_sms * sizeof(wg_ref_totals_t));
    if (s->backend_state == NULL) return wg_fail(diag, kWgNoSpace, "out of memory");
  }
  (void)i;
  /* short turns, so that the watchdog sees a loop that never ends soon */
  wg_sm_func_cfg_t cfg = {.mem = wg_sm_func_store_mem(s->store), .slice = 256, .race = s->race.checker, .span = s->span,
                           .tools = s->tools.checker, .writers = s->writers,
                           .half_block = s->cfg.half_block, .watch = s->debug.d == NULL ? NULL : &s->debug.watch};
  return wg_sm_func_create(s->preset.shape, &cfg, out, diag);
}

static void add_totals(wg_session_counts_t *sum, const wg_ref_totals_t *t) {
#define WG_COUNT(FIELD, KEY, TABLE, DOC) sum->FIELD += t->FIELD;
#include "model/counts.def"
}

static void func_begin(wg_session_t *s, const wg_module_t *m, size_t kernel, const wg_grid_t *grid,
                       unsigned launch) {
  func_state_t *f = s->backend_state;
  (void)m, (void)kernel, (void)grid, (void)launch;
  for (uint32_t i = 0; i < s->preset.num_sms; i++) {
    add_totals(&f->done, &f->last[i]);
    memset(&f->last[i], 0, sizeof f->last[i]);
  }
}

static void func_block_done(wg_session_t *s, uint64_t cycle, uint16_t sm, const wg_cta_done_t *done) {
  func_state_t *f = s->backend_state;
  (void)cycle, (void)done;
  f->last[sm] = wg_sm_func_totals(s->sms[sm]);
}

static void func_counts(const wg_session_t *s, wg_session_counts_t *out) {
  const func_state_t *f = s->backend_state;
  *out = f->done;
  for (uint32_t i = 0; i < s->preset.num_sms; i++) add_totals(out, &f->last[i]);
}

static void func_waits(const wg_session_t *s, char *buf, size_t n) {
  for (uint32_t i = 0; i < s->preset.num_sms; i++) {
    wg_sm_func_waits(s->sms[i], buf, n);
    if (buf[0] != '\0') return;
  }
}

static bool func_pcs(wg_session_t *s, uint32_t *lo, uint32_t *hi) {
  bool any = false;
  for (uint32_t i = 0; i < s->preset.num_sms; i++) any = wg_sm_func_pcs(s->sms[i], lo, hi) || any;
  return any;
}

static void func_spin_begin(wg_session_t *s) {
  for (uint32_t i = 0; i < s->preset.num_sms; i++) wg_sm_func_spin_begin(s->sms[i]);
}

static bool func_spins(wg_session_t *s, bool confirm, bool *any) {
  (void)confirm; /* accesses take effect at once */
  for (uint32_t i = 0; i < s->preset.num_sms; i++) {
    if (!wg_sm_func_spins(s->sms[i], any)) return false;
  }
  return true;
}

static wg_thread_state_t func_thread(const wg_session_t *s, uint32_t sm, const wg_writer_t *w, unsigned *barrier) {
  return wg_sm_func_thread(s->sms[sm], w->grid_id, w->ctaid, w->warp, w->lane, barrier);
}

static void func_spin_text(const wg_session_t *s, wg_spin_report_t *r) {
  for (uint32_t i = 0; i < s->preset.num_sms; i++) wg_sm_func_spin_text(s->sms[i], r);
}

const wg_session_backend_t wg_session_backend_func = {.name = "func",
                                                      .hashes = true,
                                                      .create_sm = func_create,
                                                      .begin = func_begin,
                                                      .counts_of = func_counts,
                                                      .block_done = func_block_done,
                                                      .waits = func_waits,
                                                      .pcs = func_pcs,
                                                      .spin_begin = func_spin_begin,
                                                      .spins = func_spins,
                                                      .thread = func_thread,
                                                      .spin_text = func_spin_text};
