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
  *a = (rt_alloc_t){*at, addr, bytes, rt()->site};
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

/* The host makes or gives back memory: a step of the timeline. */
static void spend_step(const char *what, size_t bytes) {
  uint64_t from = rt_queue_host_ns();
  rt_queue_spend(rt_queue_costs()->allocate_ns);
  rt_report_step(what, bytes, from, rt_queue_host_ns());
}

/* Bytes of the allocation that begins at `addr`; 0 if none does. */
static size_t tracked(const rt_alloc_t *a, uint64_t addr) {
  while (a != NULL && a->addr < addr) a = a->next;
  return a != NULL && a->addr == addr ? a->bytes : 0;
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
  spend_step("malloc", bytes);
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
    rt_check_host(kWgFindBadFree, "cudaFree: %p is a host pointer", ptr);
    return rt_leave(cudaErrorInvalidValue);
  }
  cudaError_t e = rt_queue_finish(); /* work that uses the memory must have ended */
  if (e != cudaSuccess) return rt_leave(e);
  size_t bytes = tracked(rt()->allocs, dev(ptr));
  if (wg_session_free(rt()->session, dev(ptr), &d) != kWgOk) {
    rt_say_diag("cudaFree", &d);
    bool before = wg_session_was_freed(rt()->session, dev(ptr));
    rt_check_host(before ? kWgFindDoubleFree : kWgFindBadFree, "cudaFree(%p): %s", ptr, before ? "freed before" : d.msg);
    return rt_leave(cudaErrorInvalidValue);
  }
  (void)untrack(&rt()->allocs, dev(ptr));
  spend_step("free", bytes);
  return rt_leave(cudaSuccess);
}

RT_API cudaError_t cudaHostAlloc(void **ptr, size_t bytes, unsigned int flags) {
  (void)flags;
  RT_ENTER();
  if (ptr == NULL) return rt_leave(cudaErrorInvalidValue);
  void *p = NULL;
  if (bytes != 0 && posix_memalign(&p, 4096, bytes) != 0) return rt_leave(cudaErrorMemoryAllocation);
  if (p != NULL) track(&rt()->host_allocs, dev(p), bytes);
  if (p != NULL) spend_step("mallochost", bytes);
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
    rt_check_host(kWgFindBadFree, "cudaFreeHost: %p is a device pointer", ptr);
    return rt_leave(cudaErrorInvalidValue);
  }
  size_t bytes = tracked(rt()->host_allocs, dev(ptr));
  if (bytes != 0) { /* a copy may still want it */
    cudaError_t e = rt_queue_finish();
    if (e != cudaSuccess) return rt_leave(e);
  }
  if (ptr != NULL && !untrack(&rt()->host_allocs, dev(ptr))) {
    rt_say("cudaFreeHost: %p is no address that cudaMallocHost or cudaHostAlloc gave, or it was freed before", ptr);
    rt_check_host(kWgFindBadFree, "cudaFreeHost: no pinned memory begins at %p", ptr);
    return rt_leave(cudaErrorInvalidValue);
  }
  free(ptr);
  if (ptr != NULL) spend_step("freehost", bytes);
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
    rt_check_host(kWgFindBadCopy, "%s: the %s is null", call, side);
    return false;
  }
  if (rt_is_device(p) == want_device) return true;
  rt_say("%s: %s %p is a %s pointer, but the call wants a %s pointer there", call, side, p,
         want_device ? "host" : "device", want_device ? "device" : "host");
  rt_check_host(kWgFindBadCopy, "%s: the %s is a %s pointer", call, side, want_device ? "host" : "device");
  return false;
}

/* Is the whole range memory of cudaMallocHost or cudaHostAlloc? */
static bool pinned(const void *p, size_t bytes) {
  const rt_alloc_t *a = rt()->host_allocs;
  while (a != NULL && a->addr + a->bytes <= dev(p)) a = a->next;
  return a != NULL && a->addr <= dev(p) && bytes <= a->bytes - (dev(p) - a->addr);
}

/* One side of rows in device memory: every row must lie in one allocation. Bytes from the first to the last row's end do. */
static bool rows_ok(const char *call, const void *p, const rt_move_t *m, size_t pitch, const char *verb) {
  wg_diag_t d;
  memset(&d, 0, sizeof d);
  size_t rows = pitch == m->width ? 1 : m->height, row = pitch == m->width ? m->width * m->height : m->width;
  for (size_t y = 0; y < rows; y++) {
    if (wg_session_check_range(rt()->session, dev(p) + y * pitch, row, verb, &d) == kWgOk) continue;
    rt_say_diag(call, &d);
    rt_check_host(kWgFindBadCopy, "%s: %s", call, d.msg);
    return false;
  }
  return true;
}

typedef enum how { kBlocking, kAsync } how_t;

/* Memory of the host alone: the host does it, when everything before it in the stream has ended. */
static cudaError_t host_to_host(const rt_move_t *m, uint32_t stream, how_t how) {
  cudaError_t e = how == kBlocking ? rt_queue_finish_legacy() : rt_queue_finish_stream(stream);
  if (e != cudaSuccess) return e;
  for (size_t y = 0; y < m->height; y++) {
    memmove((char *)m->dst + y * m->dpitch, (const char *)m->src + y * m->spitch, m->width);
  }
  rt_queue_spend((uint64_t)m->width * m->height * 1000 / rt_queue_costs()->copy.staging_mbytes_per_s);
  return cudaSuccess;
}

