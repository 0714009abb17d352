#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Compile parts of Verilator's runtime once for everything that is verilated (the SMs, policy plug-ins, RTL benches) and print
# the objects' paths, one a line.   scripts/verilator_runtime.sh NAME ...   NAME: verilated, verilated_threads, ...
# Works in the current directory (a checkout or a copy); OUT=dir replaces build/.
set -euo pipefail
scripts/need.sh verilator "${CXX:-clang++-19}"
root=$(verilator --getenv VERILATOR_ROOT)
[ $# -gt 0 ] || { echo "error: no part named; remedy: scripts/verilator_runtime.sh verilated verilated_threads" >&2; exit 2; }
for r in "$@"; do
  [ -f "$root/include/$r.cpp" ] || { echo "error: Verilator has no part '$r'; remedy: a file of $root/include, without .cpp" >&2; exit 2; }
done
out=${OUT:-build}/obj/verilated
mkdir -p "$out"
exec 9> "$out/lock"
flock 9  # two builds at the same time must not both write an object
cxx="${CXX:-clang++-19}"
ccache=$(command -v ccache || true)
for r in "$@"; do
  o=$out/$r.o
  # a newer Verilator is another runtime
  if [ ! -e "$o" ] || [ "$root/include/$r.cpp" -nt "$o" ] || [ scripts/verilator_runtime.sh -nt "$o" ]; then
    $ccache "$cxx" -std=c++17 -O3 -fPIC -DVL_TIME_CONTEXT -I"$root/include" -I"$root/include/vltstd" -c "$root/include/$r.cpp" -o "$o.new"
    mv "$o.new" "$o"
  fi
  echo "$o"
done
