#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Lint rtl/: Verilator -Wall for every shape (and two sub-cores) with the waivers of rtl/lint.vlt, and the rules a grep can hold.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/need.sh verilator
fail=0
for f in $(find rtl -name '*.sv'); do
  n=$(grep -cx "$f" rtl/sm.f || true)
  [ "$n" = 1 ] || { echo "error: $f stands $n times in rtl/sm.f, once is right"; fail=1; }
done
if grep -nE '^\s*(`ifdef|`ifndef|import )|import +"DPI|lint_off' $(find rtl -name '*.sv'); then
  echo 'error: rtl/ must not contain ifdef, import, DPI or lint_off'; fail=1
fi
# a reason stands where it is needed: numbers of a list that is not in the repository tell nobody anything
if grep -rnE 'decisions? D[0-9]|[[(]D1?[0-9][])]|order of D[0-9]' --include='*.[chsv]' --include='*.sv' --include='*.cc' \
  --include='*.md' --include='*.py' --include='*.sh' --include='*.cfg' --include='*.def' --exclude=lint.sh \
  README.md CONTRIBUTING.md configs cosim isa model programs rtl runtime scripts testbench toolchain waves; then
  echo 'error: give the reason, or a file of the repository, instead of the number of a decision'; fail=1
fi
# the shapes of isa/cfg.def and one with two sub-cores, two Verilators at a time; what each says is printed in its turn
out=$(mktemp -d) && trap 'rm -rf "$out"' EXIT
shapes() {
  echo 'two-sub-cores 2 8 16 16 8 4 16384 131072 16 8192 2048 1'
  sed -n 's/^WG_SHAPE(\(.*\))$/\1/p' isa/cfg.def | grep -v '^ID,' | tr -d ','
}
shape() {
  verilator --lint-only -Wall --top-module sm_top -GSubCores="$2" -GWarpSlots="$3" -GLanesInt="$4" -GLanesFp32="$5" -GLanesFp64="$6" \
    -GLanesSfu="$7" -GRegsPerSubcore="$8" -GSmemBytes="$9" -GBlockSlots="${10}" -GL1iBytes="${11}" -GL0iBytes="${12}" -GMmaRows="${13}" \
    rtl/lint.vlt -f rtl/sm.f > "$out/$1" 2>&1 && touch "$out/$1.ok"
}
export -f shape
export out
shapes | sort -k2,2nr -s | xargs -P 2 -L 1 bash -c 'shape "$@"' shape || true
for name in $(shapes | cut -d ' ' -f 1); do
  echo "lint $name"
  cat "$out/$name"
  [ -e "$out/$name.ok" ] || fail=1
done
exit $fail
