// SPDX-License-Identifier: Apache-2.0
//
// Occupancy: how many blocks of a kernel one SM of the device holds.
#include "rt.h"

/* Blocks of `threads` threads that an SM holds; 0 if none fits. */
static uint32_t blocks(const rt_symbol_t *sym, uint32_t threads, size_t shared) {
  const wg_obj_kernel_t *k = wg_obj_find(wg_module_obj(sym->image->module), sym->name, NULL);
  if (k == NULL || shared > rt_max_dyn_shared(sym, k)) return 0;
  return wg_session_blocks_per_sm(rt()->session, sym->image->module, sym->name, threads, (uint32_t)shared);
}

RT_API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *out, const void *func, int threads,
                                                                 size_t shared_bytes) {
  RT_ENTER();
  if (out == NULL || threads <= 0) return rt_leave(cudaErrorInvalidValue);
  const rt_symbol_t *sym = rt_symbol_find(func, false);
  if (sym == NULL) return rt_leave(cudaErrorInvalidDeviceFunction);
  cudaError_t e = rt_image_load(sym->image);
  if (e == cudaSuccess) *out = (int)blocks(sym, (uint32_t)threads, shared_bytes);
  return rt_leave(e);
}

/* The largest block size, a multiple of a warp, among those that keep most threads resident. */
RT_API cudaError_t cudaOccupancyMaxPotentialBlockSize(int *grid, int *threads, const void *func,
                                                      size_t shared_bytes, int limit) {
  RT_ENTER();
  if (grid == NULL || threads == NULL || limit < 0) return rt_leave(cudaErrorInvalidValue);
  const rt_symbol_t *sym = rt_symbol_find(func, false);
  if (sym == NULL) return rt_leave(cudaErrorInvalidDeviceFunction);
  cudaError_t e = rt_image_load(sym->image);
  if (e != cudaSuccess) return rt_leave(e);
  wg_session_props_t p;
  wg_session_get_props(rt()->session, &p);
  uint32_t max = p.max_threads_per_block, best = 0, best_threads = 0;
  const wg_obj_kernel_t *k = wg_obj_find(wg_module_obj(sym->image->module), sym->name, NULL);
  if (k != NULL && k->max_threads < max) max = k->max_threads;
  if (limit != 0 && (uint32_t)limit < max) max = (uint32_t)limit;
  for (uint32_t t = kWgWarpThreads; t <= max; t += kWgWarpThreads) {
    uint32_t resident = blocks(sym, t, shared_bytes) * t;
    if (resident == 0 || resident < best) continue;
    best = resident;
    best_threads = t;
  }
  if (best == 0) return rt_leave(cudaErrorLaunchOutOfResources);
  *threads = (int)best_threads;
  *grid = (int)(best / best_threads * p.num_sms);
  return rt_leave(cudaSuccess);
}
