// SPDX-License-Identifier: Apache-2.0
//
// One run as a child process: this very command, `warpglass run`, with its JSON document in a file of memory. It ends
// when this process ends, however that happens.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cosim/sweep/sweep.h"

double sweep_now(void) {
  struct timespec t;
  (void)clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* In the child: never returns. */
static void execute(const sweep_child_t *c, const sweep_options_t *o, const int out[2], const int err[2],
                    int parent) {
  char json[64], threads[16];
  const char *argv[16];
  size_t n = 0;
  sigset_t none;
  sigemptyset(&none);
  (void)sigprocmask(SIG_SETMASK, &none, NULL);
  (void)signal(SIGXFSZ, SIG_DFL);
  (void)setpgid(0, 0);
  (void)prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent) _exit(126); /* it ended before the line above */
  int null = open("/dev/null", O_RDONLY);
  if (null < 0 || dup2(null, 0) < 0 || dup2(out[1], 1) < 0 || dup2(err[1], 2) < 0) _exit(126);
  snprintf(json, sizeof json, "/proc/self/fd/%d", c->json);
  snprintf(threads, sizeof threads, "%u", o->threads);
  argv[n++] = "warpglass";
  argv[n++] = "run";
  argv[n++] = WG_SWEEP_JSON;
  argv[n++] = json;
  if (o->threads != 0) argv[n++] = "-j", argv[n++] = threads;
  if (o->golden != NULL) argv[n++] = "--golden", argv[n++] = o->golden;
  argv[n++] = "--";
  size_t words = 0;
  while (c->point.argv[words] != NULL) words++;
  const char **all = calloc(n + words + 1, sizeof *all);
  if (all == NULL || setenv("WARPGLASS", c->point.settings, 1) != 0) _exit(126);
  memcpy(all, argv, n * sizeof *all);
  for (size_t i = 0; i < words; i++) all[n + i] = c->point.argv[i];
  execv("/proc/self/exe", (char *const *)(uintptr_t)all);
  _exit(126);
}

static void close_pair(const int p[2]) {
  if (p[0] >= 0) close(p[0]);
  if (p[1] >= 0) close(p[1]);
}

wg_status_t sweep_child_start(sweep_child_t *c, sweep_point_t *point, const sweep_options_t *o, wg_diag_t *diag) {
  int out[2] = {-1, -1}, err[2] = {-1, -1}, parent = getpid();
  memset(c, 0, sizeof *c);
  c->json = memfd_create("warpglass-json", 0);
  bool ok = c->json >= 0 && pipe2(out, O_CLOEXEC) == 0 && pipe2(err, O_CLOEXEC) == 0;
  c->point = *point;
  fflush(NULL);
  c->pid = ok ? fork() : -1;
  if (c->pid == 0) execute(c, o, out, err, parent);
  if (c->pid < 0) {
    wg_status_t st = wg_fail(diag, kWgIo, "cannot start a run: %s", strerror(errno));
    if (c->json >= 0) close(c->json);
    close_pair(out);
    close_pair(err);
    memset(c, 0, sizeof *c);
    return st;
  }
  close(out[1]);
  close(err[1]);
  c->out = out[0];
  c->err = err[0];
  c->begun = sweep_now();
  (void)fcntl(c->json, F_SETFD, FD_CLOEXEC); /* not for the children that follow */
  (void)fcntl(c->out, F_SETFL, O_NONBLOCK);
  (void)fcntl(c->err, F_SETFL, O_NONBLOCK);
  memset(point, 0, sizeof *point);
  return kWgOk;
}

void sweep_child_read(sweep_child_t *c, int *fd) {
  char buf[4096];
  while (*fd >= 0) {
    ssize_t n = read(*fd, buf, sizeof buf);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return;
    if (n <= 0) {
      close(*fd);
      *fd = -1;
      return;
    }
    size_t got = (size_t)n;
    if (fd == &c->out) { /* the last of it */
      if (got + c->num_tail > sizeof c->tail - 1) {
        size_t drop = got + c->num_tail - (sizeof c->tail - 1);
        if (drop > c->num_tail) drop = c->num_tail;
        memmove(c->tail, c->tail + drop, c->num_tail - drop);
        c->num_tail -= drop;
      }
      size_t room = sizeof c->tail - 1 - c->num_tail, skip = got > room ? got - room : 0;
      memcpy(c->tail + c->num_tail, buf + skip, got - skip);
      c->num_tail += got - skip;
    } else {
      size_t room = sizeof c->head - 1 - c->num_head;
      if (got > room) got = room;
      memcpy(c->head + c->num_head, buf, got);
      c->num_head += got;
    }
  }
}

