// SPDX-License-Identifier: Apache-2.0
//
// Memory: allocation, copies, symbols. Errors name the pointer and what is wrong with it.
#define _GNU_SOURCE
#include "rt.h"

#include <string.h>

static uint64_t dev(const void *p) { return (uint64_t)(uintptr_t)p; }

static void track(rt_alloc_t **at, uint64_t addr, size_t bytes) {
  rt_alloc_t *a = malloc(sizeof *a);
  WG_BUG(a == NULL);
  while (*at != NULL && (*at)->addr < addr) at = &(*at)->next;
  *a = (rt_alloc_t){*at, addr, bytes};
  *at = a;
}

/* False: no such entry. */
static bool untrack(rt_alloc_t **at, uint64_t addr) {
  for (; *at != NULL; at = &(*at)->next) {
    if ((*at)->addr != addr) continue;
    rt_alloc_t *gone = *at;
    *at = gone->next;
    free(gone);
    return true;
  }
  return false;
}

static cudaError_t allocate(void **ptr, size_t bytes) {
  if (ptr == NULL) return cudaErrorInvalidValue;
  if (bytes == 0) {
    *ptr = NULL;
    return cudaSuccess;
  }
  uint64_t addr = 0;
  wg_diag_t d;
  memset(&d, 0, sizeof d);
  if (wg_session_malloc(rt()->session, bytes, &addr, &d) != kWgOk) {
    rt_say_diag("cudaMalloc", &d);
    return cudaErrorMemoryAllocation;
  }
  track(&rt()->allocs, addr, bytes);
  *ptr = (void *)(uintptr_t)addr;
  return cudaSuccess;
}

RT_API cudaError_t cudaMalloc(void **ptr, size_t bytes) {
  RT_ENTER();
  return rt_leave(allocate(ptr, bytes));
}

RT_API cudaError_t cudaMallocPitch(void **ptr, size_t *pitch, size_t width, size_t height) {
  RT_ENTER();
  size_t row = width > SIZE_MAX - 511 ? 0 : (width + 511) / 512 * 512;
  if (pitch == NULL || row < width || (height != 0 && row > SIZE_MAX / height)) {
    return rt_leave(cudaErrorInvalidValue);
  }
  cudaError_t e = allocate(ptr, row * height);
  if (e == cudaSuccess) *pitch = row;
  return rt_leave(e);
}

RT_API cudaError_t cudaFree(void *ptr) {
  RT_ENTER();
  if (ptr == NULL) return rt_leave(cudaSuccess);
  wg_diag_t d;
  memset(&d, 0, sizeof d);
  if (!rt_is_device(ptr)) {
    rt_say("cudaFree: %p is a host pointer", ptr);
    return rt_leave(cudaErrorInvalidValue);
  }
  if (wg_session_free(rt()->session, dev(ptr), &d) != kWgOk) {
    rt_say_diag("cudaFree", &d);
    return rt_leave(cudaErrorInvalidValue);
  }
  (void)untrack(&rt()->allocs, dev(ptr));
  return rt_leave(cudaSuccess);
}

RT_API cudaError_t cudaHostAlloc(void **ptr, size_t bytes, unsigned int flags) {
  (void)flags;
  RT_ENTER();
  if (ptr == NULL) return rt_leave(cudaErrorInvalidValue);
  void *p = NULL;
  if (bytes != 0 && posix_memalign(&p, 4096, bytes) != 0) return rt_leave(cudaErrorMemoryAllocation);
  if (p != NULL) track(&rt()->host_allocs, dev(p), bytes);
  *ptr = p;
  return rt_leave(cudaSuccess);
}

RT_API cudaError_t cudaMallocHost(void **ptr, size_t bytes) {
  return cudaHostAlloc(ptr, bytes, cudaHostAllocDefault);
}

RT_API cudaError_t cudaFreeHost(void *ptr) {
  RT_ENTER();
  if (rt_is_device(ptr)) {
    rt_say("cudaFreeHost: %p is a device pointer: use cudaFree", ptr);
    return rt_leave(cudaErrorInvalidValue);
  }
  if (ptr != NULL && !untrack(&rt()->host_allocs, dev(ptr))) {
    rt_say("cudaFreeHost: %p is no address that cudaMallocHost or cudaHostAlloc gave, or it was freed before", ptr);
    return rt_leave(cudaErrorInvalidValue);
  }
  free(ptr);
  return rt_leave(cudaSuccess);
}

