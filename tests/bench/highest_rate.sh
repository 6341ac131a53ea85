#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# The highest frame rate with fewer than 1 % of the ticks lost, hild and bare_loop, no device, on this
# machine as it is. A tick is lost by bare_loop when its work ends after the next; by hild when its
# step is an overrun, and when no step was made for it (doubled steps, slips). A rate that hild refuses
# to run, because at the median of its rehearsal the frame does not fit, is not reached. Both programs
# go through all rates in turn, again and again, so that what disturbs the machine for a while spoils one
# run of many rates; a rate is judged by the median of its runs.
set -euo pipefail
# shellcheck source=common.bash disable=SC2154
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"
low=24000 high=62000 step=1.05 rounds=5 seconds=0.5
figure='highest rate with under 1 % of ticks lost'

can_be_real_time || { skipped "$figure" 'SCHED_FIFO is not allowed'; exit; }
hold_latency

# Each prints the percentage of lost ticks.
bare_loop_loses() { # rate
  "$build/rig/bare_loop" --no-device --rate "$1" --frames "$(calc "int($1 * $seconds)")" >"$work/bare.json"
  calc "100 * $(value "$work/bare.json" overruns) / $(value "$work/bare.json" frames)"
}
hild_loses() { # rate
  if ! run_hild motor.yaml --set frame.rate="$1 Hz" --duration $seconds 2>"$work/why"; then
    # Such a rate is beyond what hild agrees to run: at the median its frame does not fit.
    grep -q 'does not fit' "$work/hild.txt" || { cat "$work/why" >&2; return 1; }
    echo "$1" >>"$work/refused"
    echo refused
    return
  fi
  get() { value "$work/hild.json" "$1"; }
  calc "100 * ($(get overruns.total) + $(get frames) - $(get steps)) / $(get frames)"
}

mapfile -t rates < <(awk "BEGIN { for (r = $low; r <= $high; r *= $step) printf \"%d\\n\", r }")
declare -A bare=() hild=()
for ((round = 0; round < rounds; ++round)); do
  for rate in "${rates[@]}"; do
    lost=$(bare_loop_loses "$rate") # by itself, for its exit status to count
    bare[$rate]+=" $lost"
    lost=$(hild_loses "$rate")
    hild[$rate]+=" $lost"
  done
done
best_bare=0 best_hild=0 best_agreed=0
holds() { # percentages
  (($# > 0)) && awk "BEGIN { exit !($(median "$@") < 1) }"
}
for rate in "${rates[@]}"; do
  read -ra lost_bare <<<"${bare[$rate]}"
  read -ra lost_hild <<<"${hild[$rate]//refused/100}"
  read -ra lost_agreed <<<"${hild[$rate]//refused/}"
  say "$rate Hz: bare_loop loses ${lost_bare[*]} %, hild${hild[$rate]} %"
  if holds "${lost_bare[@]}"; then best_bare=$rate; fi
  if holds "${lost_hild[@]}"; then best_hild=$rate; fi
  if holds ${lost_agreed[@]+"${lost_agreed[@]}"}; then best_agreed=$rate; fi
done
if ((best_bare == 0)); then
  skipped "$figure" "bare_loop does not hold even $low Hz: this machine takes longer to wake up"
else
  compare "$figure" Hz "$best_hild" bare_loop "$best_bare" '>=' 0.9
  compare "the same, of runs that hild agreed to" Hz "$best_agreed" bare_loop "$best_bare"
fi
refused=0
[[ ! -e $work/refused ]] || refused=$(wc -l <"$work/refused")
limit "runs that hild refused, of $((rounds * ${#rates[@]}))" runs "$refused"
