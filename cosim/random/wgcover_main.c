// SPDX-License-Identifier: Apache-2.0
//
// Coverage of the instruction table in lockstep (testbench/coverage/README.md).
//   wgcover [-s SETTINGS] [--seed N] [--op MNEMONIC]... [--part K/N] [--out FILE] [--list]
#include <errno.h>
#include <string.h>

#include "cosim/random/cover.h"
#include "cosim/session_words.h"
#include "toolchain/ctl/wg_annotate.h"

enum { kMaxOps = 256, kParamBytes = 64 };

static const char kHelp[] =
    "usage: wgcover [-s SETTINGS] [--seed N] [--op MNEMONIC]... [--part K/N] [--out FILE] [--list]\n"
    "  SETTINGS as in WARPGLASS; defaults: preset=tiny check=units\n"
    "  --seed N       of operands and order (default 1)\n"
    "  --op MNEMONIC  only this instruction, as isa/isa.def writes it; may be repeated\n"
    "  --part K/N     only the instructions whose place in the table, from 0, is K modulo N\n"
    "  --out FILE     where the counts go (default: standard output)\n"
    "  --list         the cells, each with 0; runs nothing\n"
    "exit codes: 0 design and golden model agree everywhere, 1 they do not, 2 wrong use, or no SM to run on\n";

static const char *const kOptions[] = {"-s", "--seed", "--op", "--part", "--out", "--list", "--help", NULL};

typedef struct args {
  const char *settings, *out;
  uint64_t seed;
  bool list, some; /* some: `want` was narrowed by --op */
  bool want[kMaxOps];
  uint64_t part, parts;
} args_t;

static int wrong(const char *hint, const char *fmt, ...) WG_PRINTF(2, 3);
/* @return the exit code of wrong use */
static int wrong(const char *hint, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  fputs("wgcover: error: ", stderr);
  vfprintf(stderr, fmt, ap);
  fputc('\n', stderr);
  va_end(ap);
  if (hint[0] != '\0') fprintf(stderr, "  remedy: %s\n", hint);
  return 2;
}

static bool number(const char *text, const char **end, uint64_t *out) {
  char *e = NULL;
  if (text[0] < '0' || text[0] > '9') return false;
  errno = 0;
  *out = strtoull(text, &e, 0);
  *end = e;
  return errno == 0;
}

/* ---- arguments ---- */

static int set_op(args_t *a, const char *name) {
  size_t n;
  const wg_insn_info_t *t = wg_insn_table(&n);
  const char *known[kMaxOps + 1] = {NULL};
  for (size_t i = 0; i < n; i++) {
    known[i] = t[i].mnemonic;
    if (strcmp(t[i].mnemonic, name) != 0) continue;
    a->want[i] = a->some = true;
    return 0;
  }
  char hint[256];
  const char *near = wg_word_nearest(name, known);
  snprintf(hint, sizeof hint, "%s%s%sa mnemonic of isa/isa.def", near != NULL ? "did you mean '" : "",
           near != NULL ? near : "", near != NULL ? "'? " : "");
  return wrong(hint, "unknown instruction '%s'", name);
}

static int set_part(args_t *a, const char *text) {
  const char *end = text;
  if (number(text, &end, &a->part) && *end == '/' && number(end + 1, &end, &a->parts) && *end == '\0' &&
      a->part < a->parts) {
    return 0;
  }
  return wrong("K/N with K below N: 2/8", "bad part '%s'", text);
}

static int set_option(args_t *a, const char *name, const char *value) {
  const char *end = NULL;
  if (strcmp(name, "-s") == 0) return a->settings = value, 0;
  if (strcmp(name, "--out") == 0) return a->out = value, 0;
  if (strcmp(name, "--op") == 0) return set_op(a, value);
  if (strcmp(name, "--part") == 0) return set_part(a, value);
  return number(value, &end, &a->seed) && *end == '\0' ? 0 : wrong("a number", "bad seed '%s'", value);
}

/* @return 0, 2 for wrong use, -1 if there is nothing more to do */
static int parse(args_t *a, int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--help") == 0) return fputs(kHelp, stdout), -1;
    if (strcmp(argv[i], "--list") == 0) {
      a->list = true;
      continue;
    }
    bool known = false;
    for (size_t k = 0; kOptions[k] != NULL; k++) known = known || strcmp(argv[i], kOptions[k]) == 0;
    if (!known) {
      char hint[256];
      wg_word_hint(argv[i], kOptions, hint, sizeof hint);
      return wrong(hint, "unknown option '%s'", argv[i]);
    }
    if (i + 1 == argc) return wrong("", "option '%s' needs a value", argv[i]);
    int rc = set_option(a, argv[i], argv[i + 1]);
    if (rc != 0) return rc;
    i++;
  }
  for (size_t i = 0; i < (size_t)kMaxOps; i++) a->want[i] = (a->some ? a->want[i] : true) && i % a->parts == a->part;
  return 0;
}

/* ---- runs ---- */

typedef struct device {
  wg_session_t *s;
  uint64_t data, window;
} device_t;

static wg_status_t open_device(device_t *d, const args_t *a, const wg_session_cfg_t *cfg, wg_diag_t *diag) {
  uint32_t *data = malloc(kWgCoverDataBytes);
  WG_BUG(data == NULL);
  wg_cover_data(a->seed, data);
  wg_status_t st = wg_session_create(cfg, &d->s, diag);
  if (st == kWgOk) st = wg_session_malloc(d->s, kWgCoverDataBytes, &d->data, diag);
  if (st == kWgOk) st = wg_session_malloc(d->s, kWgCoverWindow, &d->window, diag);
  if (st == kWgOk) st = wg_session_write(d->s, d->data, data, kWgCoverDataBytes, diag);
  if (st == kWgOk) st = wg_session_write(d->s, d->window, data, kWgCoverWindow, diag);
  free(data);
  return st;
}

