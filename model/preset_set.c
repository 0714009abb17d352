// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include "model/preset_set.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { kMaxWord = 128 };

/* Shorter words for keys. */
static const struct {
  const char *alias, *key;
} kAliases[] = {{"sm.warps_per_subcore", "sm.warp_slots_per_sub_core"}};

static size_t key_letters(const char *p) {
  size_t n = 0;
  while (isalnum((unsigned char)p[n]) || p[n] == '_' || p[n] == '.') n++;
  return n;
}

const char *wg_preset_set_split(const char *words) {
  for (const char *p = words; (p = strchr(p, '+')) != NULL; p++) {
    size_t n = key_letters(p + 1);
    if (n > 0 && p[1 + n] == '=') return p;
  }
  return NULL;
}

/* A whole number, decimal or 0x. */
static bool number(const char *text, long long *out) {
  char *end = NULL;
  errno = 0;
  bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
  *out = strtoll(text, &end, hex ? 16 : 10);
  return isdigit((unsigned char)text[text[0] == '-']) && *end == '\0' && errno == 0;
}

static wg_status_t set_array(config_setting_t *s, const char *key, const char *value, wg_diag_t *diag) {
  char text[kMaxWord], *save = NULL;
  size_t len = strlen(value);
  bool brackets = value[0] == '[' && value[len - 1] == ']';
  snprintf(text, sizeof text, "%.*s", (int)(brackets ? len - 2 : len), value + brackets);
  int want = config_setting_length(s), n = 0;
  for (char *w = strtok_r(text, ",", &save); w != NULL; w = strtok_r(NULL, ",", &save), n++) {
    long long v = 0;
    if (n == want || !number(w, &v)) {
      n = -1;
      break;
    }
    if (config_setting_set_int64_elem(s, n, v) == NULL) return wg_fail(diag, kWgNoSpace, "out of memory");
  }
  if (n == want) return kWgOk;
  return wg_fail(diag, kWgBadInput, "'%s' is %s, must be %d whole numbers with commas between them", key, value,
                 want);
}

static wg_status_t set_one(config_setting_t *s, const char *key, const char *value, wg_diag_t *diag) {
  long long v = 0;
  switch (config_setting_type(s)) {
    case CONFIG_TYPE_INT:
    case CONFIG_TYPE_INT64:
      if (!number(value, &v) && errno == ERANGE)
        return wg_fail(diag, kWgBadInput, "'%s' is %s, which is larger than any value here can be", key, value);
      if (!number(value, &v)) return wg_fail(diag, kWgBadInput, "'%s' is %s, must be a whole number", key, value);
      return config_setting_set_int64(s, v) == CONFIG_TRUE ? kWgOk
                                                           : wg_fail(diag, kWgBadInput, "'%s' cannot be set", key);
    case CONFIG_TYPE_BOOL:
      if (strcmp(value, "true") != 0 && strcmp(value, "false") != 0) {
        return wg_fail(diag, kWgBadInput, "'%s' is %s, must be true or false", key, value);
      }
      return config_setting_set_bool(s, value[0] == 't') == CONFIG_TRUE ? kWgOk
                                                                        : wg_fail(diag, kWgNoSpace, "out of memory");
    case CONFIG_TYPE_STRING:
      return config_setting_set_string(s, value) == CONFIG_TRUE ? kWgOk : wg_fail(diag, kWgNoSpace, "out of memory");
    case CONFIG_TYPE_ARRAY: return set_array(s, key, value, diag);
    default: return wg_fail(diag, kWgBadInput, "'%s' is a group of keys, not one", key);
  }
}

wg_status_t wg_preset_set_apply(config_t *c, const char *sets, wg_diag_t *diag) {
  for (const char *p = sets; p != NULL && *p == '+';) {
    char key[kMaxWord], value[kMaxWord];
    size_t nk = key_letters(p + 1);
    const char *from = p + 1 + nk + 1, *next = wg_preset_set_split(from);
    size_t nv = next == NULL ? strlen(from) : (size_t)(next - from);
    if (nk >= sizeof key || nv >= sizeof value || nv == 0) {
      return wg_fail(diag, kWgBadInput, "'%.100s': the value is empty, or longer than %d letters", p + 1,
                     kMaxWord - 1);
    }
    snprintf(key, sizeof key, "%.*s", (int)nk, p + 1);
    snprintf(value, sizeof value, "%.*s", (int)nv, from);
    for (size_t i = 0; i < sizeof kAliases / sizeof kAliases[0]; i++) {
      if (strcmp(kAliases[i].alias, key) == 0) snprintf(key, sizeof key, "%s", kAliases[i].key);
    }
    config_setting_t *s = config_lookup(c, key);
    if (s == NULL) return wg_fail(diag, kWgBadInput, "unknown key '%s'", key);
    WG_TRY(set_one(s, key, value, diag));
    p = next;
  }
  return kWgOk;
}

wg_status_t wg_preset_set_dump(const config_t *c, char **out, wg_diag_t *diag) {
  char *text = NULL;
  size_t n = 0;
  FILE *f = open_memstream(&text, &n);
  if (f == NULL) return wg_fail(diag, kWgNoSpace, "out of memory");
  config_write(c, f);
  bool ok = ferror(f) == 0;
  if (fclose(f) != 0) ok = false;
  if (!ok) {
    free(text);
    return wg_fail(diag, kWgNoSpace, "out of memory");
  }
  *out = text;
  return kWgOk;
}

void wg_preset_set_blame(const char *base, const char *sets, wg_diag_t *diag) {
  if (diag == NULL) return;
  char msg[sizeof diag->msg];
  snprintf(msg, sizeof msg, "%s", diag->msg);
  diag->file[0] = '\0';
  diag->line = 0;
  snprintf(diag->msg, sizeof diag->msg, "preset '%.80s' with %.200s: %.200s", base, sets + 1, msg);
}

void wg_preset_set_name(const char *base, const char *sets, char *out, size_t n) {
  char name[512];
  uint32_t h = 2166136261u; /* FNV-1a: a name, not a proof; the sweep's store keys by the whole text */
  for (const char *p = sets; *p != '\0'; p++) h = (h ^ (unsigned char)*p) * 16777619u;
  if (strlen(base) + strlen(sets) < n) snprintf(name, sizeof name, "%s%s", base, sets);
  else snprintf(name, sizeof name, "%.*s+%08x", (int)(n - 10), base, h);
  snprintf(out, n, "%s", name);
}
