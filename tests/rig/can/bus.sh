# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh disable=SC2154
#
# In the guest.
config=/rig/tree/config/can.yaml
check_run "no interface" 4 missing.txt hild run "$config" --arm --duration 1
check_says "is told, and how to make one" 'there is no interface vcan0; .*ip link add dev vcan0 type vcan' missing.txt
ip link add dev vcan0 type vcan
check_run "one that is down" 4 down.txt hild run "$config" --arm --duration 1
check_says "is told too" 'vcan0 is down; ' down.txt
ip link set vcan0 up

on_the_bus() { cat /sys/class/net/vcan0/statistics/tx_packets; }
sends() { [ "$(on_the_bus)" -gt $((before + 10)) ]; }

# Ahead of all but hild: others may take the CPUs.
chrt -f 50 can_peer vcan0 control &
peer=$!
# 100 rad/s, by a controller that knows it in tenths; as soon as a busy host lets it.
cat >holds.yaml <<'END'
name: the motor holds its speed
timeout: 300 s
steps:
  - wait: 10 s
  - {wait until: shaft_speed, is: 100 rad/s, within: 5 rad/s, for: 500 ms}
END
before=$(on_the_bus)
hild run "$config" --arm --duration 600 --report loop.json --set "record={file: loop.mcap}" >loop.txt 2>&1 &
run=$!
await $run sends
check_run "the motor holds its speed" 0 holds.txt hildctl sequence holds.yaml
check_run "the run is asked to end" 0 stopped.txt hildctl stop
wait $run
check "a closed loop over the bus runs" 0 $?
cat loop.txt
# Frames of 10 ms, and a cycle of 5 ms: each sends, but for one that comes at the heels of a late one.
check_that "status was sent by its cycle" "$(value loop.json devices.bus.sent) >= $(value loop.json steps) / 2"
check_that "and commands came" "$(value loop.json devices.bus.received) >= 100"
check "none of them damaged" 0 "$(value loop.json devices.bus.wrong_crc)"
check_run "the run repeats" 0 replay.txt hild replay loop.mcap

# What stood on the bus is what the run put out: the frames of PlantStatus are among its steps, in their order, and
# before and behind them come safe values. Prints how many; or which is wrong.
compare_outputs() { # steps as CSV, as candump has the bus
  awk -F '[,#]' '
    function digit(hex, i) { return index("0123456789ABCDEF", substr(hex, i, 1)) - 1 }
    function number(hex, i) { # of the 16 bits from the i-th digit on, little-endian, signed
      value = 16 * digit(hex, i) + digit(hex, i + 1) + 256 * (16 * digit(hex, i + 2) + digit(hex, i + 3))
      return value < 32768 ? value : value - 65536
    }
    NR == FNR && FNR > 1 { ++steps; speed[steps] = sprintf("%.0f", $2 / 0.1) + 0; current[steps] = sprintf("%.0f", $3 / 0.01) + 0 }
    NR == FNR || $2 == "00000000" && !right { next }
    {
      before = at
      while (at <= steps && !(speed[at] == number($2, 1) && current[at] == number($2, 5))) ++at
      if (at <= steps) { ++right; next }
      at = before
      if ($2 != "00000000") { print "frame " FNR " is of no step behind step " before ": " $0; exit wrong = 1 }
    }
    BEGIN { at = 1 }
    END { if (!wrong) print right + 0; exit wrong }' "$1" "$2"
}

# As docs/drivers.md has it.
before=$(on_the_bus)
hild run "$config" --arm --duration 10 --report off.json >off.txt 2>&1 &
run=$!
await $run sends
check_run "what a controller that goes off the bus tells is sent" 0 send.txt cansend vcan0 20000040#0000000000000000
wait $run
check "and counted" 1 "$(value off.json devices.bus.bus_off)"

# What is injected of the controller others see as error frames: a virtual bus has none that would tell them.
before=$(on_the_bus)
hild run "$config" --arm --duration 60 --report told.json >told.txt 2>&1 &
run=$!
await $run sends
candump -L vcan0,0~0,#FFFFFFFF >told_frames.txt &
looker=$!
both_listen() { [ "$(grep -c raw /proc/net/can/rcvlist_err)" -ge 2 ]; } # for errors: hild and candump
await $looker both_listen
for fault in error_passive bus_error bus_off; do
  check_run "$fault is injected" 0 injected.txt hildctl inject bus.$fault
  check_run "and is over" 0 cleared.txt hildctl clear bus.$fault
