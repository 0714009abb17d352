// SPDX-License-Identifier: Apache-2.0
//
// Atomic operations on memory: what one lane's operation does to one element, and how a lane's registers give its
// operands. Pure functions, integers only. The L2 slices and the golden model of shared memory stand on them.
// Source: PTX ISA, atom; silicon/README.md and silicon/atomics for floating point: on global memory an f32 add flushes
// denormals and an f64 add gives a NaN as it is (the operand's before the memory's); on shared memory (a compare-and-swap
// loop around the add there) they round as add.rn does.
#ifndef WG_MODEL_REF_ATOM_H
#define WG_MODEL_REF_ATOM_H

#include "isa/wg_isa.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Values of modifier group AOP. */
enum {
  kWgAtomAdd,
  kWgAtomMin,
  kWgAtomMax,
  kWgAtomInc,
  kWgAtomDec,
  kWgAtomAnd,
  kWgAtomOr,
  kWgAtomXor,
  kWgAtomExch,
  kWgAtomCas,
  kWgAtomOps
};
/** Values of modifier group ATYPE. */
enum {
  kWgAtomU32,
  kWgAtomS32,
  kWgAtomU64,
  kWgAtomS64,
  kWgAtomF32,
  kWgAtomF64,
  kWgAtomF16x2,
  kWgAtomBf16x2,
  kWgAtomF16,
  kWgAtomBf16,
  kWgAtomU16,
  kWgAtomTypes
};

/** Operands of one lane. */
typedef struct wg_ref_atom_arg {
  uint64_t value;    /* operand; CAS: the new value */
  uint64_t expected; /* CAS only */
} wg_ref_atom_arg_t;

/** Bytes of an element of a type: 2, 4 or 8. */
unsigned wg_ref_atom_bytes(unsigned type);
/** True for the types that are no integers: F32, F64, F16X2, BF16X2, F16, BF16. */
bool wg_ref_atom_is_float(unsigned type);
/**
 * New contents of an element.
 * @param op, type a pair that wg_insn_built takes (others: WG_BUG)
 * @param old contents before, in the low bytes of the type's size; upper bits 0 or ignored
 * @return the low bytes, upper bits 0
 */
uint64_t wg_ref_atom(unsigned op, unsigned type, bool shared, uint64_t old, wg_ref_atom_arg_t arg);
/** Operands from a lane's registers rc.., four words at most. */
wg_ref_atom_arg_t wg_ref_atom_args(unsigned op, unsigned type, const uint32_t word[4]);
/**
 * Apply an operation to the elements of one sector, in ascending addresses: what an L2 slice does.
 * @param byte_mask bytes of the elements that take part; a part of an element does not occur
 * @param value, expected operands, at the place of their element; @param[in,out] sector contents
 */
void wg_ref_atom_sector(unsigned op, unsigned type, uint32_t byte_mask, const uint8_t value[32],
                        const uint8_t expected[32], uint8_t sector[32]);

#ifdef __cplusplus
}
#endif
#endif
