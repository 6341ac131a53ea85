# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh disable=SC2154
#
# In the guest: hild here, its peer in a network namespace of its own, and between them a network that does what
# networks do. What hild counts is compared with what the peer has sent, what the network says that it threw away,
# and a witness that sees what arrives below hild's socket.
config=/rig/link.yaml
export HILD_SOCKET=/tmp/link.sock
echo -1 >/proc/sys/kernel/sched_rt_runtime_us

# Not those of busybox, which its shell would take.
ip() { /bin/ip "$@"; }
tc() { /bin/tc "$@"; }
mkdir -p /var/run
ip netns add far
ip link add near type veth peer name far netns far
far() { ip netns exec far "$@"; }
# Nothing travels but the packets of the two.
for all in /proc/sys/net/ipv6/conf; do
  [ ! -d $all ] || { echo 1 >$all/all/disable_ipv6; far sh -c "echo 1 >$all/all/disable_ipv6"; }
done
ip link set near address 02:00:00:00:00:01
far ip link set far address 02:00:00:00:00:02
ip addr add 10.7.0.1/24 dev near
far ip addr add 10.7.0.2/24 dev far
ip link set near up
far ip link set far up
ip neigh replace 10.7.0.2 lladdr 02:00:00:00:00:02 dev near nud permanent
far ip neigh replace 10.7.0.1 lladdr 02:00:00:00:00:01 dev far nud permanent
# From the beginning: what is sent while one is put in place is thrown away by nobody who counts it.
tc qdisc add dev near root netem
far tc qdisc add dev far root netem

mkfifo words
/bin/ip netns exec far udp_peer exchange 10.7.0.2 5001 10.7.0.1 5000 <words >peer.txt 2>&1 &
peer=$!
exec 9>words
udp_peer watch near 5000 >arrived.txt 2>&1 &
witness=$!
await $witness grep -q watches arrived.txt
hild run $config --arm --set control.socket=$HILD_SOCKET --set "record={file: link.mcap}" --report link.json >run.txt 2>&1 &
run=$!

status_of() { hildctl status --json >status.json && value status.json "$1"; }
of_link() { status_of "devices.link.$1"; }
got() { hildctl get --json "$1" >got.json && value got.json "values.$1"; }
is() { near "$(got "$1")" "$2" 1e-6; }
from_peer() { is "$1" "$([ "$1" = load_torque ] && echo 0.02 || echo 5)"; }
stood_in() { is "$1" "$([ "$1" = load_torque ] && echo 0.01 || echo 1)"; }
sent=0
send() { # so many, a packet every 2 ms
  sent=$((sent + $1))
  echo "send $1 2000" >&9
}
await_sent() { await $peer grep -qx "sent $sent" peer.txt; }
counted_all() { [ "$(of_link received)" = "$(grep -c '^[0-9]' arrived.txt)" ]; }
waits_in_the_network() { tc -s qdisc show dev near; far tc -s qdisc show dev far; }
is_empty() { ! waits_in_the_network | grep -q 'backlog [^ ]* [1-9]'; }
dropped_at() { sed -n 's/.*dropped \([0-9]*\),.*/\1/p' "$1" | tail -n 1; }

# A quiet network: neither input is too old.
await $run of_link sent
send 1000
await $run from_peer armature_voltage
await $run from_peer load_torque
check "the newest packet is a few ms old" "yes yes" "$(from_peer load_torque && echo yes) $(from_peer armature_voltage && echo yes)"
await_sent
await $run counted_all
check "nothing was lost, late or twice" "1000 0 0 0" \
  "$(of_link received) $(of_link lost) $(of_link reordered) $(of_link doubled)"

# 10 ms to 30 ms, so that packets of 2 ms overtake each other; some are lost, some twice. All come too late for the
# one input, and none for the other.
far tc qdisc change dev far root netem delay 20ms 10ms loss 5% duplicate 10%
send 3000
came() { [ "$(of_link received)" -ge "$1" ]; }
await $run came 1100
await $run from_peer armature_voltage
losses=$(status_of lost_inputs)
check "younger than 60 ms is what came, and older than 9 ms" "yes yes" \
  "$(from_peer armature_voltage && echo yes) $(stood_in load_torque && echo yes)"
await $run came 3500
check "so it was all the time" "$losses" "$(status_of lost_inputs)"
await_sent
await $run is_empty

# One in four at once, ahead of those that are on their way.
far tc qdisc change dev far root netem delay 10ms reorder 25% 50% loss 2% duplicate 5%
send 1500
await_sent
await $run is_empty

# The network is parted, both ways, and whole again.
far tc qdisc change dev far root netem loss 100%
tc qdisc change dev near root netem loss 100%
send 500
await $run stood_in armature_voltage
check "what stands in for a peer that is gone is there" "yes" "$(stood_in armature_voltage && echo yes)"
await_sent
far tc qdisc change dev far root netem loss 0%
tc qdisc change dev near root netem loss 0%
tc -s qdisc show dev near >parted.txt
check_that "what was sent meanwhile was lost on the way" "$(dropped_at parted.txt) >= 500"
send 500
await $run from_peer armature_voltage
await $run from_peer load_torque
check "and gone when the peer is back" "yes yes" "$(from_peer load_torque && echo yes) $(from_peer armature_voltage && echo yes)"
await_sent
await $run counted_all

hildctl stop >/dev/null
ended=0
wait $run || ended=$?
[ $ended = 0 ] || cat run.txt
check "the run ended well" 0 "$ended"
count() { value link.json "devices.link.$1"; }
for what in received lost reordered doubled sent unsent; do echo "$what $(count $what)"; done

# Of the numbers, which wrap around: as the documentation has it (docs/drivers.md, UDP).
grep '^[0-9]' arrived.txt | awk -v from=65000 '
  {
    n = ($1 - from + 65536) % 65536
    if (NR == 1 || n > newest) { if (NR > 1) lost += n - newest - 1; newest = n }
    else if (n == newest) doubled++
    else reordered++
  }
  END { print NR, lost + 0, reordered + 0, doubled + 0 }' >witness.txt
check "hild counted what the witness saw arrive" "$(cat witness.txt)" \
  "$(count received) $(count lost) $(count reordered) $(count doubled)"
for what in lost reordered doubled; do check_that "some were $what" "$(count $what) > 0"; done
# Each number was taken or is missing: the first and the last came through a quiet network.
check "with those that are missing, they are those that the peer sent" "$sent" \
  "$(($(count received) - $(count reordered) - $(count doubled) + $(count lost)))"
check "no others came" "0 0 0 0 0 0" "$(count wrong_sender) $(count wrong_length) $(count not_finite) $(count dropped) \
$(count restarts) $(count refused)"

# The other way: numbered without a gap; what did not arrive is what the network says it threw away.
tc -s qdisc show dev near >parted.txt
echo tell >&9
await $peer grep -q received peer.txt
check "the peer had all packets but those of the parted network" "$(count sent) $(count sent)" \
  "$(awk -v dropped="$(dropped_at parted.txt)" '$1 == "received" { print $2 + dropped, $3 + 1 }' peer.txt)"
check "all that the kernel was given" 0 "$(count unsent)"
check "no frame came to grief by it" 0 "$(value link.json overruns.total)"
check_run "the run repeats" 0 replay.txt hild replay link.mcap
kill $peer $witness
