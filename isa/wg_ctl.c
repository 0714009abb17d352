// SPDX-License-Identifier: Apache-2.0
//
// Numbers of the control field. Distances: rtl/README.md, "Timing" and "Control bits".
#include "isa/wg_ctl.h"

const wg_ctl_table_t wg_ctl_any = {{4, 4, 4}, {6, 6, 6}}; /* 8 lanes: the last lanes' predicates come at t+5 */

wg_status_t wg_ctl_table(uint32_t lanes_int, const uint32_t *interval, const uint32_t *extra, wg_ctl_table_t *out,
                         wg_diag_t *diag) {
  for (unsigned i = 0; i < 3u; i++) {
    const uint32_t beats = 32u / lanes_int + interval[i == 0u ? 0 : 1];
    uint32_t result = 4u + extra[i], pred = 2u + beats + extra[i];
    if (result > kWgMaxStall || pred > kWgMaxStall) {
      if (diag != NULL) {
        snprintf(diag->hint, sizeof diag->hint, "a stall count has 4 bits: at most %u extra cycles on %u lanes, or dep=scoreboard",
                 kWgMaxStall - (4u > 2u + beats ? 4u : 2u + beats), lanes_int);
      }
      return wg_fail(diag, kWgBadInput, "extra latency of %u cycles cannot be expressed by control bits", extra[i]);
    }
    out->result[i] = (uint8_t)result;
    out->pred[i] = (uint8_t)pred;
  }
  return kWgOk;
}

uint32_t wg_ctl_hash(const wg_ctl_table_t *t) {
  uint32_t h = 2166136261u; /* FNV-1a */
  for (unsigned i = 0; i < 3u; i++) h = (h ^ t->result[i]) * 16777619u;
  for (unsigned i = 0; i < 3u; i++) h = (h ^ t->pred[i]) * 16777619u;
  return h == 0u ? 1u : h;
}

wg_ctl_class_t wg_ctl_class(uint8_t op) {
  const wg_insn_info_t *info = wg_insn_info(op);
  if (info == NULL) return kWgCtlControl;
  switch (info->pipe) {
    case kWgPipeINT: return kWgCtlInt;
    case kWgPipeFP32: return kWgCtlFp32;
    case kWgPipeHALF: return kWgCtlHalf;
    case kWgPipeCTRL: return op == kWgOp_CALL || op == kWgOp_BMOVR || op == kWgOp_BSSYR ? kWgCtlInt : kWgCtlControl;
    default: return kWgCtlVariable;
  }
}

unsigned wg_ctl_write_counter(const wg_insn_t *in) {
  if (wg_ctl_class(in->op) != kWgCtlVariable || in->wr_ctr >= kWgCounters) return kWgNoCounter;
  if (wg_insn_regs(in).count[4] == 0 && in->pd0 == kWgPT && in->pd1 == kWgPT) return kWgNoCounter;
  return in->wr_ctr;
}

bool wg_ctl_reads_late(uint8_t op) {
  switch (op) {
    case kWgOp_BAR:
    case kWgOp_BARRED: return true; /* other control instructions hold the warp until they have read */
    default: return wg_ctl_class(op) == kWgCtlVariable && wg_insn_info(op)->pipe != kWgPipeFP64;
  }
}

unsigned wg_ctl_read_counter(const wg_insn_t *in) {
  return wg_ctl_reads_late(in->op) && in->rd_ctr < kWgCounters ? in->rd_ctr : kWgNoCounter;
}
