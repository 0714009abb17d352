// SPDX-License-Identifier: Apache-2.0
//
// Encode, decode and describe one instruction word. Pure functions over the table in isa/isa.def; no I/O, no allocation.
// Word layout: isa/README.md.
#ifndef WG_ISA_ISA_H
#define WG_ISA_ISA_H

#include "isa/wg_base.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { kWgRZ = 255, kWgPT = 7 };

/** One 128-bit word, little endian: lo = bits [63:0]. In memory: 16 bytes, lo first. */
typedef struct wg_word {
  uint64_t lo, hi;
} wg_word_t;

typedef enum wg_pipe {
#define WG_PIPE(ID, NAME, PATH, DOC) kWgPipe##ID,
#include "isa/isa.def"
  kWgPipeCount
} wg_pipe_t;

/** Opcode values: kWgOp_FFMA and so on. */
enum {
#define WG_INSN(ID, MNEMONIC, OPCODE, PIPE, OPERANDS, MODS, FLAGS, DOC) kWgOp_##ID = (OPCODE),
#include "isa/isa.def"
};

/** Modifier groups: kWgModLsb_X and kWgModWidth_X are relative to word bit 88, that is to wg_insn_t.mods. */
enum {
#define WG_MOD(ID, LSB, WIDTH, NAMES) kWgModLsb_##ID = (LSB), kWgModWidth_##ID = (WIDTH),
#include "isa/isa.def"
};
enum {
#define WG_MARK(ID, LSB, OPERAND, MARK) kWgMark_##ID = 1 << (LSB),
#include "isa/isa.def"
};
#define WG_MOD_GET(insn, ID) \
  (((unsigned)(insn)->mods >> kWgModLsb_##ID) & ((1u << kWgModWidth_##ID) - 1u))

/** Source b: what [63:32] holds. Encoded in [15:12]. */
typedef enum wg_form { kWgFormReg = 0, kWgFormImm = 1, kWgFormConst = 2 } wg_form_t;

/** All fields of a word. Fields an instruction does not use are zero (registers: RZ, predicates: PT). */
typedef struct wg_insn {
  uint8_t op;
  uint8_t guard; /* 0..7; 7 = PT */
  bool guard_not;
  uint8_t form;  /* wg_form_t */
  uint8_t rd, ra, rb, rc;
  uint32_t imm;  /* raw [63:32]; signed where the table says so */
  uint8_t cbank; /* constant bank, 0..31 */
  uint16_t coff; /* constant byte offset */
  uint8_t pd0, pd1;
  uint8_t ps0, ps1; /* 0..7 */
  bool ps0_not, ps1_not;
  uint8_t breg;  /* convergence barrier; shares bits with ps1 */
  uint16_t mods;
  uint8_t stall, yield, wr_ctr, rd_ctr, wait_mask; /* control field; counters: 7 = none */
} wg_insn_t;

/** Facts about an opcode, from the table. */
typedef struct wg_insn_info {
  const char *id, *mnemonic, *operands, *mods, *flags, *doc;
  uint8_t opcode;
  uint8_t pipe; /* wg_pipe_t */
  bool defined;
} wg_insn_info_t;

/** @return the entry of `opcode`; its `defined` is false if the table has none. Never NULL. */
const wg_insn_info_t *wg_insn_info(uint8_t opcode);
/** Entries in table order; `*n` = their number. */
const wg_insn_info_t *wg_insn_table(size_t *n);

/** A NOP-like instruction: registers RZ, predicates PT, counters 7, everything else 0. */
wg_insn_t wg_insn_default(uint8_t op);
/** Pack. The caller guarantees field ranges (WG_BUG otherwise). */
wg_word_t wg_encode(const wg_insn_t *in);
/**
 * Unpack and check.
 * @return kWgOk; kWgBadInput for an undefined opcode, form, or modifier value; `*out` is filled as far as it goes.
 */
wg_status_t wg_decode(wg_word_t w, wg_insn_t *out);

/** Does an execution unit of this version execute it? Others of the table fault as undefined, in RTL and model alike. */
bool wg_insn_built(const wg_insn_t *in);
/**
 * Is this a matrix instruction of PTX? Each modifier of HMMA is defined alone, not every combination: .1684 needs
 * .TF32, .TF32 has no .16816, .F16 accumulates products of fp16 only. The same test stands in rtl/front/sm_decode.sv.
 * @return false also for other instructions
 */
bool wg_insn_mma_defined(const wg_insn_t *in);

/** Registers that the instruction reads or writes, as [first, count] ranges; count 0 = none. RZ is never listed. */
typedef struct wg_regset {
  uint8_t first[5], count[5]; /* order: a, b, c, store data, destination */
} wg_regset_t;
wg_regset_t wg_insn_regs(const wg_insn_t *in);
/** Where a load or store goes. kWgSpaceNone: not a load or store (SHFL is neither). */
typedef enum wg_space {
  kWgSpaceNone,
  kWgSpaceGlobal,
  kWgSpaceShared,
  kWgSpaceLocal,
  kWgSpaceGeneric, /* by the upper word of the address */
  kWgSpaceConst    /* LDC */
} wg_space_t;
wg_space_t wg_insn_space(uint8_t op);
/** @return true for what writes memory and no register: STG, STS, STL, ST, RED */
bool wg_insn_is_store(uint8_t op);
/** @return true for ATOM, ATOMG, ATOMS, RED */
bool wg_insn_is_atomic(uint8_t op);
/** @return true if an atomic's operation exists for its type: integers all of them (INC, DEC: .U32), floating point .ADD,
    but not in ATOMS (shared memory has none), .U16 only .CAS. Others are undefined. */
bool wg_insn_atom_defined(const wg_insn_t *in);
/** Bytes per lane that a load, store or atomic accesses: 1, 2, 4, 8 or 16 (LDSM: a row of 16); 0 for other instructions. */
unsigned wg_insn_bytes(const wg_insn_t *in);

#ifdef __cplusplus
}
#endif
#endif
