// SPDX-License-Identifier: Apache-2.0
//
// sm_fetch with instruction buffers of 4 words; cases: fetch_cases.h.
// bench: top fetch_bench
// bench: link isa/wg_isa.c

namespace {
constexpr unsigned kDepth = 4;
}
#include "testbench/rtl/front/fetch_cases.h"
