# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh disable=SC2154
#
# Overruns to order: one step, that of 450 ms, burns a known part of its frame of 1 ms. What
# follows is arithmetic. A step from n that ends at n + b is late when b > 1; the steps after it
# start at once and span two frames while their end would otherwise lie in the past:
#
#   b      steps that follow, and when they end                    late   doubled   slips
#   1.3    n+1 .. n+2 at 1.3                                       1      0         0
#   2.3    n+1 .. n+3 at 2.3                                       1      1         0
#   4.3    n+1 .. n+3 late, .. n+5                                 1+1    2         0
#   12.3   9 frames behind n+1 is more than max_debt 8: slip 4,    1+3    4         4
#          then n+5 .. 7 late, .. 9 late, .. 11 late, .. 13
burnt() { # name, burn, late by their passes, late by what went before, doubled, slips, options...
  name=$1 burn=$2
  expected="$(($3 + $4)) late: $3 pass $4 carried, $5 doubled, $6 slips, $((600 - $5 - $6)) steps"
  shift 6
  check_run "$name: the run ends well" 0 burnt.txt hild_rig run "$tests/burner.yaml" --arm --duration 0.6 \
    --set model.parameters.burn="$burn" --report "/out/$name.json" "$@"
  got() { value "/out/$name.json" "$1"; }
  check "$name" "$expected" "$(got overruns.total) late: $(got overruns.by_cause.pass) pass \
$(got overruns.by_cause.carried) carried, $(got doubled_steps) doubled, $(got slips) slips, $(got steps) steps"
  check "$name: frames" 600 "$(got frames)"
}
# name         burn      pass carried doubled slips
burnt nothing  '0 ms'    0 0 0 0
burnt part     '0.3 ms'  0 0 0 0 --set model.parameters.to='550 ms'
burnt frame    '1.3 ms'  1 0 0 0
burnt two      '2.3 ms'  1 0 1 0
burnt four     '4.3 ms'  1 1 2 0
burnt twelve   '12.3 ms' 1 3 4 4
# Four in a row end at 1.3, 2.6, 3.9 and 5.2: the fifth, from n+4, is doubled.
burnt row      '1.3 ms'  4 0 1 0 --set model.parameters.to='454 ms'
# The grid moves past 2.3 instead.
burnt slipping '2.3 ms'  1 0 0 2 --set overrun.policy=slip

check_run "policy stop ends the run as for a limit" 3 burnt.txt hild_rig run "$tests/burner.yaml" --arm \
  --duration 0.6 --set model.parameters.burn='1.3 ms' --set overrun.policy=stop --report /out/stop.json
check "the report says so" overrun_limit "$(value /out/stop.json outcome.end)"
check "in the step that was late" 451 "$(value /out/stop.json steps)"
check_near "outputs are safe then" "$(analog /dev/comedi0 0 0 read)" 36044 1
check_says "the terminal names the frame and the cause" 'frame 450: \+[0-9]+ us late, cause pass' burnt.txt
