// SPDX-License-Identifier: Apache-2.0
//
// warpglass run: set the environment, run the program, judge what it did.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cosim/cli/cli_kernels.h"
#include "cosim/cli/cli_opts.h"
#include "cosim/debug/debug.h"
#include "cosim/paths.h"
#include "cosim/session.h"
#include "model/ref/wg_ref_tools.h"
#include "toolchain/obj/wg_files.h"

#define WG_SETTING(NAME, VALUE, WORDS, DOC) {"--" NAME, VALUE, WORDS, DOC},
const cli_opt_t kCliRunOpts[] = {
    {"--preset", "NAME", "@presets", "machine: a file of configs/, or a path; the default is v100"},
    {"--set", "KEY=VALUE", "", "another value of a preset's key: --set sm.mshrs=8; warpglass presets show NAME has the keys"},
#include "cosim/cli/cli_settings.def"
    {"--scheduler", "NAME[:KNOB,..]", "@scheds", "the same as --sched"},
    {"-j", "N", "", "host threads for RTL SMs; results do not depend on it (1)"},
    {"--jobs", "N", "", "the same as -j"},
    {"--journal", "FILE", "@file", "record finished launches; the same command skips them after a kill"},
    {"--golden", "FILE|none", "@file", "golden kernels; default golden.so beside the program"},
    {"--counters", NULL, NULL, "print each launch's counters: traffic, caches, shared, local, issue slots"},
    {"--report", NULL, NULL, "print the statistics as a profiler shows them (of a file: warpglass report)"},
    {"--json", "FILE", "@out", "all statistics of the run as one document (warpglass schema)"},
    {"--counters-json", "FILE", "@out", "the same as --json"},
    {"--timeline", "FILE|-", "@out", "the host's seven steps and every command of the streams: bytes and simulated time"},
    {"--findings", "FILE", "@out", "what --tools found, as JSON"},
    {"--trace", "FILE", "@out", "waveform of a window of SM cycles"},
    {"--from", "N", "", "first cycle of the waveform"},
    {"--to", "N", "", "last cycle of the waveform"},
    {"--trace_scope", "PART", "top blocks barrier mem memport l1i constants sub0 sub0.fetch sub0.issue sub0.sched sub0.diverge sub0.operands sub0.dispatch sub0.writeback", "only this part of the SM in the waveform"},
    {"--trace_depth", "N", "", "and N levels of instances of it"},
    {"--find", "EVENT", "", "print the first cycle of an event: pc:0x40, block:N, block-end:N, barrier:ID, arrive:ID, diverge, reconverge, exit, fault, mismatch, hang; behind it ,block=X ,warp=N ,sm=N and #N for the Nth time"},
    {"--events", "FILE", "@out", "what the SMs do as an event trace, for: warpglass trace FILE"},
    {"--events_depth", "DEPTH", "blocks warps insts mem pipe", "how much of it; pipe is all"},
    {"--events_sms", "N", "", "of the first N SMs"},
    {"--events_window", "A..B|EVENT|N..M@EVENT", "", "only cycles A to B, or N cycles before an event and M behind it (100, 200)"},
    {"--blocklog", "FILE", "@out", "write every block's start and end: warpglass dispatch --log FILE"},
    {"--break", "WHERE", "", "debugger: stop there and ask (help lists its commands); again for more places. 0x40, FILE.cu:12, kernel:NAME, start, cycle:N or an event as of --find"},
    {"--debug-script", "FILE", "@file", "debugger: read its commands from a file; without --break from the start of the first launch on"},
    {"--gdb", "PORT|PATH", "", "debugger: wait for gdb-multiarch at a port of this machine or a socket; stderr says how to call it"},
    {"--gdb-elf", "FILE", "@out", "where the symbols for it go (build/gdb/kernels.elf)"},
    {"--inject", "KIND[@CYCLE]", "@faults", "a fault for the checkers to find, from an SM cycle on: of the SM (variant inject), mem-..., gte-lost-end, sum-... (cosim/README.md)"},
    {"--cycles-check", "FILE", "@file", "compare cycle counts with the recorded ones, exactly"},
    {"--cycles-update", "FILE", "@file", "record them, print what moved"},
    {NULL, NULL, NULL, NULL}};
#undef WG_SETTING