done
count_told() { [ "$(grep -c ' 2[0-9A-F]*#' told_frames.txt)" -ge "$1" ]; }
await $looker count_told 5
check_run "the run is asked to end" 0 stopped.txt hildctl stop
wait $run
kill $looker
wait $looker
check "others were told: passive, active, a stuff error, bus off, restarted" \
  "20000004#0020000000000000 20000004#0040000000000000 20000088#0000040000000000 20000040#0000000000000000 \
20000100#0000000000000000" "$(grep -o ' 2[0-9A-F]*#.*' told_frames.txt | tr -d ' ' | xargs)"
check "each was counted" "1 1 1 1" "$(value told.json devices.bus.error_passive) \
$(value told.json devices.bus.bus_errors) $(value told.json devices.bus.bus_off) $(value told.json devices.bus.restarts)"

# A message that is sent where its trigger rises, and at no other time. Safe values are no rise.
candump -L vcan0,100:C00007FF >triggered.txt &
looker=$!
hild run "$config" --arm --duration 60 --report triggered.json --set "safety.ramp_in=0 s" \
  --set "outputs.current={device: bus, trigger: PlantStatus, scale: 1 A, safe: 0}" \
  --set "devices.bus.transmit={PlantStatus: {send: each}}" >triggered_run.txt 2>&1 &
run=$!
await $run hildctl status
kill -0 $run || cat triggered_run.txt
check_run "a trigger is held down" 0 held.txt hildctl fault current stuck 0
for rise in 1 2 3; do # with 0x0a, 0x14, 0x1e tenths of a rad/s; beside them 0x1f4
  check_run "its message has a signal, $rise" 0 held.txt hildctl fault shaft_speed stuck $rise
  check_run "it rises, $rise" 0 held.txt hildctl fault current stuck 1
  await $run grep -q "$(printf '#%02X00' $((rise * 10)))" triggered.txt
  check_run "it stays, $rise" 0 held.txt hildctl fault shaft_speed stuck 50
  check_run "it falls, $rise" 0 held.txt hildctl fault current stuck 0
done
check_run "the run is asked to end" 0 stopped.txt hildctl stop
wait $run
kill $looker
wait $looker
check "each rise sent the message once, with what its signals were in that frame" "0A00 1400 1E00" \
  "$(grep -oE '#(0A00|1400|1E00|F401)' triggered.txt | tr -d '#' | xargs)"

# A run in a storm, which begins once the run has; leaves its report in storm.json, its recording in storm.mcap.
run_in_storm() { # what, the command that makes it...
  stormed=$1
  shift
  candump -L vcan0,100:C00007FF >seen.txt &
  looker=$!
  before=$(on_the_bus)
  hild run "$config" --arm --duration 10 --report storm.json \
    --set "record={file: storm.mcap, replace: true}" --set "safety.ramp_in=0 s" >storm.txt 2>&1 &
  run=$!
  await $run sends
  before=$(on_the_bus)
  "$@" &
  storm=$!
  ended=0
  wait $run || ended=$?
  check "$stormed ends nothing" 0 $ended
  [ $ended = 0 ] || cat storm.txt
  check_run "it went on all the time" 0 kill.txt kill "$storm" "$looker"
  wait "$storm" "$looker"
  frames=$(($(on_the_bus) - before))
  echo "frames on the bus: $frames; received $(value storm.json devices.bus.received), dropped" \
    "$(value storm.json devices.bus.dropped), full $(value storm.json devices.bus.full)"
  check_that "and was one" "$frames >= 10 * $(value storm.json devices.bus.sent)"
  hild export storm.mcap --signals outputs.shaft_speed,outputs.current >steps.csv
  check_run "what stood on the bus is what the run put out" 0 compared.txt compare_outputs steps.csv seen.txt
  check_that "in many frames" "$(tail -n 1 compared.txt | cut -d ' ' -f 1) >= 100"
  check_run "and the run repeats" 0 replay.txt hild replay storm.mcap
}
# More than can be read, all of it damaged, between the controller's.
run_in_storm "a storm of damaged frames" can_peer vcan0 flood 1000000000
check_that "what it brought is counted" \
  "$(value storm.json devices.bus.wrong_crc) + $(value storm.json devices.bus.dropped) >= 1"
