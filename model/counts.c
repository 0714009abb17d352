// SPDX-License-Identifier: Apache-2.0
#include "model/counts.h"

static unsigned popcount(uint32_t v) { return (unsigned)__builtin_popcount(v); }

void wg_count_warp(wg_counts_t *c, uint32_t present, bool first) {
  c->launched_blocks += first ? 1u : 0u;
  c->launched_warps++;
  c->launched_threads += popcount(present);
}

/* Rows of ranges a .. c and store data from `from` to `to` that no range before them in it names: one read serves both. */
static unsigned distinct_rows(const wg_regset_t *r, unsigned from, unsigned to) {
  unsigned n = 0;
  for (unsigned i = from; i < to; i++) {
    for (unsigned k = 0; k < r->count[i]; k++) {
      unsigned row = (unsigned)r->first[i] + k;
      bool seen = false;
      for (unsigned j = from; j < i && !seen; j++) seen = row - r->first[j] < r->count[j];
      n += seen ? 0u : 1u;
    }
  }
  return n;
}

void wg_count_operands(const wg_insn_t *in, const wg_regset_t *regs, unsigned *rows, unsigned *reads) {
  *rows = (unsigned)regs->count[0] + regs->count[1] + regs->count[2] + regs->count[3];
  if (wg_insn_info(in->op)->pipe == kWgPipeMMA) *reads = distinct_rows(regs, 0, 2) + distinct_rows(regs, 2, 4); /* two collectors */
  else *reads = distinct_rows(regs, 0, 4);
}

/* What the pipe that takes an instruction has to do for it; pipes that take one a cycle and sub-core are not counted. */
static void count_pipe(wg_counts_t *c, const wg_insn_t *in) {
  switch (wg_insn_info(in->op)->pipe) {
    case kWgPipeINT: c->int_pipe_insts++; break;
    case kWgPipeFP32: c->fp32_pipe_insts++; break;
    case kWgPipeHALF: c->half_pipe_insts++; break;
    case kWgPipeFP64: c->fp64_pipe_insts++; break;
    case kWgPipeSFU: c->sfu_pipe_insts++; break;
    case kWgPipeLSU: c->lsu_pipe_insts++; break;
    case kWgPipeMMA:
      if (in->op == kWgOp_DMMA) c->dmma_pipe_insts++;
      else c->mma_pipe_rows += in->op == kWgOp_IMMA && WG_MOD_GET(in, IMSH) == 0u ? 8u : 16u; /* m8, m16 */
      break;
    default: break;
  }
}

void wg_count_insn(wg_counts_t *c, const wg_insn_t *in, const wg_regset_t *regs, uint32_t mask, uint32_t exec) {
  unsigned lanes = popcount(exec);
  c->warp_insts++;
  c->thread_insts += lanes;
  c->active_thread_insts += popcount(mask);
  if (exec == 0u) return;
  unsigned rows = 0, reads = 0;
  wg_count_operands(in, regs, &rows, &reads);
  c->operand_rows += rows;
  c->bank_read_rows += reads;
  c->collector_hit_rows += rows - reads;
  c->bank_write_rows += regs->count[4];
  count_pipe(c, in);
  switch (in->op) {
    case kWgOp_BRA:
      c->divergent_branch_insts += exec != mask ? 1u : 0u;
      c->branch_insts++;
      break;
    case kWgOp_BRX:
    case kWgOp_CALL:
    case kWgOp_RET: c->branch_insts++; break;
    case kWgOp_FADD: c->fadd_thread_insts += lanes; break;
    case kWgOp_FMUL: c->fmul_thread_insts += lanes; break;
    case kWgOp_FFMA: c->ffma_thread_insts += lanes; break;
    case kWgOp_DADD: c->dadd_thread_insts += lanes; break;
    case kWgOp_DMUL: c->dmul_thread_insts += lanes; break;
    case kWgOp_DFMA: c->dfma_thread_insts += lanes; break;
    default: break;
  }
}

