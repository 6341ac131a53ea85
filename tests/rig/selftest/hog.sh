# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
#
# In the guest, counted: a hog below the loop's priority costs it nothing, one above stops it.
set -eu
echo -1 >/proc/sys/kernel/sched_rt_runtime_us # else the kernel takes the hog off the CPU for 50 ms a second

overruns_beside() { # priority of the hog
  # The loop starts first: beside a hog above it, not even the shell would get the CPU to start it.
  bare_loop --priority 80 --frames 1500 >beside.json &
  loop=$!
  sleep 0.5
  hog "$1" 1
  wait $loop
  sed 's/.*"overruns": \([0-9]*\).*/\1/' beside.json
}

below=$(overruns_beside 10)
above=$(overruns_beside 90)
echo "overruns in 1500 frames: $below beside a hog of lower priority, $above of higher"
[ "$below" -eq 0 ] && [ "$above" -gt 0 ]
