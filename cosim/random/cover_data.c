// SPDX-License-Identifier: Apache-2.0
//
// Operands of the coverage kernels: special and random values of every type, masks, offsets; and the instructions that
// take them.
#include <string.h>

#include "cosim/random/cover.h"
#include "isa/wg_cfg.h"

/* ---- registers of a kernel ---- */

enum {
  kRegAddr = 4,    /* pair: this thread's data */
  kRegWin = 6,     /* pair: the global window */
  kRegGlobal = 8,  /* five pairs: an address in it, a multiple of 1, 2, 4, 8, 16 bytes */
  kRegScratch = 18,
  kRegShared = 20, /* five: an offset in shared memory, multiples as above */
  kRegConst = 25,  /* five: an offset in a constant bank */
  kRegLocal = 30,  /* three: an offset in the frame, multiples of 1, 2, 4 */
  kRegTwo = 34,    /* pair: generic address, on shared or global memory by lane, a multiple of 16 */
  kRegThree = 36,  /* pair: on shared, local or global memory, a multiple of 4 */
  kRegMask = 44,   /* four: lane masks: all, random, random, this lane and random */
  kRegPool = 48,   /* 64 operands, by class */
  kRegDest = 112,  /* 16: results */
  kRegTail = 112,  /* while the addresses are made: the last quads of the data */
  kSlack = 1008,   /* bytes that an immediate may add to an offset */
  kOffsets = 2048, /* offsets in windows are below */
  kConstBytes = kWgRndMaxConst * 4,
};

static const struct {
  uint8_t first, num;
} kPool[] = {[kWgCoverInt] = {48, 8},  [kWgCoverSmall] = {56, 8}, [kWgCoverF32] = {64, 8}, [kWgCoverF16] = {72, 8},
             [kWgCoverBf16] = {80, 8}, [kWgCoverF64] = {88, 16},  [kWgCoverAny] = {104, 8}};

/* ---- values ---- */

static uint32_t f32_word(wg_rnd_t *r) {
  static const uint32_t kSpecial[] = {0u,          0x80000000u, 0x3f800000u, 0xbf800000u, 0x7f800000u, 0xff800000u,
                                      0x7fc00000u, 0x7f800001u, 0xffc12345u, 0x7fffffffu, 0x00000001u, 0x807fffffu,
                                      0x007fffffu, 0x00800000u, 0x80800001u, 0x7f7fffffu, 0xff7fffffu, 0x3f7fffffu,
                                      0x3f800001u, 0x3f000000u, 0x40000000u, 0x33800000u, 0x34000000u, 0x4b800001u,
                                      0x4f000000u, 0xcf000000u, 0x4effffffu, 0x5f000000u, 0x42fe0000u, 0xc3180000u};
  uint32_t how = wg_rnd_below(r, 10u);
  if (how < 3u) return kSpecial[wg_rnd_below(r, sizeof kSpecial / sizeof kSpecial[0])];
  if (how < 8u) return (wg_rnd_u32(r) & 0x807fffffu) | (97u + wg_rnd_below(r, 62u)) << 23; /* to add and multiply */
  return wg_rnd_u32(r);
}

static uint32_t f64_word(wg_rnd_t *r) {
  static const uint32_t kSpecial[] = {0u,          0x80000000u, 0x3ff00000u, 0xbff00000u, 0x7ff00000u, 0xfff00000u,
                                      0x7ff80000u, 0x7ff00001u, 0x00000001u, 0x800fffffu, 0x00100000u, 0x7fefffffu,
                                      0x41e00000u, 0xc1e00000u, 0x43e00000u, 0x36900000u, 0x47efffffu, 0x3e600000u};
  uint32_t how = wg_rnd_below(r, 10u);
  if (how < 3u) return kSpecial[wg_rnd_below(r, sizeof kSpecial / sizeof kSpecial[0])];
  if (how < 8u) return (wg_rnd_u32(r) & 0x800fffffu) | (980u + wg_rnd_below(r, 90u)) << 20;
  return wg_rnd_u32(r);
}

