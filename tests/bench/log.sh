#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# A million frames exported as CSV, against a loop that formats the same numbers from memory; and what
# recording costs the thread that does it.
set -euo pipefail
# shellcheck source=common.bash disable=SC2154
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"

"$build/bench_log" "$work" >"$work/said" || { failed 'export' 'the program failed'; exit; }
figure() { awk -v name="$1" '$1 == name { print $2 }' "$work/said"; }
compare 'export of a million frames of seven signals as CSV' 'ns/frame' "$(figure motor_export)" \
  'bare loop' "$(figure motor_bare)" '<=' 1.5
# At 10 kHz a frame may take 100 us of this thread; a tenth of a core is 10 us.
limit 'recording a frame of 32 inputs, 32 outputs, 20 states' 'ns/frame' "$(figure wide_encode)" '<=' 10000
