# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh disable=SC2154
#
# In the guest: the commands of docs/drivers.md, as a newcomer would type them (/rig/page, which
# tests/docs/guest_commands.py makes of the page).
cp -R /rig/tree/. . && mkdir -p /run/hild
modprobe() { :; } # the guest has its modules already

page_run() { # place, command
  said="page-$((said_number = said_number + 1)).txt"
  check_run "$1: $2" 0 "$said" eval "$2"
  cat "$said" >>block.txt
  # A reader sees when the run has ended.
  [ "$2" != "hildctl stop" ] || wait "$beside"
}
page_background() { # place, command, words
  eval "$2" >background.txt 2>&1 &
  beside=$!
  all_beside="$all_beside $beside"
  await "$beside" grep -q "$3" background.txt
}
page_shows() { # place, words
  check_says "$1: shows $2" "$2" block.txt
}
said_number=0 all_beside=
# shellcheck source=/dev/null
. /rig/page
# shellcheck disable=SC2086 # several
kill $all_beside 2>/dev/null
ip link delete vcan0
