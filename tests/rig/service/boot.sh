# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh disable=SC2154
#
# The service as the boot left it: up, confined, in charge of its converter.
check "it was started at boot" active "$(of_unit ActiveState)"
check "when frames advanced, not before" "frames advance" "$(of_unit StatusText)"
await $$ driven
check "the output follows the model" yes "$(driven && echo yes)"
first=$(status_of_run frames)
await $$ advanced "$first"
check "its configuration is a field of the journal" 1 \
  "$(journal --output=cat "HILD_CONFIG=$config" | grep -c "$config: frames advance: ")"

main=$(of_unit MainPID)
of_process() { awk -v name="$1:" '$1 == name { print $2 }' "/proc/$main/status"; }
check "its card is a unit that it waited for" active "$(systemctl is-active dev-comedi0.device)"
check "as a user of its own" hild "$(stat -c %U "/proc/$main")"
check "which reaches the card by its group" "crw-rw---- iocard" "$(stat -c '%A %G' /dev/comedi0)"
check "without new privileges" 1 "$(of_process NoNewPrivs)"
check "behind a filter of system calls" 2 "$(of_process Seccomp)"
for set in CapInh CapPrm CapEff CapBnd CapAmb; do
  check "$set is empty" 0000000000000000 "$(of_process $set)"
done
# As root, in what the service sees of the files; and among what it may open of the devices.
inside() { nsenter --target "$main" --mount sh -c "$1" 2>&1; }
check_that "the system is read-only" "$(inside 'touch /usr/x' | grep -c 'Read-only file system') == 1"
check_that "its configuration too" "$(inside 'touch /etc/hild/x' | grep -c 'Read-only file system') == 1"
check "but for its own directory" 0 "$(inside 'touch /var/lib/hild/x && rm /var/lib/hild/x'; echo $?)"
with_its_devices() { sh -c "echo \$\$ >$group/cgroup.procs; $1" 2>&1; }
check_that "no device but its own" "$(with_its_devices ': </dev/ttyS0' | grep -c 'Operation not permitted') == 1"
check "which it may open" "" "$(with_its_devices ': </dev/comedi0')"

# Field N of proc(5)'s stat.
stat_of() { sed 's/.*) //' "/proc/$1/stat" | cut -d ' ' -f $(($2 - 2)); }
realtime() {
  while read -r task; do
    [ "$(stat_of "$task" 41)" = 0 ] || echo "$(cat "/proc/$task/comm") $(stat_of "$task" 41) $(stat_of "$task" 40)"
  done <"$group/cgroup.threads" | sort
}
check "SCHED_FIFO is for the frames and the guard alone" "hild-frame 1 80
hild-guard 1 81" "$(realtime)"
