// SPDX-License-Identifier: Apache-2.0
//
// Clean-up of the lowered code: copies and constants into operands, addresses into offsets, unused instructions away.
//
// A unit that is written once may be replaced by what it copies if that, too, is written once or is a constant: in a
// program that never reads undefined registers the copy's write lies before each of its reads and after the source's.
#include <string.h>

#include "toolchain/ptx/px.h"

enum { kAtomExch = 8 }; /* value of AOP: what lies below is an operation whose result may be left out */

typedef struct wg_px_opt {
  wg_px_ctx_t *x;
  wg_px_fn_t *f;
  uint32_t *defs, *uses;   /* [units] */
  wg_px_insn_t **def;      /* [units] last writer */
  uint32_t *pdefs, *puses; /* [preds] */
  wg_px_insn_t **pdef;
} wg_px_opt_t;

static void count(wg_px_opt_t *o) {
  wg_px_fn_t *f = o->f;
  memset(o->defs, 0, f->num_units * sizeof *o->defs);
  memset(o->uses, 0, f->num_units * sizeof *o->uses);
  memset(o->pdefs, 0, f->num_preds * sizeof *o->pdefs);
  memset(o->puses, 0, f->num_preds * sizeof *o->puses);
  for (wg_px_block_t *b = f->entry; b != NULL; b = b->next) {
    for (uint32_t i = 0; i < b->n; i++) {
      wg_px_insn_t *in = b->insn[i];
      wg_px_use_t u = wg_px_uses(in);
      for (int k = 0; k < 3; k++) {
        for (int j = 0; u.src[k] >= 0 && j < u.nsrc[k]; j++) o->uses[u.src[k] + j]++;
        if (u.psrc[k] >= 0) o->puses[u.psrc[k]]++;
      }
      for (int j = 0; u.dst >= 0 && j < u.ndst; j++) {
        o->defs[u.dst + j] += wg_px_full_def(f, in, u.dst + j) ? 1 : 2;
        o->def[u.dst + j] = in;
      }
      for (int k = 0; k < 2; k++) {
        if (u.pdst[k] < 0) continue;
        o->pdefs[u.pdst[k]] += wg_px_full_pdef(f, in, u.pdst[k]) ? 1 : 2;
        o->pdef[u.pdst[k]] = in;
      }
    }
    if (b->pred >= 0) o->puses[b->pred]++;
  }
}

/* ---- copies ---- */

/* A register of the calling convention, other than the stack pointer, is read at once. */
static bool fixed(const wg_px_opt_t *o, int32_t u) { return o->f->unit[u].fixed != 0 && u != o->f->sp; }

/* Follow copies of units; -1 = RZ. */
static int32_t resolve(const wg_px_opt_t *o, int32_t u) {
  for (int i = 0; i < 32 && u >= 0; i++) {
    const wg_px_insn_t *d = o->def[u];
    if (o->defs[u] != 1 || d->op != kWgOp_MOV) return u;
    if (d->form == kWgFormImm && d->imm == 0) return -1;
    if (d->form != kWgFormReg) return u;
    if (d->b >= 0 && o->defs[d->b] != 1) return u;
    if (d->b >= 0 && fixed(o, d->b)) return u;
    /* A guarded temporary holds only where its guard does: it may be read under the same guard only, which it is. */
    u = d->b;
  }
  return u;
}

/* A pair may be replaced by another only as a whole. */
static int32_t resolve_wide(const wg_px_opt_t *o, int32_t u, unsigned n) {
  int32_t first = resolve(o, u);
  if (first < 0) {
    for (unsigned i = 1; i < n; i++) {
      if (resolve(o, u + (int32_t)i) >= 0) return u;
    }
    return -1;
  }
  const wg_px_unit_t *g = &o->f->unit[first];
  if ((uint32_t)(first - g->base) % n != 0 || (uint32_t)(first - g->base) + n > g->width) return u;
  for (unsigned i = 1; i < n; i++) {
    if (resolve(o, u + (int32_t)i) != first + (int32_t)i) return u;
  }
  return first;
}

