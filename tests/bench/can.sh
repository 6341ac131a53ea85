#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# A tick of a CAN bus: 64 cyclic messages that come in and 64 that go out, through the driver, against a loop by
# hand that makes the same two system calls, asks the kernel for its stamps (not for those of hardware) and packs
# the same bits (can_frames.cpp). In the rig the bus is the kernel's vcan, and what the kernel does counts; it does
# the same for both, and most of all. So the driver's own part is counted alone too, in user space, by callgrind,
# where a pair of local sockets is the bus.
set -euo pipefail
# shellcheck source=common.bash disable=SC2154
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"

counted 600 --module can-raw --module vcan --program "$build/can_frames" "$here/guest/can.sh" ||
  { failed 'boot' "the guest failed"; exit; }
declare -A words=([1]='a signal each' [4]='four signals each')
for signals in 4 1; do
  of_hild=hild.$signals by_hand=by_hand.$signals
  differs=0
  for what in bytes values; do [[ $(said "$of_hild.$what") == "$(said "$by_hand.$what")" ]] || differs=1; done
  limit "${words[$signals]}: what is sent or received differs" '' $differs == 0
  compare "64 in, 64 out, ${words[$signals]}: a tick, p50" instr "$(said "$of_hild.p50")" 'by hand' \
    "$(said "$by_hand.p50")" '<=' 1.15
  compare "the same, mean" instr "$(said "$of_hild.mean")" 'by hand' "$(said "$by_hand.mean")"
done

in_user_space() { # who, signals; prints how many instructions of a tick
  local ticks total=()
  for ticks in 20 120; do
    total+=("$(callgrind --toggle-collect='*::tick(*' --callgrind-out-file=/dev/null \
      "$build/can_frames" "$1" "$2" $ticks 2>&1 | sed -n 's/.*Collected : //p')")
  done
  calc "(${total[1]:-0} - ${total[0]:-0}) / 100"
}
declare -A most=([1]=11.7 [4]=8.2)
for signals in 4 1; do
  compare "of it in user space, ${words[$signals]}" instr "$(in_user_space hild $signals)" 'by hand' \
    "$(in_user_space by_hand $signals)" '<=' "${most[$signals]}"
done
