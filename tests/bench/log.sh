#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# A million frames exported as CSV, against a loop that formats the same numbers from memory; and what
# recording costs the thread that does it.
set -euo pipefail
# shellcheck source=common.bash disable=SC2154
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"
# shellcheck source=counts.bash
source "$here/counts.bash"
program=$build/bench_log

# Instructions a frame of a job: between two numbers of frames.
each() { # job; sets `counted`
  local n total=()
  for n in 2000 12000; do
    [[ -e $work/$n.mcap ]] || "$program" write "$work/$n.mcap" $n
    total+=("$(collected "$program" "$1" "$work/$n.mcap" $n)")
  done
  counted=$(calc "(${total[1]:-0} - ${total[0]:-0}) / 10000")
}
each export && mine=$counted
each numbers && numbers=$counted
each format
compare 'export of seven signals as CSV' instr/frame "$mine" 'bare loop' "$(calc "$counted - $numbers")" '<=' 2.2
each encode
limit 'recording a frame of 32 inputs, 32 outputs, 20 states' instr/frame "$counted"
only_counted && exit

"$program" time "$work" >"$work/said" || { failed 'export' 'the program failed'; exit; }
figure() { awk -v name="$1" '$1 == name { print $2 }' "$work/said"; }
compare 'export of a million frames of seven signals as CSV' 'ns/frame' "$(figure export)" \
  'bare loop' "$(figure bare)" '<=' 1.5
# At 10 kHz a frame may take 100 us of this thread; a tenth of a core is 10 us.
limit 'recording a frame of 32 inputs, 32 outputs, 20 states' 'ns/frame' "$(figure encode)" '<=' 10000
