// SPDX-License-Identifier: Apache-2.0
//
// Load a shared object that somebody else built: dlopen() of one that is cut short succeeds, or dies by SIGBUS, and the
// first call into it does.
#ifndef WG_COSIM_SO_OPEN_H
#define WG_COSIM_SO_OPEN_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Is a file a whole ELF shared object of this machine: headers, segments and sections lie within it?
 * @param[out] why [n] what is wrong, with the path
 */
bool wg_so_whole(const char *path, char *why, size_t n);
/**
 * dlopen() of a file that is whole.
 * @param how flags of dlopen
 * @param[out] why [n] why not, with the path
 * @return the library; NULL: it cannot be loaded
 */
void *wg_so_open(const char *path, int how, char *why, size_t n);

#ifdef __cplusplus
}
#endif
#endif
