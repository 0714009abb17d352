// SPDX-License-Identifier: Apache-2.0
//
// Words for events and for windows around them.
#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "cosim/events.h"

enum { kBefore = 100, kAfter = 200 };

/* What a kind's value is. */
typedef enum value { kNoValue, kPcValue, kBlockValue, kBarrierValue } value_t;
static const struct {
  const char *name;
  wg_when_kind_t kind;
  value_t value;
} kWhen[] = {{"pc", kWgWhenPc, kPcValue},
             {"block", kWgWhenBlock, kBlockValue},
             {"block-end", kWgWhenBlockEnd, kBlockValue},
             {"barrier", kWgWhenBarrier, kBarrierValue},
             {"arrive", kWgWhenArrive, kBarrierValue},
             {"diverge", kWgWhenDiverge, kNoValue},
             {"reconverge", kWgWhenReconverge, kNoValue},
             {"exit", kWgWhenExit, kNoValue},
             {"fault", kWgWhenFault, kNoValue},
             {"mismatch", kWgWhenMismatch, kNoValue},
             {"hang", kWgWhenHang, kNoValue}};

static const char kWords[] = "pc:0x40, block:3, block-end:3, barrier:0, arrive:0, diverge, reconverge, exit, fault, mismatch or hang";

/* A number from 0 to `max` that ends at one of `stops` or the end: decimal or 0x; a leading 0 has two readings and none is taken.
   @return behind it, NULL if there is none */
static const char *number(const char *text, uint64_t max, const char *stops, uint64_t *out) {
  bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
  if (!isdigit((unsigned char)text[0]) || (hex && !isxdigit((unsigned char)text[2]))) return NULL;
  if (text[0] == '0' && isdigit((unsigned char)text[1])) return NULL;
  char *end = NULL;
  errno = 0;
  unsigned long long v = strtoull(text, &end, hex ? 16 : 10);
  if (errno != 0 || v > max || (*end != '\0' && strchr(stops, *end) == NULL)) return NULL;
  *out = v;
  return end;
}

static wg_status_t bad(const char *text, wg_diag_t *diag, const char *hint) {
  if (diag != NULL) snprintf(diag->hint, sizeof diag->hint, "%s", hint);
  return wg_fail(diag, kWgBadInput, "no event '%s'", text);
}

static const char *value_of(const char *at, value_t what, wg_when_t *w, const char **hint) {
  static char pc_hint[96], bar_hint[64];
  static const uint64_t kMaxPc = (UINT64_C(1) << kWgPcBits) - kWgInsnBytes;
  uint64_t v = 0;
  if (what == kNoValue) {
    *hint = "this event has no number behind ':'; conditions follow behind ',', as in diverge,warp=2";
    return *at == ':' ? NULL : at;
  }
  snprintf(pc_hint, sizeof pc_hint, "an instruction's byte PC: a multiple of %d from 0 to 0x%llx", (int)kWgInsnBytes,
           (unsigned long long)kMaxPc);
  snprintf(bar_hint, sizeof bar_hint, "a barrier id from 0 to %d", (int)kWgBarriers - 1);
  *hint = what == kPcValue ? pc_hint : what == kBlockValue ? "a ctaid.x from 0 to 4294967295" : bar_hint;
  if (*at != ':') {
    *hint = kWords;
    return NULL;
  }
  at = number(at + 1, what == kPcValue ? kMaxPc : what == kBlockValue ? UINT32_MAX : kWgBarriers - 1, ",#", &v);
  if (at == NULL || (what == kPcValue && v % kWgInsnBytes != 0)) return NULL;
  w->value = (uint32_t)v;
  return at;
}

static const char *condition(const char *at, wg_when_t *w) {
  const struct {
    const char *name;
    int64_t *field;
    uint64_t max;
  } kConditions[] = {{"block=", &w->block, UINT32_MAX}, {"warp=", &w->warp, 31}, {"sm=", &w->sm, 1023}};
  for (size_t i = 0; i < 3; i++) {
    size_t n = strlen(kConditions[i].name);
    uint64_t v = 0;
    if (strncmp(at, kConditions[i].name, n) != 0) continue;
    at = number(at + n, kConditions[i].max, ",#", &v);
    *kConditions[i].field = (int64_t)v;
    return at;
  }
  return NULL;
}

wg_status_t wg_when_parse(const char *text, wg_when_t *out, wg_diag_t *diag) {
  *out = (wg_when_t){kWgWhenNone, 0, -1, -1, -1, 1};
  size_t n = strcspn(text, ":,#"), i = 0, kinds = sizeof kWhen / sizeof kWhen[0];
  while (i < kinds && (strlen(kWhen[i].name) != n || strncmp(kWhen[i].name, text, n) != 0)) i++;
  if (i == kinds) {
    return bad(text, diag, kWords);
  }
  out->kind = kWhen[i].kind;
  const char *hint = NULL, *at = value_of(text + n, kWhen[i].value, out, &hint);
  if (at == NULL) return bad(text, diag, hint);
  while (at != NULL && *at == ',') at = condition(at + 1, out);
  if (at == NULL) return bad(text, diag, "conditions: ,block=X (a ctaid.x) ,warp=N (of its block, 0 to 31) ,sm=N");
  if (*at == '#') {
    uint64_t v = 0;
    at = number(at + 1, UINT32_MAX, "", &v);
    if (at == NULL || v == 0) return bad(text, diag, "#N is the Nth time, from 1");
    out->nth = (uint32_t)v;
  }
  return *at == '\0' ? kWgOk : bad(text, diag, "as in barrier:3,block=5#2");
}

wg_status_t wg_events_window_parse(const char *text, wg_events_window_t *out, wg_diag_t *diag) {
  *out = (wg_events_window_t){{kWgWhenNone, 0, -1, -1, -1, 1}, 0, UINT64_MAX, kBefore, kAfter};
  const char *dots = strstr(text, ".."), *event = text;
  if (dots != NULL) {
    uint64_t a = 0, b = 0;
    const char *end = number(text, INT64_MAX, ".", &a) == dots ? number(dots + 2, INT64_MAX, "@", &b) : NULL;
    if (end == NULL || (*end == '\0' && b <= a)) {
      if (diag != NULL) snprintf(diag->hint, sizeof diag->hint, "A..B: cycles from A to before B; N..M@EVENT: N before it, M behind");
      return wg_fail(diag, kWgBadInput, "no window '%s'", text);
    }
    if (*end == '\0') {
      out->from = a, out->to = b;
      return kWgOk;
    }
    out->before = a, out->after = b;
    event = end + 1;
  }
  return wg_when_parse(event, &out->when, diag);
}
