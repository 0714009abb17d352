// SPDX-License-Identifier: Apache-2.0
//
// On-disk records of the kernel container. All numbers u32, little endian. Private to toolchain/obj.
#ifndef WG_TOOLCHAIN_OBJ_ELF_H
#define WG_TOOLCHAIN_OBJ_ELF_H

#include "toolchain/obj/wg_obj.h"

/** One kernel in .wg.kernel. `text` = section index of its code; its parameters are param_first.. in
 * .wg.param. */
typedef struct wg_obj_manifest {
  uint32_t text, max_threads, req_ntid[3], regs, shared_bytes, local_bytes, barriers, spills, uses_dyn_shared;
  uint32_t param_first, num_params, latency_hash, is_func, uses_stack;
} wg_obj_manifest_t;

/** One variable in .wg.var: its STT_OBJECT symbol has place and size. */
typedef struct wg_obj_varrec {
  uint32_t symbol, align;
} wg_obj_varrec_t;

/** Do its bytes lie in their space? */
bool wg_obj_reloc_fits(const wg_obj_t *o, const wg_obj_reloc_t *r);

enum {
  kWgObjCodeAlign = 128,
  kWgObjMaxCode = 1 << 28, /* bytes: PcBits of isa/cfg.def */
  kWgObjMaxParam = 32764,  /* bytes, PTX */
  kWgObjBankBytes = 65536,
};

#endif
