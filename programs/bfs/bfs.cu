// SPDX-License-Identifier: Apache-2.0
//
// Breadth-first search, a launch a level, a thread a vertex. usage: bfs [vertices], default 512
// Vertices of one level may find the same neighbour: all write the same number, so it does not matter who comes last.
#include "../wg_program.h"

__global__ void bfsLevel(const int *start, const int *edge, int *level, int *found, int now, int vertices) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= vertices || level[v] != now) return;
  for (int k = start[v]; k < start[v + 1]; k++) {
    if (level[edge[k]] < 0) {
      level[edge[k]] = now + 1;
      *found = 1;
    }
  }
}

int main(int argc, char **argv) {
  const int n = arg_int(argc, argv, 1, "vertices", 512, 2, 1 << 16), threads = 128;
  Numbers r;
  std::vector<int> start(n + 1), edge, want(n, -1), queue{0};
  for (int v = 0; v < n; v++) {
    start[v] = (int)edge.size();
    edge.push_back(v / 2); // so that something leads back
    for (int k = r.between(0, 5); k > 0; k--) edge.push_back((v + r.between(1, 40)) % n);
  }
  start[n] = (int)edge.size();
  want[0] = 0;
  for (size_t at = 0; at < queue.size(); at++)
    for (int k = start[queue[at]]; k < start[queue[at] + 1]; k++)
      if (want[edge[k]] < 0) want[edge[k]] = want[queue[at]] + 1, queue.push_back(edge[k]);
  std::vector<int> level(n, -1);
  level[0] = 0;
  int *dStart = to_device(start), *dEdge = to_device(edge), *dLevel = to_device(level), *dFound = zeros<int>(1);
  printf("breadth-first search, %d vertices, %zu edges\n", n, edge.size());
  int now = 0;
  for (int more = 1; more != 0; now++) {
    CUDA_CHECK(cudaMemset(dFound, 0, sizeof(int)));
    bfsLevel<<<(n + threads - 1) / threads, threads>>>(dStart, dEdge, dLevel, dFound, now, n);
    launched();
    int front = 0;
    for (int w : want) front += w == now;
    printf("  level %2d: %4d vertices, lanes busy %s%%, cycles %s\n", now, front,
           show(100.0 * wg_profile("thread_insts") / (32.0 * wg_profile("warp_insts"))), show(wg_profile("cycles")));
    more = from_device(dFound, 1)[0];
  }
  same("bfsLevel", from_device(dLevel, n), want);
  heading("levels");
  claim("launches", now, "depth + 1", want[queue.back()] + 1.0);
  for (int *p : {dStart, dEdge, dLevel, dFound}) CUDA_CHECK(cudaFree(p));
  return finish("bfs");
}
