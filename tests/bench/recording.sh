#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# What recording everything costs the frame thread: instructions a frame of a run of 32 channels and 20
# states, recorded against not recorded, offline, counted by callgrind as `executive` does. And how much
# faster than real time a recording of the demonstration is replayed. And whether a live minute of such a run
# loses anything of its record, what a frame of the demonstration takes on the disk, and how soon the end of
# an hour of it is reached.
set -euo pipefail
# shellcheck source=common.bash disable=SC2154
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"
short=0.1 long=0.2 rate=10000
trap 'rm -rf "$work" /dev/shm/hild-bench-wide /dev/shm/hild-bench-replay' EXIT

# Instructions of the frame thread; what it waits for the recorder on the virtual clock is no work.
instructions() { # name, seconds, options of hild
  local out=$work/$1.$2 seconds=$2 thread
  shift 2
  callgrind --separate-threads=yes --callgrind-out-file="$out" \
    "$build/hild_bench" run "$here/configs/wide.yaml" --duration "$seconds" --offline "$@" \
    >"$out.txt" 2>&1 || { cat "$out.txt" >&2; return 1; }
  thread=$(grep -l 'FrameLoop::run(' "$out"-*)
  callgrind_annotate --auto=no --threshold=100 "$thread" 2>/dev/null | awk '
    $1 ~ /^[0-9,]+$/ && /:/ && !/nanosleep|sleep_for|syscall|Doorbell/ { gsub(",", "", $1); sum += $1 }
    END { printf "%.0f\n", sum }'
}

a_frame() { # name, options of hild
  local name=$1 few many
  shift
  few=$(instructions "$name" $short "$@")
  many=$(instructions "$name" $long "$@")
  calc "($many - $few) / (($long - $short) * $rate)"
}

off=$(a_frame off)
on=$(a_frame on --set "record={file: $work/run.mcap, replace: true}")
compare 'a frame of 32 channels and 20 states, all recorded' instr/frame "$on" 'not recorded' "$off" '<=' 1.1

only_counted && exit

if can_be_real_time; then
  "$build/hild_bench" run "$here/configs/wide.yaml" --arm --duration 60 --report "$work/live.json" \
    --set "record={file: $work/live.mcap, replace: true}" >"$work/said" 2>&1 || { cat "$work/said" >&2; exit 1; }
  limit 'a minute at 10 kHz, live: steps dropped by the ring' steps "$(value "$work/live.json" records_dropped)" == 0
  limit 'the same: frames lost on the way to the disk' frames "$(value "$work/live.json" recording.lost)" == 0
  rm -f "$work/live.mcap"
  "$build/hild" run "$here/../../config/demo.yaml" --duration 20 --report "$work/demo.json" \
    --set "record.file=$work/live.mcap" --set devices.rig.image=hild-bench-replay >"$work/said" 2>&1 ||
    { cat "$work/said" >&2; exit 1; }
  limit 'the demonstration, live at 1 kHz: its recording' bytes/frame \
    "$(calc "$(value "$work/demo.json" recording.bytes) / $(value "$work/demo.json" recording.frames)")" '<=' 100
  rm -f "$work/live.mcap"
else
  skipped 'a minute at 10 kHz, live' 'no SCHED_FIFO here'
fi

"$build/hild" run "$here/../../config/demo.yaml" --duration 60 --offline --set "record.file=$work/demo.mcap" \
  --set devices.rig.image=hild-bench-replay >"$work/said" 2>&1 || { cat "$work/said" >&2; exit 1; }
"$build/hild" replay "$work/demo.mcap" --json >"$work/replay.json"
limit 'replay of a minute of the demonstration' 'times real time' \
  "$(value "$work/replay.json" times_real_time)" '>=' 10

# The last frames of an hour, from the keyframe before them.
"$build/hild" run "$here/../../config/demo.yaml" --duration 3600 --offline --set "record.file=$work/hour.mcap" \
  --set devices.rig.image=hild-bench-replay >"$work/said" 2>&1 || { cat "$work/said" >&2; exit 1; }
least=1e9
for _ in {1..5}; do
  "$build/hild" replay "$work/hour.mcap" --from 3599.99 --json >"$work/replay.json"
  reached=$(value "$work/replay.json" reached_s)
  least=$(calc "$reached < $least ? $reached : $least")
done
limit 'the end of an hour of the demonstration, reached in' s "$least" '<=' 0.1
rm -f "$work/hour.mcap"
