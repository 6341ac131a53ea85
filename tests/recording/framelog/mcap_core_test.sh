#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# A recording, read by the readers of others: @mcap/core and protobufjs, from npm. Skipped where node
# or npm is not installed, or the packages cannot be had.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
hild=${1:?usage: mcap_core_test.sh HILD BUILD}
build=${2:?usage: mcap_core_test.sh HILD BUILD}

skip() { echo "skipped: $*"; exit 77; }
command -v node >/dev/null || skip "node is not installed"
command -v npm >/dev/null || skip "npm is not installed"

# Installed once; again when the list of packages is another.
packages=$build/log_peers
if ! cmp -s "$here/peers/package-lock.json" "$packages/installed.json"; then
  rm -rf "$packages"
  mkdir -p "$packages"
  cp "$here"/peers/package*.json "$packages"
  (cd "$packages" && timeout 120 npm ci --ignore-scripts --no-audit --no-fund >npm.log 2>&1) ||
    skip "npm cannot install @mcap/core: $(tail -n 1 "$packages/npm.log")"
  cp "$packages/package-lock.json" "$packages/installed.json"
fi
cp "$here/peers/read_log.mjs" "$packages"

work=$(mktemp -d "${TMPDIR:-/tmp}/hild-peers.XXXXXX")
trap 'rm -rf "$work"' EXIT
"$hild" run "$here/peers/motor.yaml" --offline --duration 2 --set "record.file=$work/run.mcap" \
  --set "devices.rig.image=$(basename "$work")" >"$work/said" || { cat "$work/said"; exit 1; }
rm -f "/dev/shm/$(basename "$work")"
node "$packages/read_log.mjs" "$work/run.mcap" >"$work/read.json"
"$hild" export "$work/run.mcap" --output "$work/run.csv" >/dev/null
"$hild" log "$work/run.mcap" --json >"$work/log.json"
python3 "$here/peers/compare.py" "$work/read.json" "$work/run.csv" "$work/log.json"
