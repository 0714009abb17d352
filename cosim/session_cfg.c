// SPDX-License-Identifier: Apache-2.0
//
// Settings of a run: one line of key=value words.
#define _POSIX_C_SOURCE 200809L
#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "cosim/blocks_c.h"
#include "cosim/debug/debug.h"
#include "cosim/events.h"
#include "cosim/session.h"
#include "cosim/session_words.h"
#include "cosim/trace_scope.h"
#include "model/gte/gte_policy.h"
#include "model/preset.h"
#include "model/sm/sm_pool.h"

/* Strings of a configuration, chained so that one call releases them. */
typedef struct str_node {
  struct str_node *next;
  char text[];
} str_node_t;

static const char *const kKeys[] = {"preset", "backend", "sched", "scheduler", "progress", "sms",    "check", "seed",
                                    "trace",  "from",    "to",    "inject", "oob",   "limit", "find", "schedule", "dep",
                                    "diverge", "split",  "reconverge", "first", "race", "span", "tools", "unsafe", "memory",
                                    "blocks", "order", "blocks_per_sm", "link", "blocklog", "concurrent", "jobs", "journal",
                                    "break", "debug_script", "gdb", "gdb_elf", "events", "events_depth", "events_sms", "events_window", "trace_scope", "trace_depth", NULL};

const char *const kWgSplitOrders[] = {"h200", "alternate", "random", NULL};

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

/* A number from `min` to `max`; `more` goes behind the range in the remedy. */
static wg_status_t set_count(const char *key, const char *value, uint64_t min, uint64_t max, const char *more, uint64_t *out,
                             wg_diag_t *diag) {
  char *end = NULL;
  errno = 0;
  bool hex = value[0] == '0' && (value[1] == 'x' || value[1] == 'X'); /* a leading 0 alone is no octal number here */
  unsigned long long v = strtoull(value, &end, hex ? 16 : 10);
  bool digits = isdigit((unsigned char)value[0]) && (!hex || isxdigit((unsigned char)value[2]));
  if (!digits || *end != '\0' || errno != 0 || v < min || v > max) {
    wg_status_t st = wg_fail(diag, kWgBadInput, "bad value '%s' of setting '%s'", value, key);
    if (diag != NULL) {
      snprintf(diag->hint, sizeof diag->hint, "a number from %llu to %llu%s", (unsigned long long)min, (unsigned long long)max, more);
    }
    return st;
  }
  *out = v;
  return kWgOk;
}

static wg_status_t set_number(const char *key, const char *value, uint64_t max, uint64_t *out, wg_diag_t *diag) {
  return set_count(key, value, 0, max, "", out, diag);
}

static wg_status_t choose(const char *key, const char *value, const char *const *names, unsigned *out,
                          wg_diag_t *diag) {
  for (unsigned i = 0; names[i] != NULL; i++) {
    if (strcmp(names[i], value) == 0) {
      *out = i;
      return kWgOk;
    }
  }
  if (diag != NULL) wg_word_hint(value, names, diag->hint, sizeof diag->hint);
  return wg_fail(diag, kWgBadInput, "bad value '%s' of setting '%s'", value, key);
}

void wg_preset_hint(wg_diag_t *diag) {
  enum { kMaxKeys = 160 };
  const char *keys[kMaxKeys + 1] = {NULL};
  static const char kBefore[] = "unknown key '";
  const char *at = diag == NULL || diag->hint[0] != '\0' ? NULL : strstr(diag->msg, kBefore);
  if (at == NULL) return;
  char word[64];
  at += sizeof kBefore - 1;
  snprintf(word, sizeof word, "%.*s", (int)strcspn(at, "'"), at);
  (void)wg_preset_keys(keys, kMaxKeys);
  wg_word_hint(word, keys, diag->hint, sizeof diag->hint);
}

/* Names are checked here, so that a wrong one is told before anything runs; where a path leads is seen when it is
   read. */
