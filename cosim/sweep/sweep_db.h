// SPDX-License-Identifier: Apache-2.0
//
// SQLite behind a store, for the files of this room.
#ifndef WG_COSIM_SWEEP_DB_H
#define WG_COSIM_SWEEP_DB_H

#include <sqlite3.h>

#include "cosim/sweep/sweep.h"

/** The open database of a store; the store closes it. */
sqlite3 *sweep_store_db(sweep_store_t *s);
/** A sentence about SQLite's last failure. @param verb "read", "write", "open" @return kWgIo; kWgBadInput: the file is
 * damaged */
wg_status_t sweep_db_fail(sweep_store_t *s, const char *verb, wg_diag_t *diag);
/** A sentence about a file of which bytes are wrong. @param what is wrong @return kWgBadInput */
wg_status_t sweep_db_damaged(const sweep_store_t *s, const char *what, wg_diag_t *diag);
/** Is every page, index and order of the file sound, and does every row belong to a point? Digests are not asked.
    @return kWgBadInput with what is wrong; kWgIo */
WG_NODISCARD wg_status_t sweep_db_sound(sweep_store_t *s, wg_diag_t *diag);
/** Statements without a result. @return kWgOk, kWgIo */
WG_NODISCARD wg_status_t sweep_db_run(sweep_store_t *s, const char *verb, const char *sql, wg_diag_t *diag);
/** @param out for sqlite3_finalize() @return kWgOk, kWgIo */
WG_NODISCARD wg_status_t sweep_db_prepare(sweep_store_t *s, const char *sql, sqlite3_stmt **out, wg_diag_t *diag);

/** Version of the store's format as its file says: kSweepSchema, or an older one that is only read. */
int sweep_store_version(const sweep_store_t *s);

/* ---- tables (sweep_schema.c) ---- */

/** Has the file exactly the tables, indices and views of its version, to the letter, and nothing else (no trigger)?
    @return kWgBadInput with the first that differs; kWgIo, kWgNoSpace */
WG_NODISCARD wg_status_t sweep_schema_check(sweep_store_t *s, wg_diag_t *diag);
/** Make them in an empty file. @return kWgIo */
WG_NODISCARD wg_status_t sweep_schema_make(sweep_store_t *s, wg_diag_t *diag);

/* ---- digests of points (sweep_digest.c) ---- */

enum { kSweepDigests = 2 /* the first version of the store whose points have one */ };

/** Points that do not match their digest. */
typedef struct sweep_bad {
  int64_t *ids; /* [n], ascending; the caller frees it */
  size_t n;
  char first[17]; /* begin of the first one's key, printable */
} sweep_bad_t;

/** A value of a column as SQLite keeps it. */
typedef struct sweep_cell {
  char kind;        /* i integer, r real, t text, n none */
  const char *text; /* of kind t */
  int64_t number;
  double real;
} sweep_cell_t;

/** Columns of a point, in the order of its digest; those with a text that many points share. */
enum { kSweepPresetCell = 8, kSweepProvenanceCell = 9, kSweepCells = 13 };

/** The value that a figure is kept as. */
sweep_cell_t sweep_stat_cell(const sweep_stat_t *v);
/** Digest of a point before it is written, from what is to be written.
    @param cells [kSweepCells] with the texts of preset and provenance @return kWgNoSpace */
WG_NODISCARD wg_status_t sweep_digest_of(const sweep_cell_t *cells, const sweep_point_t *p, const sweep_result_t *r,
                                         char hex[kSweepHex], wg_diag_t *diag);
/** Give points the digest of what the store has of them now. @param which SELECT of their ids
    @return kWgIo and others as sweep_db_fail() */
WG_NODISCARD wg_status_t sweep_digest_seal(sweep_store_t *s, const char *which, wg_diag_t *diag);
/** Does every point match its digest? (Of a store without digests: it is not asked.) @return kWgBadInput with the
    sentence and its remedy; kWgIo, kWgNoSpace */
WG_NODISCARD wg_status_t sweep_digest_check(sweep_store_t *s, wg_diag_t *diag);
/** The points that do not, which is said on stderr. @param[out] bad for free(bad->ids), also after a failure
    @return kWgIo, kWgNoSpace */
WG_NODISCARD wg_status_t sweep_digest_bad(sweep_store_t *s, sweep_bad_t *bad, wg_diag_t *diag);
/** Is the point of this row among them? */
bool sweep_bad_has(const sweep_bad_t *bad, int64_t id);

#endif
