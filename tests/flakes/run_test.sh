#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# `run` on a build of four tests whose outcome is known: one passes, one fails in every second round, one always,
# one skips itself. Without a load, which is not what is tried here.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/hild-flakes.XXXXXX")
trap 'rm -rf "$work"' EXIT
# shellcheck source=../rig/checks.sh disable=SC2154
source "$here/../rig/checks.sh"

mkdir "$work/build"
cat >"$work/build/CTestTestfile.cmake" <<EOF
add_test(room.passes true)
add_test(room.fails_now_and_then bash -c "n=\$(cat '$work/n' 2>/dev/null || echo 0); echo \$((n + 1)) >'$work/n'; exit \$((n % 2))")
add_test(other.fails bash -c "echo '<testcase name=none status=fail> said by a test'; exit 3")
add_test(other.skips bash -c "exit 77")
set_tests_properties(other.skips PROPERTIES SKIP_RETURN_CODE 77)
set_tests_properties(room.passes room.fails_now_and_then PROPERTIES LABELS room)
set_tests_properties(other.fails other.skips PROPERTIES LABELS other)
EOF
flakes() { # expected status, options...
  local expected=$1
  shift
  check_run "run $*" "$expected" "$work/said" "$here/run" --build "$work/build" --load 0 --keep "$work/kept" "$@"
}

flakes 1 --rounds 4
check_says "each round is told" '^round 4 of 4: 1 passed, 2 failed, 1 skipped in ' "$work/said"
check_says "what failed in it too" '^  failed: other.fails$' "$work/said"
check_says "what fails always" '^4 of 4 failed  other.fails \(round 1, 2, 3, 4; ' "$work/said"
check_says "what fails now and then, in which rounds" \
  '^2 of 4 failed  room.fails_now_and_then \(round 2, 4; ' "$work/said"
check "the worst first" other.fails "$(grep -m 1 ' of 4 failed' "$work/said" | cut -d ' ' -f 6)"
check_says "and the sum" '^4 tests, 4 rounds: 1 never failed, 2 did, 1 skipped themselves$' "$work/said"
check_that "what was said is kept" "$(grep -c 'said by a test' "$work/kept/round-1.log") > 0"

rm -f "$work/n"
flakes 0 --rounds 1 --label room
check_says "only those asked for run" '^2 tests, 1 rounds: 2 never failed' "$work/said"
flakes 0 --rounds 2 --but-tests fails
check_says "or all but those" '^2 tests, 2 rounds: 1 never failed, 0 did, 1 skipped' "$work/said"
flakes 1 --rounds 3 --tests nothing.of.this.name
check_says "no test at all is no success" 'no test ran' "$work/said"
flakes 2 --rounds 0
flakes 2 --nonsense
check_run "what is no build is told" 2 "$work/said" "$here/run" --build "$work"
check_says "with what to do" 'no tests in .*make build' "$work/said"

if command -v stress-ng >/dev/null; then
  check_run "beside a load" 0 "$work/said" \
    "$here/run" --build "$work/build" --keep "$work/kept" --load 1 --rounds 1 --tests passes
  check "which ends with it" "" "$(pgrep -f "stress-ng.*$work" || true)"
fi
((failures == 0))
