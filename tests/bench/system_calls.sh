#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# System calls of the frame thread: one sleep a release, one ioctl a device call of Comedi, no other.
# The slope between two lengths, without tolerance. Simulated converters on this machine, by strace;
# Comedi's in the rig, by the kernel's own count.
set -euo pipefail
# shellcheck source=common.bash disable=SC2154
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"
short=1 long=3 rate=100 most_discards=5

# The calls of the frame thread of a run: "name count" into a file. Of the threads of this name the
# rehearsal's comes first, the run's last. Repeats a run in which a tick was late.
calls_of() { # file, sampling, seconds
  local discards=0 thread wake busy
  while :; do
    rm -f "$work"/trace.* "$work/hild.json"
    if ! strace -ff -o "$work/trace" "$build/hild" run "$here/configs/motor_sim.yaml" \
      --set frame.rate="$rate Hz" --set integrator.sampling="$2" --duration "$3" \
      --report "$work/hild.json" >"$work/hild.txt" 2>&1 || [[ ! -s $work/hild.json ]]; then
      cat "$work/hild.txt" >&2
      return 1
    fi
    # Only a release that lies ahead is waited for; all did, if even the longest frame was short.
    wake=$(value "$work/hild.json" wake_latency_us.max) busy=$(value "$work/hild.json" work_us.max)
    awk "BEGIN { exit !($wake + $busy < 0.5e6 / $rate) }" && break
    say "discarded: a tick was late"
    ((++discards <= most_discards)) || return 1
  done
  thread=$(grep -l 'prctl(PR_SET_NAME, "hild-frame")' "$work"/trace.* | sort -t . -k 3n | tail -n 1)
  sed -nE 's/^([a-z_0-9]+)\(.*/\1/p' "$thread" | sort | uniq -c | awk '{ print $2, $1 }' >"$1"
}

for sampling in frame stage; do
  releases=1
  [[ $sampling == frame ]] || releases=2
  if ! command -v strace >/dev/null || ! can_be_real_time; then
    skipped "simulated converters, $sampling" 'needs strace and SCHED_FIFO'
    continue
  fi
  if ! calls_of "$work/short" $sampling $short || ! calls_of "$work/long" $sampling $long; then
    failed "simulated converters, $sampling" 'no run, or none without a late tick'
    continue
  fi
  slope() { # name, or nothing for all
    awk -v name="$1" -v frames=$(((long - short) * rate)) '
      name == "" || $1 == name { n[FILENAME] += $2 }
      END { printf "%.6g", (n[ARGV[2]] - n[ARGV[1]]) / frames }' "$work/short" "$work/long"
  }
  limit "simulated converters, $sampling: sleeps" calls/frame "$(slope clock_nanosleep)" == $releases
  limit "simulated converters, $sampling: all calls" calls/frame "$(slope '')" == $releases
done

counted 180 "$here/guest/calls.sh" || { failed 'Comedi' 'the guest failed'; exit; }
ioctl=16 clock_nanosleep=230
for sampling in frame stage; do
  releases=1
  [[ $sampling == frame ]] || releases=2
  slope() {
    calc "($(said "$sampling.3.$1") - $(said "$sampling.1.$1")) / ($(said "$sampling.3.steps") - $(said "$sampling.1.steps"))"
  }
  limit "Comedi, $sampling: sleeps" calls/frame "$(slope $clock_nanosleep)" == $releases
  limit "Comedi, $sampling: ioctls" calls/frame "$(slope $ioctl)" == $releases
  limit "Comedi, $sampling: all calls" calls/frame "$(slope all)" == $((2 * releases))
done
