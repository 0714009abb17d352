// SPDX-License-Identifier: Apache-2.0
//
// Litmus tests of memory ordering between two SMs: each kernel runs two blocks of one warp, one on each SM, in rounds that
// start together. A round's outcome is counted: prints "NAME rounds=N weak=N", weak = rounds with the outcome that fences,
// atomics or the end of a kernel must exclude. Names: Alglave et al., "Herding cats", and the PTX manual, memory model.
#include <cstdio>
#include <cstdlib>

// Plain loads as a program makes them: an L1 may answer. The stores and the others are as the fences leave them.
__device__ unsigned plain(const unsigned *p) {
  unsigned v;
  asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
  return v;
}
__device__ void put(unsigned *p, unsigned v) { asm volatile("st.global.u32 [%0], %1;" ::"l"(p), "r"(v) : "memory"); }

struct Cells {            // each in a line of its own
  unsigned x[32], y[32], flag[32], gate[32];
};

/** Both blocks are here: with a fence, so that rounds do not mix. Behind it the cell `warm`, if there is one, is read into the L1. */
__device__ void meet(Cells *c, unsigned round, const unsigned *warm = nullptr) {
  __threadfence();
  unsigned old = warm != nullptr ? plain(warm) : 0u;
  atomicAdd(&c->gate[0], old == ~0u ? 2u : 1u); // the load is waited for
  while (*(volatile unsigned *)&c->gate[0] < 2 * round) {
  }
}

/** Message passing: x is written, then the flag; who sees the flag must see x. */
template <bool Fence>
__global__ void mp(Cells *c, unsigned rounds, unsigned *weak) {
  if (threadIdx.x != 0) return;
  for (unsigned r = 1; r <= rounds; r++) {
    meet(c, 2 * r - 1, blockIdx.x == 1 ? &c->x[0] : nullptr); // the reader's L1 holds the old x
    if (blockIdx.x == 0) {
      put(&c->x[0], r);
      if (Fence) __threadfence();
      *(volatile unsigned *)&c->flag[0] = r;
    } else {
      while (*(volatile unsigned *)&c->flag[0] != r) {
      }
      if (Fence) __threadfence();
      if (plain(&c->x[0]) != r) weak[0]++;
    }
    meet(c, 2 * r);
  }
}

/** Store buffering: each writes its cell and reads the other's; not both may read the old value. */
template <bool Fence>
__global__ void sb(Cells *c, unsigned rounds, unsigned *seen) {
  if (threadIdx.x != 0) return;
  unsigned *mine = blockIdx.x == 0 ? c->x : c->y, *other = blockIdx.x == 0 ? c->y : c->x;
  for (unsigned r = 1; r <= rounds; r++) {
    meet(c, 2 * r - 1, other);
    put(mine, r);
    if (Fence) __threadfence();
    seen[(blockIdx.x * rounds + r - 1) * 32] = plain(other);
    meet(c, 2 * r);
  }
}

/** Load buffering: each reads one cell and writes the other; not both may read the new value. */
__global__ void lb(Cells *c, unsigned rounds, unsigned *seen) {
  if (threadIdx.x != 0) return;
  unsigned *from = blockIdx.x == 0 ? c->x : c->y, *to = blockIdx.x == 0 ? c->y : c->x;
  for (unsigned r = 1; r <= rounds; r++) {
    meet(c, 2 * r - 1, from);
    unsigned v = plain(from);
    __threadfence();
    put(to, r);
    seen[(blockIdx.x * rounds + r - 1) * 32] = v;
    meet(c, 2 * r);
  }
}

/** Coherence of one cell: two volatile reads in a row never go back. */
__global__ void corr(Cells *c, unsigned rounds, unsigned *weak) {
  if (threadIdx.x != 0) return;
  volatile unsigned *x = &c->x[0];
  unsigned last = 0;
  for (unsigned r = 1; r <= rounds; r++) {
    if (blockIdx.x == 0) {
      *x = r;
    } else {
      unsigned a = *x, b = *x;
      if (a < last || b < a) weak[0]++;
      last = b;
    }
  }
}

/** One order of each address: what fetch-and-add returns to all threads of both SMs is 0, 1, 2... each once, and rises for each
    thread; what exchange returns is the chain of what was put. */
__global__ void atoms(unsigned *counter, unsigned *cell, unsigned rounds, unsigned *got, unsigned *chain) {
  unsigned id = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned r = 0; r < rounds; r++) {
    unsigned i = id * rounds + r;
    got[i] = atomicAdd(counter, 1u);
    chain[i] = atomicExch(cell, i + 1);
  }
}

/** A lock by compare-and-swap, fences inside: a plain counter under it loses nothing. */
__global__ void lock(unsigned *mutex, unsigned *count, unsigned rounds) {
  if (threadIdx.x != 0) return;
  for (unsigned r = 0; r < rounds; r++) {
    while (atomicCAS(mutex, 0u, 1u) != 0u) {
    }
    __threadfence();
    put(count, plain(count) + 1);
    __threadfence();
    atomicExch(mutex, 0u);
  }
}

