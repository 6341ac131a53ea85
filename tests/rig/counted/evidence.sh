# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh disable=SC2154
#
# What the kernel did to a late step, told by the kernel where it was asked to (overrun.evidence).
echo -1 >/proc/sys/kernel/sched_rt_runtime_us # else the hog is taken off the CPU too

burner() { # name, options...
  name=$1
  shift
  hild_rig run "$tests/burner.yaml" --arm --duration 0.6 --report "/out/$name.json" "$@" \
    --set overrun.evidence=true >"$name.txt" 2>&1
  check "$name: the run ends well" 0 $?
}
cause() { value "/out/$name.json" "overruns.by_cause.$1"; }
all_of() { # causes; whether they are all that was found
  sum=0
  for each in "$@"; do sum=$((sum + $(cause "$each"))); done
  check "$name: nothing else is found" "$(value "/out/$name.json" overruns.total)" $sum
}

burner page-faults --set model.parameters.pages=1500
check "page-faults: the step that waited for pages" 1 "$(cause page_fault)"
all_of page_fault carried
check_says "page-faults: the terminal says so" 'frame 450: .*cause page fault' page-faults.txt

# Frames work for most of their time. What wakes and takes the CPU for 5 ms meets some at work: they
# were preempted, and others in their sleep: they woke late. The hogs differ in phase by a tenth of a
# frame; the first of them meet the rehearsal.
for after in $(awk 'BEGIN { for (i = 2; i < 34; ++i) print i * 0.0501 }'); do
  hog 90 0.005 0 "$after" &
done
burner preempted --set model.parameters.from='0 s' --set model.parameters.to='10 s' \
  --set model.parameters.burn='0.6 ms'
wait
check_that "preempted: steps that another program held up" "$(cause preemption) > 0"
all_of preemption late_wake carried
# Which of many overruns are told one by one is a matter of phases; the report tells all causes.
check_says "preempted: the terminal says so" '^ *\|? *preemption +[1-9]' preempted.txt