/* CUDA's rules for when a copy returns (Runtime API, "API synchronization behavior"; testbench/silicon/README.md). */
static cudaError_t queue_copy(const rt_move_t *m, uint32_t stream, how_t how) {
  cudaError_t e = cudaSuccess;
  bool stages = m->pageable && m->kind == kWgCopyToDevice;
  if (how == kBlocking && stages) e = rt_queue_finish_legacy();
  if (e != cudaSuccess) return e;
  uint64_t id = rt_queue_move(stream, m);
  if (id == 0) return rt()->sticky;
  bool waits = m->kind != kWgCopyWithin && !stages && (how == kBlocking || m->pageable);
  return waits ? rt_queue_finish_command(id) : rt()->sticky;
}

static cudaError_t copy_rows(const char *call, rt_move_t *m, enum cudaMemcpyKind kind, uint32_t stream, how_t how) {
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
      to_dev = rt_is_device(m->dst);
      from_dev = rt_is_device(m->src);
      break;
    default:
      rt_say("%s: %d is no copy direction", call, (int)kind);
      return cudaErrorInvalidMemcpyDirection;
  }
  rt_queue_spend(rt_queue_costs()->call_ns);
  if (m->width == 0 || m->height == 0) return cudaSuccess;
  if (!side_ok(call, "destination", m->dst, to_dev) || !side_ok(call, "source", m->src, from_dev))
    return cudaErrorInvalidValue;
  if (from_dev && !rows_ok(call, m->src, m, m->spitch, "read")) return cudaErrorInvalidValue;
  if (to_dev && !rows_ok(call, m->dst, m, m->dpitch, "write")) return cudaErrorInvalidValue;
  if (!to_dev && !from_dev) return host_to_host(m, stream, how);
  size_t span = (m->height - 1) * (to_dev ? m->spitch : m->dpitch) + m->width;
  m->kind = !from_dev ? kWgCopyToDevice : !to_dev ? kWgCopyToHost : kWgCopyWithin;
  m->pageable = !(to_dev && from_dev) && !pinned(to_dev ? m->src : m->dst, span);
  return queue_copy(m, stream, how);
}

static cudaError_t copy(const char *call, void *dst, const void *src, size_t bytes, enum cudaMemcpyKind kind,
                        uint32_t stream, how_t how) {
  rt_move_t m = {.dst = dst, .src = src, .width = bytes, .height = 1, .dpitch = bytes, .spitch = bytes};
  return copy_rows(call, &m, kind, stream, how);
}

RT_API cudaError_t cudaMemcpy(void *dst, const void *src, size_t bytes, enum cudaMemcpyKind kind) {
  RT_ENTER();
  return rt_leave(copy("cudaMemcpy", dst, src, bytes, kind, kWgFrontLegacy, kBlocking));
}

RT_API cudaError_t cudaMemcpyAsync(void *dst, const void *src, size_t bytes, enum cudaMemcpyKind kind,
                                   cudaStream_t stream) {
  RT_ENTER();
  uint32_t number;
  if (!rt_stream_arg(__func__, stream, &number)) return rt_leave(cudaErrorInvalidResourceHandle);
  return rt_leave(copy("cudaMemcpyAsync", dst, src, bytes, kind, number, kAsync));
}

static cudaError_t copy_2d(const char *call, rt_move_t *m, enum cudaMemcpyKind kind, uint32_t stream, how_t how) {
  if (m->width > m->dpitch || m->width > m->spitch) return cudaErrorInvalidPitchValue;
  return copy_rows(call, m, kind, stream, how);
}

RT_API cudaError_t cudaMemcpy2D(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width,
                                size_t height, enum cudaMemcpyKind kind) {
  RT_ENTER();
  rt_move_t m = {.dst = dst, .src = src, .width = width, .height = height, .dpitch = dpitch, .spitch = spitch};
  return rt_leave(copy_2d("cudaMemcpy2D", &m, kind, kWgFrontLegacy, kBlocking));
}

RT_API cudaError_t cudaMemcpy2DAsync(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width,
                                     size_t height, enum cudaMemcpyKind kind, cudaStream_t stream) {
  RT_ENTER();
  uint32_t number;
  if (!rt_stream_arg(__func__, stream, &number)) return rt_leave(cudaErrorInvalidResourceHandle);
  rt_move_t m = {.dst = dst, .src = src, .width = width, .height = height, .dpitch = dpitch, .spitch = spitch};
  return rt_leave(copy_2d("cudaMemcpy2DAsync", &m, kind, number, kAsync));
}

/* Sets of device memory never make the host wait. */
static cudaError_t set(const char *call, void *ptr, int value, size_t bytes, uint32_t stream) {
  rt_move_t m = {.kind = kWgCopySet, .dst = ptr, .width = bytes, .height = 1, .dpitch = bytes, .spitch = bytes, .value = value};
  rt_queue_spend(rt_queue_costs()->call_ns);
  if (bytes == 0) return cudaSuccess;
  if (!side_ok(call, "pointer", ptr, true) || !rows_ok(call, ptr, &m, bytes, "set")) return cudaErrorInvalidValue;
  (void)rt_queue_move(stream, &m);
  return rt()->sticky;
}

RT_API cudaError_t cudaMemset(void *ptr, int value, size_t bytes) {
  RT_ENTER();
  return rt_leave(set("cudaMemset", ptr, value, bytes, kWgFrontLegacy));
}

RT_API cudaError_t cudaMemsetAsync(void *ptr, int value, size_t bytes, cudaStream_t stream) {
  RT_ENTER();
  uint32_t number;
  if (!rt_stream_arg(__func__, stream, &number)) return rt_leave(cudaErrorInvalidResourceHandle);
  return rt_leave(set("cudaMemsetAsync", ptr, value, bytes, number));
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
  return copy(call, to == NULL ? at : to, from == NULL ? at : from, bytes, kind, kWgFrontLegacy, kBlocking);
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
