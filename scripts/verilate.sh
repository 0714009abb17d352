#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Verilate the SM for one shape and variant and link build/sm/<shape>-<variant>/libwgsm.so.
#   scripts/verilate.sh SHAPE VARIANT     SHAPE: a WG_SHAPE of isa/cfg.def; VARIANT: fast | wave | inject
# Verilator leaves unchanged files untouched, so an edit recompiles only what it changed. Both cores compile.
set -euo pipefail
cd "$(dirname "$0")/.."
die() { echo "error: $1; remedy: $2" >&2; exit 2; }
[ $# = 2 ] || die "$# words instead of 2" "scripts/verilate.sh SHAPE VARIANT"
shape=$1 variant=$2
shapes=$(grep -oP '^WG_SHAPE.\K\w+' isa/cfg.def | paste -sd ' ')
line=$(sed -n "s/^WG_SHAPE($shape, *\(.*\))$/\1/p" isa/cfg.def)
[[ -n $line && " $shapes " == *" $shape "* ]] || die "no shape '$shape'" "one of $shapes"
case $variant in fast|wave|inject) ;; *) die "no variant '$variant'" "one of fast wave inject" ;; esac
IFS=', ' read -r subs warps lint lfp32 lfp64 lsfu regs smem blocks l1i l0i mrows <<<"$line"
scripts/need.sh verilator "${CXX:-clang++-19}"
out=build/sm/$shape-$variant
mkdir -p "$out"
# Two builds must not share a folder: a compiler that still runs after its make was killed would read the headers of the next
# build and leave its object in the compiler cache under the old ones. Every process below inherits the lock.
exec 9> "$out.lock"
flock -n 9 || { echo "waiting for another build of $out" >&2; flock 9; }
root=$(verilator --getenv VERILATOR_ROOT)
cxx="${CXX:-clang++-19}"
command -v ccache >/dev/null && cxx="ccache $cxx"
# wide rows use this machine's vector instructions (integers only: same results); MARCH=-march=x86-64-v3 for a build that
# other machines use, such as the nodes of a cluster
march=${MARCH--march=native}
${CXX:-clang++-19} $march -E -x c++ /dev/null >/dev/null 2>&1 || march=
trace=() ; inject=() ; tracedef=() ; runtime=(verilated verilated_dpi verilated_threads)
case $variant in
  fast) ;;
  wave) trace=(--trace-fst --trace-structs); tracedef=(-DWG_TRACE); runtime+=(verilated_fst_c) ;;
  # forcing a signal makes it look circular, and data flow optimization would read past it; only this variant is built so, and only it carries the assertions of testbench/sva
  inject) inject=(testbench/inject.vlt -fno-dfg -Wno-UNOPTFLAT testbench/sva/*.sv); trace=(--trace-fst --trace-structs)
    tracedef=(-DWG_TRACE -DWG_INJECTION); runtime+=(verilated_fst_c) ;;
esac

probes=(testbench/probe/sm_probe_pkg.sv)
for p in testbench/probe/*.sv; do [ "$p" = testbench/probe/sm_probe_pkg.sv ] || probes+=("$p"); done
rm -f "$out"/Vsm_top*.cpp "$out"/Vsm_top*.h  # split files of an earlier state; ccache keeps the work
verilator --cc --Mdir "$out" --top-module sm_top -O3 -Wall --assert --x-assign fast --x-initial unique --expand-limit 4 \
  --output-split 15000 --output-split-cfuncs 3000 -CFLAGS "-fPIC -w" "${trace[@]}" \
  -GSubCores="$subs" -GWarpSlots="$warps" -GLanesInt="$lint" -GLanesFp32="$lfp32" -GLanesFp64="$lfp64" -GLanesSfu="$lsfu" \
  -GRegsPerSubcore="$regs" -GSmemBytes="$smem" -GBlockSlots="$blocks" -GL1iBytes="$l1i" -GL0iBytes="$l0i" -GMmaRows="$mrows" \
  rtl/lint.vlt -f rtl/sm.f "${probes[@]}" "${inject[@]}"

env -u MAKEFLAGS -u MAKELEVEL make -s -C "$out" -f Vsm_top.mk -j"${JOBS:-2}" CXX="$cxx" LINK="$cxx" OPT_FAST="-O3 $march" OPT_SLOW="-O0" OPT_GLOBAL="-O3" \
  Vsm_top__ALL.a >/dev/null

inc=(-I"$root/include" -I"$root/include/vltstd" -I"$out" -I.)
shared=$(scripts/verilator_runtime.sh "${runtime[@]}")
mapfile -t objs <<<"$shared"
$cxx -std=c++17 -O2 -fPIC -Wall "${inc[@]}" "${tracedef[@]}" -DWG_SHAPE_NAME="\"$shape\"" -DWG_SUB_CORES="$subs" \
  -DWG_WARP_SLOTS="$warps" -DWG_LANES_INT="$lint" -DWG_LANES_FP32="$lfp32" -DWG_LANES_SFU="$lsfu" -DWG_REGS="$regs" \
  -DWG_SMEM="$smem" -DWG_BLOCKS="$blocks" -DWG_L1I="$l1i" -DWG_L0I="$l0i" -DWG_MROWS="$mrows" -c cosim/sm_dut_vl.cc -o "$out/sm_dut_vl.o"
needs=$(${CXX:-clang++-19} $march -dM -E -x c++ /dev/null | sed -nE 's/^#define __(AVX|AVX2|BMI|BMI2|FMA|AVX512(F|BW|CD|DQ|VL|VBMI|VBMI2|VNNI|IFMA|BITALG|VPOPCNTDQ))__ 1$/X(\L\1)/p' | tr '\n' ' ')
${CC:-clang-19} -std=c11 -O2 -fPIC -Wall -I. -DWG_NEEDS="$needs" -c cosim/sm_dut_cpu.c -o "$out/sm_dut_cpu.o"
${CXX:-clang++-19} -shared -o "$out/libwgsm.so.new" "$out/sm_dut_vl.o" "$out/sm_dut_cpu.o" "$out/Vsm_top__ALL.a" "${objs[@]}" \
  -Wl,-Bsymbolic -lz -lpthread
mv "$out/libwgsm.so.new" "$out/libwgsm.so"