static void propagate(const wg_px_opt_t *o, wg_px_insn_t *in) {
  if (in->op == kWgOp_NOP) return; /* names registers of a call */
  wg_px_use_t u = wg_px_uses(in);
  int32_t *slot[3] = {&in->a, &in->b, &in->c};
  for (int k = 0; k < 3; k++) {
    if (u.src[k] < 0) continue;
    *slot[k] = u.nsrc[k] > 1 ? resolve_wide(o, u.src[k], u.nsrc[k]) : resolve(o, u.src[k]);
  }
}

/* ---- constants into source b ---- */

static const wg_px_insn_t *constant(const wg_px_opt_t *o, int32_t u) {
  if (u < 0 || o->defs[u] != 1) return NULL;
  const wg_px_insn_t *d = o->def[u];
  return d->op == kWgOp_MOV && d->form != kWgFormReg && d->func == NULL && !d->return_pc ? d : NULL;
}

static uint8_t swap_lut_ab(uint8_t t) { return (uint8_t)((t & 0xc3u) | (t & 0x0cu) << 2 | (t & 0x30u) >> 2); }
static uint8_t swap_lut_bc(uint8_t t) { return (uint8_t)((t & 0x99u) | (t & 0x22u) << 1 | (t & 0x44u) >> 1); }

static unsigned swap_bits(unsigned m, unsigned p, unsigned q) {
  unsigned a = (m >> p) & 1u, b = (m >> q) & 1u;
  return (m & ~(1u << p | 1u << q)) | a << q | b << p;
}

/* Exchange sources a and b; false if the instruction has no such form. */
static bool swap_ab(wg_px_insn_t *in) {
  unsigned m = in->mods;
  static const uint8_t kIcmp[8] = {0, 4, 2, 6, 1, 5, 3, 7},
                       kFcmp[16] = {0, 4, 2, 6, 1, 5, 3, 7, 8, 12, 10, 14, 9, 13, 11, 15};
  switch (in->op) {
    case kWgOp_IADD3:
    case kWgOp_FADD:
    case kWgOp_FMUL:
    case kWgOp_FFMA:
    case kWgOp_FMNMX:
      m = swap_bits(m, 4, 5);
      if (in->op != kWgOp_FFMA && in->op != kWgOp_IADD3) m = swap_bits(m, 7, 8);
      break;
    case kWgOp_IMAD:
    case kWgOp_IMNMX:
      break;
    case kWgOp_LOP3:
      m = (m & ~0xffu) | swap_lut_ab((uint8_t)m);
      break;
    case kWgOp_ISETP:
      m = (m & ~7u) | kIcmp[m & 7u];
      break;
    case kWgOp_FSETP:
      m = swap_bits((m & ~15u) | kFcmp[m & 15u], 7, 8);
      m = swap_bits(m, 9, 10);
      break;
    case kWgOp_SEL:
      in->ps0_not = !in->ps0_not;
      break;
    default:
      return false;
  }
  in->mods = (uint16_t)m;
  int32_t t = in->a;
  in->a = in->b;
  in->b = t;
  return true;
}

static bool swap_bc(wg_px_insn_t *in) {
  if (in->op == kWgOp_IADD3) {
    in->mods = (uint16_t)swap_bits(in->mods, 5, 6);
  } else if (in->op == kWgOp_LOP3) {
    in->mods = (uint16_t)((in->mods & ~0xffu) | swap_lut_bc((uint8_t)in->mods));
  } else {
    return false;
  }
  int32_t t = in->b;
  in->b = in->c;
  in->c = t;
  return true;
}

