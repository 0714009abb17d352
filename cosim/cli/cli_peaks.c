// SPDX-License-Identifier: Apache-2.0
//
// `warpglass presets show`: what follows from a preset's numbers. Peak rates of every pipe, memory bandwidth, ridges
// (operations a byte at which a kernel is no longer bound by memory), resident threads; beside them the figures of the
// lecture and of the vendor.
#include <string.h>

#include "cosim/cli/cli.h"
#include "isa/wg_cfg.h"

typedef struct pipe {
  const char *name, *unit;
  uint32_t lanes;    /* of a sub-core; 0: `cycles` */
  uint32_t interval; /* cycles beyond the lanes' own between two instructions */
  double ops;        /* of one lane and instruction */
  double cycles;     /* of an instruction of `ops` operations in all */
  bool flops;        /* it has a ridge */
} pipe_t;

enum { kPipes = 6 };

/* A pipe narrower than its shape is one that dispatches less often (isa/cfg.def, rtl/exec/sm_dispatch.sv). The matrix
   unit computes `mma_rows` rows of eight elements a step, 16 products each; m16n8k16 is 16 rows. */
static void pipes_of(const wg_preset_t *p, pipe_t out[kPipes]) {
  const wg_shape_t *sh = p->shape;
  const uint32_t *interval = p->sm.issue_interval;
  const pipe_t all[kPipes] = {
      {"fp32", "TFLOP/s", sh->lanes_fp32, interval[1], 2.0, 0.0, true},
      {"fp64", "TFLOP/s", sh->lanes_fp64, interval[2], 2.0, 0.0, true},
      {"half", "TFLOP/s", sh->lanes_fp32, interval[1], 4.0, 0.0, true}, /* two elements a lane */
      {"matrix", "TFLOP/s", 0, 0, 2.0 * 16 * 8 * 16, 16.0 / sh->mma_rows, true},
      {"int", "Top/s", sh->lanes_int, interval[0], 1.0, 0.0, false},
      {"sfu", "Top/s", sh->lanes_sfu, interval[3], 1.0, 0.0, false}};
  memcpy(out, all, sizeof all);
}

/* 10^12 operations a second of `sms` SMs. */
static double peak_tera(const wg_preset_t *p, const pipe_t *q, uint32_t sms) {
  double one = q->lanes == 0 ? q->ops / q->cycles : q->ops * q->lanes / (1.0 + q->interval * q->lanes / 32.0);
  return one * p->shape->sub_cores * sms * p->clock_khz * 1e3 / 1e12;
}

static double gbytes_of(const wg_preset_t *full, uint32_t sms) {
  wg_preset_t p = *full;
  return wg_preset_scale(&p, sms, NULL) == kWgOk ? wg_preset_hbm_gbytes_per_s(&p) : 0.0;
}

/* ---- the figures of others ---- */

/* What the lecture says of a machine, and its vendor. 0: says nothing. */
static const struct figure {
  const char *preset, *pipe;
  double text_tflops, text_gbytes;
  double text_mhz; /* with which the text's figure comes out of the preset's lanes; of the matrix units it tells none */
  double vendor_tflops;
  const char *vendor; /* its source, and with which clock */
} kFigures[] = {
    {"gtx980", "fp32", 4.6, 0.0, 1123.0, 4.6, "whitepaper: 2048 x 2 x 1.126 GHz, base clock"},
    {"v100", "fp32", 12.7, 900.0, 1240.0, 14.0, "whitepaper: PCIe board, 5120 x 2 x 1.38 GHz boost"},
    {"v100", "matrix", 0.0, 900.0, 0.0, 112.0, "data sheet: PCIe board, fp16 with fp32 sums"},
    {"h100", "fp32", 37.5, 1000.0, 1110.0, 67.0, "data sheet: 16896 x 2 x 1.98 GHz boost"},
    {"h100", "matrix", 1000.0, 1000.0, 0.0, 989.0, 
     "data sheet: dense fp16 with fp32 sums, at 1.83 GHz; the preset's clock is the boost of its lanes"},
};

