// SPDX-License-Identifier: Apache-2.0
//
// Plots of a page: SVG with a data table. Sizes in pixels of the SVG's own system; it scales with the page.
// Marks that stand for data have the class "mark" and a title with label and value.
#ifndef WG_COSIM_HTML_PLOT_H
#define WG_COSIM_HTML_PLOT_H

#include "cosim/html/html.h"

#ifdef __cplusplus
extern "C" {
#endif

/** One plot while it is drawn. */
typedef struct html_plot {
  html_page_t *page;
  char id[80], title[240];
  FILE *f; /* elements of the SVG, in memory */
  char *text;
  size_t bytes;
  double w, h;
  html_table_t data; /* what it shows; plot_end writes and frees it */
} html_plot_t;

/**
 * Begin a plot.
 * @param id anchor in the page and name of the files; letters, digits and '-'
 * @param cols columns of the data table, whose head comes first
 */
void plot_begin(html_plot_t *p, html_page_t *page, const char *id, const char *title, double w, double h,
                size_t cols);
/** Finish it: figure, files. @param caption below the plot; NULL: none @param rows of its table that the page shows;
   0: no table, the numbers stand in one beside it */
void plot_end(html_plot_t *p, const char *caption, size_t rows);

/** A table as a CSV file of its own in the folder for plots; nothing without one. */
void plot_file(html_page_t *page, const char *name, const html_table_t *data);

/** A rectangle in the colour of a series. @param x,y,w,h pixels from the upper left corner @param tip shown when the pointer rests on it */
void plot_mark(html_plot_t *p, double x, double y, double w, double h, unsigned series, const char *tip);
/** @param cls "grid", "axis", "roof", "err", with " dash" */
void plot_line(html_plot_t *p, double x0, double y0, double x1, double y1, const char *cls);
/** @param anchor "start", "middle", "end" @param cls "" or "soft", "tN": on a mark of series N; "tick": a number of
 * an axis */
void plot_text(html_plot_t *p, double x, double y, const char *anchor, double size, const char *cls,
               const char *text);
/** A step of 1, 2 or 5 times a power of ten that divides `span` into at most `most` parts. */
double plot_step(double span, unsigned most);
/** Ticks of a linear axis below a plot, 0 at x0 and `top` at x1, with lines up to y0 and its name. */
void plot_axis_x(html_plot_t *p, double x0, double x1, double y0, double y1, double top, const char *name);
/** A label, cut with "..." if it is longer than `most` characters. @return buf */
const char *plot_label(const char *text, size_t most, char *buf, size_t n);

/* ---- kinds of plots ---- */

typedef struct plot_bar {
  const char *label;
  double value;
  unsigned series;
} plot_bar_t;
/** Bars from the left, one a line. @param top end of the axis, 0: a little more than the longest @param column name
   of the numbers, with their unit, in the table @param rows as of plot_end */
void plot_bars(html_page_t *page, const char *id, const char *title, const char *axis, const char *column,
               const plot_bar_t *bar, size_t n, double top, const char *caption, size_t rows);

/** Stacks: rows of parts. */
typedef struct plot_stacks {
  const char *const *row; /* [rows] labels */
  size_t rows;
  const char *const *part; /* [parts] labels */
  const unsigned *series;  /* [parts] colours */
  size_t parts;
  const double *value; /* [rows][parts] */
  const char *unit;    /* of the values, behind a part's name in the table */
  const char *const *head; /* [rows] a line of its own above the row, NULL: none; NULL: there are no such lines */
} plot_stacks_t;
/** Stacks from the left, one a line; parts that are 0 everywhere are left out. Nothing if all are.
    @param table rows of the table, as of plot_end */
void plot_stack(html_page_t *page, const char *id, const char *title, const char *axis, const plot_stacks_t *s,
                double top, const char *caption, size_t table);

/** Groups of bars around 1, with intervals. */
typedef struct plot_group_bar {
  double value, half; /* NAN: none; half of an interval */
  unsigned seeds;
  const char *gap; /* what stands in place of a bar without a value */
} plot_group_bar_t;
typedef struct plot_groups {
  const char *const *group; /* [groups] */
  size_t groups;
  const char *const *bar; /* [bars] of each group */
  size_t bars;
  const plot_group_bar_t *value; /* [groups][bars] */
} plot_groups_t;
void plot_grouped(html_page_t *page, const char *id, const char *title, const char *axis, const plot_groups_t *g,
                  const char *caption, size_t rows);

/** Lines of a text with numbers beside them, on colours that say how much of the largest in its column each is. */
typedef struct plot_heat {
  const unsigned *place;   /* [rows] line numbers */
  const char *const *text; /* [rows] */
  size_t rows;
  const char *const *column; /* [columns] heads, with their units */
  const double *full;        /* [columns] above 0: the colour says what is missing to this much */
  size_t columns;
  const double *value; /* [rows][columns]; NAN: none */
} plot_heat_t;
enum { kPlotHeatText = 90 }; /* characters of a line that are drawn; the table has all */
/** Nothing without a value above 0. The numbers are in the plot: there is no table below it. */
void plot_heat(html_page_t *page, const char *id, const char *title, const plot_heat_t *h, const char *caption);

typedef struct plot_point {
  const char *label;
  double intensity, reached; /* flops/byte, flops/cycle */
} plot_point_t;
/** The roofline: min(peak, intensity x bandwidth), both axes logarithmic. @param peak flops/cycle @param bandwidth
   bytes/cycle
    @param n points, at least 1, all above 0 @param rows as of plot_end */
void plot_roofline(html_page_t *page, const char *id, const char *title, double peak, double bandwidth,
                   const plot_point_t *point, size_t n, const char *caption, size_t rows);

/** A block on an SM, or another span of time in a row. */
typedef struct plot_span {
  unsigned row, series;
  uint64_t from, to; /* cycles, [from, to) */
  char label[24];    /* in it, if it fits; its name in the table */
} plot_span_t;
typedef struct plot_spans {
  const plot_span_t *span;
  size_t n;
  const char *const *row; /* [rows] */
  size_t rows;
  const char *what, *row_head; /* heads of the table: "block", "SM slot" */
  const char *const *part;     /* [parts] what the colours mean; none if parts is 0 */
  const unsigned *series;      /* [parts] */
  size_t parts;
} plot_spans_t;
/** Spans over time. @param from,to cycles of the axis @param most rows of the table, as of plot_end */
void plot_timeline(html_page_t *page, const char *id, const char *title, uint64_t from, uint64_t to,
                   const plot_spans_t *s, const char *caption, size_t most);
/** What colours mean, three in a line from y on. */
void plot_legend(html_plot_t *p, const char *const *part, const unsigned *series, size_t parts, double y);
/** Height of such a legend. */
double plot_legend_height(size_t parts);

#ifdef __cplusplus
}
#endif
#endif
