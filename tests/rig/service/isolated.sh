# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh disable=SC2154
#
# The drop-in and the slice that come as examples, for the guest's second CPU: a partition while the run is
# there, closed to all others; and what hild doctor says of it, from outside and from within.
units=/etc/systemd/system
part=/sys/fs/cgroup/hild.slice
sed 's/^AllowedCPUs=.*/AllowedCPUs=1/' /rig/isolated/hild.slice >$units/hild.slice
mkdir -p $units/hild@demo.service.d
sed 's/^CPUAffinity=.*/CPUAffinity=1/' /rig/isolated/isolated.conf >$units/hild@demo.service.d/isolated.conf
systemctl daemon-reload
check_run "the demonstration starts in its slice" 0 isolated.txt systemctl start hild@demo
check "which is an isolated partition" "isolated 1" "$(cat $part/cpuset.cpus.partition) $(cat $part/cpuset.cpus.effective)"
check "the run is in it" "0::/hild.slice/hild@demo.service" \
  "$(cat "/proc/$(systemctl show --property=MainPID --value hild@demo)/cgroup")"
check "its CPU is nobody else's" 0 "$(cat /sys/fs/cgroup/system.slice/cpuset.cpus.effective)"
hild doctor --cpu 1 --measure 0 >outside.txt || true
check_says "outside, hild doctor says so" "partition: 1; frames run on 1, where this process may not run" outside.txt
# By a unit, as what would start one by itself asks a bus that need not be there.
cat >$units/inside.service <<END
[Service]
Type=oneshot
Slice=hild.slice
ExecStart=/usr/bin/hild doctor --cpu 1 --measure 0
StandardOutput=file:$PWD/inside.txt
END
systemctl daemon-reload
systemctl start inside.service || true # doctor may find other things wrong
check_says "within, that all is well" "good     isolated_cpus     isolated by a partition: 1; frames run on 1" inside.txt
check_run "it stops" 0 isolated.txt systemctl stop hild@demo

# All CPUs cannot be taken from the rest of the system.
sed -i 's/^AllowedCPUs=.*/AllowedCPUs=0-1/' $units/hild.slice
systemctl daemon-reload
check_run "a slice of all CPUs is refused" 1 isolated.txt systemctl start hild@demo
journalctl --sync
journalctl --no-pager --unit=hild@demo --output=cat >refused.txt
check_says "by the kernel, which says why" "isolated invalid \\(" refused.txt
rm -r $units/hild.slice $units/hild@demo.service.d
systemctl daemon-reload
systemctl reset-failed hild@demo
systemctl stop hild.slice
