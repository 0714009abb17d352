// SPDX-License-Identifier: Apache-2.0
//
// warpglass sweep: run the points of a plan into a store, look at stores, merge them.
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cosim/cli/cli_opts.h"
#include "cosim/cli/cli_sweep.h"

/* clang-format off */
#define AXES \
  {"--plan", "FILE", "@file", \
   "lines `axis = values`; axes as below without --, and `set KEY = values`; # begins a comment"}, \
  {"--program", "FILE", "@file", \
   "a program built by wgcc, or the name of one of programs/; again for each of several"}, \
  {"--args", "TEXT", "", "arguments of the program, blanks between; again for each alternative"}, \
  {"--preset", "NAMES", "@presets", "machines"}, \
  {"--set", "KEY=VALUES", "", "values of a preset's key: --set \"sm.mshrs=4 8\"; several keys are crossed"}
/* clang-format on */

#define WG_SETTING(NAME, VALUE, WORDS, DOC) {"--" NAME, VALUE, WORDS, DOC},

static const cli_opt_t kRunOpts[] = {
    {"--store", "FILE", "@file", "where results go; made if it is not there. What it has is not run again"},
    {"-j", "N", "", "runs at the same time (1)"},
    {"--threads", "N", "", "host threads of each run, `warpglass run -j` (1)"},
    {"--points", "A..B", "", "only points A to B of the plan, from 0 on; one number is one point"},
    {"--timeout", "SECONDS", "", "a run that takes longer has failed"},
    {"--retry", NULL, NULL, "run points that failed again"},
    {"--golden", "FILE|none", "@file", "golden kernels; default golden.so beside the program"},
    {"--engine", "NAME", "local slurm parallel",
     "who runs the points: this machine, tasks of Slurm, or GNU parallel over ssh (local)"},
    {"--tasks", "N", "", "of slurm, parallel: how many tasks share the points (32, or one for each point)"},
    {"--hosts", "LIST", "", "of parallel: machines that ssh reaches, [TASKS/][USER@]HOST with blanks between"},
    {"--engine-args", "TEXT", "", "of slurm, parallel: more options for sbatch or parallel, blanks between"},
    {"--part", "K/N", "",
     "only part K (from 0 on) of N parts of the points, for a task of an array job; points that fail do not make it fail"},
    {"--have", "STORE", "@file", "points that this store has are not run, and not copied"},
    {"--wait", NULL, NULL, "wait for a store that another process writes"},
    {"--digest", "HEX", "", "refuse a plan whose points have other keys (of a task: other builds on its machine)"},
    AXES,
#include "cosim/cli/cli_settings.def"
    {NULL, NULL, NULL, NULL}};

static const cli_opt_t kPointsOpts[] = {
    {"--count", NULL, NULL, "print the number of points alone"},
    {"--points", "A..B", "", "only points A to B"},
    {"--golden", "FILE|none", "@file", "golden kernels; default golden.so beside the program"},
    AXES,
#include "cosim/cli/cli_settings.def"
    {NULL, NULL, NULL, NULL}};
#undef WG_SETTING

static const cli_opt_t kMergeOpts[] = {{"--store", "FILE", "@file", "where to; made if it is not there"},
                                       {NULL, NULL, NULL, NULL}};
static const cli_opt_t kNoOpts[] = {{NULL, NULL, NULL, NULL}};
static const cli_opt_t kShowOpts[] = {
    {"--json", NULL, NULL, "as a JSON document"},
    {"--failed", NULL, NULL, "only points that failed"},
    {"--stat", "NAME", "", "a column with this figure; again for several"},
    {"--launch", "N", "", "figures of launch N alone; without it the total over launches"},
    {"--build", "newest|HASH", "", "of a point with several builds only this one; without it all, with a column build"},
    {NULL, NULL, NULL, NULL}};
static const cli_opt_t kExportOpts[] = {
    {"--csv", "FILE", "@out", "where to; - is stdout, the default"},
    {"--stat", "NAME", "", "a column with this figure; again for several"},
    {"--all", NULL, NULL, "a column for every figure that adds up over launches"},
    {"--launch", "N", "", "figures of launch N alone; without it the total over launches"},
    {"--build", "newest|HASH", "",
     "of a point with several builds only this one; without it all, told apart by column build"},
    {NULL, NULL, NULL, NULL}};

