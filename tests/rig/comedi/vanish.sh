# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh disable=SC2154
#
# A card that vanishes under a running hild, which must end, say so, and make the other card safe.
config=$tests/two_cards.yaml
comedi_config /dev/comedi2 comedi_test 1000000,100000
analog /dev/comedi0 1 0 write 12345
analog /dev/comedi2 1 7 write 12345
moved_both() { [ "$(held 0)" -ne 12345 ] && [ "$(held 7 /dev/comedi2)" -ne 12345 ]; }

timeout 300 hild run "$config" --arm --report vanished.json >vanished.txt 2>&1 &
hild=$!
await $hild moved_both
comedi_config -r /dev/comedi0
wait $hild
check "a run without its card ends as for a failed device" 4 $?
value vanished.json outcome.message >message.txt
value vanished.json outcome.next >next.txt
check "the report says so" device_failed "$(value vanished.json outcome.end)"
check_says "it names the card and what to do" \
  'device first: /dev/comedi0: .*No such device.*attach it again with comedi_config' message.txt
check_says "it warns of outputs that are not safe" 'Not every output took its safe value' message.txt
check "as it does for programs" false "$(value vanished.json outcome.outputs_safe)"
check_says "and says what to do about them" 'hild safe .*two_cards.yaml' next.txt
check_says "so does the terminal" 'Stopped in frame [0-9]+: device first: /dev/comedi0:' vanished.txt
check_near "the other card is safe" "$(held 7 /dev/comedi2)" "$(counts_of -2)" 1

check_run "no safe without the card" 4 safe.txt hild safe "$config"
check_says "with its reason" 'device first: cannot open /dev/comedi0' safe.txt
comedi_config /dev/comedi0 comedi_test 1000000,100000
check_run "safe, once it is back" 0 safe.txt hild safe "$config"
check_held "the first card is safe" 0 1

# The frames end at once; the process cannot while nobody takes what it says. A card that comes back
# meanwhile must find nobody writing.
mkfifo words
{
  head -c 65536 /dev/zero # all the pipe holds
  status=0
  hild run "$config" --arm >&1 2>/dev/null || status=$?
  echo $status >status.txt
} >words &
hild=$!
# shellcheck disable=SC2217 # it holds the pipe open and takes nothing
sleep 1000 <words &
reader=$!
analog /dev/comedi0 1 0 write 12345
await $hild moved_both
run=$(awk '{ print $1 }' "/proc/$hild/task/$hild/children")
framing() { grep -qx hild-frame "/proc/$run/task/"*/comm; }
frames_over() { ! framing; }
check "frames are made" yes "$(framing && echo yes)"
comedi_config -r /dev/comedi0
await "$run" frames_over
comedi_config /dev/comedi0 comedi_test 1000000,100000
sleep 0.5 # long enough for ten frames, were any made
check "a card that came back is not written by a run that failed" 32767 "$(held 0)"
check_run "nor locked by it" 0 again.txt analog /dev/comedi0 1 0 write 12345
sleep 0.2
check "and keeps what others write" 12345 "$(held 0)"
cat words >/dev/null &
sleep 0.2
kill $reader
wait $hild
check "the run still ends as for a failed device" 4 "$(cat status.txt)"
check_run "a new run has the card again" 0 again.txt \
  timeout 200 hild run "$config" --arm --duration 0.5
comedi_config -r /dev/comedi2
