// SPDX-License-Identifier: Apache-2.0
#define _POSIX_C_SOURCE 200809L
#include "cosim/html/plot.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cosim/cli/svg.h"
#include "toolchain/obj/wg_files.h"

void plot_begin(html_plot_t *p, html_page_t *page, const char *id, const char *title, double w, double h,
                size_t cols) {
  memset(p, 0, sizeof *p);
  p->page = page;
  p->w = w;
  p->h = h;
  snprintf(p->id, sizeof p->id, "%s", id);
  snprintf(p->title, sizeof p->title, "%s", title);
  html_table_begin(&p->data, cols);
  p->f = open_memstream(&p->text, &p->bytes);
  if (p->f == NULL) html_fail(page, "out of memory");
}

/* The same elements with a style of their own. */
static void write_svg(const html_plot_t *p, FILE *f) {
  fprintf(f, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\">\n",
          p->w, p->h, p->w, p->h);
  fputs("<title>", f);
  html_text(f, p->title);
  fputs("</title>\n<style>", f);
  html_style_svg(f);
  fputs("</style>\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n", f);
  fwrite(p->text, 1, p->bytes, f);
  fputs("</svg>\n", f);
}

/* @param name of the file in the folder for plots @param draw the plot; NULL: `data` as CSV */
static void write_file(html_page_t *page, const char *name, const html_plot_t *draw, const html_table_t *data) {
  char path[1200];
  if (page->error[0] != '\0') return;
  if (snprintf(path, sizeof path, "%s/%s", page->plots, name) >= (int)sizeof path) {
    html_fail(page, "the name of the folder for plots is too long");
    return;
  }
  errno = 0;
  FILE *f = wg_file_create(path);
  if (f == NULL) {
    html_fail(page, "cannot write '%s': %s", path, strerror(errno));
    return;
  }
  if (draw == NULL) html_table_csv(f, data);
  else write_svg(draw, f);
  if (!wg_file_close(f, path, true)) html_fail(page, "cannot write '%s': %s", path, strerror(errno));
}

void plot_file(html_page_t *page, const char *name, const html_table_t *data) {
  if (data->full) html_fail(page, "out of memory");
  if (page->plots != NULL) write_file(page, name, NULL, data);
}

void plot_end(html_plot_t *p, const char *caption, size_t rows) {
  html_page_t *page = p->page;
  if (p->f != NULL && fclose(p->f) != 0) html_fail(page, "out of memory");
  if (page->svg != NULL && page->error[0] == '\0' && p->text != NULL) write_svg(p, page->svg);
  if (page->f != NULL && page->error[0] == '\0' && p->text != NULL) {
    fprintf(page->f,
            "<figure id=\"%s\">\n<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" aria-labelledby=\"%s-title\" "
            "viewBox=\"0 0 %.0f %.0f\" style=\"max-width:%.0fpx\">\n<title id=\"%s-title\">",
            p->id, p->id, p->w, p->h, p->w, p->id);
    html_text(page->f, p->title);
    fputs("</title>\n", page->f);
    fwrite(p->text, 1, p->bytes, page->f);
    fputs("</svg>\n", page->f);
    if (caption != NULL) {
      fputs("<figcaption>", page->f);
      html_text(page->f, caption);
      fputs("</figcaption>\n", page->f);
    }
    page->num_plots++;
    if (page->plots != NULL) {
      char name[96];
      snprintf(name, sizeof name, "%s.svg", p->id);
      write_file(page, name, p, NULL);
      snprintf(name, sizeof name, "%s.csv", p->id);
      write_file(page, name, NULL, &p->data);
    }
    size_t lines = p->data.cols == 0 ? 0 : p->data.n / p->data.cols;
    if (p->data.cols > 6 && lines <= 6) html_table_turn(&p->data);
    if (rows != 0) html_table_write(page, &p->data, NULL, rows);
    fputs("</figure>\n", page->f);
  }
  free(p->text);
  html_table_free(&p->data);
}

/* ---- elements ---- */

/* Numbers of a document that no machine could give must not break the picture. */
static double in_sight(double v) { return isnan(v) ? 0 : fmin(fmax(v, -1e6), 1e6); }

void plot_mark(html_plot_t *p, double x, double y, double w, double h, unsigned series, const char *tip) {
  if (p->f == NULL) return;
  fprintf(p->f, "<rect class=\"mark s%u\" x=\"%.3f\" y=\"%.2f\" width=\"%.3f\" height=\"%.2f\"><title>",
          series % kHtmlSeries, in_sight(x), in_sight(y), fmax(in_sight(w), 0), fmax(in_sight(h), 0));
  html_text(p->f, tip);
  fputs("</title></rect>\n", p->f);
}

