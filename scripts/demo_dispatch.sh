#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The lecture's timeline of 1000 blocks on two SMs: as its figure draws it, on SMs that hold each block for a scripted
# time (block 0 ends, then block 2), and as the lecture's convolution with N = 128000 really runs on the RTL. Then
# question 3: blocks of 256 threads, and their kernel with blocks of 128. Some fifteen seconds of CPU time. Writes
# build/demo-dispatch/*.svg and the log of the real blocks, blocks.csv. BACKEND=func is quick, and has no real times.
set -euo pipefail
cd "$(dirname "$0")/.."
out=build/demo-dispatch
w=build/bin/warpglass
mkdir -p "$out"
build/bin/wgcc -O3 -arch=sm_70 -lineinfo -I. testbench/gte/lecture.cu -o "$out/lecture"
echo "== the figure: block 0 lasts 100 cycles, block 2 200, blocks 1 and 3 500"
$w dispatch --name convolve --cycles 100,500,200,500,1000 --draw 12 --svg "$out/figure.svg"
echo
echo "   (the figure's \"shared 0x520\" is 520 in decimal, 0x208)"
echo
echo "== the real run: convolve_v2 of programs/convolve_1d, N = ${N:-128000}, preset lecture, back end ${BACKEND:-rtl}"
rm -f "$out/blocks.csv"
status=0
$w run --preset lecture --check off --backend "${BACKEND:-rtl}" --golden none --blocklog "$out/blocks.csv" \
  "$out/lecture" "${N:-128000}" > "$out/run.txt" 2>&1 || status=$?
if [ $status -ne 0 ]; then cat "$out/run.txt"; exit $status; fi
$w dispatch --log "$out/blocks.csv" --grid 1 --name convolve --draw 24 --svg "$out/real.svg"
echo
echo "   Equal SMs end blocks 0 and 1 together, so that the figure's t7 (block 2 ends, and block 5 goes to SM0) cannot come out of them."
echo
echo "== question 3, blocks of 256 threads and 1032 bytes: held for 100 cycles each, then really run"
$w dispatch --name convolve --blocks 500 --threads 256 --shared 1032 --draw 12 --svg "$out/question3.svg"
echo
$w dispatch --log "$out/blocks.csv" --grid 2 --name convolve --draw 12 --svg "$out/question3_real.svg" | tee "$out/question3.txt"
echo
$w dispatch --log "$out/blocks.csv" --grid 4 --name convolve --steps 0 --draw 12 --svg "$out/question3_128.svg" | tee "$out/same.txt"
cycles() { sed -n 's/^\([0-9]*\) cycles; .*/\1/p' "$1"; }
echo
echo "   One block of 8 warps instead of two of 4: the occupancy is the same, only barriers and releases are coarser."
echo "   The 500 blocks of 256 threads are convolve_v1 with as many bytes, not convolve_v2 (written for 128 threads): no barrier,"
echo "   no detour through shared memory, a quarter fewer instructions. What the block's size does is seen with"
echo "   v1 too: $(cycles "$out/same.txt") cycles with blocks of 128, $(cycles "$out/question3.txt") with blocks of 256."
