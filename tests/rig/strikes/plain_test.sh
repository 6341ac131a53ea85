#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# The strikes on this machine, which may stall as a whole: outcomes count, times are only printed.
#   plain_test.sh BUILD [TRIALS]
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/strikes.XXXXXX")
trap 'rm -rf "$work"' EXIT
build=$(realpath "$1")
cd "$work"
"$build/rig/strikes" "$build/rig/hild_rig" "$here/strikes.yaml" --trials "${2:-3}" --image "hild-strikes-$$" \
  --socket "$work/control.sock" --tripwire "/dev/shm/hild-strikes-$$-tripwire" ||
  { tail -n 5 strikes.log; exit 1; }
