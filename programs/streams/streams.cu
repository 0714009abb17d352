// SPDX-License-Identifier: Apache-2.0
//
// Streams: which work waits for which, and what overlap buys. usage: streams [chunks [kilobytes of a chunk [part
// [rounds]]]]: the kernel works on one in `part` elements of a chunk, so that its time can be made to match that of the
// copies
#include "../wg_program.h"

// rounds multiply-adds an element: more of them make the kernel longer beside its copies
__global__ void work(float *x, int n, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v = x[i];
  for (int r = 0; r < rounds; r++) v = v * 0.75f + 0.5f;
  x[i] = v;
}

enum { kThreads = 128, kMaxStreams = 4 };

static void launch(float *x, int n, int rounds, cudaStream_t s) {
  work<<<(n + kThreads - 1) / kThreads, kThreads, 0, s>>>(x, n, rounds);
  CUDA_CHECK(cudaGetLastError());
}

/** Do the event times of kernels mean something? A real GPU's do, and those of a back end with a clock. */
static bool timed() { return wg_profile_value == NULL || !std::isnan(wg_profile("cycles")); }

static double us_between(cudaEvent_t a, cudaEvent_t b) {
  float ms = 0;
  CUDA_CHECK(cudaEventElapsedTime(&ms, a, b));
  return ms * 1e3;
}

struct Buffers {
  float *host, *dev;
  size_t bytes;
  explicit Buffers(size_t n) : bytes(n) {
    CUDA_CHECK(cudaMallocHost((void **)&host, n));
    CUDA_CHECK(cudaMalloc((void **)&dev, n));
    memset(host, 0, n);
  }
  ~Buffers() {
    CUDA_CHECK(cudaFree(dev));
    CUDA_CHECK(cudaFreeHost(host));
  }
};

// A long copy in one stream, then a mark in another: does the mark wait for the copy?
static void order_of_streams() {
  Buffers big(8 << 20);
  cudaStream_t s[4] = {cudaStreamLegacy};
  cudaEvent_t end, mark;
  CUDA_CHECK(cudaStreamCreate(&s[1]));
  CUDA_CHECK(cudaStreamCreate(&s[2]));
  CUDA_CHECK(cudaStreamCreateWithFlags(&s[3], cudaStreamNonBlocking));
  CUDA_CHECK(cudaEventCreate(&end));
  CUDA_CHECK(cudaEventCreate(&mark));
  const char *name[4] = {"default", "blocking A", "blocking B", "non-blocking"};
  const bool waits[4][4] = {
      {true, true, true, false}, {true, true, false, false}, {true, false, true, false}, {false, false, false, true}};
  heading("order: a copy of 8 MiB in the first stream, a mark in the second (1 = it waits)");
  for (int i = 0; i < 4; i++) {
    for (int k = 0; k < 4; k++) {
      launch(big.dev, 1, 0,
             s[k]); /* else a GPU puts a mark behind a copy into its copy engine's queue, behind all others' copies */
      CUDA_CHECK(cudaDeviceSynchronize());
      CUDA_CHECK(cudaMemcpyAsync(big.dev, big.host, big.bytes, cudaMemcpyHostToDevice, s[i]));
      CUDA_CHECK(cudaEventRecord(mark, s[k]));
      CUDA_CHECK(cudaEventRecord(end, s[i]));
      CUDA_CHECK(cudaDeviceSynchronize());
      std::string what = std::string(name[i]) + ", then " + name[k];
      claim(what.c_str(), us_between(mark, end) < 50 ? 1 : 0, "CUDA's rule", waits[i][k] ? 1 : 0);
    }
  }
  for (int i = 1; i < 4; i++) CUDA_CHECK(cudaStreamDestroy(s[i]));
  CUDA_CHECK(cudaEventDestroy(end));
  CUDA_CHECK(cudaEventDestroy(mark));
}

