# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh disable=SC2154
#
# What a frame costs and asks of the kernel, beside cyclictest and bare_loop in the same boot.
thread() { # process, name; prints its task's folder
  for task in /proc/"$1"/task/*; do
    [ "$(cat "$task/comm")" = "$2" ] && echo "$task"
  done
}
frames_of() { awk '$1 == "voluntary_ctxt_switches:" { print $2 }' "$1/status"; }
# Nanoseconds on the CPU, which are instructions, kernel included; page faults; times taken off the CPU.
cost_of() { cut -d ' ' -f 1 "$1/schedstat"; }
faults_of() { sed 's/.*) //' "$1/stat" | cut -d ' ' -f 8,10; }
preempted() { awk '$1 == "nonvoluntary_ctxt_switches:" { print $2 }' "$1/status"; }

per_frame() { # task's folder; instructions per frame over half a second, into `cost`
  frames=$(frames_of "$1") cost=$(cost_of "$1")
  sleep 0.5
  frames=$(($(frames_of "$1") - frames)) cost=$(($(cost_of "$1") - cost))
  cost=$((cost / frames))
}

bare_loop --rate 1000 --frames 1200 --reads 1 --writes 2 >bare.json &
bare=$!
sleep 0.3
per_frame "$(thread $bare bare_loop)"
bare_cost=$cost
wait $bare

hild run "$tests/motor.yaml" --arm --duration 2 --report /out/motor.json >/out/motor.txt 2>&1 &
hild=$!
sleep 1
task=$(thread $hild hild-frame)
faults=$(faults_of "$task")
preempted=$(preempted "$task")
per_frame "$task"
hild_cost=$cost

# The kernel's own count of the thread's system calls.
mount -t tracefs tracefs /sys/kernel/tracing
calls=/sys/kernel/tracing/events/raw_syscalls/sys_enter
echo "hist:keys=id if common_pid==${task##*/}" >$calls/trigger
sleep 0.2
awk '$2 == "id:" { print $3, $6 }' $calls/hist | sort -n >calls.txt
echo "!hist:keys=id if common_pid==${task##*/}" >$calls/trigger
check "no page fault in the frames" "$faults" "$(faults_of "$task")"
check "nothing takes the CPU from them" "$preempted" "$(preempted "$task")"
wait $hild
check "the run ends well" 0 $?
clock_nanosleep=230 ioctl=16
check "a frame's system calls are" "$ioctl $clock_nanosleep" "$(cut -d ' ' -f 1 calls.txt | xargs)"
check_near "as many sleeps as device calls" "$(sed -n "s/^$clock_nanosleep //p" calls.txt)" \
  "$(sed -n "s/^$ioctl //p" calls.txt)" 1

report() { value /out/motor.json "$1"; }
check "no frame was missed" "2000 0 0" "$(report steps) $(report overruns.total) $(report late_wakes)"
echo "      wake latency, instructions / 1000: hild p50 $(report wake_latency_us.p50)," \
  "max $(report wake_latency_us.max); bare_loop p50 $(value bare.json wake_ns.p50) ns," \
  "max $(value bare.json wake_ns.max) ns; $(cyclictest -q -m -N -p80 -i1000 -l1000 | tail -n 1 | tr -s ' ')"
echo "      instructions per frame, scheduling included: hild $hild_cost, bare_loop $bare_cost"
check_that "a frame costs little more than bare_loop's" "$hild_cost < 1.5 * $bare_cost"