const cli_command_t kCliRun = {
    "run", "[options] [--] program [arguments]", "run a program built by wgcc and judge what it did", kCliRunOpts, "@file",
    "Settings in the environment variable WARPGLASS (\"preset=v100 sched=gto\") hold where no option says otherwise.\n"
    "The last line on stdout is the verdict:\n"
    "  PASS name cycles=N warp_insts=N retire_hash=H   or   FAIL name reason\n"
    "Examples:\n"
    "  warpglass run --preset v100 --sched gto --report build/programs/reduce/reduce 4096\n"
    "  warpglass run --preset tiny --set sm.mshrs=4 --json run.json build/programs/vector_add/vector_add 256\n"
    "  warpglass run --preset tiny --break convolve_1d.cu:29,warp=1 build/programs/convolve_1d/convolve_1d 256\n"
    "  warpglass run --preset tiny --trace x.fst --from 0 --to 2000 build/programs/vector_add/vector_add 256   # with VARIANT=wave\n"
    "Exit codes: 0 pass, 1 fail, 2 wrong use, or something that is named is not there: nothing was begun\n",
    true, cli_run};

typedef struct options {
  char settings[2048]; /* value of WARPGLASS */
  char sets[1024];     /* "+key=value..." of --set */
  char breaks[480];    /* "WHERE;WHERE" of --break */
  const char *golden, *cycles_check, *cycles_update, *json, *timeline, *findings;
  bool counters, report;
  char **program; /* [n], ends with NULL */
} options_t;

static int add_setting(options_t *o, const char *key, const char *value) {
  size_t n = strlen(o->settings);
  if (value[0] == '\0' || strpbrk(value, " \t\n") != NULL) {
    return cli_usage(NULL, "option '--%s': the value '%s' is empty or has a blank in it", key, value);
  }
  if (n + strlen(key) + strlen(value) + 3 > sizeof o->settings) return cli_usage(NULL, "the settings are too long");
  snprintf(o->settings + n, sizeof o->settings - n, "%s%s=%s", n == 0 ? "" : " ", key, value);
  return 0;
}

/* --set KEY=VALUE. */
static int add_set(options_t *o, const char *value) {
  size_t n = strlen(o->sets);
  const char *eq = strchr(value, '=');
  if (eq == NULL || eq == value || eq[1] == '\0' || strpbrk(value, " \t\n") != NULL) {
    return cli_usage("--set KEY=VALUE, such as --set sm.mshrs=8", "option '--set': '%s' is no key with a value", value);
  }
  if (n + strlen(value) + 2 > sizeof o->sets) return cli_usage(NULL, "the overrides of --set are too long");
  snprintf(o->sets + n, sizeof o->sets - n, "+%s", value);
  return 0;
}

/* --break WHERE, each one more. */
static int add_break(options_t *o, const char *value) {
  size_t n = strlen(o->breaks);
  if (n + strlen(value) + 2 > sizeof o->breaks) return cli_usage(NULL, "the places of --break are too long");
  snprintf(o->breaks + n, sizeof o->breaks - n, "%s%s", n == 0 ? "" : ";", value);
  return 0;
}

/* Overrides go behind the name of the preset. */
static int join_sets(options_t *o) {
  char words[1200];
  wg_session_cfg_t cfg;
  wg_diag_t d;
  if (o->breaks[0] != '\0') {
    int rc = add_setting(o, "break", o->breaks);
    if (rc != 0) return rc;
  }
  if (o->sets[0] == '\0') return 0;
  memset(&d, 0, sizeof d);
  wg_session_cfg_init(&cfg);
  wg_status_t st = wg_session_parse(o->settings, &cfg, &d);
  snprintf(words, sizeof words, "%.150s%s", cfg.preset == NULL ? "v100" : cfg.preset, o->sets);
  wg_session_cfg_clear(&cfg);
  return st != kWgOk ? cli_diag(&d) : add_setting(o, "preset", words);
}

static int set_option(options_t *o, const char *name, const char *value) {
  if (strcmp(name, "set") == 0) return add_set(o, value);
  if (strcmp(name, "break") == 0) return add_break(o, value);
  if (strcmp(name, "debug-script") == 0) return add_setting(o, "debug_script", value);
  if (strcmp(name, "gdb-elf") == 0) return add_setting(o, "gdb_elf", value);
  if (strcmp(name, "golden") == 0) {
    o->golden = value;
  } else if (strcmp(name, "cycles-check") == 0) {
    o->cycles_check = value;
  } else if (strcmp(name, "cycles-update") == 0) {
    o->cycles_update = value;
  } else if (strcmp(name, "json") == 0 || strcmp(name, "counters-json") == 0) {
    o->json = value;
  } else if (strcmp(name, "timeline") == 0) {
    o->timeline = value;
  } else if (strcmp(name, "findings") == 0) {
    o->findings = value;
  } else {
    return add_setting(o, name, value);
  }
  return 0;
}

static int take(void *ctx, const cli_opt_t *opt, const char *value) {
  options_t *o = ctx;
  if (strcmp(opt->name, "--counters") == 0) o->counters = true;
  else if (strcmp(opt->name, "--report") == 0) o->report = true;
  else return set_option(o, strcmp(opt->name, "-j") == 0 ? "jobs" : opt->name + 2, value);
  return 0;
}

