// SPDX-License-Identifier: Apache-2.0
//
// Kernels of a file: PTX text, a kernel container (ELF of wgasm or warpglass ptx), or a program built by wgcc.
#ifndef WG_COSIM_CLI_KERNELS_H
#define WG_COSIM_CLI_KERNELS_H

#include "toolchain/obj/wg_obj.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { kCliMaxKernels = 64 };

/** What a launch of a kernel takes. */
typedef struct cli_kernel {
  char name[120]; /* as in C++ */
  uint32_t regs, shared_bytes, max_threads;
  bool dyn_shared;
} cli_kernel_t;

/**
 * @param[out] k [kCliMaxKernels] in the file's order; further ones are left out
 * @return kWgOk; kWgIo; kWgBadInput if it is none of these files or a part of it does not compile
 */
WG_NODISCARD wg_status_t cli_kernels_read(const char *path, cli_kernel_t *k, size_t *n, wg_diag_t *diag);

#ifdef __cplusplus
}
#endif
#endif
