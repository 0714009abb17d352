// SPDX-License-Identifier: Apache-2.0
//
// Random numbers, operands, and the units that need no memory.
#include <string.h>

#include "cosim/random/random.h"
#include "isa/wg_cfg.h"
#include "isa/wg_isa_table.h"
#include "toolchain/asm/wg_asm.h"

uint32_t wg_rnd_u32(wg_rnd_t *r) {
  r->s += UINT64_C(0x9e3779b97f4a7c15);
  uint64_t z = r->s;
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return (uint32_t)((z ^ z >> 31) >> 32);
}

uint32_t wg_rnd_value(wg_rnd_t *r) {
  static const uint32_t kCorner[] = {
    0, 1, 2, 3, 4, 5, 7, 8, 15, 16, 31, 32, 33, 63, 64, 65, 127, 128, 255, 256, 0x7fff, 0x8000, 0xffff, 0x10000,
    0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff, 0x55555555, 0xaaaaaaaa, 0xfedcba98, /* integers */
    0x3f800000, 0xbf800000, 0x3f7fffff, 0x3f800001, 0x40000000, 0x3f000000, 0x00800000, 0x80800000, 0x007fffff,
    0x807fffff, 0x00400000, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7f800001, 0x7fc00000, 0xffc00001,
    0x7fffffff, 0x33800000, 0x34000000, 0x4b800000, 0x4b000001, 0x0b800000, 0x7e800000, 0x7f000000 /* floats */
  };
  uint32_t how = wg_rnd_below(r, 10u);
  if (how < 5u) return kCorner[wg_rnd_below(r, sizeof kCorner / sizeof kCorner[0])];
  if (how < 6u) return kCorner[wg_rnd_below(r, sizeof kCorner / sizeof kCorner[0])] ^ 1u << wg_rnd_below(r, 32u);
  if (how < 7u) return wg_rnd_below(r, 70u);
  if (how < 8u) return (wg_rnd_u32(r) & 0x807fffffu) | (100u + wg_rnd_below(r, 56u)) << 23; /* products in range */
  return wg_rnd_u32(r);
}

/* ---- adding items ---- */

static wg_rnd_item_t *new_item(wg_rnd_gen_t *g) {
  wg_rnd_prog_t *p = g->p;
  WG_BUG(p->num_items == kWgRndMaxItems);
  wg_rnd_item_t *it = &p->item[p->num_items++];
  memset(it, 0, sizeof *it);
  it->label = -1;
  it->unit = g->unit;
  g->cost += g->trips;
  return it;
}

wg_insn_t *wg_rnd_add(wg_rnd_gen_t *g, const wg_insn_t *in) {
  wg_rnd_item_t *it = new_item(g);
  it->kind = kWgRndInsn;
  it->in = *in;
  if (g->control) { /* without meaning under the scoreboard */
    it->in.stall = (uint8_t)wg_rnd_below(&g->r, 16u);
    it->in.yield = (uint8_t)wg_rnd_below(&g->r, 16u);
    it->in.wr_ctr = (uint8_t)wg_rnd_below(&g->r, 8u);
    it->in.rd_ctr = (uint8_t)wg_rnd_below(&g->r, 8u);
    it->in.wait_mask = (uint8_t)wg_rnd_u32(&g->r);
  }
  return &it->in;
}

wg_insn_t *wg_rnd_asm(wg_rnd_gen_t *g, const char *fmt, ...) {
  char text[160];
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(text, sizeof text, fmt, ap);
  va_end(ap);
  wg_insn_t in;
  wg_diag_t diag;
  memset(&diag, 0, sizeof diag);
  if (wg_asm_insn(text, &in, &diag) != kWgOk) {
    fprintf(stderr, "'%s': %s\n", text, diag.msg);
    WG_BUG("text that does not assemble" != NULL);
  }
  return wg_rnd_add(g, &in);
}

void wg_rnd_raw(wg_rnd_gen_t *g, wg_word_t w) {
  wg_rnd_item_t *it = new_item(g);
  it->kind = kWgRndRaw;
  it->word = w;
}

int wg_rnd_new_label(wg_rnd_gen_t *g) { return (int)g->p->num_labels++; }

void wg_rnd_place(wg_rnd_gen_t *g, int label) {
  wg_rnd_item_t *it = new_item(g);
  it->kind = kWgRndLabel;
  it->label = label;
}

