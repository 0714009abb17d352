// SPDX-License-Identifier: Apache-2.0
//
// The device: number, properties, synchronisation, reset.
#include "rt.h"

#include <string.h>

enum { kConstBytes = 65536, kThreads = 1024 };

RT_API cudaError_t cudaGetDeviceCount(int *count) {
  RT_ENTER();
  if (count == NULL) return rt_leave(cudaErrorInvalidValue);
  *count = 1;
  return rt_leave(cudaSuccess);
}

static bool device_arg(const char *call, int device) {
  if (device != 0) rt_say("%s: there is no device %d: there is one, number 0", call, device);
  return device == 0;
}

RT_API cudaError_t cudaSetDevice(int device) {
  RT_ENTER();
  return rt_leave(device_arg(__func__, device) ? cudaSuccess : cudaErrorInvalidDevice);
}

RT_API cudaError_t cudaGetDevice(int *device) {
  RT_ENTER();
  if (device == NULL) return rt_leave(cudaErrorInvalidValue);
  *device = 0;
  return rt_leave(cudaSuccess);
}

RT_API cudaError_t cudaSetDeviceFlags(unsigned int flags) {
  (void)flags;
  RT_ENTER();
  return rt_leave(cudaSuccess);
}

static void fill_props(cudaDeviceProp *p) {
  wg_session_props_t w;
  wg_session_get_props(rt()->session, &w);
  memset(p, 0, sizeof *p);
  snprintf(p->name, sizeof p->name, "%s", w.name);
  p->totalGlobalMem = w.global_bytes;
  p->sharedMemPerBlock = w.shared_per_block;
  p->sharedMemPerBlockOptin = w.shared_per_block_optin;
  p->regsPerBlock = p->regsPerMultiprocessor = (int)w.regs_per_sm;
  p->warpSize = kWgWarpThreads;
  p->memPitch = 0x7fffffff;
  p->maxThreadsPerBlock = (int)w.max_threads_per_block;
  p->maxThreadsDim[0] = p->maxThreadsDim[1] = kThreads;
  p->maxThreadsDim[2] = 64;
  p->maxGridSize[0] = 0x7fffffff;
  p->maxGridSize[1] = p->maxGridSize[2] = 65535;
  p->clockRate = (int)w.clock_khz;
  p->totalConstMem = kConstBytes;
  p->major = 7;
  p->textureAlignment = 512;
  p->multiProcessorCount = (int)w.num_sms;
  p->concurrentKernels = rt_queue_costs()->queue_grids > 1;
  p->asyncEngineCount = (int)rt_queue_costs()->copy.engines;
  p->unifiedAddressing = 1;
  p->maxThreadsPerMultiProcessor = (int)w.warp_slots_per_sm * kWgWarpThreads;
  p->sharedMemPerMultiprocessor = w.shared_per_sm;
  p->maxBlocksPerMultiProcessor = (int)w.block_slots_per_sm;
  /* bus width and clock are chosen so that 2 x clock x width is the preset's bandwidth, as programs compute it */
  p->memoryBusWidth = 4096;
  p->memoryClockRate = (int)(w.hbm_gbytes_per_s * 1e6 / (2.0 * 4096 / 8));
}

RT_API cudaError_t cudaGetDeviceProperties(cudaDeviceProp *prop, int device) {
  RT_ENTER();
  if (prop == NULL) return rt_leave(cudaErrorInvalidValue);
  if (!device_arg(__func__, device)) return rt_leave(cudaErrorInvalidDevice);
  fill_props(prop);
  return rt_leave(cudaSuccess);
}

