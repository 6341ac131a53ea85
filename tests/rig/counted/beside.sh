# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh disable=SC2154
#
# Beside programs that want the same CPU: a frame thread above them misses nothing.
echo -1 >/proc/sys/kernel/sched_rt_runtime_us # else the kernel takes the hog off the CPU for a while

beside() { # name, priority of the hog, its seconds, options...
  name=$1 priority=$2 seconds=$3
  shift 3
  hild run "$tests/motor.yaml" --arm --duration 1 --report "/out/$name.json" "$@" >beside.txt 2>&1 &
  hild=$!
  sleep 0.7 # the run has begun, and has half a second to go
  hog "$priority" "$seconds"
  wait $hild
  check "$name: the run ends well" 0 $?
  got() { value "/out/$name.json" "$1"; }
  missed=$(($(got doubled_steps) + $(got slips)))
  check "$name: no record was dropped" 0 "$(got records_dropped)"
  echo "      $(got overruns.total) overruns, $missed frames missed;" \
    "wake latency p50 $(got wake_latency_us.p50), max $(got wake_latency_us.max)"
}

beside ordinary-load 0 0.3
check "ordinary-load: no overrun, no frame missed" "0 0" "$(got overruns.total) $missed"
beside fifo-10 10 0.3
check "fifo-10: no overrun, no frame missed" "0 0" "$(got overruns.total) $missed"

# Above the frames the hog holds one wake back by as long as it runs. What the lag leaves beyond
# max_debt slips, the rest is caught up by doubled steps: the cause is named once.
beside fifo-90 90 0.05
causes="$(got overruns.by_cause.preemption) $(got overruns.by_cause.carried)"
check "fifo-90: one wake-up held back, the rest carried" "1 $(($(got overruns.total) - 1))" "$causes"
check_near "fifo-90: frames slipped and caught up are those the hog took" \
  $(($(got slips) + 2 * $(got doubled_steps))) 50 1

# A timerfd is served at FIFO priority 1 (ktimers), so the same hog stops it: the proof that the
# hog would have been noticed above, and that hild warns for a reason.
beside timerfd 10 0.3 --set frame.clock=timerfd
check_that "timerfd: frames are missed" "$missed > 250"
check_says "timerfd: hild has warned" 'warning: clock: timerfd .*ktimers .*use clock: sleep' beside.txt
