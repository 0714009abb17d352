// SPDX-License-Identifier: Apache-2.0
//
// Run assembly programs with expectations (programs/asm/README.md): each file assembles, runs in a session of its own,
// and its buffers, fault or hang are judged. The first line says with which settings, then one line a file, failures with
// place, line and reason, `N passed, N failed` last; exit code 0 only if all passed.
//   wgasmtest [-s "preset=tiny check=units sched=gto"] [-c] [-a tight|safe] FILE.s ...     -c: counters behind the cycles
#include <stdio.h>
#include <string.h>

#include "cosim/session.h"
#include "model/preset.h"
#include "toolchain/asm/wg_asm.h"
#include "toolchain/asm/wg_asmtest.h"
#include "toolchain/ctl/wg_annotate.h"
#include "toolchain/obj/wg_files.h"

enum { kMaxBuffers = 64, kParamBytes = 4096 };

static const char kHelp[] =
    "usage: wgasmtest [-s SETTINGS] [-a tight|safe] FILE.s ...\n"
    "  -s SETTINGS   words key=value in one argument, as in the environment variable WARPGLASS of other commands:\n"
    "                preset=tiny sched=gto check=off|retire|units backend=rtl|func seed=N trace=FILE from=N to=N ...;\n"
    "                without it the defaults of a session, which the first line of output tells\n"
    "  -a tight|safe  write control fields for the machine, as dep=control-bits needs: the least waiting, or much of it\n"
    "exit codes: 0 all passed, 1 one failed, 2 wrong use, or what is named (a file, an SM, a policy) is not there\n";

typedef struct run {
  wg_session_t *session;
  wg_asmtest_t *test;
  wg_module_t *module;
  uint64_t addr[kMaxBuffers];
  uint8_t params[kParamBytes];
  size_t param_bytes;
  wg_launch_result_t res; /* of the launch */
  const char *annotate;   /* "tight", "safe" or NULL */
  bool refused;           /* there is no such machine: nothing was begun */
} run_t;

static wg_status_t place_buffers(run_t *r, wg_diag_t *diag) {
  if (r->test->num_buffers > kMaxBuffers) return wg_fail(diag, kWgBadInput, "more than %d buffers", kMaxBuffers);
  for (size_t b = 0; b < r->test->num_buffers; b++) {
    const wg_asmtest_buffer_t *buf = &r->test->buffers[b];
    WG_TRY(wg_session_malloc(r->session, buf->bytes, &r->addr[b], diag));
    WG_TRY(wg_session_write(r->session, r->addr[b], buf->init, buf->bytes, diag));
  }
  for (size_t p = 0; p < r->test->num_params; p++) {
    const wg_asmtest_param_t *q = &r->test->params[p];
    if (q->offset + q->size > kParamBytes) return wg_fail(diag, kWgBadInput, "parameters beyond %d bytes", kParamBytes);
    uint64_t v = q->buffer >= 0 ? r->addr[q->buffer] : q->value;
    memcpy(&r->params[q->offset], &v, q->size);
    if (q->offset + q->size > r->param_bytes) r->param_bytes = q->offset + q->size;
  }
  return kWgOk;
}

static wg_status_t check_buffers(run_t *r, wg_diag_t *diag) {
  for (size_t b = 0; b < r->test->num_buffers; b++) {
    const wg_asmtest_buffer_t *buf = &r->test->buffers[b];
    uint8_t *bytes = malloc(buf->bytes);
    WG_BUG(bytes == NULL);
    wg_status_t st = wg_session_read(r->session, r->addr[b], bytes, buf->bytes, diag);
    if (st == kWgOk) st = wg_asmtest_check(r->test, b, bytes, diag);
    free(bytes);
    WG_TRY(st);
  }
  return kWgOk;
}

/* Line and words of the fault, up to what depends on time. */
static wg_status_t judge_message(const wg_asmtest_t *t, wg_diag_t *diag) {
  char text[sizeof diag->msg + 16];
  snprintf(text, sizeof text, "%u: %s", diag->line, diag->msg);
  char *end = strstr(text, ", SM ");
  if (end != NULL) *end = '\0';
  if (strcmp(text, t->fault_text) == 0) return kWgOk;
  return wg_fail(diag, kWgMismatch, "expected the message '%s', got '%s'", t->fault_text, text);
}

static wg_status_t judge_fault(const run_t *r, wg_status_t st, wg_diag_t *diag) {
  wg_fault_t fault;
  memset(&fault, 0, sizeof fault);
  if (st == kWgMismatch) return st;
  unsigned cuda = wg_session_cuda_error(r->session, &fault);
  const wg_asmtest_t *t = r->test;
  if (t->outcome == kWgAsmtestHang) return st == kWgHang ? kWgOk : wg_fail(diag, kWgMismatch, "expected a hang");
  if (st != kWgFault) return st == kWgOk ? wg_fail(diag, kWgMismatch, "expected fault %u, it ended", t->fault_cuda) : st;
  if (cuda != t->fault_cuda) return wg_fail(diag, kWgMismatch, "expected fault %u, got %u", t->fault_cuda, cuda);
  if (t->has_pc && fault.pc != t->fault_pc)
    return wg_fail(diag, kWgMismatch, "expected the fault at pc 0x%x, got 0x%x", t->fault_pc, fault.pc);
  return t->fault_text[0] == '\0' ? kWgOk : judge_message(t, diag);
}

