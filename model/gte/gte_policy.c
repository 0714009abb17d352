// SPDX-License-Identifier: Apache-2.0
#include "model/gte/gte_policy.h"

#include <ctype.h>
#include <string.h>

const wg_gte_policy_t *const kWgGtePolicies[] = {&wg_gte_policy_breadth, &wg_gte_policy_depth, &wg_gte_policy_greedy,
                                                 &wg_gte_policy_bcs,     &wg_gte_policy_lcs,   &wg_gte_policy_dyncta,
                                                 &wg_gte_policy_random,  &wg_gte_policy_h200,  NULL};

enum { kMaxAdded = 64 };
static const wg_gte_policy_t *added[kMaxAdded];
static size_t num_added;

bool wg_gte_policy_add(const wg_gte_policy_t *p) {
  if (num_added == kMaxAdded || wg_gte_policy_find(p->name) != NULL) return false;
  added[num_added++] = p;
  return true;
}

const wg_gte_policy_t *wg_gte_policy_find(const char *name) {
  if (name[0] == '\0') return kWgGtePolicies[0];
  for (size_t i = 0; i < num_added; i++) {
    if (strcmp(added[i]->name, name) == 0) return added[i];
  }
  for (size_t i = 0; kWgGtePolicies[i] != NULL; i++) {
    if (strcmp(kWgGtePolicies[i]->name, name) == 0) return kWgGtePolicies[i];
  }
  return NULL;
}

/* A decimal number up to 2^32 - 1; moves *at behind it. */
static bool number(const char **at, uint32_t *out) {
  if (!isdigit((unsigned char)**at)) return false;
  char *end = NULL;
  unsigned long long v = strtoull(*at, &end, 10);
  *at = end;
  *out = (uint32_t)v;
  return v <= UINT32_MAX;
}

static wg_status_t unknown(const char *name, wg_diag_t *diag) {
  if (diag != NULL) {
    size_t n = (size_t)snprintf(diag->hint, sizeof diag->hint, "one of:");
    for (size_t i = 0; kWgGtePolicies[i] != NULL && n < sizeof diag->hint; i++) {
      n += (size_t)snprintf(diag->hint + n, sizeof diag->hint - n, " %s", kWgGtePolicies[i]->name);
    }
    if (n < sizeof diag->hint) snprintf(diag->hint + n, sizeof diag->hint - n, " c:NAME");
  }
  return wg_fail(diag, kWgBadInput, "unknown block policy '%s'", name);
}

static wg_status_t knobs(const char *text, const char *at, const wg_gte_policy_t *p, wg_gte_choice_t *out,
                         wg_diag_t *diag) {
  if (p->num_knobs == 0) return wg_fail(diag, kWgBadInput, "the block policy '%s' has no knobs: '%s'", p->name, text);
  if (diag != NULL) snprintf(diag->hint, sizeof diag->hint, "%s:%s", p->name, p->knobs);
  for (;;) {
    uint32_t v = 0;
    unsigned k = out->num_knobs;
    if (k == p->num_knobs || !number(&at, &v) || (*at != '\0' && *at != ',')) {
      return wg_fail(diag, kWgBadInput, "bad knobs of the block policy '%s': up to %u numbers", text, p->num_knobs);
    }
    if (v < p->lo[k] || v > p->hi[k]) {
      return wg_fail(diag, kWgBadInput, "bad knob %u of the block policy '%s': %u to %u", v, text, p->lo[k],
                     p->hi[k]);
    }
    out->knob[out->num_knobs++] = v;
    if (*at++ == '\0') break;
  }
  if (diag != NULL) diag->hint[0] = '\0';
  return kWgOk;
}

