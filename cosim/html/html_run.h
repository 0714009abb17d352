// SPDX-License-Identifier: Apache-2.0
//
// The page of a run: `warpglass report FILE.json --html OUT.html`.
#ifndef WG_COSIM_HTML_RUN_H
#define WG_COSIM_HTML_RUN_H

#include <jansson.h>

#include "cosim/html/html.h"
#include "cosim/html/html_trace.h"
#include "model/gte/timeline.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What a page of a run is made of. */
typedef struct html_run {
  const json_t *doc;           /* of the schema warpglass-run-1 */
  const wg_timeline_t *blocks; /* log of the same run (`warpglass run --blocklog`); NULL: none */
  const json_t *findings;      /* of `warpglass check --tools advice --findings` of the same program; NULL: none */
  const wg_events_t *events;   /* of the same run (`warpglass run --events`); NULL: none */
  unsigned launch;             /* number, 0 = all */
  const trace_launch_t *trace; /* [traces] of launches with a section; html_run_write fills it */
  size_t traces;
} html_run_t;

enum { kHtmlMostLaunches = 24 }; /* with a section of their own */

/**
 * Write the page. Sections and plots whose numbers were not measured are left out, and the page says which.
 * @param path of the page, "-" for stdout @param plots folder for the plots as SVG and CSV, NULL: none
 * @param[out] num_plots how many the page has
 * @return kWgBadInput: no such launch, a log of another run; kWgIo, kWgNoSpace
 */
WG_NODISCARD wg_status_t html_run_write(const html_run_t *r, const char *path, const char *plots, unsigned *num_plots,
                                        wg_diag_t *diag);

/* ---- parts of it (html_launch.c, html_blocks.c, html_warps.c) ---- */

/** The section of one launch. */
void html_launch(html_page_t *p, const html_run_t *r, const json_t *l);
/** Its blocks over the SMs. @return false: the log has other blocks than the launch, or with other cycles */
bool html_blocks(html_page_t *p, const html_run_t *r, const json_t *l);
/** Its warps over time, by scheduler, slot, source line and instruction. @return false: the trace is of another run
 */
bool html_warps(html_page_t *p, const html_run_t *r, const json_t *l);
/** Colour of a state or owner (kWgReason*). */
unsigned html_reason_series(unsigned reason);
/** Roofs of a precision. @param point [n] @param wide 64: double precision. Draws nothing without a point. */
struct plot_point;
void html_roofline(html_page_t *p, const html_run_t *r, const char *id, bool is_fp64, const struct plot_point *point,
                   size_t n);
/** The point of a launch; false: it has no such operations, no DRAM traffic, or no clock. */
bool html_roof_point(const json_t *l, bool is_fp64, struct plot_point *out);
/** Heat of a launch by line of its PTX and of its source, of an event trace. */
struct trace_launch;
void html_heat(html_page_t *p, const html_run_t *r, const json_t *l, const struct trace_launch *x);
/** Line `line` of a source file (.cu, .cuh, .h); "" if it cannot be read. @return buf */
const char *html_source_line(const char *path, unsigned line, char *buf, size_t n);
/** A short name of a launch: "3 reduce"; its colour in a plot over launches does not depend on it. @return buf */
const char *html_launch_name(const json_t *l, char *buf, size_t n);
/** Stacks of an object "issue_slots" or "warp_states" a row; nothing where none has it. @param rows objects, NULL for
   none
    @param scale [rows] what each value is multiplied with */
void html_reasons(html_page_t *p, const char *id, const char *title, const char *axis, const char *unit,
                  const json_t *const *object, const char *const *label, const double *scale, size_t rows, double top,
                  const char *caption);

#ifdef __cplusplus
}
#endif
#endif
