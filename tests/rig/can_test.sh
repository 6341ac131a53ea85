#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# hild on a real CAN bus of the kernel (vcan), under PREEMPT_RT: a closed loop, storms of frames, an interface that goes
# down while it runs, one that is not there. Durations are not looked at here.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=host.bash disable=SC2154
source "$here/host.bash"

# A Python that can run the controller of the page, and no more of it.
tree=$here/../..
peer=(--program /usr/bin/python3)
while read -r file; do peer+=(--file "$file"); done < <(
  /usr/bin/python3 -c 'import socket, struct, sys
print("\n".join(m.__file__ for m in list(sys.modules.values()) if (getattr(m, "__file__", None) or "").startswith("/usr/lib")))')
for file in can.dbc can_peer.py sequences/can.yaml; do
  peer+=(--file "$tree/config/$file:/rig/tree/config/$file")
done
# The guest's time is the host's, who may be busy: frames of 10 ms, a motor that is slow enough for them, and no
# standstill where nothing is computed for seconds.
sed 's/period: 1 ms/period: 10 ms/; s/parameters: {/&inductance: 0.05 H, /; $ a overrun: {standstill: 60 s}' \
  "$tree/config/can.yaml" >"$work/can.yaml"
grep -c 'period: 10 ms\|inductance: 0.05 H\|standstill: 60 s' "$work/can.yaml" >"$work/changed"
check "lines changed for a busy host" 3 "$(cat "$work/changed")"
peer+=(--file "$work/can.yaml:/rig/tree/config/can.yaml")
"$tree/tests/docs/guest_commands.py" docs/drivers.md can >"$work/page"

guest "$work/log" can --mode fast --timeout 600 --module can-raw --module vcan --program "$build/rig/can_peer" \
  --program "$build/hildctl" "${peer[@]}" --file "$work/page:/rig/page" \
  --program cangen --program candump --program cansend --program chrt -- page bus
cat "$work/log"
check "the guest's checks" 0 "$status"
((failures == 0))
