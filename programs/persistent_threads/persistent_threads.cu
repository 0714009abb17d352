// SPDX-License-Identifier: Apache-2.0
//
// Tasks of very different length: a block a task, or as many blocks as the machine holds, which take tasks from a counter until
// none is left. usage: persistent_threads [tasks], default 64
#include "../wg_program.h"

const int kThreads = 64;

__host__ __device__ inline unsigned turns_of(int task) { return task % 16 == 3 ? 96 : 4; } // one of sixteen is long
__host__ __device__ inline unsigned work(unsigned x, unsigned turns) {
  for (unsigned k = 0; k < turns; k++) x = x * 1664525u + 1013904223u;
  return x;
}

__global__ void blockPerTask(unsigned *out) {
  int i = blockIdx.x * kThreads + threadIdx.x;
  out[i] = work(i, turns_of(blockIdx.x));
}

__global__ void persistent(unsigned *out, int *next, int tasks) {
  __shared__ int task;
  while (true) {
    if (threadIdx.x == 0) task = atomicAdd(next, 1);
    __syncthreads();
    int mine = task;
    __syncthreads(); // all have read it: the next one may be taken
    if (mine >= tasks) return;
    int i = mine * kThreads + threadIdx.x;
    out[i] = work(i, turns_of(mine));
  }
}

// The same without a counter: each block strides over the tasks.
__global__ void gridStride(unsigned *out, int tasks) {
  for (int task = blockIdx.x; task < tasks; task += gridDim.x) {
    int i = task * kThreads + threadIdx.x;
    out[i] = work(i, turns_of(task));
  }
}

int main(int argc, char **argv) {
  const int tasks = arg_int(argc, argv, 1, "tasks", 64, 1, 1 << 16), n = tasks * kThreads;
  cudaDeviceProp prop;
  CUDA_CHECK(cudaGetDeviceProperties(&prop, 0));
  std::vector<unsigned> want(n);
  for (int i = 0; i < n; i++) want[i] = work(i, turns_of(i / kThreads));
  unsigned *dOut = zeros<unsigned>(n);
  int *dNext = zeros<int>(1);
  auto judge = [&](const char *name, double blocks, const char *formula) {
    same(name, from_device(dOut, n), want);
    CUDA_CHECK(cudaMemset(dOut, 0, n * sizeof(unsigned)));
    claim((std::string(name) + ": blocks").c_str(), wg_profile("blocks"), formula, blocks);
    printf("  %-44s %12s, cycles %s\n", "  warp instructions", show(wg_profile("warp_insts")), show(wg_profile("cycles")));
  };
  heading("tasks of very different length");
  blockPerTask<<<tasks, kThreads>>>(dOut);
  launched();
  judge("a block a task", tasks, "tasks");
  const int fit = resident_blocks(persistent, kThreads) * prop.multiProcessorCount, blocks = fit < tasks ? fit : tasks;
  persistent<<<blocks, kThreads>>>(dOut, dNext, tasks);
  launched();
  judge("tasks from a counter", blocks, "min(SMs x resident, tasks)");
  claim("  the counter at the end", from_device(dNext, 1)[0], "tasks + blocks", tasks + blocks);
  gridStride<<<blocks, kThreads>>>(dOut, tasks);
  launched();
  judge("tasks by stride", blocks, "min(SMs x resident, tasks)");
  CUDA_CHECK(cudaFree(dOut));
  CUDA_CHECK(cudaFree(dNext));
  return finish("persistent_threads");
}
