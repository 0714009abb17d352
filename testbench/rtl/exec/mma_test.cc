// SPDX-License-Identifier: Apache-2.0
//
// sm_mma with 8 dot products a cycle (the default); cases and options: mma_cases.h.
// bench: top mma_tb -GDots=8
// bench: link model/ref/ref_exec_mma.c model/ref/ref_mma.c model/ref/ref_fp64.c isa/wg_isa.c

namespace {
constexpr unsigned kDots = 8;
}
#include "testbench/rtl/exec/mma_cases.h"