static int parse(int argc, char **argv, options_t *o) {
  memset(o, 0, sizeof *o);
  const char *env = getenv("WARPGLASS");
  if (env != NULL && strlen(env) >= sizeof o->settings)
    return cli_usage(NULL, "the settings in WARPGLASS are too long");
  if (env != NULL) snprintf(o->settings, sizeof o->settings, "%s", env);
  int rest = argc, rc = cli_opts_read(&kCliRun, argc, argv, take, o, &rest);
  if (rc != kCliPass) return rc;
  o->program = argv + rest;
  if (rest >= argc) return cli_usage("warpglass run ./program arguments", "no program to run");
  return join_sets(o);
}

/* golden.so in the program's folder, or what --golden says. */
static bool golden_path(const options_t *o, char *out, size_t n) {
  if (o->golden != NULL) {
    bool none = strcmp(o->golden, "none") == 0; /* the loader looks for a bare name elsewhere */
    snprintf(out, n, "%s%s", none || strchr(o->golden, '/') != NULL ? "" : "./", none ? "" : o->golden);
    return !none;
  }
  const char *slash = strrchr(o->program[0], '/');
  int dir = slash == NULL ? 0 : (int)(slash - o->program[0] + 1);
  snprintf(out, n, "%s%.*sgolden.so", dir == 0 ? "./" : "", dir, o->program[0]);
  if (access(out, R_OK) == 0) return true;
  out[0] = '\0';
  return false;
}

/* The debugger's settings: `asks` if somebody at a terminal is asked. */
static bool debugged(const options_t *o, bool *asks) {
  wg_session_cfg_t cfg;
  wg_session_cfg_init(&cfg);
  bool on = wg_session_parse(o->settings, &cfg, NULL) == kWgOk && (cfg.breaks != NULL || cfg.debug_script != NULL || cfg.gdb != NULL);
  *asks = on && cfg.debug_script == NULL && cfg.gdb == NULL;
  wg_session_cfg_clear(&cfg);
  return on;
}

static int start(const options_t *o, const char *golden, int fd) {
  bool asks = false;
  (void)debugged(o, &asks);
  if (asks) (void)signal(SIGINT, SIG_IGN); /* Ctrl-C stops the run and not this command: the debugger takes it */
  int pid = cli_child_fork();
  if (pid != 0) return pid;
  if (asks) (void)signal(SIGINT, SIG_DFL);
  char text[16];
  snprintf(text, sizeof text, "%d", fd);
  if (setenv("WARPGLASS", o->settings, 1) != 0 || setenv("WARPGLASS_REPORT_FD", text, 1) != 0 ||
      setenv("WARPGLASS_GOLDEN", golden, 1) != 0) {
    _exit(126);
  }
  execvp(o->program[0], o->program);
  fprintf(stderr, "warpglass: error: cannot run '%s': %s\n", o->program[0], strerror(errno));
  _exit(127);
}

/* The first reason why the run fails; empty if it does not. */
static void judge_run(const options_t *o, const cli_record_t *r, int wait_status, char *why, size_t n) {
  why[0] = '\0';
  if (WIFSIGNALED(wait_status)) {
    char plugins[400] = "";
    wg_session_cfg_t cfg;
    wg_session_cfg_init(&cfg);
    if (wg_session_parse(o->settings, &cfg, NULL) == kWgOk)
      cli_crash_plugins(&cfg, WTERMSIG(wait_status), plugins, sizeof plugins);
    wg_session_cfg_clear(&cfg);
    snprintf(why, n, "killed by signal %d (%s)%s%.200s%s", WTERMSIG(wait_status), strsignal(WTERMSIG(wait_status)),
             r->reason[0] != '\0' ? "; before that: " : "", r->reason, plugins);
  } else if (WEXITSTATUS(wait_status) == 127 && !r->ended) {
    snprintf(why, n, "the program cannot be run");
  } else if (!r->ended) {
    snprintf(why, n, "no CUDA call was seen: is the program built by wgcc? (exit code %d)",
             WEXITSTATUS(wait_status));
  } else if (r->failed) {
    snprintf(why, n, "%s", r->reason);
  } else if (WEXITSTATUS(wait_status) != 0) {
    snprintf(why, n, "program exit code %d", WEXITSTATUS(wait_status));
  }
  for (size_t i = 0; why[0] == '\0' && r->timing && i < r->num_launches; i++) {
    const cli_launch_t *l = &r->launches[i];
    if (l->cycles < l->bound) {
      snprintf(why, n, "launch %u: %llu cycles beat the lower bound %llu (%s)", l->n, (unsigned long long)l->cycles,
               (unsigned long long)l->bound, l->by);
    }
  }
}

