#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# The rig tests itself before anything is tested by it.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck disable=SC2016 # names of variables are for the reader
usage='usage: selftest.sh [--keep DIR]
  Fetch the kernel if need be, build the rig'"'"'s own programs, boot the rig in every way it has.
  --keep DIR  leave programs, logs and reports in DIR
  The kernel is the one boot.sh would take: $HILD_RIG_KERNEL, else build/rig/kernel.'

case ${1-} in
  '') work=$(mktemp -d "${TMPDIR:-/tmp}/rig-selftest.XXXXXX"); trap 'rm -rf "$work"' EXIT ;;
  --keep) work=${2:?"$usage"}; mkdir -p "$work" ;;
  --help) printf '%s\n' "$usage"; exit 0 ;;
  *) printf '%s\n' "$usage" >&2; exit 1 ;;
esac

export HILD_RIG_KERNEL=${HILD_RIG_KERNEL:-$here/../../build/rig/kernel}
failures=0

check() { # what, expected, found
  if [[ $2 == "$3" ]]; then
    echo "ok    $1"
  else
    echo "WRONG $1: expected '$2', found '$3'"
    failures=$((failures + 1))
  fi
}

status_of() { # command...; its exit status
  local status=0
  "$@" || status=$?
  echo "$status"
}

script() { # name, line of shell; prints the script's path
  printf '%s\n' "$2" >"$work/$1.sh"
  echo "$work/$1.sh"
}

boot() { # log, boot.sh's arguments; prints the exit status
  local log=$work/$1
  shift
  status_of "$here/boot.sh" --log "$log" --console "$log.console" \
    --program "$work/bare_loop" --program "$work/hog" --program "$work/lines" --program cyclictest \
    --timeout 400 "$@" \
    2>"$log.err"
}

"$here/kernel.sh" "$HILD_RIG_KERNEL"
for source in peers/bare_loop peers/hog tools/lines; do
  g++ -std=c++20 -O2 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror \
    "$here/$source.cpp" -o "$work/${source##*/}" -lcomedi
done

# shellcheck disable=SC2016 # RIG_MODE is the guest's
show_mode=$(script mode 'echo "$RIG_MODE on $(nproc)"; exit 7')
check "fast: the script's exit status" 7 "$(boot fast.log --mode fast "$show_mode")"
check "fast: two CPUs" "fast on 2" "$(<"$work/fast.log")"

check "devices" 0 \
  "$(boot devices.log --port "$work/strobed" --out "$work/out" "$here/selftest/devices.sh" 'a b' "c'd")"
sed 's/^/      /' "$work/devices.log"
check "files come back" 1 "$(grep -c '"frames": 100,' "$work/out/bare_loop.json")"
check "strobed bytes reach the host" A "$(<"$work/strobed")"

# shellcheck source=boots.bash
source "$here/boots.bash"
repeated() { # its number
  local log=repeat$1.log status
  status=$(boot "$log" --mode counted --out "$(out_of "$1")" --file "$here/checks.sh:/rig/checks.sh" \
    "$here/selftest/repeat.sh")
  cp "$work/$log" "$(said_in "$1")" || true
  return "$status"
}
check_boots repeated
sed 's/^/      /' "$(said_in "${first:-1}")"
check "counted: hog" 0 "$(boot hog.log --mode counted "$here/selftest/hog.sh")"
sed 's/^/      /' "$work/hog.log"

check "a guest that never ends" 124 "$(boot endless.log --timeout 10 "$(script endless 'sleep 1000')")"
check "a guest that crashes" 125 "$(boot crash.log "$(script crash 'echo c >/proc/sysrq-trigger')")"
check "its last words are shown" 1 "$(grep -c 'Kernel panic' "$work/crash.log.err")"
# A stray byte on the line of the files is as good as a lost one.
check "files that come damaged" 125 "$(boot damaged.log --out "$work/damaged" \
  "$(script damaged 'echo stray >/dev/ttyS2; echo kept >/out/kept')")"
check "it is booted once more" 1 "$(grep -c 'it boots once more' "$work/damaged.log.err")"

echo "$failures failed"
((failures == 0))
