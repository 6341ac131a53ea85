# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh disable=SC2154
#
# A reload: what would be refused changes nothing, what is valid is taken with safe outputs in between.
main=$(of_unit MainPID)
cp $config valid.yaml
undisturbed() { # what
  first=$(status_of_run frames)
  await $$ advanced "$first"
  check "$1 leaves the run alone" "$main 0.05 yes" "$(of_unit MainPID) $(status_of_run period_s) $(driven && echo yes)"
}
begin_to_look
sed 's/rate: 20 Hz/rate: 20 kg/' valid.yaml >$config
check_run "a reload with an error in the configuration fails" 1 reload.txt systemctl reload $unit
words >journal.txt
check_says "and the journal has the reason" 'rig1.yaml:5: .*kg' journal.txt
undisturbed "it"
cp valid.yaml $config
chmod o+w $config
check_run "so does one that anybody could have written" 1 reload.txt systemctl reload $unit
undisturbed "it"
chmod o-w $config
end_to_look
check "all the while the line carried one value" "$(counts_of 5)" "$(sort -u seen.txt)"

begin_to_look
sed -e 's/rate: 20 Hz/rate: 25 Hz/' -e 's/safe: 1 V/safe: 2 V/' valid.yaml >$config
check_run "a valid configuration is taken" 0 reload.txt systemctl reload $unit
await $$ running
end_to_look
check "by the same process" "$main" "$(of_unit MainPID)"
check "which steps by it" 0.04 "$(status_of_run period_s)"
check "and was not started again" 0 "$(of_unit NRestarts)"
check_that "the line was safe in between" "$(grep -cx "$(counts_of 1)" seen.txt) > 0"