void wg_rnd_branch(wg_rnd_gen_t *g, const char *text, int label) {
  wg_rnd_asm(g, "%s .+16", text);
  g->p->item[g->p->num_items - 1u].label = label;
}

/* ---- operands ---- */

void wg_rnd_new_hot(wg_rnd_gen_t *g) {
  uint32_t n = g->pool_end - kWgRndRegPool;
  uint32_t step = 1u << wg_rnd_below(&g->r, 4u); /* often the same bank, whatever the number of banks */
  uint32_t at = wg_rnd_below(&g->r, n);
  for (unsigned i = 0; i < 4u; i++) g->hot[i] = (uint8_t)(kWgRndRegPool + (at + i * step) % n);
}

uint8_t wg_rnd_reg(wg_rnd_gen_t *g, unsigned align) {
  uint32_t r = kWgRndRegPool + wg_rnd_below(&g->r, g->pool_end - kWgRndRegPool);
  if (wg_rnd_percent(&g->r, 65u)) r = g->hot[wg_rnd_below(&g->r, 4u)];
  r = r / align * align;
  while (r + align > g->pool_end) r -= align;
  return (uint8_t)r;
}

static uint8_t source(wg_rnd_gen_t *g, unsigned align) {
  static const uint8_t kFixed[] = {kWgRndRegTid, kWgRndRegGtid, kWgRndRegWarp};
  if (wg_rnd_percent(&g->r, 6u)) return kWgRZ;
  if (align == 1u && wg_rnd_percent(&g->r, 6u)) return kFixed[wg_rnd_below(&g->r, 3u)];
  return wg_rnd_reg(g, align);
}

static uint8_t pred_dest(wg_rnd_gen_t *g) {
  return wg_rnd_percent(&g->r, 15u) ? kWgPT : (uint8_t)wg_rnd_below(&g->r, kWgRndPredPool);
}

void wg_rnd_guard(wg_rnd_gen_t *g, wg_insn_t *in, uint32_t percent) {
  if (!wg_rnd_percent(&g->r, percent)) return;
  in->guard = (uint8_t)wg_rnd_below(&g->r, 8u);
  in->guard_not = wg_rnd_percent(&g->r, in->guard == kWgPT ? 20u : 50u);
}

static void const_operand(wg_rnd_gen_t *g, wg_insn_t *in) {
  in->form = kWgFormConst;
  switch (wg_rnd_below(&g->r, 4u)) {
    case 0:
      in->cbank = 0;
      in->coff = (uint16_t)(4u * wg_rnd_below(&g->r, kWgParamBase / 4u)); /* the launch's shape, and zeros */
      break;
    case 1:
      in->cbank = 0;
      in->coff = (uint16_t)(kWgParamBase + 8u * g->p->num_buffers + 4u * wg_rnd_below(&g->r, kWgRndParams));
      break;
    case 2:
      in->cbank = 2;
      in->coff = (uint16_t)(4u * wg_rnd_below(&g->r, kWgRndMaxConst));
      break;
    default:
      in->cbank = 3;
      in->coff = (uint16_t)(4u * wg_rnd_below(&g->r, kWgRndMaxConst));
      break;
  }
}

static void operand_b(wg_rnd_gen_t *g, wg_insn_t *in, const wg_op_facts_t *f) {
  uint32_t how = wg_rnd_below(&g->r, 100u);
  unsigned max = wg_op_max_form(f);
  in->form = kWgFormReg;
  in->rb = source(g, wg_op_field_regs(f, 'B', in->mods));
  if (how < 55u || max == kWgFormReg) return;
  if (how >= 85u && max == kWgFormConst) {
    const_operand(g, in);
    return;
  }
  in->form = kWgFormImm;
  in->imm = wg_op_has(f, 'L') ? wg_rnd_below(&g->r, wg_rnd_percent(&g->r, 80u) ? 33u : 256u) : wg_rnd_value(&g->r);
}

static void clamp_imm(wg_rnd_gen_t *g, wg_insn_t *in) {
  uint32_t segment = 32u - (1u << wg_rnd_below(&g->r, 6u));
  uint32_t clamp = wg_rnd_percent(&g->r, 50u) ? 31u : wg_rnd_below(&g->r, 32u);
  if (wg_rnd_percent(&g->r, 20u)) segment = wg_rnd_below(&g->r, 256u);
  in->imm = (in->imm & 0xffu) | (segment << 8 | clamp) << 8;
}

