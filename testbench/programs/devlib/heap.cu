// SPDX-License-Identifier: Apache-2.0
// Device malloc and free, new and delete. argv[1] most threads, argv[2] bytes of the heap, argv[3...] sizes to try.
// Each size is allocated by all threads, written, read back and freed, twice: the second turn has to find what the
// first one did.
#include <cstdio>
#include <cstdlib>
#include <vector>

struct node_t {
  int v;
  node_t *next;
  __device__ node_t(int x) : v(x), next(nullptr) {}
  __device__ ~node_t() { v = -1; }
};

__global__ void take(char **out, size_t bytes) {
  int t = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  out[t] = (char *)malloc(bytes);
  if (out[t] == nullptr) return;
  for (size_t i = 0; i < bytes; i += 61) out[t][i] = (char)(t + i);
  out[t][bytes - 1] = (char)t;
}

__global__ void look(char **out, size_t bytes, int *bad, int *got) {
  int t = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  if (out[t] == nullptr) return;
  atomicAdd(got, 1);
  if (((size_t)out[t] & 15) != 0) atomicAdd(bad, 1);
  if (out[t][bytes - 1] != (char)t) atomicAdd(bad, 1);
  for (size_t i = 0; i < bytes - 1; i += 61) {
    if (out[t][i] != (char)(t + i)) atomicAdd(bad, 1);
  }
}

__global__ void give(char **out) { free(out[blockIdx.x * blockDim.x + threadIdx.x]); }

__global__ void list(int *sum) {
  node_t *head = nullptr;
  for (int i = 1; i <= 5; i++) {
    node_t *n = new node_t(i + (int)threadIdx.x);
    n->next = head;
    head = n;
  }
  int s = 0, *a = new int[5];
  for (int i = 0; i < 5; i++) a[i] = i;
  s += a[threadIdx.x % 5];
  delete[] a;
  while (head != nullptr) {
    node_t *next = head->next;
    s += head->v;
    delete head;
    head = next;
  }
  sum[threadIdx.x] = s;
}

int main(int argc, char **argv) {
  int threads = atoi(argv[1]), *res, h[2], wrong = 0, sums[64];
  char **out;
  cudaDeviceSetLimit(cudaLimitMallocHeapSize, (size_t)atoll(argv[2]));
  cudaMalloc(&out, (size_t)threads * sizeof *out);
  cudaMalloc(&res, sizeof sums);
  for (int i = 3; i < argc; i++) {
    for (int turn = 0; turn < 2; turn++) {
      size_t bytes = (size_t)atoll(argv[i]);
      cudaMemset(res, 0, sizeof h);
      take<<<threads / 32, 32>>>(out, bytes);
      look<<<threads / 32, 32>>>(out, bytes, res, res + 1);
      give<<<threads / 32, 32>>>(out);
      cudaMemcpy(h, res, sizeof h, cudaMemcpyDeviceToHost);
      printf("%zu bytes: %d bad, %d of %d\n", bytes, h[0], h[1], threads);
    }
  }
  list<<<1, 64>>>(res);
  cudaMemcpy(sums, res, sizeof sums, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 64; i++) wrong += sums[i] != 15 + 5 * i + i % 5;
  printf("lists: %d wrong\n", wrong);
  cudaFree(out);
  cudaFree(res);
  return cudaDeviceSynchronize() != cudaSuccess;
}
