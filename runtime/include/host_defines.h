// SPDX-License-Identifier: Apache-2.0
//
// CUDA's function and variable attributes, for clang's CUDA mode; empty for any other compiler.
#ifndef WG_HOST_DEFINES_H
#define WG_HOST_DEFINES_H
#define __HOST_DEFINES_H__

#if defined(__CUDA__) && defined(__clang__)
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __maxnreg__(N) __attribute__((maxnreg(N)))
#else
#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __launch_bounds__(...)
#define __maxnreg__(N)
#endif

/* `__noinline__` is a keyword of clang's CUDA mode and must not be a macro: libstdc++ spells the attribute that way. */
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __align__(n)
#define CUDARTAPI
#define CUDART_CB
#endif
