# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh disable=SC1091
#
# In the guest: the kernel's own count of the system calls of all threads named hild-frame, by number,
# for runs of two lengths.
set -eu
. /rig/checks.sh
mount -t tracefs tracefs /sys/kernel/tracing
entered=/sys/kernel/tracing/events/raw_syscalls/sys_enter
counting='hist:keys=id if comm == "hild-frame"'

for sampling in frame stage; do
  for seconds in 1 3; do
    echo "$counting" >$entered/trigger
    rm -f hild.json
    hild_bench run /bench/converters.yaml --arm --set integrator.sampling=$sampling --duration $seconds \
      --report hild.json >hild.txt 2>&1 || { cat hild.txt; exit 1; }
    cat $entered/hist >hist.txt
    echo "!$counting" >$entered/trigger
    for id in 16 230; do
      echo "$sampling.$seconds.$id $(awk -v id=$id '/hitcount/ { gsub(/[{},:]/, " "); if ($2 == id) print $NF }' hist.txt)"
    done
    echo "$sampling.$seconds.all $(awk '/Hits:/ { print $2 }' hist.txt)"
    echo "$sampling.$seconds.steps $(value hild.json steps)"
    echo "$sampling.$seconds.overruns $(value hild.json overruns.total)"
  done
done
