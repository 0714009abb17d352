// SPDX-License-Identifier: Apache-2.0
//
// Lowering of cvt: I2F, F2I, F2F; integers to integers by extension and clamping.
#include "toolchain/ptx/px_build.h"

typedef struct wg_px_cvt {
  wg_px_type_t dt, st;
  unsigned rnd;
  bool has_rnd, integral, away, sat, ftz, relu;
} wg_px_cvt_t;

/* Format number (FDST, FSRC) of a floating-point type, or -1. */
static int format(wg_px_type_t t) {
  switch (t) {
    case kWgPxF16:
    case kWgPxF16x2: return kFmtF16;
    case kWgPxF32: return kFmtF32;
    case kWgPxF64: return kFmtF64;
    case kWgPxBF16:
    case kWgPxBF16x2: return kFmtBf16;
    case kWgPxTF32: return kFmtTf32;
    default: return -1;
  }
}

static bool is_integer(wg_px_type_t t) { return format(t) < 0 && wg_px_type_size(t) != 0 && t != kWgPxB128; }

/* Value of ISZ. */
static unsigned int_size(wg_px_type_t t) {
  unsigned s = wg_px_type_size(t), k = s == 1 ? 0 : s == 2 ? 2 : s == 4 ? 4 : 6;
  return k + wg_px_signed(t);
}

static wg_px_cvt_t parse(wg_px_ctx_t *x, const wg_px_stmt_t *s) {
  if (s->nparts < 3) wg_px_unsupported(x, "this form");
  const char *dn = s->part[s->nparts - 2];
  wg_px_cvt_t c = {.st = wg_px_last_type(s), .dt = wg_px_type_of(dn, strlen(dn))};
  if (c.dt == kWgPxPred || c.st == kWgPxPred || wg_px_type_size(c.dt) == 0 || wg_px_type_size(c.st) == 0) {
    wg_px_unsupported(x, "this conversion");
  }
  for (uint32_t i = 1; i + 2 < s->nparts; i++) {
    int r = wg_px_rounding(s->part[i], &c.integral);
    if (r >= 0 && !c.has_rnd) {
      c.rnd = (unsigned)r;
      c.has_rnd = true;
    } else if (wg_px_part(s, i, "rna") && c.dt == kWgPxTF32) {
      c.away = c.has_rnd = true;
    } else if (wg_px_part(s, i, "sat")) {
      c.sat = true;
    } else if (wg_px_part(s, i, "ftz")) {
      c.ftz = true;
    } else if (wg_px_part(s, i, "relu")) {
      c.relu = true;
    } else {
      wg_px_unsupported(x, "this conversion");
    }
  }
  return c;
}

/* ---- integer to integer ---- */

/* Clamp v, already extended to 32 bits by its type, to the destination's range. */
static int32_t clamp32(wg_px_ctx_t *x, int32_t v, wg_px_type_t st, wg_px_type_t dt) {
  uint32_t bits = 8 * wg_px_type_size(dt);
  bool ss = wg_px_signed(st), ds = wg_px_signed(dt);
  uint32_t top = bits >= 32 ? (ds ? (uint32_t)INT32_MAX : UINT32_MAX) : (1u << (ds ? bits - 1 : bits)) - 1u;
  if (bits == 64) return ss && !ds ? wg_px_clampi(x, v, 0, false, true) : v;
  if (!ss) return bits == 32 && !ds ? v : wg_px_clampi(x, v, top, true, false);
  v = wg_px_clampi(x, v, ds ? ~top : 0, false, true);
  return bits == 32 ? v : wg_px_clampi(x, v, top, false, false);
}

static int32_t bound64(wg_px_ctx_t *x, int32_t v, uint64_t limit, bool uns, bool max) {
  int32_t k = wg_px_const_d(x, limit);
  return wg_px_sel_d(x, wg_px_cmp_d(x, max ? kCmpLt : kCmpGt, uns, v, k), k, v);
}

