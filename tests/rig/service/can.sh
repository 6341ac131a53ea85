# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh disable=SC2154
#
# A CAN bus from within the unit's sandbox, whose frames pass both ways; and no family of addresses besides those
# that it names.
bus=hild@bus.service
of_bus() { systemctl show --property="$1" --value "$bus"; }
of_bus_run() { # name
  hildctl --socket /run/hild/bus/control.sock status --timeout 100 --json >bus.json && value bus.json "$1"
}
passed() { # at least so many frames, either way
  [ "$(of_bus_run devices.bus.sent)" -ge "$1" ] && [ "$(of_bus_run devices.bus.received)" -ge "$1" ]
}
busybox ip link add dev vcan0 type vcan
busybox ip link set vcan0 up
can_peer vcan0 control &
peer=$!
echo 'HILD_OPTIONS=--arm' >/etc/default/hild-bus
check_run "a service with a CAN bus starts" 0 bus.txt systemctl start $bus
await $$ passed 20
check "its frames pass, both ways" "active frames advance yes" \
  "$(of_bus ActiveState) $(of_bus StatusText) $(passed 20 && echo yes)"
check "none of them damaged" "0 0 0" \
  "$(of_bus_run devices.bus.wrong_crc) $(of_bus_run devices.bus.unsent) $(of_bus_run devices.bus.wrong_length)"
check "as a user without capabilities" "hild 0000000000000000" \
  "$(stat -c %U "/proc/$(of_bus MainPID)") $(awk '$1 == "CapEff:" { print $2 }' "/proc/$(of_bus MainPID)/status")"
# By the peer's voltage: 0 would be the substitute's.
driven_by_peer() {
  hildctl --socket /run/hild/bus/control.sock get --timeout 100 --json armature_voltage >got.json &&
    awk "BEGIN { exit !($(value got.json values.armature_voltage) > 0) }"
}
await $$ driven_by_peer
check "the model gets what the peer sends" yes "$(driven_by_peer && echo yes)"
check_run "it stops" 0 bus.txt systemctl stop $bus
check "with safe values sent" "inactive success 0" "$(of_bus ActiveState) $(of_bus Result) $(of_bus ExecMainStatus)"
kill $peer

# The unit's own sandbox, with another program in it.
mkdir -p /etc/systemd/system/hild@families.service.d
cat >/etc/systemd/system/hild@families.service.d/probe.conf <<'END'
[Service]
Type=oneshot
Restart=no
RestartForceExitStatus=
ExecStart=
ExecStart=perl /rig/tests/families.pl
ExecStopPost=
StandardOutput=file:/var/lib/hild/families.txt
END
systemctl daemon-reload
perl /rig/tests/families.pl >everywhere.txt
check_run "the unit's sandbox takes another program" 0 probe.txt systemctl start hild@families
for family in 17 38; do # of packets of an interface, and of the kernel's ciphers, which anybody may ask for
  check "outside, family $family opens" "$family" "$(grep -x $family everywhere.txt)"
done
# AF_UNIX, AF_INET, AF_INET6, AF_NETLINK, AF_CAN.
check "within, those families open and no other" "1 2 10 16 29" "$(tr '\n' ' ' </var/lib/hild/families.txt | sed 's/ $//')"
