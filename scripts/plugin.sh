#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Verilate one warp scheduling policy alone and make it a plug-in of the pick port, in seconds: build/plugin/NAME.so.
#   scripts/plugin.sh NAME [WARP_SLOTS] [FILE.sv]    module sm_sched_NAME in a file of any name, by default rtl/sched/sm_sched_NAME.sv
# Use: warpglass run --sched plugin:NAME ...
set -euo pipefail
cd "$(dirname "$0")/.."
die() { echo "error: $1; remedy: $2" >&2; exit 2; }
[[ $# -ge 1 && $# -le 3 ]] || die "$# words instead of 1 to 3" "scripts/plugin.sh NAME [WARP_SLOTS] [FILE.sv]"
name=$1
[[ $name =~ ^[A-Za-z0-9_]+$ ]] || die "'$name' is no name of a module" "letters, digits and _"
slots=${2:-16}
[[ $slots == 8 || $slots == 16 ]] || die "'$slots' is no number of warp slots" "8 for the shape tiny, 16 for the others"
file=${3:-rtl/sched/sm_sched_$name.sv}
have=$(sed -n 's/^WG_POLICY([^"]*"\(\w*\)".*/\1/p' isa/cfg.def | grep -vx ext | paste -sd ' ')
[ -f "$file" ] || die "no file '$file'" "write it, or one of $have"
grep -q "^module sm_sched_$name\b" "$file" || die "'$file' has no module sm_sched_$name" "the file name is the third word"
scripts/need.sh verilator clang++-19
out=build/plugin/$name-$slots
mkdir -p "$out"
root=$(verilator --getenv VERILATOR_ROOT)
verilator --cc --Mdir "$out" --top-module sm_policy_top -O3 -Wall -Wno-UNUSEDSIGNAL -CFLAGS "-fPIC -w" "-DWG_POLICY=sm_sched_$name" \
  -Wno-UNUSEDPARAM -Wno-DECLFILENAME -GWarpSlots="$slots" -y rtl/sched rtl/pkg/sm_cfg_pkg.sv rtl/pkg/sm_isa_pkg.sv rtl/pkg/sm_pkg.sv rtl/front/sm_sub_pkg.sv \
  "$file" testbench/plugin/sm_policy_top.sv
make -s -C "$out" -f Vsm_policy_top.mk -j2 CXX=clang++-19 LINK=clang++-19 OPT_FAST=-O2 Vsm_policy_top__ALL.a >/dev/null
inc=(-I"$root/include" -I"$root/include/vltstd" -I"$out" -I.)
shared=$(scripts/verilator_runtime.sh verilated verilated_threads)
mapfile -t objs <<<"$shared"
clang++-19 -std=c++17 -O2 -fPIC -Wall "${inc[@]}" "-DWG_POLICY_NAME=\"$name\"" "-DWG_POLICY_SLOTS=$slots" \
  -c cosim/policy_plugin_vl.cc -o "$out/plugin.o"
clang++-19 -shared -o "$out/plugin.so" "$out/plugin.o" "$out/Vsm_policy_top__ALL.a" "${objs[@]}" \
  -Wl,-Bsymbolic -lpthread
cp "$out/plugin.so" "build/plugin/$name.so.new" && mv "build/plugin/$name.so.new" "build/plugin/$name.so"
echo "build/plugin/$name.so"
