// SPDX-License-Identifier: Apache-2.0
//
// Words for a device fault: what, where in the program, where in memory, what to do.
#include <string.h>

#include "cosim/session_int.h"
#include "model/twin/barrier.h"
#include "toolchain/obj/wg_demangle.h"

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

/* The design keeps 48 bits of an address that is longer: what is left of it may be an address of the program. Without the checker,
   which knows the whole one, that is all there is. */
static bool beyond(const wg_session_t *s, const wg_fault_t *f) {
  return f->code == kWgFaultIllegalAddr && s->cfg.oob != kWgSessionOobExact && f->addr - WG_DEV_BASE < WG_DEV_BYTES &&
         wg_store_check(s->store, f->addr, 1) == kWgFaultNone;
}

static const char *trap_remedy(const wg_bar_trap_t *t) {
  if (t->id >= (unsigned)kWgBarriers) return "a block has the barriers 0 to 15";
  if (t->arrived == 0u && t->expects == 0u) return "a barrier's number of threads is one of whole warps: a multiple of 32, and not 0";
  return "who meets at a barrier must ask for the same number of threads";
}

/* "barrier 1: 96 threads are asked for; warps 0x1, which have arrived, ask for 64" */
static void trap_words(const wg_bar_trap_t *t, char *buf, size_t n) {
  char asks[24], expects[24];
  bool alone = t->arrived == 0u && t->expects == 0u;
  snprintf(asks, sizeof asks, t->asks == 0u && !alone ? "all" : "%u", t->asks);
  snprintf(expects, sizeof expects, t->expects == 0u ? "all" : "%u", t->expects);
  if (t->id >= (unsigned)kWgBarriers) {
    snprintf(buf, n, "there is no such barrier");
  } else if (t->arrived != 0u) {
    snprintf(buf, n, "barrier %u: %s threads are asked for; warps 0x%x, which have arrived, ask for %s", t->id, asks,
             t->arrived, expects);
  } else {
    snprintf(buf, n, "barrier %u: %s threads are asked for%s", t->id, asks, alone ? "" : ", by others not so many");
  }
}

static const char *remedy(const wg_session_t *s, const wg_fault_t *f) {
  wg_bar_trap_t trap;
  switch (f->code) {
    case kWgFaultIllegalAddr:
      if (f->addr < kWgFaultLow) return "a null pointer, or an index used as a pointer";
      if (f->addr < WG_DEV_BASE || f->addr >= WG_DEV_BASE + WG_DEV_BYTES || beyond(s, f)) {
        return "this is not a device address: copy host data with cudaMemcpy and pass the cudaMalloc pointer";
      }
      return s->cfg.oob == kWgSessionOobExact
                 ? "check the guard (if (i < n)) and the size given to cudaMalloc"
                 : "check the guard (if (i < n)) and the size given to cudaMalloc; sizes count up to the next multiple "
                   "of 256 bytes here, as on a device: oob=exact also faults on the bytes behind the size itself";
    case kWgFaultMisaligned:
      return "an address must be a multiple of the access size";
    case kWgFaultAddrSpace:
      return "a shared, local or constant access outside its range: check the index and the dynamic size";
    case kWgFaultTrap:
      if (wg_bar_trap_unpack(f->addr, &trap)) return trap_remedy(&trap);
      return "__trap(), a barrier number above 15, or a barrier's number of threads that is no multiple of 32 or not the same";
    case kWgFaultAssert:
      return "an assert() in device code does not hold";
    case kWgFaultIllegalInsn:
      return "a word that is no instruction, or a register beyond the kernel's: damaged or hand-written code";
    case kWgFaultBadPc:
      return "a target outside the code window or no multiple of 16; with diverge=stack also one that differs between lanes";
    case kWgFaultStackError:
      return "recursion too deep: cudaDeviceSetLimit(cudaLimitStackSize, bytes), 1024 by default; or a local array's index; or, with "
             "diverge=stack, more than 32 open branches and BSSYs, or a BSYNC or WARPSYNC whose lanes are elsewhere (reconverge=off: diverge=its)";
    default:
      return "";
  }
}

