// SPDX-License-Identifier: Apache-2.0
//
// Run the points of a plan that a store does not have, some at a time, each recorded as soon as it has ended.
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cosim/cli/cli.h"
#include "cosim/sweep/sweep.h"

typedef struct sweeper {
  const sweep_plan_t *plan;
  const sweep_options_t *o;
  sweep_store_t *store;
  char *provenance;
  sweep_todo_t *todo; /* [num_todo] points of the range, each key once */
  size_t num_todo, next;
  size_t known, known_failed; /* of the range, already in the store */
  size_t done, failed;        /* in this process */
  sweep_child_t *child;       /* [o->jobs] */
  unsigned running;
  int signals; /* signalfd */
  int stop;    /* a signal asked for the end: its number */
  bool gone;    /* the store was removed */
  bool changed; /* a file of a key was, while the sweep ran */
  bool bar;
  double begun, drawn;
  size_t told; /* points that the last line without a terminal told */
} sweeper_t;

/* ---- what is to be done ---- */

static int by_index(const void *a, const void *b) {
  const sweep_todo_t *x = a, *y = b;
  return x->index < y->index ? -1 : 1;
}

static int check_points(sweeper_t *s) {
  char hex[kSweepHex];
  int rc = sweep_todo_make(s->plan, s->o->golden, s->o->from, s->o->to, &s->todo, &s->num_todo);
  if (rc != kCliPass) return rc;
  sweep_todo_digest(s->todo, s->num_todo, hex);
  if (s->o->digest != NULL && strcmp(s->o->digest, hex) != 0)
    return cli_usage("the same build of warpglass and of the programs, and the same presets, on every machine",
                     "the points of this plan are other ones here than where the sweep was begun");
  if (s->o->parts != 0) s->num_todo = sweep_todo_part(s->todo, s->num_todo, s->o->part, s->o->parts);
  return kCliPass;
}

/* Points of the store that the option --have names: of those that failed, --retry means these, and our own store's are
 * what came of it. */
static wg_status_t read_have(sweeper_t *s, sweep_known_t **known, size_t *n, wg_diag_t *diag) {
  sweep_store_t *have = NULL;
  *known = NULL;
  *n = 0;
  if (s->o->have == NULL) return kWgOk;
  WG_TRY(sweep_store_open(s->o->have, kSweepRead, &have, diag));
  wg_status_t st = sweep_store_known(have, true, known, n, diag);
  sweep_store_close(have);
  return st;
}

static wg_status_t drop_known(sweeper_t *s, wg_diag_t *diag) {
  size_t kept = 0, num_ours = 0, num_have = 0;
  sweep_known_t *ours = NULL, *have = NULL;
  wg_status_t st = sweep_store_known(s->store, false, &ours, &num_ours, diag);
  /* after our own lock: what has left the one is in the other */
  if (st == kWgOk) st = read_have(s, &have, &num_have, diag);
  for (size_t i = 0; st == kWgOk && i < s->num_todo; i++) {
    int has = sweep_known_has(ours, num_ours, s->todo[i].key);
    bool again = s->o->retry && (has == 0 || s->o->have == NULL);
    if (has == 0) has = sweep_known_has(have, num_have, s->todo[i].key);
    if (has == 2 && again) has = 0;
    if (has == 0) s->todo[kept++] = s->todo[i];
    else s->known++;
    if (has == 2) s->known_failed++;
  }
  free(ours);
  free(have);
  if (st != kWgOk) return st;
  s->num_todo = kept;
  if (kept != 0) qsort(s->todo, s->num_todo, sizeof *s->todo, by_index);
  return kWgOk;
}

/* ---- progress ---- */

static void duration(double seconds, char *out, size_t n) {
  unsigned long t = seconds < 0 ? 0 : (unsigned long)(seconds + 0.5);
  if (t >= 3600) snprintf(out, n, "%luh%02lum", t / 3600, t / 60 % 60);
  else if (t >= 60) snprintf(out, n, "%lum%02lus", t / 60, t % 60);
  else snprintf(out, n, "%lus", t);
}

/* Where nobody looks at a terminal: how many points there are; then a line for each tenth of them or each half minute
 * in which some have ended, but none within a second. A task of several machines tells nothing: its log is for
 * failures. */