wg_status_t wg_gte_choice_parse(const char *text, wg_gte_choice_t *out, wg_diag_t *diag) {
  wg_gte_choice_t c = {.name = ""};
  char name[64];
  size_t n = strcspn(text, ":");
  if (n == 1 && text[0] == 'c' && text[n] == ':') n += 1 + strcspn(text + n + 1, ":"); /* the name of an added one */
  snprintf(name, sizeof name, "%.*s", (int)n, text);
  const wg_gte_policy_t *p = name[0] == '\0' || n >= sizeof c.name ? NULL : wg_gte_policy_find(name);
  if (p == NULL) return unknown(name, diag);
  memcpy(c.name, name, n + 1);
  if (text[n] != '\0') WG_TRY(knobs(text, text + n + 1, p, &c, diag));
  *out = c;
  return kWgOk;
}

/* ---- order of blocks ---- */

static wg_status_t bad_order(const char *text, const char *why, wg_diag_t *diag) {
  if (diag != NULL) {
    snprintf(diag->hint, sizeof diag->hint,
             "forward, reverse, shuffle:SEED, or the first block numbers such as 1,0: each of 0 "
             "to n - 1 once, at most %d",
             (int)kWgGteMaxOrder);
  }
  return wg_fail(diag, kWgBadInput, "bad order of blocks '%s': %s", text, why);
}

static wg_status_t list(const char *text, wg_gte_order_t *o, wg_diag_t *diag) {
  uint64_t seen = 0;
  o->kind = kWgGteList;
  for (const char *at = text;; at++) {
    uint32_t v = 0;
    if (!number(&at, &v) || (*at != '\0' && *at != ',')) return bad_order(text, "no list of numbers", diag);
    if (o->num == kWgGteMaxOrder) return bad_order(text, "too many numbers", diag);
    if (v < kWgGteMaxOrder) seen |= UINT64_C(1) << v;
    o->list[o->num++] = v;
    if (*at == '\0') break;
  }
  uint64_t want = o->num == 64 ? UINT64_MAX : (UINT64_C(1) << o->num) - 1;
  return seen == want ? kWgOk : bad_order(text, "a number is missing or stands twice", diag);
}

wg_status_t wg_gte_order_parse(const char *text, wg_gte_order_t *out, wg_diag_t *diag) {
  wg_gte_order_t o = {.kind = kWgGteForward};
  if (strcmp(text, "reverse") == 0) {
    o.kind = kWgGteReverse;
  } else if (strncmp(text, "shuffle:", 8) == 0) {
    const char *at = text + 8;
    o.kind = kWgGteShuffle;
    if (!number(&at, &o.seed) || *at != '\0') return bad_order(text, "no seed", diag);
  } else if (isdigit((unsigned char)text[0])) {
    WG_TRY(list(text, &o, diag));
  } else if (strcmp(text, "forward") != 0) {
    return bad_order(text, "unknown word", diag);
  }
  *out = o;
  return kWgOk;
}

static uint64_t gcd(uint64_t a, uint64_t b) {
  while (b != 0) {
    uint64_t r = a % b;
    a = b;
    b = r;
  }
  return a;
}

/* i -> (i x step + offset) mod total with a step that has no divisor in common with total: a permutation without a
 * table. */
static uint64_t shuffled(uint32_t seed, uint64_t i, uint64_t total) {
  uint64_t x = (seed + UINT64_C(1)) * UINT64_C(0x9e3779b97f4a7c15);
  uint64_t step = (x >> 16) % total, offset = (x >> 5) % total;
  while (gcd(step, total) != 1) step = (step + 1) % total; /* ends: 1 has none; total 1: gcd(0, 1) */
  return (uint64_t)(((unsigned __int128)i * step + offset) % total);
}

uint64_t wg_gte_order_block(const wg_gte_order_t *o, uint64_t i, uint64_t total) {
  switch (o->kind) {
    case kWgGteReverse:
      return total - 1 - i;
    case kWgGteShuffle:
      return shuffled(o->seed, i, total);
    case kWgGteList:
      return o->num <= total && i < o->num ? o->list[i] : i; /* of a smaller grid: by number */
    default:
      return i;
  }
}