static bool takes_constant(const wg_px_insn_t *in, const wg_px_insn_t *k) {
  switch (in->op) {
    case kWgOp_MOV:
    case kWgOp_IMAD:
    case kWgOp_LOP3:
    case kWgOp_SHF:
    case kWgOp_PRMT:
    case kWgOp_SEL:
    case kWgOp_IMNMX:
    case kWgOp_ISETP:
    case kWgOp_FSETP:
    case kWgOp_FMNMX:
    case kWgOp_FCHK:
    case kWgOp_FADD:
    case kWgOp_FMUL:
    case kWgOp_FFMA:
    case kWgOp_IDP:
    case kWgOp_HADD2:
    case kWgOp_HMUL2:
    case kWgOp_HFMA2:
    case kWgOp_HMNMX2:
    case kWgOp_HSETP2:
      return true;
    case kWgOp_VOTE:
    case kWgOp_MATCH:
    case kWgOp_REDUX:
    case kWgOp_NANOSLEEP:
    case kWgOp_WARPSYNC:
      return k->form == kWgFormImm;
    case kWgOp_IADD3: /* a negated immediate is folded below; with a carry out it is not the same */
      return !((in->mods & kWgMark_NB) != 0 && k->form == kWgFormImm && in->pd0 >= 0);
    case kWgOp_SHFL: /* [39:32] lane */
      return k->form == kWgFormImm && k->imm <= 31;
    default:
      return false;
  }
}

static void fold_marks(wg_px_insn_t *in) {
  if (in->form != kWgFormImm) return;
  if (in->op == kWgOp_IADD3 && (in->mods & kWgMark_NB) != 0) {
    in->imm = (in->mods & 1u << kWgModLsb_X) != 0 ? ~in->imm : 0u - in->imm;
    in->mods &= (uint16_t) ~(unsigned)kWgMark_NB;
  }
  if (in->op == kWgOp_HADD2 || in->op == kWgOp_HMUL2 || in->op == kWgOp_HFMA2) {
    if (in->op != kWgOp_HFMA2 && (in->mods & kWgMark_AB) != 0) in->imm &= 0x7fff7fffu;
    if ((in->mods & kWgMark_NB) != 0) in->imm ^= 0x80008000u;
    in->mods &= (uint16_t) ~(unsigned)(kWgMark_NB | (in->op != kWgOp_HFMA2 ? kWgMark_AB : 0));
  }
  bool fp = in->op == kWgOp_FADD || in->op == kWgOp_FMUL || in->op == kWgOp_FFMA;
  if (fp && in->op != kWgOp_FFMA && (in->mods & kWgMark_AB) != 0) in->imm &= 0x7fffffffu;
  if (fp && (in->mods & kWgMark_NB) != 0) in->imm ^= 0x80000000u;
  if (fp) in->mods &= (uint16_t) ~(unsigned)(kWgMark_NB | (in->op != kWgOp_FFMA ? kWgMark_AB : 0));
}

/* A double whose lower word is 0 may be an immediate: its upper word. */
static void fold_double(const wg_px_opt_t *o, wg_px_insn_t *in) {
  if (wg_insn_info(in->op)->pipe != kWgPipeFP64 || in->form != kWgFormReg || in->b < 0) return;
  const wg_px_insn_t *lo = constant(o, in->b), *hi = constant(o, in->b + 1);
  bool zero = lo != NULL && lo->form == kWgFormImm && lo->imm == 0;
  if (!zero || hi == NULL || hi->form != kWgFormImm) return;
  in->imm = hi->imm;
  if (in->op == kWgOp_DADD && (in->mods & kWgMark_NB) != 0) {
    in->imm ^= 0x80000000u;
    in->mods &= (uint16_t) ~(unsigned)kWgMark_NB;
  }
  in->form = kWgFormImm;
  in->b = -1;
}

