// SPDX-License-Identifier: Apache-2.0
//
// Plots with two axes: roofline, timeline.
#include <math.h>
#include <string.h>

#include "cosim/html/plot.h"

/* ---- roofline ---- */

typedef struct axes {
  double x0, x1, y0, y1;     /* pixels; y0 is the bottom */
  double lx0, lx1, ly0, ly1; /* decimal logarithms at the ends */
} axes_t;

static double at_x(const axes_t *a, double v) {
  return a->x0 + (log10(v) - a->lx0) / (a->lx1 - a->lx0) * (a->x1 - a->x0);
}
static double at_y(const axes_t *a, double v) {
  return a->y0 + (log10(v) - a->ly0) / (a->ly1 - a->ly0) * (a->y1 - a->y0);
}

static axes_t axes_of(double peak, double bandwidth, const plot_point_t *point, size_t n) {
  double ridge = peak / bandwidth, xl = ridge, xh = ridge, yl = peak, yh = peak;
  for (size_t i = 0; i < n; i++) {
    xl = fmin(xl, point[i].intensity);
    xh = fmax(xh, point[i].intensity);
    yl = fmin(yl, point[i].reached);
    yh = fmax(yh, point[i].reached);
  }
  axes_t a = {.x0 = 70, .x1 = 700, .y0 = 330, .y1 = 40};
  a.lx0 = floor(log10(xl / 1.5));
  a.lx1 = ceil(log10(xh * 1.5));
  a.ly0 = floor(log10(yl / 1.5));
  a.ly1 = ceil(log10(yh * 1.2));
  return a;
}

static void decades(html_plot_t *p, const axes_t *a) {
  char text[40];
  for (double e = a->lx0; e <= a->lx1; e++) {
    double x = at_x(a, pow(10, e));
    plot_line(p, x, a->y0 + 4, x, a->y1, "grid");
    snprintf(text, sizeof text, "%g", pow(10, e));
    plot_text(p, x, a->y0 + 17, "middle", 10, "tick", text);
  }
  for (double e = a->ly0; e <= a->ly1; e++) {
    double y = at_y(a, pow(10, e));
    plot_line(p, a->x0 - 4, y, a->x1, y, "grid");
    snprintf(text, sizeof text, "%g", pow(10, e));
    plot_text(p, a->x0 - 8, y + 4, "end", 10, "tick", text);
  }
  plot_line(p, a->x0, a->y0, a->x1, a->y0, "axis");
  plot_line(p, a->x0, a->y0, a->x0, a->y1, "axis");
  plot_text(p, (a->x0 + a->x1) / 2, a->y0 + 34, "middle", 11, "soft",
            "arithmetic intensity AI (flops/byte of DRAM traffic)");
  plot_text(p, a->x0 - 56, a->y1 - 8, "start", 11, "soft", "flops/cycle");
}

/* The two lines of the roof, cut where the axes end. */
static void roof(html_plot_t *p, const axes_t *a, double peak, double bandwidth) {
  double ridge = peak / bandwidth, low = pow(10, a->lx0);
  if (low * bandwidth < pow(10, a->ly0)) low = pow(10, a->ly0) / bandwidth;
  plot_line(p, at_x(a, low), at_y(a, low * bandwidth), at_x(a, ridge), at_y(a, peak), "roof");
  plot_line(p, at_x(a, ridge), at_y(a, peak), a->x1, at_y(a, peak), "roof");
  plot_line(p, at_x(a, ridge), at_y(a, peak), at_x(a, ridge), a->y0, "axis dash");
  char text[64];
  snprintf(text, sizeof text, "P_peak = %.6g", peak);
  plot_text(p, a->x1, at_y(a, peak) - 6, "end", 11, "", text);
  snprintf(text, sizeof text, "ridge %.4g", ridge);
  plot_text(p, at_x(a, ridge) + 5, a->y0 - 6, "start", 10, "soft", text);
}