/* Arguments in one word list, as cycles.tsv has them. */
static void join_args(char **program, char *out, size_t n) {
  out[0] = '\0';
  for (size_t i = 1, used = 0; program[i] != NULL && used < n; i++) {
    int w = snprintf(out + used, n - used, "%s%s", i > 1 ? " " : "", program[i]);
    used += w < 0 ? 0 : (size_t)w;
  }
  for (char *p = out; *p != '\0'; p++) {
    if (*p == '\t' || *p == '\n') *p = ' ';
  }
}

static void judge_cycles(const options_t *o, const cli_record_t *r, const char *name, char *why, size_t n) {
  if (why[0] != '\0' || (o->cycles_check == NULL && o->cycles_update == NULL)) return;
  char args[512];
  wg_diag_t d;
  memset(&d, 0, sizeof d);
  join_args(o->program, args, sizeof args);
  const cli_cycles_key_t key = {name, args};
  if (!r->timing) {
    snprintf(why, n, "the back end '%s' makes no timing claim: no cycles to compare", r->backend);
    return;
  }
  wg_status_t st = kWgOk;
  if (o->cycles_update != NULL) st = cli_cycles_update(o->cycles_update, &key, r, stdout, &d);
  if (st == kWgOk && o->cycles_check != NULL) st = cli_cycles_check(o->cycles_check, &key, r, &d);
  if (st != kWgOk) snprintf(why, n, "cycles: %s", d.msg);
}

/* Shape of the run's machine, for a remedy. */
static const char *shape_of(const options_t *o) {
  static char name[32];
  wg_session_cfg_t cfg;
  wg_preset_t p;
  wg_session_cfg_init(&cfg);
  bool known = wg_session_parse(o->settings, &cfg, NULL) == kWgOk &&
               wg_preset_load(cfg.preset == NULL ? "v100" : cfg.preset, &p, NULL) == kWgOk;
  snprintf(name, sizeof name, "%s", known ? p.shape->name : "...");
  wg_session_cfg_clear(&cfg);
  return name;
}

/*
 * After a mismatch: the same run again, silent, with a waveform window that ends just behind the cycle of the report. The
 * file is build/wave/mismatch.fst; without the SM variant that can trace, the command that builds it is named.
 */
static void retrace(const options_t *o, const cli_record_t *r, const char *golden) {
  char path[4096];
  options_t again = *o;
  bool asks = false;
  if (debugged(o, &asks)) return; /* it would ask again */
  const char *at = strstr(r->reason, ", cycle ");
  if (at == NULL) at = strstr(r->reason, " cycle ");
  const char *digits = at == NULL ? NULL : strpbrk(at, "0123456789");
  if (strstr(r->reason, "golden model disagrees") == NULL || digits == NULL || strstr(o->settings, "trace=") != NULL)
    return;
  unsigned long long cycle = strtoull(digits, NULL, 10);
  wg_path_build(path, sizeof path, "wave");
  (void)mkdir(path, 0777);
  wg_path_build(path, sizeof path, "wave/mismatch.fst");
  (void)unlink(path);
  size_t used = strlen(again.settings);
  unsigned long long from = cycle > 200 ? cycle - 200 : 0;
  int n = snprintf(again.settings + used, sizeof again.settings - used, " trace=%s from=%llu to=%llu", path, from,
                   cycle + 20);
  if (n < 0 || (size_t)n >= sizeof again.settings - used) return;
  fflush(NULL);
  int null = open("/dev/null", O_RDWR);
  int pid = null < 0 ? -1 : cli_child_fork();
  if (pid == 0) {
    (void)dup2(null, 1);
    (void)dup2(null, 2);
    int child = start(&again, golden, null);
    if (child > 0) (void)cli_child_wait(child);
    _exit(0);
  }
  if (pid > 0) (void)cli_child_wait(pid);
  if (null >= 0) close(null);
  if (cli_trace_whole(path)) {
    char root[4096];
    wg_path_root(root, sizeof root, "%s", "");
    fprintf(stderr,
            "warpglass: waveform of cycles %llu to %llu (1 ns is a cycle; the mismatch was seen at %llu): view it with\n"
            "  WG_MARK=%llu WG_VIEW=sched WG_FILTERS=%sisa/gen/gtkwave gtkwave -S %swaves/views.tcl %s\n"
            "or, without a display, as a picture\n  WG_MARK=%llu WG_PNG_CYCLES=%llu %swaves/png.sh %s sched %.*s.png\n",
            from, cycle + 20, cycle, cycle, root, root, path, cycle, cycle + 20 - from, root, path, (int)strlen(path) - 4, path);
  } else {
    fprintf(stderr, "warpglass: for a waveform of the mismatch build the traced SM: make sm SHAPE=%s VARIANT=wave\n",
            shape_of(o));
  }
}