wg_access_t wg_access_of(const wg_insn_t *in) {
  if (in->op == kWgOp_RED) return kWgAccRed;
  if (wg_insn_is_atomic(in->op)) return kWgAccAtom;
  return wg_insn_is_store(in->op) ? kWgAccStore : kWgAccLoad;
}

/* Distinct addresses of the lanes: they are multiples of one width, so bytes of unlike ones do not overlap. */
static unsigned distinct(const uint64_t addr[32], uint32_t lanes) {
  unsigned n = 0;
  for (; lanes != 0u; n++) {
    uint64_t a = addr[__builtin_ctz(lanes)];
    for (uint32_t m = lanes; m != 0u; m &= m - 1u) {
      if (addr[__builtin_ctz(m)] == a) lanes &= ~(m & (~m + 1u));
    }
  }
  return n;
}

void wg_count_global(wg_counts_t *c, wg_access_t kind, const uint64_t addr[32], unsigned bytes, uint32_t lanes,
                     const wg_line_access_t *line, unsigned lines) {
  uint64_t n = popcount(lanes);
  for (unsigned i = 0; i < lines; i++) c->global_ideal_sectors += popcount(line[i].sectors);
  c->global_lane_bytes += n * bytes;
  c->global_packed_sectors += ((uint64_t)distinct(addr, lanes) * bytes + kWgSectorBytes - 1) / kWgSectorBytes;
  switch (kind) {
    case kWgAccLoad:
      c->global_load_requests++;
      c->global_load_lanes += n;
      c->global_load_bytes += (uint64_t)distinct(addr, lanes) * bytes;
      break;
    case kWgAccStore:
      c->global_store_requests++;
      c->global_store_lanes += n;
      c->global_store_bytes += (uint64_t)distinct(addr, lanes) * bytes;
      break;
    case kWgAccRed:
      c->global_red_requests++;
      c->global_red_lanes += n;
      c->global_red_lines += lines;
      break;
    case kWgAccAtom:
      c->global_atom_requests++;
      c->global_atom_lanes += n;
      c->global_atom_lines += lines;
      break;
  }
}

void wg_count_line(wg_counts_t *c, wg_access_t kind, uint8_t sectors) {
  uint64_t n = popcount(sectors);
  switch (kind) {
    case kWgAccLoad:
      c->global_load_lines++;
      c->global_load_sectors += n;
      break;
    case kWgAccStore:
      c->global_store_lines++;
      c->global_store_sectors += n;
      break;
    case kWgAccRed:
      c->global_red_passes++;
      c->global_red_sectors += n;
      break;
    case kWgAccAtom:
      c->global_atom_passes++;
      c->global_atom_sectors += n;
      break;
  }
}

void wg_count_shared(wg_counts_t *c, wg_access_t kind, const uint64_t addr[32], unsigned bytes, uint32_t lanes,
                     const wg_smem_passes_t *p) {
  switch (kind) {
    case kWgAccLoad:
      c->shared_load_requests++;
      c->shared_load_bytes += (uint64_t)distinct(addr, lanes) * bytes;
      c->shared_load_conflicts += p->conflicts;
      c->bank_conflicts += p->conflicts;
      break;
    case kWgAccStore:
      c->shared_store_requests++;
      c->shared_store_bytes += (uint64_t)distinct(addr, lanes) * bytes;
      c->shared_store_conflicts += p->conflicts;
      c->bank_conflicts += p->conflicts;
      break;
    case kWgAccRed:
    case kWgAccAtom:
      c->shared_atom_requests++;
      c->shared_atom_conflicts += p->conflicts;
      break;
  }
}

void wg_count_wavefronts(wg_counts_t *c, wg_access_t kind, unsigned n) {
  switch (kind) {
    case kWgAccLoad:
      c->shared_load_wavefronts += n;
      c->shared_wavefronts += n;
      break;
    case kWgAccStore:
      c->shared_store_wavefronts += n;
      c->shared_wavefronts += n;
      break;
    case kWgAccRed:
    case kWgAccAtom: c->shared_atom_wavefronts += n; break;
  }
}
