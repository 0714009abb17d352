// SPDX-License-Identifier: Apache-2.0
//
// A text with heat: its lines, numbers beside them, each on a colour by its share of the largest in its column.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cosim/html/plot.h"

static const double kLine = 16, kCell = 78, kRight = 860, kHead = 56;

/* What the strongest colour of a column means. */
static double top_of(const plot_heat_t *h, size_t column) {
  double top = h->full[column];
  for (size_t r = 0; r < h->rows && !(h->full[column] > 0); r++) {
    if (h->value[r * h->columns + column] > top) top = h->value[r * h->columns + column];
  }
  return top;
}

static unsigned level_of(double value, double full, double top) {
  double share = full > 0 ? (full - value) / full : value / top;
  int level = (int)ceil(fmin(share, 1) * (double)kHtmlHeat) - 1;
  return level < 0 ? 0 : (unsigned)level;
}

static void cell(html_plot_t *p, const plot_heat_t *h, size_t row, size_t column, double x, double y, double top) {
  char text[400], number[40], cls[8];
  double v = h->value[row * h->columns + column];
  if (!isfinite(v)) return;
  snprintf(number, sizeof number, v == floor(v) || v >= 1000 ? "%.0f" : "%.2f", v);
  if (!(v > 0) || !(top > 0)) {
    plot_text(p, x + kCell - 8, y + 12, "end", 10, "soft", number);
    return;
  }
  unsigned level = level_of(v, h->full[column], top);
  snprintf(text, sizeof text, "line %u, %.60s: %.12g", h->place[row], h->column[column], v);
  if (p->f == NULL) return;
  fprintf(p->f, "<rect class=\"mark h%u\" x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\"><title>", level, x, y,
          kCell - 2, kLine - 1);
  html_text(p->f, text);
  fputs("</title></rect>\n", p->f);
  snprintf(cls, sizeof cls, "k%u", level);
  plot_text(p, x + kCell - 8, y + 12, "end", 10, cls, number);
}

/* A head of two words or more takes two lines. */
static void head(html_plot_t *p, double x, const char *text) {
  char first[64];
  const char *blank = strchr(text, ' ');
  snprintf(first, sizeof first, "%.*s", blank == NULL ? (int)strlen(text) : (int)(blank - text), text);
  plot_text(p, x + kCell - 8, kHead - 18, "end", 10, "soft", first);
  if (blank != NULL) plot_text(p, x + kCell - 8, kHead - 6, "end", 10, "soft", blank + 1);
}

/* Tabs are four blanks wide, as in the text of a page. */
static const char *drawn(const char *text, char *buf, size_t n) {
  char flat[4 * kPlotHeatText + 8];
  size_t k = 0;
  for (; *text != '\0' && k < sizeof flat - 5; text++) {
    if (*text != '\t') flat[k++] = *text;
    for (size_t i = 0; *text == '\t' && i < 4; i++) flat[k++] = ' ';
  }
  flat[k] = '\0';
  return plot_label(flat, kPlotHeatText, buf, n);
}

void plot_heat(html_page_t *page, const char *id, const char *title, const plot_heat_t *h, const char *caption) {
  html_plot_t p;
  char text[kPlotHeatText + 8];
  double any = 0;
  for (size_t i = 0; i < h->rows * h->columns; i++) any = fmax(any, h->value[i]);
  if (!(any > 0)) return;
  double left = kRight - kCell * (double)h->columns;
  plot_begin(&p, page, id, title, kRight, kHead + kLine * (double)h->rows + 8, h->columns + 2);
  html_table_cell(&p.data, "line");
  html_table_cell(&p.data, "text");
  plot_text(&p, 8, 18, "start", 13, "", title);
  for (size_t c = 0; c < h->columns; c++) {
    html_table_cell(&p.data, "%s", h->column[c]);
    head(&p, left + kCell * (double)c, h->column[c]);
  }
  for (size_t r = 0; r < h->rows; r++) {
    double y = kHead + kLine * (double)r;
    snprintf(text, sizeof text, "%u", h->place[r]);
    plot_text(&p, 40, y + 12, "end", 9, "soft", text);
    plot_text(&p, 48, y + 12, "start", 9, "code", drawn(h->text[r], text, sizeof text));
    html_table_cell(&p.data, "%u", h->place[r]);
    html_table_cell(&p.data, "%s", h->text[r]);
    for (size_t c = 0; c < h->columns; c++) {
      html_table_number(&p.data, h->value[r * h->columns + c]);
      cell(&p, h, r, c, left + kCell * (double)c, y, top_of(h, c));
    }
  }
  plot_end(&p, caption, 0);
}
