// SPDX-License-Identifier: Apache-2.0
//
// warpglass dispatch: where the blocks of a grid go and when, step by step and as a picture: on SMs that only hold
// blocks for given times, or as a run wrote it down (--blocklog).
#define _POSIX_C_SOURCE 200809L /* fileno */
#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "cosim/blocks_c.h"
#include "cosim/cli/cli_opts.h"
#include "cosim/cli/svg.h"
#include "model/gpu.h"
#include "model/gte/gte_policy.h"
#include "model/gte/occupancy.h"
#include "model/gte/timeline.h"
#include "toolchain/obj/wg_files.h"
#include "model/sm/sm_stub.h"

static const cli_opt_t kOpts[] = {
    {"--preset", "NAME", "@presets", "machine (lecture)"},
    {"--sms", "N", "", "of its SMs"},
    {"--blocks", "N", "", "blocks of the grid (1000)"},
    {"--threads", "N", "", "threads of a block (128)"},
    {"--regs", "N", "", "registers of a thread (16)"},
    {"--shared", "N", "", "bytes of shared memory of a block (520)"},
    {"--cycles", "A,B,...", "", "how long block 0, 1, ... last, the last number all further ones (100)"},
    {"--policy", "NAME", "@blocks", "block policy (warpglass policies)"},
    {"--log", "FILE", "@file", "the blocks of a run with --blocklog FILE in place of blocks that are only held"},
    {"--grid", "N", "", "of the log: the grid to tell of (1)"},
    {"--name", "TEXT", "", "what the kernel is called (kernel)"},
    {"--steps", "N", "", "steps to print (8)"},
    {"--svg", "FILE", "@out", "draw the blocks"},
    {"--draw", "N", "", "so many of them (64)"},
    {NULL, NULL, NULL, NULL}};

const cli_command_t kCliDispatch = {"dispatch", "[options]             blocks held for given times, no instruction runs\n[options] --log FILE  the blocks of a run with --blocklog FILE",
                                    "where a grid's blocks go, step by step and drawn", kOpts, "",
                                    "Examples:\n"
                                    "  warpglass dispatch --blocks 24 --cycles 100,500,200 --svg blocks.svg\n"
                                    "  warpglass run --blocklog b.log build/programs/reduce/reduce 4096 && warpglass dispatch --preset v100 --log b.log\n",
                                    false, cli_dispatch};

enum { kMaxCycles = 256 };

typedef struct args {
  const char *preset, *policy, *log, *name, *svg;
  uint64_t sms, blocks, threads, regs, shared, grid, steps, draw;
  uint32_t cycles[kMaxCycles];
  size_t num_cycles;
} args_t;

static bool number(const char **at, uint64_t hi, uint64_t *out) {
  if (!isdigit((unsigned char)**at)) return false;
  char *end = NULL;
  errno = 0;
  *out = strtoull(*at, &end, 10);
  *at = end;
  return errno == 0 && *out <= hi;
}

static int cycles(args_t *a, const char *text) {
  for (const char *at = text;; at++) {
    uint64_t v = 0;
    if (a->num_cycles == kMaxCycles || !number(&at, 1000000000, &v) || (*at != '\0' && *at != ',')) {
      return cli_usage("up to 256 numbers, such as 100,500,200", "option '--cycles': bad value '%s'", text);
    }
    a->cycles[a->num_cycles++] = (uint32_t)v;
    if (*at == '\0') return kCliPass;
  }
}

static int one(args_t *a, const char *o, const char *value) {
  const cli_field_t kFields[] = {{"--sms", 1, kWgXbarMaxSms, &a->sms, NULL, NULL},
                                 {"--blocks", 1, 1000000, &a->blocks, NULL, NULL},
                                 {"--threads", 1, 1024, &a->threads, NULL, NULL},
                                 {"--regs", 1, 255, &a->regs, NULL, NULL},
                                 {"--shared", 0, 1 << 20, &a->shared, NULL, NULL},
                                 {"--grid", 1, UINT32_MAX, &a->grid, NULL, NULL},
                                 {"--steps", 0, UINT32_MAX, &a->steps, NULL, NULL},
                                 {"--draw", 1, 100000, &a->draw, NULL, NULL},
                                 {"--preset", 0, 0, NULL, &a->preset, NULL},
                                 {"--policy", 0, 0, NULL, &a->policy, NULL},
                                 {"--log", 0, 0, NULL, &a->log, NULL},
                                 {"--name", 0, 0, NULL, &a->name, NULL},
                                 {"--svg", 0, 0, NULL, &a->svg, NULL}};
  if (strcmp(o, "--cycles") == 0) return cycles(a, value);
  return cli_opts_field(kFields, sizeof kFields / sizeof kFields[0], o, value);
}

