#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# A whole frame through kernel and Comedi, 8 A/D and 2 D/A at some 1 kHz, against the shortest program that
# does the same: one instruction list, the same motor stepped by hand. In instructions, from the tick
# to the end of the work; hild's work includes its meters and its record, bare_loop has neither. What
# both do for their statistics after the work, in the slack, counts for neither there; the second row has it,
# with all that the kernel does for the thread.
set -euo pipefail
# shellcheck source=common.bash disable=SC2154
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"

counted 600 "$here/guest/frame.sh" || { failed 'boot' "the guest failed"; exit; }
sum() { calc "$(said "hild.wake.$1") + $(said "hild.work.$1")"; }
# What the kernel does for whoever happens to run is in the second, and differs by some 30 from one image to another.
compare 'frame, mean' instr "$(sum mean)" bare_loop "$(said bare.frame.mean)" '<=' 1.1
compare 'frame, all that the thread does' instr "$(said hild.all)" bare_loop "$(said bare.all)" '<=' 1.1
compare 'frame without the record, mean' instr "$(calc "$(sum mean) - $(said hild.record.mean)")" \
  bare_loop "$(said bare.frame.mean)"
compare 'frame, p50 (within 3 %)' instr "$(sum p50)" bare_loop "$(said bare.frame.p50)"
compare 'of it wake-up, mean' instr "$(said hild.wake.mean)" bare_loop "$(said bare.wake.mean)"
compare 'of it work, mean' instr "$(said hild.work.mean)" bare_loop "$(said bare.busy.mean)"
for phase in device passes outputs record; do
  limit "of hild's work: $phase, mean" instr "$(said "hild.$phase.mean")"
done
limit 'overruns' frames "$(said hild.overruns)" == 0
