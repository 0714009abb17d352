// SPDX-License-Identifier: Apache-2.0
//
// Lab 9: what policy_proxy.c (in the simulator) and policy_host.c (around the submission) tell each other.
#ifndef WG_TESTBENCH_LABS_POLICY_PIPE_H
#define WG_TESTBENCH_LABS_POLICY_PIPE_H

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "model/gte/gte_policy.h"

enum { kLabSms = 8 }; /* SMs of the lab's machines at most */
enum { kLabClear, kLabBegin, kLabPick, kLabSent, kLabEnded };

typedef struct lab_ask {
  uint32_t op, grid, at; /* at: the SM of sent and ended */
  uint32_t sms, sub_cores, grids, capacity;
  uint64_t issued, total, left;
  struct {
    uint32_t fits, room;
    wg_gte_sm_view_t view;
  } sm[kLabSms];
} lab_ask_t;

typedef struct lab_answer {
  uint32_t answer, sm;
} lab_answer_t;

/** Write or read all bytes; false at the end of the pipe. */
static inline bool lab_all(int fd, void *data, size_t n, bool out) {
  char *at = data;
  while (n > 0) {
    ssize_t k = out ? write(fd, at, n) : read(fd, at, n);
    if (k < 0 && errno == EINTR) continue;
    if (k <= 0) return false;
    at += k;
    n -= (size_t)k;
  }
  return true;
}

#endif
