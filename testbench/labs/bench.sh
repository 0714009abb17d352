#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Build a bench of testbench/rtl, or of testbench/labs/bench (UNIT: labs), around a submission.
#   testbench/labs/bench.sh UNIT/NAME FILE|rtl DIR
# Result: DIR/bench. FILE is read before the project's modules and so replaces the one of its name. With `rtl` it is built with the
# project's own, and what does not depend on the submission (test, C functions) is left in build/labs/lib/UNIT_NAME for the others.
set -euo pipefail
unit=${1%%/*} name=${1##*/} file=$2 dir=$3 test=testbench/rtl/$1_test.cc
[[ $unit != labs ]] || test=testbench/labs/bench/${name}_test.cc
lib=build/labs/lib/${unit}_$name
root=$(verilator --getenv VERILATOR_ROOT)
cxx=(clang++-19 -std=c++17 -I. "-I$dir" -Itestbench/labs/vtop -isystem "$root/include" -isystem "$root/include/vltstd")
top=$(sed -n 's|^// bench: top ||p' "$test")
options=()
[[ $top != *" "* ]] || read -r -a options <<<"${top#* }"
top=${top%% *}
[[ $unit != labs ]] || unit=$(sed -n 's|^// bench: dir ||p' "$test")   # whose bench modules it takes
paths=(-y "testbench/rtl/$unit")
for d in rtl/*/; do paths+=(-y "$d"); done
files=()
[[ $file == rtl ]] || files+=("$file")
bench=testbench/rtl/$unit/$top.sv
[[ ! -f $bench ]] || files+=("$bench")
solution=testbench/labs/reference/$name.sv   # of a lab whose module the project does not have
if [[ $file == rtl && -f $solution ]]; then files+=("$solution")
elif [[ ! -f $bench && ${file##*/} != "$top.sv" ]]; then files+=(rtl/*/"$top.sv")   # the top is the project's, with the submission inside
fi
mkdir -p "$dir"
verilator --cc -O3 --assert --x-assign unique --prefix Vcore --top-module "$top" --trace --trace-structs -Wno-lint -Wno-UNOPTFLAT \
  --Mdir "$dir" "${paths[@]}" rtl/pkg/sm_cfg_pkg.sv rtl/pkg/sm_isa_pkg.sv rtl/pkg/sm_mufu_pkg.sv rtl/pkg/sm_pkg.sv rtl/front/sm_sub_pkg.sv \
  "${options[@]}" "${files[@]}"
for s in "$dir"/Vcore*.cpp; do echo "#include \"${s##*/}\""; done > "$dir/all.cpp"
"${cxx[@]}" -O1 -w -c "$dir/all.cpp" -o "$dir/all.o"
if [[ $file == rtl ]]; then
  mkdir -p "$lib"
  for c in $(sed -n 's|^// bench: link ||p' "$test"); do
    clang-19 -std=c11 -O2 -ffp-contract=off -I. -c "$c" -o "$lib/c_$(basename "$c" .c).o"
  done
  "${cxx[@]}" -O1 -c "$test" -o "$lib/test.o"
  "${cxx[@]}" -O1 -c testbench/labs/lab_main.cc -o "$lib/main.o"
  cp "$dir/Vcore.h" "$lib/Vcore.h"
fi
objects=("$lib/test.o" "$lib/main.o")
if ! cmp -s "$dir/Vcore.h" "$lib/Vcore.h"; then   # the model's class is another one
  "${cxx[@]}" -O1 -c "$test" -o "$dir/test.o"
  "${cxx[@]}" -O1 -c testbench/labs/lab_main.cc -o "$dir/main.o"
  objects=("$dir/test.o" "$dir/main.o")
fi
r=build/obj/verilated
clang++-19 -o "$dir/bench" "$dir/all.o" "${objects[@]}" $(ls "$lib"/c_*.o 2>/dev/null) "$r/verilated.o" "$r/verilated_threads.o" "$r/verilated_vcd_c.o" \
  -lgtest -lpthread -latomic
