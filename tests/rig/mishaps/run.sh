# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh disable=SC2154
#
# In the guest: 20 rounds of 8 mishaps, one in 25 steps; what came of them goes to the host.
echo -1 >/proc/sys/kernel/sched_rt_runtime_us # else the hog is taken off the CPU too

check_run "the run ends well" 0 mishaps.txt hild_rig run "$tests/mishaps.yaml" --duration 4.49 \
  --report report.json
check_run "its log is read" 0 log.json hild_rig log /tmp/mishaps.mcap --json
gzip -c log.json >/out/log.json.gz # the serial line is slow, and a guest that ends waits for it half a minute at most
grep -E 'frame [0-9]+:' mishaps.txt | head -12
