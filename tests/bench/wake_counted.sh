#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Wake-up latency in instructions, hild and cyclictest at the same priority and interval in the same
# boot of the rig; and no tick missed beside programs that want the same CPU.
set -euo pipefail
# shellcheck source=common.bash disable=SC2154
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"

counted 900 "$here/guest/wake.sh" || { failed 'boot' "the guest failed"; exit; }
for period in 1000 100; do
  rate="$((1000 / period)) kHz"
  for beside in alone ordinary fifo; do
    at=$beside.$period
    case $beside in
      alone) words=$rate ;;
      ordinary) words="$rate, beside an ordinary hog" ;;
      fifo) words="$rate, beside a FIFO-10 hog" ;;
    esac
    if [[ $beside == alone ]]; then
      compare "$words: wake, mean" instr "$(said "$at.hild.mean")" cyclictest "$(said "$at.cyclictest.mean")" '<=' 1.15
      compare "$words: wake, all but the 15 worst" instr "$(said "$at.hild.tail")" cyclictest "$(said "$at.cyclictest.tail")" '<=' 1.5
    else
      compare "$words: wake, mean" instr "$(said "$at.hild.mean")" cyclictest "$(said "$at.cyclictest.mean")"
      compare "$words: wake, all but the 15 worst" instr "$(said "$at.hild.tail")" cyclictest "$(said "$at.cyclictest.tail")"
    fi
    # One worst of thousands is what the kernel happened to do just then: to know, while `late` bounds it.
    compare "$words: wake, max" instr "$(said "$at.hild.max")" cyclictest "$(said "$at.cyclictest.max")"
    missed=$(said "$at.hild.missed") overruns=$(said "$at.hild.overruns") late=$(said "$at.hild.late_wakes")
    limit "$words: overruns and ticks missed" ticks "$((missed + overruns))" == 0
    limit "$words: late wakes" ticks "$late" == 0
  done
done
