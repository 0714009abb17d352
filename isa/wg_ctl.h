// SPDX-License-Identifier: Apache-2.0
//
// The control field's numbers: which instructions raise which counter, and how many issue cycles a machine needs
// between a fixed-latency instruction and one that uses its result (isa/README.md, "Control field"). Compiler,
// checker and session read this.
#ifndef WG_ISA_CTL_H
#define WG_ISA_CTL_H

#include "isa/wg_isa.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { kWgCounters = 6, kWgNoCounter = 7, kWgMaxStall = 15 };

/** What covers an instruction's results. Fp64 counts as variable: some machines take longer than a stall count can say. */
typedef enum wg_ctl_class {
  kWgCtlInt,      /* int pipe; CALL and BMOV.RD, which write their register through it */
  kWgCtlFp32,
  kWgCtlHalf,
  kWgCtlVariable, /* memory, sfu, special registers, cross-lane, matrix, fp64 */
  kWgCtlControl,  /* what writes no register or predicate and is none of these */
} wg_ctl_class_t;

/** Issue to issue of a dependent instruction, in cycles, by class (the first three). 1..15 each. */
typedef struct wg_ctl_table {
  uint8_t result[3]; /* registers */
  uint8_t pred[3];   /* predicates */
} wg_ctl_table_t;

/** Valid on every shape without extra latency: what the compiler assumes if no machine is named. */
extern const wg_ctl_table_t wg_ctl_any;

/**
 * The table of a machine.
 * @param lanes_int lanes of the int, fp32 and half pipes; @param interval [2] issue interval of int; of fp32 and half, in cycles
 * beyond the lanes' own: an instruction's predicates come with the last beat of the pipe so narrowed
 * @param extra [3] extra latency of int, fp32, half, in cycles
 * @return kWgBadInput if a distance exceeds kWgMaxStall
 */
WG_NODISCARD wg_status_t wg_ctl_table(uint32_t lanes_int, const uint32_t *interval, const uint32_t *extra, wg_ctl_table_t *out,
                                      wg_diag_t *diag);
/** Never 0. Equal tables have equal hashes. */
uint32_t wg_ctl_hash(const wg_ctl_table_t *t);

wg_ctl_class_t wg_ctl_class(uint8_t op);
/** @return the counter that the results go under, kWgNoCounter if it names none, has no destination or is of fixed latency */
unsigned wg_ctl_write_counter(const wg_insn_t *in);
/** @return the counter that stands until the operands are read; kWgNoCounter also for what reads them at a fixed time */
unsigned wg_ctl_read_counter(const wg_insn_t *in);
/** @return true for what can raise a read counter */
bool wg_ctl_reads_late(uint8_t op);

#ifdef __cplusplus
}
#endif
#endif
