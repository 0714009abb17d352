// SPDX-License-Identifier: Apache-2.0
//
// Groups of bars from a line at 1, to both sides, with intervals: ratios to a baseline. A bar is what a
// ratio is off 1, so that 2 % can be seen.
#include <math.h>
#include <string.h>

#include "cosim/html/plot.h"

static const double kBar = 15, kGap = 14, kLeft = 290, kRight = 790, kTop = 34;
static const unsigned kColours[] = {6, 0, 1, 2, 3, 4, 5, 8, 9, 10, 11, 12, 13, 15, 7};

static unsigned colour(size_t bar) { return kColours[bar % (sizeof kColours / sizeof kColours[0])]; }

/* The axis: all values with their intervals, 1, and room for a number on both sides. */
typedef struct range {
  double lo, hi;
} range_t;

static range_t range_of(const plot_groups_t *g) {
  range_t x = {1, 1};
  for (size_t i = 0; i < g->groups * g->bars; i++) {
    const plot_group_bar_t *b = &g->value[i];
    if (!isfinite(b->value)) continue;
    double half = isfinite(b->half) ? b->half : 0;
    x.lo = fmin(x.lo, b->value - half);
    x.hi = fmax(x.hi, b->value + half);
  }
  double span = fmax(x.hi - x.lo, 0.02), room = span * 0.12;
  return (range_t){x.lo < 1 ? x.lo - room : 1 - span * 0.02, x.hi + room};
}

static double place(const range_t *r, double v) { return kLeft + (kRight - kLeft) * (v - r->lo) / (r->hi - r->lo); }

static void axis_of(html_plot_t *p, const range_t *r, double y1, const char *name) {
  char text[40];
  double step = plot_step(r->hi - r->lo, 10);
  for (double k = ceil(r->lo / step - 1e-9); k * step <= r->hi; k++) {
    double x = place(r, k * step);
    plot_line(p, x, kTop, x, y1 + 4, "grid");
    snprintf(text, sizeof text, "%.10g", k * step);
    plot_text(p, x, y1 + 16, "middle", 10, "tick", text);
  }
  plot_line(p, kLeft, y1, kRight, y1, "axis");
  plot_text(p, (kLeft + kRight) / 2, y1 + 32, "middle", 11, "soft", name);
}

static void one(html_plot_t *p, const plot_groups_t *g, size_t group, size_t bar, double y, const range_t *r,
                bool seeds) {
  const plot_group_bar_t *b = &g->value[group * g->bars + bar];
  char text[400];
  double mid = y + kBar / 2;
  html_table_cell(&p->data, "%s", g->group[group]);
  html_table_cell(&p->data, "%s", g->bar[bar]);
  html_table_number(&p->data, b->value);
  if (seeds) {
    html_table_number(&p->data, b->half);
    if (b->seeds != 0) html_table_cell(&p->data, "%u", b->seeds);
    else html_table_cell(&p->data, "%s", "");
  }
  if (!isfinite(b->value)) {
    plot_text(p, place(r, 1) + 4, mid + 4, "start", 10, "soft", b->gap);
    return;
  }
  bool ci = isfinite(b->half) && b->half > 1e-9 * fabs(b->value); /* not what rounding leaves */
  snprintf(text, sizeof text, "%.200s, %.80s: %.5g", g->group[group], g->bar[bar], b->value);
  if (ci) snprintf(text + strlen(text), sizeof text - strlen(text), " +-%.3g", b->half);
  double one = place(r, 1), at = place(r, b->value);
  double lo = ci ? place(r, b->value - b->half) : at, hi = ci ? place(r, b->value + b->half) : at;
  plot_mark(p, fmin(one, at), y, fabs(at - one), kBar - 2, colour(bar), text);
  if (ci) {
    plot_line(p, lo, mid - 1, hi, mid - 1, "err");
    plot_line(p, lo, mid - 5, lo, mid + 3, "err");
    plot_line(p, hi, mid - 5, hi, mid + 3, "err");
  }
  bool left = b->value < 1; /* the number stands on the bar's far side, away from the line */
  snprintf(text, sizeof text, "%.3f", b->value);
  plot_text(p, left ? fmin(lo, at) - 4 : fmax(hi, at) + 4, mid + 3, left ? "end" : "start", 10, "", text);
}

void plot_grouped(html_page_t *page, const char *id, const char *title, const char *axis, const plot_groups_t *g,
                  const char *caption, size_t rows) {
  html_plot_t p;
  char name[80];
  if (g->groups == 0 || g->bars == 0) return;
  double group = kBar * (double)g->bars + kGap;
  range_t range = range_of(g);
  bool seeds = false;
  for (size_t i = 0; i < g->groups * g->bars; i++) seeds = seeds || g->value[i].seeds != 0;
  double y1 = kTop + group * (double)g->groups, legend = 18 * (double)((g->bars + 1) / 2);
  plot_begin(&p, page, id, title, 860, y1 + 56 + legend, seeds ? 5 : 3);
  static const char *const kHeads[] = {"row", "column", "ratio", "half of the 95 % interval", "seeds"};
  for (size_t i = 0; i < (seeds ? 5 : 3); i++) html_table_cell(&p.data, "%s", kHeads[i]);
  plot_text(&p, 20, 18, "start", 13, "", title);
  axis_of(&p, &range, y1, axis);
  for (size_t i = 0; i < g->groups; i++) {
    double y = kTop + group * (double)i + kGap / 2;
    plot_text(&p, kLeft - 8, y + kBar * (double)g->bars / 2 + 4, "end", 11, "",
              plot_label(g->group[i], 44, name, sizeof name));
    for (size_t k = 0; k < g->bars; k++) one(&p, g, i, k, y + kBar * (double)k, &range, seeds);
  }
  plot_line(&p, place(&range, 1), kTop, place(&range, 1), y1, "axis");
  for (size_t k = 0; k < g->bars; k++) {
    double x = 20 + 420.0 * (double)(k % 2), y = y1 + 56 + 18.0 * (double)(k / 2);
    if (p.f != NULL)
      fprintf(p.f, "<rect class=\"s%u\" x=\"%.1f\" y=\"%.1f\" width=\"12\" height=\"12\"/>\n", colour(k), x, y - 10);
    plot_text(&p, x + 18, y, "start", 11, "", plot_label(g->bar[k], 60, name, sizeof name));
  }
  plot_end(&p, caption, rows);
}
