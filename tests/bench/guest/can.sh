# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
#
# In the guest: a tick of a bus of the kernel's, of the driver and of the loop by hand, one after the other, in
# instructions.
set -eu
ip link add dev vcan0 type vcan
ip link set vcan0 up
for signals in 1 4; do
  for who in by_hand hild; do
    can_frames $who $signals 400 vcan0 >said.txt || { cat said.txt; exit 1; }
    sed "s/^/$who.$signals./" said.txt
  done
done
