# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh disable=SC1091
#
# In the guest: whole frames over the same card, from the tick to the end of their work, in
# instructions; bare_loop and hild one after the other. And all that the thread of each does, as the kernel
# counts it: what comes after the work too, waking, sleeping, and statistics in the slack.
set -eu
. /rig/checks.sh

# Where a frame lies against the kernel's own tick decides whether that is paid in waking, in the work or in neither. By
# this period frames go through all of the tick several times; by 1 ms each run would stay where it happened to begin.
period=1003000

# Of the thread of a process that has the highest real-time priority: what it has used so far, in ns.
used_by() { # pid
  for task in /proc/"$1"/task/*; do
    echo "$(awk '{ sub(/.*\) /, ""); print $38 }' "$task/stat") $(cut -d ' ' -f 1 "$task/schedstat")"
  done | sort -n | awk 'END { print $2 }'
}
now() { cut -d ' ' -f 1 /proc/uptime; }
# Waits for a program that runs 9 s or more, and prints what a frame takes of its thread.
all_of_a_frame() { # pid
  sleep 2
  before=$(used_by "$1") since=$(now)
  sleep 6
  awk "BEGIN { print ($(used_by "$1") - $before) / (1e9 / $period * ($(now) - $since)) }"
  wait "$1"
}

bare_loop --period $period --frames 3000 --reads 8 --writes 2 >bare.json
echo "bare.frame.mean $(value bare.json frame_ns.avg)"
echo "bare.frame.p50 $(value bare.json frame_ns.p50)"
echo "bare.wake.mean $(value bare.json wake_ns.avg)"
echo "bare.busy.mean $(value bare.json busy_ns.avg)"

bare_loop --period $period --frames 10000 --reads 8 --writes 2 >all.json &
echo "bare.all $(all_of_a_frame $!)"

set -- hild_bench run /bench/converters.yaml --arm --set "frame.period=$period ns"
"$@" --duration 3 --report hild.json >hild.txt 2>&1 || { cat hild.txt; exit 1; }
"$@" --duration 10 >all.txt 2>&1 &
echo "hild.all $(all_of_a_frame $!)"
ns() { awk "BEGIN { print 1000 * $(value hild.json "$1") }"; }
for what in mean p50; do
  echo "hild.wake.$what $(ns wake_latency_us.$what)"
  echo "hild.work.$what $(ns work_us.$what)"
  for phase in device passes outputs record; do echo "hild.$phase.$what $(ns phases_us.$phase.$what)"; done
done
echo "hild.overruns $(value hild.json overruns.total)"
