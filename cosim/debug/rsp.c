// SPDX-License-Identifier: Apache-2.0
//
// The remote serial protocol's packets, by its description in gdb's manual (appendix E, "Overview").
#include "cosim/debug/rsp.h"

#include <string.h>

enum { kOutside, kInside, kFirstDigit, kSecondDigit };

static int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static rsp_event_t outside(rsp_reader_t *r, uint8_t byte) {
  switch (byte) {
    case '$':
      r->state = kInside;
      r->n = 0;
      r->sum = 0;
      r->escaped = r->too_long = false;
      return kRspNone;
    case '+': return kRspAck;
    case '-': return kRspNack;
    case 3: return kRspInterrupt;
    default: return kRspNone;
  }
}

static void inside(rsp_reader_t *r, uint8_t byte) {
  if (byte == '$') { /* the end of the one before was lost */
    (void)outside(r, byte);
    return;
  }
  if (byte == '#') {
    r->state = kFirstDigit;
    return;
  }
  r->sum = (uint8_t)(r->sum + byte);
  if (byte == '}' && !r->escaped) {
    r->escaped = true;
    return;
  }
  if (r->n == (size_t)kRspMax) r->too_long = true;
  else r->data[r->n++] = (char)(r->escaped ? byte ^ 0x20 : byte);
  r->escaped = false;
}

rsp_event_t rsp_feed(rsp_reader_t *r, uint8_t byte) {
  int v = digit((char)byte);
  switch (r->state) {
    case kOutside: return outside(r, byte);
    case kInside: inside(r, byte); return kRspNone;
    case kFirstDigit:
      r->want = (uint8_t)(v < 0 ? 0 : v << 4);
      r->too_long = r->too_long || v < 0;
      r->state = kSecondDigit;
      return kRspNone;
    default:
      r->state = kOutside;
      r->data[r->n] = '\0';
      return v < 0 || r->too_long || (uint8_t)(r->want | v) != r->sum ? kRspBad : kRspPacket;
  }
}

void rsp_start(rsp_reply_t *p) {
  p->n = 0;
  p->data[0] = '\0';
}

void rsp_text(rsp_reply_t *p, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  int n = vsnprintf(p->data + p->n, sizeof p->data - p->n, fmt, ap);
  va_end(ap);
  if (n > 0) p->n += (size_t)n < sizeof p->data - p->n ? (size_t)n : sizeof p->data - p->n - 1;
}

void rsp_hex(rsp_reply_t *p, const void *bytes, size_t n) {
  static const char kDigits[] = "0123456789abcdef";
  const uint8_t *b = bytes;
  for (size_t i = 0; i < n && p->n + 2 <= (size_t)kRspMax; i++) {
    p->data[p->n++] = kDigits[b[i] >> 4];
    p->data[p->n++] = kDigits[b[i] & 15];
  }
  p->data[p->n] = '\0';
}

void rsp_binary(rsp_reply_t *p, const void *bytes, size_t n) {
  const char *b = bytes;
  for (size_t i = 0; i < n && p->n + 2 <= (size_t)kRspMax; i++) {
    bool escape = b[i] == '$' || b[i] == '#' || b[i] == '}' || b[i] == '*';
    if (escape) p->data[p->n++] = '}';
    p->data[p->n++] = (char)(escape ? b[i] ^ 0x20 : b[i]);
  }
  p->data[p->n] = '\0';
}

size_t rsp_frame(const rsp_reply_t *p, char *out) {
  static const char kDigits[] = "0123456789abcdef";
  uint8_t sum = 0;
  for (size_t i = 0; i < p->n; i++) sum = (uint8_t)(sum + (uint8_t)p->data[i]);
  out[0] = '$';
  memcpy(out + 1, p->data, p->n);
  out[p->n + 1] = '#';
  out[p->n + 2] = kDigits[sum >> 4];
  out[p->n + 3] = kDigits[sum & 15];
  return p->n + 4;
}

bool rsp_number(const char **at, uint64_t *out) {
  const char *p = *at;
  uint64_t v = 0;
  unsigned n = 0;
  for (; digit(*p) >= 0; p++) {
    v = v << 4 | (uint64_t)digit(*p);
    if (v != 0 || n != 0) n++;
    if (n > 16) return false;
  }
  if (p == *at) return false;
  *at = p;
  *out = v;
  return true;
}

size_t rsp_unhex(const char *text, void *out, size_t cap) {
  uint8_t *b = out;
  size_t n = 0;
  while (n < cap && digit(text[2 * n]) >= 0 && digit(text[2 * n + 1]) >= 0) {
    b[n] = (uint8_t)(digit(text[2 * n]) << 4 | digit(text[2 * n + 1]));
    n++;
  }
  return n;
}