static void modifiers(wg_rnd_gen_t *g, wg_insn_t *in, const wg_op_facts_t *f) {
  for (unsigned i = 0; i < f->num_mods; i++) {
    const wg_mod_info_t *m = f->mods[i];
    uint32_t v;
    do {
      v = wg_rnd_below(&g->r, 1u << m->width);
    } while (!wg_mod_defined(m, v));
    in->mods = (uint16_t)(in->mods | v << m->lsb);
  }
  for (unsigned i = 0; i < f->num_marks; i++) {
    if (wg_rnd_percent(&g->r, 30u)) in->mods = (uint16_t)(in->mods | 1u << f->marks[i]->lsb);
  }
}

wg_insn_t *wg_rnd_any(wg_rnd_gen_t *g, uint8_t op) {
  const wg_op_facts_t *f = wg_op_facts(op);
  wg_insn_t in = wg_insn_default(op);
  do {
    in.mods = 0;
    modifiers(g, &in, f);
  } while (!wg_insn_built(&in)); /* combinations of modifiers that are undefined */
  if (wg_op_has(f, 'D')) {
    in.rd = wg_rnd_percent(&g->r, 4u) ? kWgRZ : wg_rnd_reg(g, wg_op_field_regs(f, 'D', in.mods));
  }
  if (wg_op_has(f, 'A')) in.ra = source(g, wg_op_field_regs(f, 'A', in.mods));
  if (wg_op_has(f, 'B') || wg_op_has(f, 'L')) operand_b(g, &in, f);
  if (wg_op_has(f, 'C') || wg_op_has(f, 'K')) in.rc = source(g, wg_op_field_regs(f, 'C', in.mods));
  if (wg_op_has(f, 'K') && WG_MOD_GET(&in, CIMM) != 0u) clamp_imm(g, &in);
  if (wg_op_has(f, 'P')) in.pd0 = pred_dest(g);
  if (wg_op_has(f, 'Q')) in.pd1 = pred_dest(g);
  if (wg_op_has(f, 'p')) {
    in.ps0 = (uint8_t)wg_rnd_below(&g->r, 8u);
    in.ps0_not = wg_rnd_percent(&g->r, 40u);
  }
  if (wg_op_has(f, 'q')) {
    in.ps1 = (uint8_t)wg_rnd_below(&g->r, 8u);
    in.ps1_not = wg_rnd_percent(&g->r, 40u);
  }
  wg_rnd_guard(g, &in, 25u);
  wg_insn_t back;
  WG_BUG(wg_decode(wg_encode(&in), &back) != kWgOk);
  return wg_rnd_add(g, &in);
}

/* ---- units ---- */

/* Is any form of it executed? A matrix instruction's default modifiers are undefined. */
static bool pipe_built(const wg_insn_info_t *i) {
  wg_insn_t in = wg_insn_default(i->opcode);
  for (unsigned m = 0; m < 16u; m++) {
    in.mods = (uint16_t)m;
    if (wg_insn_built(&in)) return true;
  }
  return false;
}

static uint8_t op_of_pipe(wg_rnd_gen_t *g, unsigned mask) {
  size_t n;
  const wg_insn_info_t *t = wg_insn_table(&n);
  for (;;) {
    const wg_insn_info_t *i = &t[wg_rnd_below(&g->r, (uint32_t)n)];
    if ((mask >> i->pipe & 1u) != 0u && pipe_built(i)) return i->opcode;
  }
}

static uint8_t alu_op(wg_rnd_gen_t *g) {
  return op_of_pipe(g, 1u << kWgPipeINT | 1u << kWgPipeFP32 | 1u << kWgPipeFP64 | 1u << kWgPipeHALF);
}
/* Variable latency and no memory. */
static uint8_t sfu_op(wg_rnd_gen_t *g) {
  return op_of_pipe(g, 1u << kWgPipeSFU | 1u << kWgPipeXLANE | 1u << kWgPipeMMA);
}

