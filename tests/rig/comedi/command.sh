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
# The first and the last tick are off by a period and two ticks of the card's timer, 28 ms, in 3 s or more; and by as much
# as a busy host keeps the guest from them.
check_that "which are 20 ms apart" \
  "$(value follow.json ticks.period_us) >= 19000 && $(value follow.json ticks.period_us) <= 21000"
check_that "scans were read" "$(value follow.json devices.daq.scans) >= 150"
check "none had to wait" 0 "$(value follow.json devices.daq.full)"
check_near "the first output is safe after it" "$(held 0 /dev/comedi2)" "$(counts_of 1)" 1

# The sawtooth rises by 65 534 counts in 10 s: an input says when it was sampled, to a count of 0.153 ms. Whatever the
# host does, those of two ticks are whole periods of the card apart; what there was before the first scan is none.
check_run "it is exported" 0 export.txt hild export follow.mcap --format csv --signals counts --output follow.csv
check_that "each input is of a whole scan" "$(awk -F, 'NR > 1 && $2 != "" {
    at = $2 / 6553.4
    if (n++ > 0) {
      scans = (at - before) / 0.02; if (scans < -1) scans += 500
      off = scans - int(scans + 0.5); if (off < 0) off = -off
      if (off <= 0.02) ++whole
    }
    before = at
  } END { printf "%d >= 150 && %d >= %d - 2", n, whole, n }' follow.csv)"

# The same, where a scan itself wakes the loop.
check_run "frames begin with their scans" 0 wake.txt timeout 200 hild run "$config" --arm --duration 4 \
  --set 'frame.clock={device: daq, mode: wake}' --report wake.json --set 'record={file: wake.mcap}'
[ -s wake.json ] || cat wake.txt
check_that "which are 20 ms apart" \
  "$(value wake.json ticks.period_us) >= 19000 && $(value wake.json ticks.period_us) <= 21000"
check_that "scans were read" "$(value wake.json devices.daq.scans) >= 150"
check_run "and the run repeats" 0 replay.txt hild replay wake.mcap

# 20 000 scans a second, of which 128 are read 50 times a second: a buffer of 32 768 scans runs over, and once all of it
# has been read the run ends.
echo 64 >/sys/class/comedi/comedi2/read_buffer_kb
check_run "a run that reads too slowly ends as for a failed device" 4 ended.txt \
  timeout 200 hild run "$config" --arm --report ended.json --set 'frame={period: 20 ms, priority: 80}' \
  --set 'devices.daq.command={period: 50 us, scans: 128}'
value ended.json outcome.message >message.txt
check_says "and says so" "device daq: /dev/comedi2: the command was stopped after [0-9]+ scans, since the kernel's buffer" \
  message.txt
check_that "calls that read all they may were counted" "$(value ended.json devices.daq.full) >= 200"
check "with safe outputs, since the card is still there" true "$(value ended.json outcome.outputs_safe)"
check_near "as they are" "$(held 1 /dev/comedi2)" "$(counts_of -2)" 1

check_run "a rate that the card does not have is refused" 4 refused.txt \
  hild io "$config" --set 'devices.daq.command={period: 1500 ns}'
check_says "with what it has" 'asked for a scan each 1500 ns, found .* 2000 ns' refused.txt
comedi_config -r /dev/comedi2
