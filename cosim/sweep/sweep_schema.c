// SPDX-License-Identifier: Apache-2.0
//
// The tables of a store, and whether a file has these and nothing else. A store may have been changed by hand or come
// from anybody: a trigger would change what is recorded, another view what is asked for.
#include <stdlib.h>
#include <string.h>

#include "cosim/sweep/sweep_db.h"

/* `text` holds what many points share, by its hash. `stat` is what SQL asks for figures. */
#define SCHEMA(digest)                                                                                                \
  "CREATE TABLE text(hash TEXT PRIMARY KEY, body TEXT NOT NULL) WITHOUT ROWID;"                                       \
  "CREATE TABLE point(id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, status TEXT NOT NULL CHECK(status IN "        \
  "('ok', 'failed')),"                                                                                                \
  " message TEXT, cycles INTEGER, warp_insts INTEGER, retire_hash TEXT, build TEXT NOT NULL, inputs TEXT NOT NULL,"   \
  " preset_text TEXT NOT NULL REFERENCES text, provenance TEXT NOT NULL REFERENCES text, command TEXT NOT NULL,"      \
  " host_seconds REAL NOT NULL, recorded TEXT NOT NULL," digest                                                       \
  " CHECK((status = 'failed') = (message IS NOT NULL)), CHECK(status = 'ok' OR cycles IS NULL));"                     \
  "CREATE TABLE label(point INTEGER NOT NULL REFERENCES point ON DELETE CASCADE, name TEXT NOT NULL, value TEXT "     \
  "NOT NULL,"                                                                                                         \
  " PRIMARY KEY(point, name)) WITHOUT ROWID;"                                                                         \
  "CREATE TABLE stat_name(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);"                                        \
  "CREATE TABLE stat_value(point INTEGER NOT NULL REFERENCES point ON DELETE CASCADE, launch INTEGER NOT NULL,"       \
  " name INTEGER NOT NULL REFERENCES stat_name, value NOT NULL, PRIMARY KEY(point, launch, name)) WITHOUT ROWID;"     \
  "CREATE VIEW stat AS SELECT v.point, v.launch, n.name, v.value FROM stat_value v JOIN stat_name n ON n.id = "       \
  "v.name;"

static const char kFirst[] = SCHEMA(""); /* of format 1, which is only read */
static const char kSchema[] = SCHEMA(" digest TEXT NOT NULL,");
static const char kMarks[] = "PRAGMA user_version = 2; PRAGMA application_id = 1464292183;";

/* One order for both files; indices that SQLite makes of a table have no text. */
static const char kObjects[] =
    "SELECT name, type, tbl_name, coalesce(sql, '') FROM main.sqlite_master ORDER BY name, type, tbl_name, sql";
enum { kName, kType, kText = 3, kWords };

static const char *word(sqlite3_stmt *q, int col) {
  const char *t = (const char *)sqlite3_column_text(q, col);
  return t == NULL ? "" : t;
}

/* Bytes of the file that go to a terminal. */
static void printable(char *s) {
  for (; *s != '\0'; s++) *s = *s < ' ' || *s > '~' ? '?' : *s;
}

static wg_status_t strange(const sweep_store_t *s, sqlite3_stmt *q, const char *how, wg_diag_t *diag) {
  char type[16], name[80];
  snprintf(type, sizeof type, "%s", word(q, kType));
  snprintf(name, sizeof name, "%s", word(q, kName));
  printable(type);
  printable(name);
  if (diag != NULL)
    snprintf(diag->hint, sizeof diag->hint,
             "take the file as the sweep left it; or remove it and give the sweep's command again: its points are run "
             "anew");
  return wg_fail(diag, kWgBadInput, "the store '%s' is not as a sweep makes it: its %s '%s' %s", sweep_store_path(s),
                 type, name, how);
}

/* Walk through both lists in their one order. */
static wg_status_t compare(const sweep_store_t *s, sqlite3_stmt *has, sqlite3_stmt *must, wg_diag_t *diag) {
  for (;;) {
    int a = sqlite3_step(has), b = sqlite3_step(must);
    if ((a != SQLITE_ROW && a != SQLITE_DONE) || (b != SQLITE_ROW && b != SQLITE_DONE))
      return wg_fail(diag, kWgIo, "cannot read the store '%s'", sweep_store_path(s));
    if (a == SQLITE_DONE && b == SQLITE_DONE) return kWgOk;
    int order = a == SQLITE_DONE ? 1 : b == SQLITE_DONE ? -1 : strcmp(word(has, kName), word(must, kName));
    if (order < 0) return strange(s, has, "is not a sweep's", diag);
    if (order > 0) return strange(s, must, "is missing", diag);
    for (int i = 0; i < kWords; i++) {
      if (strcmp(word(has, i), word(must, i)) != 0) return strange(s, has, "is another one", diag);
    }
  }
}

wg_status_t sweep_schema_check(sweep_store_t *s, wg_diag_t *diag) {
  sqlite3 *model = NULL;
  sqlite3_stmt *has = NULL, *must = NULL;
  bool first = sweep_store_version(s) < kSweepDigests;
  if (first && sqlite3_prepare_v2(sweep_store_db(s), "SELECT digest FROM main.point", -1, &has, NULL) == SQLITE_OK) {
    sqlite3_finalize(has); /* a version that was changed would leave the digests unasked */
    return sweep_db_damaged(s, "its format says 1, and its points have digests", diag);
  }
  wg_status_t st = kWgOk;
  if (sqlite3_open_v2(":memory:", &model, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK ||
      sqlite3_exec(model, first ? kFirst : kSchema, NULL, NULL, NULL) != SQLITE_OK ||
      sqlite3_prepare_v2(model, kObjects, -1, &must, NULL) != SQLITE_OK)
    st = wg_fail(diag, kWgNoSpace, "out of memory");
  if (st == kWgOk) st = sweep_db_prepare(s, kObjects, &has, diag);
  if (st == kWgOk) st = compare(s, has, must, diag);
  sqlite3_finalize(has);
  sqlite3_finalize(must);
  sqlite3_close(model);
  return st;
}

wg_status_t sweep_schema_make(sweep_store_t *s, wg_diag_t *diag) {
  WG_TRY(sweep_db_run(s, "write", kSchema, diag));
  return sweep_db_run(s, "write", kMarks, diag);
}
