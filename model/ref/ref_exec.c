// SPDX-License-Identifier: Apache-2.0
//
// One warp instruction on lane arrays: integer, fp32, special functions, shuffle.
#include <string.h>

#include "model/ref/wg_mufu.h"
#include "model/ref/wg_ref.h"
#include "model/ref/wg_ref_fp32.h"

typedef struct lane_in {
  uint32_t a, b, c, c1, lane;
  bool p, q;
} lane_in_t;

typedef struct lane_out {
  uint32_t d, d1;
  bool p0, p1;
} lane_out_t;

typedef void (*lane_fn_t)(const wg_insn_t *in, const lane_in_t *s, lane_out_t *o);

static bool mark(const wg_insn_t *in, unsigned bit) { return (in->mods & bit) != 0u; }

static uint32_t fmark(const wg_insn_t *in, uint32_t x, unsigned abs_bit, unsigned neg_bit) {
  if (mark(in, abs_bit)) x &= 0x7fffffffu;
  if (mark(in, neg_bit)) x ^= 0x80000000u;
  return x;
}

static bool combine(unsigned op, bool t, bool p) {
  switch (op) {
    case 0: return t && p;
    case 1: return t || p;
    default: return t != p;
  }
}

static void lane_mov(const wg_insn_t *in, const lane_in_t *s, lane_out_t *o) {
  (void)in;
  o->d = s->b;
}

static void lane_iadd3(const wg_insn_t *in, const lane_in_t *s, lane_out_t *o) {
  bool x = WG_MOD_GET(in, X) != 0u;
  bool na = mark(in, kWgMark_NA), nb = mark(in, kWgMark_NB), nc = mark(in, kWgMark_NC);
  uint64_t sum = (uint64_t)(na ? ~s->a : s->a) + (uint64_t)(nb ? ~s->b : s->b) + (uint64_t)(nc ? ~s->c : s->c);
  if (x)
    sum += s->p ? 1u : 0u;
  else
    sum += (uint64_t)na + (uint64_t)nb + (uint64_t)nc;
  o->d = (uint32_t)sum;
  o->p0 = sum >> 32 != 0u;
}

static void lane_imad(const wg_insn_t *in, const lane_in_t *s, lane_out_t *o) {
  unsigned kind = WG_MOD_GET(in, IMADK);
  bool u = WG_MOD_GET(in, IMADU) != 0u;
  bool nc = mark(in, kWgMark_NC);
  uint64_t prod = u ? (uint64_t)s->a * s->b : (uint64_t)((int64_t)(int32_t)s->a * (int64_t)(int32_t)s->b);
  if (kind == 2u) {
    uint64_t c = (uint64_t)s->c1 << 32 | s->c;
    uint64_t r = prod + (nc ? 0u - c : c);
    o->d = (uint32_t)r;
    o->d1 = (uint32_t)(r >> 32);
    return;
  }
  o->d = (uint32_t)(kind == 1u ? prod >> 32 : prod) + (nc ? 0u - s->c : s->c);
}

static void lane_isetp(const wg_insn_t *in, const lane_in_t *s, lane_out_t *o) {
  int64_t a = (int32_t)s->a;
  int64_t b = (int32_t)s->b;
  if (WG_MOD_GET(in, IU32) != 0u) {
    a = s->a;
    b = s->b;
  }
  unsigned cmp = WG_MOD_GET(in, ICMP);
  unsigned bit = a < b ? 1u : (a == b ? 2u : 4u);
  bool t = (cmp & bit) != 0u;
  if (WG_MOD_GET(in, IEX) != 0u && a == b) t = s->q;
  unsigned op = WG_MOD_GET(in, IBOOL);
  o->p0 = combine(op, t, s->p);
  o->p1 = combine(op, !t, s->p);
}

