#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Make the library behind a lab's door from one module.   testbench/labs/door.sh MODULE FILE|rtl DIR OUT.so
# FILE: a file that holds the module; rtl: the project's own. DIR: scratch. The flat core comes from build/labs/sm/MODULE_core.sv,
# the Verilator runtime must have been built (lab_sm.sh does both). Only door functions are visible outside of OUT.so.
set -euo pipefail
module=$1 file=$2 dir=$3 so=$4
[ "$file" != rtl ] || file=$(ls rtl/*/"$module.sv")
root=$(verilator --getenv VERILATOR_ROOT)
mkdir -p "$dir"
paths=()
for d in rtl/*/; do paths+=(-y "$d"); done
verilator --cc -O3 --top-module "lab_$module" --prefix "Vlab_$module" --Mdir "$dir" -Wno-lint -Wno-UNOPTFLAT --x-assign fast \
  --x-initial unique "${paths[@]}" rtl/pkg/sm_cfg_pkg.sv rtl/pkg/sm_isa_pkg.sv rtl/pkg/sm_mufu_pkg.sv rtl/pkg/sm_pkg.sv rtl/front/sm_sub_pkg.sv \
  "$file" "build/labs/sm/${module}_core.sv"
python3 testbench/labs/shim.py library "$module" "$dir/door.cpp" "$dir/Vlab_$module.h"
for s in "$dir"/V*.cpp "$dir/door.cpp"; do echo "#include \"${s##*/}\""; done > "$dir/all.cc"
printf '{ global: lab_%s_*; local: *; };\n' "$module" > "$dir/door.map"
runtime=build/obj/verilated
clang++-19 -std=c++17 -O2 -w -fPIC -shared -I. -I"$root/include" -I"$root/include/vltstd" -I"$dir" -o "$so.new" "$dir/all.cc" \
  "$runtime/verilated.o" "$runtime/verilated_threads.o" -Wl,--version-script="$dir/door.map" -lpthread
mv "$so.new" "$so"