static int32_t clamp64(wg_px_ctx_t *x, int32_t v, wg_px_type_t st, wg_px_type_t dt) {
  uint32_t bits = 8 * wg_px_type_size(dt);
  bool ss = wg_px_signed(st), ds = wg_px_signed(dt);
  uint64_t top = bits == 64 ? (ds ? (uint64_t)INT64_MAX : UINT64_MAX) : (1ull << (ds ? bits - 1 : bits)) - 1ull;
  if (!ss) return bits == 64 && !ds ? v : bound64(x, v, top, true, false);
  if (bits == 64 && ds) return v;
  v = bound64(x, v, ds ? ~top : 0, false, true);
  return bits == 64 ? v : bound64(x, v, top, false, false);
}

/* The upper word of a 64-bit destination register. */
static void fill_upper(wg_px_ctx_t *x, int32_t d, bool sign) {
  if (sign) {
    (void)wg_px_emit_imm(x, kWgOp_SHF, kShrS, d + 1, -1, 31, d);
  } else {
    wg_px_mov_imm(x, d + 1, 0);
  }
}

static void int_to_int(wg_px_ctx_t *x, const wg_px_stmt_t *s, wg_px_cvt_t c) {
  uint32_t ss = wg_px_type_size(c.st), ds = wg_px_type_size(c.dt);
  if (c.has_rnd || c.ftz || c.relu) wg_px_unsupported(x, "this conversion");
  int32_t lo, hi = -1;
  if (ss == 8) {
    int32_t v = wg_px_src_pair(x, &s->op[1]);
    if (c.sat) v = clamp64(x, v, c.st, c.dt);
    lo = v;
    hi = v + 1;
  } else {
    lo = wg_px_src_ext(x, &s->op[1], c.st);
    if (c.sat) lo = clamp32(x, lo, c.st, c.dt);
  }
  bool fits = ss < ds && (wg_px_signed(c.dt) || !wg_px_signed(c.st));
  if (ds < 4 && !fits) lo = wg_px_extend(x, lo, c.dt);
  uint32_t reg = wg_px_type_size(s->op[0].sym->type);
  if (reg < ds) wg_px_fail_stmt(x, kWgBadInput, s, "", "register '%s' is too narrow", s->op[0].sym->name);
  int32_t d = wg_px_dst(x, &s->op[0], reg);
  wg_px_mov(x, d, lo);
  if (reg != 8) return;
  if (ss == 8 && ds == 8) {
    wg_px_mov(x, d + 1, hi);
  } else { /* a clamped negative source is not negative any more */
    fill_upper(x, d, wg_px_signed(ds == 8 ? c.st : c.dt) && !(c.sat && !wg_px_signed(c.dt)));
  }
}

/* ---- between integers and floats ---- */

static void int_to_float(wg_px_ctx_t *x, const wg_px_stmt_t *s, wg_px_cvt_t c) {
  unsigned fmt = (unsigned)format(c.dt);
  if (!c.has_rnd || c.integral || c.away || c.relu || fmt == kFmtTf32 || c.dt == kWgPxF16x2 || c.dt == kWgPxBF16x2) {
    wg_px_unsupported(x, "this conversion");
  }
  int32_t v = wg_px_type_size(c.st) == 8 ? wg_px_src_pair(x, &s->op[1]) : wg_px_src(x, &s->op[1], 0);
  int32_t d = wg_px_dst(x, &s->op[0], wg_px_type_size(c.dt)), f = d;
  if (c.sat) f = fmt == kFmtF64 ? wg_px_pair(x) : wg_px_tmp(x);
  (void)wg_px_emit(x, kWgOp_I2F, MOD(FDST, fmt) | MOD(ISZ, int_size(c.st)) | MOD(RND, c.rnd), f, v, -1, -1);
  if (c.sat) (void)wg_px_emit(x, kWgOp_F2F, MOD(FDST, fmt) | MOD(FSRC, fmt) | MOD(SAT, 1), d, f, -1, -1);
}

static int32_t float_source(wg_px_ctx_t *x, const wg_px_opnd_t *o, wg_px_type_t t) {
  return t == kWgPxF64 ? wg_px_src_pair(x, o) : wg_px_src(x, o, 0);
}