static int take(void *ctx, const cli_opt_t *opt, const char *value) {
  if (opt == NULL) return cli_usage("warpglass dispatch --help", "dispatch takes no words: '%s'", value);
  return one(ctx, opt->name, value);
}

static int parse(int argc, char **argv, args_t *a) {
  *a = (args_t){.preset = "lecture",
                .policy = "",
                .name = "kernel",
                .blocks = 1000,
                .threads = 128,
                .regs = 16,
                .shared = 520,
                .grid = 1,
                .steps = 8,
                .draw = 64};
  return cli_opts_read(&kCliDispatch, argc, argv, take, a, NULL);
}

/* ---- a run of stub SMs ---- */

typedef struct recorder {
  wg_timeline_t *t;
  bool full;
} recorder_t;

static void on_start(void *ctx, uint64_t cycle, uint16_t sm, uint8_t slot, const wg_cta_launch_t *l) {
  recorder_t *r = ctx;
  wg_block_event_t e = wg_block_start(cycle, sm, slot, l);
  r->full = !wg_timeline_add(r->t, &e) || r->full;
}

/* An end repeats its start: the latest one in this place. */
static void on_end(void *ctx, uint64_t cycle, uint16_t sm, const wg_cta_done_t *d) {
  recorder_t *r = ctx;
  for (size_t i = r->t->n; i > 0; i--) {
    wg_block_event_t e = r->t->event[i - 1];
    if (!e.start || e.sm != sm || e.slot != d->block_slot) continue;
    e.start = false;
    e.cycle = cycle;
    r->full = !wg_timeline_add(r->t, &e) || r->full;
    return;
  }
}

static wg_status_t run_grid(const wg_preset_t *p, const args_t *a, wg_sm_t **sms, wg_store_t *store, wg_timeline_t *t,
                            wg_diag_t *diag) {
  recorder_t r = {t, false};
  wg_gpu_t *gpu = NULL;
  wg_gpu_cfg_t cfg = {.preset = p, .sms = sms, .store = store, .policy = UINT32_MAX};
  cfg.hooks = (wg_gpu_hooks_t){.ctx = &r, .block_start = on_start, .block_done = on_end};
  wg_grid_t g = {.grid_id = 1,
                 .grid = {(uint32_t)a->blocks, 1, 1},
                 .block = {(uint32_t)a->threads, 1, 1},
                 .regs_per_thread = (uint32_t)a->regs,
                 .static_shared_bytes = (uint32_t)a->shared};
  wg_status_t st = wg_gpu_create(&cfg, &gpu, diag);
  if (st == kWgOk) st = wg_gpu_submit(gpu, &g, diag);
  if (st == kWgOk) st = wg_gpu_run(gpu, diag);
  wg_gpu_destroy(gpu);
  return st == kWgOk && r.full ? wg_fail(diag, kWgNoSpace, "out of memory") : st;
}

static wg_status_t simulate(const wg_preset_t *p, const args_t *a, wg_timeline_t *t, wg_diag_t *diag) {
  wg_sm_t *sms[kWgXbarMaxSms] = {NULL};
  wg_store_t *store = NULL;
  wg_sm_stub_script_t script = {.default_cycles = 100, .cycles = a->cycles, .n = a->num_cycles};
  if (a->num_cycles != 0) script.default_cycles = a->cycles[a->num_cycles - 1];
  wg_status_t st = wg_store_create(&store, diag);
  for (uint32_t i = 0; st == kWgOk && i < p->num_sms; i++) st = wg_sm_stub_create(p->shape, &script, &sms[i], diag);
  if (st == kWgOk) st = run_grid(p, a, sms, store, t, diag);
  for (uint32_t i = 0; i < p->num_sms; i++) {
    if (sms[i] != NULL) sms[i]->ops->destroy(sms[i]);
  }
  wg_store_destroy(store);
  return st;
}

