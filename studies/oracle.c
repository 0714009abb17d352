// SPDX-License-Identifier: Apache-2.0
//
// A warp scheduler that knows beforehand how many instructions each warp will issue: it stays with a warp while that can issue, then
// takes the one with the most in all, of equal ones the oldest: greedy criticality-aware with a perfect prediction, `gto` if all warps do the same. A plug-in of the pick port (cosim/policy_plugin.h) for runs on one SM, made twice by study.py: without WG_ORACLE_TABLE it schedules
// loose round robin and appends a line `launch sub-core number instructions` for each warp to the file that WG_ORACLE_RECORD names;
// else it reads these lines from the table WG_ORACLE_TABLE, compiled in, so that they are part of the sweep's key.
// study.py runs both without the progress rule (progress=off).
// A warp's number counts the warps bound to its sub-core. Blocks come to one SM in their order and their warps go round the
// sub-cores, so that a number is the same warp in both runs where a block's warps are a multiple of the sub-cores.
// Instances are made a sub-core at a time at the reset before each launch: their count tells launch and sub-core (one SM only).
#include <stdio.h>
#include <stdlib.h>

#include "cosim/policy_plugin.h"
#include "model/twin/sched.h"

enum { kMost = 1 << 16 }; /* warps of a sub-core in a launch */

typedef struct row {
  unsigned launch, sub, number, insts;
} row_t;

#ifdef WG_ORACLE_TABLE
static const row_t kRows[] = {
#include WG_ORACLE_TABLE
    {~0u, 0, 0, 0}};
#endif

typedef struct oracle {
  wg_sched_t s;
  unsigned launch, sub, bound;
  unsigned number[kWgMaxWarpSlots]; /* of the warp in a slot */
  unsigned *insts;                  /* [kMost] issued */
  unsigned *total;                  /* [kMost] to issue; oracle only */
} oracle_t;

static unsigned instances; /* made in this process */

#ifdef WG_ORACLE_TABLE
/* Greedy, then the eligible warp with the most instructions in all, the oldest of equal ones. */
static wg_sched_out_t most_work(const wg_sched_t *s, const wg_sched_in_t *in) {
  const oracle_t *o = (const oracle_t *)s; /* its first member */
  if (o->s.has_last && wg_sched_has(in->eligible, o->s.last)) return wg_sched_answer(&o->s, o->s.last, 0);
  unsigned best = o->s.num_slots;
  for (unsigned w = 0; w < o->s.num_slots; w++) {
    unsigned n = o->number[w];
    if (!wg_sched_has(in->eligible, w)) continue;
    unsigned b = best == o->s.num_slots ? 0 : o->number[best];
    if (best == o->s.num_slots || o->total[n] > o->total[b] || (o->total[n] == o->total[b] && n < b)) best = w;
  }
  return wg_sched_answer(&o->s, best, 0);
}
static const wg_sched_policy_t kPolicy = {kWgSchedAbi, kWgPolicyExt, most_work, NULL};
#endif

static void *create(const wg_policy_plugin_t *self, uint32_t warp_slots, const uint32_t knob[4], uint32_t progress_cycles) {
  (void)self;
  oracle_t *o = calloc(1, sizeof *o);
  if (o == NULL || (o->insts = calloc(2 * kMost, sizeof *o->insts)) == NULL) abort();
  o->total = o->insts + kMost;
  o->launch = instances / WG_SUB_CORES;
  o->sub = instances++ % WG_SUB_CORES;
#ifdef WG_ORACLE_TABLE
  for (const row_t *r = kRows; r->launch != ~0u; r++) {
    if (r->launch == o->launch && r->sub == o->sub && r->number < kMost) o->total[r->number] = r->insts;
  }
  const wg_sched_policy_t *policy = &kPolicy;
#else
  const wg_sched_policy_t *policy = &wg_sched_lrr;
#endif
  wg_sched_init(&o->s, policy, warp_slots, knob, progress_cycles);
  return o;
}

static int pick(void *state, const sm_sched_view_t *view, uint16_t *withheld) {
  oracle_t *o = state;
  wg_sched_in_t in = {.valid = view->valid, .eligible = view->eligible};
  wg_sched_unpack(&in, view->event);
  for (unsigned w = 0; w < o->s.num_slots; w++) {
    if (wg_sched_has(in.launched, w)) o->number[w] = o->bound < kMost - 1 ? o->bound++ : kMost - 1;
  }
  wg_sched_out_t out = wg_sched_step(&o->s, &in);
  *withheld = out.withheld;
  if (!out.issue) return -1;
  o->insts[o->number[out.warp]]++;
  return out.warp;
}

static void destroy(void *state) {
  oracle_t *o = state;
#ifndef WG_ORACLE_TABLE
  const char *path = getenv("WG_ORACLE_RECORD");
  FILE *f = path == NULL ? NULL : fopen(path, "a");
  for (unsigned n = 0; f != NULL && n < o->bound; n++) fprintf(f, "{%u, %u, %u, %u},\n", o->launch, o->sub, n, o->insts[n]);
  if (f != NULL && fclose(f) != 0) abort(); /* a record that is cut would be a wrong oracle */
#endif
  free(o->insts);
  free(o);
}

#ifdef WG_ORACLE_TABLE
#define NAME "oracle"
#else
#define NAME "recorder"
#endif
const wg_policy_plugin_t wg_policy_plugin = {
    .abi_version = kWgAbiVersion, .name = NAME, .create = create, .pick = pick, .destroy = destroy};
