#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Build and run every RTL unit bench (testbench/rtl/UNIT/NAME_test.cc). A bench that does not build or dies is a
# failure.
set -u
cd "$(dirname "$0")/../.."
fail=0
for t in testbench/rtl/*/*_test.cc; do
  bench=${t#testbench/rtl/}
  bench=${bench%_test.cc}
  if ! testbench/rtl/bench.sh "$bench" > "build/rtl_bench.log" 2>&1; then
    cat build/rtl_bench.log
    echo "error: bench $bench does not build"
    echo "0 passed, 1 failed"
    fail=1
    continue
  fi
  "build/test/rtl_${bench/\//_}" --gtest_brief=1 || { echo "$bench: exit code $?"; fail=1; }
done
exit $fail