/** Is the work of `s` still under way? Not ready is an answer; it must not stay the last error. */
static double under_way(cudaStream_t s) {
  cudaError_t e = cudaStreamQuery(s);
  if (e != cudaSuccess && e != cudaErrorNotReady) CUDA_CHECK(e);
  (void)cudaGetLastError();
  return e == cudaErrorNotReady;
}

// A long copy is under way in a blocking stream: which calls wait for it?
static void waiting_calls() {
  Buffers big(64 << 20), other(1 << 20);
  std::vector<char> page(1 << 20);
  cudaStream_t s, t;
  CUDA_CHECK(cudaStreamCreate(&s));
  CUDA_CHECK(cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking));
  auto begin = [&] {
    CUDA_CHECK(cudaDeviceSynchronize());
    CUDA_CHECK(cudaMemcpyAsync(big.dev, big.host, big.bytes, cudaMemcpyHostToDevice, s));
  };
  heading("calls: a copy of 64 MiB under way, then a call (1 = the copy still is, behind it)");
  begin();
  claim("the asynchronous copy itself", under_way(s), "returns at once", 1);
  begin();
  CUDA_CHECK(cudaMemcpyAsync(other.dev, page.data(), 65536, cudaMemcpyHostToDevice, s));
  claim("cudaMemcpyAsync, 64 KiB of pageable memory", under_way(s), "returns when staged", 1);
  begin();
  CUDA_CHECK(cudaMemcpyAsync(page.data(), other.dev, 65536, cudaMemcpyDeviceToHost, s));
  claim("cudaMemcpyAsync to pageable memory", under_way(s), "returns when done", 0);
  begin();
  CUDA_CHECK(cudaMemcpy(other.host, other.dev, 4096, cudaMemcpyDeviceToHost));
  claim("cudaMemcpy", under_way(s), "default stream waits", 0);
  begin();
  CUDA_CHECK(cudaMemset(other.dev, 0, 4096));
  claim("cudaMemset", under_way(s), "returns at once", 1);
  begin();
  CUDA_CHECK(cudaMemcpyAsync(other.host, other.dev, 4096, cudaMemcpyDeviceToHost, t));
  CUDA_CHECK(cudaStreamSynchronize(t));
  claim("cudaStreamSynchronize of another stream", under_way(s), "waits for its own", 1);
  begin();
  CUDA_CHECK(cudaStreamSynchronize(s));
  claim("cudaStreamSynchronize", under_way(s), "waits", 0);
  CUDA_CHECK(cudaStreamDestroy(s));
  CUDA_CHECK(cudaStreamDestroy(t));
}

struct Chunks {
  int chunks, n, active, rounds; /* n: elements of a chunk; active: those that the kernel works on */
  Buffers *b;
  cudaStream_t s[kMaxStreams];
  cudaEvent_t e[kMaxStreams + 4];
};

/** All chunks over the first `streams` streams: copy in, compute, copy out. @return us */
static double run(Chunks &c, int streams) {
  size_t bytes = (size_t)c.n * sizeof(float);
  for (size_t i = 0; i < c.b->bytes / sizeof(float); i++) c.b->host[i] = (float)(i % 251);
  CUDA_CHECK(cudaDeviceSynchronize());
  CUDA_CHECK(cudaEventRecord(c.e[kMaxStreams], c.s[0]));
  for (int i = 1; i < streams; i++) CUDA_CHECK(cudaStreamWaitEvent(c.s[i], c.e[kMaxStreams], 0));
  for (int i = 0; i < c.chunks; i++) {
    cudaStream_t s = c.s[i % streams];
    float *h = c.b->host + (size_t)i * c.n, *d = c.b->dev + (size_t)i * c.n;
    CUDA_CHECK(cudaMemcpyAsync(d, h, bytes, cudaMemcpyHostToDevice, s));
    launch(d, c.active, c.rounds, s);
    CUDA_CHECK(cudaMemcpyAsync(h, d, bytes, cudaMemcpyDeviceToHost, s));
  }
  double us = 0;
  for (int i = 0; i < streams; i++) CUDA_CHECK(cudaEventRecord(c.e[i], c.s[i]));
  CUDA_CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < streams; i++) us = std::max(us, us_between(c.e[kMaxStreams], c.e[i]));
  for (size_t i = 0; i < c.b->bytes / sizeof(float); i++) {
    float v = (float)(i % 251);
    for (int r = 0; r < c.rounds && i % c.n < (size_t)c.active; r++) v = fmaf(v, 0.75f, 0.5f);
    if (c.b->host[i] == v) continue;
    printf("WRONG %d streams: element %zu is %g, the host's loop gives %g\n", streams, i, (double)c.b->host[i],
           (double)v);
    g_wrong++;
    break;
  }
  return us;
}