void wg_session_explain_fault(const wg_session_t *s, const wg_module_t *m, const char *kernel, const wg_fault_t *f,
                              wg_diag_t *diag) {
  const char *file = NULL;
  unsigned line = 0;
  char where[160] = "", place[96] = "", lanes[24] = "", name[120],
       cycle[32] = ""; /* together less than the message's room */
  memset(diag, 0, sizeof *diag);
  if (wg_obj_line_of(m->obj, f->pc, &file, &line)) {
    snprintf(diag->file, sizeof diag->file, "%s", file);
    diag->line = line;
  }
  if (f->code == kWgFaultIllegalAddr || f->code == kWgFaultMisaligned) {
    if (f->addr - WG_DEV_BASE < WG_DEV_BYTES) nearest_allocation(s->store, f->addr, where, sizeof where);
    if (beyond(s, f)) snprintf(where, sizeof where, "the lower 48 bits of an address that is beyond the address space");
    snprintf(place, sizeof place, " at 0x%llx%s", (unsigned long long)f->addr, where[0] == '\0' ? "" : ": ");
  }
  wg_bar_trap_t trap;
  if (f->code == kWgFaultTrap && wg_bar_trap_unpack(f->addr, &trap)) {
    snprintf(place, sizeof place, ": ");
    trap_words(&trap, where, sizeof where);
  }
  /* what memory reports late comes without lanes; the checker knows them, unless it is off */
  if (f->lanes != 0) snprintf(lanes, sizeof lanes, ", lanes 0x%08x", f->lanes);
  if (s->backend->timing) snprintf(cycle, sizeof cycle, ", cycle %llu", (unsigned long long)f->cycle);
  snprintf(diag->msg, sizeof diag->msg,
           "%s%s%s in kernel '%s', block (%u,%u,%u), warp %u%s, PC 0x%x, SM %u%s", wg_fault_name(f->code),
           place,
           where, wg_demangle(kernel, name, sizeof name), f->ctaid[0], f->ctaid[1], f->ctaid[2], f->warp_in_block,
           lanes, f->pc, f->sm, cycle);
  snprintf(diag->hint, sizeof diag->hint, "%s", remedy(s, f));
}

/* Source line of a waiting warp. Its PC is that of the next instruction: behind a barrier, the barrier's line is meant. */
static bool line_of_wait(const wg_module_t *m, uint32_t pc, const char **file, unsigned *line) {
  for (size_t i = 0; i < m->obj->num_kernels; i++) {
    const wg_obj_kernel_t *k = &m->obj->kernels[i];
    uint32_t base = wg_obj_kernel_pc(m->obj, i);
    wg_insn_t in;
    if (pc <= base || pc - base > k->num_insns * kWgInsnBytes) continue;
    if (wg_decode(k->code[(pc - base) / kWgInsnBytes - 1], &in) == kWgOk && in.op == kWgOp_BAR) pc -= kWgInsnBytes;
    break;
  }
  return wg_obj_line_of(m->obj, pc, file, line);
}

const char *wg_session_add_lines(const wg_module_t *m, const char *waits, char *buf, size_t n) {
  size_t at = 0;
  while (*waits != '\0' && at + 1 < n) {
    unsigned pc = 0, line = 0;
    int used = 0;
    const char *file = NULL;
    if (sscanf(waits, "pc 0x%x%n", &pc, &used) != 1 || used == 0) {
      buf[at++] = *waits++;
      continue;
    }
    bool known = line_of_wait(m, pc, &file, &line);
    int len = known ? snprintf(buf + at, n - at, "%.*s (line %u)", used, waits, line)
                    : snprintf(buf + at, n - at, "%.*s", used, waits);
    at += len < 0 ? 0u : (size_t)len;
    waits += used;
  }
  if (at >= n) at = n - 1;
  buf[at] = '\0';
  return buf;
}

void wg_session_explain_limit(const wg_session_t *s, const wg_module_t *m, wg_diag_t *diag) {
  char loop[160] = "";
  unsigned lo = UINT32_MAX, hi = 0;
  for (uint32_t pc = s->pc_lo; s->have_pcs && pc <= s->pc_hi; pc += kWgInsnBytes) {
    const char *file = NULL;
    unsigned line = 0;
    if (!wg_obj_line_of(m->obj, pc, &file, &line) || line == 0) continue;
    if (line < lo) lo = line;
    if (line > hi) hi = line;
  }
  if (!s->have_pcs && s->backend->pcs != NULL) snprintf(loop, sizeof loop, "; nothing ran for a while");
  if (s->have_pcs) {
    int n = snprintf(loop, sizeof loop, "; what runs is pc 0x%x to 0x%x", s->pc_lo, s->pc_hi);
    if (hi != 0) snprintf(loop + n, sizeof loop - (size_t)n, lo == hi ? ", line %u" : ", lines %u to %u", lo, hi);
  }
  snprintf(diag->msg, sizeof diag->msg, "the limit of %llu %s is reached%s", (unsigned long long)s->cfg.limit,
           s->backend->timing ? "cycles" : "warp instructions", loop);
}

void wg_session_explain_hang(const wg_module_t *m, const char *waits, wg_diag_t *diag) {
  char text[400];
  const char *file = NULL, *first = strstr(waits, "pc 0x");
  unsigned pc = 0, line = 0;
  if (first != NULL && sscanf(first, "pc 0x%x", &pc) == 1 && line_of_wait(m, pc, &file, &line)) {
    snprintf(diag->file, sizeof diag->file, "%s", file);
    diag->line = line;
  }
  wg_session_add_lines(m, waits, text, sizeof text);
  if (strlen(text) + 1 == sizeof text) { /* cut: the last whole entry, and that there are more */
    char *last = strrchr(text, ';');
    snprintf(last != NULL ? last : text + sizeof text - 6, 6, "; ...");
  }
  size_t n = strlen(diag->msg);
  if (text[0] != '\0') snprintf(diag->msg + n, sizeof diag->msg - n, "; %s", text);
}
