// SPDX-License-Identifier: Apache-2.0
//
// sm_fetch with instruction buffers of 8 words (shape sm32); cases: fetch_cases.h.
// bench: top fetch_bench -GDepth=8
// bench: link isa/wg_isa.c

namespace {
constexpr unsigned kDepth = 8;
}
#include "testbench/rtl/front/fetch_cases.h"