/* Is the file at `path` another one than before the run? */
static bool touched(const char *path, const struct stat *before) {
  struct stat now;
  return stat(path, &now) == 0 &&
         (now.st_ino != before->st_ino || now.st_size != before->st_size ||
          now.st_mtim.tv_sec != before->st_mtim.tv_sec || now.st_mtim.tv_nsec != before->st_mtim.tv_nsec);
}

/* A trace that was asked for must be there and whole; else it goes, and the run fails. A file that the run did not write
   stays what it is. */
static void judge_trace(const char *path, const struct stat *before, const cli_record_t *r, int wait_status,
                        char *why, size_t n) {
  if (path[0] == '\0') return;
  bool device = r->preset[0] != '\0', killed = WIFSIGNALED(wait_status);
  bool written = touched(path, before);
  if (!written && (!device || why[0] != '\0')) return;
  if (written && cli_trace_whole(path)) return;
  if (written) {
    cli_trace_remove(path);
    fprintf(stderr, "warpglass: the trace '%s' was cut short and has been removed\n", path);
  }
  /* the writer maps its files: a full disk shows as SIGBUS */
  if (killed ? WTERMSIG(wait_status) == SIGBUS : why[0] == '\0') {
    snprintf(why, n, "the trace '%s' could not be written: is its disk, or that of temporary files, full?%s", path,
             killed ? " (SIGBUS)" : "");
  }
}

/* An event trace that was asked for must be there and whole; what the host did is put behind it. */
static void judge_events(const options_t *o, const cli_record_t *r, int wait_status, char *why, size_t n) {
  wg_session_cfg_t cfg;
  wg_session_cfg_init(&cfg);
  bool asked = wg_session_parse(o->settings, &cfg, NULL) == kWgOk && cfg.events != NULL && r->preset[0] != '\0';
  if (asked && WIFSIGNALED(wait_status)) {
    cli_remove_half(cfg.events);
    fprintf(stderr, "warpglass: the event trace '%s' was cut short and has been removed\n", cfg.events);
  } else if (asked && access(cfg.events, R_OK) == 0) {
    wg_diag_t d;
    memset(&d, 0, sizeof d);
    if (cli_events_add_host(cfg.events, r, &d) != kWgOk && why[0] == '\0') snprintf(why, n, "%s", d.msg);
  }
  wg_session_cfg_clear(&cfg);
}

/* A killed program leaves a log of blocks that ends in the middle of a line: it goes. */
static void judge_block_log(const options_t *o, int wait_status) {
  wg_session_cfg_t cfg;
  wg_session_cfg_init(&cfg);
  bool asked = WIFSIGNALED(wait_status) && wg_session_parse(o->settings, &cfg, NULL) == kWgOk && cfg.blocklog != NULL;
  struct stat info;
  FILE *f = asked && stat(cfg.blocklog, &info) == 0 && S_ISREG(info.st_mode) ? fopen(cfg.blocklog, "rb") : NULL;
  if (f != NULL && fseek(f, -1, SEEK_END) == 0 && fgetc(f) != '\n') {
    cli_remove_half(cfg.blocklog);
    fprintf(stderr, "warpglass: the log of blocks '%s' was cut short and has been removed\n", cfg.blocklog);
  }
  if (f != NULL) fclose(f);
  wg_session_cfg_clear(&cfg);
}

/* ", data races, memory" of the settings. */
static const char *checks_of(const options_t *o, char *buf, size_t n) {
  static const char *const kWords[] = {", memory", ", initialisation", " (shared and local memory too)", ", synchronisation"};
  wg_session_cfg_t cfg;
  wg_session_cfg_init(&cfg);
  bool known = wg_session_parse(o->settings, &cfg, NULL) == kWgOk;
  size_t at = (size_t)snprintf(buf, n, "%s", known && cfg.race != kWgSessionRaceOff ? ", data races" : "");
  for (size_t i = 0; known && i < 4; i++) {
    if ((cfg.tools >> i & 1u) != 0u) at += (size_t)snprintf(buf + at, n - at, "%s", kWords[i]);
  }
  wg_session_cfg_clear(&cfg);
  return buf;
}

/* "; a fault was injected and NOT seen", where one was asked for and the run passed: or it lay behind the run's end. */
static const char *unseen_fault(const options_t *o, const cli_record_t *r, char *buf, size_t n) {
  wg_session_cfg_t cfg;
  wg_session_cfg_init(&cfg);
  bool asked = wg_session_parse(o->settings, &cfg, NULL) == kWgOk && cfg.inject != NULL && strncmp(cfg.inject, "none", 4) != 0;
  const char *at = asked ? strchr(cfg.inject, '@') : NULL;
  unsigned long long from = at == NULL ? 0 : strtoull(at + 1, NULL, 10);
  if (!asked) buf[0] = '\0';
  else if (from >= r->end_cycle && r->end_cycle != 0)
    snprintf(buf, n, "; NO fault was injected: the run ended at SM cycle %llu, before cycle %llu", (unsigned long long)r->end_cycle, from);
  else snprintf(buf, n, "; a fault was injected and NOT seen");
  wg_session_cfg_clear(&cfg);
  return buf;
}

