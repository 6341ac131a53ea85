# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh disable=SC1091
#
# In the guest: whole frames over the same card, from the tick to the end of their work, in
# instructions; bare_loop and hild one after the other.
set -eu
. /rig/checks.sh

bare_loop --rate 1000 --frames 3000 --reads 8 --writes 2 >bare.json
echo "bare.frame.mean $(value bare.json frame_ns.avg)"
echo "bare.frame.p50 $(value bare.json frame_ns.p50)"
echo "bare.wake.mean $(value bare.json wake_ns.avg)"
echo "bare.busy.mean $(value bare.json busy_ns.avg)"

hild_bench run /bench/converters.yaml --arm --duration 3 --report hild.json >hild.txt 2>&1 || { cat hild.txt; exit 1; }
ns() { awk "BEGIN { print 1000 * $(value hild.json "$1") }"; }
for what in mean p50; do
  echo "hild.wake.$what $(ns wake_latency_us.$what)"
  echo "hild.work.$what $(ns work_us.$what)"
  for phase in device passes outputs record; do echo "hild.$phase.$what $(ns phases_us.$phase.$what)"; done
done
echo "hild.overruns $(value hild.json overruns.total)"
