// SPDX-License-Identifier: Apache-2.0
//
// Names and shapes of isa/cfg.def for C.
#include "isa/wg_cfg.h"

#include <string.h>

const wg_shape_t wg_shapes[] = {
#define WG_SHAPE(ID, SUBCORES, WARPSLOTS, LINT, LFP32, LFP64, LSFU, REGS, SMEM, BLOCKS, L1I, L0I, MROWS) \
  {#ID, SUBCORES, WARPSLOTS, LINT, LFP32, LFP64, LSFU, REGS, SMEM, BLOCKS, L1I, L0I, MROWS},
#include "isa/cfg.def"
    {.name = ""},
};

const wg_shape_t *wg_shape_find(const char *name) {
  for (const wg_shape_t *s = wg_shapes; s->name[0] != '\0'; s++) {
    if (strcmp(s->name, name) == 0) return s;
  }
  return NULL;
}

const char *wg_reason_name(unsigned reason) {
  switch (reason) {
#define WG_REASON(ID, VALUE, NAME, DOC) case VALUE: return NAME;
#include "isa/cfg.def"
    default: return "?";
  }
}

const char *wg_sreg_name(unsigned sr) {
  switch (sr) {
#define WG_SREG(ID, VALUE, NAME, DOC) case VALUE: return NAME;
#include "isa/cfg.def"
    default: return "?";
  }
}

const char *wg_fault_name(unsigned fault) {
  switch (fault) {
#define WG_FAULT(ID, VALUE, CUDA, NAME, DOC) case VALUE: return NAME;
#include "isa/cfg.def"
    default: return "?";
  }
}

const char *wg_policy_name(unsigned policy) {
  switch (policy) {
#define WG_POLICY(ID, VALUE, NAME, DOC) case VALUE: return NAME;
#include "isa/cfg.def"
    default: return "?";
  }
}

int wg_policy_find(const char *name) {
#define WG_POLICY(ID, VALUE, NAME, DOC) \
  if (strcmp(name, NAME) == 0) return VALUE;
#include "isa/cfg.def"
  return -1;
}

unsigned wg_fault_cuda(unsigned fault) {
  switch (fault) {
#define WG_FAULT(ID, VALUE, CUDA, NAME, DOC) case VALUE: return CUDA;
#include "isa/cfg.def"
    default: return 719;
  }
}
