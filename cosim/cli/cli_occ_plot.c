// SPDX-License-Identifier: Apache-2.0
//
// Occupancy drawn over block size, registers and shared memory, one of them varied and the others as asked.
#include <errno.h>
#include <string.h>

#include "cosim/cli/cli_occ.h"
#include "cosim/cli/svg.h"
#include "toolchain/obj/wg_files.h"

enum { kPoints = 64 };
static const double kPanel = 300, kHeight = 180, kMargin = 48; /* pixels */

typedef struct point {
  uint32_t x;
  wg_occ_t occ;
} point_t;

typedef struct panel {
  const char *name, *axis;
  uint32_t now; /* the value that was asked about */
  point_t at[kPoints];
  size_t n;
} panel_t;

static void put(const occ_query_t *q, panel_t *p, uint32_t x, const wg_occ_block_t *b) {
  point_t *at = &p->at[p->n];
  at->x = x;
  if (p->n < kPoints && wg_occ_of(q->preset, b, &at->occ, NULL) == kWgOk) p->n++;
}

static void fill(const occ_query_t *q, panel_t panels[3]) {
  wg_occ_block_t b = occ_block(q, q->threads);
  panels[0] = (panel_t){.name = "threads", .axis = "threads of a block", .now = q->threads};
  panels[1] = (panel_t){.name = "registers", .axis = "registers of a thread", .now = q->regs};
  panels[2] = (panel_t){.name = "shared", .axis = "bytes of shared memory of a block", .now = b.shared_bytes};
  for (uint32_t t = 32; t <= q->preset->max_threads_per_block; t += 32) {
    wg_occ_block_t v = occ_block(q, t);
    put(q, &panels[0], t, &v);
  }
  for (uint32_t r = kWgRegUnit; r < 256; r += kWgRegUnit) {
    wg_occ_block_t v = {b.threads, r, b.shared_bytes};
    put(q, &panels[1], r, &v);
  }
  uint32_t most = q->preset->shared_optin_bytes;
  for (uint32_t i = 0; i < kPoints; i++) {
    wg_occ_block_t v = {b.threads, b.regs, (uint32_t)((uint64_t)most * i / (kPoints - 1))};
    put(q, &panels[2], v.shared_bytes, &v);
  }
}

static double occupancy(const wg_occ_t *o) { return (double)(o->blocks * o->warps) / o->max_warps; }

static void write_csv(FILE *f, const panel_t panels[3]) {
  fprintf(f, "varied,value,blocks_per_sm,warps_per_sm,occupancy_percent,limiter\n");
  for (size_t i = 0; i < 3; i++) {
    for (size_t k = 0; k < panels[i].n; k++) {
      const point_t *p = &panels[i].at[k];
      fprintf(f, "%s,%u,%u,%u,%.2f,%s\n", panels[i].name, p->x, p->occ.blocks, p->occ.blocks * p->occ.warps,
              100 * occupancy(&p->occ), wg_occ_resource_name(p->occ.limiter));
    }
  }
}

static void draw_panel(FILE *f, const panel_t *p, double left) {
  double bottom = kMargin + kHeight;
  uint32_t most = p->at[p->n - 1].x;
  char text[128];
  for (int i = 0; i <= 4; i++) {
    double y = bottom - i * kHeight / 4.0;
    svg_line(f, left, y, left + kPanel, y, 6);
    snprintf(text, sizeof text, "%d", 25 * i);
    svg_text(f, left - 5, y + 4, "end", 10, text);
  }
  for (size_t i = 0; i < p->n; i++) {
    const point_t *at = &p->at[i];
    double w = kPanel / (double)p->n, h = occupancy(&at->occ) * kHeight;
    snprintf(text, sizeof text, "%u: %u block%s, %u warp%s, %.1f %%, limit %s", at->x, at->occ.blocks, CLI_S(at->occ.blocks),
             at->occ.blocks * at->occ.warps, CLI_S(at->occ.blocks * at->occ.warps), 100 * occupancy(&at->occ), wg_occ_resource_name(at->occ.limiter));
    svg_rect(f, left + (double)i * w, bottom - h, w, h, (unsigned)at->occ.limiter, text);
  }
  if (most > 0) {
    double x = left + kPanel * (double)p->now / most * (double)(p->n - 1) / (double)p->n;
    svg_line(f, x, kMargin - 4, x, bottom, 7);
  }
  snprintf(text, sizeof text, "%s, 0 to %u (line: %u)", p->axis, most, p->now);
  svg_text(f, left + kPanel / 2.0, bottom + 16, "middle", 11, text);
}

static void draw(FILE *f, const occ_query_t *q, const panel_t panels[3]) {
  char text[200];
  svg_begin(f, 3 * (kPanel + kMargin) + kMargin, kHeight + 2.6 * kMargin);
  snprintf(text, sizeof text, "%s on %s: occupancy in percent, coloured by what limits it", q->kernel,
           q->preset->name);
  svg_text(f, kMargin, 24, "start", 14, text);
  for (int i = 0; i < 3; i++) draw_panel(f, &panels[i], kMargin + i * (kPanel + kMargin));
  double x = kMargin, y = kHeight + 2.2 * kMargin;
  for (unsigned r = 0; r < kWgOccResources; r++) {
    svg_rect(f, x, y - 10, 12, 12, r, NULL);
    svg_text(f, x + 16, y, "start", 11, wg_occ_resource_name((wg_occ_resource_t)r));
    x += 130;
  }
  svg_end(f);
}

static int write_file(const occ_query_t *q, const panel_t panels[3], const char *prefix, bool svg) {
  char path[1024];
  if (snprintf(path, sizeof path, "%s.%s", prefix, svg ? "svg" : "csv") >= (int)sizeof path) {
    return cli_usage(NULL, "the name of the plot is too long");
  }
  errno = 0;
  FILE *f = wg_file_create(path);
  if (f == NULL) return cli_usage(NULL, "cannot write '%s': %s", path, strerror(errno));
  if (svg) draw(f, q, panels);
  else write_csv(f, panels);
  if (!wg_file_close(f, path, true)) return cli_usage(NULL, "cannot write '%s': %s", path, strerror(errno));
  printf("%s\n", path);
  return kCliPass;
}

int occ_plot(const occ_query_t *q, const char *prefix) {
  panel_t panels[3];
  fill(q, panels);
  int rc = write_file(q, panels, prefix, false);
  return rc != kCliPass ? rc : write_file(q, panels, prefix, true);
}
