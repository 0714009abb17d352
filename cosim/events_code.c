// SPDX-License-Identifier: Apache-2.0
//
// Records of an event trace to bytes and back: one table of fields (cosim/events.def) for both directions.
#include <string.h>

#include "cosim/events.h"

const wg_event_info_t wg_event_info[kWgEventKinds] = {
#define WG_EVENT(ID, VALUE, NAME, DEPTH, FIELDS, DOC) [VALUE] = {NAME, FIELDS, kWgEventDepth##DEPTH},
#include "cosim/events.def"
};

const char *const wg_events_depths[] = {
#define WG_EVENT_DEPTH(ID, VALUE, NAME, DOC) NAME,
#include "cosim/events.def"
    NULL};

unsigned wg_events_depth(const char *word) {
  static const unsigned kValues[] = {
#define WG_EVENT_DEPTH(ID, VALUE, NAME, DOC) VALUE,
#include "cosim/events.def"
      0};
  for (unsigned i = 0; wg_events_depths[i] != NULL; i++) {
    if (strcmp(wg_events_depths[i], word) == 0) return kValues[i];
  }
  return 0;
}

void wg_event_base_init(wg_event_base_t *b, uint64_t cycle) {
  memset(b, 0, sizeof *b);
  b->cycle = cycle;
  for (unsigned s = 0; s < kWgMaxSubCores; s++) b->why[s] = UINT64_C(0x1111111111111111) * kWgReasonNoWarp;
}

/* ---- writing ---- */

static uint8_t *put(uint8_t *p, uint64_t v) {
  for (; v >= 128; v >>= 7) *p++ = (uint8_t)(v | 128);
  *p++ = (uint8_t)v;
  return p;
}

static uint8_t *put_signed(uint8_t *p, int64_t v) { return put(p, (uint64_t)v << 1 ^ (uint64_t)(v >> 63)); }

static int64_t apart(uint32_t a, uint32_t b) { return (int64_t)a - (int64_t)b; }

static uint8_t *put_why(wg_event_base_t *b, const wg_event_t *e, uint8_t *p) {
  uint64_t differ = e->addr ^ b->why[e->sub];
  uint8_t *head = p;
  unsigned changed = 0, n = 0;
  p += 2;
  for (unsigned s = 0; s < kWgMaxWarpSlots; s++) {
    if ((differ >> (4 * s) & 15) == 0) continue;
    unsigned v = (unsigned)(e->addr >> (4 * s) & 15);
    changed |= 1u << s;
    if (n % 2 == 0) *p = (uint8_t)v;
    else *p = (uint8_t)(*p | v << 4), p++;
    n++;
  }
  head[0] = (uint8_t)changed;
  head[1] = (uint8_t)(changed >> 8);
  return n % 2 == 0 ? p : p + 1;
}

/* What the next events of the warp are told apart from. */
static void follow(wg_event_base_t *b, const wg_event_t *e) {
  switch (e->kind) {
    case kWgEventFetch1: b->warp[e->sub][e->slot].fetch = e->pc + 16; break;
    case kWgEventFetch2: b->warp[e->sub][e->slot].fetch = e->pc + 32; break;
    case kWgEventIssue:
      b->warp[e->sub][e->slot].issued = e->pc;
      b->warp[e->sub][e->slot].mask = e->mask;
      break;
    case kWgEventLine:
    case kWgEventRequest: b->line = e->addr; break;
    case kWgEventWhy: b->why[e->sub] = e->addr; break;
    default: break;
  }
}

static uint8_t *put_field(wg_event_base_t *b, const wg_event_t *e, char field, uint8_t *p) {
  const uint32_t fetch = b->warp[e->sub][e->slot].fetch, issued = b->warp[e->sub][e->slot].issued;
  switch (field) {
    case 'w': *p++ = (uint8_t)(e->slot | e->sub << 4); return p;
    case 's': *p++ = e->sub; return p;
    case 'a': *p++ = e->a; return p;
    case 'b': *p++ = e->b; return p;
    case 'c': *p++ = e->c; return p;
    case 'd': *p++ = e->d; return p;
    case 'x': return put(p, e->x);
    case 'y': return put(p, e->y);
    case 'z': return put(p, e->z);
    case 't': return put(p, e->t);
    case 'u': return put(p, e->addr);
    case 'f': return put_signed(p, apart(e->pc, fetch));
    case 'p': return put_signed(p, apart(e->pc, issued + 16));
    case 'q': return put_signed(p, apart(e->pc, issued));
    case 'm': return put(p, e->mask ^ b->warp[e->sub][e->slot].mask);
    case 'e': return put(p, e->exec ^ e->mask);
    case 'M': return put(p, e->mask);
    case 'E': return put(p, e->exec);
    case 'l': return put_signed(p, ((int64_t)e->addr - (int64_t)b->line) / kWgLineBytes);
    default: return put_why(b, e, p); /* 'v' */
  }
}

