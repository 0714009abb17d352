// SPDX-License-Identifier: Apache-2.0
//
// Constrained-random co-simulation (testbench/random/README.md).
//   wgrandom [-s SETTINGS] [--seed N] [--count N] [--seconds N] [--mix NAME] [--size N] [--class NAME] [--both-scheds]
//            [--print] [--keep-going] [--out DIR]
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "cosim/random/random.h"
#include "cosim/session_words.h"
#include "isa/wg_cfg.h"
#include "model/preset.h"

enum { kShrinkSeconds = 60 }; /* of a failure */

typedef struct args {
  uint64_t seed, count;
  uint32_t seconds, size, shrink, max_failures;
  const char *settings, *mix, *class, *out;
  bool print, both;
} args_t;

static const char *const kClasses[kWgRndClassCount + 1] = {"ordered", "racy", "fault", NULL};

static const char *const kMixes[] = {"all", "alu", "mem", "flow", "bar", "fault", NULL};
static const char *const kOptions[] = {"-s",      "--seed",        "--count",  "--seconds",      "--mix", "--size",
                                       "--class", "--both-scheds", "--shrink", "--max-failures", "--out", "--print",
                                       "--help",  NULL};

static const char kHelp[] =
    "usage: wgrandom [-s SETTINGS] [--seed N] [--count N] [--seconds N] [--mix all|alu|mem|flow|bar|fault]\n"
    "                [--class ordered|racy|fault] [--size UNITS] [--both-scheds] [--shrink RUNS]\n"
    "                [--max-failures N] [--out DIR] [--print]\n"
    "  SETTINGS as in WARPGLASS: \"preset=tiny sched=gto check=units\"; defaults: preset=tiny check=units\n"
    "  --seed N         seed of the first program, the next has N + 1 (default 1)\n"
    "  --count N        programs (default 100, with --seconds as many as there is time for, with --print 1)\n"
    "  --mix, --class   which instructions it leans to; how the result is judged (default all, any)\n"
    "  --size UNITS     length of a program, 1 to 200 (default 40)\n"
    "  --shrink RUNS    at most so many runs make a failing program smaller (default 3000; 0: leave it)\n"
    "  --max-failures N stop after so many (default 10)\n"
    "  --out DIR        where failing programs are written (default build/random)\n"
    "  --print          print the programs, run nothing\n"
    "exit codes: 0 all passed, 1 one failed, 2 wrong use, or no SM to run on\n";

static int wrong(const char *hint, const char *fmt, ...) WG_PRINTF(2, 3);
/* @return the exit code of wrong use */
static int wrong(const char *hint, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  fputs("wgrandom: error: ", stderr);
  vfprintf(stderr, fmt, ap);
  fputc('\n', stderr);
  va_end(ap);
  if (hint[0] != '\0') fprintf(stderr, "  remedy: %s\n", hint);
  return 2;
}

static int wrong_word(const char *what, const char *word, const char *const *known) {
  char hint[512];
  wg_word_hint(word, known, hint, sizeof hint);
  return wrong(hint, "unknown %s '%s'", what, word);
}

static bool number(const char *text, uint64_t min, uint64_t max, uint64_t *out) {
  char *end = NULL;
  if (text[0] < '0' || text[0] > '9') return false;
  errno = 0;
  unsigned long long v = strtoull(text, &end, 0);
  if (*end != '\0' || errno != 0 || v < min || v > max) return false;
  *out = v;
  return true;
}

