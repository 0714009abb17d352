// SPDX-License-Identifier: Apache-2.0
//
// Prefix sums, inclusive: each block scans 256 numbers, a block scans the blocks' sums, all add what stands before them.
// usage: scan [n], default 2048, at most 65536
// steps: log2(B) steps of one addition a thread (Hillis and Steele): short span, more work.
// tree:  up a tree of sums and down again (Blelloch): twice the span, work linear.
#include "../wg_program.h"

const int B = 256;

__global__ void scanSteps(const float *in, float *out, float *sums, int n) {
  __shared__ float s[2][B];
  int t = threadIdx.x, i = blockIdx.x * B + t, now = 0;
  s[0][t] = i < n ? in[i] : 0.0f;
  __syncthreads();
#pragma unroll 1
  for (int d = 1; d < B; d *= 2, now ^= 1) {
    float v = s[now][t];
    if (t >= d) v += s[now][t - d];
    s[now ^ 1][t] = v;
    __syncthreads();
  }
  if (i < n) out[i] = s[now][t];
  if (t == B - 1) sums[blockIdx.x] = s[now][t];
}

__global__ void scanTree(const float *in, float *out, float *sums, int n) {
  __shared__ float s[B];
  int t = threadIdx.x, i = blockIdx.x * B + t;
  s[t] = i < n ? in[i] : 0.0f;
#pragma unroll 1
  for (int d = 1; d < B; d *= 2) { // s[k] becomes the sum of the subtree that ends at k
    __syncthreads();
    int k = 2 * d * (t + 1) - 1;
    if (k < B) s[k] += s[k - d];
  }
#pragma unroll 1
  for (int d = B / 4; d > 0; d /= 2) { // what is complete is given to the subtree behind it
    __syncthreads();
    int k = 2 * d * (t + 1) - 1 + d;
    if (k < B) s[k] += s[k - d];
  }
  __syncthreads();
  if (i < n) out[i] = s[t];
  if (t == B - 1) sums[blockIdx.x] = s[t];
}

__global__ void addBefore(float *out, const float *sums, int n) {
  int i = blockIdx.x * B + threadIdx.x;
  if (blockIdx.x > 0 && i < n) out[i] += sums[blockIdx.x - 1];
}

template <typename K>
static void run(const char *name, K kernel, bool tree, const std::vector<float> &in, const std::vector<float> &want) {
  const int n = (int)in.size(), blocks = (n + B - 1) / B;
  float *dIn = to_device(in), *dOut = zeros<float>(n), *dSums = zeros<float>(blocks), *dOver = zeros<float>(blocks), *dTop = zeros<float>(1);
  kernel<<<blocks, B>>>(dIn, dOut, dSums, n);
  launched();
  printf("\n");
  heading(name);
  // steps: B - d additions in each; tree: B - 1 up, and down B - 1 less one for each of its levels
  double up = B - 1.0, levels = log2((double)B), adds = tree ? up + up - levels : B * levels - up;
  claim("additions (lanes of FADD)", wg_profile("fadd_thread_insts"), tree ? "2 (B - 1) - log2 B a block" : "B log2 B - (B - 1)", blocks * adds);
  printf("  %-44s %12s of %s\n", "conflict wavefronts of shared loads", show(wg_profile("shared_ld_conflict_wavefronts")),
         show(wg_profile("shared_ld_wavefronts")));
  printf("  %-44s %12s, cycles %s\n", "warp instructions", show(wg_profile("warp_insts")), show(wg_profile("cycles")));
  kernel<<<1, B>>>(dSums, dOver, dTop, blocks);
  launched();
  addBefore<<<blocks, B>>>(dOut, dOver, n);
  launched();
  same(name, from_device(dOut, n), want);
  for (float *p : {dIn, dOut, dSums, dOver, dTop}) CUDA_CHECK(cudaFree(p));
}

int main(int argc, char **argv) {
  const int n = arg_int(argc, argv, 1, "n", 2048, 1, B * B);
  std::vector<float> in(n), want(n);
  Numbers r;
  float sum = 0.0f;
  for (int i = 0; i < n; i++) want[i] = sum += in[i] = (float)r.between(0, 9); // exact
  printf("prefix sums of %d numbers, %d threads a block\n", n, B);
  run("steps (Hillis and Steele)", scanSteps, false, in, want);
  run("tree (Blelloch)", scanTree, true, in, want);
  return finish("scan");
}
