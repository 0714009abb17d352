// SPDX-License-Identifier: Apache-2.0
//
// Comparison of a store's points with a baseline: ratios of one figure, means over seeds, spread, geometric means.
#ifndef WG_COSIM_SWEEP_CMP_H
#define WG_COSIM_SWEEP_CMP_H

#include "cosim/sweep/sweep.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { kCmpMaxAxes = 8 };

/** What a cell is made of. */
typedef enum sweep_cell_kind {
  kCmpMissing, /* no point, or the baseline has none */
  kCmpFailed,  /* a point failed, or the baseline did */
  kCmpNoValue, /* the figure is not there, or the baseline's is 0 */
  kCmpRatio,
} sweep_cell_kind_t;

typedef struct sweep_cell {
  sweep_cell_kind_t kind;
  double mean;    /* of the figure, over seeds */
  double ratio;   /* mean of the ratios of equal seeds */
  double half;    /* half of the 95 % confidence interval of that mean; NAN with fewer than two seeds */
  unsigned seeds; /* that both have */
} sweep_cell_t;

typedef struct sweep_cmp {
  char **rows; /* [num_rows] what a row's points share and rows differ in: "reduce 4096 sm.mshrs=8" */
  char **cols; /* [num_cols] values of the baseline's axes: "sched=gto"; the baseline is column `base` */
  size_t num_rows, num_cols, base;
  sweep_cell_t *cells; /* [num_rows][num_cols] */
  double *geomean;     /* [num_cols] over the rows that have all columns; if no row has, of the columns
                          alone that every row of the baseline has, over those rows, NAN of the others */
  size_t whole;        /* so many rows are in them */
  size_t *cell_of;     /* [num_rows of the table] index in `cells` of each point's cell */
} sweep_cmp_t;

/** Name of a kind in CSV and JSON: "missing", "failed", "no value", "ratio". */
const char *sweep_cell_kind_name(sweep_cell_kind_t kind);

/**
 * Compare.
 * @param t points of one build each (sweep_table_pick)
 * @param value [num_rows of t] the figure of each point, NAN: none; NULL: the first figure of the table
 * @param axes [n], names of labels; @param values [n], the baseline's
 * @param inverse baseline over value: a speed-up, where the figure is a time
 * @return kWgBadInput: an unknown axis or a value that no point has, the nearest as hint; axes without a second
 * value; points that differ in their build alone
 */
WG_NODISCARD wg_status_t sweep_compare(const sweep_table_t *t, const double *value, const char *const *axes,
                                       const char *const *values, size_t n, bool inverse, sweep_cmp_t *out,
                                       wg_diag_t *diag);
void sweep_cmp_free(sweep_cmp_t *c);

/** The columns without a geometric mean, with commas. @return how many */
size_t sweep_cmp_no_mean(const sweep_cmp_t *c, char *out, size_t n);
/** Do the ratios of all seeds of a cell agree, but for rounding? */
bool sweep_cell_same(const sweep_cell_t *c);
/** What that says: a sentence for the reader. */
extern const char sweep_same_note[];
/** Student's t for a two-sided 95 % interval. @param df degrees of freedom, 1.. Source: tables of the distribution;
   exact at the tabled df, linear in 1/df between them */
double sweep_t95(unsigned df);

#ifdef __cplusplus
}
#endif
#endif
