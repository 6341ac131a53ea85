# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh disable=SC2154
#
# The end, as an administrator asks for it.
check_run "systemctl stop" 0 stop.txt systemctl stop $unit
check "it ended well" "inactive success 0" \
  "$(of_unit ActiveState) $(of_unit Result) $(of_unit ExecMainStatus)"
check "the output is safe" yes "$(is_safe 2 && echo yes)"
check "nothing of it is left" "" "$(cat "$group/cgroup.procs" 2>/dev/null)"
check_run "its recording can be read" 0 log.txt hild log /var/lib/hild/rig1.mcap --json
check "to its end" true "$(value log.txt file.closed)"
