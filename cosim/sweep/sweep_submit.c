// SPDX-License-Identifier: Apache-2.0
//
// The commands of Slurm (sbatch, squeue) and of GNU parallel: tasks are handed over and waited for.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cosim/sweep/sweep_job.h"

/* ---- commands ---- */

/* Words of a command; those that were made here are its own. */
typedef struct words {
  char *w[kSweepMaxTasks + 64];
  size_t n;
  bool full;
} words_t;

static void word(words_t *c, const char *fmt, ...) WG_PRINTF(2, 3);
static void word(words_t *c, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  c->full = c->full || c->n + 1 >= sizeof c->w / sizeof c->w[0] || vasprintf(&c->w[c->n], fmt, ap) < 0;
  if (!c->full) c->w[++c->n] = NULL;
  va_end(ap);
}

/* The user's words, split at blanks. */
static void more_words(words_t *c, const char *text) {
  for (const char *p = text == NULL ? "" : text; *(p += strspn(p, " \t\n")) != '\0'; p += strcspn(p, " \t\n"))
    word(c, "%.*s", (int)strcspn(p, " \t\n"), p);
}

static void free_words(words_t *c) {
  for (size_t i = 0; i < c->n; i++) free(c->w[i]);
}

/* Start a command with stdout and stderr in `out` and `err`. @return its process, -1: errno */
static int start(const words_t *c, int out, int err) {
  int parent = getpid();
  fflush(NULL);
  int pid = fork();
  if (pid != 0) return pid;
  sigset_t none;
  sigemptyset(&none);
  (void)sigprocmask(SIG_SETMASK, &none, NULL);
  (void)prctl(PR_SET_PDEATHSIG, SIGTERM);
  int null = open("/dev/null", O_RDONLY);
  if (getppid() != parent || null < 0 || dup2(null, 0) < 0 || dup2(out, 1) < 0 || dup2(err, 2) < 0) _exit(126);
  execvp(c->w[0], c->w);
  _exit(errno == ENOENT ? 127 : 126);
}

static void read_back(int fd, char *out, size_t n) {
  ssize_t got = pread(fd, out, n - 1, 0);
  out[got < 0 ? 0 : got] = '\0';
  for (size_t len = strlen(out); len > 0 && strchr(" \n\r\t", out[len - 1]) != NULL; len--) out[len - 1] = '\0';
}

/* Run a command to its end. @param out [n] its stdout @param err [n] its stderr @return exit code; -1: it was killed,
 * or errno */
static int command(const words_t *c, char *out, char *err, size_t n) {
  int fd[2] = {memfd_create("out", MFD_CLOEXEC), memfd_create("err", MFD_CLOEXEC)}, status = -1;
  int pid = c->full || fd[0] < 0 || fd[1] < 0 ? -1 : start(c, fd[0], fd[1]);
  out[0] = err[0] = '\0';
  while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR) {}
  for (int i = 0; i < 2; i++) {
    if (fd[i] < 0) continue;
    read_back(fd[i], i == 0 ? out : err, n);
    close(fd[i]);
  }
  return pid > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* The last line, for a sentence. */
static const char *line_of(char *text) {
  char *last = strrchr(text, '\n');
  last = last == NULL ? text : last + 1;
  return last[0] == '\0' ? "it gives no reason" : last;
}

/* Is there a command of that name? It is not started: Slurm's look for their cluster, which may take a minute. */
static bool on_path(const char *name) {
  char path[4200];
  const char *dirs = getenv("PATH");
  for (const char *d = dirs == NULL ? "" : dirs; *d != '\0';) {
    int len = (int)strcspn(d, ":");
    snprintf(path, sizeof path, "%.*s/%s", len, d, name);
    if (len < 4000 && access(path, X_OK) == 0) return true;
    d += len + (d[len] == ':');
  }
  return false;
}

static wg_status_t no_command(const char *name, const char *package, wg_diag_t *diag) {
  if (diag != NULL)
    snprintf(diag->hint, sizeof diag->hint, "install it (Debian: apt-get install %s), or go to a machine that has it",
             package);
  return wg_fail(diag, kWgNotFound, "there is no command '%s' here", name);
}

