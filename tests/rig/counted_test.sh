#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# hild where one instruction takes one nanosecond and every run is the same: what a frame costs,
# overruns to order, programs that want the same CPU; twice, to be alike to the byte.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=host.bash disable=SC2154
source "$here/host.bash"
# shellcheck source=boots.bash
source "$here/boots.bash"

boot() { # its number
  guest "$(said_in "$1")" counted --mode counted --timeout 400 --program cyclictest --out "$(out_of "$1")" \
    -- frame overruns slow evidence beside orders
  return "$status"
}
check_boots boot
cat "$(said_in "${first:-1}")"
check "reports handed back" 1 "$(($(find "$(out_of "${first:-1}")" -type f | wc -l) > 5))"
((failures == 0))
