// SPDX-License-Identifier: Apache-2.0
//
// The matrix multiply-accumulate.
#include "model/ref/wg_ref.h"

bool wg_ref_exec_mma(const wg_insn_t *in, const wg_ref_in_t *src, wg_ref_out_t *out) {
  (void)in;
  (void)src;
  (void)out;
  return false;
}
