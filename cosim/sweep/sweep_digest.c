// SPDX-License-Identifier: Apache-2.0
//
// The digest of a point: SHA-256 over all that the store has of it, but for the numbers of rows, which a merge changes.
// What the digest is of: a line for the point, one for each label, one for each figure,
//   P key status message cycles warp_insts retire_hash build inputs preset provenance command host_seconds recorded
//   L name value                 in the order of names
//   S launch name value          in the order of launches, then of names
// each value as its kind (i integer, r real, t text, b bytes, n none), its length in bytes, ':' and its text; reals
// have 17 digits, so that they are told apart exactly. Of preset and provenance it takes the texts, not their hashes.
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <sha2.h>

#include "cosim/sweep/sweep_db.h"

enum { kKinds = 3 };

static const char kPoint[] =
    "SELECT p.id, p.key, p.status, p.message, p.cycles, p.warp_insts, p.retire_hash, p.build, p.inputs, a.body, b.body,"
    " p.command, p.host_seconds, p.recorded FROM main.point p LEFT JOIN main.text a ON a.hash = p.preset_text"
    " LEFT JOIN main.text b ON b.hash = p.provenance WHERE p.id = ?";
static const char kLabels[] = "SELECT point, name, value FROM main.label WHERE point = ? ORDER BY name";
static const char kStats[] =
    "SELECT v.point, v.launch, n.name, v.value FROM main.stat_value v LEFT JOIN main.stat_name n ON n.id = v.name"
    " WHERE v.point = ? ORDER BY v.launch, n.name";
static const char *const kReads[kKinds] = {kPoint, kLabels, kStats};

typedef struct digester {
  sweep_store_t *s;
  sqlite3_stmt *q[kKinds];
} digester_t;

static void end(digester_t *d) {
  for (size_t i = 0; i < kKinds; i++) sqlite3_finalize(d->q[i]);
}

static wg_status_t begin(digester_t *d, sweep_store_t *s, wg_diag_t *diag) {
  *d = (digester_t){.s = s};
  wg_status_t st = kWgOk;
  for (size_t i = 0; st == kWgOk && i < kKinds; i++) st = sweep_db_prepare(s, kReads[i], &d->q[i], diag);
  if (st != kWgOk) end(d);
  return st;
}

static void add(SHA2_CTX *c, char kind, const void *bytes, size_t n) {
  char head[40];
  int len = snprintf(head, sizeof head, " %c%zu:", kind, n);
  SHA256Update(c, (const uint8_t *)head, (size_t)len);
  if (n != 0) SHA256Update(c, bytes, n);
}

static void add_real(SHA2_CTX *c, double v) {
  char text[40];
  add(c, 'r', text, (size_t)snprintf(text, sizeof text, "%.17g", v));
}

static void add_value(SHA2_CTX *c, sqlite3_stmt *q, int col) {
  static const char kNames[] = {[SQLITE_INTEGER] = 'i', [SQLITE_FLOAT] = 'r', [SQLITE_TEXT] = 't', [SQLITE_BLOB] = 'b',
                                [SQLITE_NULL] = 'n'};
  int type = sqlite3_column_type(q, col);
  if (type == SQLITE_FLOAT) {
    add_real(c, sqlite3_column_double(q, col));
    return;
  }
  const void *at = type == SQLITE_BLOB ? sqlite3_column_blob(q, col) : sqlite3_column_text(q, col);
  add(c, kNames[type], at, at == NULL ? 0 : (size_t)sqlite3_column_bytes(q, col));
}

static void add_cell(SHA2_CTX *c, const sweep_cell_t *v) {
  char text[24];
  if (v->kind == 'r') add_real(c, v->real);
  else if (v->kind == 'i') add(c, 'i', text, (size_t)snprintf(text, sizeof text, "%" PRId64, v->number));
  else add(c, v->kind, v->text, v->kind == 't' ? strlen(v->text) : 0);
}

static void begin_line(SHA2_CTX *c, size_t kind) {
  static const char kLetters[kKinds] = {'P', 'L', 'S'};
  SHA256Update(c, (const uint8_t *)&kLetters[kind], 1);
}

static void end_line(SHA2_CTX *c) { SHA256Update(c, (const uint8_t *)"\n", 1); }

