#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Make a block policy written in C loadable: build/plugin/blocks/NAME.so.
#   scripts/cblocks.sh NAME FILE.c     FILE.c defines `const wg_gte_policy_t wg_gte_policy_NAME` (model/gte/gte_policy.h)
# Use: warpglass run --blocks c:NAME ...
set -euo pipefail
[ $# = 2 ] || { echo "usage: scripts/cblocks.sh NAME FILE.c" >&2; exit 2; }
name=$1 file=$2
[[ $file == /* ]] || file=$PWD/$file
cd "$(dirname "$0")/.."
[[ $name =~ ^[A-Za-z_][A-Za-z0-9_]{0,8}$ ]] || { echo "error: '$name' is no C identifier of at most 9 letters" >&2; exit 2; }
[ -f "$file" ] || { echo "error: no file '$file'; remedy: write it by cosim/POLICY.md" >&2; exit 2; }
grep -q "\bwg_gte_policy_$name\b" "$file" || { echo "error: '$file' does not define wg_gte_policy_$name; remedy: NAME is what stands behind wg_gte_policy_" >&2; exit 2; }
mkdir -p build/plugin/blocks
clang-19 -std=c11 -O2 -fPIC -Wall -Wextra -I. -DWG_GTE_PLUGIN -include model/gte/policy_c.h -shared -Wl,-Bsymbolic -Wl,-z,defs \
  -o "build/plugin/blocks/$name.so.new" "$file"
mv "build/plugin/blocks/$name.so.new" "build/plugin/blocks/$name.so"
echo "build/plugin/blocks/$name.so"
