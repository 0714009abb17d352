// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cosim/sweep/sweep_db.h"

enum { kApplicationId = 0x57475357 }; /* "WGSW": what SQLite's header says the file is */

struct sweep_store {
  sqlite3 *db;
  char path[4096];
  int lock; /* -1: read only */
  sweep_open_t how;
  int version;      /* of the file */
  struct stat made; /* the file when it was opened for writing */
  char lock_path[4200];
};

sqlite3 *sweep_store_db(sweep_store_t *s) { return s->db; }
const char *sweep_store_path(const sweep_store_t *s) { return s->path; }
int sweep_store_version(const sweep_store_t *s) { return s->version; }

static const char kNoStoreHint[] =
    "a file that `warpglass sweep run --store FILE` made; one that was cut short: remove it, "
    "and run its points again";

wg_status_t sweep_db_damaged(const sweep_store_t *s, const char *what, wg_diag_t *diag) {
  char text[200]; /* it may quote bytes of the file, and goes to a terminal */
  snprintf(text, sizeof text, "%s", what);
  for (char *p = text; *p != '\0'; p++) *p = *p < ' ' || *p > '~' ? *p == '\n' ? ' ' : '?' : *p;
  if (diag != NULL)
    snprintf(diag->hint, sizeof diag->hint,
             "remove the file and give the sweep's command again: its points are run anew");
  return wg_fail(diag, kWgBadInput, "the store '%s' is damaged, cut short perhaps: %s", s->path, text);
}

static wg_status_t no_store(const sweep_store_t *s, wg_diag_t *diag) {
  if (diag != NULL) snprintf(diag->hint, sizeof diag->hint, "%s", kNoStoreHint);
  return wg_fail(diag, kWgBadInput, "'%s' is no store of a sweep", s->path);
}

/* A point that was not there when we began: somebody wrote it, although the lock is ours. */
static wg_status_t two_writers(const sweep_store_t *s, wg_diag_t *diag) {
  if (diag != NULL)
    snprintf(diag->hint, sizeof diag->hint,
             "let the other sweep end, then give this command again: it runs what is missing; leave the lock where it "
             "is, it goes with its process");
  return wg_fail(diag, kWgIo,
                 "another sweep writes the store '%s' at the same time, since '%s' was removed: a point was run by "
                 "both",
                 s->path, s->lock_path);
}

wg_status_t sweep_db_fail(sweep_store_t *s, const char *verb, wg_diag_t *diag) {
  int rc = sqlite3_errcode(s->db);
  if (s->made.st_ino != 0 && sweep_store_there(s, diag) != kWgOk) return kWgIo; /* which is why */
  if (sqlite3_extended_errcode(s->db) == SQLITE_CONSTRAINT_UNIQUE && s->lock >= 0) return two_writers(s, diag);
  if (rc == SQLITE_CORRUPT) return sweep_db_damaged(s, sqlite3_errmsg(s->db), diag);
  if (diag != NULL &&
      (rc == SQLITE_FULL || rc == SQLITE_IOERR)) { /* a limit on the size of files reads as SQLITE_IOERR */
    snprintf(diag->hint, sizeof diag->hint,
             "is the disk full? make room and give the same command again: the points that the store has are not run "
             "again");
  }
  return wg_fail(diag, kWgIo, "cannot %s the store '%s': %s", verb, s->path, sqlite3_errmsg(s->db));
}

wg_status_t sweep_db_run(sweep_store_t *s, const char *verb, const char *sql, wg_diag_t *diag) {
  return sqlite3_exec(s->db, sql, NULL, NULL, NULL) == SQLITE_OK ? kWgOk : sweep_db_fail(s, verb, diag);
}

static int64_t number(sqlite3 *db, const char *sql, int64_t otherwise) {
  sqlite3_stmt *q = NULL;
  int64_t v = otherwise;
  if (sqlite3_prepare_v2(db, sql, -1, &q, NULL) == SQLITE_OK && sqlite3_step(q) == SQLITE_ROW)
    v = sqlite3_column_int64(q, 0);
  sqlite3_finalize(q);
  return v;
}

