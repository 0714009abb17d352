// SPDX-License-Identifier: Apache-2.0
//
// Settings of a run: one line of key=value words.
#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "cosim/session.h"
#include "cosim/session_words.h"
#include "cosim/sm_rtl.h"

/* Strings of a configuration, chained so that one call releases them. */
typedef struct str_node {
  struct str_node *next;
  char text[];
} str_node_t;

static const char *const kKeys[] = {"preset", "backend", "sched", "sms",    "check", "seed",
                                    "trace",  "from",    "to",    "inject", "oob",   "limit", "find", "schedule", NULL};

static const char *keep(wg_session_cfg_t *cfg, const char *text) {
  size_t n = strlen(text) + 1;
  str_node_t *node = malloc(sizeof *node + n);
  if (node == NULL) return NULL;
  node->next = cfg->strings;
  memcpy(node->text, text, n);
  cfg->strings = node;
  return node->text;
}

void wg_session_cfg_init(wg_session_cfg_t *cfg) {
  memset(cfg, 0, sizeof *cfg);
  cfg->check = kWgCheckRetire;
}

void wg_session_cfg_clear(wg_session_cfg_t *cfg) {
  if (cfg == NULL) return;
  for (str_node_t *n = cfg->strings; n != NULL;) {
    str_node_t *next = n->next;
    free(n);
    n = next;
  }
  memset(cfg, 0, sizeof *cfg);
}

static wg_status_t set_string(wg_session_cfg_t *cfg, const char **field, const char *value, wg_diag_t *diag) {
  const char *p = keep(cfg, value);
  if (p == NULL) return wg_fail(diag, kWgNoSpace, "out of memory");
  *field = p;
  return kWgOk;
}

static wg_status_t set_number(const char *key, const char *value, uint64_t max, uint64_t *out, wg_diag_t *diag) {
  char *end = NULL;
  errno = 0;
  unsigned long long v = strtoull(value, &end, 0);
  if (!isdigit((unsigned char)value[0]) || *end != '\0' || errno != 0 || v > max) {
    wg_status_t st = wg_fail(diag, kWgBadInput, "bad value '%s' of setting '%s'", value, key);
    if (diag != NULL) snprintf(diag->hint, sizeof diag->hint, "a number from 0 to %llu", (unsigned long long)max);
    return st;
  }
  *out = v;
  return kWgOk;
}

static wg_status_t choose(const char *key, const char *value, const char *const *names, unsigned *out,
                          wg_diag_t *diag) {
  for (unsigned i = 0; names[i] != NULL; i++) {
    if (strcmp(names[i], value) == 0) {
      *out = i;
      return kWgOk;
    }
  }
  wg_status_t st = wg_fail(diag, kWgBadInput, "bad value '%s' of setting '%s'", value, key);
  if (diag != NULL) {
    int n = snprintf(diag->hint, sizeof diag->hint, "one of:");
    for (unsigned i = 0; names[i] != NULL; i++) {
      n += snprintf(diag->hint + n, sizeof diag->hint - (size_t)n, " %s", names[i]);
    }
  }
  return st;
}

static wg_status_t set_one(wg_session_cfg_t *cfg, const char *key, const char *value, wg_diag_t *diag) {
  static const char *const kChecks[] = {"off", "retire", "units", NULL};
  static const char *const kBackends[] = {"rtl", "func", "stub", NULL};
  static const char *const kOob[] = {"alloc", "page", NULL};
  uint64_t n = 0;
  unsigned i = 0;
  if (value[0] == '\0') return wg_fail(diag, kWgBadInput, "setting '%s' has no value", key);
  if (strcmp(key, "preset") == 0) return set_string(cfg, &cfg->preset, value, diag);
  if (strcmp(key, "trace") == 0) return set_string(cfg, &cfg->trace_path, value, diag);
  if (strcmp(key, "find") == 0) {
    wg_find_t find;
    if (!wg_find_parse(value, &find)) {
      if (diag != NULL) snprintf(diag->hint, sizeof diag->hint, "pc:0x40, block:3 or barrier:0");
      return wg_fail(diag, kWgBadInput, "bad value '%s' of setting 'find'", value);
    }
    return set_string(cfg, &cfg->find, value, diag);
  }
  if (strcmp(key, "inject") == 0) return set_string(cfg, &cfg->inject, value, diag);
  if (strcmp(key, "from") == 0) return set_number(key, value, UINT64_MAX, &cfg->trace_from, diag);
  if (strcmp(key, "to") == 0) return set_number(key, value, UINT64_MAX, &cfg->trace_to, diag);
  if (strcmp(key, "limit") == 0) return set_number(key, value, UINT64_MAX, &cfg->limit, diag);
  if (strcmp(key, "seed") == 0) return set_number(key, value, UINT64_MAX, &cfg->seed, diag);
  if (strcmp(key, "sched") == 0) {
    if (strncmp(value, "plugin:", 7) != 0 && wg_policy_find(value) < 0) {
      return wg_fail(diag, kWgBadInput, "unknown warp scheduler '%s'", value);
    }
    return set_string(cfg, &cfg->sched, value, diag);
  }
  if (strcmp(key, "sms") == 0) {
    WG_TRY(set_number(key, value, 1024, &n, diag));
    cfg->num_sms = (unsigned)n;
    return kWgOk;
  }
  if (strcmp(key, "check") == 0) {
    WG_TRY(choose(key, value, kChecks, &i, diag));
    cfg->check = (wg_check_t)i;
    return kWgOk;
  }
  if (strcmp(key, "backend") == 0) {
    WG_TRY(choose(key, value, kBackends, &i, diag));
    return set_string(cfg, &cfg->backend, kBackends[i], diag);
  }
  if (strcmp(key, "schedule") == 0) {
    static const char *const kOnOff[] = {"on", "off", NULL};
    WG_TRY(choose(key, value, kOnOff, &i, diag));
    cfg->no_schedule = i == 1;
    return kWgOk;
  }
  if (strcmp(key, "oob") == 0) {
    WG_TRY(choose(key, value, kOob, &i, diag));
    cfg->oob_page = i == 1;
    return kWgOk;
  }
  const char *near = wg_word_nearest(key, kKeys);
  wg_status_t st = wg_fail(diag, kWgBadInput, "unknown setting '%s'", key);
  if (diag != NULL && near != NULL) snprintf(diag->hint, sizeof diag->hint, "did you mean '%s'?", near);
  return st;
}

wg_status_t wg_session_parse(const char *settings, wg_session_cfg_t *cfg, wg_diag_t *diag) {
  for (const char *p = settings == NULL ? "" : settings; *p != '\0';) {
    if (isspace((unsigned char)*p)) {
      p++;
      continue;
    }
    const char *end = p;
    while (*end != '\0' && !isspace((unsigned char)*end)) end++;
    char word[512];
    size_t n = (size_t)(end - p);
    if (n >= sizeof word) return wg_fail(diag, kWgBadInput, "a setting of %zu letters is too long", n);
    memcpy(word, p, n);
    word[n] = '\0';
    char *eq = strchr(word, '=');
    if (eq == NULL) return wg_fail(diag, kWgBadInput, "setting '%s' is not of the form key=value", word);
    *eq = '\0';
    WG_TRY(set_one(cfg, word, eq + 1, diag));
    p = end;
  }
  return kWgOk;
}