void plot_line(html_plot_t *p, double x0, double y0, double x1, double y1, const char *cls) {
  if (p->f == NULL) return;
  fprintf(p->f, "<line class=\"%s\" x1=\"%.2f\" y1=\"%.2f\" x2=\"%.2f\" y2=\"%.2f\"/>\n", cls, in_sight(x0),
          in_sight(y0), in_sight(x1), in_sight(y1));
}

void plot_text(html_plot_t *p, double x, double y, const char *anchor, double size, const char *cls,
               const char *text) {
  if (p->f == NULL) return;
  fprintf(p->f, "<text x=\"%.2f\" y=\"%.2f\" text-anchor=\"%s\" font-size=\"%.1f\"", in_sight(x), in_sight(y), anchor,
          size);
  if (cls[0] != '\0') fprintf(p->f, " class=\"%s\"", cls);
  fputc('>', p->f);
  html_text(p->f, text);
  fputs("</text>\n", p->f);
}

double plot_step(double span, unsigned most) {
  if (!(span > 0) || most == 0) return 1;
  double raw = span / most, ten = pow(10, floor(log10(raw))), m = raw / ten;
  return ten * (m <= 1 ? 1 : m <= 2 ? 2 : m <= 5 ? 5 : 10);
}

void plot_axis_x(html_plot_t *p, double x0, double x1, double y0, double y1, double top, const char *name) {
  char text[40];
  double step = plot_step(top, 10);
  for (unsigned i = 0; i * step <= top * (1 + 1e-9); i++) {
    double x = x0 + (x1 - x0) * i * step / top;
    plot_line(p, x, y0, x, y1 + 4, "grid");
    snprintf(text, sizeof text, "%.10g", i * step);
    plot_text(p, x, y1 + 16, "middle", 10, "tick", text);
  }
  plot_line(p, x0, y1, x1, y1, "axis");
  plot_text(p, (x0 + x1) / 2, y1 + 32, "middle", 11, "soft", name);
}

const char *plot_label(const char *text, size_t most, char *buf, size_t n) {
  size_t end = most < 3 ? 0 : most - 3;
  if (strlen(text) > most)
    while (end > 0 && ((unsigned char)text[end] & 0xc0) == 0x80) end--; /* not within a character */
  if (strlen(text) <= most) snprintf(buf, n, "%s", text);
  else snprintf(buf, n, "%.*s...", (int)end, text);
  return buf;
}

/* Width of a column for labels of up to 38 characters. */
static double labels_width(const char *const *label, size_t n) {
  size_t longest = 4;
  for (size_t i = 0; i < n; i++) {
    size_t len = strlen(label[i]);
    if (len > longest) longest = len;
  }
  return 12 + 6.3 * (double)(longest > 38 ? 38 : longest);
}

/* ---- bars, stacks ---- */

static const double kRow = 24, kBar = 17;
static const double kWidth = 860;

void plot_bars(html_page_t *page, const char *id, const char *title, const char *axis, const char *column,
               const plot_bar_t *bar, size_t n, double top, const char *caption, size_t rows) {
  html_plot_t p;
  char text[400], name[64];
  const char **labels = calloc(n + 1, sizeof *labels);
  if (labels == NULL || n == 0) {
    if (n != 0) html_fail(page, "out of memory");
    free(labels);
    return;
  }
  double most = 0;
  for (size_t i = 0; i < n; i++) {
    labels[i] = bar[i].label;
    if (bar[i].value > most) most = bar[i].value;
  }
  if (top <= 0) top = most > 0 ? most * 1.04 : 1;
  double left = labels_width(labels, n), right = kWidth - 70, y0 = 34, y1 = y0 + (double)n * kRow;
  plot_begin(&p, page, id, title, kWidth, y1 + 42, 2);
  html_table_cell(&p.data, "label");
  html_table_cell(&p.data, "%s", column);
  plot_text(&p, left, 18, "start", 13, "", title);
  plot_axis_x(&p, left, right, y0, y1, top, axis);
  for (size_t i = 0; i < n; i++) {
    double y = y0 + (double)i * kRow, w = (right - left) * bar[i].value / top;
    snprintf(text, sizeof text, "%.300s: %.6g", bar[i].label, bar[i].value);
    plot_mark(&p, left, y + (kRow - kBar) / 2.0, w, kBar, bar[i].series, text);
    plot_text(&p, left - 6, y + 16, "end", 11, "", plot_label(bar[i].label, 38, name, sizeof name));
    snprintf(text, sizeof text, bar[i].value < 1000 ? "%.4g" : "%.0f", bar[i].value);
    plot_text(&p, left + w + 5, y + 16, "start", 11, "", text);
    html_table_cell(&p.data, "%s", bar[i].label);
    html_table_number(&p.data, bar[i].value);
  }
  plot_end(&p, caption, rows);
  free(labels);
}

