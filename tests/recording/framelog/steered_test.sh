#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# A live run that hildctl steers while it goes: parameters, faults, stimuli, a snapshot, a hold with single
# steps. Its recording replays to the bit, with every change in its place.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
hild=${1:?usage: steered_test.sh HILD BUILD}
hildctl=${2:?usage: steered_test.sh HILD BUILD}/hildctl
[[ -x $hildctl ]] || { echo "skipped: no $hildctl"; exit 77; }

work=$(mktemp -d "${TMPDIR:-/tmp}/hild-steered.XXXXXX")
run=''
trap '[[ -z $run ]] || kill -KILL "$run" 2>/dev/null || true; rm -rf "$work" "/dev/shm/$(basename "$work")"' EXIT
# Slow frames: what is late on a busy machine is recorded as late, and replays as well.
"$hild" run "$here/peers/motor.yaml" --set 'frame.period=5 ms' --set "record.file=$work/run.mcap" \
  --set "devices.rig.image=$(basename "$work")" --set 'overrun={policy: double, then: continue}' \
  --set 'safety.within=10 s' \
  --set "control={socket: $work/socket}" >"$work/said" 2>&1 &
run=$!
export HILD_SOCKET=$work/socket
ctl() { "$hildctl" "$@" --timeout 100 >"$work/reply" || { echo "hildctl $*:"; cat "$work/reply" "$work/said"; exit 1; }; }
for ((tries = 0; tries < 3000; ++tries)); do
  "$hildctl" status >/dev/null 2>&1 && break
  kill -0 $run || { cat "$work/said"; exit 1; }
  sleep 0.1  # until it listens
done

ctl set inertia=8e-4
ctl fault armature_voltage gain 0.5
ctl stimulate load_torque sine --amplitude 0.01 --frequency 2
printf '0,0\n0.05,0.01\n0.1,-0.01\n' >"$work/drive.csv"
ctl snapshot save 1
ctl fault shaft_speed noise '2 rpm' --frames 40 --seed 3
ctl quiet load_torque
ctl stimulate load_torque playback --table "$work/drive.csv"
ctl fault armature_voltage release
ctl freeze
ctl step 3
ctl set friction=4e-5
ctl resume
ctl snapshot restore 1
ctl record --label 7
ctl stop
wait $run || { cat "$work/said"; exit 1; }
run=''

"$hild" replay "$work/run.mcap" --json >"$work/replay.json" || { cat "$work/replay.json"; exit 1; }
"$hild" log "$work/run.mcap" --json >"$work/log.json"
python3 - "$work/replay.json" "$work/log.json" <<'CHECK'
import json, sys
replay, log = (json.load(open(name)) for name in sys.argv[1:])
assert replay["same"] and replay["tolerance"] == 0 and not replay["changes"], replay
assert log["external_events"] >= 14 and log["frozen_frames"] > 0, log["external_events"]
print(f"{replay['steps']} steps, {log['external_events']} changes, {log['frozen_frames']} held frames: the same bits")
CHECK
# Were nothing compared, another motor would be the same as well: one that differs in what was not set meanwhile.
code=0
"$hild" replay "$work/run.mcap" --set 'model.parameters={resistance: 3 Ohm}' >"$work/other" || code=$?
((code == 2)) || { echo "a replay of another motor ended with $code"; cat "$work/other"; exit 1; }
