// SPDX-License-Identifier: Apache-2.0
//
// Lowering of conversions to 8-bit floating-point numbers: fp32 instructions and integers, no unit of their own.
#include "toolchain/ptx/px_build.h"

/* A format: mantissa bits cut, largest and least normal number and 2^23 times the least denormal one as fp32,
   difference of the biases in the code's places. */
typedef struct wg_px_fp8 {
  unsigned cut;
  uint32_t top, least, magic, bias;
} wg_px_fp8_t;

static const wg_px_fp8_t kE4M3 = {20, 0x43e00000u, 0x3c800000u, 0x46800000u, (127u - 7u) << 3};
static const wg_px_fp8_t kE5M2 = {21, 0x47600000u, 0x38800000u, 0x43000000u, (127u - 15u) << 2};

/* Rounded to nearest even: normal codes in the fp32 pattern, denormal ones by adding a number whose last place is the
   least code. Above the largest number that; NaN: 0x7f. */
static int32_t code(wg_px_ctx_t *x, int32_t a, const wg_px_fp8_t *f) {
  int32_t mag = wg_px_logici(x, kLutAnd, a, WG_PX_ABS), m = wg_px_clampi(x, mag, f->top, true, false);
  int32_t odd = wg_px_logici(x, kLutAnd, wg_px_shri(x, m, f->cut, false), 1);
  int32_t sum = wg_px_opi(x, kWgOp_IADD3, 0, m, (1u << (f->cut - 1)) - 1u, odd);
  int32_t normal = wg_px_addi(x, wg_px_shri(x, sum, f->cut, false), 0u - f->bias);
  int32_t den = wg_px_addi(x, wg_px_opi(x, kWgOp_FADD, 0, m, f->magic, -1), 0u - f->magic);
  int32_t r = wg_px_sel(x, wg_px_cmpi(x, kCmpLt, true, m, f->least), den, normal);
  r = wg_px_opi(x, kWgOp_LOP3, 0xf8, r, 0x80, wg_px_shri(x, a, 24, false)); /* r | (0x80 & sign) */
  return wg_px_sel(x, wg_px_cmpi(x, kCmpGt, true, mag, 0x7f800000u), wg_px_const(x, 0x7f), r);
}

void wg_px_lower_fp8(wg_px_ctx_t *x, const wg_px_stmt_t *s) {
  wg_px_need_ops(x, 3, 3);
  if (s->nparts != 5 || !wg_px_part(s, 1, "rn") || !wg_px_part(s, 2, "satfinite") || wg_px_last_type(s) != kWgPxF32) {
    wg_px_unsupported(x, "this conversion");
  }
  const wg_px_fp8_t *f = wg_px_part(s, 3, "e4m3x2") ? &kE4M3 : &kE5M2;
  int32_t hi = code(x, wg_px_src(x, &s->op[1], 0), f), lo = code(x, wg_px_src(x, &s->op[2], 0), f);
  (void)wg_px_emit_imm(x, kWgOp_PRMT, 0, wg_px_dst(x, &s->op[0], 4), lo, 0x5540, hi);
}
