#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Read rtl/ with Yosys: the whole SM without flattening (implicit declarations are errors, check -assert, no latches), and
# print cells and memory bits per module. Shape tiny. Output: build/synth/.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/need.sh yosys
mkdir -p build/synth
read -r _ subs warps lint lfp32 lfp64 lsfu regs smem blocks l1i < <(sed -n 's/^WG_SHAPE(\(tiny.*\))$/\1/p' isa/cfg.def | tr -d ',')
yosys -e 'implicitly declared' -l build/synth/sm.log -q -p "
  read_verilog -sv $(tr '\n' ' ' < rtl/sm.f)
  hierarchy -check -top sm_top -chparam SubCores $subs -chparam WarpSlots $warps -chparam LanesInt $lint \
    -chparam LanesFp32 $lfp32 -chparam LanesFp64 $lfp64 -chparam LanesSfu $lsfu -chparam RegsPerSubcore $regs -chparam SmemBytes $smem \
    -chparam BlockSlots $blocks -chparam L1iBytes $l1i
  proc; opt -fast; memory -nomap; check -assert
  select -assert-none t:\$dlatch t:\$adlatch t:\$dlatchsr
  tee -o build/synth/stat.txt stat"
awk '/^===/ {m=$2} /Number of cells:/ {printf "%-60s %8d cells\n", m, $4}' build/synth/stat.txt
echo "synth: no latch, no implicit declaration, check passed"