static wg_status_t launch(run_t *r, wg_diag_t *diag) {
  wg_launch_t l = {.module = r->module,
                   .kernel = wg_module_obj(r->module)->kernels[0].name,
                   .dyn_shared_bytes = r->test->dyn_shared,
                   .params = r->params,
                   .param_bytes = r->param_bytes};
  memcpy(l.grid, r->test->grid, sizeof l.grid);
  memcpy(l.block, r->test->block, sizeof l.block);
  const wg_diag_t *race = NULL;
  wg_status_t st = wg_session_launch(r->session, &l, &r->res, diag);
  fputs(wg_session_races(r->session, &race), stderr);
  if (st == kWgOk && race != NULL) return wg_fail(diag, kWgMismatch, "%s", race->msg);
  if (r->test->outcome != kWgAsmtestDone) return judge_fault(r, st, diag);
  WG_TRY(st);
  return check_buffers(r, diag);
}

static wg_status_t run_text(run_t *r, const char *text, const char *path, const wg_session_cfg_t *cfg, wg_diag_t *diag) {
  wg_obj_t *obj = NULL;
  WG_TRY(wg_asm_text(text, path, &obj, diag));
  if (obj->num_kernels == 0) {
    wg_obj_free(obj);
    return wg_fail(diag, kWgBadInput, "no kernel");
  }
  wg_status_t st = wg_session_create(cfg, &r->session, diag);
  if (st != kWgOk) {
    r->refused = true;
    wg_obj_free(obj);
    return st;
  }
  const wg_ctl_table_t *t = wg_session_ctl(r->session);
  if (r->annotate != NULL && t != NULL)
    wg_annotate_object(obj, t, strcmp(r->annotate, "safe") == 0 ? kWgAnnotateSafe : kWgAnnotateTight);
  WG_TRY(wg_session_load(r->session, obj, &r->module, diag));
  WG_TRY(place_buffers(r, diag));
  return launch(r, diag);
}

/* The line that a diagnostic points to and a caret below its column. Tabs are kept so that the caret stays in place. */
static void print_line(const char *text, const wg_diag_t *d) {
  for (unsigned n = 1; n < d->line && text != NULL; n++) {
    text = strchr(text, '\n');
    if (text != NULL) text++;
  }
  if (text == NULL || d->line == 0) return;
  int len = (int)strcspn(text, "\n");
  printf("  %.*s\n", len, text);
  if (d->col == 0 || d->col > (unsigned)len + 1) return;
  printf("  ");
  for (unsigned i = 0; i + 1 < d->col; i++) putchar(text[i] == '\t' ? '\t' : ' ');
  printf("^\n");
}

static void print_failure(const char *path, const char *text, const wg_diag_t *d, const char *report) {
  printf("FAIL %s:", path);
  bool here = strcmp(d->file, path) == 0;
  if (here && d->line != 0) printf("%u:", d->line);
  if (here && d->line != 0 && d->col != 0) printf("%u:", d->col);
  printf(" error: %s\n", d->msg);
  if (here) print_line(text, d);
  if (report[0] != '\0') { /* the checker's block of facts; its first line is the message */
    for (const char *p = strchr(report, '\n'); p != NULL && p[1] != '\0'; p = strchr(p + 1, '\n')) {
      printf("%.*s\n", (int)strcspn(p + 1, "\n"), p + 1);
    }
  } else if (d->hint[0] != '\0') {
    printf("  remedy: %s\n", d->hint);
  }
}

/* Counters by their fields' names and the owners of the scheduler slots, on the line of the verdict. */
static void print_counts(const wg_launch_result_t *c) {
  static const char *const kReasons[] = {
#define WG_REASON(ID, VALUE, NAME, DOC) NAME,
#include "isa/cfg.def"
  };
#define WG_COUNT(FIELD, KEY, TABLE, DOC) printf(" " #FIELD "=%llu", (unsigned long long)c->FIELD);
#include "model/counts.def"
  for (size_t i = 0; i < sizeof kReasons / sizeof kReasons[0]; i++) {
    printf(" slots_");
    for (const char *p = kReasons[i]; *p != '\0'; p++) putchar(*p == ' ' ? '_' : *p);
    printf("=%llu", (unsigned long long)c->slot_cycles[i]);
  }
}

