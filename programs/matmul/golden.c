// SPDX-License-Identifier: Apache-2.0
//
// C = A B with one multiply-add a step in the order of k: what every form does to its element.
#include "programs/wg_golden.h"

#include <math.h>

static int product(const wg_golden_launch_t *l, wg_golden_mem_t *m) {
  int n = wg_golden_i32(l, 24);
  if (n <= 0) return 1;
  size_t side = (size_t)n;
  const float *a = wg_golden_f32(l, m, 0, 0, side * side), *b = wg_golden_f32(l, m, 8, 0, side * side);
  float *c = wg_golden_f32(l, m, 16, 0, side * side);
  if (a == NULL || b == NULL || c == NULL) return 1;
  for (size_t i = 0; i < side; i++) {
    for (size_t j = 0; j < side; j++) {
      float sum = 0.0f;
      for (size_t k = 0; k < side; k++) sum = fmaf(a[i * side + k], b[k * side + j], sum);
      c[i * side + j] = sum;
    }
  }
  return 0;
}

#define FORM(NAME) \
  int wg_golden_##NAME(const wg_golden_launch_t *l, wg_golden_mem_t *m); \
  int wg_golden_##NAME(const wg_golden_launch_t *l, wg_golden_mem_t *m) { return product(l, m); }

FORM(_Z8strawmanILb0EEvPKfS1_Pfi)
FORM(_Z8strawmanILb1EEvPKfS1_Pfi)
#define REGISTERS(V) FORM(_Z12registerTileILi##V##EEvPKfS1_Pfi)
REGISTERS(1)
REGISTERS(2)
REGISTERS(4)
REGISTERS(8)
#define TILES(L) \
  FORM(_Z8twoLevelILi##L##ELi1EEvPKfS1_Pfi) \
  FORM(_Z8twoLevelILi##L##ELi2EEvPKfS1_Pfi) \
  FORM(_Z8twoLevelILi##L##ELi4EEvPKfS1_Pfi) \
  FORM(_Z8twoLevelILi##L##ELi8EEvPKfS1_Pfi)
TILES(16)
TILES(32)
TILES(64)
