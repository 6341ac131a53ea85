# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh disable=SC2154
#
# Values through the converters, to one step of 16 bits; and what is refused, with its reason.
config=$tests/motor.yaml

# What the card must hold for a voltage of +-10 V; what the D/A channel holds, by its A/D channel.
counts_of() { awk "BEGIN { printf \"%.0f\", ($1 + 10) / 20 * 65535 }"; }
held() { analog "${2:-/dev/comedi0}" 0 "$1" read; }
check_held() { # what, channel, volts
  check_near "$1" "$(held "$2")" "$(counts_of "$3")" 1
}
# The volts that `hild io` shows of a signal.
shown() { awk -v name="$1" '$1 == name { for (i = 2; i < NF; ++i) if ($(i + 1) == "on") print $i }' io.txt; }

check_run "check accepts the configuration" 0 check.txt hild check "$config"
check_says "check measured the card" 'device call \(read\) +[0-9.]+' check.txt

for volts in -10 10 0 2.5 -7.123 9.9997; do
  speed=$(awk "BEGIN { print 25 * $volts }")
  check_run "io writes $volts V" 0 io.txt \
    hild io "$config" --write "shaft_speed=$speed" --write current=3
  check_held "the card holds $volts V" 0 "$volts"
  # Shown with five digits: half a unit of the last one on top of one step of the converter.
  check_near "and hild reads them back" "$(shown armature_voltage)" "$volts" 0.00036
  check_near "as output too" "$(shown shaft_speed)" "$volts" 0.00036
done
check_held "a second output is written beside the first" 1 1.5
hild io "$config" --write shaft_speed=50 >io.txt
check_held "one output is written" 0 2
check_held "and the other left alone" 1 1.5

check_run "safe" 0 safe.txt hild safe "$config"
check_held "the first output is safe" 0 1
check_held "the second output is safe" 1 -2

check_run "the range of 5 V is there too" 0 io.txt hild io "$config" \
  --set outputs.shaft_speed.range='-5 V..5 V' --write shaft_speed=125
check "full scale of 5 V" 65535 "$(held 0)"

refused() { # what, pattern, KEY=VALUE
  check_run "refused: $1" 4 refused.txt hild io "$config" --set "$3"
  check_says "with its reason" "$2" refused.txt
}
refused "a path that is not there" \
  'device daq: cannot open /dev/comedi9: No such file.*comedi_config' devices.daq.path=/dev/comedi9
refused "a device without a card" \
  'device daq: cannot open /dev/comedi3: .*attach it.*comedi_config' devices.daq.path=/dev/comedi3
refused "what is no Comedi device" \
  'device daq: cannot open /dev/null: .*no Comedi device' devices.daq.path=/dev/null
refused "an input subdevice for an output" \
  '/dev/comedi0: subdevice 0 channel 1: expected a subdevice for analog output, found .*analog input' \
  outputs.current.subdevice=0
refused "a subdevice that is not there" \
  'subdevice 9 channel 1: the card has subdevices 0 to 1' outputs.current.subdevice=9
refused "a channel that is not there" \
  'subdevice 1 channel 8: the subdevice has channels 0 to 7' outputs.current.channel=8
refused "a range the card has not" \
  'no range -3 V\.\.3 V; it has -10 V\.\.10 V, -5 V\.\.5 V' outputs.current.range='-3 V..3 V'
check_run "a channel used twice is an error of the configuration" 1 refused.txt \
  hild io "$config" --set outputs.current.channel=0
check_says "with its reason" 'motor.yaml:[0-9]+: .*subdevice 1 channel 0 is already used' refused.txt
check_run "a card that is not there can be checked" 0 check.txt \
  hild check "$config" --set devices.daq.path=/dev/comedi3
check_says "and check says so" 'warning: .*/dev/comedi3.*device calls are not measured' check.txt