/* One option with its value, NULL if there is none. @return arguments used, 0 for a wrong one, which has been told */
static int option(args_t *a, const char *name, const char *value) {
  const struct {
    const char *name, **at;
  } texts[] = {{"-s", &a->settings}, {"--mix", &a->mix}, {"--class", &a->class}, {"--out", &a->out}};
  static const struct {
    const char *name;
    uint64_t min, max;
  } kNumbers[] = {{"--seed", 0, UINT64_MAX / 2u}, {"--count", 1, 1000000000u}, {"--seconds", 1, 1000000u},
                  {"--size", 1, 200u},            {"--shrink", 0, 100000u},    {"--max-failures", 1, 1000000u}};
  uint64_t v[] = {a->seed, a->count, a->seconds, a->size, a->shrink, a->max_failures}; /* in the order of kNumbers */
  if (strcmp(name, "--print") == 0) return a->print = true, 1;
  if (strcmp(name, "--both-scheds") == 0) return a->both = true, 1;
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
    if (strcmp(name, texts[i].name) != 0) continue;
    if (value == NULL) return (void)wrong("", "option '%s' needs a value", name), 0;
    *texts[i].at = value;
    return 2;
  }
  for (size_t i = 0; i < sizeof kNumbers / sizeof kNumbers[0]; i++) {
    if (strcmp(name, kNumbers[i].name) != 0) continue;
    if (value == NULL || !number(value, kNumbers[i].min, kNumbers[i].max, &v[i])) {
      char hint[64];
      snprintf(hint, sizeof hint, "a number from %llu to %llu", (unsigned long long)kNumbers[i].min,
               (unsigned long long)kNumbers[i].max);
      return (void)wrong(hint, "option '%s': %s%s%s", name, value == NULL ? "no value" : "bad value '",
                         value == NULL ? "" : value, value == NULL ? "" : "'"), 0;
    }
    a->seed = v[0];
    a->count = v[1];
    a->seconds = (uint32_t)v[2];
    a->size = (uint32_t)v[3];
    a->shrink = (uint32_t)v[4];
    a->max_failures = (uint32_t)v[5];
    return 2;
  }
  return (void)wrong_word("option", name, kOptions), 0;
}

static bool set_class(const char *name, wg_rnd_opts_t *o) {
  if (name == NULL) return true;
  for (unsigned i = 0; i < kWgRndClassCount; i++) {
    if (strcmp(name, kClasses[i]) != 0) continue;
    memset(o->weight_class, 0, sizeof o->weight_class);
    o->weight_class[i] = 1;
    return true;
  }
  return false;
}

static void write_text(const args_t *a, const wg_rnd_prog_t *p, const char *suffix, const char *comment,
                       const wg_fault_t *fault) {
  char path[512];
  (void)mkdir("build", 0777);
  (void)mkdir(a->out, 0777);
  snprintf(path, sizeof path, "%s/seed_%llu%s.s", a->out, (unsigned long long)p->seed, suffix);
  FILE *f = fopen(path, "w");
  if (f == NULL) {
    fprintf(stderr, "cannot write '%s'\n", path);
    return;
  }
  wg_rnd_print(f, p, comment, fault);
  fclose(f);
  printf("  written: %s (%u instructions)\n", path, wg_rnd_live(p));
}

/* Report a failure, shrink the program, write both. */
static void failed(const args_t *a, const char *again, wg_rnd_prog_t *p, const wg_session_cfg_t *cfg,
                   wg_rnd_result_t *r) {
  static const char *const kNames[] = {"pass", "mismatch", "hang", "crash", "generator error", "no device"};
  char comment[4096];
  printf("FAIL seed %llu (%s, %s): %s\n%s%s", (unsigned long long)p->seed, kClasses[p->judged], kNames[r->verdict],
         r->head, r->report, r->report[0] != '\0' && r->report[strlen(r->report) - 1u] != '\n' ? "\n" : "");
  printf("  again: %s\n", again);
  snprintf(comment, sizeof comment, "%s\n%s\n%s", again, r->head, r->report);
  write_text(a, p, "", comment, NULL);
  if (a->shrink == 0u || r->verdict == kWgRndBroken) return;
  uint32_t launches = p->launches, runs = wg_rnd_shrink(p, cfg, a->shrink, kShrinkSeconds, r);
  snprintf(comment, sizeof comment, "shrunk from: %s\n%s\n%s%s", again, r->head, r->report,
           launches > 1u && p->launches > 1u ? "fails only in a second launch of the same session\n" : "");
  printf("  shrunk in %u runs: %s\n%s", runs, r->head, r->report);
  write_text(a, p, "_min", comment, p->judged == kWgRndFault && r->fault.code != 0u ? &r->fault : NULL);
}

typedef struct tally {
  uint64_t passed, failed, by_class[kWgRndClassCount], cycles, warp_insts;
} tally_t;

