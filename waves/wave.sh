#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Run a program with a waveform window and open GTKWave with a prepared view, or make a PNG of it without a display.
# Without a window: the first 2000 cycles; a picture shows 30 cycles, as many as it can write values into: from the first
# instruction on, or 5 before the event and 25 behind it. A marker stands at the event.
#   waves/wave.sh --program NAME [--args "4096"] [--view fetch|sched|mem|barrier] [--preset tiny] [--from N] [--to N]
#                 [--around EVENT [--before 100] [--after 200]] [--png [--out FILE.png]]
# The trace is build/wave/NAME.fst, the picture build/wave/NAME-VIEW.png. Cycles count SM clocks of the whole run.
set -euo pipefail
cd "$(dirname "$0")/.."
program='' args='' view=sched preset=tiny from='' to='' around='' before='' after='' png=0 out=''
while [ $# -gt 0 ]; do
  case $1 in
    --png) png=1; shift ;;
    --program|--args|--view|--preset|--from|--to|--around|--before|--after|--out)
      [ $# -ge 2 ] || { echo "error: '$1' needs a value" >&2; exit 2; }
      printf -v "${1#--}" '%s' "$2"; shift 2 ;;
    *) echo "error: unknown option '$1'" >&2; exit 2 ;;
  esac
done
names() { printf '%s\n' "$@" | sed 's|.*/programs/||; s|^programs/||; s|^configs/||; s|/golden.c$||; s|\.cfg$||' | paste -sd ' '; }
die() { echo "error: $1; remedy: $2" >&2; exit 2; }
[ -f "programs/$program/golden.c" ] || die "no program '$program'" "one of $(names programs/*/golden.c)"
[ -x "build/programs/$program/$program" ] || die "program '$program' is not built" "make programs"
views=$(sed -n 's/^VIEWS := //p' waves/room.mk)
[[ " $views " == *" $view "* && $view != *' '* && -n $view ]] || die "no view '$view'" "one of ${views// /, }"
[ -f "configs/$preset.cfg" ] || die "no preset '$preset'" "one of $(names configs/*.cfg)"
for n in from to before after; do
  [[ ${!n} =~ ^[0-9]{0,18}$ ]] || die "--$n '${!n}' is no number of cycles" "a whole number, 0 or more"
done
[ -z "$to" ] || [ "$to" -gt "${from:-0}" ] || die "--to $to is not behind --from ${from:-0}" "a window of at least one cycle"
[[ $around != *[[:space:]]* ]] || die "no event '$around'" "a word such as pc:0x40, block:3, barrier:0 or diverge,warp=2"
shape=$(sed -n 's/^ *shape *= *"\(.*\)".*/\1/p' "configs/$preset.cfg" | head -1)
if [ $png = 1 ]; then
  [ -n "$from$to$around" ] || { around=pc:0; before=${before:-2} after=${after:-28}; }
  before=${before:-5} after=${after:-25}
fi
before=$((10#${before:-100})) after=$((10#${after:-200}))  # 08 is eight
mkdir -p build/wave
unset WG_MARK
if [ -n "$around" ]; then
  # the run is the same every time: find the cycle first, then trace a window around it
  make -s sm SHAPE="$shape" VARIANT=fast
  log=build/wave/$program.find
  # shellcheck disable=SC2086  # the arguments are words; how the program ends is no matter here
  WARPGLASS="preset=$preset sms=1 find=$around" "build/programs/$program/$program" $args >/dev/null 2>"$log" || true
  cycle=$(sed -n 's/^found .* at cycle \([0-9]*\)$/\1/p' "$log" | head -1)
  if [ -z "$cycle" ]; then
    grep -q '^never found' "$log" && die "'$around' never happens in this run" "an event that does: pc:0 is the first instruction"
    hint=$(sed -n "/setting 'find'/,/remedy:/s/^ *remedy: //p" "$log" | head -1)
    [ -z "$hint" ] || die "no event '$around'" "$hint"
    cat "$log" >&2
    echo "error: the program ended before '$around' could be looked for" >&2
    exit 1
  fi
  from=$((cycle > before ? cycle - before : 0)) to=$((cycle + after))
  export WG_MARK=$cycle
  echo "$around first happens at cycle $cycle"
fi
from=${from:-0} to=${to:-$((from + 2000))}
fst=build/wave/$program.fst
make -s sm SHAPE="$shape" VARIANT=wave
# shellcheck disable=SC2086
build/bin/warpglass run --preset "$preset" --sms 1 --trace "$fst" --from "$from" --to "$to" \
  "build/programs/$program/$program" $args
echo "waveform: $fst, cycles $from to $to"
export WG_PNG_CYCLES=$((to - from)) WG_VIEW=$view WG_FILTERS=$PWD/isa/gen/gtkwave
if [ $png = 0 ]; then
  [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] || {
    echo "error: no display for GTKWave; remedy: make wave-png with the same words makes a picture" >&2
    exit 1
  }
  exec gtkwave -S waves/views.tcl "$fst"
fi
waves/png.sh "$fst" "$view" "${out:-build/wave/$program-$view.png}"
