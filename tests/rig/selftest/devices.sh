# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
#
# In the guest: the converters and the digital lines do what README.md says, and a device can vanish.
set -u
failures=0

check() { # what, expected, found
  if [ "$2" = "$3" ]; then
    echo "ok    $1"
  else
    echo "WRONG $1: expected '$2', found '$3'"
    failures=$((failures + 1))
  fi
}
port() { lines /dev/comedi1 "$@"; }

check "arguments arrive whole" "a b|c'd" "$1|$2"
check "comedi_test is /dev/comedi0" comedi_test "$(lines /dev/comedi0 | head -n 1)"
check "comedi_parport is /dev/comedi1" comedi_parport "$(lines /dev/comedi1 | head -n 1)"

# Data lines: what is written reads back from the port's own register; as inputs nothing pulls them down.
for bits in 0x00 0x55 0xaa 0xff; do
  port 0 write $bits >/dev/null
  check "data lines hold $bits" $bits "$(port 0 read)"
done
port 0 input
check "data lines read high as inputs" 0xff "$(port 0 read)"
port 0 output
check "data lines return to what was written" 0xff "$(port 0 read)"

# Control to status: the printer inside the port lowers status line 4 (busy) at strobe, init and select.
port 2 write 0x0 >/dev/null
check "status lines at rest" 0x1b "$(port 1 read)"
port 0 write 0x41 >/dev/null
port 2 write 0xd >/dev/null
check "status line 4 follows the control lines down" 0x0b "$(port 1 read)"
port 2 write 0x0 >/dev/null
check "status line 4 follows the control lines up" 0x1b "$(port 1 read)"

# A device that vanishes under a running program, and comes back.
bare_loop --frames 60000 2>vanished.txt &
loop=$!
tries=1000
# shellcheck disable=SC2010 # the links are what is looked for, names are tame
until ls -l /proc/$loop/fd 2>/dev/null | grep -q /dev/comedi0 || [ $tries -eq 0 ]; do
  sleep 0.1
  tries=$((tries - 1))
done
sleep 0.5
comedi_config -r /dev/comedi0
wait $loop
check "the loop ends as for a failed device" 4 $?
check "the loop says what happened" \
  "bare_loop: /dev/comedi0 failed in frame N, 0 of 10 instructions done: No such device" \
  "$(sed 's/frame [0-9]*/frame N/' vanished.txt)"
comedi_config /dev/comedi0 comedi_test 1000000,100000
bare_loop --frames 100 >/out/bare_loop.json
check "the device is back" 0 $?

exit $failures
