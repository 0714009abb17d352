#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Check that the Debian packages are there. As root (or with WG_SUDO=1 and sudo) missing ones are installed; otherwise the
# command to run is printed and the exit code is 1. `deps.sh browser`: also Chromium, which testbench/html looks at pages with;
# `deps.sh cluster`: also Slurm, munge, GNU parallel and an ssh server, on which testbench/sweep runs sweeps. No service is started.
# `deps.sh labs`: also bubblewrap, in whose sandbox submissions of programs/labs run; `deps.sh gdb`: also gdb-multiarch, for `--gdb`.
set -euo pipefail
packages=(make gcc g++ clang-19 llvm-19 libclang-common-19-dev verilator yosys libelf-dev libconfig-dev libjansson-dev
  libgtest-dev zlib1g-dev libsqlite3-dev libmd-dev libsystemc-dev ccache gtkwave xvfb xauth imagemagick python3 binutils)
[ "${1:-}" != browser ] || packages+=(chromium)
[ "${1:-}" != cluster ] || packages+=(slurm-wlm munge parallel openssh-server openssh-client)
[ "${1:-}" != labs ] || packages+=(bubblewrap)
[ "${1:-}" != gdb ] || packages+=(gdb-multiarch)
missing=()
for p in "${packages[@]}"; do
  dpkg-query -W -f='${Status}' "$p" 2>/dev/null | grep -q 'install ok installed' || missing+=("$p")
done
[ ${#missing[@]} -eq 0 ] && exit 0
if [ "$(id -u)" = 0 ]; then
  echo "installing: ${missing[*]}"
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
  exit 0
fi
echo "missing Debian packages: ${missing[*]}" >&2
echo "  remedy: sudo apt-get install --no-install-recommends ${missing[*]}" >&2
exit 1
