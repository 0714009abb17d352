#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Picture of a view without a display: GTKWave under Xvfb.   waves/png.sh FILE.fst VIEW OUT.png
# Fails if a signal of the view is not in the file. WG_PNG_CYCLES: cycles in it, for which a longer window gets a wider picture;
# WG_MARK: cycle to mark.
set -euo pipefail
cd "$(dirname "$0")/.."
die() { echo "error: $1; remedy: $2" >&2; exit 2; }
[ $# = 3 ] || die "$# words instead of 3" "waves/png.sh FILE.fst VIEW OUT.png"
fst=$1 view=$2 out=$3
views=$(sed -n 's/^VIEWS := //p' waves/room.mk)
[[ " $views " == *" $view "* && $view != *' '* && -n $view ]] || die "no view '$view'" "one of $views"
[ -f "$fst" ] && [ -r "$fst" ] || die "cannot read the trace '$fst'" "waves/wave.sh makes one"
[[ $out == *.png ]] || die "'$out' does not end in .png" "name a .png file"
[ -d "$(dirname "$out")" ] && [ -w "$(dirname "$out")" ] || die "cannot write '$out'" "a folder that is there and writable"
scripts/need.sh gtkwave Xvfb import
tmp=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf "$tmp"' EXIT
cycles=${WG_PNG_CYCLES:-30}
[[ $cycles =~ ^[0-9]{1,9}$ ]] || die "WG_PNG_CYCLES='$cycles' is no number of cycles" "leave it out"
# 72 pixels a cycle write "pipe busy" or a 32-bit value; a display takes no more than 12000
width=$((cycles < 30 ? 2580 : cycles < 160 ? 420 + 72 * cycles : 12000))
exec 3>"$tmp/display"
Xvfb -displayfd 3 -screen 0 ${width}x660x24 >/dev/null 2>&1 &
for _ in $(seq 100); do [ -s "$tmp/display" ] && break; sleep 0.1; done
DISPLAY=:$(cat "$tmp/display")
export DISPLAY WG_VIEW=$view WG_FILTERS=$PWD/isa/gen/gtkwave WG_PNG_READY=$tmp/ready
cat > "$tmp/rc" <<RC
initial_window_x $width
initial_window_y 660
initial_signal_window_width 420
hide_sst 1
fontname_signals Monospace 10
fontname_waves Monospace 9
use_big_fonts 0
RC
gtkwave -r "$tmp/rc" -S waves/views.tcl "$fst" >"$tmp/log" 2>&1 &
wave=$!
for _ in $(seq 900); do [ -e "$tmp/ready" ] || ! kill -0 $wave 2>/dev/null && break; sleep 0.1; done
[ -e "$tmp/ready" ] || { cat "$tmp/log" >&2; echo "error: GTKWave did not show the view" >&2; exit 1; }
sleep 2
import -window root "$out"
if [ -s "$tmp/ready" ]; then
  echo "error: signals of view '$view' that are not in '$fst': $(tr '\n' ' ' < "$tmp/ready")" >&2
  exit 1
fi
echo "picture: $out"
