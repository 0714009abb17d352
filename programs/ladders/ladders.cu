// SPDX-License-Identifier: Apache-2.0
//
// One quantity raised step by step, and what it costs.
// usage: ladders [coalescing|banks|little|occupancy|spill|latency|all]
//   coalescing  stride and offset of a warp's global loads: sectors and lines a request
//   banks       stride of shared loads: passes through the banks
//   little      loads in flight a warp x warps an SM: bandwidth = bytes in flight / latency, up to the memory's
//   occupancy   shared memory a block: blocks that an SM holds, and the cycles of the same work
//   spill       running sums a thread keeps: registers, blocks an SM, and the cliff behind 255 registers
//   latency     each address space: cycles from a load to its use, one load at a time (only by name)
#include "../wg_program.h"

// ---- coalescing ----

__global__ void loadStride(const unsigned *in, unsigned *out, unsigned stride, unsigned offset) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[(i & ~31u) * 32u + (i & 31u) * stride + offset];  // each warp has 1,024 words of its own
}

static void coalescing() {
  const unsigned n = 256, words = n * 32 + 64;
  std::vector<unsigned> in(words), want(n);
  for (unsigned i = 0; i < words; i++) in[i] = i * 7u + 1u;
  unsigned *dIn = to_device(in), *dOut = zeros<unsigned>(n);
  heading("coalescing: 32 lanes load a word each; bytes used of those moved");
  const unsigned steps[][2] = {{0, 0}, {1, 0}, {1, 1}, {1, 8}, {1, 31}, {2, 0}, {4, 0}, {8, 0}, {16, 0}, {32, 0}};
  for (auto &s : steps) {
    unsigned stride = s[0], offset = s[1];
    loadStride<<<n / 64, 64>>>(dIn, dOut, stride, offset);
    launched();
    for (unsigned i = 0; i < n; i++) want[i] = in[(i & ~31u) * 32u + (i & 31u) * stride + offset];
    same("loadStride", from_device(dOut, n), want);
    // words offset .. offset + 31 stride, every stride-th: the sectors and lines that hold one
    unsigned sectors = 0, lines = 0, last_sector = ~0u, last_line = ~0u;
    for (unsigned l = 0; l < 32; l++) {
      unsigned word = offset + l * stride;
      if (word / 8 != last_sector) sectors++, last_sector = word / 8;
      if (word / 32 != last_line) lines++, last_line = word / 32;
    }
    char what[64], gives[64];
    snprintf(what, sizeof what, "stride %2u, offset %2u: sectors a request", stride, offset);
    snprintf(gives, sizeof gives, "%s", stride == 0 ? "1" : offset % 8 != 0 ? "4 + 1" : "min(32, 4 stride)");
    claim(what, wg_profile("load_sectors") / wg_profile("load_requests"), gives, sectors);
    claim("  lines a request", wg_profile("global_ld_lines") / wg_profile("load_requests"), "lines touched", lines);
    if (stride == 4) {
      against_text("  figure 7, stride 4: transactions", wg_profile("load_sectors") / wg_profile("load_requests"),
                   "one a lane", "two lanes share a sector of 32 bytes");
    }
    if (stride == 32) {
      against_text("  a column: share of the bytes used",
                   128.0 / (32.0 * wg_profile("load_sectors") / wg_profile("load_requests")), "1/32",
                   "a sector has 8 words, so 1/8; 1/32 of the requests' rate");
    }
  }
  CUDA_CHECK(cudaFree(dIn));
  CUDA_CHECK(cudaFree(dOut));
}

// ---- banks ----

const unsigned kBankWords = 2048, kBankLoads = 16;
__global__ void loadShared(unsigned *out, unsigned stride) {
  __shared__ volatile unsigned s[kBankWords];
  unsigned t = threadIdx.x, sum = 0;
  for (unsigned i = t; i < kBankWords; i += 32) s[i] = i;
  __syncwarp();
#pragma unroll 1
  for (unsigned r = 0; r < kBankLoads; r++) sum += s[(t * stride + r) % kBankWords];
  out[t] = sum;
}

