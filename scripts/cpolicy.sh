#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Make a warp scheduler written in C a plug-in of the pick port: build/plugin/c/NAME.so.
#   scripts/cpolicy.sh NAME FILE.c     FILE.c defines `const wg_sched_policy_t wg_sched_NAME` (model/twin/sched.h)
# Use: warpglass run --sched c:NAME ...
set -euo pipefail
[ $# = 2 ] || { echo "usage: scripts/cpolicy.sh NAME FILE.c" >&2; exit 2; }
name=$1 file=$2
[[ $file == /* ]] || file=$PWD/$file
cd "$(dirname "$0")/.."
[[ $name =~ ^[A-Za-z_][A-Za-z0-9_]*$ ]] || { echo "error: '$name' is no C identifier" >&2; exit 2; }
[ -f "$file" ] || { echo "error: no file '$file'; remedy: write it by cosim/POLICY.md" >&2; exit 2; }
grep -q "\bwg_sched_$name\b" "$file" || { echo "error: '$file' does not define wg_sched_$name; remedy: NAME is what stands behind wg_sched_ there" >&2; exit 2; }
mkdir -p build/plugin/c
clang-19 -std=c11 -O2 -fPIC -Wall -Wextra -I. -shared -Wl,-Bsymbolic -o "build/plugin/c/$name.so.new" "$file"
mv "build/plugin/c/$name.so.new" "build/plugin/c/$name.so"
echo "build/plugin/c/$name.so"
