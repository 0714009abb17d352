// SPDX-License-Identifier: Apache-2.0
//
// sm_mma with 2 dot products a cycle: a row of D takes four steps; cases and options: mma_cases.h.
// bench: top mma_tb -GDots=2
// bench: link model/ref/ref_exec_mma.c model/ref/ref_mma.c model/ref/ref_fp64.c isa/wg_isa.c

namespace {
constexpr unsigned kDots = 2;
}
#include "testbench/rtl/exec/mma_cases.h"
