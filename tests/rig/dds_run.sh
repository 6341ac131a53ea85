#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Three nodes that talk to each other over DDS, each at a place of its own in a network that delays, reorders, repeats,
# loses and parts (netem), that is flooded, and whose nodes and gateways are killed and stopped; counted, so that nothing
# but the guest itself is late.
#
# Takes a CPU of its own for four minutes, and a busy one for many more, so that no test runs it by itself.
#
#   HILD_DDS_STRIKES=1000    so many kills, stops, stalls and partitions, else 12: a thousand take hours
#   HILD_DDS_SEED=7          of which is next, else 1
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=host.bash disable=SC2154
source "$here/host.bash"

strikes=${HILD_DDS_STRIKES:-12}
mkdir "$work/dds"
cp "$here"/dds/* "$work/dds"
echo "strikes=$strikes seed=${HILD_DDS_SEED:-1}" >"$work/dds/options"
for program in hildctl hild-dds rig/images; do strip -o "$work/${program##*/}" "$build/$program"; done
guest "$work/log" dds --mode counted --timeout $((900 + 60 * strikes)) --module veth --module bridge --module sch_netem \
  --program ip --program tc --program "$work/hildctl" --program "$work/hild-dds" --program "$work/images" \
  --program "$build/rig/udp_peer" --file "$here/dds/nodes.yaml:/rig/nodes.yaml" --file "$work/dds:/rig/tests" -- \
  nodes network parted flood recorded strikes
cat "$work/log"
check "the guest's checks" 0 "$status"
((failures == 0))