static void banks() {
  unsigned *dOut = zeros<unsigned>(32);
  double free_cycles = NAN;
  heading("banks: 32 lanes load a word each from shared memory");
  for (unsigned stride : {0u, 1u, 2u, 3u, 4u, 8u, 16u, 32u, 33u}) {
    loadShared<<<1, 32>>>(dOut, stride);
    launched();
    std::vector<unsigned> want(32);
    for (unsigned t = 0; t < 32; t++)
      for (unsigned r = 0; r < kBankLoads; r++) want[t] += (t * stride + r) % kBankWords;
    same("loadShared", from_device(dOut, 32), want);
    unsigned passes = 32; // gcd(stride, 32): so many lanes meet in a bank
    while (stride != 0 && stride % passes != 0) passes /= 2;
    if (stride == 0) passes = 1; // one word for all
    char what[64];
    snprintf(what, sizeof what, "stride %2u: passes a request", stride);
    claim(what, wg_profile("shared_ld_wavefronts") / wg_profile("shared_ld_reqs"),
          stride == 0 ? "one word: 1" : "gcd(stride, 32)", passes);
    if (stride == 1) free_cycles = wg_profile("cycles");
    if (!std::isnan(free_cycles))
      printf("  %-44s %12s   %-24s %12s\n", "  cycles beyond those of stride 1", show(wg_profile("cycles") - free_cycles),
             "16 loads x (passes - 1)", show(kBankLoads * (passes - 1.0)));
  }
  printf("  Cycles may be a few less than that: those which a warp waits anyway, as for an instruction, cost nothing.\n");
  CUDA_CHECK(cudaFree(dOut));
}

// ---- Little's law ----

// Each warp asks for kLoads lines of its own and waits for them, turn after turn; from turn `wrap` on for the same
// lines again. Past the L1 (.cg): they come from DRAM the first time, from L2 later.
template <int kLoads>
__global__ void stream(const unsigned *in, unsigned *out, unsigned turns, unsigned wrap) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x * kLoads, sum = 0, at = 0;
  const unsigned *p = in + i / 32 * (kLoads * 32) + i % 32;
#pragma unroll 1
  for (unsigned t = 0; t < turns; t++) {
    unsigned v[kLoads];
#pragma unroll
    for (int k = 0; k < kLoads; k++) v[k] = __ldcg(p + at * step + k * 32);
#pragma unroll
    for (int k = 0; k < kLoads; k++) sum += v[k];
    at = at + 1 == wrap ? 0 : at + 1;
  }
  out[i] = sum;
}

struct Little {
  unsigned sms;
  std::vector<unsigned> in;
  unsigned *dIn, *dOut;
  size_t at = 0; // words before it have been read
  double latency = NAN, best = 0.0; // of one load of one warp; the highest rate
};

// What a launch moved: sums over the launch, so that the difference of two launches is that of their turns alone.
struct Sums {
  double cycles, bytes, dram; // bytes of the loads, and bytes that DRAM read
  double sectors, latency, flight; // at the SMs' memory ports
};

template <int kLoads>
static Sums sums_of(Little &l, unsigned warps, unsigned turns, unsigned wrap) {
  const unsigned threads = warps * 32 * l.sms;
  std::vector<unsigned> want(threads);
  for (unsigned t = 0; t < turns; t++)
    for (unsigned i = 0; i < threads; i++)
      for (unsigned k = 0; k < kLoads; k++)
        want[i] += l.in[l.at + (t % wrap * threads + i / 32 * 32) * kLoads + k * 32 + i % 32];
  stream<kLoads><<<l.sms, warps * 32>>>(l.dIn + l.at, l.dOut, turns, wrap);
  launched();
  same("stream", from_device(l.dOut, threads), want);
  return {wg_profile("cycles"),          wg_profile("global_ld_bytes"),    wg_profile("dram_read_bytes"),
          wg_profile("mem_rsp_sectors"), wg_profile("mem_latency_cycles"), wg_profile("mem_in_flight_cycles")};
}

const unsigned kTurns = 24; // beside the one whose launch is taken off

