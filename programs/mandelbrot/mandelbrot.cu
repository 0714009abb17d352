// SPDX-License-Identifier: Apache-2.0
//
// How many turns each point of the plane takes to escape: lanes of one warp differ. usage: mandelbrot [W] [H] [turns], default
// 64 32 64
#include "../wg_program.h"

__host__ __device__ inline int turns_of(float cx, float cy, int most) {
  float x = 0.0f, y = 0.0f;
  int n = 0;
  for (; n < most; n++) {
    float y2 = y * y; // fmaf where a compiler might contract: the same on host and device
    if (fmaf(x, x, y2) > 4.0f) break;
    float next = fmaf(x, x, -y2) + cx;
    y = fmaf(x + x, y, cy);
    x = next;
  }
  return n;
}

// kAcross: a warp is a row of 32 points; else a tile of 8 x 4, whose points have more in common.
template <bool kAcross>
__global__ void mandelbrot(int *out, int W, float step, int most) {
  int l = threadIdx.x % 32, w = (blockIdx.x * blockDim.x + threadIdx.x) / 32, per_row = kAcross ? W / 32 : W / 8;
  int px = kAcross ? w % per_row * 32 + l : w % per_row * 8 + l % 8, py = kAcross ? w / per_row : w / per_row * 4 + l / 8;
  out[py * W + px] = turns_of(fmaf((float)px, step, -2.0f), fmaf((float)py, step, -0.5f), most);
}

template <bool kAcross>
static void run(const char *name, int W, int H, int most, const std::vector<int> &want) {
  int *dOut = zeros<int>(W * H);
  mandelbrot<kAcross><<<W * H / 128, 128>>>(dOut, W, 3.0f / W, most);
  launched();
  same(name, from_device(dOut, want.size()), want);
  double busy = 0, slots = 0; // a warp turns as often as its busiest lane
  for (int w = 0; w < W * H / 32; w++) {
    int longest = 0;
    for (int l = 0; l < 32; l++) {
      int x = kAcross ? w % (W / 32) * 32 + l : w % (W / 8) * 8 + l % 8, y = kAcross ? w / (W / 32) : w / (W / 8) * 4 + l / 8;
      busy += want[y * W + x];
      if (want[y * W + x] > longest) longest = want[y * W + x];
    }
    slots += 32.0 * longest;
  }
  heading(name);
  claim("share of the lanes busy", wg_profile("thread_insts") / (32.0 * wg_profile("warp_insts")), "sum n / 32 max n", busy / slots, 0.15);
  printf("  %-44s %12s, cycles %s\n", "warp instructions", show(wg_profile("warp_insts")), show(wg_profile("cycles")));
  CUDA_CHECK(cudaFree(dOut));
}

int main(int argc, char **argv) {
  const int W = arg_int(argc, argv, 1, "W", 64, 32, 4096, 32), H = arg_int(argc, argv, 2, "H", 32, 4, 4096, 4);
  const int most = arg_int(argc, argv, 3, "turns", 64, 1, 100000);
  std::vector<int> want(W * H);
  for (int i = 0; i < W * H; i++) want[i] = turns_of(fmaf((float)(i % W), 3.0f / W, -2.0f), fmaf((float)(i / W), 3.0f / W, -0.5f), most);
  printf("mandelbrot, %d x %d points, at most %d turns\n", W, H, most);
  run<true>("a warp is a row of 32 points", W, H, most, want);
  run<false>("a warp is a tile of 8 x 4 points", W, H, most, want);
  return finish("mandelbrot");
}
