// SPDX-License-Identifier: Apache-2.0
//
// A sweep on several machines. Beside the store lies a folder, STORE-parts, that all machines see: the plan, what a
// task does, and a store for each task. Which task has which points is fixed as long as the folder is there, so a task
// that is begun again, by Slurm or by us, goes on in its own part; the part's lock keeps a second one of it waiting
// until the first has ended. What the parts have is merged; then they and the folder go.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cosim/cli/cli.h"
#include "cosim/sweep/sweep_job.h"

char *sweep_job_file(const sweep_job_t *j, char *out, const char *fmt, ...) {
  va_list ap;
  int n = snprintf(out, 4200, "%s/", j->folder);
  va_start(ap, fmt);
  (void)vsnprintf(out + n, 4200 - (size_t)n, fmt, ap);
  va_end(ap);
  return out;
}

/* Call `each` for the parts in the folder, until one fails. */
typedef wg_status_t each_part_t(sweep_job_t *j, const char *path, wg_diag_t *diag);
static wg_status_t for_parts(const sweep_job_t *j, each_part_t *each, sweep_job_t *ctx, wg_diag_t *diag) {
  wg_status_t st = kWgOk;
  char path[4200];
  for (unsigned k = 0; k < j->tasks && st == kWgOk; k++) {
    struct stat info;
    if (stat(sweep_job_file(j, path, "part-%u.db", k), &info) == 0 && info.st_size > 0) st = each(ctx, path, diag);
  }
  return st;
}

/* ---- the folder ---- */

static wg_status_t write_record(const sweep_job_t *j, wg_diag_t *diag) {
  char path[4200], fresh[4200];
  FILE *f = fopen(sweep_job_file(j, fresh, "sweep.new"), "w");
  if (f == NULL) return wg_fail(diag, kWgIo, "cannot write '%s': %s", fresh, strerror(errno));
  fprintf(f, "warpglass sweep 1\ndigest %s\ntasks %u\njob %s\n", j->digest, j->tasks,
          j->id[0] == '\0' ? "none" : j->id);
  bool bad = ferror(f) != 0;
  if ((fclose(f) != 0) | bad || rename(fresh, sweep_job_file(j, path, "sweep.job")) != 0)
    return wg_fail(diag, kWgIo, "cannot write '%s': %s", fresh, strerror(errno));
  return kWgOk;
}

/* What the folder says. @return kWgNotFound: there is none */
static wg_status_t read_record(sweep_job_t *j, char digest[kSweepHex], wg_diag_t *diag) {
  char path[4200];
  FILE *f = fopen(sweep_job_file(j, path, "sweep.job"), "r");
  if (f == NULL && errno == ENOENT) return kWgNotFound;
  if (f == NULL) return wg_fail(diag, kWgIo, "cannot read '%s': %s", path, strerror(errno));
  int got = fscanf(f, "warpglass sweep 1 digest %64s tasks %u job %31s", digest, &j->tasks, j->id);
  fclose(f);
  if (got != 3 || j->tasks < 1 || j->tasks > kSweepMaxTasks) {
    if (diag != NULL) snprintf(diag->hint, sizeof diag->hint, "merge the parts in that folder, and remove it");
    return wg_fail(diag, kWgBadInput, "'%s' is no record of a sweep that this version knows", path);
  }
  if (strcmp(j->id, "none") == 0) j->id[0] = '\0';
  return kWgOk;
}

static wg_status_t check_record(const sweep_job_t *j, const char *digest, unsigned asked, wg_diag_t *diag) {
  if (strcmp(digest, j->digest) != 0) {
    if (diag != NULL)
      snprintf(diag->hint, sizeof diag->hint,
               "keep what it has with `warpglass sweep merge --store STORE part-*.db` there, then remove it");
    return wg_fail(diag, kWgBadInput, "the folder '%s' has parts of another plan, or of other builds", j->folder);
  }
  if (asked == 0 || asked == j->tasks) return kWgOk;
  if (diag != NULL) snprintf(diag->hint, sizeof diag->hint, "--tasks %u, or nothing", j->tasks);
  return wg_fail(diag, kWgBadInput, "the sweep in '%s' was begun with %u tasks", j->folder, j->tasks);
}

