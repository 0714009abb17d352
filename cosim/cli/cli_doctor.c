// SPDX-License-Identifier: Apache-2.0
//
// warpglass doctor: is everything there that a run, a build and a study need? It changes nothing.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <jansson.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "cosim/cli/cli_opts.h"
#include "cosim/paths.h"
#include "cosim/session.h"
#include "cosim/sm_dut.h"
#include "cosim/so_open.h"
#include "cosim/sweep/sweep.h"

static const cli_opt_t kOpts[] = {{"--json", NULL, NULL, "as a JSON document"}, {NULL, NULL, NULL, NULL}};

const cli_command_t kCliDoctor = {
    "doctor",
    "[--json]",
    "is what a run and a build need there, of the right version, and whole?",
    kOpts,
    "",
    "ok: as it must be; note: something that only some tasks need is missing; bad: a run or a build would fail.\n"
    "Example:\n  warpglass doctor\nExit codes: 0 nothing bad, 1 something bad\n",
    false,
    cli_doctor};

typedef enum state { kOk, kNote, kBad } state_t;

typedef struct doctor {
  bool json, bad;
  json_t *list;
} doctor_t;

static void tell(doctor_t *d, state_t state, const char *what, const char *remedy, const char *fmt, ...)
    WG_PRINTF(5, 6);
static void tell(doctor_t *d, state_t state, const char *what, const char *remedy, const char *fmt, ...) {
  static const char *const kStates[] = {"ok", "note", "bad"};
  char text[1200];
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(text, sizeof text, fmt, ap);
  va_end(ap);
  d->bad = d->bad || state == kBad;
  if (!d->json) {
    printf("%-5s %-22s %s\n", kStates[state], what, text);
    if (state != kOk && remedy != NULL && remedy[0] != '\0') printf("%-28s remedy: %s\n", "", remedy);
    return;
  }
  json_t *o = json_pack("{s:s, s:s, s:s}", "state", kStates[state], "what", what, "detail", text);
  if (state != kOk && remedy != NULL && remedy[0] != '\0') json_object_set_new(o, "remedy", json_string(remedy));
  json_array_append_new(d->list, o);
}

/* ---- tools ---- */

static void check_tools(doctor_t *d) {
  /* version: a text that the first line must have, or NULL */
  static const struct {
    const char *name, *flag, *version, *package, *why;
    state_t missing;
  } kTools[] = {{"clang-19", "--version", "version 19.", "clang-19", "wgcc compiles programs with it", kBad},
                {"clang++-19", "--version", "version 19.", "clang-19", "the SM is compiled with it", kBad},
                {"make", "--version", "GNU Make", "make", "everything is built by it", kBad},
                {"verilator", "--version", "Verilator 5.", "verilator", "it makes the SM", kBad},
                {"python3", "--version", "Python 3.", "python3", "tests and tables need it", kNote},
                {"yosys", "-V", "Yosys", "yosys", "make synth needs it", kNote},
                {"ccache", "--version", "ccache", "ccache", "builds are slower without it", kNote},
                {"gtkwave", "--version", NULL, "gtkwave", "make wave needs it", kNote},
                {"git", "--version", "git version", "git", "sweeps record the commit with it", kNote}};
  for (size_t i = 0; i < sizeof kTools / sizeof kTools[0]; i++) {
    char line[256], remedy[160];
    const char *const argv[] = {kTools[i].name, kTools[i].flag, NULL};
    snprintf(remedy, sizeof remedy, "make deps, or apt-get install --no-install-recommends %s", kTools[i].package);
    bool ran = sweep_first_line(argv, line, sizeof line);
    if (ran && kTools[i].version == NULL)
      tell(d, kOk, kTools[i].name, NULL, "it can be run"); /* its version needs a display */
    else if (ran && strstr(line, kTools[i].version) != NULL) tell(d, kOk, kTools[i].name, NULL, "%s", line);
    else if (ran)
      tell(d, kTools[i].missing, kTools[i].name, remedy, "it is '%s', wanted: %s", line, kTools[i].version);
    else tell(d, kTools[i].missing, kTools[i].name, remedy, "it cannot be run: %s", kTools[i].why);
  }
}

