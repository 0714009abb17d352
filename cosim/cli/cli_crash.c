// SPDX-License-Identifier: Apache-2.0
//
// What a run that died by a fault had loaded of its user's: a policy runs in the program's process, and its faults end
// that.
#include <signal.h>
#include <string.h>

#include "cosim/cli/cli.h"

/* Who is killed by somebody else has no fault of its own. */
static bool is_fault(int sig) {
  static const int kFaults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP};
  for (size_t i = 0; i < sizeof kFaults / sizeof kFaults[0]; i++) {
    if (kFaults[i] == sig) return true;
  }
  return false;
}

/* Length of "c:NAME", "plugin:NAME" without its knobs; 0: what is named is built in. */
static int outside(const char *policy) {
  const char *name = policy == NULL                           ? NULL
                     : strncmp(policy, "c:", 2) == 0      ? policy + 2
                     : strncmp(policy, "plugin:", 7) == 0 ? policy + 7
                                                          : NULL;
  return name == NULL ? 0 : (int)(name - policy) + (int)strcspn(name, ":,");
}

void cli_crash_plugins(const wg_session_cfg_t *cfg, int sig, char *out, size_t n) {
  int sched = outside(cfg->sched), blocks = outside(cfg->blocks);
  const char *script = sched == 0               ? "scripts/cblocks.sh"
                       : cfg->sched[0] == 'c' ? "scripts/cpolicy.sh"
                                              : "scripts/plugin.sh";
  out[0] = '\0';
  if (!is_fault(sig) || sched + blocks == 0) return;
  snprintf(out, n,
           "; loaded: %s%.*s%s%s%.*s; remedy: the same run with %s%s%s; if that passes, the fault is the plug-in's: "
           "mend it and build it again with %s%s",
           sched != 0 ? "the warp scheduler " : "", sched, sched != 0 ? cfg->sched : "",
           sched != 0 && blocks != 0 ? ", " : "", blocks != 0 ? "the block policy " : "", blocks,
           blocks != 0 ? cfg->blocks : "", sched != 0 ? "--sched lrr" : "", sched != 0 && blocks != 0 ? " " : "",
           blocks != 0 ? "--blocks breadth" : "", script, sched != 0 && blocks != 0 ? " or scripts/cblocks.sh" : "");
}
