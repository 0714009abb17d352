// SPDX-License-Identifier: Apache-2.0
//
// The kernel container: ELF64, little endian, e_machine 0x5747, written and read through libelf.
//   .text.<kernel>    instruction words (16 bytes each), section alignment 128
//   .wg.kernel        manifest: one wg_obj_manifest_t a kernel, in .text order
//   .wg.const2        literals of the image (bank 2);  .wg.const3  initial image of __constant__ (bank 3)
//   .wg.line          line table: sorted {u32 pc, u32 file, u32 line}; .wg.files  NUL-separated names; pc counts from the
//                     start of the code window (sections are laid out in file order)
//   .wg.ptxline       lines of the PTX text: sorted {u32 pc, u32 line}; line 0: of no line of it
//   .wg.reloc         addresses of variables among initial values, 24 bytes each (wg_obj_reloc_t)
//   .wg.mark          sorted u32 pc | marks: volatile accesses and waiting loads of shared memory, for the race checker
//   .wg.shared        variables in shared memory of each kernel, {u32 kernel, offset, size, name in .strtab}
//   .wg.ptx           the PTX text that the image came from, if any
//   .symtab           one STT_FUNC a kernel; STT_OBJECT for module variables
// Untrusted files: every offset and size is checked; a bad file gives kWgBadInput with the place.
#ifndef WG_TOOLCHAIN_OBJ_H
#define WG_TOOLCHAIN_OBJ_H

#include "isa/wg_isa.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { kWgElfMachine = 0x5747, kWgObjVersion = 2 };

/** A kernel parameter: byte offset from ParamBase, size, alignment. */
typedef struct wg_obj_param {
  uint32_t offset, size, align;
} wg_obj_param_t;

/** Resource manifest of a kernel. */
typedef struct wg_obj_kernel {
  char *name;             /* mangled */
  wg_word_t *code;        /* [num_insns] */
  uint32_t num_insns;
  uint32_t max_threads;   /* per block, 1024 unless .maxntid says less */
  uint32_t req_ntid[3];   /* .reqntid, 0 = free */
  uint32_t regs;          /* per thread, before rounding to kWgRegUnit */
  uint32_t shared_bytes;  /* static */
  uint32_t local_bytes;   /* per thread: its frame and those of all that it calls, each once */
  uint32_t barriers;      /* highest named barrier used + 1 */
  uint32_t spills;        /* registers spilled, for reports */
  bool uses_dyn_shared;
  bool is_func;           /* a function that kernels call: no kernel, it cannot be launched */
  bool uses_stack;        /* calls whose depth nobody knows: more stack than local_bytes may be needed */
  wg_obj_param_t *params; /* [num_params] */
  uint32_t num_params;
  uint32_t latency_hash;  /* wg_ctl_hash of the table that the control fields are for; 0: there are none */
} wg_obj_kernel_t;

typedef struct wg_obj_line {
  uint32_t pc; /* byte offset in the code window */
  uint32_t file, line;
} wg_obj_line_t;

/** From this pc on the code comes from this line of the PTX text; 0: from no line of it (a function of the library). */
typedef struct wg_obj_ptx_line {
  uint32_t pc, line;
} wg_obj_ptx_line_t;

/** A module variable (`__constant__` or `__device__`): where its initial bytes lie. */
typedef struct wg_obj_var {
  char *name;
  uint8_t space; /* 0 = constant bank 3, 1 = global */
  uint32_t offset, size, align;
} wg_obj_var_t;

/** Bank 2 of an image whose code takes addresses of variables: the loader writes the device addresses of the __device__
    variables (global_init) and of the __constant__ variables (const3) there, 64 bits each, in this order. */
enum { kWgObjBases = 16 };

/** An address among initial values, which the loader writes: `size` bytes, from bit `shift` on, of addend + the device address
    of the __constant__ (base 0) or the __device__ variables (base 1); addend is their offset there. */
typedef struct wg_obj_reloc {
  uint8_t space;          /* where: 0 = constant bank 3, 1 = global */
  uint8_t base, size, shift;
  uint32_t offset;        /* in its space */
  uint64_t addend;
} wg_obj_reloc_t;

/** What the text says of an access and the instruction does not; in the low bits of its pc. */
enum { kWgObjStrong = 1 /* volatile, relaxed, ordered */, kWgObjWaits = 2 /* a strong load in a loop that only waits */,
       kWgObjAtomic = 4 /* part of a floating-point atomic */ };

/** A kernel's variable in shared memory. */
typedef struct wg_obj_shared {
  char *name;
  uint32_t kernel, offset, size; /* size 0: the dynamic array, to the end */
} wg_obj_shared_t;

typedef struct wg_obj {
  wg_obj_kernel_t *kernels; /* functions behind the kernels */
  size_t num_kernels;
  uint8_t *const2;
  size_t const2_size;
  uint8_t *const3;
  size_t const3_size;
  uint8_t *global_init; /* .wg.global: initial bytes of __device__ variables */
  size_t global_size;
  wg_obj_var_t *vars;
  size_t num_vars;
  char **files;
  size_t num_files;
  wg_obj_line_t *lines; /* sorted by pc */
  size_t num_lines;
  wg_obj_ptx_line_t *ptx_lines; /* sorted by pc */
  size_t num_ptx_lines;
  wg_obj_reloc_t *relocs;
  size_t num_relocs;
  uint32_t *marks; /* pc | kWgObj*, sorted */
  size_t num_marks;
  wg_obj_shared_t *shared;
  size_t num_shared;
  char *ptx; /* NUL-terminated or NULL */
} wg_obj_t;

/** An empty object; all arrays inside are malloc'ed and owned by it. */
wg_obj_t *wg_obj_new(void);
void wg_obj_free(wg_obj_t *o); /* takes NULL */

/** Byte offset of kernel `k` in the code window: kernels in order, each aligned to 128 bytes. */
uint32_t wg_obj_kernel_pc(const wg_obj_t *o, size_t k);
/** Kernel by mangled name, NULL if absent or a function. */
const wg_obj_kernel_t *wg_obj_find(const wg_obj_t *o, const char *name, size_t *index);
/** Write the addresses of relocs into images of the spaces. @param image,base [2] constants, globals: bytes, device address */
void wg_obj_relocate(const wg_obj_t *o, uint8_t *const image[2], const uint64_t base[2]);
/** Source place of a pc: false if unknown. */
bool wg_obj_line_of(const wg_obj_t *o, uint32_t pc, const char **file, unsigned *line);

WG_NODISCARD wg_status_t wg_obj_write(const wg_obj_t *o, const char *path, wg_diag_t *diag);
WG_NODISCARD wg_status_t wg_obj_read(const char *path, wg_obj_t **out, wg_diag_t *diag);
/** From and to memory; *bytes is malloc'ed. */
WG_NODISCARD wg_status_t wg_obj_to_memory(const wg_obj_t *o, uint8_t **bytes, size_t *n, wg_diag_t *diag);
WG_NODISCARD wg_status_t wg_obj_from_memory(const uint8_t *bytes, size_t n, const char *name, wg_obj_t **out, wg_diag_t *diag);

#ifdef __cplusplus
}
#endif
#endif
