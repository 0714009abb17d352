// SPDX-License-Identifier: Apache-2.0
#include "cosim/blocks_c.h"

#include <ctype.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "cosim/paths.h"
#include "cosim/so_open.h"
#include "model/gte/policy_c.h"

/* A loaded policy with the name that the engine knows it by. */
typedef struct loaded {
  wg_gte_policy_t policy;
  char name[kWgBlocksCName + 3];
} loaded_t;

static wg_status_t check_knobs(const wg_gte_policy_t *p, const char *path, wg_diag_t *diag) {
  bool good = p->num_knobs <= kWgGteMaxKnobs && (p->num_knobs == 0 || p->knobs != NULL) && p->period_knob < (int)p->num_knobs;
  for (uint32_t i = 0; good && i < p->num_knobs; i++) good = p->lo[i] <= p->knob[i] && p->knob[i] <= p->hi[i];
  if (p->pick == NULL) return wg_fail(diag, kWgMismatch, "the block policy in '%s' has no pick", path);
  if (!good) return wg_fail(diag, kWgMismatch, "the knobs of the block policy in '%s' are not in order", path);
  if (p->period_knob >= 0 && p->lo[p->period_knob] == 0) {
    return wg_fail(diag, kWgMismatch, "the period of the block policy in '%s' may be 0", path);
  }
  if (p->period_knob >= 0 && p->sample == NULL) {
    return wg_fail(diag, kWgMismatch, "the block policy in '%s' has a period but no sample", path);
  }
  return kWgOk;
}

static wg_status_t load(const char *name, wg_diag_t *diag) {
  char path[4096], symbol[64], why[4400];
  wg_path_build(path, sizeof path, "plugin/blocks/%s.so", name);
  if (diag != NULL) snprintf(diag->hint, sizeof diag->hint, "scripts/cblocks.sh %s FILE.c", name);
  void *library = wg_so_open(path, RTLD_NOW | RTLD_LOCAL, why, sizeof why); /* stays loaded: engines use it */
  if (library == NULL) return wg_fail(diag, kWgNotFound, "cannot load the block policy '%s': %s", name, why);
  snprintf(symbol, sizeof symbol, "wg_gte_policy_%s", name);
  const wg_gte_policy_t *p = (const wg_gte_policy_t *)dlsym(library, symbol);
  const uint32_t *abi = (const uint32_t *)dlsym(library, "wg_gte_plugin_abi");
  wg_gte_view_calls_t *calls = (wg_gte_view_calls_t *)dlsym(library, "wg_gte_plugin_calls");
  if (p == NULL) return wg_fail(diag, kWgMismatch, "'%s' does not define '%s'", path, symbol);
  if (abi == NULL || *abi != kWgGteAbi || calls == NULL) {
    return wg_fail(diag, kWgMismatch, "'%s' is no block policy of this interface version", path);
  }
  WG_TRY(check_knobs(p, path, diag));
  *calls = (wg_gte_view_calls_t){wg_gte_view_sms,      wg_gte_view_sub_cores, wg_gte_view_fits,
                                 wg_gte_view_room,     wg_gte_view_capacity,  wg_gte_view_total,
                                 wg_gte_view_left,     wg_gte_view_grids,     wg_gte_view_sm};
  loaded_t *l = malloc(sizeof *l);
  if (l == NULL) return wg_fail(diag, kWgNoSpace, "out of memory");
  memcpy(&l->policy, p, sizeof l->policy);
  snprintf(l->name, sizeof l->name, "c:%s", name);
  l->policy.name = l->name;
  if (l->policy.doc == NULL) l->policy.doc = "a policy in C";
  if (l->policy.source == NULL) l->policy.source = "build/plugin/blocks";
  if (!wg_gte_policy_add(&l->policy)) {
    free(l);
    return wg_fail(diag, kWgNoSpace, "too many block policies in C");
  }
  if (diag != NULL) diag->hint[0] = '\0';
  return kWgOk;
}

wg_status_t wg_blocks_choice_parse(const char *text, wg_gte_choice_t *out, wg_diag_t *diag) {
  if (strncmp(text, "c:", 2) != 0) return wg_gte_choice_parse(text, out, diag);
  char full[kWgBlocksCName + 3];
  size_t n = strcspn(text + 2, ":");
  bool good = n > 0 && n <= kWgBlocksCName && !isdigit((unsigned char)text[2]);
  for (size_t i = 0; i < n && good; i++) good = isalnum((unsigned char)text[2 + i]) || text[2 + i] == '_';
  if (!good) {
    if (diag != NULL) snprintf(diag->hint, sizeof diag->hint, "c:NAME with 1 to %d letters, digits and _", (int)kWgBlocksCName);
    return wg_fail(diag, kWgBadInput, "'%s' names no block policy in C", text);
  }
  snprintf(full, sizeof full, "c:%.*s", (int)n, text + 2);
  if (wg_gte_policy_find(full) == NULL) WG_TRY(load(full + 2, diag));
  return wg_gte_choice_parse(text, out, diag);
}
