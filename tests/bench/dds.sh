#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# An exchange of the driver dds in user space, by callgrind: 32 values of a node that are new, and 32 to others.
# What DDS costs is in the gateway, a process of its own.
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