// One rung. What a launch asks for besides its loads (code, parameters, stores) goes out by a launch of one turn; the
// cycles are those of the whole launch: no rate can be above the pins'. From DRAM every turn meets lines that nobody
// has read.
template <int kLoads>
static void rung(Little &l, unsigned warps, bool dram) {
  const unsigned turn_words = warps * l.sms * kLoads * 32, turns = kTurns + 1;
  Sums one = sums_of<kLoads>(l, warps, 1, 1);
  if (dram) l.at += turn_words; // else the second launch finds them in L2
  else one = sums_of<kLoads>(l, warps, 1, 1);
  Sums all = sums_of<kLoads>(l, warps, turns, dram ? turns : 1);
  l.at += (dram ? turns : 1) * turn_words;
  double rate = (all.bytes - one.bytes) / all.cycles, flight = 32.0 * (all.flight - one.flight) / all.cycles;
  double latency = (all.latency - one.latency) / (all.sectors - one.sectors), asked = turn_words * 4.0;
  char what[80];
  snprintf(what, sizeof what, "%-4s %2u warps x %u, %5s cycles, %4s %%", dram ? "DRAM" : "L2", warps, kLoads,
           show(floor(latency + 0.5)), show(floor(100.0 * flight / asked + 0.5)));
  claim(what, rate, "in flight / latency", flight / latency, 0.01);
  if (rate > asked / latency)
    printf("WRONG %s: more than all asked for / latency, %s\n", what, show(asked / latency)), g_wrong++;
  double pins = wg_profile("dram_bytes_per_cycle");
  if (all.dram / all.cycles > pins) printf("WRONG %s: more than the pins give, %s\n", what, show(pins)), g_wrong++;
  if (dram && all.dram < all.bytes)
    printf("WRONG %s: DRAM read %s bytes of %s\n", what, show(all.dram), show(all.bytes)), g_wrong++;
  if (warps == 1 && kLoads == 1) l.latency = latency;
  l.best = fmax(l.best, rate);
}

static void ladder_of(Little &l, unsigned most, bool dram) {
  l.best = 0.0;
  for (unsigned warps = 1; warps <= most; warps *= 2) {
    rung<1>(l, warps, dram);
    rung<2>(l, warps, dram);
    rung<4>(l, warps, dram);
  }
  if (std::isnan(l.latency)) return;
  double full = dram ? wg_profile("dram_bytes_per_cycle") : l.best, need = full * l.latency / l.sms;
  printf(
      "  one load of one warp: %s cycles; for %s bytes a cycle (%s) %s bytes in flight an SM, %s warp loads; reached "
      "%s\n",
      show(l.latency), show(full), dram ? "the pins" : "the most seen", show(need), show(ceil(need / 128.0)),
      show(l.best));
}

static void little() {
  cudaDeviceProp prop;
  CUDA_CHECK(cudaGetDeviceProperties(&prop, 0));
  const unsigned most = prop.maxThreadsPerBlock / 32 < 16 ? prop.maxThreadsPerBlock / 32 : 16;
  Little l;
  l.sms = prop.multiProcessorCount;
  Numbers r;
  l.in.resize(2 * most * 7u * (kTurns + 3) * 32u * l.sms);
  for (unsigned &x : l.in) x = r.next();
  l.dIn = to_device(l.in);
  l.dOut = zeros<unsigned>(most * 32 * l.sms);
  heading(
      "Little's law: bytes in flight = bandwidth x latency; warps of an SM x loads of each, mean latency at the "
      "memory\n"
      "  port, how much of what they ask for is in flight on average: bytes a cycle");
  ladder_of(l, most, false);
  ladder_of(l, most, true);
  printf(
      "  the text's V100: 900 GB/s x 500 ns = %.0f KB, / 80 SMs = %.1f KB, / 4 B = %.0f lane loads, / 4 / 32 = %.0f "
      "warp loads a\n"
      "  sub-core; 16 warps stand there: one load each suffices on paper; the ladder says what several in flight add\n",
      900e9 * 500e-9 / 1e3, 900e9 * 500e-9 / 80 / 1e3, 900e9 * 500e-9 / 80 / 4, ceil(900e9 * 500e-9 / 80 / 4 / 4 / 32));
  CUDA_CHECK(cudaFree(l.dIn));
  CUDA_CHECK(cudaFree(l.dOut));
}