static wg_status_t launch(device_t *d, const wg_cover_kernel_t *k, wg_diag_t *diag) {
  wg_module_t *m = NULL;
  wg_launch_result_t res;
  uint8_t params[kParamBytes] = {0};
  wg_obj_t *obj = wg_rnd_object(&k->prog);
  const wg_ctl_table_t *ctl = wg_session_ctl(d->s);
  if (ctl != NULL) wg_annotate_object(obj, ctl, kWgAnnotateTight);
  WG_TRY(wg_session_load(d->s, obj, &m, diag));
  memcpy(params, &d->data, 8);
  memcpy(params + 8, &d->window, 8);
  wg_launch_t l = {.module = m, .kernel = "rnd", .params = params, .param_bytes = 16u + 4u * kWgRndParams};
  memcpy(l.grid, k->prog.grid, sizeof l.grid);
  memcpy(l.block, k->prog.block, sizeof l.block);
  return wg_session_launch(d->s, &l, &res, diag);
}

/* The call that makes the same kernels. */
static void print_again(const args_t *a) {
  size_t n;
  const wg_insn_info_t *t = wg_insn_table(&n);
  fprintf(stderr, "  again: build/bin/wgcover -s \"%s\" --seed %llu --part %llu/%llu", a->settings,
          (unsigned long long)a->seed, (unsigned long long)a->part, (unsigned long long)a->parts);
  for (size_t i = 0; a->some && i < n; i++) {
    if (a->want[i]) fprintf(stderr, " --op %s", t[i].mnemonic);
  }
  fputc('\n', stderr);
}

/* @return exit code */
static int run(const args_t *a, wg_session_cfg_t *cfg, wg_cover_t *c) {
  static wg_cover_kernel_t k;
  device_t d = {NULL, 0, 0};
  wg_diag_t diag;
  memset(&diag, 0, sizeof diag);
  cfg->retired = wg_cover_retired;
  cfg->retired_ctx = c;
  bool its = cfg->diverge != NULL && strcmp(cfg->diverge, "its") == 0;
  wg_status_t st = open_device(&d, a, cfg, &diag);
  if (st != kWgOk) {
    wg_diag_print(stderr, &diag);
    wg_session_destroy(d.s);
    return 2;
  }
  for (uint32_t at = 0; st == kWgOk && wg_cover_generate(c, a->want, a->seed, its, &at, &k);) {
    st = launch(&d, &k, &diag);
    if (st == kWgOk) continue;
    fprintf(stderr, "FAIL kernel of %s\n", k.ops);
    if (st == kWgMismatch && wg_session_report(d.s)[0] != '\0') fputs(wg_session_report(d.s), stderr);
    else wg_diag_print(stderr, &diag);
    print_again(a);
  }
  wg_session_destroy(d.s);
  return st == kWgOk ? 0 : 1;
}

static int write_counts(const args_t *a, const wg_cover_t *c) {
  FILE *f = a->out == NULL ? stdout : fopen(a->out, "w");
  if (f == NULL) return wrong("a path that can be written", "cannot write '%s': %s", a->out, strerror(errno));
  size_t n;
  const wg_cover_op_t *o = wg_cover_ops(c, &n);
  fprintf(f, "op\tkind\tcell\t%s\t%s\t%s\n", wg_cover_mask_names[0], wg_cover_mask_names[1], wg_cover_mask_names[2]);
  for (size_t i = 0; i < n; i++) {
    if (a->want[i]) wg_cover_print(f, &o[i]);
  }
  bool bad = fflush(f) != 0 || ferror(f) != 0;
  if (f != stdout && fclose(f) != 0) bad = true;
  return bad ? wrong("room on the device", "cannot write '%s'", a->out == NULL ? "standard output" : a->out) : 0;
}

int main(int argc, char **argv) {
  args_t a = {.settings = "preset=tiny check=units", .seed = 1, .parts = 1};
  wg_session_cfg_t cfg;
  wg_diag_t diag;
  memset(&diag, 0, sizeof diag);
  int rc = parse(&a, argc, argv);
  if (rc != 0) return rc < 0 ? 0 : rc;
  wg_session_cfg_init(&cfg);
  cfg.preset = "tiny";
  cfg.check = kWgCheckUnits;
  cfg.limit = 20000000;
  cfg.seed = a.seed;
  if (wg_session_parse(a.settings, &cfg, &diag) != kWgOk) return wrong(diag.hint, "%s", diag.msg);
  if (cfg.check == kWgCheckOff || (cfg.backend != NULL && strcmp(cfg.backend, "rtl") != 0)) {
    wg_session_cfg_clear(&cfg);
    return wrong("check=units with backend=rtl", "nothing is compared with these settings, so nothing can be counted");
  }
  if (cfg.race != kWgSessionRaceOff) {
    wg_session_cfg_clear(&cfg);
    return wrong("leave 'race' out", "random operands race as they like: nothing would be told of them here");
  }
  wg_cover_t *c = wg_cover_new();
  if (!a.list) rc = run(&a, &cfg, c);
  if (rc == 0) rc = write_counts(&a, c);
  wg_cover_free(c);
  wg_session_cfg_clear(&cfg);
  return rc;
}