/* Write the plan for the tasks; one that begins just now reads the old file or the new one. */
static wg_status_t write_plan(const sweep_job_t *j, wg_diag_t *diag) {
  char path[4200], fresh[4200];
  WG_TRY(sweep_plan_write(j->plan, sweep_job_file(j, fresh, "plan.new"), diag));
  if (rename(fresh, sweep_job_file(j, path, "sweep.plan")) == 0) return kWgOk;
  return wg_fail(diag, kWgIo, "cannot write '%s': %s", path, strerror(errno));
}

/* Find the folder or make it. Nothing else is changed if it cannot be. */
static wg_status_t open_folder(sweep_job_t *j, wg_diag_t *diag) {
  char digest[kSweepHex] = "", *dir = realpath(j->o->store, NULL);
  unsigned asked = j->tasks;
  if (dir == NULL || strlen(dir) > 4000) {
    free(dir);
    return wg_fail(diag, kWgIo, "the store '%s' has no path that can be told to others", j->o->store);
  }
  snprintf(j->store_path, sizeof j->store_path, "%s", dir);
  snprintf(j->folder, sizeof j->folder, "%s-parts", dir);
  free(dir);
  wg_status_t st = read_record(j, digest, diag);
  if (st == kWgOk) st = check_record(j, digest, asked, diag);
  if (st == kWgOk) st = write_plan(j, diag);
  if (st != kWgNotFound) return st;
  if (mkdir(j->folder, 0777) != 0 && errno != EEXIST)
    return wg_fail(diag, kWgIo, "cannot make the folder '%s': %s", j->folder, strerror(errno));
  j->made = true;
  if (asked == 0) j->tasks = j->num_todo < 32 ? (unsigned)j->num_todo : 32;
  if (j->tasks > j->num_todo) j->tasks = (unsigned)j->num_todo;
  WG_TRY(write_plan(j, diag));
  return write_record(j, diag);
}

/* All that this version put there; a file that somebody else put there stays, and with it the folder. */
static void remove_folder(const sweep_job_t *j) {
  static const char *const kFixed[] = {"plan.new",     "sweep.plan", "sweep.new", "task.new", "task.sh",
                                       "parallel.log", "sweep.job",  NULL};
  char path[4200];
  for (unsigned k = 0; k < j->tasks; k++) {
    (void)unlink(sweep_job_file(j, path, "task-%u.log", k));
    (void)unlink(sweep_job_file(j, path, "slurm-%u.log", k));
  }
  for (size_t i = 0; kFixed[i] != NULL; i++) (void)unlink(sweep_job_file(j, path, "%s", kFixed[i]));
  (void)rmdir(j->folder);
}

/* ---- the parts ---- */

static bool in_plan(const sweep_job_t *j, const char *key) {
  size_t lo = 0, hi = j->num_todo;
  while (lo < hi) {
    size_t mid = lo + (hi - lo) / 2;
    int c = strcmp(j->todo[mid].key, key);
    if (c == 0) return true;
    if (c < 0) lo = mid + 1;
    else hi = mid;
  }
  return false;
}

/* Open a part, unless a task writes it: what that has comes later. A part that was killed while it was made becomes an
 * empty one. @param[out] out NULL: a task has it */
static wg_status_t open_part(const char *path, sweep_store_t **out, wg_diag_t *diag) {
  *out = NULL;
  if (sweep_store_busy(path)) return kWgOk;
  wg_status_t st = sweep_store_open(path, kSweepWrite, out, diag);
  if (st == kWgOk || !sweep_store_busy(path)) return st;
  *out = NULL; /* one has just begun */
  return kWgOk;
}