static wg_status_t check_version(sweep_store_t *s, int64_t version, int64_t application, wg_diag_t *diag) {
  if (application != kApplicationId || version < 1) {
    if (diag != NULL)
      snprintf(diag->hint, sizeof diag->hint, "--store with another name: it is made if it is not there");
    return wg_fail(diag, kWgBadInput, "'%s' is another program's database, no store of a sweep", s->path);
  }
  s->version = version < kSweepSchema ? (int)version : kSweepSchema;
  if (version < kSweepSchema && s->how != kSweepRead) {
    if (diag != NULL)
      snprintf(diag->hint, sizeof diag->hint,
               "`warpglass sweep merge --store NEW OLD` takes its points over into a new store; go on with that");
    return wg_fail(diag, kWgBadInput,
                   "the store '%s' was made by an older version of warpglass: its format is %lld, this one writes %d",
                   s->path, (long long)version, (int)kSweepSchema);
  }
  if (version <= kSweepSchema) return kWgOk;
  if (diag != NULL) snprintf(diag->hint, sizeof diag->hint, "use that version, or another store");
  return wg_fail(
      diag, kWgBadInput,
      "the store '%s' was made by a newer version of warpglass: its format is %lld, this one knows up to %d", s->path,
      (long long)version, (int)kSweepSchema);
}

/* Is this a store that this version can read? */
static wg_status_t check_kind(sweep_store_t *s, wg_diag_t *diag) {
  int64_t tables = number(s->db, "SELECT count(*) FROM sqlite_master", -1);
  if (tables < 0 && sqlite3_errcode(s->db) == SQLITE_NOTADB) return no_store(s, diag);
  if (tables < 0) return sweep_db_fail(s, "read", diag);
  if (tables == 0) return kWgOk; /* a file that was just made, or whose making was cut short */
  WG_TRY(check_version(s, number(s->db, "PRAGMA user_version", 0), number(s->db, "PRAGMA application_id", 0), diag));
  return sweep_schema_check(s, diag);
}

/* Lock `path`-lock. @return its file, -1: errno (EWOULDBLOCK: another process has it) */
static int lock_file(const char *lock_path) {
  for (;;) {
    struct stat ours, there;
    int fd = open(lock_path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0) return -1;
    if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
      int e = errno;
      close(fd);
      errno = e;
      return -1;
    }
    /* whoever had it may have removed the file between our open and our lock */
    if (fstat(fd, &ours) == 0 && stat(lock_path, &there) == 0 && ours.st_ino == there.st_ino) return fd;
    close(fd);
  }
}

/* One sweep writes a store at a time: two would run the same points. The lock ends with the process, however that
 * ends. */
static wg_status_t lock(sweep_store_t *s, bool wait, wg_diag_t *diag) {
  bool said = false;
  snprintf(s->lock_path, sizeof s->lock_path, "%s-lock", s->path);
  while ((s->lock = lock_file(s->lock_path)) < 0) {
    if (errno == EINTR) continue;
    if (errno != EWOULDBLOCK)
      return wg_fail(diag, kWgIo, "cannot write the store '%s': its lock: %s", s->path, strerror(errno));
    if (!wait) {
      if (diag != NULL)
        snprintf(diag->hint, sizeof diag->hint, "wait for it, or give this sweep a store of its own and merge them");
      return wg_fail(diag, kWgBadInput, "the store '%s' is in use by another sweep", s->path);
    }
    if (!said) fprintf(stderr, "warpglass: another process writes '%s': waiting for it\n", s->path);
    said = true;
    (void)usleep(200000);
  }
  return kWgOk;
}

bool sweep_store_busy(const char *path) {
  char name[4200];
  snprintf(name, sizeof name, "%s-lock", path);
  int fd = open(name, O_RDWR | O_CLOEXEC);
  bool busy = fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) != 0;
  if (fd >= 0) close(fd);
  return busy;
}

