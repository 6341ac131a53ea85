#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# The live page in headless Chromium: CPU time of the renderer with 1000 signals known and 20 plotted at
# 50 Hz, against a bare page of uPlot with the same data.
set -euo pipefail
# shellcheck source=common.bash disable=SC2154
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"
most=1.5

if HILD_PROGRAM=$build/hild python3 -B "$here/../page/cost.py" >"$work/said"; then
  figure() { awk -v name="$1" '$1 == name { print $2 }' "$work/said"; }
  ratio=$(figure ratio)
  note_own_times
  write_row 'renderer, 1000 signals, 20 plotted at 50 Hz' 's of a second' "$(figure page)" 'bare uPlot' \
    "$(figure bare)" "$ratio" "<= $most" "$(verdict_of page s "$ratio" '<=' $most)"
else
  failed 'renderer, 1000 signals, 20 plotted at 50 Hz' 'the page could not be measured'
fi