static bool line_is_due(sweeper_t *s, double t) {
  size_t fresh = s->done - s->told;
  if (s->o->parts != 0 || s->num_todo < 2) return false;
  if (s->drawn == 0.0) return true;
  return t - s->drawn >= 1.0 && s->running != 0 && fresh != 0 && (fresh * 10 >= s->num_todo || t - s->drawn >= 30.0);
}

static void draw(sweeper_t *s) {
  enum { kCells = 24 };
  char bar[kCells + 1], left[32] = "";
  double t = sweep_now();
  if (s->bar ? t - s->drawn < 0.2 : !line_is_due(s, t)) return;
  s->drawn = t;
  s->told = s->done;
  size_t all = s->num_todo + s->known, at = s->done + s->known;
  for (size_t i = 0; i < kCells; i++) bar[i] = i < (all == 0 ? kCells : at * kCells / all) ? '#' : '.';
  bar[kCells] = '\0';
  if (s->done != 0) {
    char text[24];
    duration((t - s->begun) / (double)s->done * (double)(s->num_todo - s->done), text, sizeof text);
    snprintf(left, sizeof left, ", about %s left", text);
  }
  if (!s->bar) {
    fprintf(stderr, "warpglass: %zu of %zu points, %zu failed, %u running%s\n", at, all, s->failed + s->known_failed,
            s->running, left);
    return;
  }
  fprintf(stderr, "\r\033[K[%s] %zu of %zu points, %zu failed, %u running%s", bar, at, all,
          s->failed + s->known_failed, s->running, left);
}

static void clear(const sweeper_t *s) {
  if (s->bar) fputs("\r\033[K", stderr);
}

/* ---- children ---- */

static void kill_all(sweeper_t *s, int sig) {
  for (unsigned i = 0; i < s->o->jobs; i++) {
    if (s->child[i].pid > 0) (void)kill(sig == SIGKILL ? -s->child[i].pid : s->child[i].pid, sig);
  }
}

/* A build that changed under the sweep: what ran with it, or may have, is of neither key. */
static wg_status_t changed(sweeper_t *s, const sweep_file_t *f, wg_diag_t *diag) {
  s->changed = true;
  if (diag != NULL)
    snprintf(diag->hint, sizeof diag->hint,
             "the same command runs the points with the new build; the store keeps both");
  if (f == NULL)
    return wg_fail(diag, kWgBadInput, "a preset was changed while the sweep ran, which stops: its points so far are "
                                      "kept");
  return wg_fail(diag, kWgBadInput,
                 "the %s '%s' was changed while the sweep ran, which stops: its points so far are kept", f->what,
                 f->path);
}

/* Remake a point that is about to be run: does it still have the key that it was listed by? */
static wg_status_t make_again(sweeper_t *s, const sweep_todo_t *t, sweep_point_t *p, wg_diag_t *diag) {
  wg_status_t st = sweep_point_make(s->plan, t->index, s->o->golden, p, diag);
  bool same = st == kWgOk && strcmp(p->key, t->key) == 0;
  if (same) return kWgOk;
  const sweep_file_t *f = sweep_files_changed();
  if (st == kWgOk) sweep_point_free(p);
  return st == kWgOk || f != NULL ? changed(s, f, diag) : st;
}

static wg_status_t start_some(sweeper_t *s, wg_diag_t *diag) {
  for (unsigned i = 0; i < s->o->jobs && s->next < s->num_todo && s->stop == 0; i++) {
    if (s->child[i].pid != 0) continue;
    sweep_point_t p;
    WG_TRY(make_again(s, &s->todo[s->next], &p, diag));
    wg_status_t st = sweep_child_start(&s->child[i], &p, s->o, diag);
    sweep_point_free(&p);
    if (st != kWgOk) return st;
    s->next++;
    s->running++;
  }
  return kWgOk;
}

