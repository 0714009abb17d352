#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Run every GoogleTest binary of testbench/unit. A binary that dies counts as one failure.
set -u
cd "$(dirname "$0")/.."
fail=0
for d in testbench/unit/*/; do
  t=build/test/unit_$(basename "$d")
  "$t" --gtest_brief=1 || { fail=1; echo "$t: exit code $?"; }
done
exit $fail