static void lane_lop3(const wg_insn_t *in, const lane_in_t *s, lane_out_t *o) {
  unsigned lut = WG_MOD_GET(in, LUT);
  uint32_t r = 0u;
  for (unsigned k = 0; k < 8u; k++) {
    if ((lut >> k & 1u) == 0u) continue;
    r |= ((k & 4u) != 0u ? s->a : ~s->a) & ((k & 2u) != 0u ? s->b : ~s->b) & ((k & 1u) != 0u ? s->c : ~s->c);
  }
  o->d = r;
  o->p0 = r != 0u;
}

static void lane_shf(const wg_insn_t *in, const lane_in_t *s, lane_out_t *o) {
  unsigned type = WG_MOD_GET(in, SHTYPE); /* .U32 .S32 .U64 .S64 */
  unsigned width = type >= 2u ? 64u : 32u;
  uint32_t n = s->b;
  if (WG_MOD_GET(in, SHWRAP) != 0u)
    n &= width - 1u;
  else if (n > width)
    n = width;
  uint64_t v = (uint64_t)s->c << 32 | s->a;
  uint64_t r;
  if (WG_MOD_GET(in, SHDIR) == 0u) {
    r = n >= 64u ? 0u : v << n;
  } else {
    uint64_t fill = (type & 1u) != 0u && (v >> 63) != 0u ? UINT64_MAX : 0u;
    r = n >= 64u ? fill : (n == 0u ? v : (v >> n | fill << (64u - n)));
  }
  o->d = (uint32_t)(WG_MOD_GET(in, SHHI) != 0u ? r >> 32 : r);
}

static void lane_prmt(const wg_insn_t *in, const lane_in_t *s, lane_out_t *o) {
  (void)in;
  uint64_t v = (uint64_t)s->c << 32 | s->a;
  uint32_t r = 0u;
  for (unsigned i = 0; i < 4u; i++) {
    unsigned sel = s->b >> (4u * i) & 15u;
    uint32_t byte = (uint32_t)(v >> (8u * (sel & 7u))) & 0xffu;
    if ((sel & 8u) != 0u) byte = (byte & 0x80u) != 0u ? 0xffu : 0u;
    r |= byte << (8u * i);
  }
  o->d = r;
}

static void lane_sel(const wg_insn_t *in, const lane_in_t *s, lane_out_t *o) {
  (void)in;
  o->d = s->p ? s->a : s->b;
}

static void lane_imnmx(const wg_insn_t *in, const lane_in_t *s, lane_out_t *o) {
  bool less = WG_MOD_GET(in, MU32) != 0u ? s->a < s->b : (int32_t)s->a < (int32_t)s->b;
  o->d = less == s->p ? s->a : s->b;
}

static void lane_fsetp(const wg_insn_t *in, const lane_in_t *s, lane_out_t *o) {
  uint32_t a = fmark(in, s->a, kWgMark_SAA, kWgMark_SNA);
  uint32_t b = fmark(in, s->b, kWgMark_SAB, kWgMark_SNB);
  bool t = wg_fp32_compare(a, b, WG_MOD_GET(in, FCMP), WG_MOD_GET(in, SFTZ) != 0u);
  unsigned op = WG_MOD_GET(in, FBOOL);
  o->p0 = combine(op, t, s->p);
  o->p1 = combine(op, !t, s->p);
}

static void lane_fmnmx(const wg_insn_t *in, const lane_in_t *s, lane_out_t *o) {
  uint32_t a = fmark(in, s->a, kWgMark_AA, kWgMark_NA);
  uint32_t b = fmark(in, s->b, kWgMark_AB, kWgMark_NB);
  o->d = wg_fp32_minmax(a, b, s->p, WG_MOD_GET(in, FTZ) != 0u);
}

static void lane_fchk(const wg_insn_t *in, const lane_in_t *s, lane_out_t *o) {
  o->p0 = wg_fp32_check(fmark(in, s->a, kWgMark_AA, kWgMark_NA), fmark(in, s->b, kWgMark_AB, kWgMark_NB));
}

