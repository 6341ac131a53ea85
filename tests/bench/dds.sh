#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# An exchange of the driver dds in user space, by callgrind: 32 values of a node that are new, and 32 to others.
# What DDS costs is in the gateway, a process of its own: how long that takes is measured by time, beside what
# the same library takes by itself and what two hand-overs between processes take, in turns.
set -euo pipefail
# shellcheck source=common.bash disable=SC2154
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"

of_a_tick() { # values
  local ticks total=()
  for ticks in 100 1100; do
    total+=("$(callgrind --toggle-collect='*::tick(*' --callgrind-out-file=/dev/null \
      "$build/dds_link" "$1" $ticks 2>&1 | sed -n 's/.*Collected : //p')")
  done
  [[ -n ${total[0]} && -n ${total[1]} ]] && calc "(${total[1]} - ${total[0]}) / 1000"
}
limit 'an exchange, 32 values there and 32 back' instr "$(of_a_tick 32)" '<=' 400

only_counted && exit

# Half of a round trip between two processes, in us: at the rate and about the size of the link's samples.
of_ddsperf() {
  local CYCLONEDDS_URI='<General><Interfaces><NetworkInterface name="lo"/></Interfaces></General>'
  export CYCLONEDDS_URI
  ddsperf -i 78 -D 8 -u pong >/dev/null 2>&1 &
  ddsperf -i 78 -D 5 -u -T KS ping 1kHz size 320 2>/dev/null |
    sed -nE 's/.* size .* 50% ([0-9.]+)us.*/\1/p' | sort -n | awk '{ all[NR] = $1 } END { if (NR) print all[int((NR + 1) / 2)] / 2 }'
  wait
}
middle() { sort -n | awk '{ all[NR] = $1 } END { if (NR) print all[int((NR + 1) / 2)] }'; }

rm -f "$work"/{link,handover,ddsperf}
for _ in 1 2 3; do
  "$build/dds_latency" link 32 2000 >>"$work/link"
  of_ddsperf >>"$work/ddsperf"
  "$build/dds_latency" handover 2000 >>"$work/handover"
done
compare 'from a frame to the image in another node, p50' us "$(middle <"$work/link")" \
  'ddsperf, two hand-overs' "$(calc "$(middle <"$work/ddsperf") + 2 * $(middle <"$work/handover")")" '<=' 1
