#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# A recording, read by a reader made from the specifications of MCAP and Protocol Buffers alone
# (peers/read_log.py), in another language.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
hild=${1:?usage: specification_test.sh HILD BUILD}

work=$(mktemp -d "${TMPDIR:-/tmp}/hild-peers.XXXXXX")
trap 'rm -rf "$work"' EXIT
"$hild" run "$here/peers/motor.yaml" --offline --duration 2 --set "record.file=$work/run.mcap" \
  --set "devices.rig.image=$(basename "$work")" >"$work/said" || { cat "$work/said"; exit 1; }
rm -f "/dev/shm/$(basename "$work")"
python3 "$here/peers/read_log.py" "$work/run.mcap" >"$work/read.json"
"$hild" export "$work/run.mcap" --output "$work/run.csv" >/dev/null
"$hild" log "$work/run.mcap" --json >"$work/log.json"
python3 "$here/peers/compare.py" "$work/read.json" "$work/run.csv" "$work/log.json"