/* @return false if there is nothing to run on, which has been told */
static bool one(const args_t *a, uint64_t seed, const wg_rnd_opts_t *opts, const wg_session_cfg_t *cfg, tally_t *t) {
  static wg_rnd_prog_t prog;
  wg_rnd_result_t r;
  char again[400];
  snprintf(again, sizeof again, "build/bin/wgrandom -s \"%s%s%s\" --mix %s%s%s --size %u --seed %llu --count 1",
           a->settings, a->both ? " sched=" : "", a->both ? cfg->sched : "", a->mix,
           a->class != NULL ? " --class " : "", a->class != NULL ? a->class : "", a->size, (unsigned long long)seed);
  wg_rnd_generate(seed, opts, &prog);
  if (a->print) {
    wg_rnd_print(stdout, &prog, again, NULL);
    return true;
  }
  wg_rnd_run(&prog, cfg, false, &r);
  if (r.verdict == kWgRndNoDevice) {
    (void)wrong(r.report, "%s", r.head);
    return false;
  }
  t->by_class[prog.judged]++;
  t->cycles += r.cycles;
  t->warp_insts += r.warp_insts;
  if (r.verdict == kWgRndPass) {
    t->passed++;
    return true;
  }
  t->failed++;
  failed(a, again, &prog, cfg, &r);
  fflush(stdout);
  return true;
}

static int run_all(const args_t *a, const wg_rnd_opts_t *opts, wg_session_cfg_t *cfg) {
  tally_t t;
  memset(&t, 0, sizeof t);
  time_t start = time(NULL);
  for (uint64_t i = 0; i < a->count; i++) {
    if (a->seconds != 0u && time(NULL) - start >= (time_t)a->seconds) break;
    if (a->both) cfg->sched = i % 2u == 0u ? "gto" : "lrr";
    if (!one(a, a->seed + i, opts, cfg, &t)) return 2;
    if (t.failed >= a->max_failures) break;
  }
  if (a->print) return 0;
  printf("ordered %llu, racy %llu, fault %llu programs; %llu cycles, %llu warp instructions; %ld s\n",
         (unsigned long long)t.by_class[0], (unsigned long long)t.by_class[1], (unsigned long long)t.by_class[2],
         (unsigned long long)t.cycles, (unsigned long long)t.warp_insts, (long)(time(NULL) - start));
  printf("%llu passed, %llu failed\n", (unsigned long long)t.passed, (unsigned long long)t.failed);
  return t.failed == 0u ? 0 : 1;
}

int main(int argc, char **argv) {
  args_t a = {1, UINT64_MAX, 0, 40, 3000, 10, "preset=tiny check=units", "all", NULL, "build/random", false, false};
  wg_session_cfg_t cfg;
  wg_rnd_opts_t opts;
  wg_diag_t diag;
  bool bounded = false;
  memset(&diag, 0, sizeof diag);
  memset(&opts, 0, sizeof opts);
  for (int i = 1; i < argc;) {
    if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
      fputs(kHelp, stdout);
      return 0;
    }
    int used = option(&a, argv[i], i + 1 < argc ? argv[i + 1] : NULL);
    if (used == 0) return 2;
    bounded = bounded || strcmp(argv[i], "--count") == 0 || strcmp(argv[i], "--seconds") == 0;
    i += used;
  }
  if (!bounded) a.count = a.print ? 1u : 100u;
  wg_session_cfg_init(&cfg);
  cfg.preset = "tiny";
  cfg.check = kWgCheckUnits;
  cfg.limit = 1000000;
  cfg.seed = a.seed;
  wg_preset_t preset;
  if (wg_session_parse(a.settings, &cfg, &diag) != kWgOk || wg_preset_load(cfg.preset, &preset, &diag) != kWgOk) {
    char line[16] = "";
    if (diag.line != 0) snprintf(line, sizeof line, ":%u", diag.line);
    return wrong(diag.hint, "%s%s%s%s", diag.file, line, diag.file[0] != '\0' ? ": " : "", diag.msg);
  }
  if (cfg.race != kWgSessionRaceOff) return wrong("leave 'race' out", "random programs race on purpose: nothing would be told of it here");
  opts.size = a.size;
  opts.max_threads = preset.max_threads_per_block;
  opts.max_blocks = 12;
  if (!wg_rnd_mix(a.mix, &opts)) return wrong_word("mix", a.mix, kMixes);
  if (!set_class(a.class, &opts)) return wrong_word("class", a.class, kClasses);
  setvbuf(stdout, NULL, _IOLBF, 0);
  int rc = run_all(&a, &opts, &cfg);
  wg_session_cfg_clear(&cfg);
  return rc;
}
