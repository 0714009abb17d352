// SPDX-License-Identifier: Apache-2.0
//
// sm_subcore with pipes of 32 lanes against the golden model, and its timing rules.
// bench: top subcore_bench -GLanes=32
// bench: link isa/wg_isa.c model/counts.c model/ref/ref_exec*.c model/ref/ref_fp*.c model/ref/ref_mufu.c model/ref/ref_half*.c model/ref/ref_cvt*.c model/ref/ref_mma*.c model/ref/ref_warp.c model/ref/ref_mem*.c model/ref/ref_atom*.c model/ref/ref_ctrl*.c model/twin/barrier.c model/twin/diverge.c model/twin/simt_stack.c model/twin/sched_door.c
namespace {
constexpr unsigned kLanes = 32;
}
#include "testbench/rtl/subcore/subcore_cases.h"
