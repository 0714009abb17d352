// SPDX-License-Identifier: Apache-2.0
//
// The prompt: commands from stdin or from a script. What they answer goes to stdout, in order with what the program prints.
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cosim/debug/debug_int.h"

static const char kPrompt[] = "(wg) ";
static volatile sig_atomic_t g_interrupt;
static struct sigaction g_before;
static bool g_caught;

static void on_interrupt(int sig) {
  (void)sig;
  g_interrupt = 1;
}

/* Ctrl-C stops the run and asks. */
static void catch_interrupt(void) {
  struct sigaction act = {.sa_handler = on_interrupt};
  sigemptyset(&act.sa_mask);
  g_caught = sigaction(SIGINT, &act, &g_before) == 0;
}

static void release_interrupt(void) {
  if (g_caught) (void)sigaction(SIGINT, &g_before, NULL);
  g_caught = false;
}

static bool interrupted(wg_debug_t *d) {
  (void)d;
  if (g_interrupt == 0) return false;
  g_interrupt = 0;
  return true;
}

/* The script says something that cannot be done: the run ends, failed. */
static void fail_script(wg_debug_t *d) {
  char why[400];
  d->prompt.bad = true;
  snprintf(why, sizeof why, "debug script '%.200s', line %u: the command cannot be done", d->prompt.path, d->prompt.line);
  dbg_detach(d);
  d->t.give_up(d->t.ctx, why);
}

static void end_of_input(wg_debug_t *d) {
  fprintf(d->out, "%send of commands: the run goes on without the debugger\n", d->prompt.path == NULL ? "\n" : "");
  dbg_detach(d);
}

/* One line without its end. @return false: there is none */
static bool read_line(wg_debug_t *d, char *buf, size_t n) {
  while (fgets(buf, (int)n, d->prompt.in) == NULL) {
    if (!ferror(d->prompt.in) || errno != EINTR) return false;
    clearerr(d->prompt.in); /* Ctrl-C at the prompt: it stands there already */
    g_interrupt = 0;
  }
  d->prompt.line++;
  size_t len = strlen(buf);
  if (len + 1 == n && buf[len - 1] != '\n') { /* longer than any command: `split` will say so */
    for (int c = fgetc(d->prompt.in); c != EOF && c != '\n';) c = fgetc(d->prompt.in);
  }
  buf[strcspn(buf, "\r\n")] = '\0';
  return true;
}

static void stopped(wg_debug_t *d) {
  char line[1024];
  bool asks = d->prompt.path == NULL;
  dbg_show_stop(d);
  for (;;) {
    if (asks) fputs(kPrompt, d->out);
    fflush(d->out);
    if (!read_line(d, line, sizeof line)) {
      end_of_input(d);
      break;
    }
    const char *p = line + strspn(line, " \t");
    if (d->prompt.echo && *p != '\0' && *p != '#') fprintf(d->out, "%s%s\n", asks ? "" : kPrompt, p);
    if (asks && *p == '\0') p = d->prompt.again;
    dbg_answer_t a = dbg_command(d, p);
    if (a == kDbgBad && !asks) {
      fail_script(d);
      break;
    }
    if (a != kDbgGo) continue;
    if (p != d->prompt.again) snprintf(d->prompt.again, sizeof d->prompt.again, "%.*s", (int)sizeof d->prompt.again - 1, p);
    break;
  }
  fflush(d->out);
  g_interrupt = 0; /* Ctrl-C at the prompt: it stands still there */
  if (!d->attached) release_interrupt();
}

/* Commands that nobody has come to are no test that passed. */
static void ended(wg_debug_t *d) {
  char line[1024];
  while (d->attached && d->prompt.path != NULL && read_line(d, line, sizeof line)) {
    const char *p = line + strspn(line, " \t");
    if (*p == '\0' || *p == '#') continue;
    fprintf(d->out, "the run has ended before line %u of '%s': %s\n", d->prompt.line, dbg_base_name(d->prompt.path), p);
    break;
  }
  fflush(d->out);
}

wg_status_t dbg_prompt_open(wg_debug_t *d, const char *script, wg_diag_t *diag) {
  static const dbg_front_t kFront = {stopped, ended, interrupted};
  d->prompt.in = script == NULL ? stdin : fopen(script, "r");
  if (d->prompt.in == NULL) return wg_fail(diag, kWgIo, "cannot read the debug script '%s': %s", script, strerror(errno));
  struct stat info;
  if (script != NULL && fstat(fileno(d->prompt.in), &info) == 0 && S_ISDIR(info.st_mode)) { /* fopen takes one */
    fclose(d->prompt.in);
    d->prompt.in = NULL;
    return wg_fail(diag, kWgIo, "cannot read the debug script '%s': %s", script, strerror(EISDIR));
  }
  d->prompt.path = script == NULL ? NULL : strdup(script);
  d->prompt.echo = script != NULL || isatty(STDIN_FILENO) == 0;
  d->front = &kFront;
  catch_interrupt();
  return kWgOk;
}

void dbg_prompt_close(wg_debug_t *d) {
  release_interrupt();
  if (d->prompt.path != NULL && d->prompt.in != NULL) fclose(d->prompt.in);
  free(d->prompt.path);
  d->prompt.path = NULL;
  d->prompt.in = NULL;
}
