// SPDX-License-Identifier: Apache-2.0
//
// HMMA, IMMA, DMMA: fragments of a warp to matrices and back. M x N x K = 16 x 8 x k (8 x 8 x k: IMMA.8816, DMMA).
//
// Fragments as PTX mma.sync has them. With e elements in a register (1, 2, 4) and q = 4 * e:
//   A[i][k]  lane 4 * (i % 8) + k % q / e, register i / 8 + 2 * (k / q) (M = 8: k / q), sub-element k % e
//   B[k][j]  lane 4 * j + k % q / e, register k / q, sub-element k % e
//   C, D     lane 4 * (i % 8) + j / 2; 32 bits: register j % 2 + 2 * (i / 8); fp16: register i / 8, half j % 2
// A lane that does not execute gives zeros and gets nothing.
// Sources: PTX ISA (mma.sync fragments); silicon/tensor/fragments.csv; arithmetic: wg_ref_mma.h.
#include "model/ref/wg_ref.h"
#include "model/ref/wg_ref_fp64.h"
#include "model/ref/wg_ref_mma.h"

typedef struct frag {
  const uint32_t *row[4];
  uint32_t exec;
} frag_t;

static uint32_t word(const frag_t *f, unsigned reg, unsigned lane) {
  return f->row[reg] != NULL && (f->exec >> lane & 1u) != 0u ? f->row[reg][lane] : 0u;
}

/* Elements A[i][0..k-1] (m16: A has 16 rows) or, with m16 false, of B's column i. e: elements in a register. */
static void line(const frag_t *f, unsigned e, bool m16, unsigned i, unsigned k, uint32_t *out) {
  unsigned q = 4u * e, bits = 32u / e;
  for (unsigned n = 0; n < k; n++) {
    unsigned reg = m16 ? i / 8u + 2u * (n / q) : n / q;
    uint32_t w = word(f, reg, 4u * (i % 8u) + n % q / e) >> (n % e * bits);
    out[n] = e == 1u ? w : w & ((1u << bits) - 1u);
  }
}

static void put(wg_ref_out_t *out, uint32_t exec, unsigned reg, unsigned lane, uint32_t v) {
  uint32_t *const row[4] = {out->d, out->d1, out->d2, out->d3};
  if ((exec >> lane & 1u) != 0u) row[reg][lane] = v;
}

static void hmma(const wg_insn_t *in, const frag_t *a, const frag_t *b, const frag_t *c, wg_ref_out_t *out) {
  wg_mma_type_t type = (wg_mma_type_t)WG_MOD_GET(in, MIN);
  bool acc16 = WG_MOD_GET(in, MACC) != 0u;
  unsigned e = type == kWgMmaTf32 ? 1u : 2u, k = 4u << WG_MOD_GET(in, MSH);
  out->quad = !acc16;
  for (unsigned i = 0; i < 16u; i++) {
    uint32_t row[16], col[16], half[2] = {0u, 0u};
    line(a, e, true, i, k, row);
    for (unsigned j = 0; j < 8u; j++) {
      unsigned lane = 4u * (i % 8u) + j / 2u, reg = acc16 ? i / 8u : j % 2u + 2u * (i / 8u);
      uint32_t addend = word(c, reg, lane);
      if (acc16) addend = addend >> (16u * (j % 2u)) & 0xffffu;
      line(b, e, false, j, k, col);
      uint32_t r = wg_mma_dot(type, acc16, row, col, k, addend);
      half[j % 2u] = r;
      if (!acc16) put(out, c->exec, reg, lane, r);
      if (acc16 && j % 2u == 1u) put(out, c->exec, reg, lane, half[1] << 16 | half[0]);
    }
  }
}

static void imma(const wg_insn_t *in, const frag_t *a, const frag_t *b, const frag_t *c, wg_ref_out_t *out) {
  bool sa = WG_MOD_GET(in, IMA) != 0u, sb = WG_MOD_GET(in, IMB) != 0u, sat = WG_MOD_GET(in, SAT) != 0u;
  unsigned shape = WG_MOD_GET(in, IMSH), m = shape == 0u ? 8u : 16u, k = shape == 2u ? 32u : 16u;
  out->quad = m == 16u;
  for (unsigned i = 0; i < m; i++) {
    uint32_t row[32], col[32];
    line(a, 4u, m == 16u, i, k, row);
    for (unsigned j = 0; j < 8u; j++) {
      unsigned lane = 4u * (i % 8u) + j / 2u, reg = j % 2u + 2u * (i / 8u);
      uint8_t x[32], y[32];
      line(b, 4u, false, j, k, col);
      for (unsigned n = 0; n < k; n++) x[n] = (uint8_t)row[n], y[n] = (uint8_t)col[n];
      put(out, c->exec, reg, lane, wg_mma_idot(sa, sb, sat, x, y, k, word(c, reg, lane)));
    }
  }
}

static uint64_t pair(const frag_t *f, unsigned reg, unsigned lane) {
  return (uint64_t)word(f, reg + 1u, lane) << 32 | word(f, reg, lane);
}

/* A[i][k] in lane 4 * i + k, B[k][j] in lane 4 * j + k, C and D[i][j] in lane 4 * i + j / 2, registers 2 * (j % 2). */
static void dmma(const frag_t *a, const frag_t *b, const frag_t *c, wg_ref_out_t *out) {
  out->quad = true;
  for (unsigned i = 0; i < 8u; i++) {
    for (unsigned j = 0; j < 8u; j++) {
      unsigned lane = 4u * i + j / 2u, reg = 2u * (j % 2u);
      uint64_t r = pair(c, reg, lane);
      for (unsigned k = 0; k < 4u; k++) {
        r = wg_fp64_fma(pair(a, 0u, 4u * i + k), pair(b, 0u, 4u * j + k), r, kWgRoundRN);
      }
      put(out, c->exec, reg, lane, (uint32_t)r);
      put(out, c->exec, reg + 1u, lane, (uint32_t)(r >> 32));
    }
  }
}

bool wg_ref_exec_mma(const wg_insn_t *in, const wg_ref_in_t *src, wg_ref_out_t *out) {
  const frag_t a = {{src->a, src->a1, src->a2, src->a3}, src->exec};
  const frag_t b = {{src->b, src->b1, NULL, NULL}, src->exec};
  const frag_t c = {{src->c, src->c1, src->c2, src->c3}, src->exec};
  if (!wg_insn_mma_defined(in)) return false;
  out->wr = out->wide = true;
  out->wr_p0 = out->wr_p1 = false;
  out->p0 = out->p1 = 0u;
  switch (in->op) {
    case kWgOp_HMMA: hmma(in, &a, &b, &c, out); break;
    case kWgOp_IMMA: imma(in, &a, &b, &c, out); break;
    default: dmma(&a, &b, &c, out); break;
  }
  return true;
}
