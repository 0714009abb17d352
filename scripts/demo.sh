#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The lecture's 1-D convolution from its .cu on the RTL: one SM of the v100 preset, lockstep on, a waveform of the first cycles.
# Writes build/demo/{report.txt, convolve_1d.fst}; the verdict is the last line, the exit code says the same.
set -euo pipefail
cd "$(dirname "$0")/.."
out=build/demo
mkdir -p "$out"
n=${N:-4096} from=${FROM:-0} to=${TO:-6000}
[[ $n =~ ^[1-9][0-9]{0,6}$ ]] || { echo "error: N='$n' is no number of elements; remedy: 1 to 9999999" >&2; exit 2; }
rm -f "$out/convolve_1d.fst"  # no picture of an earlier run
prog=build/programs/convolve_1d/convolve_1d
printf 'programs/convolve_1d/convolve_1d.cu, N=%s, preset v100, one SM, lockstep level retire\n\n' "$n"
status=0
build/bin/warpglass run --preset v100 --sms 1 --counters --trace "$out/convolve_1d.fst" --from "$from" --to "$to" \
  "$prog" "$n" > "$out/report.txt" 2> "$out/errors.txt" || status=$?
sed '/^launch kernel/,$d' "$out/report.txt"  # what the program itself printed
cat "$out/errors.txt"
echo
awk '/^ +[0-9]+ _Z/ {k=$2; n[k]++; c[k]+=$3; if (!(k in first)) {first[k]=$3; order[++m]=k} last[k]=$3}
     END {printf "%-28s %8s %12s %12s %12s\n", "kernel", "launches", "first cycles", "last cycles", "all cycles"
          for (i=1;i<=m;i++) {k=order[i]; printf "%-28s %8d %12d %12d %12d\n", k, n[k], first[k], last[k], c[k]}}' "$out/report.txt"
echo
echo "report:   $out/report.txt (every launch's counters)"
[ ! -s "$out/convolve_1d.fst" ] || echo "waveform: $out/convolve_1d.fst, cycles $from to $to; view it: WG_VIEW=sched WG_FILTERS=isa/gen/gtkwave gtkwave -S waves/views.tcl $out/convolve_1d.fst"
grep '^checked:' "$out/report.txt" || true
tail -1 "$out/report.txt"
exit $status
