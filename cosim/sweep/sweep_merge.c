// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "cosim/sweep/sweep_db.h"

/*
 * Whatever the order in which stores are merged, the table is the same: a point that was run beats one that failed,
 * of two failures the message that sorts first stays, and two results of one point must agree.
 */
static const char kConflict[] =
    "SELECT a.command, a.cycles, b.cycles FROM main.point a JOIN part.point b USING(key) WHERE a.status = 'ok' AND "
    "b.status = 'ok' AND"
    " (a.cycles IS NOT b.cycles OR a.warp_insts IS NOT b.warp_insts OR a.retire_hash IS NOT b.retire_hash) ORDER BY "
    "key LIMIT 1";

static const char kReplaced[] =
    "DELETE FROM main.point WHERE status = 'failed' AND EXISTS (SELECT 1 FROM part.point b WHERE b.key = "
    "main.point.key AND"
    " (b.status = 'ok' OR b.message < main.point.message))";

static const char kCopy[] =
    "CREATE TEMP TABLE fresh AS SELECT b.id AS old, NULL AS id, b.key FROM part.point b WHERE b.key NOT IN (SELECT "
    "key FROM main.point);"
    "INSERT OR IGNORE INTO main.text SELECT hash, body FROM part.text WHERE hash IN (SELECT preset_text FROM "
    "part.point JOIN fresh USING(key)"
    " UNION SELECT provenance FROM part.point JOIN fresh USING(key));"
    "INSERT INTO main.point SELECT NULL, key, status, message, cycles, warp_insts, retire_hash, build, inputs, "
    "preset_text, provenance, command,"
    " host_seconds, recorded, %s FROM part.point JOIN fresh USING(key) ORDER BY key;"
    "UPDATE temp.fresh SET id = (SELECT id FROM main.point p WHERE p.key = fresh.key);"
    "INSERT INTO main.label SELECT f.id, l.name, l.value FROM part.label l JOIN fresh f ON f.old = l.point;"
    "INSERT OR IGNORE INTO main.stat_name(name) SELECT name FROM part.stat_name;"
    "INSERT INTO main.stat_value SELECT f.id, v.launch, m.id, v.value FROM part.stat_value v JOIN fresh f ON f.old = "
    "v.point"
    " JOIN part.stat_name n ON n.id = v.name JOIN main.stat_name m ON m.name = n.name;";

static wg_status_t conflict(sweep_store_t *s, const char *from, wg_diag_t *diag) {
  sqlite3_stmt *q = NULL;
  WG_TRY(sweep_db_prepare(s, kConflict, &q, diag));
  wg_status_t st = kWgOk;
  int rc = sqlite3_step(q);
  if (rc == SQLITE_ROW) {
    const char *mine = (const char *)sqlite3_column_text(q, 1), *other = (const char *)sqlite3_column_text(q, 2);
    if (diag != NULL)
      snprintf(diag->hint, sizeof diag->hint,
               "a run depends on its key alone: give that command by hand, and leave out the store that is wrong");
    st = wg_fail(diag, kWgMismatch,
                 "the stores '%s' and '%s' disagree: %s took %s cycles in the one and %s in the other",
                 sweep_store_path(s), from, (const char *)sqlite3_column_text(q, 0), mine == NULL ? "no" : mine,
                 other == NULL ? "no" : other);
  } else if (rc != SQLITE_DONE) {
    st = sweep_db_fail(s, "read", diag);
  }
  sqlite3_finalize(q);
  return st;
}

/* What is copied keeps its digest; what has none yet gets it here. @param version of the other store */
static wg_status_t copy(sweep_store_t *s, const char *from, int version, uint64_t *added, wg_diag_t *diag) {
  char sql[sizeof kCopy + 16];
  snprintf(sql, sizeof sql, kCopy, version < kSweepDigests ? "''" : "digest");
  WG_TRY(conflict(s, from, diag));
  WG_TRY(sweep_db_run(s, "write", kReplaced, diag));
  WG_TRY(sweep_db_run(s, "write", sql, diag));
  if (version < kSweepDigests) WG_TRY(sweep_digest_seal(s, "SELECT id FROM temp.fresh", diag));
  sqlite3_stmt *q = NULL;
  WG_TRY(sweep_db_prepare(s, "SELECT count(*) FROM temp.fresh", &q, diag));
  if (sqlite3_step(q) == SQLITE_ROW) *added = (uint64_t)sqlite3_column_int64(q, 0);
  sqlite3_finalize(q);
  return sweep_db_run(s, "write", "DROP TABLE temp.fresh", diag);
}

wg_status_t sweep_store_merge(sweep_store_t *s, const char *from, uint64_t *added, wg_diag_t *diag) {
  sweep_store_t *part = NULL; /* is it one, and of a version that we know? */
  WG_TRY(sweep_store_open(from, kSweepRead, &part, diag));
  char name[4200];
  int version = sweep_store_version(part);
  snprintf(name, sizeof name, "%s", sweep_store_path(part));
  sweep_store_close(part);
  sqlite3_stmt *q = NULL;
  WG_TRY(sweep_db_prepare(s, "ATTACH ? AS part", &q, diag));
  sqlite3_bind_text(q, 1, name, -1, SQLITE_STATIC);
  int rc = sqlite3_step(q);
  wg_status_t st = rc == SQLITE_DONE ? kWgOk : sweep_db_fail(s, "read", diag);
  sqlite3_finalize(q);
  if (st != kWgOk) return st;
  st = sweep_db_run(s, "write", "BEGIN IMMEDIATE", diag);
  if (st == kWgOk) {
    st = copy(s, from, version, added, diag);
    if (st == kWgOk) st = sweep_db_run(s, "write", "COMMIT", diag);
    if (st != kWgOk) (void)sqlite3_exec(sweep_store_db(s), "ROLLBACK", NULL, NULL, NULL);
  }
  (void)sqlite3_exec(sweep_store_db(s), "DETACH part", NULL, NULL, NULL);
  return st;
}