static uint32_t half_of(wg_rnd_t *r, bool bf) {
  static const uint16_t kF16[] = {0,      0x8000, 0x3c00, 0xbc00, 0x7c00, 0xfc00, 0x7e00, 0x7c01,
                                  0x0001, 0x83ff, 0x0400, 0x7bff, 0xfbff, 0x3bff, 0x3c01, 0x3800};
  static const uint16_t kBf16[] = {0,      0x8000, 0x3f80, 0xbf80, 0x7f80, 0xff80, 0x7fc0, 0x7f81,
                                   0x0001, 0x807f, 0x0080, 0x7f7f, 0xff7f, 0x3f7f, 0x3f81, 0x3f00};
  uint32_t how = wg_rnd_below(r, 10u);
  if (how < 3u) return bf ? kBf16[wg_rnd_below(r, 16u)] : kF16[wg_rnd_below(r, 16u)];
  if (how < 6u && bf) return (wg_rnd_u32(r) & 0x807fu) | (112u + wg_rnd_below(r, 30u)) << 7;
  if (how < 6u) return (wg_rnd_u32(r) & 0x83ffu) | (8u + wg_rnd_below(r, 14u)) << 10;
  return wg_rnd_u32(r) & 0xffffu;
}

uint32_t wg_cover_word(wg_rnd_t *r, wg_cover_class_t k) {
  switch (k) {
    case kWgCoverSmall: return wg_rnd_percent(r, 80u) ? wg_rnd_below(r, 67u) : wg_rnd_below(r, 4u) * 0x01010101u;
    case kWgCoverF32: return f32_word(r);
    case kWgCoverF16: return half_of(r, false) | half_of(r, false) << 16;
    case kWgCoverBf16: return half_of(r, true) | half_of(r, true) << 16;
    case kWgCoverF64: return f64_word(r);
    case kWgCoverAny: return wg_rnd_u32(r);
    default: return wg_rnd_value(r);
  }
}

/* Offsets of a warp's lanes, by its number: random, consecutive, all the same, far apart, two to a place. */
static uint32_t offset_of(wg_rnd_t *r, unsigned warp, unsigned lane, uint32_t bytes, uint32_t same) {
  switch (warp % 5u) {
    case 0: return wg_rnd_below(r, kOffsets) & ~(bytes - 1u);
    case 1: return (same + lane * bytes) % kOffsets & ~(bytes - 1u);
    case 2: return same & ~(bytes - 1u);
    case 3: return (same + lane * 128u) % kOffsets & ~(bytes - 1u);
    default: return (same + lane / 2u * bytes * 2u) % kOffsets & ~(bytes - 1u);
  }
}

/* Word k of the pool for a lane: its class follows from the register. */
static uint32_t pool_word(wg_rnd_t *r, unsigned k) {
  static const wg_cover_class_t kClass[8] = {kWgCoverInt,  kWgCoverSmall, kWgCoverF32, kWgCoverF16,
                                             kWgCoverBf16, kWgCoverF64,   kWgCoverF64, kWgCoverAny};
  wg_cover_class_t c = kClass[k / 8u];
  if (c != kWgCoverF64 || k % 2u == 1u) return wg_cover_word(r, c);
  return wg_rnd_percent(r, 40u) ? 0u : wg_rnd_percent(r, 30u) ? UINT32_MAX : wg_rnd_u32(r);
}

