// SPDX-License-Identifier: Apache-2.0
//
// The program as a child process. An interrupt is handed on to it and its end awaited, so that what it leaves
// half-written can be cleared away and the verdict is still printed.
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cosim/cli/cli.h"

static volatile sig_atomic_t g_child, g_signal;

/* The terminal sends an interrupt to the child as well, `kill` does not: a second one of the same kind does no harm.
   Who asks again gets SIGKILL. */
static void on_signal(int sig) {
  int kept = errno;
  if (g_child > 0) (void)kill((pid_t)g_child, g_signal != 0 ? SIGKILL : sig);
  g_signal = sig;
  errno = kept;
}

static void catch(int sig) {
  struct sigaction was, act = {.sa_handler = on_signal};
  sigemptyset(&act.sa_mask);
  /* ignored by the caller (nohup, a shell's background job): it stays so */
  if (sigaction(sig, NULL, &was) == 0 && was.sa_handler == SIG_DFL) (void)sigaction(sig, &act, NULL);
}

static bool g_full_signals; /* a file at its limit sent a signal before cli_full_disk_is_an_error() */

void cli_full_disk_is_an_error(void) { g_full_signals = signal(SIGXFSZ, SIG_IGN) == SIG_DFL; }

int cli_child_fork(void) {
  sigset_t ours, before;
  sigemptyset(&ours);
  sigaddset(&ours, SIGINT);
  sigaddset(&ours, SIGTERM);
  sigaddset(&ours, SIGHUP);
  catch(SIGINT);
  catch(SIGTERM);
  catch(SIGHUP);
  (void)sigprocmask(SIG_BLOCK, &ours, &before); /* none is lost between fork and the child's id */
  pid_t parent = getpid();
  int pid = fork();
  /* kill -9 of this command cannot be handed on: the child would go on alone, and keep its journal from the next run */
  if (pid == 0 && (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != parent)) _exit(127);
  g_child = pid > 0 ? pid : 0;
  if (pid == 0 && g_full_signals) (void)signal(SIGXFSZ, SIG_DFL); /* the program has what the caller had */
  (void)sigprocmask(SIG_SETMASK, &before, NULL);
  return pid;
}

int cli_child_wait(int pid) {
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
  g_child = 0;
  return status;
}

int cli_child_signal(void) { return g_signal; }