/* The trace that the settings ask for, "" if none, and what is there before the run. */
static void trace_of(const options_t *o, char *path, size_t n, struct stat *before) {
  wg_session_cfg_t cfg;
  wg_session_cfg_init(&cfg);
  bool asked = wg_session_parse(o->settings, &cfg, NULL) == kWgOk && cfg.trace_path != NULL;
  snprintf(path, n, "%s", asked ? cfg.trace_path : "");
  if (!asked || stat(path, before) != 0) memset(before, 0, sizeof *before);
  wg_session_cfg_clear(&cfg);
}

static bool print_timeline(FILE *out, const void *r) {
  cli_timeline_print(out, r);
  return true;
}

static bool print_json(FILE *out, const void *doc) { return cli_json_write(out, doc); }

/* "-" is stdout. @return false, with the reason in `why`, if the file cannot be written */
static bool write_file(const char *path, bool (*print)(FILE *, const void *), const void *what, char *why, size_t n) {
  if (strcmp(path, "-") == 0) return print(stdout, what);
  FILE *f = wg_file_create(path);
  bool printed = f != NULL && print(f, what);
  int e = errno;
  bool ok = f != NULL && wg_file_close(f, path, printed);
  if (!ok) snprintf(why, n, "cannot write '%s': %s", path, strerror(errno != 0 ? errno : e));
  return ok;
}

static bool print_findings(FILE *out, const void *r) {
  cli_findings_json(out, r);
  return true;
}

static int verdict(const options_t *o, const cli_record_t *r, int wait_status, const char *golden, const char *trace,
                   const struct stat *before) {
  char why[768];
  const char *slash = strrchr(o->program[0], '/');
  const char *name = slash == NULL ? o->program[0] : slash + 1;
  judge_run(o, r, wait_status, why, sizeof why);
  judge_trace(trace, before, r, wait_status, why, sizeof why);
  judge_block_log(o, wait_status);
  judge_events(o, r, wait_status, why, sizeof why);
  judge_cycles(o, r, name, why, sizeof why);
  if (o->counters) {
    cli_counters_print(stdout, r);
    cli_copies_print(stdout, r);
  }
  cli_span_print(stdout, r);
  char bad[600];
  if (o->timeline != NULL && !write_file(o->timeline, print_timeline, r, bad, sizeof bad) && why[0] == '\0') {
    snprintf(why, sizeof why, "%s", bad);
  }
  if (o->findings != NULL && !write_file(o->findings, print_findings, r, bad, sizeof bad) && why[0] == '\0') {
    snprintf(why, sizeof why, "%s", bad);
  }
  if (o->json != NULL || o->report) { /* last: it holds the verdict */
    wg_session_cfg_t cfg;
    bool parsed = wg_session_parse(o->settings, &cfg, NULL) == kWgOk;
    const cli_outcome_t outcome = {name, (const char *const *)o->program + 1, why, parsed ? cfg.seed : 0};
    json_t *doc = cli_json_of(r, &outcome);
    if (o->report) (void)cli_report_print(stdout, doc, 0);
    if (o->json != NULL && !write_file(o->json, print_json, doc, bad, sizeof bad) && why[0] == '\0') snprintf(why, sizeof why, "%s", bad);
    json_decref(doc);
  }
  if (why[0] != '\0') {
    printf("FAIL %s %s\n", name, why);
    return kCliFail;
  }
  uint64_t cycles = 0, insts = 0, hash = 0;
  for (size_t i = 0; i < r->num_launches; i++) {
    cycles += r->launches[i].cycles;
    insts += r->launches[i].warp_insts;
    hash += r->launches[i].hash;
  }
  char checks[160], fault[200];
  printf("checked: program exit code, device faults, %s, lockstep %s%s%s%s\n",
         golden[0] != '\0' ? "golden kernels bit for bit" : "NO golden kernels", r->check,
         checks_of(o, checks, sizeof checks), r->timing ? ", cycles against the lower bound" : "; back end without timing",
         unseen_fault(o, r, fault, sizeof fault));
  char cyc[24] = "none", ins[24] = "none", hsh[24] = "none"; /* nothing may look like a measurement that is none */
  if (r->timing && r->num_launches != 0) snprintf(cyc, sizeof cyc, "%llu", (unsigned long long)cycles);
  if (insts != 0) snprintf(ins, sizeof ins, "%llu", (unsigned long long)insts);
  if (r->hashes && r->num_launches != 0) snprintf(hsh, sizeof hsh, "%016llx", (unsigned long long)hash);
  printf("PASS %s cycles=%s warp_insts=%s retire_hash=%s\n", name, cyc, ins, hsh);
  return kCliPass;
}

