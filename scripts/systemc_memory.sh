#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Make a memory in SystemC a library of the back end `systemc`: build/systemc/NAME.so.
#   scripts/systemc_memory.sh NAME FILE.cc     FILE.cc derives a class from wg_sc_memory and names it by WG_SC_MEMORY
# Use: warpglass run --backend systemc --memory NAME[:ARGUMENT] ...     The page about it: cosim/systemc/README.md
set -euo pipefail
here=$PWD
cd "$(dirname "$0")/.."
[ $# = 2 ] || { echo "usage: scripts/systemc_memory.sh NAME FILE.cc" >&2; exit 2; }
name=$1 file=$2
[[ $name =~ ^[A-Za-z0-9_-]{1,63}$ ]] || { echo "error: '$name' is no name; remedy: letters, digits, _ and -, at most 63" >&2; exit 2; }
[[ $file = /* ]] || file=$here/$file
[ -f "$file" ] || { echo "error: no file '$2'; remedy: begin with a copy of cosim/systemc/fixed_latency.cc" >&2; exit 2; }
grep -q "WG_SC_MEMORY" "$file" || { echo "error: '$2' names no memory; remedy: WG_SC_MEMORY(your_class) in it" >&2; exit 2; }
cxx="${CXX:-clang++-19}"
scripts/need.sh "$cxx"
[ -e /usr/include/systemc ] || { echo "error: no SystemC headers; remedy: make deps, or apt-get install --no-install-recommends libsystemc-dev" >&2; exit 2; }
mkdir -p build/systemc
command -v ccache >/dev/null && cxx="ccache $cxx"
$cxx -std=c++17 -O2 -fPIC -Wall -Wextra -I. -c "$file" -o "build/systemc/$name.o"
${CXX:-clang++-19} -shared -o "build/systemc/$name.so.new" "build/systemc/$name.o" -Wl,-Bsymbolic -lsystemc
mv "build/systemc/$name.so.new" "build/systemc/$name.so"
echo "build/systemc/$name.so"
