// SPDX-License-Identifier: Apache-2.0
//
// The page of a comparison: `warpglass compare STORE --baseline AXIS=VALUE --html OUT.html`.
#ifndef WG_COSIM_HTML_CMP_H
#define WG_COSIM_HTML_CMP_H

#include "cosim/html/html.h"
#include "cosim/sweep/sweep_cmp.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct html_cmp {
  const sweep_cmp_t *cmp;
  const sweep_table_t *table; /* the points that are compared */
  const char *store, *metric; /* names for the reader */
  unsigned launch;            /* 0: the total over launches */
  bool speedup;               /* ratios are baseline over value */
  const char *note;           /* sentences about what is left out, a line each; "" for none */
} html_cmp_t;

enum { kHtmlMostGroups = 60 }; /* rows in the plot; the table has all */

/** Write the page. @param path "-" for stdout @param plots folder for SVG and CSV, or NULL @return kWgIo with a
 * message */
WG_NODISCARD wg_status_t html_cmp_write(const html_cmp_t *c, const char *path, const char *plots, unsigned *num_plots,
                                        wg_diag_t *diag);

#ifdef __cplusplus
}
#endif
#endif
