// SPDX-License-Identifier: Apache-2.0
#include "cosim/session_words.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kMaxWord = 63 };

static unsigned min2(unsigned a, unsigned b) { return a < b ? a : b; }

static bool same_letter(char a, char b) { return tolower((unsigned char)a) == tolower((unsigned char)b); }

unsigned wg_word_distance(const char *a, const char *b) {
  size_t na = strlen(a), nb = strlen(b);
  if (na > kMaxWord || nb > kMaxWord) return kMaxWord + 1;
  unsigned d[3][kMaxWord + 1]; /* rows i - 2, i - 1, i of the distance table */
  for (size_t j = 0; j <= nb; j++) d[1][j] = (unsigned)j;
  for (size_t i = 1; i <= na; i++) {
    d[2][0] = (unsigned)i;
    for (size_t j = 1; j <= nb; j++) {
      unsigned sub = d[1][j - 1] + (same_letter(a[i - 1], b[j - 1]) ? 0u : 1u);
      unsigned best = min2(sub, min2(d[1][j], d[2][j - 1]) + 1);
      if (i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) && same_letter(a[i - 2], b[j - 1])) best = min2(best, d[0][j - 2] + 1);
      d[2][j] = best;
    }
    memcpy(d[0], d[1], sizeof d[0]);
    memcpy(d[1], d[2], sizeof d[1]);
  }
  return d[1][nb];
}

void wg_word_hint(const char *word, const char *const *known, char *out, size_t n) {
  static const char kMore[] = " ...";
  const char *near = wg_word_nearest(word, known);
  WG_BUG(n < 128);
  int used = near != NULL ? snprintf(out, n, "did you mean '%.40s'? one of:", near) : snprintf(out, n, "one of:");
  size_t at = (size_t)used;
  for (; *known != NULL; known++) {
    size_t len = strlen(*known);
    bool last = known[1] == NULL;
    if (at + 1 + len + (last ? 0 : sizeof kMore - 1) + 1 > n) {
      snprintf(out + at, n - at, "%s", kMore);
      return;
    }
    at += (size_t)snprintf(out + at, n - at, " %s", *known);
  }
}

const char *wg_word_nearest(const char *word, const char *const *known) {
  const char *best = NULL;
  unsigned dist = (unsigned)(strlen(word) + 1) / 2;
  if (dist < 2) dist = 2;
  for (; *known != NULL; known++) {
    unsigned d = wg_word_distance(word, *known);
    if (d < dist) {
      dist = d;
      best = *known;
    }
  }
  return best;
}

/* ---- warp schedulers ---- */

static wg_status_t knobs(const char *text, const char *at, wg_sched_choice_t *out, wg_diag_t *diag) {
  for (;; at++) {
    char *end = NULL;
    unsigned long long v = isdigit((unsigned char)*at) ? strtoull(at, &end, 0) : 0;
    if (end == NULL || (*end != '\0' && *end != ',') || v > UINT32_MAX || out->num_knobs == 4) {
      if (diag != NULL) snprintf(diag->hint, sizeof diag->hint, "up to four numbers from 0 to 4294967295, such as swl:2");
      return wg_fail(diag, kWgBadInput, "bad knobs of the warp scheduler '%s'", text);
    }
    out->knob[out->num_knobs++] = (uint32_t)v;
    at = end;
    if (*at == '\0') return kWgOk;
  }
}

/* Range of knob `k` of a built-in policy as its line of isa/cfg.def says it: "knob 0: what, LO..HI"; false: it has none. */
static bool knob_range(unsigned policy, unsigned k, uint32_t *lo, uint32_t *hi) {
  static const struct {
    unsigned id;
    const char *doc;
  } kPolicies[] = {
#define WG_POLICY(ID, VALUE, NAME, DOC) {VALUE, DOC},
#include "isa/cfg.def"
  };
  char begin[16];
  snprintf(begin, sizeof begin, "knob %u:", k);
  for (size_t i = 0; i < sizeof kPolicies / sizeof kPolicies[0]; i++) {
    const char *at = kPolicies[i].id == policy ? strstr(kPolicies[i].doc, begin) : NULL;
    if (at == NULL) continue;
    const char *end = at + strcspn(at, ";"), *dots = strstr(at, "..");
    if (dots == NULL || dots > end) return false;
    const char *number = dots;
    while (number > at && isdigit((unsigned char)number[-1])) number--;
    *lo = (uint32_t)strtoul(number, NULL, 10);
    *hi = (uint32_t)strtoul(dots + 2, NULL, 10);
    return true;
  }
  return false;
}