/* ---- picture ---- */

typedef struct frame {
  const wg_timeline_t *t;
  uint32_t sms, rows; /* block slots of an SM that are used */
  uint64_t from, to;
  double left, top, width, row;
} frame_t;

static void draw_blocks(FILE *f, const frame_t *fr, uint64_t draw) {
  for (size_t i = 0; i < fr->t->n; i++) {
    const wg_block_event_t *e = &fr->t->event[i];
    if (!e->start || draw == 0) continue;
    uint64_t end = fr->to;
    for (size_t k = i + 1; k < fr->t->n; k++) {
      const wg_block_event_t *x = &fr->t->event[k];
      if (x->start || x->sm != e->sm || x->slot != e->slot) continue;
      end = x->cycle + 1;
      break;
    }
    draw--;
    if (end > fr->to) end = fr->to;
    char text[96];
    double per = fr->width / (double)(fr->to - fr->from), x = fr->left + (double)(e->cycle - fr->from) * per;
    double y = fr->top + ((double)e->sm * (fr->rows + 0.5) + e->slot) * fr->row, w = (double)(end - e->cycle) * per;
    snprintf(text, sizeof text, "block %llu, cycles %llu to %llu", (unsigned long long)e->number,
             (unsigned long long)e->cycle, (unsigned long long)end - 1);
    svg_rect(f, x, y, w, fr->row - 2, (unsigned)(e->number % 6), text);
    snprintf(text, sizeof text, "%llu", (unsigned long long)e->number);
    if (w > 14) svg_text(f, x + w / 2, y + fr->row / 2 + 3, "middle", 10, text);
  }
}

/* The first `draw` blocks: up to the start of the one behind them, or to the end. */
static void draw_all(FILE *f, const wg_timeline_t *t, uint32_t sms, const char *title, uint64_t draw) {
  frame_t fr = {.t = t,
                .sms = sms,
                .from = t->event[0].cycle,
                .to = t->event[t->n - 1].cycle + 1,
                .left = 60,
                .top = 40,
                .width = 1100,
                .row = 20};
  uint64_t starts = 0;
  for (size_t i = 0; i < t->n; i++) {
    const wg_block_event_t *e = &t->event[i];
    if (e->start && starts++ == draw) {
      fr.to = e->cycle + 1;
      break;
    }
    if (e->slot + 1 > fr.rows) fr.rows = e->slot + 1;
  }
  double height = fr.top + (double)sms * (fr.rows + 0.5) * fr.row + 40;
  char text[128];
  svg_begin(f, fr.left + fr.width + 20, height);
  svg_text(f, fr.left, 22, "start", 14, title);
  draw_blocks(f, &fr, draw);
  for (uint32_t i = 0; i < sms; i++) {
    snprintf(text, sizeof text, "SM%u", i);
    svg_text(f, fr.left - 8, fr.top + ((double)i * (fr.rows + 0.5) + fr.rows / 2.0) * fr.row, "end", 11, text);
  }
  svg_line(f, fr.left, height - 30, fr.left + fr.width, height - 30, 7);
  snprintf(text, sizeof text, "SM cycles %llu to %llu; a row is a block slot, a number a block",
           (unsigned long long)fr.from, (unsigned long long)fr.to - 1);
  svg_text(f, fr.left, height - 14, "start", 11, text);
  svg_end(f);
}

static int draw(const args_t *a, const wg_timeline_t *t, uint32_t sms) {
  char title[256];
  errno = 0;
  FILE *f = wg_file_create(a->svg);
  if (f == NULL) return cli_usage(NULL, "cannot write '%s': %s", a->svg, strerror(errno));
  snprintf(title, sizeof title, "%s: %llu block%s of %u threads and %u bytes on %s", a->name,
           (unsigned long long)t->event[0].blocks, CLI_S(t->event[0].blocks), t->event[0].threads, t->event[0].shared_bytes, a->preset);
  draw_all(f, t, sms, title, a->draw);
  if (!wg_file_close(f, a->svg, true)) return cli_usage(NULL, "cannot write '%s': %s", a->svg, strerror(errno));
  printf("%s\n", a->svg);
  return kCliPass;
}

