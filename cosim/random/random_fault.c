// SPDX-License-Identifier: Apache-2.0
//
// The unit of which one instruction faults, in one warp.
#include "cosim/random/random.h"
#include "isa/wg_cfg.h"

/* 0 or `value` into R18: the value in one existing lane of the warp. */
static void one_lane(wg_rnd_gen_t *g, uint32_t lanes, uint32_t value) {
  wg_rnd_asm(g, "S2R R18, SR_LANEID");
  wg_rnd_asm(g, "ISETP.EQ.U32.AND P6, PT, R18, 0x%x, PT", wg_rnd_below(&g->r, lanes));
  wg_rnd_asm(g, "MOV R18, RZ");
  wg_rnd_asm(g, "@P6 MOV R18, 0x%x", value);
}

static void memory(wg_rnd_gen_t *g, const char *name, const char *size, bool store, unsigned reg) {
  if (store) wg_rnd_asm(g, "%s%s [R10], R%u", name, size, reg);
  else wg_rnd_asm(g, "%s%s R%u, [R10]", name, size, reg);
}

static void constant(wg_rnd_gen_t *g, uint32_t bank, uint32_t offset) {
  wg_insn_t in = wg_insn_default(kWgOp_MOV);
  in.rd = wg_rnd_reg(g, 1u);
  in.form = kWgFormConst;
  in.cbank = (uint8_t)bank;
  in.coff = (uint16_t)offset;
  wg_rnd_add(g, &in);
}

static void bad_address(wg_rnd_gen_t *g, uint32_t lanes) {
  static const char *const kSize[4] = {".U16", "", ".64", ".128"};
  unsigned size = wg_rnd_below(&g->r, 4u);
  bool store = wg_rnd_percent(&g->r, 50u);
  uint8_t reg = wg_rnd_reg(g, 4u);
  switch (wg_rnd_below(&g->r, 7u)) {
    case 0: /* misaligned, global */
      one_lane(g, lanes, 1u + wg_rnd_below(&g->r, (2u << size) - 1u));
      wg_rnd_asm(g, "IMAD.WIDE.U32 R10, R18, 0x1, R6");
      break;
    case 1: /* far outside: beyond the address bits, or where nothing lies */
      wg_rnd_asm(g, "MOV R10, 0x%x", wg_rnd_u32(&g->r) & ~15u);
      wg_rnd_asm(g, "MOV R11, 0x%x", wg_rnd_percent(&g->r, 50u) ? 0x10000u << wg_rnd_below(&g->r, 16u) : 0x3000u);
      break;
    case 2: /* null, with an offset */
      wg_rnd_asm(g, "MOV R10, 0x%x", 16u * wg_rnd_below(&g->r, 4096u));
      wg_rnd_asm(g, "MOV R11, RZ");
      break;
    case 3: /* misaligned, shared */
      one_lane(g, lanes, 1u + wg_rnd_below(&g->r, (2u << size) - 1u));
      wg_rnd_asm(g, "IADD3 R10, R18, R13, RZ");
      memory(g, store ? "STS" : "LDS", kSize[size], store, reg);
      return;
    case 4: /* local, beyond the frame */
      one_lane(g, lanes, wg_rnd_percent(&g->r, 50u) ? g->p->local : wg_rnd_u32(&g->r) | 0x80000000u);
      wg_rnd_asm(g, "LOP3 R10, R18, 0xfffffffc, RZ, 0xc0");
      memory(g, store ? "STL" : "LDL", size == 0u ? ".U16" : "", store, reg);
      return;
    case 5: /* misaligned, local */
      wg_rnd_asm(g, "MOV R10, 0x%x", 1u + 2u * wg_rnd_below(&g->r, 8u));
      memory(g, store ? "STL" : "LDL", size == 0u ? ".U16" : "", store, reg);
      return;
    default: /* shared beyond the block's range */
      one_lane(g, lanes, wg_rnd_percent(&g->r, 50u) ? g->shared_bytes : wg_rnd_u32(&g->r) | 0x80000000u);
      wg_rnd_asm(g, "LOP3 R10, R18, 0xfffffff0, RZ, 0xc0");
      memory(g, store ? "STS" : "LDS", kSize[size], store, reg);
      return;
  }
  memory(g, store ? "STG.E" : "LDG.E", kSize[size], store, reg);
}