static void finish(SHA2_CTX *c, char hex[kSweepHex]) {
  uint8_t sum[SHA256_DIGEST_LENGTH];
  SHA256Final(sum, c);
  for (size_t i = 0; i < sizeof sum; i++) snprintf(hex + 2 * i, 3, "%02x", sum[i]);
}

/* @param[out] hex "" if a row that is found under this point says that it is another's: its place in the tree is wrong,
 * and whoever reads the whole table takes it for the other's */
static wg_status_t digest(digester_t *d, int64_t id, char hex[kSweepHex], wg_diag_t *diag) {
  SHA2_CTX c;
  bool ours = true;
  SHA256Init(&c);
  for (size_t i = 0; i < kKinds; i++) {
    int rc;
    sqlite3_bind_int64(d->q[i], 1, id);
    while ((rc = sqlite3_step(d->q[i])) == SQLITE_ROW) {
      ours = ours && sqlite3_column_type(d->q[i], 0) == SQLITE_INTEGER && sqlite3_column_int64(d->q[i], 0) == id;
      begin_line(&c, i);
      for (int col = 1; col < sqlite3_column_count(d->q[i]); col++) add_value(&c, d->q[i], col);
      end_line(&c);
    }
    if (rc != SQLITE_DONE) return sweep_db_fail(d->s, "read", diag);
    sqlite3_reset(d->q[i]);
  }
  finish(&c, hex);
  if (!ours) hex[0] = '\0';
  return kWgOk;
}

/* ---- before it is written ---- */

static int by_label(const void *x, const void *y) {
  const sweep_label_t *const *a = x, *const *b = y;
  return strcmp((*a)->name, (*b)->name);
}

/* By launch and name; of one name the later stays, and has the higher address. */
static int by_figure(const void *x, const void *y) {
  const sweep_stat_t *a = *(const sweep_stat_t *const *)x, *b = *(const sweep_stat_t *const *)y;
  if (a->launch != b->launch) return a->launch < b->launch ? -1 : 1;
  int order = strcmp(a->name, b->name);
  return order != 0 ? order : (a > b) - (a < b);
}

static bool same_figure(const sweep_stat_t *a, const sweep_stat_t *b) {
  return a->launch == b->launch && strcmp(a->name, b->name) == 0;
}

wg_status_t sweep_digest_of(const sweep_cell_t *cells, const sweep_point_t *p, const sweep_result_t *r,
                            char hex[kSweepHex], wg_diag_t *diag) {
  SHA2_CTX c;
  size_t num_stats = r->ok ? r->num_stats : 0; /* what failed has none */
  const sweep_label_t **labels = calloc(p->num_labels + 1, sizeof *labels);
  const sweep_stat_t **stats = calloc(num_stats + 1, sizeof *stats);
  wg_status_t st = labels == NULL || stats == NULL ? wg_fail(diag, kWgNoSpace, "out of memory") : kWgOk;
  SHA256Init(&c);
  begin_line(&c, 0);
  for (size_t i = 0; i < kSweepCells; i++) add_cell(&c, &cells[i]);
  end_line(&c);
  for (size_t i = 0; st == kWgOk && i < p->num_labels; i++) labels[i] = &p->labels[i];
  if (st == kWgOk) qsort(labels, p->num_labels, sizeof *labels, by_label);
  for (size_t i = 0; st == kWgOk && i < p->num_labels; i++) {
    begin_line(&c, 1);
    add(&c, 't', labels[i]->name, strlen(labels[i]->name));
    add(&c, 't', labels[i]->value, strlen(labels[i]->value));
    end_line(&c);
  }
  for (size_t i = 0; st == kWgOk && i < num_stats; i++) stats[i] = &r->stats[i];
  if (st == kWgOk) qsort(stats, num_stats, sizeof *stats, by_figure);
  for (size_t i = 0; st == kWgOk && i < num_stats; i++) {
    if (i + 1 < num_stats && same_figure(stats[i], stats[i + 1])) continue;
    sweep_cell_t launch = {.kind = 'i', .number = stats[i]->launch}, value = sweep_stat_cell(stats[i]);
    begin_line(&c, 2);
    add_cell(&c, &launch);
    add(&c, 't', stats[i]->name, strlen(stats[i]->name));
    add_cell(&c, &value);
    end_line(&c);
  }
  finish(&c, hex);
  free(labels);
  free(stats);
  return st;
}

