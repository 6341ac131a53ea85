#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# The files for systemd in the eyes of systemd: the unit verifies, and is confined; users and
# directories are made as they should in a root of their own. 77: systemd is not here.
set -euo pipefail
hild=$1
command -v systemd-analyze systemd-sysusers systemd-tmpfiles >/dev/null || exit 77
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/hild-systemd.XXXXXX")
trap 'rm -rf "$work"' EXIT
failures=0
expect() { # what, command...
  local what=$1
  shift
  if "$@" >"$work/said" 2>&1; then
    echo "ok    $what"
  else
    echo "WRONG $what:"
    sed 's/^/      | /' "$work/said"
    failures=$((failures + 1))
  fi
}

unit=$work/hild@.service
sed -E "s#^(Exec[A-Za-z]+=)hild #\1$hild #" "$source/systemd/hild@.service" >"$unit"
verified() { systemd-analyze verify --man=no "$unit" && [ ! -s "$work/said" ]; }
expect "systemd-analyze finds nothing wrong with the unit" verified
# With the drop-in and the slice of a rig that has CPUs of its own.
mkdir "$unit.d"
cp "$source/systemd/isolated/isolated.conf" "$unit.d"
cp "$source/systemd/isolated/hild.slice" "$work"
expect "nor with the drop-in of a rig that has CPUs of its own" verified
in_its_slice() {
  local slice cpus
  slice=$(sed -n 's/^Slice=//p' "$unit.d/isolated.conf")
  cpus=$(sed -n 's/^AllowedCPUs=//p' "$work/$slice")
  [[ $cpus == [0-9]* ]] && grep -q "/sys/fs/cgroup/$slice/cpuset.cpus.partition" "$unit.d/isolated.conf"
}
expect "the drop-in makes a partition of the slice it puts the run into" in_its_slice
rm -r "$unit.d"
# 0 is a service that can do nothing, 10 one that can do all; sockets of CAN are "exotic", and cost it 0.2.
expect "it is confined" systemd-analyze security --offline=yes --threshold=30 "$unit"
expect "both programs of the unit are options of hild" sh -c \
  "'$hild' run --help | grep -q -- --arm && '$hild' safe --help | grep -q -- --wait"
# The run, its check and what makes its outputs safe after it are of one configuration.
same_settings() {
  local command
  for command in run check safe; do
    grep -Eq "^Exec[A-Za-z]+=hild $command .*\\\$HILD_SET /etc/hild/%i.yaml\$" \
      "$source/systemd/hild@.service" || { echo "$command: no \$HILD_SET"; return 1; }
    "$hild" "$command" --help | grep -q -- --set || { echo "$command: no --set"; return 1; }
  done
}
expect "what HILD_SET changes of a configuration holds for all three" same_settings
# 1: refused, 4: a device failed, 5: an interlock tripped.
stays_stopped() { grep -qx 'RestartPreventExitStatus=1 4 5' "$source/systemd/hild@.service"; }
expect "a service that an interlock ended stays stopped" stays_stopped

mkdir -p "$work/root/etc"
expect "users and groups are made" \
  systemd-sysusers --root="$work/root" "$source/systemd/hild.sysusers.conf"
member() { grep -Eq '^iocard:.*\bhild\b' "$work/root/etc/group" && grep -q '^hild:' "$work/root/etc/passwd"; }
expect "hild is in the group of the converters" member
expect "directories are made" \
  systemd-tmpfiles --root="$work/root" --create "$source/systemd/hild.tmpfiles.conf"
owned() { [ "$(stat -c '%u %a' "$work/root/etc/hild")" = "$(id -u) 755" ]; }
expect "configurations are written by their owner only" owned
if command -v udevadm >/dev/null && udevadm verify --help >/dev/null 2>&1; then
  expect "udev reads the rules" udevadm verify "$source/systemd/60-hild.rules"
fi
((failures == 0))
