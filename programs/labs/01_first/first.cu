// SPDX-License-Identifier: Apache-2.0
//
// Lab 1: y = a x + y, one element a thread. The host program (main.cu) launches blocks of 64 threads, as many as n needs.

// Each line "answer NAME = VALUE" is one question of the hand-out; write the number in place of the question mark.
// answer warp_insts = ?
// answer cycles = ?
// answer first_issue = ?
// answer block0_end = ?
// answer last_lanes = ?

__global__ void saxpy(int n, float a, const float *x, float *y) {
}
