// SPDX-License-Identifier: Apache-2.0
//
// sm_mma with four rows of eight columns a step, 32 dot products (shape sm32); cases and options: mma_cases.h.
// bench: top mma_tb -GRows=4
// bench: link model/ref/ref_exec_mma.c model/ref/ref_mma.c model/ref/ref_fp64.c isa/wg_isa.c

namespace {
constexpr unsigned kDots = 32;
}
#include "testbench/rtl/exec/mma_cases.h"
