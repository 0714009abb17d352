// SPDX-License-Identifier: Apache-2.0
//
// What the simulator measured, for a program that prints it beside a formula. The one header of this folder that is no
// part of CUDA; it needs nothing else, so a copy of it beside a .cu compiles with nvcc too. There, and wherever the
// program does not run on the simulator, every value is NAN.
#ifndef WG_PROFILE_H
#define WG_PROFILE_H

#include <math.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Door of libcudart.so, absent elsewhere: call wg_profile. */
double wg_profile_value(const char *key) __attribute__((weak));

/**
 * One measured value. NAN if it was not measured: not on the simulator, no launch so far, or a back end without a clock.
 * @param key of the last launch that ran to its end: every counter of `warpglass run --json`, by the same name
 *            ("load_lanes", "shared_ld_reqs", "ffma_thread_insts", "dram_read_bytes", ...), besides "cycles" and "time_ns";
 *            of the machine, all SMs of the run together: "fp32_flop_per_cycle" (a multiply-add counts two),
 *            "dram_bytes_per_cycle", "clock_hz", "sms". An unknown key is told on stderr and fails the run.
 */
static inline double wg_profile(const char *key) { return wg_profile_value == NULL ? NAN : wg_profile_value(key); }

#ifdef __cplusplus
}
#endif
#endif
