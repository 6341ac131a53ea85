# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh disable=SC2154
#
# A model whose step takes many frames, in the background of frames on the same CPU: these miss nothing and
# cost hardly more, its thread wakes once a step, and a step that cannot be done in time is late by itself.
work_of() { # report, quantile; instructions of a frame's own work
  value "$1.json" "work_us.$2" | awk '{ printf "%d", 1000 * $1 }'
}
wakes_of() { awk '$1 == "voluntary_ctxt_switches:" { print $2 }' "$1/status"; }

beside() { # name, frames a step takes, ms of its pass; `sleeps` of its thread in 0.3 s
  name=$1 every=$2 burn=$3
  hild_rig run "$tests/slow.yaml" --arm --duration 1 --report "$name.json" \
    --set "models.slow={type: burner, integrator: {method: forward-euler}, every: $every, cpu: 0,
           parameters: {from: 0 s, to: 100 s, burn: $burn ms}}" >slow.txt 2>&1 &
  hild=$!
  slow=
  while [ -z "$slow" ] && [ -d /proc/$hild ]; do
    sleep 0.1
    for task in /proc/$hild/task/*; do
      [ "$(cat "$task/comm")" = hild-slow-1 ] && slow=$task
    done
  done
  sleep 0.2 # until the run begins it looks for work once a frame
  sleeps=$(wakes_of "$slow")
  sleep 0.3
  sleeps=$(($(wakes_of "$slow") - sleeps))
  wait $hild
  ended=$?
  check "$name: the run ends well" 0 "$ended"
  [ "$ended" = 0 ] || cat slow.txt
}

check_run "alone: the run ends well" 0 slow.txt hild_rig run "$tests/slow.yaml" --arm --duration 1 --report alone.json
without=$(work_of alone p50)
for case in "beside-2.7-of-20 20 2.7" "beside-6-of-10 10 6"; do
  # shellcheck disable=SC2086
  beside $case
  work=$(work_of "$name" p50)
  echo "      $name: work of a frame $work instructions, $(work_of "$name" p99) at p99 and $(work_of "$name" max) at most;" \
    "without $without, $(work_of alone p99) and $(work_of alone max); $sleeps wake-ups of its thread in 0.3 s"
  check "$name: no overrun, no late step" "0 0" \
    "$(value "$name.json" overruns.total) $(value "$name.json" capped_steps.late_steps)"
  check_near "$name: a wake-up a step" "$sleeps" $((300 / every)) 1
  check_that "$name: a frame costs at most 300 instructions more" "$work <= $without + 300"
done

# One step of 20 frames burns 25 ms. At the ticks of 520 to 525 ms it is not done, and is late by itself.
check_run "late: the run ends well" 0 slow.txt hild_rig run "$tests/slow.yaml" --arm --duration 1 --report late.json \
  --set "models.slow={type: burner, integrator: {method: forward-euler}, every: 20, cpu: 0,
         parameters: {from: 500 ms, to: 520 ms, burn: 25 ms}}"
late() { value late.json "$1"; }
check "late: the frames are not" 0 "$(late overruns.total)"
check_near "late: the step is, at each tick until it is done" "$(late capped_steps.late_steps)" 6 1
check "late: it is the slow model's" "$(late capped_steps.late_steps)" \
  "$(value late.json capped_steps_by_model.slow.late_steps)"