/* The program's own settings behind those of the command line. */
static wg_status_t run_with(run_t *r, const char *text, const char *path, const char *settings, wg_diag_t *diag) {
  WG_TRY(wg_asmtest_parse(text, path, &r->test, diag));
  wg_session_cfg_t cfg;
  wg_session_cfg_init(&cfg);
  wg_status_t st = wg_session_parse(settings, &cfg, diag);
  if (st == kWgOk) st = wg_session_parse(r->test->settings, &cfg, diag);
  if (st == kWgOk) st = run_text(r, text, path, &cfg, diag);
  wg_session_cfg_clear(&cfg);
  return st;
}

/* @param[out] refused set if the machine of the settings is not there */
static bool run_file(const char *path, const char *settings, bool counts, const char *annotate, bool *refused) {
  wg_diag_t diag;
  memset(&diag, 0, sizeof diag);
  run_t r;
  memset(&r, 0, sizeof r);
  r.annotate = annotate;
  char *text = NULL;
  wg_status_t st = wg_file_read_text(path, &text, &diag);
  if (st == kWgOk) st = run_with(&r, text, path, settings, &diag);
  *refused = *refused || r.refused;
  if (st == kWgOk) {
    printf("PASS %s cycles=%llu", path, (unsigned long long)r.res.cycles);
    if (counts) print_counts(&r.res);
    putchar('\n');
  } else {
    print_failure(path, text, &diag, r.session == NULL ? "" : wg_session_report(r.session));
  }
  fflush(stdout);
  wg_session_destroy(r.session);
  wg_asmtest_free(r.test);
  free(text);
  return st == kWgOk;
}

/* Which machine it is, before anything runs on it. */
static wg_status_t print_settings(const wg_session_cfg_t *cfg, bool given, wg_diag_t *diag) {
  static const char *const kChecks[] = {"off", "retire", "units"};
  wg_preset_t p;
  WG_TRY(wg_preset_load(cfg->preset == NULL ? "v100" : cfg->preset, &p, diag));
  WG_TRY(wg_preset_scale(&p, cfg->num_sms, diag));
  printf("settings: preset=%s backend=%s sched=%s sms=%u check=%s%s\n", p.name, cfg->backend == NULL ? "rtl" : cfg->backend,
         cfg->sched == NULL ? wg_policy_name(p.sm.policy) : cfg->sched, p.num_sms, kChecks[cfg->check],
         given ? "" : " (the defaults; -s \"preset=tiny\" and others choose)");
  return kWgOk;
}

/* Before anything runs: files that cannot be read. Prints. */
static bool readable(char **path, int n) {
  for (int i = 0; i < n; i++) {
    wg_diag_t d;
    char *text = NULL;
    memset(&d, 0, sizeof d);
    if (wg_file_read_text(path[i], &text, &d) != kWgOk) {
      fprintf(stderr, "wgasmtest: ");
      wg_diag_print(stderr, &d);
      return false;
    }
    free(text);
  }
  return true;
}

int main(int argc, char **argv) {
  wg_session_cfg_t cfg;
  wg_session_cfg_init(&cfg);
  wg_diag_t diag;
  memset(&diag, 0, sizeof diag);
  unsigned passed = 0, failed = 0;
  const char *settings = "";
  int i = 1;
  if (argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
    fputs(kHelp, stdout);
    return 0;
  }
  bool given = i + 1 < argc && strcmp(argv[i], "-s") == 0;
  if (given) {
    if (wg_session_parse(argv[i + 1], &cfg, &diag) != kWgOk) {
      wg_diag_print(stderr, &diag);
      return 2;
    }
    settings = argv[i + 1];
    i += 2;
  }
  bool counts = i < argc && strcmp(argv[i], "-c") == 0;
  if (counts) i++;
  const char *annotate = NULL;
  if (i + 1 < argc && strcmp(argv[i], "-a") == 0) {
    annotate = argv[i + 1];
    if (strcmp(annotate, "tight") != 0 && strcmp(annotate, "safe") != 0) {
      fprintf(stderr, "wgasmtest: error: bad value '%s' of option '-a'\n  remedy: one of: tight safe\n", annotate);
      return 2;
    }
    i += 2;
  }
  if (i >= argc || argv[i][0] == '-') {
    fprintf(stderr, i < argc ? "wgasmtest: error: unknown option '%s', or its value is missing\n" : "wgasmtest: error: no file\n",
            i < argc ? argv[i] : "");
    fputs(kHelp, stderr);
    return 2;
  }
  if (!readable(argv + i, argc - i)) return 2;
  if (print_settings(&cfg, given, &diag) != kWgOk) {
    wg_diag_print(stderr, &diag);
    return 2;
  }
  bool refused = false;
  for (; i < argc; i++) {
    if (run_file(argv[i], settings, counts, annotate, &refused)) passed++;
    else failed++;
  }
  printf("%u passed, %u failed\n", passed, failed);
  wg_session_cfg_clear(&cfg);
  return failed == 0 ? 0 : refused ? 2 : 1;
}
