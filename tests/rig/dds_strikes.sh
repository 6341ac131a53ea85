#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# The strikes of dds_run.sh on this machine instead of in the guest: three nodes in network namespaces, whose nodes and
# gateways are killed and stopped, and which are parted. No emulator makes them slow, so that a thousand take less than an
# hour; but for netem all is as there, and inputs may be 302 ms old, since a virtual machine stands still for more than
# 102 ms now and then. What else the machine does comes after the nodes and their gateways, which are SCHED_FIFO.
# Needs root, and no kernel module: namespaces, veth and a bridge.
#
#   HILD_DDS_STRIKES=1000    so many kills, stops, stalls and partitions, else 12
#   HILD_DDS_SEED=7          of which is next, else 1
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=$(realpath "${HILD_BUILD:-$here/../../build}")
[[ $EUID == 0 ]] || { echo "dds_strikes.sh: needs root: it makes network namespaces" >&2; exit 1; }
if [[ ${1-} != inside ]]; then exec unshare --net --mount "${BASH_SOURCE[0]}" inside; fi

for program in rig/hild_rig rig/images hildctl hild-dds; do
  [[ -x $build/$program ]] || { echo "dds_strikes.sh: no program '$build/$program': build first" >&2; exit 1; }
done
mkdir -p /run/netns
mount -t tmpfs none /run/netns # which names of namespaces are known is this script's alone
work=$(mktemp -d "${TMPDIR:-/tmp}/hild-strikes.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
cp "$here/dds/nodes.yaml" "$work"
cp "$here"/dds/*.sh "$work"
for program in rig/hild_rig rig/images hildctl hild-dds; do strip -o "$work/${program##*/}" "$build/$program"; done
echo "strikes=${HILD_DDS_STRIKES:-12} seed=${HILD_DDS_SEED:-1}" >"$work/options"
export PATH=$work:$PATH
status=0
cd "$work"
iproute=$(dirname "$(command -v ip)") netem='' latency=302 again=1 folder=$work sockets=$work tests=$work sh -c '
  . "$1/checks.sh"
  . "$tests/nodes.sh"
  . "$tests/strikes.sh"
  exit "$failures"' strikes "$here" || status=$?
if [[ $status != 0 ]]; then
  kept=$build/dds_strikes
  rm -rf "$kept"
  mkdir "$kept"
  cp "$work"/*.txt "$work"/[abc]*.mcap "$kept"
  echo "what the nodes said and recorded is in $kept"
fi
exit "$status"
