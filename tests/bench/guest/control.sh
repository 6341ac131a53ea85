# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh disable=SC1091
#
# In the guest: what a frame takes of the same run, now quiet, now with clients, in instructions, of
# which a crowded cache changes nothing.
set -eu
. /rig/checks.sh
echo -1 >/proc/sys/kernel/sched_rt_runtime_us
ifconfig lo 127.0.0.1 up

load() { # name, socket or port, clients
  control_load /bench/motor_served.yaml "$2" "$3" 2 >said.txt || { cat said.txt; exit 1; }
  sed "s/^/$1./" said.txt
}
load clients /tmp/control.sock 64
load crowd 28080 2000