static void put(FILE *out, int width, int digits, double v) {
  if (v > 0.0) fprintf(out, " %*.*f", width, digits, v);
  else fprintf(out, " %*s", width, "-");
}

static void print_figures(FILE *out, const wg_preset_t *full, const pipe_t pipes[kPipes]) {
  bool any = false;
  double gbytes = gbytes_of(full, full->num_sms_full);
  for (size_t i = 0; i < sizeof kFigures / sizeof kFigures[0]; i++) {
    const struct figure *f = &kFigures[i];
    const pipe_t *q = pipes;
    if (strcmp(f->preset, full->name) != 0) continue;
    while (strcmp(q->name, f->pipe) != 0) q++;
    double peak = peak_tera(full, q, full->num_sms_full);
    if (!any) {
      fprintf(out, "  %-22s %12s %12s %12s %16s  %s\n", "figures of others", "text", "this preset", "vendor",
              "text's clock MHz", "the vendor's source");
    }
    any = true;
    fprintf(out, "  %-6s %-15s", q->name, "peak TFLOP/s");
    put(out, 12, 1, f->text_tflops);
    put(out, 12, 1, peak);
    put(out, 12, 1, f->vendor_tflops);
    put(out, 16, 0, f->text_mhz);
    fprintf(out, "  %s\n", f->vendor);
    if (f->text_tflops <= 0.0 || f->text_gbytes <= 0.0) continue;
    fprintf(out, "  %-6s %-15s", q->name, "ridge FLOP/byte");
    put(out, 12, 1, f->text_tflops * 1e3 / f->text_gbytes);
    put(out, 12, 1, peak * 1e3 / gbytes);
    fprintf(out, " %12s %16s  text: %.0f GB/s, here %.0f\n", "", "", f->text_gbytes, gbytes);
  }
}

void cli_peaks_print(FILE *out, const wg_preset_t *full) {
  pipe_t pipes[kPipes];
  pipes_of(full, pipes);
  const struct {
    const char *what;
    uint32_t sms;
  } cols[] = {{"one SM", 1}, {"a run's default", full->num_sms}, {"whole machine", full->num_sms_full}};
  double gbytes[3];
  fprintf(out, "  %-22s", "peak of");
  for (size_t c = 0; c < 3; c++) fprintf(out, " %20s", cols[c].what);
  fprintf(out, "\n  %-22s", "SMs");
  for (size_t c = 0; c < 3; c++) fprintf(out, " %20u", cols[c].sms);
  fprintf(out, "\n  %-22s", "resident threads");
  for (size_t c = 0; c < 3; c++) fprintf(out, " %20u", wg_preset_resident_threads(full) * cols[c].sms);
  for (size_t i = 0; i < kPipes; i++) {
    fprintf(out, "\n  %-6s %-15s", pipes[i].name, pipes[i].unit);
    for (size_t c = 0; c < 3; c++) fprintf(out, " %20.4f", peak_tera(full, &pipes[i], cols[c].sms));
  }
  fprintf(out, "\n  %-22s", "memory GB/s");
  for (size_t c = 0; c < 3; c++) {
    gbytes[c] = gbytes_of(full, cols[c].sms);
    fprintf(out, " %20.1f", gbytes[c]);
  }
  for (size_t i = 0; i < kPipes; i++) {
    if (!pipes[i].flops) continue;
    char name[32] = "ridge FLOP/byte";
    if (i != 0) snprintf(name, sizeof name, "ridge of %s", pipes[i].name);
    fprintf(out, "\n  %-22s", name);
    for (size_t c = 0; c < 3; c++) {
      fprintf(out, " %20.1f", gbytes[c] > 0 ? peak_tera(full, &pipes[i], cols[c].sms) * 1e3 / gbytes[c] : 0.0);
    }
  }
  fprintf(out, "\n  half: two fp16 a lane; matrix: m16n8k16 of fp16, the shape's unit (model/DEVIATIONS.md, Machines); "
               "ridge FLOP/byte: of fp32\n"
               "  memory of n SMs: their share of the machine's, in channels (model/DEVIATIONS.md, Scaled machines)\n");
  print_figures(out, full, pipes);
}