static wg_status_t check_preset(const char *name, wg_diag_t *diag) {
  enum { kMax = 64 };
  wg_preset_t q;
  if (strchr(name, '+') != NULL) { /* overrides */
    wg_status_t st = wg_preset_load(name, &q, diag);
    if (st == kWgBadInput) wg_preset_hint(diag);
    if (st != kWgNotFound) return st;
  }
  char names[kMax][32];
  const char *words[kMax + 1] = {NULL};
  size_t len = strlen(name), n = wg_preset_names(names, kMax);
  if (strchr(name, '/') != NULL || (len > 4 && strcmp(name + len - 4, ".cfg") == 0)) return kWgOk;
  for (size_t i = 0; i < n; i++) {
    words[i] = names[i];
    if (strcmp(names[i], name) == 0) return kWgOk;
  }
  wg_preset_t p;
  if (n == 0 || wg_preset_load(name, &p, NULL) == kWgOk) return kWgOk; /* from another folder */
  if (diag != NULL) wg_word_hint(name, words, diag->hint, sizeof diag->hint);
  return wg_fail(diag, kWgBadInput, "there is no preset '%s'", name);
}

/* A trace that cannot be made is told before anything runs. A device or a pipe is no place for one: the writer seeks. */
static wg_status_t check_trace(const char *path, wg_diag_t *diag) {
  struct stat info;
  struct statvfs disk;
  char dir[512];
  enum { kLeastBytes = 1 << 20 };
  const char *slash = strrchr(path, '/');
  snprintf(dir, sizeof dir, "%.*s", slash == NULL ? 1 : (int)(slash - path + 1), slash == NULL ? "." : path);
  bool there = stat(path, &info) == 0;
  if (diag != NULL) snprintf(diag->hint, sizeof diag->hint, "an ordinary file in a folder that is there and writable");
  if (there && !S_ISREG(info.st_mode)) {
    return wg_fail(diag, kWgBadInput, "cannot write the trace '%s': it is no ordinary file", path);
  }
  if (there && access(path, W_OK) != 0) {
    return wg_fail(diag, kWgBadInput, "cannot write the trace '%s': %s", path, strerror(errno));
  }
  if (slash != NULL && slash[1] == '\0') {
    return wg_fail(diag, kWgBadInput, "cannot write the trace '%s': it names a folder", path);
  }
  if (access(dir, W_OK | X_OK) != 0) {
    return wg_fail(diag, kWgBadInput, "cannot write the trace '%s': folder '%s': %s", path, dir, strerror(errno));
  }
  /* the writer maps its files: on a full disk it dies by SIGBUS, without a word */
  if (statvfs(dir, &disk) != 0 || disk.f_bavail >= kLeastBytes / disk.f_frsize + 1) return kWgOk;
  return wg_fail(diag, kWgBadInput, "cannot write the trace '%s': less than 1 MiB is free on its disk", path);
}

/* "kind" or "kind@cycle"; "none": the SM with the assertions, without a fault. */
static wg_status_t check_inject(const char *value, wg_diag_t *diag) {
  static const char *const kKinds[] = {
      "none",
#define WG_INJECT(KIND, PATH, BIT, VALUE, WHAT) KIND,
#include "cosim/inject.def"
#define WG_MEM_FAULT(ID, WORD, DOC) "mem-" WORD,
#include "model/mem/mem_faults.def"
#define WG_SUM_FAULT(ID, WORD, DOC) "sum-" WORD,
#include "model/sum_faults.def"
#define WG_GTE_FAULT(ID, WORD, DOC) "gte-" WORD,
#include "model/gte/gte_faults.def"
      NULL};
  char kind[32];
  const char *at = strchr(value, '@');
  uint64_t cycle = 0;
  snprintf(kind, sizeof kind, "%.*s", (int)(at == NULL ? strlen(value) : (size_t)(at - value)), value);
  bool known = false;
  for (size_t i = 0; kKinds[i] != NULL; i++) known = known || strcmp(kKinds[i], kind) == 0;
  if (!known) {
    if (diag != NULL) wg_word_hint(kind, kKinds, diag->hint, sizeof diag->hint);
    return wg_fail(diag, kWgBadInput, "cannot inject '%s': unknown kind", value);
  }
  if (at == NULL || (isdigit((unsigned char)at[1]) && set_number("inject", at + 1, UINT64_MAX, &cycle, NULL) == kWgOk &&
                     strpbrk(at, "xX") == NULL)) {
    return kWgOk;
  }
  if (diag != NULL) snprintf(diag->hint, sizeof diag->hint, "%s@N: from SM cycle N on, N from 0 to %llu", kind,
                             (unsigned long long)UINT64_MAX);
  return wg_fail(diag, kWgBadInput, "cannot inject '%s': bad cycle", value);
}