const cli_command_t kCliSweepRun = {
    "sweep run",
    "--store FILE [options] [--] [program arguments]",
    "run every point of a cross product once; a killed sweep goes on where it was",
    kRunOpts,
    "@file",
    "A value may be several with blanks between, or a range of numbers: --sched \"lrr gto swl:2\" --seed 1..10. "
    "\"default\" is the preset's.\n"
    "The points are the full cross of all values. A set that is no cross is several runs into one store: each point "
    "is run "
    "once.\n"
    "Settings in the environment variable WARPGLASS hold where no option and no plan says otherwise.\n"
    "Examples:\n"
    "  warpglass sweep run --store s.db -j2 --preset tiny --sched \"lrr gto\" --set \"sm.mshrs=4 8 16\" "
    "build/programs/reduce/reduce 4096\n"
    "  warpglass sweep run --store s.db --plan study.plan --engine slurm --tasks 100 "
    "--engine-args --partition=long\n"
    "  warpglass sweep run --store s.db --plan study.plan --engine parallel --hosts \"8/node1 8/node2\"\n"
    "  warpglass sweep run --store part3.db --plan study.plan --part 3/20   # a task of another engine; then "
    "sweep merge\n"
    "With slurm and parallel the store lies in a folder that all machines see under one path; each task has a store "
    "in\nSTORE-parts, merged at the end. Killed, or left by a node, it goes on by the same command.\n"
    "  warpglass compare s.db --baseline sched=lrr\n"
    "Exit codes: 0 every point has a result, 1 some failed or are left, 2 wrong use: nothing was begun\n",
    true,
    NULL};
const cli_command_t kCliSweepPoints = {
    "sweep points",
    "[options] [--] [program arguments]",
    "number, key and values of every point of a plan; nothing is run",
    kPointsOpts,
    "@file",
    "The number of a point depends on the values alone, the key on all that decides the result.\n"
    "Example:\n"
    "  warpglass sweep points --plan study.plan | tail -n 1\n",
    true,
    NULL};
const cli_command_t kCliSweepShow = {"sweep show",
                                     "[options] STORE",
                                     "the points of a store as a table, failures with their message",
                                     kShowOpts,
                                     "@file",
                                     "Example:\n  warpglass sweep show s.db --stat l1_ld_miss_sectors\n",
                                     false,
                                     NULL};
const cli_command_t kCliSweepExport = {"sweep export",
                                       "[options] STORE",
                                       "the points of a store as CSV: the same bytes, whatever the order of the runs",
                                       kExportOpts,
                                       "@file",
                                       "Example:\n  warpglass sweep export s.db --stat dram_read_bytes --csv s.csv\n",
                                       false,
                                       NULL};
const cli_command_t kCliSweepStats = {
    "sweep stats", "STORE", "names of the figures that a store has",
    kNoOpts,       "@file", "Example:\n  warpglass sweep stats s.db | grep issue_slots\n",
    false,         NULL};
const cli_command_t kCliSweepMerge = {
    "sweep merge",
    "--store FILE PART...",
    "copy what other stores have into one, in any order",
    kMergeOpts,
    "@file",
    "A point that was run beats one that failed. Two different results of one point are an error.\n"
    "Example:\n  warpglass sweep merge --store s.db part*.db\n",
    false,
    NULL};

const cli_command_t kCliSweep = {
    "sweep",
    "run|points|show|export|stats|merge ...",
    "many runs into one store, and what it holds; warpglass sweep WORD --help tells more",
    kNoOpts,
    "run points show export stats merge",
    NULL,
    false,
    cli_sweep};

/* ---- run, points ---- */

typedef struct run_args {
  sweep_plan_t plan;
  sweep_options_t o;
  bool count, has_points;
  uint64_t from, to;
} run_args_t;

static int plan_add(run_args_t *a, const char *name, const char *text) {
  wg_diag_t d;
  memset(&d, 0, sizeof d);
  return sweep_plan_add(&a->plan, name, text, &d) == kWgOk ? kCliPass : cli_diag(&d);
}

