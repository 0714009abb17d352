// SPDX-License-Identifier: Apache-2.0
//
// The code window: fetch and decode on first use.
#include <string.h>

#include "model/ref/wg_ref.h"

enum { kPageInsns = 1024, kPages = (1 << kWgPcBits) / kWgInsnBytes / kPageInsns };

struct wg_ref_code {
  wg_ref_mem_t mem;
  uint64_t base;
  wg_ref_insn_t *page[kPages]; /* NULL until a word of it is fetched */
};

wg_ref_code_t *wg_ref_code_new(const wg_ref_mem_t *mem, uint64_t base) {
  wg_ref_code_t *c = calloc(1, sizeof *c);
  WG_BUG(c == NULL);
  c->mem = *mem;
  c->base = base;
  return c;
}

void wg_ref_code_free(wg_ref_code_t *c) {
  if (c == NULL) return;
  for (unsigned i = 0; i < (unsigned)kPages; i++) free(c->page[i]);
  free(c);
}

uint64_t wg_ref_code_base(const wg_ref_code_t *c) { return c->base; }

void wg_ref_code_forget(wg_ref_code_t *c) {
  for (unsigned i = 0; i < (unsigned)kPages; i++) {
    if (c->page[i] != NULL) memset(c->page[i], 0, kPageInsns * sizeof *c->page[i]);
  }
}

static void fetch(wg_ref_code_t *c, uint32_t pc, wg_ref_insn_t *e) {
  uint8_t raw[16];
  e->known = true;
  if (!c->mem.read(c->mem.ctx, c->base + pc, raw, sizeof raw)) {
    e->in = wg_insn_default(kWgOp_NOP);
    e->state = kWgFaultBadPc;
    return;
  }
  memcpy(&e->word.lo, raw, 8);
  memcpy(&e->word.hi, raw + 8, 8);
  e->state = wg_decode(e->word, &e->in) == kWgOk && wg_insn_built(&e->in) ? kWgFaultNone : kWgFaultIllegalInsn;
  if (e->state == kWgFaultNone) e->regs = wg_insn_regs(&e->in);
}

const wg_ref_insn_t *wg_ref_code_at(wg_ref_code_t *c, uint32_t pc) {
  uint32_t index = (pc & ((1u << kWgPcBits) - 1u)) / (uint32_t)kWgInsnBytes;
  wg_ref_insn_t **page = &c->page[index / kPageInsns];
  if (*page == NULL) {
    *page = calloc(kPageInsns, sizeof **page);
    WG_BUG(*page == NULL);
  }
  wg_ref_insn_t *e = &(*page)[index % kPageInsns];
  if (!e->known) fetch(c, pc, e);
  return e;
}
