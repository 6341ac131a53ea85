# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh disable=SC2034,SC2086,SC2154
#
# In the guest: a, b and c, each in a network namespace of its own behind one bridge; what the scripts after this one
# do to them, and how they look at them. There is a fourth place on that network, d, for strangers.
#
# On the machine itself, whose network delays nothing (dds_strikes.sh), these are set before.
iproute=${iproute:-/bin}  # not those of busybox, which its shell would take
folder=${folder:-/rig}    # of the configuration
sockets=${sockets:-/tmp}
latency=${latency:-102}   # ms, that an input may be old; the guard takes longer
netem=${netem-yes}
again=${again:-0}         # so often more a node that was killed may be heard and missed
config=$folder/nodes.yaml
[ -z "$netem" ] || echo -1 >/proc/sys/kernel/sched_rt_runtime_us

ip() { $iproute/ip "$@"; }
tc() { $iproute/tc "$@"; }
at() { $iproute/ip netns exec "$@"; }

mkdir -p /var/run
ip link add net type bridge mcast_snooping 0
ip link set net up
host=0
for place in a b c d; do
  host=$((host + 1))
  ip netns add $place
  ip link add eth0 netns $place type veth peer name to_$place
  at $place $iproute/ip addr add 10.7.0.$host/24 dev eth0
  at $place $iproute/ip link set lo up
  at $place $iproute/ip link set eth0 up
  ip link set to_$place master net up
  # From the beginning: what is sent while one is put in place is thrown away by nobody who counts it.
  if [ "$netem" ]; then
    tc qdisc add dev to_$place root netem
    at $place $iproute/tc qdisc add dev eth0 root netem
  fi
done
# What the network does to what a place sends, and to what is sent there.
network_from() {
  on=$1
  shift
  at "$on" $iproute/tc qdisc change dev eth0 root netem "$@"
}
network_to() {
  on=to_$1
  shift
  tc qdisc change dev "$on" root netem "$@"
}

# Nobody hears a place, and it hears nobody; its own interface says nothing of that.
cut_off() { ip link set "to_$1" nomaster; }
let_in() { ip link set "to_$1" master net; }

now() { sed -n 's/^now at \([0-9]*\).*/\1/p' /proc/timer_list; }

# ---- nodes -------------------------------------------------------------------------------------

run_a='' run_b='' run_c='' runs_a=0 runs_b=0 runs_c=0
process() { eval "echo \$run_$1"; }
file() { eval "echo $1\$runs_$1.$2"; } # of its latest run: txt, mcap, json
# A run that begins measures, with the priority of its frames: here, where all have one CPU, below the frames of those
# that are there, and the gateways above all of them.
priorities=''
start() { # node
  eval "runs_$1=\$((runs_$1 + 1))"
  [ -z "$priorities" ] || priorities=$((priorities - 2))
  $iproute/ip netns exec "$1" hild_rig run $config --node "$1" --set "control.socket=$sockets/$1.sock" \
    --set "devices.net.max_latency=$latency ms" --set "safety.within=$((latency * 4)) ms" \
    ${priorities:+--set frame.priority=$priorities --set devices.net.priority=95} \
    --set "record={file: $(file "$1" mcap)}" --report "$(file "$1" json)" >"$(file "$1" txt)" 2>&1 &
  eval "run_$1=$!"
}
ctl() { # node, command...
  ctl_node=$1
  shift
  hildctl "$@" --socket "$sockets/$ctl_node.sock"
}
gateway() { # of a node: the child of its run that is called so
  for one in /proc/[0-9]*; do
    [ "$(cat "$one/comm")" = hild-dds ] || continue
    [ "$(sed -n 's/^PPid:[^0-9]*//p' "$one/status")" != "$(process "$1")" ] || echo "${one#/proc/}"
  done 2>/dev/null
}
others() {
  case $1 in
    a) echo b c ;;
    b) echo a c ;;
    c) echo a b ;;
  esac
}
# What a node has of another: c of a is x, and so on.
input() {
  case $1$2 in
    ab | ba | ca) echo x.ignored ;;
    *) echo y.ignored ;;
  esac
}

# What a run has told: a look at a file costs the guest less than a question to a run.
told() { grep -c "$2" "$(file "$1" txt)"; } # node, words
has_told() { [ "$(told "$1" "$2")" -ge "$3" ]; } # node, words, so often
missed() { echo "input .$(input "$1" "$2"). of device net is lost"; } # node, another
came_back() { echo "input .$(input "$1" "$2"). is back"; }

# Waits as await() does, and looks more often: 10 seconds or more of the guest's time.
# What comes after something that never came is not waited for.
gave_up=''
soon() { # what is waited for, command...
  [ -z "$gave_up" ] || return 0
  soon_what=$1 soon_tries=200
  shift
  until "$@" >/dev/null 2>&1; do
    soon_tries=$((soon_tries - 1))
    if [ $soon_tries -eq 0 ]; then
      echo "WRONG gave up waiting: $soon_what"
      failures=$((failures + 1)) gave_up=yes
      for node in a b c; do grep -v '^t ' "$(file $node txt)" | tail -n 8 | sed "s/^/      | $node: /"; done
      return
    fi
    sleep 0.05
  done
}

# Of a node: armed or not, how often inputs were lost, overruns.
state() { ctl "$1" status --json >"$1.status" && echo "$(value "$1.status" armed) $(value "$1.status" lost_inputs)"; }
of_net() { value "$1.status" "devices.net.$2"; } # as it was then
hears() { # node, another
  ctl "$1" get --json "$(input "$1" "$2")" >got.json && value got.json "values.$(input "$1" "$2")"
}
# Asked for, not read: who was disarmed for less time than there is between two looks of a run tells nothing of it.
is_armed() { [ "$(state "$1" | cut -d' ' -f1)" = true ]; }
arm() { # nodes
  for node; do
    soon "$node takes an arm" ctl "$node" arm
    soon "$node is armed" is_armed "$node"
  done
}

begin_all() {
  for node in a b c; do start $node; done
  for node in a b c; do soon "$node makes steps" has_told $node 'recording: ' 1; done
  arm a b c
}
# What was lost until now, and is not to be counted.
settle() { for node in a b c; do eval "lost_$node=\$(state $node | cut -d' ' -f2)"; done; }
# All are armed or not, and have lost so many inputs more.
check_all() { # what, for each of a, b, c "armed lost"
  check_what=$1
  shift
  expected='' found=''
  for node in a b c; do
    eval "lost_$node=\$((lost_$node + ${1#* }))"
    expected="$expected$node ${1% *} $(eval "echo \$lost_$node"), "
    found="$found$node $(state $node), "
    shift
  done
  check "$check_what" "$expected" "$found"
}
end_all() {
  for node in a b c; do ctl $node stop >/dev/null; done
  for node in a b c; do wait "$(process $node)"; done
}
