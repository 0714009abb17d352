// SPDX-License-Identifier: Apache-2.0
//
// Kernels of a file: PTX text, a kernel container (ELF of wgasm or warpglass ptx), or a program built by wgcc.
#ifndef WG_COSIM_CLI_KERNELS_H
#define WG_COSIM_CLI_KERNELS_H

#include "toolchain/obj/wg_obj.h"
#include "toolchain/ptx/wg_ptx.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { kCliMaxKernels = 64, kCliMaxModules = 32 };

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
/**
 * The modules that are in a program built by wgcc, as a session compiles them.
 * @param[out] o [kCliMaxModules], for wg_obj_free, also where false is returned @param[out] n how many
 * @return are these all that it can launch? false: it is no such program, or may take more from other libraries
 */
bool cli_modules_read(const char *path, const wg_ptx_options_t *opt, wg_obj_t **o, size_t *n);

#ifdef __cplusplus
}
#endif
#endif