/* ---- what was built ---- */

static bool newer(const char *a, const char *b) {
  struct stat x, y;
  return stat(a, &x) == 0 && stat(b, &y) == 0 &&
         (x.st_mtim.tv_sec != y.st_mtim.tv_sec ? x.st_mtim.tv_sec > y.st_mtim.tv_sec
                                               : x.st_mtim.tv_nsec > y.st_mtim.tv_nsec);
}

static void check_run_time(doctor_t *d) {
  char path[4096];
  wg_path_build(path, sizeof path, "lib/libcudart.so");
  char why[4400];
  void *lib = wg_so_open(path, RTLD_LAZY | RTLD_LOCAL, why, sizeof why);
  if (lib == NULL) tell(d, kBad, "run-time library", "make build", "%s", why);
  else if (dlsym(lib, "cudaLaunchKernel") == NULL)
    tell(d, kBad, "run-time library", "make build", "'%s' has no cudaLaunchKernel", path);
  else tell(d, kOk, "run-time library", NULL, "%s", path);
  wg_path_build(path, sizeof path, "bin/wgcc");
  if (access(path, X_OK) == 0) tell(d, kOk, "wgcc", NULL, "%s", path);
  else tell(d, kBad, "wgcc", "make build", "'%s': %s", path, strerror(errno));
}

/* One SM: is it there, for this version, the shape that it says, not older than the table that it is made from? */
static bool check_sm(doctor_t *d, const char *shape, const char *variant, bool wanted) {
  char path[4096], table[4096], what[48], remedy[80];
  snprintf(what, sizeof what, "SM %s %s", shape, variant);
  snprintf(remedy, sizeof remedy, "make sm SHAPE=%s VARIANT=%s", shape, variant);
  wg_path_build(path, sizeof path, "sm/%s-%s/libwgsm.so", shape, variant);
  wg_path_root(table, sizeof table, "isa/cfg.def");
  if (access(path, F_OK) != 0) {
    if (wanted) tell(d, kNote, what, remedy, "it is not built");
    return false;
  }
  char why[4400];
  void *lib = wg_so_open(path, RTLD_NOW | RTLD_LOCAL, why, sizeof why);
  sm_dut_lacks_t lacks = lib == NULL ? NULL : (sm_dut_lacks_t)dlsym(lib, "sm_dut_lacks");
  if (lacks != NULL && lacks() != NULL) {
    snprintf(remedy, sizeof remedy, "MARCH=-march=x86-64-v3 scripts/verilate.sh %s %s", shape, variant);
    tell(d, kBad, what, remedy, "it was built for a processor with %s, which this one lacks", lacks());
    dlclose(lib);
    return false;
  }
  const sm_dut_api_t *api = lib == NULL ? NULL : (const sm_dut_api_t *)dlsym(lib, "sm_dut_api");
  bool good = api != NULL && api->abi_version == kWgAbiVersion && strcmp(api->shape.name, shape) == 0;
  if (api == NULL)
    tell(d, kBad, what, remedy, "it cannot be loaded: %s", lib == NULL ? why : "it has no table of functions");
  else if (!good)
    tell(d, kBad, what, remedy, "it was built for ABI version %u and shape %s, wanted: %d and %s", api->abi_version,
         api->shape.name, (int)kWgAbiVersion, shape);
  else if (newer(table, path)) tell(d, kNote, what, remedy, "it is older than isa/cfg.def");
  else tell(d, kOk, what, NULL, "ABI version %u", api->abi_version);
  if (lib != NULL) dlclose(lib);
  return good;
}

static void check_sms(doctor_t *d) {
  static const char *const kShapes[] = {
#define WG_SHAPE(ID, ...) #ID,
#include "isa/cfg.def"
      NULL};
  bool some = false;
  for (size_t i = 0; kShapes[i] != NULL; i++) {
    some = check_sm(d, kShapes[i], "fast", true) || some;
    (void)check_sm(d, kShapes[i], "wave", false);
    (void)check_sm(d, kShapes[i], "inject", false);
  }
  if (!some)
    tell(d, kBad, "SMs", "make sm SHAPE=tiny, or --backend func",
         "none can run: programs run on the back end func alone");
}

