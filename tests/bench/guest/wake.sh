# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh disable=SC1091
#
# In the guest: wake-up latencies of cyclictest and of hild one after the other, in instructions.
# Alone, beside an ordinary program and beside a FIFO one, both of which never sleep.
set -eu
. /rig/checks.sh
echo -1 >/proc/sys/kernel/sched_rt_runtime_us # else the kernel takes the hog off the CPU for a while

# The hog starts when the loop runs, and ends before it: beside a FIFO one no shell gets the CPU.
beside() { # priority of the hog, or none
  sleep 0.8
  [ "$1" = none ] || hog "$1" 0.5
}

measure() { # name, period in us, priority of the hog or none
  cyclictest -q -m -N -p80 -i"$2" -l$((1500000 / $2)) >cyclictest.txt &
  beside "$3"
  wait $!
  tail -n 1 cyclictest.txt |
    sed -E "s/.* Avg: *([0-9]+) Max: *([0-9]+).*/$1.cyclictest.mean \1\n$1.cyclictest.max \2/"

  rm -f hild.json
  hild run /bench/motor.yaml --set frame.rate="$((1000000 / $2)) Hz" --duration 1.5 --report hild.json >hild.txt 2>&1 &
  beside "$3"
  wait $! || { cat hild.txt; exit 1; }
  echo "$1.hild.mean $(awk "BEGIN { print 1000 * $(value hild.json wake_latency_us.mean) }")"
  echo "$1.hild.max $(awk "BEGIN { print 1000 * $(value hild.json wake_latency_us.max) }")"
  echo "$1.hild.missed $(($(value hild.json frames) - $(value hild.json steps)))"
  echo "$1.hild.frames $(value hild.json frames)"
  echo "$1.hild.overruns $(value hild.json overruns.total)"
  echo "$1.hild.late_wakes $(value hild.json late_wakes)"
}

for period in 1000 100; do
  measure "alone.$period" $period none
  measure "ordinary.$period" $period 0
  measure "fifo.$period" $period 10
done