static double part_sum(const plot_stacks_t *s, size_t part) {
  double sum = 0;
  for (size_t r = 0; r < s->rows; r++) sum += s->value[r * s->parts + part];
  return sum;
}

double plot_legend_height(size_t parts) { return 18.0 * (double)((parts + 2) / 3) + 6; }

void plot_legend(html_plot_t *p, const char *const *part, const unsigned *series, size_t parts, double y) {
  for (size_t k = 0; k < parts && p->f != NULL; k++) {
    double x = 20 + 280.0 * (double)(k % 3), at = y + 18.0 * (double)(k / 3);
    fprintf(p->f, "<rect class=\"s%u\" x=\"%.1f\" y=\"%.1f\" width=\"12\" height=\"12\"/>\n", series[k] % kHtmlSeries,
            x, at - 10);
    plot_text(p, x + 18, at, "start", 11, "", part[k]);
  }
}

/* Of the parts that are somewhere in the plot. */
static void legend(html_plot_t *p, const plot_stacks_t *s, double y) {
  enum { kMost = 32 };
  const char *part[kMost];
  unsigned series[kMost];
  size_t n = 0;
  for (size_t k = 0; k < s->parts && n < kMost; k++) {
    if (!(part_sum(s, k) > 0)) continue;
    part[n] = s->part[k];
    series[n++] = s->series[k];
  }
  plot_legend(p, part, series, n, y);
}

static void stack_rows(html_plot_t *p, const plot_stacks_t *s, double left, double per, double y0) {
  char text[400], name[64], cls[8];
  const char *head = "";
  for (size_t r = 0, line = 0; r < s->rows; r++, line++) {
    if (s->head != NULL && s->head[r] != NULL)
      plot_text(p, 8, y0 + (double)line++ * kRow + 16, "start", 11, "soft",
                plot_label(s->head[r], 110, text, sizeof text));
    double x = left, y = y0 + (double)line * kRow;
    plot_text(p, left - 6, y + 16, "end", 11, "", plot_label(s->row[r], 38, name, sizeof name));
    if (s->head != NULL) {
      if (s->head[r] != NULL) head = s->head[r];
      html_table_cell(&p->data, "%s", head);
    }
    html_table_cell(&p->data, "%s", s->row[r]);
    for (size_t k = 0; k < s->parts; k++) {
      double v = s->value[r * s->parts + k], w = v * per;
      if (!(part_sum(s, k) > 0)) continue;
      html_table_number(&p->data, v);
      if (!(v > 0)) continue;
      snprintf(text, sizeof text, "%.120s%s%.120s, %.80s: %.6g %s", head, head[0] != '\0' ? ", " : "", s->row[r],
               s->part[k], v, s->unit);
      plot_mark(p, x, y + (kRow - kBar) / 2.0, w, kBar, s->series[k], text);
      snprintf(text, sizeof text, v < 1000 ? "%.3g" : "%.0f", v);
      snprintf(cls, sizeof cls, "t%u", s->series[k] % kHtmlSeries);
      if (w > 6.5 * (double)strlen(text) + 4) plot_text(p, x + w / 2, y + 16, "middle", 10, cls, text);
      x += w;
    }
  }
}

void plot_stack(html_page_t *page, const char *id, const char *title, const char *axis, const plot_stacks_t *s,
                double top, const char *caption, size_t table) {
  html_plot_t p;
  double most = 0;
  size_t parts = 0, heads = 0;
  for (size_t r = 0; r < s->rows; r++) {
    heads += s->head != NULL && s->head[r] != NULL;
    double sum = 0;
    for (size_t k = 0; k < s->parts; k++) sum += s->value[r * s->parts + k];
    if (sum > most) most = sum;
  }
  for (size_t k = 0; k < s->parts; k++) parts += part_sum(s, k) > 0;
  if (parts == 0) return;
  if (top <= 0) top = most * 1.02;
  double left = labels_width(s->row, s->rows), right = kWidth - 24, y0 = 34, y1 = y0 + (double)(s->rows + heads) * kRow;
  double high = plot_legend_height(parts);
  plot_begin(&p, page, id, title, kWidth, y1 + 54 + high, parts + 1 + (s->head != NULL));
  if (s->head != NULL) html_table_cell(&p.data, "row");
  html_table_cell(&p.data, "label");
  for (size_t k = 0; k < s->parts; k++) {
    if (part_sum(s, k) > 0) html_table_cell(&p.data, "%s (%s)", s->part[k], s->unit);
  }
  plot_text(&p, left, 18, "start", 13, "", title);
  plot_axis_x(&p, left, right, y0, y1, top, axis);
  stack_rows(&p, s, left, (right - left) / top, y0);
  legend(&p, s, y1 + 56);
  plot_end(&p, caption, table);
}
