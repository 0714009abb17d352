// SPDX-License-Identifier: Apache-2.0
//
// The companion ELF of a run for gdb-multiarch: kernels as functions of a 64-bit RISC-V program, with DWARF 4 line, info and frame
// sections made from the kernel container's line table. gdb reads symbols and lines from it; the code in it is the SM's own, which
// gdb only copies.
#ifndef WG_COSIM_DEBUG_ELF_H
#define WG_COSIM_DEBUG_ELF_H

#include "toolchain/obj/wg_obj.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Where constant bank 0 of the selected warp lies for gdb: behind shared (1) and local memory (2). */
#define WG_DBG_BANK0 (UINT64_C(3) << 32)

enum { kDbgElfModules = 16 }; /* module m's code begins at address m << kWgPcBits; an address of code has a zero upper word */

/** @param objs [n], at most kDbgElfModules @return kWgOk or kWgIo */
WG_NODISCARD wg_status_t dbg_elf_write(const char *path, const wg_obj_t *const *objs, size_t n, wg_diag_t *diag);

#ifdef __cplusplus
}
#endif
#endif
