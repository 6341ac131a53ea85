#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# boots.bash itself, with boots that are written down in the place of a guest: which count, which are made again.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=checks.sh
source "$here/checks.sh"
top=$(mktemp -d "${TMPDIR:-/tmp}/rig-boots.XXXXXX")
trap 'rm -rf "$top"' EXIT
work=$top/work
mkdir "$work"
# shellcheck source=boots.bash
source "$here/boots.bash"

# A boot is "STATUS PATH WORDS"; a path of - leaves no witness.
scripted() { # number
  local status path words
  read -r status path words <<<"${script[$1 - 1]}"
  made=$1
  echo "$words" >"$(said_in "$1")"
  mkdir -p "$(out_of "$1")"
  [[ $path == - ]] || printf 'begin 100 7\nframe %s 9\n' "$path" >"$(witness_of "$1")"
  return "$status"
}
# Ends as a test would that does nothing else.
# shellcheck disable=SC2030,SC2031 # that is what the subshell is for
trial() { (failures=0; made=0; check_boots scripted; echo "$made boots, $failures wrong") >"$top/said"; }
expect() { # what, last line
  check "$1" "$2" "$(tail -n 1 "$top/said")"
}

script=('0 7 same' '0 7 same')
trial
expect "two alike are enough" '2 boots, 0 wrong'

script=('0 7 same' '1 8 WRONG' '0 7 same')
trial
expect "what a disturbed boot finds is not looked at" '3 boots, 0 wrong'
check_says "which is told, and where" 'boots 1 and 2 took other paths between begin and frame: one was disturbed' "$top/said"

script=('1 8 WRONG' '0 7 same' '0 7 same')
trial
expect "be it the first" '3 boots, 0 wrong'

script=('0 7 same' '1 8 WRONG' '1 9 WRONG' '0 7 same')
trial
expect "or two of them" '4 boots, 0 wrong'

script=('0 7 56 found' '0 7 55 found')
trial
expect "other figures on the same path are wrong" '2 boots, 1 wrong'
check_says "and shown" '< 56 found' "$top/said"

script=('1 7 same' '1 7 same')
trial
expect "so are checks that fail in both" '2 boots, 2 wrong'

script=('0 1 a' '0 2 a' '0 3 a' '0 4 a' '0 5 a' '0 6 a')
trial
expect "where no two are alike, some are enough" '5 boots, 1 wrong'

script=('0 7 same' '124 - cut' '0 7 same')
trial
expect "one that was stopped is made again" '3 boots, 0 wrong'

script=('0 7 same' '125 - crashed' '0 7 same')
trial
expect "one whose guest crashed is not" '2 boots, 1 wrong'

script=('0 - same' '0 - same')
trial
expect "nor one without its witness" '1 boots, 1 wrong'
# shellcheck disable=SC2031
((failures == 0))