/* The folder that a store is to lie in; SQLite would say no more than "unable to open". */
static wg_status_t check_folder(const char *path, wg_diag_t *diag) {
  struct stat info;
  const char *slash = strrchr(path, '/');
  int n = slash == NULL ? 1 : slash == path ? 1 : (int)(slash - path);
  char folder[4096];
  snprintf(folder, sizeof folder, "%.*s", n, slash == NULL ? "." : path);
  bool there = stat(folder, &info) == 0, dir = there && S_ISDIR(info.st_mode);
  if (dir && access(folder, W_OK | X_OK) == 0) return kWgOk;
  if (diag != NULL && dir) snprintf(diag->hint, sizeof diag->hint, "a folder that you may write, or chmod u+wx it");
  else if (diag != NULL) snprintf(diag->hint, sizeof diag->hint, "mkdir -p '%.200s', or another --store", folder);
  if (dir) return wg_fail(diag, kWgBadInput, "cannot write into the folder '%s' of the store", folder);
  if (there || errno == ENOTDIR) return wg_fail(diag, kWgBadInput, "'%s' is no folder for the store", folder);
  if (errno == ENOENT) return wg_fail(diag, kWgBadInput, "there is no folder '%s' for the store", folder);
  return wg_fail(diag, kWgIo, "cannot look into the folder '%s' of the store: %s", folder, strerror(errno));
}

static wg_status_t check_file(const char *path, sweep_open_t how, wg_diag_t *diag) {
  struct stat info;
  if (strlen(path) >= 4096) return wg_fail(diag, kWgBadInput, "the name of the store is too long");
  if (stat(path, &info) != 0) {
    if (how == kSweepCreate || how == kSweepWait) return check_folder(path, diag);
    if (errno == ENOENT) return wg_fail(diag, kWgNotFound, "there is no store '%s'", path);
    return wg_fail(diag, kWgIo, "cannot open the store '%s': %s", path, strerror(errno));
  }
  if (!S_ISREG(info.st_mode)) return wg_fail(diag, kWgBadInput, "the store '%s' is no ordinary file", path);
  if (how == kSweepRead) return kWgOk;
  /* who is root could write all the same: the mark is the owner's wish */
  if ((info.st_mode & 0222) == 0 || access(path, W_OK) != 0) {
    if (diag != NULL)
      snprintf(diag->hint, sizeof diag->hint, "chmod u+w, or another store and `warpglass sweep merge`");
    return wg_fail(diag, kWgBadInput, "the store '%s' is read-only", path);
  }
  return check_folder(path, diag); /* its lock and its journal lie there too */
}

