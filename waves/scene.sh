#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A scene of waves/scenes.tsv in GTKWave; with --png, or without a display, a picture of it: build/wave/scene-NAME.png, its runs one
# above the other.   waves/scene.sh [--png] NAME     WG_SCENE_PRESET: another machine than the table's
set -euo pipefail
cd "$(dirname "$0")/.."
die() { echo "error: $1; remedy: $2" >&2; exit 2; }
names() { grep -v '^#' waves/scenes.tsv | cut -f1 | paste -sd ' '; }
png=0
[ "${1:-}" != --png ] || { png=1; shift; }
[ $# = 1 ] || die "$# names instead of one" "one of $(names)"
row=$(awk -F'\t' -v n="$1" '$1 == n' waves/scenes.tsv)
[ -n "$row" ] || die "no scene '$1'" "one of $(names)"
name=$1
# fields may be empty: read takes blanks of a row for one, so not with tabs
IFS=$'\x1f' read -r _ words options preset view event before after strips what <<<"${row//$'\t'/$'\x1f'}"
preset=${WG_SCENE_PRESET:-$preset}
[ -f "configs/$preset.cfg" ] || die "no preset '$preset'" "a file of configs/"
[ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] || png=1
shape=$(sed -n 's/^ *shape *= *"\(.*\)".*/\1/p' "configs/$preset.cfg" | head -1)
make -s sm SHAPE="$shape" VARIANT=wave
exe=build/scenes/scenes
if [ ! -x $exe ] || [ programs/scenes/scenes.cu -nt $exe ]; then
  mkdir -p build/scenes
  build/bin/wgcc -O1 -lineinfo programs/scenes/scenes.cu -o $exe
fi
mkdir -p build/wave
IFS='|' read -ra each_words <<<"$words"
IFS='|' read -ra each_options <<<"$options"
IFS='|' read -ra each_event <<<"$event"
runs=${#each_words[@]}
[ "${#each_options[@]}" -le "$runs" ] || runs=${#each_options[@]}
[ "${#each_event[@]}" -le "$runs" ] || runs=${#each_event[@]}
pictures=() windows=()
for ((i = 0; i < runs; i++)); do
  read -ra args <<<"${each_words[i]:-${each_words[0]}}"
  read -ra opts <<<"${each_options[i]:-}"
  event=${each_event[i]:-${each_event[0]}}
  common=(run --preset "$preset" --sms 1 --golden none "${opts[@]}")
  fst=build/wave/scene-$name-$((i + 1)).fst log=build/wave/scene-$name.find
  # how the program ends is no matter here: one scene is a hang
  build/bin/warpglass "${common[@]}" --find "$event" $exe "${args[@]}" >"$log" 2>&1 || true
  cycle=$(sed -n 's/^found .* at cycle \([0-9]*\)$/\1/p' "$log" | head -1)
  [ -n "$cycle" ] || { cat "$log" >&2; echo "error: '$event' never happens in scene '$name'" >&2; exit 1; }
  from=$((cycle > before ? cycle - before : 0)) to=$((cycle + after))
  rm -f "$fst"
  build/bin/warpglass "${common[@]}" --trace "$fst" --from $from --to $to $exe "${args[@]}" >"$log" 2>&1 || true
  [ -f "$fst" ] || { cat "$log" >&2; echo "error: no waveform of scene '$name'" >&2; exit 1; }
  echo "$name: scenes ${args[*]}${opts[*]:+ with ${opts[*]}}: cycles $from to $to, $event at $cycle"
  export WG_MARK=$cycle WG_VIEW=$view WG_FILTERS=$PWD/isa/gen/gtkwave WG_PNG_CYCLES=$((to - from)) WG_PNG_STRIPS=$strips
  if [ $png = 1 ]; then
    waves/png.sh "$fst" "$view" "build/wave/scene-$name-$((i + 1)).png" >/dev/null
    pictures+=("build/wave/scene-$name-$((i + 1)).png")
  else
    gtkwave -S waves/views.tcl "$fst" &
    windows+=($!)
  fi
done
echo "$what"
if [ $png = 1 ]; then
  scripts/need.sh convert
  convert "${pictures[@]}" -background white -splice 0x12 -append "build/wave/scene-$name.png"
  echo "picture: build/wave/scene-$name.png"
else
  wait "${windows[@]}"
fi
