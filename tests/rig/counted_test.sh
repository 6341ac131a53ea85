#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# hild where one instruction takes one nanosecond and every run is the same: what a frame costs,
# overruns to order, programs that want the same CPU; twice, to be alike to the byte.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=host.bash disable=SC2154
source "$here/host.bash"

for run in 1 2; do
  guest "$work/log$run" counted --mode counted --program cyclictest --out "$work/out$run" \
    -- frame overruns beside
  ((run == 2)) || cat "$work/log$run"
  check "the guest's checks, run $run" 0 "$status"
done
for report in "$work"/out1/*; do
  check "both runs alike to the byte: ${report##*/}" "" "$(diff "$report" "$work/out2/${report##*/}")"
done
check "both runs alike in what they say" "" "$(diff "$work/log1" "$work/log2")"
((failures == 0))