/** Times of one chunk's copy in, kernel and copy out, us. Behind a long copy all commands are there when it ends: no call is
    waited for. @return the front end's time between two commands of a stream */
static double parts(Chunks &c, double t[3]) {
  size_t bytes = (size_t)c.n * sizeof(float);
  Buffers ahead(1 << 20);
  cudaEvent_t *e = c.e + kMaxStreams;
  for (int warm = 0; warm < 2; warm++) {
    CUDA_CHECK(cudaMemcpyAsync(ahead.dev, ahead.host, ahead.bytes, cudaMemcpyHostToDevice, c.s[0]));
    CUDA_CHECK(cudaEventRecord(e[0], c.s[0]));
    CUDA_CHECK(cudaMemcpyAsync(c.b->dev, c.b->host, bytes, cudaMemcpyHostToDevice, c.s[0]));
    CUDA_CHECK(cudaEventRecord(e[1], c.s[0]));
    launch(c.b->dev, c.active, c.rounds, c.s[0]);
    CUDA_CHECK(cudaEventRecord(e[2], c.s[0]));
    CUDA_CHECK(cudaMemcpyAsync(c.b->host, c.b->dev, bytes, cudaMemcpyDeviceToHost, c.s[0]));
    CUDA_CHECK(cudaEventRecord(e[3], c.s[0]));
    /* an event costs the front end as much as any command: half of what lies between two around one command is its own */
    CUDA_CHECK(cudaEventRecord(c.e[0], c.s[0]));
    CUDA_CHECK(cudaDeviceSynchronize());
  }
  double event = us_between(e[3], c.e[0]);
  for (int i = 0; i < 3; i++) t[i] = us_between(e[i], e[i + 1]) - 2 * event;
  return event;
}

/** What the host's calls cost it, us. */
struct Calls {
  double copy, launch, other;
};

/** Times between two marks of a stream that has nothing else to do: those of the host's calls between them. */
static Calls calls_of(Chunks &c) {
  enum { kMany = 4 };
  cudaEvent_t *e = c.e + kMaxStreams;
  auto between = [&](auto calls) {
    CUDA_CHECK(cudaDeviceSynchronize());
    CUDA_CHECK(cudaEventRecord(e[0], c.s[0]));
    calls();
    CUDA_CHECK(cudaEventRecord(e[1], c.s[0]));
    CUDA_CHECK(cudaDeviceSynchronize());
    return us_between(e[0], e[1]);
  };
  Calls calls;
  calls.other = between([&] {
    for (int i = 0; i < kMany; i++) CUDA_CHECK(cudaStreamWaitEvent(c.s[1], e[0], 0));
  }) / (kMany + 1);
  calls.copy = between([&] {
    for (int i = 0; i < kMany; i++) CUDA_CHECK(cudaMemcpyAsync(c.b->dev, c.b->host, 4, cudaMemcpyHostToDevice, c.s[1]));
  }) - calls.other;
  calls.launch = between([&] {
    for (int i = 0; i < kMany; i++) launch(c.b->dev, 1, 0, c.s[1]);
  }) - calls.other;
  calls.copy /= kMany;
  calls.launch /= kMany;
  return calls;
}

/** When all chunks are back: each goes through three units, one chunk at a time in each, and begins when its stream is
   done with the chunk before; `gap` before each command of a stream. No command begins before the host has called for
   it. */
