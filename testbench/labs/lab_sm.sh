#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Build what every submission shares: the SM of the labs (shape tiny) in which each lab's module is a door (shim.py), and the
# project's own modules as libraries behind the doors.   testbench/labs/lab_sm.sh
# Result: build/labs/sm/libwgsm.so, build/labs/sm/lab_MODULE.so. Nothing is done if it is newer than its sources.
set -euo pipefail
cd "$(dirname "$0")/../.."
scripts/need.sh verilator clang++-19
out=build/labs/sm
mkdir -p "$out"
exec 9> "$out.lock"
flock 9
modules=$(grep -v '^#' testbench/labs/doors.txt)
if [ -e "$out/libwgsm.so" ]; then
  newer=$(find rtl testbench/probe testbench/labs/lab_sm.sh testbench/labs/shim.py testbench/labs/door.h testbench/labs/doors.txt cosim/sm_dut_vl.cc cosim/sm_dut.h cosim/probe.h \
    -newer "$out/libwgsm.so" -type f | head -1)
  [ -n "$newer" ] || exit 0
fi
IFS=', ' read -r subs warps lint lfp32 lfp64 lsfu regs smem blocks l1i l0i mrows <<<"$(sed -n 's/^WG_SHAPE(tiny, *\(.*\))$/\1/p' isa/cfg.def)"
root=$(verilator --getenv VERILATOR_ROOT)
cxx=clang++-19
command -v ccache >/dev/null && cxx="ccache $cxx"
pkgs=(rtl/pkg/sm_cfg_pkg.sv rtl/pkg/sm_isa_pkg.sv rtl/pkg/sm_mufu_pkg.sv rtl/pkg/sm_pkg.sv rtl/front/sm_sub_pkg.sv)
inc=(-I"$root/include" -I"$root/include/vltstd" -I.)
mapfile -t objs < <(scripts/verilator_runtime.sh verilated verilated_dpi verilated_threads)
cp rtl/sm.f "$out/sm.f"
wrappers=()
for m in $modules; do
  testbench/labs/cores.sh "$m"
  if [ ! -e "$out/lab_$m.so" ] || [ -n "$(find rtl testbench/labs/door.sh testbench/labs/door.h testbench/labs/shim.py -newer "$out/lab_$m.so" -type f | head -1)" ]; then
    testbench/labs/door.sh "$m" rtl "$out/$m" "$out/lab_$m.so"
  fi
  sed -i "s|^rtl/[a-z]*/$m\.sv\$|$out/$m.sv|" "$out/sm.f"
  wrappers+=("$out/lab_$m.sv")
done
probes=(testbench/probe/sm_probe_pkg.sv)
for p in testbench/probe/*.sv; do [ "$p" = testbench/probe/sm_probe_pkg.sv ] || probes+=("$p"); done
rm -rf "$out/obj"
# a door looks like a loop of all its inputs and outputs; evaluation settles (UNOPTFLAT)
verilator --cc --Mdir "$out/obj" --top-module sm_top -O3 --assert --x-assign fast --x-initial unique --expand-limit 4 -fno-dfg \
  --output-split 15000 --output-split-cfuncs 3000 -CFLAGS "-fPIC -w" -Wno-UNOPTFLAT -Wno-lint \
  -GSubCores="$subs" -GWarpSlots="$warps" -GLanesInt="$lint" -GLanesFp32="$lfp32" -GLanesFp64="$lfp64" -GLanesSfu="$lsfu" \
  -GRegsPerSubcore="$regs" -GSmemBytes="$smem" -GBlockSlots="$blocks" -GL1iBytes="$l1i" -GL0iBytes="$l0i" -GMmaRows="$mrows" \
  rtl/lint.vlt -f "$out/sm.f" "${wrappers[@]}" "${probes[@]}"
env -u MAKEFLAGS -u MAKELEVEL make -s -C "$out/obj" -f Vsm_top.mk -j"${JOBS:-2}" CXX="$cxx" LINK="$cxx" OPT_FAST="-O2" OPT_SLOW="-O0" OPT_GLOBAL="-O2" \
  Vsm_top__ALL.a >/dev/null
# evaluation to the end in every cycle: the shortcut of sm_dut_vl.cc knows no loops, and doors look like some
sed 's/VERILATOR_VERSION_INTEGER == 5006000/0/' cosim/sm_dut_vl.cc > "$out/sm_dut_vl.cc"
$cxx -std=c++17 -O2 -fPIC -Wall "${inc[@]}" -I"$out/obj" -DWG_SHAPE_NAME='"tiny"' -DWG_SUB_CORES="$subs" \
  -DWG_WARP_SLOTS="$warps" -DWG_LANES_INT="$lint" -DWG_LANES_FP32="$lfp32" -DWG_LANES_SFU="$lsfu" -DWG_REGS="$regs" \
  -DWG_SMEM="$smem" -DWG_BLOCKS="$blocks" -DWG_L1I="$l1i" -DWG_L0I="$l0i" -DWG_MROWS="$mrows" -c "$out/sm_dut_vl.cc" -o "$out/sm_dut_vl.o"
clang++-19 -shared -o "$out/libwgsm.so.new" "$out/sm_dut_vl.o" "$out/obj/Vsm_top__ALL.a" "${objs[@]}" -Wl,-Bsymbolic -lz -lpthread
mv "$out/libwgsm.so.new" "$out/libwgsm.so"