static void fold_constant(const wg_px_opt_t *o, wg_px_insn_t *in) {
  fold_double(o, in);
  if (in->op == kWgOp_SHFL && (in->mods & 1u << kWgModLsb_CIMM) == 0) {
    const wg_px_insn_t *k = constant(o, in->c);
    if (in->c < 0 || (k != NULL && k->form == kWgFormImm && k->imm <= 0xffff)) {
      in->mods |= 1u << kWgModLsb_CIMM;
      in->imm |= (k == NULL ? 0 : k->imm) << 8;
      in->c = -1;
    }
  }
  if (in->form != kWgFormReg || in->op == kWgOp_BAR) return;
  const wg_px_insn_t *k = constant(o, in->b);
  if (k == NULL && constant(o, in->a) != NULL && takes_constant(in, constant(o, in->a)) && swap_ab(in)) {
    k = constant(o, in->b);
  } else if (k == NULL && constant(o, in->c) != NULL && swap_bc(in)) {
    k = constant(o, in->b);
  }
  if (k == NULL || !takes_constant(in, k)) return;
  if (in->op == kWgOp_SHFL) {
    in->imm |= k->imm;
  } else {
    in->imm = k->imm;
    in->cbank = k->cbank;
    in->coff = k->coff;
  }
  in->form = k->form;
  in->b = -1;
  fold_marks(in);
}

/* ---- small identities ---- */

static bool is_mov(wg_px_insn_t *in) { return in->op == kWgOp_MOV; }

static void to_mov(wg_px_insn_t *in, int32_t src) {
  in->op = kWgOp_MOV;
  in->mods = 0;
  in->b = src;
  in->a = in->c = in->pd0 = in->pd1 = in->ps0 = in->ps1 = -1;
  in->ps0_not = in->ps1_not = false;
  in->form = kWgFormReg;
  in->imm = 0;
}

/* IADD3 of one value and zeros, IADD3 of an immediate alone, LOP3 with or against zero. */
static void simplify(const wg_px_opt_t *o, wg_px_insn_t *in) {
  (void)o;
  if (in->op == kWgOp_IADD3 && (in->mods & (kWgMark_NA | kWgMark_NB | kWgMark_NC | 1u << kWgModLsb_X)) == 0) {
    bool no_b = (in->form == kWgFormReg && in->b < 0) || (in->form == kWgFormImm && in->imm == 0);
    int live = (in->a >= 0) + !no_b + (in->c >= 0);
    if (live > 1) return;
    if (in->pd0 >= 0) { /* the carry of one value is 0: told by replacing it where it is read */
      return;
    }
    if (in->a >= 0 || in->c >= 0 || live == 0) {
      to_mov(in, in->a >= 0 ? in->a : in->c);
    } else { /* b alone, in its form */
      int32_t b = in->b;
      uint8_t form = in->form;
      uint32_t imm = in->imm;
      to_mov(in, b);
      in->form = form;
      in->imm = imm;
    }
  }
}

/* A carry that is always 0 (one addend only): the upper half becomes a plain addition. */
static void drop_zero_carry(const wg_px_opt_t *o, wg_px_insn_t *in) {
  if (in->op != kWgOp_IADD3 || (in->mods & 1u << kWgModLsb_X) == 0 || in->ps0 < 0 || o->pdefs[in->ps0] != 1) return;
  const wg_px_insn_t *lo = o->pdef[in->ps0];
  if (lo->op != kWgOp_IADD3 || (lo->mods & (kWgMark_NA | kWgMark_NB | kWgMark_NC)) != 0) return;
  bool no_b = (lo->form == kWgFormReg && lo->b < 0) || (lo->form == kWgFormImm && lo->imm == 0);
  if ((lo->a >= 0) + !no_b + (lo->c >= 0) > 1) return;
  if ((in->mods & (kWgMark_NA | kWgMark_NB | kWgMark_NC)) != 0) return;
  in->mods &= (uint16_t) ~(1u << kWgModLsb_X);
  in->ps0 = -1;
}

/* A shared or local address that is a sum with an immediate gives it to the offset. */
static void fold_address(const wg_px_opt_t *o, wg_px_insn_t *in) {
  wg_space_t space = wg_insn_space(in->op);
  if (space != kWgSpaceShared && space != kWgSpaceLocal) return;
  for (int i = 0; i < 8 && in->a >= 0 && o->defs[in->a] == 1; i++) {
    const wg_px_insn_t *d = o->def[in->a];
    if (d->op == kWgOp_MOV && d->form == kWgFormImm && d->guard < 0 && d->func == NULL) {
      in->imm += d->imm;
      in->a = -1;
      return;
    }
    bool plain = d->op == kWgOp_IADD3 && d->form == kWgFormImm && d->guard < 0 && d->c < 0 &&
                 (d->mods & (kWgMark_NA | kWgMark_NB | kWgMark_NC | 1u << kWgModLsb_X)) == 0;
    if (!plain || (d->a >= 0 && o->defs[d->a] != 1)) return;
    in->imm += d->imm;
    in->a = d->a;
  }
}

