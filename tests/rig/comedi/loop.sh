# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh disable=SC2154
#
# A loop closed over the card; who else may write meanwhile; how a run ends.
config=$tests/motor.yaml
# Where 12 - 0.025 w = R i + k w and k i = b w meet, in counts of the speed's channel.
rest=$(awk 'BEGIN { w = 12 / (1.0 * 1e-5 / 0.05 + 0.05 + 0.025); print (w / 25 + 10) / 20 * 65535 }')
at_rest() { near "$(held 0)" "$rest" 4; }
resting() { # ten looks in a second
  for _ in 0 1 2 3 4 5 6 7 8 9; do
    at_rest || return
    sleep 0.1
  done
}
moved() { [ "$(held 0)" -ne 12345 ]; }

# Field N of proc(5)'s stat of the thread that runs the frames.
frame_thread() { # process, N
  for task in /proc/"$1"/task/*; do
    [ "$(cat "$task/comm")" = hild-frame ] || continue
    sed 's/.*) //' "$task/stat" | cut -d ' ' -f $(($2 - 2))
  done
}

analog /dev/comedi0 1 0 write 12345
hild run "$config" --arm --report stopped.json >stopped.txt 2>&1 &
hild=$!
await $hild moved
await $hild resting
check "the loop comes to rest where it must, and stays" yes "$(at_rest && echo yes)"
check "the frame thread is SCHED_FIFO" 1 "$(frame_thread $hild 41)"
check "at its priority" 80 "$(frame_thread $hild 40)"

for channel in 0 5; do
  check_run "another program cannot write channel $channel" 1 locked.txt \
    analog /dev/comedi0 1 $channel write 0
  check_says "with its reason" 'Permission denied' locked.txt
done
for command in run io safe; do
  check_run "hild $command is refused while another hild runs" 4 locked.txt \
    timeout 100 hild $command "$config"
  check_says "with its reason" \
    'device daq: /dev/comedi0: subdevice 1 channel 0: cannot lock the subdevice: .*; end the program' \
    locked.txt
done
check "the first run is not disturbed" yes "$(at_rest && echo yes)"

kill -TERM $hild
wait $hild
check "a run ends well on SIGTERM" 0 $?
check_held "the first output is safe then" 0 1
check_held "the second output is safe then" 1 -2
check "the report tells who ended it" requested "$(value stopped.json outcome.end)"
check "the report tells of safe outputs" true "$(value stopped.json outcome.outputs_safe)"
check_run "the lock is gone" 0 locked.txt analog /dev/comedi0 1 0 write 12345

check_run "a run of 2 s" 0 timed.txt \
  timeout 200 hild run "$config" --arm --duration 2 --report timed.json
number() { value timed.json "$1"; }
# A doubled step may reach one frame beyond the end, and so may frames that are given up.
check_that "it has its frames" "40 <= $(number frames) && $(number frames) <= 41 + $(number slips)"
check "each frame is stepped, doubled or slipped" "$(number frames)" \
  $(($(number steps) + $(number doubled_steps) + $(number slips)))
check "it ended by itself" duration "$(number outcome.end)"
check_that "not every step was late, on whatever host" "$(number overruns.total) < $(number steps)"
check "no record was dropped" 0 "$(number records_dropped)"
check "no privilege was missing" "" \
  "$(grep -E 'cannot (lock|hold|bind)|no SCHED_FIFO|only the present memory' stopped.txt timed.txt timed.json)"
check_held "the first output is safe after it" 0 1
check_held "the second output is safe after it" 1 -2
