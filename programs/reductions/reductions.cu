// SPDX-License-Identifier: Apache-2.0
//
// The sum of n numbers in every form that the texts name, and a table of what each costs. usage: reductions [n] [FORM] [time]
// n: a power of two, default 2048. FORM:
//   kernels      a launch a level: the kernel's end is the barrier (right; many launches)
//   single       one block, __syncthreads() (right; one SM works)
//   interleaved, strided, sequential, shuffle   within a block; levels of blocks by launches
//   twolevel     the lecture's example C: two elements a thread, sequential, the last warp by shuffles
//   all          all of these
//   wrong        one launch of many blocks, __syncthreads() (question 1: wrong), by name only
//   nobarrier    the same without any barrier (wrong), by name only
// time: all launches of a form once more, in a row, and how long that takes
#include "../wg_program.h"

const int B = 256;  // threads a block

// `length` numbers in A, in place; A[0] becomes the sum after the last d.
__global__ void reduceKernels(float *A, int length, int d) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < length && i % (2 * d) == 0) A[i] += A[i + d];
}

// The text's reduce_2: the barrier holds the threads of a block, but A[i + d] may be another block's.
__global__ void reduceWrong(float *A, int length) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  for (int d = 1; d < length; d <<= 1) {
    if (i < length && i % (d << 1) == 0) A[i] += A[i + d];
    __syncthreads();
  }
}

__global__ void reduceNoBarrier(float *A, int length) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  for (int d = 1; d < length; d <<= 1) {
    if (i < length && i % (d << 1) == 0) A[i] += A[i + d];
  }
}

// The text's reduce_2_1: with one block the barrier is a global one.
__global__ void reduceSingle(float *A, int length) {
  for (int d = 1; d < length; d <<= 1) {
    for (int i = threadIdx.x; i < length; i += blockDim.x) {
      if (i % (d << 1) == 0) A[i] += A[i + d];
    }
    __syncthreads();
  }
}

__device__ float load(const float *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  return i < n ? in[i] : 0.0f;
}

