#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A picture for a page, from one of png.sh: GTKWave draws in few colours, a palette makes half the bytes of it; without dates equal
# pictures are equal files.   waves/keep.sh IN.png OUT.png
set -euo pipefail
[ $# = 2 ] || { echo "error: $# words instead of 2; remedy: waves/keep.sh IN.png OUT.png" >&2; exit 2; }
"$(dirname "$0")/../scripts/need.sh" convert
convert "$1" +dither -colors 64 -strip -define png:compression-level=9 -define png:exclude-chunks=date,time,tIME "PNG8:$2"
