#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# The highest frame rate with fewer than 1 % of the ticks lost, hild and bare_loop, no device, on this
# machine as it is. A tick is lost by bare_loop when its work ends after the next; by hild when its
# step is an overrun, and when no step was made for it (doubled steps, slips). Both searches take turns;
# a rate is judged by the median of three runs.
set -euo pipefail
# shellcheck source=common.bash disable=SC2154
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"
low=8000 high=80000 step=1.03 runs=3 seconds=1
figure='highest rate with under 1 % of ticks lost'

can_be_real_time || { skipped "$figure" 'SCHED_FIFO is not allowed'; exit; }
hold_latency

# Each prints the percentage of lost ticks.
bare_loop_loses() { # rate
  "$build/rig/bare_loop" --no-device --rate "$1" --frames $(($1 * seconds)) >"$work/bare.json"
  calc "100 * $(value "$work/bare.json" overruns) / $(value "$work/bare.json" frames)"
}
hild_loses() { # rate
  if ! "$build/hild" run "$here/configs/motor.yaml" --set frame.rate="$1 Hz" \
    --duration $seconds --report "$work/hild.json" >"$work/hild.txt" 2>&1; then
    # Such a rate is beyond what hild agrees to run: at the median its frame does not fit.
    grep -q 'does not fit' "$work/hild.txt" || { cat "$work/hild.txt" >&2; return 1; }
    echo "$1" >>"$work/refused"
    echo 100
    return
  fi
  get() { value "$work/hild.json" "$1"; }
  calc "100 * ($(get overruns.total) + $(get frames) - $(get steps)) / $(get frames)"
}

rate_at() { awk "BEGIN { printf \"%d\", $low * $step ^ $1 }"; } # rung of the ladder

# Halves the rungs of each program between one that it can and one that it cannot, in turn.
top=$(awk "BEGIN { printf \"%d\", log($high / $low) / log($step) + 1 }")
declare -A can=([bare_loop]=-1 [hild]=-1) cannot=([bare_loop]=$top [hild]=$top)
judge() { # program, rung
  local rate lost=() i
  rate=$(rate_at "$2")
  for ((i = 0; i < runs; ++i)); do lost+=("$("$1_loses" "$rate")"); done
  say "$1 at $rate Hz loses ${lost[*]} %"
  if awk "BEGIN { exit !($(median "${lost[@]}") < 1) }"; then can[$1]=$2; else cannot[$1]=$2; fi
}
searching=1
while ((searching)); do
  searching=0
  for program in bare_loop hild; do
    ((cannot[$program] - can[$program] > 1)) || continue
    searching=1
    judge $program $(((can[$program] + cannot[$program]) / 2))
  done
done
((can[bare_loop] >= 0 && can[hild] >= 0)) || { failed "$figure" "not even $low Hz"; exit; }
compare "$figure" Hz "$(rate_at "${can[hild]}")" bare_loop "$(rate_at "${can[bare_loop]}")" '>=' 0.9

# The bound itself, at one rate: what hild loses at nine tenths of bare_loop's highest.
rate=$(calc "int(0.9 * $(rate_at "${can[bare_loop]}"))")
bare=() hild=()
for ((i = 0; i < 5; ++i)); do
  bare+=("$(bare_loop_loses "$rate")")
  hild+=("$(hild_loses "$rate")")
done
say "at $rate Hz: bare_loop loses ${bare[*]} %, hild ${hild[*]} %"
limit "ticks lost by bare_loop at 0.9 of its rate" % "$(median "${bare[@]}")"
limit "ticks lost by hild there" % "$(median "${hild[@]}")"
refused=0
[[ ! -e $work/refused ]] || refused=$(sort -u "$work/refused" | wc -l)
limit "rates hild refused, frames not fitting" rates "$refused"
