# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh disable=SC2154
#
# Models on both CPUs, one in the background: each on its thread and its CPU, the same bits when it is replayed on
# one thread, also where a hog has the other CPU, which costs time and never the run.
config=$tests/two_cpus.yaml

cpus_of() { # process, name of a thread: the CPUs it may run on, its policy and priority
  for task in /proc/"$1"/task/*; do
    [ "$(cat "$task/comm")" = "$2" ] || continue
    echo "$(awk '$1 == "Cpus_allowed_list:" { print $2 }' "$task/status")" \
      "$(sed 's/.*) //' "$task/stat" | cut -d ' ' -f 38,39)"
  done
}
replayed() { # name; the answer of the program that replays it
  check_run "$1: it is replayed to the bit, on one thread" 0 replayed.txt timeout 300 hild replay "$1.mcap"
}

check_run "it is rehearsed" 0 plan.txt timeout 300 hild check "$config"
check_says "and the plan has both CPUs" 'CPU 1' plan.txt

thread() { cpus_of $hild "$1"; }
under_way() { [ -n "$(thread hild-slow-2)" ] && [ "$(held 0)" -ne 12345 ]; }
two() { value two.json "$1"; }
run_for() { # seconds
  rm -f two.json two.mcap
  analog /dev/comedi0 1 0 write 12345
  hild run "$config" --arm --report two.json --set 'record={file: two.mcap}' >two.txt 2>&1 &
  hild=$!
  await $hild under_way
  check "the frame thread is on its CPU, at its priority" "0 80 1" "$(thread hild-frame)"
  check "the worker is on the other, as urgent" "1 80 1" "$(thread hild-worker-0)"
  check "what is in the background is less so" "0 79 1" "$(thread hild-slow-2)"
  sleep "$1"
  kill -TERM $hild
  wait $hild
  check "the run ends well" 0 $?
  [ -s two.json ] || cat two.txt
}
# A busy host may keep the worker's CPU from it for all of a short run.
for seconds in 2 15 60; do
  run_for $seconds
  [ "$(two taken_back)" -eq "$(two steps)" ] || break
done
check_that "the worker has run its model" "$(two taken_back) < $(two steps)"
check "no record was dropped" 0 "$(two records_dropped)"
check_held "outputs are safe then" 0 1
replayed two

# A hog above them all keeps the worker from its CPU: the frame thread takes back what it had.
analog /dev/comedi0 1 0 write 12345
hild run "$config" --arm --duration 6 --report beside.json --set 'record={file: beside.mcap}' >beside.txt 2>&1 &
hild=$!
await $hild under_way
echo -1 >/proc/sys/kernel/sched_rt_runtime_us
hog 90 3 1 # 60 frames, of which a busy host may take many
echo 950000 >/proc/sys/kernel/sched_rt_runtime_us
wait $hild
check "a run beside a hog ends well" 0 $?
[ -s beside.json ] || cat beside.txt
check_that "what the worker could not begin was taken back" "$(value beside.json taken_back) >= 10"
replayed beside

check_run "a CPU that is not there is refused" 1 refused.txt hild run "$config" --set models.fan.cpu=7
check_says "by its key" 'models.fan.cpu: found .7.' refused.txt
