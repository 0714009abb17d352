// SPDX-License-Identifier: Apache-2.0
//
// Pages: one HTML file that needs nothing else (no script, no network, its own style for light, dark and print), made
// of headings, tables and plots. A plot is SVG in the page, with its data as a table below it; both also go to files
// of their own, NAME.svg and NAME.csv, if a folder for them is given.
#ifndef WG_COSIM_HTML_H
#define WG_COSIM_HTML_H

#include <stdbool.h>
#include <stdio.h>

#include "isa/wg_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A page that is being written. After a failure the functions do nothing; html_page_end tells. */
typedef struct html_page {
  FILE *f; /* the page so far, in memory */
  char *text;
  size_t bytes;
  const char *plots; /* folder for the plots' files, or NULL */
  FILE *svg;         /* plots go here, as SVG that stands alone, and no page is made (html_page_t zeroed but this) */
  unsigned num_plots;
  char error[512]; /* the first failure; "" */
} html_page_t;

/**
 * Begin a page.
 * @param title of the document and of its first heading
 * @param plots folder for SVG and CSV files, made if it is not there; NULL: none
 */
void html_page_begin(html_page_t *p, const char *title, const char *plots);
/** Write the page to a file ("-": stdout), whole or not at all, and free it. @return false, with the reason in
 * p->error */
WG_NODISCARD bool html_page_end(html_page_t *p, const char *path);
/** Note a failure, if it is the first. */
void html_fail(html_page_t *p, const char *fmt, ...) WG_PRINTF(2, 3);

/** Text with <, >, & and quotes as HTML has them. */
void html_text(FILE *f, const char *text);
/** A heading. @param level 2..4 @param id anchor, NULL: none */
void html_heading(html_page_t *p, int level, const char *id, const char *text);
/** A paragraph. @param cls its class in the style sheet, "" for none */
void html_paragraph(html_page_t *p, const char *cls, const char *fmt, ...) WG_PRINTF(3, 4);

/** A table: texts, row by row; the first row is its head. Numbers are kept as they will stand in CSV. */
typedef struct html_table {
  char **cell;
  size_t cols, n, cap;
  bool full; /* out of memory */
} html_table_t;

/** Empty, for so many columns. */
void html_table_begin(html_table_t *t, size_t cols);
/** The next cell, row by row; `full` is set without memory. */
void html_table_cell(html_table_t *t, const char *fmt, ...) WG_PRINTF(2, 3);
/** A number with up to 12 digits; an empty cell if it is not finite. */
void html_table_number(html_table_t *t, double v);
/** The table in a page, fractions with three digits. @param most rows; more are counted in a line below */
void html_table_write(html_page_t *p, const html_table_t *t, const char *caption, size_t most);
/** Rows become columns. */
void html_table_turn(html_table_t *t);
void html_table_csv(FILE *f, const html_table_t *t);
void html_table_free(html_table_t *t);

/** Colours of light, dark and print as CSS; those of a file that stands alone (always light). */
void html_style_page(FILE *f);
void html_style_svg(FILE *f);
enum { kHtmlHeat = 8 };    /* colours of heat, classes h0..h7, texts on them k0..k7 */
enum { kHtmlSeries = 16 }; /* colours of series, classes s0..s15 */

#ifdef __cplusplus
}
#endif
#endif