# Of identifiers that the run does not want, up to all of 29 bits: the kernel keeps them from it.
run_in_storm "a storm of others" cangen vcan0 -g 0 -i -e -I i -L i
# Ticks that read as many as they may (full) are no sign of them: commands pile up where the host holds this machine up.
check "none of them came to the run" "0 0 0" "$(value storm.json devices.bus.wrong_length) \
$(value storm.json devices.bus.wrong_crc) $(value storm.json devices.bus.dropped)"
check_that "commands did" "$(value storm.json devices.bus.received) >= 50"
# Of the identifier that it takes, and no other on the bus: of any length, with a checksum that is not 0xf1, as three
# zeros have it.
kill "$peer"
run_in_storm "a storm of what it wants, damaged," cangen vcan0 -g 0 -i -I 200 -L i -D 0000000000000000
check_that "what there was no room for is counted" \
  "$(value storm.json devices.bus.dropped) + $(value storm.json devices.bus.full) >= 1"
check_that "what is too short is too" "$(value storm.json devices.bus.wrong_length) >= 1"
check "all that came was damaged" "$(value storm.json devices.bus.received)" \
  "$(($(value storm.json devices.bus.wrong_length) + $(value storm.json devices.bus.wrong_crc)))"
hild export storm.mcap --signals armature_voltage >voltage.csv
check "none of it came to the plant" 0 "$(awk -F , 'NR > 1 && $2 != 0' voltage.csv | wc -l)"
check_that "which was without a voltage" "$(wc -l <voltage.csv) >= 250"

# What is on the bus, decoded, beside a run that drives it: the run's own messages too. -73.2 rad/s are
# -732 = 0xfd24 tenths of it, 12 V are 0x2ee0 thousandths, whose checksum would be 0xe6.
before=$(on_the_bus)
hild run "$config" --arm --duration 20 --report beside.json >beside.txt 2>&1 &
run=$!
await $run sends
check_run "the bus of a run is listened to" 0 heard.txt hild io "$config" --listen bus --count 20
check_says "what the run sends is decoded" '0x100       PlantStatus  .* Speed=.* rad/s  Current=.* A$' heard.txt
kill $run
wait $run
check "and the run ends as it should" 0 $?
hild io "$config" --listen bus >heard.txt 2>listens.txt &
listener=$!
await $listener grep -q 'listening to bus until interrupted' listens.txt
check_run "frames are sent" 0 send.txt cansend vcan0 100#24FD6400
for frame in 200#E02E0100 7F0#DEADBEEF 18FEF015#01 100#24 100#R4 20000040#0000000000000000 \
  20000004#0020000000000000; do
  cansend vcan0 $frame
done
await $listener grep -q 'error passive' heard.txt
kill -INT $listener
wait $listener
check "it ends when it is interrupted" 0 $?
cat heard.txt
check_says "a message of the file" \
  '0x100       PlantStatus           Speed=-73.2 rad/s  Current=1 A$' heard.txt
check_says "one whose checksum is wrong" \
  '0x200       Command  .* Voltage=12 V  Alive=1  Checksum=0  # its checksum is wrong$' heard.txt
check_says "one that is not in it" '0x7f0       -                     de ad be ef$' heard.txt
check_says "one of 29 bits" '0x18fef015  -                     01$' heard.txt
check_says "one that is too short" \
  '0x100       PlantStatus           24  # shorter than its message: 1 bytes of 4$' heard.txt
check_says "one that asks" '0x100       PlantStatus             # a remote frame' heard.txt
check_says "a controller off the bus" '# bus off$' heard.txt
check_says "one that is error passive" '# error passive in sending$' heard.txt
while :; do cansend vcan0 100#24FD6400; done &
sender=$!
check_run "it ends after as many as are asked for" 0 heard.json hild io "$config" --listen bus --json --count 1
kill $sender
check_says "for programs too" '"name": "PlantStatus", "bytes": "24fd6400", "values": {"Speed": {"value": -73.2' heard.json

# The interface goes down: the device has failed, and hild ends with the code for that.
(sleep 5; ip link set vcan0 down) &
check_run "one that goes down is told to who listens" 4 gone.txt hild io "$config" --listen bus
check_says "with its reason" 'device bus: cannot receive on vcan0: Network is down; the interface is down' gone.txt
check_run "one that is down too" 4 down.txt hild io "$config" --listen bus
check_says "as before a run" 'vcan0 is down; ' down.txt
ip link set vcan0 up
(sleep 5; ip link set vcan0 down) &
check_run "an interface that goes down ends the run" 4 gone.txt hild run "$config" --arm --duration 60
check_says "with its reason" 'vcan0: Network is down' gone.txt
ip link set vcan0 up
check_run "safe values are sent by themselves" 0 safe.txt hild safe "$config"
