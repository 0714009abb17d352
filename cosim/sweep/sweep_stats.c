// SPDX-License-Identifier: Apache-2.0
//
// Figures of a run out of its JSON document: every number and word, by name, whatever the document's version adds.
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "cosim/sweep/sweep.h"

static wg_status_t put(sweep_result_t *r, unsigned launch, const char *name, const char *text, bool word,
                       wg_diag_t *diag) {
  if (r->num_stats == r->cap_stats) {
    size_t cap = r->cap_stats == 0 ? 256 : 2 * r->cap_stats;
    sweep_stat_t *grown = realloc(r->stats, cap * sizeof *grown);
    if (grown == NULL) return wg_fail(diag, kWgNoSpace, "out of memory");
    r->stats = grown;
    r->cap_stats = cap;
  }
  sweep_stat_t *s = &r->stats[r->num_stats];
  size_t a = strlen(name) + 1, b = strlen(text) + 1;
  *s = (sweep_stat_t){.launch = launch, .name = malloc(a), .text = malloc(b), .word = word};
  r->num_stats++;
  if (s->name == NULL || s->text == NULL) return wg_fail(diag, kWgNoSpace, "out of memory");
  memcpy(s->name, name, a);
  memcpy(s->text, text, b);
  return kWgOk;
}

static wg_status_t flatten(const json_t *v, unsigned launch, const char *name, sweep_result_t *r, wg_diag_t *diag) {
  char text[64], below[192];
  const char *key;
  json_t *member;
  size_t i;
  switch (json_typeof(v)) {
    case JSON_OBJECT:
      json_object_foreach((json_t *)(uintptr_t)v, key, member) {
        snprintf(below, sizeof below, "%s%s%s", name, name[0] == '\0' ? "" : ".", key);
        WG_TRY(flatten(member, launch, below, r, diag));
      }
      return kWgOk;
    case JSON_ARRAY:
      json_array_foreach(v, i, member) {
        snprintf(below, sizeof below, "%s.%zu", name, i);
        WG_TRY(flatten(member, launch, below, r, diag));
      }
      return kWgOk;
    case JSON_INTEGER:
      snprintf(text, sizeof text, "%" JSON_INTEGER_FORMAT, json_integer_value(v));
      return put(r, launch, name, text, false, diag);
    case JSON_REAL:
      snprintf(text, sizeof text, "%.17g", json_real_value(v));
      return put(r, launch, name, text, false, diag);
    case JSON_STRING: return put(r, launch, name, json_string_value(v), true, diag);
    default: return kWgOk; /* flags and null are no figures */
  }
}

static wg_status_t document(const json_t *doc, sweep_result_t *r, wg_diag_t *diag) {
  const char *key;
  json_t *member, *launch;
  size_t i;
  json_object_foreach((json_t *)(uintptr_t)doc, key, member) {
    if (strcmp(key, "launches") != 0 || !json_is_array(member)) {
      WG_TRY(flatten(member, 0, key, r, diag));
      continue;
    }
    json_array_foreach(member, i, launch) { WG_TRY(flatten(launch, (unsigned)i + 1, "", r, diag)); }
  }
  return kWgOk;
}

wg_status_t sweep_stats_read(const char *json, size_t bytes, sweep_result_t *r, wg_diag_t *diag) {
  json_error_t e;
  json_t *doc = json_loadb(json, bytes, 0, &e);
  if (doc == NULL) return wg_fail(diag, kWgBadInput, "the run's JSON cannot be read: line %d: %s", e.line, e.text);
  wg_status_t st =
      json_is_object(doc) ? document(doc, r, diag) : wg_fail(diag, kWgBadInput, "the run's JSON is no object");
  json_decref(doc);
  return st;
}

void sweep_result_free(sweep_result_t *r) {
  for (size_t i = 0; i < r->num_stats; i++) {
    free(r->stats[i].name);
    free(r->stats[i].text);
  }
  free(r->stats);
  memset(r, 0, sizeof *r);
}