void plot_roofline(html_page_t *page, const char *id, const char *title, double peak, double bandwidth,
                   const plot_point_t *point, size_t n, const char *caption, size_t rows) {
  html_plot_t p;
  char text[400], name[64];
  axes_t a = axes_of(peak, bandwidth, point, n);
  plot_begin(&p, page, id, title, 740, 376, 5);
  static const char *const kHeads[] = {"kernel", "intensity (flops/byte)", "reached (flops/cycle)",
                                       "roof (flops/cycle)", "reached (% of roof)"};
  for (size_t i = 0; i < 5; i++) html_table_cell(&p.data, "%s", kHeads[i]);
  plot_text(&p, a.x0, 18, "start", 13, "", title);
  decades(&p, &a);
  roof(&p, &a, peak, bandwidth);
  for (size_t i = 0; i < n; i++) {
    double x = at_x(&a, point[i].intensity), y = at_y(&a, point[i].reached);
    double top = fmin(peak, point[i].intensity * bandwidth);
    snprintf(text, sizeof text, "%.250s: AI %.4g, reached %.4g of %.4g", point[i].label, point[i].intensity,
             point[i].reached, top);
    if (p.f != NULL) {
      fprintf(p.f, "<circle class=\"mark s%u\" cx=\"%.3f\" cy=\"%.3f\" r=\"6\"><title>",
              n == 1 ? 1u : (unsigned)(i % kHtmlSeries), x, y);
      html_text(p.f, text);
      fputs("</title></circle>\n", p.f);
    }
    bool far = x > a.x1 - 120;
    if (n <= 12)
      plot_text(&p, far ? x - 9 : x + 9, y + 4, far ? "end" : "start", 10, "",
                plot_label(point[i].label, n == 1 ? 38 : 18, name, sizeof name));
    html_table_cell(&p.data, "%s", point[i].label);
    html_table_number(&p.data, point[i].intensity);
    html_table_number(&p.data, point[i].reached);
    html_table_number(&p.data, top);
    html_table_number(&p.data, 100 * point[i].reached / top);
  }
  plot_end(&p, caption, rows);
}

/* ---- timeline ---- */

void plot_timeline(html_page_t *page, const char *id, const char *title, uint64_t from, uint64_t to,
                   const plot_spans_t *s, const char *caption, size_t most) {
  html_plot_t p;
  char text[200], cls[8];
  double row = 900.0 / (double)(s->rows == 0 ? 1 : s->rows);
  row = row > 20 ? 20 : row < 4 ? 4 : row;
  double left = 80, right = 840, y0 = 34, y1 = y0 + row * (double)s->rows, span = (double)(to - from);
  if (s->n == 0 || s->rows == 0 || to <= from) return;
  plot_begin(&p, page, id, title, 860, y1 + (s->parts != 0 ? 54 + plot_legend_height(s->parts) : 42), 4);
  static const char *const kHeads[] = {"start (cycles)", "end (cycles)"};
  html_table_cell(&p.data, "%s", s->what);
  html_table_cell(&p.data, "%s", s->row_head);
  for (size_t i = 0; i < 2; i++) html_table_cell(&p.data, "%s", kHeads[i]);
  plot_text(&p, left, 18, "start", 13, "", title);
  double step = plot_step(span, 10);
  for (unsigned i = 0; i * step <= span; i++) {
    double x = left + (right - left) * i * step / span;
    plot_line(&p, x, y0, x, y1 + 4, "grid");
    snprintf(text, sizeof text, "%.12g", i * step);
    plot_text(&p, x, y1 + 16, "middle", 10, "tick", text);
  }
  plot_text(&p, (left + right) / 2, y1 + 32, "middle", 11, "soft", "SM cycles since the launch's first block");
  for (size_t i = 0; i < s->rows; i++) {
    if (row >= 9) plot_text(&p, left - 6, y0 + ((double)i + .5) * row + 4, "end", 10, "", s->row[i]);
  }
  for (size_t i = 0; i < s->n; i++) {
    const plot_span_t *e = &s->span[i];
    double x = left + (right - left) * (double)(e->from - from) / span,
           w = (right - left) * (double)(e->to - e->from) / span;
    double y = y0 + e->row * row;
    snprintf(text, sizeof text, "%s %s, %s: cycles %llu to %llu", s->what, e->label, s->row[e->row],
             (unsigned long long)(e->from - from), (unsigned long long)(e->to - from));
    plot_mark(&p, x, y + .5, w, row - 1, e->series, text);
    snprintf(cls, sizeof cls, "t%u", e->series % kHtmlSeries);
    if (row >= 9 && w > 7.0 * (double)strlen(e->label) + 4)
      plot_text(&p, x + w / 2, y + row / 2 + 4, "middle", 10, cls, e->label);
    html_table_cell(&p.data, "%s", e->label);
    html_table_cell(&p.data, "%s", s->row[e->row]);
    html_table_cell(&p.data, "%llu", (unsigned long long)(e->from - from));
    html_table_cell(&p.data, "%llu", (unsigned long long)(e->to - from));
  }
  plot_line(&p, left, y1, right, y1, "axis");
  if (s->parts != 0) plot_legend(&p, s->part, s->series, s->parts, y1 + 56);
  plot_end(&p, caption, most);
}
