#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Regenerate the files made from tables into a scratch folder and fail if a committed one differs.
set -euo pipefail
cd "$(dirname "$0")/.."
build/bin/isagen .
[ ! -x build/bin/mufugen ] || build/bin/mufugen .
build/bin/warpglass schema >cosim/cli/run.schema.json
if ! git diff --quiet -- rtl/pkg rtl/front/sm_decode_tab.sv isa model/ref cosim/cli/run.schema.json; then
  echo "error: generated files were stale; they are regenerated now, commit them:" >&2
  git diff --stat -- rtl/pkg rtl/front/sm_decode_tab.sv isa model/ref cosim/cli/run.schema.json >&2
  exit 1
fi
echo "generated files are current"
