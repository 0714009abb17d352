// SPDX-License-Identifier: Apache-2.0
//
// `warpglass run --timeline`: the seven steps of a CUDA host program (allocate, initialise, allocate on the
// device, copy in, launch, copy out, free) with bytes and simulated time, and every command of its streams.
// Times: us of simulated time.
#include <string.h>

#include "cosim/cli/cli.h"
#include "toolchain/obj/wg_demangle.h"

typedef unsigned long long ull_t;

static bool is(const cli_event_t *e, const char *what) { return strcmp(e->what, what) == 0; }

/* Sums over the events of one kind. */
typedef struct sums {
  uint64_t n, bytes, ns, pageable;
} sums_t;

static sums_t sum(const cli_record_t *r, const char *what) {
  sums_t s = {0, 0, 0, 0};
  for (size_t i = 0; i < r->num_events; i++) {
    const cli_event_t *e = &r->events[i];
    if (!is(e, what)) continue;
    s.n++;
    s.bytes += e->bytes;
    s.ns += e->end - e->start;
    s.pageable += e->pageable ? e->bytes : 0;
  }
  return s;
}

/* ---- overlap ---- */

typedef struct span {
  uint64_t from, to;
} span_t;

static int by_start(const void *a, const void *b) {
  const span_t *x = a, *y = b;
  return x->from < y->from ? -1 : x->from > y->from ? 1 : 0;
}

/* Times at which one of the events that `pick` wants is under way, as spans apart from each other, ascending. */
static size_t spans(const cli_record_t *r, bool (*pick)(const cli_event_t *), span_t *out) {
  size_t n = 0, merged = 0;
  for (size_t i = 0; i < r->num_events; i++) {
    if (pick(&r->events[i])) out[n++] = (span_t){r->events[i].start, r->events[i].end};
  }
  qsort(out, n, sizeof *out, by_start);
  for (size_t i = 0; i < n; i++) {
    if (merged != 0 && out[i].from <= out[merged - 1].to) {
      if (out[i].to > out[merged - 1].to) out[merged - 1].to = out[i].to;
    } else {
      out[merged++] = out[i];
    }
  }
  return merged;
}

static uint64_t length(const span_t *s, size_t n) {
  uint64_t sum = 0;
  for (size_t i = 0; i < n; i++) sum += s[i].to - s[i].from;
  return sum;
}

static uint64_t common(const span_t *a, size_t na, const span_t *b, size_t nb) {
  uint64_t sum = 0;
  for (size_t i = 0, k = 0; i < na && k < nb;) {
    uint64_t from = a[i].from > b[k].from ? a[i].from : b[k].from, to = a[i].to < b[k].to ? a[i].to : b[k].to;
    if (to > from) sum += to - from;
    if (a[i].to < b[k].to) i++;
    else k++;
  }
  return sum;
}

static bool is_copy(const cli_event_t *e) { return is(e, "h2d") || is(e, "d2h") || is(e, "d2d") || is(e, "set"); }
static bool is_kernel(const cli_event_t *e) { return is(e, "launch"); }

void cli_copies_print(FILE *out, const cli_record_t *r) {
  static const char *const kKinds[][2] = {
      {"h2d", "host to device"}, {"d2h", "device to host"}, {"d2d", "within the device"}, {"set", "set"}};
  span_t *c = calloc(r->num_events + 1, sizeof *c), *k = calloc(r->num_events + 1, sizeof *k);
  if (c != NULL && k != NULL) {
    size_t nc = spans(r, is_copy, c), nk = spans(r, is_kernel, k);
    if (nc != 0)
      fprintf(out, "%-18s %9s %14s %14s %12s %9s\n", "copies", "number", "bytes", "pageable_bytes", "busy_us",
              "GB_per_s");
    for (size_t i = 0; nc != 0 && i < 4; i++) {
      sums_t s = sum(r, kKinds[i][0]);
      if (s.n == 0) continue;
      fprintf(out, "%-18s %9llu %14llu %14llu %12.3f %9.3f\n", kKinds[i][1], (ull_t)s.n, (ull_t)s.bytes,
              (ull_t)s.pageable, (double)s.ns / 1e3, s.ns == 0 ? 0.0 : (double)s.bytes / (double)s.ns);
    }
    uint64_t both = common(c, nc, k, nk), copies = length(c, nc);
    if (nc != 0 && !r->timing) {
      fprintf(out, "copies under way for %.3f us; kernels: this back end makes no timing claim\n",
              (double)copies / 1e3);
    } else if (nc != 0) {
      fprintf(out,
              "copies under way for %.3f us, kernels for %.3f us, both at once for %.3f us (%.1f %% of the copies' "
              "time)\n",
              (double)copies / 1e3, (double)length(k, nk) / 1e3, (double)both / 1e3,
              copies == 0 ? 0.0 : 100.0 * (double)both / (double)copies);
    }
  }
  free(c);
  free(k);
}

/* ---- the steps ---- */

static void step(FILE *out, const char *name, const char *call, const sums_t *s, const char *note) {
  fprintf(out, "%-22s %-24s %7llu %14llu %12.3f  %s\n", name, call, (ull_t)s->n, (ull_t)s->bytes, (double)s->ns / 1e3,
          note);
}

