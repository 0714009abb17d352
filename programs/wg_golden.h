// SPDX-License-Identifier: Apache-2.0
//
// The door between a launch and its golden C kernel. A program's golden.so exports, for each kernel,
//
//   int wg_golden_<mangled kernel>(const wg_golden_launch_t *l, wg_golden_mem_t *m);
//
// which does to a snapshot of device memory what the kernel must do to the device. After the launch the run-time
// library compares every allocation with the snapshot, bit for bit: so the arithmetic order, and fmaf where the
// compiler contracts a multiplication and an addition, must be the kernel's. Returns 0; anything else says that the
// launch itself is wrong (a pointer outside every allocation, a size that the kernel cannot work with) and fails
// the run.
#ifndef WG_PROGRAMS_GOLDEN_H
#define WG_PROGRAMS_GOLDEN_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/** One launch. Parameters as the kernel sees them: natural alignment, first at offset 0. */
typedef struct wg_golden_launch {
  const char *kernel; /* mangled name */
  uint32_t grid[3], block[3];
  uint32_t dyn_shared_bytes;
  const uint8_t *params; /* [param_bytes] */
  size_t param_bytes;
} wg_golden_launch_t;

/** The snapshot. */
typedef struct wg_golden_mem {
  void *ctx;
  /** Host address of `bytes` bytes at device address `addr`; NULL if they are not inside one allocation. */
  void *(*at)(void *ctx, uint64_t addr, size_t bytes);
} wg_golden_mem_t;

typedef int (*wg_golden_fn_t)(const wg_golden_launch_t *l, wg_golden_mem_t *m);

/** Copy a parameter out; zero if it does not lie inside the block of parameters. */
static inline void wg_golden_param(const wg_golden_launch_t *l, size_t offset, void *out, size_t bytes) {
  memset(out, 0, bytes);
  if (offset <= l->param_bytes && bytes <= l->param_bytes - offset) memcpy(out, l->params + offset, bytes);
}
static inline int32_t wg_golden_i32(const wg_golden_launch_t *l, size_t offset) {
  int32_t v;
  wg_golden_param(l, offset, &v, sizeof v);
  return v;
}
static inline uint64_t wg_golden_u64(const wg_golden_launch_t *l, size_t offset) {
  uint64_t v;
  wg_golden_param(l, offset, &v, sizeof v);
  return v;
}
/** `count` floats at the device address in the pointer parameter at `offset`, moved by `index` elements; NULL if
 * outside. */
static inline float *wg_golden_f32(const wg_golden_launch_t *l, wg_golden_mem_t *m, size_t offset, int64_t index,
                                   size_t count) {
  return (float *)m->at(m->ctx, wg_golden_u64(l, offset) + (uint64_t)(index * 4), count * 4);
}

#ifdef __cplusplus
}
#endif
#endif
