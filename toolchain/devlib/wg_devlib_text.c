// SPDX-License-Identifier: Apache-2.0
//
// The PTX text as a string of this library. WG_DEVLIB_PTX: its file, from the Makefile.
#include "toolchain/devlib/wg_devlib.h"

__asm__(
    ".pushsection .rodata\n"
    ".globl wg_devlib_ptx\n"
    ".type wg_devlib_ptx, @object\n"
    "wg_devlib_ptx:\n"
    ".incbin \"" WG_DEVLIB_PTX "\"\n"
    ".byte 0\n"
    ".size wg_devlib_ptx, . - wg_devlib_ptx\n"
    ".popsection\n");