// ---- occupancy ----

// Four loads, each at an address that the one before gave; shared memory is only held.
__global__ void chase(const unsigned *next, unsigned *out, unsigned n) {
  extern __shared__ unsigned held[];
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, at = i % n;
#pragma unroll 1
  for (int k = 0; k < 4; k++) at = next[at];
  if (at == ~0u) held[0] = at;
  out[i] = at;
}

static void occupancy() {
  cudaDeviceProp prop;
  CUDA_CHECK(cudaGetDeviceProperties(&prop, 0));
  const unsigned n = 1024, threads = 32, blocks = 32 * prop.multiProcessorCount;
  std::vector<unsigned> next(n), want(threads * blocks);
  for (unsigned i = 0; i < n; i++) next[i] = (i * 5u + 96u) % n;
  for (unsigned i = 0; i < want.size(); i++) {
    want[i] = i % n;
    for (int k = 0; k < 4; k++) want[i] = next[want[i]];
  }
  unsigned *dNext = to_device(next), *dOut = zeros<unsigned>(want.size());
  const int cap = resident_blocks(chase, threads);
  CUDA_CHECK(
      cudaFuncSetAttribute(chase, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)prop.sharedMemPerBlockOptin));
  heading("occupancy: blocks an SM holds, and cycles of the same 32 blocks an SM");
  size_t last = 0;
  for (unsigned parts : {32u, 16u, 8u, 6u, 4u, 3u, 2u, 1u}) {
    size_t shared = prop.sharedMemPerMultiprocessor / parts / 256 * 256; // units of allocation
    if (shared == last || shared > prop.sharedMemPerBlockOptin) continue;
    last = shared;
    char what[64];
    snprintf(what, sizeof what, "%6zu bytes a block: blocks an SM", shared);
    claim(what, resident_blocks(chase, threads, shared), "min(slots, shared / bytes)",
          fmin(cap, (double)(prop.sharedMemPerMultiprocessor / shared)));
    chase<<<blocks, threads, shared>>>(dNext, dOut, n);
    launched();
    same("chase", from_device(dOut, want.size()), want);
    printf("  %-44s %12s\n", "  cycles", show(wg_profile("cycles")));
  }
  CUDA_CHECK(cudaFree(dNext));
  CUDA_CHECK(cudaFree(dOut));
}

// ---- spill ----

// kSums running sums that all live through the loop, as the c[V][V] of a matrix product do.
template <int kSums>
__global__ void sums(const unsigned *in, unsigned *out, unsigned turns) {
  unsigned s[kSums], t = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll
  for (int i = 0; i < kSums; i++) s[i] = in[t + i];
#pragma unroll 1
  for (unsigned k = 0; k < turns; k++) {
#pragma unroll
    for (int i = 0; i < kSums; i++) s[i] = s[i] * 3u + s[(i + 1) % kSums];
  }
  unsigned x = 0;
#pragma unroll
  for (int i = 0; i < kSums; i++) x ^= s[i];
  out[t] = x;
}

template <int kSums>
static void spill_step(const unsigned *dIn, unsigned *dOut, const std::vector<unsigned> &in) {
  const unsigned turns = 4;
  std::vector<unsigned> want(64);
  for (unsigned t = 0; t < 64; t++) {
    std::vector<unsigned> s(in.begin() + t, in.begin() + t + kSums);
    for (unsigned k = 0; k < turns; k++)
      for (int i = 0; i < kSums; i++) s[i] = s[i] * 3u + s[(i + 1) % kSums];
    for (unsigned v : s) want[t] ^= v;
  }
  cudaFuncAttributes at;
  CUDA_CHECK(cudaFuncGetAttributes(&at, sums<kSums>));
  sums<kSums><<<1, 64>>>(dIn, dOut, turns);
  launched();
  same("sums", from_device(dOut, want.size()), want);
  double local = wg_profile("local_ld_reqs") + wg_profile("local_st_reqs"), insts = wg_profile("warp_insts");
  printf(
      "  %3d sums: %3d registers, %2d blocks of 64 an SM, %3zu bytes spilled, %s of %s instructions on local memory, "
      "%s cycles\n",
      kSums, at.numRegs, resident_blocks(sums<kSums>, 64), at.localSizeBytes, show(local), show(insts),
      show(wg_profile("cycles")));
  char what[64];
  snprintf(what, sizeof what, "%3d sums: does local memory see traffic", kSums);
  claim(what, std::isnan(local) ? NAN : local > 0.0, "sums > 255 registers", kSums > 255 ? 1.0 : 0.0);
}