wg_status_t wg_sched_knobs_check(unsigned policy, const uint32_t *knob, unsigned n, wg_diag_t *diag) {
  uint32_t lo = 0, hi = 0;
  if (!knob_range(policy, 0, &lo, &hi)) return kWgOk; /* reads none: the session says so, if one is not 0 */
  for (unsigned k = 0; k < n; k++) {
    if (knob[k] == 0) continue; /* the policy's default */
    bool has = knob_range(policy, k, &lo, &hi);
    if (has && knob[k] >= lo && knob[k] <= hi) continue;
    if (diag != NULL && has) snprintf(diag->hint, sizeof diag->hint, "%u to %u; 0: the policy's default", lo, hi);
    return has ? wg_fail(diag, kWgBadInput, "bad knob %u of the warp scheduler '%s': %u", k, wg_policy_name(policy), knob[k])
               : wg_fail(diag, kWgBadInput, "the warp scheduler '%s' has no knob %u: %u", wg_policy_name(policy), k, knob[k]);
  }
  return kWgOk;
}

static wg_status_t unknown(const char *name, wg_diag_t *diag) {
  static const char *const kNames[] = {
#define WG_POLICY(ID, VALUE, NAME, DOC) (VALUE) == 15 ? "plugin:NAME" : NAME,
#include "isa/cfg.def"
      "c:NAME", NULL};
  if (diag != NULL) wg_word_hint(name, kNames, diag->hint, sizeof diag->hint);
  if (wg_policy_find(name) == kWgPolicyExt) {
    return wg_fail(diag, kWgBadInput, "the warp scheduler 'ext' needs a policy: plugin:NAME or c:NAME");
  }
  return wg_fail(diag, kWgBadInput, "unknown warp scheduler '%s'", name);
}

wg_status_t wg_sched_choice_parse(const char *text, wg_sched_choice_t *out, wg_diag_t *diag) {
  static const char *const kPrefix[] = {[kWgSchedPlugin] = "plugin:", [kWgSchedC] = "c:"};
  memset(out, 0, sizeof *out);
  const char *name = text;
  for (unsigned k = kWgSchedPlugin; k <= kWgSchedC; k++) {
    if (strncmp(text, kPrefix[k], strlen(kPrefix[k])) != 0) continue;
    out->kind = (wg_sched_kind_t)k;
    name += strlen(kPrefix[k]);
  }
  size_t n = strcspn(name, ":");
  if (strlen(text) >= sizeof out->name) {
    return wg_fail(diag, kWgBadInput, "the warp scheduler '%s' is longer than %zu letters", text, sizeof out->name - 1);
  }
  memcpy(out->name, name, n);
  if (out->kind == kWgSchedBuiltIn) {
    int id = wg_policy_find(out->name);
    if (id < 0 || id == kWgPolicyExt) return unknown(out->name, diag);
    out->policy = (unsigned)id;
  } else {
    out->policy = kWgPolicyExt;
    bool good = n > 0;
    for (size_t i = 0; i < n; i++) good = good && (isalnum((unsigned char)name[i]) || name[i] == '_' || name[i] == '-');
    if (!good) {
      bool plugin = out->kind == kWgSchedPlugin;
      if (diag != NULL) {
        snprintf(diag->hint, sizeof diag->hint,
                 plugin ? "plugin:NAME loads build/plugin/NAME.so, made by scripts/plugin.sh NAME; a name, not a "
                          "path: letters, digits, _"
                        : "c:NAME loads build/plugin/c/NAME.so, made by scripts/cpolicy.sh NAME FILE.c; a name, not a "
                          "path: letters, digits, _");
      }
      return wg_fail(diag, kWgBadInput, "'%s' names no %s", text, plugin ? "plug-in" : "policy in C");
    }
  }
  if (name[n] == '\0') return kWgOk;
  WG_TRY(knobs(text, name + n + 1, out, diag));
  return out->kind == kWgSchedBuiltIn ? wg_sched_knobs_check(out->policy, out->knob, out->num_knobs, diag) : kWgOk;
}

/* ---- the progress rule ---- */

wg_status_t wg_progress_parse(const char *text, uint32_t *cycles, wg_diag_t *diag) {
  char *end = NULL;
  *cycles = strcmp(text, "on") == 0 ? (uint32_t)kWgSchedWithhold : 0u;
  if (*cycles != 0u || strcmp(text, "off") == 0) return kWgOk;
  unsigned long v = isdigit((unsigned char)text[0]) ? strtoul(text, &end, 10) : 0u;
  if (end == NULL || *end != '\0' || v == 0u || v > kWgSchedWithhold || v % kWgSchedStep != 0u) {
    if (diag != NULL) {
      snprintf(diag->hint, sizeof diag->hint, "on, off, or the cycles that a warp may wait: %d, %d .. %d", kWgSchedStep, 2 * kWgSchedStep, kWgSchedWithhold);
    }
    return wg_fail(diag, kWgBadInput, "bad value '%s' of setting 'progress'", text);
  }
  *cycles = (uint32_t)v;
  return kWgOk;
}

const char *wg_progress_word(uint32_t cycles, char *buf, size_t n) {
  if (cycles == 0u) return "off";
  if (cycles == kWgSchedWithhold) return "on";
  snprintf(buf, n, "%u", cycles);
  return buf;
}
