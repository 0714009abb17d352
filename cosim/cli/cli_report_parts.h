// SPDX-License-Identifier: Apache-2.0
//
// What a report of a run shows, as tables: the text report and the pages (cosim/html) are made from these alone, so
// both show the same numbers under the same names.
#ifndef WG_COSIM_CLI_REPORT_PARTS_H
#define WG_COSIM_CLI_REPORT_PARTS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A value by its path, "rates.issue_percent"; NULL if it is not there (or `o` is NULL). */
const json_t *cli_at(const json_t *o, const char *path);
/** A text by its path. @return `other` if it is not there */
const char *cli_text_at(const json_t *o, const char *path, const char *other);
/** Unit of a path's key: "%" for percent, "" for ratios and for what is only counted; what a thread has without
   "/thread".
    @return buf */
const char *cli_figure_unit(const char *path, char *buf, size_t n);
/** The number at a path: counts as they are, shares, ratios and rates with two decimals; "-" if it was not measured.
 * @return buf */
const char *cli_figure(const json_t *o, const char *path, char *buf, size_t n);
/** Name of an issue slot's owner or a warp's state from its key: "pipe_busy_slots" is "pipe busy". @return buf */
const char *cli_reason_name(const char *key, char *buf, size_t n);

enum { kCliPartColumns = 6 };
typedef struct cli_part_row {
  const char *label;                 /* indented by two blanks: a part of what stands above */
  const char *path[kCliPartColumns]; /* NULL: no such number */
} cli_part_row_t;

typedef enum cli_part_id {
  kCliPartSpeed,
  kCliPartRoofline,
  kCliPartLaunch, /* grid and block stand before its rows, which are three numbers each */
  kCliPartOccupancy,
  kCliPartScheduler, /* owners of the issue slots stand behind it */
  kCliPartWarps,     /* states of the warps stand behind it */
  kCliPartInsts,
  kCliPartGlobal,
  kCliPartShared,
  kCliPartCaches,
  kCliPartMemory,
  kCliPartActivity,
  kCliPartCopies
} cli_part_id_t;

/** A section: a table with named columns, or (heads[0] NULL) rows of one number or text each. */
typedef struct cli_part {
  cli_part_id_t id;
  const char *title, *heads[kCliPartColumns];
  const cli_part_row_t *rows; /* [n] */
  size_t n;
} cli_part_t;

/** Sections of a launch, in the order of the report; of the document's object "copies". */
extern const cli_part_t kCliParts[];
extern const size_t kCliNumParts;
extern const cli_part_t kCliCopies;
/** Was any of its numbers measured? A section without one is not shown. */
bool cli_part_any(const cli_part_t *p, const json_t *o);

#ifdef __cplusplus
}
#endif
#endif
