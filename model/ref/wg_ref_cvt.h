// SPDX-License-Identifier: Apache-2.0
//
// Binary floating-point formats in integers only: unpack, round and pack, to and from integers. Pure functions; no
// host floating point. Values are bit patterns in the low bits of a word.
// Source: IEEE 754-2019; silicon/README.md (Findings) for NaN and FTZ; PTX ISA, cvt.
#ifndef WG_MODEL_REF_CVT_H
#define WG_MODEL_REF_CVT_H

#include "isa/wg_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Formats: values of modifier group FDST; FSRC has the first four. TF32 = binary32 whose 13 low bits are 0. */
typedef enum wg_fmt { kWgFmtF16 = 0, kWgFmtF32 = 1, kWgFmtF64 = 2, kWgFmtBF16 = 3, kWgFmtTF32 = 4 } wg_fmt_t;

/** Rounding: values of modifier group RND, and nearest with ties away from zero. */
typedef enum wg_flt_round {
  kWgFltRN = 0,
  kWgFltRM = 1,
  kWgFltRP = 2,
  kWgFltRZ = 3,
  kWgFltAway = 4
} wg_flt_round_t;

typedef enum wg_flt_kind { kWgFltZero, kWgFltFinite, kWgFltInf, kWgFltNan } wg_flt_kind_t;

/** An unpacked number: m * 2^e with m not 0 if finite; of a NaN m is the fraction field, its first bit in bit 63. */
typedef struct wg_flt {
  wg_flt_kind_t kind;
  bool sign;
  uint64_t m;
  int e;
} wg_flt_t;

/** How a result is rounded. */
typedef struct wg_flt_mode {
  wg_flt_round_t round;
  bool ftz;      /* a result that is tiny before rounding becomes a zero of its sign */
  bool integral; /* round to an integral value of the format, at once */
} wg_flt_mode_t;

wg_flt_t wg_flt_unpack(wg_fmt_t fmt, uint64_t bits);
/** Round and pack a finite number or zero. The lowest bit of v.m may stand for lost bits if v.m has at least two bits
 * more than the format's significand. */
uint64_t wg_flt_pack(wg_fmt_t fmt, wg_flt_t v, wg_flt_mode_t mode);
/** Infinity of a sign; the NaN of f16, bf16, f32 results: all bits but the sign set (TF32: below it zeros). */
uint64_t wg_flt_inf(wg_fmt_t fmt, bool sign);
uint64_t wg_flt_nan(wg_fmt_t fmt);
/** 1.0. */
uint64_t wg_flt_one(wg_fmt_t fmt);
/** Bit of the sign: 15, 31 or 63. */
unsigned wg_flt_sign_bit(wg_fmt_t fmt);

/** Modifiers of wg_f2f. */
typedef struct wg_f2f_mode {
  wg_flt_mode_t flt;
  bool sat;  /* clamp to [+0, 1], NaN gives +0 */
  bool relu; /* below 0, and -0, give +0; NaN stays */
} wg_f2f_mode_t;

/**
 * Float to float. flt.ftz flushes f32 operands and f32 results only. NaN: to or from f64 sign and upper fraction bits
 * stay and the quiet bit is set, but f32 with ftz to f64 becomes the f32 NaN first; ties-away to TF32 keeps sign and
 * fraction; all else gives wg_flt_nan.
 */
uint64_t wg_f2f(wg_fmt_t dst, wg_fmt_t src, uint64_t a, wg_f2f_mode_t mode);
/**
 * Float to integer.
 * @param isz value of modifier group ISZ: 0..7 = u8 s8 u16 s16 u32 s32 u64 s64
 * @return the whole destination register or pair; 8 and 16 bits extended to 32 by their type's sign
 */
uint64_t wg_f2i(unsigned isz, wg_fmt_t src, uint64_t a, wg_flt_round_t round, bool ftz);
/** Integer, the low bits of a, to float. */
uint64_t wg_i2f(wg_fmt_t dst, unsigned isz, uint64_t a, wg_flt_round_t round);
/** Position of the highest one bit of the low `width` (32, 64) bits; `sign`: of the highest bit that differs from the
 * top one; `sh`: width - 1 - position. None: 0xffffffff. */
uint32_t wg_flo(uint64_t a, unsigned width, bool sign, bool sh);

#ifdef __cplusplus
}
#endif
#endif
