// SPDX-License-Identifier: Apache-2.0
//
// sm_warp_sched under every policy against the twins (model/twin/sched*), cycle by cycle, and against the contract
// that all policies keep: only an eligible slot is picked; a work-conserving policy picks whenever one is eligible;
// an eligible slot waits for at most SchedWithhold + WarpSlots cycles and then has 64 issues of its own. Constrained
// random stimulus: slots bound, parked, released and freed, phases of few and of many eligible slots, slots that are
// always eligible (starvation), loads, L1 events and branches. Runs for 16 warp slots.
// bench: top policy_bench -GWarpSlots=16
// bench: link model/twin/sched.c model/twin/sched_door.c model/twin/sched_lrr.c model/twin/sched_rr.c model/twin/sched_old.c
// bench: link model/twin/sched_gto.c model/twin/sched_twolevel.c model/twin/sched_swl.c model/twin/sched_ccws.c
// bench: link model/twin/sched_gcaws.c model/twin/sched_gty.c
#define WG_SLOTS 16
#include "testbench/rtl/sched/policy_cases.h"