static void part_hint(wg_diag_t *diag) {
  snprintf(diag->hint, sizeof diag->hint, "remove that file and give the same command again: its points are run anew");
}

/* Is a part sound, and of this sweep? */
static wg_status_t check_part(sweep_job_t *j, const char *path, wg_diag_t *diag) {
  sweep_store_t *part = NULL;
  sweep_known_t *known = NULL;
  size_t n = 0, strange = 0;
  wg_status_t st = open_part(path, &part, diag);
  if (st == kWgOk && part != NULL && (st = sweep_store_mend(part, diag)) != kWgOk) {
    sweep_store_close(part);
    part = NULL;
  }
  if (st != kWgOk && diag != NULL && diag->hint[0] == '\0') part_hint(diag);
  if (st != kWgOk || part == NULL) return st;
  st = sweep_store_check(part, diag);
  if (st == kWgOk) st = sweep_store_known(part, false, &known, &n, diag);
  sweep_store_close(part);
  for (size_t i = 0; i < n; i++) strange += !in_plan(j, known[i].key);
  free(known);
  if (st != kWgOk && diag != NULL && diag->hint[0] == '\0') part_hint(diag);
  if (st == kWgOk && strange != 0) {
    if (diag != NULL)
      snprintf(diag->hint, sizeof diag->hint, "move it elsewhere; `warpglass sweep merge` takes any store");
    st = wg_fail(diag, kWgBadInput, "the part '%s' is of another plan: %zu of its %zu points are none of this one",
                 path, strange, n);
  }
  return st;
}

/* Merge a part that no task writes, and remove it: the store has it then. */
static wg_status_t take_part(sweep_job_t *j, const char *path, wg_diag_t *diag) {
  sweep_store_t *part = NULL;
  uint64_t added = 0;
  WG_TRY(open_part(path, &part, diag));
  if (part == NULL) return kWgOk;
  wg_status_t st = sweep_store_merge(j->store, path, &added, diag);
  if (st == kWgOk) sweep_store_remove(part);
  else sweep_store_close(part);
  return st;
}

/* Which points have a result now, which tasks miss one? With `retry` a failure is none. */
static wg_status_t look(sweep_job_t *j, bool retry, wg_diag_t *diag) {
  sweep_known_t *known = NULL;
  size_t n = 0;
  WG_TRY(sweep_store_known(j->store, false, &known, &n, diag));
  j->known = j->failed = 0;
  memset(j->missing, 0, j->tasks * sizeof *j->missing);
  for (size_t i = 0; i < j->num_todo; i++) {
    int has = sweep_known_has(known, n, j->todo[i].key);
    if (has == 2) j->failed++;
    if (has == 0 || (has == 2 && retry)) j->missing[i % j->tasks] = true;
    else j->known++;
  }
  free(known);
  return kWgOk;
}

static wg_status_t gather(sweep_job_t *j, bool retry, wg_diag_t *diag) {
  WG_TRY(for_parts(j, check_part, j, diag)); /* all of them, before the first is merged */
  WG_TRY(for_parts(j, take_part, j, diag));
  return look(j, retry, diag);
}

static wg_status_t count_part(sweep_job_t *j, const char *path, wg_diag_t *diag) {
  sweep_store_t *part = NULL;
  sweep_known_t *known = NULL;
  size_t n = 0;
  if (sweep_store_open(path, kSweepRead, &part, diag) == kWgOk) (void)sweep_store_known(part, false, &known, &n, diag);
  sweep_store_close(part);
  free(known);
  j->had += n;
  return kWgOk;
}

size_t sweep_job_progress(const sweep_job_t *j) {
  sweep_job_t sum = {.had = 0};
  (void)for_parts(j, count_part, &sum, NULL);
  return sum.had;
}

/* ---- the end ---- */

static bool any_missing(const sweep_job_t *j) {
  for (unsigned k = 0; k < j->tasks; k++) {
    if (j->missing[k]) return true;
  }
  return false;
}