/* The value behind ` name=` in the verdict; "none" is none. */
static void take(const char *line, const char *name, char *out, size_t n) {
  char key[24];
  snprintf(key, sizeof key, " %s=", name);
  const char *at = strstr(line, key);
  out[0] = '\0';
  if (at == NULL) return;
  at += strlen(key);
  snprintf(out, n, "%.*s", (int)strcspn(at, " \n"), at);
  if (strcmp(out, "none") == 0) out[0] = '\0';
}

/* A program may print NULs: to the search for a line they would be the end. */
static void no_nul(char *text, size_t n) {
  for (size_t i = 0; i < n; i++) text[i] = text[i] == '\0' ? ' ' : text[i];
  text[n] = '\0';
}

/* Messages go into tables: one line, printable. */
static void clean(char *text) {
  for (char *p = text; *p != '\0'; p++) {
    if ((unsigned char)*p < 0x20 || *p == 0x7f) *p = ' ';
  }
}

static void verdict(sweep_child_t *c, int status, unsigned timeout_s, sweep_result_t *r) {
  static const char kError[] = "warpglass: error: ";
  char *line = c->tail, *error = strstr(c->head, kError);
  for (char *p = c->tail; (p = strchr(p, '\n')) != NULL && p[1] != '\0';) line = ++p;
  char *end = strchr(line, '\n');
  if (end != NULL) *end = '\0';
  r->ok = WIFEXITED(status) && WEXITSTATUS(status) == 0 && strncmp(line, "PASS ", 5) == 0 && !c->timed_out;
  if (r->ok) {
    take(line, "cycles", r->cycles, sizeof r->cycles);
    take(line, "warp_insts", r->warp_insts, sizeof r->warp_insts);
    take(line, "retire_hash", r->retire_hash, sizeof r->retire_hash);
    return;
  }
  if (c->timed_out) {
    snprintf(r->message, sizeof r->message, "it took longer than %u s of host time", timeout_s);
  } else if (strncmp(line, "FAIL ", 5) == 0) {
    const char *reason = strchr(line + 5, ' ');
    snprintf(r->message, sizeof r->message, "%s", reason == NULL ? "no reason was given" : reason + 1);
  } else if (error != NULL) {
    error += sizeof kError - 1;
    snprintf(r->message, sizeof r->message, "%.*s", (int)strcspn(error, "\n"), error);
  } else if (WIFSIGNALED(status)) {
    snprintf(r->message, sizeof r->message, "warpglass run was killed by signal %d (%s)", WTERMSIG(status),
             strsignal(WTERMSIG(status)));
  } else {
    snprintf(r->message, sizeof r->message, "warpglass run gave no verdict (exit code %d)", WEXITSTATUS(status));
  }
  clean(r->message);
}

void sweep_child_end(sweep_child_t *c, int wait_status, unsigned timeout_s, sweep_result_t *r) {
  wg_diag_t d;
  memset(&d, 0, sizeof d);
  memset(r, 0, sizeof *r);
  (void)kill(-c->pid, SIGKILL); /* what the program started and left behind */
  sweep_child_read(c, &c->out);
  sweep_child_read(c, &c->err);
  if (c->out >= 0) close(c->out); /* somebody else has the other end */
  if (c->err >= 0) close(c->err);
  no_nul(c->tail, c->num_tail);
  no_nul(c->head, c->num_head);
  r->seconds = sweep_now() - c->begun;
  verdict(c, wait_status, timeout_s, r);
  off_t size = lseek(c->json, 0, SEEK_END);
  void *text = r->ok && size > 0 ? mmap(NULL, (size_t)size, PROT_READ, MAP_PRIVATE, c->json, 0) : MAP_FAILED;
  if (r->ok && (text == MAP_FAILED || sweep_stats_read(text, (size_t)size, r, &d) != kWgOk)) {
    r->ok = false;
    snprintf(r->message, sizeof r->message, "%s",
             text == MAP_FAILED ? "warpglass run wrote no JSON document" : d.msg);
  }
  if (text != MAP_FAILED) munmap(text, (size_t)size);
  close(c->json);
  c->pid = 0;
}
