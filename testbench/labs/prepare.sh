#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Build what all submissions of a lab share.   testbench/labs/prepare.sh LAB [without-cosim]
set -euo pipefail
cd "$(dirname "$0")/../.."
mkdir -p build/labs/lib
exec 9> build/labs/lock
flock 9
if awk -F'\t' -v lab="$1" '$1 == lab && $4 == "cu"' programs/labs/labs.tsv | grep -q .; then
  make -s build build/sm/tiny-fast/libwgsm.so
  if [ "$1" = first ] && [ "${2:-}" != without-cosim ]; then make -s build/sm/tiny-wave/libwgsm.so; fi
  exit 0
fi
if awk -F'\t' -v lab="$1" '$1 == lab && $4 == "cpolicy"' programs/labs/labs.tsv | grep -q .; then
  make -s build build/sm/tiny-fast/libwgsm.so
  build/bin/wgcc -O3 programs/labs/09_gigathread/main.cu -o build/labs/lib/gigathread
  scripts/cblocks.sh proxy testbench/labs/policy_proxy.c > /dev/null
  mv build/plugin/blocks/proxy.so build/labs/lib/proxy.so
  exit 0
fi
scripts/verilator_runtime.sh verilated verilated_dpi verilated_threads verilated_vcd_c > /dev/null
for b in $(awk -F'\t' -v lab="$1" '$1 == lab && $3 == "unit" { split($4, w, " "); print w[1] }' testbench/labs/checks.tsv | sort -u); do
  lib=build/labs/lib/${b/\//_}
  [ ! -e "$lib/stamp" ] || [ -n "$(find rtl testbench/rtl testbench/labs/bench.sh testbench/labs/lab_main.cc testbench/labs/vtop testbench/labs/bench model/twin isa -newer "$lib/stamp" \
    -type f | head -1)" ] || continue
  testbench/labs/bench.sh "$b" rtl "build/labs/ref/${b/\//_}"
  touch "$lib/stamp"
done
mkdir -p build/labs/sm
for m in $(awk -F'\t' -v lab="$1" '$1 == lab && $4 == "door" { print $3 }' programs/labs/labs.tsv); do
  testbench/labs/cores.sh "$m"
done
[ "${2:-}" != without-cosim ] || exit 0
has() { awk -F'\t' -v lab="$1" -v kind="$2" '$1 == lab && $3 == kind' testbench/labs/checks.tsv | grep -q .; }
if has "$1" cosim || has "$1" plugin || has "$1" programs; then make -s build/bin/wgasmtest; fi
if has "$1" cosim; then testbench/labs/lab_sm.sh; fi
if has "$1" plugin || has "$1" programs; then make -s build/sm/tiny-fast/libwgsm.so; fi
if has "$1" faster; then   # kernels of programs/ stand there as NAME and words
  make -s build/bin/warpglass $(awk -F'\t' -v lab="$1" '$1 == lab && $3 == "faster" { sub(/.* : /, "", $4); n = split($4, k, ", ")
    for (i = 1; i <= n; i++) if (k[i] !~ "/") { sub(/ .*/, "", k[i]); print "build/programs/" k[i] "/" k[i] } }' testbench/labs/checks.tsv | sort -u)
fi
