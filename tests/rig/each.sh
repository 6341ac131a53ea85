# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh disable=SC1090,SC1091,SC2154
#
# In the guest: runs the named scripts of /rig/tests, one after the other, as one test.
set -u
. /rig/checks.sh # sets failures
tests=/rig/tests
[ "$RIG_MODE" != counted ] || mark begin
for name; do
  echo "$name"
  . "$tests/$name.sh"
  [ "$RIG_MODE" != counted ] || mark "$name"
done
exit "$failures"
