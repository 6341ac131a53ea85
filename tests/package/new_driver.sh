#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# From an installed hild to a driver of one's own: install, new-driver, build, test, run.
#   new_driver.sh BUILD
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=installed.bash
source "$here/installed.bash" "$@"

new_project new-driver motor-drive
# Each channel, as the README of the project has it: nothing is put out, so that the wire is at 0 V.
"$place/usr/bin/hild" io motor_drive.yaml >io.log || { cat io.log; exit 1; }
grep -Eq 'armature_voltage +5 V .* on it channel 0' io.log || { cat io.log; exit 1; }
# What the driver forgets, its tests notice.
sed -i 's/outputs_\[i\]\] = outputs\[i\]/outputs_[i]] = 0/' motor_drive.cpp
cmake --build build --target motor_drive_test >build.log || { cat build.log; exit 1; }
if build/motor_drive_test >test.log; then cat test.log; exit 1; fi
grep -q 'FAILED.*ReadsAndWritesWholeImages' test.log || { cat test.log; exit 1; }
