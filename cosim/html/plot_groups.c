// SPDX-License-Identifier: Apache-2.0
//
// Groups of bars with a line at 1 and intervals: ratios to a baseline.
#include <math.h>
#include <string.h>

#include "cosim/html/plot.h"

static const double kBar = 15, kGap = 14, kLeft = 290, kRight = 790, kTop = 34;
static const unsigned kColours[] = {6, 0, 1, 2, 3, 4, 5, 8, 9, 10, 11, 12, 13, 15, 7};

static unsigned colour(size_t bar) { return kColours[bar % (sizeof kColours / sizeof kColours[0])]; }

static double highest(const plot_groups_t *g) {
  double top = 1;
  for (size_t i = 0; i < g->groups * g->bars; i++) {
    const plot_group_bar_t *b = &g->value[i];
    double v = isfinite(b->value) ? b->value + (isfinite(b->half) ? b->half : 0) : 0;
    if (v > top) top = v;
  }
  return top * 1.06;
}

static void one(html_plot_t *p, const plot_groups_t *g, size_t group, size_t bar, double y, double per) {
  const plot_group_bar_t *b = &g->value[group * g->bars + bar];
  char text[400];
  double mid = y + kBar / 2;
  html_table_cell(&p->data, "%s", g->group[group]);
  html_table_cell(&p->data, "%s", g->bar[bar]);
  html_table_number(&p->data, b->value);
  html_table_number(&p->data, b->half);
  if (b->seeds != 0) html_table_cell(&p->data, "%u", b->seeds);
  else html_table_cell(&p->data, "%s", "");
  if (!isfinite(b->value)) {
    plot_text(p, kLeft + 4, mid + 4, "start", 10, "soft", b->gap);
    return;
  }
  bool ci = isfinite(b->half) && b->half > 1e-9 * fabs(b->value); /* not what rounding leaves */
  snprintf(text, sizeof text, "%.200s, %.80s: %.5g", g->group[group], g->bar[bar], b->value);
  if (ci) snprintf(text + strlen(text), sizeof text - strlen(text), " +-%.3g", b->half);
  plot_mark(p, kLeft, y, b->value * per, kBar - 2, colour(bar), text);
  double end = kLeft + (b->value + (ci ? b->half : 0)) * per;
  if (ci) {
    double lo = kLeft + fmax(0, b->value - b->half) * per;
    plot_line(p, lo, mid - 1, end, mid - 1, "err");
    plot_line(p, lo, mid - 5, lo, mid + 3, "err");
    plot_line(p, end, mid - 5, end, mid + 3, "err");
  }
  snprintf(text, sizeof text, "%.3f", b->value);
  plot_text(p, end + 4, mid + 3, "start", 10, "", text);
}

void plot_grouped(html_page_t *page, const char *id, const char *title, const char *axis, const plot_groups_t *g,
                  const char *caption, size_t rows) {
  html_plot_t p;
  char name[80];
  if (g->groups == 0 || g->bars == 0) return;
  double group = kBar * (double)g->bars + kGap, top = highest(g), per = (kRight - kLeft) / top;
  double y1 = kTop + group * (double)g->groups, legend = 18 * (double)((g->bars + 1) / 2);
  plot_begin(&p, page, id, title, 860, y1 + 56 + legend, 5);
  static const char *const kHeads[] = {"row", "column", "ratio", "half of the 95 % interval", "seeds"};
  for (size_t i = 0; i < 5; i++) html_table_cell(&p.data, "%s", kHeads[i]);
  plot_text(&p, 20, 18, "start", 13, "", title);
  plot_axis_x(&p, kLeft, kRight, kTop, y1, top, axis);
  for (size_t i = 0; i < g->groups; i++) {
    double y = kTop + group * (double)i + kGap / 2;
    plot_text(&p, kLeft - 8, y + kBar * (double)g->bars / 2 + 4, "end", 11, "",
              plot_label(g->group[i], 44, name, sizeof name));
    for (size_t k = 0; k < g->bars; k++) one(&p, g, i, k, y + kBar * (double)k, per);
  }
  plot_line(&p, kLeft + per, kTop, kLeft + per, y1, "axis dash");
  for (size_t k = 0; k < g->bars; k++) {
    double x = 20 + 420.0 * (double)(k % 2), y = y1 + 56 + 18.0 * (double)(k / 2);
    if (p.f != NULL)
      fprintf(p.f, "<rect class=\"s%u\" x=\"%.1f\" y=\"%.1f\" width=\"12\" height=\"12\"/>\n", colour(k), x, y - 10);
    plot_text(&p, x + 18, y, "start", 11, "", plot_label(g->bar[k], 60, name, sizeof name));
  }
  plot_end(&p, caption, rows);
}