static void lane_plop3(const wg_insn_t *in, const lane_in_t *s, lane_out_t *o) {
  unsigned index = (s->p ? 2u : 0u) + (s->q ? 1u : 0u);
  o->p0 = (WG_MOD_GET(in, LUT) >> index & 1u) != 0u;
  o->p1 = !o->p0;
}

/* Element i of `width` bits, by sign. */
static uint32_t element(uint32_t x, unsigned i, unsigned width, bool is_signed) {
  uint32_t v = x >> (i * width) & ((1u << width) - 1u);
  return is_signed && (v >> (width - 1u) & 1u) != 0u ? v - (1u << width) : v;
}

static void lane_idp(const wg_insn_t *in, const lane_in_t *s, lane_out_t *o) {
  unsigned kind = WG_MOD_GET(in, IDPK); /* .4A .2LO .2HI */
  unsigned type = WG_MOD_GET(in, IDPT);
  bool sa = (type & 1u) != 0u, sb = (type & 2u) != 0u;
  o->d = s->c;
  for (unsigned i = 0; i < (kind == 0u ? 4u : 2u); i++) {
    unsigned at = kind == 2u ? i + 2u : i;
    o->d += element(s->a, i, kind == 0u ? 8u : 16u, sa) * element(s->b, at, 8u, sb);
  }
}

static wg_fp_mode_t fp_mode(const wg_insn_t *in) {
  return (wg_fp_mode_t){(wg_round_t)WG_MOD_GET(in, RND), WG_MOD_GET(in, FTZ) != 0u, WG_MOD_GET(in, SAT) != 0u};
}

static void lane_fadd(const wg_insn_t *in, const lane_in_t *s, lane_out_t *o) {
  o->d = wg_fp32_add(fmark(in, s->a, kWgMark_AA, kWgMark_NA), fmark(in, s->b, kWgMark_AB, kWgMark_NB), fp_mode(in));
}

static void lane_fmul(const wg_insn_t *in, const lane_in_t *s, lane_out_t *o) {
  o->d = wg_fp32_mul(fmark(in, s->a, kWgMark_AA, kWgMark_NA), fmark(in, s->b, kWgMark_AB, kWgMark_NB), fp_mode(in));
}

static void lane_ffma(const wg_insn_t *in, const lane_in_t *s, lane_out_t *o) {
  o->d = wg_fp32_fma(fmark(in, s->a, 0u, kWgMark_NA), fmark(in, s->b, 0u, kWgMark_NB), fmark(in, s->c, 0u, kWgMark_NC),
                     fp_mode(in));
}

static void lane_mufu(const wg_insn_t *in, const lane_in_t *s, lane_out_t *o) {
  o->d = wg_mufu(WG_MOD_GET(in, MUFUF), fmark(in, s->a, kWgMark_AA, kWgMark_NA));
}

enum { kD = 1, kP0 = 2, kP1 = 4 };

static const struct {
  lane_fn_t fn;
  uint8_t writes;
} kOps[256] = {
    [kWgOp_MOV] = {lane_mov, kD},
    [kWgOp_IADD3] = {lane_iadd3, kD | kP0},
    [kWgOp_IMAD] = {lane_imad, kD},
    [kWgOp_ISETP] = {lane_isetp, kP0 | kP1},
    [kWgOp_LOP3] = {lane_lop3, kD | kP0},
    [kWgOp_SHF] = {lane_shf, kD},
    [kWgOp_PRMT] = {lane_prmt, kD},
    [kWgOp_SEL] = {lane_sel, kD},
    [kWgOp_IMNMX] = {lane_imnmx, kD},
    [kWgOp_FSETP] = {lane_fsetp, kP0 | kP1},
    [kWgOp_FMNMX] = {lane_fmnmx, kD},
    [kWgOp_FCHK] = {lane_fchk, kP0},
    [kWgOp_PLOP3] = {lane_plop3, kP0 | kP1},
    [kWgOp_IDP] = {lane_idp, kD},
    [kWgOp_FADD] = {lane_fadd, kD},
    [kWgOp_FMUL] = {lane_fmul, kD},
    [kWgOp_FFMA] = {lane_ffma, kD},
    [kWgOp_MUFU] = {lane_mufu, kD},
};

