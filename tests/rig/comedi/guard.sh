# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh disable=SC2154
#
# Whatever becomes of a run, its card's outputs are made safe by its guard: the card itself would
# hold its last values for ever.
config=$tests/motor.yaml
moved() { [ "$(held 0)" -ne 12345 ]; }
both_safe() { near "$(held 0)" "$(counts_of 1)" 1 && near "$(held 1)" "$(counts_of -2)" 1; }
settled() { # for five minutes at most
  tries=3000
  until both_safe; do
    tries=$((tries - 1))
    [ $tries -gt 0 ] || return 1
    sleep 0.1
  done
}
start() { # more arguments
  analog /dev/comedi0 1 0 write 12345
  hild run "$config" --arm --set safety.ramp_in='0 s' --set safety.within='2 s' "$@" \
    >guard.txt 2>&1 &
  hild=$!
  await $hild moved
}
stands() { ! cat /proc/$hild/task/*/stat | grep -qv '^[0-9]* (.*) T '; }
guard_of() { awk '{ print $1 }' "/proc/$1/task/$1/children"; }

start
guard=$(guard_of $hild)
check "the guard is SCHED_FIFO" 1 "$(sed 's/.*) //' "/proc/$guard/stat" | cut -d ' ' -f 39)"
check "one priority above the frames" 81 \
  "$(sed 's/.*) //' "/proc/$guard/stat" | cut -d ' ' -f 38)"
kill -KILL $hild
wait $hild
check "outputs are safe after kill -9" yes "$(settled && echo yes)"
check_says "and the guard says so" 'guard: the run died; every output has taken its safe action' guard.txt

for signal in SEGV ABRT ILL BUS; do
  start
  kill -$signal $hild
  wait $hild
  check "outputs are safe after SIG$signal" yes "$(settled && echo yes)"
done

start
kill -STOP $hild
check "outputs are safe though the run was stopped" yes "$(settled && echo yes)"
check_says "which is a hang" 'no frame began for too long, so the run was killed' guard.txt
wait $hild

start
kill -KILL "$(guard_of $hild)"
wait $hild
check "a run without its guard ends" 2 $?
check "with safe outputs" yes "$(settled && echo yes)"

# Both at once: nobody is left but the card, which holds; then what ExecStopPost= runs. A run sees
# its guard's death within a frame, so it stands still first, for far less than its guard waits.
start --set safety.within='60 s'
guard=$(guard_of $hild)
kill -STOP $hild
await $hild stands
kill -KILL "$guard" $hild
wait $hild
check "nobody makes them safe when both are killed" "" "$(both_safe && echo yes)"
check_run "hild safe does" 0 safe.txt hild safe --wait 5 "$config"
check "then they are" yes "$(both_safe && echo yes)"

# While the guard ramps, the card is its own: others wait.
start --set outputs.shaft_speed.safe_ramp='2 s'
kill -KILL $hild
wait $hild
check_run "hild safe waits for the guard" 0 safe.txt hild safe --wait 200 "$config"
check "then all is safe" yes "$(both_safe && echo yes)"

# Hardware is not driven before somebody says so.
hild run "$config" --duration 1 >disarmed.txt 2>&1
check_says "a run that is not armed says so" 'outputs are disarmed' disarmed.txt
check "and keeps its outputs safe" yes "$(both_safe && echo yes)"
