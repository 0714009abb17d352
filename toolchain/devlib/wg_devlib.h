// SPDX-License-Identifier: Apache-2.0
//
// PTX text of the device library, made of wg_devlib.cu when the tools are built.
#ifndef WG_TOOLCHAIN_DEVLIB_H
#define WG_TOOLCHAIN_DEVLIB_H

#ifdef __cplusplus
extern "C" {
#endif

/** NUL-terminated. Functions __wg_lib_NAME stand behind vprintf, __assertfail, malloc and free. */
extern const char wg_devlib_ptx[];

#ifdef __cplusplus
}
#endif
#endif