static int run(const options_t *o) {
  char golden[512], trace[512];
  struct stat before;
  wg_diag_t d;
  cli_record_t rec;
  memset(&d, 0, sizeof d);
  (void)golden_path(o, golden, sizeof golden);
  trace_of(o, trace, sizeof trace, &before);
  int fd = memfd_create("warpglass-report", 0);
  if (fd < 0) return cli_usage(NULL, "cannot make the run's record: %s", strerror(errno));
  fflush(NULL);
  int pid = start(o, golden, fd);
  if (pid < 0) return cli_usage(NULL, "cannot start a process: %s", strerror(errno));
  int status = cli_child_wait(pid);
  FILE *f = lseek(fd, 0, SEEK_SET) == 0 ? fdopen(fd, "r") : NULL;
  if (f == NULL || cli_record_read(f, &rec, &d) != kWgOk) {
    if (WIFSIGNALED(status)) {
      printf("FAIL %s killed by signal %d (%s) while it wrote its record: %s\n", o->program[0], WTERMSIG(status),
             strsignal(WTERMSIG(status)), d.msg);
    } else {
      printf("FAIL %s the run's record cannot be read: %s\n", o->program[0], d.msg);
    }
    if (f != NULL) fclose(f);
    return kCliFail;
  }
  fclose(f);
  if (rec.failed && cli_child_signal() == 0) retrace(o, &rec, golden);
  int rc = verdict(o, &rec, status, golden, trace, &before);
  if (fflush(stdout) != 0 || ferror(stdout)) rc = cli_unwritten("the verdict");
  cli_record_free(&rec);
  int sig = cli_child_signal();
  if (sig != 0) { /* whoever called must see that it was the signal: a shell then ends its loop */
    (void)signal(sig, SIG_DFL);
    (void)raise(sig);
  }
  return rc;
}

/* What can be told before the program has done anything. */
static int check_paths(const options_t *o) {
  int rc = cli_program_check(o->program[0]);
  if (rc == kCliPass && o->golden != NULL && strcmp(o->golden, "none") != 0) rc = cli_golden_check(o->golden);
  const char *const files[3][2] = {{"json", o->json}, {"timeline", o->timeline}, {"findings", o->findings}};
  if (rc == kCliPass && o->json != NULL && strcmp(o->json, "-") == 0) {
    return cli_usage("a file; stdout holds what the program prints, and the verdict last", "--json: '-' names no file");
  }
  for (size_t i = 0; rc == kCliPass && i < 3; i++) { /* now, and not after a long run */
    const char *path = files[i][1];
    if (path == NULL || (i != 0 && strcmp(path, "-") == 0)) continue;
    bool there = access(path, F_OK) == 0;
    FILE *f = fopen(path, "a");
    if (f == NULL) {
      return cli_usage("a file in a folder that is there and writable", "--%s: cannot write '%s': %s", files[i][0], path,
                       strerror(errno));
    }
    fclose(f);
    if (!there) cli_remove_half(path); /* no empty file is left of a run that is refused or killed */
  }
  if (rc != kCliPass || o->cycles_update == NULL) return rc;
  char folder[4096];
  const char *slash = strrchr(o->cycles_update, '/');
  int n = slash == NULL ? 0 : (int)(slash - o->cycles_update);
  snprintf(folder, sizeof folder, "%.*s", n == 0 ? 1 : n, n == 0 ? (slash == NULL ? "." : "/") : o->cycles_update);
  struct stat info;
  if (stat(o->cycles_update, &info) == 0 && !S_ISREG(info.st_mode)) {
    return cli_usage("a cycles.tsv", "--cycles-update: '%s' is no ordinary file", o->cycles_update);
  }
  if (access(folder, W_OK) != 0) {
    return cli_usage("a folder that is there and writable", "--cycles-update: cannot write '%s': %s", o->cycles_update,
                     strerror(errno));
  }
  return kCliPass;
}

/* Why a script cannot be read, NULL if it can. A pipe can: `<(...)` of a shell is one. */
static const char *unreadable(const char *path) {
  struct stat info;
  if (stat(path, &info) != 0 || access(path, R_OK) != 0) return strerror(errno);
  return S_ISDIR(info.st_mode) ? strerror(EISDIR) : NULL;
}

/* Places of --break that the program does not have: now, and not at its first launch. Where its modules cannot be told
   from the file, the launch tells. */
