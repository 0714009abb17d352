// SPDX-License-Identifier: Apache-2.0
//
// warpglass trace: an event trace of a run (--events) for viewers and readers.
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <string.h>

#include "cosim/cli/cli_events.h"
#include "cosim/cli/cli_opts.h"
#include "toolchain/obj/wg_files.h"

enum { kKonata, kPerfetto, kWavedrom, kText, kOutputs };
static const cli_opt_t kOpts[] = {
    {"--konata", "FILE|-", "@out", "a log for Konata: every warp instruction's way, and why it waited"},
    {"--perfetto", "FILE|-", "@out", "JSON for Perfetto and chrome://tracing: blocks, warps, barriers, requests, copies; 1 us is an SM cycle"},
    {"--wavedrom", "FILE|-", "@out", "JSON for WaveDrom: at most 96 cycles of one SM"},
    {"--text", "FILE|-", "@out", "a line an event"},
    {"--from", "N", "", "from this cycle on (without: all, or the window of the recording)"},
    {"--to", "N", "", "up to this cycle, which is not in it"},
    {"--around", "EVENT", "", "around an event; warpglass run --help has them"},
    {"--before", "N", "", "so many cycles before it (100)"},
    {"--after", "N", "", "and behind it (200)"},
    {"--sm", "N", "", "only this SM"},
    {NULL, NULL, NULL, NULL}};

const cli_command_t kCliTrace = {
    "trace", "[options] FILE", "what a run with --events FILE did, for viewers; without an option what is in it", kOpts, "@file",
    "Examples:\n"
    "  warpglass run --preset tiny --events x.events build/programs/reduce/reduce 4096\n"
    "  warpglass trace x.events --konata x.log --perfetto x.json\n"
    "  warpglass trace x.events --around barrier:0 --before 20 --after 10 --text -\n",
    false, cli_events};

typedef struct args {
  const char *file, *out[kOutputs], *around;
  uint64_t from, to, before, after;
  bool window;
  int sm;
} args_t;

static int take(void *ctx, const cli_opt_t *opt, const char *value) {
  args_t *a = ctx;
  if (opt == NULL) {
    if (a->file != NULL) return cli_usage(NULL, "two files: '%s' and '%s'", a->file, value);
    a->file = value;
    return kCliPass;
  }
  size_t k = (size_t)(opt - kOpts);
  uint64_t sm = 0, *to[] = {&a->from, &a->to, NULL, &a->before, &a->after, &sm};
  if (k < kOutputs) a->out[k] = value;
  else if (k == 6) a->around = value;
  else {
    int rc = cli_opts_number(opt->name, value, 0, k == 9 ? 1023 : INT64_MAX, to[k - 4]);
    if (rc != kCliPass) return rc;
    a->window = a->window || k <= 5;
    if (k == 9) a->sm = (int)sm;
  }
  return kCliPass;
}

static int parse(int argc, char **argv, args_t *a) {
  *a = (args_t){.to = UINT64_MAX, .before = 100, .after = 200, .sm = -1};
  int rc = cli_opts_read(&kCliTrace, argc, argv, take, a, NULL);
  if (rc != kCliPass) return rc;
  if (a->file == NULL) return cli_usage("warpglass trace FILE --konata OUT", "no event trace to read");
  if (a->to <= a->from) return cli_usage(NULL, "no cycle lies between --from %llu and --to %llu", (unsigned long long)a->from,
                                         (unsigned long long)a->to);
  return a->around != NULL && a->window ? cli_usage(NULL, "--around does not go with --from and --to") : kCliPass;
}

/* The cycles that are asked for, or those of the recording's window. */
static int choose_window(const args_t *a, const wg_events_t *t, cli_view_t *v) {
  wg_when_t when;
  wg_diag_t d;
  uint64_t cycle = 0;
  uint16_t sm = 0;
  memset(&d, 0, sizeof d);
  v->from = a->window ? a->from : t->from;
  v->to = a->window ? a->to : t->to;
  v->sm = a->sm;
  if (a->around == NULL) return kCliPass;
  if (wg_when_parse(a->around, &when, &d) != kWgOk) return cli_diag(&d);
  if (!wg_events_find(t, &when, &cycle, &sm))
    return cli_usage("an event that was recorded: --text shows them", "'%s' is not in the event trace '%s'", a->around, a->file);
  v->from = cycle > a->before ? cycle - a->before : 0;
  v->to = cycle + a->after;
  if (v->sm < 0) v->sm = sm;
  fprintf(stderr, "%s on SM %u at cycle %llu\n", a->around, sm, (unsigned long long)cycle);
  return kCliPass;
}

typedef struct summary {
  uint64_t events[kWgEventKinds], first, last;
} summary_t;

static void count(void *ctx, const wg_event_t *e, bool follows) {
  summary_t *s = ctx;
  (void)follows;
  if (e->cycle < s->first) s->first = e->cycle;
  if (e->cycle > s->last) s->last = e->cycle;
  s->events[e->kind]++;
}