static void bad_word(wg_rnd_gen_t *g) {
  wg_insn_t in = wg_insn_default(kWgOp_MOV);
  uint32_t alloc = (g->p->regs + (uint32_t)kWgRegUnit - 1u) / (uint32_t)kWgRegUnit * (uint32_t)kWgRegUnit;
  wg_word_t w = {0, 0};
  in.rb = kWgRndRegTid;
  switch (alloc < kWgRZ ? wg_rnd_below(&g->r, 4u) : 1u) { /* 249 registers and more: none is beyond */
    case 0: /* a register beyond the allocation */
      in.rd = (uint8_t)(alloc + wg_rnd_below(&g->r, 255u - alloc));
      w = wg_encode(&in);
      break;
    case 1: /* an odd pair */
      in = wg_insn_default(kWgOp_LDG);
      in.ra = kWgRndRegOwn + 1;
      in.rd = kWgRndRegPool;
      in.mods = 4u << kWgModLsb_MSIZE;
      w = wg_encode(&in);
      break;
    case 2: /* an opcode that the table does not have */
      do {
        w.lo = wg_rnd_below(&g->r, 256u) | 7u << 8;
      } while (wg_insn_info((uint8_t)w.lo)->defined);
      break;
    default: /* a modifier bit that MOV does not have */
      in.rd = kWgRndRegPool;
      w = wg_encode(&in);
      w.hi |= UINT64_C(1) << (24u + wg_rnd_below(&g->r, 16u));
      break;
  }
  wg_rnd_raw(g, w);
}

static void bad_control(wg_rnd_gen_t *g) {
  int label = wg_rnd_new_label(g);
  switch (wg_rnd_below(&g->r, 8u)) {
    case 0: wg_rnd_asm(g, "BAR.SYNC 0x%x, %u", wg_rnd_below(&g->r, 16u), 1u + wg_rnd_below(&g->r, 31u)); break;
    case 1:
      if (wg_rnd_percent(&g->r, 30u)) { /* no such number */
        wg_rnd_asm(g, "MOV R18, 0x%x", wg_rnd_u32(&g->r) | 1u << wg_rnd_range(&g->r, 4u, 31u));
        wg_rnd_asm(g, "BAR.%s R18, 32", wg_rnd_percent(&g->r, 50u) ? "SYNC" : "ARV");
        break;
      }
      wg_rnd_asm(g, "MOV R18, 0x%x", wg_rnd_percent(&g->r, 50u) ? 0u : 33u + wg_rnd_below(&g->r, 31u));
      wg_rnd_asm(g, "BAR.%s 0x%x, R18", wg_rnd_percent(&g->r, 50u) ? "SYNC" : "ARV", wg_rnd_below(&g->r, 16u));
      break;
    case 2: /* the 33rd entry */
      wg_rnd_place(g, label);
      wg_rnd_asm(g, "BSSY B%u, .+32", wg_rnd_below(&g->r, 16u));
      wg_rnd_branch(g, "BRA", label);
      break;
    case 3: /* not the barrier that was opened last */
      wg_rnd_asm(g, "BSSY B3, .+32");
      wg_rnd_asm(g, "BSYNC B%u", 4u + wg_rnd_below(&g->r, 12u));
      break;
    case 4: wg_rnd_asm(g, "TRAP 0x%x", wg_rnd_below(&g->r, 4u)); break;
    case 5: /* a constant bank that is too short, does not exist, or a bad alignment */
      if (wg_rnd_percent(&g->r, 50u)) constant(g, 2u, 4u * kWgRndMaxConst);
      else constant(g, wg_rnd_percent(&g->r, 50u) ? 1u : 5u, 8u);
      break;
    case 6: constant(g, 3u, 1u + wg_rnd_below(&g->r, 3u)); break;
    default: { /* no multiple of 16 */
      wg_insn_t in = wg_insn_default(kWgOp_BRA);
      in.imm = 4u + 4u * wg_rnd_below(&g->r, 3u);
      wg_rnd_add(g, &in);
      break;
    }
  }
}

void wg_rnd_unit_fault(wg_rnd_gen_t *g) {
  g->unit = g->p->num_units++;
  uint32_t warp = wg_rnd_below(&g->r, g->warps);
  uint32_t first = wg_rnd_below(&g->r, g->blocks) * g->threads + 32u * warp;
  uint32_t lanes = g->threads - 32u * warp < 32u ? g->threads - 32u * warp : 32u;
  int skip = wg_rnd_new_label(g);
  wg_rnd_asm(g, "IADD3 R18, R1, -(0x%x), RZ", first);
  wg_rnd_asm(g, "ISETP.LT.U32.AND P5, PT, R18, 0x%x, PT", lanes);
  wg_rnd_branch(g, "@!P5 BRA", skip);
  switch (wg_rnd_below(&g->r, 3u)) {
    case 0: bad_address(g, lanes); break;
    case 1: bad_word(g); break;
    default: bad_control(g); break;
  }
  wg_rnd_place(g, skip);
}