static cudaError_t attribute(const cudaDeviceProp *p, enum cudaDeviceAttr attr, int *value) {
  switch (attr) {
    case cudaDevAttrMaxThreadsPerBlock:
      *value = p->maxThreadsPerBlock;
      break;
    case cudaDevAttrMaxBlockDimX:
      *value = p->maxThreadsDim[0];
      break;
    case cudaDevAttrMaxBlockDimY:
      *value = p->maxThreadsDim[1];
      break;
    case cudaDevAttrMaxBlockDimZ:
      *value = p->maxThreadsDim[2];
      break;
    case cudaDevAttrMaxGridDimX:
      *value = p->maxGridSize[0];
      break;
    case cudaDevAttrMaxGridDimY:
      *value = p->maxGridSize[1];
      break;
    case cudaDevAttrMaxGridDimZ:
      *value = p->maxGridSize[2];
      break;
    case cudaDevAttrMaxSharedMemoryPerBlock:
      *value = (int)p->sharedMemPerBlock;
      break;
    case cudaDevAttrTotalConstantMemory:
      *value = (int)p->totalConstMem;
      break;
    case cudaDevAttrWarpSize:
      *value = p->warpSize;
      break;
    case cudaDevAttrMaxRegistersPerBlock:
      *value = p->regsPerBlock;
      break;
    case cudaDevAttrClockRate:
      *value = p->clockRate;
      break;
    case cudaDevAttrMultiProcessorCount:
      *value = p->multiProcessorCount;
      break;
    case cudaDevAttrIntegrated:
    case cudaDevAttrCanMapHostMemory:
    case cudaDevAttrComputeMode:
    case cudaDevAttrManagedMemory:
    case cudaDevAttrCooperativeLaunch:
      *value = 0;
      break;
    case cudaDevAttrConcurrentKernels:
      *value = p->concurrentKernels;
      break;
    case cudaDevAttrMaxThreadsPerMultiProcessor:
      *value = p->maxThreadsPerMultiProcessor;
      break;
    case cudaDevAttrUnifiedAddressing:
      *value = p->unifiedAddressing;
      break;
    case cudaDevAttrComputeCapabilityMajor:
      *value = p->major;
      break;
    case cudaDevAttrComputeCapabilityMinor:
      *value = p->minor;
      break;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
      *value = (int)p->sharedMemPerMultiprocessor;
      break;
    case cudaDevAttrMaxRegistersPerMultiprocessor:
      *value = p->regsPerMultiprocessor;
      break;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
      *value = (int)p->sharedMemPerBlockOptin;
      break;
    case cudaDevAttrMaxBlocksPerMultiprocessor:
      *value = p->maxBlocksPerMultiProcessor;
      break;
    default:
      return cudaErrorInvalidValue;
  }
  return cudaSuccess;
}

RT_API cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attr, int device) {
  RT_ENTER();
  if (value == NULL) return rt_leave(cudaErrorInvalidValue);
  if (!device_arg(__func__, device)) return rt_leave(cudaErrorInvalidDevice);
  cudaDeviceProp p;
  fill_props(&p);
  return rt_leave(attribute(&p, attr, value));
}

RT_API cudaError_t cudaDeviceSynchronize(void) {
  RT_ENTER();
  uint64_t from = rt_queue_host_ns();
  rt_queue_spend(rt_queue_costs()->query_ns);
  cudaError_t e = rt_queue_finish();
  rt_report_step("sync", 0, from, rt_queue_host_ns());
  return rt_leave(e);
}

RT_API cudaError_t cudaThreadSynchronize(void) { return cudaDeviceSynchronize(); }

RT_API cudaError_t cudaDeviceReset(void) {
  if (rt_queue_in_function()) return cudaErrorNotPermitted;
  rt_lock();
  rt_state_t *s = rt();
  (void)rt_queue_finish();
  rt_drain();
  rt_queue_close();
  rt_stream_reset();
  s->drained = 0;
  wg_session_destroy(s->session);
  s->session = NULL;
  for (rt_image_t *i = s->images; i != NULL; i = i->next) {
    if (i->ptx != NULL) i->tried = false;
    i->module = NULL;
  }
  for (rt_symbol_t *k = s->symbols; k != NULL; k = k->next) k->opted_in = false;
  while (s->allocs != NULL) {
    rt_alloc_t *next = s->allocs->next;
    free(s->allocs);
    s->allocs = next;
  }
  s->last = s->sticky = cudaSuccess;
  s->stack_bytes = 0;
  return rt_leave(cudaSuccess);
}

RT_API cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config) {
  (void)config; /* a hint: the preset decides */
  RT_ENTER();
  return rt_leave(cudaSuccess);
}

RT_API cudaError_t cudaDriverGetVersion(int *version) {
  RT_ENTER();
  if (version == NULL) return rt_leave(cudaErrorInvalidValue);
  *version = CUDART_VERSION;
  return rt_leave(cudaSuccess);
}

RT_API cudaError_t cudaRuntimeGetVersion(int *version) { return cudaDriverGetVersion(version); }

RT_API cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total_bytes) {
  RT_ENTER();
  if (free_bytes == NULL || total_bytes == NULL) return rt_leave(cudaErrorInvalidValue);
  wg_session_props_t p;
  wg_session_get_props(rt()->session, &p);
  size_t used = 0;
  for (const rt_alloc_t *a = rt()->allocs; a != NULL; a = a->next) used += (a->bytes + 255) / 256 * 256;
  *total_bytes = p.global_bytes;
  *free_bytes = used > p.global_bytes ? 0 : p.global_bytes - used;
  return rt_leave(cudaSuccess);
}