RT_API cudaError_t cudaMallocManaged(void **ptr, size_t bytes, unsigned int flags) {
  (void)ptr, (void)bytes, (void)flags;
  RT_ENTER();
  rt_say("cudaMallocManaged is not supported: use cudaMalloc and cudaMemcpy");
  return rt_leave(cudaErrorNotSupported);
}

/* Check one side of a copy. */
static bool side_ok(const char *call, const char *side, const void *p, bool want_device) {
  if (p == NULL) {
    rt_say("%s: %s is null", call, side);
    return false;
  }
  if (rt_is_device(p) == want_device) return true;
  rt_say("%s: %s %p is a %s pointer, but the call wants a %s pointer there", call, side, p,
         want_device ? "host" : "device", want_device ? "device" : "host");
  return false;
}

static cudaError_t device_to_device(void *dst, const void *src, size_t bytes, wg_diag_t *d) {
  uint64_t base = 0, size = 0; /* a length beyond the source must not become a host allocation */
  bool inside = wg_session_range(rt()->session, dev(src), &base, &size) && bytes <= size - (dev(src) - base);
  uint8_t *tmp = inside ? malloc(bytes) : NULL;
  if (inside && tmp == NULL) return cudaErrorMemoryAllocation;
  wg_status_t st = wg_session_read(rt()->session, dev(src), tmp, bytes, d);
  if (st == kWgOk) st = wg_session_write(rt()->session, dev(dst), tmp, bytes, d);
  free(tmp);
  return st == kWgOk ? cudaSuccess : cudaErrorInvalidValue;
}

static cudaError_t copy(const char *call, void *dst, const void *src, size_t bytes, enum cudaMemcpyKind kind) {
  bool to_dev = false, from_dev = false;
  switch (kind) {
    case cudaMemcpyHostToHost:
      break;
    case cudaMemcpyHostToDevice:
      to_dev = true;
      break;
    case cudaMemcpyDeviceToHost:
      from_dev = true;
      break;
    case cudaMemcpyDeviceToDevice:
      to_dev = from_dev = true;
      break;
    case cudaMemcpyDefault:
      to_dev = rt_is_device(dst);
      from_dev = rt_is_device(src);
      break;
    default:
      rt_say("%s: %d is no copy direction", call, (int)kind);
      return cudaErrorInvalidMemcpyDirection;
  }
  if (bytes == 0) return cudaSuccess;
  if (!side_ok(call, "destination", dst, to_dev) || !side_ok(call, "source", src, from_dev))
    return cudaErrorInvalidValue;
  wg_diag_t d;
  memset(&d, 0, sizeof d);
  cudaError_t e = cudaSuccess;
  if (to_dev && from_dev) {
    e = device_to_device(dst, src, bytes, &d);
  } else if (to_dev) {
    if (wg_session_write(rt()->session, dev(dst), src, bytes, &d) != kWgOk) e = cudaErrorInvalidValue;
  } else if (from_dev) {
    if (wg_session_read(rt()->session, dev(src), dst, bytes, &d) != kWgOk) e = cudaErrorInvalidValue;
  } else {
    memmove(dst, src, bytes);
  }
  if (e == cudaErrorInvalidValue) rt_say_diag(call, &d);
  return e;
}

RT_API cudaError_t cudaMemcpy(void *dst, const void *src, size_t bytes, enum cudaMemcpyKind kind) {
  RT_ENTER();
  rt_drain();
  return rt_leave(copy("cudaMemcpy", dst, src, bytes, kind));
}

RT_API cudaError_t cudaMemcpyAsync(void *dst, const void *src, size_t bytes, enum cudaMemcpyKind kind,
                                   cudaStream_t stream) {
  RT_ENTER();
  if (!rt_stream_ok(stream)) return rt_leave(cudaErrorInvalidResourceHandle);
  return rt_leave(copy("cudaMemcpyAsync", dst, src, bytes, kind));
}

RT_API cudaError_t cudaMemcpy2D(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width,
                                size_t height, enum cudaMemcpyKind kind) {
  RT_ENTER();
  if (width > dpitch || width > spitch) return rt_leave(cudaErrorInvalidPitchValue);
  if (width == 0) height = 0; /* nothing to copy, however many rows */
  for (size_t y = 0; y < height; y++) {
    cudaError_t e = copy("cudaMemcpy2D", (char *)dst + y * dpitch, (const char *)src + y * spitch, width, kind);
    if (e != cudaSuccess) return rt_leave(e);
  }
  return rt_leave(cudaSuccess);
}

