#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Are these commands there? Otherwise one error that names the Debian packages, exit code 1.   scripts/need.sh COMMAND ...
set -euo pipefail
missing=() packages=()
for tool in "$@"; do
  command -v "$tool" >/dev/null && continue
  missing+=("$tool")
  case $tool in
    clang++-19) packages+=(clang-19) ;;
    Xvfb) packages+=(xvfb) ;;
    import|convert) packages+=(imagemagick) ;;
    fst2vcd) packages+=(gtkwave) ;;
    *) packages+=("$tool") ;;
  esac
done
[ ${#missing[@]} -eq 0 ] && exit 0
echo "error: no command ${missing[*]}; remedy: make deps, or apt-get install --no-install-recommends ${packages[*]}" >&2
exit 1
