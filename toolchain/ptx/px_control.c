// SPDX-License-Identifier: Apache-2.0
//
// The control field of a kernel: always written, obeyed only with `dep=control-bits` (toolchain/ctl).
#include "toolchain/ctl/wg_annotate.h"
#include "toolchain/ptx/px.h"

void wg_px_control(wg_px_ctx_t *x, wg_px_item_t *item, uint32_t n) {
  wg_insn_t *in = wg_px_alloc(x, (n + 1) * sizeof *in);
  for (uint32_t i = 0; i < n; i++) in[i] = item[i].in;
  wg_annotate(in, n, x->opt.ctl != NULL ? x->opt.ctl : &wg_ctl_any, kWgAnnotateTight);
  for (uint32_t i = 0; i < n; i++) item[i].in = in[i];
}
