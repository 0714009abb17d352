// SPDX-License-Identifier: Apache-2.0
//
// A list whose second node was freed.
// expect: mem use-after-free
#include "check.h"

struct node {
  node *next;
  int value;
};

__global__ void sum(const node *n, int *out) {
  int s = 0;
  while (n != nullptr) {
    s += n->value;  // bad
    n = n->next;  // bad?
  }
  *out = s;
}

int main() {
  node *a = zeros<node>(1), *b = zeros<node>(1);
  int *out = zeros<int>(1);
  node first = {b, 1};
  check(cudaMemcpy(a, &first, sizeof first, cudaMemcpyHostToDevice));
  check(cudaFree(b));
  sum<<<1, 1>>>(a, out);
  check(cudaFree(a));
  return done(out);
}
