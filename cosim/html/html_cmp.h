// SPDX-License-Identifier: Apache-2.0
//
// The page of a comparison: `warpglass compare STORE --baseline AXIS=VALUE --html OUT.html`. It has the figure that
// was asked for, the main figures of a run beside it (html_cmp_figs.c), and what schedulers and warps spent their
// cycles on, by column.
#ifndef WG_COSIM_HTML_CMP_H
#define WG_COSIM_HTML_CMP_H

#include "cosim/html/html.h"
#include "cosim/sweep/sweep_cmp.h"
#include "isa/wg_cfg.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct html_cmp {
  const sweep_cmp_t *cmp;
  const sweep_table_t *table; /* the points that are compared, with the figures of html_cmp_names() */
  const char *store, *metric; /* names for the reader */
  unsigned launch;            /* 0: the total over launches */
  bool speedup;               /* ratios of `metric` are baseline over value */
  const char *note;           /* sentences about what is left out, a line each; "" for none */
  const char *const *axes, *const *values; /* [n] the baseline */
  size_t n;
} html_cmp_t;

enum {
  kHtmlMostGroups = 60,  /* rows in a plot; tables and figures.csv have all */
  kHtmlMostStacks = 120, /* stacks in a plot; stalls.csv has all */
  kCmpMostNames = 96,
};

/** Names of figures that the page needs and the store holds, `metric` first. The strings live as long as the process
    and `metric`. @param[out] name [kCmpMostNames] @return how many */
size_t html_cmp_names(sweep_store_t *s, const char *metric, const char **name);

/** Write the page. With `plots` also figures.csv (every cell of every figure) and stalls.csv (cycles and share of each
 * reason of every cell), which the plots' own files have as far as they draw it.
 * @param path "-" for stdout @param plots folder for SVG and CSV, or NULL
 * @return kWgIo with a message, kWgNoSpace */
WG_NODISCARD wg_status_t html_cmp_write(const html_cmp_t *c, const char *path, const char *plots, unsigned *num_plots,
                                        wg_diag_t *diag);
/** The plot of `metric` with all rows and the geometric mean, as SVG that stands alone. @return kWgNoSpace */
WG_NODISCARD wg_status_t html_cmp_svg(const html_cmp_t *c, FILE *out, wg_diag_t *diag);

/* ---- parts of it (html_cmp_figs.c) ---- */

/** A figure of the page. */
typedef struct html_cmp_fig {
  const char *name, *unit, *doc;
  bool inverse; /* speed-ups */
  sweep_cmp_t own;
  const sweep_cmp_t *cmp; /* `own`, or that of the metric */
} html_cmp_fig_t;

enum { kCmpMostFigs = 12 };
/** The figures of which at least one cell has a ratio, the metric first. @param[out] fig [kCmpMostFigs] for
    html_cmp_figs_free() @param[out] without [n] names of the others, with commas @return how many */
size_t html_cmp_figs(const html_cmp_t *c, html_cmp_fig_t *fig, char *without, size_t n);
void html_cmp_figs_free(html_cmp_fig_t *fig, size_t n);

/** Cycles of warps by state, and slots of schedulers by owner. */
typedef enum html_cmp_stack { kCmpWarpStates, kCmpIssueSlots, kCmpStacks } html_cmp_stack_t;
/** What a cell's cycles (slots) went to: the sum over its seeds. @param[out] sum [kWgReasonCount]
    @return all of them; 0: it has none, or a run failed */
double html_cmp_cell_stack(const html_cmp_t *c, html_cmp_stack_t which, size_t cell, double *sum);

#ifdef __cplusplus
}
#endif
#endif