static wg_status_t finish(sweeper_t *s, sweep_child_t *c, int status, wg_diag_t *diag) {
  sweep_result_t r;
  char what[512];
  wg_status_t st = kWgOk;
  sweep_child_end(c, status, s->o->timeout_s, &r);
  s->running--;
  /* a file that was away for a moment and came back the same may be why a run failed */
  const sweep_file_t *other = s->stop == 0 ? sweep_point_changed(&c->point, !r.ok) : NULL;
  if (other != NULL) {
    st = changed(s, other, diag);
  } else if (s->stop == 0) { /* else it was cut short by our own signal */
    st = sweep_store_put(s->store, &c->point, &r, s->provenance, diag);
    if (st == kWgOk) s->done++;
    if (st == kWgOk && !r.ok) {
      s->failed++;
      clear(s);
      sweep_point_describe(s->plan, c->point.index, what, sizeof what);
      fprintf(stderr, "warpglass: point %llu failed: %s: %s\n", (unsigned long long)c->point.index, what, r.message);
    }
  }
  sweep_result_free(&r);
  sweep_point_free(&c->point);
  return st;
}

static wg_status_t reap(sweeper_t *s, wg_diag_t *diag) {
  wg_status_t st = kWgOk;
  for (unsigned i = 0; i < s->o->jobs; i++) {
    sweep_child_t *c = &s->child[i];
    int status = 0;
    if (c->pid <= 0 || waitpid(c->pid, &status, WNOHANG) != c->pid) continue;
    wg_status_t one = finish(s, c, status, st == kWgOk ? diag : NULL);
    if (st == kWgOk) st = one;
  }
  return st;
}

static void take_signals(sweeper_t *s) {
  struct signalfd_siginfo info;
  while (read(s->signals, &info, sizeof info) == sizeof info) {
    if (info.ssi_signo == SIGCHLD) continue;
    kill_all(s, s->stop == 0 ? SIGTERM : SIGKILL); /* who asks twice means it */
    s->stop = (int)info.ssi_signo;
  }
}

static void check_time(sweeper_t *s) {
  double now = sweep_now();
  for (unsigned i = 0; s->o->timeout_s != 0 && i < s->o->jobs; i++) {
    sweep_child_t *c = &s->child[i];
    if (c->pid <= 0 || now - c->begun < s->o->timeout_s) continue;
    bool again = c->timed_out && now - c->begun > s->o->timeout_s + 5.0;
    if (!c->timed_out || again) (void)kill(again ? -c->pid : c->pid, again ? SIGKILL : SIGTERM);
    c->timed_out = true;
  }
}

static void wait_for_something(sweeper_t *s, struct pollfd *f) {
  nfds_t n = 0;
  f[n++] = (struct pollfd){.fd = s->signals, .events = POLLIN};
  for (unsigned i = 0; i < s->o->jobs; i++) {
    if (s->child[i].pid <= 0) continue;
    f[n++] = (struct pollfd){.fd = s->child[i].out, .events = POLLIN}; /* -1 is passed over */
    f[n++] = (struct pollfd){.fd = s->child[i].err, .events = POLLIN};
  }
  (void)poll(f, n, 500);
  take_signals(s);
  for (unsigned i = 0; i < s->o->jobs; i++) {
    if (s->child[i].pid <= 0) continue;
    sweep_child_read(&s->child[i], &s->child[i].out);
    sweep_child_read(&s->child[i], &s->child[i].err);
  }
}

/* After a failure of ours: nothing runs on. */
static void abandon(sweeper_t *s) {
  kill_all(s, SIGTERM);
  double end = sweep_now() + 5.0;
  s->stop = s->stop == 0 ? SIGTERM : s->stop;
  while (s->running != 0) {
    (void)reap(s, NULL);
    if (sweep_now() > end) kill_all(s, SIGKILL);
    (void)usleep(2000);
  }
}

static wg_status_t loop(sweeper_t *s, wg_diag_t *diag) {
  struct pollfd *f = calloc(1 + 2 * (size_t)s->o->jobs, sizeof *f);
  wg_status_t st = f == NULL ? wg_fail(diag, kWgNoSpace, "out of memory") : kWgOk;
  while (st == kWgOk && (s->running != 0 || (s->next < s->num_todo && s->stop == 0))) {
    st = start_some(s, diag);
    draw(s);
    if (st == kWgOk && s->running != 0) wait_for_something(s, f);
    check_time(s);
    if (st == kWgOk) st = reap(s, diag);
    if (st == kWgOk) st = sweep_store_there(s->store, diag); /* told now, not with the end of a long run */
  }
  if (st != kWgOk) abandon(s);
  free(f);
  return st;
}

