#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Wake-up latency on this machine as it is: medians of alternated runs. Only p50 is stable here; a run
# during which the machine itself stood still is repeated, and counted.
set -euo pipefail
# shellcheck source=common.bash disable=SC2154
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"
runs=5 most_discards=5 gap_us=50000
figure="1 kHz: wake, p50"

can_be_real_time || { skipped "$figure" 'SCHED_FIFO is not allowed'; exit; }
hold_latency

# Each sets `p50` and `max`, in microseconds.
by_cyclictest() {
  cyclictest -q -m -N -p80 -i1000 -l2000 -h 200000 >"$work/cyclictest.txt"
  # Latencies above the histogram's end count too.
  p50=$(awk '/^[0-9]/ { n[NR] = $2; at[NR] = $1 } /^# Total:/ { total = 2000 }
    END { for (i = 1; i <= NR; ++i) { seen += n[i]; if (seen >= total / 2) { printf "%.3f", at[i] / 1000; exit } } }' \
    "$work/cyclictest.txt")
  max=$(awk '/^# Max Latencies:/ { printf "%.3f", $4 / 1000 }' "$work/cyclictest.txt")
}
by_hild() {
  run_hild motor.yaml --duration 2
  p50=$(value "$work/hild.json" wake_latency_us.p50)
  max=$(value "$work/hild.json" wake_latency_us.max)
}

discards=0
cyclictests=() hilds=() ratios=()
while ((${#ratios[@]} < runs)); do
  by_cyclictest
  cyclictest=$p50 most=$max
  by_hild
  most=$(calc "$most > $max ? $most : $max")
  if awk "BEGIN { exit !($most > $gap_us) }"; then
    say "discarded: a gap of $(calc "$most / 1000") ms"
    ((++discards <= most_discards)) || { failed "$figure" "$discards runs with a gap over 50 ms"; exit; }
    continue
  fi
  cyclictests+=("$cyclictest") hilds+=("$p50") ratios+=("$(calc "$p50 / $cyclictest")")
done
say "ratios ${ratios[*]}"
compare "$figure" us "$(median "${hilds[@]}")" cyclictest "$(median "${cyclictests[@]}")" '<=' 1.25
limit "runs discarded for a gap over 50 ms" runs "$discards"
