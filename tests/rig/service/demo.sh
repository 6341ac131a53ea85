# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh disable=SC2154
#
# The demonstration as the package brings it, ready to start; and who may steer it (docs/install.md).
demo=hild@demo.service
of_demo() { systemctl show --property="$1" --value "$demo"; }
as_user() { # user, command of hildctl...
  user=$1
  shift
  runuser -u "$user" -- hildctl --socket /run/hild/demo/control.sock --timeout 20 "$@"
}
check_run "systemctl start hild@demo" 0 demo.txt systemctl start $demo
check "its frames advance" "active frames advance" "$(of_demo ActiveState) $(of_demo StatusText)"
useradd member
usermod -aG hild member
useradd stranger
check_run "a member of the group steers it" 0 demo_set.txt as_user member set 'inertia=0.5 g m2'
check_says "which takes effect" "took effect at frame" demo_set.txt
check_run "nobody else does" 2 demo_other.txt as_user stranger status
check_run "systemctl stop hild@demo" 0 demo.txt systemctl stop $demo
check "it ended well" "inactive success 0" "$(of_demo ActiveState) $(of_demo Result) $(of_demo ExecMainStatus)"

# In the unit as by hand a model that is not trusted is held where it runs.
echo 'HILD_SET=--set model.process=own --set overrun.then=continue' >/etc/default/hild-demo
check_run "it starts with its model in a process of its own" 0 demo_own.txt systemctl start $demo
journalctl --sync
journalctl --no-pager --unit=$demo --output=cat >demo_words.txt
check "which is contained" 0 "$(grep -c 'NOT CONTAINED' demo_words.txt)"
model=$(grep -lx hild-model /proc/[0-9]*/comm 2>/dev/null | head -n 1 | cut -d / -f 3)
check_that "its model has a process" "0$model > 0"
check "and has namespaces of its own" 5 "$(for of in user pid mnt net ipc; do
  [ "$(readlink "/proc/$model/ns/$of")" = "$(readlink "/proc/$(of_demo MainPID)/ns/$of")" ] || echo "$of"
done | wc -l)"
systemctl stop $demo
rm /etc/default/hild-demo
