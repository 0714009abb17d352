// SPDX-License-Identifier: Apache-2.0
//
// Question 3: the convolution's block of 128 threads and 130 floats, and of 256 threads and 258 floats: how many an SM holds, which
// resource is out first, and why a block cannot run in two halves. usage: residency [WHAT]
//   blocks  both sizes beside what each resource alone would hold; `all` is this
//   half    128 threads that wait at a barrier for 256: what a block of 256 run in two halves would do. Hangs; by name only
//   large   a block of 2,048 threads: refused; by name only
#include "../wg_program.h"

// out[i] = (in[i] + in[i + 1] + in[i + 2]) / 3 through shared memory, as in the lecture.
template <int kThreads>
__global__ void convolve(const float *in, float *out) {
  __shared__ float support[kThreads + 2];
  int i = blockIdx.x * kThreads + threadIdx.x;
  support[threadIdx.x] = in[i];
  if (threadIdx.x < 2) support[kThreads + threadIdx.x] = in[i + kThreads];
  __syncthreads();
  out[i] = (support[threadIdx.x] + support[threadIdx.x + 1] + support[threadIdx.x + 2]) / 3.0f;
}

__global__ void half(unsigned *out) {
  asm volatile("bar.sync 0, 256;");
  out[threadIdx.x] = threadIdx.x;
}

template <int kThreads>
static void blocks(const cudaDeviceProp &prop, const std::vector<float> &in, const std::vector<float> &want) {
  const int n = (int)want.size(), shared = (kThreads + 2) * 4;
  float *dIn = to_device(in), *dOut = zeros<float>(n);
  convolve<kThreads><<<n / kThreads, kThreads>>>(dIn, dOut);
  launched();
  same("convolve", from_device(dOut, n), want);
  CUDA_CHECK(cudaFree(dIn));
  CUDA_CHECK(cudaFree(dOut));
  cudaFuncAttributes at;
  CUDA_CHECK(cudaFuncGetAttributes(&at, convolve<kThreads>));
  int resident = resident_blocks(convolve<kThreads>, kThreads), threads = prop.maxThreadsPerMultiProcessor / kThreads;
  int by_shared = (int)(prop.sharedMemPerMultiprocessor / at.sharedSizeBytes);
  int regs = prop.regsPerMultiprocessor / ((at.numRegs + 7) / 8 * 8 * kThreads); // registers of a thread come in eights
  printf("%d threads, %d bytes of shared memory, %d registers a thread\n", kThreads, shared, at.numRegs);
  printf("  an SM has %d threads: room for %d blocks; %zu bytes: %d; %d registers: %d; %d block slots\n", prop.maxThreadsPerMultiProcessor,
         threads, prop.sharedMemPerMultiprocessor, by_shared, prop.regsPerMultiprocessor, regs, prop.maxBlocksPerMultiProcessor);
  int least = threads < by_shared ? threads : by_shared;
  least = least < regs ? least : regs;
  least = least < prop.maxBlocksPerMultiProcessor ? least : prop.maxBlocksPerMultiProcessor;
  claim("resident blocks", resident, "the least of these", least);
  printf("  %-44s %12d, cycles of %d blocks %s\n", "resident warps", resident * kThreads / 32, n / kThreads, show(wg_profile("cycles")));
}

int main(int argc, char **argv) {
  cudaDeviceProp prop;
  CUDA_CHECK(cudaGetDeviceProperties(&prop, 0));
  const int n = 2048;
  if (wanted(argc, argv, 1, "blocks")) {
    std::vector<float> in(n + 2), want(n);
    Numbers r;
    for (float &v : in) v = r.between(-99, 99) * 0.5f;
    for (int i = 0; i < n; i++) want[i] = (in[i] + in[i + 1] + in[i + 2]) / 3.0f;
    printf("%s\n", prop.name);
    blocks<128>(prop, in, want);
    blocks<256>(prop, in, want);
  }
  unsigned *dOut = zeros<unsigned>(2048);
  if (wanted(argc, argv, 1, "half", true)) {
    printf("half: 128 threads at a barrier of 256\n");
    half<<<1, 128>>>(dOut);
    launched();
  }
  if (wanted(argc, argv, 1, "large", true)) {
    half<<<1, 2048>>>(dOut);
    printf("large: %s\n", cudaGetErrorString(cudaPeekAtLastError()));
    launched();
  }
  end_words(argc, argv, 1);
  CUDA_CHECK(cudaFree(dOut));
  return finish("residency");
}