void wg_cover_data(uint64_t seed, uint32_t *data) {
  wg_rnd_t r = {seed * UINT64_C(0x9e3779b97f4a7c15) + 1u};
  for (unsigned w = 0; w < (unsigned)kWgCoverWarps; w++) {
    uint32_t part = 0, same[5], word[kWgCoverQuads * 4];
    while (__builtin_popcount(part) < 2 || __builtin_popcount(part) > 30) {
      part = wg_rnd_u32(&r);
      if (wg_rnd_percent(&r, 50u)) part &= wg_rnd_u32(&r); /* few lanes, or all but few, too */
      if (wg_rnd_percent(&r, 50u)) part = ~part;
    }
    uint32_t one = wg_rnd_below(&r, 32u), mask = wg_rnd_u32(&r);
    for (unsigned i = 0; i < 5u; i++) same[i] = wg_rnd_below(&r, kOffsets);
    for (unsigned l = 0; l < 32u; l++) {
      for (unsigned k = 0; k < 64u; k++) word[k] = pool_word(&r, k);
      for (unsigned i = 0; i < 5u; i++) word[64u + i] = offset_of(&r, w, l, 1u << i, same[i]);
      word[69] = (part >> l & 1u) | (l == one ? 2u : 0u);
      word[70] = mask;
      word[71] = wg_rnd_u32(&r) | 1u << l;
      for (unsigned k = 72u; k < kWgCoverQuads * 4u; k++) word[k] = wg_rnd_u32(&r);
      for (unsigned k = 0; k < kWgCoverQuads * 4u; k++) {
        data[((w * kWgCoverQuads + k / 4u) * 32u + l) * 4u + k % 4u] = word[k];
      }
    }
  }
}

/* ---- prologue ---- */

static void addresses(wg_rnd_gen_t *g) {
  wg_rnd_asm(g, "MOV R%d, c[0x0][0x%x]", kRegWin, kWgParamBase + 8);
  wg_rnd_asm(g, "MOV R%d, c[0x0][0x%x]", kRegWin + 1, kWgParamBase + 12);
  for (int i = 0; i < 5; i++) {
    int off = kRegTail + i;
    wg_rnd_asm(g, "IADD3 R%d, P0, R%d, R%d, RZ", kRegGlobal + 2 * i, kRegWin, off);
    wg_rnd_asm(g, "IADD3.X R%d, R%d, RZ, RZ, P0", kRegGlobal + 2 * i + 1, kRegWin + 1);
    wg_rnd_asm(g, "MOV R%d, R%d", kRegShared + i, off);
    wg_rnd_asm(g, "LOP3 R%d, R%d, 0x7f, RZ, 0xc0", kRegConst + i, off);
    if (i < 3) wg_rnd_asm(g, "LOP3 R%d, R%d, 0x3f, RZ, 0xc0", kRegLocal + i, off);
  }
  /* generic: P0, P1 by lane choose the space */
  wg_rnd_asm(g, "ISETP.LT.AND P0, PT, R%d, RZ, PT", kRegPool + 56);
  wg_rnd_asm(g, "ISETP.LT.AND P1, PT, R%d, RZ, PT", kRegPool + 57);
  wg_rnd_asm(g, "SEL R%d, R%d, R%d, P0", kRegTwo, kRegShared + 4, kRegGlobal + 8);
  wg_rnd_asm(g, "SEL R%d, R%d, 0x1, !P0", kRegScratch, kRegGlobal + 9);
  wg_rnd_asm(g, "MOV R%d, R%d", kRegTwo + 1, kRegScratch);
  wg_rnd_asm(g, "SEL R%d, R%d, R%d, P0", kRegThree, kRegShared + 2, kRegGlobal + 4);
  wg_rnd_asm(g, "SEL R%d, R%d, R%d, P1", kRegThree, kRegLocal + 2, kRegThree);
  wg_rnd_asm(g, "MOV R%d, 0x2", kRegThree + 1);
  wg_rnd_asm(g, "SEL R%d, R%d, R%d, P1", kRegThree + 1, kRegThree + 1, kRegScratch);
}

