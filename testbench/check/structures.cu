// SPDX-License-Identifier: Apache-2.0
//
// One field of an array of structures.
// expect: advice uncoalesced
#include "check.h"

struct particle {
  float x, y, z, mass;
};

__global__ void masses(const particle *p, float *m) {
  float v = p[threadIdx.x].mass;  // bad
  m[threadIdx.x] = v;
}

int main() {
  particle *p = zeros<particle>(64);
  float *m = zeros<float>(64);
  masses<<<1, 64>>>(p, m);
  check(cudaFree(m));
  return done(p);
}