static void spill() {
  std::vector<unsigned> in(64 + 320);
  Numbers r;
  for (unsigned &x : in) x = r.next();
  unsigned *dIn = to_device(in), *dOut = zeros<unsigned>(64);
  printf("spill: sums that a thread keeps, until the registers are out\n");
  spill_step<16>(dIn, dOut, in);
  spill_step<64>(dIn, dOut, in);
  spill_step<128>(dIn, dOut, in);
  spill_step<224>(dIn, dOut, in);
  spill_step<320>(dIn, dOut, in);
  CUDA_CHECK(cudaFree(dIn));
  CUDA_CHECK(cudaFree(dOut));
}

// ---- latency ----

// Each node holds where the next one is: the address (device memory), or bytes from the array's begin. So there is
// nothing between one
// load and the next. What comes back is the number of the last node.
const unsigned kNodes = 32; // of the arrays on the SM

__global__ void followPointers(const unsigned long long *at, const char *base, unsigned step, unsigned *out,
                               unsigned turns) {
#pragma unroll 8
  for (unsigned k = 0; k < turns; k++) at = (const unsigned long long *)*at;
  out[threadIdx.x] = (unsigned)((const char *)at - base) / step;
}
__global__ void followVolatile(const volatile unsigned long long *at, const char *base, unsigned step, unsigned *out,
                               unsigned turns) {
#pragma unroll 8
  for (unsigned k = 0; k < turns; k++) at = (const volatile unsigned long long *)*at;
  out[threadIdx.x] = (unsigned)((const char *)at - base) / step;
}
__global__ void followShared(unsigned *out, unsigned turns) {
  __shared__ unsigned next[kNodes];
  next[threadIdx.x % kNodes] = (threadIdx.x * 5 + 3) % kNodes * 4;
  __syncthreads();
  unsigned x = 0;
#pragma unroll 8
  for (unsigned k = 0; k < turns; k++) x = *(const unsigned *)((const char *)next + x);
  out[threadIdx.x] = x / 4;
}
__constant__ unsigned gNext[kNodes];
__global__ void followConstant(unsigned *out, unsigned turns) {
  unsigned x = 0;
#pragma unroll 8
  for (unsigned k = 0; k < turns; k++) x = *(const unsigned *)((const char *)gNext + x);
  out[threadIdx.x] = x / 4;
}
__global__ void followLocal(const unsigned *in, unsigned *out, unsigned turns) {
  unsigned next[kNodes], x = 0;
  for (unsigned i = 0; i < kNodes; i++) next[i] = in[i];
#pragma unroll 8
  for (unsigned k = 0; k < turns; k++) x = *(const unsigned *)((const char *)next + x);
  out[threadIdx.x] = x / 4;
}
// Times 5 and 3 more; numbers that the compiler does not know, else it would take several turns at once.
__global__ void followRegister(unsigned *out, unsigned turns, unsigned times, unsigned more) {
  unsigned x = 0;
#pragma unroll 32
  for (unsigned k = 0; k < turns; k++) x = x * times + more;
  out[threadIdx.x] = x % kNodes;
}

static unsigned node_after(unsigned start, unsigned turns, unsigned nodes) {
  for (unsigned k = 0; k < turns; k++) start = (start * 5 + 3) % nodes;
  return start;
}

// Cycles of a turn: twice the turns, less once, so that everything else goes. `launch(turns)` runs the kernel.
template <typename F>
static double turn_cycles(unsigned *dOut, unsigned turns, unsigned nodes, bool own_start, F launch) {
  double cycles[2] = {0, 0};
  for (int warm = own_start ? 1 : 0; warm < 2; warm++) {
    for (unsigned k = 0; k < 2; k++) {
      unsigned n = turns * (k + 1);
      unsigned start = launch(n, k);
      launched();
      cycles[k] = wg_profile("cycles");
      same("latency", from_device(dOut, 32), std::vector<unsigned>(32, node_after(start, n, nodes)));
    }
  }
  return (cycles[1] - cycles[0]) / turns;
}

