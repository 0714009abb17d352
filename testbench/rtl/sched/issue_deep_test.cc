// SPDX-License-Identifier: Apache-2.0
//
// sm_issue with instruction buffers of 8 words (shape sm32); cases: issue_cases.h.
// bench: top issue_bench -GDepth=8
// bench: link isa/wg_cfg.c

namespace {
constexpr unsigned kDepth = 8;
}
#include "testbench/rtl/sched/issue_cases.h"
