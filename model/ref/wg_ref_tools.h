// SPDX-License-Identifier: Apache-2.0
//
// Checks of a program, like those of compute-sanitizer: memory, initialisation, synchronisation, and advice on access
// patterns. They stand beside the golden model, in functional runs and in lockstep, and see every instruction at its issue. Races are
// wg_ref_race.h's. A finding ends nothing: what faults does so by itself.
//
//   mem       every lane's access lies in the bytes of one allocation of the program (not rounded up), is aligned, and in the
//             block's shared memory or the thread's frame. Freed memory is named until its place is allocated again. In the driver
//             area (code, constants, malloc heap) all that faults, and what lies between and behind the module's variables
//   init      a byte of an allocation is read before a copy, a set or a kernel has written it; by the byte
//   init-all  the same for shared memory (since the block began) and local memory (since the thread began)
//   sync      block barriers: a lane of the warp that does not come to the instruction where its others wait does nothing but
//             exit (who returns early is counted as arrived). Warps that meet at barrier 0 for all threads of the block have come
//             to one instruction: that is __syncthreads(), which CUDA C++ allows in a branch only if the whole block takes it.
//             Barriers 1 to 15, and 0 with a number of threads, may be met at from several places, as PTX allows: producers and
//             consumers do. (compute-sanitizer wants one place for these too where all threads are asked for.)
//             Numbers of threads of one phase are equal. Masks of __syncwarp()
//             and of *_sync: each lane that calls is in its own mask; all give the same one; in mode `stack` its lanes that are
//             left are here, in mode `its` they come to the same call, or do nothing but exit. A shuffle from a lane that does not execute it is
//             a note. Needs code that keeps its WARPSYNCs (wg_ptx_options_t.keep_gather)
//   advice    wavefronts of shared memory and sectors of global and local memory, by instruction, and what the same bytes would
//             take if they lay side by side (distinct bytes / 128, / 32)
//
// Not seen: an index that leaves one variable and meets another one of the same allocation, frame or block; memory of device malloc;
// values that a device-to-device copy takes from bytes nobody wrote. Order is that of issue.
#ifndef WG_MODEL_REF_TOOLS_H
#define WG_MODEL_REF_TOOLS_H

#include "model/ref/wg_ref.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { kWgToolMem = 1, kWgToolInit = 2, kWgToolInitAll = 4, kWgToolSync = 8, kWgToolAdvice = 16 };

typedef enum wg_finding_kind {
#define WG_FINDING(ID, TOOL, WORD, ERROR, TEXT, REMEDY) kWgFind##ID,
#include "model/ref/findings.def"
#undef WG_FINDING
  kWgFindKinds
} wg_finding_kind_t;

/** Facts of a kind. */
typedef struct wg_find_facts {
  unsigned tool;
  const char *tool_word, *word, *text, *remedy;
  bool error;
} wg_find_facts_t;
const wg_find_facts_t *wg_find_facts(wg_finding_kind_t kind);

/** Findings of one kind at one instruction; the first one met in full. */
typedef struct wg_finding {
  wg_finding_kind_t kind;
  uint32_t grid_id;
  uint64_t code_base;
  uint32_t pc, ctaid[3], warp, lane, lanes; /* warp in block; first lane, all lanes of the first time */
  bool is_write, is_atomic;
  uint8_t space;   /* wg_space_t; mem, init */
  uint64_t addr;   /* of the lane; shared, local: offset */
  unsigned bytes;  /* of its access */
  uint64_t base, size; /* mem: the allocation that was left, or freed; size 0: there is none */
  uint32_t other_pc;   /* sync: the instruction that the other lanes or warps are at; UINT32_MAX: none */
  uint32_t value, want; /* sync: lanes that are here and that should; numbers of threads; barrier and number of threads (BarArgs);
                           warps at this place and at the other (BarApart); lanes that read others, that execute (ShuffleSource);
                           warps that have arrived and that are left (BarNever) */
  uint8_t barrier;     /* sync: its number */
  uint64_t count;      /* lanes that met it; sync: times */
} wg_finding_t;

/** What an instruction moved. */
typedef struct wg_advice {
  uint64_t code_base;
  uint32_t pc;
  uint8_t space; /* wg_space_t: shared, global, local */
  bool is_store, is_atomic;
  unsigned bytes; /* per lane */
  uint64_t requests, lanes;
  uint64_t units, ideal; /* shared: wavefronts; else sectors of 32 bytes */
} wg_advice_t;

typedef struct wg_tools wg_tools_t;
typedef struct wg_tools_block wg_tools_block_t;

/** @param tools sum of kWgTool*. @return never NULL (host memory exhausted: aborts) */
wg_tools_t *wg_tools_new(unsigned tools);
void wg_tools_free(wg_tools_t *t); /* takes NULL; no block may be left */

/** The program has allocated these bytes. @param written they have contents: a module's variable */
void wg_tools_alloc(wg_tools_t *t, uint64_t addr, uint64_t bytes, bool written);
/** It has freed the allocation that begins there. */
void wg_tools_freed(wg_tools_t *t, uint64_t addr);
/** Was one that begins at `addr` freed before, and none lives there now? */
bool wg_tools_was_freed(const wg_tools_t *t, uint64_t addr);
/** A copy or set from the host has written these bytes. */
void wg_tools_written(wg_tools_t *t, uint64_t addr, uint64_t bytes);
/** A module's variables lie in this range: an access there must meet one of them (wg_tools_alloc). */
void wg_tools_variables(wg_tools_t *t, uint64_t addr, uint64_t bytes);

/** Who knows whether bytes of the driver area may be accessed. Without this call all may. */
void wg_tools_driver(wg_tools_t *t, bool (*legal)(void *ctx, uint64_t addr, uint64_t bytes), void *ctx);

/** Findings since creation, in the order in which they were met. */
size_t wg_tools_findings(const wg_tools_t *t, const wg_finding_t **out);
/** False if there were more kinds of findings than are kept (4,096), or no memory for the shadow of an allocation. */
bool wg_tools_complete(const wg_tools_t *t);
/** A finding of the host's side: kinds of host calls. Not merged with others. */
void wg_tools_add(wg_tools_t *t, const wg_finding_t *f);
/** Instructions with memory traffic since creation, by code base and pc. */
size_t wg_tools_advice(wg_tools_t *t, const wg_advice_t **out);

/** A block starts. @param its its lanes arrive at barriers one by one */
wg_tools_block_t *wg_tools_block_new(wg_tools_t *t, const wg_cta_launch_t *cta, bool its);
void wg_tools_block_free(wg_tools_block_t *b); /* takes NULL */
/** Warp `w` of the block has issued `st`, with or without a fault; memory has not changed yet. */
void wg_tools_issue(wg_tools_block_t *b, const wg_ref_warp_t *w, const wg_ref_step_t *st);
/** The launch is given up: barriers and masks of warps for which the blocks that are left wait are findings. */
void wg_tools_given_up(wg_tools_t *t);

#ifdef __cplusplus
}
#endif
#endif
