# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh disable=SC1091,SC2154
#
# In the guest: the strikes, with hogs on every CPU that nobody takes off it.
echo -1 >/proc/sys/kernel/sched_rt_runtime_us
. "$tests/options"
export HILD_WITHIN="$within"

struck() { # program, trials
  check_run "$1: every line is safe, and in time" 0 "/out/$1" strikes "/bin/$1" "$tests/strikes.yaml" \
    --hogs 10 --within "${within}e-3" --frames "$((within * 3))e-4" --kinds "$kinds" --trials "$2" \
    ${each:+--each "$each"}
  cat "/out/$1"
}
struck guarded "$least"
struck hild_rig "$own"