// Active lanes lie apart: every warp works in every step.
__global__ void reduceInterleaved(const float *in, float *out, int n) {
  __shared__ float s[B];
  int t = threadIdx.x;
  s[t] = load(in, n);
  __syncthreads();
  for (int d = 1; d < blockDim.x; d *= 2) {
    if (t % (2 * d) == 0) s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}

// Active lanes lie together, what they read lies apart: bank conflicts.
__global__ void reduceStrided(const float *in, float *out, int n) {
  __shared__ float s[B];
  int t = threadIdx.x;
  s[t] = load(in, n);
  __syncthreads();
  for (int d = 1; d < blockDim.x; d *= 2) {
    int i = 2 * d * t;
    if (i < blockDim.x) s[i] += s[i + d];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}

// Active lanes and what they read lie together.
__global__ void reduceSequential(const float *in, float *out, int n) {
  __shared__ float s[B];
  int t = threadIdx.x;
  s[t] = load(in, n);
  __syncthreads();
  for (int d = blockDim.x / 2; d > 0; d /= 2) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}

__device__ float warpSum(float v) {
#pragma unroll
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d);
  return v;
}

// Sums of warps without shared memory, the sums of the warps by the first one.
__global__ void reduceShuffle(const float *in, float *out, int n) {
  __shared__ float s[B / 32];
  int t = threadIdx.x;
  float v = warpSum(load(in, n));
  if (t % 32 == 0) s[t / 32] = v;
  __syncthreads();
  if (t >= 32) return;
  v = warpSum(t < blockDim.x / 32 ? s[t] : 0.0f);
  if (t == 0) out[blockIdx.x] = v;
}

__global__ void reduceTwoLevel(const float *in, float *out, int n) {
  __shared__ float s[B];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x * 2 + t;
  float v = i < n ? in[i] : 0.0f;
  if (i + blockDim.x < n) v += in[i + blockDim.x];
  s[t] = v;
  __syncthreads();
  for (int d = blockDim.x / 2; d > 32; d /= 2) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  if (t >= 32) return;
  v = warpSum(s[t] + s[t + 32]);
  if (t == 0) out[blockIdx.x] = v;
}

// What the launches of one form cost together.
struct Row {
  const char *form;
  double launches = 0, blocks = 0, warp = 0, thread = 0, adds = 0, shared_reqs = 0, ld_conflicts = 0, st_conflicts = 0, sectors = 0,
         loads = 0, cycles = 0, kernels_us = 0, us = NAN;
  bool quiet = false; // the launches are made once more, without a look at the counters between them, for the time of all
  explicit Row(const char *name) : form(name) {}
  void launch() {
    if (quiet) return;
    launched();
    launches++;
    blocks += wg_profile("blocks");
    warp += wg_profile("warp_insts");
    thread += wg_profile("thread_insts");
    adds += wg_profile("fadd_thread_insts");
    shared_reqs += wg_profile("shared_ld_reqs") + wg_profile("shared_st_reqs");
    ld_conflicts += wg_profile("shared_ld_conflict_wavefronts");
    st_conflicts += wg_profile("shared_st_conflict_wavefronts");
    sectors += wg_profile("load_sectors") + wg_profile("store_sectors");
    loads += wg_profile("load_lanes");
    cycles += wg_profile("cycles");
    kernels_us += wg_profile("time_ns") / 1e3;
  }
};

struct Input {
  int n;
  std::vector<float> numbers;
  float sum;
};

static bool g_time; // the last argument

static void check(const char *form, const Input &in, const float *result) { same(form, from_device(result, 1), {in.sum}); }

template <typename Launch>
static Row in_place(const char *form, const Input &in, Launch launch) {
  float *A = to_device(in.numbers);
  Row row(form);
  launch(A, row);
  check(form, in, A);
  if (g_time) {
    CUDA_CHECK(cudaMemcpy(A, in.numbers.data(), in.n * sizeof(float), cudaMemcpyHostToDevice));
    row.quiet = true;
    Watch watch;
    launch(A, row);
    row.us = watch.us();
    check(form, in, A);
  }
  CUDA_CHECK(cudaFree(A));
  return row;
}

// Levels of launches, each with one block for `per_block` numbers, until one is left.
template <typename K>
static Row by_levels(const char *form, const Input &in, K kernel, int per_block) {
  float *numbers = to_device(in.numbers), *sums[2];
  for (float *&s : sums) s = zeros<float>((in.n + per_block - 1) / per_block);
  Row row(form);
  auto levels = [&] {
    float *from = numbers, *to = sums[0];
    for (int left = in.n; left > 1; left = (left + per_block - 1) / per_block) {
      kernel<<<(left + per_block - 1) / per_block, B>>>(from, to, left);
      row.launch();
      from = to;
      to = from == sums[0] ? sums[1] : sums[0];
    }
    return from;
  };
  check(form, in, levels());
  if (g_time) {
    row.quiet = true;
    Watch watch;
    float *result = levels();
    row.us = watch.us();
    check(form, in, result);
  }
  for (float *p : {numbers, sums[0], sums[1]}) CUDA_CHECK(cudaFree(p));
  return row;
}

static void print_table(const std::vector<Row> &rows) {
  printf("\n%-12s %8s %7s %10s %7s %9s %9s %10s %8s %8s %8s %8s\n", "form", "launches", "blocks", "warp insts", "lanes %", "shared",
         "conflicts", "conflicts", "sectors", "cycles", "us with", "launches");
  printf("%-12s %8s %7s %10s %7s %9s %9s %10s %8s %8s %8s %8s\n", "", "", "", "", "busy", "requests", "loads", "stores", "", "", "launches",
         "%");
  for (const Row &r : rows) {
    char busy[16] = "-";
    if (!std::isnan(r.warp)) snprintf(busy, sizeof busy, "%.1f", 100.0 * r.thread / (32.0 * r.warp));
    printf("%-12s %8.0f %7s %10s %7s ", r.form, r.launches, show(r.blocks), show(r.warp), busy);
    printf("%9s %9s %10s ", show(r.shared_reqs), show(r.ld_conflicts), show(r.st_conflicts));
    printf("%8s %8s %8s %8s\n", show(r.sectors), show(r.cycles), show(r.us), show(round(100.0 * (1.0 - r.kernels_us / r.us))));
  }
}

static const Row *find(const std::vector<Row> &rows, const char *form) {
  for (const Row &r : rows)
    if (strcmp(r.form, form) == 0) return &r;
  return nullptr;
}

// L "coalescing, bank conflicts", "three generations", and what an H200 counted for the same forms.
static void claims(const std::vector<Row> &rows, int n) {
  printf("\n");
  heading("claims");
  int levels = 0;
  for (int left = n; left > 1; left /= 2) levels++;
  if (const Row *r = find(rows, "kernels")) {
    claim("kernels: launches", r->launches, "log2 n", levels);
    claim("kernels: additions (lanes of FADD)", r->adds, "n - 1", n - 1.0);
  }
  if (const Row *r = find(rows, "interleaved")) {
    against_text("interleaved: bank conflicts", r->ld_conflicts + r->st_conflicts, "also 2-way bank conflicts",
                 "active lanes are 2 d words apart, each has a bank of its own (H200: 0)");
  }
  if (const Row *r = find(rows, "strided")) {
    claim("strided: conflicts of loads, d = 1 .. 128", r->ld_conflicts, "2 (4+6+7+7+7+3+1) a block", 70.0 * r->blocks);
    claim("strided: conflicts of stores", r->st_conflicts, "35 a block", 35.0 * r->blocks);
  }
  for (const char *form : {"sequential", "shuffle", "twolevel"}) {
    const Row *r = find(rows, form);
    if (r != nullptr) claim((std::string(form) + ": bank conflicts").c_str(), r->ld_conflicts + r->st_conflicts, "none", 0.0);
  }
  const Row *inter = find(rows, "interleaved"), *seq = find(rows, "sequential"), *shfl = find(rows, "shuffle");
  if (seq != nullptr && inter != nullptr && !std::isnan(seq->warp)) {
    printf("  sequential against interleaved: %.2f of the warp instructions\n", seq->warp / inter->warp);
  }
  if (shfl != nullptr && seq != nullptr && !std::isnan(seq->warp)) {
    printf("  shuffle against sequential: %.2f of the warp instructions, %.2f of the shared requests, 1 barrier a block, not 9\n",
           shfl->warp / seq->warp, shfl->shared_reqs / seq->shared_reqs);
  }
  if (const Row *r = find(rows, "twolevel")) {
    claim("twolevel: loads (lanes) of all levels", r->loads, "n + n/512 + ...",
          [](int left) { double all = 0; for (; left > 1; left = (left + 511) / 512) all += left; return all; }(n));
    against_text("twolevel: launches", r->launches, "log2(n) / log2(256)", "a block takes 512 numbers, 9 levels of the tree");
  }
}

int main(int argc, char **argv) {
  Input in;
  in.n = arg_int(argc, argv, 1, "n", 2048, 2, 1 << 20);
  if ((in.n & (in.n - 1)) != 0) {
    fprintf(stderr, "error: n is %d\n  remedy: a power of two: the in-place forms read A[i + d]\n", in.n);
    return 2;
  }
  Numbers r;
  in.numbers.resize(in.n);
  in.sum = 0.0f;
  for (float &x : in.numbers) in.sum += x = (float)r.between(0, 9); // exact: below 2^24
  const int blocks = (in.n + B - 1) / B;
  std::vector<Row> rows;
  g_time = argc > 3 && strcmp(argv[3], "time") == 0;
  if (argc > 3 && !g_time) {
    fprintf(stderr, "error: the third argument is '%s'\n  remedy: time, or nothing\n", argv[3]);
    return 2;
  }
  auto want = [&](const char *form, bool by_name = false) { return wanted(argc, argv, 2, form, by_name); };
  if (want("kernels")) {
    rows.push_back(in_place("kernels", in, [&](float *A, Row &row) {
      for (int d = 1; d < in.n; d *= 2) reduceKernels<<<blocks, B>>>(A, in.n, d), row.launch();
    }));
  }
  if (want("single")) rows.push_back(in_place("single", in, [&](float *A, Row &row) { reduceSingle<<<1, B>>>(A, in.n), row.launch(); }));
  if (want("interleaved")) rows.push_back(by_levels("interleaved", in, reduceInterleaved, B));
  if (want("strided")) rows.push_back(by_levels("strided", in, reduceStrided, B));
  if (want("sequential")) rows.push_back(by_levels("sequential", in, reduceSequential, B));
  if (want("shuffle")) rows.push_back(by_levels("shuffle", in, reduceShuffle, B));
  if (want("twolevel")) rows.push_back(by_levels("twolevel", in, reduceTwoLevel, 2 * B));
  if (want("wrong", true)) rows.push_back(in_place("wrong", in, [&](float *A, Row &row) { reduceWrong<<<blocks, B>>>(A, in.n), row.launch(); }));
  if (want("nobarrier", true)) {
    rows.push_back(in_place("nobarrier", in, [&](float *A, Row &row) { reduceNoBarrier<<<blocks, B>>>(A, in.n), row.launch(); }));
  }
  end_words(argc, argv, 2);
  printf("sum of %d numbers, %d threads a block\n", in.n, B);
  print_table(rows);
  claims(rows, in.n);
  return finish("reductions");
}