void wg_cover_prologue(wg_rnd_gen_t *g) {
  wg_rnd_asm(g, "S2R R0, SR_TID.X");
  wg_rnd_asm(g, "S2R R1, SR_CTAID.X");
  wg_rnd_asm(g, "SHF.R.U32.HI R2, RZ, 0x5, R0"); /* warp in the grid */
  wg_rnd_asm(g, "IMAD R2, R1, 0x%x, R2", kWgCoverBlockWarps);
  wg_rnd_asm(g, "LOP3 R3, R0, 0x1f, RZ, 0xc0");
  wg_rnd_asm(g, "MOV R%d, c[0x0][0x%x]", kRegAddr, kWgParamBase);
  wg_rnd_asm(g, "MOV R%d, c[0x0][0x%x]", kRegAddr + 1, kWgParamBase + 4);
  wg_rnd_asm(g, "IMAD.WIDE.U32 R%d, R2, 0x%x, R%d", kRegAddr, kWgCoverQuads * 512, kRegAddr);
  wg_rnd_asm(g, "IMAD.WIDE.U32 R%d, R3, 0x10, R%d", kRegAddr, kRegAddr);
  for (int q = 0; q < kWgCoverQuads; q++) {
    wg_rnd_asm(g, "LDG.E.128 R%d, [R%d+0x%x]", kRegPool + 4 * q, kRegAddr, q * 512);
  }
  addresses(g);
  wg_rnd_asm(g, "MOV R%d, 0xffffffff", kRegMask);
  for (int i = 1; i < 3; i++) wg_rnd_asm(g, "MOV R%d, R%d", kRegMask + i, kRegTail + 6);
  wg_rnd_asm(g, "LOP3 R%d, R%d, 0x1, RZ, 0xfc", kRegMask + 2, kRegMask + 2);
  wg_rnd_asm(g, "MOV R%d, R%d", kRegMask + 3, kRegTail + 7);
  /* P5 the lanes of a partial mask, P6 a single one */
  wg_rnd_asm(g, "LOP3 R%d, R%d, 0x1, RZ, 0xc0", kRegScratch, kRegTail + 5);
  wg_rnd_asm(g, "ISETP.NE.AND P5, PT, R%d, RZ, PT", kRegScratch);
  wg_rnd_asm(g, "LOP3 R%d, R%d, 0x2, RZ, 0xc0", kRegScratch, kRegTail + 5);
  wg_rnd_asm(g, "ISETP.NE.AND P6, PT, R%d, RZ, PT", kRegScratch);
  for (int i = 2; i < 5; i++) wg_rnd_asm(g, "ISETP.LT.AND P%d, PT, R%d, RZ, PT", i, kRegPool + 56 + i);
  /* all of shared memory, 16 bytes a thread */
  wg_rnd_asm(g, "SHF.L.U32 R%d, R0, 0x4, RZ", kRegScratch);
  wg_rnd_asm(g, "STS.128 [R%d], R%d", kRegScratch, kRegPool + 56);
  for (int i = 0; i < 16; i++) wg_rnd_asm(g, "MOV R%d, R%d", kRegDest + i, kRegPool + i);
  wg_rnd_asm(g, "BAR.RED.POPC 0x0, P5");
}

/* ---- operands ---- */

static uint8_t pool_reg(wg_rnd_gen_t *g, wg_cover_class_t k, unsigned align) {
  if (wg_rnd_percent(&g->r, 12u)) k = (wg_cover_class_t)wg_rnd_below(&g->r, kWgCoverAny + 1u);
  return (uint8_t)(kPool[k].first + wg_rnd_below(&g->r, kPool[k].num / align) * align);
}

static wg_cover_class_t float_class(unsigned fsrc) {
  static const wg_cover_class_t k[4] = {kWgCoverF16, kWgCoverF32, kWgCoverF64, kWgCoverBf16};
  return k[fsrc & 3u];
}

static wg_cover_class_t mma_class(const wg_insn_t *in, char letter) {
  if (in->op == kWgOp_DMMA) return kWgCoverF64;
  if (in->op == kWgOp_IMMA) return letter == 'C' ? kWgCoverInt : kWgCoverAny;
  if (letter == 'C') return WG_MOD_GET(in, MACC) != 0u ? kWgCoverF16 : kWgCoverF32;
  switch (WG_MOD_GET(in, MIN)) {
    case 0: return kWgCoverF16;
    case 1: return kWgCoverBf16;
    default: return kWgCoverF32;
  }
}