/* IMAD.WIDE whose upper half nobody reads; unused carries and predicate results. */
static void narrow(const wg_px_opt_t *o, wg_px_insn_t *in) {
  if (in->op == kWgOp_IMAD && (in->mods & 3u) == 2 && o->uses[in->d + 1] == 0) {
    in->mods &= (uint16_t)~7u;
  }
  if (wg_insn_is_atomic(in->op) && in->d >= 0) { /* the old value is not wanted */
    bool used = false;
    wg_px_use_t u = wg_px_uses(in);
    for (int j = 0; j < u.ndst; j++) used = used || o->uses[in->d + j] != 0;
    unsigned op = (in->mods >> kWgModLsb_AOP) & 15u;
    if (!used) in->d = -1;
    if (!used && in->op == kWgOp_ATOMG && op < kAtomExch) in->op = kWgOp_RED;
  }
  if (in->pd0 >= 0 && o->puses[in->pd0] == 0) in->pd0 = -1;
  if (in->pd1 >= 0 && o->puses[in->pd1] == 0) in->pd1 = -1;
}

static bool dead(const wg_px_opt_t *o, const wg_px_insn_t *in) {
  wg_px_use_t u = wg_px_uses(in);
  if (wg_px_side_effect(in)) {
    if (in->op != kWgOp_SHFL) return false;
  }
  for (int j = 0; u.dst >= 0 && j < u.ndst; j++) {
    if (o->uses[u.dst + j] != 0) return false;
  }
  return u.pdst[0] < 0 && u.pdst[1] < 0;
}

static bool sweep(wg_px_opt_t *o) {
  bool changed = false;
  count(o);
  for (wg_px_block_t *b = o->f->entry; b != NULL; b = b->next) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < b->n; i++) {
      narrow(o, b->insn[i]);
      if (dead(o, b->insn[i])) {
        changed = true;
      } else {
        b->insn[n++] = b->insn[i];
      }
    }
    b->n = n;
  }
  return changed;
}

static wg_px_opt_t start(wg_px_ctx_t *x, wg_px_fn_t *f) {
  uint32_t n = f->num_units + 1, p = f->num_preds + 1;
  wg_px_opt_t o = {.x = x, .f = f};
  o.defs = wg_px_alloc(x, n * sizeof *o.defs);
  o.uses = wg_px_alloc(x, n * sizeof *o.uses);
  o.def = wg_px_alloc(x, n * sizeof *o.def);
  o.pdefs = wg_px_alloc(x, p * sizeof *o.pdefs);
  o.puses = wg_px_alloc(x, p * sizeof *o.puses);
  o.pdef = wg_px_alloc(x, p * sizeof *o.pdef);
  return o;
}

void wg_px_sweep(wg_px_ctx_t *x, wg_px_fn_t *f) {
  wg_px_opt_t o = start(x, f);
  while (sweep(&o)) {
  }
}

void wg_px_opt(wg_px_ctx_t *x, wg_px_fn_t *f) {
  wg_px_opt_t o = start(x, f);
  for (int round = 0; round < 4; round++) {
    count(&o);
    for (wg_px_block_t *b = f->entry; b != NULL; b = b->next) {
      for (uint32_t i = 0; i < b->n; i++) {
        wg_px_insn_t *in = b->insn[i];
        propagate(&o, in);
        if (!is_mov(in) || in->form == kWgFormReg) fold_constant(&o, in);
        drop_zero_carry(&o, in);
        simplify(&o, in);
        fold_address(&o, in);
      }
    }
    while (sweep(&o)) {
    }
  }
}