static void sreg(wg_rnd_gen_t *g) {
  static const uint8_t kSteady[] = {kWgSrTidX, kWgSrTidY, kWgSrTidZ, kWgSrCtaidX, kWgSrCtaidY, kWgSrCtaidZ,
                                    kWgSrLaneId, kWgSrGridIdLo, kWgSrLaneMaskEq, kWgSrLaneMaskLt, kWgSrLaneMaskLe,
                                    kWgSrLaneMaskGt, kWgSrLaneMaskGe, 40, 255};
  wg_insn_t in = wg_insn_default(kWgOp_S2R);
  in.rd = wg_rnd_reg(g, 1u);
  in.imm = kSteady[wg_rnd_below(&g->r, sizeof kSteady)];
  if (wg_rnd_percent(&g->r, 25u)) { /* depends on time or place */
    in.imm = wg_rnd_range(&g->r, 0u, kWgSrGlobalTimerHi);
    if (g->p->judged != kWgRndRacy) in.rd = kWgRndRegSink;
    g->p->timed = true;
  }
  wg_rnd_guard(g, &in, 30u);
  wg_rnd_add(g, &in);
}

static void set_mod(wg_insn_t *in, unsigned lsb, unsigned width, unsigned v) {
  in->mods = (uint16_t)((in->mods & ~(((1u << width) - 1u) << lsb)) | v << lsb);
}
#define SET_MOD(IN, ID, V) set_mod(IN, kWgModLsb_##ID, kWgModWidth_##ID, V)

static void carry(wg_rnd_gen_t *g) {
  uint8_t p = (uint8_t)wg_rnd_below(&g->r, kWgRndPredPool);
  uint32_t n = wg_rnd_range(&g->r, 2u, 4u);
  bool compare = wg_rnd_percent(&g->r, 35u);
  for (uint32_t i = 0; i < n; i++) {
    wg_insn_t *in = wg_rnd_any(g, compare ? kWgOp_ISETP : kWgOp_IADD3);
    in->pd0 = p;
    in->guard = kWgPT;
    in->guard_not = false;
    if (compare) {
      SET_MOD(in, IEX, i > 0u);
      if (i > 0u) in->ps1 = p;
    } else {
      SET_MOD(in, X, i > 0u);
      if (i > 0u) in->ps0 = p;
    }
    if (wg_rnd_percent(&g->r, 15u)) wg_rnd_any(g, kWgOp_IMAD);
  }
}

static void dense(wg_rnd_gen_t *g) {
  uint8_t keep[4];
  memcpy(keep, g->hot, sizeof keep);
  uint8_t a = wg_rnd_reg(g, 1u), b = wg_rnd_reg(g, 1u);
  g->hot[0] = g->hot[1] = g->hot[2] = a;
  g->hot[3] = b;
  uint32_t n = wg_rnd_range(&g->r, 3u, 8u);
  for (uint32_t i = 0; i < n; i++) {
    uint32_t how = wg_rnd_below(&g->r, 10u);
    if (how == 0u) wg_rnd_any(g, sfu_op(g));
    else if (how == 1u) wg_rnd_any(g, kWgOp_SHFL);
    else if (how == 2u) sreg(g);
    else wg_rnd_any(g, alu_op(g));
  }
  memcpy(g->hot, keep, sizeof keep);
}

static void preds(wg_rnd_gen_t *g) {
  static const uint8_t kOps[] = {kWgOp_ISETP, kWgOp_FSETP, kWgOp_PLOP3, kWgOp_FCHK, kWgOp_LOP3, kWgOp_IADD3};
  uint32_t n = wg_rnd_range(&g->r, 2u, 5u);
  uint8_t last = 0;
  for (uint32_t i = 0; i < n; i++) {
    wg_insn_t *in = wg_rnd_any(g, kOps[wg_rnd_below(&g->r, sizeof kOps)]);
    if (i > 0u && wg_rnd_percent(&g->r, 50u)) { /* the guard was written right before */
      in->guard = last;
      in->guard_not = wg_rnd_percent(&g->r, 50u);
    }
    last = in->pd0;
  }
  wg_insn_t *in = wg_rnd_any(g, alu_op(g));
  in->guard = last;
}

void wg_rnd_unit_alu(wg_rnd_gen_t *g, wg_rnd_kind_t kind) {
  switch (kind) {
    case kWgRndDense: dense(g); break;
    case kWgRndCarry: carry(g); break;
    case kWgRndPred: preds(g); break;
    case kWgRndSfu: wg_rnd_any(g, sfu_op(g)); break;
    case kWgRndSreg: sreg(g); break;
    case kWgRndShfl: wg_rnd_any(g, kWgOp_SHFL); break;
    default: wg_rnd_any(g, alu_op(g)); break;
  }
}
