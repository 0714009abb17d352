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
/** Statements without a result. @return kWgOk, kWgIo */
WG_NODISCARD wg_status_t sweep_db_run(sweep_store_t *s, const char *verb, const char *sql, wg_diag_t *diag);
/** @param out for sqlite3_finalize() @return kWgOk, kWgIo */
WG_NODISCARD wg_status_t sweep_db_prepare(sweep_store_t *s, const char *sql, sqlite3_stmt **out, wg_diag_t *diag);

#endif
