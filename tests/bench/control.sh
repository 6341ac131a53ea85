#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# A 1 kHz run with 64 clients of its control socket, against the same run while it is quiet, window by
# window: 54 poll and subscribe, eight set a parameter, one reads nothing, one sends garbage.
set -euo pipefail
# shellcheck source=common.bash disable=SC2154
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"
pairs=20

if ! "$build/control_load" "$here/configs/motor_served.yaml" "$work/control.sock" 64 $pairs \
  >"$work/said"; then
  failed "1 kHz, 64 clients" 'the run failed'
  exit
fi
figure() { # name, column
  awk -v name="$1" -v column="$2" '$1 == name { print $column }' "$work/said"
}
for name in work device passes outputs record; do
  # The ratio is the median of those of neighbouring windows, not that of the medians.
  ratio=$(figure $name 4)
  if [[ $name == work ]]; then
    write_row "1 kHz, 64 clients: work in a frame, p50" us "$(figure $name 3)" 'quiet run' \
      "$(figure $name 2)" "$ratio" '<= 1.05' "$(verdict "$ratio" '<=' 1.05)"
  else
    write_row "1 kHz, 64 clients: of it $name" us "$(figure $name 3)" 'quiet run' \
      "$(figure $name 2)" "$ratio" '' info
  fi
done
# Some 80 a second while they are there; without them the line below could not be wrong.
limit "1 kHz, 64 clients: changes that took effect" changes "$(figure served 2)" '>=' 500
limit "1 kHz, 64 clients: overruns by external events" frames "$(figure overruns_external 2)" == 0