wg_status_t sweep_submit_check(const sweep_options_t *o, wg_diag_t *diag) {
  static const struct {
    sweep_engine_t engine;
    const char *name, *package;
  } kNeeded[] = {{kSweepSlurm, "sbatch", "slurm-client"},
                 {kSweepSlurm, "squeue", "slurm-client"},
                 {kSweepParallel, "parallel", "parallel"},
                 {kSweepParallel, "ssh", "openssh-client"}};
  char out[4096], err[4096];
  for (size_t i = 0; i < sizeof kNeeded / sizeof kNeeded[0]; i++) {
    if (kNeeded[i].engine == o->engine && !on_path(kNeeded[i].name))
      return no_command(kNeeded[i].name, kNeeded[i].package, diag);
  }
  if (o->engine != kSweepParallel) return kWgOk;
  words_t c = {.n = 0};
  word(&c, "parallel");
  word(&c, "--version");
  int rc = command(&c, out, err, sizeof out);
  free_words(&c);
  if (rc == 0 && strstr(out, "GNU parallel") != NULL) return kWgOk;
  if (diag != NULL) snprintf(diag->hint, sizeof diag->hint, "install GNU parallel (Debian: apt-get install parallel)");
  return wg_fail(diag, kWgBadInput, "the command 'parallel' here is another program of that name");
}

/* ---- what a task does ---- */

/* A word for the shell. */
static void quoted(FILE *f, const char *text) {
  fputc('\'', f);
  for (; *text != '\0'; text++) {
    if (*text == '\'') fputs("'\\''", f);
    else fputc(*text, f);
  }
  fputc('\'', f);
}

static void put_option(FILE *f, const char *name, const char *value) {
  if (value == NULL) return;
  fprintf(f, " \\\n  %s ", name);
  quoted(f, value);
}

static void put_number(FILE *f, const char *name, uint64_t value) {
  if (value != 0) fprintf(f, " \\\n  %s %llu", name, (unsigned long long)value);
}

static void put_script(FILE *f, const sweep_job_t *j, const char *self, const char *cwd) {
  char path[4200];
  const char *home = getenv("WARPGLASS_HOME");
  fputs("#!/bin/sh\n# SPDX-License-Identifier: Apache-2.0\n"
        "# Made by warpglass: one task of a sweep. Its number is the first word, or Slurm's.\n"
        "k=${1:-$SLURM_ARRAY_TASK_ID}\nexec >>", f);
  quoted(f, sweep_job_file(j, path, "task-"));
  fputs("\"$k.log\" 2>&1 || exit 2\necho \"$(date -u +%Y-%m-%dT%H:%M:%SZ) task $k on $(uname -n)\"\ncd ", f);
  quoted(f, cwd);
  fputs(" || exit 2\nunset WARPGLASS\n", f);
  if (home != NULL) {
    fputs("export WARPGLASS_HOME=", f);
    quoted(f, home);
    fputs("\n", f);
  }
  fputs("exec ", f);
  quoted(f, self);
  fputs(" sweep run", f);
  put_option(f, "--plan", sweep_job_file(j, path, "sweep.plan"));
  fprintf(f, " \\\n  --part \"$k/%u\" --wait --digest %s \\\n  --store ", j->tasks, j->digest);
  quoted(f, sweep_job_file(j, path, "part-"));
  fputs("\"$k.db\"", f);
  put_option(f, "--have", j->store_path);
  fprintf(f, " \\\n  --points %llu..%llu", (unsigned long long)j->o->from, (unsigned long long)j->o->to);
  put_option(f, "--golden", j->o->golden);
  put_number(f, "-j", j->o->jobs);
  put_number(f, "--threads", j->o->threads);
  put_number(f, "--timeout", j->o->timeout_s);
  fputs(j->o->retry ? " --retry\n" : "\n", f);
}

wg_status_t sweep_submit_script(const sweep_job_t *j, wg_diag_t *diag) {
  char path[4200], fresh[4200], self[4096], cwd[4096];
  ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
  if (n < 0 || getcwd(cwd, sizeof cwd) == NULL)
    return wg_fail(diag, kWgIo, "the program's own path or folder has no name: %s", strerror(errno));
  self[n] = '\0';
  FILE *f = fopen(sweep_job_file(j, fresh, "task.new"), "w");
  if (f == NULL) return wg_fail(diag, kWgIo, "cannot write '%s': %s", fresh, strerror(errno));
  put_script(f, j, self, cwd);
  bool bad = ferror(f) != 0;
  if ((fclose(f) != 0) | bad || rename(fresh, sweep_job_file(j, path, "task.sh")) != 0)
    return wg_fail(diag, kWgIo, "cannot write '%s': %s", fresh, strerror(errno));
  return kWgOk;
}

