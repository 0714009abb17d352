// SPDX-License-Identifier: Apache-2.0
//
// The header comment of an assembly test program (programs/asm/README.md): launch, buffers, parameters,
// expectation. A runner parses it, places the buffers, launches, and asks for the verdict on each buffer.
#ifndef WG_TOOLCHAIN_ASMTEST_H
#define WG_TOOLCHAIN_ASMTEST_H

#include "isa/wg_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A device buffer. Word i is bytes 4i..4i+3, little endian. */
typedef struct wg_asmtest_buffer {
  char name[32];
  uint32_t bytes; /* multiple of 4 */
  uint8_t *init;  /* [bytes] contents before the launch */
  uint32_t
      *expect;  /* [bytes / 4] contents after it: words that no expect line names keep their initial value */
  uint8_t *any; /* [bytes / 4] 1 = the word is not judged */
} wg_asmtest_buffer_t;

/** A kernel parameter at byte `offset` from ParamBase: a buffer's device address (8 bytes) or a value. */
typedef struct wg_asmtest_param {
  uint32_t offset, size; /* size 4 or 8 */
  int buffer;            /* index of the buffer, -1: `value` */
  uint64_t value;
} wg_asmtest_param_t;

typedef enum wg_asmtest_outcome {
  kWgAsmtestDone = 0, /* runs to its end; buffers are judged */
  kWgAsmtestFault,    /* buffers are not judged */
  kWgAsmtestHang,
} wg_asmtest_outcome_t;

typedef struct wg_asmtest {
  uint32_t grid[3], block[3];   /* default 1 */
  uint32_t dyn_shared;          /* bytes, default 0 */
  char settings[128];           /* words for the session, behind those of the command line; default "" */
  wg_asmtest_buffer_t *buffers; /* [num_buffers], in order of the parameters; allocate in this order */
  size_t num_buffers;
  wg_asmtest_param_t *params; /* [num_params]: all buffers first, then the `param` lines */
  size_t num_params;
  wg_asmtest_outcome_t outcome;
  unsigned fault_cuda; /* CUDA error number, as 716 */
  bool has_pc;
  uint32_t fault_pc;     /* byte offset in the code window */
  char fault_text[256]; /* "LINE: MESSAGE" of the fault, without what depends on time (SM, cycle); "" = not judged */
} wg_asmtest_t;

/**
 * Parse the comment lines `# key: value` of an assembly file; all other lines are ignored.
 * @param name for messages
 * @return kWgBadInput with line and column for an unknown key or a bad value, or if nothing is expected
 */
WG_NODISCARD wg_status_t wg_asmtest_parse(const char *text, const char *name, wg_asmtest_t **out,
                                          wg_diag_t *diag);
void wg_asmtest_free(wg_asmtest_t *t); /* takes NULL */

/**
 * Judge a buffer after the launch.
 * @param bytes [buffers[b].bytes]
 * @return kWgMismatch with the first wrong word in diag->msg, else kWgOk
 */
WG_NODISCARD wg_status_t wg_asmtest_check(const wg_asmtest_t *t, size_t b, const uint8_t *bytes,
                                          wg_diag_t *diag);

#ifdef __cplusplus
}
#endif
#endif