static wg_status_t check_find(const char *value, wg_diag_t *diag) {
  wg_when_t w;
  if (wg_when_parse(value, &w, diag) == kWgOk) return kWgOk;
  return wg_fail(diag, kWgBadInput, "bad value '%s' of setting 'find'", value);
}

/* Event traces, and which part of the SM a waveform shows. @return kWgNotFound: another key */
static wg_status_t set_events(wg_session_cfg_t *cfg, const char *key, const char *value, wg_diag_t *diag) {
  wg_events_window_t w;
  uint64_t n = 0;
  if (strcmp(key, "events") == 0) {
    WG_TRY(check_trace(value, diag));
    return set_string(cfg, &cfg->events, value, diag);
  }
  if (strcmp(key, "events_window") == 0) {
    WG_TRY(wg_events_window_parse(value, &w, diag));
    return set_string(cfg, &cfg->events_window, value, diag);
  }
  if (strcmp(key, "events_depth") == 0) {
    cfg->events_depth = wg_events_depth(value);
    if (cfg->events_depth != 0) return kWgOk;
    if (diag != NULL) wg_word_hint(value, wg_events_depths, diag->hint, sizeof diag->hint);
    return wg_fail(diag, kWgBadInput, "bad value '%s' of setting 'events_depth'", value);
  }
  if (strcmp(key, "trace_scope") == 0) {
    char instance[96];
    if (wg_trace_scope(value, kWgMaxSubCores, instance, sizeof instance)) return set_string(cfg, &cfg->trace_scope, value, diag);
    if (diag != NULL) wg_word_hint(value, wg_trace_scopes, diag->hint, sizeof diag->hint);
    return wg_fail(diag, kWgBadInput, "bad value '%s' of setting 'trace_scope'", value);
  }
  if (strcmp(key, "events_sms") != 0 && strcmp(key, "trace_depth") != 0) return kWgNotFound;
  WG_TRY(set_number(key, value, 1024, &n, diag));
  if (n == 0) {
    if (diag != NULL) snprintf(diag->hint, sizeof diag->hint, "1 to 1024; without the setting all");
    return wg_fail(diag, kWgBadInput, "bad value '0' of setting '%s'", key);
  }
  *(key[0] == 'e' ? &cfg->events_sms : &cfg->trace_depth) = (unsigned)n;
  return kWgOk;
}

/* The GigaThread engine's words: which SM a block goes to, which block is next, how many an SM holds. */
static wg_status_t set_blocks(wg_session_cfg_t *cfg, const char *key, const char *value, wg_diag_t *diag) {
  uint64_t n = 0;
  if (strcmp(key, "blocks") == 0) {
    wg_gte_choice_t c;
    WG_TRY(wg_blocks_choice_parse(value, &c, diag));
    return set_string(cfg, &cfg->blocks, value, diag);
  }
  if (strcmp(key, "order") == 0) {
    wg_gte_order_t o;
    WG_TRY(wg_gte_order_parse(value, &o, diag));
    return set_string(cfg, &cfg->order, value, diag);
  }
  if (strcmp(key, "blocklog") == 0) return set_string(cfg, &cfg->blocklog, value, diag);
  WG_TRY(set_count(key, value, 1, kWgMaxBlockSlots, "; without the setting the preset's number", &n, diag));
  cfg->blocks_per_sm = (unsigned)n;
  return kWgOk;
}

/* NAME or NAME:ARGUMENT; the name becomes a file's. */
static wg_status_t check_memory(const char *value, wg_diag_t *diag) {
  size_t n = strcspn(value, ":");
  bool good = n > 0 && n < 64;
  for (size_t i = 0; good && i < n; i++) good = isalnum((unsigned char)value[i]) || value[i] == '_' || value[i] == '-';
  if (good) return kWgOk;
  if (diag != NULL) {
    snprintf(diag->hint, sizeof diag->hint, "memory=NAME:ARGUMENT loads build/systemc/NAME.so, made by scripts/systemc_memory.sh");
  }
  return wg_fail(diag, kWgBadInput, "bad value '%s' of setting 'memory'", value);
}