/* SHFL needs all lanes. Source: PTX ISA, shfl.sync; a source lane that does not take part reads 0 (silicon/README.md).
 */
static void exec_shfl(const wg_insn_t *in, const wg_ref_in_t *src, wg_ref_out_t *out) {
  unsigned mode = WG_MOD_GET(in, SHFLM);
  out->absent = 0u;
  for (unsigned lane = 0; lane < 32u; lane++) {
    if ((src->exec >> lane & 1u) == 0u) continue;
    unsigned bval = src->b[lane] & 31u;
    unsigned cval = src->c[lane] & 31u;
    unsigned seg = src->c[lane] >> 8 & 31u;
    unsigned max_lane = (lane & seg) | (cval & ~seg & 31u);
    unsigned min_lane = lane & seg;
    int j;
    bool ok;
    switch (mode) {
      case 1u:
        j = (int)lane - (int)bval;
        ok = j >= (int)max_lane;
        break;
      case 2u:
        j = (int)(lane + bval);
        ok = j <= (int)max_lane;
        break;
      case 3u:
        j = (int)(lane ^ bval);
        ok = j <= (int)max_lane;
        break;
      default:
        j = (int)(min_lane | (bval & ~seg & 31u));
        ok = j <= (int)max_lane;
        break;
    }
    unsigned from = ok ? (unsigned)j & 31u : lane;
    bool there = (src->exec >> from & 1u) != 0u;
    out->d[lane] = there ? src->a[from] : 0u;
    if (!there) out->absent |= 1u << lane;
    if (ok) out->p0 |= 1u << lane;
  }
}

bool wg_ref_exec(const wg_insn_t *in, const wg_ref_in_t *src, wg_ref_out_t *out) {
  static const uint32_t kZero[32] = {0};
  bool shfl = in->op == kWgOp_SHFL;
  out->quad = false;
  switch (wg_insn_info(in->op)->pipe) {
    case kWgPipeFP64: return wg_ref_exec_fp64(in, src, out);
    case kWgPipeHALF: return wg_ref_exec_half(in, src, out);
    case kWgPipeXLANE: return wg_ref_exec_xlane(in, src, out);
    case kWgPipeMMA: return wg_ref_exec_mma(in, src, out);
    case kWgPipeSFU:
      if (in->op != kWgOp_MUFU) return wg_ref_exec_cvt(in, src, out);
      break;
    default: break;
  }
  if (!shfl && kOps[in->op].fn == NULL) return false;
  out->p0 = out->p1 = 0u;
  out->wide = in->op == kWgOp_IMAD && WG_MOD_GET(in, IMADK) == 2u;
  if (shfl) {
    out->wr = out->wr_p0 = true;
    out->wr_p1 = false;
    exec_shfl(in, src, out);
    return true;
  }
  uint8_t writes = kOps[in->op].writes;
  out->wr = (writes & kD) != 0;
  out->wr_p0 = (writes & kP0) != 0;
  out->wr_p1 = (writes & kP1) != 0;
  const uint32_t *a = src->a != NULL ? src->a : kZero;
  const uint32_t *b = src->b != NULL ? src->b : kZero;
  const uint32_t *c = src->c != NULL ? src->c : kZero;
  const uint32_t *c1 = src->c1 != NULL ? src->c1 : kZero;
  for (unsigned l = 0; l < 32u; l++) {
    if ((src->exec >> l & 1u) == 0u) continue;
    lane_in_t s = {a[l], b[l], c[l], c1[l], l, (src->p >> l & 1u) != 0u, (src->q >> l & 1u) != 0u};
    lane_out_t o = {0u, 0u, false, false};
    kOps[in->op].fn(in, &s, &o);
    out->d[l] = o.d;
    out->d1[l] = o.d1;
    out->p0 |= (uint32_t)o.p0 << l;
    out->p1 |= (uint32_t)o.p1 << l;
  }
  return true;
}
