// SPDX-License-Identifier: Apache-2.0
#include "cosim/trace_scope.h"

#include <stdio.h>
#include <string.h>

const char *const wg_trace_scopes[] = {"top",           "blocks",     "barrier",    "mem",          "memport",       "l1i",          "constants",
                                       "subN",          "subN.fetch", "subN.issue", "subN.sched",   "subN.diverge",  "subN.operands", "subN.dispatch",
                                       "subN.writeback", NULL};
static const char *const kInstances[] = {"", ".u_cta", ".u_barrier", ".u_mem", ".u_memport", ".u_l1i", ".u_cc", "", ".u_fetch", ".u_issue",
                                         ".u_sched", ".u_diverge", ".u_operands", ".u_dispatch", ".u_writeback"};

bool wg_trace_scope(const char *word, unsigned sub_cores, char *instance, size_t n) {
  char general[32], sub[24] = "";
  snprintf(general, sizeof general, "%s", word);
  if (strncmp(word, "sub", 3) == 0 && word[3] >= '0' && word[3] < (char)('0' + sub_cores)) {
    general[3] = 'N';
    snprintf(sub, sizeof sub, ".gen_sub[%c].u_sub", word[3]);
  }
  for (size_t i = 0; wg_trace_scopes[i] != NULL; i++) {
    if (strcmp(general, wg_trace_scopes[i]) != 0 || (sub[0] == '\0') == (strncmp(general, "sub", 3) == 0)) continue;
    snprintf(instance, n, "sm.sm_top%s%s", sub, kInstances[i]);
    return true;
  }
  return false;
}
