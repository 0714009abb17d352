#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Read rtl/ with Yosys and count what it holds: scripts/synth.py.   scripts/synth.sh [--update]
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/need.sh yosys
exec python3 scripts/synth.py "$@"