/* ---- Slurm ---- */

/* "0-3,7": the tasks that miss something. */
static void array_of(const sweep_job_t *j, char *out, size_t n) {
  size_t used = 0;
  for (unsigned a = 0; a < j->tasks && used < n; a++) {
    if (!j->missing[a]) continue;
    unsigned b = a;
    while (b + 1 < j->tasks && j->missing[b + 1]) b++;
    used += (size_t)snprintf(out + used, n - used, "%s%u", used == 0 ? "" : ",", a);
    if (b != a && used < n) used += (size_t)snprintf(out + used, n - used, "-%u", b);
    a = b;
  }
}

static wg_status_t submit_slurm(sweep_job_t *j, wg_diag_t *diag) {
  char path[4200], array[kSweepMaxTasks * 5], out[4096], err[4096];
  words_t c = {.n = 0};
  unsigned threads = j->o->threads == 0 ? 1 : j->o->threads;
  array_of(j, array, sizeof array);
  word(&c, "sbatch");
  word(&c, "--parsable");
  word(&c, "--requeue"); /* a node that fails: its tasks begin again elsewhere, where they were */
  word(&c, "--open-mode=append");
  word(&c, "--job-name=warpglass-%.8s", j->digest);
  word(&c, "--array=%s", array);
  word(&c, "--cpus-per-task=%u", j->o->jobs * threads);
  word(&c, "--output=%s", sweep_job_file(j, path, "slurm-%%a.log"));
  more_words(&c, j->o->engine_args);
  word(&c, "%s", sweep_job_file(j, path, "task.sh"));
  int rc = command(&c, out, err, sizeof out);
  free_words(&c);
  if (rc != 0 || out[0] < '0' || out[0] > '9') {
    if (diag != NULL)
      snprintf(diag->hint, sizeof diag->hint, "sinfo tells what the cluster has; --engine-args goes to sbatch");
    return wg_fail(diag, kWgBadInput, "sbatch did not take the tasks: %s", line_of(err[0] != '\0' ? err : out));
  }
  snprintf(j->id, sizeof j->id, "%.*s", (int)strspn(out, "0123456789"), out);
  return kWgOk;
}

wg_status_t sweep_submit_alive(const sweep_job_t *j, unsigned *waiting, unsigned *running, wg_diag_t *diag) {
  enum { kMost = 1 << 20 };
  words_t c = {.n = 0};
  *waiting = *running = 0;
  if (j->id[0] == '\0') return kWgOk;
  char *out = malloc(kMost), *err = malloc(kMost), *save = NULL;
  word(&c, "squeue");
  word(&c, "--noheader");
  word(&c, "--array");
  word(&c, "--jobs=%s", j->id);
  word(&c, "--name=warpglass-%.8s", j->digest); /* numbers of jobs are used again */
  word(&c, "--format=%%T");
  wg_status_t st = kWgOk;
  if (out == NULL || err == NULL) st = wg_fail(diag, kWgNoSpace, "out of memory");
  else if (command(&c, out, err, kMost) != 0 && strstr(err, "Invalid job id") == NULL)
    st = wg_fail(diag, kWgIo, "Slurm does not answer: %s", line_of(err));
  for (char *w = st == kWgOk ? strtok_r(out, " \n", &save) : NULL; w != NULL; w = strtok_r(NULL, " \n", &save)) {
    /* what is completing on a node that is gone may stay so for long; its part's lock tells of a task that runs */
    if (strcmp(w, "RUNNING") == 0) (*running)++;
    else if (strcmp(w, "COMPLETING") != 0) (*waiting)++;
  }
  free_words(&c);
  free(out);
  free(err);
  return st;
}

/* ---- GNU parallel ---- */