static void print_steps(FILE *out, const cli_record_t *r) {
  const sums_t none = {0, 0, 0, 0};
  sums_t mallochost = sum(r, "mallochost"), freehost = sum(r, "freehost"), alloc = sum(r, "malloc"),
         in = sum(r, "h2d"), set = sum(r, "set"), launch = sum(r, "launch"), sync = sum(r, "sync"),
         back = sum(r, "d2h"), gone = sum(r, "free");
  char note[160] = "";
  fprintf(out, "%-22s %-24s %7s %14s %12s\n", "step of the host", "call", "number", "bytes", "time_us");
  step(out, "1 allocate", "cudaMallocHost", &mallochost, "malloc and new are not seen");
  step(out, "2 initialise", "host code", &none, "not seen; host code takes no simulated time");
  step(out, "3 allocate on device", "cudaMalloc", &alloc, "");
  step(out, "4 copy in", "host to device", &in, in.pageable != 0 ? "pageable memory goes through staging memory" : "");
  if (set.n != 0) step(out, "", "cudaMemset", &set, "");
  step(out, "5 launch", "<<<...>>>", &launch, r->timing ? "" : "this back end makes no timing claim");
  if (sync.n != 0) step(out, "  synchronise", "cudaDeviceSynchronize", &sync, "waiting");
  step(out, "6 copy out", "device to host", &back,
       back.pageable != 0 ? "pageable memory goes through staging memory" : "");
  if (gone.bytes < alloc.bytes) {
    snprintf(note, sizeof note, "note: %llu bytes in %llu allocations were never freed%s",
             (ull_t)(alloc.bytes - gone.bytes), (ull_t)(alloc.n - gone.n), gone.n == 0 ? ": step 7 is missing" : "");
  }
  step(out, "7 free", "cudaFree", &gone, note);
  if (freehost.n != 0) step(out, "", "cudaFreeHost", &freehost, "");
}

/* ---- kernel times ---- */

/* The text's sum beside what was measured. Launches and their commands end in one order where grids do not run beside
   each other; a launch begins when it is submitted, or when the one before has ended. */
static void print_kernel_times(FILE *out, const cli_record_t *r) {
  uint64_t before = 0;
  size_t n = 0;
  if (!r->timing || !r->has_machine || r->machine.sm_clock_khz <= 0) return;
  for (size_t i = 0; i < r->num_events && n < r->num_launches; i++) {
    const cli_event_t *e = &r->events[i];
    const cli_launch_t *l = &r->launches[n];
    if (e->of_host || !is_kernel(e)) continue;
    /* beside each other: no single times */
    if (strcmp(e->kernel, l->kernel) != 0 || !l->has_more || l->more.gte.blocks == 0) return;
    if (n++ == 0)
      fprintf(out, "\n%6s %10s %6s %13s %10s %13s %12s  %s\n", "launch", "launch_us", "waves", "block_mean_us",
              "drain_us", "predicted_us", "measured_us", "launch + waves x block time (a tail is a whole wave) + drain");
    uint64_t from = e->submit > before ? e->submit : before;
    double us = 1e3 / r->machine.sm_clock_khz, launch = (double)(e->start - from) / 1e3;
    double block = (double)l->more.gte.block_cycles / (double)l->more.gte.blocks;
    double drain = (double)l->more.gte.drain_cycles;
    double kernel = (double)l->more.gte.waves * block + drain, measured = (double)l->cycles + drain;
    char name[120];
    fprintf(out, "%6u %10.3f %6llu %13.3f %10.3f %13.3f %12.3f  %s\n", l->n, launch, (ull_t)l->more.gte.waves,
            block * us, drain * us, launch + kernel * us, launch + measured * us, wg_demangle(l->kernel, name, sizeof name));
    before = e->end;
  }
}

void cli_timeline_print(FILE *out, const cli_record_t *r) {
  print_steps(out, r);
  fprintf(out, "\n");
  cli_copies_print(out, r);
  print_kernel_times(out, r);
  fprintf(out, "\n%-8s %6s %-10s %5s %14s %14s %14s %14s  %s\n", "command", "stream", "what", "words", "bytes",
          "submitted_us", "start_us", "end_us", "kernel");
  for (size_t i = 0; i < r->num_events; i++) {
    const cli_event_t *e = &r->events[i];
    char name[120] = "";
    if (is_kernel(e)) wg_demangle(e->kernel, name, sizeof name);
    if (e->of_host) {
      fprintf(out, "%-8s %6s %-10s %5s %14llu %14s %14.3f %14.3f\n", "-", "host", e->what, "-", (ull_t)e->bytes, "-",
              (double)e->start / 1e3, (double)e->end / 1e3);
    } else {
      fprintf(out, "%-8llu %6u %-10s %5u %14llu %14.3f %14.3f %14.3f  %s%s\n", (ull_t)e->id, e->stream, e->what,
              e->words, (ull_t)e->bytes, (double)e->submit / 1e3, (double)e->start / 1e3, (double)e->end / 1e3, name,
              e->pageable ? "pageable" : "");
    }
  }
}