/* The last line of a task's log, without its end. @return false: there is none */
static bool last_line(const char *path, char *out, size_t n) {
  char line[400];
  FILE *f = fopen(path, "r");
  out[0] = '\0';
  if (f == NULL) return false;
  while (fgets(line, sizeof line, f) != NULL) {
    line[strcspn(line, "\r\n")] = '\0';
    if (strncmp(line, "  remedy: ", 10) != 0 && line[0] != '\0') snprintf(out, n, "%s", line);
  }
  fclose(f);
  return out[0] != '\0';
}

/* Is it ssh that complains, and not a shell on the other machine? */
static bool of_ssh(const char *line) {
  static const char *const kBegins[] = {"ssh: ", "ssh_exchange", "kex_exchange", "Host key verification failed"};
  for (size_t i = 0; i < sizeof kBegins / sizeof kBegins[0]; i++) {
    if (strncmp(line, kBegins[i], strlen(kBegins[i])) == 0) return true;
  }
  return strstr(line, "Permission denied (") != NULL || strstr(line, "Too many authentication failures") != NULL;
}

/* Why are there tasks without all of their results? One sentence. */
static void tell_missing(const sweep_job_t *j) {
  char path[4200], line[400];
  unsigned logs = 0, busy = 0, first = j->tasks;
  for (unsigned k = 0; k < j->tasks; k++) {
    if (!j->missing[k]) continue;
    bool log = access(sweep_job_file(j, path, "task-%u.log", k), F_OK) == 0;
    logs += log;
    busy += sweep_store_busy(sweep_job_file(j, path, "part-%u.db", k));
    if (log && first == j->tasks) first = k;
  }
  if (busy != 0) {
    (void)cli_usage("wait, and give the same command again",
                    "%u tasks still run on machines that the engine has given up", busy);
  } else if (logs == 0) {
    bool said = j->o->engine == kSweepParallel && last_line(sweep_job_file(j, path, "parallel.log"), line, sizeof line);
    if (said && of_ssh(line)) {
      (void)cli_usage("machines that `ssh HOST true` reaches without a question",
                      "no task could begin: ssh did not reach its machine: %s ('%s')", line, path);
      return;
    }
    (void)cli_usage("a store on a file system that all of them share, under one path",
                    "no task could begin: is the folder '%s' there on the other machines?%s%s", j->folder,
                    said ? " The last said: " : "", said ? line : "");
  } else if (last_line(sweep_job_file(j, path, "task-%u.log", first), line, sizeof line)) {
    (void)cli_usage("the logs of the tasks are beside that one", "task %u ended before its points: %s ('%s')", first,
                    line, path);
  }
}

static int summary(sweep_job_t *j, wg_status_t st, const wg_diag_t *d) {
  size_t left = j->num_todo - j->known;
  if (st != kWgOk) (void)cli_diag(d);
  else if (left != 0 && j->stop == 0) tell_missing(j);
  printf("sweep: %zu of %zu points in '%s': %zu run now, %zu were there; %zu failed", j->known, j->num_todo,
         j->o->store, j->known - j->had, j->had, j->failed);
  if (left != 0 && j->stop != 0 && j->o->engine == kSweepSlurm)
    printf("; the array job %s goes on: the same command waits for it, `scancel %s` ends it", j->id, j->id);
  else if (left != 0) printf("; %zu left: the same command goes on", left);
  printf("\n");
  if (fflush(stdout) != 0) return cli_unwritten("the result");
  return st != kWgOk || left != 0 || j->failed != 0 ? kCliFail : kCliPass;
}

/* ---- all of it ---- */

