// SPDX-License-Identifier: Apache-2.0
//
// sm_issue with instruction buffers of 4 words; cases: issue_cases.h.
// bench: top issue_bench
// bench: link isa/wg_cfg.c

namespace {
constexpr unsigned kDepth = 4;
}
#include "testbench/rtl/sched/issue_cases.h"