/* ---- all of it ---- */

static wg_status_t from_log(const args_t *a, wg_timeline_t *t, wg_diag_t *diag) {
  struct stat info;
  FILE *f = fopen(a->log, "r");
  bool folder = f != NULL && fstat(fileno(f), &info) == 0 && S_ISDIR(info.st_mode); /* fopen takes one */
  if (diag != NULL) snprintf(diag->hint, sizeof diag->hint, "the file of `warpglass run --blocklog FILE`");
  if (folder) fclose(f);
  if (f == NULL || folder)
    return wg_fail(diag, kWgIo, "cannot read '%s': %s", a->log, strerror(folder ? EISDIR : errno));
  if (diag != NULL) snprintf(diag->file, sizeof diag->file, "%s", a->log);
  wg_status_t st = wg_timeline_read(f, (uint32_t)a->grid, t, diag);
  fclose(f);
  if (st == kWgOk && t->n == 0)
    st = wg_fail(diag, kWgBadInput, "grid %llu has no block in it", (unsigned long long)a->grid);
  return st;
}

static wg_status_t tell(const wg_preset_t *p, const args_t *a, const wg_timeline_t *t, wg_diag_t *diag) {
  wg_timeline_sums_t s;
  wg_occ_waves_t w;
  WG_TRY(wg_timeline_tell(p, t, a->name, a->steps, stdout, &s, diag));
  wg_occ_block_t b = {t->event[0].threads, t->event[0].regs, t->event[0].shared_bytes};
  wg_occ_t o;
  WG_TRY(wg_occ_of(p, &b, &o, diag));
  wg_occ_waves(t->event[0].blocks, p->num_sms, o.blocks, &w);
  if (s.steps > a->steps) printf("      %llu further steps\n", (unsigned long long)(s.steps - a->steps));
  printf(
      "%llu cycles; at most %u block%s, %u of %u warps, on an SM at once; %llu wave%s of %u SM%s x %u block%s, the last "
      "one fills %.0f %%\n",
      (unsigned long long)s.cycles, s.most_resident, CLI_S(s.most_resident), s.most_resident * o.warps, o.max_warps,
      (unsigned long long)w.waves, CLI_S(w.waves), p->num_sms, CLI_S(p->num_sms), o.blocks, CLI_S(o.blocks),
      100 * w.tail);
  uint32_t rtl = 4 + p->shape->sub_cores + o.warps; /* rtl/cta/sm_cta.sv: its states, one a sub-core, one a warp */
  if (a->log != NULL) {
    printf("an SM's RTL takes %u cycles to place a block, and one for each range of a resident block that it passes; "
           "%u where blocks are only held (rtl/cta/README.md)\n", rtl, o.warps);
  } else {
    printf("an SM takes %u cycle%s to place a block here, one a warp; the RTL's takes %u, and one for each range of "
           "a resident block that it passes (rtl/cta/README.md)\n", o.warps, o.warps == 1 ? "" : "s", rtl);
  }
  return kWgOk;
}

int cli_dispatch(int argc, char **argv) {
  static args_t a;
  wg_preset_t p;
  wg_timeline_t t = {0};
  wg_diag_t d;
  memset(&d, 0, sizeof d);
  int rc = parse(argc, argv, &a);
  if (rc == kCliPass) rc = cli_preset_load(a.preset, &p);
  if (rc != kCliPass) return rc == kCliShown ? kCliPass : rc;
  wg_status_t st = wg_preset_scale(&p, (uint32_t)a.sms, &d);
  if (st == kWgOk && a.policy[0] != '\0') st = wg_blocks_choice_parse(a.policy, &p.gte.policy, &d);
  if (st == kWgOk) st = a.log != NULL ? from_log(&a, &t, &d) : simulate(&p, &a, &t, &d);
  if (st == kWgOk) st = tell(&p, &a, &t, &d);
  rc = st == kWgOk ? kCliPass : cli_diag(&d);
  if (rc == kCliPass && a.svg != NULL) rc = draw(&a, &t, p.num_sms);
  wg_timeline_free(&t);
  return rc;
}
