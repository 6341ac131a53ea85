#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# A 1 kHz run with 64 clients of its control socket, and with 10 000 sockets at its HTTP port, against the
# same run while it is quiet, window by window. Of the clients 54 poll and subscribe, eight set a parameter,
# one reads nothing, one sends garbage; the sockets say nothing, or the beginning of something.
set -euo pipefail
# shellcheck source=common.bash disable=SC2154
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"
pairs=20

figure() { # name, column
  awk -v name="$1" -v column="$2" '$1 == name { print $column }' "$work/said"
}
phases() { # who, bound of the ratio; without a bound, to know
  for name in work device passes outputs record; do
    # The ratio is the median of those of neighbouring windows, not that of the medians.
    ratio=$(figure $name 4)
    if [[ $name == work && -z ${2-} ]]; then
      write_row "1 kHz, $1: work in a frame, p50" us "$(figure $name 3)" 'quiet run' "$(figure $name 2)" "$ratio" '' info
    elif [[ $name == work ]]; then
      write_row "1 kHz, $1: work in a frame, p50" us "$(figure $name 3)" 'quiet run' \
        "$(figure $name 2)" "$ratio" "<= $2" "$(verdict "$ratio" '<=' "$2")"
    else
      write_row "1 kHz, $1: of it $name" us "$(figure $name 3)" 'quiet run' "$(figure $name 2)" "$ratio" '' info
    fi
  done
}

# What so many sockets want of the machine itself, they take from the caches of all: control_counted has the bound.
# Ports of this range are nobody's for long.
if "$build/control_load" "$here/configs/motor_served.yaml" $((20000 + RANDOM % 10000)) 10000 $pairs >"$work/said"; then
  phases '10 000 hostile sockets'
  limit "1 kHz, 10 000 hostile sockets: overruns by external events" frames "$(figure overruns_external 2)" == 0
else
  failed "1 kHz, 10 000 hostile sockets" 'the run failed'
fi
if ! "$build/control_load" "$here/configs/motor_served.yaml" "$work/control.sock" 64 $pairs \
  >"$work/said"; then
  failed "1 kHz, 64 clients" 'the run failed'
  exit
fi
phases '64 clients' 1.05
# Some 80 a second while they are there; without them the line below could not be wrong.
limit "1 kHz, 64 clients: changes that took effect" changes "$(figure served 2)" '>=' 500
limit "1 kHz, 64 clients: overruns by external events" frames "$(figure overruns_external 2)" == 0
