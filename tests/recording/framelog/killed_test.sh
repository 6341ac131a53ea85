#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# A live run at 1 kHz, killed (SIGKILL) at a random moment, again and again: each time all of the
# recording but its last block is there, without a gap, and replays to the bit.
#   killed_test.sh HILD BUILD [TIMES [SEED]]      100 times: killed_test.sh build/hild build 100
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
hild=${1:?usage: killed_test.sh HILD BUILD [TIMES [SEED]]}
times=${3:-5}
seed=${4:-$RANDOM}
RANDOM=$seed

work=$(mktemp -d "${TMPDIR:-/tmp}/hild-killed.XXXXXX")
image=$(basename "$work")
trap 'rm -rf "$work" "/dev/shm/$image"' EXIT
broken() { echo "time $time of seed $seed, killed after $ms ms: $*" >&2; exit 1; }

recovered=0
for ((time = 1; time <= times; ++time)); do
  ms=$((RANDOM % 2200))
  rm -f "$work/run.mcap"
  "$hild" run "$here/peers/motor.yaml" --set "record={file: $work/run.mcap, replace: true}" \
    --set "devices.rig.image=$image" --set 'overrun={policy: double, then: continue}' --set 'safety.within=10 s' \
    >"$work/said" 2>&1 &
  run=$!
  # However long a start may take on a busy machine.
  until [[ -s $work/run.mcap ]] || ! kill -0 $run 2>/dev/null; do sleep 0.01; done
  sleep "$((ms / 1000)).$(printf %03d $((ms % 1000)))"
  # Once at least when there is something to recover, however slow the machine.
  while ((time == times && recovered == 0 && $(stat -c %s "$work/run.mcap") < 300000)); do
    kill -0 $run || break
    sleep 0.05
  done
  kill -KILL $run || broken "the run had ended: $(cat "$work/said")"
  wait $run 2>/dev/null || true
  "$hild" log "$work/run.mcap" --json >"$work/cut.json" || broken 'its log cannot be read'
  rm -f "$work/whole.mcap"
  "$hild" log "$work/run.mcap" --recover "$work/whole.mcap" >/dev/null || broken 'no recovery'
  "$hild" log "$work/whole.mcap" --json >"$work/whole.json" || broken 'what was recovered is none'
  python3 - "$work/cut.json" "$work/whole.json" <<'CHECK' || broken 'see above'
import json, sys
cut, whole = (json.load(open(name)) for name in sys.argv[1:])
assert not cut["file"]["closed"] and whole["file"]["closed"]
assert cut["missing"]["unexplained"] == 0, "a step is missing within"
assert whole["frames"] == cut["frames"], "the recovery lost frames"
# What is not whole is at the end, and less than two blocks of half a megabyte.
damages = cut["file"]["damages"]
assert len(damages) <= 1 and all(d["bytes"] < 2 << 20 for d in damages), damages
CHECK
  frames=$(python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["frames"])' "$work/whole.json")
  ((frames > 0)) || continue
  "$hild" replay "$work/whole.mcap" >"$work/replay" || broken "$(cat "$work/replay")"
  recovered=$((recovered + 1))
done
echo "killed $times times (seed $seed), $recovered recordings with frames, all whole but for the end"
((recovered > 0)) || { echo 'none had any frames' >&2; exit 1; }
