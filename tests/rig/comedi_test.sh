#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# hild on real Comedi drivers, under a PREEMPT_RT kernel: channels, a closed loop, the guard, a card that
# vanishes, digital lines, models on two CPUs, a card that samples by its own clock, what every driver owes. Durations are not looked at here.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=host.bash disable=SC2154
source "$here/host.bash"

strip -o "$work/test_drivers" "$build/test_drivers"
guest "$work/log" comedi --mode fast --timeout 900 --port "$work/strobed" --program "$work/test_drivers" -- \
  channels loop guard vanish lines workers command conformance
cat "$work/log"
check "the guest's checks" 0 "$status"
# Each rising strobe sent a byte out of the guest: the motor was switched off and on again and again.
check_that "the digital loop switched" "$(wc -c <"$work/strobed") >= 2"
((failures == 0))
