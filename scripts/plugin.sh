#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Verilate one warp scheduling policy alone and make it a plug-in of the pick port, in seconds: build/plugin/NAME.so.
#   scripts/plugin.sh NAME [WARP_SLOTS] [FILE.sv]    module sm_sched_NAME, by default in rtl/sched/sm_sched_NAME.sv
# Use: warpglass run --sched plugin:NAME ...
set -euo pipefail
cd "$(dirname "$0")/.."
name=${1:?usage: scripts/plugin.sh NAME [WARP_SLOTS] [FILE.sv]}
slots=${2:-16}
file=${3:-rtl/sched/sm_sched_$name.sv}
[ -f "$file" ] || { echo "error: no file '$file'" >&2; exit 1; }
grep -q "^module sm_sched_$name\b" "$file" || { echo "error: '$file' has no module sm_sched_$name" >&2; exit 1; }
out=build/plugin/$name-$slots
mkdir -p "$out"
age=() ; grep -q '\bolder_i\b' "$file" && age=(-DWG_HAS_AGE)
root=$(verilator --getenv VERILATOR_ROOT)
verilator --cc --Mdir "$out" --top-module sm_policy_top -O3 -Wall -Wno-UNUSEDSIGNAL -CFLAGS "-fPIC -w" "-DWG_POLICY=sm_sched_$name" \
  "${age[@]}" -GWarpSlots="$slots" rtl/pkg/sm_cfg_pkg.sv "$file" testbench/plugin/sm_policy_top.sv
make -s -C "$out" -f Vsm_policy_top.mk -j2 CXX=clang++-19 LINK=clang++-19 OPT_FAST=-O2 Vsm_policy_top__ALL.a >/dev/null
inc=(-I"$root/include" -I"$root/include/vltstd" -I"$out" -I.)
shared=$(scripts/verilator_runtime.sh verilated verilated_threads)
mapfile -t objs <<<"$shared"
clang++-19 -std=c++17 -O2 -fPIC -Wall "${inc[@]}" "-DWG_POLICY_NAME=\"$name\"" -c cosim/policy_plugin_vl.cc -o "$out/plugin.o"
clang++-19 -shared -o "$out/plugin.so" "$out/plugin.o" "$out/Vsm_policy_top__ALL.a" "${objs[@]}" \
  -Wl,-Bsymbolic -lpthread
cp "$out/plugin.so" "build/plugin/$name.so.new" && mv "build/plugin/$name.so.new" "build/plugin/$name.so"
echo "build/plugin/$name.so"
