// SPDX-License-Identifier: Apache-2.0
//
// `warpglass run --span on`: work, span and parallelism of the launches (model/ref/wg_ref_span.h).
#include <string.h>

#include "cosim/cli/cli.h"
#include "toolchain/obj/wg_demangle.h"

typedef unsigned long long ull_t;

enum { kStreams = 64 }; /* told apart; others count as the legacy stream */

/* The stream of the next launch, `l`: launches and their commands end in one order where grids do not run beside each
   other. @param[in,out] at events looked at */
static uint32_t next_stream(const cli_record_t *r, const cli_launch_t *l, size_t *at) {
  while (*at < r->num_events) {
    const cli_event_t *e = &r->events[(*at)++];
    if (e->of_host || strcmp(e->what, "launch") != 0) continue;
    return strcmp(e->kernel, l->kernel) == 0 && e->stream < (uint32_t)kStreams ? e->stream : 0;
  }
  return 0;
}

uint64_t cli_span_of_run(const cli_record_t *r) {
  uint64_t end[kStreams] = {0}, deepest = 0;
  size_t at = 0;
  for (size_t i = 0; i < r->num_launches; i++) {
    uint64_t span = r->launches[i].span;
    if (span == 0) return 0;
    uint32_t s = next_stream(r, &r->launches[i], &at);
    uint64_t from = s == 0 ? deepest : end[s];
    if (from + span > deepest) deepest = from + span;
    for (uint32_t k = 0; k < (uint32_t)kStreams; k++) {
      if (s == 0 || k == s) end[k] = from + span;
    }
  }
  return deepest;
}

static bool alike(const cli_launch_t *a, const cli_launch_t *b) {
  return strcmp(a->kernel, b->kernel) == 0 && a->thread_insts == b->thread_insts && a->span == b->span;
}

static void print_row(FILE *out, const char *launches, uint64_t work, uint64_t span, const char *kernel) {
  fprintf(out, "%-11s %18llu %12llu %16.1f  %s\n", launches, (ull_t)work, (ull_t)span,
          (double)work / (double)span, kernel);
}

void cli_span_print(FILE *out, const cli_record_t *r) {
  uint64_t span = cli_span_of_run(r), work = 0;
  if (span == 0) return;
  fprintf(out, "%-11s %18s %12s %16s  %s\n", "launches", "work_thread_insts", "span_insts", "parallelism", "kernel");
  for (size_t i = 0; i < r->num_launches;) { /* launches alike in one row */
    const cli_launch_t *l = &r->launches[i];
    char name[sizeof l->kernel], which[32];
    size_t k = i;
    for (; k < r->num_launches && alike(l, &r->launches[k]); k++) work += r->launches[k].thread_insts;
    if (k == i + 1) snprintf(which, sizeof which, "%u", l->n);
    else snprintf(which, sizeof which, "%u-%u", l->n, r->launches[k - 1].n);
    print_row(out, which, l->thread_insts, l->span, wg_demangle(l->kernel, name, sizeof name));
    i = k;
  }
  if (r->num_launches > 1) print_row(out, "all", work, span, "in stream order");
  double parallelism = (double)work / (double)span;
  double here = r->machine.max_resident_threads, whole = r->machine.full_machine_threads;
  if (r->has_machine)
    fprintf(out,
            "resident threads: %.0f on this run's SMs, %.0f on the whole machine; work keeps min(parallelism, resident) "
            "busy: %.0f, %.0f\n",
            here, whole, parallelism < here ? parallelism : here, parallelism < whole ? parallelism : whole);
  fputs("work: instructions that threads executed; span: on the longest chain of dependences through registers, predicates,\n"
        "memory, barriers and launches, branches foreseen (model/ref/wg_ref_span.h); parallelism: work / span\n", out);
}
