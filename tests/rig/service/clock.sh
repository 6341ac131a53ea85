# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh disable=SC2154
#
# The time of day jumps by hours, there and back: the grid is of another clock.
look() { # into which file: frames, and the time they are measured by
  echo "$(status_of_run frames) $(cut -d ' ' -f 1 /proc/uptime)" >"$1"
}
step() { # hours
  before=$(date +%s)
  date --set="$1 hours" >date.txt
  check_that "the clock was set by $1 hours" "($(date +%s) - $before) / 3600 / ($1) > 0.99"
  sleep 1
  check "the output stays" yes "$(driven && echo yes)"
}
look before.txt
step +3
step -6
step +3
look after.txt
# Between frame and time lies the start of a program or two, on whatever host; a jump would be of hundreds of
# thousands of frames.
passed=$(cat before.txt after.txt | awk '{ frames = $1 - frames; time = $2 - time } END { print frames - 25 * time }')
check_near "frames came at their rate" "$passed" 0 1500
