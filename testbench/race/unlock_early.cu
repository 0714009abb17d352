// SPDX-License-Identifier: Apache-2.0
//
// A lock is given back before the write that it should protect.
// expect: RAW|WAR|WAW grid
#include "race.h"

__global__ void add(int *lock, int *sum) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence();
  int v = *sum;  // racy
  __threadfence();
  atomicExch(lock, 0);
  *sum = v + blockIdx.x + 1;  // racy
}

int main() {
  int *d = zeros(64);
  add<<<4, 32>>>(d, d + 32);
  return done(d);
}
