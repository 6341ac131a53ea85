# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh disable=SC2154
#
# Digital lines: outputs, inputs, and a loop closed over both.
config=$tests/lines.yaml
port() { lines /dev/comedi1 "$@"; }
write_lines() { # strobe, init, select
  hild io "$config" --write shaft_speed=$((200 * $1)) --write current=$((1000 * $2 - 1000)) \
    --write torque=$((1000 * $3 - 1000))
}

check_run "io lowers three lines" 0 io.txt write_lines 0 0 0
check "the card holds them low" 0x00 "$(port 2 read)"
check "the input line is high at rest" 1 "$(shown armature_voltage)"
check_run "io raises three lines" 0 io.txt write_lines 1 1 1
check "the card holds them high, and no other" 0x0d "$(port 2 read)"
hild io "$config" >io.txt
check "the input line follows them down" 0 "$(shown armature_voltage)"
check "an output line reads back" 1 "$(shown shaft_speed)"
check_run "safe" 0 safe.txt hild safe "$config"
check "the lines are safe" 0x0c "$(port 2 read)"

# Eight data lines that share a direction.
data() { # options of hild io
  hild io "$config" --set outputs.shaft_speed.subdevice=0 --set outputs.current.subdevice=0 \
    --set outputs.torque.subdevice=0 --set outputs.torque.channel=7 "$@"
}
check_run "io writes data lines" 0 io.txt \
  data --write shaft_speed=200 --write current=-1000 --write torque=0
check "those in use: one up, one down, one up" $((0x81)) $(($(port 0 read) & 0x85))
check_run "one direction for all of them" 4 refused.txt \
  data --set inputs.armature_voltage.subdevice=0
check_says "with its reason" 'direction is tied to that of another line' refused.txt
port 0 output

check_run "a loop over digital lines runs" 0 lines.txt \
  timeout 200 hild run "$config" --arm --duration 4 --report lines.json
check_that "for its frames" "$(value lines.json frames) >= 80"
check "its lines are safe after it" 0x0c "$(port 2 read)"