static cudaError_t set(const char *call, void *ptr, int value, size_t bytes) {
  if (bytes == 0) return cudaSuccess;
  if (!side_ok(call, "pointer", ptr, true)) return cudaErrorInvalidValue;
  wg_diag_t d;
  memset(&d, 0, sizeof d);
  if (wg_session_memset(rt()->session, dev(ptr), value, bytes, &d) == kWgOk) return cudaSuccess;
  rt_say_diag(call, &d);
  return cudaErrorInvalidValue;
}

RT_API cudaError_t cudaMemset(void *ptr, int value, size_t bytes) {
  RT_ENTER();
  return rt_leave(set("cudaMemset", ptr, value, bytes));
}

RT_API cudaError_t cudaMemsetAsync(void *ptr, int value, size_t bytes, cudaStream_t stream) {
  RT_ENTER();
  if (!rt_stream_ok(stream)) return rt_leave(cudaErrorInvalidResourceHandle);
  return rt_leave(set("cudaMemsetAsync", ptr, value, bytes));
}

/* ---- symbols ---- */

static cudaError_t symbol_place(const void *symbol, uint64_t *addr, size_t *bytes) {
  const rt_symbol_t *s = rt_symbol_find(symbol, true);
  if (s == NULL) {
    rt_say("%p is no __device__ or __constant__ variable of this program", symbol);
    return cudaErrorInvalidSymbol;
  }
  cudaError_t e = rt_image_load(s->image);
  if (e != cudaSuccess) return e;
  if (wg_module_var(s->image->module, s->name, addr, bytes)) return cudaSuccess;
  rt_say("the module has no variable '%s': no kernel uses it", s->name);
  return cudaErrorInvalidSymbol;
}

static cudaError_t symbol_copy(const char *call, const void *symbol, size_t offset, size_t bytes, void *to,
                               const void *from, enum cudaMemcpyKind kind) {
  uint64_t addr = 0;
  size_t size = 0;
  cudaError_t e = symbol_place(symbol, &addr, &size);
  if (e != cudaSuccess) return e;
  if (offset > size || bytes > size - offset) {
    rt_say("%s: %zu bytes at offset %zu of a variable of %zu bytes", call, bytes, offset, size);
    return cudaErrorInvalidValue;
  }
  void *at = (void *)(uintptr_t)(addr + offset);
  return copy(call, to == NULL ? at : to, from == NULL ? at : from, bytes, kind);
}

RT_API cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *src, size_t bytes, size_t offset,
                                      enum cudaMemcpyKind kind) {
  RT_ENTER();
  if (kind != cudaMemcpyHostToDevice && kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault) {
    return rt_leave(cudaErrorInvalidMemcpyDirection);
  }
  if (src == NULL) return rt_leave(cudaErrorInvalidValue);
  return rt_leave(symbol_copy("cudaMemcpyToSymbol", symbol, offset, bytes, NULL, src, kind));
}

RT_API cudaError_t cudaMemcpyFromSymbol(void *dst, const void *symbol, size_t bytes, size_t offset,
                                        enum cudaMemcpyKind kind) {
  RT_ENTER();
  if (kind != cudaMemcpyDeviceToHost && kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault) {
    return rt_leave(cudaErrorInvalidMemcpyDirection);
  }
  if (dst == NULL) return rt_leave(cudaErrorInvalidValue);
  return rt_leave(symbol_copy("cudaMemcpyFromSymbol", symbol, offset, bytes, dst, NULL, kind));
}

RT_API cudaError_t cudaGetSymbolAddress(void **ptr, const void *symbol) {
  RT_ENTER();
  uint64_t addr = 0;
  if (ptr == NULL) return rt_leave(cudaErrorInvalidValue);
  cudaError_t e = symbol_place(symbol, &addr, NULL);
  if (e == cudaSuccess) *ptr = (void *)(uintptr_t)addr;
  return rt_leave(e);
}

RT_API cudaError_t cudaGetSymbolSize(size_t *bytes, const void *symbol) {
  RT_ENTER();
  if (bytes == NULL) return rt_leave(cudaErrorInvalidValue);
  return rt_leave(symbol_place(symbol, NULL, bytes));
}

RT_API cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attr, const void *ptr) {
  RT_ENTER();
  if (attr == NULL || ptr == NULL) return rt_leave(cudaErrorInvalidValue);
  memset(attr, 0, sizeof *attr);
  bool is_dev = wg_session_range(rt()->session, dev(ptr), NULL, NULL);
  attr->type = is_dev ? cudaMemoryTypeDevice : cudaMemoryTypeUnregistered;
  attr->devicePointer = is_dev ? (void *)(uintptr_t)ptr : NULL;
  return rt_leave(cudaSuccess);
}