static int take_set(run_args_t *a, const char *value) {
  char name[96];
  const char *eq = strchr(value, '=');
  if (eq == NULL || eq == value || eq - value > 90) {
    return cli_usage("--set KEY=VALUES, such as --set \"sm.mshrs=4 8\"", "option '--set': '%s' is no key with values",
                     value);
  }
  snprintf(name, sizeof name, "set %.*s", (int)(eq - value), value);
  return plan_add(a, name, eq + 1);
}

static int take_points(run_args_t *a, const char *value) {
  char from[24];
  const char *dots = strstr(value, "..");
  size_t n = dots == NULL ? strlen(value) : (size_t)(dots - value);
  if (n >= sizeof from) return cli_usage("A..B, from 0 on", "option '--points': bad value '%s'", value);
  snprintf(from, sizeof from, "%.*s", (int)n, value);
  a->has_points = true;
  int rc = cli_opts_number("--points", from, 0, kSweepMaxPoints, &a->from);
  if (rc == kCliPass) rc = cli_opts_number("--points", dots == NULL ? from : dots + 2, 0, kSweepMaxPoints, &a->to);
  if (rc == kCliPass && a->to < a->from)
    return cli_usage("A..B with A below B", "option '--points': the range %s is empty", value);
  return rc;
}

/* "3/20" */
static int take_part(run_args_t *a, const char *value) {
  char part[24];
  const char *slash = strchr(value, '/');
  uint64_t k = 0, n = 0;
  if (slash == NULL || (size_t)(slash - value) >= sizeof part)
    return cli_usage("K/N, K from 0 to N-1", "option '--part': bad value '%s'", value);
  snprintf(part, sizeof part, "%.*s", (int)(slash - value), value);
  int rc = cli_opts_number("--part", slash + 1, 1, kSweepMaxPoints, &n);
  if (rc == kCliPass) rc = cli_opts_number("--part", part, 0, n - 1, &k);
  a->o.part = (unsigned)k;
  a->o.parts = (unsigned)n;
  return rc;
}

/* Options of a sweep on several machines. @return false: it is none of them */
static bool take_engine(run_args_t *a, const char *name, const char *value, int *rc) {
  uint64_t n = 0;
  if (strcmp(name, "--engine") == 0) {
    static const char *const kEngines[] = {"local", "slurm", "parallel", NULL};
    size_t i = 0;
    while (kEngines[i] != NULL && strcmp(kEngines[i], value) != 0) i++;
    if (kEngines[i] == NULL) *rc = cli_unknown_option("engine", value, kEngines);
    else a->o.engine = (sweep_engine_t)i;
  } else if (strcmp(name, "--tasks") == 0) {
    *rc = cli_opts_number(name, value, 1, kSweepMaxTasks, &n);
    a->o.tasks = (unsigned)n;
  } else if (strcmp(name, "--hosts") == 0) a->o.hosts = value;
  else if (strcmp(name, "--engine-args") == 0) a->o.engine_args = value;
  else if (strcmp(name, "--part") == 0) *rc = take_part(a, value);
  else if (strcmp(name, "--have") == 0) a->o.have = value;
  else if (strcmp(name, "--wait") == 0) a->o.wait = true;
  else if (strcmp(name, "--digest") == 0) a->o.digest = value;
  else return false;
  return true;
}