static wg_status_t start_parallel(sweep_job_t *j, int *pid, wg_diag_t *diag) {
  char path[4200];
  words_t c = {.n = 0};
  int log = open(sweep_job_file(j, path, "parallel.log"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (log < 0) return wg_fail(diag, kWgIo, "cannot write '%s': %s", path, strerror(errno));
  word(&c, "parallel");
  word(&c, "--plain"); /* the user's profiles are for other jobs */
  word(&c, "--will-cite");
  word(&c, "--retries");
  word(&c, "3"); /* on another host, if one fails */
  for (const char *h = j->o->hosts; *(h += strspn(h, " ,\t\n")) != '\0'; h += strcspn(h, " ,\t\n")) {
    word(&c, "--sshlogin");
    word(&c, "%.*s", (int)strcspn(h, " ,\t\n"), h);
  }
  more_words(&c, j->o->engine_args);
  word(&c, "--quote");
  word(&c, "/bin/sh");
  word(&c, "%s", sweep_job_file(j, path, "task.sh"));
  word(&c, ":::");
  for (unsigned k = 0; k < j->tasks; k++) {
    if (j->missing[k]) word(&c, "%u", k);
  }
  *pid = c.full ? -1 : start(&c, log, log);
  free_words(&c);
  close(log);
  return *pid > 0 ? kWgOk : wg_fail(diag, kWgIo, "cannot start parallel: %s", strerror(errno));
}

/* ---- waiting ---- */

wg_status_t sweep_submit(sweep_job_t *j, wg_diag_t *diag) {
  return j->o->engine == kSweepSlurm ? submit_slurm(j, diag) : kWgOk; /* parallel lives as long as we wait */
}

static void draw(const sweep_job_t *j, const char *what) {
  enum { kCells = 24 };
  static double drawn; /* a process waits for one sweep */
  static size_t told;
  char bar[kCells + 1];
  bool terminal = isatty(2) == 1;
  double now = sweep_now();
  if (!terminal && drawn != 0.0 && now - drawn < 1.0) return; /* a log takes a line at times, not a picture */
  size_t at = sweep_job_progress(j) + j->known;
  if (at > j->num_todo) at = j->num_todo;
  if (!terminal) {
    size_t fresh = at - told;
    if (drawn != 0.0 && (fresh == 0 || (fresh * 10 < j->num_todo && now - drawn < 30.0))) return;
    drawn = now;
    told = at;
    fprintf(stderr, "warpglass: %zu of %zu points, %s\n", at, j->num_todo, what);
    return;
  }
  for (size_t i = 0; i < kCells; i++) bar[i] = i < at * kCells / j->num_todo ? '#' : '.';
  bar[kCells] = '\0';
  fprintf(stderr, "\r\033[K[%s] %zu of %zu points, %s", bar, at, j->num_todo, what);
}

/* Up to `ms`, or until a signal comes. */
static void pause_for(sweep_job_t *j, int ms) {
  struct pollfd f = {.fd = j->signals, .events = POLLIN};
  struct signalfd_siginfo info;
  if (poll(&f, 1, ms) > 0 && read(j->signals, &info, sizeof info) == sizeof info) j->stop = (int)info.ssi_signo;
}

static wg_status_t wait_slurm(sweep_job_t *j, wg_diag_t *diag) {
  static const double kPatience_s = 600;
  char what[96];
  double begun = sweep_now(), answered = begun;
  while (j->stop == 0) {
    unsigned waiting = 0, running = 0;
    double now = sweep_now();
    wg_status_t st = sweep_submit_alive(j, &waiting, &running, diag);
    if (st == kWgOk && waiting + running == 0) return kWgOk;
    if (st == kWgOk) answered = now;
    else if (now - answered > kPatience_s) return st; /* its controller may be away for a while */
    snprintf(what, sizeof what, "job %s: %u tasks run, %u wait", j->id, running, waiting);
    draw(j, what);
    pause_for(j, now - begun > 90 ? 10000 : 500 + (int)(now - begun) * 100);
  }
  return kWgOk;
}

static wg_status_t wait_parallel(sweep_job_t *j, wg_diag_t *diag) {
  int pid = 0, status = 0, asked = 0;
  WG_TRY(start_parallel(j, &pid, diag));
  while (waitpid(pid, &status, WNOHANG) == 0) {
    draw(j, "parallel runs");
    if (j->stop != 0 && asked < 2) { /* the first stops it from starting more, the second ends what runs */
      (void)kill(pid, SIGTERM);
      asked++;
    }
    pause_for(j, 200);
  }
  return kWgOk;
}

wg_status_t sweep_submit_wait(sweep_job_t *j, wg_diag_t *diag) {
  wg_status_t st = j->o->engine == kSweepSlurm ? wait_slurm(j, diag) : wait_parallel(j, diag);
  if (isatty(2) == 1) fputs("\r\033[K", stderr);
  return st;
}