static void float_to_int(wg_px_ctx_t *x, const wg_px_stmt_t *s, wg_px_cvt_t c) {
  unsigned fmt = (unsigned)format(c.st);
  if (!c.integral || c.relu || fmt == kFmtTf32 || wg_px_type_size(c.st) == 0 || c.st == kWgPxF16x2 ||
      c.st == kWgPxBF16x2) {
    wg_px_unsupported(x, "this conversion");
  }
  uint32_t ds = wg_px_type_size(c.dt), reg = wg_px_type_size(s->op[0].sym->type);
  if (reg < ds) wg_px_fail_stmt(x, kWgBadInput, s, "", "register '%s' is too narrow", s->op[0].sym->name);
  int32_t a = float_source(x, &s->op[1], c.st), d = wg_px_dst(x, &s->op[0], reg);
  unsigned mods = MOD(FSRC, fmt) | MOD(ISZ, int_size(c.dt)) | MOD(RND, c.rnd) | MOD(FTZ, c.ftz);
  (void)wg_px_emit(x, kWgOp_F2I, mods, d, a, -1, -1);
  if (reg == 8 && ds < 8) fill_upper(x, d, wg_px_signed(c.dt));
}

/* ---- float to float ---- */

static void float_to_float(wg_px_ctx_t *x, const wg_px_stmt_t *s, wg_px_cvt_t c) {
  unsigned to = (unsigned)format(c.dt), from = (unsigned)format(c.st);
  bool packed = c.dt == kWgPxF16x2 || c.dt == kWgPxBF16x2;
  bool source_ok = c.st != kWgPxF16x2 && c.st != kWgPxBF16x2 && from != kFmtTf32;
  if (!source_ok || (c.integral && to != from) || (packed && c.st != kWgPxF32)) {
    wg_px_unsupported(x, "this conversion");
  }
  wg_px_need_ops(x, packed ? 3 : 2, packed ? 3 : 2);
  unsigned mods = MOD(FDST, to) | MOD(FSRC, from) | MOD(RND, c.rnd) | MOD(FTZ, c.ftz) | MOD(SAT, c.sat) |
                  MOD(INTR, c.integral) | MOD(CRELU, c.relu) | MOD(AWAY, c.away);
  if (packed) { /* the first operand is the upper half */
    int32_t hi = wg_px_op(x, kWgOp_F2F, mods, wg_px_src(x, &s->op[1], 0), -1, -1);
    int32_t lo = wg_px_op(x, kWgOp_F2F, mods, wg_px_src(x, &s->op[2], 0), -1, -1);
    (void)wg_px_emit_imm(x, kWgOp_PRMT, 0, wg_px_dst(x, &s->op[0], 4), lo, 0x5410, hi);
    return;
  }
  int32_t a = float_source(x, &s->op[1], c.st), d = wg_px_dst(x, &s->op[0], wg_px_type_size(c.dt));
  if (to == kFmtF32 && from == kFmtF32 && !c.integral && !c.relu) { /* + -0 on the faster pipe */
    (void)wg_px_emit_imm(x, kWgOp_FADD, MOD(FTZ, c.ftz) | MOD(SAT, c.sat), d, a, WG_PX_SIGN, -1);
    return;
  }
  (void)wg_px_emit(x, kWgOp_F2F, mods, d, a, -1, -1);
}

void wg_px_lower_cvt(wg_px_ctx_t *x, const wg_px_stmt_t *s) {
  wg_px_need_ops(x, 2, 3);
  if (wg_px_part(s, 3, "e4m3x2") || wg_px_part(s, 3, "e5m2x2")) {
    wg_px_lower_fp8(x, s);
    return;
  }
  wg_px_cvt_t c = parse(x, s);
  if (c.st == kWgPxE4M3x2 || c.st == kWgPxE5M2x2) wg_px_unsupported(x, "this conversion");
  if (s->op[0].kind != kWgPxOReg) wg_px_fail_stmt(x, kWgBadInput, s, "", "destination is no register");
  bool from_int = is_integer(c.st), to_int = is_integer(c.dt);
  if (!(format(c.st) >= 0 && format(c.dt) >= 0)) wg_px_need_ops(x, 2, 2);
  if (from_int && to_int) {
    int_to_int(x, s, c);
  } else if (from_int) {
    int_to_float(x, s, c);
  } else if (to_int) {
    float_to_int(x, s, c);
  } else {
    float_to_float(x, s, c);
  }
}