/* What a source operand is. */
static wg_cover_class_t class_of(const wg_insn_t *in, char letter) {
  unsigned pipe = wg_insn_info(in->op)->pipe;
  switch (in->op) {
    case kWgOp_FSETP:
    case kWgOp_FMNMX:
    case kWgOp_FCHK: return kWgCoverF32;
    case kWgOp_MUFU: return WG_MOD_GET(in, MUFUF) >= 8u ? kWgCoverF64 : kWgCoverF32;
    case kWgOp_F2I:
    case kWgOp_F2F: return float_class(WG_MOD_GET(in, FSRC));
    case kWgOp_IDP: return kWgCoverAny;
    case kWgOp_SHF:
    case kWgOp_SHFL: return letter == 'A' || letter == 'C' ? kWgCoverInt : kWgCoverSmall;
    case kWgOp_PRMT: return kWgCoverAny;
    case kWgOp_MATCH: return kWgCoverSmall;
    case kWgOp_HSETP2: return WG_MOD_GET(in, HSBF) != 0u ? kWgCoverBf16 : kWgCoverF16;
    default: break;
  }
  if (pipe == kWgPipeFP32) return kWgCoverF32;
  if (pipe == kWgPipeFP64) return kWgCoverF64;
  if (pipe == kWgPipeHALF) return WG_MOD_GET(in, HBF) != 0u ? kWgCoverBf16 : kWgCoverF16;
  return pipe == kWgPipeMMA ? mma_class(in, letter) : kWgCoverInt;
}

/* Lane masks. */
static bool takes_mask(const wg_insn_t *in) { return wg_insn_info(in->op)->pipe == kWgPipeXLANE; }

static void operand_b(wg_rnd_gen_t *g, wg_insn_t *in, const wg_op_facts_t *f) {
  wg_cover_class_t k = class_of(in, 'B');
  uint32_t group;
  switch (in->form) {
    case kWgFormReg:
      in->rb = takes_mask(in) ? (uint8_t)(kRegMask + wg_rnd_below(&g->r, 4u))
                              : pool_reg(g, k, wg_op_field_regs(f, 'B', in->mods));
      break;
    case kWgFormImm:
      in->imm = takes_mask(in) ? (wg_rnd_percent(&g->r, 50u) ? UINT32_MAX : wg_rnd_u32(&g->r))
                               : wg_cover_word(&g->r, k);
      if (wg_op_has(f, 'L')) in->imm &= 0xffu;
      break;
    default: /* words of a bank by class: wg_cover_generate */
      in->cbank = wg_rnd_percent(&g->r, 50u) ? 3u : 2u;
      group = takes_mask(in) ? 7u : k == kWgCoverAny ? 6u : (uint32_t)k;
      in->coff = (uint16_t)(4u * (8u * group + wg_rnd_below(&g->r, 8u)));
      break;
  }
}

static void predicates(wg_rnd_gen_t *g, wg_insn_t *in, const wg_op_facts_t *f) {
  bool only = !wg_op_has(f, 'D'); /* nothing else to see */
  if (wg_op_has(f, 'P')) in->pd0 = !only && wg_rnd_percent(&g->r, 40u) ? kWgPT : (uint8_t)wg_rnd_below(&g->r, 4u);
  if (wg_op_has(f, 'Q')) in->pd1 = (uint8_t)wg_rnd_below(&g->r, 4u);
  if (wg_op_has(f, 'p')) {
    in->ps0 = wg_rnd_percent(&g->r, 20u) ? kWgPT : (uint8_t)wg_rnd_below(&g->r, 5u);
    in->ps0_not = wg_rnd_percent(&g->r, 40u);
  }
  if (wg_op_has(f, 'q')) {
    in->ps1 = wg_rnd_percent(&g->r, 20u) ? kWgPT : (uint8_t)wg_rnd_below(&g->r, 5u);
    in->ps1_not = wg_rnd_percent(&g->r, 40u);
  }
}

/* ---- memory ---- */

static unsigned log2_of(unsigned bytes) { return (unsigned)__builtin_ctz(bytes); }

static uint8_t generic_reg(wg_rnd_gen_t *g, const wg_insn_t *in, unsigned bytes) {
  unsigned type = wg_insn_is_atomic(in->op) ? WG_MOD_GET(in, ATYPE) : 0u;
  if (type >= 4u && type <= 9u) return (uint8_t)(kRegGlobal + 2u * log2_of(bytes)); /* floats: global memory alone */
  if (!wg_insn_is_atomic(in->op) && bytes <= 4u && wg_rnd_percent(&g->r, 60u)) return kRegThree;
  return wg_rnd_percent(&g->r, 70u) ? (uint8_t)kRegTwo : (uint8_t)(kRegGlobal + 2u * log2_of(bytes));
}

