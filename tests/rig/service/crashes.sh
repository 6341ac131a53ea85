# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh disable=SC2154
#
# However a run comes to its end, its output is safe before the next one begins.
settled() { # for five minutes at most
  tries=3000
  until is_safe; do
    tries=$((tries - 1))
    [ $tries -gt 0 ] || return 1
    sleep 0.1
  done
}
# Crashes follow each other faster than a unit may: what is tried here is not that.
after_crash() { # what, how many restarts by now
  check "outputs are safe after $1" yes "$(settled && echo yes)"
  await $$ running
  check "and the service runs again" "yes $2" "$(running && echo yes) $(of_unit NRestarts)"
}

misbehave 1
after_crash "a segmentation fault in the model" 1
words >journal.txt
check_says "by the guard" 'guard: the run died; every output has taken its safe action' journal.txt

kill -KILL "$(of_unit MainPID)"
after_crash "kill -9" 2

main=$(of_unit MainPID)
kill -KILL "$(guard_of "$main")" "$main"
after_crash "kill -9 of the run and its guard" 3
words >journal.txt
check_says "by what systemd starts then" 'All outputs are at their safe values' journal.txt

# Nobody there to see that frames stand still, but systemd. In its sleep, not in a loop: a loop at this
# priority, with no guard above it, keeps the kernel's own timers from the CPU it is on.
printf '%s\n' HILD_OPTIONS=--arm 'HILD_SET=--set safety.guard=false' >/etc/default/hild-rig1
systemctl reset-failed $unit
systemctl restart $unit
await $$ running
misbehave 5
after_crash "a model that never returns" 1
words >journal.txt
check_says "by the watchdog" 'Watchdog timeout' journal.txt
echo 'HILD_OPTIONS=--arm' >/etc/default/hild-rig1
systemctl reset-failed $unit
systemctl restart $unit
await $$ running
