#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Build one RTL unit bench: verilate its top and link it with its GoogleTest file.
#   testbench/rtl/bench.sh UNIT/NAME [run]     from testbench/rtl/UNIT/NAME_test.cc to build/test/rtl_UNIT_NAME
# Works in the current directory (a checkout or a copy). OUT=dir replaces build/. The test file says what it needs in
# its comments, one or more of:
#   // bench: top MODULE [-GParam=value ...]     module to verilate; found in rtl/*/ and testbench/rtl/UNIT/; options and
#                                               files of Verilator
#   // bench: link FILE.c ...                    golden C functions
# Class name: Vtop. build/rtl/UNIT_NAME/Vtop__ver.d lists the sources that it really contains.
set -euo pipefail
shopt -s nullglob
[[ $# -ge 1 && -f testbench/rtl/$1_test.cc ]] || {
  echo "bench.sh: error: no testbench/rtl/${1:-UNIT/NAME}_test.cc" >&2
  echo "  remedy: run it in the root of the repository and name UNIT/NAME" >&2
  exit 2
}
unit=${1%%/*} name=${1##*/} test=testbench/rtl/$1_test.cc out=${OUT:-build}
dir=$out/rtl/${unit}_$name bin=$out/test/rtl_${unit}_$name
root=$(verilator --getenv VERILATOR_ROOT)
cc="${CCACHE-ccache} clang-19 -std=c11 -O2 -ffp-contract=off -I."
cxx="${CCACHE-ccache} clang++-19 -std=c++17 -O1 -I. -I$dir -isystem $root/include -isystem $root/include/vltstd"
mkdir -p "$dir" "$out/test" "$out/rtl/lib"
exec 9> "$dir.lock"
flock 9   # two builds of one bench wait for each other
rm -f "$dir"/*.cpp "$dir"/V*.h "$dir"/*.o   # an earlier split may have had more files

top=$(sed -n 's|^// bench: top ||p' "$test")
[[ -n $top ]] || {
  echo "bench.sh: error: $test names no module" >&2
  echo "  remedy: add a line '// bench: top MODULE' to its head" >&2
  exit 2
}
links=$(sed -n 's|^// bench: link ||p' "$test")
paths=(-y "testbench/rtl/$unit")
for d in rtl/*; do [[ -d $d ]] && paths+=(-y "$d"); done
pkgs=()
for p in sm_cfg_pkg sm_isa_pkg sm_mufu_pkg sm_pkg; do
  [[ -f rtl/pkg/$p.sv ]] && pkgs+=("rtl/pkg/$p.sv")
done
[[ -f rtl/front/sm_sub_pkg.sv ]] && pkgs+=(rtl/front/sm_sub_pkg.sv)
file=$(ls rtl/*/"${top%% *}".sv "testbench/rtl/$unit/${top%% *}".sv 2>/dev/null | head -1 || true)
# shellcheck disable=SC2086  # parameters are words
verilator --cc -O3 --assert --x-assign unique --prefix Vtop --top-module ${top%% *} \
  -Wall -Wno-UNUSEDPARAM -Wno-UNUSEDSIGNAL --Mdir "$dir" "${paths[@]}" "${pkgs[@]}" \
  $([[ $top == *" "* ]] && echo "${top#* }") "$file"

shared=$(scripts/verilator_runtime.sh verilated verilated_threads)
mapfile -t objs <<<"$shared"
for c in $links; do
  o=$out/rtl/lib/$(basename "$c" .c).o
  $cc -c "$c" -o "$o"
  objs+=("$o")
done
for s in "$dir"/*.cpp; do
  $cxx -c "$s" -o "${s%.cpp}.o"
  objs+=("${s%.cpp}.o")
done
$cxx -c "$test" -o "$dir/test.o"
clang++-19 -o "$bin" "$dir/test.o" "${objs[@]}" -lgtest -lgtest_main -lpthread -latomic
[[ ${2:-} != run ]] || "$bin"
