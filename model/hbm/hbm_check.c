// SPDX-License-Identifier: Apache-2.0
#include "model/hbm/hbm_check.h"

/* Far enough in the past that no rule looks back to it. */
static const int64_t kLongAgo = -(INT64_C(1) << 40);

void wg_hbm_check_init(wg_hbm_check_t *c, const wg_hbm_spec_t *spec) {
  c->spec = spec;
  for (unsigned b = 0; b < kWgHbmMaxBanks; b++) {
    c->bank[b] = (wg_hbm_check_bank_t){false, 0, kLongAgo, kLongAgo, kLongAgo, kLongAgo};
  }
  for (unsigned i = 0; i < 4; i++) c->act[i] = kLongAgo;
  c->rd = c->wr = c->ref = c->row_cmd = c->col_cmd = kLongAgo;
}

static const char *check_act(const wg_hbm_check_t *c, const wg_hbm_check_bank_t *b, int64_t t) {
  const wg_hbm_spec_t *s = c->spec;
  if (b->open) return "ACT to an open bank";
  if (t - b->pre < s->t_rp) return "tRP";
  if (t - b->act < s->t_rc) return "tRC";
  if (t - c->act[0] < s->t_rrd) return "tRRD";
  if (t - c->act[3] < s->t_faw) return "tFAW";
  if (t - c->ref < s->t_rfc) return "tRFC";
  return NULL;
}

static const char *check_pre(const wg_hbm_check_t *c, const wg_hbm_check_bank_t *b, int64_t t) {
  const wg_hbm_spec_t *s = c->spec;
  int64_t burst = 32 / (2 * (int64_t)s->bus_bytes);
  if (!b->open) return "PRE to a closed bank";
  if (t - b->act < s->t_ras) return "tRAS";
  if (t - b->rd < s->t_rtp) return "tRTP";
  if (t - b->wr < s->t_cwl + burst + s->t_wr) return "tWR";
  return NULL;
}

static const char *check_column(const wg_hbm_check_t *c, const wg_hbm_check_bank_t *b, bool write, uint64_t row,
                                int64_t t) {
  const wg_hbm_spec_t *s = c->spec;
  int64_t burst = 32 / (2 * (int64_t)s->bus_bytes);
  if (!b->open) return "column command to a closed bank";
  if (b->row != row) return "column command to another row than the open one";
  if (t - b->act < s->t_rcd) return "tRCD";
  if (t - c->rd < s->t_ccd && !write) return "tCCD";
  if (t - c->wr < s->t_ccd && write) return "tCCD";
  if (!write && t - c->wr < s->t_cwl + burst + s->t_wtr) return "tWTR";
  if (write && t - c->rd < s->t_rtw) return "tRTW";
  /* Data of both kinds must not meet on the bus. */
  if (write && t + s->t_cwl < c->rd + s->t_cl + burst) return "data bus";
  if (!write && t + s->t_cl < c->wr + s->t_cwl + burst) return "data bus";
  return NULL;
}

static const char *check_ref(const wg_hbm_check_t *c, int64_t t) {
  const wg_hbm_spec_t *s = c->spec;
  for (unsigned b = 0; b < s->banks; b++) {
    if (c->bank[b].open) return "REF with an open bank";
    if (t - c->bank[b].pre < s->t_rp) return "tRP";
  }
  if (t - c->ref < s->t_rfc) return "tRFC";
  return NULL;
}

const char *wg_hbm_check_cmd(wg_hbm_check_t *c, wg_hbm_cmd_t cmd, uint32_t bank, uint64_t row, int64_t clock) {
  if (cmd != kWgHbmRef && bank >= c->spec->banks) return "bank number";
  bool column = cmd == kWgHbmRd || cmd == kWgHbmWr;
  int64_t *bus = column ? &c->col_cmd : &c->row_cmd;
  if (clock <= *bus) return "two commands in one clock";
  *bus = clock;
  wg_hbm_check_bank_t *b = &c->bank[cmd == kWgHbmRef ? 0 : bank];
  const char *broken = NULL;
  switch (cmd) {
    case kWgHbmAct:
      broken = check_act(c, b, clock);
      b->open = true;
      b->row = row;
      b->act = clock;
      for (unsigned i = 3; i > 0; i--) c->act[i] = c->act[i - 1];
      c->act[0] = clock;
      break;
    case kWgHbmPre:
      broken = check_pre(c, b, clock);
      b->open = false;
      b->pre = clock;
      break;
    case kWgHbmRd:
      broken = check_column(c, b, false, row, clock);
      b->rd = c->rd = clock;
      break;
    case kWgHbmWr:
      broken = check_column(c, b, true, row, clock);
      b->wr = c->wr = clock;
      break;
    case kWgHbmRef:
      broken = check_ref(c, clock);
      c->ref = clock;
      break;
  }
  return broken;
}
