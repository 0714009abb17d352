// SPDX-License-Identifier: Apache-2.0
//
// Setting events=FILE: what the SMs do, as an event trace (cosim/events.h).
#include <string.h>

#include "cosim/session_int.h"

wg_status_t wg_session_events_check(const wg_session_t *s, wg_diag_t *diag) {
  if (s->cfg.events == NULL || s->backend->lockstep) return kWgOk;
  if (diag != NULL) snprintf(diag->hint, sizeof diag->hint, "backend=rtl");
  return wg_fail(diag, kWgBadInput, "events=%s needs an SM with probes: the back end '%s' has none", s->cfg.events, s->backend->name);
}

wg_status_t wg_session_events_open(wg_session_t *s, wg_diag_t *diag) {
  if (s->cfg.events == NULL) return kWgOk;
  wg_events_cfg_t c = {.path = s->cfg.events, .preset = s->preset.name, .window_text = s->cfg.events_window, .shape = s->preset.shape,
                       .num_sms = s->preset.num_sms, .clock_khz = s->preset.clock_khz, .depth = s->cfg.events_depth,
                       .window = {.to = UINT64_MAX}};
  if (c.depth == 0) c.depth = kWgEventDepthPipe;
  if (c.window_text != NULL) WG_TRY(wg_events_window_parse(c.window_text, &c.window, diag));
  return wg_events_create(&c, &s->events.out, diag);
}

wg_recorder_t *wg_session_events_recorder(wg_session_t *s, uint32_t sm, wg_when_t *window) {
  if (s->events.out == NULL || (s->cfg.events_sms != 0 && sm >= s->cfg.events_sms)) return NULL;
  wg_events_window_t w;
  if (s->cfg.events_window != NULL && wg_events_window_parse(s->cfg.events_window, &w, NULL) == kWgOk) *window = w.when;
  return wg_recorder_new(s->events.out, (uint16_t)sm);
}

void wg_session_events_launch(wg_session_t *s, const wg_launch_t *l, size_t kernel, const wg_grid_t *g) {
  if (s->events.out == NULL) return;
  wg_events_launch_t e = {.grid_id = g->grid_id, .kernel = (uint32_t)kernel, .time_ns = wg_gpu_time_ns(s->gpu)};
  memcpy(e.grid, g->grid, sizeof e.grid);
  memcpy(e.block, g->block, sizeof e.block);
  while (e.module < s->events.modules && s->events.module[e.module] != l->module) e.module++;
  if (e.module == s->events.modules) {
    if (s->events.modules == kWgEventModules) return; /* more modules than a program has; its code is then not known */
    s->events.module[s->events.modules++] = l->module;
    wg_events_module(s->events.out, l->module->obj, l->module->code);
  }
  wg_events_launch(s->events.out, &e);
}

bool wg_session_events_finish(wg_session_t *s, char *why, size_t n) {
  wg_diag_t d;
  memset(&d, 0, sizeof d);
  wg_status_t st = wg_events_close(s->events.out, s->failed, s->failed_diag.msg, &d);
  if (st != kWgOk) snprintf(why, n, "%s", d.msg);
  return st == kWgOk;
}
