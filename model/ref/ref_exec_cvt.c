// SPDX-License-Identifier: Apache-2.0
//
// The conversions and bit counts of the sfu pipe.
#include "model/ref/wg_ref.h"
#include "model/ref/wg_ref_cvt.h"

static uint64_t reverse(uint64_t a, unsigned width) {
  uint64_t r = 0u;
  for (unsigned i = 0; i < width; i++) r |= (a >> i & 1u) << (width - 1u - i);
  return r;
}

static uint64_t lane(const wg_insn_t *in, uint64_t a) {
  bool b64 = WG_MOD_GET(in, B64) != 0u;
  bool ftz = WG_MOD_GET(in, FTZ) != 0u;
  wg_flt_round_t round = (wg_flt_round_t)WG_MOD_GET(in, RND);
  wg_fmt_t dst = (wg_fmt_t)WG_MOD_GET(in, FDST);
  wg_fmt_t src = (wg_fmt_t)WG_MOD_GET(in, FSRC);
  switch (in->op) {
    case kWgOp_I2F: return wg_i2f(dst, WG_MOD_GET(in, ISZ), a, round);
    case kWgOp_F2I: return wg_f2i(WG_MOD_GET(in, ISZ), src, a, round, ftz);
    case kWgOp_F2F: {
      if (WG_MOD_GET(in, AWAY) != 0u) round = kWgFltAway;
      wg_flt_mode_t flt = {round, ftz, WG_MOD_GET(in, INTR) != 0u};
      return wg_f2f(dst, src, a, (wg_f2f_mode_t){flt, WG_MOD_GET(in, SAT) != 0u, WG_MOD_GET(in, CRELU) != 0u});
    }
    case kWgOp_POPC: return (uint64_t)__builtin_popcountll(a);
    case kWgOp_FLO: return wg_flo(a, b64 ? 64u : 32u, WG_MOD_GET(in, FLOS) != 0u, WG_MOD_GET(in, FLOSH) != 0u);
    default: return reverse(a, b64 ? 64u : 32u);
  }
}

/* A source pair or a destination pair? By the same rules as the register counts of isa.def. */
static bool wide_source(const wg_insn_t *in) {
  switch (in->op) {
    case kWgOp_I2F: return WG_MOD_GET(in, ISZ) >= 6u;
    case kWgOp_F2I:
    case kWgOp_F2F: return WG_MOD_GET(in, FSRC) == (unsigned)kWgFmtF64;
    default: return WG_MOD_GET(in, B64) != 0u;
  }
}

static bool wide_result(const wg_insn_t *in) {
  switch (in->op) {
    case kWgOp_I2F:
    case kWgOp_F2F: return WG_MOD_GET(in, FDST) == (unsigned)kWgFmtF64;
    case kWgOp_F2I: return WG_MOD_GET(in, ISZ) >= 6u;
    case kWgOp_BREV: return WG_MOD_GET(in, B64) != 0u;
    default: return false;
  }
}

bool wg_ref_exec_cvt(const wg_insn_t *in, const wg_ref_in_t *src, wg_ref_out_t *out) {
  switch (in->op) {
    case kWgOp_I2F:
    case kWgOp_F2I:
    case kWgOp_F2F:
    case kWgOp_POPC:
    case kWgOp_FLO:
    case kWgOp_BREV: break;
    default: return false;
  }
  bool pair = wide_source(in);
  out->wr = true;
  out->wide = wide_result(in);
  out->quad = out->wr_p0 = out->wr_p1 = false;
  out->p0 = out->p1 = 0u;
  for (unsigned l = 0; l < 32u; l++) {
    if ((src->exec >> l & 1u) == 0u) continue;
    uint64_t a = src->a != NULL ? src->a[l] : 0u;
    if (pair && src->a1 != NULL) a |= (uint64_t)src->a1[l] << 32;
    uint64_t r = lane(in, a);
    out->d[l] = (uint32_t)r;
    out->d1[l] = (uint32_t)(r >> 32);
  }
  return true;
}
