// SPDX-License-Identifier: Apache-2.0
#include "model/hbm/hbm_check.h"

/* Far enough in the past that no rule looks back to it. */
static const int64_t kLongAgo = -(INT64_C(1) << 40);

void wg_hbm_check_init(wg_hbm_check_t *c, const wg_hbm_spec_t *spec) {
  c->spec = spec;
  for (unsigned b = 0; b < kWgHbmMaxBanks; b++) {
    c->bank[b] = (wg_hbm_check_bank_t){false, 0, kLongAgo, kLongAgo, kLongAgo, kLongAgo};
  }
  for (unsigned g = 0; g < kWgHbmMaxBanks; g++) c->group[g] = (wg_hbm_check_group_t){kLongAgo, kLongAgo, kLongAgo};
  for (unsigned i = 0; i < 4; i++) c->act[i] = kLongAgo;
  c->rd = c->wr = c->row_cmd = c->col_cmd = c->ref = kLongAgo;
  c->refreshed = 0;
}

static const char *check_act(const wg_hbm_check_t *c, const wg_hbm_check_bank_t *b, const wg_hbm_check_group_t *g,
                             int64_t t) {
  const wg_hbm_spec_t *s = c->spec;
  if (b->open) return "ACT to an open bank";
  if (t - b->pre < s->t_rp) return "tRP";
  if (t - b->act < s->t_rc) return "tRC";
  if (t - c->act[0] < s->t_rrd) return "tRRD_S";
  if (t - g->act < s->t_rrd_l) return "tRRD_L";
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

static const char *check_column(const wg_hbm_check_t *c, const wg_hbm_check_bank_t *b, const wg_hbm_check_group_t *g,
                                bool write, uint64_t row, int64_t t) {
  const wg_hbm_spec_t *s = c->spec;
  int64_t burst = 32 / (2 * (int64_t)s->bus_bytes);
  if (!b->open) return "column command to a closed bank";
  if (b->row != row) return "column command to another row than the open one";
  if (t - b->act < s->t_rcd) return "tRCD";
  if (t - (write ? c->wr : c->rd) < s->t_ccd) return "tCCD_S";
  if (t - (write ? g->wr : g->rd) < s->t_ccd_l) return "tCCD_L";
  if (!write && t - c->wr < s->t_cwl + burst + s->t_wtr) return "tWTR_S";
  if (!write && t - g->wr < s->t_cwl + burst + s->t_wtr_l) return "tWTR_L";
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

/* Auto-precharge: as soon as the bank allows it. */
static void close_itself(const wg_hbm_check_t *c, wg_hbm_check_bank_t *b) {
  const wg_hbm_spec_t *s = c->spec;
  int64_t burst = 32 / (2 * (int64_t)s->bus_bytes);
  int64_t at[3] = {b->act + s->t_ras, b->rd + s->t_rtp, b->wr + s->t_cwl + burst + s->t_wr};
  b->pre = at[0];
  for (unsigned i = 1; i < 3; i++) b->pre = at[i] > b->pre ? at[i] : b->pre;
  b->open = false;
}

static const char *column(wg_hbm_check_t *c, wg_hbm_cmd_t cmd, uint32_t bank, uint64_t row, int64_t t) {
  wg_hbm_check_bank_t *b = &c->bank[bank];
  wg_hbm_check_group_t *g = &c->group[bank % c->spec->bank_groups];
  bool write = cmd == kWgHbmWr || cmd == kWgHbmWra;
  const char *broken = check_column(c, b, g, write, row, t);
  *(write ? &b->wr : &b->rd) = t;
  *(write ? &g->wr : &g->rd) = t;
  *(write ? &c->wr : &c->rd) = t;
  if (cmd == kWgHbmRda || cmd == kWgHbmWra) close_itself(c, b);
  return broken;
}

static void record_act(wg_hbm_check_t *c, uint32_t bank, uint64_t row, int64_t t) {
  wg_hbm_check_bank_t *b = &c->bank[bank];
  b->open = true;
  b->row = row;
  b->act = t;
  c->group[bank % c->spec->bank_groups].act = t;
  for (unsigned i = 3; i > 0; i--) c->act[i] = c->act[i - 1];
  c->act[0] = t;
}

const char *wg_hbm_check_cmd(wg_hbm_check_t *c, wg_hbm_cmd_t cmd, uint32_t bank, uint64_t row, int64_t clock) {
  if (cmd != kWgHbmRef && bank >= c->spec->banks) return "bank number";
  bool on_row_bus = cmd == kWgHbmAct || cmd == kWgHbmPre || cmd == kWgHbmRef;
  int64_t *bus = on_row_bus ? &c->row_cmd : &c->col_cmd;
  if (clock <= *bus) return "two commands in one clock";
  *bus = clock;
  wg_hbm_check_bank_t *b = &c->bank[cmd == kWgHbmRef ? 0 : bank];
  const char *broken = NULL;
  bool late = clock - c->refreshed > 9 * (int64_t)c->spec->t_refi; /* eight may be postponed (JESD235, refresh command) */
  switch (cmd) {
    case kWgHbmAct:
      broken = check_act(c, b, &c->group[bank % c->spec->bank_groups], clock);
      record_act(c, bank, row, clock);
      break;
    case kWgHbmPre:
      broken = check_pre(c, b, clock);
      b->open = false;
      b->pre = clock;
      break;
    case kWgHbmRef:
      broken = check_ref(c, clock);
      c->ref = c->refreshed = clock;
      break;
    default: broken = column(c, cmd, bank, row, clock); break;
  }
  return broken == NULL && late ? "tREFI" : broken;
}
