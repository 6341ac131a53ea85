#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# A 1 kHz run with 64 clients of its control socket against the same with one, and with 10 000 sockets at
# its HTTP port against the same while it is quiet, window by window. Of the clients 54 poll and subscribe,
# eight set a parameter, one reads nothing, one sends garbage; the sockets say nothing, or the beginning of
# something.
set -euo pipefail
# shellcheck source=common.bash disable=SC2154
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"
pairs=20

figure() { # name, column
  awk -v name="$1" -v column="$2" '$1 == name { print $column }' "$work/said"
}
phases() { # who, the peer
  for name in work device passes outputs record; do
    what="of it $name"
    [[ $name != work ]] || what='work in a frame, p50'
    # The ratio is the median of those of neighbouring windows, not that of the medians.
    write_row "1 kHz, $1: $what" us "$(figure $name 3)" "$2" "$(figure $name 2)" "$(figure $name 4)" '' info
  done
}

# Times are to know: what so many want of the machine itself, they take from the caches of all, whoever they talk to.
# Of what they make a frame do, control_counted has the bound.
# Ports of this range are nobody's for long.
if "$build/control_load" "$here/configs/motor_served.yaml" $((20000 + RANDOM % 10000)) 10000 $pairs >"$work/said"; then
  phases '10 000 hostile sockets' 'quiet run'
  limit "1 kHz, 10 000 hostile sockets: overruns by external events" frames "$(figure overruns_external 2)" == 0
else
  failed "1 kHz, 10 000 hostile sockets" 'the run failed'
fi
if ! "$build/control_load" "$here/configs/motor_served.yaml" "$work/control.sock" 64 $pairs \
  >"$work/said"; then
  failed "1 kHz, 64 clients" 'the run failed'
  exit
fi
phases '64 clients' 'one client'
# Some 80 a second while they are there; without them the line below could not be wrong.
limit "1 kHz, 64 clients: changes that took effect" changes "$(figure served 2)" '>=' 500
limit "1 kHz, 64 clients: overruns by external events" frames "$(figure overruns_external 2)" == 0
