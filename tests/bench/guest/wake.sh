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

# The mean, the largest, and the largest but for the 15 worst: of a histogram by nanoseconds.
summary() { # name
  grep -v '^[0-9]* 0*$' | sed -E 's/(^|[ \t])0+([0-9])/\1\2/g' | awk -v name="$1.cyclictest" '
    /^[0-9]/ { at[rows] = $1; count[rows++] = $2 }
    /^# Avg/ { print name ".mean", $NF }
    /^# Max/ { print name ".max", $NF }
    /^# Histogram Overflows/ { above = $NF }
    END {
      for (row = rows; above < 15 && row > 0;) above += count[--row]
      print name ".tail", at[row]
    }'
}

measure() { # name, period in us, priority of the hog or none
  cyclictest -q -m -N -p80 -i"$2" -l$((1500000 / $2)) -h20000 >cyclictest.txt &
  beside "$3"
  wait $!
  summary "$1" <cyclictest.txt

  rm -f hild.json
  hild run /bench/motor.yaml --set frame.rate="$((1000000 / $2)) Hz" --duration 1.5 --report hild.json >hild.txt 2>&1 &
  beside "$3"
  wait $! || { cat hild.txt; exit 1; }
  echo "$1.hild.mean $(awk "BEGIN { print 1000 * $(value hild.json wake_latency_us.mean) }")"
  # Of 1500 the hundredth, of 15 000 the thousandth part.
  tail=p99$([ "$2" = 1000 ] || echo 9)
  echo "$1.hild.tail $(awk "BEGIN { print 1000 * $(value hild.json wake_latency_us."$tail") }")"
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
