// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "cosim/policy_c.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cosim/paths.h"
#include "cosim/so_open.h"

static void *create(const wg_policy_plugin_t *self, uint32_t warp_slots, const uint32_t knob[4], uint32_t progress_cycles) {
  wg_sched_t *s = malloc(sizeof *s);
  WG_BUG(s == NULL);
  wg_sched_init(s, self->impl, warp_slots, knob, progress_cycles);
  return s;
}

static int pick(void *state, const sm_sched_view_t *view, uint16_t *withheld) {
  wg_sched_more_t more;
  memcpy(more.reason, view->reason, sizeof more.reason);
  memcpy(more.block, view->block, sizeof more.block);
  memcpy(more.pending_loads, view->pending_loads, sizeof more.pending_loads);
  memcpy(more.depth, view->depth, sizeof more.depth);
  memcpy(more.since_issue, view->since_issue, sizeof more.since_issue);
  wg_sched_in_t in = {.valid = view->valid, .eligible = view->eligible, .more = &more};
  wg_sched_unpack(&in, view->event);
  wg_sched_out_t o = wg_sched_step(state, &in);
  *withheld = o.withheld;
  return o.issue ? (int)o.warp : -1;
}

void wg_policy_c_wrap(const wg_sched_policy_t *policy, const char *name, wg_policy_plugin_t *out) {
  wg_policy_plugin_t p = {
      .abi_version = kWgAbiVersion, .name = name, .impl = policy, .create = create, .pick = pick, .destroy = free};
  memcpy(out, &p, sizeof p);
}

/* Loaded policies stay: SMs and other sessions use them. */
typedef struct loaded {
  struct loaded *next;
  wg_policy_plugin_t plugin;
  char name[];
} loaded_t;
static loaded_t *all;

wg_status_t wg_policy_c_load(const char *name, const wg_policy_plugin_t **out, wg_diag_t *diag) {
  char path[4096], symbol[80], why[4400];
  wg_path_build(path, sizeof path, "plugin/c/%s.so", name);
  void *library = wg_so_open(path, RTLD_NOW | RTLD_LOCAL, why, sizeof why); /* stays loaded: its code may be on a profiler's stack */
  if (diag != NULL) snprintf(diag->hint, sizeof diag->hint, "scripts/cpolicy.sh %s FILE.c", name);
  if (library == NULL) return wg_fail(diag, kWgNotFound, "cannot load the C policy '%s': %s", name, why);
  snprintf(symbol, sizeof symbol, "wg_sched_%s", name);
  const wg_sched_policy_t *p = (const wg_sched_policy_t *)dlsym(library, symbol);
  if (p == NULL) return wg_fail(diag, kWgMismatch, "'%s' does not define '%s'", path, symbol);
  if (p->abi != kWgSchedAbi || p->pick == NULL) {
    return wg_fail(diag, kWgMismatch, "'%s' in '%s' is no policy of this interface version", symbol, path);
  }
  for (loaded_t *l = all; l != NULL; l = l->next) { /* a sweep asks for each of its points */
    if (l->plugin.impl != p || strcmp(l->name, name) != 0) continue;
    if (diag != NULL) diag->hint[0] = '\0';
    *out = &l->plugin;
    return kWgOk;
  }
  loaded_t *l = malloc(sizeof *l + strlen(name) + 1);
  if (l == NULL) return wg_fail(diag, kWgNoSpace, "out of memory");
  strcpy(l->name, name);
  wg_policy_c_wrap(p, l->name, &l->plugin);
  l->next = all;
  all = l;
  if (diag != NULL) diag->hint[0] = '\0';
  *out = &l->plugin;
  return kWgOk;
}
