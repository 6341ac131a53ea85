# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh disable=SC2154
#
# Inputs that a card samples by its own clock: by a command, comedi_test makes a sawtooth of the monotonic clock on
# channel 0, here one from -10 V to 10 V in 10 s.
config=$tests/command.yaml

check_run "scans are as old as they are said to be" 0 scans.txt \
  env HILD_TEST_CARD=1 test_drivers --gtest_filter='ComediCard.*'
check_says "that was looked at" 'PASSED.* 1 test' scans.txt
grep worst scans.txt

comedi_config /dev/comedi2 comedi_test 10000000,10000000
check_run "a run follows the card" 0 follow.txt \
  timeout 200 hild run "$config" --arm --duration 4 --report follow.json --set 'record={file: follow.mcap}'
[ -s follow.json ] || cat follow.txt
check "by its ticks" daq "$(value follow.json ticks.device)"
check_that "which are 20 ms apart" \
  "$(value follow.json ticks.period_us) >= 19800 && $(value follow.json ticks.period_us) <= 20200"
check_that "scans were read" "$(value follow.json devices.daq.scans) >= 150"
check "none had to wait" 0 "$(value follow.json devices.daq.full)"
check_near "the first output is safe after it" "$(held 0 /dev/comedi2)" "$(counts_of 1)" 1

# The sawtooth rises by 2 V a second: what an input is at its tick says when it was sampled. But for a constant, that
# is the tick itself less the age of the image: a period, two ticks of the card's timer. A busy host delays some.
check_run "it is exported" 0 export.txt hild export follow.mcap --format csv --signals inputs --output follow.csv
check_that "inputs are of their ticks" "$(awk -F, 'NR > 1 && $2 != "" {
    d = (($2 + 10) / 2 - $1) % 10; if (d < 0) d += 10; all[n++] = d
  } END {
    for (i = 0; i < n; ++i) { # from the first: no step where it wraps around
      off = all[i] - all[0]; if (off > 5) off -= 10; if (off < -5) off += 10
      if (off >= -0.028 && off <= 0.028) ++near
    }
    printf "%d >= 150 && %d >= 0.8 * %d", n, near, n
  }' follow.csv)"

hild run "$config" --arm --report ended.json >ended.txt 2>&1 &
hild=$!
busy() { ! analog /dev/comedi2 0 0 read; } # what a command has, no instruction reads
await $hild busy
comedi_config -r /dev/comedi2
wait $hild
check "a run without its card ends as for a failed device" 4 $?
value ended.json outcome.message >message.txt
check_says "and says so" 'device daq: /dev/comedi2: .*No such device' message.txt

comedi_config /dev/comedi2 comedi_test 10000000,10000000
check_run "a rate that the card does not have is refused" 4 refused.txt \
  hild io "$config" --set 'devices.daq.command={period: 1500 ns}'
check_says "with what it has" 'asked for a scan each 1500 ns, found .* 2000 ns' refused.txt
comedi_config -r /dev/comedi2