/* "mem,init,sync": which checks look on. */
static wg_status_t set_tools(wg_session_cfg_t *cfg, const char *value, wg_diag_t *diag) {
  static const char *const kNames[] = {"mem", "init", "init-all", "sync", "advice", "race", "all", "off", NULL};
  enum { kInitAll = kWgToolInit | kWgToolInitAll };
  static const unsigned kBits[] = {kWgToolMem, kWgToolInit, kInitAll, kWgToolSync, kWgToolAdvice, 0u,
                                   kWgToolMem | kInitAll | kWgToolSync, 0u};
  unsigned tools = 0u, i = 0u;
  wg_session_race_t race = kWgSessionRaceOff;
  for (const char *p = value;; p++) {
    char word[24];
    size_t n = strcspn(p, ",");
    snprintf(word, sizeof word, "%.*s", (int)n, p);
    WG_TRY(choose("tools", word, kNames, &i, diag));
    tools |= kBits[i];
    if (i == 5u && race == kWgSessionRaceOff) race = kWgSessionRaceOn;
    if (i == 6u) race = kWgSessionRaceNote;
    p += n;
    if (*p == '\0') break;
  }
  cfg->tools = tools;
  if (cfg->race_by_tools) cfg->race = kWgSessionRaceOff;
  cfg->race_by_tools = race != kWgSessionRaceOff && cfg->race == kWgSessionRaceOff;
  if (cfg->race_by_tools) cfg->race = race;
  return kWgOk;
}