static void memory_operand(wg_rnd_gen_t *g, wg_insn_t *in) {
  unsigned bytes = wg_insn_bytes(in), lg = log2_of(bytes);
  uint32_t room = kSlack;
  switch (wg_insn_space(in->op)) {
    case kWgSpaceGlobal: in->ra = (uint8_t)(kRegGlobal + 2u * lg); break;
    case kWgSpaceShared: in->ra = (uint8_t)(kRegShared + lg); break;
    case kWgSpaceLocal:
      in->ra = (uint8_t)(kRegLocal + lg);
      room = 28u;
      break;
    case kWgSpaceConst:
      in->ra = (uint8_t)(kRegConst + lg);
      in->cbank = wg_rnd_percent(&g->r, 50u) ? 3u : 2u;
      in->coff = (uint16_t)(bytes * wg_rnd_below(&g->r, (kConstBytes - 0x80u) / bytes));
      return;
    default:
      in->ra = generic_reg(g, in, bytes);
      if (in->ra == kRegThree) room = 28u;
      break;
  }
  in->imm = bytes * wg_rnd_below(&g->r, room / bytes + 1u);
}

/* ---- an instruction ---- */

void wg_cover_data_insn(wg_rnd_gen_t *g, const wg_insn_t *like, const char *guard) {
  const wg_op_facts_t *f = wg_op_facts(like->op);
  wg_insn_t in = *like, back;
  if (wg_op_has(f, 'D')) {
    unsigned n = wg_op_field_regs(f, 'D', in.mods);
    in.rd = (uint8_t)(kRegDest + wg_rnd_below(&g->r, 16u / n) * n);
  }
  if (wg_op_has(f, 'A')) in.ra = pool_reg(g, class_of(&in, 'A'), wg_op_field_regs(f, 'A', in.mods));
  if (wg_op_has(f, 'B') || wg_op_has(f, 'L')) operand_b(g, &in, f);
  if (wg_op_has(f, 'C')) in.rc = pool_reg(g, class_of(&in, 'C'), wg_op_field_regs(f, 'C', in.mods));
  if (wg_op_has(f, 'W')) {
    unsigned type = WG_MOD_GET(&in, ATYPE);
    wg_cover_class_t k = !wg_insn_is_atomic(in.op) ? kWgCoverAny
                         : type == 4u              ? kWgCoverF32
                         : type == 5u              ? kWgCoverF64
                         : type == 6u || type == 8u ? kWgCoverF16
                         : type == 7u || type == 9u ? kWgCoverBf16
                                                    : kWgCoverInt;
    in.rc = pool_reg(g, k, wg_op_field_regs(f, 'C', in.mods));
  }
  if (wg_op_has(f, 'K')) {
    if (WG_MOD_GET(&in, CIMM) == 0u) {
      in.rc = pool_reg(g, kWgCoverSmall, 1u);
    } else {
      uint32_t clamp = wg_rnd_percent(&g->r, 50u) ? 31u : wg_rnd_below(&g->r, 32u);
      uint32_t segment = wg_rnd_percent(&g->r, 80u) ? 32u - (1u << wg_rnd_below(&g->r, 6u)) : wg_rnd_below(&g->r, 32u);
      in.imm = (in.imm & 0xffu) | (segment << 8 | clamp) << 8;
    }
  }
  if (wg_op_has(f, 'M') || wg_op_has(f, 'U')) memory_operand(g, &in);
  predicates(g, &in, f);
  in.guard = guard[0] == '\0' ? kWgPT : (uint8_t)(guard[strlen(guard) - 1u] - '0');
  in.guard_not = guard[0] == '!';
  WG_BUG(wg_decode(wg_encode(&in), &back) != kWgOk);
  wg_rnd_add(g, &in);
}