static int check_places(const options_t *o) {
  wg_obj_t *modules[kCliMaxModules];
  wg_session_cfg_t cfg;
  wg_ptx_options_t opt;
  wg_diag_t d;
  size_t n = 0;
  memset(&d, 0, sizeof d);
  wg_session_cfg_init(&cfg);
  wg_ptx_default_options(&opt);
  bool asked = wg_session_parse(o->settings, &cfg, NULL) == kWgOk && cfg.breaks != NULL;
  opt.schedule = !cfg.no_schedule; /* as cosim/session_module.c has them: the settings change what instructions there are */
  opt.reconverge = !cfg.no_reconverge;
  opt.keep_warpsync = cfg.race == kWgSessionRaceNote;
  opt.keep_gather = (cfg.tools & (unsigned)kWgToolSync) != 0u;
  bool known = asked && strchr(o->program[0], '/') != NULL && /* else it is wherever PATH says */
               cli_modules_read(o->program[0], &opt, modules, &n);
  wg_status_t st = known ? wg_debug_check_code(cfg.breaks, modules, n, &d) : kWgOk;
  for (size_t i = 0; i < n; i++) wg_obj_free(modules[i]);
  wg_session_cfg_clear(&cfg);
  return st == kWgOk ? kCliPass : cli_diag(&d);
}

int cli_run(int argc, char **argv) {
  options_t o;
  wg_session_cfg_t cfg;
  wg_diag_t d;
  memset(&d, 0, sizeof d);
  int rc = parse(argc, argv, &o);
  if (rc != kCliPass) return rc == kCliShown ? kCliPass : rc;
  /* a bad setting is told here, before the program has done anything */
  wg_session_cfg_init(&cfg);
  wg_status_t st = wg_session_parse(o.settings, &cfg, &d);
  const char *no_script = cfg.debug_script == NULL ? NULL : unreadable(cfg.debug_script);
  const char *needs = cfg.trace_path != NULL ? "trace" : cfg.inject != NULL ? "inject" : NULL;
  if (needs == NULL && cfg.find != NULL) needs = "find";
  if (needs == NULL && cfg.events != NULL) needs = "events";
  const char *lone = cfg.events == NULL && (cfg.events_depth != 0 || cfg.events_sms != 0 || cfg.events_window != NULL) ? "events"
                     : cfg.trace_path == NULL && (cfg.trace_scope != NULL || cfg.trace_depth != 0)                     ? "trace"
                                                                                                                       : NULL;
  if (st == kWgOk && no_script != NULL) {
    rc = cli_usage("a file of commands; 'help' at the prompt lists them", "cannot read the debug script '%s': %s",
                   cfg.debug_script, no_script);
    wg_session_cfg_clear(&cfg);
    return rc;
  }
  struct stat info;
  const char *bad_elf = NULL;
  if (st == kWgOk && cfg.gdb_elf != NULL && stat(cfg.gdb_elf, &info) == 0 && !S_ISREG(info.st_mode))
    bad_elf = "--gdb-elf: what is there is no ordinary file";
  if (st == kWgOk && cfg.gdb_elf != NULL && cfg.gdb == NULL)
    bad_elf = "'--gdb-elf' says where the symbols for '--gdb' go: there is none";
  if (bad_elf != NULL) {
    wg_session_cfg_clear(&cfg);
    return cli_usage(NULL, "%s", bad_elf);
  }
  if (st == kWgOk && cfg.memory != NULL && (o.cycles_check != NULL || o.cycles_update != NULL)) {
    wg_session_cfg_clear(&cfg);
    return cli_usage(NULL, "'memory' makes another machine: no recorded cycles are its own");
  }
  bool signals = cfg.backend == NULL || strcmp(cfg.backend, "rtl") == 0 || strcmp(cfg.backend, "systemc") == 0;
  wg_preset_t preset;
  int preset_rc = st != kWgOk ? kCliPass : cli_preset_load(cfg.preset == NULL ? "v100" : cfg.preset, &preset);
  wg_status_t together = st == kWgOk && preset_rc == kCliPass ? wg_session_check(&cfg, &d) : kWgOk;
  wg_session_cfg_clear(&cfg);
  if (st != kWgOk) return cli_diag(&d);
  if (preset_rc != kCliPass) return preset_rc;
  if (lone != NULL) return cli_usage(NULL, "'%s_...' says what '--%s FILE' shows: there is none", lone, lone);
  if (needs != NULL && !signals) {
    return cli_usage("--backend rtl", "'%s' needs the RTL: the back end has no signals", needs);
  }
  if (together != kWgOk) return cli_diag(&d);
  rc = check_paths(&o);
  if (rc == kCliPass) rc = check_places(&o);
  return rc != kCliPass ? rc : run(&o);
}