static double pipeline(int chunks, int streams, const double t[3], double gap, const Calls &call) {
  double free[3] = {0, 0, 0}, stream[kMaxStreams] = {0, 0, 0, 0}, end = 0;
  double host = -gap; /* it called for the first mark, which the front end gave out a gap later, at 0 */
  for (int i = 1; i < streams; i++) stream[i] = (host += call.other) + gap; /* waits for the first mark */
  for (int i = 0; i < chunks; i++) {
    double &at = stream[i % streams];
    for (int u = 0; u < 3; u++) {
      host += u == 1 ? call.launch : call.copy;
      at = free[u] = std::max(free[u], std::max(at, host) + gap) + t[u];
    }
  }
  for (int i = 0; i < streams; i++)
    end = std::max(end, std::max(stream[i], host += call.other) + gap); /* the last marks */
  return end;
}

static void overlap(int chunks, int kilobytes, int part, int rounds) {
  int n = kilobytes * 1024 / (int)sizeof(float);
  Chunks c = {chunks, n, (n + part - 1) / part, rounds, nullptr, {}, {}};
  Buffers b((size_t)chunks * (size_t)kilobytes * 1024);
  c.b = &b;
  for (auto &s : c.s) CUDA_CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  for (auto &e : c.e) CUDA_CHECK(cudaEventCreate(&e));
  double t[3], us[3], due[3], gap = parts(c, t);
  const Calls call = calls_of(c);
  bool ok = timed();
  printf(
      "overlap: %d chunks of %d KiB, us each: copy in h = %s, kernel k = %s, copy out d = %s, between commands g = "
      "%s\n",
      chunks, kilobytes, show(t[0]), show(ok ? t[1] : NAN), show(t[2]), show(gap));
  printf("  the host's calls, us: a copy %s, a launch %s, a mark or a wait %s\n", show(call.copy), show(call.launch),
         show(call.other));
  double one = chunks * (t[0] + t[1] + t[2] + 3 * gap) + gap, most = std::max(t[0], std::max(t[1], t[2]));
  printf(
      "  one stream: C (h + k + d + 3 g) + g = %s, the last g before the mark that ends it; never less than C max(h, "
      "k, d) = %s\n",
      show(ok ? one : NAN), show(ok ? chunks * most : NAN));
  heading("us until all chunks are back");
  for (int i = 0, streams = 1; streams <= kMaxStreams; i++, streams *= 2) {
    us[i] = run(c, streams);
    std::string what = std::to_string(streams) + (streams == 1 ? " stream" : " streams");
    due[i] = pipeline(chunks, streams, t, gap, call);
    bool formula =
        streams == 1 && std::fabs(due[i] - one) < 1e-6 * one;  // else the host's calls are slower than its chunks
    claim(what.c_str(), ok ? us[i] : NAN, formula ? "C (h + k + d + 3 g) + g" : "pipeline of h, k, d", due[i], 0.05);
  }
  if (due[1] < 0.85 * due[0])
    claim("two streams are faster than one (1 = yes)", ok ? us[1] < 0.9 * us[0] : NAN, "copies hide", 1);
  else
    printf("  two streams gain nothing here, or little: %s\n",
           chunks == 1 ? "one chunk has nothing beside it"
                       : "few chunks, short ones beside the host's calls, or one unit that does most");
  for (auto &s : c.s) CUDA_CHECK(cudaStreamDestroy(s));
  for (auto &e : c.e) CUDA_CHECK(cudaEventDestroy(e));
}

int main(int argc, char **argv) {
  int chunks = arg_int(argc, argv, 1, "chunks", 4, 1, 64);
  int kilobytes = arg_int(argc, argv, 2, "kilobytes", 64, 1, 65536);
  int part = arg_int(argc, argv, 3, "part", 8, 1, 1024), rounds = arg_int(argc, argv, 4, "rounds", 4, 0, 1 << 20);
  order_of_streams();
  waiting_calls();
  overlap(chunks, kilobytes, part, rounds);
  return finish("streams");
}
