// SPDX-License-Identifier: Apache-2.0
//
// C++ names for people: what a mangled name of PTX or of a container stands for.
#ifndef WG_TOOLCHAIN_DEMANGLE_H
#define WG_TOOLCHAIN_DEMANGLE_H

#include "isa/wg_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * The C++ name that `name` is the mangled form of ("_Z2k1PKf" -> "k1(float const*)"), for messages and reports only:
 * files that programs read (cycles.tsv, JSON) keep the mangled one. Other names, and all where the C++ library is
 * not there, come out unchanged. A result longer than `n` is cut and ends in "...".
 * @param buf [n], n >= 8; filled, NUL-terminated
 * @return buf
 */
const char *wg_demangle(const char *name, char *buf, size_t n);

#ifdef __cplusplus
}
#endif
#endif
