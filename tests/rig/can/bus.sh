# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh disable=SC2154
#
# In the guest.
config=/rig/can.yaml
check_run "no interface" 4 missing.txt hild run "$config" --arm --duration 1
check_says "is told, and how to make one" 'there is no interface vcan0; .*ip link add dev vcan0 type vcan' missing.txt
ip link add dev vcan0 type vcan
check_run "one that is down" 4 down.txt hild run "$config" --arm --duration 1
check_says "is told too" 'vcan0 is down; ' down.txt
ip link set vcan0 up

can_peer vcan0 control &
peer=$!
check_run "a closed loop over the bus runs" 0 loop.txt \
  hild run "$config" --arm --duration 20 --report loop.json --set "record={file: loop.mcap}"
cat loop.txt
check_that "status came and went" "$(value loop.json devices.bus.sent) >= 1000"
check_that "and commands came" "$(value loop.json devices.bus.received) >= 1000"
check "none of them damaged" 0 "$(value loop.json devices.bus.wrong_crc)"
# 100 rad/s, by a controller that knows it in tenths.
hild export loop.mcap --signals shaft_speed | tail -n 1 >last.txt
speed=$(cut -d, -f2 last.txt | cut -d. -f1)
check_that "the motor holds its speed" "$speed >= 95 && $speed <= 105"
check_run "the run repeats" 0 replay.txt hild replay loop.mcap

# A storm: more than can be read, all of it damaged.
can_peer vcan0 flood 200000 &
flood=$!
check_run "a storm ends nothing" 0 storm.txt hild run "$config" --arm --duration 5 --report storm.json
kill "$flood" 2>/dev/null
check_that "what it brought is counted" \
  "$(value storm.json devices.bus.wrong_crc) + $(value storm.json devices.bus.dropped) >= 1"

# The interface goes down: the device has failed, and hild ends with the code for that.
(sleep 5; ip link set vcan0 down) &
check_run "an interface that goes down ends the run" 4 gone.txt hild run "$config" --arm --duration 60
check_says "with its reason" 'vcan0: Network is down' gone.txt
kill "$peer" 2>/dev/null

ip link set vcan0 up
check_run "safe values are sent by themselves" 0 safe.txt hild safe "$config"
