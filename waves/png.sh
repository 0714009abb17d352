#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Picture of a view without a display: GTKWave under Xvfb.   waves/png.sh FILE.fst VIEW OUT.png
# It is 1580 pixels wide, for a page: a longer window is drawn in strips, one below the other. Fails if a signal of
# the view is not in the file. WG_PNG_CYCLES: cycles of the trace; WG_PNG_STRIPS: strips, else as many as values need
# to be read; WG_MARK: cycle to mark.
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
scripts/need.sh gtkwave Xvfb import convert
tmp=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf "$tmp"' EXIT
cycles=${WG_PNG_CYCLES:-30}
[[ $cycles =~ ^[0-9]{1,9}$ ]] || die "WG_PNG_CYCLES='$cycles' is no number of cycles" "leave it out"
# a value such as "pipe busy" takes a cycle of 70 pixels: 18 cycles a strip
strips=${WG_PNG_STRIPS:-$((cycles <= 18 ? 1 : cycles < 216 ? (cycles + 17) / 18 : 12))}
[[ $strips =~ ^[1-9][0-9]?$ ]] || die "WG_PNG_STRIPS='$strips' is no number of strips" "1 to 99"
width=1600 names=345
exec 3>"$tmp/display"
Xvfb -displayfd 3 -screen 0 ${width}x1000x24 >/dev/null 2>&1 &
for _ in $(seq 100); do [ -s "$tmp/display" ] && break; sleep 0.1; done
DISPLAY=:$(cat "$tmp/display")
export DISPLAY WG_VIEW=$view WG_FILTERS=$PWD/isa/gen/gtkwave WG_PNG_READY=$tmp/ready WG_PNG_STRIPS=$strips
cat > "$tmp/rc" <<RC
initial_window_x $width
initial_window_y 1000
initial_signal_window_width $names
hide_sst 1
fontname_signals Monospace 10
fontname_waves Monospace 9
use_big_fonts 0
RC
gtkwave -r "$tmp/rc" -S waves/views.tcl "$fst" >"$tmp/log" 2>&1 &
wave=$!
shown() {  # wait for a file that the view's script makes
  for _ in $(seq 900); do
    [ ! -e "$1" ] || return 0
    kill -0 $wave 2>/dev/null || break
    sleep 0.1
  done
  cat "$tmp/log" >&2
  echo "error: GTKWave did not show the view" >&2
  exit 1
}
parts=()
for ((i = 1; i <= strips; i++)); do
  shown "$tmp/ready.$i"
  rows=$(cat "$tmp/ready.$i")
  # of the window what lies below its buttons, without its frame: the time and 21 pixels a row
  import -window root -crop "1580x$((21 * rows + 26))+8+117" +repage "$tmp/$i.png"
  parts+=("$tmp/$i.png")
  rm "$tmp/ready.$i"
done
shown "$tmp/ready"
convert "${parts[@]}" -background gray -splice 0x3 -append "$out"
if [ -s "$tmp/ready" ]; then
  echo "error: signals of view '$view' that are not in '$fst': $(tr '\n' ' ' < "$tmp/ready")" >&2
  exit 1
fi
echo "picture: $out"
