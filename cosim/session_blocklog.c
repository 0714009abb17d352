// SPDX-License-Identifier: Apache-2.0
//
// Setting blocklog=FILE: every block's start and end as a table, for `warpglass dispatch --log`.
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cosim/session_int.h"
#include "model/gte/timeline.h"

wg_status_t wg_session_blocklog_open(wg_session_t *s, wg_diag_t *diag) {
  if (s->cfg.blocklog == NULL) return kWgOk;
  s->on_sm = calloc((size_t)s->preset.num_sms * kWgMaxBlockSlots, sizeof *s->on_sm);
  if (s->on_sm == NULL) return wg_fail(diag, kWgNoSpace, "out of memory");
  s->blocklog = fopen(s->cfg.blocklog, "w");
  if (s->blocklog == NULL) {
    return wg_fail(diag, kWgBadInput, "cannot write the log of blocks '%s': %s", s->cfg.blocklog, strerror(errno));
  }
  wg_timeline_write_head(s->blocklog);
  return kWgOk;
}

void wg_session_blocklog_start(wg_session_t *s, uint64_t cycle, uint16_t sm, uint8_t slot, const wg_cta_launch_t *l) {
  wg_block_event_t e = wg_block_start(cycle, sm, slot, l);
  s->on_sm[(size_t)sm * kWgMaxBlockSlots + slot] = e;
  wg_timeline_write(s->blocklog, &e);
}

void wg_session_blocklog_end(wg_session_t *s, uint64_t cycle, uint16_t sm, const wg_cta_done_t *done) {
  if (done->block_slot >= kWgMaxBlockSlots) return; /* the engine tells of it */
  wg_block_event_t e = s->on_sm[(size_t)sm * kWgMaxBlockSlots + done->block_slot];
  e.start = false;
  e.cycle = cycle;
  wg_timeline_write(s->blocklog, &e);
}

bool wg_session_blocklog_finish(wg_session_t *s, char *why, size_t n) {
  free(s->on_sm);
  s->on_sm = NULL;
  if (s->blocklog == NULL) return true;
  errno = 0;
  bool bad = ferror(s->blocklog) != 0, closed = fclose(s->blocklog) == 0;
  int e = errno != 0 ? errno : EIO;
  s->blocklog = NULL;
  if (closed && !bad) return true;
  struct stat info;
  if (lstat(s->cfg.blocklog, &info) == 0 && S_ISREG(info.st_mode)) (void)unlink(s->cfg.blocklog); /* no half of one is left */
  snprintf(why, n, "cannot write the log of blocks '%s': %s", s->cfg.blocklog, strerror(e));
  return false;
}

void wg_session_blocklog_close(wg_session_t *s) {
  char why[4352];
  if (!wg_session_blocklog_finish(s, why, sizeof why)) fprintf(stderr, "warpglass: error: %s\n", why);
}