static int catch_signals(sigset_t *before) {
  static const int kAsked[] = {SIGINT, SIGTERM, SIGHUP};
  sigset_t set;
  sigemptyset(&set);
  for (size_t i = 0; i < sizeof kAsked / sizeof kAsked[0]; i++) {
    struct sigaction was;
    if (sigaction(kAsked[i], NULL, &was) == 0 && was.sa_handler == SIG_DFL) sigaddset(&set, kAsked[i]);
  }
  (void)sigprocmask(SIG_BLOCK, &set, before);
  return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

/* Submit what is missing once and wait; before that, wait for an array job that an earlier call submitted. */
static wg_status_t work(sweep_job_t *j, wg_diag_t *diag) {
  unsigned waiting = 0, running = 0;
  bool retry = j->o->retry;
  WG_TRY(gather(j, retry, diag));
  j->had = j->known;
  if (!any_missing(j)) return kWgOk;
  if (j->o->engine == kSweepSlurm) WG_TRY(sweep_submit_alive(j, &waiting, &running, diag));
  if (waiting + running != 0) {
    fprintf(stderr, "warpglass: the array job %s of this sweep still has %u tasks: waiting for it\n", j->id,
            waiting + running);
    WG_TRY(sweep_submit_wait(j, diag));
    if (j->stop == 0) WG_TRY(gather(j, false, diag)); /* that job has seen to --retry, if it was asked for */
    if (j->stop != 0 || !any_missing(j)) return kWgOk;
  }
  WG_TRY(sweep_submit_script(j, diag));
  WG_TRY(sweep_submit(j, diag));
  WG_TRY(write_record(j, diag));
  WG_TRY(sweep_submit_wait(j, diag));
  if (j->stop != 0 && j->o->engine == kSweepSlurm) return kWgOk;
  return gather(j, false, diag);
}

static int run_job(sweep_job_t *j) {
  wg_diag_t d;
  sigset_t before;
  memset(&d, 0, sizeof d);
  bool there = access(j->o->store, F_OK) == 0;
  if (sweep_submit_check(j->o, &d) != kWgOk || sweep_store_open(j->o->store, kSweepCreate, &j->store, &d) != kWgOk)
    return cli_diag(&d);
  wg_status_t st = sweep_store_mend(j->store, &d);
  if (st == kWgOk) st = open_folder(j, &d);
  j->missing = calloc(kSweepMaxTasks, sizeof *j->missing);
  if (st == kWgOk && j->missing == NULL) st = wg_fail(&d, kWgNoSpace, "out of memory");
  bool begun = st == kWgOk;
  j->signals = catch_signals(&before);
  if (st == kWgOk && j->signals < 0) st = wg_fail(&d, kWgIo, "cannot wait for signals: %s", strerror(errno));
  if (st == kWgOk) st = work(j, &d);
  bool refused = st != kWgOk && j->made && j->id[0] == '\0' && j->o->engine == kSweepSlurm; /* nothing was begun */
  int rc = begun && !refused ? summary(j, st, &d) : cli_diag(&d);
  if ((begun && st == kWgOk && j->known == j->num_todo) || (j->made && (refused || !begun))) remove_folder(j);
  if ((refused || !begun) && !there) sweep_store_remove(j->store);
  else sweep_store_close(j->store);
  if (j->signals >= 0) close(j->signals);
  (void)sigprocmask(SIG_SETMASK, &before, NULL);
  if (j->stop != 0) { /* whoever called must see that it was the signal */
    (void)signal(j->stop, SIG_DFL);
    (void)raise(j->stop);
  }
  return rc;
}

int sweep_engine_run(const sweep_plan_t *p, const sweep_options_t *o) {
  sweep_job_t j = {.plan = p, .o = o, .tasks = o->tasks, .signals = -1};
  (void)signal(SIGXFSZ, SIG_IGN);
  int rc = sweep_todo_make(p, o->golden, o->from, o->to, &j.todo, &j.num_todo);
  sweep_todo_digest(j.todo, rc == kCliPass ? j.num_todo : 0, j.digest);
  if (rc == kCliPass) rc = run_job(&j);
  free(j.missing);
  free(j.todo);
  return rc;
}
