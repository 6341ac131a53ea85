#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# What it costs to share work with a worker on another CPU, beside a bare spin of two threads, and what that
# saves of a step of two equal models.
set -euo pipefail
# shellcheck source=common.bash disable=SC2154
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"

"$build/bench_workers" >"$work/figures"
figure() { # name
  awk -v name="$1" '$1 == name { print $2 }' "$work/figures"
}
if [[ $(figure cpus) == 1 ]]; then
  write_row 'hand-off there and back, p50' ns '' '' '' '' '' skipped
  say 'one CPU: nothing can be shared'
  exit
fi
compare 'hand-off there and back, p50' ns "$(figure hand_off_ns)" bare_spin "$(figure bare_spin_ns)" '<=' 2
for substeps in 100 800; do
  serial=$(figure "serial_${substeps}_us") shared=$(figure "shared_${substeps}_us")
  write_row "two models of $(calc "$serial / 2") us, one thread" us "$serial" '' '' '' '' info
  speedup=$(calc "$serial / $shared")
  # A model of less has more of the hand-off; on no machine of today are 800 steps less than 20 us.
  if ((substeps < 800)); then
    compare 'the same on two CPUs' us "$shared" unshared "$(figure "unshared_${substeps}_us")"
    limit 'the same on two CPUs, times as fast' times "$speedup"
  else
    # Beside a model that shares nothing with it: else they write to one line of memory.
    compare 'the same on two CPUs' us "$shared" unshared "$(figure "unshared_${substeps}_us")" '<=' 1.1
    limit 'the same on two CPUs, times as fast' times "$speedup" '>=' 1.8
  fi
done