static void check_presets(doctor_t *d) {
  enum { kMax = 64 };
  char names[kMax][32], list[600] = "";
  wg_diag_t g;
  size_t n = wg_preset_names(names, kMax), used = 0;
  if (n == 0)
    tell(d, kBad, "presets", "set WARPGLASS_HOME to the root of the repository",
         "there is no folder configs/ with presets");
  for (size_t i = 0; i < n; i++) {
    wg_preset_t p;
    char path[4096];
    memset(&g, 0, sizeof g);
    if (wg_preset_load(names[i], &p, &g) != kWgOk) {
      tell(d, kBad, "preset", g.hint, "%s:%u: %s", g.file, g.line, g.msg);
      continue;
    }
    wg_path_build(path, sizeof path, "sm/%s-fast/libwgsm.so", p.shape->name);
    if (access(path, R_OK) == 0 && used < sizeof list)
      used += (size_t)snprintf(list + used, sizeof list - used, " %s", names[i]);
  }
  if (n != 0)
    tell(d, used == 0 ? kNote : kOk, "presets", "make sm SHAPE=tiny", "%zu; those whose SM is built:%s", n,
         used == 0 ? " none" : list);
}

/* ---- settings and place ---- */

static void check_settings(doctor_t *d) {
  const char *env = getenv("WARPGLASS"), *home = getenv("WARPGLASS_HOME");
  wg_session_cfg_t cfg;
  wg_diag_t g;
  memset(&g, 0, sizeof g);
  wg_session_cfg_init(&cfg);
  if (env == NULL) tell(d, kOk, "WARPGLASS", NULL, "not set");
  else if (wg_session_parse(env, &cfg, &g) == kWgOk) tell(d, kOk, "WARPGLASS", NULL, "%s", env);
  else tell(d, kBad, "WARPGLASS", g.hint, "%s", g.msg);
  wg_session_cfg_clear(&cfg);
  if (home != NULL)
    tell(d, access(home, X_OK) == 0 ? kOk : kBad, "WARPGLASS_HOME", "unset it, or name the root of the repository",
         "%s", home);
}

static void check_place(doctor_t *d) {
  char path[4096];
  struct statvfs disk;
  enum { kLeastMib = 2048 }; /* an SM's build folder takes some hundreds */
  wg_path_build(path, sizeof path, "%s", "");
  if (access(path, W_OK) != 0)
    tell(d, kNote, "build folder", "make build as its owner", "'%s' cannot be written: %s", path, strerror(errno));
  if (statvfs(path, &disk) != 0) return;
  unsigned long long mib = (unsigned long long)disk.f_bavail * disk.f_frsize >> 20;
  tell(d, mib < kLeastMib ? kNote : kOk, "disk", "make room", "%llu MiB are free below %s", mib, path);
}

static int take(void *ctx, const cli_opt_t *opt, const char *value) {
  doctor_t *d = ctx;
  if (opt == NULL) return cli_usage(NULL, "doctor takes no words: '%s'", value);
  d->json = true;
  return kCliPass;
}

int cli_doctor(int argc, char **argv) {
  doctor_t d = {false, false, NULL};
  int rc = cli_opts_read(&kCliDoctor, argc, argv, take, &d, NULL);
  if (rc != kCliPass) return rc == kCliShown ? kCliPass : rc;
  d.list = json_array();
  check_tools(&d);
  check_run_time(&d);
  check_sms(&d);
  check_presets(&d);
  check_settings(&d);
  check_place(&d);
  bool ok = true;
  if (d.json) {
    json_t *doc = json_pack("{s:s, s:s, s:o}", "schema", "warpglass-doctor-1", "verdict", d.bad ? "bad" : "ok",
                            "checks", json_incref(d.list));
    ok = cli_json_write(stdout, doc);
    json_decref(doc);
  } else {
    printf(d.bad ? "something is bad\n" : "nothing is bad\n");
  }
  json_decref(d.list);
  if (!ok || fflush(stdout) != 0) return cli_unwritten("the result");
  return d.bad ? kCliFail : kCliPass;
}