/* Words of --hosts, before parallel takes them for something else. */
static int check_hosts(const char *text) {
  static const char kBetween[] = " ,\t\n", kDigits[] = "0123456789";
  static const char kName[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
  for (const char *h = text; *(h += strspn(h, kBetween)) != '\0'; h += strcspn(h, kBetween)) {
    int len = (int)strcspn(h, kBetween);
    const char *end = h + len, *at = h;
    size_t tasks = strspn(h, kDigits);
    bool good = true;
    if (memchr(h, '/', (size_t)len) != NULL) { /* TASKS/ */
      good = tasks >= 1 && tasks <= 4 && h[tasks] == '/' && atoi(h) >= 1;
      at = h + tasks + 1;
    }
    for (int i = 0; i < 2 && good && at != end; i++) { /* USER@, HOST */
      size_t n = strspn(at, kName);
      good = n != 0 && at[0] != '-' && at[0] != '.';
      if (i == 0 && good && at[n] == '@') at += n + 1;
      else good = good && (at += n) == end;
    }
    if (good && at == end && end[-1] != '@' && end[-1] != '/') continue;
    return cli_usage("[TASKS/][USER@]HOST with blanks between, as in --hosts \"8/node1 4/me@node2\"",
                     "option '--hosts': '%.*s' is no machine", len, h);
  }
  return kCliPass;
}

/* Do the options go together? */
static int check_engine(const sweep_options_t *o) {
  static const char *const kNames[] = {"local", "slurm", "parallel"};
  bool local = o->engine == kSweepLocal;
  if (local && (o->tasks != 0 || o->engine_args != NULL))
    return cli_usage("--engine slurm or --engine parallel", "%s goes with another engine than local",
                     o->tasks != 0 ? "--tasks" : "--engine-args");
  if (o->engine != kSweepParallel && o->hosts != NULL)
    return cli_usage("--engine parallel", "--hosts does not go with the engine %s", kNames[o->engine]);
  if (o->engine == kSweepParallel && (o->hosts == NULL || o->hosts[strspn(o->hosts, " ,\t\n")] == '\0'))
    return cli_usage("--hosts \"8/node1 8/node2\"", "the engine parallel has no machines");
  if (o->engine == kSweepParallel) {
    int rc = check_hosts(o->hosts);
    if (rc != kCliPass) return rc;
  }
  if (!local && (o->parts != 0 || o->have != NULL || o->digest != NULL || o->wait))
    return cli_usage(NULL, "%s is for a task, the engine %s makes tasks of its own",
                     o->parts != 0       ? "--part"
                     : o->have != NULL   ? "--have"
                     : o->digest != NULL ? "--digest"
                                         : "--wait",
                     kNames[o->engine]);
  return kCliPass;
}

static int take_run(void *ctx, const cli_opt_t *opt, const char *value) {
  run_args_t *a = ctx;
  uint64_t n = 0;
  int rc = kCliPass;
  if (opt == NULL) return kCliPass; /* the program comes as the rest */
  const char *name = opt->name;
  if (take_engine(a, name, value, &rc)) return rc;
  if (strcmp(name, "--store") == 0) a->o.store = value;
  else if (strcmp(name, "--golden") == 0) a->o.golden = value;
  else if (strcmp(name, "--retry") == 0) a->o.retry = true;
  else if (strcmp(name, "--count") == 0) a->count = true;
  else if (strcmp(name, "--points") == 0) rc = take_points(a, value);
  else if (strcmp(name, "--set") == 0) rc = take_set(a, value);
  else if (strcmp(name, "-j") == 0) rc = cli_opts_number(name, value, 1, 256, &n), a->o.jobs = (unsigned)n;
  else if (strcmp(name, "--threads") == 0) rc = cli_opts_number(name, value, 1, 64, &n), a->o.threads = (unsigned)n;
  else if (strcmp(name, "--timeout") == 0)
    rc = cli_opts_number(name, value, 1, 100000000, &n), a->o.timeout_s = (unsigned)n;
  else if (strcmp(name, "--plan") == 0) {
    wg_diag_t d;
    memset(&d, 0, sizeof d);
    rc = sweep_plan_file(&a->plan, value, &d) == kWgOk ? kCliPass : cli_diag(&d);
  } else {
    rc = plan_add(a, name + 2, value);
  }
  return rc;
}

static bool has_axis(const sweep_plan_t *p, const char *name) {
  for (size_t i = 0; i < p->num_axes; i++) {
    if (strcmp(p->axes[i].name, name) == 0) return true;
  }
  return false;
}

/* Settings of the environment, where nothing else says so. */
static int take_environment(run_args_t *a) {
  static const char *const kNotHere[] = {"jobs", "journal", "trace",    "from", "to",
                                         "find", "inject",  "blocklog", NULL};
  const char *env = getenv("WARPGLASS");
  char *copy = env == NULL ? NULL : strdup(env), *save = NULL;
  int rc = kCliPass;
  for (char *w = copy == NULL ? NULL : strtok_r(copy, " \t\n", &save); w != NULL && rc == kCliPass;
       w = strtok_r(NULL, " \t\n", &save)) {
    char *eq = strchr(w, '=');
    if (eq == NULL) {
      rc = cli_usage("words of the form key=value", "the setting '%s' in WARPGLASS has no value", w);
      break;
    }
    *eq = '\0';
    const char *name = strcmp(w, "scheduler") == 0 ? "sched" : w;
    for (size_t i = 0; kNotHere[i] != NULL && rc == kCliPass; i++) {
      if (strcmp(kNotHere[i], name) == 0)
        rc = cli_usage("unset it", "the setting '%s' in WARPGLASS does not go with a sweep", name);
    }
    if (rc == kCliPass && !has_axis(&a->plan, name)) rc = plan_add(a, name, eq + 1);
  }
  free(copy);
  return rc;
}

static int read_plan(const cli_command_t *c, int argc, char **argv, run_args_t *a) {
  int rest = argc;
  wg_diag_t d;
  memset(&d, 0, sizeof d);
  memset(a, 0, sizeof *a);
  a->o.jobs = 1;
  int rc = cli_opts_read(c, argc, argv, take_run, a, &rest);
  if (rc == kCliPass && rest < argc) {
    char args[4096] = "";
    size_t used = 0;
    for (int i = rest + 1; i < argc && used < sizeof args; i++) {
      if (argv[i][0] == '\0' || strpbrk(argv[i], " \t\n") != NULL)
        return cli_usage(NULL, "the argument '%s' is empty or has a blank in it", argv[i]);
      used += (size_t)snprintf(args + used, sizeof args - used, "%s%s", i == rest + 1 ? "" : " ", argv[i]);
    }
    if (used >= sizeof args) return cli_usage(NULL, "the arguments are too long");
    rc = plan_add(a, "program", argv[rest]);
    if (rc == kCliPass && rest + 1 < argc) rc = plan_add(a, "args", args);
  }
  if (rc == kCliPass) rc = take_environment(a);
  if (rc == kCliPass && a->o.golden != NULL && strcmp(a->o.golden, "none") != 0) rc = cli_golden_check(a->o.golden);
  if (rc == kCliPass && sweep_plan_finish(&a->plan, &d) != kWgOk) rc = cli_diag(&d);
  if (rc != kCliPass) return rc;
  if (!a->has_points) a->to = a->plan.num_points - 1;
  if (a->to >= a->plan.num_points) {
    return cli_usage(NULL, "the plan has points 0 to %llu, %llu is none", (unsigned long long)a->plan.num_points - 1,
                     (unsigned long long)a->to);
  }
  a->o.from = a->from;
  a->o.to = a->to;
  return kCliPass;
}

static int sweep_points(int argc, char **argv) {
  run_args_t a;
  int rc = read_plan(&kCliSweepPoints, argc, argv, &a);
  if (rc == kCliPass && a.count) {
    printf("%llu\n", (unsigned long long)(a.to - a.from + 1));
  } else if (rc == kCliPass) {
    for (uint64_t i = a.from; i <= a.to && rc == kCliPass; i++) {
      sweep_point_t p;
      wg_diag_t d;
      char what[1024];
      memset(&d, 0, sizeof d);
      sweep_point_describe(&a.plan, i, what, sizeof what);
      if (sweep_point_make(&a.plan, i, a.o.golden, &p, &d) != kWgOk) {
        rc = cli_usage(d.hint, "%s (point %llu: %s)", d.msg, (unsigned long long)i, what);
        break;
      }
      printf("%llu %.16s %s\n", (unsigned long long)i, p.key, what);
      sweep_point_free(&p);
    }
  }
  sweep_plan_free(&a.plan);
  return rc == kCliShown ? kCliPass : rc;
}

static int sweep_run_command(int argc, char **argv) {
  run_args_t a;
  int rc = read_plan(&kCliSweepRun, argc, argv, &a);
  if (rc == kCliPass && a.o.store == NULL) rc = cli_usage("--store FILE", "no store for the results");
  if (rc == kCliPass) rc = check_engine(&a.o);
  if (rc == kCliPass) rc = a.o.engine == kSweepLocal ? sweep_run(&a.plan, &a.o) : sweep_engine_run(&a.plan, &a.o);
  sweep_plan_free(&a.plan);
  return rc == kCliShown ? kCliPass : rc;
}

/* ---- merge ---- */

typedef struct merge_args {
  const char *store;
  const char **parts;
  size_t n;
} merge_args_t;

static int take_merge(void *ctx, const cli_opt_t *opt, const char *value) {
  merge_args_t *a = ctx;
  if (opt != NULL) a->store = value;
  else a->parts[a->n++] = value;
  return kCliPass;
}

static int merge_all(const merge_args_t *a) {
  sweep_store_t *s = NULL;
  struct stat ours, other;
  wg_diag_t d;
  uint64_t sum = 0;
  memset(&d, 0, sizeof d);
  for (size_t i = 0; i < a->n; i++) { /* all of them, before the first is copied */
    sweep_store_t *part = NULL;
    if (stat(a->store, &ours) == 0 && stat(a->parts[i], &other) == 0 && ours.st_ino == other.st_ino &&
        ours.st_dev == other.st_dev) {
      return cli_usage(NULL, "the store '%s' cannot be merged into itself", a->parts[i]);
    }
    if (sweep_store_open(a->parts[i], kSweepRead, &part, &d) != kWgOk) return cli_diag(&d);
    wg_status_t sound = sweep_store_check(part, &d);
    sweep_store_close(part);
    if (sound != kWgOk) return cli_diag(&d);
  }
  bool there = access(a->store, F_OK) == 0;
  if (sweep_store_open(a->store, kSweepCreate, &s, &d) != kWgOk) return cli_diag(&d);
  wg_status_t st = sweep_store_check(s, &d);
  if (st != kWgOk) {
    sweep_store_close(s);
    return cli_diag(&d);
  }
  for (size_t i = 0; st == kWgOk && i < a->n; i++) {
    uint64_t added = 0;
    st = sweep_store_merge(s, a->parts[i], &added, &d);
    sum += added;
  }
  if (st != kWgOk && !there && sum == 0) sweep_store_remove(s); /* no empty store is left of a merge that failed */
  else sweep_store_close(s);
  if (st != kWgOk) {
    (void)cli_diag(&d);
    return kCliFail;
  }
  printf("merge: %llu points of %zu stores were new in '%s'\n", (unsigned long long)sum, a->n, a->store);
  return fflush(stdout) == 0 ? kCliPass : cli_unwritten("the result");
}

static int sweep_merge(int argc, char **argv) {
  merge_args_t a = {.parts = calloc((size_t)argc + 1, sizeof *a.parts)};
  if (a.parts == NULL) return cli_usage(NULL, "out of memory");
  int rc = cli_opts_read(&kCliSweepMerge, argc, argv, take_merge, &a, NULL);
  if (rc == kCliPass && a.store == NULL) rc = cli_usage("--store FILE", "no store to merge into");
  if (rc == kCliPass && a.n == 0) rc = cli_usage("warpglass sweep merge --store s.db part*.db", "no store to merge");
  if (rc == kCliPass) rc = merge_all(&a);
  free(a.parts);
  return rc == kCliShown ? kCliPass : rc;
}

/* ---- the command ---- */

int cli_sweep(int argc, char **argv) {
  static const struct {
    const char *name;
    int (*run)(int, char **);
    const cli_command_t *command;
  } kSub[] = {{"run", sweep_run_command, &kCliSweepRun},   {"points", sweep_points, &kCliSweepPoints},
              {"show", cli_sweep_show, &kCliSweepShow},    {"export", cli_sweep_export, &kCliSweepExport},
              {"stats", cli_sweep_stats, &kCliSweepStats}, {"merge", sweep_merge, &kCliSweepMerge}};
  enum { kNum = sizeof kSub / sizeof kSub[0] };
  const char *known[kNum + 2] = {NULL};
  for (size_t i = 0; i < kNum; i++) known[i] = kSub[i].name;
  known[kNum] = "--help";
  if (argc < 2 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
    FILE *out = argc < 2 ? stderr : stdout;
    fputs("usage: warpglass sweep WORD ...\n", out);
    for (size_t i = 0; i < kNum; i++) fprintf(out, "  %-8s %s\n", kSub[i].name, kSub[i].command->doc);
    fputs("warpglass sweep WORD --help tells more\n", out);
    return argc < 2 ? kCliUsage : kCliPass;
  }
  for (size_t i = 0; i < kNum; i++) {
    if (strcmp(argv[1], kSub[i].name) == 0) return kSub[i].run(argc - 1, argv + 1);
  }
  return cli_unknown_option("word", argv[1], known);
}