static int print_summary(const args_t *a, const wg_events_t *t) {
  summary_t s = {.first = UINT64_MAX};
  wg_diag_t d;
  memset(&d, 0, sizeof d);
  if (wg_events_each(t, count, &s, &d) != kWgOk) return cli_diag(&d);
  printf("%s: %s, shape %s, %u SM%s, depth %s, %zu bytes, %llu events, cycles %llu to %llu\n", a->file, t->preset, t->shape, t->num_sms,
         t->num_sms == 1 ? "" : "s", wg_events_depths[t->depth >= 1 && t->depth <= 5 ? t->depth - 1 : 4], t->size,
         (unsigned long long)t->total, (unsigned long long)(s.last == 0 ? 0 : s.first), (unsigned long long)s.last);
  printf("run: %s%s%s\n", t->status, t->message[0] != '\0' ? ", " : "", t->message);
  if (t->window[0] != '\0') {
    if (t->mark != UINT64_MAX) printf("window %s: the event was at cycle %llu\n", t->window, (unsigned long long)t->mark);
    else printf("window %s%s\n", t->window, strstr(t->window, "..") != NULL && strchr(t->window, '@') == NULL ? "" : ": it never happened");
  }
  for (uint32_t i = 0; i < t->num_launches; i++) {
    const wg_events_launch_t *l = &t->launches[i];
    const wg_events_module_t *m = l->module < t->num_modules ? &t->modules[l->module] : NULL;
    printf("launch %u: %s, grid (%u,%u,%u), block (%u,%u,%u), at %llu ns\n", l->grid_id,
           m != NULL && l->kernel < m->num_kernels ? m->kernels[l->kernel].name : "?", l->grid[0], l->grid[1], l->grid[2], l->block[0],
           l->block[1], l->block[2], (unsigned long long)l->time_ns);
  }
  for (unsigned k = 0; k < kWgEventKinds; k++) {
    if (s.events[k] != 0) printf("%10llu %s\n", (unsigned long long)s.events[k], wg_event_info[k].name);
  }
  return kCliPass;
}

static int write_one(const char *path, wg_status_t (*print)(FILE *, const cli_view_t *, wg_diag_t *), const cli_view_t *v) {
  wg_diag_t d;
  memset(&d, 0, sizeof d);
  bool to_stdout = strcmp(path, "-") == 0;
  errno = 0;
  FILE *f = to_stdout ? stdout : wg_file_create(path);
  if (f == NULL) return cli_usage("a file in a folder that is there and writable", "cannot write '%s': %s", path, strerror(errno));
  wg_status_t st = print(f, v, &d);
  bool whole = to_stdout ? fflush(f) == 0 && !ferror(f) : wg_file_close(f, path, st == kWgOk);
  int e = errno;
  if (st != kWgOk) return cli_diag(&d);
  return whole ? kCliPass : cli_usage(NULL, "cannot write '%s': %s", path, strerror(e));
}

int cli_events(int argc, char **argv) {
  static wg_status_t (*const kPrint[kOutputs])(FILE *, const cli_view_t *, wg_diag_t *) = {cli_events_konata, cli_events_perfetto,
                                                                                        cli_events_wavedrom, cli_events_text};
  args_t a;
  wg_events_t t;
  wg_lives_t lives = {0};
  wg_diag_t d;
  memset(&d, 0, sizeof d);
  int rc = parse(argc, argv, &a);
  if (rc != kCliPass) return rc == kCliShown ? kCliPass : rc;
  if (wg_events_read(a.file, &t, &d) != kWgOk) return cli_diag(&d);
  cli_view_t v = {.t = &t};
  rc = choose_window(&a, &t, &v);
  bool any = false, insns = a.out[kKonata] != NULL || a.out[kWavedrom] != NULL || t.depth >= kWgEventDepthInsts;
  for (int i = 0; i < kOutputs; i++) any = any || a.out[i] != NULL;
  if (rc == kCliPass && any && insns) {
    if (wg_lives_build(&t, v.from, v.to, &lives, &d) != kWgOk) rc = cli_diag(&d);
    v.lives = &lives;
  }
  for (int i = 0; rc == kCliPass && i < kOutputs; i++) {
    if (a.out[i] != NULL) rc = write_one(a.out[i], kPrint[i], &v);
  }
  if (rc == kCliPass && !any) rc = print_summary(&a, &t);
  if (fflush(stdout) != 0 && rc == kCliPass) rc = cli_unwritten("the result");
  wg_lives_free(&lives);
  wg_events_free(&t);
  return rc;
}

wg_status_t cli_events_add_host(const char *path, const cli_record_t *r, wg_diag_t *diag) {
  char *text = NULL;
  size_t n = 0;
  FILE *mem = open_memstream(&text, &n);
  if (mem == NULL) return wg_fail(diag, kWgNoSpace, "out of memory");
  for (size_t i = 0; i < r->num_events; i++) {
    const cli_event_t *e = &r->events[i];
    fprintf(mem, "%s %s %u %llu %llu %llu %s\n", e->of_host ? "step" : "command", e->what, e->stream, (unsigned long long)e->bytes,
            (unsigned long long)e->start, (unsigned long long)e->end, e->kernel[0] != '\0' ? e->kernel : "-");
  }
  bool ok = fclose(mem) == 0;
  FILE *f = ok && n != 0 ? fopen(path, "ab") : NULL;
  errno = 0;
  if (f != NULL) {
    const uint8_t head[5] = {'C', (uint8_t)n, (uint8_t)(n >> 8), (uint8_t)(n >> 16), (uint8_t)(n >> 24)};
    ok = fwrite(head, 1, sizeof head, f) == sizeof head && fwrite(text, 1, n, f) == n;
    ok = fclose(f) == 0 && ok;
  }
  int e = errno;
  free(text);
  if (ok && (f != NULL || n == 0)) return kWgOk;
  cli_remove_half(path);
  return wg_fail(diag, kWgIo, "cannot write the event trace '%s': %s", path, strerror(e));
}