size_t wg_event_encode(wg_event_base_t *b, const wg_event_t *e, uint8_t *out) {
  uint8_t *p = out;
  WG_BUG(e->cycle < b->cycle);
  uint64_t passed = e->cycle - b->cycle;
  if (passed > 127) *p++ = 0, p = put(p, passed);
  else if (passed != 0) *p++ = (uint8_t)passed;
  b->cycle = e->cycle;
  unsigned kind = e->kind;
  if (kind == kWgEventIssue && e->pc == b->warp[e->sub][e->slot].issued + 16 && e->mask == b->warp[e->sub][e->slot].mask &&
      e->exec == e->mask) {
    kind = kWgEventNext;
  }
  *p++ = (uint8_t)(kind | 128);
  for (const char *f = wg_event_info[kind].fields; *f != '\0'; f++) p = put_field(b, e, *f, p);
  follow(b, e);
  return (size_t)(p - out);
}

/* ---- reading ---- */

typedef struct in {
  const uint8_t *p, *end;
  bool bad;
} in_t;

static uint8_t get_byte(in_t *in) {
  if (in->p == in->end) {
    in->bad = true;
    return 0;
  }
  return *in->p++;
}

static uint64_t get(in_t *in) {
  uint64_t v = 0;
  for (unsigned at = 0; at < 64; at += 7) {
    uint8_t byte = get_byte(in);
    v |= (uint64_t)(byte & 127) << at;
    if (byte < 128) return v;
  }
  in->bad = true;
  return 0;
}

static int64_t get_signed(in_t *in) {
  uint64_t v = get(in);
  return (int64_t)(v >> 1 ^ (0 - (v & 1)));
}

static uint32_t get32(in_t *in) {
  uint64_t v = get(in);
  if (v > UINT32_MAX) in->bad = true;
  return (uint32_t)v;
}

static void get_why(const wg_event_base_t *b, in_t *in, wg_event_t *e) {
  unsigned changed = get_byte(in);
  changed |= (unsigned)get_byte(in) << 8;
  unsigned n = 0;
  uint8_t byte = 0;
  e->addr = b->why[e->sub];
  for (unsigned s = 0; s < kWgMaxWarpSlots; s++) {
    if ((changed >> s & 1) == 0) continue;
    if (n % 2 == 0) byte = get_byte(in);
    uint64_t v = n % 2 == 0 ? byte & 15u : byte >> 4;
    e->addr = (e->addr & ~(UINT64_C(15) << (4 * s))) | v << (4 * s);
    n++;
  }
}

static void get_field(const wg_event_base_t *b, in_t *in, char field, wg_event_t *e) {
  switch (field) {
    case 'w': {
      uint8_t w = get_byte(in);
      e->slot = w & 15, e->sub = w >> 4;
      in->bad = in->bad || e->sub >= kWgMaxSubCores;
      e->sub &= 3;
      break;
    }
    case 's':
      e->sub = get_byte(in);
      in->bad = in->bad || e->sub >= kWgMaxSubCores;
      e->sub &= 3;
      break;
    case 'a': e->a = get_byte(in); break;
    case 'b': e->b = get_byte(in); break;
    case 'c': e->c = get_byte(in); break;
    case 'd': e->d = get_byte(in); break;
    case 'x': e->x = get32(in); break;
    case 'y': e->y = get32(in); break;
    case 'z': e->z = get32(in); break;
    case 't': e->t = get32(in); break;
    case 'u': e->addr = get(in); break;
    case 'f': e->pc = (uint32_t)(b->warp[e->sub][e->slot].fetch + get_signed(in)); break;
    case 'p': e->pc = (uint32_t)(b->warp[e->sub][e->slot].issued + 16 + get_signed(in)); break;
    case 'q': e->pc = (uint32_t)(b->warp[e->sub][e->slot].issued + get_signed(in)); break;
    case 'm': e->mask = get32(in) ^ b->warp[e->sub][e->slot].mask; break;
    case 'e': e->exec = get32(in) ^ e->mask; break;
    case 'M': e->mask = get32(in); break;
    case 'E': e->exec = get32(in); break;
    case 'l': e->addr = b->line + (uint64_t)get_signed(in) * kWgLineBytes; break;
    default: get_why(b, in, e); break;
  }
}

bool wg_event_decode(wg_event_base_t *b, const uint8_t *buf, size_t n, size_t *at, wg_event_t *e) {
  in_t in = {buf + *at, buf + n, false};
  memset(e, 0, sizeof *e);
  while (in.p != in.end && *in.p < 128) {
    uint8_t passed = *in.p++;
    b->cycle += passed != 0 ? passed : get(&in);
  }
  if (in.p == in.end) {
    if (!in.bad) *at = n;
    return false;
  }
  unsigned kind = *in.p++ & 127u;
  if (in.bad || wg_event_info[kind].fields == NULL) return false;
  e->kind = (uint8_t)kind;
  e->cycle = b->cycle;
  for (const char *f = wg_event_info[kind].fields; *f != '\0'; f++) get_field(b, &in, *f, e);
  if (kind == kWgEventNext) {
    e->kind = kWgEventIssue;
    e->pc = b->warp[e->sub][e->slot].issued + 16;
    e->mask = e->exec = b->warp[e->sub][e->slot].mask;
  }
  if (in.bad) return false;
  follow(b, e);
  *at = (size_t)(in.p - buf);
  return true;
}