/* Signals become readable; those that the caller ignores stay so. */
static int catch_signals(sigset_t *before) {
  static const int kAsked[] = {SIGINT, SIGTERM, SIGHUP};
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGCHLD);
  for (size_t i = 0; i < sizeof kAsked / sizeof kAsked[0]; i++) {
    struct sigaction was;
    if (sigaction(kAsked[i], NULL, &was) == 0 && was.sa_handler == SIG_DFL) sigaddset(&set, kAsked[i]);
  }
  (void)sigprocmask(SIG_BLOCK, &set, before);
  return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

static int summary(sweeper_t *s, wg_status_t st, const wg_diag_t *d) {
  size_t all = s->num_todo + s->known, left = s->num_todo - s->done, failed = s->failed + s->known_failed;
  clear(s);
  if (st != kWgOk) (void)cli_diag(d);
  if (s->gone) {
    printf("sweep: 0 of %zu points in '%s': it is gone, with the %zu that were run now and the %zu that were there\n",
           all, s->o->store, s->done, s->known);
    return kCliFail;
  }
  printf("sweep: %zu of %zu points in '%s': %zu run now, %zu were there; %zu failed", all - left, all, s->o->store,
         s->done, s->known, failed);
  if (left != 0 && s->changed) printf("; %zu were not run with this build", left);
  else if (left != 0) printf("; %zu left: the same command goes on", left);
  printf("\n");
  if (fflush(stdout) != 0) return cli_unwritten("the result");
  /* a task is done when its points are: an engine would begin it again for nothing */
  return st != kWgOk || left != 0 || (failed != 0 && s->o->parts == 0) ? kCliFail : kCliPass;
}

static int run_all(sweeper_t *s) {
  wg_diag_t d;
  sigset_t before;
  memset(&d, 0, sizeof d);
  if (sweep_store_open(s->o->store, s->o->wait ? kSweepWait : kSweepCreate, &s->store, &d) != kWgOk)
    return cli_diag(&d);
  if (sweep_store_mend(s->store, &d) != kWgOk || drop_known(s, &d) != kWgOk) {
    sweep_store_close(s->store);
    return cli_diag(&d);
  }
  s->provenance = sweep_provenance();
  s->child = calloc(s->o->jobs, sizeof *s->child);
  s->signals = catch_signals(&before);
  wg_status_t st = kWgOk;
  if (s->child == NULL || s->provenance == NULL) st = wg_fail(&d, kWgNoSpace, "out of memory");
  else if (s->signals < 0) st = wg_fail(&d, kWgIo, "cannot wait for signals: %s", strerror(errno));
  s->bar = isatty(2) == 1;
  s->begun = sweep_now();
  if (st == kWgOk) st = loop(s, &d);
  s->gone = sweep_store_there(s->store, NULL) != kWgOk;
  sweep_store_close(s->store);
  int rc = summary(s, st, &d);
  if (s->signals >= 0) close(s->signals);
  (void)sigprocmask(SIG_SETMASK, &before, NULL);
  free(s->child);
  free(s->provenance);
  if (s->stop != 0 && st == kWgOk) { /* whoever called must see that it was the signal */
    (void)signal(s->stop, SIG_DFL);
    (void)raise(s->stop);
  }
  return rc;
}

int sweep_run(const sweep_plan_t *p, const sweep_options_t *o) {
  sweeper_t s = {.plan = p, .o = o};
  char record[4200];
  int n = snprintf(record, sizeof record, "%s-parts/sweep.job", o->store);
  if (n > 0 && (size_t)n < sizeof record && access(record, F_OK) == 0)
    return cli_usage("end it by the same command with its --engine; or merge the parts, and remove that folder",
                     "a sweep on several machines into '%s' is under way in '%s-parts'", o->store, o->store);
  (void)signal(SIGXFSZ, SIG_IGN); /* a file at its limit is a full disk: SQLite says so */
  int rc = check_points(&s);
  if (rc == kCliPass) rc = run_all(&s);
  free(s.todo);
  return rc;
}
