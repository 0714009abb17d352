#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Recorded cycle counts: `update` rewrites programs/*/cycles.tsv from fresh runs and prints what moved, `check` compares
# exactly. The runs are the lines of programs/runs.tsv: program, arguments, settings. Further arguments name programs.
set -u
cd "$(dirname "$0")/.." || exit 2
mode=${1:-}
[ $# -eq 0 ] || shift
case $mode in
  update | check) ;;
  *) echo "usage: programs/cycles.sh update|check [program ...]" >&2; exit 2 ;;
esac
wanted=" $* "
failed=0
tab=$(printf '\t')
while IFS=$tab read -r name args settings; do
  case $name in '' | '#'*) continue ;; esac
  [ "$wanted" = "  " ] || case $wanted in *" $name "*) ;; *) continue ;; esac
  echo "== $name $args ($settings)"
  # shellcheck disable=SC2086 # the arguments are words
  WARPGLASS=$settings build/bin/warpglass run --cycles-$mode "programs/$name/cycles.tsv" \
    "build/programs/$name/$name" $args </dev/null || failed=1
done <programs/runs.tsv
exit $failed