static wg_status_t set_one(wg_session_cfg_t *cfg, const char *key, const char *value, wg_diag_t *diag) {
  static const char *const kChecks[] = {"off", "retire", "units", NULL};
  static const char *const kBackends[] = {"rtl", "func", "stub", "systemc", NULL};
  static const char *const kOob[] = {"alloc", "page", "exact", NULL};
  uint64_t n = 0;
  unsigned i = 0;
  if (value[0] == '\0') return wg_fail(diag, kWgBadInput, "setting '%s' has no value", key);
  if (strcmp(key, "preset") == 0) {
    WG_TRY(check_preset(value, diag));
    return set_string(cfg, &cfg->preset, value, diag);
  }
  wg_status_t st = set_events(cfg, key, value, diag);
  if (st != kWgNotFound) return st;
  if (strcmp(key, "break") == 0) {
    WG_TRY(wg_debug_check_breaks(value, 0, diag));
    return set_string(cfg, &cfg->breaks, value, diag);
  }
  if (strcmp(key, "gdb") == 0) {
    WG_TRY(wg_debug_check_gdb(value, diag));
    return set_string(cfg, &cfg->gdb, value, diag);
  }
  if (strcmp(key, "gdb_elf") == 0) return set_string(cfg, &cfg->gdb_elf, value, diag);
  if (strcmp(key, "debug_script") == 0) return set_string(cfg, &cfg->debug_script, value, diag);
  if (strcmp(key, "journal") == 0) return set_string(cfg, &cfg->journal, value, diag);
  if (strcmp(key, "jobs") == 0) {
    WG_TRY(set_count(key, value, 1, kWgMaxJobs, ": host threads", &n, diag));
    cfg->jobs = (unsigned)n;
    return kWgOk;
  }
  if (strcmp(key, "memory") == 0) {
    WG_TRY(check_memory(value, diag));
    return set_string(cfg, &cfg->memory, value, diag);
  }
  if (strcmp(key, "trace") == 0) {
    WG_TRY(check_trace(value, diag));
    return set_string(cfg, &cfg->trace_path, value, diag);
  }
  if (strcmp(key, "find") == 0) {
    WG_TRY(check_find(value, diag));
    return set_string(cfg, &cfg->find, value, diag);
  }
  if (strcmp(key, "inject") == 0) {
    WG_TRY(check_inject(value, diag));
    return set_string(cfg, &cfg->inject, value, diag);
  }
  if (strcmp(key, "from") == 0) return set_number(key, value, UINT64_MAX, &cfg->trace_from, diag);
  if (strcmp(key, "to") == 0) return set_number(key, value, UINT64_MAX, &cfg->trace_to, diag);
  if (strcmp(key, "limit") == 0) return set_number(key, value, UINT64_MAX, &cfg->limit, diag);
  if (strcmp(key, "seed") == 0) return set_number(key, value, UINT64_MAX, &cfg->seed, diag);
  if (strcmp(key, "sched") == 0 || strcmp(key, "scheduler") == 0) {
    wg_sched_choice_t choice;
    WG_TRY(wg_sched_choice_parse(value, &choice, diag));
    return set_string(cfg, &cfg->sched, value, diag);
  }
  if (strcmp(key, "blocks") == 0 || strcmp(key, "order") == 0 || strcmp(key, "blocks_per_sm") == 0 ||
      strcmp(key, "blocklog") == 0) {
    return set_blocks(cfg, key, value, diag);
  }
  if (strcmp(key, "sms") == 0) {
    WG_TRY(set_count(key, value, 1, 1024, "; without the setting the preset's number", &n, diag));
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
  if (strcmp(key, "progress") == 0) {
    WG_TRY(wg_progress_parse(value, &cfg->progress_cycles, diag));
    cfg->has_progress = true;
    return kWgOk;
  }
  if (strcmp(key, "diverge") == 0) {
    static const char *const kModes[] = {"stack", "its", NULL};
    WG_TRY(choose(key, value, kModes, &i, diag));
    cfg->diverge = kModes[i]; /* literals: nothing to keep */
    return kWgOk;
  }
  if (strcmp(key, "dep") == 0) {
    static const char *const kModes[] = {"scoreboard", "control-bits", NULL};
    WG_TRY(choose(key, value, kModes, &i, diag));
    cfg->dep = kModes[i];
    return kWgOk;
  }
  if (strcmp(key, "split") == 0) {
    WG_TRY(choose(key, value, kWgSplitOrders, &i, diag));
    cfg->split = kWgSplitOrders[i];
    return kWgOk;
  }
  if (strcmp(key, "concurrent") == 0 || strcmp(key, "span") == 0) {
    static const char *const kOnOff[] = {"on", "off", NULL};
    WG_TRY(choose(key, value, kOnOff, &i, diag));
    *(key[0] == 'c' ? &cfg->concurrent : &cfg->span) = i == 0;
    return kWgOk;
  }
  if (strcmp(key, "link") == 0) {
    static const char *const kLinks[] = {
#define WG_COPY_LINK(NAME, LANES, RATE, BITS, OF, PERMILLE, SOURCE) #NAME,
#include "model/copy/links.def"
        NULL};
    WG_TRY(choose(key, value, kLinks, &i, diag));
    cfg->link = kLinks[i];
    return kWgOk;
  }
  if (strcmp(key, "first") == 0) {
    static const char *const kRules[] = {"literal", "rotate", NULL};
    WG_TRY(choose(key, value, kRules, &i, diag));
    cfg->first = kRules[i];
    return kWgOk;
  }
  if (strcmp(key, "schedule") == 0 || strcmp(key, "reconverge") == 0) {
    static const char *const kOnOff[] = {"on", "off", NULL};
    WG_TRY(choose(key, value, kOnOff, &i, diag));
    *(key[0] == 's' ? &cfg->no_schedule : &cfg->no_reconverge) = i == 1;
    return kWgOk;
  }
  if (strcmp(key, "race") == 0) {
    static const char *const kRaces[] = {"off", "on", "note", NULL};
    WG_TRY(choose(key, value, kRaces, &i, diag));
    cfg->race = (wg_session_race_t)i;
    cfg->race_by_tools = false;
    return kWgOk;
  }
  if (strcmp(key, "unsafe") == 0) {
    static const char *const kUnsafe[] = {"none", "half-block", NULL};
    WG_TRY(choose(key, value, kUnsafe, &i, diag));
    cfg->half_block = i == 1;
    return kWgOk;
  }
  if (strcmp(key, "tools") == 0) return set_tools(cfg, value, diag);
  if (strcmp(key, "oob") == 0) {
    WG_TRY(choose(key, value, kOob, &i, diag));
    cfg->oob = (wg_oob_t)i;
    return kWgOk;
  }
  if (diag != NULL) wg_word_hint(key, kKeys, diag->hint, sizeof diag->hint);
  return wg_fail(diag, kWgBadInput, "unknown setting '%s'", key);
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
  if (cfg->trace_to != 0 && cfg->trace_to <= cfg->trace_from) {
    if (diag != NULL) {
      snprintf(diag->hint, sizeof diag->hint, "the window is [from, to) in SM cycles; to=0 is the end of the run");
    }
    return wg_fail(diag, kWgBadInput, "no cycle lies between from=%llu and to=%llu", (unsigned long long)cfg->trace_from,
                   (unsigned long long)cfg->trace_to);
  }
  return kWgOk;
}
