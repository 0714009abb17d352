// SPDX-License-Identifier: Apache-2.0
//
// Ways to end with device output that nobody waited for. usage: leave return|_exit|_Exit|quick_exit
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

__global__ void say(int second) { printf(second ? "second\n" : "first\n"); }

int main(int argc, char **argv) {
  const char *way = argc > 1 ? argv[1] : "return";
  say<<<1, 1>>>(0);
  cudaDeviceSynchronize();
  fflush(stdout);
  say<<<1, 1>>>(1);
  if (strcmp(way, "_exit") == 0) _exit(0);
  if (strcmp(way, "_Exit") == 0) _Exit(0);
  if (strcmp(way, "quick_exit") == 0) quick_exit(0);
  return 0;
}
