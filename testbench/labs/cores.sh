#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Write the flat core of a lab's module in the shape of the labs, tiny.   testbench/labs/cores.sh MODULE
set -euo pipefail
IFS=', ' read -r subs warps _ _ _ _ _ _ blocks _ <<<"$(sed -n 's/^WG_SHAPE(tiny, *\(.*\))$/\1/p' isa/cfg.def)"
out=build/labs/sm
mkdir -p "$out"
for kind in core wrapper shim; do
  case $kind in core) f=$out/${1}_core.sv ;; wrapper) f=$out/lab_$1.sv ;; shim) f=$out/$1.sv ;; esac
  python3 testbench/labs/shim.py $kind "$1" "$f.new" SubCores="$subs" WarpSlots="$warps" BlockSlots="$blocks"
  if cmp -s "$f.new" "$f"; then rm "$f.new"; else mv "$f.new" "$f"; fi
done