/* ---- what is there ---- */

wg_status_t sweep_digest_seal(sweep_store_t *s, const char *which, wg_diag_t *diag) {
  digester_t d;
  char hex[kSweepHex];
  sqlite3_stmt *ids = NULL, *put = NULL;
  WG_TRY(begin(&d, s, diag));
  wg_status_t st = sweep_db_prepare(s, which, &ids, diag);
  if (st == kWgOk) st = sweep_db_prepare(s, "UPDATE main.point SET digest = ?1 WHERE id = ?2", &put, diag);
  int rc = SQLITE_DONE;
  while (st == kWgOk && (rc = sqlite3_step(ids)) == SQLITE_ROW) {
    int64_t id = sqlite3_column_int64(ids, 0);
    st = digest(&d, id, hex, diag);
    sqlite3_bind_text(put, 1, hex, -1, SQLITE_STATIC);
    sqlite3_bind_int64(put, 2, id);
    if (st == kWgOk && sqlite3_step(put) != SQLITE_DONE) st = sweep_db_fail(s, "write", diag);
    sqlite3_reset(put);
  }
  if (st == kWgOk && rc != SQLITE_DONE) st = sweep_db_fail(s, "read", diag);
  sqlite3_finalize(ids);
  sqlite3_finalize(put);
  end(&d);
  return st;
}

/* The points that do not match. @param[out] bad the caller frees what it has, also after a failure */
static wg_status_t find_bad(sweep_store_t *s, sweep_bad_t *bad, wg_diag_t *diag) {
  digester_t d;
  char hex[kSweepHex];
  sqlite3_stmt *q = NULL;
  *bad = (sweep_bad_t){.n = 0};
  WG_TRY(begin(&d, s, diag));
  wg_status_t st = sweep_db_prepare(s, "SELECT id, digest, key FROM main.point ORDER BY id", &q, diag);
  int rc = SQLITE_DONE;
  while (st == kWgOk && (rc = sqlite3_step(q)) == SQLITE_ROW) {
    const char *said = (const char *)sqlite3_column_text(q, 1), *key = (const char *)sqlite3_column_text(q, 2);
    st = digest(&d, sqlite3_column_int64(q, 0), hex, diag);
    if (st != kWgOk || (said != NULL && strcmp(said, hex) == 0)) continue;
    if (bad->n == 0) snprintf(bad->first, sizeof bad->first, "%.16s", key == NULL ? "" : key);
    int64_t *grown = realloc(bad->ids, (bad->n + 1) * sizeof *grown);
    if (grown == NULL) {
      st = wg_fail(diag, kWgNoSpace, "out of memory");
      continue;
    }
    bad->ids = grown;
    bad->ids[bad->n++] = sqlite3_column_int64(q, 0);
  }
  if (st == kWgOk && rc != SQLITE_DONE) st = sweep_db_fail(s, "read", diag);
  sqlite3_finalize(q);
  end(&d);
  if (bad->n != 0 && bad->first[0] == '\0') snprintf(bad->first, sizeof bad->first, "?");
  for (char *p = bad->first; *p != '\0'; p++) { /* its bytes may be anything: they go to a terminal */
    if ((*p < '0' || *p > '9') && (*p < 'a' || *p > 'f')) *p = '?';
  }
  return st;
}

/* "the point 0123456789abcdef of the store 's.db' does not match its digest, ..." */
static void sentence(const sweep_store_t *s, const sweep_bad_t *bad, char *out, size_t n) {
  char more[48] = "";
  if (bad->n > 1) snprintf(more, sizeof more, " (and %zu more)", bad->n - 1);
  snprintf(out, n, "the point %s%s of the store '%s' does not match its digest: it was changed after it was recorded",
           bad->first, more, sweep_store_path(s));
}

wg_status_t sweep_digest_check(sweep_store_t *s, wg_diag_t *diag) {
  sweep_bad_t bad;
  char text[4400];
  if (sweep_store_version(s) < kSweepDigests) return kWgOk;
  wg_status_t st = find_bad(s, &bad, diag);
  if (st == kWgOk && bad.n != 0) {
    if (diag != NULL)
      snprintf(diag->hint, sizeof diag->hint,
               "give the sweep's command again with that store: it drops such a point and runs it anew");
    sentence(s, &bad, text, sizeof text);
    st = wg_fail(diag, kWgBadInput, "%s", text);
  }
  free(bad.ids);
  return st;
}

