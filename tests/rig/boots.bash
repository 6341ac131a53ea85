# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# Counted boots, compared; sourced by tests that set `work`, a folder, and have `check` (checks.sh).
#
# Every counted boot of the same files takes the same path to the nanosecond, unless the host disturbs the emulator:
# then an interrupt is taken some instructions earlier or later, and all that follows falls differently on the
# kernel's tick. That is no fault of what is tested, and says nothing of it. A boot tells its path by its witness,
# the guest's own time at marks along it (`mark` in checks.sh), whatever is tested says: two boots with one witness
# were not disturbed, since never are two disturbed alike. Others are made again, a few times; what they found
# is not looked at.
: "${work:?}"
boots_most=5

# Files of boot N: what its script said, what it handed back; the witness is among the latter.
said_in() { echo "$work/said.$1"; }
out_of() { echo "$work/out.$1"; }
witness_of() { echo "$(out_of "$1")/witness"; }

# Where the paths of two boots part, in words: a mark is a line of the witness, its name first.
parting() { # boot, boot
  local here there last=power-on
  while IFS='|' read -r here there; do
    [[ $here == "$there" ]] || { echo "between $last and ${here%% *}"; return; }
    last=${here%% *}
  done < <(paste -d '|' "$(witness_of "$1")" "$(witness_of "$2")")
  echo "after $last"
}

# Boots until two took the same path, and sets `first` and `second` to their numbers. Status 1: no two did, or
# a boot came to nothing.
declare -A boot_status=()
two_undisturbed() { # command that boots: called with the number of the boot, ends as boot.sh does
  local n m
  first='' second=''
  boot_status=()
  for ((n = 1; n <= boots_most; ++n)); do
    rm -rf "$(said_in "$n")" "$(out_of "$n")"
    boot_status[$n]=0
    "$1" "$n" || boot_status[$n]=$?
    case ${boot_status[$n]} in
      125) echo "boot $n: the rig failed"; return 1 ;;
      124) echo "boot $n was stopped before its end; one more"; continue ;;
    esac
    [[ -s $(witness_of "$n") ]] || { echo "boot $n has left no witness"; return 1; }
    for ((m = 1; m < n; ++m)); do
      cmp -s "$(witness_of "$m")" "$(witness_of "$n")" || continue # where there is one of both
      first=$m second=$n
      return 0
    done
    for ((m = 1; m < n; ++m)); do
      [[ -s $(witness_of "$m") ]] && echo "boots $m and $n took other paths $(parting "$m" "$n"): one was disturbed"
    done
  done
  return 1
}

# The test itself: the guest's checks in two undisturbed boots, and that they say and hand back the same.
check_boots() { # command that boots
  if ! two_undisturbed "$1"; then
    check "two boots that were not disturbed, of $boots_most" two none
    return 0
  fi
  check "the guest's checks, boot $first" 0 "${boot_status[$first]}"
  check "the guest's checks, boot $second" 0 "${boot_status[$second]}"
  check "two boots alike to the byte" "" "$(diff "$(said_in "$first")" "$(said_in "$second")" | head -n 40
    diff -r "$(out_of "$first")" "$(out_of "$second")" | head -n 40)"
}
