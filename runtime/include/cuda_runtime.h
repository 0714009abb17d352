// SPDX-License-Identifier: Apache-2.0
//
// CUDA C++ for clang's CUDA mode without any tool kit: built-in variables and device functions come from clang's
// own
// __clang_cuda_*.h headers, the rest from this folder. Every CUDA source sees this header first (wgcc includes it
// by force, as nvcc does). Outside CUDA mode it is the host API alone. The order of the includes matters; see the
// comments.
#ifndef WG_CUDA_RUNTIME_H
#define WG_CUDA_RUNTIME_H
#define __CUDA_RUNTIME_H__

#if defined(__CUDA__) && defined(__clang__)
/* Device declarations of math functions, before <cmath> can make them implicitly host and device. */
#include <__clang_cuda_math_forward_declares.h>
#ifndef __CUDACC__
#define __CUDACC__ 1 /* libstdc++ then leaves out __float128; programs test it, too */
#endif
#include <cmath>
#include <cstdlib>
#include <limits.h>
#include <limits>
#include <new>
#include <string.h>
#include <time.h>
#endif

#include "cuda_runtime_api.h"
#include "vector_functions.h"

#if defined(__CUDA__) && defined(__clang__)
typedef unsigned int cuuint32_t;
typedef unsigned long long cuuint64_t;

/* The host pass must parse device code as well, so the sub-headers see an architecture in both. */
#pragma push_macro("__CUDA_ARCH__")
#ifndef __CUDA_ARCH__
#define __CUDA_ARCH__ 700
#endif
/* Instructions made of these headers' functions carry the line of the call: PTX of clang 19 does not say where an inlined
   function was called. */
#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))
#include <__clang_cuda_builtin_vars.h>
#include <__clang_cuda_libdevice_declares.h>
#include "wg_device_builtins.h"
#include "wg_device_math.h"
#include <__clang_cuda_device_functions.h>
#include <__clang_cuda_math.h>
#include "wg_device_functions.h"
#include "wg_device_intrinsics.h"

/* Declared by __clang_cuda_builtin_vars.h, defined here, where dim3 and uint3 are known. */
#define WG_VAR_CAST_(V)                                                                     \
  __device__ inline __cuda_builtin_##V##_t::operator dim3() const { return dim3(x, y, z); } \
  __device__ inline __cuda_builtin_##V##_t::operator uint3() const { return make_uint3(x, y, z); }
WG_VAR_CAST_(threadIdx)
WG_VAR_CAST_(blockIdx)
WG_VAR_CAST_(blockDim)
WG_VAR_CAST_(gridDim)
#undef WG_VAR_CAST_

#include <__clang_cuda_cmath.h>
#include <__clang_cuda_intrinsics.h>
#include <__clang_cuda_complex_builtins.h>
#pragma pop_macro("__CUDA_ARCH__")

/* The same functions, not others of that name: <stdlib.h> brings those of std into the global namespace. */
namespace std {
using ::free;
using ::malloc;
}  // namespace std
#pragma clang attribute pop

/* Host forms of what CUDA offers in both worlds. */
static inline int min(int a, int b) { return a < b ? a : b; }
static inline int max(int a, int b) { return a > b ? a : b; }
static inline unsigned int min(unsigned int a, unsigned int b) { return a < b ? a : b; }
static inline unsigned int max(unsigned int a, unsigned int b) { return a > b ? a : b; }
static inline long min(long a, long b) { return a < b ? a : b; }
static inline long max(long a, long b) { return a > b ? a : b; }
static inline float min(float a, float b) { return fminf(a, b); }
static inline float max(float a, float b) { return fmaxf(a, b); }
static inline double min(double a, double b) { return fmin(a, b); }
static inline double max(double a, double b) { return fmax(a, b); }

/* The compiler calls these two by name for kernel<<<...>>>(...). */
extern "C" unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes = 0, void *stream = 0);
#endif

#ifdef __cplusplus
/* C++ forms of the API: typed pointers and symbols. */
template <class T>
static inline cudaError_t cudaMalloc(T **ptr, size_t bytes) {
  return ::cudaMalloc((void **)(void *)ptr, bytes);
}
template <class T>
static inline cudaError_t cudaMallocHost(T **ptr, size_t bytes, unsigned int flags = 0) {
  return ::cudaHostAlloc((void **)(void *)ptr, bytes, flags);
}
template <class T>
static inline cudaError_t cudaHostAlloc(T **ptr, size_t bytes, unsigned int flags) {
  return ::cudaHostAlloc((void **)(void *)ptr, bytes, flags);
}
template <class T>
static inline cudaError_t cudaMallocManaged(T **ptr, size_t bytes, unsigned int flags = cudaMemAttachGlobal) {
  return ::cudaMallocManaged((void **)(void *)ptr, bytes, flags);
}
template <class T>
static inline cudaError_t cudaMallocPitch(T **ptr, size_t *pitch, size_t width, size_t height) {
  return ::cudaMallocPitch((void **)(void *)ptr, pitch, width, height);
}
static inline cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned int flags) {
  return ::cudaEventCreateWithFlags(event, flags);
}
template <class T>
static inline cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *src, size_t bytes, size_t offset = 0,
                                             cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return ::cudaMemcpyToSymbol((const void *)&symbol, src, bytes, offset, kind);
}
template <class T>
static inline cudaError_t cudaMemcpyFromSymbol(void *dst, const T &symbol, size_t bytes, size_t offset = 0,
                                               cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return ::cudaMemcpyFromSymbol(dst, (const void *)&symbol, bytes, offset, kind);
}
template <class T>
static inline cudaError_t cudaGetSymbolAddress(void **ptr, const T &symbol) {
  return ::cudaGetSymbolAddress(ptr, (const void *)&symbol);
}
template <class T>
static inline cudaError_t cudaGetSymbolSize(size_t *bytes, const T &symbol) {
  return ::cudaGetSymbolSize(bytes, (const void *)&symbol);
}
template <class T>
static inline cudaError_t cudaLaunchKernel(const T *func, dim3 grid, dim3 block, void **args,
                                           size_t shared_bytes = 0, cudaStream_t stream = 0) {
  return ::cudaLaunchKernel((const void *)func, grid, block, args, shared_bytes, stream);
}
template <class T>
static inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attr, T *func) {
  return ::cudaFuncGetAttributes(attr, (const void *)func);
}
template <class T>
static inline cudaError_t cudaFuncSetAttribute(T *func, cudaFuncAttribute attr, int value) {
  return ::cudaFuncSetAttribute((const void *)func, attr, value);
}
template <class T>
static inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, T *func, int threads,
                                                                        size_t shared_bytes) {
  return ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void *)func, threads, shared_bytes);
}
template <class T>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int *grid, int *threads, T *func, size_t shared_bytes = 0,
                                                             int limit = 0) {
  return ::cudaOccupancyMaxPotentialBlockSize(grid, threads, (const void *)func, shared_bytes, limit);
}
template <class T>
static inline cudaError_t cudaFuncSetCacheConfig(T *func, cudaFuncCache config) {
  return ::cudaFuncSetCacheConfig((const void *)func, config);
}
#endif

/* clang's own headers are read as sm_70; what follows is the program's text, which may ask for what is newer (wgcc -arch) */
#if defined(__CUDA_ARCH__) && defined(WG_CUDA_ARCH)
#undef __CUDA_ARCH__
#define __CUDA_ARCH__ WG_CUDA_ARCH
#endif

#endif
