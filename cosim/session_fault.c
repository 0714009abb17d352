// SPDX-License-Identifier: Apache-2.0
//
// Words for a device fault: what, where in the program, where in memory, what to do.
#include <string.h>

#include "cosim/session_int.h"

/* The allocation that `addr` lies in, or the nearest one, as a phrase. */
static void nearest_allocation(const wg_store_t *st, uint64_t addr, char *buf, size_t n) {
  uint64_t best_base = 0, best_bytes = 0, best = UINT64_MAX;
  bool after = false, inside = false;
  for (size_t i = 0;; i++) {
    uint64_t base = 0, bytes = 0;
    if (!wg_store_nth(st, i, &base, &bytes)) break;
    if (base < WG_DEV_BASE + WG_DEV_DRIVER_BYTES) continue; /* not the program's */
    uint64_t dist = addr < base ? base - addr : addr < base + bytes ? 0 : addr - (base + bytes);
    if (dist >= best) continue;
    best = dist;
    best_base = base;
    best_bytes = bytes;
    after = addr >= base + bytes;
    inside = addr >= base && addr < base + bytes;
  }
  if (best == UINT64_MAX) {
    snprintf(buf, n, "the program has no allocation");
  } else if (inside) {
    snprintf(buf, n, "inside the allocation of %llu bytes at 0x%llx", (unsigned long long)best_bytes,
             (unsigned long long)best_base);
  } else {
    snprintf(buf, n, "%llu bytes %s the nearest allocation, %llu bytes at 0x%llx", (unsigned long long)best,
             after ? "behind the end of" : "before", (unsigned long long)best_bytes, (unsigned long long)best_base);
  }
}

static const char *remedy(const wg_session_t *s, const wg_fault_t *f) {
  switch (f->code) {
    case kWgFaultIllegalAddr:
      if (f->addr < kWgFaultLow) return "a null pointer, or an index used as a pointer";
      if (f->addr < WG_DEV_BASE || f->addr >= WG_DEV_BASE + WG_DEV_BYTES) {
        return "this is not a device address: copy host data with cudaMemcpy and pass the cudaMalloc pointer";
      }
      return "check the guard (if (i < n)) and the size given to cudaMalloc";
    case kWgFaultMisaligned:
      return "an address must be a multiple of the access size";
    case kWgFaultAddrSpace:
      return "a shared, local or constant access outside its range: check the index and the dynamic size";
    case kWgFaultTrap:
      return "__trap(), or a barrier with a bad number of threads";
    case kWgFaultAssert:
      return "an assert() in device code does not hold";
    default:
      (void)s;
      return "";
  }
}

void wg_session_explain_fault(const wg_session_t *s, const wg_module_t *m, const char *kernel, const wg_fault_t *f,
                              wg_diag_t *diag) {
  const char *file = NULL;
  unsigned line = 0;
  char where[160] = "", place[96] = "", lanes[24] = "";
  memset(diag, 0, sizeof *diag);
  if (wg_obj_line_of(m->obj, f->pc, &file, &line)) {
    snprintf(diag->file, sizeof diag->file, "%s", file);
    diag->line = line;
  }
  if (f->code == kWgFaultIllegalAddr || f->code == kWgFaultMisaligned) {
    if (f->addr - WG_DEV_BASE < WG_DEV_BYTES) nearest_allocation(s->store, f->addr, where, sizeof where);
    snprintf(place, sizeof place, " at 0x%llx%s", (unsigned long long)f->addr, where[0] == '\0' ? "" : ": ");
  }
  /* what memory reports late carries the warp and the PC, but no lanes */
  if (f->lanes != 0) snprintf(lanes, sizeof lanes, ", lanes 0x%08x", f->lanes);
  snprintf(diag->msg, sizeof diag->msg,
           "%s%s%s in kernel '%s', block (%u,%u,%u), warp %u%s, PC 0x%x, SM %u, cycle %llu", wg_fault_name(f->code), place,
           where, kernel, f->ctaid[0], f->ctaid[1], f->ctaid[2], f->warp_in_block, lanes, f->pc, f->sm,
           (unsigned long long)f->cycle);
  snprintf(diag->hint, sizeof diag->hint, "%s", remedy(s, f));
}
