// SPDX-License-Identifier: Apache-2.0
//
// Commands as words of a push buffer.
#include <string.h>

#include "model/front/front.h"

static unsigned put64(uint32_t *w, unsigned n, uint64_t v) {
  w[n] = (uint32_t)v;
  w[n + 1] = (uint32_t)(v >> 32);
  return n + 2;
}

static uint64_t get64(const uint32_t *w, unsigned n) { return w[n] | (uint64_t)w[n + 1] << 32; }

unsigned wg_front_encode(const wg_front_cmd_t *c, uint32_t *words) {
  unsigned n = put64(words, 1, c->work);
  switch (c->op) {
    case kWgFrontLaunch:
      memcpy(words + n, c->grid, sizeof c->grid);
      memcpy(words + n + 3, c->block, sizeof c->block);
      words[n + 6] = c->dyn_shared;
      n += 7;
      break;
    case kWgFrontCopy:
      words[n++] = c->kind;
      n = put64(words, n, c->addr);
      n = put64(words, n, c->bytes);
      break;
    case kWgFrontWait:
      n = put64(words, n, c->after);
      break;
    case kWgFrontRecord:
    case kWgFrontFunction:
      break;
  }
  words[0] = (uint32_t)c->op << 28 | n << 16 | (c->stream & 0xffffu);
  return n;
}

unsigned wg_front_decode(const uint32_t *words, wg_front_cmd_t *out) {
  static const unsigned kWords[] = {0, 10, 8, 3, 5, 3};
  unsigned op = words[0] >> 28, n = words[0] >> 16 & 0xfffu;
  if (op == 0 || op >= sizeof kWords / sizeof kWords[0] || n != kWords[op]) return 0;
  memset(out, 0, sizeof *out);
  out->op = (wg_front_op_t)op;
  out->stream = words[0] & 0xffffu;
  out->work = get64(words, 1);
  if (out->op == kWgFrontLaunch) {
    memcpy(out->grid, words + 3, sizeof out->grid);
    memcpy(out->block, words + 6, sizeof out->block);
    out->dyn_shared = words[9];
  } else if (out->op == kWgFrontCopy) {
    out->kind = words[3];
    out->addr = get64(words, 4);
    out->bytes = get64(words, 6);
  } else if (out->op == kWgFrontWait) {
    out->after = get64(words, 3);
  }
  return n;
}
