#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Write rtl/sm.f, the one list of RTL sources: packages in order, then every other file of rtl/ by path.
set -euo pipefail
cd "$(dirname "$0")/.."
pkgs=(rtl/pkg/sm_cfg_pkg.sv rtl/pkg/sm_isa_pkg.sv rtl/pkg/sm_mufu_pkg.sv rtl/pkg/sm_pkg.sv rtl/front/sm_sub_pkg.sv)
{
  printf '%s\n' "${pkgs[@]}"
  find rtl -name '*.sv' | LC_ALL=C sort | grep -vxF "$(printf '%s\n' "${pkgs[@]}")"
} > rtl/sm.f.new
mv rtl/sm.f.new rtl/sm.f
