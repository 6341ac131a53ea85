#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# hild and a peer at two ends of a network that delays, reorders, repeats, loses and parts (netem), counted: so that
# nothing but the guest itself is late, and every packet can be accounted for.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=host.bash disable=SC2154
source "$here/host.bash"

guest "$work/log" udp --mode counted --timeout 600 --module veth --module sch_netem --program ip --program tc \
  --program "$build/hildctl" --program "$build/rig/udp_peer" --file "$here/udp/link.yaml:/rig/link.yaml" -- network
cat "$work/log"
check "the guest's checks" 0 "$status"
((failures == 0))
