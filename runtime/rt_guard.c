// SPDX-License-Identifier: Apache-2.0
//
// Device pointers on the host. The window of device addresses is reserved without access in the host process, so
// that dereferencing a device pointer stops at once, with a sentence, and never reads a stranger's memory.
#define _GNU_SOURCE
#include "rt.h"

#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static struct sigaction g_previous;
static uint64_t g_base, g_bytes;

/* Only calls that are safe in a signal handler. */
static void put_hex(char *at, uint64_t v) {
  for (int i = 15; i >= 0; i--) {
    at[i] = "0123456789abcdef"[v & 15];
    v >>= 4;
  }
}

static void on_fault(int sig, siginfo_t *info, void *context) {
  uint64_t addr = (uint64_t)(uintptr_t)info->si_addr;
  bool sent = info->si_code <= 0; /* by raise() or kill(): there is no address, and nothing repeats */
  if (!sent && addr - g_base < g_bytes) {
    char msg[] =
        "warpglass: the host program dereferenced the device pointer 0x................: device memory is reached "
        "with cudaMemcpy, or by a kernel\n";
    put_hex(strstr(msg, "................"), addr);
    ssize_t n = write(STDERR_FILENO, msg, sizeof msg - 1);
    (void)n;
  }
  /* Then what would have happened without us: the earlier handler, or the default action when the access repeats.
   */
  if ((g_previous.sa_flags & SA_SIGINFO) != 0) {
    g_previous.sa_sigaction(sig, info, context);
  } else if (g_previous.sa_handler != SIG_DFL && g_previous.sa_handler != SIG_IGN) {
    g_previous.sa_handler(sig);
  } else if (!sent || g_previous.sa_handler == SIG_DFL) {
    signal(sig, SIG_DFL);
    if (sent) raise(sig);
  }
}

void rt_guard_install(void) {
  static bool done = false;
  if (done) return;
  done = true;
  wg_session_window(&g_base, &g_bytes);
  void *want = (void *)(uintptr_t)g_base;
  void *got =
      mmap(want, g_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  /* Refused (a limit on address space): device pointers then still fault, as nothing is mapped there. */
  if (got != MAP_FAILED && got != want) munmap(got, g_bytes);
  struct sigaction act;
  memset(&act, 0, sizeof act);
  act.sa_sigaction = on_fault;
  act.sa_flags = SA_SIGINFO | SA_NODEFER;
  sigemptyset(&act.sa_mask);
  sigaction(SIGSEGV, &act, &g_previous);
}
