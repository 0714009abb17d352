// SPDX-License-Identifier: Apache-2.0
//
// Rule checker of one HBM channel: told every command, it says which JEDEC timing rule the command breaks. It
// keeps its own history and shares no code with the controller. All times are memory clocks. Rules: tRCD, tRP, tRAS, tRC,
// tCCD_S/L, tRRD_S/L, tFAW, tWR, tWTR_S/L, tRTW, tRTP, tRFC, tREFI (at most eight refreshes postponed), data bus, command
// buses, states of banks. RDA and WRA precharge by themselves as soon as tRAS and tRTP or tWR allow.
#ifndef WG_MODEL_HBM_CHECK_H
#define WG_MODEL_HBM_CHECK_H

#include "model/hbm/hbm.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum wg_hbm_cmd { kWgHbmAct, kWgHbmPre, kWgHbmRd, kWgHbmWr, kWgHbmRef, kWgHbmRda, kWgHbmWra } wg_hbm_cmd_t;

typedef struct wg_hbm_check_bank {
  bool open;
  uint64_t row;
  int64_t act, pre, rd, wr; /* clock of the last command of a kind; far past if none */
} wg_hbm_check_bank_t;

/** Last commands of a kind in one bank group. */
typedef struct wg_hbm_check_group {
  int64_t act, rd, wr;
} wg_hbm_check_group_t;

typedef struct wg_hbm_check {
  const wg_hbm_spec_t *spec; /* borrowed */
  wg_hbm_check_bank_t bank[kWgHbmMaxBanks];
  wg_hbm_check_group_t group[kWgHbmMaxBanks];
  int64_t act[4];            /* the channel's last four activates, newest first */
  int64_t rd, wr, ref;
  int64_t refreshed;         /* last refresh; 0 at the start, when the device was just initialised */
  int64_t row_cmd, col_cmd;  /* the two command buses take one command a clock each */
} wg_hbm_check_t;

void wg_hbm_check_init(wg_hbm_check_t *c, const wg_hbm_spec_t *spec);
/** Record a command; `bank` is ignored for REF. @return NULL, or the name of the broken rule ("tRCD", ...). */
const char *wg_hbm_check_cmd(wg_hbm_check_t *c, wg_hbm_cmd_t cmd, uint32_t bank, uint64_t row, int64_t clock);

#ifdef __cplusplus
}
#endif
#endif
