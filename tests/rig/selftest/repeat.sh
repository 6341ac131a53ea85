# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
#
# In the guest, counted: latencies and instructions, which two boots must report alike to the byte.
set -eu
# shellcheck source=../checks.sh
. /rig/checks.sh
mark begin
# Nanoseconds; cyclictest counts from its own wake-up to its own reading of the clock, as bare_loop does.
cyclictest -q -m -N -p80 -i1000 -l1000
cyclictest -q -m -N -p80 -i100 -l10000
mark cyclictest
bare_loop --rate 1000 --frames 1000 --no-device
bare_loop --rate 1000 --frames 1000 --reads 8 --writes 2
bare_loop --rate 10000 --frames 10000 --reads 8 --writes 2
sha256sum /proc/interrupts
cat /proc/uptime
mark bare_loop