static uint32_t big_endian(const uint8_t *p) {
  return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

/* What the file's head says, before SQLite opens it, which may already write: it undoes what a killed process left.
 */
static wg_status_t check_head(sweep_store_t *s, bool journal, wg_diag_t *diag) {
  static const char kMagic[16] = "SQLite format 3";
  uint8_t head[100];
  FILE *f = fopen(s->path, "rb");
  if (f == NULL)
    return errno == ENOENT ? kWgOk : wg_fail(diag, kWgIo, "cannot open the store '%s': %s", s->path, strerror(errno));
  size_t n = fread(head, 1, sizeof head, f);
  bool bad = ferror(f) != 0;
  fclose(f);
  if (bad) return wg_fail(diag, kWgIo, "cannot read the store '%s'", s->path);
  if (n == 0 || journal) return kWgOk; /* empty, or to be brought in order first */
  if (n < sizeof head || memcmp(head, kMagic, sizeof kMagic) != 0)
    return no_store(s, diag);
  return check_version(s, big_endian(head + 60), big_endian(head + 68), diag);
}

/* A store may come from anybody: nothing in it is to run, and the file is no door to SQLite's own inside. */
static wg_status_t be_wary(sweep_store_t *s, wg_diag_t *diag) {
  static const struct {
    int what, on;
  } kSet[] = {{SQLITE_DBCONFIG_DEFENSIVE, 1}, {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0}, {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0}};
  for (size_t i = 0; i < sizeof kSet / sizeof kSet[0]; i++) {
    int now = -1;
    if (sqlite3_db_config(s->db, kSet[i].what, kSet[i].on, &now) != SQLITE_OK || now != kSet[i].on)
      return wg_fail(diag, kWgIo, "cannot open the store '%s': SQLite has no defensive settings", s->path);
  }
  return kWgOk;
}

static wg_status_t open_db(sweep_store_t *s, sweep_open_t how, wg_diag_t *diag) {
  char journal[4200];
  snprintf(journal, sizeof journal, "%s-journal", s->path);
  bool hot = access(journal, F_OK) == 0;
  int flags = how == kSweepRead && !hot ? SQLITE_OPEN_READONLY
                                        : SQLITE_OPEN_READWRITE | (how == kSweepWrite ? 0 : SQLITE_OPEN_CREATE);
  WG_TRY(check_head(s, hot, diag));
  if (sqlite3_open_v2(s->path, &s->db, flags, NULL) != SQLITE_OK) return sweep_db_fail(s, "open", diag);
  WG_TRY(be_wary(s, diag));
  (void)sqlite3_busy_timeout(s->db, 10000); /* somebody reads */
  WG_TRY(check_kind(s, diag));
  if (how == kSweepRead) return kWgOk;
  WG_TRY(sweep_db_run(s, "open", "PRAGMA foreign_keys = ON; PRAGMA synchronous = FULL; PRAGMA temp_store = MEMORY",
                      diag));
  s->version = kSweepSchema;
  if (number(s->db, "SELECT count(*) FROM sqlite_master", -1) != 0) return kWgOk;
  wg_status_t st = sweep_db_run(s, "write", "BEGIN IMMEDIATE", diag);
  if (st == kWgOk) st = sweep_schema_make(s, diag);
  if (st == kWgOk) st = sweep_db_run(s, "write", "COMMIT", diag);
  return st;
}

wg_status_t sweep_store_open(const char *path, sweep_open_t how, sweep_store_t **out, wg_diag_t *diag) {
  WG_TRY(check_file(path, how, diag));
  sweep_store_t *s = calloc(1, sizeof *s);
  if (s == NULL) return wg_fail(diag, kWgNoSpace, "out of memory");
  s->lock = -1;
  s->how = how;
  /* SQLite has a meaning of its own for these names */
  bool special = path[0] == ':' || strncmp(path, "file:", 5) == 0;
  snprintf(s->path, sizeof s->path, "%s%s", special ? "./" : "", path);
  bool there = access(path, F_OK) == 0;
  wg_status_t st = how == kSweepRead ? kWgOk : lock(s, how == kSweepWait, diag);
  bool locked = st == kWgOk;
  if (locked && !there) there = access(path, F_OK) == 0; /* another process made it while we waited */
  if (st == kWgOk) st = open_db(s, how, diag);
  if (st == kWgOk && how == kSweepRead && number(s->db, "SELECT count(*) FROM sqlite_master", -1) == 0) {
    st = no_store(s, diag);
  }
  if (st != kWgOk) {
    sweep_store_close(s);
    if (!there && locked) (void)unlink(path); /* nothing is left of one that could not be made */
    return st;
  }
  if (how != kSweepRead && stat(path, &s->made) != 0) {
    st = sweep_store_there(s, diag);
    sweep_store_close(s);
    return st;
  }
  *out = s;
  return kWgOk;
}

wg_status_t sweep_store_there(const sweep_store_t *s, wg_diag_t *diag) {
  struct stat now;
  bool gone = stat(s->path, &now) != 0;
  if (!gone && now.st_ino == s->made.st_ino && now.st_dev == s->made.st_dev) return kWgOk;
  if (diag != NULL)
    snprintf(diag->hint, sizeof diag->hint,
             "leave the store where it is until the sweep has ended; the same command begins %s",
             gone ? "a new one" : "with the file that is there now");
  return wg_fail(diag, kWgIo, "the store '%s' was %s while it was written: what was recorded is lost with it", s->path,
                 gone ? "removed" : "replaced by another file");
}

void sweep_store_close(sweep_store_t *s) {
  if (s == NULL) return;
  sqlite3_close(s->db);
  if (s->lock >= 0) {
    struct stat ours, there; /* not that of another, after ours was removed by hand */
    if (fstat(s->lock, &ours) == 0 && stat(s->lock_path, &there) == 0 && ours.st_ino == there.st_ino)
      (void)unlink(s->lock_path);
    close(s->lock);
  }
  free(s);
}

void sweep_store_remove(sweep_store_t *s) {
  char journal[4200];
  sqlite3_close(s->db);
  s->db = NULL;
  snprintf(journal, sizeof journal, "%s-journal", s->path);
  (void)unlink(s->path);
  (void)unlink(journal);
  sweep_store_close(s);
}

wg_status_t sweep_db_prepare(sweep_store_t *s, const char *sql, sqlite3_stmt **out, wg_diag_t *diag) {
  return sqlite3_prepare_v2(s->db, sql, -1, out, NULL) == SQLITE_OK ? kWgOk : sweep_db_fail(s, "read", diag);
}

/* The first row of a PRAGMA that lists what is wrong. @param[out] what [n] "" if there is none */
static wg_status_t first_row(sweep_store_t *s, const char *sql, char *what, size_t n, wg_diag_t *diag) {
  sqlite3_stmt *q = NULL;
  what[0] = '\0';
  WG_TRY(sweep_db_prepare(s, sql, &q, diag));
  int rc = sqlite3_step(q);
  const char *said = rc == SQLITE_ROW ? (const char *)sqlite3_column_text(q, 0) : NULL;
  if (rc == SQLITE_ROW) snprintf(what, n, "%s", said == NULL ? "?" : said);
  wg_status_t st = rc == SQLITE_ROW || rc == SQLITE_DONE ? kWgOk : sweep_db_fail(s, "read", diag);
  sqlite3_finalize(q);
  return st;
}

wg_status_t sweep_db_sound(sweep_store_t *s, wg_diag_t *diag) {
  char what[160], text[200];
  WG_TRY(first_row(s, "PRAGMA main.integrity_check(1)", what, sizeof what, diag));
  if (strcmp(what, "ok") != 0) return sweep_db_damaged(s, what, diag);
  WG_TRY(first_row(s, "PRAGMA main.foreign_key_check", what, sizeof what, diag)); /* the table of the row */
  if (what[0] == '\0') return kWgOk;
  snprintf(text, sizeof text, "a row of '%s' belongs to nothing", what);
  return sweep_db_damaged(s, text, diag);
}

wg_status_t sweep_store_check(sweep_store_t *s, wg_diag_t *diag) {
  WG_TRY(sweep_digest_check(s, diag)); /* first: what it tells can be mended */
  return sweep_db_sound(s, diag);
}

static int by_key(const void *a, const void *b) {
  return strcmp(((const sweep_known_t *)a)->key, ((const sweep_known_t *)b)->key);
}

wg_status_t sweep_store_known(sweep_store_t *s, bool checked, sweep_known_t **out, size_t *n, wg_diag_t *diag) {
  sqlite3_stmt *q = NULL;
  sweep_known_t *list = NULL;
  size_t num = 0, cap = 0;
  int rc;
  sweep_bad_t bad = {.n = 0};
  wg_status_t st = checked ? sweep_digest_bad(s, &bad, diag) : kWgOk;
  if (st == kWgOk) st = sweep_db_prepare(s, "SELECT key, status = 'ok', id FROM point", &q, diag);
  if (st != kWgOk) {
    free(bad.ids);
    return st;
  }
  while ((rc = sqlite3_step(q)) == SQLITE_ROW) {
    if (sweep_bad_has(&bad, sqlite3_column_int64(q, 2))) continue;
    if (num == cap) {
      cap = cap == 0 ? 256 : 2 * cap;
      sweep_known_t *grown = realloc(list, cap * sizeof *grown);
      if (grown == NULL) break;
      list = grown;
    }
    snprintf(list[num].key, sizeof list[num].key, "%s", (const char *)sqlite3_column_text(q, 0));
    list[num++].ok = sqlite3_column_int(q, 1) != 0;
  }
  st = rc == SQLITE_DONE  ? kWgOk
       : rc == SQLITE_ROW ? wg_fail(diag, kWgNoSpace, "out of memory")
                          : sweep_db_fail(s, "read", diag);
  sqlite3_finalize(q);
  free(bad.ids);
  if (st != kWgOk) {
    free(list);
    return st;
  }
  if (num != 0) qsort(list, num, sizeof *list, by_key);
  *out = list;
  *n = num;
  return kWgOk;
}

int sweep_known_has(const sweep_known_t *known, size_t n, const char *key) {
  sweep_known_t wanted;
  snprintf(wanted.key, sizeof wanted.key, "%s", key);
  const sweep_known_t *at = n == 0 ? NULL : bsearch(&wanted, known, n, sizeof *known, by_key);
  return at == NULL ? 0 : at->ok ? 1 : 2;
}

/* ---- writing ---- */

static wg_status_t step(sweep_store_t *s, sqlite3_stmt *q, wg_diag_t *diag) {
  int rc = sqlite3_step(q);
  wg_status_t st = rc == SQLITE_DONE || rc == SQLITE_ROW ? kWgOk : sweep_db_fail(s, "write", diag);
  sqlite3_reset(q);
  return st;
}

static void bind_text(sqlite3_stmt *q, int at, const char *text) {
  if (text == NULL || text[0] == '\0') sqlite3_bind_null(q, at);
  else sqlite3_bind_text(q, at, text, -1, SQLITE_TRANSIENT);
}

static void bind(sqlite3_stmt *q, int at, const sweep_cell_t *c) {
  if (c->kind == 't') sqlite3_bind_text(q, at, c->text, -1, SQLITE_TRANSIENT);
  else if (c->kind == 'i') sqlite3_bind_int64(q, at, c->number);
  else if (c->kind == 'r') sqlite3_bind_double(q, at, c->real);
  else sqlite3_bind_null(q, at);
}

static sweep_cell_t cell_text(const char *text) {
  return text == NULL || text[0] == '\0' ? (sweep_cell_t){.kind = 'n'} : (sweep_cell_t){.kind = 't', .text = text};
}

static sweep_cell_t cell_number(const char *digits) {
  if (digits[0] == '\0') return (sweep_cell_t){.kind = 'n'};
  return (sweep_cell_t){.kind = 'i', .number = (int64_t)strtoull(digits, NULL, 10)};
}

sweep_cell_t sweep_stat_cell(const sweep_stat_t *v) {
  if (v->word) return (sweep_cell_t){.kind = 't', .text = v->text};
  if (strpbrk(v->text, ".eE") != NULL) return (sweep_cell_t){.kind = 'r', .real = strtod(v->text, NULL)};
  return (sweep_cell_t){.kind = 'i', .number = strtoll(v->text, NULL, 10)};
}

/* A text that many points share. */
static wg_status_t put_text(sweep_store_t *s, const char *body, char hex[kSweepHex], wg_diag_t *diag) {
  sqlite3_stmt *q = NULL;
  sweep_hash_text(body, hex);
  WG_TRY(sweep_db_prepare(s, "INSERT OR IGNORE INTO text VALUES(?, ?)", &q, diag));
  bind_text(q, 1, hex);
  sqlite3_bind_text(q, 2, body, -1, SQLITE_STATIC);
  wg_status_t st = step(s, q, diag);
  sqlite3_finalize(q);
  return st;
}

/* The command that runs the point again by hand. */
static void command_of(const sweep_point_t *p, char *out, size_t n) {
  size_t used = (size_t)snprintf(out, n, "WARPGLASS=\"%s\" warpglass run", p->settings);
  for (size_t i = 0; p->argv[i] != NULL && used < n; i++) {
    int w = snprintf(out + used, n - used, " %s", p->argv[i]);
    used += w < 0 ? 0 : (size_t)w;
  }
}

/* Eight digits of what was built, for tables that hold more than one build. */
static void build_of(const sweep_point_t *p, char out[kSweepHex]) {
  const char *at = strstr(p->text, "\nbuild ");
  sweep_hash_text(at == NULL ? "" : at, out);
  out[8] = '\0';
}

static wg_status_t put_point(sweep_store_t *s, const sweep_point_t *p, const sweep_result_t *r,
                             const char *provenance, wg_diag_t *diag) {
  char preset[kSweepHex], prov[kSweepHex], build[kSweepHex], hex[kSweepHex], command[8192], when[32];
  sqlite3_stmt *q = NULL;
  time_t now = time(NULL);
  struct tm utc;
  WG_TRY(put_text(s, p->preset_text, preset, diag));
  WG_TRY(put_text(s, provenance, prov, diag));
  build_of(p, build);
  command_of(p, command, sizeof command);
  strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
  WG_TRY(sweep_db_prepare(s, "DELETE FROM point WHERE key = ? AND status = 'failed'", &q, diag));
  bind_text(q, 1, p->key);
  wg_status_t st = step(s, q, diag);
  sqlite3_finalize(q);
  if (st != kWgOk) return st;
  const char *why = r->message[0] != '\0' ? r->message : "no reason was given";
  const sweep_cell_t cells[kSweepCells] = {
      cell_text(p->key), cell_text(r->ok ? "ok" : "failed"), cell_text(r->ok ? NULL : why),
      cell_number(r->ok ? r->cycles : ""), cell_number(r->ok ? r->warp_insts : ""),
      cell_text(r->ok ? r->retire_hash : NULL), cell_text(build), cell_text(p->text),
      {.kind = 't', .text = p->preset_text}, {.kind = 't', .text = provenance}, cell_text(command),
      {.kind = 'r', .real = r->seconds}, cell_text(when)};
  WG_TRY(sweep_digest_of(cells, p, r, hex, diag)); /* of what is meant, not of what the file made of it */
  WG_TRY(sweep_db_prepare(s, "INSERT INTO point VALUES(NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", &q, diag));
  for (int i = 0; i < kSweepCells; i++) bind(q, i + 1, &cells[i]);
  bind_text(q, kSweepPresetCell + 1, preset); /* the texts by their hash */
  bind_text(q, kSweepProvenanceCell + 1, prov);
  bind_text(q, kSweepCells + 1, hex);
  st = step(s, q, diag);
  sqlite3_finalize(q);
  return st;
}

static wg_status_t put_labels(sweep_store_t *s, const sweep_point_t *p, sqlite3_int64 id, wg_diag_t *diag) {
  sqlite3_stmt *q = NULL;
  WG_TRY(sweep_db_prepare(s, "INSERT INTO label VALUES(?, ?, ?)", &q, diag));
  wg_status_t st = kWgOk;
  for (size_t i = 0; st == kWgOk && i < p->num_labels; i++) {
    sqlite3_bind_int64(q, 1, id);
    bind_text(q, 2, p->labels[i].name);
    sqlite3_bind_text(q, 3, p->labels[i].value, -1, SQLITE_STATIC);
    st = step(s, q, diag);
  }
  sqlite3_finalize(q);
  return st;
}

static wg_status_t put_stats(sweep_store_t *s, const sweep_result_t *r, sqlite3_int64 id, wg_diag_t *diag) {
  sqlite3_stmt *name = NULL, *q = NULL;
  wg_status_t st = sweep_db_prepare(s, "INSERT OR IGNORE INTO stat_name(name) VALUES(?)", &name, diag);
  if (st == kWgOk) {
    st = sweep_db_prepare(s, "INSERT OR REPLACE INTO stat_value SELECT ?1, ?2, id, ?4 FROM stat_name WHERE name = ?3",
                          &q, diag);
  }
  for (size_t i = 0; st == kWgOk && i < r->num_stats; i++) {
    const sweep_stat_t *v = &r->stats[i];
    bind_text(name, 1, v->name);
    st = step(s, name, diag);
    sqlite3_bind_int64(q, 1, id);
    sqlite3_bind_int64(q, 2, v->launch);
    bind_text(q, 3, v->name);
    sweep_cell_t value = sweep_stat_cell(v);
    bind(q, 4, &value);
    if (st == kWgOk) st = step(s, q, diag);
  }
  sqlite3_finalize(name);
  sqlite3_finalize(q);
  return st;
}

wg_status_t sweep_store_put(sweep_store_t *s, const sweep_point_t *p, const sweep_result_t *r, const char *provenance,
                            wg_diag_t *diag) {
  WG_TRY(sweep_store_there(s, diag));
  WG_TRY(sweep_db_run(s, "write", "BEGIN IMMEDIATE", diag));
  wg_status_t st = put_point(s, p, r, provenance, diag);
  sqlite3_int64 id = sqlite3_last_insert_rowid(s->db);
  if (st == kWgOk) st = put_labels(s, p, id, diag);
  if (st == kWgOk && r->ok) st = put_stats(s, r, id, diag);
  if (st == kWgOk) st = sweep_db_run(s, "write", "COMMIT", diag);
  if (st != kWgOk) (void)sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
  return st == kWgOk ? sweep_store_there(s, diag) : st;
}