static double device_cycles(unsigned *dOut, unsigned nodes, unsigned step, bool at_l2, bool cold) {
  std::vector<unsigned long long> host(nodes * (size_t)step / 8);
  char *base;
  CUDA_CHECK(cudaMalloc(&base, host.size() * 8));
  for (unsigned i = 0; i < nodes; i++)
    host[i * (size_t)step / 8] = (unsigned long long)(base + node_after(i, 1, nodes) * (size_t)step);
  CUDA_CHECK(cudaMemcpy(base, host.data(), host.size() * 8, cudaMemcpyHostToDevice));
  const unsigned turns = 64;
  double c = turn_cycles(dOut, turns, nodes, cold, [&](unsigned n, unsigned k) {
    unsigned start = cold && k == 1 ? node_after(0, turns, nodes) : 0; // nodes that nobody has been at
    const char *at = base + start * (size_t)step;
    if (at_l2) followVolatile<<<1, 32>>>((const volatile unsigned long long *)at, base, step, dOut, n);
    else followPointers<<<1, 32>>>((const unsigned long long *)at, base, step, dOut, n);
    return start;
  });
  CUDA_CHECK(cudaFree(base));
  return c;
}

static void latency() {
  unsigned *dOut = zeros<unsigned>(32);
  std::vector<unsigned> next(kNodes);
  for (unsigned i = 0; i < kNodes; i++) next[i] = node_after(i, 1, kNodes) * 4;
  unsigned *dNext = to_device(next);
  CUDA_CHECK(cudaMemcpyToSymbol(gNext, next.data(), sizeof gNext));
  heading("latency: cycles from a load to the one that needs it");
  auto say = [](const char *what, double c, const char *text, double least, double most) {
    printf("  %-34s %s cycles\n", what, show(c));
    claim(what, std::isnan(c) ? NAN : c >= least && c <= most, text, 1.0);
  };
  double c = turn_cycles(dOut, 128, kNodes, false, [&](unsigned n, unsigned) {
    followRegister<<<1, 32>>>(dOut, n, 5, 3);
    return 0u;
  });
  printf("  %-34s %s cycles\n", "register", show(c));
  against_text("register", c, "1 clock", "a dependent instruction issues four cycles later");
  c = turn_cycles(dOut, 128, kNodes, false, [&](unsigned n, unsigned) { followShared<<<1, 32>>>(dOut, n); return 0u; });
  say("shared", c, "20 to 30", 20, 30);
  c = turn_cycles(dOut, 128, kNodes, false, [&](unsigned n, unsigned) {
    followConstant<<<1, 32>>>(dOut, n);
    return 0u;
  });
  say("constant, cached", c, "below an L1 hit's double", 1, 64);
  c = turn_cycles(dOut, 128, kNodes, false, [&](unsigned n, unsigned) {
    followLocal<<<1, 32>>>(dNext, dOut, n);
    return 0u;
  });
  say("local, L1 hit", c, "tens", 10, 99);
  say("global, L1 hit", device_cycles(dOut, 16, 128, false, false), "tens", 10, 99);
  say("global, L2 hit", device_cycles(dOut, 64, 128, true, false), "more than L1", 40, 999);
  say("global, DRAM", device_cycles(dOut, 512, 4096, false, true), "hundreds", 100, 999);
  CUDA_CHECK(cudaFree(dNext));
  CUDA_CHECK(cudaFree(dOut));
}

int main(int argc, char **argv) {
  if (wanted(argc, argv, 1, "coalescing")) coalescing();
  if (wanted(argc, argv, 1, "banks")) banks();
  if (wanted(argc, argv, 1, "little")) little();
  if (wanted(argc, argv, 1, "occupancy")) occupancy();
  if (wanted(argc, argv, 1, "spill")) spill();
  if (wanted(argc, argv, 1, "latency", true)) latency();
  end_words(argc, argv, 1);
  return finish("ladders");
}