/** End of a kernel: all its stores are seen by the next, whichever SM runs it and whatever its L1 held. */
__global__ void write_all(unsigned *a, unsigned n, unsigned round) {
  for (unsigned i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += gridDim.x * blockDim.x) put(&a[i], round * n + i);
}
__global__ void read_all(const unsigned *a, unsigned n, unsigned round, unsigned *weak) {
  for (unsigned i = threadIdx.x + (gridDim.x - 1 - blockIdx.x) * blockDim.x; i < n; i += gridDim.x * blockDim.x) {
    if (plain(&a[i]) != round * n + i) atomicAdd(weak, 1u);
  }
}

static unsigned *g_out;
static Cells *g_cells;
enum { kWords = 1 << 16 };

static void clear() {
  cudaMemset(g_cells, 0, sizeof(Cells));
  cudaMemset(g_out, 0, kWords * sizeof(unsigned));
}

static bool fetch(unsigned *to, size_t words) {
  cudaError_t e = cudaMemcpy(to, g_out, words * sizeof(unsigned), cudaMemcpyDeviceToHost);
  if (e != cudaSuccess) fprintf(stderr, "litmus: %s\n", cudaGetErrorString(e));
  return e == cudaSuccess;
}

static void say(const char *name, unsigned rounds, unsigned weak) { printf("%s rounds=%u weak=%u\n", name, rounds, weak); }

/** Rounds in which both blocks' words are (or are not) the round's number. */
static unsigned both(const unsigned *w, unsigned rounds, bool fresh) {
  unsigned n = 0;
  for (unsigned r = 1; r <= rounds; r++) {
    bool a = w[(r - 1) * 32] == r, b = w[(rounds + r - 1) * 32] == r;
    n += a == fresh && b == fresh;
  }
  return n;
}

/** Returned values of fetch-and-add and of the exchange chain that are not as one order makes them. */
static unsigned disorder(const unsigned *got, const unsigned *chain, unsigned last, unsigned n, unsigned rounds) {
  unsigned bad = 0, steps = 0;
  bool *seen = (bool *)calloc(n, sizeof(bool));
  for (unsigned i = 0; i < n; i++) {
    if (got[i] >= n || seen[got[i]]) bad++;
    else seen[got[i]] = true;
    if (i % rounds != 0 && got[i] <= got[i - 1]) bad++;
  }
  for (unsigned at = last; at != 0 && steps <= n; steps++) at = chain[at - 1];
  free(seen);
  return bad + (steps != n);
}

static int run(unsigned rounds) {
  static unsigned w[kWords];
  clear();
  mp<true><<<2, 32>>>(g_cells, rounds, g_out);
  if (!fetch(w, 1)) return 1;
  say("mp+fences", rounds, w[0]);
  clear();
  mp<false><<<2, 32>>>(g_cells, rounds, g_out);
  if (!fetch(w, 1)) return 1;
  say("mp", rounds, w[0]);
  clear();
  sb<true><<<2, 32>>>(g_cells, rounds, g_out);
  if (!fetch(w, 64 * rounds)) return 1;
  say("sb+fences", rounds, both(w, rounds, false));
  clear();
  sb<false><<<2, 32>>>(g_cells, rounds, g_out);
  if (!fetch(w, 64 * rounds)) return 1;
  say("sb", rounds, both(w, rounds, false));
  clear();
  lb<<<2, 32>>>(g_cells, rounds, g_out);
  if (!fetch(w, 64 * rounds)) return 1;
  say("lb+fences", rounds, both(w, rounds, true));
  clear();
  corr<<<2, 32>>>(g_cells, 10 * rounds, g_out);
  if (!fetch(w, 1)) return 1;
  say("corr", 10 * rounds, w[0]);
  clear();
  const unsigned n = 2 * 64 * 8;
  atoms<<<2, 64>>>(g_cells->x, g_cells->y, 8, g_out, g_out + n);
  if (!fetch(w, 2 * n)) return 1;
  unsigned last = 0;
  if (cudaMemcpy(&last, g_cells->y, sizeof last, cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
  say("atomics", n, disorder(w, w + n, last, n, 8));
  clear();
  lock<<<2, 32>>>(g_cells->x, g_out, rounds);
  if (!fetch(w, 1)) return 1;
  say("lock+fences", 2 * rounds, 2 * rounds - w[0]);
  clear();
  unsigned weak = 0;
  for (unsigned r = 1; r <= 3; r++) { // the readers' L1 holds the last round's values
    write_all<<<2, 64>>>(g_out + 32, 2048, r);
    read_all<<<2, 64>>>(g_out + 32, 2048, r, g_out);
  }
  if (!fetch(&weak, 1)) return 1;
  say("kernels", 3, weak);
  return 0;
}

int main(int argc, char **argv) {
  unsigned rounds = argc > 1 ? (unsigned)atoi(argv[1]) : 20;
  if (rounds < 1 || rounds > kWords / 64) {
    fprintf(stderr, "usage: litmus [ROUNDS], 1 to %d\n", kWords / 64);
    return 2;
  }
  if (cudaMalloc(&g_out, kWords * sizeof(unsigned)) != cudaSuccess || cudaMalloc(&g_cells, sizeof(Cells)) != cudaSuccess) return 1;
  int rc = run(rounds);
  cudaFree(g_out);
  cudaFree(g_cells);
  return rc;
}