/* A row that is not where its number says: the tree itself is damaged, which SQLite can tell. */
static wg_status_t not_found(sweep_store_t *s, wg_diag_t *diag) {
  WG_TRY(sweep_db_sound(s, diag));
  return wg_fail(diag, kWgBadInput, "the store '%s' is damaged: a point of it cannot be dropped", sweep_store_path(s));
}

/* What no point has: a text that is not its hash's would be taken for the next point's, a row of a number that is not
   given yet would be in its way. */
static const char kSweepOut[] =
    "DELETE FROM text WHERE hash NOT IN (SELECT preset_text FROM point UNION SELECT provenance FROM point);"
    "DELETE FROM label WHERE point NOT IN (SELECT id FROM point);"
    "DELETE FROM stat_value WHERE point NOT IN (SELECT id FROM point);"
    "DELETE FROM stat_name WHERE id NOT IN (SELECT name FROM stat_value)";

static wg_status_t drop(sweep_store_t *s, const sweep_bad_t *bad, wg_diag_t *diag) {
  sqlite3_stmt *q = NULL;
  wg_status_t st = sweep_db_run(s, "write", "BEGIN IMMEDIATE", diag);
  if (st != kWgOk) return st;
  st = sweep_db_run(s, "write", "REINDEX", diag); /* an index may still have the key that was recorded */
  if (st == kWgOk) st = sweep_db_prepare(s, "DELETE FROM point WHERE id = ?", &q, diag);
  for (size_t i = 0; st == kWgOk && i < bad->n; i++) {
    sqlite3_bind_int64(q, 1, bad->ids[i]);
    if (sqlite3_step(q) != SQLITE_DONE) st = sweep_db_fail(s, "write", diag);
    else if (sqlite3_changes(sweep_store_db(s)) == 0) st = not_found(s, diag);
    sqlite3_reset(q);
  }
  sqlite3_finalize(q);
  if (st == kWgOk) st = sweep_db_run(s, "write", kSweepOut, diag);
  if (st == kWgOk) st = sweep_db_sound(s, diag); /* else nothing of this was done */
  if (st == kWgOk) st = sweep_db_run(s, "write", "COMMIT", diag);
  if (st != kWgOk) (void)sqlite3_exec(sweep_store_db(s), "ROLLBACK", NULL, NULL, NULL);
  return st;
}

wg_status_t sweep_store_mend(sweep_store_t *s, wg_diag_t *diag) {
  sweep_bad_t bad;
  char text[4400] = "";
  wg_diag_t why;
  memset(&why, 0, sizeof why);
  wg_status_t st = find_bad(s, &bad, diag);
  if (st == kWgOk && bad.n != 0) sentence(s, &bad, text, sizeof text);
  bool sound = st != kWgOk || sweep_db_sound(s, &why) == kWgOk; /* an index, a row of no point */
  if (st == kWgOk && (bad.n != 0 || !sound)) st = drop(s, &bad, diag);
  if (st == kWgOk && bad.n != 0)
    fprintf(stderr, "warpglass: %s; dropped, and run anew where the plan has it\n", text);
  else if (st == kWgOk && !sound)
    fprintf(stderr, "warpglass: %s; mended, no point is lost\n", why.msg);
  free(bad.ids);
  return st;
}

wg_status_t sweep_digest_bad(sweep_store_t *s, sweep_bad_t *bad, wg_diag_t *diag) {
  char text[4400];
  *bad = (sweep_bad_t){.n = 0};
  if (sweep_store_version(s) < kSweepDigests) return kWgOk;
  WG_TRY(find_bad(s, bad, diag));
  if (bad->n == 0) return kWgOk;
  sentence(s, bad, text, sizeof text);
  fprintf(stderr, "warpglass: %s; it counts as missing\n", text);
  return kWgOk;
}

static int by_id(const void *a, const void *b) {
  int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

bool sweep_bad_has(const sweep_bad_t *bad, int64_t id) {
  return bad->n != 0 && bsearch(&id, bad->ids, bad->n, sizeof id, by_id) != NULL;
}
