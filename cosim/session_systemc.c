// SPDX-License-Identifier: Apache-2.0
//
// The `systemc` back end: the SMs of the `rtl` one inside a SystemC top (cosim/systemc), loaded when first asked for. SystemC owns
// the clock: a cycle of the GPU is a period of the top's.
#define _POSIX_C_SOURCE 200809L
#include <dlfcn.h>
#include <string.h>
#include <unistd.h>

#include "cosim/paths.h"
#include "cosim/session_int.h"
#include "cosim/so_open.h"
#include "cosim/systemc/wg_sc_api.h"

struct wg_session_systemc {
  const wg_sc_api_t *api;
  wg_sc_top_t *top;
  bool broken; /* the top is not called any more */
};

static const wg_sc_gpu_ops_t kGpuOps = {.begin_cycle = wg_gpu_begin_cycle,
                                        .end_cycle = wg_gpu_end_cycle,
                                        .req_room = wg_gpu_req_room,
                                        .perform = wg_gpu_perform,
                                        .note_traffic = wg_gpu_note_traffic};

static wg_status_t load(const wg_sc_api_t **out, wg_diag_t *diag) {
  char path[4096], why[4400];
  wg_path_build(path, sizeof path, "lib/libwgsystemc.so");
  void *library = wg_so_open(path, RTLD_NOW | RTLD_LOCAL, why, sizeof why); /* stays loaded: SystemC has one state a process */
  if (library == NULL) {
    if (diag != NULL) snprintf(diag->hint, sizeof diag->hint, "make systemc");
    return wg_fail(diag, kWgNotFound, "cannot load the SystemC top: %s", why);
  }
  const wg_sc_api_t *api = (const wg_sc_api_t *)dlsym(library, "wg_sc_api");
  if (api == NULL || api->abi_version != kWgAbiVersion) {
    if (diag != NULL) snprintf(diag->hint, sizeof diag->hint, "rebuild it: make systemc");
    return wg_fail(diag, kWgMismatch, "'%s' was built for another ABI version", path);
  }
  *out = api;
  return kWgOk;
}

/* After a failure inside the top nothing clocks the SMs; cycles go on empty, so that the run ends. */
static void cycle(void *ctx, wg_gpu_t *g) {
  struct wg_session_systemc *c = ctx;
  const char *why = NULL;
  uint64_t before = wg_gpu_cycle(g), ns;
  bool kill;
  if (!c->broken) why = c->api->cycle(c->top, g);
  if (why != NULL) {
    wg_diag_t diag = {0};
    wg_gpu_stop(g, wg_fail(&diag, kWgBadInput, "%s", why), &diag);
  }
  if (wg_gpu_cycle(g) != before) return;
  c->broken = true;
  wg_gpu_begin_cycle(g, &ns, &kill);
  wg_gpu_end_cycle(g);
}

/* build/systemc/NAME.so of `memory=NAME[:ARG]`. @param name [n] @param path [4096] */
static void memory_of(const char *memory, char *name, size_t n, char path[4096]) {
  snprintf(name, n, "%.*s", (int)strcspn(memory, ":"), memory);
  wg_path_build(path, 4096, "systemc/%s.so", name);
}

wg_status_t wg_session_systemc_there(const wg_session_t *s, wg_diag_t *diag) {
  const wg_sc_api_t *api = NULL;
  char path[4096], name[64];
  WG_TRY(load(&api, diag));
  if (s->cfg.memory == NULL) return kWgOk;
  memory_of(s->cfg.memory, name, sizeof name, path);
  char why[4400];
  if (wg_so_whole(path, why, sizeof why)) return kWgOk;
  if (diag != NULL) snprintf(diag->hint, sizeof diag->hint, "scripts/systemc_memory.sh %s FILE.cc", name);
  return wg_fail(diag, kWgNotFound, "cannot load the memory '%s': %s", name, why);
}

wg_status_t wg_session_systemc_wrap(wg_session_t *s, wg_gpu_cfg_t *cfg, wg_diag_t *diag) {
  wg_sc_env_t env = {.gpu = &kGpuOps, .sms = s->sms, .num_sms = s->preset.num_sms, .clock_khz = s->preset.clock_khz,
                     .rsp_per_cycle = s->preset.sm.rsp_per_cycle, .memory_arg = ""};
  char path[4096], name[64];
  if (s->cfg.memory != NULL) {
    size_t n = strcspn(s->cfg.memory, ":");
    memory_of(s->cfg.memory, name, sizeof name, path);
    env.memory_path = path;
    env.memory_name = name;
    if (s->cfg.memory[n] == ':') env.memory_arg = s->cfg.memory + n + 1;
  }
  s->systemc = calloc(1, sizeof *s->systemc);
  if (s->systemc == NULL) return wg_fail(diag, kWgNoSpace, "out of memory");
  WG_TRY(load(&s->systemc->api, diag));
  WG_TRY(s->systemc->api->create(&env, &s->systemc->top, diag));
  cfg->sms = s->systemc->api->ports(s->systemc->top);
  cfg->cycle = cycle;
  cfg->cycle_ctx = s->systemc;
  return kWgOk;
}

void wg_session_systemc_unwrap(wg_session_t *s) {
  if (s->systemc != NULL && s->systemc->top != NULL) s->systemc->api->destroy(s->systemc->top);
  free(s->systemc);
  s->systemc = NULL;
}
